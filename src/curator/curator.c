/* A curator: a copy of the scorer and of the labels, and the loop from predictions to a released score. */
#include "curator/part.h"
#include "number/value.h"
#include "scorer/reading.h"
#include "scorer/sensitivity.h"
#include "scorer/several.h"

#include <stdlib.h>
#include <string.h>

/* An exact score is computed again with twice the bits while rounding or the Ladder is undecided, up to this many times
 * the first precision. */
#define MOST_DOUBLINGS 7

/* ---- create ---- */

/* Is what an answer has a matter of the classes, which nobody told? */
static int scorer_needs_classes(const ll_scorer *s)
{
    return s->classes == 0 && ll_metric_part_count(s->computation.metric, 2) > 1;
}

static ll_status check_labels(ll_curator *curator, const int32_t *labels, ll_error *error)
{
    long classes = curator->scorer->classes, n = curator->rows, last = classes ? classes - 1 : INT32_MAX;
    const ll_metric *metric = curator->scorer->computation.metric;
    uint32_t most = 0; /* a label below 0 is above all others here */
    if (n < 1)
        return ll_fail(error, LL_DOMAIN, "there are no labels");
    if (curator->scorer->rows && curator->scorer->rows != n)
        return ll_fail(error, LL_DOMAIN, "the scorer has %ld rows, but there are %ld labels", curator->scorer->rows, n);
    for (long i = 0; i < n; ++i)
        most = (uint32_t)labels[i] > most ? (uint32_t)labels[i] : most;
    for (long i = 0; (long)most > last; ++i)
        if ((uint32_t)labels[i] > last)
            return ll_fail(error, LL_DOMAIN, "row %ld: label %ld is not in 0 .. %ld", i, (long)labels[i], last);
    curator->scoring.classes = classes ? classes : most < 1 ? 2 : (long)most + 1;
    if (scorer_needs_classes(curator->scorer))
        return ll_fail(error, LL_DOMAIN, "%s is one number a class: set the classes", ll_metric_row(metric)->name);
    if (!ll_metric_takes_classes(metric, curator->scoring.classes))
        return ll_fail(error, LL_DOMAIN, "loss %s is for two classes, but there is a label %ld",
                       ll_metric_row(metric)->name, (long)most);
    return LL_OK;
}

static ll_status copy_labels(ll_curator *curator, const int32_t *labels, ll_error *error)
{
    ll_status status = check_labels(curator, labels, error);
    if (status != LL_OK)
        return status;
    curator->labels = malloc((size_t)curator->rows * sizeof *labels);
    if (!curator->labels)
        return ll_fail(error, LL_MEMORY, "no memory for %ld labels", curator->rows);
    memcpy(curator->labels, labels, (size_t)curator->rows * sizeof *labels);
    curator->scoring.labels = curator->labels;
    return LL_OK;
}

/* Every number has noise of its own. */
static ll_status create_states(ll_curator *curator, uint64_t seed, ll_error *error)
{
    long count = ll_scorer_count_numbers(curator->scorer);
    curator->states = calloc((size_t)count, sizeof *curator->states);
    if (curator->states == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a curator");
    for (long i = 0; i < count; i++) {
        curator->states[i].seed = seed + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);
        ll_ladder_init(&curator->states[i].ladder);
    }
    return LL_OK;
}

static void clear_states(ll_curator *curator)
{
    for (long i = 0; curator->states != NULL && i < ll_scorer_count_numbers(curator->scorer); i++)
        ll_ladder_clear(&curator->states[i].ladder);
    free(curator->states);
}

ll_status ll_curator_create_seeded(ll_curator **out, const ll_scorer *scorer, const int32_t *labels, long n,
                                   uint64_t seed, ll_error *error)
{
    ll_curator *curator = calloc(1, sizeof *curator);
    if (!curator)
        return ll_fail(error, LL_MEMORY, "no memory for a curator");
    curator->scorer = ll_scorer_share(scorer);
    curator->scoring = (ll_scoring){.how = &scorer->computation, .rows = n};
    curator->rows = n;
    ll_status status = create_states(curator, seed, error);
    if (status == LL_OK)
        status = copy_labels(curator, labels, error);
    if (status == LL_OK)
        status = ll_part_draw(curator, seed, error);
    if (status != LL_OK)
        ll_curator_destroy(curator);
    else
        *out = curator;
    return status;
}

ll_status ll_curator_create(ll_curator **out, const ll_scorer *scorer, const int32_t *labels, long n, ll_error *error)
{
    ll_status status = ll_scorer_need(scorer, error);
    return status == LL_OK ? ll_curator_create_seeded(out, scorer, labels, n, scorer->seed, error) : status;
}

void ll_curator_destroy(ll_curator *curator)
{
    if (!curator)
        return;
    clear_states(curator);
    ll_scorer_leave(curator->scorer);
    free(curator->labels);
    free(curator->part);
    free(curator->part_labels);
    free(curator);
}

/* ---- score ---- */

