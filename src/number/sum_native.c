/* Sums of doubles and floats in hardware. The loops are in sum_kernel.h, once for both types.
 *
 * A running pairwise sum needs no walk over NumPy's recursion: the recursion never reaches beyond one piece
 * of LL_SUM_CHUNK terms, so a piece that arrives in parts is collected and summed when it is complete. */
#include "number/assumptions.h"
#include "number/sum_private.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Additions only, in a fixed order: wider vectors change the speed, not one bit. */
#if defined(__GNUC__) && !defined(__clang__)
#define LL_SUM_FAST __attribute__((optimize("O3")))
#else
#define LL_SUM_FAST
#endif

#define REAL double
#define REAL_ABS fabs
#define NAME(x) double_##x
#include "number/sum_kernel.h"
#undef REAL
#undef REAL_ABS
#undef NAME

#define REAL float
#define REAL_ABS fabsf
#define NAME(x) float_##x
#include "number/sum_kernel.h"
#undef REAL
#undef REAL_ABS
#undef NAME

/* ------------------------------------------------------------------ arrays */

double ll_sum_doubles(const double *x, long n, ll_order order)
{
    if (order != LL_SUM_EXACT)
        return double_sum(x, n, order);
    ll_exact_sum sum;
    ll_exact_sum_init(&sum);
    ll_exact_sum_add_doubles(&sum, x, n);
    return ll_exact_sum_get_double(&sum);
}

enum { FLOAT_BLOCK = 512 };

float ll_sum_floats(const float *x, long n, ll_order order)
{
    if (order != LL_SUM_EXACT)
        return float_sum(x, n, order);
    ll_exact_sum sum;
    double block[FLOAT_BLOCK];
    ll_exact_sum_init(&sum);
    for (long i = 0; i < n; i += FLOAT_BLOCK) {
        long count = n - i < FLOAT_BLOCK ? n - i : FLOAT_BLOCK;
        for (long k = 0; k < count; k++)
            block[k] = x[i + k];
        ll_exact_sum_add_doubles(&sum, block, count);
    }
    return ll_exact_sum_get_float(&sum);
}

/* ------------------------------------------------------------------ running */

struct ll_sum_native {
    ll_order order;
    int is_float;
    double sum, rest;    /* for fp32 both are floats */
    long left;           /* pairwise: terms that no complete piece has taken yet, the collected among them */
    long collected;      /* of the piece that comes next */
    double *doubles;     /* pairwise fp64: room for one piece */
    float *floats;       /* fp32: room for one piece */
    ll_exact_sum *exact; /* exact only */
};

static int is_pairwise(ll_order order)
{
    return order == LL_SUM_PAIRWISE || order == LL_SUM_CASCADE;
}

ll_sum_native *ll_sum_native_create(ll_order order, long terms, int is_float)
{
    ll_sum_native *sum = calloc(1, sizeof *sum);
    if (!sum)
        return NULL;
    sum->order = order;
    sum->is_float = is_float;
    sum->left = terms;
    void *room;
    if (order == LL_SUM_EXACT)
        room = sum->exact = calloc(1, sizeof *sum->exact);
    else if (is_float)
        room = sum->floats = malloc(LL_SUM_CHUNK * sizeof *sum->floats);
    else if (is_pairwise(order))
        room = sum->doubles = malloc(LL_SUM_CHUNK * sizeof *sum->doubles);
    else
        return sum;
    if (room)
        return sum;
    free(sum);
    return NULL;
}

void ll_sum_native_destroy(ll_sum_native *sum)
{
    if (!sum)
        return;
    free(sum->doubles);
    free(sum->floats);
    free(sum->exact);
    free(sum);
}

static void set_floats(float *out, const double *x, long n)
{
    int changed = 0;
    for (long i = 0; i < n; i++) {
        out[i] = (float)x[i];
        changed |= out[i] < x[i] || out[i] > x[i];
    }
    assert(!changed);
    (void)changed;
}

static void collect(ll_sum_native *sum, const double *x, long n)
{
    if (sum->is_float)
        set_floats(sum->floats + sum->collected, x, n);
    else
        memcpy(sum->doubles + sum->collected, x, (size_t)n * sizeof *x);
    sum->collected += n;
}

static void take_collected(ll_sum_native *sum)
{
    if (sum->is_float)
        float_add_pairwise(&sum->sum, sum->floats, sum->collected);
    else
        double_add_pairwise(&sum->sum, sum->doubles, sum->collected);
    sum->left -= sum->collected;
    sum->collected = 0;
}

static void add_pairwise(ll_sum_native *sum, const double *x, long n)
{
    while (n > 0) {
        long piece = sum->left < LL_SUM_CHUNK ? sum->left : LL_SUM_CHUNK;
        long missing = piece - sum->collected, count = n < missing ? n : missing;
        if (count == piece && !sum->is_float) {
            double_add_pairwise(&sum->sum, x, piece);
            sum->left -= piece;
        } else {
            collect(sum, x, count);
            if (sum->collected == piece)
                take_collected(sum);
        }
        x += count;
        n -= count;
    }
}

static void add_doubles(ll_sum_native *sum, const double *x, long n)
{
    if (sum->order == LL_SUM_NAIVE)
        double_add_naive(&sum->sum, x, n);
    else
        double_add_compensated(&sum->sum, &sum->rest, x, n);
}

static void add_floats(ll_sum_native *sum, const double *x, long n)
{
    for (long i = 0; i < n; i += LL_SUM_CHUNK) {
        long count = n - i < LL_SUM_CHUNK ? n - i : LL_SUM_CHUNK;
        set_floats(sum->floats, x + i, count);
        if (sum->order == LL_SUM_NAIVE)
            float_add_naive(&sum->sum, sum->floats, count);
        else
            float_add_compensated(&sum->sum, &sum->rest, sum->floats, count);
    }
}

void ll_sum_native_add(ll_sum_native *sum, const double *x, long n)
{
    if (sum->order == LL_SUM_EXACT)
        ll_exact_sum_add_doubles(sum->exact, x, n);
    else if (is_pairwise(sum->order))
        add_pairwise(sum, x, n);
    else if (sum->is_float)
        add_floats(sum, x, n);
    else
        add_doubles(sum, x, n);
}

double ll_sum_native_get(const ll_sum_native *sum)
{
    if (sum->order == LL_SUM_EXACT)
        return sum->is_float ? ll_exact_sum_get_float(sum->exact) : ll_exact_sum_get_double(sum->exact);
    if (sum->order != LL_SUM_COMPENSATED || !isfinite(sum->sum))
        return sum->sum;
    return sum->is_float ? (float)sum->sum + (float)sum->rest : sum->sum + sum->rest;
}
