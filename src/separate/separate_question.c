/* What is asked of the gap, and of which scores: the scorer, the shape of its predictions, noise and rounding. */
#include "scorer/several.h"
#include "separate/separate_work.h"

#include <stdlib.h>

enum { PREC = LL_WORK_PREC };

static ll_status check_shape(const ll_separation_work *w, const ll_predictions *predictions, ll_error *error)
{
    if (predictions->rows < 1)
        return ll_fail(error, LL_DOMAIN, "there are no predictions");
    if (w->scorer->rows && w->scorer->rows != predictions->rows)
        return ll_fail(error, LL_DOMAIN, "the scorer has %ld rows, but there are %ld predictions", w->scorer->rows,
                       predictions->rows);
    return ll_computation_check_shape(w->scoring.how, predictions->columns, w->scoring.classes, error);
}

ll_status ll_work_set_scoring(ll_separation_work *out, const ll_scorer *scorer, const ll_predictions *predictions,
                              ll_error *error)
{
    ll_status status = ll_scorer_need(scorer, error);
    if (status == LL_OK)
        status = ll_scorer_need_plain(scorer, "the gap", error);
    if (status == LL_OK)
        status = ll_scorer_need_one(scorer, "the gap", error);
    if (status == LL_OK)
        status = ll_scorer_need_list(scorer, "the gap", error);
    if (status != LL_OK)
        return status;
    out->scorer = scorer;
    out->scoring = (ll_scoring){.how = &scorer->computation, .rows = predictions->rows};
    out->scoring.classes = scorer->classes ? scorer->classes : predictions->columns > 1 ? predictions->columns : 2;
    return check_shape(out, predictions, error);
}

/* score = sum * factor, where it is linear in the sum */
int ll_work_is_linear(const ll_separation_work *w)
{
    return ll_release_is_linear(&w->scorer->release) && ll_link_is_linear(w->scoring.how);
}

void ll_work_get_factor(fmpq_t out, const ll_separation_work *w)
{
    int is_sum = ll_metric_is_sum(w->scoring.how->metric);
    fmpz_t divisor;
    fmpz_init_set_si(divisor, is_sum ? 1 : w->scoring.rows);
    ll_release_get_scale(&w->scorer->release, out);
    fmpq_abs(out, out);
    fmpq_div_fmpz(out, out, divisor);
    fmpz_clear(divisor);
}

/* 2 tau + g, as a ball and where it is short exactly; of the sum, where that is linear. */
ll_status ll_work_set_threshold(ll_separation_work *w, ll_error *error)
{
    ll_threshold *t = &w->threshold;
    ll_release_gap gap;
    fmpq_t factor;
    ll_release_gap_init(&gap);
    fmpq_init(factor);
    ll_status status = ll_release_needed_gap(&w->scorer->release, &gap, PREC, error);
    t->given = gap.given;
    t->strict = gap.strict;
    t->is_rational = gap.is_rational;
    arb_set(w->wanted, gap.ball);
    ll_work_get_factor(factor, w);
    fmpq_div(t->rational, gap.rational, factor);
    arb_set_fmpq(t->ball, factor, PREC);
    arb_div(t->ball, w->wanted, t->ball, PREC);
    fmpq_clear(factor);
    ll_release_gap_clear(&gap);
    return status;
}

/* ---- ranges ---- */

/* The number of a sum, and what is released of it before noise and rounding. */
static ll_status get_score(const ll_separation_work *w, arb_t out, arb_t number, const arb_t sum, slong prec,
                           ll_error *error)
{
    ll_unreleased unreleased;
    ll_unreleased_init(&unreleased);
    ll_link_get_number(w->scoring.how, number, sum, w->terms.rows, prec);
    arb_set(unreleased.number, number);
    ll_unreleased_ends(unreleased.lower, unreleased.upper, unreleased.number);
    ll_status status = ll_release_transform(&w->scorer->release, &unreleased, prec, error);
    arb_set(out, unreleased.number);
    ll_unreleased_clear(&unreleased);
    return status;
}

/* The least and the greatest score. */
ll_status ll_work_find_range(ll_separation_work *w, ll_error *error)
{
    const ll_terms *terms = &w->terms;
    arb_t least, greatest;
    arb_init(least);
    arb_init(greatest);
    arb_zero(w->least);
    arb_zero(w->greatest);
    for (long i = 0; i < terms->rows; i++) {
        arb_srcptr row = terms->terms + i * terms->classes;
        arb_set(least, row);
        arb_set(greatest, row);
        for (long k = 1; k < terms->classes; k++) {
            arb_min(least, least, row + k, terms->prec);
            arb_max(greatest, greatest, row + k, terms->prec);
        }
        arb_add(w->least, w->least, least, terms->prec);
        arb_add(w->greatest, w->greatest, greatest, terms->prec);
    }
    ll_status status = get_score(w, w->least, w->most, w->least, terms->prec, error);
    if (status == LL_OK)
        status = get_score(w, w->greatest, w->most, w->greatest, terms->prec, error);
    if (ll_release_scale(&w->scorer->release) < 0)
        arb_swap(w->least, w->greatest);
    arb_clear(least);
    arb_clear(greatest);
    return status;
}
