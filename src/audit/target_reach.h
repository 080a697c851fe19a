/* Numeric targets: what one row can do to the score, and an attacker who only guesses. */
#ifndef LL_AUDIT_TARGET_REACH_H
#define LL_AUDIT_TARGET_REACH_H

#include "scorer/scorer.h"

/* Upper bounds on greatest - least term of a row over all predictions, and on the greatest; infinite where predictions
 * have no limit and that matters. */
LL_CHECK ll_status ll_target_reach(const ll_scoring *s, double *reach, double *greatest, ll_error *error);

#endif
