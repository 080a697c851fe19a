/* What no predictions and no method can exceed (docs/proofs/bounds.md). Bounds are rounded outward by a part in 2^40,
 * far more than pow, log2 and exp2 are off. */
#include "bounds.h"

#include <float.h>
#include <math.h>

#define MORE (1 + 0x1p-40)

double ll_bound_pigeonhole(double range, long rows, long classes)
{
    double bits = (double)rows * log2((double)classes);
    double bound = bits < 1000 ? range / (pow((double)classes, (double)rows) - 1) : range * exp2(-bits);
    return range > 0 && bound < DBL_MIN ? DBL_MIN : bound * MORE;
}

double ll_bound_monotone(double range, long rows)
{
    return range / (double)rows * MORE;
}

double ll_bound_discrete_lp(long rows, long classes)
{
    return rows == 1 && classes == 2 ? 1 : 0;
}

double ll_bound_counting_queries(double values, long rows, long classes)
{
    if (values <= 1)
        return INFINITY;
    return ceil((double)rows * log2((double)classes) / log2(values) / MORE);
}

double ll_bound_counting_success(double values, double queries, long rows, long classes)
{
    double spare = queries * log2(fmax(values, 1)) - (double)rows * log2((double)classes);
    double size = queries * log2(fmax(values, 1)) + (double)rows * log2((double)classes);
    return fmin(1, exp2(spare + size * 0x1p-40));
}

/* h(p), the entropy of one bit */
static double entropy(double p)
{
    return p <= 0 || p >= 1 ? 0 : -p * log2(p) - (1 - p) * log2(1 - p);
}

/* By rate-distortion a share 1 - d of right labels needs 1 - h(d) bits a label, d <= 1/2. */
double ll_bound_counting_share(double values, double queries, long rows)
{
    double missing = 1 - queries * log2(fmax(values, 1)) / (double)rows, low = 0, high = 0.5;
    if (missing <= 0)
        return 1;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (entropy(middle) < missing * (1 - 0x1p-40))
            low = middle;
        else
            high = middle;
    }
    return fmin(1, 1 - low);
}
