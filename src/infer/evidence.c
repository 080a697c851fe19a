/* Collecting scores: what every label of every row would add, in the scorer's own arithmetic. */
#include "infer/evidence.h"

#include "number/memory.h"
#include "number/whole.h"
#include "scorer/reading.h"
#include "scorer/several.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CELLS (1L << 22)

static ll_status check_scorer(const ll_evidence *e, ll_error *error)
{
    const ll_scorer *s = e->scorer;
    if (s->rows < 1)
        return ll_fail(error, LL_DOMAIN, "the number of rows must be known, at least 1");
    if (s->classes < 2)
        return ll_fail(error, LL_DOMAIN, "the number of classes must be known, at least 2");
    if (!ll_release_is_bounded(&s->release))
        return ll_fail(error, LL_DOMAIN,
                       "no labelling can be excluded under unbounded noise; give a bound: noise bounded:TAU");
    if (ll_release_is_history(&s->release) && !ll_release_has_levels(&s->release))
        return ll_fail(error, LL_DOMAIN, "answers of the Ladder are not scores of these predictions alone");
    if (s->computation.is_weighted && e->has_terms && !s->computation.knows_total)
        return ll_fail(error, LL_DOMAIN,
                       "class-weights: what a score is divided by follows from the class counts; tell them: counts");
    if (s->classes > LL_LISTED_CLASSES)
        return ll_scorer_need_list(s, "an inference", error);
    if (s->rows > MOST_CELLS / s->classes)
        return ll_fail(error, LL_UNABLE, "%ld rows of %ld classes are over the budget of %ld labels to weigh", s->rows,
                       s->classes, MOST_CELLS);
    return LL_OK;
}

/* Is a part this way's own, and not one that it shares with an earlier way? */
static int is_own(const ll_evidence *e, long way, long p)
{
    return way < ll_reading_ways(ll_scorer_get_number(e->scorer, p));
}

static ll_status make_part(ll_evidence *e, long way, long p, ll_error *error)
{
    const ll_scorer *number = ll_scorer_get_number(e->scorer, p);
    ll_evidence **part = &e->parts[way * e->part_count + p];
    if (is_own(e, way, p))
        return ll_evidence_create(part, number, error);
    *part = e->parts[way % ll_reading_ways(number) * e->part_count + p];
    return LL_OK;
}

