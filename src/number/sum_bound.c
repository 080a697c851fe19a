/* How far a computed sum can be from the exact one. The proofs are in docs/proofs/summation.md. */
#include "number/assumptions.h"
#include "number/sum_private.h"
#include "number/whole.h"

#include <assert.h>

/* ------------------------------------------------------------------ NumPy's pairwise order */

/* Additions after which a leaf of n terms is one number. */
static long leaf_depth(long n)
{
    if (n < LL_SUM_LANES)
        return n - 1;
    return n / LL_SUM_LANES - 1 + 3 + n % LL_SUM_LANES;
}

/* Depths of 8q and 8(q+1) terms, q >= 8. A part of 8q splits into 8 floor(q/2) and 8 ceil(q/2), so that both depths
 * follow from those of 8 floor(q/2) and 8 (floor(q/2)+1). Leaves are 8q <= 128. */
static void even_depths(long out[2], long q)
{
    const long largest = LL_SUM_LEAF / LL_SUM_LANES;
    long half[2] = {0, 0};
    if (q >= largest)
        even_depths(half, q / 2);
    for (long i = 0; i < 2; i++) {
        long both = 1 + ll_most(half[0], half[1]);
        if (q + i <= largest)
            out[i] = leaf_depth(LL_SUM_LANES * (q + i));
        else if ((q + i) % 2 == 0)
            out[i] = 1 + half[(q + i) / 2 - q / 2];
        else
            out[i] = both;
    }
}

/* Depth of n >= 1 terms summed pairwise as a whole. Left parts are multiples of 8; what n leaves over stays in
 * the rightmost part. */
static long whole_depth(long n)
{
    long worst = 0;
    for (long level = 0;; level++) {
        if (n <= LL_SUM_LEAF)
            return ll_most(worst, level + leaf_depth(n));
        long left = ll_sum_left_part(n), depths[2];
        even_depths(depths, left / LL_SUM_LANES);
        worst = ll_most(worst, level + 1 + depths[0]);
        n -= left;
    }
}

/* The same for pieces added left to right: all but the last have LL_SUM_CHUNK terms, the first meets all other. */
static long pieces_depth(long n)
{
    long pieces = 1 + (n - 1) / LL_SUM_CHUNK;
    if (pieces == 1)
        return whole_depth(n);
    long last = n - (pieces - 1) * LL_SUM_CHUNK;
    return ll_most(whole_depth(LL_SUM_CHUNK) + pieces - 1, whole_depth(last) + 1);
}

/* The worst of 1 to n terms: 15 have a longer path than 16. Parts of m terms are at most m/2 + 8 long. */
static long any_whole_depth(long n)
{
    long halvings = 0, worst = 0;
    for (; n > LL_SUM_LEAF; n = n / 2 + LL_SUM_LANES)
        halvings++;
    for (long m = 1; m <= (halvings > 0 ? LL_SUM_LEAF : n); m++)
        worst = ll_most(worst, leaf_depth(m));
    return halvings + worst;
}

long ll_sum_depth_upto(long terms)
{
    long pieces = 1 + (terms - 1) / LL_SUM_CHUNK;
    return ll_most(any_whole_depth(terms), pieces > 1 ? any_whole_depth(LL_SUM_CHUNK) + pieces - 1 : 0);
}

/* ------------------------------------------------------------------ PyTorch's cascades */

/* Numbers added to one accumulator that is 0 at first: the first addition is exact. */
static long chain(long n)
{
    return ll_most(n - 1, 0);
}

/* SumKernel.cpp, multi_row_sum over `size` rows with 2^power rows a group: four levels, of which the first three are
 * emptied into the next after 2^power additions; at the end the levels are added to the first. */
static long rows_depth(long size, long power)
{
    long depth = 3;
    for (int level = 0; level < 3; level++)
        depth += chain(ll_least(1L << power, size >> (level * power)));
    return depth + chain(size >> (3 * power));
}

