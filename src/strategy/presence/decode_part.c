/* Scores over a hidden public split (docs/proofs/public.md).
 *
 * A score is the mean of s terms, and s, the size of the part, is the same in all queries: every s that is possible is
 * tried. For each, a query's number leaves at most one integer, the sum of the code's weights; the integers of all
 * queries leave at most one state for every row, and just s rows may be public. What is left over all s is all that
 * explains the scores. */
#include "code/positional.h"
#include "strategy/common/sum_reading.h"
#include "strategy/common/writers.h"
#include "strategy/presence/presence.h"

#include <stdlib.h>

typedef struct {
    ll_decoder common;
    arb_ptr numbers;      /* [query]: the interval of the metric's number */
    ll_reading *readings; /* [query]: what the stored rows add; rest: less base labels, without the sum itself */
    mag_ptr magnitudes;   /* [query]: of the terms of all rows */
    int64_t *sums;        /* [query]: of the size that is tried */
} decoder;

static int init(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    size_t queries = (size_t)ll_plan_distinct(d->plan);
    own->numbers = _arb_vec_init((slong)queries);
    own->readings = calloc(queries, sizeof *own->readings);
    own->magnitudes = _mag_vec_init((slong)queries);
    own->sums = calloc(queries, sizeof *own->sums);
    return own->readings != NULL && own->sums != NULL;
}

static void clear(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    long queries = ll_plan_distinct(d->plan);
    if (own->numbers != NULL)
        _arb_vec_clear(own->numbers, queries);
    if (own->magnitudes != NULL)
        _mag_vec_clear(own->magnitudes, queries);
    for (long q = 0; q < queries && own->readings != NULL; q++)
        ll_reading_clear(&own->readings[q]);
    free(own->readings);
    free(own->sums);
}

static ll_status keep(ll_decoder *d, const arb_t released, ll_error *error)
{
    decoder *own = (decoder *)d;
    long q = ll_decoder_query(d);
    ll_status status = ll_reading_take_stored_error(d, &own->readings[q]);
    if (status == LL_MEMORY)
        return ll_fail(error, status, "no memory for a query's rows");
    mag_set(own->magnitudes + q, d->stored_error.magnitude);
    return status == LL_OK ? ll_plan_read_number(d->plan, own->numbers + q, released) : status;
}

/* ---- one size ---- */

/* Of query q, were the part of `size` rows: the sum that the score stands for, less what base labels add, and what the
 * scorer's arithmetic may move it by. Terms of absent rows only make the bound on that wider. */
static void read_as(const decoder *own, ll_reading *out, long q, long size)
{
    const ll_plan *plan = own->common.plan;
    const ll_computation *how = plan->scoring.how;
    arb_t sum;
    arb_init(sum);
    ll_link_get_sum(how, sum, own->numbers + q, size, 0, plan->prec + 64);
    arb_get_rad_arb(out->noise, sum);
    if (ll_metric_counts(how->metric) < 0) { /* misses: the others match */
        arb_sub_si(sum, sum, size, plan->prec + 64);
        arb_neg(sum, sum);
    }
    arb_add(out->rest, sum, own->readings[q].rest, plan->prec);
    arb_set(out->deviation, own->readings[q].deviation);
    arb_set(out->base, own->readings[q].base);
    ll_plan_part_rounding(plan, out->rounding, own->magnitudes + q, size);
    arb_clear(sum);
}

/* How many integers the score of query q leaves; *sum: the one. */
static int read_sum(const decoder *own, int64_t *sum, long q, long size)
{
    ll_reading r = {0};
    arb_t allowed;
    arb_init(allowed);
    read_as(own, &r, q, size);
    ll_reading_allowed(own->common.plan, allowed, &r);
    int count = ll_code_count_integers(sum, allowed);
    arb_clear(allowed);
    ll_reading_clear(&r);
    return count;
}

/* All of them: 0 where some query leaves none, 2 or 3 where one leaves several, else 1. */
static int read_sums(decoder *own, long queries, long size)
{
    int worst = 1;
    for (long q = 0; q < queries; q++) {
        int count = read_sum(own, &own->sums[q], q, size);
        if (count == 0)
            return 0;
        worst = count > worst ? count : worst;
    }
    return worst;
}

