/* Numbers for people. */
#include "separate/separate_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* digits "12345", first digit before the point of 10^exponent: "0.0012345", "12.345", "1.2345e-9". */
static char *place_point(const char *sign, const char *digits, long exponent)
{
    size_t length = strlen(digits);
    char *text = malloc(length + 64);
    if (text == NULL)
        return NULL;
    if (exponent < -6 || exponent > 20)
        (void)sprintf(text, "%s%c%s%se%+ld", sign, digits[0], length > 1 ? "." : "", digits + 1, exponent);
    else if (exponent < 0)
        (void)sprintf(text, "%s0.%.*s%s", sign, (int)(-exponent - 1), "00000000", digits);
    else if ((size_t)exponent + 1 >= length)
        (void)sprintf(text, "%s%s%.*s", sign, digits, (int)((size_t)exponent + 1 - length), "00000000000000000000000");
    else
        (void)sprintf(text, "%s%.*s.%s", sign, (int)exponent + 1, digits, digits + exponent + 1);
    return text;
}

static mpfr_rnd_t direction(arf_rnd_t rounding)
{
    return rounding == ARF_RND_FLOOR ? MPFR_RNDD : rounding == ARF_RND_CEIL ? MPFR_RNDU : MPFR_RNDN;
}

char *ll_separate_text(const arf_t x, int digits, arf_rnd_t rounding)
{
    if (arf_is_zero(x))
        return strdup("0");
    if (arf_is_special(x))
        return strdup(arf_is_nan(x) ? "nan" : arf_sgn(x) > 0 ? "inf" : "-inf");
    if (fmpz_bits(ARF_EXPREF(x)) > 40) /* beyond decimals that anybody could read */
        return ll_exact_get_arf_text(x);
    mpfr_t value;
    mpfr_exp_t exponent;
    mpfr_init2(value, (mpfr_prec_t)(arf_bits(x) > 2 ? arf_bits(x) : 2));
    (void)arf_get_mpfr(value, x, MPFR_RNDN);
    char *all = mpfr_get_str(NULL, &exponent, 10, (size_t)digits, value, direction(rounding));
    mpfr_clear(value);
    if (all == NULL)
        return NULL;
    int negative = all[0] == '-';
    for (size_t last = strlen(all) - 1; last > (size_t)negative && all[last] == '0'; last--)
        all[last] = '\0';
    char *text = place_point(negative ? "-" : "", all + negative, (long)exponent - 1);
    mpfr_free_str(all);
    return text;
}

ll_number ll_separate_number(const arf_t x, int digits, arf_rnd_t rounding)
{
    return (ll_number){arf_get_d(x, rounding), ll_separate_text(x, digits, rounding)};
}
