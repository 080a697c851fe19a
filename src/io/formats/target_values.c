#include "io/formats/target_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ll_status add_value(ll_io_targets *out, const ll_scorer *scorer, long label, ll_error *error)
{
    char text[900];
    ll_status status = ll_scorer_write_target(scorer, text, sizeof text, label, error);
    if (status != LL_OK)
        return status;
    out->names[label] = strdup(text);
    out->values[label] = strtod(text, NULL);
    if (out->names[label] == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for targets");
    if (label > 0 && !(out->values[label - 1] < out->values[label]))
        return ll_fail(error, LL_DOMAIN, "targets %s: %s and the one before it are the same double",
                       ll_scorer_get(scorer, "targets"), text);
    return LL_OK;
}

ll_status ll_io_targets_init(ll_io_targets *out, const ll_scorer *scorer, ll_error *error)
{
    long count = ll_scorer_count_targets(scorer);
    *out = (ll_io_targets){0};
    if (count == 0)
        return LL_OK;
    out->names = calloc((size_t)count, sizeof *out->names);
    out->values = calloc((size_t)count, sizeof *out->values);
    ll_status status = LL_OK;
    if (out->names == NULL || out->values == NULL)
        status = ll_fail(error, LL_MEMORY, "no memory for targets");
    else
        out->count = count;
    for (long k = 0; k < out->count && status == LL_OK; k++)
        status = add_value(out, scorer, k, error);
    if (status != LL_OK)
        ll_io_targets_clear(out);
    return status;
}

void ll_io_targets_clear(ll_io_targets *targets)
{
    for (long k = 0; k < targets->count; k++)
        free(targets->names[k]);
    free((void *)targets->names);
    free(targets->values);
    *targets = (ll_io_targets){0};
}

/* The first label whose number is not below x; count: all are. */
static long first_from(const ll_io_targets *targets, double x)
{
    long low = 0, high = targets->count;
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (targets->values[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

long ll_io_targets_find(const ll_io_targets *targets, double x)
{
    long k = first_from(targets, x);
    return k < targets->count && targets->values[k] == x ? k : -1;
}

long ll_io_targets_nearest(const ll_io_targets *targets, double x)
{
    long k = first_from(targets, x);
    if (k == targets->count || (k > 0 && fabs(x - targets->values[k - 1]) < fabs(targets->values[k] - x)))
        k--;
    return k;
}
