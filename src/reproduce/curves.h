/* Points out of results: what a panel draws. */
#ifndef LL_REPRODUCE_CURVES_H
#define LL_REPRODUCE_CURVES_H

#include "reproduce/figures.h"

typedef struct {
    double x, y;
    double low, high; /* of a share that was counted: its 95% interval (Wilson); else both are y */
    int is_planned;   /* counted by the plan, not run */
    int is_least;     /* no length that was tried failed */
} ll_point;

enum { LL_CURVE_POINTS = 64, LL_CURVE_TITLE = 96 };

typedef struct {
    char title[LL_CURVE_TITLE];
    const ll_series *series;
    const char *tau; /* of an accuracy curve, NULL: none */
    long count;
    ll_point points[LL_CURVE_POINTS];
} ll_curve;

typedef struct {
    ll_curve *list;
    long count;
} ll_curves;

/* All of a panel, whose units are done; x rises along a curve. */
LL_CHECK ll_status ll_curves_init(ll_curves *curves, const ll_panel *panel, const ll_units *units,
                                  const ll_settings *settings, ll_error *error);
void ll_curves_clear(ll_curves *curves);

/* ---- what sentences ask ---- */

/* Most labels of one query, lengths 1, 2, ... all passing the measure; of OWN_SINGLE, its length. -1: no such unit. */
long ll_curve_reach(const ll_units *units, const ll_series *series, ll_measure measure, const char *tau,
                    const ll_settings *settings);
/* Share of right labels with `length` labels a query, and the fewest queries for all of them (0: never). */
double ll_curve_accuracy(const ll_units *units, const ll_series *series, const char *tau, long length,
                         const ll_settings *settings);
long ll_curve_queries(const ll_units *units, const ll_series *series, const char *tau, const ll_settings *settings);

#endif
