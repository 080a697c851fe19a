/* The exact sum of doubles, rounded once. Representation and capacity: see ll_exact_sum. */
#include "number/assumptions.h"
#include "number/sum_private.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

void ll_exact_sum_init(ll_exact_sum *sum)
{
    memset(sum, 0, sizeof *sum);
}

void ll_exact_sum_add_doubles(ll_exact_sum *sum, const double *x, long n)
{
    for (long i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        long field = (long)(bits >> 52 & 2047);
        int64_t mantissa = (int64_t)(bits & ((UINT64_C(1) << 52) - 1));
        if (field == 2047) {
            sum->special += x[i];
            continue;
        }
        if (field > 0)
            mantissa |= INT64_C(1) << 52;
        sum->bins[field + (field == 0)] += bits >> 63 ? -mantissa : mantissa;
    }
}

static void get_arf(arf_t out, const ll_exact_sum *sum)
{
    fmpz_t total, bin;
    fmpz_init(total);
    fmpz_init(bin);
    for (long e = 1; e < 2047; e++) {
        if (sum->bins[e] == 0)
            continue;
        fmpz_set_signed_uiui(bin, (ulong)((wide)sum->bins[e] >> 64), (ulong)sum->bins[e]);
        fmpz_mul_2exp(bin, bin, (ulong)e);
        fmpz_add(total, total, bin);
    }
    arf_set_fmpz(out, total);
    arf_mul_2exp_si(out, out, -1075);
    fmpz_clear(bin);
    fmpz_clear(total);
}

/* Rounded to as many bits as the type has. A sum of floats is a multiple of the smallest subnormal, so
 * that below the normal numbers nothing is left to round. */
static double get_rounded(const ll_exact_sum *sum, slong digits, int max_exponent)
{
    if (sum->special != 0) /* true for NaN */
        return sum->special;
    arf_t x;
    arf_init(x);
    get_arf(x, sum);
    arf_set_round(x, x, digits, ARF_RND_NEAR);
    double value = copysign(INFINITY, arf_sgn(x));
    if (arf_cmpabs_2exp_si(x, max_exponent) < 0)
        value = arf_get_d(x, ARF_RND_NEAR);
    arf_clear(x);
    return value;
}

double ll_exact_sum_get_double(const ll_exact_sum *sum)
{
    return get_rounded(sum, DBL_MANT_DIG, DBL_MAX_EXP);
}

float ll_exact_sum_get_float(const ll_exact_sum *sum)
{
    return (float)get_rounded(sum, FLT_MANT_DIG, FLT_MAX_EXP);
}
