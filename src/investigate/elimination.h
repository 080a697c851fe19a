/* Exact sums of labels, modulo a prime, in reduced row echelon form for one order of the variables.
 *
 * A sum of few labels that follows from the sums that are known is, with some luck, a row of this form: it is one if
 * the order of variables takes just one of its labels as a pivot (information set decoding, Prange 1962). Several
 * orders at once are several chances. Modulo a prime nothing grows; and a row whose multiple has small weights is an
 * equation in integers again, since its sum is then smaller than the prime. */
#ifndef LL_INVESTIGATE_ELIMINATION_H
#define LL_INVESTIGATE_ELIMINATION_H

#include "investigate/known_sum.h"

typedef struct ll_elimination ll_elimination;

/* A random order of the variables for every `number`. NULL: no memory. */
ll_elimination *ll_elimination_create(long variables, long submissions, long number);
void ll_elimination_destroy(ll_elimination *elimination);

/* low = high. from: submissions that the sum follows from, beside its own (-1: none). *consistent becomes 0 where no
 * labels have all these sums. LL_MEMORY. */
LL_CHECK ll_status ll_elimination_add(ll_elimination *elimination, const ll_known_sum *sum, long submission,
                                      const uint64_t *from, int *consistent);
void ll_elimination_substitute(ll_elimination *elimination, int32_t variable, int value, const uint64_t *from,
                               int *consistent);

/* The next row of at most `most` variables that changed since it was last given, with its submissions: as a sum in
 * integers (*modulus is 0), or, of at most LL_RESIDUE_LABELS variables, as one modulo *modulus. *sum has room for `most`.
 * 0: there is none. */
int ll_elimination_next(ll_elimination *elimination, ll_known_sum *sum, uint32_t *modulus, uint64_t *from, long most);

#endif
