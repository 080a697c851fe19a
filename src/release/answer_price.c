/* No improvement: 1 - rate. k levels: rate 2^-k, and rate 2^-(left-1) for the last one, so that all of them sum to 1.
 */
#include "lossleak.h"

#include <math.h>

#define UP (1 + 0x1p-48) /* of a logarithm and two sums of doubles */

double ll_answer_price(double rate, long climbed, long left)
{
    if (!(rate > 0 && rate < 1) || climbed < 0 || climbed > left)
        return NAN;
    if (left == 0)
        return 0;
    if (climbed == 0)
        return -log1p(-rate) / M_LN2 * UP;
    return (-log2(rate) + (double)(climbed < left ? climbed : left - 1)) * UP;
}
