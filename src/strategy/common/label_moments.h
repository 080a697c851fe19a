/* One supposition about two moments of the labels, A = sum of y and B = sum of f(y): f(y) is y^2 with squares, with
 * lines the sum of |y - k| over the inner classes k. What ordered classes cost by chance is a linear function of both
 * (docs/proofs/ordered.md), and R^2 is one of the sum of squares about the mean (docs/proofs/fit.md). */
#ifndef LL_STRATEGY_COMMON_LABEL_MOMENTS_H
#define LL_STRATEGY_COMMON_LABEL_MOMENTS_H

#include "metric/view.h"
#include "plan/plan.h"

typedef struct {
    const ll_plan *plan;
    int is_lines;
    int64_t first, second;     /* A, B */
    int64_t second_most, step; /* B goes by steps up to that */
    const int64_t *counts;     /* told, or NULL */
} ll_moments;

void ll_moments_first(ll_moments *m, const ll_plan *plan);
int ll_moments_next(ll_moments *m); /* 0: there are no more */
/* Do the labels have these moments, and the counts that were told? May they, with the labels of more rows, where they are
 * not those of all? */
int ll_moments_fit(const ll_moments *m, const int32_t *labels, long rows);

#endif
