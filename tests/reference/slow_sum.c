/* A value is replaced by the length of the path behind it; EMPTY stands for an exact zero, which meets nothing. */
#include "slow_sum.h"

enum { EMPTY = -1, LEVELS = 4, ROWS = 4, NLL_LEVELS = 8 };

uint64_t slow_splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

void slow_sum_error(mpfr_t error, mpfr_t magnitude, double value, const double *x, long n)
{
    mpfr_set_d(error, value, MPFR_RNDN);
    mpfr_set_zero(magnitude, 1);
    for (long i = 0; i < n; i++) {
        mpfr_sub_d(error, error, x[i], MPFR_RNDN);
        mpfr_add_d(magnitude, magnitude, x[i] < 0 ? -x[i] : x[i], MPFR_RNDN);
    }
    mpfr_abs(error, error, MPFR_RNDN);
}

static long meet(long a, long b)
{
    if (a == EMPTY || b == EMPTY)
        return a == EMPTY ? b : a;
    return 1 + (a > b ? a : b);
}

/* ------------------------------------------------------------------ NumPy */

long slow_numpy_depth(long n)
{
    if (n < 8) {
        long sum = EMPTY;
        for (long i = 0; i < n; i++)
            sum = meet(sum, 0);
        return sum;
    }
    if (n <= 128) {
        long r[8] = {0}, i = 8;
        for (; i + 8 <= n; i += 8)
            for (int k = 0; k < 8; k++)
                r[k] = meet(r[k], 0);
        long sum = meet(meet(meet(r[0], r[1]), meet(r[2], r[3])), meet(meet(r[4], r[5]), meet(r[6], r[7])));
        for (; i < n; i++)
            sum = meet(sum, 0);
        return sum;
    }
    long half = n / 2;
    half -= half % 8;
    return meet(slow_numpy_depth(half), slow_numpy_depth(n - half));
}

long slow_numpy_pieces_depth(long n, long piece)
{
    long sum = EMPTY;
    for (long i = 0; i < n; i += piece)
        sum = meet(sum, slow_numpy_depth(n - i < piece ? n - i : piece));
    return sum;
}

/* ------------------------------------------------------------------ PyTorch */

static long ceil_log2(long n)
{
    long power = 0;
    while ((1L << power) < n)
        power++;
    return power;
}

/* One of the columns that are summed side by side: all have the same paths. */
static long column(long size)
{
    long power = ceil_log2(size) / LEVELS, acc[LEVELS] = {EMPTY, EMPTY, EMPTY, EMPTY}, i = 0;
    if (power < 4)
        power = 4;
    long step = 1L << power;
    while (i + step <= size) {
        for (long j = 0; j < step; j++, i++)
            acc[0] = meet(acc[0], 0);
        for (long j = 1; j < LEVELS; j++) {
            acc[j] = meet(acc[j], acc[j - 1]);
            acc[j - 1] = EMPTY;
            if (i & ((step - 1) << (j * power)))
                break;
        }
    }
    for (; i < size; i++)
        acc[0] = meet(acc[0], 0);
    for (long j = 1; j < LEVELS; j++)
        acc[0] = meet(acc[0], acc[j]);
    return acc[0];
}

static long row(long size)
{
    long rows = size / ROWS, sum = column(rows), others = sum;
    for (long i = rows * ROWS; i < size; i++)
        sum = meet(sum, 0);
    for (long k = 1; k < ROWS; k++)
        sum = meet(sum, others);
    return sum;
}

static long inner(long n, long lanes)
{
    if (lanes == 1 || n < lanes)
        return row(n);
    long vectors = row(n / lanes), sum = EMPTY;
    for (long i = n - n % lanes; i < n; i++)
        sum = meet(sum, 0);
    for (long k = 0; k < lanes; k++)
        sum = meet(sum, vectors);
    return sum;
}

/* The second pass is bounded by the worst there is: one after the other. */
long slow_torch_sum_depth(long n, long lanes, long threads)
{
    const long grain = 32768;
    if (n < grain || threads == 1)
        return inner(n, lanes);
    long parts = (n + grain - 1) / grain;
    parts = parts < threads ? parts : threads;
    long each = (n + parts - 1) / parts, sum = EMPTY;
    for (long i = 0; i < n; i += each)
        sum = meet(sum, inner(n - i < each ? n - i : each, lanes));
    return sum;
}

long slow_torch_nll_depth(long n)
{
    long power = ceil_log2(n) / NLL_LEVELS, acc[NLL_LEVELS], sum = EMPTY;
    if (power < 4)
        power = 4;
    for (int j = 0; j < NLL_LEVELS; j++)
        acc[j] = EMPTY;
    for (long b = 0; b < n; b++) {
        acc[0] = meet(acc[0], 0);
        for (long j = 0; j + 1 < NLL_LEVELS && !(b & (((1L << power) - 1) << (j * power))); j++) {
            acc[j + 1] = meet(acc[j + 1], acc[j]);
            acc[j] = EMPTY;
        }
    }
    for (int j = 0; j < NLL_LEVELS; j++)
        sum = meet(sum, acc[j]);
    return sum;
}