static ll_status check_shape(const ll_curator *curator, const ll_predictions *predictions, ll_error *error)
{
    if (predictions->rows != curator->rows)
        return ll_fail(error, LL_DOMAIN, "there are %ld rows of predictions for %ld labels", predictions->rows,
                       curator->rows);
    return ll_computation_check_shape(curator->scoring.how, predictions->columns, curator->scoring.classes, error);
}

/* One number of the answer. */
typedef struct {
    ll_curator *curator;
    const ll_scorer *scorer;
    ll_scoring scoring;
    ll_release_state *state;
} number;

static ll_status score_once(number *n, ll_score *out, const ll_predictions *predictions, slong bits, int *undecided,
                            ll_error *error)
{
    ll_unreleased unreleased;
    ll_unreleased_init(&unreleased);
    *undecided = 0;
    ll_status status = LL_OK;
    if (ll_release_follows_spread(&n->scorer->release)) /* first: it refuses whatever the labels are */
        status = ll_scorer_get_spread(n->scorer, &n->scoring, &unreleased.spread, predictions, error);
    if (status == LL_OK)
        status = ll_score_any(&n->scoring, &unreleased, predictions, bits, error);
    if (status == LL_OK)
        status = ll_release_forward(&n->scorer->release, n->state, out, &unreleased, bits, undecided, error);
    if (status == LL_DOMAIN && ll_release_has_levels(&n->scorer->release)) /* that it fails is not shown */
        status = ll_release_stay(&n->scorer->release, n->state, out, error);
    ll_unreleased_clear(&unreleased);
    return status;
}

static ll_status score_decided(number *n, ll_score *out, const ll_predictions *predictions, ll_error *error)
{
    int undecided = 0;
    slong bits = n->scorer->computation.precision + 16; /* percent and Ladder lose a few */
    ll_status status = LL_UNABLE;
    n->state->answered = n->curator->answered;
    for (int doublings = 0; doublings <= MOST_DOUBLINGS; ++doublings, bits *= 2) {
        status = score_once(n, out, predictions, bits, &undecided, error);
        if (!undecided)
            return status;
    }
    return ll_fail(error, LL_UNABLE,
                   "the score is too close to a boundary of the rounding: undecided with an error of 2^-%ld",
                   (long)bits / 2);
}

