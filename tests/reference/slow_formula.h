/* Formulas of a few variables, slowly: every labelling, trial division, one word a value. Shares nothing with the
 * product. */
#ifndef LL_REFERENCE_SLOW_FORMULA_H
#define LL_REFERENCE_SLOW_FORMULA_H

enum { SLOW_CLAUSES = 80, SLOW_WIDTH = 6, SLOW_VARIABLES = 12 };

typedef struct {
    int variables, clauses;
    int width[SLOW_CLAUSES];
    int literal[SLOW_CLAUSES][SLOW_WIDTH]; /* v or -v, v from 1 */
} slow_formula;

typedef unsigned __int128 slow_value;

/* sigma: bit v-1 is the label of variable v. */
int slow_falsified(const slow_formula *formula, unsigned sigma);
unsigned slow_models(const slow_formula *formula); /* of all 2^variables labellings */

/* (clauses falsified) * (product of the primes above the number of clauses, first in order, whose label is 1). */
slow_value slow_reduction(const slow_formula *formula, unsigned sigma);

/* The paper's eq:conpcomplete: the product over clauses of (true literals)^theta, times the primes 5, 7, 11, ...
 * whose label is 1. */
slow_value slow_paper(const slow_formula *formula, const int *theta, unsigned sigma);

/* Are these values all different? Sorts them. */
int slow_all_differ(slow_value *values, unsigned count);

#endif
