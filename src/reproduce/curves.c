#include "reproduce/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const ll_unit *find(const ll_units *units, const ll_series *series, const char *tau, long length,
                           const ll_settings *settings)
{
    ll_unit like = ll_figure_unit(series, tau, length, settings);
    const ll_unit *unit = ll_units_get(units, &like);
    return unit && unit->is_done ? unit : NULL;
}

static int passes(const ll_unit_result *r, ll_measure measure)
{
    const long *v = r->values;
    switch (measure) {
    case LL_ALL_RUNS:
        return v[LL_VALUE_ATTACKS_RIGHT] == v[LL_VALUE_ATTACKS];
    case LL_HALF_RUNS:
        return 2 * v[LL_VALUE_ATTACKS_RIGHT] >= v[LL_VALUE_ATTACKS];
    default:
        return 2 * v[LL_VALUE_LABELS_RIGHT] >= v[LL_VALUE_LABELS];
    }
}

long ll_curve_reach(const ll_units *units, const ll_series *series, ll_measure measure, const char *tau,
                    const ll_settings *settings)
{
    const ll_unit *unit;
    if (series->kind == LL_UNIT_OWN_SINGLE) {
        unit = find(units, series, tau, 0, settings);
        return unit ? unit->result.values[LL_VALUE_LENGTH] : -1;
    }
    for (long length = 1; length <= series->longest; length++) {
        unit = find(units, series, tau, length, settings);
        if (!unit)
            return -1;
        if (!passes(&unit->result, measure))
            return length - 1;
    }
    return series->longest;
}

double ll_curve_accuracy(const ll_units *units, const ll_series *series, const char *tau, long length,
                         const ll_settings *settings)
{
    const ll_unit *unit = find(units, series, tau, length, settings);
    if (!unit)
        return -1;
    return (double)unit->result.values[LL_VALUE_LABELS_RIGHT] / (double)unit->result.values[LL_VALUE_LABELS];
}

long ll_curve_queries(const ll_units *units, const ll_series *series, const char *tau, const ll_settings *settings)
{
    if (series->kind == LL_UNIT_OWN_ALL) {
        const ll_unit *unit = find(units, series, tau, 0, settings);
        return unit ? unit->result.values[LL_VALUE_QUERIES] : 0;
    }
    for (long length = series->longest; length > 0; length--) {
        const ll_unit *unit = find(units, series, tau, length, settings);
        if (unit && unit->result.values[LL_VALUE_LABELS_RIGHT] == unit->result.values[LL_VALUE_LABELS])
            return unit->result.values[LL_VALUE_ATTACKS];
    }
    return 0;
}

/* ------------------------------------------------------------------ curves */

static void add_point(ll_curve *curve, double x, double y, int is_planned)
{
    curve->points[curve->count++] = (ll_point){.x = x, .y = y, .low = y, .high = y, .is_planned = is_planned};
}

/* Wilson's interval of `right` of `all`. */
static void set_interval(ll_point *point, double right, double all)
{
    const double z = 1.959964;
    double share = right / all, middle = (share + z * z / (2 * all)) / (1 + z * z / all);
    double half = z / (1 + z * z / all) * sqrt(share * (1 - share) / all + z * z / (4 * all * all));
    point->low = fmax(0, middle - half);
    point->high = fmin(1, middle + half);
}

/* The labels that came back right. */
static void add_share(ll_curve *curve, const ll_unit *unit)
{
    double right = (double)unit->result.values[LL_VALUE_LABELS_RIGHT];
    double all = (double)unit->result.values[LL_VALUE_LABELS];
    add_point(curve, (double)unit->result.values[LL_VALUE_ATTACKS], right / all, 0);
    set_interval(&curve->points[curve->count - 1], right, all);
}

static double limit_of(const ll_series *series)
{
    return ll_figure_limit(ll_units_dataset(series->dataset)->classes);
}

