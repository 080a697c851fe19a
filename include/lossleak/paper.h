/* The paper (Aggarwal and others, AISTATS 2022): its experiments in its own setting, and the reduction that shows
 * why no fast method can decide separability in general. The public header of liblossleak-paper. The rules of
 * lossleak.h hold here too; ll_experiment, ll_experiment_count, ll_nearest and ll_cnf are among the structs that
 * never grow. */
#ifndef LOSSLEAK_PAPER_H
#define LOSSLEAK_PAPER_H

#include <lossleak.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ the paper's experiments */

/* The paper's attacks in its own setting: everything in IEEE doubles, predictions by its formulas, scores summed from
 * the first row to the last, and uniform noise in (-tau, tau). Labels are read by LabelInf, which returns the labelling
 * whose computed score is nearest to the noisy one; among equally near ones the least, if a labelling is read as a
 * number whose lowest digit is the label of row 0. If a score is not finite, no labelling is nearest: the attack is
 * called silent, and none of its labels counts as right. Nothing is certified here. */
typedef struct {
    const char *name;    /* "is-closed" */
    const char *loss;    /* "itakura-saito" */
    const char *result;  /* the LaTeX label of the paper's result */
    const char *formula; /* for people */
} ll_construction_info;

LL_API long ll_construction_count(void);
LL_API const ll_construction_info *ll_construction_get_info(long index); /* NULL outside 0..count-1 */

#define LL_EXPERIMENT_ROWS 64 /* most rows that one query reads */

typedef struct {
    const char *construction;
    const int32_t *labels; /* [rows]: the labels of a data set */
    long rows, classes;
    double tau;            /* bound on the noise */
    long length;           /* rows that one query reads, 1 .. LL_EXPERIMENT_ROWS */
    uint64_t seed, stream; /* of the random draws of rows and noise */
} ll_experiment;

typedef struct {
    long attacks, attacks_right; /* right: all of its labels are right */
    long labels, labels_right;
    long silent;    /* attacks whose score was not finite */
    double longest; /* processor seconds of the longest attack, without computing its predictions */
} ll_experiment_count;

/* Draw `length` different rows of the data set at random, `runs` times. Each time one query that scores only these rows
 * attacks their labels. */
LL_API LL_CHECK ll_status ll_experiment_single(ll_experiment_count *out, const ll_experiment *experiment, long runs,
                                               ll_error *error);
/* Attack the whole data set in blocks of `length` rows, one query per block. If all_rows is nonzero, every query scores
 * all rows of the data set, and N in the formulas is their number; rows outside the block get predictions for which the
 * label does not matter. Otherwise a query scores its block alone, and N is the length of the block. */
LL_API LL_CHECK ll_status ll_experiment_blocks(ll_experiment_count *out, const ll_experiment *experiment, int all_rows,
                                               ll_error *error);

/* An answer of LabelInf, for two classes. */
typedef struct {
    int found;                 /* 0: the score is not finite */
    double distance;           /* between the noisy score and that of `labelling` */
    uint64_t labelling, truth; /* the nearest labelling and the right one; bit i is the label of row i */
} ll_nearest;

/* LabelInf's answer to the first attack of ll_experiment_single. ll_experiment_nearest uses a search that leaves out
 * labellings which cannot be nearest. ll_experiment_exhaustive looks at every labelling of one part: with slices = 2^k,
 * those whose first k rows have the labels in the bits of `slice`, 0 .. slices-1. */
LL_API LL_CHECK ll_status ll_experiment_nearest(ll_nearest *out, const ll_experiment *experiment, ll_error *error);
LL_API LL_CHECK ll_status ll_experiment_exhaustive(ll_nearest *out, const ll_experiment *experiment, long slice,
                                                   long slices, ll_error *error);

/* ------------------------------------------------------------------ hardness */

/* A formula in conjunctive normal form over the variables x_1 .. x_variables. Clause c (from 0) consists of
 * literals[starts[c]] up to literals[starts[c + 1] - 1], where v stands for x_v and -v for not x_v. A clause may be
 * empty, repeat a literal, or contain both x_v and not x_v. A variable need not occur. */
typedef struct {
    long variables, clauses; /* variables <= LL_CNF_VARIABLES */
    const size_t *starts;    /* [clauses + 1]; may be NULL if there is no clause */
    const int32_t *literals;
} ll_cnf;

#define LL_CNF_VARIABLES 2147483646L

/* The functions below are about f(sigma) = T(sigma) * (product of p_i^sigma_i) for sigma in {0,1}^variables, where T is
 * the number of clauses that sigma falsifies, and p_1 < p_2 < ... are the first primes above the number of clauses. All
 * values of f differ exactly if the formula has at most one model (docs/proofs/hardness.md). */

/* Write p_1, p_2, ... to primes[variables]. */
LL_API LL_CHECK ll_status ll_hardness_primes(uint64_t *primes, const ll_cnf *cnf, ll_error *error);
/* Set *text to the value of f for labels[variables] (each 0 or 1), in decimal digits; free it with ll_free. */
LL_API LL_CHECK ll_status ll_hardness_value(char **text, const ll_cnf *cnf, const int32_t *labels, ll_error *error);

typedef struct {
    size_t size;
    void *whole;       /* private */
    long models;       /* 0, 1, or 2 for two or more; f is separable (all its values differ) if it is 0 or 1 */
    int32_t *zeros[2]; /* the first `models` of them are set: models of the formula, which are labellings with f = 0,
                          of `variables` labels each. Two are different, and both values were checked by evaluating f */
} ll_hardness;

#define ll_hardness_init(hardness) LL_INIT(ll_hardness, hardness)
LL_API void ll_hardness_clear(ll_hardness *hardness);

/* Are all values of f different? LL_UNABLE if the budget's seconds are used up, if its `stop` ends the search, or if
 * the search needs more than its memory, which is predicted before and measured during the search; the text says
 * what is known by then. LL_DOMAIN for a literal of a variable beyond `variables`. */
LL_API LL_CHECK ll_status ll_hardness_decide(ll_hardness *out, const ll_cnf *cnf, const ll_budget *budget,
                                             ll_error *error);

#ifdef __cplusplus
}
#endif
#endif
