/* Inside `separate`: metrics of counts and ranks. Rows that such a metric cannot tell apart, those of one predicted
 * label or one tie, are a group. */
#ifndef LL_SEPARATE_SEPARATE_VIEWS_H
#define LL_SEPARATE_SEPARATE_VIEWS_H

#include "separate/separate_work.h"

typedef struct {
    ll_separation_work *work;
    long rows, classes;
    int is_ranks;
    int has_one; /* two classes, labels: is a row predicted to be 1? */
    long groups;
    long *order;                 /* rows, the highest prediction first */
    long *group;                 /* [row] */
    long *sizes;                 /* [group], the highest prediction first */
    const int64_t *known_counts; /* rows of each class; NULL: not known */
    double max_memory;
} ll_views;

/* May a labelling have so many rows of class 1? Two classes. */
int ll_views_may_have(const ll_views *views, long positives);

/* How many different exact scores there are, and the least difference of two different ones (infinity: there are none);
 * *different 0: not counted, there are too many. Numbers within 2^-200 of each other count as one. Their range goes
 * into views->work. */
LL_CHECK ll_status ll_views_count(const ll_views *views, double *different, arf_t step, ll_error *error);

/* The gap of a metric of counts or ranks, whose predictions w->terms holds. */
LL_CHECK ll_status ll_work_find_views(ll_separation_work *w, double max_memory, ll_error *error);

#endif
