/* The function behind a formula, in exact integers. The public part is in lossleak.h. */
#ifndef LL_HARDNESS_HARDNESS_H
#define LL_HARDNESS_HARDNESS_H

#include "lossleak/paper.h"

#include <flint/fmpz.h>

/* LL_DOMAIN, with the clause, where a literal is 0 or names a variable that is not there. */
LL_CHECK ll_status ll_hardness_check(const ll_cnf *cnf, ll_error *error);

/* T: how many clauses the labelling falsifies. Labels are 0 or 1 (anything else counts as 1). */
long ll_hardness_falsified(const ll_cnf *cnf, const int32_t *labels);

/* f = T * product of the primes whose label is 1. LL_MEMORY only. */
LL_CHECK ll_status ll_hardness_evaluate(fmpz_t value, const ll_cnf *cnf, const int32_t *labels);

/* Are these two different labellings of the same value? */
LL_CHECK ll_status ll_hardness_collide(int *yes, const ll_cnf *cnf, const int32_t *first, const int32_t *second);

#endif
