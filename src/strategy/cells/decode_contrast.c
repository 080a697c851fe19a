/* One number of right predictions, K classes, class 0 against each of the others (docs/proofs/contrast.md).
 *
 * For all rows of each class that the numbers allow: the rows of each class in every set, each way to have them turned
 * into labels by the code, and those labels held against all numbers of all answers, by balls. What is left is every
 * labelling that explains them. */
#include "decode/decoder.h"
#include "metric/counts/counting.h"
#include "strategy/cells/cells.h"
#include "strategy/cells/cells_code.h"
#include "strategy/cells/contrast.h"
#include "strategy/common/writers.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VECTORS = 16, MOST_WAYS = 1 << 10 };

typedef struct {
    ll_decoder common;
    ll_contrast_view view;
    arb_ptr observed;   /* [query * numbers of the answer]; NULL: there is one */
    int64_t *vectors;   /* [(set * MOST_VECTORS + vector) * classes + class] */
    long *found;        /* [set] */
    int64_t *counts;    /* [set]: of one class */
    unsigned char *has; /* [row] */
    ll_decoded one, *all;
    long ways;
} decoder;

static int init(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    size_t sets = (size_t)ll_cells_queries(d->plan->state->code), classes = (size_t)d->plan->classes;
    if (d->observed != NULL)
        own->observed = _arb_vec_init(ll_plan_distinct(d->plan) * ll_scorer_count_numbers(d->plan->answer));
    own->vectors = calloc(sets * MOST_VECTORS * classes, sizeof *own->vectors);
    own->found = calloc(sets, sizeof *own->found);
    own->counts = calloc(sets, sizeof *own->counts);
    own->has = calloc((size_t)d->plan->rows, 1);
    return own->vectors && own->found && own->counts && own->has &&
           ll_contrast_init(&own->view, d->plan, NULL) == LL_OK &&
           ll_decoded_init(&own->one, d->plan->rows, d->plan->classes) == LL_OK;
}

static void clear(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    if (own->observed != NULL)
        _arb_vec_clear(own->observed, ll_plan_distinct(d->plan) * ll_scorer_count_numbers(d->plan->answer));
    free(own->vectors);
    free(own->found);
    free(own->counts);
    free(own->has);
    if (own->view.plan != NULL)
        ll_contrast_clear(&own->view);
    ll_decoded_clear(&own->one);
}

static ll_status keep(ll_decoder *d, const arb_t released, ll_error *error)
{
    decoder *own = (decoder *)d;
    long q = ll_decoder_query(d), numbers = ll_scorer_count_numbers(d->plan->answer);
    (void)released;
    (void)error;
    ll_contrast_keep(&own->view, q, d->numbers + q);
    if (own->observed != NULL)
        _arb_vec_set(own->observed + q * numbers, d->observed, numbers);
    return LL_OK;
}

/* ---- one labelling, against all numbers ---- */

/* May a table of such counts have got the number? */
static int explains(const decoder *own, const ll_computation *how, const ll_confusion *counts, const arb_t number)
{
    const ll_work balls = ll_view_work(how, own->common.plan->prec);
    ll_worked *scratch = (ll_worked *)&own->view.scratch;
    return ll_confusion_work(how, &balls, scratch, counts, NULL) == LL_OK && arb_overlaps(scratch->ball, number);
}

static int explains_others(const decoder *own, const ll_confusion *counts, long query)
{
    const ll_plan *plan = own->common.plan;
    long numbers = ll_scorer_count_numbers(plan->answer);
    for (long i = 0; own->observed != NULL && i < numbers; i++) {
        const ll_computation *how = &ll_scorer_get_number(plan->answer, i)->computation;
        if (i != plan->number && ll_metric_is_counts(how->metric) &&
            !explains(own, how, counts, own->observed + query * numbers + i))
            return 0;
    }
    return 1;
}

/* Rows that are asked about: the first ones. */
static long asked_rows(const decoder *own)
{
    return own->common.plan->rows - own->common.plan->state->code->counted;
}

/* The whole table of one query: rows that are not asked about are predicted alike, and have the labels that are left of
 * rows[class]. */
static void fill_table(const decoder *own, ll_confusion *counts, const ll_code *code, const int64_t *rows)
{
    const int32_t *labels = own->one.labels;
    long classes = own->view.classes, asked = asked_rows(own);
    memset(counts->cells, 0, sizeof *counts->cells * (size_t)(classes * classes));
    for (long row = 0; row < asked; row++)
        counts->cells[labels[row] * classes + code->row->predict(code, row)]++;
    for (long k = 0; k < classes && asked < code->rows; k++) {
        int64_t left = rows[k];
        for (long p = 0; p < classes; p++)
            left -= counts->cells[k * classes + p];
        counts->cells[k * classes + code->row->predict(code, asked)] += left;
    }
    ll_confusion_close(counts);
}

/* Small sets have some of the rows that are not asked about: their tables are not known. */
static int has_table(const decoder *own, long query)
{
    const ll_contrast_view *view = &own->view;
    return asked_rows(own) == own->common.plan->rows || query % view->sets < view->sets - view->samples;
}

static ll_status check_labels(const decoder *own, const int64_t *rows, int *fits, ll_error *error)
{
    const ll_plan *plan = own->common.plan;
    ll_confusion counts;
    ll_status status = ll_confusion_init(&counts, plan->classes, error);
    *fits = status == LL_OK;
    for (long q = 0; q < ll_plan_distinct(plan) && *fits; q++) {
        if (!has_table(own, q))
            continue;
        fill_table(own, &counts, ll_plan_code(plan, q * plan->bounds.repeats), rows);
        *fits = explains(own, plan->scoring.how, &counts, own->common.numbers + q) && explains_others(own, &counts, q);
    }
    ll_confusion_clear(&counts);
    return status;
}

