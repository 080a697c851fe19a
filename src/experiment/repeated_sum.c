/* One double added many times. Within a binade [2^e, 2^(e+1)) a sum is a multiple of one ulp u, and an addition of x
 * that stays in it adds x rounded to a multiple of u: the same each time, but where x lies halfway between two
 * multiples, x = m u + u/2. There round-to-even decides: the result is an even multiple of u, and from an even one
 * every addition adds m u for even m, (m+1) u for odd. So after one addition inside a binade the next one shows what
 * all that follow in it add: those are taken at once. */
#include "experiment/experiment.h"

#include <math.h>

static double binade_end(double sum)
{
    int exponent;
    (void)frexp(sum, &exponent);
    return ldexp(1, exponent);
}

/* How many additions of `step` from sum stay below the end, with one to spare for the rounding of the quotient. */
static long count_room(double sum, double step, double end, long count)
{
    double room = floor((end - sum) / step) - 1;
    return room >= (double)count ? count : room > 0 ? (long)room : 0;
}

double ll_repeated_sum(double sum, double x, long count)
{
    enum { SHOWN = 3 };
    while (count >= SHOWN && isfinite(sum)) {
        double first = sum + x, second = first + x, third = second + x, end = binade_end(second);
        sum = third;
        count -= SHOWN;
        if (first < end / 2 || third >= end)
            continue;
        /* All three in one binade: the difference is exact, and so is every multiple of it below the end. */
        double step = third - second;
        if (step == 0)
            return sum;
        long jump = count_room(sum, step, end, count);
        sum += (double)jump * step;
        count -= jump;
    }
    for (; count > 0 && isfinite(sum); count--)
        sum += x;
    return sum;
}
