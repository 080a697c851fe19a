/* Counting pairs of label and predicted label. */
#include "metric/counts/counting.h"

#include <stdlib.h>

enum { MOST_CLASSES = 2048 }; /* 32 MB of counts */

ll_status ll_confusion_init(ll_confusion *counts, long classes, ll_error *error)
{
    *counts = (ll_confusion){.classes = classes};
    if (classes > MOST_CLASSES)
        return ll_fail(error, LL_DOMAIN, "%ld classes: counts of pairs are kept for %d at most", classes, MOST_CLASSES);
    counts->cells = calloc((size_t)(classes * (classes + 2)), sizeof *counts->cells);
    if (counts->cells == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for the counts of %ld classes", classes);
    counts->support = counts->cells + classes * classes;
    counts->predicted = counts->support + classes;
    return LL_OK;
}

void ll_confusion_clear(ll_confusion *counts)
{
    free(counts->cells);
    *counts = (ll_confusion){0};
}

void ll_confusion_close(ll_confusion *counts)
{
    long k = counts->classes;
    counts->rows = 0;
    for (long i = 0; i < k; i++)
        counts->support[i] = counts->predicted[i] = 0;
    for (long i = 0; i < k; i++)
        for (long j = 0; j < k; j++) {
            counts->support[i] += counts->cells[i * k + j];
            counts->predicted[j] += counts->cells[i * k + j];
            counts->rows += counts->cells[i * k + j];
        }
}

void ll_confusion_set_two(ll_confusion *counts, int64_t tp, int64_t guessed, int64_t positives, int64_t rows)
{
    counts->cells[3] = tp;
    counts->cells[2] = positives - tp;
    counts->cells[1] = guessed - tp;
    counts->cells[0] = rows - positives - (guessed - tp);
    ll_confusion_close(counts);
}

/* ---- rows ---- */

typedef struct {
    const ll_scoring *scoring;
    const ll_predictions *predictions;
    ll_confusion *counts;
    ll_weighed *weighed; /* NULL: rows count 1 */
    double *weights;
} pass;

static ll_status fail_entry(const pass *p, long row, ll_error *error)
{
    return ll_rows_fail(p->predictions, row, error, LL_DOMAIN, "a prediction is not a label of 0 to %ld",
                        p->scoring->classes - 1);
}

static long count_doubles(const ll_scoring *s, int64_t *cells, const double *x, long n, long first)
{
    const int32_t *labels = s->labels + first;
    const double most = (double)s->classes;
    for (long i = 0; i < n; i++) {
        long guess = x[i] >= 0 && x[i] < most ? (long)x[i] : -1;
        if ((double)guess != x[i])
            return i;
        cells[labels[i] * s->classes + guess]++;
    }
    return n;
}

static void count_row(const pass *p, long row, long guess)
{
    long label = p->scoring->labels[row];
    double weight = p->weights != NULL ? p->weights[row] : 1;
    p->counts->cells[label * p->scoring->classes + guess] += weight > 0;
    if (p->weighed != NULL)
        ll_weighed_add(p->weighed, label, guess, weight);
}

static ll_status count_exacts(const pass *p, const ll_block *block, long first, ll_error *error)
{
    ll_exact scratch;
    ll_status status = LL_OK;
    ll_exact_init(&scratch);
    for (long i = 0; i < block->rows && status == LL_OK; i++) {
        const ll_exact *x = ll_rows_exact(&scratch, block, i);
        status = ll_rows_check(p->scoring, p->predictions, x, first + i, error);
        if (status == LL_OK)
            count_row(p, first + i, (long)ll_exact_get_d(x));
    }
    ll_exact_clear(&scratch);
    return status;
}

static ll_status visit(void *state, const ll_block *block, long first, ll_error *error)
{
    const pass *p = state;
    if (block->entries != LL_ENTRIES_DOUBLE || p->weighed != NULL)
        return count_exacts(p, block, first, error);
    long good = count_doubles(p->scoring, p->counts->cells, block->doubles, block->rows, first);
    return good == block->rows ? LL_OK : fail_entry(p, first + good, error);
}

ll_status ll_confusion_count(const ll_scoring *scoring, ll_confusion *counts, const ll_predictions *predictions,
                             ll_error *error)
{
    pass p = {.scoring = scoring, .predictions = predictions, .counts = counts};
    ll_status status = ll_rows_each(predictions, visit, &p, error);
    if (status == LL_OK)
        ll_confusion_close(counts);
    return status;
}

/* The same, and their weights. */
static ll_status weigh(const ll_scoring *scoring, ll_confusion *counts, ll_weighed *weighed,
                       const ll_predictions *predictions, ll_error *error)
{
    pass p = {scoring, predictions, counts, weighed, malloc(sizeof *p.weights * (size_t)(scoring->rows + 1))};
    if (p.weights == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld weights", scoring->rows);
    ll_status status =
        ll_computation_label_weights(scoring->how, p.weights, scoring->labels, scoring->rows, scoring->classes, error);
    if (status == LL_OK)
        status = ll_rows_each(predictions, visit, &p, error);
    free(p.weights);
    if (status != LL_OK)
        return status;
    ll_confusion_close(counts);
    counts->weighed = weighed;
    return counts->rows > 0 ? LL_OK : ll_fail(error, LL_DOMAIN, "the weights of these rows add up to 0");
}

int ll_confusion_shows(const ll_confusion *counts, long k)
{
    return counts->weighed != NULL ? counts->weighed->seen[k] : counts->support[k] + counts->predicted[k] > 0;
}

/* ---- the number ---- */

ll_status ll_confusion_work(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *counts,
                            ll_error *error)
{
    const ll_count_kind *kind = ll_counts_of(how->metric);
    if (how->zero_division == LL_ZERO_RAISE && kind->is_zero_division(counts))
        return ll_fail(error, LL_DOMAIN, "%s is 0/0 with these labels, and the program fails",
                       ll_metric_row(how->metric)->name);
    return kind->work(how, work, out, counts, error);
}

static ll_status score(const ll_scoring *scoring, ll_unreleased *out, ll_confusion *counts, const ll_work *work,
                       ll_error *error)
{
    ll_worked number;
    ll_worked_init(&number);
    ll_status status = ll_confusion_work(scoring->how, work, &number, counts, error);
    if (status == LL_OK)
        ll_view_finish(scoring->how, out, &number);
    ll_worked_clear(&number);
    return status;
}

static ll_status score_weighed(const ll_scoring *scoring, ll_unreleased *out, ll_confusion *counts,
                               const ll_predictions *predictions, const ll_work *work, ll_error *error)
{
    ll_weighed weighed;
    ll_status status = ll_weighed_init(&weighed, scoring->classes, scoring->how->kind == LL_KIND_EXACT, error);
    if (status != LL_OK)
        return status;
    status = weigh(scoring, counts, &weighed, predictions, error);
    if (status == LL_OK) {
        ll_weighed_close(work, &weighed);
        status = score(scoring, out, counts, work, error);
    }
    counts->weighed = NULL;
    ll_weighed_clear(&weighed);
    return status;
}

ll_status ll_score_confusion(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                             slong bits, ll_error *error)
{
    ll_confusion counts;
    ll_work work = ll_view_work(scoring->how, bits);
    ll_status status = ll_confusion_init(&counts, scoring->classes, error);
    if (status != LL_OK)
        return status;
    if (scoring->how->is_weighted) {
        status = score_weighed(scoring, out, &counts, predictions, &work, error);
    } else {
        status = ll_confusion_count(scoring, &counts, predictions, error);
        status = status == LL_OK ? score(scoring, out, &counts, &work, error) : status;
    }
    ll_confusion_clear(&counts);
    return status;
}
