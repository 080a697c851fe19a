/* Metrics of counts and ranks, asked with predictions that are labels (docs/proofs/counts.md).
 *
 * Two classes: for given numbers of rows of class 1, P, and of rows predicted 1, m, the metric's number is a function
 * of one integer more, the true positives TP, which falls at first and then rises (most only rise). P is the same in
 * all queries and not known: every P that is possible is tried. For each, a query's number leaves some TP, most often
 * none or one; TP is the code's sum of matches, N - m - P + 2 TP; the code reads the labels, and their number of class
 * 1 must be P. What is left over all P is all that explains the scores: just one labelling is a proof.
 *
 * Where the number depends on the matches alone, or the counts are known and the rest follows from them, the integer is
 * the number of matches itself, and there is one case to try. */
#include "strategy/common/decode_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Labellings that are tried, and the rows of all of them. */
enum { MOST_SUMS = 16, MOST_TRIES = 1 << 14, FEWEST_TRIES = 1 << 8, MOST_TRIED = 1 << 29 };
typedef ll_counts_decoder decoder;

int ll_counts_begin(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    size_t queries = (size_t)ll_plan_distinct(d->plan);
    if (d->observed != NULL)
        own->observed = _arb_vec_init((slong)queries * ll_scorer_count_numbers(d->plan->answer));
    own->lows = calloc(queries, sizeof *own->lows);
    own->highs = calloc(queries, sizeof *own->highs);
    own->asked = calloc(queries, sizeof *own->asked);
    own->sums = calloc(queries * MOST_SUMS, sizeof *own->sums);
    own->left = calloc(queries, sizeof *own->left);
    own->picked = calloc(queries, sizeof *own->picked);
    return own->lows && own->highs && own->asked && own->sums && own->left && own->picked;
}

void ll_counts_end(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    long queries = ll_plan_distinct(d->plan);
    if (own->observed != NULL)
        _arb_vec_clear(own->observed, queries * ll_scorer_count_numbers(d->plan->answer));
    for (long q = 0; own->asked != NULL && q < queries; q++)
        ll_case_query_clear(&own->asked[q]);
    free(own->lows);
    free(own->highs);
    free(own->asked);
    free(own->sums);
    free(own->left);
    free(own->picked);
}

/* What all numbers of the answer to a query say; NULL: there is one. */
static arb_ptr known_of(const decoder *own, long q)
{
    return own->observed != NULL ? own->observed + q * ll_scorer_count_numbers(own->common.plan->answer) : NULL;
}

ll_status ll_counts_keep(ll_decoder *d, const arb_t released, ll_error *error)
{
    decoder *own = (decoder *)d;
    long q = ll_decoder_query(d);
    (void)released;
    ll_status status = ll_case_ask(d->plan, &own->asked[q], ll_plan_code(d->plan, d->query), error);
    if (status != LL_OK)
        return status;
    if (own->observed != NULL)
        _arb_vec_set(known_of(own, q), d->observed, ll_scorer_count_numbers(d->plan->answer));
    ll_case_widen(&own->lows[q], &own->highs[q], d->numbers + q);
    return LL_OK;
}

/* ---- the integers that a query's number leaves ---- */

/* One more, if the program's number of t may be the one that was read. */
static void offer(decoder *own, const ll_case *c, long q, int64_t t)
{
    if (own->left[q] > MOST_SUMS || !ll_case_explains(c, &own->asked[q], t, own->common.numbers + q) ||
        !ll_case_explains_others(c, &own->asked[q], t, known_of(own, q)))
        return;
    if (own->left[q] < MOST_SUMS)
        own->sums[q * MOST_SUMS + own->left[q]] = ll_case_sum(c, &own->asked[q], t);
    own->left[q]++;
}

/* left[q]: 0, or up to MOST_SUMS, or more: too many to list. */
static void find_left(decoder *own, const ll_case *c, long q)
{
    const ll_case_query *asked = &own->asked[q];
    int64_t from, to;
    own->left[q] = 0;
    if (!ll_case_range(c, asked, own->lows[q], own->highs[q], &from, &to))
        return;
    if (ll_case_is_ranged(c)) {
        for (int64_t t = from; t <= to && t - from <= MOST_SUMS && own->left[q] <= MOST_SUMS; t++)
            offer(own, c, q, t);
        if (to - from > MOST_SUMS)
            own->left[q] = MOST_SUMS + 1;
        return;
    }
    ll_case_runs runs;
    ll_case_find(c, asked, own->lows[q], own->highs[q], from, to, &runs);
    for (int i = 0; i < 2; i++)
        for (int64_t t = runs.from[i]; t <= runs.to[i] && own->left[q] <= MOST_SUMS; t++)
            offer(own, c, q, t);
}

