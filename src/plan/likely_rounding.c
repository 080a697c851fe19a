/* The scorer's own rounding taken as random: bounds that hold with a probability (docs/proofs/noise.md). */
#include "plan/strategy.h"

#include <math.h>

/* ---- rounding ---- */

/* Rows that are alike, and sums of such rows, are rounded alike: only where a sum rounds once are errors no matter of
 * many that may depend on each other. */
static int rounds_once(const ll_plan *plan)
{
    ll_order order = plan->scoring.how->order;
    return order == LL_SUM_COMPENSATED || order == LL_SUM_EXACT;
}

int ll_likely_is_native(const ll_plan *plan)
{
    return plan->bounds.guarantee == LL_LIKELY && plan->scoring.how->kind == LL_KIND_NATIVE &&
           !plan->candidate->averages && rounds_once(plan);
}

static int has_noise(const ll_scorer *scorer)
{
    return !ll_release_is_bounded(&scorer->release);
}

/* Half of the last bit of numbers of the size of x, for that many fraction bits. */
static double half_bit(double x, long fraction)
{
    int exponent;
    (void)frexp(x, &exponent);
    return ldexp(1, exponent - 2 - (int)fraction);
}

/* Errors of a sum and its mean, as independent uniform variables: `sizes` largest, of each size as many as `counts`
 * says, and what the others' variances add up to. In a tree of additions the partial sums of level l are 2^l of size
 * S/2^l: their variances add up to twice that of the last. */
enum { LEVELS = 4 };
typedef struct {
    double sizes[LEVELS], counts[LEVELS], rest;
} errors;

static errors errors_of(const ll_plan *plan, double last, double mean)
{
    double n = (double)plan->rows;
    ll_order order = plan->scoring.how->order;
    errors e = {.sizes = {mean, last}, .counts = {1, 1}};
    if (order == LL_SUM_PAIRWISE || order == LL_SUM_CASCADE) {
        for (int i = 2; i < LEVELS; i++) {
            e.sizes[i] = ldexp(last, 1 - i);
            e.counts[i] = ldexp(1, i - 1);
        }
        e.rest = last * last / 3 * (ldexp(1, 2 - LEVELS) + 77 / n);
    }
    return e;
}

/* ln E exp(t X), at least, for X the sum of the errors: sinh(z)/z for each uniform one, z = t * its size, and at most
 * exp(t^2 variance / 2) for any number of them. */
static double log_moment(const errors *e, double t)
{
    double sum = t * t * e->rest / 2;
    for (int i = 0; i < LEVELS; i++) {
        double z = t * e->sizes[i];
        sum += e->counts[i] * (z < 1e-4 ? z * z / 6 : z + log(-expm1(-2 * z) / (2 * z)));
    }
    return sum;
}

/* At least ln P(|X| > x), by Chernoff's bound, which holds for every t: t x - ln E exp(t X) is concave in t, so thirds
 * close in on its top, which is flat. */
static double log_tail(const errors *e, double x)
{
    double low = 0, high = 1;
    while (high * x - log_moment(e, high) < 2 * high * x - log_moment(e, 2 * high) && high < 1e300)
        high *= 2;
    for (high *= 2; high - low > 1e-3 * high;) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (a * x - log_moment(e, a) < b * x - log_moment(e, b))
            low = a;
        else
            high = b;
    }
    return M_LN2 + log_moment(e, low) - low * x;
}

double ll_likely_rounding(const ll_plan *plan, double magnitude)
{
    long fraction = plan->scoring.how->total.format.fraction_bits;
    double n = (double)plan->rows, last = half_bit(magnitude, fraction), mean = n * half_bit(magnitude / n, fraction);
    double part = plan->bounds.failure / plan->bounds.shared / (has_noise(plan->scorer) ? 2 : 1);
    errors e = errors_of(plan, last, mean);
    double low = 0, high = last + mean;
    while (log_tail(&e, high) > log(part) && high < 1e300)
        high *= 2;
    for (int i = 0; i < 24; i++) {
        double middle = (low + high) / 2;
        if (log_tail(&e, middle) > log(part))
            low = middle;
        else
            high = middle;
    }
    ll_order order = plan->scoring.how->order;
    if (order != LL_SUM_COMPENSATED && order != LL_SUM_EXACT)
        return high * (1 + 1e-9);
    /* Two roundings: both together are never more than this, but for the compensated sum's second order. */
    double u = ldexp(1, -1 - (int)fraction);
    return fmin(high * (1 + 1e-9), (last + mean + 2 * n * u * n * u * magnitude) * (1 + 0x1p-20));
}
