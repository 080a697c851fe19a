/* Metrics of counts over a hidden public split, all rows predicted alike but one a query
 * (docs/proofs/public.md).
 *
 * Of a part of s rows, P of them of class 1, a query has one of three numbers: that of the flipped row's state, label
 * 0, label 1 or absent; query 0, which flips none, that of an absent one. Every (s, P) that is possible is tried. For
 * each, a row's number leaves some states, and P rows must have label 1, s - P label 0, the others be absent: rows that
 * have the same states left are alike, so what can be is told by counting them (Hall). What is left over all (s, P) is
 * all that explains the scores. */
#include "decode/decoder.h"
#include "strategy/common/counts_case.h"

#include "metric/view.h"
#include "strategy/common/writers.h"
#include "strategy/flip/flip.h"

#include <math.h>
#include <stdlib.h>

enum { STATES = 3, ABSENT = 2, SETS = 1 << STATES };

typedef struct {
    ll_decoder common;
    double *lows, *highs; /* the same, widened */
    int base;             /* what rows are predicted that are not flipped */
    unsigned char *left;  /* [row]: the set of states that its number leaves, of the pair that is tried */
} decoder;

/* A size and a number of rows of class 1 that are supposed. */
typedef struct {
    int64_t size, positives;
    double natives[STATES]; /* NaN: the program makes no number of it */
    ll_worked worked[STATES];
} pair;

static int init(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    size_t queries = (size_t)ll_plan_distinct(d->plan);
    own->lows = calloc(queries, sizeof *own->lows);
    own->highs = calloc(queries, sizeof *own->highs);
    own->left = calloc((size_t)d->plan->rows, 1);
    own->base = !ll_code_is_variant(d->plan->state->code, LL_FLIP_ZEROS);
    return own->lows && own->highs && own->left;
}

static void clear(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    free(own->lows);
    free(own->highs);
    free(own->left);
}

static ll_status keep(ll_decoder *d, const arb_t released, ll_error *error)
{
    decoder *own = (decoder *)d;
    long q = ll_decoder_query(d);
    (void)released;
    (void)error;
    ll_case_widen(&own->lows[q], &own->highs[q], d->numbers + q);
    return LL_OK;
}

/* ---- one pair ---- */

/* Is there such a state at all, and does the program make a number of it? */
static int work(const decoder *own, pair *p, int state, const ll_work *how)
{
    ll_two two = {.positives = p->positives, .rows = p->size};
    int64_t rows[STATES] = {p->size - p->positives, p->positives, own->common.plan->rows - p->size};
    ll_two_flip(&two, own->base, state);
    return (rows[state] > 0 || state == ABSENT) && /* query 0 is as if an absent row were flipped */
           ll_score_two(own->common.plan->scoring.how, how, &p->worked[state], &two) == LL_OK;
}

static void work_doubles(const decoder *own, pair *p, int state)
{
    static const ll_work doubles = {LL_WORK_DOUBLES, 0};
    p->natives[state] = work(own, p, state, &doubles) ? p->worked[state].native : (double)NAN;
}

static int is_near(const decoder *own, const pair *p, int state, long q)
{
    return p->natives[state] >= own->lows[q] && p->natives[state] <= own->highs[q];
}

/* Doubles first, since most pairs end there: 0 where some row has no state left. */
static int leave_near(const decoder *own, pair *p)
{
    work_doubles(own, p, ABSENT);
    if (!is_near(own, p, ABSENT, 0))
        return 0;
    for (int state = 0; state < ABSENT; state++)
        work_doubles(own, p, state);
    for (long i = 0; i < own->common.plan->rows; i++) {
        own->left[i] = 0;
        for (int state = 0; state < STATES; state++)
            own->left[i] |= (unsigned char)(is_near(own, p, state, i + 1) << state);
        if (own->left[i] == 0)
            return 0;
    }
    return 1;
}

