/* Scores of the same rows as linear equations in their labels, in integers.
 *
 * Every score q says |sum over rows of weight(q, row, label) - target_q| <= tolerance_q. What is real (terms, their
 * errors, the score) was rounded to a grid of its own for each score before, and the rounding is in the tolerance: from
 * here on nothing is approximate, and "fits" is a comparison of integers. */
#ifndef LL_SEARCH_LINEAR_H
#define LL_SEARCH_LINEAR_H

#include "lossleak.h"

#include <flint/fmpz.h>

typedef struct {
    long rows, classes, scores;
    fmpz *weights;          /* what label k of row i adds to sum q: [(q * rows + i) * classes + k] */
    unsigned char *allowed; /* may row i have label k? [i * classes + k], at least one a row */
    fmpz *targets, *tolerances;
} ll_linear;

/* All weights 0, all labels allowed. LL_MEMORY leaves it cleared. */
LL_CHECK ll_status ll_linear_init(ll_linear *system, long rows, long classes, long scores);
void ll_linear_clear(ll_linear *system);

static inline fmpz *ll_linear_weight(const ll_linear *system, long score, long row, long label)
{
    return system->weights + (score * system->rows + row) * system->classes + label;
}

long ll_linear_count_allowed(const ll_linear *system, long row); /* labels that the row may have */
/* out = sum q of a labelling - target_q. */
void ll_linear_residual(fmpz_t out, const ll_linear *system, const int32_t *labels, long score);
/* Is the labelling allowed, and within every tolerance? */
int ll_linear_fits(const ll_linear *system, const int32_t *labels);

/* ---- rows that no score tells apart ---- */

/* Rows with equal weights in all scores form a group: a labelling and one with two labels of a group swapped fit alike.
 * Only how many rows of a group have which label can be told. */
typedef struct {
    long count;
    long *order; /* all rows, group after group, increasing within one */
    long *first; /* group g has the rows order[first[g] .. first[g+1]-1]; count + 1 of them */
} ll_groups;

LL_CHECK ll_status ll_groups_init(ll_groups *groups, const ll_linear *system);
void ll_groups_clear(ll_groups *groups);

/* out = how many labellings have the same number of every label in every group as this one. */
void ll_groups_arrangements(fmpz_t out, const ll_groups *groups, const ll_linear *system, const int32_t *labels);

/* Of the labellings that differ from this one in one row or two: *count of them fit; what they, and this one, have is
 * marked in possible[row * classes + label]. LL_UNABLE where there are too many to look at. */
LL_CHECK ll_status ll_linear_near(const ll_linear *system, unsigned char *possible, long *count, const int32_t *labels);

/* ---- how many wrong labellings fit? ---- */

/* log2 of the expected number of labellings, drawn one by one uniformly from all allowed ones, that fit by chance: log2
 * of all labellings plus log2 of the probability, under a Gaussian model of the sums with the covariance that they
 * have, that all are within their tolerances. A model, not a bound (docs/proofs/lattice.md). */
double ll_linear_spurious_bits(const ll_linear *system);
/* Of score q alone. */
double ll_linear_spurious_bits_of(const ll_linear *system, long score);
/* log2 of the number of labellings that are allowed, and of those that groups leave to tell apart. */
double ll_linear_labelling_bits(const ll_linear *system);
double ll_groups_bits(const ll_groups *groups, const ll_linear *system);
/* log2 of how many answers score q can tell apart: 1 + (largest - least sum) / (2 tolerance). */
double ll_linear_score_bits(const ll_linear *system, long score);

/* ---- as many scores as rows ---- */

/* Which labels are possible, by linear algebra: possible[row * classes + label] becomes 0 only where it is proved
 * that no labelling that fits has it. 1 where every row is left with one label, 0 where not (too few scores, or scores
 * that depend on each other). A row without any: nothing fits. LL_UNABLE: over the budget of seconds. */
LL_CHECK ll_status ll_linear_solve(const ll_linear *system, unsigned char *possible, int *pinned, double seconds,
                                   ll_error *error);

#endif
