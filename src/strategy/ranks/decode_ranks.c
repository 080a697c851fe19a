/* Metrics that are a linear function of AUC, asked by the order of the predictions (docs/proofs/ranks.md).
 *
 * With P rows of class 1 the interval of a number is one of integers, twice the sum of the ranks of these rows. Stage
 * by stage, the rows before are known, those after are tied, and what is left is centre * Z + step * T: Z, how many of
 * the stage's rows are of class 1, is read from the query that puts them on top, T from each of the others. Every P
 * that is possible is tried, and every Z and T that an interval leaves; what is left over all of them is all that
 * explains the scores. A stage is read as soon as all scores up to its last are there, so that fewer queries tell fewer
 * labels.
 *
 * Of K classes the classes 1 .. K-1 are read so one after the other, each against all others. A row has one class, and
 * class 0, which has the rows that are left, has some: what breaks that is dropped. */
#include "decode/decoder.h"

#include "code/masks.h"
#include "code/positional.h"
#include "metric/ranks/auc.h"
#include "strategy/common/writers.h"
#include "strategy/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TRIES = 1 << 14 };

typedef struct {
    int64_t low, high; /* none where low > high */
} range;

typedef struct {
    ll_decoder common;
    int64_t *ranks;            /* scratch, one a place */
    int64_t *sums;             /* [query]: of the choice that is tried */
    range *left;               /* [query]: values of T */
    int32_t *labels;           /* [(class - 1) * rows + row]: is it of the class? In the case that is tried */
    const ll_rank_stage *last; /* that is read */
    ll_decoded *out;           /* rows up to its end */
    ll_decoded part;           /* of one stage and class */
    ll_decoded whole;          /* of all stages and classes */
    long tries;
    int is_open; /* there is too much to try */
} decoder;

/* One supposition. */
typedef struct {
    long label;               /* the class that is asked about: "class 1" */
    int64_t others;           /* rows of the classes 1 .. label-1 */
    int64_t positives, known; /* rows of class 1: in all, and in the stages before */
    const ll_rank_stage *stage;
    int64_t own; /* in the stage */
} ranks_case;

static int init(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    size_t queries = (size_t)ll_plan_distinct(d->plan), rows = (size_t)d->plan->rows;
    own->ranks = malloc(2 * (rows + 2) * sizeof *own->ranks);
    own->sums = malloc(queries * sizeof *own->sums);
    own->left = malloc(queries * sizeof *own->left);
    own->labels = malloc(rows * (size_t)(d->plan->classes - 1) * sizeof *own->labels);
    return own->ranks && own->sums && own->left && own->labels &&
           ll_decoded_init(&own->part, d->plan->rows, 2) == LL_OK &&
           ll_decoded_init(&own->whole, d->plan->rows, d->plan->classes) == LL_OK;
}

static void clear(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    free(own->ranks);
    free(own->sums);
    free(own->left);
    free(own->labels);
    ll_decoded_clear(&own->part);
    ll_decoded_clear(&own->whole);
}

/* The rows of the class that is asked about, in the case that is tried. */
static int32_t *labels_of(const decoder *own, const ranks_case *c)
{
    return own->labels + (c->label - 1) * own->common.plan->rows;
}

/* The code's query for query `at` of the stage. */
static long query_of(const decoder *own, const ranks_case *c, long at)
{
    return ll_ranks_find(own->common.plan->state->code, c->stage->first_query + at, c->label);
}

/* ---- from numbers to integers ---- */

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* The t with low <= slope t <= high, slope > 0. */
static range divide(range x, int64_t slope)
{
    return (range){-floor_div(-x.low, slope), floor_div(x.high, slope)};
}

static range cut(range x, int64_t low, int64_t high)
{
    return (range){x.low > low ? x.low : low, x.high < high ? x.high : high};
}

