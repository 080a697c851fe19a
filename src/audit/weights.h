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
    double least, greatest, mean, variance; /* of the sum over rows; labels uniform, or from the scorer's prior */
    long beyond;                            /* rows with an entry or a term that no double holds */
    long saturated;                         /* rows that lie at or beyond the clip, or at 0 or 1 */
    double smallest;                        /* entry of all rows; of one column p or 1 - p */
    unsigned char *is_saturated;
    unsigned char *is_beyond;
} ll_weights;

/* Reads all rows. LL_DOMAIN names the row; LL_UNABLE beyond max_memory. Clear it in any case. */
LL_CHECK ll_status ll_weights_init(ll_weights *out, const ll_scorer *scorer, const ll_predictions *predictions,
                                   double max_memory, ll_error *error);
void ll_weights_clear(ll_weights *weights);

/* term(label) - term(0) of a row */
double ll_weights_get(const ll_weights *weights, long row, long label);
/* Is the loss of the row the same with every label? */
int ll_weights_is_neutral(const ll_weights *weights, long row);

#endif
