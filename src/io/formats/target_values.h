/* Numeric targets as label files hold them: numbers of a grid, one for each label. */
#ifndef LL_IO_TARGET_VALUES_H
#define LL_IO_TARGET_VALUES_H

#include "lossleak.h"

typedef struct {
    char *
        *names; /* [label]: the number as text, increasing; NULL: labels are classes, or more than LL_LISTED_CLASSES */
    double *values; /* the same, as doubles */
    long count;
    const ll_scorer *scorer; /* it must outlive them */
    double low, high;
} ll_io_targets;

/* Those of a scorer; all zeros where it has none. LL_DOMAIN where two of them are one double; LL_MEMORY. */
LL_CHECK ll_status ll_io_targets_init(ll_io_targets *out, const ll_scorer *scorer, ll_error *error);
void ll_io_targets_clear(ll_io_targets *targets);

/* The number of a label as text. */
LL_CHECK ll_status ll_io_targets_write(const ll_io_targets *targets, char *text, size_t size, long label,
                                       ll_error *error);
/* The label whose number is that double; -1: none. */
long ll_io_targets_find(const ll_io_targets *targets, double x);
/* The label whose number is nearest. */
long ll_io_targets_nearest(const ll_io_targets *targets, double x);

#endif