/* ---- one case ---- */

/* All ways to pick one of what is left in every query, as long as they are few: 0 where they are not. */
static int count_ways(const decoder *own, long first, long queries, long *ways)
{
    *ways = 1;
    for (long q = first; q < first + queries; q++) {
        if (own->left[q] > MOST_SUMS)
            return 0;
        *ways *= own->left[q];
        if (*ways > MOST_TRIES)
            return 0;
    }
    return 1;
}

static void pick(decoder *own, long first, long queries, long way)
{
    for (long q = first; q < first + queries; q++) {
        own->picked[q] = own->sums[q * MOST_SUMS + way % own->left[q]];
        way /= own->left[q];
    }
}

static ll_status try_ways(decoder *own, const ll_case *c, ll_decoded *out, ll_decoded *one, const ll_code *code,
                          long first, long ways, ll_error *error)
{
    ll_status status = LL_OK;
    for (long way = 0; way < ways && status == LL_OK; way++) {
        pick(own, first, code->queries, way);
        own->tries++;
        status = ll_code_decode_levels(code, one, own->picked + first, error);
        if (status != LL_OK || one->count != 1 || !ll_case_counts(c, one->labels, code))
            continue;
        ll_decoded_open_counted(code, one);
        ll_decoded_join(out, one, code->rows, code->classes);
    }
    return status;
}

/* In doubles, which end most cases: may every query have some integer? */
static int has_ranges(const decoder *own, const ll_case *c, long first, long queries)
{
    int64_t from, to;
    for (long q = first; ll_case_is_ranged(c) && q < first + queries; q++)
        if (!ll_case_range(c, &own->asked[q], own->lows[q], own->highs[q], &from, &to))
            return 0;
    return 1;
}

static long most_tries(long rows)
{
    return (long)fmax(FEWEST_TRIES, fmin(MOST_TRIES, (double)MOST_TRIED / (double)rows));
}

/* The labellings of one case join those that were found before. *open: there are too many to list. */
static ll_status try_case(decoder *own, const ll_case *c, ll_decoded *out, ll_decoded *one, const ll_code *code,
                          int *open, ll_error *error)
{
    long first = ll_decoder_first_query(&own->common), ways = 0;
    if (!has_ranges(own, c, first, code->queries))
        return LL_OK;
    for (long q = first; q < first + code->queries; q++) {
        find_left(own, c, q);
        if (own->left[q] == 0)
            return LL_OK;
    }
    *open = !count_ways(own, first, code->queries, &ways) || own->tries + ways > most_tries(code->rows);
    return *open ? LL_OK : try_ways(own, c, out, one, code, first, ways, error);
}

/* Whatever else is found, no label is excluded any more. */
static int is_full(const ll_decoded *out, const ll_code *code)
{
    return out->count > 1 && memchr(out->candidates, 0, (size_t)(code->rows * code->classes)) == NULL;
}

ll_status ll_counts_close(ll_decoder *d, ll_decoded *out, ll_error *error)
{
    decoder *own = (decoder *)d;
    const ll_code *code = ll_plan_code(d->plan, d->query);
    ll_decoded one;
    ll_case c;
    int open = 0;
    if (ll_decoded_init(&one, code->rows, code->classes) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for a block's labels");
    ll_decoded_set_none(out, code->rows, code->classes);
    ll_status status = LL_OK;
    for (int more = ll_case_first(&c, d->plan); more && !open && !is_full(out, code) && status == LL_OK;
         more = ll_case_next(&c))
        status = try_case(own, &c, out, &one, code, &open, error);
    if (open)
        ll_decoded_set_open(out, code->rows, code->classes);
    arb_indeterminate(d->missing);
    ll_case_clear(&c);
    ll_decoded_clear(&one);
    return status;
}
