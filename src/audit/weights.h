/* What every row of given predictions adds with every label, as doubles: enough for figures in bits and for seeing a
 * construction, where nothing is proved from the last digit. */
#ifndef LL_AUDIT_WEIGHTS_H
#define LL_AUDIT_WEIGHTS_H

#include "scorer/scorer.h"

typedef struct {
    const ll_scorer *scorer; /* must outlive it */
    ll_scoring scoring;
    long rows, classes, columns;
    double *terms;  /* [row * classes + label]; |term| may be infinite where no double holds it */
    double *errors; /* [row]: how far its weights may be from the numbers that their maker had in mind */
    double least, greatest, mean, variance; /* of the sum over rows; labels as the scorer's are drawn */
    long beyond;                            /* rows with an entry or a term that no double holds */
    long saturated;                         /* rows that lie at or beyond the clip, or at 0 or 1 */
    double smallest;                        /* entry of all rows; of one column p or 1 - p */
    long ratios; /* probabilities above 0 other than the largest of their row; of more than two classes: and a third of
                    it */
    double ratio, ratio_spread; /* mean and standard deviation of the logarithms of largest / such */
    unsigned char *is_saturated;
    unsigned char *is_beyond;
} ll_weights;

/* What given predictions are inspected as. LL_DOMAIN where a scorer of one plain number does not take them. */
LL_CHECK ll_status ll_inspection_scoring(ll_scoring *out, const ll_scorer *scorer, const ll_predictions *predictions,
                                         ll_error *error);

/* Reads all rows. LL_DOMAIN names the row; LL_UNABLE beyond max_memory. Clear it in any case. */
LL_CHECK ll_status ll_weights_init(ll_weights *out, const ll_scorer *scorer, const ll_predictions *predictions,
                                   double max_memory, ll_error *error);
void ll_weights_clear(ll_weights *weights);

/* term(label) - term(0) of a row */
double ll_weights_get(const ll_weights *weights, long row, long label);
/* The most that a label of the row weighs, |term(k) - term(0)|; DBL_MAX where no double holds it. */
double ll_weights_loudest(const ll_weights *weights, long row);
/* Is the loss of the row the same with every label? */
int ll_weights_is_neutral(const ll_weights *weights, long row);
/* The share of a label. */
double ll_weights_share(const ll_weights *weights, long label);
/* The expected score of the shares of the classes as every row's answer, labels drawn from them, before the release
 * changes it; NAN where the metric takes no probabilities or log-odds. */
LL_CHECK ll_status ll_weights_constant_score(double *out, const ll_weights *weights, ll_error *error);

#endif