/* The worst over all sizes up to `size`: for one power the depth grows with the size, at most 2^(4 power + 3). */
static long any_rows_depth(long size)
{
    long worst = 0;
    for (long power = 4;; power++) {
        long end = 4 * power + 3 < 62 ? 1L << (4 * power + 3) : LONG_MAX;
        worst = ll_most(worst, rows_depth(ll_least(size, end), power));
        if (size <= end)
            return worst;
    }
}

/* row_sum and vectorized_inner_sum around it: 3 rows left over, 4 rows into 1, at most 16 lanes and up to 15 terms left
 * over. Wider vectors make shorter columns: n/4 rows is the case of one lane. */
static long inner_sum_depth(long n)
{
    const long lanes = 16;
    return ll_most(any_rows_depth(n / 4) + 3 + 3 + lanes, 2 * lanes - 2);
}

/* TensorIteratorReduce.cpp gives every thread at least 32768 terms and adds the results with the same kernel. */
static long threads_depth(long n)
{
    const long grain = 32768, most_threads = 1024;
    return ll_least(chain(1 + (n - 1) / grain), inner_sum_depth(most_threads));
}

/* LossNLL.cpp: eight levels, one row at a time. */
static long nll_depth(long n)
{
    long ceil_log2 = 0;
    while (ceil_log2 < 62 && 1L << ceil_log2 < n)
        ceil_log2++;
    ceil_log2 += 1L << ceil_log2 < n;
    long power = ll_most(4, ceil_log2 / 8), depth = 7;
    for (int level = 0; level < 7; level++)
        depth += chain(ll_least(1L << power, 1 + ((n - 1) >> (level * power))));
    return depth + ((n - 1) >> (7 * power));
}

static long cascade_depth(long n)
{
    return ll_least(n - 1, ll_most(inner_sum_depth(n) + threads_depth(n), nll_depth(n)));
}

/* ------------------------------------------------------------------ all orders */

long ll_sum_depth(ll_order order, long terms)
{
    assert(terms >= 0);
    if (terms <= 1)
        return 0;
    switch (order) {
    case LL_SUM_PAIRWISE:
        return ll_most(pieces_depth(terms), whole_depth(terms));
    case LL_SUM_CASCADE:
        return cascade_depth(terms);
    case LL_SUM_EXACT:
        return 0;
    default:
        return terms - 1;
    }
}

/* min((1+u)^D - 1, (n-1) u), by (1+u)^D <= exp(D u). */
static void set_tree_factor(mag_t out, ll_order order, long terms, const mag_t u)
{
    mag_t any;
    mag_init(any);
    mag_mul_ui(any, u, (ulong)terms - 1);
    mag_mul_ui(out, u, (ulong)ll_sum_depth(order, terms));
    mag_expm1(out, out);
    mag_min(out, out, any);
    mag_clear(any);
}

/* u + (1+u) (n-1) (n-2) u^2 */
static void set_compensated_factor(mag_t out, long terms, const mag_t u)
{
    mag_t second;
    mag_init(second);
    mag_one(out);
    mag_add(out, out, u);
    mag_mul_ui(second, u, (ulong)terms - 1);
    mag_mul(out, out, second);
    mag_mul_ui(second, u, (ulong)terms - 2);
    mag_mul(out, out, second);
    mag_add(out, out, u);
    mag_clear(second);
}

void ll_sum_bound(mag_t out, ll_order order, long terms, long fraction_bits, const mag_t magnitude)
{
    assert(terms >= 0);
    mag_t u, factor;
    mag_init(u);
    mag_init(factor);
    mag_set_ui_2exp_si(u, 1, -(fraction_bits + 1));
    if (mag_is_inf(magnitude))
        mag_inf(factor);
    else if (terms <= 1)
        mag_zero(factor);
    else if (order == LL_SUM_EXACT)
        mag_set(factor, u);
    else if (order == LL_SUM_COMPENSATED)
        set_compensated_factor(factor, terms, u);
    else
        set_tree_factor(factor, order, terms, u);
    if (mag_is_inf(magnitude))
        mag_inf(out);
    else
        mag_mul(out, factor, magnitude);
    mag_clear(factor);
    mag_clear(u);
}
