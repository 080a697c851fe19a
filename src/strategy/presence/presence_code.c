/* presence: rows of three states, label 0, label 1 and absent, in many queries (docs/proofs/public.md).
 *
 * In one query a row adds g, G0 <= g <= G1, if it is public with the label that the query asks of it, and nothing
 * otherwise. As in detecting, queries are masks j = 0 .. Q-1, and what a row of the group of mask i adds depends on
 * j & i alone. With r ones there are 2^r submasks, P = 2^(r-1) of sign plus and as many of sign minus; on some of them
 * the row is asked for label 1, on the others for label 0, so that the alternating sums are
 *
 *     v where its label is 1,   -v where it is 0,   0 where it is absent,         1 <= v <= P G1.
 *
 * Values 3^t have sums that tell all states apart, the digits -1, 0, 1 of a number in base 3. Groups are read from the
 * largest mask down (masks.h). r = 1 has values from G0 to G1 only: there they are x + 3^t with x >= 3^m, and the sum's
 * multiple of x is the sum of its digits. Mask 0 has no rows.
 *
 * G1 is code->levels, and G0 half of it, rounded up; the variant labels has G0 = G1 = 1, and predicts the label that is
 * asked for. */
#include "code/masks.h"
#include "strategy/presence/presence.h"

#include <stdlib.h>

enum { ABSENT = 2, STATES = 3, MOST = 40, MOST_LEVELS_BITS = 40 };

/* How one value is shared by the submasks: on the first `plus` submasks of sign plus, and the first `minus` of sign
 * minus, the row is asked for label 1, on the others for label 0. */
typedef struct {
    int64_t value;
    int64_t plus, minus;
} share;

/* Groups of r ones: the rows' values are offset + 3^power. */
typedef struct {
    int64_t offset;
    int labels;
    int powers[MOST];
    share shares[MOST];
    int32_t first_kind;
} shape;

typedef struct {
    long first;
    int32_t used;
} group;

typedef struct {
    int32_t *mask_of; /* [row] */
    group *groups;    /* [mask] */
    shape shapes[LL_MASK_BITS];
} state;

static int64_t least_of(const ll_code *code)
{
    return (code->levels + 1) / 2;
}

/* ---- one value ---- */

/* The least and the greatest alternating sum of so many submasks of each sign. */
static int64_t low_sum(const ll_code *code, int64_t plus, int64_t minus)
{
    return plus * least_of(code) - minus * code->levels;
}

/* Of `slots` that begin at their least sum and are raised by `rise` together, evenly: how far the slot `at` is. */
static int64_t rise_of(int64_t rise, int64_t slots, int64_t at)
{
    return rise / slots + (at < rise % slots);
}

static int reaches(const ll_code *code, int64_t plus, int64_t minus, int64_t value)
{
    int64_t rise = value - low_sum(code, plus, minus), slots = plus + minus;
    return slots > 0 && rise >= 0 && rise <= slots * (code->levels - least_of(code));
}

/* The least weight of a side, as its slots are raised. */
static int64_t least_weight(const ll_code *code, int64_t plus, int64_t minus, int64_t value)
{
    int64_t rise = value - low_sum(code, plus, minus), slots = plus + minus;
    int64_t low = least_of(code) + rise / slots, high = code->levels - (rise + slots - 1) / slots;
    return plus == 0 ? high : minus == 0 || low < high ? low : high;
}

/* Does this way to share serve, with weights that are nowhere as small? A small weight goes with a prediction that
 * adds something for the other label, too. */
static void try_share(const ll_code *code, share *best, int64_t *most, int64_t half, int64_t plus, int64_t minus)
{
    const int64_t v = best->value;
    if (plus < 0 || minus < 0 || plus > half || minus > half || !reaches(code, plus, minus, v) ||
        !reaches(code, half - plus, half - minus, -v))
        return;
    int64_t own = least_weight(code, plus, minus, v), other = least_weight(code, half - plus, half - minus, -v);
    own = other < own ? other : own;
    if (own > *most) {
        *most = own;
        best->plus = plus;
        best->minus = minus;
    }
}

/* A way to share the value in a group of r ones; 0 where none was found. */
static int find_share(const ll_code *code, share *out, int r, int64_t value)
{
    const int64_t half = (int64_t)1 << (r - 1);
    int64_t most = 0;
    out->value = value;
    for (int64_t minus = 0; minus <= half; minus++)
        for (int64_t slots = half - 1; slots <= half + 1; slots++)
            try_share(code, out, &most, half, slots - minus, minus);
    return most > 0;
}

