/* Shares of one class of a confusion matrix, as scikit-learn computes them: precision, recall and their kin. What
 * becomes of 0/0 is the setting zero-division. */
#ifndef LL_METRIC_CLASS_SHARES_H
#define LL_METRIC_CLASS_SHARES_H

#include "metric/counts/confusion.h"

/* Rows of a class: right ones, predicted ones, true ones. */
typedef struct {
    int64_t tp, guessed, support, rows;
    const ll_worked *weighed; /* [LL_AMOUNTS], where rows have weights: counts then tell what is 0 */
} ll_class_part;

ll_class_part ll_part_of(const ll_confusion *counts, long k);
/* The same by sums of rows and columns of the matrix, which a program rounds otherwise. */
ll_class_part ll_part_of_matrix(const ll_confusion *counts, long k);
/* One of them, LL_TP .. LL_JOINT, as a number. */
void ll_class_amount(const ll_work *work, ll_worked *out, const ll_class_part *p, int amount);

typedef void (*ll_share)(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p);

void ll_share_precision(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p);
void ll_share_recall(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p);
void ll_share_jaccard(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p);
/* F of the metric's parameter, of 1 where it has none. */
void ll_share_f_score(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p);
void ll_share_f1(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p);

/* Is it 0/0, where a program that does not look out fails? */
int ll_no_precision(const ll_class_part *p);
int ll_no_recall(const ll_class_part *p);
int ll_no_jaccard(const ll_class_part *p);
int ll_no_f_score(const ll_class_part *p);

#endif
