#include "scorer/scoring.h"

#include <string.h>

char *ll_scoring_text(const ll_scoring *scoring, const arb_t mean)
{
    arb_t shown;
    arb_init(shown);
    arb_mul_ui(shown, mean, scoring->scorer.transform == LL_PERCENT ? 100 : 1, 64);
    mag_zero(arb_radref(shown));
    char *text = arb_get_str(shown, 6, ARB_STR_NO_RADIUS);
    char *copy = text != NULL ? strdup(text) : NULL; /* FLINT's memory is not the caller's to free */
    flint_free(text);
    arb_clear(shown);
    return copy;
}
