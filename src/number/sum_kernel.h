/* The loops of sum_native.c over arrays of REAL; included once with REAL double and once with REAL float.
 * NAME(x) gives each its own names. Running values are doubles that are REALs. */

/* Terms of one leaf, n <= LL_SUM_LEAF: eight accumulators, then their sum, then what is left one by one. */
static inline REAL NAME(leaf)(const REAL *x, long n)
{
    if (n < LL_SUM_LANES) {
        REAL sum = 0;
        for (long i = 0; i < n; i++)
            sum += x[i];
        return sum;
    }
    REAL r[LL_SUM_LANES];
    long i = LL_SUM_LANES, whole = n - n % LL_SUM_LANES;
    for (int k = 0; k < LL_SUM_LANES; k++)
        r[k] = x[k];
    for (; i < whole; i += LL_SUM_LANES)
        for (int k = 0; k < LL_SUM_LANES; k++)
            r[k] += x[i + k];
    REAL sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; i++)
        sum += x[i];
    return sum;
}

/* n <= LL_SUM_CHUNK, so at most 7 calls deep. */
LL_SUM_FAST static REAL NAME(pairwise)(const REAL *x, long n)
{
    if (n <= LL_SUM_LEAF)
        return NAME(leaf)(x, n);
    long left = ll_sum_left_part(n);
    REAL first = NAME(pairwise)(x, left);
    return first + NAME(pairwise)(x + left, n - left);
}

static void NAME(add_pairwise)(double *sum, const REAL *x, long n)
{
    *sum = (REAL)*sum + NAME(pairwise)(x, n);
}

static void NAME(add_naive)(double *sum, const REAL *x, long n)
{
    REAL s = (REAL)*sum;
    for (long i = 0; i < n; i++)
        s += x[i];
    *sum = s;
}

/* With |a| >= |b| and t = a + b rounded, (a - t) + b is exactly what the rounding cut off (Dekker 1971). */
static void NAME(add_compensated)(double *sum, double *rest, const REAL *x, long n)
{
    REAL s = (REAL)*sum, c = (REAL)*rest;
    for (long i = 0; i < n; i++) {
        REAL t = s + x[i];
        int s_is_larger = REAL_ABS(s) >= REAL_ABS(x[i]);
        REAL a = s_is_larger ? s : x[i], b = s_is_larger ? x[i] : s;
        c += (a - t) + b;
        s = t;
    }
    *sum = s;
    *rest = c;
}

static REAL NAME(sum)(const REAL *x, long n, ll_order order)
{
    double sum = 0, rest = 0;
    if (order == LL_SUM_NAIVE) {
        NAME(add_naive)(&sum, x, n);
    } else if (order == LL_SUM_COMPENSATED) {
        NAME(add_compensated)(&sum, &rest, x, n);
        sum = isfinite(sum) ? (REAL)sum + (REAL)rest : sum;
    } else {
        for (long i = 0; i < n; i += LL_SUM_CHUNK)
            NAME(add_pairwise)(&sum, x + i, n - i < LL_SUM_CHUNK ? n - i : LL_SUM_CHUNK);
    }
    return (REAL)sum;
}
