/* Decoders for weights that nobody designed. LabelInf (the paper's eq:labelinf): look at every labelling. */
#ifndef LL_SEARCH_EXHAUSTIVE_H
#define LL_SEARCH_EXHAUSTIVE_H

#include "number/exact.h"

/* What LabelInf found. */
typedef struct {
    uint64_t count; /* labellings whose sum is within tolerance of the target */
    long kept;      /* how many of them are listed, at most the limit */
    int32_t *
        labellings; /* kept * rows, in increasing order of the labelling read as a number with row 0 its lowest digit */
    double nearest; /* least |sum - target| over all labellings (a double, nearest for the exact one) */
    int32_t *best;  /* rows: a labelling that attains it (of several the first) */
} ll_search_result;

LL_CHECK ll_status ll_search_result_init(ll_search_result *result, long rows, long limit);
void ll_search_result_clear(ll_search_result *result);

/* Every labelling of `rows` rows with `classes` labels; weights[row * classes + label] is what it adds. Lists those
 * with |sum - target| <= tolerance, where a sum is the real sum of the given doubles: rounding errors of
 * the search itself are inside a proved margin, and what falls into the margin is decided exactly.
 * seconds: refuse (LL_UNABLE, with a prediction in the text) where more would be needed. threads 0: all. */
LL_CHECK ll_status ll_search_exhaustive(ll_search_result *out, const double *weights, long rows, long classes,
                                        double target, double tolerance, long limit, double seconds, int threads,
                                        ll_error *error);

#endif
