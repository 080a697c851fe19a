/* Exact numbers as fractions. */
#include "number/exact.h"

enum { LONGEST_EXPONENT = 1 << 14, LONGEST_MANTISSA = 1 << 16 };

static int is_short(const fmpz_t exponent)
{
    return fmpz_cmp_si(exponent, LONGEST_EXPONENT) <= 0 && fmpz_cmp_si(exponent, -LONGEST_EXPONENT) >= 0;
}

static void scale(fmpq_t x, ulong base, const fmpz_t exponent)
{
    fmpz_t power;
    fmpz_init_set_ui(power, base);
    slong e = fmpz_get_si(exponent);
    fmpz_pow_ui(power, power, (ulong)(e < 0 ? -e : e));
    if (e < 0)
        fmpq_div_fmpz(x, x, power);
    else
        fmpq_mul_fmpz(x, x, power);
    fmpz_clear(power);
}

int ll_exact_get_fmpq(fmpq_t out, const ll_exact *x)
{
    if (!is_short(x->two) || !is_short(x->five) || fmpz_bits(x->mantissa) > LONGEST_MANTISSA)
        return 0;
    fmpz_set(fmpq_numref(out), x->mantissa);
    fmpz_one(fmpq_denref(out));
    scale(out, 2, x->two);
    scale(out, 5, x->five);
    return 1;
}
