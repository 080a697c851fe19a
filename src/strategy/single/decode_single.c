/* Metrics of counts whose rows have weights, one row a query predicted 1 (docs/proofs/weighed-counts.md).
 *
 * What is not known is P, the weight of the rows of class 1. Of an interval of P every query leaves the labels that its
 * number allows; where one leaves none, no P of the interval is the true one. Intervals are halved until every label is
 * told or the interval is short; what is left of all of them together is all that explains the scores. */
#include "decode/decoder.h"

#include "metric/counts/counting.h"
#include "metric/view.h"
#include "strategy/common/writers.h"
#include "strategy/single/single.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = 192, DEEPEST = 64, MOST_PIECES = 128, BOTH = 3 };

typedef struct {
    ll_decoder common;
    double least;  /* weight above 0 of a row */
    int has_zeros; /* some rows weigh 0 */
    long some;     /* rows that weigh more */
} decoder;

/* An interval of P, and what is left of the rows that are asked about. */
typedef struct {
    double low, high;
    unsigned char *labels; /* [query - 1]: bit k where label k is left */
} piece;

typedef struct {
    decoder *own;
    const ll_computation *how;
    ll_work work;
    ll_weighed scratch;
    ll_weighed_two two;
    ll_worked number;
    arb_t low, high, most, end; /* of the rest's weight of class 1; of all of the rest */
    ll_decoded *out;
} search;

static int init(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    const double *weights = d->plan->scoring.how->weights;
    own->least = INFINITY;
    for (long i = 0; i < d->plan->rows; i++) {
        own->has_zeros |= weights[i] == 0;
        own->some += weights[i] > 0;
        own->least = weights[i] > 0 ? fmin(own->least, weights[i]) : own->least;
    }
    return 1;
}

/* ---- one query, one label ---- */

/* May a program have got that number, s->two being what it scored? Where it may have got any: yes. */
static int explains(search *s, long query)
{
    ll_status status = ll_counts_score_weighed(s->how, &s->work, &s->number, &s->scratch, &s->two);
    return status == LL_UNABLE || (status == LL_OK && arb_overlaps(s->number.ball, s->own->common.numbers + query));
}

/* Class 0 shows where a row is predicted so, or has that label: of rows without weight that is not known. */
static int explains_seen(search *s, long query)
{
    const int *some = s->two.is_some;
    int sure = some[0] || some[1] || (query > 0 && s->two.rows > 1), fits = 0;
    s->two.seen[0] = s->two.seen[1] = 1;
    if (sure || s->own->has_zeros)
        fits = explains(s, query);
    s->two.seen[0] = 0;
    return fits || (!sure && explains(s, query));
}

/* The rest, rows that are all predicted `guess`, has that weight of class 1, and s->most in all. */
static int explains_rest(search *s, long query, int guess, const arb_t ones, int has_zeros, int has_ones)
{
    arb_struct *cells = s->two.cells;
    arb_set(&cells[2 + guess], ones);
    arb_sub(&cells[guess], s->most, ones, PREC);
    if (!has_zeros)
        arb_zero(&cells[guess]);
    s->two.is_some[guess] = has_zeros;
    s->two.is_some[2 + guess] = has_ones;
    return explains_seen(s, query);
}

/* The same for some weight of class 1 in s->low .. s->high: none, all, or something between, where a row that weighs is
 * of each class. */
static int explains_range(search *s, long query, int guess, long rows)
{
    arb_t ones;
    arb_init(ones);
    int fits = !arb_is_positive(s->low) && explains_rest(s, query, guess, ones, rows > 0, 0);
    if (!fits && rows > 0 && !arb_lt(s->high, s->most))
        fits = explains_rest(s, query, guess, s->most, 0, 1);
    if (!fits && rows > 1) {
        arb_set_d(ones, s->own->least);
        arb_sub(s->end, s->most, ones, PREC);
        if (!arb_lt(s->low, ones))
            arb_set(ones, s->low);
        if (!arb_gt(s->high, s->end))
            arb_set(s->end, s->high);
        if (!arb_gt(ones, s->end)) {
            arb_union(ones, ones, s->end, PREC);
            fits = explains_rest(s, query, guess, ones, 1, 1);
        }
    }
    arb_clear(ones);
    return fits;
}

