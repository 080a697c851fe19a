/* Targets and predictions of all rows, and the number that they make. */
#include "metric/fit/fit.h"

#include "metric/metric_private.h"

#include <math.h>
#include <stdlib.h>

enum { FLOAT_PREC = 192, GUARD = 96 };

/* ---- rows ---- */

typedef struct {
    ll_fit *fit;
    const ll_predictions *predictions;
} pass;

/* A prediction as the program has it after its clip. */
static const ll_exact *clipped(const ll_computation *how, const ll_exact *x)
{
    if (how->clip_mode == LL_CLIP_NONE)
        return x;
    return ll_exact_cmp(x, &how->low) < 0 ? &how->low : ll_exact_cmp(x, &how->high) > 0 ? &how->high : x;
}

static void put(ll_fit *fit, const ll_exact *x, const ll_exact *y, long row)
{
    fit->native_x[row] = ll_exact_get_d(x);
    fit->native_y[row] = ll_exact_get_d(y);
    if (fit->exacts == NULL) {
        arb_set_d(fit->x + row, fit->native_x[row]);
        arb_set_d(fit->y + row, fit->native_y[row]);
        return;
    }
    ll_exact_set(&fit->exacts[row], x);
    ll_exact_get_ball(fit->x + row, x, fit->prec);
    ll_exact_get_ball(fit->y + row, y, fit->prec);
}

static ll_status visit(void *state, const ll_block *block, long first, ll_error *error)
{
    const pass *p = state;
    const ll_scoring *s = p->fit->scoring;
    ll_exact scratch, target;
    ll_status status = LL_OK;
    ll_exact_init(&scratch);
    ll_exact_init(&target);
    for (long i = 0; i < block->rows && status == LL_OK; i++) {
        const ll_exact *x = ll_rows_exact(&scratch, block, i);
        status = ll_rows_check(s, p->predictions, x, first + i, error);
        ll_metric_get_target(s->how->metric, &target, s->labels[first + i]);
        if (status == LL_OK)
            put(p->fit, clipped(s->how, x), &target, first + i);
        if (status == LL_OK && !isfinite(p->fit->native_x[first + i]))
            status = ll_rows_fail(p->predictions, first + i, error, LL_DOMAIN, "a prediction that no double holds");
    }
    ll_exact_clear(&scratch);
    ll_exact_clear(&target);
    return status;
}

/* ---- memory ---- */

static void clear(ll_fit *fit)
{
    ll_exact_free(fit->exacts, fit->rows);
    free(fit->native_x);
    free(fit->native_y);
    _arb_vec_clear(fit->x, fit->rows);
    _arb_vec_clear(fit->y, fit->rows);
}

static ll_status init(ll_fit *fit, const ll_scoring *scoring, slong bits, ll_error *error)
{
    int exact = scoring->how->kind == LL_KIND_EXACT;
    size_t n = (size_t)scoring->rows;
    *fit = (ll_fit){.scoring = scoring, .rows = scoring->rows, .prec = exact ? bits + GUARD : FLOAT_PREC};
    fit->x = _arb_vec_init(scoring->rows);
    fit->y = _arb_vec_init(scoring->rows);
    fit->native_x = malloc(n * sizeof *fit->native_x);
    fit->native_y = malloc(n * sizeof *fit->native_y);
    fit->exacts = exact ? calloc(n, sizeof *fit->exacts) : NULL;
    if (fit->native_x != NULL && fit->native_y != NULL && (!exact || fit->exacts != NULL))
        return LL_OK;
    clear(fit);
    return ll_fail(error, LL_MEMORY, "no memory for %ld rows", scoring->rows);
}

/* ---- the number ---- */

static void find_flat(ll_fit *fit)
{
    fit->is_flat = fit->is_flat_prediction = 1;
    for (long i = 1; i < fit->rows; i++) {
        fit->is_flat &= fit->scoring->labels[i] == fit->scoring->labels[0];
        fit->is_flat_prediction &= fit->exacts != NULL ? ll_exact_cmp(&fit->exacts[i], &fit->exacts[0]) == 0
                                                       : fit->native_x[i] == fit->native_x[0];
    }
}

