/* detecting: many labels in many queries of bounded integers, by Moebius inversion (docs/proofs/detecting.md; the idea
 * is Lindstroem's 1965 for weights 0 and 1).
 *
 * Queries are the masks j = 0 .. Q-1. To mask i with r ones belongs a group of labels with integer values v <= A 2^r
 * that have distinct sums (two classes: a Conway-Guy set; more: digits k K^t). A label with value v gets in query j the
 * weight h(j & i), where h on the 2^r submasks of i is floor or ceiling of v / 2^r with the sign (-1)^(r - ones), so
 * that
 *
 *     sum over j subset of i of (-1)^(r - |j|) h(j) = v,   |h| <= A.
 *
 * The same alternating sum taken at another mask i' is 0 unless i' is a submask of i: toggling a bit of i' outside i
 * does not change j & i and cancels. So from the Moebius transform of the Q sums the groups are read from the largest
 * mask down (a mask is larger than its submasks), each one's share subtracted from its submasks. */
#include "code/distinct_sums.h"
#include "code/rows.h"

#include <stdlib.h>
#include <string.h>

enum { MASK_BITS = 40 };

typedef struct {
    long first;   /* row of the group's first label */
    int32_t used; /* labels */
} group;

typedef struct {
    int32_t *mask_of;              /* [row]: its group */
    group *groups;                 /* [mask] */
    long capacity[MASK_BITS];      /* [ones]: labels of a full group */
    ll_distinct *sets[MASK_BITS];  /* [ones]: two classes */
    int64_t values[MASK_BITS][64]; /* [ones][t]: of label 1 */
} state;

static int ones(long mask)
{
    return __builtin_popcountl((unsigned long)mask);
}

static int64_t most_value(int64_t levels, int r)
{
    return levels > INT64_MAX >> (r + 1) ? INT64_MAX / 2 : levels << r;
}

/* Labels of a group of r ones, and their values: none above A 2^r, times K-1 for more classes. */
static long fill_values(int64_t *values, int64_t levels, long classes, int r)
{
    int64_t most = most_value(levels, r);
    if (classes == 2) {
        long n = ll_distinct_count(most);
        n = n > 40 ? 40 : n;
        for (long t = 0; t < n; t++)
            values[t] = ll_distinct_element(n, t);
        return n;
    }
    return ll_digits_fill(values, classes, most);
}

/* The least number of queries that carries all rows. */
static long count_queries(const state *s, long rows)
{
    long queries = 0;
    for (long carried = 0; carried < rows; queries++)
        carried += s->capacity[ones(queries)];
    return queries;
}

static void assign_rows(ll_code *code, state *s)
{
    long row = 0;
    for (long mask = 0; mask < code->queries; mask++) {
        long fits = s->capacity[ones(mask)], left = code->rows - row;
        s->groups[mask] = (group){row, (int32_t)(fits < left ? fits : left)};
        for (long t = 0; t < s->groups[mask].used; t++)
            s->mask_of[row++] = (int32_t)mask;
    }
}

