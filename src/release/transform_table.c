/* The table of steps. A new one is a line here, and one in transform.h. */
#include "release/transform.h"

static const ll_transform *const steps[] = {&ll_transform_negate, &ll_transform_root, &ll_transform_percent,
                                            &ll_transform_scale, &ll_transform_offset};

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
