/* F1 under noise that follows the submission and the labels (docs/proofs/proportional.md): what a label moves depends
 * on the number itself and on how many positives there are, so the noise does, too, and its size tells a little of
 * them. */
#ifndef LL_METRIC_F1_NOISE_H
#define LL_METRIC_F1_NOISE_H

/* Root of the sum over rows of the squares of what a label moves F1 = 2 tp / (predicted + positives), at most. */
double ll_f1_moves(long rows, long predicted, long positives, long tp);

/* The same over all labels. */
double ll_f1_reach(long rows, long predicted);

/* Root of the sum over rows of squares of ln(size of the noise with that label changed / size), at most, whatever is
 * submitted and whichever labels they are: 4 positives or more. */
double ll_f1_steps(long rows, long positives);

/* Bits that the size of this noise adds to one answer at most: rows independent labels, each 1 with probability `ones`,
 * of label_bits each. */
double ll_f1_revealed(long rows, double ones, double label_bits);

#endif
