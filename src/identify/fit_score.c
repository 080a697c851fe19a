/* The score that a description gives to a made-up run. */
#include "identify/number_fit.h"

#include "metric/metric.h"
#include "scorer/scorer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int set_all(ll_scorer *scorer, const char *settings)
{
    char copy[400], *rest = copy;
    strncpy(copy, settings, sizeof copy - 1);
    copy[sizeof copy - 1] = '\0';
    for (char *pair = strsep(&rest, " "); pair != NULL; pair = strsep(&rest, " ")) {
        char *value = strchr(pair, '=');
        if (value == NULL)
            continue;
        *value++ = '\0';
        if (ll_scorer_set(scorer, pair, value, NULL) != LL_OK)
            return 0;
    }
    return 1;
}

ll_scorer *ll_fit_scorer(const ll_task *task, const char *settings)
{
    ll_scorer *scorer = NULL;
    char classes[24];
    if (ll_scorer_create(&scorer, NULL) != LL_OK)
        return NULL;
    long count = ll_task_values(task);
    int length = 0;
    for (long rest = count; rest > 0; rest /= 10)
        length++;
    classes[length] = '\0';
    for (long rest = count; rest > 0; rest /= 10)
        classes[--length] = (char)('0' + rest % 10);
    int is_set = set_all(scorer, settings);
    if (is_set && task->grid != NULL)
        is_set = ll_scorer_set(scorer, "targets", task->grid, NULL) == LL_OK;
    else if (is_set)
        is_set = ll_scorer_set(scorer, "classes", classes, NULL) == LL_OK;
    if (is_set && ll_scorer_resolve(scorer, NULL, NULL) == LL_OK)
        return scorer;
    ll_scorer_destroy(scorer);
    return NULL;
}

/* ---- the rows that count, as the metric reads them ---- */

typedef struct {
    const double *entries;
    long columns;
} rows_read;

static ll_status get_rows(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const rows_read *r = self;
    double *to = ll_block_reserve_doubles(out, count, r->columns);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a block of rows");
    memcpy(to, r->entries + first * r->columns, sizeof *to * (size_t)(count * r->columns));
    return LL_OK;
}

static double first_greatest(const double *row, long columns)
{
    long best = 0;
    for (long k = 1; k < columns; k++)
        best = row[k] > row[best] ? k : best;
    return (double)best;
}

static double read_class(const ll_reading *r, const ll_probe *probe, const double *row)
{
    if (probe->run.is_class)
        return row[0];
    if (probe->run.columns > 1)
        return first_greatest(row, probe->run.columns);
    return r->is_from ? row[0] >= r->threshold : row[0] > r->threshold;
}

/* Columns that are handed on: one per class where the metric takes that, else the class, or the last column. */
static long columns_of(const ll_metric *metric, const ll_probe *probe)
{
    int is_one = ll_metric_reads_labels(metric) || (ll_metric_reads_order(metric) && probe->run.classes == 2);
    return is_one ? 1 : probe->run.columns;
}

static long read_rows(double *entries, int32_t *labels, const ll_fit_case *c, const ll_metric *metric,
                      const ll_reading *reading, const ll_probe *probe)
{
    long columns = columns_of(metric, probe), all = probe->run.columns, n = 0;
    for (long i = 0; i < probe->run.rows; i++) {
        const double *row = &probe->entries[i * all];
        if (c->is_scored != NULL && !c->is_scored[i])
            continue;
        labels[n] = (int32_t)lround(c->task->classes > 0 ? probe->labels[i]
                                                         : (probe->labels[i] - c->task->low) / c->task->step);
        for (long k = 0; k < columns; k++)
            entries[n * columns + k] = ll_metric_reads_labels(metric) ? read_class(reading, probe, row)
                                       : columns == 1                 ? row[all - 1]
                                                                      : row[k];
        n++;
    }
    return n;
}

static int score_rows(ll_score *out, const ll_scorer *scorer, const int32_t *labels, rows_read *read, long n)
{
    ll_curator *curator = NULL;
    ll_predictions predictions = {
        .self = read, .rows = n, .columns = read->columns, .entries = LL_ENTRIES_DOUBLE, .get = get_rows};
    ll_status status = ll_curator_create(&curator, scorer, labels, n, NULL);
    if (status == LL_OK)
        status = ll_curator_score(curator, out, &predictions, NULL);
    ll_curator_destroy(curator);
    return status == LL_OK ? 1 : status == LL_MEMORY ? -1 : 0;
}

int ll_fit_score(ll_score *out, const ll_fit_case *c, const ll_scorer *scorer, const ll_reading *reading,
                 const ll_probe *probe)
{
    const ll_metric *metric = scorer->computation.metric;
    long rows = probe->run.rows;
    double *entries = malloc(sizeof *entries * (size_t)(rows * probe->run.columns));
    int32_t *labels = malloc(sizeof *labels * (size_t)rows);
    int result = entries != NULL && labels != NULL ? 1 : -1;
    if (result == 1) {
        rows_read read = {entries, columns_of(metric, probe)};
        long n = read_rows(entries, labels, c, metric, reading, probe);
        result = n > 0 ? score_rows(out, scorer, labels, &read, n) : 0;
    }
    free(entries);
    free(labels);
    return result;
}
