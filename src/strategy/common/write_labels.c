/* Scores that count rows whose predicted label is right, or wrong: accuracy, the 0/1 loss, the discrete L_p distance.
 * Predictions are labels, weights 0 and 1, the unit 1, sums are counts of matches (blur.c turns counts of misses
 * round); all that is to be known is how far a released score can be from a count. Counts up to 2^(f+1), f the fraction
 * bits of the scorer's format, are exact in it; more rows are refused. */
#include "strategy/common/writers.h"

#include <math.h>
#include <stdlib.h>

enum { PREC = 192 };

/* ---- what can be told apart ---- */

/* Counts are 1 apart: half of that is always enough, and a hair more where rounding meets no tie. Two classes: all
 * counts have one parity, so less than 1 is enough as soon as one query, or the labels themselves, show which. */
static ll_status check_blur(const ll_plan *plan, ll_error *error)
{
    ll_stored_error all = {0};
    arb_t blur, most;
    arb_init(blur);
    arb_init(most);
    mag_init(all.magnitude);
    mag_set_ui(all.magnitude, (ulong)plan->scoring.rows);
    ll_plan_rounding(plan, &all, blur);
    mag_clear(all.magnitude);
    arb_add(blur, blur, plan->state->noise, 64);
    arb_set_d(most, plan->classes == 2 ? 1 - 0x1p-20 : 0.5 + 0x1p-20);
    ll_status status = LL_OK;
    if (!arb_lt(blur, most)) {
        char *text = arb_get_str(blur, 3, ARB_STR_NO_RADIUS);
        status = ll_fail(error, LL_DOMAIN,
                         "noise and rounding move the number of right labels of %ld rows by up to %s, and it must stay "
                         "below %s for counts to be told apart: use less noise or more decimals",
                         plan->scoring.rows, text, plan->classes == 2 ? "1" : "0.5");
        flint_free(text);
    }
    arb_clear(blur);
    arb_clear(most);
    return status;
}

static ll_status check_format(const ll_plan *plan, ll_error *error)
{
    const ll_format *format = &plan->scoring.how->total.format;
    if (plan->scoring.how->kind == LL_KIND_EXACT)
        return LL_OK;
    long bits = format->fraction_bits + 1 < 62 ? format->fraction_bits + 1 : 62;
    long exponents = format->exponent_bits < 40 ? format->exponent_bits : 40;
    if ((1L << (exponents - 1)) - 1 < bits)
        bits = (1L << (exponents - 1)) - 1; /* 2^bits must be finite too */
    if (plan->rows > 1L << bits)
        return ll_fail(error, LL_DOMAIN,
                       "the scorer's format counts exactly up to %ld only, and there are %ld rows: no count is certain",
                       1L << bits, plan->rows);
    return LL_OK;
}

/* ---- the writer ---- */

static int suits(const ll_plan *plan)
{
    return ll_code_has_labels(plan->state->code) && ll_plan_takes_labels(plan);
}

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    ll_status status = check_format(plan, error);
    if (status != LL_OK)
        return status;
    plan->columns = 1;
    plan->entries = LL_ENTRIES_DOUBLE;
    plan->prec = PREC;
    arb_one(plan->state->unit);
    return ll_metric_has_terms(plan->scoring.how->metric) && !plan->strategy->reads_noise ? check_blur(plan, error)
                                                                                          : LL_OK;
}

static ll_status write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    (void)plan;
    (void)error;
    *(double *)to = code->row->predict(code, row);
    return LL_OK;
}

/* The label that is stored; -1 where it is none. */
static long stored_label(const ll_plan *plan, const ll_block *block, long index)
{
    double x = block->doubles[index];
    return x >= 0 && x < (double)plan->scoring.classes && x == floor(x) ? (long)x : -1;
}

/* term(k) = [k is predicted]. Rows as planned deviate by nothing; those that predict the base label are counted. */
static ll_status measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error, const ll_block *block,
                         long index, long row, ll_error *error)
{
    long stored = stored_label(plan, block, index);
    if (stored < 0)
        return ll_fail(error, LL_DOMAIN, "a stored prediction is not a label of 0 to %ld", plan->scoring.classes - 1);
    long planned = code->row->predict(code, row);
    stored_error->based += planned == plan->state->base;
    if (stored == planned) {
        stored_error->neutral += stored == plan->state->base;
        return LL_OK;
    }
    if (!ll_metric_has_terms(plan->scoring.how->metric))
        return ll_fail(error, LL_DOMAIN, "a stored prediction is not the one that was planned");
    for (long k = 0; k < plan->classes; k++)
        arb_set_si(stored_error->terms + k, k == stored);
    ll_stored_error_add_terms(plan, code, stored_error, row);
    return LL_OK;
}

static void close_stored_error(const ll_plan *plan, ll_stored_error *stored_error)
{
    (void)plan;
    arb_add_si(stored_error->offset, stored_error->offset, stored_error->neutral, PREC);
    stored_error->neutral = 0;
}

const ll_writer ll_writer_labels = {
    .name = "labels",
    .counts_base = 1,
    .suits = suits,
    .prepare = prepare,
    .write = write_row,
    .measure = measure,
    .close = close_stored_error,
};

/* ---- plans of labels ---- */

ll_status ll_plan_take_labels(ll_plan *plan, const ll_question *q, ll_error *error)
{
    const char *metric = ll_plan_metric_name(plan);
    const ll_code_row *labels = plan->candidate->labels;
    if (labels == NULL)
        return ll_fail(error, LL_DOMAIN,
                       "%s takes labels, whose weights are 0 and 1 only: the code %s needs others; use detecting",
                       metric, plan->name);
    if (plan->state->variant != NULL && plan->state->row != labels)
        return ll_fail(error, LL_DOMAIN, "%s takes labels: only the variant %s of the code %s applies", metric,
                       LL_LABELS_VARIANT, plan->state->row->info.name);
    plan->state->levels = q->part > 0 ? q->part + 1 : 1;
    return ll_plan_set_code(plan, labels, LL_LABELS_VARIANT, error);
}