/* Twice the sum of the ranks of P rows of class 1: 2 P (N-P) AUC + P (P+1), within what it can be. */
static range read_sum(const decoder *own, long query, int64_t positives)
{
    int64_t pairs = 2 * positives * (own->common.plan->rows - positives), base = positives * (positives + 1);
    arb_t sum;
    fmpz_t low, high;
    arb_init(sum);
    fmpz_init(low);
    fmpz_init(high);
    arb_mul_si(sum, own->common.numbers + query, pairs, own->common.plan->prec);
    range out = {0, pairs};
    if (ll_code_integers(low, high, sum, 64) == LL_OK) {
        if (fmpz_sgn(low) > 0)
            out.low = fmpz_cmp_si(low, pairs) > 0 ? pairs + 1 : fmpz_get_si(low);
        if (fmpz_cmp_si(high, pairs) < 0)
            out.high = fmpz_sgn(high) < 0 ? -1 : fmpz_get_si(high);
    }
    arb_clear(sum);
    fmpz_clear(low);
    fmpz_clear(high);
    return (range){out.low + base, out.high + base};
}

/* What the rows before the stage add to twice the sum. */
static int64_t add_known(decoder *own, const ranks_case *c, long query)
{
    const ll_code *code = own->common.plan->state->code;
    const uint16_t *places = ll_ranks_places(code, query);
    int64_t sum = 0;
    if (c->stage->known == 0)
        return 0;
    ll_rank_double(own->ranks, ll_ranks_query(code, query)->ties, places, code->rows);
    for (long i = 0; i < c->stage->known; i++)
        sum += labels_of(own, c)[i] == 1 ? own->ranks[places[i]] : 0;
    return sum;
}

/* The same without what known rows add, and rows that come later if none of the stage were of class 1. */
static range read_rest(decoder *own, const ranks_case *c, long query)
{
    range sum = read_sum(own, query, c->positives);
    int64_t before = add_known(own, c, query) +
                     ll_ranks_query(own->common.plan->state->code, query)->rest * (c->positives - c->known);
    return (range){sum.low - before, sum.high - before};
}

/* ---- a stage ---- */

/* How many of the stage's rows may be of class 1. */
static range read_total(decoder *own, const ranks_case *c)
{
    const ll_rank_stage *stage = c->stage;
    int64_t left = c->positives - c->known, later = own->common.plan->rows - stage->known - stage->asked;
    range out = {left, left};
    if (ll_rank_is_check(stage))
        return (range){0, 0};
    if (!stage->is_last) {
        long query = query_of(own, c, stage->queries);
        const ll_rank_query *asked = ll_ranks_query(own->common.plan->state->code, query);
        out = divide(read_rest(own, c, query), asked->centre - asked->rest);
    }
    return cut(cut(out, left - later, left), 0, stage->asked);
}

/* The least and the most that T can be. */
static range reach_of(const ranks_case *c, long at)
{
    range out = {0, 0};
    for (long i = 0; i < c->stage->asked; i++) {
        int64_t level = ll_rank_level(c->stage, c->stage->first_query + at, i);
        out.low += level < 0 ? level : 0;
        out.high += level > 0 ? level : 0;
    }
    return out;
}

/* T of every query; the number of ways to choose them, 0 where one has none, MOST_TRIES + 1 where they are too many. */
static long read_levels(decoder *own, const ranks_case *c)
{
    const ll_rank_stage *stage = c->stage;
    long ways = 1;
    for (long at = 0; at < stage->queries; at++) {
        long q = query_of(own, c, at);
        const ll_rank_query *asked = ll_ranks_query(own->common.plan->state->code, q);
        range rest = read_rest(own, c, q);
        int64_t move = (asked->centre - asked->rest) * c->own;
        range t = divide((range){rest.low - move, rest.high - move}, asked->step), reach = {0, 0};
        if (t.high > t.low || ll_rank_is_check(stage)) {
            reach = reach_of(c, at);
            t = cut(t, reach.low, reach.high);
        }
        if (t.low > t.high)
            return 0;
        own->left[q] = t;
        ways = t.high - t.low >= MOST_TRIES ? MOST_TRIES + 1 : ways * (t.high - t.low + 1);
        ways = ways > MOST_TRIES ? MOST_TRIES + 1 : ways;
    }
    return ways;
}

