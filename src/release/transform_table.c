/* The table of steps. A new one is a line here, and one in transform.h. */
#include "release/transform.h"

static const ll_transform *const steps[] = {&ll_transform_negate, &ll_transform_root, &ll_transform_percent};

const ll_transform *ll_transform_get(long index)
{
    return index >= 0 && index < (long)(sizeof steps / sizeof steps[0]) ? steps[index] : NULL;
}
