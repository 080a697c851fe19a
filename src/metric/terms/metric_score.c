/* s(label, row) in any arithmetic. Floats follow the expressions operation by operation; balls take a row's stable
 * form where it has one. */
#include "metric/terms/terms.h"

#include <stdlib.h>

static int is_ball(const ll_arithmetic *a)
{
    return a->ops == &ll_arithmetic_ball;
}

/* Hand over a result, or say why there is none: a ball around an argument of some width may just be too wide. */
static ll_status finish(const ll_arithmetic *a, ll_value *out, const ll_value *result, const ll_value *x)
{
    if (a->ops->is_finite(a, result) != LL_TRUE)
        return is_ball(a) && !arb_is_exact(x->ball) ? LL_UNABLE : LL_DOMAIN;
    a->ops->set(a, out, result);
    return LL_OK;
}

/* ---- one column ---- */

static void run_expression(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x,
                           long label)
{
    ll_value alpha;
    a->ops->init(a, &alpha);
    a->ops->set_exact(a, &alpha, &metric->parameter);
    ll_expression_evaluate(label ? metric->when_one : metric->when_zero, a, out, NULL, NULL, x, &alpha);
    a->ops->clear(a, &alpha);
}

/* Is x the label itself? Then the divergence is 0, whatever phi' is there (as 0 log 0 is 0). */
static int is_label(const ll_arithmetic *a, const ll_value *x, long label)
{
    int same;
    arb_t at;
    arb_init(at);
    a->ops->get_ball(a, at, x);
    same = arb_is_exact(at) && arb_equal_si(at, label);
    arb_clear(at);
    return same;
}

/* phi(y) - phi(x) - phi'(x)(y - x). */
static void run_bregman(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x, long label)
{
    ll_value y, phi, slope;
    if (is_label(a, x, label)) {
        ll_value_set_si(a, out, 0);
        return;
    }
    a->ops->init(a, &y);
    a->ops->init(a, &phi);
    a->ops->init(a, &slope);
    ll_value_set_si(a, &y, label);
    ll_expression_evaluate(metric->phi, a, out, NULL, NULL, &y, NULL);
    ll_expression_evaluate(metric->phi, a, &phi, &slope, NULL, x, NULL);
    a->ops->sub(a, out, out, &phi);
    a->ops->sub(a, &y, &y, x);
    a->ops->mul(a, &slope, &slope, &y);
    a->ops->sub(a, out, out, &slope);
    a->ops->clear(a, &y);
    a->ops->clear(a, &phi);
    a->ops->clear(a, &slope);
}

static ll_status score_binary(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x,
                              long label)
{
    ll_status status;
    ll_value result;
    if (label != 0 && label != 1)
        return LL_DOMAIN;
    a->ops->init(a, &result);
    if (ll_terms_of(metric)->score && is_ball(a))
        ll_terms_of(metric)->score(result.ball, x->ball, label, a->prec);
    else if (metric->phi)
        run_bregman(metric, a, &result, x, label);
    else
        run_expression(metric, a, &result, x, label);
    status = finish(a, out, &result, x);
    a->ops->clear(a, &result);
    return status;
}

/* [x = label], both as values of the arithmetic, by the expressions in the indicator of a match: s(1, 1) or s(1, 0). */
static ll_status score_match(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x,
                             long label)
{
    ll_status status;
    ll_value match;
    arb_t at, want;
    arb_init(at);
    arb_init(want);
    a->ops->init(a, &match);
    ll_value_set_si(a, &match, label);
    a->ops->get_ball(a, want, &match);
    a->ops->get_ball(a, at, x);
    if (!arb_is_exact(at))
        status = LL_UNABLE;
    else if (!arb_is_int(at) || arb_is_negative(at) || label < 0)
        status = LL_DOMAIN;
    else {
        ll_value_set_si(a, &match, arb_equal(at, want));
        status = score_binary(metric, a, out, &match, 1);
    }
    a->ops->clear(a, &match);
    arb_clear(at);
    arb_clear(want);
    return status;
}

/* ---- K columns ---- */

