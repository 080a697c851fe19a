/* The first primes, their product, their logarithms and the labels they stand for. */
#ifndef LL_CODE_PRIMORIAL_H
#define LL_CODE_PRIMORIAL_H

#include "number/exact.h"

#include <flint/fmpz_vec.h>

typedef struct {
    long count;
    mp_limb_t *primes; /* the first `count` primes */
    fmpz_t product;    /* of all of them */
    arb_ptr logs;      /* their natural logarithms, with absolute error below 2^(5-log_prec); NULL until prepared */
    slong log_prec;
} ll_primorial;

LL_CHECK ll_status ll_primorial_init(ll_primorial *p, long count); /* LL_MEMORY */
void ll_primorial_clear(ll_primorial *p);

/* Logarithms of all the primes together (Arb's binary splitting of Machin-like formulas), kept. */
void ll_primorial_prepare_logs(ll_primorial *p, slong prec);

/* residues[i] = value mod primes[i], by a remainder tree. value >= 0. */
void ll_primorial_residues(const ll_primorial *p, mp_limb_t *residues, const fmpz_t value);

/* The integers Q >= 1 whose logarithm may lie both in the ball and in [0, most]: low .. high, low > high where there is
 * none. The ball is finite; a part of it outside [-1, most + 1] is cut off first, so that nothing overflows. */
void ll_primorial_exp_integers(fmpz_t low, fmpz_t high, const arb_t logarithm, const arb_t most, slong prec);

#endif