/* One for each number of an answer, where there are several, in all ways in which it may read classes. */
static ll_status make_parts(ll_evidence *e, ll_error *error)
{
    long count = ll_scorer_count_numbers(e->scorer), ways = 1;
    ll_status status = LL_OK;
    for (long p = 0; p < count; p++)
        ways = ll_most(ways, ll_reading_ways(ll_scorer_get_number(e->scorer, p)));
    if (count < 2)
        return LL_OK;
    e->parts = calloc((size_t)(count * ways), sizeof(ll_evidence *));
    if (e->parts == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld numbers", count);
    e->part_count = count;
    e->ways = ways;
    for (long i = 0; i < count * ways && status == LL_OK; i++)
        status = make_part(e, i / count, i % count, error);
    for (long w = 0; w < ways; w++)
        e->alike[w] = (1u << w) - 1;
    return status;
}

/* Ways that take a row for another class are no longer alike. */
static ll_status tell_ways(const ll_evidence *e, unsigned *alike, const ll_predictions *predictions, ll_error *error)
{
    ll_status status = LL_OK;
    for (long w = 1; w < e->ways; w++)
        for (long v = 0; v < w; v++)
            for (long p = 0; p < e->part_count && status == LL_OK && (alike[w] >> v & 1); p++) {
                int same = 1;
                status = ll_reading_compare(e->parts[p]->scorer, predictions, v, w, &same, error);
                alike[w] &= same ? ~0u : ~(1u << v);
            }
    return status;
}

ll_status ll_evidence_create(ll_evidence **out, const ll_scorer *scorer, ll_error *error)
{
    ll_status status = ll_scorer_need(scorer, error);
    if (status == LL_OK)
        status = ll_scorer_need_whole(scorer, "inference", error);
    if (status == LL_OK && scorer->groups != NULL)
        status = ll_fail(error, LL_DOMAIN, "inference from scores of groups is not modelled: infer from one at a time");
    if (status != LL_OK)
        return status;
    ll_evidence *e = calloc(1, sizeof *e);
    if (e == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for scores");
    e->scorer = ll_scorer_share(scorer);
    e->texts.is_shared = scorer->is_leaderboard;
    e->rows = scorer->rows;
    e->classes = scorer->classes;
    e->scoring = (ll_scoring){.how = &scorer->computation, .rows = e->rows, .classes = e->classes};
    e->has_terms = ll_metric_has_terms(scorer->computation.metric);
    status = check_scorer(e, error);
    if (status == LL_OK)
        status = make_parts(e, error);
    if (status != LL_OK)
        ll_evidence_destroy(e);
    else
        *out = e;
    return status;
}

void ll_observation_clear(ll_observation *o, long cells)
{
    if (o->terms != NULL)
        _arb_vec_clear(o->terms, cells);
    free(o->allowed);
    free(o->values);
    free(o->text);
    arb_clear(o->sum);
    arb_clear(o->noise);
    mag_clear(o->slope);
}

void ll_evidence_destroy(ll_evidence *e)
{
    if (e == NULL)
        return;
    for (long q = 0; q < e->count; q++)
        ll_observation_clear(e->observations + q, e->rows * e->classes);
    for (long w = e->ways - 1; w >= 0; w--)
        for (long p = 0; p < e->part_count; p++)
            if (is_own(e, w, p))
                ll_evidence_destroy(e->parts[w * e->part_count + p]);
    free(e->parts);
    free(e->observations);
    ll_scorer_leave(e->scorer);
    free(e);
}

/* ---- terms ---- */

typedef struct {
    const ll_evidence *evidence;
    const ll_predictions *predictions;
    ll_observation *out;
    ll_exact *scratch;
    const ll_exact **row;
} reading;

/* Entries that have no place in the loss are refused by their row. */
static ll_status check_row(reading *r, const ll_block *block, long i, long row, ll_error *error)
{
    const ll_scoring *scoring = &r->evidence->scoring;
    for (long j = 0; j < block->columns; j++) {
        r->row[j] = ll_rows_exact(&r->scratch[j], block, i * block->columns + j);
        ll_status status = ll_rows_check(scoring, r->predictions, r->row[j], row, error);
        if (status != LL_OK)
            return status;
    }
    if (!ll_rows_must_sum(scoring, block->columns))
        return LL_OK;
    return ll_rows_check_sum(scoring, r->predictions, ll_rows_sum(r->row, block->columns), row, error);
}

/* A label whose loss is not finite cannot be the true one: the score was finite. */
static ll_status find_terms(reading *r, const ll_block *block, long i, long row, ll_error *error)
{
    const ll_computation *how = r->evidence->scoring.how;
    long classes = r->evidence->classes, left = 0;
    for (long k = 0; k < classes; k++) {
        long cell = row * classes + k;
        ll_status status = ll_scoring_term(&r->evidence->scoring, r->out->terms + cell, block, i, k, error);
        if (status != LL_OK && status != LL_DOMAIN)
            return status;
        if (status == LL_OK)
            ll_computation_weigh(how, r->out->terms + cell, row, k, 320 + how->precision);
        r->out->allowed[cell] = status == LL_OK && arb_is_finite(r->out->terms + cell);
        left += r->out->allowed[cell];
    }
    if (left == 0)
        return ll_rows_fail(r->predictions, row, error, LL_DOMAIN, "the loss is infinite whatever the label");
    return LL_OK;
}

static ll_status visit(void *state, const ll_block *block, long first, ll_error *error)
{
    ll_status status = LL_OK;
    for (long i = 0; i < block->rows && status == LL_OK; i++) {
        status = check_row(state, block, i, first + i, error);
        if (status == LL_OK)
            status = find_terms(state, block, i, first + i, error);
    }
    return status;
}

static ll_status check_shape(const ll_evidence *e, const ll_predictions *predictions, ll_error *error)
{
    if (predictions->rows != e->rows)
        return ll_fail(error, LL_DOMAIN, "%ld rows of predictions, but the others have %ld", predictions->rows,
                       e->rows);
    return ll_computation_check_shape(e->scoring.how, predictions->columns, e->classes, error);
}

static ll_status read_terms(const ll_evidence *e, ll_observation *out, const ll_predictions *predictions,
                            ll_error *error)
{
    size_t columns = (size_t)predictions->columns;
    reading r = {.evidence = e, .predictions = predictions, .out = out};
    r.scratch = calloc(columns, sizeof *r.scratch); /* all-zero is an initialised ll_exact */
    r.row = calloc(columns, sizeof(const ll_exact *));
    ll_status status = r.scratch && r.row ? ll_rows_each(predictions, visit, &r, error)
                                          : ll_fail(error, LL_MEMORY, "no memory for rows of %zu columns", columns);
    for (size_t j = 0; r.scratch && j < columns; j++)
        ll_exact_clear(&r.scratch[j]);
    free(r.scratch);
    free(r.row);
    return status;
}

/* Error of the scorer's sum for terms of magnitude 1; it is linear in the magnitude. */
static void set_slope(const ll_evidence *e, mag_t out)
{
    mag_t one;
    mag_init(one);
    mag_one(one);
    ll_computation_sum_error(e->scoring.how, out, e->rows, one);
    mag_clear(one);
}

static int make_room(ll_evidence *e)
{
    ll_observation *grown = ll_grow(e->observations, &e->room, e->count, sizeof *grown);
    if (grown == NULL)
        return 0;
    e->observations = grown;
    return 1;
}

static ll_status read_text(const ll_evidence *e, ll_observation *o, ll_error *error)
{
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): ll_observation_clear frees o->text */
    return e->has_terms ? ll_evidence_read_score(e, o->sum, o->noise, o->text, error)
                        : ll_evidence_read_number(e, o->sum, o->text, error);
}

/* Put it behind the last observation, not counted yet; *is_known: an answer that says nothing of the score is not put
 * there. */
static ll_status observe(ll_evidence *e, int *is_known, const ll_predictions *predictions, const char *score,
                         ll_error *error)
{
    long cells = e->rows * e->classes;
    ll_status status = check_shape(e, predictions, error);
    if (status != LL_OK)
        return status;
    if (cells > MOST_CELLS / (e->count + 1))
        return ll_fail(error, LL_UNABLE,
                       "%ld scores of %ld rows of %ld classes are over the budget of %ld labels to weigh", e->count + 1,
                       e->rows, e->classes, MOST_CELLS);
    if (!make_room(e))
        return ll_fail(error, LL_MEMORY, "no memory for another score");
    ll_observation o = {.terms = _arb_vec_init(cells), .allowed = malloc((size_t)cells), .text = strdup(score)};
    arb_init(o.sum);
    arb_init(o.noise);
    mag_init(o.slope);
    if (o.allowed == NULL || o.text == NULL)
        status = ll_fail(error, LL_MEMORY, "no memory for %ld rows", e->rows);
    *is_known = 1;
    if (status == LL_OK)
        status = read_text(e, &o, error);
    if (status == LL_OK)
        status =
            e->has_terms ? read_terms(e, &o, predictions, error) : ll_evidence_read_view(e, &o, predictions, error);
    set_slope(e, o.slope);
    if (status == LL_OK && ll_release_has_levels(&e->scorer->release))
        *is_known = ll_evidence_widen_level(e, &o, score);
    if (status == LL_OK && *is_known)
        e->observations[e->count] = o;
    else
        ll_observation_clear(&o, cells);
    return status;
}

/* A text that is longer than all before it may vouch for these: they are read again, so that their order means nothing.
 * Only memory can end this, and what was read before stays right. */
static ll_status count_last(ll_evidence *e, int is_known, const char *score, ll_error *error)
{
    const long most = e->texts.most;
    ll_status status = LL_OK;
    ll_release_note(&e->scorer->release, &e->texts, score);
    for (long q = 0;
         q < e->count && status == LL_OK && e->texts.most > most && !ll_release_has_levels(&e->scorer->release); q++)
        status = read_text(e, &e->observations[q], error);
    e->count += is_known;
    return status;
}

/* One number's own part of the predictions, read in one way. */
static ll_status observe_part(ll_evidence *part, const ll_predictions *predictions, long way, const char *score,
                              ll_error *error)
{
    ll_reading_view view;
    ll_predictions read;
    ll_reading_view_init(&view, &read, part->scorer, predictions, way);
    int is_known; /* several numbers are not shown on levels */
    ll_status status = observe(part, &is_known, &read, score, error);
    ll_reading_view_clear(&view);
    return status;
}

/* All of them count or, where one is refused, none. */
static ll_status observe_parts(ll_evidence *e, const ll_predictions *predictions, const ll_answer *answer,
                               ll_error *error)
{
    long all = e->part_count * e->ways, observed = 0;
    ll_status status = LL_OK, again = LL_OK;
    for (; observed < all && status == LL_OK; observed += status == LL_OK) {
        long way = observed / e->part_count, p = observed % e->part_count;
        if (is_own(e, way, p))
            status = observe_part(e->parts[observed], predictions, way, answer->texts[p], error);
    }
    for (long i = 0; i < observed; i++) {
        ll_evidence *part = e->parts[i];
        if (!is_own(e, i / e->part_count, i % e->part_count))
            continue;
        if (status != LL_OK)
            ll_observation_clear(&part->observations[part->count], e->rows * e->classes);
        else if (count_last(part, 1, answer->texts[i % e->part_count], error) != LL_OK)
            again = LL_MEMORY;
    }
    return status == LL_OK ? again : status;
}

static ll_status add_parts(ll_evidence *e, const ll_predictions *predictions, const char *score, ll_error *error)
{
    ll_answer answer;
    unsigned alike[LL_MOST_WAYS];
    ll_status status = ll_answer_split(&answer, e->scorer, score, error);
    if (status != LL_OK)
        return status;
    memcpy(alike, e->alike, sizeof alike);
    status = tell_ways(e, alike, predictions, error);
    if (status == LL_OK)
        status = observe_parts(e, predictions, &answer, error);
    if (status == LL_OK || status == LL_MEMORY) /* it may count: fewer ways are alike for sure */
        memcpy(e->alike, alike, sizeof alike);
    ll_answer_clear(&answer);
    return status;
}

ll_status ll_evidence_add(ll_evidence *e, const ll_predictions *predictions, const char *score, ll_error *error)
{
    if (e->part_count > 0)
        return add_parts(e, predictions, score, error);
    int is_known;
    ll_status status = observe(e, &is_known, predictions, score, error);
    return status == LL_OK ? count_last(e, is_known, score, error) : status;
}
