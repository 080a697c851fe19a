/* A score before its release. */
#include "number/unreleased.h"

void ll_unreleased_init(ll_unreleased *unreleased)
{
    unreleased->is_float = 0;
    unreleased->format = (ll_format){11, 52};
    arb_init(unreleased->number);
    arf_init(unreleased->lower);
    arf_init(unreleased->upper);
    unreleased->is_rational = 0;
    unreleased->divisor = 1;
    unreleased->spread = 0;
    ll_exact_init(&unreleased->sum);
}

void ll_unreleased_clear(ll_unreleased *unreleased)
{
    arb_clear(unreleased->number);
    arf_clear(unreleased->lower);
    arf_clear(unreleased->upper);
    ll_exact_clear(&unreleased->sum);
}

/* All powers of the base in the denominator become a power of the number. */
static void take_power(fmpz_t denominator, fmpz_t exponent, ulong base)
{
    fmpz_t prime;
    fmpz_init_set_ui(prime, base);
    fmpz_set_si(exponent, -fmpz_remove(denominator, denominator, prime));
    fmpz_clear(prime);
}

void ll_unreleased_set_fraction(ll_unreleased *unreleased, const fmpq_t number, long rows)
{
    fmpq_t mean;
    fmpz_t count;
    fmpq_init(mean);
    fmpz_init_set_si(count, rows);
    fmpq_div_fmpz(mean, number, count);
    fmpz_set(unreleased->sum.mantissa, fmpq_numref(mean));
    take_power(fmpq_denref(mean), unreleased->sum.two, 2);
    take_power(fmpq_denref(mean), unreleased->sum.five, 5);
    unreleased->is_rational = fmpz_fits_si(fmpq_denref(mean));
    unreleased->divisor = unreleased->is_rational ? fmpz_get_si(fmpq_denref(mean)) : 1;
    fmpq_clear(mean);
    fmpz_clear(count);
}

slong ll_unreleased_precision(const arb_t x)
{
    slong prec = arb_bits(x) + 128;
    if (arf_is_special(arb_midref(x)) || mag_is_zero(arb_radref(x)))
        return prec;
    fmpz_t gap;
    fmpz_init(gap);
    fmpz_sub(gap, ARF_EXPREF(arb_midref(x)), MAG_EXPREF(arb_radref(x)));
    if (fmpz_sgn(gap) > 0 && fmpz_bits(gap) < 30)
        prec += fmpz_get_si(gap);
    fmpz_clear(gap);
    return prec;
}

void ll_unreleased_ends(arf_t low, arf_t high, const arb_t x)
{
    arb_get_interval_arf(low, high, x, ll_unreleased_precision(x));
}
