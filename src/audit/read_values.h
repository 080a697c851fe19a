/* Predictions as doubles. */
#ifndef LL_AUDIT_READ_VALUES_H
#define LL_AUDIT_READ_VALUES_H

#include "scorer/scorer.h"

/* values[rows * columns], rounded where they are exact numbers. */
LL_CHECK ll_status ll_read_values(double *values, const ll_predictions *predictions, ll_error *error);

#endif
