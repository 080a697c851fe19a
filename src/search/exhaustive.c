/* LabelInf in doubles.
 *
 * The rows are split into a low part, whose sums fill a table that stays in the first-level cache, and a
 * high part. For every labelling of the high part the distance of every table entry to what is left
 * of the target is taken: three vector instructions for eight labellings. Only where the least
 * distance is small is the table walked again, labelling by labelling.
 *
 * Rounding. Every distance is computed from at most `rows` additions that can round, of numbers whose absolute values
 * add up to at most A = sum over rows of max |weight| + |target|, so it is wrong by at most margin = (rows + 4) u A (1
 * + tiny) (docs/proofs/exhaustive.md). Distances within the margin of the tolerance, or of the least distance, are
 * decided by exact sums. Where all weights are multiples of one power of two and A is below 2^53 of
 * them, every sum is exact and the margin is 0. */
#include "search/exhaustive.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    TABLE = 2048,   /* sums of the low part: 16 KB */
    LANES = 32,     /* independent minima, so that the loop is a vector loop without reordering anything */
    CHUNK = 1 << 12 /* high labellings a work unit */
};

typedef struct {
    const double *weights;
    long rows, classes;
    double target, tolerance;
    double margin;
    long low_rows;      /* rows in the table */
    long low_size;      /* classes ^ low_rows */
    long middle_rows;   /* the next rows: their sums are tabled too, so that a high labelling costs two additions */
    long middle_size;   /* classes ^ middle_rows */
    uint64_t high_size; /* classes ^ (rows - low_rows) */
    double *table;      /* low_size sums, then +inf up to a multiple of LANES */
    double *middle;
    long padded;
} problem;

typedef struct {
    uint64_t index;
    double distance;
} found;

/* What one thread saw. */
typedef struct {
    uint64_t count;
    uint64_t *fits; /* the first `limit` that fit, in increasing order */
    long kept, limit;
    found *near; /* all within the margin of the least distance seen here */
    long near_count, near_size;
    double least;
    int failed;
} harvest;

ll_status ll_search_result_init(ll_search_result *result, long rows, long limit)
{
    memset(result, 0, sizeof *result);
    if (rows < 1 || limit < 0 || (size_t)limit > SIZE_MAX / sizeof(int32_t) / (size_t)rows)
        return LL_DOMAIN;
    result->labellings = malloc(sizeof(int32_t) * (size_t)rows * (size_t)(limit > 0 ? limit : 1));
    result->best = malloc(sizeof(int32_t) * (size_t)rows);
    if (result->labellings == NULL || result->best == NULL) {
        ll_search_result_clear(result);
        return LL_MEMORY;
    }
    return LL_OK;
}

void ll_search_result_clear(ll_search_result *result)
{
    free(result->labellings);
    free(result->best);
    memset(result, 0, sizeof *result);
}

/* ---- labellings as numbers, row 0 the lowest digit */

static void unpack(int32_t *labels, uint64_t index, long rows, long classes)
{
    for (long i = 0; i < rows; i++, index /= (uint64_t)classes)
        labels[i] = (int32_t)(index % (uint64_t)classes);
}

static double digits_sum(const problem *p, uint64_t index, long first, long last)
{
    double sum = 0;
    for (long i = first; i < last; i++, index /= (uint64_t)p->classes)
        sum += p->weights[i * p->classes + (long)(index % (uint64_t)p->classes)];
    return sum;
}

/* sum - target of one labelling, no rounding at all */
static void exact_difference(arf_t out, const problem *p, uint64_t index)
{
    arf_t term;
    arf_init(term);
    arf_set_d(out, -p->target);
    for (long i = 0; i < p->rows; i++, index /= (uint64_t)p->classes) {
        arf_set_d(term, p->weights[i * p->classes + (long)(index % (uint64_t)p->classes)]);
        arf_add(out, out, term, ARF_PREC_EXACT, ARF_RND_DOWN);
    }
    arf_clear(term);
}