/* The sums that the stage's code decodes: T, or, of labels, rows that match: those predicted 0, and 2 T - Z. */
static void pick(decoder *own, const ranks_case *c, long way)
{
    const ll_rank_stage *stage = c->stage;
    for (long at = 0; at < stage->queries; at++) {
        long q = query_of(own, c, at);
        int64_t count = own->left[q].high - own->left[q].low + 1, zeros = 0;
        own->sums[q] = own->left[q].low + way % count;
        way /= count;
        if (!ll_code_has_labels(stage->levels))
            continue;
        for (long i = 0; i < stage->asked; i++)
            zeros += ll_rank_level(stage, stage->first_query + at, i) == 0;
        own->sums[q] = zeros + 2 * own->sums[q] - c->own;
    }
}

/* Is a row of a class before this one? */
static int is_taken(const decoder *own, const ranks_case *c, long row)
{
    for (long k = 1; k < c->label; k++)
        if (own->labels[(k - 1) * own->common.plan->rows + row] == 1)
            return 1;
    return 0;
}

/* The labels of one choice join those of the stages before; 0 where there are none. */
static ll_status read_labels(decoder *own, const ranks_case *c, long way, int *found, ll_error *error)
{
    const ll_rank_stage *stage = c->stage;
    int32_t *labels = labels_of(own, c) + stage->known;
    int64_t ones = 0;
    *found = 1;
    if (ll_rank_is_check(stage))
        return LL_OK;
    pick(own, c, way);
    own->tries++;
    ll_status status = ll_code_decode_levels(stage->levels, &own->part, own->sums + query_of(own, c, 0), error);
    *found = status == LL_OK && own->part.count == 1;
    for (long i = 0; i < stage->asked && *found; i++) {
        labels[i] = own->part.labels[i];
        ones += labels[i] == 1;
        *found = labels[i] == 0 || !is_taken(own, c, stage->known + i);
    }
    *found = *found && ones == c->own;
    return status;
}

static ll_status try_stage(decoder *own, const ranks_case *c, ll_error *error);
static ll_status try_class(decoder *own, long label, int64_t others, ll_error *error);

/* All labels that are asked for are read: they join what was found. */
static void take(decoder *own)
{
    long rows = own->last->known + own->last->asked, classes = own->common.plan->classes;
    memset(own->whole.labels, 0, sizeof *own->whole.labels * (size_t)rows);
    for (int32_t k = 1; k < classes; k++)
        for (long i = 0; i < rows; i++)
            if (own->labels[(k - 1) * own->common.plan->rows + i] == 1)
                own->whole.labels[i] = k;
    ll_decoded_set_unique(&own->whole, rows, classes);
    ll_decoded_join(own->out, &own->whole, rows, classes);
}

/* The stage's labels of this class are read. */
static ll_status go_on(decoder *own, const ranks_case *c, ll_error *error)
{
    ranks_case next = {c->label, c->others, c->positives, c->known + c->own, c->stage + 1, 0};
    if (c->stage != own->last)
        return try_stage(own, &next, error);
    if (c->label < own->common.plan->classes - 1)
        return try_class(own, c->label + 1, c->others + c->positives, error);
    take(own);
    return LL_OK;
}

/* The ranges of this stage and class are overwritten by no other. */
static ll_status try_total(decoder *own, const ranks_case *c, ll_error *error)
{
    long ways = read_levels(own, c);
    ll_status status = LL_OK;
    own->is_open = own->is_open || own->tries + ways > MOST_TRIES;
    for (long way = 0; way < ways && status == LL_OK && !own->is_open; way++) {
        int found;
        status = read_labels(own, c, way, &found, error);
        if (found)
            status = go_on(own, c, error);
    }
    return status;
}

static ll_status try_stage(decoder *own, const ranks_case *c, ll_error *error)
{
    range totals = read_total(own, c);
    ll_status status = LL_OK;
    for (int64_t z = totals.low; z <= totals.high && status == LL_OK && !own->is_open; z++) {
        ranks_case one = *c;
        one.own = z;
        status = try_total(own, &one, error);
    }
    return status;
}

/* ---- a class ---- */

