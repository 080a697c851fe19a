#include "release/release.h"

#include <stdlib.h>
#include <string.h>

ll_number ll_release_margin(const ll_release *r, const arb_t difference)
{
    arb_t shown;
    fmpq_t scale;
    arb_init(shown);
    fmpq_init(scale);
    ll_release_get_scale(r, scale);
    fmpq_abs(scale, scale);
    arb_mul_fmpz(shown, difference, fmpq_numref(scale), 64);
    arb_div_fmpz(shown, shown, fmpq_denref(scale), 64);
    fmpq_clear(scale);
    mag_zero(arb_radref(shown));
    char *text = arb_get_str(shown, 6, ARB_STR_NO_RADIUS);
    ll_number margin = {.value = arf_get_d(arb_midref(shown), ARF_RND_NEAR),
                        .text = text != NULL ? strdup(text) : NULL}; /* FLINT's memory is not the caller's to free */
    flint_free(text);
    arb_clear(shown);
    return margin;
}
