/* Cross-entropy of logits, as PyTorch computes it.
 *
 * The ideal term is max - z_label + ln(sum of exp(z_j - max)); one logit x is the row (0, x). Exponentials are balls;
 * the logarithms of a chunk of rows are one logarithm of a product. Chunks are independent and are added up in their
 * order, so the result does not depend on the number of threads. */
#include "metric/terms/native.h"

#include <math.h>
#include <stdlib.h>

#define ENTRIES_A_CHUNK 128
#define PREC 96
#define DEEPEST 4096 /* exp(-4096) < 2^-5900: next to a sum of at least 1 it is only a radius */

typedef struct {
    arb_t product, x, y, sum;
} work;

static double largest(const double *row, long columns)
{
    double max = row[0];
    for (long j = 1; j < columns; ++j)
        max = row[j] > max ? row[j] : max;
    return max;
}

/* w->x = exp(z - max). */
static void ball_exp(work *w, double z, double max)
{
    if (z == max) {
        arb_one(w->x);
    } else if (z - max < -DEEPEST) {
        arb_zero(w->x);
        arb_add_error_2exp_si(w->x, -5900);
    } else {
        arb_set_d(w->x, z);
        arb_set_d(w->y, max);
        arb_sub(w->x, w->x, w->y, PREC);
        arb_exp(w->x, w->x, PREC);
    }
}

/* ideal += max - z_label; product *= sum of exp(z_j - max). */
static void add_row(arb_t ideal, work *w, const double *row, long columns, long label)
{
    double max = largest(row, columns);
    arb_zero(w->sum);
    for (long j = 0; j < columns; ++j) {
        ball_exp(w, row[j], max);
        arb_add(w->sum, w->sum, w->x, PREC);
    }
    arb_mul(w->product, w->product, w->sum, PREC);
    arb_set_d(w->x, max);
    arb_set_d(w->y, row[label]);
    arb_sub(w->x, w->x, w->y, PREC);
    arb_add(ideal, ideal, w->x, PREC);
}

/* What the simulated curator gets: the same formula in doubles, rounded to the loss's format. One exponential is 1. */
static double simulate(const double *row, long columns, long label, int single)
{
    double max = largest(row, columns), others = -1;
    for (long j = 0; j < columns; ++j)
        others += exp(row[j] - max);
    return ll_native_round((max - row[label]) + log1p(others > 0 ? others : 0), single);
}

static void do_chunk(ll_native *pass, arb_t ideal, const double *rows, const int32_t *labels, long begin, long end)
{
    work w;
    arb_init(w.product);
    arb_init(w.x);
    arb_init(w.y);
    arb_init(w.sum);
    arb_one(w.product);
    for (long i = begin; i < end; ++i) {
        double pair[2] = {0, rows[i * pass->columns]};
        const double *row = pass->columns == 1 ? pair : rows + i * pass->columns;
        long columns = pass->columns == 1 ? 2 : pass->columns;
        add_row(ideal, &w, row, columns, labels[i]);
        pass->terms[i] = simulate(row, columns, labels[i], pass->single_term);
    }
    arb_log(w.product, w.product, PREC);
    arb_add(ideal, ideal, w.product, PREC);
    arb_clear(w.product);
    arb_clear(w.x);
    arb_clear(w.y);
    arb_clear(w.sum);
}

static ll_status check(ll_native *pass, const double *rows, long n, long first, ll_error *error)
{
    for (long i = 0; i < n * pass->columns; ++i)
        if (!isfinite(rows[i]))
            return ll_rows_fail(pass->predictions, first + i / pass->columns, error, LL_DOMAIN,
                                "an entry is not finite in %s", pass->scoring->how->arithmetic);
    if (pass->columns == 1)
        for (long i = 0; i < n; ++i)
            pass->sizes += fabs(rows[i]);
    return LL_OK;
}

static ll_status add_logit(ll_native *pass, const double *rows, const int32_t *labels, long n, long first,
                           ll_error *error)
{
    long step = ENTRIES_A_CHUNK / pass->columns;
    step = step < 1 ? 1 : step;
    long chunks = (n + step - 1) / step;
    ll_status status = check(pass, rows, n, first, error);
    if (status != LL_OK)
        return status;
    arb_ptr ideals = calloc((size_t)chunks, sizeof *ideals); /* zeros are initialised balls */
    if (!ideals)
        return ll_fail(error, LL_MEMORY, "no memory for %ld chunks of rows", chunks);
#pragma omp parallel for schedule(dynamic) if (chunks > 8)
    for (long c = 0; c < chunks; ++c) {
        long end = (c + 1) * step;
        do_chunk(pass, ideals + c, rows, labels, c * step, end < n ? end : n);
    }
    for (long c = 0; c < chunks; ++c) {
        arb_add(pass->ideal, pass->ideal, ideals + c, PREC);
        arb_clear(ideals + c);
    }
    free(ideals);
    return LL_OK;
}

/* error = a*u*N + b*u*sum t (+ u*sum |x|), the models of docs/proofs/score-interval.md. */
static void finish_logit(ll_native *pass)
{
    const ll_computation *r = pass->scoring->how;
    long fraction = r->term.format.fraction_bits;
    double rows = (double)pass->scoring->rows, columns = (double)pass->columns, ulps = r->log_ulps;
    mag_t part;
    mag_init(part);
    arb_get_mag(pass->magnitude, pass->ideal);
    if (pass->columns == 1)
        ll_native_units(pass->error, (2 + ulps) * rows + pass->sizes * (1 + 0x1p-20), fraction);
    else
        ll_native_units(pass->error, (2 * ulps + columns + log(columns)) * rows, fraction);
    ll_native_units(part, pass->columns == 1 ? 2 * ulps + 1 : 2 * ulps + 2, fraction);
    mag_addmul(pass->error, part, pass->magnitude);
    mag_clear(part);
}

const ll_native_kernel ll_kernel_logit = {add_logit, finish_logit};