/* Every number of rows that it can have: each class that comes later has one row at least, and so has class 0. */
static ll_status try_class(decoder *own, long label, int64_t others, ll_error *error)
{
    const ll_plan *plan = own->common.plan;
    const int64_t *counts = plan->scorer->counts;
    int64_t most = plan->rows - others - (plan->classes - label);
    ll_status status = LL_OK;
    for (int64_t p = 1; p <= most && status == LL_OK && !own->is_open; p++) {
        ranks_case c = {label, others, p, 0, ll_ranks_stages(plan->state->code)->stages, 0};
        if (counts == NULL || counts[label] == p)
            status = try_stage(own, &c, error);
    }
    return status;
}

/* ---- all stages whose scores are there ---- */

/* The labels of the rows up to the end of a stage; the others are open. */
static ll_status read_stages(decoder *own, ll_decoded *out, const ll_rank_stage *last, ll_error *error)
{
    const ll_plan *plan = own->common.plan;
    ll_decoded_set_open(out, plan->rows, plan->classes);
    ll_decoded_set_none(out, last->known + last->asked, plan->classes);
    own->out = out;
    own->last = last;
    own->tries = own->is_open = 0;
    ll_status status = try_class(own, 1, 0, error);
    if (own->is_open)
        ll_decoded_set_open(out, plan->rows, plan->classes);
    arb_indeterminate(own->common.missing);
    return status;
}

static ll_status close_block(ll_decoder *d, ll_decoded *out, ll_error *error)
{
    const ll_rank_stages *s = ll_ranks_stages(d->plan->state->code);
    return read_stages((decoder *)d, out, &s->stages[s->count - 1], error);
}

/* Are all scores up to the end of the stage there? That of query `now` is. */
static int is_complete(const ll_decoder *d, const ll_rank_stage *stage, long now)
{
    for (long q = ll_rank_stage_end(stage) * (d->plan->classes - 1) - 1; q >= 0; q--)
        if (!d->complete[q] && q != now)
            return 0;
    return 1;
}

/* The labels of the last stage that can be read, though not all queries are answered. */
static ll_status read_some(ll_decoder *d, long now, ll_error *error)
{
    const ll_rank_stages *s = ll_ranks_stages(d->plan->state->code);
    const ll_rank_stage *stage = ll_rank_stage_of(s, now / (d->plan->classes - 1)), *last = s->stages + s->count - 1;
    long classes = d->plan->classes;
    ll_decoded some;
    if (stage == last || !is_complete(d, stage, now))
        return LL_OK;
    while (stage + 1 != last && is_complete(d, stage + 1, now))
        stage++;
    if (ll_decoded_init(&some, d->plan->rows, classes) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for a stage's labels");
    ll_status status = read_stages((decoder *)d, &some, stage, error);
    if (status == LL_OK) {
        memcpy(d->labels, some.labels, sizeof *d->labels * (size_t)d->plan->rows);
        memcpy(d->candidates, some.candidates, (size_t)(d->plan->rows * classes));
        d->is_none = d->is_none || some.count == 0;
    }
    ll_decoded_clear(&some);
    return status;
}

/* The numbers become the intervals of AUC. */
static ll_status keep(ll_decoder *d, const arb_t released, ll_error *error)
{
    long q = ll_decoder_query(d);
    (void)released;
    ll_auc_of_number(d->plan->scoring.how, d->numbers + q, d->numbers + q,
                     ll_ranks_query(d->plan->state->code, q)->ties, d->plan->classes, d->plan->prec);
    return read_some(d, q, error);
}

static const ll_strategy strategy = {
    .name = "ranks",
    .proof = "ranks.md",
    .takes = LL_TAKES_RANKS,
    .whole = LL_ASKS_ALL,
    .reads_first = 1,
    .reads_noise = 1,
    .plan = ll_ranks_plan,
    .writer = &ll_writer_ranks,
    .decoder_size = sizeof(decoder),
    .keeps_numbers = 1,
    .begin = init,
    .end = clear,
    .keep = keep,
    .close = close_block,
    LL_PLANS_BLOCKS,
};

static int claims(const ll_scorer *scorer)
{
    return ll_auc_get_link(&scorer->computation, 2).parts > 1;
}

const ll_candidate ll_candidate_ranks = {.code = &ll_code_ranks, .rank = 1, .claims = claims, .strategy = &strategy};
