/* One native pass (fp64, fp32): the terms that a simulated curator computes, and what is known of the real program's.
 * docs/proofs/score-interval.md proves the bounds that the kernels hand over here. */
#ifndef LL_METRIC_NATIVE_H
#define LL_METRIC_NATIVE_H

#include "metric/scoring.h"
#include "number/log_product.h"
#include "number/sum.h"

typedef struct ll_native_kernel ll_native_kernel;

typedef struct {
    const ll_scoring *scoring;
    const ll_native_kernel *kernel; /* NULL: none of its own */
    const ll_predictions *predictions;
    long columns;
    int single;                /* are the rows fp32? */
    int single_term;           /* is the loss? */
    double threshold;          /* LL_LOG_CLAMP: at or below it, -ln q is at least the bound */
    double *q, *terms, *extra; /* one a row of a block; extra: a clamped row's bound, else 0 */
    long capacity;             /* rows that the block's arrays hold */
    double *rows;              /* a block of rows, where the source's own could not be used */
    double *scratch;           /* one a column */
    float *floats;             /* the same */
    ll_sum *sum;               /* the simulated curator's */
    double *kept;              /* NULL, or where the terms of all rows go */

    ll_log_product product; /* log kernel: of the q that are not clamped */
    long clamped, above_one, from_complement;
    ll_sum *exact;      /* squared: the terms, correctly rounded */
    int counts_matches; /* match: is a match 1 (accuracy), or a miss? */
    long matches;
    arb_t ideal;     /* other kernels, and after the pass all: the sum of terms, ideal or with their error */
    double sizes;    /* one logit: sum |x| */
    mag_t error;     /* of all terms together, beyond the ball */
    mag_t magnitude; /* at least the sum of |ideal term| */
} ll_native;

/* rows: n rows of doubles that are values of the rows' format, already known to be finite; labels of these rows. Each
 * checks its entries, fills terms[0..n-1] and accounts for the ideal sum. */
typedef ll_status (*ll_native_block)(ll_native *pass, const double *rows, const int32_t *labels, long n, long first,
                                     ll_error *error);

/* finish: after the pass, ideal, error and magnitude from the kernel's own accounts. */
struct ll_native_kernel {
    ll_native_block block;
    void (*finish)(ll_native *pass);
};

extern const ll_native_kernel ll_kernel_log, ll_kernel_squared, ll_kernel_match, ll_kernel_logit;

ll_status ll_native_other(ll_native *, const double *, const int32_t *, long, long, ll_error *);

/* The sum of one row's numbers in the scorer's order, as fp32 or fp64. */
double ll_native_sum_row(ll_native *pass, const double *row, int single);

/* LL_DOMAIN for the first row with an entry outside [0,1]. */
LL_CHECK ll_status ll_native_check(const ll_native *pass, const double *rows, long n, long first, ll_error *error);

/* x as the row's (or the loss's) format holds it. */
static inline double ll_native_round(double x, int single)
{
    return single ? (double)(float)x : x;
}

/* c*u as a bound, u the unit roundoff of a format with `fraction` bits. */
static inline void ll_native_units(mag_t out, double c, long fraction)
{
    mag_set_d(out, c);
    mag_mul_2exp_si(out, out, -(fraction + 1));
}

/* out[i] = -ln x[i] for positive doubles, within 1 ulp, the same bits on every machine (log_vector.c). */
void ll_native_minus_log(double *out, const double *x, long n);

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#define LL_NATIVE_FAST __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define LL_NATIVE_FAST
#endif

#endif
