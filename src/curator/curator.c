/* A curator: a copy of the scorer and of the labels, and the loop from predictions to a released score. */
#include "curator/curator.h"

#include <stdlib.h>
#include <string.h>

/* An exact score is computed again with twice the bits while rounding or the Ladder is undecided, up to this many times
 * the first precision. */
#define MOST_DOUBLINGS 7

void ll_score_init(ll_score *score)
{
    score->text = score->lower = score->upper = NULL;
}

void ll_score_clear(ll_score *score)
{
    if (!score)
        return;
    free(score->text);
    free(score->lower);
    free(score->upper);
    ll_score_init(score);
}

/* ---- create ---- */

static int copy_text(const char **text)
{
    if (*text && !(*text = strdup(*text)))
        return 0;
    return 1;
}

/* 0 where memory ended; what was not copied is then NULL, so that free_scorer can follow. */
static int copy_scorer(ll_scorer *out, const ll_scorer *scorer)
{
    *out = *scorer;
    const char **texts[] = {&out->profile,    &out->loss,           &out->clip,
                            &out->arithmetic, &out->sum_arithmetic, &out->loss_arithmetic,
                            &out->noise_size, &out->ladder};
    int good = 1;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        good &= copy_text(texts[i]);
    if (scorer->prior) {
        size_t size = (size_t)scorer->prior_count * sizeof *scorer->prior;
        double *prior = malloc(size);
        if (prior)
            memcpy(prior, scorer->prior, size);
        out->prior = prior;
        good &= prior != NULL;
    }
    return good;
}

static void free_scorer(ll_scorer *scorer)
{
    const void *owned[] = {scorer->profile,    scorer->loss,           scorer->clip,
                           scorer->arithmetic, scorer->sum_arithmetic, scorer->loss_arithmetic,
                           scorer->noise_size, scorer->ladder,         scorer->prior};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; ++i)
        free((void *)owned[i]);
}

static ll_status check_labels(ll_curator *curator, const int32_t *labels, ll_error *error)
{
    long classes = curator->scorer.classes, n = curator->rows;
    int32_t most = 0;
    if (n < 1)
        return ll_fail(error, LL_DOMAIN, "there are no labels");
    if (curator->scorer.rows && curator->scorer.rows != n)
        return ll_fail(error, LL_DOMAIN, "the scorer has %ld rows, but there are %ld labels", curator->scorer.rows, n);
    for (long i = 0; i < n; ++i) {
        if (labels[i] < 0 || (classes && labels[i] >= classes))
            return ll_fail(error, LL_DOMAIN, "row %ld: label %ld is not in 0 .. %ld", i, (long)labels[i],
                           classes ? classes - 1 : (long)INT32_MAX);
        if (labels[i] > most)
            most = labels[i];
    }
    curator->classes = classes ? classes : most < 1 ? 2 : (long)most + 1;
    if (curator->classes > 2 && ll_loss_form(curator->resolved.loss) == LL_FORM_BINARY)
        return ll_fail(error, LL_DOMAIN, "loss %s is for two classes, but there is a label %ld",
                       ll_loss_row(curator->resolved.loss)->name, (long)most);
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
    return LL_OK;
}

ll_status ll_curator_create(ll_curator **out, const ll_scorer *scorer, const int32_t *labels, long n, ll_error *error)
{
    ll_curator *curator = calloc(1, sizeof *curator);
    if (!curator)
        return ll_fail(error, LL_MEMORY, "no memory for a curator");
    ll_status status = ll_resolved_init(&curator->resolved, scorer, error);
    if (status != LL_OK) {
        free(curator);
        return status;
    }
    ll_ladder_init(&curator->ladder);
    curator->rows = n;
    if (!copy_scorer(&curator->scorer, scorer))
        status = ll_fail(error, LL_MEMORY, "no memory for a curator");
    if (status == LL_OK)
        status = copy_labels(curator, labels, error);
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
    ll_resolved_clear(&curator->resolved);
    ll_ladder_clear(&curator->ladder);
    free_scorer(&curator->scorer);
    free(curator->labels);
    free(curator);
}

/* ---- score ---- */

static ll_status check_shape(const ll_curator *curator, const ll_predictions *predictions, ll_error *error)
{
    const ll_loss *loss = curator->resolved.loss;
    long columns = predictions->columns;
    if (predictions->rows != curator->rows)
        return ll_fail(error, LL_DOMAIN, "there are %ld rows of predictions for %ld labels", predictions->rows,
                       curator->rows);
    if (columns == 1 && (curator->classes == 2 || ll_loss_form(loss) == LL_FORM_MATCH))
        return LL_OK;
    if (columns == curator->classes && ll_loss_form(loss) != LL_FORM_BINARY && ll_loss_form(loss) != LL_FORM_MATCH)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "%ld columns of predictions do not fit loss %s and %ld classes", columns,
                   ll_loss_row(loss)->name, curator->classes);
}

static ll_status score_once(ll_curator *curator, ll_score *out, const ll_predictions *predictions, slong bits,
                            int *undecided, ll_error *error)
{
    ll_raw raw;
    ll_status status;
    ll_raw_init(&raw);
    if (curator->resolved.kind == LL_KIND_EXACT)
        status = ll_score_exact(curator, &raw, predictions, bits, error);
    else if (curator->resolved.kind == LL_KIND_FORMAT)
        status = ll_score_format(curator, &raw, predictions, error);
    else
        status = ll_score_native(curator, &raw, predictions, error);
    *undecided = 0;
    if (status == LL_OK)
        status = ll_release(curator, out, &raw, undecided, error);
    ll_raw_clear(&raw);
    return status;
}

ll_status ll_curator_score(ll_curator *curator, ll_score *out, const ll_predictions *predictions, ll_error *error)
{
    int undecided = 0;
    slong bits = curator->resolved.precision + 16; /* percent and Ladder lose a few */
    ll_status status = check_shape(curator, predictions, error);
    if (status != LL_OK)
        return status;
    if (curator->scorer.queries && curator->answered >= curator->scorer.queries)
        return ll_fail(error, LL_DOMAIN, "all %ld queries have been answered", curator->scorer.queries);
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
        ++curator->answered;
    return status;
}