static long count_present(const ll_decoded *one, long rows, long absent)
{
    long present = 0;
    for (long i = 0; i < rows; i++)
        present += one->labels[i] != absent;
    return present;
}

/* The states that explain all scores, were the part of `size` rows, join those found before. *open: they cannot be
 * told. */
static ll_status try_size(decoder *own, ll_decoded *out, ll_decoded *one, long size, int *open, ll_error *error)
{
    const ll_plan *plan = own->common.plan;
    int count = read_sums(own, plan->state->code->queries, size);
    *open = count > 1;
    if (count != 1)
        return LL_OK;
    ll_status status = ll_code_decode_levels(plan->state->code, one, own->sums, error);
    if (status == LL_OK && one->count == 1 && count_present(one, plan->rows, plan->scoring.classes) == size) {
        ll_decoded_join(out, one, plan->rows, plan->classes);
        own->common.counted = size;
    }
    return status;
}

/* The margins of the one answer. */
static void keep_margins(decoder *own, const ll_decoded *found)
{
    const ll_plan *plan = own->common.plan;
    arb_t sum;
    arb_init(sum);
    for (long q = 0; q < plan->state->code->queries; q++) {
        const ll_code *code = ll_plan_code(plan, q);
        ll_reading r = {0};
        read_as(own, &r, q, own->common.counted);
        ll_code_sum_labelling(code, sum, found->labels, plan->prec);
        (void)ll_reading_explains(&own->common, &r, code, sum);
        ll_reading_clear(&r);
    }
    arb_clear(sum);
}

static ll_status close_block(ll_decoder *d, ll_decoded *out, ll_error *error)
{
    decoder *own = (decoder *)d;
    const ll_plan *plan = d->plan;
    const ll_scorer *s = plan->scorer;
    ll_decoded one;
    int open = 0;
    if (ll_decoded_init(&one, plan->rows, plan->classes) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", plan->rows);
    ll_decoded_set_none(out, plan->rows, plan->classes);
    ll_status status = LL_OK;
    for (long size = s->counted_least; size <= s->counted_most && !open && status == LL_OK; size++)
        status = try_size(own, out, &one, size, &open, error);
    if (open)
        ll_decoded_set_open(out, plan->rows, plan->classes);
    if (status == LL_OK && out->count == 1)
        keep_margins(own, out);
    arb_indeterminate(d->missing);
    ll_decoded_clear(&one);
    return status;
}

/* ---- the strategy ---- */

static ll_status find_levels(ll_plan *plan, const ll_question *q, ll_error *error)
{
    (void)q;
    return plan->state->levels == 0 ? ll_plan_find_levels(plan, error) : LL_OK;
}

/* No row can be left alone. Where predictions are labels, weights are 0 and 1. */
static ll_status plan_all(ll_plan *plan, const ll_question *q, ll_error *error)
{
    ll_status status = ll_plan_asks_labels(plan) ? ll_plan_take_labels(plan, q, error) : LL_OK;
    return status == LL_OK ? ll_plan_try_block(plan, plan->rows, q, error) : status;
}

static const ll_writer *const writers[] = {&ll_writer_labels, &ll_writer_levels, NULL};

static const ll_strategy strategy = {
    .name = "presence",
    .proof = "public.md",
    .takes = LL_TAKES_PUBLIC_MEANS,
    .whole = LL_ASKS_ALL,
    .plan = plan_all,
    .prepare = find_levels,
    .writers = writers,
    .decoder_size = sizeof(decoder),
    .begin = init,
    .end = clear,
    .keep = keep,
    .close = close_block,
    LL_PLANS_BLOCKS,
};

static int claims(const ll_scorer *scorer)
{
    return scorer->is_part;
}

const ll_candidate ll_candidate_presence = {
    .code = &ll_code_presence, .labels = &ll_code_presence_labels, .rank = 1, .claims = claims, .strategy = &strategy};
