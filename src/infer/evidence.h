/* Scores of the same rows, as intervals. */
#ifndef LL_INFER_EVIDENCE_H
#define LL_INFER_EVIDENCE_H

#include "scorer/scorer.h"
#include "search/linear.h"

/* One score. With c_i the term that the scorer computed for row i: |c_i - middle| <= radius of terms[i, label]; its sum
 * of them lies in `sum`; and |sum - sum of the c_i| <= slope * sum of the |c_i|. */
typedef struct {
    arb_ptr terms;          /* rows * classes */
    unsigned char *allowed; /* rows * classes: has the label a finite loss there? */
    arb_t sum;
    arb_t noise; /* how much of its radius is noise and rounding of the release */
    mag_t slope;
    char *text; /* as it was released; NULL in a part of an evidence */
    /* Of a metric of counts or ranks: the predictions, row by row; `sum` is the number's interval, and no terms are. */
    double *values;
    long columns;
} ll_observation;

void ll_observation_clear(ll_observation *observation, long cells); /* rows x classes */

struct ll_evidence {
    const ll_scorer *scorer; /* shared */
    ll_scoring scoring;      /* no labels */
    ll_release_texts texts;  /* of the scores that were read */
    int has_terms;           /* is the number a sum of terms? */
    long rows, classes;
    ll_observation *observations;
    long count, room;
    ll_evidence **parts; /* of several numbers in one answer: each with its own scores, and none here */
    long part_count;
    /* Ways in which classes may be read of predictions (scorer/reading.h): parts of way w are parts[w * part_count +
     * p], the same for several w where a number has fewer ways; alike[w]: the ways before w that have read the same so
     * far. */
    long ways;
    unsigned alike[4];
};

/* The sum of terms that a released score stands for. LL_DOMAIN for text that is no finite number. */
LL_CHECK ll_status ll_evidence_read_score(const ll_evidence *evidence, arb_t sum, arb_t noise, const char *text,
                                          ll_error *error);

/* An answer on a list of levels, whose end o->sum is: to the sums that these terms can have, where it has one end. 0: it
 * tells nothing that could be used. */
int ll_evidence_widen_level(const ll_evidence *evidence, ll_observation *o, const char *text);

/* Metrics of counts and ranks (infer_views.c): the predictions, and the number that a released score stands for. */
LL_CHECK ll_status ll_evidence_read_view(const ll_evidence *evidence, ll_observation *out,
                                         const ll_predictions *predictions, ll_error *error);
LL_CHECK ll_status ll_evidence_read_number(const ll_evidence *evidence, arb_t number, const char *text,
                                           ll_error *error);
/* Can the program's number of these labels be the one that was read? Labels without a number cannot. */
LL_CHECK ll_status ll_evidence_explains_view(const ll_evidence *evidence, const ll_observation *observation,
                                             const int32_t *labels, int *fits, ll_error *error);

/* What was made becomes *out, which is cleared before; where the status is not LL_OK, it is cleared itself (inference.c). */
LL_CHECK ll_status ll_inference_give(ll_inference *out, ll_inference *made, ll_status status, ll_error *error);

/* Several numbers, or such metrics: the labels behind all of them (infer_joint.c). */
LL_CHECK ll_status ll_evidence_infer_joint(const ll_evidence *evidence, ll_inference *out, ll_method method,
                                           const ll_budget *budget, ll_error *error);

/* The same of scores whose classes are read in one way (inference.c). */
LL_CHECK ll_status ll_evidence_infer_way(const ll_evidence *evidence, ll_inference *out, ll_method method,
                                         const ll_budget *budget, ll_error *error);

/* Scores whose every number is a sum of terms, taken as one block. quick: LL_UNABLE unless meet in the middle decides
 * it within a few seconds; *cost becomes the seconds that were predicted for it. */
LL_CHECK ll_status ll_evidence_infer_block(const ll_evidence *evidence, ll_inference *out, int quick, double *cost,
                                           const ll_budget *budget, ll_error *error);

/* The equations in integers. Every labelling that explains the scores fits them. LL_UNABLE where weights are too large
 * beside the tolerance. */
LL_CHECK ll_status ll_evidence_equations(const ll_evidence *evidence, ll_linear *out, ll_error *error);

/* Does a labelling explain every score? Its own terms decide, so this is sharper than the equations, whose tolerance
 * holds for all labellings. */
int ll_evidence_explains(const ll_evidence *evidence, const int32_t *labels);
/* The same of one score. */
int ll_evidence_explains_one(const ll_evidence *evidence, const ll_observation *observation, const int32_t *labels);

/* |released score - that of the labels|, as N * score, and how far off it may be by the scorer's own rounding; of the
 * score where they are closest. */
void ll_evidence_margins(const ll_evidence *evidence, arb_t noise, arb_t rounding, arb_t residual,
                         const int32_t *labels);

#endif
