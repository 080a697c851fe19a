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
 * mask down (a mask is larger than its submasks), each one's share subtracted from its submasks.
 *
 * The variant "odd", for two classes, works in half levels: 2 A is an odd number, code->levels. A row of a mask with
 * ones weighs an odd number of half levels in every query, that of mask 0 an even one; so the sums of all queries are
 * even together or odd together, and are known to half a level as soon as that is known. One more query, the last,
 * tells it: there the odd rows weigh 3. */
#include "code/distinct_sums.h"
#include "code/masks.h"
#include "code/rows.h"

#include <stdlib.h>

typedef struct {
    long first;   /* row of the group's first label */
    int32_t used; /* labels */
    int32_t ones; /* of the mask */
} group;

typedef struct {
    int is_odd;
    long masks;                       /* queries but for the one that tells odd from even */
    int32_t *mask_of;                 /* [row]: its group */
    group *groups;                    /* [mask] */
    long capacity[LL_MASK_BITS];      /* [ones]: labels of a full group */
    ll_distinct *sets[LL_MASK_BITS];  /* [ones]: two classes */
    int64_t values[LL_MASK_BITS][64]; /* [ones][t]: of label 1 */
    int32_t *numbers[LL_MASK_BITS];   /* [ones][rank][t]: the row's kind */
} state;

static int64_t most_value(const ll_code *code, int is_odd, int r)
{
    int64_t most = code->levels > INT64_MAX >> (r + 1) ? INT64_MAX / 2 : code->levels << r;
    return is_odd ? most / 2 : most;
}

/* Labels of a group of r ones, and their values: none above A 2^r, times K-1 for more classes. */
static long fill_values(int64_t *values, const ll_code *code, int is_odd, int r)
{
    int64_t most = most_value(code, is_odd, r);
    if (code->classes == 2) {
        long n = ll_distinct_count(most);
        n = n > 40 ? 40 : n;
        for (long t = 0; t < n; t++)
            values[t] = ll_distinct_element(n, t);
        return n;
    }
    return ll_digits_fill(values, code->classes, most);
}

/* The least number of masks that carries all rows. */
static long count_masks(const state *s, long rows)
{
    long masks = 0;
    for (long carried = 0; carried < rows; masks++)
        carried += s->capacity[ll_mask_ones((uint64_t)masks)];
    return masks;
}

static void assign_rows(ll_code *code, state *s)
{
    long row = 0;
    for (long mask = 0; mask < s->masks; mask++) {
        const int r = ll_mask_ones((uint64_t)mask);
        long fits = s->capacity[r], left = code->rows - row;
        s->groups[mask] = (group){row, (int32_t)(fits < left ? fits : left), r};
        for (long t = 0; t < s->groups[mask].used; t++)
            s->mask_of[row++] = (int32_t)mask;
    }
}

enum { ODD = 3 }; /* half levels of an odd row in the last query */

static ll_status create_kinds(ll_code *code, state *s, ll_error *error);

static ll_status check_odd(const ll_code *code, ll_error *error)
{
    if (code->classes > 2)
        return ll_fail(error, LL_DOMAIN, "the code detecting:odd is for 2 classes, not %ld", code->classes);
    if (code->levels < ODD || code->levels % 2 == 0)
        return ll_fail(error, LL_DOMAIN, "%ld half levels: the code detecting:odd needs an odd number, 3 or more",
                       (long)code->levels);
    return LL_OK;
}