/* Labels against noise. */
static void make_reach(ll_curve *curve, const ll_panel *panel, const ll_units *units, const ll_settings *settings)
{
    long count;
    const char *const *taus = ll_figure_taus(&count, panel->measure, settings->quick);
    (void)snprintf(curve->title, sizeof curve->title, "%s", curve->series->title);
    for (long t = 0; t < count; t++) {
        long reach =
            curve->series->is_limit ? 0 : ll_curve_reach(units, curve->series, panel->measure, taus[t], settings);
        double y = curve->series->is_limit ? floor(limit_of(curve->series)) : (double)reach;
        if (y >= 0) {
            add_point(curve, strtod(taus[t], NULL), y, 0);
            curve->points[curve->count - 1].is_least =
                curve->series->kind == LL_UNIT_SINGLE && !curve->series->is_limit && reach == curve->series->longest;
        }
    }
}

/* The library's own plan is one point: every label, or none where no plan is certified. Blocks read alone: */
static void make_own_blocks(ll_curve *curve, const ll_units *units, const ll_settings *settings)
{
    const ll_unit *unit = find(units, curve->series, curve->tau, 0, settings);
    if (unit && unit->result.values[LL_VALUE_LENGTH] > 0)
        add_share(curve, unit);
}

/* All rows in every score: */
static void make_own(ll_curve *curve, const ll_units *units, const ll_settings *settings)
{
    const ll_unit *unit = find(units, curve->series, curve->tau, 0, settings);
    const long *v = unit ? unit->result.values : NULL;
    if (v && v[LL_VALUE_QUERIES] > 0)
        add_point(curve, (double)v[LL_VALUE_QUERIES],
                  v[LL_VALUE_WAS_RUN] ? (double)v[LL_VALUE_ROWS_RIGHT] / (double)v[LL_VALUE_ROWS] : 1,
                  !v[LL_VALUE_WAS_RUN]);
}

/* Accuracy against queries. */
static void make_accuracy(ll_curve *curve, const ll_units *units, const ll_settings *settings)
{
    const ll_series *series = curve->series;
    (void)snprintf(curve->title, sizeof curve->title, curve->tau ? "%s, tau = %s" : "%s", series->title, curve->tau);
    if (series->is_limit)
        add_point(curve, ceil((double)ll_units_dataset(series->dataset)->rows / limit_of(series)), 1, 0);
    else if (series->kind == LL_UNIT_OWN_ALL)
        make_own(curve, units, settings);
    else if (series->kind == LL_UNIT_OWN_BLOCKS)
        make_own_blocks(curve, units, settings);
    else
        for (long length = series->longest; length > 0; length--) {
            const ll_unit *unit = find(units, series, curve->tau, length, settings);
            if (unit)
                add_share(curve, unit);
        }
}

ll_status ll_curves_init(ll_curves *curves, const ll_panel *panel, const ll_units *units, const ll_settings *settings,
                         ll_error *error)
{
    long taus;
    const char *const *tau = ll_figure_taus(&taus, panel->measure, settings->quick);
    *curves = (ll_curves){.list = calloc((size_t)(panel->count * taus), sizeof(ll_curve))};
    if (!curves->list)
        return ll_fail(error, LL_MEMORY, "out of memory for the curves of %s", panel->name);
    for (long s = 0; s < panel->count; s++) {
        const ll_series *series = &panel->series[s];
        int is_one = panel->measure != LL_ACCURACY || series->is_limit;
        for (long t = 0; t < (is_one ? 1 : taus); t++) {
            ll_curve *curve = &curves->list[curves->count++];
            *curve = (ll_curve){.series = series, .tau = is_one ? NULL : tau[t]};
            if (panel->measure == LL_ACCURACY)
                make_accuracy(curve, units, settings);
            else
                make_reach(curve, panel, units, settings);
        }
    }
    return LL_OK;
}

void ll_curves_clear(ll_curves *curves)
{
    free(curves->list);
    *curves = (ll_curves){0};
}
