/* A code by its name, as a request has it. */
#ifndef LL_TESTS_CODE_TOOLS_H
#define LL_TESTS_CODE_TOOLS_H

#include "planner/planner.h"

static inline ll_status create_code(ll_code **out, const char *name, long rows, long classes, const ll_exact *step,
                                    int64_t levels, ll_error *error)
{
    ll_named_code code;
    ll_status status = ll_candidate_find(&code, name, error);
    return status == LL_OK
               ? ll_code_create(out, ll_candidate_row(&code), code.variant, rows, classes, step, levels, error)
               : status;
}

#endif