static ll_status create(ll_code *code, ll_error *error)
{
    state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a code");
    code->data = s;
    for (int r = 0; r < MASK_BITS; r++)
        s->capacity[r] = fill_values(s->values[r], code->levels, code->classes, r);
    if (s->capacity[0] < 1)
        return ll_fail(error, LL_DOMAIN, "%ld levels are too few for a label of %ld classes", (long)code->levels,
                       code->classes);
    code->queries = count_queries(s, code->rows);
    s->mask_of = malloc(sizeof *s->mask_of * (size_t)code->rows);
    s->groups = malloc(sizeof *s->groups * (size_t)code->queries);
    if (s->mask_of == NULL || s->groups == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", code->rows);
    assign_rows(code, s);
    for (int r = 0; code->classes == 2 && 1L << r <= code->queries; r++)
        if ((s->sets[r] = ll_distinct_create(s->capacity[r])) == NULL)
            return ll_fail(error, LL_MEMORY, "no memory for the sums of %ld labels", s->capacity[r]);
    return LL_OK;
}

static void clear(ll_code *code)
{
    state *s = code->data;
    if (s == NULL)
        return;
    for (int r = 0; r < MASK_BITS; r++)
        ll_distinct_destroy(s->sets[r]);
    free(s->mask_of);
    free(s->groups);
    free(s);
}

/* The bits of sub that stand under the ones of mask, pushed together. */
static uint64_t compress(uint64_t sub, uint64_t mask)
{
    uint64_t out = 0;
    for (int at = 0; mask != 0; at++, mask &= mask - 1)
        out |= (uint64_t)((sub & mask & -mask) != 0) << at;
    return out;
}

/* h at the submask whose ones, pushed together, are `rank`: the first v mod 2^r ranks get the ceiling. */
static int64_t share(int64_t v, int r, uint64_t rank)
{
    int64_t size = (v >> r) + ((int64_t)rank < (v & (((int64_t)1 << r) - 1)));
    return (r - ones((long)rank)) % 2 == 0 ? size : -size;
}

static int64_t level(const ll_code *code, long row, long label)
{
    const state *s = code->data;
    long mask = s->mask_of[row];
    int r = ones(mask);
    int64_t v = label * s->values[r][row - s->groups[mask].first];
    return v == 0 ? 0 : share(v, r, compress((uint64_t)(code->query & mask), (uint64_t)mask));
}

/* Sums of one query lie within rows * levels of 0. */
static void get_span(const ll_code *code, arb_t out, slong prec)
{
    (void)prec;
    arb_set_si(out, 2 * code->levels);
    arb_mul_si(out, out, code->rows, 64);
}

/* y[i] = sum over j subset of i of (-1)^(|i|-|j|) y[j], for i < n */
static void moebius(int64_t *y, long n)
{
    for (long bit = 1; bit < n; bit <<= 1)
        for (long i = bit; i < n; i++)
            if (i & bit)
                y[i] -= y[i ^ bit];
}

/* The labels of one group from its alternating sum; 0 where no labels have it. */
static int read_group(const ll_code *code, int32_t *labels, long mask, int64_t sum)
{
    const state *s = code->data;
    const group *g = &s->groups[mask];
    int r = ones(mask);
    if (code->classes == 2) {
        int64_t subset = ll_distinct_subset(s->sets[r], g->used, sum);
        for (long t = 0; t < g->used && subset >= 0; t++)
            labels[g->first + t] = (int32_t)(subset >> t & 1);
        return subset >= 0;
    }
    int32_t all[LL_DIGITS_MOST];
    if (!ll_digits_read(all, s->capacity[r], code->classes, sum))
        return 0;
    for (long t = 0; t < s->capacity[r]; t++)
        if (t < g->used)
            labels[g->first + t] = all[t];
        else if (all[t] != 0)
            return 0;
    return 1;
}

/* Take the group's share out of the transform at the submasks of its mask. work: 2^r numbers. */
static void subtract_group(const ll_code *code, int64_t *y, const int32_t *labels, long mask, int64_t *work)
{
    const state *s = code->data;
    const group *g = &s->groups[mask];
    int r = ones(mask);
    memset(work, 0, sizeof *work << r);
    for (long t = 0; t < g->used; t++) {
        int64_t v = labels[g->first + t] * s->values[r][t];
        for (uint64_t rank = 0; v != 0 && rank < (uint64_t)1 << r; rank++)
            work[rank] += share(v, r, rank);
    }
    moebius(work, 1L << r);
    uint64_t rank = (uint64_t)1 << r;
    for (long sub = mask;; sub = (sub - 1) & mask) { /* submasks fall as their ranks do */
        y[sub] -= work[--rank];
        if (sub == 0)
            break;
    }
}

static int read_all(const ll_code *code, int32_t *labels, int64_t *y, int64_t *work)
{
    moebius(y, code->queries);
    for (long mask = code->queries - 1; mask >= 0; mask--) {
        if (!read_group(code, labels, mask, y[mask]))
            return 0;
        subtract_group(code, y, labels, mask, work);
    }
    return 1;
}

static ll_status decode_levels(const ll_code *code, ll_decoded *out, const int64_t *sums, ll_error *error)
{
    int bits = 0;
    while (1L << bits < code->queries)
        bits++;
    int64_t *y = malloc(sizeof *y * (size_t)code->queries), *work = malloc(sizeof *work << bits);
    if (y == NULL || work == NULL) {
        free(y);
        free(work);
        return ll_fail(error, LL_MEMORY, "no memory for %ld sums", code->queries);
    }
    memcpy(y, sums, sizeof *y * (size_t)code->queries);
    ll_decoded_set_none(out, code->rows, code->classes);
    if (read_all(code, out->labels, y, work)) {
        out->count = 1;
        for (long row = 0; row < code->rows; row++)
            out->candidates[row * code->classes + out->labels[row]] = 1;
    } else {
        ll_decoded_set_none(out, code->rows, code->classes);
    }
    free(y);
    free(work);
    return LL_OK;
}

const ll_code_row ll_code_detecting = {
    .info = {.name = "detecting",
             .variants = "",
             .result = "",
             .guarantee = "proved",
             .weights =
                 "shares of a sum-distinct value over the submasks of a mask, none above the levels of the scorer",
             .gap = "1 in every query",
             .bits = "log2(2 N A) a query",
             .cost = "one Moebius transform, and 3^log2(Q) for the groups' shares",
             .classes = "2 or more"},
    .create = create,
    .clear = clear,
    .get_span = get_span,
    .level = level,
    .decode_levels = decode_levels,
};
