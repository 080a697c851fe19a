#include "metric/counts/f1_noise.h"

#include "metric/asked.h"

#include <math.h>

#define UP LL_ASKED_UP

double ll_f1_moves(long rows, long predicted, long positives, long tp)
{
    double n = (double)rows, m = (double)predicted, all = m + (double)positives;
    double number = tp > 0 ? 2 * (double)tp / all : 0, rest = 2 - number;
    return sqrt(m * rest * rest + (n - m) * number * number) / fmax(all - 1, 1) * UP;
}

/* The first hit, and the first miss where all that is said is right. */
double ll_f1_reach(long rows, long predicted)
{
    double n = (double)rows, m = (double)predicted, hit = 2 / (m + 1), miss = 1 / (2 * m + 1);
    return predicted > 0 ? sqrt(m * hit * hit + (n - m) * miss * miss) * UP : 0;
}

/* ---- what the size tells ---- */

/* Root of the sum over rows of squares of ln(size after / size before), whatever the labels: of the numerator, and of
 * the denominator. `least` to `most` rows are said to be 1. */
static double size_steps(double n, double p, double least, double most)
{
    double below = least + p - 1, steep = most * fmax(1, n * (n - least) / (below * below));
    double weight = 2 * least <= n ? 4 * least * (n - least) / n : n; /* of the numerator's square, at least */
    double room = 1 + 2 * sqrt(n) / (below * sqrt(weight));
    return room * sqrt(fmin(n, steep)) / below + sqrt(n) / (below - 1);
}

/* The greatest over all submissions, in slices of rows that are said to be 1. */
static double greatest_steps(double n, double p)
{
    double steps = 0, least = 1;
    while (least <= n) {
        double next = floor(least * 1.02) + 1;
        steps = fmax(steps, size_steps(n, p, least, fmin(n, next - 1)));
        least = next;
    }
    return steps;
}

double ll_f1_steps(long rows, long positives)
{
    return greatest_steps((double)rows, (double)positives) * UP;
}

/* Of all rows, with p positives or a few more: a bit each at most, whatever was known of a label before. */
static double slice_revealed(double n, double p)
{
    if (p < 4)
        return n;
    double steps = greatest_steps(n, p);
    return fmin(n, steps * steps / (4 * M_LN2));
}

/* Further than `far` from its mean the number of positives is with probability 2 e^-100 at most (Hoeffding). */
double ll_f1_revealed(long rows, double ones, double label_bits)
{
    double n = (double)rows, far = sqrt(50 * n), revealed = 2 * exp(-100) * n, each = 0;
    if (!(ones > 0 && ones < 1) || rows < 2)
        return n * label_bits;
    double from = fmax(0, floor(n * ones - far)), to = fmin(n, ceil(n * ones + far)), slice = ceil(far / 64);
    double end = from;
    for (long i = 0; from + (double)i <= to; i++) {
        double p = from + (double)i;
        if (p >= end) { /* more positives, smaller steps */
            each = slice_revealed(n, p);
            end = p + (p < 64 ? 1 : slice);
        }
        revealed += exp(ll_log_binomial(n, p, ones)) * each;
    }
    return fmin(n * label_bits, revealed * (1 + 1e-4)); /* lgamma of 10^9 is off by some 10^-6 */
}
