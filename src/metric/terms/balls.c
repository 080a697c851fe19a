/* Ball functions that the losses need and Arb does not have: exponentials of numbers of any size, and
 * complements, powers and logarithms of sums that keep what the argument knows. */
#include "metric/terms/terms.h"

/* Beyond this many bits e^x would take an exponent that nobody can compute with. */
#define EXPONENT_BITS (1L << 24)
/* A term below e^-(2^30) adds less than 2^-(2^30) to a score. */
#define NEGLIGIBLE_BITS 30

/* |x| = 2^n e^r with n = floor(x / ln 2): x has up to 2^24 bits before the point, so ln 2 is needed to that many
 * bits more than prec. */
static void exp_huge(arb_t out, const arb_t x, slong bits, slong prec)
{
    slong wp = prec + bits + 20;
    arb_t ln2, r;
    arf_t quotient;
    fmpz_t n;
    arb_init(ln2);
    arb_init(r);
    arf_init(quotient);
    fmpz_init(n);
    arb_const_log2(ln2, wp);
    arf_div(quotient, arb_midref(x), arb_midref(ln2), bits + 20, ARF_RND_DOWN);
    arf_floor(quotient, quotient);
    arf_get_fmpz(n, quotient, ARF_RND_DOWN);
    arb_mul_fmpz(r, ln2, n, wp);
    arb_sub(r, x, r, wp);
    arb_exp(r, r, prec + 10);
    arb_mul_2exp_fmpz(r, r, n);
    arb_set_round(out, r, prec);
    arb_clear(ln2);
    arb_clear(r);
    arf_clear(quotient);
    fmpz_clear(n);
}

void ll_metric_exp(arb_t out, const arb_t x, slong prec)
{
    if (!arb_is_finite(x) || arf_cmpabs_2exp_si(arb_midref(x), EXPONENT_BITS) >= 0)
        arb_indeterminate(out);
    else if (arf_cmpabs_2exp_si(arb_midref(x), 60) < 0)
        arb_exp(out, x, prec);
    else
        exp_huge(out, x, fmpz_get_si(ARF_EXPREF(arb_midref(x))), prec);
}

/* e^x, x <= 0, or the ball [0, e^-(2^30)] where it is smaller than that. */
static void exp_or_negligible(arb_t out, const arb_t x, slong prec)
{
    arb_t bound;
    arb_init(bound);
    arb_set_si(bound, -1);
    arb_mul_2exp_si(bound, bound, NEGLIGIBLE_BITS);
    if (arb_le(x, bound)) {
        mag_t top;
        mag_init(top);
        mag_set_ui_2exp_si(top, 1, -(1L << NEGLIGIBLE_BITS));
        arb_zero(out);
        arb_add_error_mag(out, top);
        arb_nonnegative_part(out, out);
        mag_clear(top);
    } else {
        arb_exp(out, x, prec);
    }
    arb_clear(bound);
}

/* = (z_m - z_k) + log1p(sum over j != m of exp(z_j - z_m)). A subtraction of two exact numbers is rounded
 * once, relative to the difference, so no digit of logits of any size is lost. */
void ll_metric_log_sum_exp(arb_t out, arb_srcptr z, long n, long k, slong prec)
{
    slong wp = prec + 20 + FLINT_BIT_COUNT(n);
    long m = k;
    arb_t sum, term;
    arb_init(sum);
    arb_init(term);
    for (long j = 0; j < n; j++)
        if (arf_cmp(arb_midref(z + j), arb_midref(z + m)) > 0)
            m = j;
    for (long j = 0; j < n; j++) {
        if (j == m)
            continue;
        arb_sub(term, z + j, z + m, wp);
        exp_or_negligible(term, term, wp);
        arb_add(sum, sum, term, wp);
    }
    arb_log1p(sum, sum, wp);
    arb_sub(term, z + m, z + k, wp);
    arb_add(out, term, sum, prec);
    arb_clear(sum);
    arb_clear(term);
}

void ll_metric_complement(arb_t out, const arb_t x, slong prec)
{
    /* 1/4 <= |x| < 4: one bit of the difference is at most the last bit of x, so the exact result is short. */
    int exact = arf_cmpabs_2exp_si(arb_midref(x), -2) >= 0 && arf_cmpabs_2exp_si(arb_midref(x), 2) < 0;
    arb_sub_ui(out, x, 1, exact ? ARF_PREC_EXACT : prec);
    arb_neg(out, out);
}

void ll_metric_sigmoid(arb_t x, arb_t mirror, const arb_t u, slong prec)
{
    arb_t e, inverse;
    arb_init(e);
    arb_init(inverse);
    ll_metric_exp(e, u, prec + 10);
    arb_inv(inverse, e, prec + 10);
    arb_add_ui(e, e, 1, prec + 10);
    arb_inv(x, e, prec);
    arb_add_ui(inverse, inverse, 1, prec + 10);
    arb_inv(mirror, inverse, prec);
    arb_clear(e);
    arb_clear(inverse);
}

void ll_metric_power(arb_t out, const arb_t x, const arb_t y, slong prec)
{
    if (arb_is_positive(x) || arb_is_zero(x)) {
        arb_pow(out, x, y, prec);
    } else {
        arb_t top;
        arf_t bound;
        arb_init(top);
        arf_init(bound);
        arb_get_ubound_arf(bound, x, MAG_BITS);
        arb_set_arf(top, bound);
        if (arf_sgn(bound) > 0)
            arb_pow(top, top, y, prec);
        arb_get_ubound_arf(bound, top, MAG_BITS);
        arb_zero(out);
        if (arf_sgn(bound) > 0)
            arb_set_interval_arf(out, arb_midref(out), bound, prec);
        arb_clear(top);
        arf_clear(bound);
    }
}

slong ll_metric_magnitude(const arb_t x, slong limit)
{
    mag_t m;
    slong bits = limit;
    mag_init(m);
    arb_get_mag(m, x);
    if (mag_cmp_2exp_si(m, 0) <= 0)
        bits = 0;
    else if (mag_cmp_2exp_si(m, limit) < 0)
        bits = fmpz_get_si(MAG_EXPREF(m));
    mag_clear(m);
    return bits;
}
