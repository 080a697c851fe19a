/* One step: in doubles, in fractions, in balls. A ball takes in the rounding of its step: of a result r to nearest, at
 * most 2^-53 |r|, or half the least subnormal. */
#include "metric/worked.h"

#include "number/roundoff.h"
#include "number/sum.h"

#include <math.h>
#include <stdlib.h>

static const ll_format fp64 = {11, 52};

void ll_worked_init(ll_worked *x)
{
    x->native = 0;
    x->is_fraction = 1;
    fmpq_init(x->fraction);
    arb_init(x->ball);
}

void ll_worked_clear(ll_worked *x)
{
    fmpq_clear(x->fraction);
    arb_clear(x->ball);
}

void ll_worked_copy(ll_worked *out, const ll_worked *x)
{
    out->native = x->native;
    out->is_fraction = x->is_fraction;
    fmpq_set(out->fraction, x->fraction);
    arb_set(out->ball, x->ball);
}

static int goes(const ll_work *work, ll_ways way)
{
    return (work->ways & way) != 0;
}

static void round_ball(const ll_work *work, ll_worked *x)
{
    if (goes(work, LL_WORK_ROUNDED))
        ll_roundoff_add(x->ball, &fp64, 1);
}

void ll_worked_set(const ll_work *work, ll_worked *out, long n)
{
    out->native = (double)n;
    out->is_fraction = 1;
    if (goes(work, LL_WORK_FRACTIONS))
        fmpq_set_si(out->fraction, n, 1);
    if (goes(work, LL_WORK_BALLS))
        arb_set_si(out->ball, n);
}

void ll_worked_set_exact(const ll_work *work, ll_worked *out, const ll_exact *x)
{
    out->native = ll_exact_get_d(x);
    out->is_fraction = !goes(work, LL_WORK_FRACTIONS) || ll_exact_get_fmpq(out->fraction, x);
    if (goes(work, LL_WORK_BALLS)) {
        ll_exact_get_ball(out->ball, x, work->prec);
        round_ball(work, out);
    }
}

void ll_worked_add(const ll_work *work, ll_worked *out, const ll_worked *a, const ll_worked *b)
{
    out->native = a->native + b->native;
    out->is_fraction = a->is_fraction && b->is_fraction;
    if (goes(work, LL_WORK_FRACTIONS) && out->is_fraction)
        fmpq_add(out->fraction, a->fraction, b->fraction);
    if (goes(work, LL_WORK_BALLS)) {
        arb_add(out->ball, a->ball, b->ball, work->prec);
        round_ball(work, out);
    }
}

void ll_worked_sub(const ll_work *work, ll_worked *out, const ll_worked *a, const ll_worked *b)
{
    out->native = a->native - b->native;
    out->is_fraction = a->is_fraction && b->is_fraction;
    if (goes(work, LL_WORK_FRACTIONS) && out->is_fraction)
        fmpq_sub(out->fraction, a->fraction, b->fraction);
    if (goes(work, LL_WORK_BALLS)) {
        arb_sub(out->ball, a->ball, b->ball, work->prec);
        round_ball(work, out);
    }
}

void ll_worked_mul(const ll_work *work, ll_worked *out, const ll_worked *a, const ll_worked *b)
{
    out->native = a->native * b->native;
    out->is_fraction = a->is_fraction && b->is_fraction;
    if (goes(work, LL_WORK_FRACTIONS) && out->is_fraction)
        fmpq_mul(out->fraction, a->fraction, b->fraction);
    if (goes(work, LL_WORK_BALLS)) {
        arb_mul(out->ball, a->ball, b->ball, work->prec);
        round_ball(work, out);
    }
}

void ll_worked_div(const ll_work *work, ll_worked *out, const ll_worked *a, const ll_worked *b)
{
    out->native = a->native / b->native;
    out->is_fraction = a->is_fraction && b->is_fraction;
    if (goes(work, LL_WORK_FRACTIONS) && out->is_fraction)
        fmpq_div(out->fraction, a->fraction, b->fraction);
    if (goes(work, LL_WORK_BALLS)) {
        arb_div(out->ball, a->ball, b->ball, work->prec);
        round_ball(work, out);
    }
}

void ll_worked_sqrt(const ll_work *work, ll_worked *out, const ll_worked *a)
{
    out->native = sqrt(a->native);
    out->is_fraction = goes(work, LL_WORK_FRACTIONS) && a->is_fraction && fmpz_is_square(fmpq_numref(a->fraction)) &&
                       fmpz_is_square(fmpq_denref(a->fraction));
    if (out->is_fraction) {
        fmpz_sqrt(fmpq_numref(out->fraction), fmpq_numref(a->fraction));
        fmpz_sqrt(fmpq_denref(out->fraction), fmpq_denref(a->fraction));
    }
    if (goes(work, LL_WORK_BALLS)) {
        arb_sqrt(out->ball, a->ball, work->prec);
        round_ball(work, out);
    }
}

/* The ball of a sum: the terms' balls added, and what the order may have lost beside the sum of their sizes. */
static void sum_balls(const ll_work *work, ll_worked *out, const ll_worked *terms, long n)
{
    mag_t sizes, part;
    arb_t sum;
    mag_init(sizes);
    mag_init(part);
    arb_init(sum);
    for (long i = 0; i < n; i++) {
        arb_get_mag(part, terms[i].ball);
        mag_add(sizes, sizes, part);
        arb_add(sum, sum, terms[i].ball, work->prec);
    }
    ll_sum_bound(part, LL_SUM_NAIVE, n, fp64.fraction_bits, sizes);
    if (goes(work, LL_WORK_ROUNDED))
        arb_add_error_mag(sum, part);
    arb_swap(out->ball, sum);
    arb_clear(sum);
    mag_clear(sizes);
    mag_clear(part);
}

static void sum_fractions(ll_worked *out, const ll_worked *terms, long n)
{
    fmpq_t sum;
    fmpq_init(sum);
    for (long i = 0; i < n; i++)
        fmpq_add(sum, sum, terms[i].fraction);
    fmpq_swap(out->fraction, sum);
    fmpq_clear(sum);
}

static double sum_doubles(const ll_worked *terms, long n)
{
    double few[64] = {0}, *all = n <= 64 ? few : malloc((size_t)n * sizeof *all);
    if (all == NULL)
        return (double)NAN;
    for (long i = 0; i < n; i++)
        all[i] = terms[i].native;
    double sum = ll_sum_doubles(all, n, LL_SUM_PAIRWISE);
    if (all != few)
        free(all);
    return sum;
}

void ll_worked_sum(const ll_work *work, ll_worked *out, const ll_worked *terms, long n)
{
    double sum = sum_doubles(terms, n);
    int is_fraction = 1;
    for (long i = 0; i < n; i++)
        is_fraction &= terms[i].is_fraction;
    if (goes(work, LL_WORK_FRACTIONS) && is_fraction)
        sum_fractions(out, terms, n);
    if (goes(work, LL_WORK_BALLS))
        sum_balls(work, out, terms, n);
    out->is_fraction = is_fraction;
    out->native = sum;
}

void ll_worked_ratio(const ll_work *work, ll_worked *out, long numerator, long denominator)
{
    ll_worked below;
    ll_worked_init(&below);
    ll_worked_set(work, out, numerator);
    ll_worked_set(work, &below, denominator);
    ll_worked_div(work, out, out, &below);
    ll_worked_clear(&below);
}