static ll_status softmax_ball(arb_t out, const ll_value *row, long columns, long label, slong prec)
{
    ll_status status = LL_OK;
    arb_t result;
    arb_ptr z = malloc((size_t)columns * sizeof *z);
    if (!z)
        return LL_MEMORY;
    for (long j = 0; j < columns; j++)
        z[j] = row[j].ball[0]; /* borrowed, not copied */
    arb_init(result);
    ll_metric_log_sum_exp(result, z, columns, label, prec);
    if (arb_is_finite(result))
        arb_swap(out, result);
    else
        status = LL_UNABLE;
    arb_clear(result);
    free(z);
    return status;
}

/* With m the largest logit: ln(sum in order of exp(z_j - m)) - (z_k - m), as programs do it. */
static ll_status softmax(const ll_arithmetic *a, ll_value *out, const ll_value *row, long columns, long label)
{
    ll_status status;
    long m = 0;
    ll_value sum, term;
    a->ops->init(a, &sum);
    a->ops->init(a, &term);
    for (long j = 1; j < columns; j++)
        if (a->ops->less(a, &row[m], &row[j]) == LL_TRUE)
            m = j;
    for (long j = 0; j < columns; j++) {
        a->ops->sub(a, &term, &row[j], &row[m]);
        a->ops->exp(a, &term, &term);
        a->ops->add(a, &sum, &sum, &term);
    }
    a->ops->log(a, &sum, &sum);
    a->ops->sub(a, &term, &row[label], &row[m]);
    a->ops->sub(a, &sum, &sum, &term);
    status = finish(a, out, &sum, &row[label]);
    a->ops->clear(a, &sum);
    a->ops->clear(a, &term);
    return status;
}

/* The sum in order of ([j = k] - x_j)^2. */
static ll_status brier(const ll_arithmetic *a, ll_value *out, const ll_value *row, long columns, long label)
{
    ll_status status;
    ll_value sum, term;
    a->ops->init(a, &sum);
    a->ops->init(a, &term);
    for (long j = 0; j < columns; j++) {
        ll_value_set_si(a, &term, j == label);
        a->ops->sub(a, &term, &term, &row[j]);
        a->ops->mul(a, &term, &term, &term);
        a->ops->add(a, &sum, &sum, &term);
    }
    status = finish(a, out, &sum, &row[label]);
    a->ops->clear(a, &sum);
    a->ops->clear(a, &term);
    return status;
}

/* ---- numeric targets ---- */

static ll_status score_target(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x,
                              long label)
{
    ll_value result;
    if (label < 0 || label >= metric->grid.count)
        return LL_DOMAIN;
    a->ops->init(a, &result);
    ll_status status = ll_terms_of(metric)->term(metric, a, &result, x, label);
    if (status == LL_OK)
        status = finish(a, out, &result, x);
    a->ops->clear(a, &result);
    return status;
}

/* ---- gains ---- */

static ll_status score_gain(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *row,
                            long columns, long label)
{
    ll_value result;
    int is_rank = ll_metric_reads_order(metric);
    if (label < 0 || label >= (is_rank ? columns : 2) || (columns == 1) == is_rank)
        return LL_DOMAIN;
    a->ops->init(a, &result);
    ll_status status = ll_terms_of(metric)->gain(metric, a, &result, row, columns, label);
    if (status == LL_OK)
        status = finish(a, out, &result, &row[is_rank ? label : 0]);
    a->ops->clear(a, &result);
    return status;
}

ll_status ll_metric_score(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *row,
                          long columns, long label)
{
    if (ll_terms_of(metric)->gain != NULL)
        return score_gain(metric, a, out, row, columns, label);
    if (ll_terms_of(metric)->term != NULL)
        return columns == 1 ? score_target(metric, a, out, row, label) : LL_DOMAIN;
    if (columns == 1)
        return ll_metric_reads_labels(metric) ? score_match(metric, a, out, row, label)
                                              : score_binary(metric, a, out, row, label);
    if (columns < 1 || label < 0 || label >= columns)
        return LL_DOMAIN;
    switch (metric->row->form) {
    case LL_FORM_COORDINATE:
        return score_binary(metric, a, out, &row[label], 1);
    case LL_FORM_SOFTMAX:
        return is_ball(a) ? softmax_ball(out->ball, row, columns, label, a->prec)
                          : softmax(a, out, row, columns, label);
    case LL_FORM_BRIER:
        return brier(a, out, row, columns, label);
    default:
        return LL_DOMAIN;
    }
}