static void finish(const ll_computation *how, ll_unreleased *out, const arb_t number, double native)
{
    ll_unreleased_ends(out->lower, out->upper, number);
    out->is_rational = 0;
    out->is_float = how->kind != LL_KIND_EXACT;
    arb_set(out->number, number);
    if (!out->is_float)
        return;
    out->format = how->total.format;
    arf_set_d(out->lower, arf_get_d(out->lower, ARF_RND_CEIL)); /* the program's number is a double */
    arf_set_d(out->upper, arf_get_d(out->upper, ARF_RND_FLOOR));
    arb_set_d(out->number, native);
}

/* Where the metric has no value: what programs give, or that they fail. R^2 of one row is NaN in any case. */
static ll_status work_undefined(const ll_fit *fit, arb_t out, double *native, ll_error *error)
{
    const ll_metric_row_kind *row = fit->scoring->how->metric->row;
    const ll_fit_kind *kind = row->own;
    if (!fit->scoring->how->has_undefined || (fit->rows == 1 && !kind->is_centred))
        return ll_fail(error, LL_DOMAIN, "the %s are all the same: %s has no value",
                       fit->is_flat ? "targets" : "predictions", row->info.name);
    if (kind->is_squares)
        return ll_fit_work_flat(fit, out, native, kind->is_centred);
    *native = fit->scoring->how->undefined;
    arb_set_d(out, *native);
    return LL_OK;
}

static ll_status work(const ll_fit *fit, arb_t out, double *native, ll_error *error)
{
    const ll_metric_row_kind *row = fit->scoring->how->metric->row;
    const ll_fit_kind *kind = row->own;
    int is_undefined = fit->is_flat || (fit->is_flat_prediction && !kind->is_squares);
    ll_status status = is_undefined ? work_undefined(fit, out, native, error) : kind->work(fit, out, native, error);
    if (status == LL_OK && !isfinite(*native))
        return ll_fail(error, LL_DOMAIN, "%s of these numbers is too large", row->info.name);
    if (status == LL_OK && !arb_is_finite(out)) /* unlike a value that does not exist, this excludes nothing */
        return ll_fail(error, LL_UNABLE, "the rounding errors of %s of these numbers are too large", row->info.name);
    return status;
}

static ll_status score(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions, slong bits,
                       ll_error *error)
{
    double native = 0;
    arb_t number;
    ll_fit fit;
    ll_status status = init(&fit, scoring, bits, error);
    if (status != LL_OK)
        return status;
    arb_init(number);
    pass p = {&fit, predictions};
    status = ll_rows_each(predictions, visit, &p, error);
    find_flat(&fit);
    if (status == LL_OK)
        status = work(&fit, number, &native, error);
    if (status == LL_OK)
        finish(scoring->how, out, number, native);
    clear(&fit);
    arb_clear(number);
    return status;
}

/* ---- the family ---- */

static const ll_fit_kind *kind_of(const ll_metric *metric)
{
    static const ll_fit_kind none;
    return metric->row->family == &ll_family_fit ? metric->row->own : &none;
}

int ll_metric_is_r2(const ll_metric *metric)
{
    return kind_of(metric)->is_squares;
}

int ll_metric_is_centred(const ll_metric *metric)
{
    return kind_of(metric)->is_centred;
}

int ll_metric_is_determination(const ll_metric *metric)
{
    return ll_metric_is_fit(metric) && kind_of(metric)->is_squares && !kind_of(metric)->is_centred;
}

static ll_status resolve(ll_computation *how, ll_error *error)
{
    if (how->kind != LL_KIND_EXACT && how->rows.format.fraction_bits != 52)
        return ll_fail(error, LL_DOMAIN, "%s is known in exact and fp64 arithmetic, not in %s",
                       ll_metric_row(how->metric)->name, how->arithmetic);
    return ll_view_resolve(how, error);
}

static ll_failure_kind fails(const ll_asked *asked)
{
    return ll_computation_may_fail(asked->how) ? LL_FAILS_SOMEHOW : LL_FAILS_NEVER;
}

int ll_metric_is_fit(const ll_metric *metric)
{
    return metric->row->family == &ll_family_fit;
}

const ll_metric_family ll_family_fit = {.score = score, .resolve = resolve, .fails = fails};
