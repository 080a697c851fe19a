/* The table of all metrics, family by family, and a metric from its name. */
#include "metric/metric_private.h"
#include "number/name_distance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The families in the order in which people see them. */
static const struct {
    const ll_metric_row_kind *rows;
    const long *count;
} parts[] = {{ll_metric_term_rows, &ll_metric_term_row_count},     {ll_metric_count_rows, &ll_metric_count_row_count},
             {ll_metric_class_rows, &ll_metric_class_row_count},   {ll_metric_rank_rows, &ll_metric_rank_row_count},
             {ll_metric_target_rows, &ll_metric_target_row_count}, {ll_metric_gain_rows, &ll_metric_gain_row_count},
             {ll_metric_fit_rows, &ll_metric_fit_row_count}};

#define PART_COUNT (sizeof parts / sizeof parts[0])

long ll_metric_count(void)
{
    long count = 0;
    for (size_t i = 0; i < PART_COUNT; i++)
        count += *parts[i].count;
    return count;
}

/* NULL outside 0 .. count - 1 */
static const ll_metric_row_kind *row_at(long index)
{
    for (size_t i = 0; i < PART_COUNT && index >= 0; i++) {
        if (index < *parts[i].count)
            return &parts[i].rows[index];
        index -= *parts[i].count;
    }
    return NULL;
}

const ll_metric_info *ll_metric_get_info(long index)
{
    const ll_metric_row_kind *row = row_at(index);
    return row != NULL ? &row->info : NULL;
}

/* ---- names ---- */

/* Length of the name before a parameter. */
static size_t stem(const char *name)
{
    return strcspn(name, ":");
}

static const ll_metric_row_kind *find(const char *name)
{
    const ll_metric_row_kind *row;
    for (long i = 0; (row = row_at(i)) != NULL; i++)
        if (stem(name) == stem(row->info.name) && !memcmp(name, row->info.name, stem(name)))
            return row;
    return NULL;
}

enum { MISTYPED = 2 }; /* letters: what is farther from every name is another word */

/* What is not in the table is not thereby safe: all that is known of it is how many values its text can show. */
static ll_status fail_unknown(const char *name, ll_error *error)
{
    char plain[120], bare[120] = "";
    const char *best = "", *other, *percent = strchr(name, '%');
    if (percent != NULL) /* "Accuracy (%)" is another number than accuracy, with other decimals */
        (void)snprintf(bare, sizeof bare, "%.*s", (int)(percent - name), name);
    if (percent != NULL && find(ll_metric_plain_name(plain, sizeof plain, bare)) != NULL)
        return ll_fail(error, LL_DOMAIN, "a metric in percent is %.100s with the transform percent", plain);
    long length = ll_name_bare(bare, name, stem(name)),
         near = length < 4   ? 1
                : length < 6 ? 2
                             : MISTYPED + 1,
         least = near, count = ll_metric_count();
    for (long i = 0; (other = i < count ? row_at(i)->info.name : ll_metric_word(i - count)) != NULL; i++) {
        long d = ll_name_distance(name, stem(name), other, stem(other));
        if (d < least) {
            least = d;
            best = other;
        }
    }
    const char *better = ll_metric_better_unmodelled(name);
    int is_guess = least < near && better == NULL;
    return ll_fail(
        error, LL_DOMAIN,
        "not modelled%s%s%s; that does not mean it is safe: a number from 0 to 1 with D decimals can give away "
        "log2(10^D + 1) bits of the labels in every answer, 16.6 with 5. What still holds: a release "
        "by levels is proved for every metric (defend, better %s)",
        is_guess ? " (did you mean " : "", is_guess ? best : "", is_guess ? "?)" : "",
        better != NULL ? better : "higher or lower");
}

/* ---- a loss ---- */

static ll_status read_number(ll_metric *metric, const char *text, ll_error *error)
{
    const ll_metric_row_kind *row = metric->row;
    if (ll_exact_set_text(&metric->parameter, text, strlen(text)) != LL_OK ||
        !row->parameter.allows(&metric->parameter))
        return ll_fail(error, LL_DOMAIN, "metric %s needs %s, not \"%.60s\"", row->info.name, row->parameter.range,
                       text);
    return LL_OK;
}

static ll_status read_parameter(ll_metric *metric, const char *name, ll_error *error)
{
    const char *colon = strchr(name, ':');
    ll_metric_takes takes = metric->row->parameter.takes;
    if (takes == LL_PARAMETER_NONE && colon)
        return ll_fail(error, LL_DOMAIN, "metric %s takes no parameter, found \"%.60s\"", metric->row->info.name,
                       colon);
    if (takes != LL_PARAMETER_NONE && (!colon || !colon[1]))
        return ll_fail(error, LL_DOMAIN, "metric \"%.60s\" lacks its parameter: %s (%s)", name, metric->row->info.name,
                       metric->row->info.summary);
    ll_status status = takes == LL_PARAMETER_NUMBER ? read_number(metric, colon + 1, error) : LL_OK;
    if (status != LL_OK || metric->row->family->open == NULL)
        return status;
    return metric->row->family->open(metric, colon ? colon + 1 : "", error);
}

ll_status ll_metric_create(ll_metric **out, const char *name, ll_error *error)
{
    ll_status status;
    ll_metric *metric;
    char plain[120];
    name = ll_metric_plain_name(plain, sizeof plain, name);
    const ll_metric_row_kind *row = find(name);
    if (!row)
        return fail_unknown(name, error);
    metric = calloc(1, sizeof *metric);
    if (!metric)
        return ll_fail(error, LL_MEMORY, "no memory for a loss");
    metric->row = row;
    metric->convex = LL_TRUE;
    ll_exact_init(&metric->parameter);
    status = read_parameter(metric, name, error);
    if (status == LL_OK)
        *out = metric;
    else
        ll_metric_destroy(metric);
    return status;
}
