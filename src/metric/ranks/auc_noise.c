#include "metric/ranks/auc_noise.h"

#include "metric/asked.h"

#include <math.h>

#define UP LL_ASKED_UP

static double pairs(double rows, double positives)
{
    return positives * (rows - positives);
}

/* The fewer pairs of the two neighbours that have any. */
static double fewest_pairs(double rows, double positives)
{
    double below = pairs(rows, positives - 1), above = pairs(rows, positives + 1);
    double fewest = below > 0 && (below < above || !(above > 0)) ? below : above;
    return fewest > 0 ? fewest : pairs(rows, positives);
}

/* The square of the moves, for one row in the mean: (a^2 + g^2 max(0, (2P - N)^2 - N)) / E^2, where g = |AUC - 1/2| is
 * at most 1/2 and at most a / sqrt(P (N - P)), and E the pairs of a neighbour. */
static double squared_moves(double square, double rows, double positives)
{
    double off = 2 * positives - rows, beyond = fmax(0, off * off - rows), fewest = fewest_pairs(rows, positives);
    double auc = fmin(0.25, square / pairs(rows, positives));
    return (square + auc * beyond) / (fewest * fewest);
}

double ll_auc_moves(double square, long rows, long positives)
{
    return sqrt((double)rows * squared_moves(square, (double)rows, (double)positives)) * UP;
}

double ll_auc_swap(long rows, long positives)
{
    double n = (double)rows, p = (double)positives;
    return fmax(1, pairs(n, p) > 0 ? fewest_pairs(n, p) / pairs(n, p) : 1) * UP;
}

/* ln of the sizes of noise with p + 1 and with p positives, in size, whatever the submission: both squares are linear
 * in a^2 up to a corner each, so their quotient is extreme at a corner or an end. */
static double size_step(double n, double p)
{
    double most = (n * n - 1) / 12, step = 0;
    const double at[] = {1e-3, pairs(n, p) / 4, pairs(n, p + 1) / 4, most};
    for (int i = 0; i < 4; i++) {
        double square = fmin(at[i], most), change = log(squared_moves(square, n, p + 1) / squared_moves(square, n, p));
        step = fmax(step, fabs(change) / 2);
    }
    return step;
}

/* Of one row, the others of which have p positives. */
static double row_revealed(double n, double p, double label_bits)
{
    if (p < 1 || p > n - 2)
        return label_bits; /* the row decides whether there is a number */
    double step = size_step(n, p);
    return fmin(label_bits, step * step / (4 * M_LN2));
}

/* Further than `far` from its mean the number of positives is with probability 2 e^-100 at most (Hoeffding). */
double ll_auc_revealed(long rows, double ones, double label_bits)
{
    double n = (double)rows, others = n - 1, far = sqrt(50 * others), revealed = 2 * exp(-100) * label_bits;
    if (!(ones > 0 && ones < 1) || rows < 2)
        return n * label_bits;
    double from = fmax(0, floor(others * ones - far)), to = fmin(others, ceil(others * ones + far));
    for (long i = 0; from + (double)i <= to; i++) {
        double p = from + (double)i;
        revealed += exp(ll_log_binomial(others, p, ones)) * row_revealed(n, p, label_bits);
    }
    return n * fmin(label_bits, revealed * (1 + 1e-4)); /* lgamma of 10^9 is off by some 10^-6 */
}
