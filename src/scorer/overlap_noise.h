/* F1 under noise that follows the submission and the labels (docs/proofs/proportional.md): what a label moves depends
 * on the number itself and on how many positives there are, so the noise does, too, and its size tells a little of
 * them. */
#ifndef LL_SCORER_OVERLAP_NOISE_H
#define LL_SCORER_OVERLAP_NOISE_H

/* Root of the sum over rows of the squares of what a label moves F1 = 2 hits / (guessed + positives), at most. */
double ll_overlap_moves(long rows, long guessed, long positives, long hits);

/* The same over all labels. */
double ll_overlap_reach(long rows, long guessed);

/* Root of the sum over rows of squares of ln(size of the noise with that label changed / size), at most, whatever is
 * submitted and whichever labels they are: 4 positives or more. */
double ll_overlap_steps(long rows, long positives);

/* ln of the probability that k of n independent labels are 1, each with probability `ones`. */
double ll_log_binomial(double n, double k, double ones);

/* Bits that the size of this noise adds to one answer at most: rows independent labels, each 1 with probability `ones`,
 * of label_bits each. */
double ll_overlap_told(long rows, double ones, double label_bits);

/* Bits that an answer with noise of c times the submission's spread tells, its size apart. */
double ll_proportion_told(long rows, double c);

/* Does noise of that c follow the labels? Not where its size would tell more than the rest. */
int ll_overlap_follows(double told, long rows, double c);

#endif
