/* The code grades: weights that are linear in the label, for numeric targets, R^2 and ordered classes. */
#ifndef LL_STRATEGY_COMMON_GRADES_CODE_H
#define LL_STRATEGY_COMMON_GRADES_CODE_H

#include "code/code.h"

extern const ll_code_row ll_code_grades;

/* code->levels of the variant framed where so many rows are not asked about. */
int64_t ll_grades_levels(int64_t levels, long counted);
/* At least |h| of the row, in every query. */
double ll_grades_most_share(const ll_code *code, long row);
/* How far apart the sums of this query can be, with those of `others` rows that are not asked about. */
double ll_grades_width(const ll_code *code, long others);

#endif
