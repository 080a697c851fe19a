/* As many scores as unknowns: linear algebra, with a proof.
 *
 * Unknowns x_v are indicators of labels (one less than the labels a row may have), A the scaled weights, |A x - t| <= c
 * for every x that fits. For ANY matrix R
 *
 *     x - R t = (I - R A) x + R (A x - t),    so    |x_v - (R t)_v| <= sum_j |I - R A|_vj + sum_q |R_vq| c_q,
 *
 * since 0 <= x_j <= 1. R is the numerical least-squares inverse of A, which makes the first sum tiny; R t, R A and both
 * sums are computed in balls, so that the interval for x_v is proved whatever R is. An indicator whose interval misses
 * 1 forbids its label; one whose interval misses 0 forbids every other. */
#include "search/linear.h"

#include <arb_mat.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    long row, label, base;
} unknown;

typedef struct {
    const ll_linear *system;
    unknown *unknowns;
    long count;
    slong prec;
    arb_mat_t a, t; /* scores x unknowns; scores x 1: targets */
    arb_mat_t r;    /* unknowns x scores */
} problem;

static void list_unknowns(problem *p)
{
    const ll_linear *s = p->system;
    for (long i = 0; i < s->rows; i++) {
        long base = -1;
        for (long k = 0; k < s->classes; k++) {
            if (!s->allowed[i * s->classes + k])
                continue;
            if (base >= 0)
                p->unknowns[p->count++] = (unknown){i, k, base};
            else
                base = k;
        }
    }
}

/* Every score divided by its tolerance: then each counts alike. */
static void fill(problem *p)
{
    const ll_linear *s = p->system;
    fmpz_t sum;
    arb_t unit;
    fmpz_init(sum);
    arb_init(unit);
    for (long q = 0; q < s->scores; q++) {
        arb_set_fmpz(unit, s->tolerances + q);
        arb_add_ui(unit, unit, 1, p->prec);
        mag_zero(arb_radref(unit));
        for (long v = 0; v < p->count; v++) {
            const unknown *x = p->unknowns + v;
            fmpz_sub(sum, ll_linear_weight(s, q, x->row, x->label), ll_linear_weight(s, q, x->row, x->base));
            arb_set_fmpz(arb_mat_entry(p->a, q, v), sum);
            arb_div(arb_mat_entry(p->a, q, v), arb_mat_entry(p->a, q, v), unit, p->prec);
        }
        fmpz_set(sum, s->targets + q);
        for (long i = 0; i < s->rows; i++) {
            long base = 0;
            while (!s->allowed[i * s->classes + base])
                base++;
            fmpz_sub(sum, sum, ll_linear_weight(s, q, i, base));
        }
        arb_set_fmpz(arb_mat_entry(p->t, q, 0), sum);
        arb_div(arb_mat_entry(p->t, q, 0), arb_mat_entry(p->t, q, 0), unit, p->prec);
    }
    fmpz_clear(sum);
    arb_clear(unit);
}

/* R = (A^T A)^-1 A^T as plain numbers; 0 where A has not full rank as far as prec goes. */
static int invert(problem *p)
{
    arb_mat_t transposed, square;
    arb_mat_init(transposed, p->count, p->system->scores);
    arb_mat_init(square, p->count, p->count);
    arb_mat_transpose(transposed, p->a);
    arb_mat_mul(square, transposed, p->a, p->prec);
    arb_mat_get_mid(square, square);
    int good = arb_mat_approx_solve(p->r, square, transposed, p->prec);
    if (good)
        arb_mat_get_mid(p->r, p->r);
    arb_mat_clear(transposed);
    arb_mat_clear(square);
    return good;
}

static void row_sum(arb_t out, const arb_mat_t m, long row, slong prec)
{
    arb_t part;
    arb_init(part);
    arb_zero(out);
    for (long j = 0; j < arb_mat_ncols(m); j++) {
        arb_abs(part, arb_mat_entry(m, row, j));
        arb_add(out, out, part, prec);
    }
    arb_clear(part);
}