/* ---- one way to have rows of each class in every set ---- */

/* The first set has all rows; the counts are those of the sets that tell labels, which are all but that one where some
 * rows are asked about. */
static void set_counts(const decoder *own, const int64_t *rows, long label, long way)
{
    long classes = own->view.classes, first = ll_cells_whole_sets(own->common.plan->state->code);
    own->counts[0] = rows[label];
    for (long t = 1; t < own->view.sets - own->view.samples; t++, way /= own->found[t - 1])
        own->counts[t - first] = own->vectors[(t * MOST_VECTORS + way % own->found[t]) * classes + label];
}

/* Does each class leave the rows that are not asked about no fewer than none? */
static int leaves_rows(const decoder *own, const int64_t *rows)
{
    for (long k = 0; k < own->view.classes; k++) {
        int64_t left = rows[k];
        for (long row = 0; row < asked_rows(own); row++)
            left -= own->one.labels[row] == k;
        if (left < 0)
            return 0;
    }
    return 1;
}

/* Every row that is asked about has one label: *found. */
static ll_status try_way(decoder *own, const int64_t *rows, long way, int *found, ll_error *error)
{
    const ll_plan *plan = own->common.plan;
    int32_t *labels = own->one.labels;
    ll_status status = LL_OK;
    long given = 0;
    *found = 1;
    for (long row = 0; row < plan->rows; row++)
        labels[row] = -1;
    long asked = asked_rows(own);
    for (long label = 0; label < plan->classes && *found && status == LL_OK; label++) {
        set_counts(own, rows, label, way);
        status = ll_cells_decode(plan->state->code, own->has, own->counts, found, error);
        for (long row = 0; row < asked && *found; row++)
            if (own->has[row]) {
                *found = labels[row] < 0;
                labels[row] = (int32_t)label;
                given++;
            }
    }
    *found = *found && given == asked && leaves_rows(own, rows);
    return status;
}

/* The labels of `one` stand for all with these labels in the rows that are asked about. */
static void open_rest(ll_decoded *one, long asked, long rows, long classes)
{
    ll_decoded_set_unique(one, asked, classes);
    if (asked == rows)
        return;
    one->count = 2;
    for (long row = asked; row < rows; row++) {
        one->labels[row] = -1;
        memset(one->candidates + row * classes, 1, (size_t)classes);
    }
}

static ll_status join_way(decoder *own, const int64_t *rows, long way, ll_error *error)
{
    const ll_plan *plan = own->common.plan;
    int found = 0;
    ll_status status = try_way(own, rows, way, &found, error);
    if (status == LL_OK && found)
        status = check_labels(own, rows, &found, error);
    if (status != LL_OK || !found)
        return status;
    open_rest(&own->one, asked_rows(own), plan->rows, plan->classes);
    ll_decoded_join(own->all, &own->one, plan->rows, plan->classes);
    return LL_OK;
}

/* ---- the rows of each class supposed ---- */

static ll_status see_counts(void *self, const int64_t *rows, ll_error *error)
{
    decoder *own = self;
    const ll_contrast_view *view = &own->view;
    long present = 0, ways = 1;
    for (long k = 0; k < view->classes && ll_counts_needs(own->common.plan->scoring.how) == LL_NEEDS_TP; k++)
        present += rows[k] > 0;
    for (long t = 1; t < view->sets - view->samples; t++) {
        own->found[t] =
            ll_contrast_solve(view, own->vectors + t * MOST_VECTORS * view->classes, rows, present, t, MOST_VECTORS);
        if (own->found[t] == 0)
            return LL_OK;
        ways = ways > MOST_WAYS || own->found[t] > MOST_VECTORS ? MOST_WAYS + 1 : ways * own->found[t];
    }
    own->ways += ways;
    if (own->ways > MOST_WAYS)
        return ll_fail(error, LL_UNABLE, "the numbers leave too many counts to list");
    ll_status status = LL_OK;
    for (long way = 0; way < ways && status == LL_OK; way++)
        status = join_way(own, rows, way, error);
    return status;
}

static ll_status close_block(ll_decoder *d, ll_decoded *out, ll_error *error)
{
    decoder *own = (decoder *)d;
    ll_error why = {0};
    own->all = out;
    own->ways = 0;
    ll_decoded_set_none(out, d->plan->rows, d->plan->classes);
    ll_status status = ll_contrast_counts(&own->view, see_counts, own, &why);
    if (status == LL_UNABLE) { /* everything may be */
        ll_decoded_set_open(out, d->plan->rows, d->plan->classes);
        status = LL_OK;
    }
    arb_indeterminate(d->missing);
    return status == LL_OK ? LL_OK : ll_fail(error, status, "%s", why.text);
}

const ll_strategy ll_strategy_contrast = {
    .name = "contrast",
    .proof = "contrast.md",
    .whole = LL_ASKS_ALL,
    .reads_first = 1,
    .plan = ll_contrast_plan,
    .writer = &ll_writer_labels,
    .decoder_size = sizeof(decoder),
    .keeps_numbers = 1,
    .begin = init,
    .end = clear,
    .keep = keep,
    .close = close_block,
    LL_PLANS_BLOCKS,
};
