/* Numeric targets on a grid whose squares or lines are summed: predictions inside and outside of the grid
 * (docs/proofs/targets.md). */
#ifndef LL_STRATEGY_GRADES_GRADES_H
#define LL_STRATEGY_GRADES_GRADES_H

#include "plan/strategy.h"

extern const ll_candidate ll_candidate_grades;

#endif
