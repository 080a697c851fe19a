/* The paper's attacks in IEEE doubles: terms of a score, the score, and LabelInf. */
#ifndef LL_EXPERIMENT_EXPERIMENT_H
#define LL_EXPERIMENT_EXPERIMENT_H

#include "lossleak/paper.h"

enum { LL_EXPERIMENT_CLASSES = 16 };

/* ---- constructions.c: rows of predictions ---- */

typedef struct {
    ll_construction_info info;
    long classes; /* 2: only two; 0: any */
    /* Row i = 1, 2, ... for weights in units of scale (N tau in the paper); `classes` numbers, or the first of them. */
    ll_status (*fill)(double *row, long classes, long i, double scale, ll_error *error);
    void (*neutral)(double *row, long classes);                  /* a row whose label does not matter */
    double (*term)(const double *row, long classes, long label); /* s(label, row); may be infinite or NaN */
} ll_construction;

/* NULL: no such name. */
const ll_construction *ll_construction_find(const char *name);

/* ---- inverse.c: the prediction with the weight w, finite and at least 0, as the nearest double ---- */

double ll_inverse_itakura_saito(double w);
double ll_inverse_log_loss(double w);

/* ---- paper_losses.c: s(label, row), written as the formulas are ---- */

double ll_paper_itakura_saito(const double *row, long classes, long label);
double ll_paper_binary_entropy(const double *row, long classes, long label); /* row[0]: of label 1 */
double ll_paper_cross_entropy(const double *row, long classes, long label);
double ll_paper_softmax(const double *row, long classes, long label);     /* exp(z_k) / sum exp(z_j), then ln */
double ll_paper_log_sum_exp(const double *row, long classes, long label); /* ln sum exp(z_j - m) - (z_k - m) */
double ll_paper_sigmoid(const double *row, long classes, long label);     /* ln of 1/(1+exp(-z)), or of 1 minus it */

/* ---- repeated_sum.c ---- */

/* sum + x + x + ... (count times), each addition rounded: what the loop gives, in time log(count). x >= 0 and finite,
 * sum >= 0. */
double ll_repeated_sum(double sum, double x, long count);

/* ---- weighing.c: one query ---- */

/* The score of `rows` rows with terms[row * classes + label], between `before` and `after` rows that add `constant`
 * whatever their labels: ((0 + constant + ... + term + term + ... + constant + ...) / divisor), left to right. */
typedef struct {
    long rows, classes;
    double *terms;
    double constant;
    double before; /* the sum of the rows before */
    long after;
    double divisor;
} ll_weighing;

/* Terms of rows 1 .. rows of a construction; before and after are 0. LL_MEMORY leaves nothing behind. */
LL_CHECK ll_status ll_weighing_init(ll_weighing *w, const ll_construction *construction, long rows, long classes,
                                    double scale, double divisor, ll_error *error);
void ll_weighing_clear(ll_weighing *w);

double ll_weighing_score(const ll_weighing *w, const int32_t *labels);
/* The same with rows 0 .. first-1 already summed. */
double ll_weighing_finish(const ll_weighing *w, const int32_t *labels, double sum, long first);

/* ---- label_inference.c ---- */

/* LabelInf: the labelling whose score, computed as above, is nearest to `score`, distances computed as
 * fabs(f - score); of several the first, read as a number with row 0 its lowest digit. A labelling whose score is
 * infinite or NaN is never nearest; 0: there is no other, or `score` is none. Equal to looking at all (see the file).
 */
int ll_label_inference(const ll_weighing *w, int32_t *labels, double *distance, double score);

/* The same for two classes by looking at all labellings whose first rows have the bits of `slice`, slices = 2^s,
 * s <= rows. *labelling: bit i is the label of row i. LL_MEMORY. */
LL_CHECK ll_status ll_label_inference_all(const ll_weighing *w, uint64_t *labelling, double *distance, int *found,
                                          double score, long slice, long slices, ll_error *error);

#endif
