/* Numbers of predictions of class 0 and one other, set by set of the code cells:contrast (docs/proofs/contrast.md).
 * Set t is predicted class c in one query, and all other rows 0. */
#ifndef LL_STRATEGY_CELLS_CONTRAST_H
#define LL_STRATEGY_CELLS_CONTRAST_H

#include "metric/view.h"
#include "plan/plan.h"

enum { LL_CONTRAST_CLASSES = 64 }; /* at most */

typedef struct {
    const ll_plan *plan;
    long classes, sets;   /* sets: those that tell labels first, then small ones */
    long samples;         /* how many of those there are */
    int64_t *sizes;       /* [set]: rows */
    double *lows, *highs; /* [(class - 1) * sets + set]: the number, widened by far more than doubles are off */
    ll_worked scratch;
} ll_contrast_view;

LL_CHECK ll_status ll_contrast_init(ll_contrast_view *view, const ll_plan *plan, ll_error *error); /* LL_MEMORY */
void ll_contrast_clear(ll_contrast_view *view);
void ll_contrast_keep(ll_contrast_view *view, long query, const arb_t number);

/* What is supposed of the labels: rows of class 0; classes that there are, 0 where the metric does not look. */
typedef struct {
    int64_t zeros;
    long present;
} ll_supposed;

/* The number with `others` rows of class `other`, and of the rows of set `set` from_zeros and true positives of these
 * classes; NaN where there is none. */
double ll_contrast_number(const ll_contrast_view *view, const ll_supposed *labels, long other, int64_t others, long set,
                          int64_t from_zeros, int64_t tp);
/* All rows predicted `other`. */
double ll_contrast_total(const ll_contrast_view *view, long other, int64_t others, long present);
int ll_contrast_allows(const ll_contrast_view *view, long other, long set, double number);

/* Every vector of rows of each class in the set that explains its numbers, rows[class] of each class supposed: up to
 * `most` of them into out[found * classes + class]. More: most + 1. */
long ll_contrast_solve(const ll_contrast_view *view, int64_t *out, const int64_t *rows, long present, long set,
                       long most);

/* Shows every rows[class] that may be those of labels with these numbers, until see() fails. LL_UNABLE: they are too
 * many to list. */
typedef ll_status ll_see_counts(void *self, const int64_t *rows, ll_error *error);
LL_CHECK ll_status ll_contrast_counts(const ll_contrast_view *view, ll_see_counts *see, void *self, ll_error *error);

#endif
