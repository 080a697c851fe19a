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
 * Two classes: where it carries more labels, the masks 2J and 2J + 1 share one group, whose labels have a pair of
 * values, one for even queries and one for odd ones (distinct_pairs), each shared by the 2^|J| submasks of J. It is
 * kept as the group of mask 2J + 1, on whose submasks alone it depends; that of 2J is empty.
 *
 * The variant "odd", for two classes, works in half levels: 2 A is an odd number, code->levels. A row whose
 * value is shared by two queries or more weighs an odd number of half levels in every query, the others an even one; so
 * the sums of all queries are even together or odd together, and are known to half a level as soon as that is known.
 * One more query, the last, tells it: there the odd rows weigh 3. */
#include "code/distinct_pairs.h"
#include "code/distinct_sums.h"
#include "code/masks.h"
#include "code/rows.h"

#include <stdlib.h>

/* What groups of the same size have in common. */
typedef struct {
    int ones; /* r: a value is shared by 2^r queries */
    int wide; /* 1: a group of two masks, whose labels have pairs of values; else 0 */
    ll_pairs of;
    ll_subset_table *seed; /* of pairs: finds labels */
    int32_t *numbers;      /* [rank][t]: the row's kind */
} shape;

typedef struct {
    long first;         /* row of the group's first label */
    int32_t used;       /* labels */
    const shape *shape; /* NULL where there are none since the next mask has them */
} group;

typedef struct {
    int is_odd;
    long masks;                 /* queries but for the one that tells odd from even */
    int32_t *mask_of;           /* [row]: its group */
    group *groups;              /* [mask] */
    shape single[LL_MASK_BITS]; /* [ones of the mask] */
    shape pair[LL_MASK_BITS];   /* [ones of the mask but the last bit] */
} state;

static int64_t most_value(const ll_code *code, int is_odd, int r)
{
    int64_t most = code->levels > INT64_MAX >> (r + 1) ? INT64_MAX / 2 : code->levels << r;
    return is_odd ? most / 2 : most;
}

/* Labels of a group of r ones, and their values: none above A 2^r, times K-1 for more classes. */
static void fill_single(shape *p, const ll_code *code, int is_odd)
{
    int64_t most = most_value(code, is_odd, p->ones);
    if (code->classes > 2) {
        p->of.labels = ll_digits_fill(p->of.values[0], code->classes, most);
        return;
    }
    long n = ll_distinct_count(most);
    p->of.labels = n > 40 ? 40 : n;
    for (long t = 0; t < p->of.labels; t++)
        p->of.values[0][t] = ll_distinct_element(p->of.labels, t);
}

static void fill_shapes(const ll_code *code, state *s)
{
    for (int r = 0; r < LL_MASK_BITS; r++) {
        s->single[r].ones = s->pair[r].ones = r;
        s->pair[r].wide = 1;
        fill_single(&s->single[r], code, s->is_odd);
    }
    for (int r = 0; code->classes == 2 && r + 1 < LL_MASK_BITS; r++) {
        ll_pairs_fill(&s->pair[r].of, most_value(code, s->is_odd, r));
        if (s->pair[r].of.labels <= s->single[r].of.labels + s->single[r + 1].of.labels)
            s->pair[r].of.labels = 0;
    }
}

/* The group that begins at `mask` where so many rows are left. */
static const shape *choose_shape(const state *s, long mask, long left)
{
    const int r = ll_mask_ones((uint64_t)mask);
    return mask % 2 == 0 && s->pair[r].of.labels > 0 && left > s->single[r].of.labels ? &s->pair[r] : &s->single[r];
}

/* The least number of masks that carries all rows. */
static long count_masks(const state *s, long rows)
{
    long masks = 0;
    while (rows > 0) {
        const shape *p = choose_shape(s, masks, rows);
        rows -= p->of.labels;
        masks += 1 + p->wide;
    }
    return masks;
}

static void assign_rows(ll_code *code, state *s)
{
    long row = 0;
    for (long mask = 0; mask < s->masks; mask++) {
        long left = code->rows - row;
        const shape *p = choose_shape(s, mask, left);
        if (p->wide)
            s->groups[mask++] = (group){row, 0, NULL};
        s->groups[mask] = (group){row, (int32_t)(p->of.labels < left ? p->of.labels : left), p};
        for (long t = 0; t < s->groups[mask].used; t++)
            s->mask_of[row++] = (int32_t)mask;
    }
}