/* What the row adds at a rank, and the label that it is asked for: of each pair of ranks one is plus, one minus. */
static int64_t weight_at(const ll_code *code, const share *s, int r, uint64_t rank, int *label)
{
    const int64_t half = (int64_t)1 << (r - 1), at = (int64_t)(rank >> 1);
    const int is_plus = ll_mask_is_plus(r, rank);
    *label = at < (is_plus ? s->plus : s->minus);
    int64_t plus = *label ? s->plus : half - s->plus, minus = *label ? s->minus : half - s->minus;
    int64_t rise = (*label ? s->value : -s->value) - low_sum(code, plus, minus);
    int64_t slot = (*label ? at : at - (is_plus ? s->plus : s->minus)) + (is_plus ? 0 : plus);
    int64_t up = rise_of(rise, plus + minus, slot);
    return is_plus ? least_of(code) + up : code->levels - up;
}

/* ---- groups ---- */

/* Values offset + 3^t, t = 0, 1, ..., as far as they can be shared and `most` of them; those that cannot are left out.
 */
static void fill_values(const ll_code *code, shape *p, int r, int64_t offset, int most)
{
    const int64_t top = code->levels << (r - 1);
    int64_t power = 1;
    p->offset = offset;
    p->labels = 0;
    for (int t = 0; t < most && offset + power <= top; t++, power *= 3)
        if (find_share(code, &p->shares[p->labels], r, offset + power))
            p->powers[p->labels++] = t;
}

static void fill_offset(const ll_code *code, shape *p)
{
    int64_t power = 3; /* 3^m */
    for (int m = 1; m < MOST; m++, power *= 3) {
        shape larger = {0};
        int64_t offset = power > least_of(code) ? power : least_of(code);
        if (offset + power / 3 > code->levels)
            break;
        fill_values(code, &larger, 1, offset, m);
        if (larger.labels > p->labels && larger.labels == m)
            *p = larger;
    }
}

static void fill_shape(const ll_code *code, shape *p, int r)
{
    if (r == 0)
        return;
    fill_values(code, p, r, 0, MOST - 4);
    if (r == 1)
        fill_offset(code, p);
}

/* Shapes as they are met, and the least number of masks that carries all rows. */
static long count_masks(const ll_code *code, state *s)
{
    long masks = 0, carried = 0;
    for (int known = -1; carried < code->rows; masks++) {
        int r = ll_mask_ones((uint64_t)masks);
        if (r > known)
            fill_shape(code, &s->shapes[known = r], r);
        carried += s->shapes[r].labels;
    }
    return masks;
}

static void assign_rows(ll_code *code, state *s)
{
    long row = 0;
    for (long mask = 0; mask < code->queries; mask++) {
        long fits = s->shapes[ll_mask_ones((uint64_t)mask)].labels, left = code->rows - row;
        s->groups[mask] = (group){row, (int32_t)(fits < left ? fits : left)};
        for (long t = 0; t < s->groups[mask].used; t++)
            s->mask_of[row++] = (int32_t)mask;
    }
    for (int r = 0; 1L << r <= code->queries; r++) {
        s->shapes[r].first_kind = (int32_t)code->kinds;
        code->kinds += (long)s->shapes[r].labels << r;
    }
}

