#include "release/release.h"

#include <stdlib.h>
#include <string.h>

ll_number ll_release_margin(const ll_release *r, const arb_t difference)
{
    arb_t shown;
    arb_init(shown);
    arb_mul_si(shown, difference, labs(ll_release_scale(r)), 64);
    mag_zero(arb_radref(shown));
    char *text = arb_get_str(shown, 6, ARB_STR_NO_RADIUS);
    ll_number margin = {.value = arf_get_d(arb_midref(shown), ARF_RND_NEAR),
                        .text = text != NULL ? strdup(text) : NULL}; /* FLINT's memory is not the caller's to free */
    flint_free(text);
    arb_clear(shown);
    return margin;
}
