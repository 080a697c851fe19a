/* Labels from counts that are rounded to several at once (docs/proofs/edges.md).
 *
 * A score leaves the counts of an interval. The counts of one query with two patterns of the rows that move differ by
 * what those rows make of it, which is the same for all queries of the part. So the counts S[p] with pattern 0, and the
 * shifts D[r] of the patterns, have S[p] + D[r] in the interval of query p, r: differences of bounds, and the least and
 * greatest values of all of them are found by shortest paths. Where that leaves few ways, each is decoded.
 *
 * Two classes: all counts have one parity once what the predictions add is taken out, and both are supposed. Metrics of
 * which counts are not enough: every number of rows of class 1 is supposed, as for the code detecting. */
#include "code/positional.h"
#include "number/whole.h"
#include "strategy/common/decode_counts.h"
#include "strategy/common/sum_reading.h"
#include "strategy/common/writers.h"
#include "strategy/edges/edges.h"

#include <stdlib.h>

enum { MOST_WAYS = 1 << 12 };

typedef struct {
    int64_t low, high;
} span;

typedef struct {
    ll_decoder common;
    span *told;           /* [query]: what its score leaves, of metrics that count matches */
    span *tried;          /* [query]: under the supposition that is tried */
    span *sums, *shifts;  /* [query], [pattern]: of the parts, one behind the other */
    int64_t *picked;      /* [query] */
    double *lows, *highs; /* [query]: the interval of the number, widened */
    ll_case_query *asked; /* [query]: what was predicted */
    ll_decoded parts[LL_EDGES_PARTS];
    long ways; /* decoded so far */
} decoder;

static const ll_code *code_of(const decoder *own)
{
    return own->common.plan->state->code;
}

static int has_terms(const decoder *own)
{
    return ll_metric_has_terms(own->common.plan->scoring.how->metric);
}

/* ---- what scores leave ---- */

static int begin(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    size_t queries = (size_t)ll_plan_distinct(d->plan);
    own->told = calloc(queries, sizeof *own->told);
    own->tried = calloc(queries, sizeof *own->tried);
    own->sums = calloc(queries, sizeof *own->sums);
    own->shifts = calloc(queries, sizeof *own->shifts);
    own->picked = calloc(queries, sizeof *own->picked);
    own->lows = calloc(queries, sizeof *own->lows);
    own->highs = calloc(queries, sizeof *own->highs);
    own->asked = calloc(queries, sizeof *own->asked);
    int made =
        own->told && own->tried && own->sums && own->shifts && own->picked && own->lows && own->highs && own->asked;
    for (int part = 0; part < LL_EDGES_PARTS; part++)
        made &= ll_decoded_init(&own->parts[part], d->plan->rows, d->plan->classes) == LL_OK;
    return made;
}

static void end(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    for (long q = 0; own->asked != NULL && q < ll_plan_distinct(d->plan); q++)
        ll_case_query_clear(&own->asked[q]);
    for (int part = 0; part < LL_EDGES_PARTS; part++)
        ll_decoded_clear(&own->parts[part]);
    free(own->told);
    free(own->tried);
    free(own->sums);
    free(own->shifts);
    free(own->picked);
    free(own->lows);
    free(own->highs);
    free(own->asked);
}

/* The counts 0 .. N in the ball. */
static span span_of(const arb_t sum, long rows)
{
    span out = {0, rows};
    fmpz_t low, high;
    fmpz_init(low);
    fmpz_init(high);
    if (ll_code_integers(low, high, sum, 62) == LL_OK)
        out = (span){ll_most(0, fmpz_get_si(low)), ll_least(rows, fmpz_get_si(high))};
    fmpz_clear(low);
    fmpz_clear(high);
    return out;
}

static ll_status read_sum(decoder *own, long query, const arb_t released)
{
    ll_decoder *d = &own->common;
    ll_reading reading = {0};
    arb_t sum;
    arb_init(sum);
    ll_status status = ll_reading_take(d, &reading, released);
    if (status == LL_OK) {
        ll_reading_allowed(d->plan, sum, &reading);
        own->told[query] = span_of(sum, d->plan->rows);
        d->is_refuted = d->is_refuted || own->told[query].low > own->told[query].high;
    }
    arb_clear(sum);
    ll_reading_clear(&reading);
    return status;
}

static ll_status keep(ll_decoder *d, const arb_t released, ll_error *error)
{
    decoder *own = (decoder *)d;
    long query = ll_decoder_query(d);
    ll_status status = ll_case_ask(d->plan, &own->asked[query], ll_plan_code(d->plan, d->query), error);
    if (status == LL_OK && has_terms(own))
        status = read_sum(own, query, released);
    if (status == LL_OK)
        ll_case_widen(&own->lows[query], &own->highs[query], d->numbers + query);
    if (status == LL_MEMORY)
        (void)ll_fail(error, status, "no memory for a block's labels");
    return status;
}

/* ---- one supposition ---- */