static ll_status create(ll_code *code, ll_error *error)
{
    state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a code");
    code->data = s;
    s->is_odd = ll_code_is_variant(code, "odd");
    if (s->is_odd && check_odd(code, error) != LL_OK)
        return LL_DOMAIN;
    for (int r = 0; r < LL_MASK_BITS; r++)
        s->capacity[r] = fill_values(s->values[r], code, s->is_odd, r);
    if (s->capacity[0] < 1)
        return ll_fail(error, LL_DOMAIN, "%ld levels are too few for a label of %ld classes", (long)code->levels,
                       code->classes);
    s->masks = count_masks(s, code->rows);
    code->queries = s->masks + s->is_odd;
    s->mask_of = malloc(sizeof *s->mask_of * (size_t)code->rows);
    s->groups = malloc(sizeof *s->groups * (size_t)s->masks);
    if (s->mask_of == NULL || s->groups == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", code->rows);
    assign_rows(code, s);
    for (int r = 0; code->classes == 2 && 1L << r <= s->masks; r++)
        if ((s->sets[r] = ll_distinct_create(s->capacity[r])) == NULL)
            return ll_fail(error, LL_MEMORY, "no memory for the sums of %ld labels", s->capacity[r]);
    return create_kinds(code, s, error);
}

static void clear(ll_code *code)
{
    state *s = code->data;
    if (s == NULL)
        return;
    for (int r = 0; r < LL_MASK_BITS; r++)
        ll_distinct_destroy(s->sets[r]);
    for (int r = 0; r < LL_MASK_BITS; r++)
        free(s->numbers[r]);
    free(s->mask_of);
    free(s->groups);
    free(s);
}

/* ---- shares of a value ----
 *
 * Of v on 2^r submasks the first v mod 2^r ranks get the ceiling of v / 2^r, the others the floor. Odd half levels that
 * sum to 2v: with t = v + 2^(r-1) shared so, twice each share less 1, since 2t - 2^r = 2v. With r = 0 they are the even
 * 2v. */

static int64_t shared(const state *s, int64_t v, int r)
{
    return s->is_odd && r > 0 && v > 0 ? v + ((int64_t)1 << (r - 1)) : v;
}

/* `sizes`: the sum of the shares of `rows` labels with values */
static int64_t in_levels(const state *s, int64_t sizes, int64_t rows, int r)
{
    return s->is_odd ? 2 * sizes - (r > 0 ? rows : 0) : sizes;
}

/* h at the submask whose ones, pushed together, are `rank` */
static int64_t share(const state *s, int64_t v, int r, uint64_t rank)
{
    int64_t t = shared(s, v, r), size = (t >> r) + ((int64_t)rank < (t & (((int64_t)1 << r) - 1)));
    size = in_levels(s, size, 1, r);
    return ll_mask_is_plus(r, rank) ? size : -size;
}

static int64_t level(const ll_code *code, long row, long label)
{
    const state *s = code->data;
    long mask = s->mask_of[row];
    int r = ll_mask_ones((uint64_t)mask);
    int64_t v = label * s->values[r][row - s->groups[mask].first];
    if (code->query == s->masks)
        return label * (r > 0 ? ODD : 0);
    return v == 0 ? 0 : share(s, v, r, ll_mask_rank((uint64_t)(code->query & mask), (uint64_t)mask));
}

/* ---- kinds of rows ----
 *
 * With value v of a group of r ones, label k weighs floor(kv / 2^r) or one more, the latter where the query's rank is
 * below kv mod 2^r, and all labels have one sign. So of these K - 1 remainders the number above the rank says which
 * labels have one more: 2 K kinds of row for every value. They are kept for every rank: 2^r numbers a value, about
 * as many in all as there are rows. The query that tells odd from even has two kinds of its own, after all others. */

static int32_t number_of(const state *s, long classes, int r, long value, long t, uint64_t rank)
{
    int32_t more = 0;
    for (long k = 1; k < classes; k++)
        more += (shared(s, k * s->values[r][t], r) & (((int64_t)1 << r) - 1)) > (int64_t)rank;
    return (int32_t)(2 * classes * value + (ll_mask_is_plus(r, rank) ? 0 : classes) + more);
}

static ll_status create_kinds(ll_code *code, state *s, ll_error *error)
{
    long value = 0;
    for (int r = 0; 1L << r <= s->masks; r++) {
        const long labels = s->capacity[r];
        s->numbers[r] = malloc(sizeof *s->numbers[r] * ((size_t)labels << r));
        if (s->numbers[r] == NULL)
            return ll_fail(error, LL_MEMORY, "no memory for the kinds of %ld rows", code->rows);
        for (uint64_t rank = 0; rank < (uint64_t)1 << r; rank++)
            for (long t = 0; t < labels; t++)
                s->numbers[r][rank * (uint64_t)labels + (uint64_t)t] =
                    number_of(s, code->classes, r, value + t, t, rank);
        value += labels;
    }
    code->kinds = 2 * code->classes * value + (s->is_odd ? 2 : 0);
    return LL_OK;
}

/* A rank by halves: ll_mask_rank(sub, mask) of every mask below 256, for one sub. */
static void fill_ranks(uint8_t *ranks, uint64_t sub)
{
    ranks[0] = 0;
    for (uint64_t mask = 1; mask < 256; mask++)
        ranks[mask] = (uint8_t)(ranks[mask & (mask - 1)] << 1 | ((sub & mask & -mask) != 0));
}

static void get_last_kinds(const ll_code *code, int32_t *out, long first, long count)
{
    const state *s = code->data;
    for (long row = first; row < first + count; row++)
        *out++ = (int32_t)(code->kinds - (s->mask_of[row] > 0 ? 1 : 2));
}

static void get_kinds(const ll_code *code, int32_t *out, long first, long count)
{
    const state *s = code->data;
    const uint64_t query = (uint64_t)code->query;
    if (code->query == s->masks) {
        get_last_kinds(code, out, first, count);
        return;
    }
    uint8_t low_ranks[256];
    fill_ranks(low_ranks, query);
    uint64_t high = UINT64_MAX, high_rank = 0;
    for (long row = first; row < first + count;) {
        const uint64_t mask = (uint64_t)s->mask_of[row];
        const group *g = &s->groups[mask];
        if (mask >> 8 != high) {
            high = mask >> 8;
            high_rank = ll_mask_rank(query >> 8 & high, high);
        }
        uint64_t rank = high_rank << ll_mask_ones(mask & 255) | low_ranks[mask & 255];
        const int r = g->ones;
        const int32_t *numbers = s->numbers[r] + rank * (uint64_t)s->capacity[r];
        long end = g->first + g->used < first + count ? g->first + g->used : first + count;
        for (; row < end; row++)
            *out++ = numbers[row - g->first];
    }
}

/* Rows are given to masks in order, and a group needs the submasks of its mask only, which are smaller. */
static long labels_in(const ll_code *code, long queries)
{
    const state *s = code->data;
    return s->groups[queries - s->is_odd].first;
}

/* Every query's sums are known mod 2 half levels by the last one. */
static void get_gap(const ll_code *code, arb_t out, slong prec)
{
    (void)prec;
    arb_set_si(out, ((const state *)code->data)->is_odd ? 2 : 1);
}

/* Sums of one query lie within rows * levels of 0. */
static void get_span(const ll_code *code, arb_t out, slong prec)
{
    (void)prec;
    arb_set_si(out, 2 * code->levels);
    arb_mul_si(out, out, code->rows, 64);
}

/* The labels of one group from its alternating sum; 0 where no labels have it. */
static int read_group(const ll_code *code, int32_t *labels, long mask, int64_t sum)
{
    const state *s = code->data;
    const group *g = &s->groups[mask];
    int r = ll_mask_ones((uint64_t)mask);
    if (s->is_odd && sum % 2 != 0)
        return 0;
    sum = s->is_odd ? sum / 2 : sum;
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

/* What the group's labels add at every submask of its mask. */
static void add_group(const ll_code *code, int64_t *work, const int32_t *labels, long mask)
{
    const state *s = code->data;
    const group *g = &s->groups[mask];
    int r = ll_mask_ones((uint64_t)mask);
    /* sizes at rank x: the floors, and one for every remainder above x */
    int64_t size = 0, last = (int64_t)1 << r, ones = 0;
    for (long t = 0; t < g->used; t++) {
        int64_t v = shared(s, labels[g->first + t] * s->values[r][t], r), rest = v & (last - 1);
        ones += v > 0;
        size += (v >> r) + (rest > 0);
        work[rest] -= rest > 0;
    }
    for (int64_t rank = 0; rank < last; rank++) {
        size += work[rank];
        int64_t levels = in_levels(s, size, ones, r);
        work[rank] = ll_mask_is_plus(r, (uint64_t)rank) ? levels : -levels;
    }
}

/* The sum of the query that tells odd from even. */
static int64_t last_sum(const ll_code *code, const int32_t *labels)
{
    const state *s = code->data;
    int64_t sum = 0;
    for (long row = 0; row < code->rows; row++)
        sum += s->mask_of[row] > 0 ? ODD * labels[row] : 0;
    return sum;
}

static ll_status decode_levels(const ll_code *code, ll_decoded *out, const int64_t *sums, ll_error *error)
{
    static const ll_mask_groups groups = {read_group, add_group};
    ll_code masks = *code;
    masks.queries = ((const state *)code->data)->masks;
    ll_status status = ll_masks_decode(&masks, out, sums, &groups, error);
    if (status == LL_OK && out->count == 1 && masks.queries < code->queries &&
        last_sum(code, out->labels) != sums[masks.queries])
        ll_decoded_set_none(out, code->rows, code->classes);
    return status;
}

const ll_code_row ll_code_detecting = {
    .info = {.name = "detecting",
             .variants = "levels labels odd",
             .result = "",
             .guarantee = "proved",
             .weights =
                 "shares of a sum-distinct value over the submasks of a mask, none above the levels of the scorer",
             .gap = "1 in every query; odd: 2 half levels",
             .bits = "log2(2 N A) a query",
             .cost = "one Moebius transform, and 3^log2(Q) for the groups' shares",
             .classes = "2 or more"},
    .create = create,
    .clear = clear,
    .get_gap = get_gap,
    .get_span = get_span,
    .level = level,
    .decode_levels = decode_levels,
    .starts_at_zero = 1,
    .get_kinds = get_kinds,
    .own_variant = "labels",
    .own_row = &ll_code_detecting_labels,
    .labels_in = labels_in,
};
