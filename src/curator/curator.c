/* A curator: a copy of the scorer and of the labels, and the loop from predictions to a released score. */
#include "curator/part.h"
#include "number/value.h"
#include "scorer/sensitivity.h"

#include <stdlib.h>
#include <string.h>

/* An exact score is computed again with twice the bits while rounding or the Ladder is undecided, up to this many times
 * the first precision. */
#define MOST_DOUBLINGS 7

void ll_score_clear(ll_score *score)
{
    ll_score *all = ll_value_whole(score, sizeof *all);
    if (all == NULL)
        return;
    free(all->text);
    free(all->lower);
    free(all->upper);
    ll_value_reset(score);
}

/* ---- create ---- */

static ll_status check_labels(ll_curator *curator, const int32_t *labels, ll_error *error)
{
    long classes = curator->scorer->classes, n = curator->rows;
    const ll_metric *metric = curator->scorer->computation.metric;
    int32_t most = 0;
    if (n < 1)
        return ll_fail(error, LL_DOMAIN, "there are no labels");
    if (curator->scorer->rows && curator->scorer->rows != n)
        return ll_fail(error, LL_DOMAIN, "the scorer has %ld rows, but there are %ld labels", curator->scorer->rows, n);
    for (long i = 0; i < n; ++i) {
        if (labels[i] < 0 || (classes && labels[i] >= classes))
            return ll_fail(error, LL_DOMAIN, "row %ld: label %ld is not in 0 .. %ld", i, (long)labels[i],
                           classes ? classes - 1 : (long)INT32_MAX);
        if (labels[i] > most)
            most = labels[i];
    }
    curator->scoring.classes = classes ? classes : most < 1 ? 2 : (long)most + 1;
    if (curator->scoring.classes > 2 && ll_metric_form(metric) == LL_FORM_BINARY)
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

ll_status ll_curator_create(ll_curator **out, const ll_scorer *scorer, const int32_t *labels, long n, ll_error *error)
{
    ll_status status = ll_scorer_need(scorer, error);
    if (status != LL_OK)
        return status;
    ll_curator *curator = calloc(1, sizeof *curator);
    if (!curator)
        return ll_fail(error, LL_MEMORY, "no memory for a curator");
    curator->scorer = ll_scorer_share(scorer);
    curator->scoring = (ll_scoring){.how = &scorer->computation, .rows = n};
    curator->rows = n;
    curator->state.seed = scorer->seed;
    ll_ladder_init(&curator->state.ladder);
    status = copy_labels(curator, labels, error);
    if (status == LL_OK && scorer->is_part)
        status = scorer->rows > 0 ? ll_part_draw(curator, error)
                                  : ll_fail(error, LL_DOMAIN, "a public part needs the number of rows");
    if (status != LL_OK)
        ll_curator_destroy(curator);
    else
        *out = curator;
    return status;
}

void ll_curator_destroy(ll_curator *curator)
{
    if (!curator)
        return;
    ll_ladder_clear(&curator->state.ladder);
    ll_scorer_leave(curator->scorer);
    free(curator->labels);
    free(curator->part);
    free(curator->part_labels);
    free(curator);
}

ll_status ll_curator_set_public(ll_curator *curator, const unsigned char *is_public, long n, ll_error *error)
{
    if (!curator->scorer->is_part)
        return ll_fail(error, LL_DOMAIN, "every row is scored: the setting public says otherwise");
    if (n != curator->rows)
        return ll_fail(error, LL_DOMAIN, "%ld rows are said to be public or not, but there are %ld labels", n,
                       curator->rows);
    return ll_part_set(curator, is_public, error);
}

void ll_curator_get_public(const ll_curator *curator, unsigned char *is_public)
{
    memset(is_public, curator->part == NULL, (size_t)curator->rows);
    for (long i = 0; curator->part != NULL && i < curator->scoring.rows; i++)
        is_public[curator->part[i]] = 1;
}

/* ---- score ---- */

static ll_status check_shape(const ll_curator *curator, const ll_predictions *predictions, ll_error *error)
{
    if (predictions->rows != curator->rows)
        return ll_fail(error, LL_DOMAIN, "there are %ld rows of predictions for %ld labels", predictions->rows,
                       curator->rows);
    return ll_computation_check_shape(curator->scoring.how, predictions->columns, curator->scoring.classes, error);
}

static ll_status score_once(ll_curator *curator, ll_score *out, const ll_predictions *predictions, slong bits,
                            int *undecided, ll_error *error)
{
    ll_raw raw;
    ll_raw_init(&raw);
    *undecided = 0;
    ll_status status = ll_score_any(&curator->scoring, &raw, predictions, bits, error);
    if (status == LL_OK && ll_release_follows_spread(&curator->scorer->release))
        status = ll_scorer_get_spread(curator->scorer, &curator->scoring, &raw.spread, predictions, error);
    if (status == LL_OK)
        status = ll_release_forward(&curator->scorer->release, &curator->state, out, &raw, bits, undecided, error);
    ll_raw_clear(&raw);
    return status;
}

static ll_status score_rows(ll_curator *curator, ll_score *out, const ll_predictions *predictions, ll_error *error)
{
    int undecided = 0;
    long limit = curator->scorer->queries;
    slong bits = curator->scorer->computation.precision + 16; /* percent and Ladder lose a few */
    ll_status status = LL_UNABLE;
    if (limit && curator->state.answered + curator->failed >= limit)
        return ll_fail(error, LL_DOMAIN, "all %ld queries have been answered", limit);
    for (int doublings = 0; doublings <= MOST_DOUBLINGS; ++doublings, bits *= 2) {
        status = score_once(curator, out, predictions, bits, &undecided, error);
        if (!undecided)
            break;
    }
    if (undecided)
        return ll_fail(error, LL_UNABLE,
                       "the score is too close to a boundary of the rounding: undecided with an error of 2^-%ld",
                       (long)bits / 2);
    if (status == LL_OK)
        ++curator->state.answered;
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
    ll_part_view_init(&view, &scored, curator, predictions);
    status = score_rows(curator, out, &scored, error);
    ll_part_view_clear(&view);
    return status;
}
