/* A scorer as a channel: what one answer can tell about labels, before any code is thought of. All figures are in units
 * of the released score. */
#ifndef LL_AUDIT_CHANNEL_H
#define LL_AUDIT_CHANNEL_H

#include "audit/known_counts.h"
#include "release/staircase.h"
#include "scorer/scorer.h"

#define LL_UP (1 + 0x1p-40) /* doubles of a few steps, rounded up */

typedef struct {
    long rows, classes;
    double queries; /* how many are answered; infinity: no limit */
    /* Bounds from above, the scorer's own rounding counted. */
    double reach;       /* W: the most that the loss of one row can depend on its label; may be infinite */
    double range;       /* of the released score of given predictions, over all labels; may be infinite */
    double sensitivity; /* the most that one label can move it: W/N; root: sqrt(W/N); lp: its steepest step */
    double spread; /* the most that its standard deviation can be, labels drawn at random; infinite where not known */
    double scale;  /* released units for one unit of the mean: 100 for percent */
    int is_linear; /* the released score is scale * mean + constant */
    int is_count;  /* answers are counts of right labels: at most rows + 1 of them */
    int is_sum;  /* answers are of a sum of terms; else of counts or ranks, and what averages would give is not known */
    int is_open; /* a row may be predicted so that its loss is infinite for a label, and finite for others */
    int fails;   /* there are labels for which the program makes no number: failing is an answer without noise */
    int fails_free;    /* labels decide whether a submission fails, and one that does is not counted: no limit holds */
    double value_bits; /* log2 of how many numbers there can be for given predictions; infinite where not known */
    double grid;       /* of rounding, or a Ladder's step; 0: none */
    double ladder;     /* its step; 0: plain scores */
    ll_staircases stairs; /* of a release by levels: what is counted of all answers together */
    int old_answers;      /* 1 where an old answer may be given again (a Ladder), whatever the score */
    long columns;         /* of a submission: the fewest */
    int is_label;         /* are predictions labels? */
    int is_numeric;       /* are labels numeric targets? */
    int is_logit;         /* are predictions logits? */
    int has_clip;         /* does a clip of its probabilities bound the loss of a row, where nothing does without? */
    double float_bits;    /* log2 of the number of floats that can be answers; infinity in exact arithmetic */
    double cost;          /* of one row of one score, native floats being 1 */
    int is_long;          /* are its terms numbers of any length, which cost what their length does? */
    double fraction_bits;
    double digits;        /* significant ones, 0: not rounded so */
    const ll_law *noise;  /* NULL: none */
    double noise_size;    /* tau, sigma or b; 0 where it follows the submission */
    double proportion;    /* of noise to the submission's own spread; 0: it does not follow it */
    int can_follow;       /* is that spread known for this metric? */
    double size_bits;     /* what the size of such noise tells beside, an answer; failing is counted in it */
    int may_ignore;       /* it follows the labels only where that is no more than the rest tells (f1_noise.h) */
    double label_bits;    /* entropy of one label: log2 K, or of the prior; counts known: of all labels, over rows */
    double guess;         /* share of labels that guessing gets: 1/K, or the largest of the prior or of known counts */
    long guess_class;     /* whose share that is */
    long numbers;         /* of an answer, where it has several; 0: one */
    long of_table;        /* so many of them follow from the table of label and prediction */
    double joint_bits;    /* then: what each answer can tell beside once_bits, whatever is asked */
    double joint_fixed;   /* where all queries are fixed before */
    double alone_bits;    /* what one answer can tell in all, whatever is asked */
    double joint_epsilon; /* Laplace noise on each: the sum of what a label can move over its scale; infinity: not so */
    double joint_distance; /* Gaussian noise on each: the root of the sum of such squares; infinity: not so */
    double once_bits;      /* what all answers together may tell beside what each does: the class counts */
    double table_bits;     /* the table of label and prediction beside these, of any query; infinite: not of it */
    double table_fixed;    /* the same, of fixed queries */
    double table_alone;    /* one table, its class counts included */
    double sum_bits;       /* what the numbers could tell one by one */
    double share_variance; /* the most that P(S)(1 - P(S)) can be over sets S of labels; counts known: N/(N-1) of it */
    int is_known;          /* the class counts are: labels are uniform among those that have them, not independent */
    double swing;          /* then: what swaps move over what noise in proportion counts with, at least 1 */
    ll_cycles cycles[LL_CYCLE_WAYS];
} ll_channel;

/* scorer->rows must be set. LL_DOMAIN for a scorer that does not fit together, or a prior that is none. */
LL_CHECK ll_status ll_channel_init(ll_channel *out, const ll_scorer *scorer, ll_error *error);

/* The probability of a class of which a submission is sure: 1, or less where that could be infinitely wrong. */
double ll_channel_sure(const ll_channel *channel);

#endif