static int exactly_fits(const problem *p, uint64_t index)
{
    arf_t difference, tolerance;
    arf_init(difference);
    arf_init(tolerance);
    exact_difference(difference, p, index);
    arf_set_d(tolerance, p->tolerance);
    int fits = arf_cmpabs(difference, tolerance) <= 0;
    arf_clear(difference);
    arf_clear(tolerance);
    return fits;
}

/* ---- the loop that looks at everything */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#define FAST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FAST
#endif

FAST static double least_distance(const double *restrict table, long padded, double left)
{
    double least[LANES];
    for (int j = 0; j < LANES; j++)
        least[j] = INFINITY;
    for (long i = 0; i < padded; i += LANES) {
        for (int j = 0; j < LANES; j++) {
            double distance = fabs(table[i + j] - left);
            least[j] = distance < least[j] ? distance : least[j];
        }
    }
    double all = least[0];
    for (int j = 1; j < LANES; j++)
        all = least[j] < all ? least[j] : all;
    return all;
}

static void keep_near(const problem *p, harvest *h, uint64_t index, double distance)
{
    /* With a margin of 0 a tie adds nothing: the first one stands for all. */
    if (p->margin == 0 ? distance >= h->least : distance > h->least + 2 * p->margin)
        return;
    if (distance < h->least)
        h->least = distance;
    if (h->near_count == h->near_size) {
        long kept = 0;
        for (long i = 0; i < h->near_count; i++)
            if (h->near[i].distance <= h->least + 2 * p->margin)
                h->near[kept++] = h->near[i];
        h->near_count = kept;
    }
    if (h->near_count == h->near_size) {
        long size = h->near_size * 2 + 16;
        found *grown = size > (1 << 22) ? NULL : realloc(h->near, (size_t)size * sizeof *grown);
        if (grown == NULL) {
            h->failed = 1;
            return;
        }
        h->near = grown;
        h->near_size = size;
    }
    h->near[h->near_count++] = (found){index, distance};
}

/* Distances up to this fit, or may be the least where `least` is the least computed one. */
static double interesting(const problem *p, double least)
{
    double near = least + 2 * p->margin, fits = p->tolerance + p->margin;
    return near > fits ? near : fits;
}

/* least: of this table. Where the target is approached step by step (weights 2^j in order) every second high labelling
 * comes here, so most entries must cost no more than one comparison. */
static void look_closer(const problem *p, harvest *h, uint64_t base, double left, double least)
{
    double bound = interesting(p, fmin(least, h->least));
    for (long i = 0; i < p->low_size; i++) {
        double distance = fabs(p->table[i] - left);
        if (distance > bound)
            continue;
        uint64_t index = base + (uint64_t)i;
        keep_near(p, h, index, distance);
        if (distance > p->tolerance + p->margin)
            continue;
        if (p->margin > 0 && distance >= p->tolerance - p->margin && !exactly_fits(p, index))
            continue;
        h->count++;
        if (h->kept < h->limit)
            h->fits[h->kept++] = index;
    }
}

static void search_chunk(const problem *p, harvest *h, uint64_t first, uint64_t last)
{
    double top = 0;
    for (uint64_t high = first; high < last && !h->failed; high++) {
        uint64_t middle = high % (uint64_t)p->middle_size;
        if (high == first || middle == 0)
            top = digits_sum(p, high / (uint64_t)p->middle_size, p->low_rows + p->middle_rows, p->rows);
        double left = p->target - (p->middle[middle] + top);
        double least = least_distance(p->table, p->padded, left);
        if (least <= interesting(p, h->least) && (p->margin > 0 || least < h->least || least <= p->tolerance))
            look_closer(p, h, high * (uint64_t)p->low_size, left, least);
    }
}

/* ---- setting up */

static double greatest_sum(const problem *p)
{
    double all = fabs(p->target);
    for (long i = 0; i < p->rows; i++) {
        double most = 0;
        for (long k = 0; k < p->classes; k++)
            most = fmax(most, fabs(p->weights[i * p->classes + k]));
        all += most;
    }
    return all;
}

