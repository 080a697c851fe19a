/* The table of steps, made from their list in transform.h. */
#include "release/transform.h"

#define ROW(name, form) &ll_transform_##name,
static const ll_transform *const steps[] = {LL_TRANSFORMS(ROW)};

const ll_transform *ll_transform_get(long index)
{
    return index >= 0 && index < (long)(sizeof steps / sizeof steps[0]) ? steps[index] : NULL;
}

int ll_transform_step_turns(const ll_transform_step *step)
{
    return step->row->scales && ll_exact_sgn(&step->own) < 0;
}

int ll_transform_step_is_linear(const ll_transform_step *step)
{
    return step->row->scales || step->row->shifts;
}

double ll_transform_step_plain(const ll_transform_step *step, double x)
{
    return step->row->plain(x, ll_exact_get_d(&step->own));
}