static void forbid(const problem *p, unsigned char *possible, long v, const arb_t x)
{
    const unknown *u = p->unknowns + v;
    long classes = p->system->classes;
    arb_t other;
    arb_init(other);
    arb_sub_ui(other, x, 1, p->prec);
    if (!arb_contains_zero(other))
        possible[u->row * classes + u->label] = 0;
    if (!arb_contains_zero(x))
        for (long k = 0; k < classes; k++)
            if (k != u->label)
                possible[u->row * classes + k] = 0;
    arb_clear(other);
}

/* The interval of every unknown, and what it forbids. */
static void bound(problem *p, unsigned char *possible)
{
    arb_mat_t rest, x;
    arb_t part, width;
    arb_mat_init(rest, p->count, p->count);
    arb_mat_init(x, p->count, 1);
    arb_init(part);
    arb_init(width);
    arb_mat_mul(rest, p->r, p->a, p->prec);
    for (long v = 0; v < p->count; v++)
        arb_sub_ui(arb_mat_entry(rest, v, v), arb_mat_entry(rest, v, v), 1, p->prec);
    arb_mat_mul(x, p->r, p->t, p->prec);
    for (long v = 0; v < p->count; v++) {
        row_sum(width, rest, v, p->prec);
        row_sum(part, p->r, v, p->prec); /* tolerances are 1 in these units, or a little less */
        arb_add(width, width, part, p->prec);
        arb_get_abs_ubound_arf(arb_midref(part), width, 64);
        mag_zero(arb_radref(part));
        arb_add_error(arb_mat_entry(x, v, 0), part);
        forbid(p, possible, v, arb_mat_entry(x, v, 0));
    }
    arb_mat_clear(rest);
    arb_mat_clear(x);
    arb_clear(part);
    arb_clear(width);
}

static int all_pinned(const ll_linear *s, const unsigned char *possible)
{
    for (long i = 0; i < s->rows; i++) {
        long left = 0;
        for (long k = 0; k < s->classes; k++)
            left += possible[i * s->classes + k];
        if (left > 1)
            return 0;
    }
    return 1;
}

static long widest(const ll_linear *s)
{
    long bits = 0;
    for (long i = 0; i < s->scores * s->rows * s->classes; i++) {
        long b = (long)fmpz_bits(s->weights + i);
        bits = b > bits ? b : bits;
    }
    return bits;
}

static void solve(problem *p, unsigned char *possible)
{
    long scores = p->system->scores;
    p->prec = 128 + 4 * widest(p->system);
    arb_mat_init(p->a, scores, p->count);
    arb_mat_init(p->t, scores, 1);
    arb_mat_init(p->r, p->count, scores);
    fill(p);
    if (invert(p))
        bound(p, possible);
    arb_mat_clear(p->a);
    arb_mat_clear(p->t);
    arb_mat_clear(p->r);
}

ll_status ll_linear_solve(const ll_linear *s, unsigned char *possible, int *pinned, double seconds, ll_error *error)
{
    problem p = {.system = s};
    p.unknowns = malloc(sizeof *p.unknowns * (size_t)s->rows * (size_t)s->classes);
    if (p.unknowns == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld unknowns", s->rows);
    memcpy(possible, s->allowed, (size_t)s->rows * (size_t)s->classes);
    list_unknowns(&p);
    double n = (double)p.count, predicted = 3e-7 * n * n * ((double)s->scores + n);
    ll_status status = LL_OK;
    if (s->scores >= p.count && predicted > seconds)
        status = ll_fail(error, LL_UNABLE, "%ld unknowns would take about %.3g s, over the budget of %.3g s", p.count,
                         predicted, seconds);
    else if (s->scores >= p.count && p.count > 0)
        solve(&p, possible);
    *pinned = status == LL_OK && all_pinned(s, possible);
    free(p.unknowns);
    return status;
}