/* Is every sum exact? All numbers are multiples of 2^e, and their absolute values add up to less than 2^(e+53). */
static int sums_are_exact(const problem *p, double all)
{
    int lowest = INT32_MAX;
    for (long i = -1; i < p->rows * p->classes; i++) {
        double x = i < 0 ? p->target : p->weights[i];
        if (x == 0)
            continue;
        int exponent;
        double m = frexp(fabs(x), &exponent);
        uint64_t mantissa = (uint64_t)ldexp(m, 53);
        int e = exponent - 53 + __builtin_ctzll(mantissa);
        lowest = e < lowest ? e : lowest;
    }
    return lowest == INT32_MAX || all * (1 + 1e-9) < ldexp(1, lowest + 53);
}

static ll_status check(const problem *p, ll_error *error)
{
    if (p->rows < 1 || p->classes < 2)
        return ll_fail(error, LL_DOMAIN, "an exhaustive search needs at least 1 row and 2 classes");
    for (long i = 0; i < p->rows * p->classes; i++)
        if (!isfinite(p->weights[i]))
            return ll_fail(error, LL_DOMAIN, "the weight of row %ld, label %ld is not finite", i / p->classes,
                           i % p->classes);
    if (!isfinite(p->target) || !(p->tolerance >= 0))
        return ll_fail(error, LL_DOMAIN, "the target must be finite and the tolerance at least 0");
    if (!(greatest_sum(p) < 0x1p1023))
        return ll_fail(error, LL_DOMAIN, "the weights add up to more than a double holds");
    return LL_OK;
}

/* How many of the rows fit into one table, and how many sums that makes. */
static long table_rows(long *size, long rows, long classes)
{
    long fit = 0;
    for (*size = 1; fit < rows && *size * classes <= TABLE; fit++)
        *size *= classes;
    return fit;
}

/* The sums of all labellings of `rows` rows, added in the order of digits_sum: a row more makes `classes` copies. */
static void fill_sums(const problem *p, double *sums, long first, long rows)
{
    long size = 1;
    sums[0] = 0;
    for (long row = first; row < first + rows; row++, size *= p->classes)
        for (long k = p->classes - 1; k >= 0; k--)
            for (long i = 0; i < size; i++)
                sums[k * size + i] = sums[i] + p->weights[row * p->classes + k];
}

