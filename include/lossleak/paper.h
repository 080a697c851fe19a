/* The paper beside the tool: its experiments in its own setting, and the reduction that shows why no fast method can
 * decide separability in general. The public header of liblossleak-paper; the rules of lossleak.h hold here, too;
 * ll_experiment, ll_experiment_count, ll_nearest and ll_cnf are the paper's and never grow. */
#ifndef LOSSLEAK_PAPER_H
#define LOSSLEAK_PAPER_H

#include <lossleak.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ the paper's experiments */

/* The paper's attacks in its own setting: IEEE doubles throughout, predictions by its formulas, scores summed from the
 * first row to the last, uniform noise in (-tau, tau), and LabelInf: the labelling whose computed score is nearest (of
 * several the first, read as a number with row 0 its lowest digit). A score that is not finite has no nearest
 * labelling: the attack is silent, and none of its labels counts as right. Nothing is certified here. */
typedef struct {
    const char *name;    /* "is-closed" */
    const char *loss;    /* "itakura-saito" */
    const char *result;  /* the paper's LaTeX label */
    const char *formula; /* for people */
} ll_construction_info;

LL_API long ll_construction_count(void);
LL_API const ll_construction_info *ll_construction_get_info(long index); /* NULL outside 0..count-1 */

#define LL_EXPERIMENT_ROWS 64 /* most rows that one query reads */

typedef struct {
    const char *construction;
    const int32_t *labels; /* a data set */
    long rows, classes;
    double tau;
    long length;           /* rows that a query reads, 1 .. LL_EXPERIMENT_ROWS */
    uint64_t seed, stream; /* of label draws and noise */
} ll_experiment;

typedef struct {
    long attacks, attacks_right; /* right: every label of it */
    long labels, labels_right;
    long silent;    /* attacks without an answer */
    double longest; /* processor seconds of the longest, predictions not counted */
} ll_experiment_count;

/* `runs` label sets of `length` different rows of the data set, drawn at random, each attacked by one query that scores
 * them alone. */
LL_API LL_CHECK ll_status ll_experiment_single(ll_experiment_count *out, const ll_experiment *experiment, long runs,
                                               ll_error *error);
/* The whole data set, `length` rows a query. all_rows: every query scores all rows, those outside the block with
 * predictions whose label does not matter, and N in the formulas is their number; else a query scores its block alone,
 * and N is the block's length. */
LL_API LL_CHECK ll_status ll_experiment_blocks(ll_experiment_count *out, const ll_experiment *experiment, int all_rows,
                                               ll_error *error);

/* Two classes: labelling and truth have the label of row i in bit i. */
typedef struct {
    int found;
    double distance;
    uint64_t labelling, truth;
} ll_nearest;

/* LabelInf's answer to the first attack of ll_experiment_single: by the search that prunes, and by looking at every
 * labelling whose first rows have the bits of `slice`; slices: a power of two. */
LL_API LL_CHECK ll_status ll_experiment_nearest(ll_nearest *out, const ll_experiment *experiment, ll_error *error);
LL_API LL_CHECK ll_status ll_experiment_exhaustive(ll_nearest *out, const ll_experiment *experiment, long slice,
                                                   long slices, ll_error *error);

/* ------------------------------------------------------------------ hardness */

/* A formula in conjunctive normal form over x_1 .. x_variables. Clause c (from 0) is literals[starts[c]] up to
 * literals[starts[c + 1] - 1]; v stands for x_v, -v for not x_v. A clause may be empty, repeat a literal or hold both
 * of a variable; a variable need not occur. */
typedef struct {
    long variables, clauses; /* variables <= LL_CNF_VARIABLES */
    const size_t *starts;    /* clauses + 1 of them; may be NULL where there is no clause */
    const int32_t *literals;
} ll_cnf;

#define LL_CNF_VARIABLES 2147483646L

/* The function f(sigma) = T(sigma) * (product of p_i^sigma_i), sigma in {0,1}^variables: T is the number of clauses
 * that sigma falsifies, p_1 < p_2 < ... are the first primes above the number of clauses. All its values differ exactly
 * if the formula has at most one model: docs/proofs/hardness.md. */

/* primes[variables] */
LL_API LL_CHECK ll_status ll_hardness_primes(uint64_t *primes, const ll_cnf *cnf, ll_error *error);
/* f of the labels (0 or 1, one a variable): decimal digits; free with ll_free. */
LL_API LL_CHECK ll_status ll_hardness_value(char **text, const ll_cnf *cnf, const int32_t *labels, ll_error *error);

typedef struct {
    size_t size;
    void *whole;       /* private */
    long models;       /* 0, 1, or 2 for at least two; f is separable where it is below 2 */
    int32_t *zeros[2]; /* so many labellings with f = 0, `variables` labels each; with two: different, checked by
                          evaluating f */
} ll_hardness;

#define ll_hardness_init(hardness) LL_INIT(ll_hardness, hardness)
LL_API void ll_hardness_clear(ll_hardness *hardness);

/* Are all values of f different? Where the budget's seconds are over or its stop says so, and where the search needs
 * more than its memory (predicted before, measured while it works), LL_UNABLE says what is known by then. LL_DOMAIN for
 * a literal of a variable that is not there. */
LL_API LL_CHECK ll_status ll_hardness_decide(ll_hardness *out, const ll_cnf *cnf, const ll_budget *budget,
                                             ll_error *error);

#ifdef __cplusplus
}
#endif
#endif