/* Query 0: all rows are predicted 1. */
static int explains_all(search *s, const piece *p)
{
    for (int i = 0; i < 4; i++) {
        arb_zero(&s->two.cells[i]);
        s->two.is_some[i] = 0;
    }
    arb_set_d(s->low, p->low);
    arb_set_d(s->high, p->high);
    arb_set(s->most, s->how->weight_total);
    arb_zero(&s->two.predicted[0]);
    arb_set(&s->two.predicted[1], s->most);
    return explains_range(s, 0, 1, s->own->some);
}

/* Query q: one row is predicted 1, and has this label. */
static int explains_row(search *s, const piece *p, long query, int label)
{
    arb_t weight;
    arb_init(weight);
    arb_set_d(weight, s->how->weights[ll_single_row(s->own->common.plan->state->code, query)]);
    for (int k = 0; k < 2; k++) {
        s->two.is_some[k * 2 + 1] = k == label;
        arb_zero(&s->two.cells[k * 2 + 1]);
    }
    arb_set(&s->two.cells[label * 2 + 1], weight);
    arb_sub(s->most, s->how->weight_total, weight, PREC);
    arb_set(&s->two.predicted[0], s->most);
    arb_set(&s->two.predicted[1], weight);
    arb_set_d(s->low, p->low);
    arb_set_d(s->high, p->high);
    if (label == 1) {
        arb_sub(s->low, s->low, weight, PREC);
        arb_sub(s->high, s->high, weight, PREC);
    }
    int fits = !arb_is_negative(s->high) && !arb_gt(s->low, s->most) && explains_range(s, query, 0, s->own->some - 1);
    arb_clear(weight);
    return fits;
}

/* ---- intervals of P ---- */

static long asked_rows(const search *s)
{
    return s->own->common.plan->state->code->queries - 1;
}

/* Labels that the interval leaves, of those that a longer one left; 0: it is none of P. *open: labels that are not
 * told.
 */
static int leave(search *s, piece *p, long *open)
{
    *open = 0;
    if (!explains_all(s, p))
        return 0;
    for (long q = 1; q <= asked_rows(s); q++) {
        unsigned char *labels = &p->labels[q - 1];
        for (int k = 0; k < 2; k++)
            if ((*labels >> k & 1) != 0 && !explains_row(s, p, q, k))
                *labels &= (unsigned char)~(1 << k);
        if (*labels == 0)
            return 0;
        *open += *labels == BOTH;
    }
    return 1;
}

/* The weights of rows that have label 1, and of those that may: is some P of the interval between? */
static int adds_up(const search *s, const piece *p)
{
    const double *weights = s->how->weights;
    double total = arf_get_d(arb_midref(s->how->weight_total), ARF_RND_NEAR), spare = 1e-9 * total, sure = 0, never = 0;
    for (long q = 1; q <= asked_rows(s); q++) {
        double weight = weights[ll_single_row(s->own->common.plan->state->code, q)];
        sure += p->labels[q - 1] == 2 ? weight : 0;
        never += p->labels[q - 1] == 1 ? weight : 0;
    }
    return sure <= p->high + spare && total - never >= p->low - spare;
}

static void join(search *s, const piece *p)
{
    for (long q = 1; q <= asked_rows(s); q++)
        for (int k = 0; k < 2; k++)
            s->out->candidates[ll_single_row(s->own->common.plan->state->code, q) * 2 + k] |= p->labels[q - 1] >> k & 1;
}

/* The halves of a piece join the list; 0: it is too short to be halved. */
static int halve(piece *list, long *count, const piece *p, size_t rows)
{
    double middle = p->low + (p->high - p->low) / 2;
    const double ends[] = {p->low, middle, p->high};
    if (middle <= p->low || middle >= p->high)
        return 0;
    for (int i = 0; i < 2; i++, (*count)++) {
        list[*count].low = ends[i];
        list[*count].high = ends[i + 1];
        memcpy(list[*count].labels, p->labels, rows);
    }
    return 1;
}

/* Those of the list that are left move to its front; *known: they leave one label of each row, all the same. */
static long sift(search *s, piece *list, long count, size_t rows, int *known)
{
    long kept = 0, open = 0;
    *known = 1;
    for (long i = 0; i < count; i++) {
        if (!leave(s, &list[i], &open) || !adds_up(s, &list[i]))
            continue;
        const piece kept_one = list[i];
        list[i] = list[kept];
        list[kept++] = kept_one;
        *known = *known && open == 0 && memcmp(kept_one.labels, list[0].labels, rows) == 0;
    }
    return kept;
}

