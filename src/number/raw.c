/* A score before its release. */
#include "number/raw.h"

void ll_raw_init(ll_raw *raw)
{
    raw->is_float = 0;
    raw->format = (ll_format){11, 52};
    arb_init(raw->number);
    arf_init(raw->lower);
    arf_init(raw->upper);
    raw->is_rational = 0;
    raw->divisor = 1;
    raw->spread = 0;
    ll_exact_init(&raw->sum);
}

void ll_raw_clear(ll_raw *raw)
{
    arb_clear(raw->number);
    arf_clear(raw->lower);
    arf_clear(raw->upper);
    ll_exact_clear(&raw->sum);
}

/* All powers of the base in the denominator become a power of the number. */
static void take_power(fmpz_t denominator, fmpz_t exponent, ulong base)
{
    fmpz_t prime;
    fmpz_init_set_ui(prime, base);
    fmpz_set_si(exponent, -fmpz_remove(denominator, denominator, prime));
    fmpz_clear(prime);
}

void ll_raw_set_fraction(ll_raw *raw, const fmpq_t number, long rows)
{
    fmpq_t mean;
    fmpz_t count;
    fmpq_init(mean);
    fmpz_init_set_si(count, rows);
    fmpq_div_fmpz(mean, number, count);
    fmpz_set(raw->sum.mantissa, fmpq_numref(mean));
    take_power(fmpq_denref(mean), raw->sum.two, 2);
    take_power(fmpq_denref(mean), raw->sum.five, 5);
    raw->is_rational = fmpz_fits_si(fmpq_denref(mean));
    raw->divisor = raw->is_rational ? fmpz_get_si(fmpq_denref(mean)) : 1;
    fmpq_clear(mean);
    fmpz_clear(count);
}

slong ll_raw_precision(const arb_t x)
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

void ll_raw_ends(arf_t low, arf_t high, const arb_t x)
{
    arb_get_interval_arf(low, high, x, ll_raw_precision(x));
}
