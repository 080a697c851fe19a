/* What is asked of the gap, and of which scores: the scorer, the shape of its predictions, noise and rounding. */
#include "separate/separate_work.h"

enum { PREC = LL_WORK_PREC };

static ll_status check_scorer(const ll_scorer *scorer, ll_error *error)
{
    if (scorer->noise == LL_NOISE_GAUSSIAN || scorer->noise == LL_NOISE_LAPLACE)
        return ll_fail(error, LL_DOMAIN,
                       "%s noise has no bound, so no gap is enough for it; separate knows bounded:TAU",
                       scorer->noise == LL_NOISE_GAUSSIAN ? "gaussian" : "laplace");
    if (scorer->ladder != NULL)
        return ll_fail(error, LL_DOMAIN, "the Ladder answers by its history: separate is about one plain score");
    if (scorer->rounding == LL_ROUND_DIGITS)
        return ll_fail(error, LL_DOMAIN, "significant digits are no fixed grid; separate knows decimals");
    return LL_OK;
}

static ll_status check_shape(const ll_scoring *scoring, const ll_predictions *predictions, ll_error *error)
{
    ll_form form = ll_loss_form(scoring->resolved.loss);
    long columns = predictions->columns, classes = scoring->classes;
    if (predictions->rows < 1)
        return ll_fail(error, LL_DOMAIN, "there are no predictions");
    if (scoring->scorer.rows && scoring->scorer.rows != predictions->rows)
        return ll_fail(error, LL_DOMAIN, "the scorer has %ld rows, but there are %ld predictions", scoring->scorer.rows,
                       predictions->rows);
    if (columns == 1 && (classes == 2 || form == LL_FORM_MATCH))
        return LL_OK;
    if (columns == classes && form != LL_FORM_BINARY && form != LL_FORM_MATCH)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "%ld columns of predictions do not fit loss %s and %ld classes", columns,
                   ll_loss_row(scoring->resolved.loss)->name, classes);
}

ll_status ll_work_set_scoring(ll_scoring *out, const ll_scorer *scorer, const ll_predictions *predictions,
                              ll_error *error)
{
    ll_status status = check_scorer(scorer, error);
    if (status == LL_OK)
        status = ll_resolved_init(&out->resolved, scorer, error);
    if (status != LL_OK)
        return status;
    out->scorer = *scorer;
    out->rows = predictions->rows;
    out->classes = scorer->classes ? scorer->classes : predictions->columns > 1 ? predictions->columns : 2;
    status = check_shape(out, predictions, error);
    if (status != LL_OK)
        ll_resolved_clear(&out->resolved);
    return status;
}

/* score = sum * factor, where it is linear in the sum */
int ll_work_is_linear(const ll_scoring *scoring)
{
    static const ll_exact one = {{1}, {0}, {0}};
    if (scoring->scorer.transform == LL_ROOT)
        return 0;
    return !ll_loss_is_sum(scoring->resolved.loss) ||
           ll_exact_cmp(ll_loss_parameter(scoring->resolved.loss), &one) == 0;
}

void ll_work_get_factor(fmpq_t out, const ll_scoring *scoring)
{
    fmpq_set_si(out, scoring->scorer.transform == LL_PERCENT ? 100 : 1,
                ll_loss_is_sum(scoring->resolved.loss) ? 1 : (ulong)scoring->rows);
}

/* 2 tau + g, as a ball and where it is short exactly. */
static void add_part(ll_work *w, const ll_exact *x, slong times)
{
    arb_t ball;
    fmpq_t part;
    arb_init(ball);
    fmpq_init(part);
    ll_exact_get_ball(ball, x, PREC);
    arb_addmul_si(w->wanted, ball, times, PREC);
    w->threshold.is_rational = w->threshold.is_rational && ll_separate_get_fmpq(part, x);
    if (w->threshold.is_rational) {
        fmpq_mul_si(part, part, times);
        fmpq_add(w->threshold.rational, w->threshold.rational, part);
    }
    arb_clear(ball);
    fmpq_clear(part);
}

void ll_work_set_threshold(ll_work *w)
{
    const ll_scorer *scorer = &w->scoring.scorer;
    int noise = scorer->noise == LL_NOISE_BOUNDED, grid = scorer->rounding == LL_ROUND_DECIMALS;
    ll_threshold *t = &w->threshold;
    ll_exact step;
    fmpq_t factor;
    ll_exact_init(&step);
    fmpq_init(factor);
    t->given = noise || grid;
    t->strict = !noise && !scorer->truncate;
    t->is_rational = 1;
    if (noise)
        add_part(w, &w->scoring.resolved.noise, 2);
    ll_exact_set_si(&step, 1);
    fmpz_set_si(step.two, -scorer->places);
    fmpz_set_si(step.five, -scorer->places);
    if (grid)
        add_part(w, &step, 1);
    ll_work_get_factor(factor, &w->scoring);
    fmpq_div(t->rational, t->rational, factor);
    arb_set_fmpq(t->ball, factor, PREC);
    arb_div(t->ball, w->wanted, t->ball, PREC);
    fmpq_clear(factor);
    ll_exact_clear(&step);
}

/* ---- ranges ---- */

/* The score that a sum has before rounding: mean, root, percent. */
static void get_score(const ll_scoring *scoring, arb_t out, const arb_t sum, slong prec)
{
    if (!ll_loss_is_sum(scoring->resolved.loss)) {
        arb_div_si(out, sum, scoring->rows, prec);
    } else {
        arb_t exponent;
        arb_init(exponent);
        ll_exact_get_ball(exponent, ll_loss_parameter(scoring->resolved.loss), prec);
        arb_inv(exponent, exponent, prec);
        if (arb_is_zero(sum))
            arb_zero(out);
        else
            arb_pow(out, sum, exponent, prec);
        arb_clear(exponent);
    }
    if (scoring->scorer.transform == LL_ROOT)
        arb_sqrtpos(out, out, prec);
    else if (scoring->scorer.transform == LL_PERCENT)
        arb_mul_ui(out, out, 100, prec);
}

/* The least and the greatest score. */
void ll_work_find_range(ll_work *w)
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
    get_score(&w->scoring, w->least, w->least, terms->prec);
    get_score(&w->scoring, w->greatest, w->greatest, terms->prec);
    arb_clear(least);
    arb_clear(greatest);
}