/* The matches that a query's number leaves; 0: none. */
static int find_span(decoder *own, const ll_case *c, long q)
{
    int64_t from, to;
    ll_case_runs runs;
    span *out = &own->tried[q];
    *out = (span){own->common.plan->rows, 0};
    if (has_terms(own)) {
        *out = own->told[q];
        return out->low <= out->high;
    }
    if (!ll_case_range(c, &own->asked[q], own->lows[q], own->highs[q], &from, &to))
        return 0;
    ll_case_find(c, &own->asked[q], own->lows[q], own->highs[q], from, to, &runs);
    for (int i = 0; i < 2; i++)
        if (runs.from[i] <= runs.to[i]) {
            out->low = ll_least(out->low, ll_case_sum(c, &own->asked[q], runs.from[i]));
            out->high = ll_most(out->high, ll_case_sum(c, &own->asked[q], runs.to[i]));
        }
    return out->low <= out->high;
}

/* Counts of that parity alone; -1: either. What the predictions add to it is taken out. */
static int keep_parity(decoder *own, long q, int parity)
{
    const ll_plan *plan = own->common.plan;
    span *s = &own->tried[q];
    if (parity >= 0) {
        int64_t own_parity = (plan->rows + own->asked[q].predicted[1] + parity) & 1;
        s->low += (s->low ^ own_parity) & 1;
        s->high -= (s->high ^ own_parity) & 1;
    }
    return s->low <= s->high;
}

static int find_spans(decoder *own, const ll_case *c, int parity)
{
    for (long q = 0; q < code_of(own)->queries; q++)
        if (!find_span(own, c, q) || !keep_parity(own, q, parity))
            return 0;
    return 1;
}

/* ---- counts and shifts ---- */

/* What the rows that move can add, at most and at least: as many as say another label than in pattern 0. Of two classes
 * each adds 1 or takes 1 away, so that shifts keep the parity of counts. */
static span any_shift(const decoder *own, const ll_edges_part *p, long pattern)
{
    int64_t moved = 0;
    for (long at = 0; at < p->moving; at++)
        moved += ll_edges_move(code_of(own), pattern, at) != 0;
    return (span){-moved, moved};
}

/* One number is in `of`, and the sum of it and of one in `other` in `both`; 1: that left fewer. */
static int narrow(span *of, span other, span both)
{
    span before = *of;
    of->low = ll_most(of->low, both.low - other.high);
    of->high = ll_least(of->high, both.high - other.low);
    return of->low != before.low || of->high != before.high;
}

/* The least and the greatest values of all counts and shifts of a part; 0: there are none. */
static int solve(decoder *own, const ll_edges_part *p, span *sums, span *shifts)
{
    for (long q = 0; q < p->counts->queries; q++)
        sums[q] = own->tried[p->first + q * p->patterns];
    for (long r = 0; r < p->patterns; r++)
        shifts[r] = any_shift(own, p, r);
    for (int fewer = 1; fewer;) {
        fewer = 0;
        for (long q = 0; q < p->counts->queries; q++)
            for (long r = 0; r < p->patterns; r++) {
                span both = own->tried[p->first + q * p->patterns + r];
                fewer |= narrow(&shifts[r], sums[q], both);
                fewer |= narrow(&sums[q], shifts[r], both);
                if (shifts[r].low > shifts[r].high || sums[q].low > sums[q].high)
                    return 0;
            }
    }
    return 1;
}

/* ---- labels ---- */

/* What the rows that move add in that pattern to what they add in pattern 0. */
static int64_t shift_of(const decoder *own, const int32_t *labels, int part, long pattern, long moving)
{
    const ll_code *code = code_of(own);
    int64_t shift = 0;
    for (long at = 0; at < moving; at++) {
        int32_t label = labels[part == 0 ? code->rows - 1 - at : at];
        shift += (label == ll_edges_move(code, pattern, at)) - (label == 0);
    }
    return shift;
}

/* Is there a shift for every pattern that explains all scores of the part, and is it that of the labels, where all are
 * read? */
static int explains(const decoder *own, const ll_edges_part *p, int part, const int64_t *sums, const int32_t *labels)
{
    for (long r = 0; r < p->patterns; r++) {
        span left = any_shift(own, p, r);
        if (code_of(own)->counted == 0)
            left.low = left.high = shift_of(own, labels, part, r, p->moving);
        for (long q = 0; q < p->counts->queries; q++)
            (void)narrow(&left, (span){sums[q], sums[q]}, own->tried[p->first + q * p->patterns + r]);
        if (left.low > left.high)
            return 0;
    }
    return 1;
}

/* The labels of all parts join: those of the second are numbered from the last row. */
static void put_together(decoder *own, const ll_edges_part *second)
{
    const ll_code *code = code_of(own);
    int32_t *labels = own->parts[0].labels;
    for (long at = 0; second->counts != NULL && at < second->moving; at++)
        labels[code->rows - 1 - at] = own->parts[1].labels[at];
}