enum { ODD = 3 }; /* half levels of an odd row in the last query */

static ll_status check_odd(const ll_code *code, ll_error *error)
{
    if (code->classes > 2)
        return ll_fail(error, LL_DOMAIN, "the code detecting:odd is for 2 classes, not %ld", code->classes);
    if (code->levels < ODD || code->levels % 2 == 0)
        return ll_fail(error, LL_DOMAIN, "%ld half levels: the code detecting:odd needs an odd number, 3 or more",
                       (long)code->levels);
    return LL_OK;
}

static ll_status create_kinds(ll_code *code, state *s, ll_error *error);

static ll_status create(ll_code *code, ll_error *error)
{
    state *s = code->data;
    s->is_odd = ll_code_is_variant(code, "odd");
    if (s->is_odd && check_odd(code, error) != LL_OK)
        return LL_DOMAIN;
    fill_shapes(code, s);
    if (s->single[0].of.labels < 1)
        return ll_fail(error, LL_DOMAIN, "%ld levels are too few for a label of %ld classes", (long)code->levels,
                       code->classes);
    s->masks = count_masks(s, code->rows);
    code->queries = s->masks + s->is_odd;
    s->mask_of = malloc(sizeof *s->mask_of * (size_t)code->rows);
    s->groups = malloc(sizeof *s->groups * (size_t)s->masks);
    if (s->mask_of == NULL || s->groups == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", code->rows);
    assign_rows(code, s);
    return create_kinds(code, s, error);
}

static void clear(ll_code *code)
{
    state *s = code->data;
    for (int r = 0; r < LL_MASK_BITS; r++) {
        ll_subset_table_destroy(s->pair[r].seed);
        free(s->single[r].numbers);
        free(s->pair[r].numbers);
    }
    free(s->mask_of);
    free(s->groups);
}

/* ---- shares of a value ----
 *
 * Of |v| on 2^r submasks the first |v| mod 2^r ranks get the ceiling of |v| / 2^r, the others the floor. Odd half
 * levels that sum to 2|v|: with t = |v| + 2^(r-1) shared so, twice each share less 1, since 2t - 2^r = 2|v|. With r = 0
 * they are the even 2|v|. */

static int64_t shared(const state *s, int64_t v, int r)
{
    v = v < 0 ? -v : v;
    return s->is_odd && r > 0 ? v + ((int64_t)1 << (r - 1)) : v;
}

/* `sizes`: the sum of the shares of `rows` values */
static int64_t in_levels(const state *s, int64_t sizes, int64_t rows, int r)
{
    return s->is_odd ? 2 * sizes - (r > 0 ? rows : 0) : sizes;
}

/* h at the submask whose ones, pushed together, are `rank` */
static int64_t share(const state *s, int64_t v, int r, uint64_t rank)
{
    int64_t t = shared(s, v, r), size = (t >> r) + ((int64_t)rank < (t & (((int64_t)1 << r) - 1)));
    size = in_levels(s, size, 1, r);
    return ll_mask_is_plus(r, rank) == (v >= 0) ? size : -size;
}

static int64_t level(const ll_code *code, long row, long label)
{
    const state *s = code->data;
    if (label == 0 || row < 0)
        return 0;
    long mask = s->mask_of[row];
    const shape *p = s->groups[mask].shape;
    if (code->query == s->masks)
        return p->ones > 0 ? ODD : 0;
    uint64_t rank = ll_mask_rank((uint64_t)(code->query & mask), (uint64_t)mask);
    int64_t v = label * p->of.values[rank & (uint64_t)p->wide][row - s->groups[mask].first];
    return share(s, v, p->ones, rank >> p->wide);
}

/* ---- kinds of rows ----
 *
 * With value v of a group of r ones, label k weighs floor(kv / 2^r) or one more, the latter where the query's rank is
 * below kv mod 2^r, and all labels have one sign. So of these K - 1 remainders the number above the rank says which
 * labels have one more: 2 K kinds of row for every value. They are kept for every rank: 2^r numbers a value, about
 * as many in all as there are rows. The query that tells odd from even has two kinds of its own, after all others. */

static int32_t number_of(const state *s, const shape *p, long classes, long value, long t, uint64_t rank)
{
    const int64_t last = (int64_t)1 << p->ones, v = p->of.values[rank & (uint64_t)p->wide][t];
    const uint64_t sub = rank >> p->wide;
    int32_t more = 0;
    for (long k = 1; k < classes; k++)
        more += (shared(s, k * v, p->ones) & (last - 1)) > (int64_t)sub;
    if (rank & (uint64_t)p->wide)
        value += p->of.labels;
    return (int32_t)(2 * classes * (value + t) + (ll_mask_is_plus(p->ones, sub) ? 0 : classes) + more);
}

/* The numbers of a shape, and what finds its labels; *value: of its first value among all. 0 where memory ended. */
static int create_numbers(const ll_code *code, const state *s, shape *p, long *value)
{
    const uint64_t labels = (uint64_t)p->of.labels, ranks = (uint64_t)1 << (p->ones + p->wide);
    if (labels == 0 || ranks > (uint64_t)s->masks)
        return 1;
    p->numbers = malloc(sizeof *p->numbers * labels * ranks);
    if (p->wide)
        p->seed = ll_pairs_create(&p->of);
    if (p->numbers == NULL || (p->wide && p->seed == NULL))
        return 0;
    for (uint64_t rank = 0; rank < ranks; rank++)
        for (uint64_t t = 0; t < labels; t++)
            p->numbers[rank * labels + t] = number_of(s, p, code->classes, *value, (long)t, rank);
    *value += p->of.labels << p->wide;
    return 1;
}

static ll_status create_kinds(ll_code *code, state *s, ll_error *error)
{
    long value = 0;
    for (int r = 0; r < LL_MASK_BITS; r++)
        if (!create_numbers(code, s, &s->single[r], &value) || !create_numbers(code, s, &s->pair[r], &value))
            return ll_fail(error, LL_MEMORY, "no memory for the kinds of %ld rows", code->rows);
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
        *out++ = (int32_t)(code->kinds - (s->groups[s->mask_of[row]].shape->ones > 0 ? 1 : 2));
}

static void get_kinds(const ll_code *code, int32_t *out, long first, long count)
{
    const state *s = code->data;
    const uint64_t query = (uint64_t)code->query;
    if (code->query == s->masks) {
        get_last_kinds(code, out, first, count);
        return;
    }
    /* A table of ranks for many rows; the plan asks for one at a time. */
    const int are_many = count > 64;
    uint8_t low_ranks[256];
    if (are_many)
        fill_ranks(low_ranks, query);
    uint64_t high = UINT64_MAX, high_rank = 0;
    for (long row = first; row < first + count;) {
        const uint64_t mask = (uint64_t)s->mask_of[row];
        const group *g = &s->groups[mask];
        if (mask >> 8 != high) {
            high = mask >> 8;
            high_rank = ll_mask_rank(query >> 8 & high, high);
        }
        uint64_t low_rank = are_many ? low_ranks[mask & 255] : ll_mask_rank(query & mask & 255, mask & 255);
        uint64_t rank = high_rank << ll_mask_ones(mask & 255) | low_rank;
        const int32_t *numbers = g->shape->numbers + rank * (uint64_t)g->shape->of.labels;
        long end = g->first + g->used < first + count ? g->first + g->used : first + count;
        for (; row < end; row++)
            *out++ = numbers[row - g->first];
    }
}

/* All groups of a shape have the kinds of the largest of them, which occur in the submasks of its mask. */
static ll_status show_group(const group *g, long mask, int32_t shown, ll_see_rows *see, void *self)
{
    for (long query = mask;; query = (query - 1) & mask) {
        ll_status status = see(self, query, g->first + shown, g->used - shown);
        if (status != LL_OK || query == 0)
            return status;
    }
}

static ll_status show_kinds(const ll_code *code, ll_see_rows *see, void *self)
{
    const state *s = code->data;
    int32_t shown[2][LL_MASK_BITS] = {0};
    ll_status status = LL_OK;
    for (long mask = 0; mask < s->masks && status == LL_OK; mask++) {
        const group *g = &s->groups[mask];
        int32_t *of = g->shape != NULL ? &shown[g->shape->wide][g->shape->ones] : NULL;
        if (of == NULL || g->used <= *of)
            continue;
        status = show_group(g, mask, *of, see, self);
        if (status == LL_OK && s->is_odd && *of == 0)
            status = see(self, s->masks, g->first, 1);
        *of = g->used;
    }
    return status;
}

/* Rows are given to masks in order, and a group needs the submasks of its mask only, which are smaller. */
static long labels_in(const ll_code *code, long queries)
{
    const state *s = code->data;
    return queries < code->queries ? s->groups[queries - s->is_odd].first : code->rows;
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

/* Sums in half levels are twice what labels are read from; 0 where they are odd. */
static int halve(const state *s, int64_t *sum)
{
    int fits = !s->is_odd || *sum % 2 == 0;
    *sum = s->is_odd ? *sum / 2 : *sum;
    return fits;
}

/* All labels of a full group from the alternating sums at its mask, or its two masks. */
static int read_full(const ll_code *code, const shape *p, int32_t *labels, long mask, const int64_t *y)
{
    int64_t even = p->wide ? y[mask - 1] : 0, sum = y[mask] + even;
    if (!halve(code->data, &sum) || !halve(code->data, &even))
        return 0;
    if (p->wide)
        return ll_pairs_read(&p->of, p->seed, labels, even, sum);
    if (code->classes > 2)
        return ll_digits_read(labels, p->of.labels, code->classes, sum);
    int64_t subset = ll_distinct_subset(p->of.labels, sum, NULL);
    for (long t = 0; t < p->of.labels && subset >= 0; t++)
        labels[t] = (int32_t)(subset >> t & 1);
    return subset >= 0;
}

/* The labels of one group; 0 where no labels have its sums. */
static int read_group(const ll_code *code, int32_t *labels, long mask, const int64_t *y)
{
    const group *g = &((const state *)code->data)->groups[mask];
    int32_t all[LL_PAIRS_MOST];
    if (g->shape == NULL)
        return y[mask] == 0;
    if (!read_full(code, g->shape, all, mask, y))
        return 0;
    for (long t = 0; t < g->shape->of.labels; t++)
        if (t < g->used)
            labels[g->first + t] = all[t];
        else if (all[t] != 0)
            return 0;
    return 1;
}

/* What the group's labels add at every submask of its mask; of two masks, in the even or the odd queries. */
static void add_values(const state *s, const group *g, int64_t *work, const int32_t *labels, int odd)
{
    const int r = g->shape->ones, wide = g->shape->wide;
    /* sizes at rank x: the floors, and one for every remainder above x */
    int64_t size = 0, last = (int64_t)1 << r, rows = 0;
    for (long t = 0; t < g->used; t++) {
        int64_t v = labels[g->first + t] * g->shape->of.values[odd][t], sign = v < 0 ? -1 : 1;
        int64_t part = shared(s, v, r), rest = part & (last - 1);
        if (labels[g->first + t] == 0)
            continue;
        size += sign * ((part >> r) + (rest > 0));
        work[rest << wide | odd] -= rest > 0 ? sign : 0;
        rows += sign;
    }
    for (int64_t rank = 0; rank < last; rank++) {
        int64_t *at = &work[rank << wide | odd];
        size += *at;
        int64_t levels = in_levels(s, size, rows, r);
        *at = ll_mask_is_plus(r, (uint64_t)rank) ? levels : -levels;
    }
}

static void add_group(const ll_code *code, int64_t *work, const int32_t *labels, long mask)
{
    const state *s = code->data;
    const group *g = &s->groups[mask];
    for (int odd = 0; g->shape != NULL && odd <= g->shape->wide; odd++)
        add_values(s, g, work, labels, odd);
}

/* The sum of the query that tells odd from even. */
static int64_t last_sum(const ll_code *code, const int32_t *labels)
{
    const state *s = code->data;
    int64_t sum = 0;
    for (long row = 0; row < code->rows; row++)
        sum += s->groups[s->mask_of[row]].shape->ones > 0 ? ODD * labels[row] : 0;
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
    .state_size = sizeof(state),
    .create = create,
    .clear = clear,
    .get_gap = get_gap,
    .get_span = get_span,
    .bounded = {.level = level,
                .decode = decode_levels,
                .starts_at_zero = 1,
                .get_kinds = get_kinds,
                .show_kinds = show_kinds},
    .labels_in = labels_in,
};