static ll_status create(ll_code *code, ll_error *error)
{
    state *s = code->data;
    if (code->classes != STATES)
        return ll_fail(error, LL_DOMAIN, "the code presence is for rows of two classes that may be absent");
    if (code->row->predict != NULL)
        code->levels = 1;
    if (code->levels < 1 || code->levels > (int64_t)1 << MOST_LEVELS_BITS)
        return ll_fail(error, LL_DOMAIN, "%ld levels: the code presence needs from 1 to 2^%d of them",
                       (long)code->levels, MOST_LEVELS_BITS);
    code->queries = count_masks(code, s);
    s->mask_of = malloc(sizeof *s->mask_of * (size_t)code->rows);
    s->groups = malloc(sizeof *s->groups * (size_t)code->queries);
    if (s->mask_of == NULL || s->groups == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", code->rows);
    assign_rows(code, s);
    return LL_OK;
}

static void clear(ll_code *code)
{
    state *s = code->data;
    free(s->mask_of);
    free(s->groups);
}

/* ---- rows ---- */

static int64_t weigh(const ll_code *code, long row, int *label)
{
    const state *s = code->data;
    uint64_t mask = (uint64_t)s->mask_of[row];
    int r = ll_mask_ones(mask);
    return weight_at(code, &s->shapes[r].shares[row - s->groups[mask].first], r,
                     ll_mask_rank((uint64_t)code->query & mask, mask), label);
}

static int64_t level(const ll_code *code, long row, long label)
{
    int asked;
    if (row < 0)
        return 0;
    int64_t weight = weigh(code, row, &asked);
    return label == asked ? weight : 0;
}

static int32_t predict(const ll_code *code, long row)
{
    int asked;
    (void)weigh(code, row, &asked);
    return asked;
}

static void get_kinds(const ll_code *code, int32_t *out, long first, long count)
{
    const state *s = code->data;
    for (long row = first; row < first + count; row++) {
        uint64_t mask = (uint64_t)s->mask_of[row];
        const shape *p = &s->shapes[ll_mask_ones(mask)];
        int32_t rank = (int32_t)ll_mask_rank((uint64_t)code->query & mask, mask);
        *out++ = p->first_kind + rank * p->labels + (int32_t)(row - s->groups[mask].first);
    }
}

/* Of all masks of r ones the least, 2^r - 1, has a group as large as any, and all its ranks are queries. */
static ll_status show_kinds(const ll_code *code, ll_see_rows *see, void *self)
{
    const state *s = code->data;
    ll_status status = LL_OK;
    for (int r = 1; 1L << r <= code->queries; r++) {
        const group *g = &s->groups[(1L << r) - 1];
        for (long rank = 0; rank < 1L << r && status == LL_OK && g->used > 0; rank++)
            status = see(self, rank, g->first, g->used);
    }
    return status;
}

/* ---- reading ---- */

/* The digit -1, 0 or 1 that x ends with in base 3, which is taken off it. */
static int take_digit(int64_t *x)
{
    int digit = (int)(*x % 3);
    digit = digit == 2 ? -1 : digit == -2 ? 1 : digit;
    *x = (*x - digit) / 3;
    return digit;
}

/* y = offset * (sum of the digits) + rest; |rest| < offset / 2 where there is an offset. */
static int64_t split(int64_t *rest, int64_t y, int64_t offset)
{
    if (offset == 0) {
        *rest = y;
        return 0;
    }
    int64_t sum = (y + (y < 0 ? -offset / 2 : offset / 2)) / offset;
    *rest = y - sum * offset;
    return sum;
}

static int read_group(const ll_code *code, int32_t *labels, long mask, const int64_t *y)
{
    static const int32_t states[] = {0, ABSENT, 1};
    const state *s = code->data;
    const group *g = &s->groups[mask];
    const shape *p = &s->shapes[ll_mask_ones((uint64_t)mask)];
    int64_t rest, digits = 0, wanted = split(&rest, y[mask], p->offset);
    for (int t = 0, next = 0; next < g->used; t++) {
        int digit = take_digit(&rest);
        digits += digit;
        if (t == p->powers[next])
            labels[g->first + next++] = states[digit + 1];
        else if (digit != 0)
            return 0;
    }
    return rest == 0 && (p->offset == 0 || digits == wanted);
}

static void add_group(const ll_code *code, int64_t *work, const int32_t *labels, long mask)
{
    const state *s = code->data;
    const group *g = &s->groups[mask];
    const int r = ll_mask_ones((uint64_t)mask);
    for (long t = 0; t < g->used; t++)
        for (uint64_t rank = 0; labels[g->first + t] != ABSENT && rank < (uint64_t)1 << r; rank++) {
            int asked;
            int64_t weight = weight_at(code, &s->shapes[r].shares[t], r, rank, &asked);
            work[rank] += asked == labels[g->first + t] ? weight : 0;
        }
}

static ll_status decode_levels(const ll_code *code, ll_decoded *out, const int64_t *sums, ll_error *error)
{
    static const ll_mask_groups groups = {read_group, add_group};
    return ll_masks_decode(code, out, sums, &groups, error);
}

#define INFO                                                                                                           \
    {                                                                                                                  \
        .name = "presence", .variants = "levels labels", .result = "", .guarantee = "proved",                          \
        .weights = "of a row that is public with the label asked for: shares of a power of 3; else 0",                 \
        .gap = "1 in every query", .bits = "log2(N A) a query",                                                        \
        .cost = "for every size of the public part one Moebius transform, and 3^log2(Q) for the groups' shares",       \
        .classes = "2"                                                                                                 \
    }

const ll_code_row ll_code_presence_labels = {
    .info = INFO,
    .state_size = sizeof(state),
    .create = create,
    .clear = clear,
    .bounded = {.level = level, .decode = decode_levels},
    .predict = predict,
};

const ll_code_row ll_code_presence = {
    .info = INFO,
    .state_size = sizeof(state),
    .create = create,
    .clear = clear,
    .bounded = {.level = level, .decode = decode_levels, .get_kinds = get_kinds, .show_kinds = show_kinds},
};
