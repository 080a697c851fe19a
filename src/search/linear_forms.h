/* Linear forms in the labels with integer weights: of every labelling that fits, the sum over rows of
 * weight(row, label) lies in [low, high]. Those of scores, whose weights are multiples of one unit where they are
 * close to such (docs/proofs/isolate.md). */
#ifndef LL_SEARCH_LINEAR_FORMS_H
#define LL_SEARCH_LINEAR_FORMS_H

#include "search/linear.h"

typedef struct {
    long rows, classes, count;
    unsigned char *candidates; /* [row * classes + label]; a row without any: nothing fits */
    fmpz *weights;             /* [(form * rows + row) * classes + label] */
    fmpz *low, *high;
    unsigned char *is_whole; /* [form]: its sum is known to be an integer number of units, and is counted in them */
} ll_forms;

/* Of all scores; candidates are `possible` where the system allows them. LL_MEMORY leaves it cleared. */
LL_CHECK ll_status ll_forms_init(ll_forms *forms, const ll_linear *system, const unsigned char *possible);
LL_CHECK ll_status ll_forms_copy(ll_forms *out, const ll_forms *forms);
void ll_forms_clear(ll_forms *forms);

static inline fmpz *ll_forms_weight(const ll_forms *forms, long form, long row, long label)
{
    return forms->weights + (form * forms->rows + row) * forms->classes + label;
}

/* The first label that the row may have; -1: none. */
long ll_forms_base(const ll_forms *forms, long row);

/* Is some row without a candidate, or some interval without an integer? */
int ll_forms_is_none(const ll_forms *forms);

/* Labels that some form excludes whatever the others are, until there are none. */
void ll_forms_propagate(ll_forms *forms);

/* Forms whose weights agree mod 2, and whose intervals hold two integers, are even together or odd together: keep those
 * that are `odd` or not. 0: there are no two such forms, and nothing was done. */
int ll_forms_split(ll_forms *forms, int odd);

#endif
