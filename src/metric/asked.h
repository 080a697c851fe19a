/* What a family is asked about a metric that is released: plain data, since this module knows no scorer. */
#ifndef LL_METRIC_ASKED_H
#define LL_METRIC_ASKED_H

#include "metric/scoring.h"

typedef struct {
    const ll_computation *how;
    long rows, classes;    /* 0: not known */
    double scale, power;   /* the released number is scale * number^power, its sign left out; infinite and 0: it is
                              some other function, and what a change of the number moves is not known */
    double ones;           /* share of labels that are 1, as the prior says */
    double proportion;     /* of noise to what a label can move; 0: the noise does not follow it */
    const int64_t *counts; /* rows of every class; NULL: not known */
} ll_asked;

/* Submissions that fail: do labels decide it, and what does a failure tell? */
typedef enum {
    LL_FAILS_NEVER,       /* no label decides whether a submission fails */
    LL_FAILS_WITHOUT_HIT, /* it fails unless a row that is predicted 1 has that label: F1 of an unguarded division */
    LL_FAILS_ON_MISS,     /* it fails where a row that is sure of a label has the other one: a loss that is infinite */
    LL_FAILS_SOMEHOW      /* labels decide it in another way */
} ll_failure_kind;

ll_failure_kind ll_asked_fails(const ll_asked *asked);

/* ---- how far labels can move what is released (docs/proofs/audit.md, docs/proofs/proportional.md) ---- */

/* Is what a label can move known of this metric and its transform? LL_DOMAIN says why not. */
LL_CHECK ll_status ll_asked_check_spread(const ll_asked *asked, ll_error *error);

/* Half of the root of the sum of R_i^2, an upper bound: R_i is the most that the label of row i can move the released
 * number for these predictions, whatever the other labels are, float errors counted; of AUC, whatever other labels with
 * as many positives (auc_noise.h); of F1, where its noise follows the labels, with these other labels (f1_noise.h).
 * LL_DOMAIN names the row, or says that for some labels the number would be infinite; LL_MEMORY. */
LL_CHECK ll_status ll_asked_get_spread(const ll_asked *asked, const ll_scoring *scoring, double *out,
                                       const ll_predictions *predictions, ll_error *error);

/* R_i of every row, out[rows], each an upper bound that no label has a part in. LL_DOMAIN also where only their sum, or
 * what follows the labels, is known. */
LL_CHECK ll_status ll_asked_get_moves(const ll_asked *asked, const ll_scoring *scoring, double *out,
                                      const ll_predictions *predictions, ll_error *error);

/* Bits that the size of noise which follows the labels, too, adds to one answer at most, failing on labels of one class
 * among them; 0 of a metric whose noise never does. */
double ll_asked_size_revealed(const ll_asked *asked);

/* Figures of the released number; NAN where one is not known. */
typedef struct {
    double sampling_error; /* of a middling submission: the standard error that comes from sampling the rows */
    double honest;         /* from the number of a model that knows nothing of the labels to that of a perfect one */
} ll_reference;

/* Of a metric that is no sum of terms, whose numbers depend on the predictions: 0 of those. */
int ll_asked_reference(const ll_asked *asked, ll_reference *out);

/* The spread of a middling submission, NAN where it is not known; 0 of a sum of terms, and *out is NAN. Counts take
 * time that grows with the square of the rows. */
int ll_asked_middling_spread(const ll_asked *asked, double *out);

/* What one answer can show of the labels, whatever is predicted, without noise and rounding. */
typedef struct {
    double value_bits; /* log2 of how many numbers given predictions can get; infinite where that is not known */
    int is_any;        /* a difference may be all rounding: the number is anything, or none */
    int follows_few;   /* noise in proportion follows the labels only where that tells no more than the rest */
    int is_slow;       /* the spread of a submission takes time for every pair of counts */
    int is_settled;    /* the class counts are known, and with them whether there is a number and the size of noise */
    double swing;      /* then: what a swap of labels moves, over what noise in proportion counts with; at least 1 */
} ll_exposure;

/* Of a metric that is no sum of terms; 0 of those, which depend on what a term can be. */
int ll_asked_expose(const ll_asked *asked, ll_exposure *out);

/* ---- what families share ---- */

#define LL_ASKED_UP (1 + 0x1p-40) /* doubles of a few steps, rounded up */

/* ln of the probability that k of n independent labels are 1, each with probability `ones`. */
double ll_log_binomial(double n, double k, double ones);
/* Entropy of a label that is 1 with that probability, in bits. */
double ll_label_entropy(double ones);
/* Bits that an answer with noise of c times the submission's spread tells, its size apart. */
double ll_proportion_revealed(long rows, double c);
/* Does noise of that c follow the labels? Not where its size would tell more than the rest. */
int ll_noise_follows(double revealed, long rows, double c);
/* Of a metric of two classes that is a function of counts (ll_score_two). raises: the program fails on 0/0. */
ll_failure_kind ll_counts_fail(const ll_asked *asked, int raises);

#endif