static int explains_all(const decoder *own, const ll_edges_part *parts, const ll_case *c)
{
    const int64_t *picked = own->picked;
    if (!has_terms(own) && !ll_case_counts(c, own->parts[0].labels, code_of(own)))
        return 0;
    for (int part = 0; part < LL_EDGES_PARTS && parts[part].counts != NULL; part++) {
        if (!explains(own, &parts[part], part, picked, own->parts[0].labels))
            return 0;
        picked += parts[part].counts->queries;
    }
    return 1;
}

/* The counts that were picked, decoded; what explains all scores joins what was found before. */
static ll_status decode(decoder *own, const ll_edges_part *parts, const ll_case *c, ll_decoded *out, ll_error *error)
{
    const ll_code *code = code_of(own);
    const int64_t *picked = own->picked;
    for (int part = 0; part < LL_EDGES_PARTS && parts[part].counts != NULL; part++) {
        ll_status status = ll_code_decode_levels(parts[part].counts, &own->parts[part], picked, error);
        if (status != LL_OK || own->parts[part].count != 1)
            return status;
        picked += parts[part].counts->queries;
    }
    put_together(own, &parts[1]);
    if (!explains_all(own, parts, c))
        return LL_OK;
    ll_decoded_set_unique(&own->parts[0], code->rows, code->classes);
    ll_decoded_open_counted(code, &own->parts[0]);
    ll_decoded_join(out, &own->parts[0], code->rows, code->classes);
    return LL_OK;
}

static int64_t count_steps(const decoder *own, span s)
{
    return (s.high - s.low) / (own->common.plan->classes == 2 ? 2 : 1) + 1;
}

static int64_t count_ways(const decoder *own, long queries)
{
    int64_t ways = 1;
    for (long q = 0; q < queries && ways <= MOST_WAYS; q++)
        ways *= ll_least(count_steps(own, own->sums[q]), MOST_WAYS + 1);
    return ways;
}

static void pick(decoder *own, long queries, int64_t way)
{
    for (long q = 0; q < queries; q++) {
        int64_t steps = count_steps(own, own->sums[q]);
        own->picked[q] = own->sums[q].low + way % steps * (own->common.plan->classes == 2 ? 2 : 1);
        way /= steps;
    }
}

/* *open: more ways than are decoded. */
static ll_status try_case(decoder *own, const ll_case *c, int parity, ll_decoded *out, int *open, ll_error *error)
{
    ll_edges_part parts[LL_EDGES_PARTS];
    ll_status status = LL_OK;
    long queries = 0, patterns = 0;
    if (!find_spans(own, c, parity))
        return LL_OK;
    for (int part = 0; part < LL_EDGES_PARTS; part++) {
        ll_edges_get_part(code_of(own), part, &parts[part]);
        if (parts[part].counts == NULL)
            continue;
        if (!solve(own, &parts[part], own->sums + queries, own->shifts + patterns))
            return LL_OK;
        queries += parts[part].counts->queries;
        patterns += parts[part].patterns;
    }
    int64_t ways = count_ways(own, queries);
    *open = (own->ways += (long)ways) > MOST_WAYS;
    for (int64_t way = 0; way < ways && !*open && status == LL_OK; way++) {
        pick(own, queries, way);
        status = decode(own, parts, c, out, error);
    }
    return status;
}

/* ---- all suppositions ---- */

static ll_status close_block(ll_decoder *d, ll_decoded *out, ll_error *error)
{
    decoder *own = (decoder *)d;
    const ll_plan *plan = d->plan;
    ll_case c;
    int open = 0, more = ll_case_first(&c, plan);
    int is_even = plan->classes == 2 && (has_terms(own) || c.is_matches);
    ll_status status = LL_OK;
    ll_decoded_set_none(out, plan->rows, plan->classes);
    while (more && !open && status == LL_OK) {
        for (int parity = is_even ? 0 : -1; parity <= (is_even ? 1 : -1) && !open && status == LL_OK; parity++)
            status = try_case(own, &c, parity, out, &open, error);
        more = !has_terms(own) && ll_case_next(&c);
    }
    if (open)
        ll_decoded_set_open(out, plan->rows, plan->classes);
    arb_indeterminate(d->missing);
    ll_case_clear(&c);
    return status;
}

static const ll_strategy strategy = {
    .name = "edges",
    .proof = "edges.md",
    .whole = LL_ASKS_ALL,
    .reads_first = 1,
    .reads_noise = 1,
    .plan = ll_edges_plan,
    .writer = &ll_writer_labels,
    .decoder_size = sizeof(decoder),
    .keeps_numbers = 1,
    .begin = begin,
    .end = end,
    .keep = keep,
    .close = close_block,
    LL_PLANS_BLOCKS,
};

const ll_candidate ll_candidate_edges = {.code = &ll_code_edges, .rank = 2, .strategy = &strategy};
