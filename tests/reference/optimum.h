/* The most that anybody can read, by brute force: the expected share of right labels of the best adaptive strategy
 * against a tiny scorer, by dynamic programming over posteriors, in plain doubles. Shares nothing with the product.
 *
 * Exact where a submission is a row of labels (accuracy, zero-one, lp) and answers are not noisy. Elsewhere submissions
 * come from a list (the ends, the neutral one, a few others) and noisy answers are sorted into cells: both can only
 * take information away, so what comes out is a lower bound of the optimum. */
#ifndef LL_REFERENCE_OPTIMUM_H
#define LL_REFERENCE_OPTIMUM_H

typedef struct slow_world {
    long rows, classes, queries; /* classes^rows <= 1024 */
    const double *prior;         /* NULL: uniform */
    const long *counts;          /* told: labels are uniform among those that have them; NULL: not known */
    const char *metric;          /* name without its parameter: "accuracy", "lp", "squared", ... */
    double parameter;            /* P of lp, alpha of norm */
    double clip;                 /* 0: none; then probabilities are kept 1e-9 away from 0 and 1 */
    int columns;                 /* 1: of class 1 (two classes); 0: one a class */
    char transform; /* i(dentity), n(egate), r(oot), p(ercent), s(cale) by -3, o(ffset) by 1, l(og of x + 0.01) */
    double grid;    /* of rounding; 0: none */
    int digits;     /* significant ones; 0: all */
    char noise;     /* 0: none, or a constant; u(niform), g(aussian), l(aplace) */
    double size;
    double effort; /* sums of labellings that may be formed; 0: 1e6 */
    /* Further numbers of an answer: of them metric (f1, too), parameter, clip, transform and release count, and: */
    const struct slow_world *also;
    long also_count;
    unsigned rows_of; /* the rows that the number is of, a bit each; 0: all */
    double threshold; /* where it reads classes and the submission is a column of probabilities: class 1 is above */
} slow_world;

/* Is the metric one of those that the reference knows? */
int slow_knows(const char *metric);
/* Are the submissions rows of labels, so that the optimum is exact? */
int slow_is_exact(const slow_world *world);
/* Greatest - least score over all submissions of the list and all labellings. */
double slow_range(const slow_world *world);
/* The share. Negative where the world is too large. */
double slow_optimum(const slow_world *world);

#endif
