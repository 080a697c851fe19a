#include "io/formats/target_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 900 };

ll_status ll_io_targets_write(const ll_io_targets *t, char *text, size_t size, long label, ll_error *error)
{
    return ll_scorer_write_target(t->scorer, text, size, label, error);
}

/* NAN: there is none. */
static double value_of(const ll_io_targets *t, long label)
{
    char text[TEXT];
    if (t->values != NULL)
        return t->values[label];
    return ll_io_targets_write(t, text, sizeof text, label, NULL) == LL_OK ? strtod(text, NULL) : (double)NAN;
}

static ll_status refuse(const ll_io_targets *t, long label, ll_error *error)
{
    char text[TEXT] = "";
    ll_status status = ll_io_targets_write(t, text, sizeof text, label, error);
    return status != LL_OK ? status
                           : ll_fail(error, LL_DOMAIN, "targets %s: %s and the one before it are the same double",
                                     ll_scorer_get(t->scorer, "targets"), text);
}

static ll_status add_value(ll_io_targets *out, long label, ll_error *error)
{
    char text[TEXT];
    ll_status status = ll_io_targets_write(out, text, sizeof text, label, error);
    if (status != LL_OK)
        return status;
    out->names[label] = strdup(text);
    out->values[label] = strtod(text, NULL);
    if (out->names[label] == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for targets");
    return label > 0 && !(out->values[label - 1] < out->values[label]) ? refuse(out, label, error) : LL_OK;
}

/* Doubles lie farthest apart at the ends: where each end is told from its neighbour by more than one place, all are. */
static ll_status check_ends(const ll_io_targets *t, ll_error *error)
{
    double step = (t->high - t->low) / (double)(t->count - 1), most = fmax(fabs(t->low), fabs(t->high));
    return step > 2 * (nextafter(most, INFINITY) - most) ? LL_OK : refuse(t, t->count - 1, error);
}

ll_status ll_io_targets_init(ll_io_targets *out, const ll_scorer *scorer, ll_error *error)
{
    const long count = ll_scorer_count_targets(scorer);
    ll_status status = LL_OK;
    *out = (ll_io_targets){.scorer = scorer};
    if (count == 0)
        return LL_OK;
    out->low = value_of(out, 0);
    out->high = value_of(out, count - 1);
    out->count = count;
    if (count > LL_LISTED_CLASSES)
        return check_ends(out, error);
    out->names = calloc((size_t)count, sizeof *out->names);
    out->values = calloc((size_t)count, sizeof *out->values);
    if (out->names == NULL || out->values == NULL)
        status = ll_fail(error, LL_MEMORY, "no memory for targets");
    for (long k = 0; k < count && status == LL_OK; k++)
        status = add_value(out, k, error);
    if (status != LL_OK)
        ll_io_targets_clear(out);
    return status;
}

void ll_io_targets_clear(ll_io_targets *targets)
{
    for (long k = 0; k < targets->count && targets->names != NULL; k++)
        free(targets->names[k]);
    free((void *)targets->names);
    free(targets->values);
    *targets = (ll_io_targets){0};
}

/* The first label whose number is not below x; count: all are. Steps are even, so a guess is a place or two off. */
static long first_from(const ll_io_targets *t, double x)
{
    if (!(x > t->low))
        return 0;
    if (x > t->high)
        return t->count;
    long k = (long)fmin((double)(t->count - 1), rint((x - t->low) / (t->high - t->low) * (double)(t->count - 1)));
    while (k < t->count && value_of(t, k) < x)
        k++;
    while (k > 0 && value_of(t, k - 1) >= x)
        k--;
    return k;
}

long ll_io_targets_find(const ll_io_targets *targets, double x)
{
    long k = first_from(targets, x);
    return k < targets->count && value_of(targets, k) == x ? k : -1;
}

long ll_io_targets_nearest(const ll_io_targets *targets, double x)
{
    long k = first_from(targets, x);
    if (k == targets->count || (k > 0 && fabs(x - value_of(targets, k - 1)) < fabs(value_of(targets, k) - x)))
        k--;
    return k;
}
