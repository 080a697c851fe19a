/* What the rows of a confusion matrix weigh together, where they have weights: sums of doubles that the program adds up
 * row by row, as NumPy's bincount and SciPy's coo_matrix do, and what it makes of them before it divides
 * (docs/proofs/weighed-counts.md). */
#ifndef LL_METRIC_WEIGHED_H
#define LL_METRIC_WEIGHED_H

#include "metric/computation.h"
#include "metric/worked.h"

/* Weights of one class. */
enum {
    LL_TP,        /* of its label and predicted so */
    LL_PREDICTED, /* predicted so */
    LL_SUPPORT,   /* of its label */
    LL_JOINT,     /* either */
    LL_RECALL,    /* true positives / truth, where it is known better than by division; else indeterminate */
    LL_AMOUNTS
};

/* Two classes: what the rows of each label and prediction weigh, [label * 2 + predicted], within balls. */
typedef struct {
    arb_struct cells[4];
    arb_struct predicted[2], total; /* the same of rows predicted so, and of all: known better than the cells tell */
    int is_some[4];                 /* is there a row that weighs more than 0? */
    int seen[2];                    /* does a row have that label or prediction, of whatever weight? */
    long rows;
} ll_weighed_two;

typedef struct {
    long classes;
    int is_exact;     /* sums are exact; else the doubles that a program has */
    ll_worked *cells; /* [label * classes + predicted] */
    ll_worked *parts; /* [class * LL_AMOUNTS + ..]: as scikit-learn's counts of one class against the rest */
    ll_worked *sums;  /* [class * LL_AMOUNTS + ..]: as sums of rows and columns of its matrix */
    ll_worked *scratch;
    ll_worked all[LL_AMOUNTS];      /* sums of `parts` over all classes */
    double *support, *predicted;    /* one a class, added up row by row */
    unsigned char *seen;            /* [class]: some row has that label or prediction, of whatever weight */
    const ll_weighed_two *supposed; /* NULL: rows were added */
} ll_weighed;

LL_CHECK ll_status ll_weighed_init(ll_weighed *w, long classes, int is_exact, ll_error *error);
void ll_weighed_clear(ll_weighed *w);
void ll_weighed_add(ll_weighed *w, long label, long predicted, double weight);
/* All that follows from the cells, once every row is there. */
void ll_weighed_close(const ll_work *work, ll_weighed *w);

void ll_weighed_two_init(ll_weighed_two *two, long rows);
void ll_weighed_two_clear(ll_weighed_two *two);
/* Cells that are supposed: every sum is added up of at most two->rows doubles, in any order. *two must live on. */
void ll_weighed_suppose(const ll_work *work, ll_weighed *w, const ll_weighed_two *two);

/* Matthews's coefficient, where labels and predictions have weight in two classes at least. LL_UNABLE where rounding
 * leaves nothing of it. */
LL_CHECK ll_status ll_weighed_mcc(const ll_work *work, ll_worked *out, const ll_weighed *w, ll_error *error);
/* Cohen's kappa, where labels and predictions are not all of one class: of(d) is what a pair of seen classes costs that
 * are d apart. */
void ll_weighed_kappa(const ll_work *work, ll_worked *out, const ll_weighed *w, int64_t (*of)(int64_t distance));

#endif
