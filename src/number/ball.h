/* Arb's balls. This is the only file that includes arb.h: mpfr.h must come before it, because FLINT 3 declares the
 * conversions from and to MPFR numbers only where mpfr.h is already included. */
#ifndef LL_NUMBER_BALL_H
#define LL_NUMBER_BALL_H

#include <mpfr.h>

#include <arb.h>

#endif
