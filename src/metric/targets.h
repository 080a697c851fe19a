/* Numeric targets on a grid, LO:HI:STEP: label k stands for the number LO + k STEP. */
#ifndef LL_METRIC_TARGETS_H
#define LL_METRIC_TARGETS_H

#include "number/exact.h"

#define LL_TARGETS_MOST INT32_MAX /* labels are 32-bit numbers */

typedef struct {
    fmpz_t low, step; /* in units of 2^two 5^five, step > 0 */
    slong two, five;  /* at most 0 */
    long count;       /* of values, 2 .. LL_TARGETS_MOST */
} ll_targets;

/* LL_DOMAIN says what is wrong with the text; *out is not to be cleared then. */
LL_CHECK ll_status ll_targets_init(ll_targets *out, const char *text, ll_error *error);
void ll_targets_clear(ll_targets *targets);

/* The number that label k stands for, 0 <= k < count. */
void ll_targets_get(const ll_targets *targets, ll_exact *out, long label);
/* The same as decimal digits, "2.5"; cut where size is too small. */
void ll_targets_write(const ll_targets *targets, char *text, size_t size, long label);

#endif
