/* AUC under noise that follows the submission and the number of positives (docs/proofs/proportional.md): a label moves
 * the number by something that depends on how many positives there are, so the noise does, too, and its size tells a
 * little of that. */
#ifndef LL_METRIC_AUC_NOISE_H
#define LL_METRIC_AUC_NOISE_H

/* Root of the sum over rows of the squares of what a label moves AUC, at most, where that many labels are 1, of rows
 * whose midranks are off their mean by `square` in the mean square. 0 < positives < rows. */
double ll_auc_moves(double square, long rows, long positives);

/* Where the number of positives is told: what a swap of two labels moves AUC, over the root of twice the sum of the
 * squares that this noise counts with for the two: 1, or up to 2 where one class has a single row. */
double ll_auc_swap(long rows, long positives);

/* Bits that the size of this noise, and failing on labels of one class, add to one answer at most: rows independent
 * labels, each 1 with probability `ones`, of label_bits each. */
double ll_auc_revealed(long rows, double ones, double label_bits);

#endif