/* Then balls, which decide. */
static int leave_proved(const decoder *own, pair *p)
{
    const ll_plan *plan = own->common.plan;
    const ll_work balls = ll_view_work(plan->scoring.how, plan->prec);
    int has[STATES];
    for (int state = 0; state < STATES; state++)
        has[state] = work(own, p, state, &balls);
    if (!has[ABSENT] || !arb_overlaps(p->worked[ABSENT].ball, own->common.numbers))
        return 0;
    for (long i = 0; i < plan->rows; i++) {
        for (int state = 0; state < STATES; state++)
            if (!has[state] || !arb_overlaps(p->worked[state].ball, own->common.numbers + i + 1))
                own->left[i] &= (unsigned char)~(1 << state);
        if (own->left[i] == 0)
            return 0;
    }
    return 1;
}

/* rows[set]: how many rows have just these states left. Can every one be given one of them, so that each state has as
 * many rows as the pair says? Just if no set of states is all that is left of more rows than its states have. */
static int is_possible(const decoder *own, const pair *p, const int64_t *rows)
{
    const int64_t wanted[STATES] = {p->size - p->positives, p->positives, own->common.plan->rows - p->size};
    for (int set = 0; set < SETS; set++) {
        int64_t room = 0, confined = 0;
        for (int state = 0; state < STATES; state++)
            room += (set >> state & 1) != 0 ? wanted[state] : 0;
        for (int within = 0; within < SETS; within++)
            confined += (within & ~set) == 0 ? rows[within] : 0;
        if (confined > room)
            return 0;
    }
    return 1;
}

/* can[set]: of the states left of a row, those that it has in some way to give all rows theirs. */
static void find_possible(const decoder *own, const pair *p, unsigned char *can)
{
    int64_t rows[SETS] = {0};
    for (long i = 0; i < own->common.plan->rows; i++)
        rows[own->left[i]]++;
    for (int set = 1; set < SETS; set++)
        for (int state = 0; state < STATES && rows[set] > 0; state++) {
            if ((set >> state & 1) == 0)
                continue;
            rows[set]--;
            rows[1 << state]++;
            can[set] |= (unsigned char)(is_possible(own, p, rows) << state);
            rows[1 << state]--;
            rows[set]++;
        }
}

/* The states of all ways join those that were found before. */
static void try_pair(decoder *own, pair *p, ll_decoded *out)
{
    const ll_plan *plan = own->common.plan;
    unsigned char can[SETS] = {0};
    if (!leave_near(own, p) || !leave_proved(own, p))
        return;
    find_possible(own, p, can);
    for (long i = 0; i < plan->rows; i++)
        for (int state = 0; state < STATES; state++)
            if ((can[own->left[i]] >> state & 1) != 0)
                out->candidates[i * plan->classes + state] = 1;
}

/* ---- all pairs ---- */

/* Labels from candidates: none, one or several. */
static void close_rows(ll_decoded *out, long rows)
{
    out->count = 1;
    for (long i = 0; i < rows; i++) {
        int found = 0;
        for (int state = 0; state < STATES; state++)
            if (out->candidates[i * STATES + state] != 0) {
                found++;
                out->labels[i] = state;
            }
        if (found != 1)
            out->labels[i] = -1;
        out->count = found == 0 ? 0 : found > 1 ? 2 : out->count;
    }
}

static ll_status close_block(ll_decoder *d, ll_decoded *out, ll_error *error)
{
    const ll_plan *plan = d->plan;
    pair p;
    (void)error;
    for (int state = 0; state < STATES; state++)
        ll_worked_init(&p.worked[state]);
    ll_decoded_set_none(out, plan->rows, plan->classes);
    for (p.size = plan->scorer->counted_least; p.size <= plan->scorer->counted_most; p.size++)
        for (p.positives = 0; p.positives <= p.size; p.positives++)
            try_pair((decoder *)d, &p, out);
    close_rows(out, plan->rows);
    arb_indeterminate(d->missing);
    for (int state = 0; state < STATES; state++)
        ll_worked_clear(&p.worked[state]);
    return LL_OK;
}

static const ll_strategy strategy = {
    .name = "flip",
    .proof = "public.md",
    .takes = LL_TAKES_PUBLIC_COUNTS,
    .whole = LL_ASKS_ALL,
    .plan = ll_flip_plan,
    .writer = &ll_writer_labels,
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
    return scorer->is_part && ll_metric_is_counts(scorer->computation.metric);
}

const ll_candidate ll_candidate_flip = {.code = &ll_code_flip, .rank = 1, .claims = claims, .strategy = &strategy};