/* The rows of one group alone. */
static ll_status score_group(number *n, ll_score *out, const ll_predictions *predictions, ll_error *error)
{
    long rows = n->scorer->rows;
    ll_part_view view;
    ll_predictions own;
    int32_t *labels = malloc((size_t)rows * sizeof *labels);
    if (labels == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld labels", rows);
    for (long i = 0; i < rows; i++)
        labels[i] = n->curator->labels[n->scorer->own_rows[i]];
    n->scoring.labels = labels;
    n->scoring.rows = rows;
    ll_part_view_init(&view, &own, n->scorer->own_rows, rows, predictions);
    ll_status status = score_decided(n, out, &own, error);
    ll_part_view_clear(&view);
    free(labels);
    return status;
}

static ll_status score_in_way(ll_curator *curator, long index, ll_score *out, const ll_predictions *predictions,
                              long way, ll_error *error)
{
    number n = {curator, ll_scorer_get_number(curator->scorer, index), curator->scoring, &curator->states[index]};
    ll_reading_view view;
    ll_predictions read;
    n.scoring.how = &n.scorer->computation;
    if (n.scorer->own_rows != NULL)
        return score_group(&n, out, predictions, error);
    ll_reading_view_init(&view, &read, n.scorer, predictions, way);
    ll_status status = ll_computation_check_shape(n.scoring.how, read.columns, n.scoring.classes, error);
    if (status == LL_OK)
        status = score_decided(&n, out, &read, error);
    ll_reading_view_clear(&view);
    return status;
}

/* *end moves to `other` where that is beyond it: below for sign -1, above for 1. */
static void widen_end(char **end, char **other, int sign)
{
    ll_exact a, b;
    ll_exact_init(&a);
    ll_exact_init(&b);
    int known = *end != NULL && *other != NULL && ll_exact_set_text(&a, *end, strlen(*end)) == LL_OK &&
                ll_exact_set_text(&b, *other, strlen(*other)) == LL_OK;
    if (known && sign * ll_exact_cmp(&b, &a) > 0) {
        char *kept = *end;
        *end = *other;
        *other = kept;
    }
    ll_exact_clear(&a);
    ll_exact_clear(&b);
}

/* One number, whose interval holds what every way to read classes gives: the text is that of the first. */
static ll_status score_number(ll_curator *curator, long index, ll_score *out, const ll_predictions *predictions,
                              ll_error *error)
{
    const ll_scorer *scorer = ll_scorer_get_number(curator->scorer, index);
    ll_status status = score_in_way(curator, index, out, predictions, 0, error);
    for (long way = 1; way < ll_reading_ways(scorer) && status == LL_OK; way++) {
        ll_score other;
        int same = 1;
        ll_score_init(&other);
        status = ll_reading_compare(scorer, predictions, 0, way, &same, error);
        if (status == LL_OK && !same && score_in_way(curator, index, &other, predictions, way, NULL) == LL_OK) {
            widen_end(&out->lower, &other.lower, -1);
            widen_end(&out->upper, &other.upper, 1);
        }
        ll_score_clear(&other);
    }
    return status;
}

/* One more text behind a blank, where there is one; 0: no memory. */
static int join_text(char **text, const char *more)
{
    if (more == NULL)
        return 1;
    size_t used = *text != NULL ? strlen(*text) + 1 : 0, size = used + strlen(more) + 1;
    char *joined = realloc(*text, size);
    if (joined == NULL)
        return 0;
    if (used > 0)
        joined[used - 1] = ' ';
    memcpy(joined + used, more, size - used);
    *text = joined;
    return 1;
}

static ll_status join_score(ll_score *out, const ll_score *more, ll_error *error)
{
    if (join_text(&out->text, more->text) && join_text(&out->lower, more->lower) && join_text(&out->upper, more->upper))
        return LL_OK;
    return ll_fail(error, LL_MEMORY, "no memory for an answer");
}

/* ---- predictions that many numbers read ---- */

typedef struct {
    const ll_predictions *all;
    ll_block block;
} held;

/* All rows at once are in memory: a block of them is theirs. */
static ll_status get_held(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const held *h = self;
    size_t entries = (size_t)count * (size_t)h->all->columns, at = (size_t)first * (size_t)h->all->columns;
    double *to = ll_block_reserve_doubles(out, count, h->all->columns);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows of predictions", count);
    memcpy(to, h->block.doubles + at, entries * sizeof *to);
    return LL_OK;
}

static void where_held(void *self, char *text, size_t size, long row)
{
    const held *h = self;
    h->all->where(h->all->self, text, size, row);
}

/* *out: the same predictions, read once where they are doubles and few enough to keep. */
static ll_status hold(held *h, ll_predictions *out, const ll_predictions *all, ll_error *error)
{
    enum { MOST = 1 << 24 };
    *h = (held){.all = all};
    ll_block_init(&h->block);
    *out = *all;
    if (all->entries != LL_ENTRIES_DOUBLE || all->rows > MOST / all->columns)
        return LL_OK;
    *out = (ll_predictions){.self = h,
                            .rows = all->rows,
                            .columns = all->columns,
                            .entries = LL_ENTRIES_DOUBLE,
                            .get = get_held,
                            .where = all->where != NULL ? where_held : NULL};
    return all->get(all->self, &h->block, 0, all->rows, error);
}

/* All numbers in one answer, or none of them. */
static ll_status score_numbers(ll_curator *curator, ll_score *out, const ll_predictions *given, ll_error *error)
{
    ll_score all, one;
    held h;
    ll_predictions kept, *predictions = &kept;
    ll_status status = hold(&h, &kept, given, error);
    ll_score_init(&all);
    ll_score_init(&one);
    for (long i = 0; i < ll_scorer_count_numbers(curator->scorer) && status == LL_OK; i++) {
        status = score_number(curator, i, &one, predictions, error);
        if (status == LL_OK)
            status = join_score(&all, &one, error);
    }
    ll_block_clear(&h.block);
    ll_score_clear(&one);
    if (status == LL_OK) {
        ll_score_clear(out);
        status = ll_value_give(out, &all, sizeof all, error);
    }
    if (status != LL_OK)
        ll_score_clear(&all);
    return status;
}

static ll_status score_rows(ll_curator *curator, ll_score *out, const ll_predictions *predictions, ll_error *error)
{
    long limit = curator->scorer->queries;
    if (limit && curator->answered + curator->failed >= limit)
        return ll_fail(error, LL_DOMAIN, "all %ld queries have been answered", limit);
    ll_status status = ll_scorer_count_numbers(curator->scorer) == 1 ? score_number(curator, 0, out, predictions, error)
                                                                     : score_numbers(curator, out, predictions, error);
    if (status == LL_OK)
        ++curator->answered;
    else if (status == LL_DOMAIN && !curator->scorer->failures_are_free)
        ++curator->failed;
    return status;
}

ll_status ll_curator_score(ll_curator *curator, ll_score *out, const ll_predictions *predictions, ll_error *error)
{
    ll_part_view view;
    ll_predictions scored;
    ll_status status = check_shape(curator, predictions, error);
    if (status != LL_OK || curator->part == NULL)
        return status == LL_OK ? score_rows(curator, out, predictions, error) : status;
    ll_part_view_init(&view, &scored, curator->part, curator->scoring.rows, predictions);
    status = score_rows(curator, out, &scored, error);
    ll_part_view_clear(&view);
    return status;
}

static void set_text_only(ll_curator *curator, int text_only)
{
    for (long i = 0; i < ll_scorer_count_numbers(curator->scorer); i++)
        curator->states[i].text_only = text_only;
}

ll_status ll_curator_answer(ll_curator *curator, char **text, const ll_predictions *predictions, ll_error *error)
{
    ll_score score;
    ll_score_init(&score);
    set_text_only(curator, 1);
    ll_status status = ll_curator_score(curator, &score, predictions, error);
    set_text_only(curator, 0);
    if (status == LL_OK) {
        *text = score.text;
        score.text = NULL;
    }
    ll_score_clear(&score);
    return status;
}