/* Intervals of one length, then their halves, until all of them agree; where there are too many halves, all that is
 * left of them. */
static void explore(search *s, piece *lists[2], size_t rows)
{
    long count = 1;
    for (int depth = 0; count > 0; depth++) {
        piece *now = lists[depth % 2], *next = lists[(depth + 1) % 2];
        int known = 0;
        long halves = 0, kept = sift(s, now, count, rows, &known);
        int is_last = known || depth == DEEPEST || kept > MOST_PIECES / 2;
        for (long i = 0; i < kept; i++)
            if (is_last || !halve(next, &halves, &now[i], rows))
                join(s, &now[i]);
        count = halves;
    }
}

/* ---- all of it ---- */

/* Labels from candidates; rows that no query asks about are open. */
static void close_rows(const search *s)
{
    const ll_plan *plan = s->own->common.plan;
    ll_decoded *out = s->out;
    out->count = 1;
    for (long i = 0, q = 1; i < plan->rows; i++) {
        unsigned char *can = out->candidates + i * 2;
        int is_asked = q <= asked_rows(s) && ll_single_row(plan->state->code, q) == i;
        q += is_asked;
        if (!is_asked)
            can[0] = can[1] = 1;
        out->labels[i] = can[0] + can[1] == 1 ? can[1] : -1;
        out->count = can[0] + can[1] == 0 || out->count == 0 ? 0 : can[0] + can[1] == 2 ? 2 : out->count;
    }
    if (out->count == 0)
        ll_decoded_set_none(out, plan->rows, plan->classes);
}

static ll_status search_all(search *s, ll_error *error)
{
    const ll_plan *plan = s->own->common.plan;
    size_t rows = (size_t)asked_rows(s);
    unsigned char *labels = malloc(rows * 2 * MOST_PIECES);
    piece *pieces = calloc((size_t)2 * MOST_PIECES, sizeof *pieces), *lists[] = {pieces, pieces + MOST_PIECES};
    ll_status status =
        labels != NULL && pieces != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for %zu rows", rows);
    if (status == LL_OK) {
        for (long i = 0; i < 2L * MOST_PIECES; i++)
            pieces[i].labels = labels + (size_t)i * rows;
        memset(labels, BOTH, rows);
        arb_get_ubound_arf(arb_midref(s->end), s->how->weight_total, PREC);
        pieces[0].high = arf_get_d(arb_midref(s->end), ARF_RND_CEIL);
        ll_decoded_set_none(s->out, plan->rows, plan->classes);
        explore(s, lists, rows);
        close_rows(s);
    }
    free(labels);
    free(pieces);
    return status;
}

static ll_status close_block(ll_decoder *d, ll_decoded *out, ll_error *error)
{
    const ll_plan *plan = d->plan;
    search s = {.own = (decoder *)d, .how = plan->scoring.how, .out = out};
    ll_status status = ll_weighed_init(&s.scratch, 2, 0, error);
    if (status != LL_OK)
        return status;
    s.work = ll_view_work(s.how, plan->prec);
    ll_worked_init(&s.number);
    ll_weighed_two_init(&s.two, plan->rows);
    arb_set(&s.two.total, s.how->weight_total);
    arb_struct *own[] = {s.low, s.high, s.most, s.end};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        arb_init(own[i]);
    status = search_all(&s, error);
    arb_indeterminate(d->missing);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        arb_clear(own[i]);
    ll_weighed_two_clear(&s.two);
    ll_worked_clear(&s.number);
    ll_weighed_clear(&s.scratch);
    return status;
}

static const ll_strategy strategy = {
    .name = "single",
    .proof = "weighed-counts.md",
    .takes = LL_TAKES_WEIGHTED_COUNTS,
    .whole = LL_ASKS_ALL,
    .plan = ll_single_plan,
    .writer = &ll_writer_labels,
    .decoder_size = sizeof(decoder),
    .keeps_numbers = 1,
    .begin = init,
    .close = close_block,
    LL_PLANS_BLOCKS,
};

static int claims(const ll_scorer *scorer)
{
    return scorer->computation.is_weighted && ll_metric_is_counts(scorer->computation.metric);
}

const ll_candidate ll_candidate_single = {.code = &ll_code_single, .rank = 1, .claims = claims, .strategy = &strategy};
