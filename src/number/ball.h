/* Balls, by Arb. Nobody else includes its header: MPFR comes before it, since FLINT 3 declares conversions from and to
 * MPFR's numbers only to those who know them. */
#ifndef LL_NUMBER_BALL_H
#define LL_NUMBER_BALL_H

#include <mpfr.h>

#include <arb.h>

#endif