static ll_status set_up(problem *p, double seconds, int threads, ll_error *error)
{
    double all = greatest_sum(p);
    p->margin = sums_are_exact(p, all) ? 0 : (double)(p->rows + 4) * (DBL_EPSILON / 2) * all * (1 + 1e-9);
    p->low_rows = table_rows(&p->low_size, p->rows, p->classes);
    p->middle_rows = table_rows(&p->middle_size, p->rows - p->low_rows, p->classes);
    p->high_size = 1;
    for (long i = p->low_rows; i < p->rows; i++) {
        if (p->high_size > (UINT64_MAX >> 1) / (uint64_t)p->classes / (uint64_t)p->low_size)
            return ll_fail(error, LL_UNABLE, "%ld rows of %ld labels have over 2^63 labellings: too many to look at",
                           p->rows, p->classes);
        p->high_size *= (uint64_t)p->classes;
    }
    double predicted = (double)p->high_size * (double)p->low_size / 2e9 / threads;
    if (predicted > seconds)
        return ll_fail(error, LL_UNABLE,
                       "%ld rows of %ld labels would take about %.3g s, over the budget of %.3g s: use fewer rows",
                       p->rows, p->classes, predicted, seconds);
    p->padded = (p->low_size + LANES - 1) / LANES * LANES;
    p->table = aligned_alloc(64, (size_t)p->padded * sizeof(double));
    p->middle = malloc((size_t)p->middle_size * sizeof(double));
    if (p->table == NULL || p->middle == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for the table of sums");
    fill_sums(p, p->table, 0, p->low_rows);
    for (long i = p->low_size; i < p->padded; i++)
        p->table[i] = INFINITY;
    fill_sums(p, p->middle, p->low_rows, p->middle_rows);
    return LL_OK;
}

static int by_index(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The labellings of all threads in order, the first `limit` of them; the best one decided exactly. */
static ll_status gather(ll_search_result *out, const problem *p, harvest *harvests, int threads, long limit)
{
    long total = 0;
    for (int t = 0; t < threads; t++)
        total += harvests[t].kept;
    uint64_t *all = malloc(sizeof *all * (size_t)(total > 0 ? total : 1));
    if (all == NULL)
        return LL_MEMORY;
    double least = INFINITY;
    long at = 0;
    out->count = 0;
    for (int t = 0; t < threads; t++) {
        if (harvests[t].kept > 0)
            memcpy(all + at, harvests[t].fits, sizeof *all * (size_t)harvests[t].kept);
        at += harvests[t].kept;
        out->count += harvests[t].count;
        least = fmin(least, harvests[t].least);
    }
    qsort(all, (size_t)total, sizeof *all, by_index);
    out->kept = total < limit ? total : limit;
    for (long i = 0; i < out->kept; i++)
        unpack(out->labellings + i * p->rows, all[i], p->rows, p->classes);
    free(all);

    arf_t nearest, distance;
    arf_init(nearest);
    arf_init(distance);
    arf_pos_inf(nearest);
    uint64_t best = UINT64_MAX;
    for (int t = 0; t < threads; t++) {
        for (long i = 0; i < harvests[t].near_count; i++) {
            const found *f = &harvests[t].near[i];
            if (f->distance > least + 2 * p->margin)
                continue;
            exact_difference(distance, p, f->index);
            int order = arf_cmpabs(distance, nearest);
            if (order < 0 || (order == 0 && f->index < best)) {
                arf_swap(nearest, distance);
                best = f->index;
            }
        }
    }
    out->nearest = fabs(arf_get_d(nearest, ARF_RND_NEAR));
    unpack(out->best, best, p->rows, p->classes);
    arf_clear(nearest);
    arf_clear(distance);
    return LL_OK;
}

static ll_status run(ll_search_result *out, const problem *p, long limit, int threads, ll_error *error)
{
    harvest *harvests = calloc((size_t)threads, sizeof *harvests);
    if (harvests == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %d threads", threads);
    for (int t = 0; t < threads; t++) {
        harvests[t].least = INFINITY;
        harvests[t].limit = limit;
        harvests[t].fits = malloc(sizeof(uint64_t) * (size_t)(limit > 0 ? limit : 1));
        harvests[t].failed = harvests[t].fits == NULL;
    }
    uint64_t chunks = (p->high_size + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(monotonic : dynamic) num_threads(threads)
    for (uint64_t c = 0; c < chunks; c++) {
        uint64_t last = (c + 1) * CHUNK < p->high_size ? (c + 1) * CHUNK : p->high_size;
        search_chunk(p, &harvests[omp_get_thread_num()], c * CHUNK, last);
    }
    int failed = 0;
    for (int t = 0; t < threads; t++)
        failed |= harvests[t].failed;
    ll_status status = failed ? LL_MEMORY : gather(out, p, harvests, threads, limit);
    for (int t = 0; t < threads; t++) {
        free(harvests[t].fits);
        free(harvests[t].near);
    }
    free(harvests);
    if (status != LL_OK)
        return ll_fail(error, LL_UNABLE, "more than %d labellings are equally near, or memory ended", 1 << 22);
    return LL_OK;
}

ll_status ll_search_exhaustive(ll_search_result *out, const double *weights, long rows, long classes, double target,
                               double tolerance, long limit, double seconds, int threads, ll_error *error)
{
    problem p = {.weights = weights, .rows = rows, .classes = classes, .target = target, .tolerance = tolerance};
    if (threads <= 0)
        threads = omp_get_max_threads();
    ll_status status = check(&p, error);
    if (status == LL_OK)
        status = set_up(&p, seconds, threads, error);
    if (status == LL_OK)
        status = run(out, &p, limit, threads, error);
    free(p.table);
    free(p.middle);
    return status;
}
