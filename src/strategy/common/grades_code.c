/* grades: labels that are numbers of a grid, where one prediction decides the weights of all labels of its row
 * (docs/proofs/targets.md).
 *
 * With a squared error label k of a row adds k (k - K + 1) + h k in units of the square of the grid's step, h an
 * integer that the prediction sets; h = 0 is the middle of the grid. The first query has h = 0 in every row. What
 * another has beyond it is the sum of h k: weights that are linear in the label. They are shares of values whose sums
 * of labels are distinct, over the submasks of a mask, as those of detecting are, and are read the same way.
 *
 * The variant lines is for errors that are linear beyond the grid: label k adds k where the prediction lies below all
 * targets and -k above them, so h is 0 or -2 and the shares of a value lie on the submasks that count as + alone.
 *
 * The variant framed is squares with a second query that has one and the same h, far off, in every row: for numbers
 * that depend on sums over all rows, which both together tell. It may ask about the first rows alone: the others, which
 * are code->counted, have h = 0 in all queries but the second. */
#include "strategy/common/grades_code.h"

#include "code/distinct_sums.h"
#include "code/masks.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    long labels; /* of a group with so many ones; 0: none fit */
    int64_t values[LL_DIGITS_MOST];
} shape;

typedef struct {
    long first;
    int32_t used;
    int ones;
} group;

typedef struct {
    int is_lines;
    long bases;  /* queries without shares; 0: they would tell nothing */
    int64_t far; /* h of the second of them */
    long masks;
    int32_t *mask_of; /* [row that is asked about] */
    group *groups;    /* [mask] */
    shape shapes[LL_MASK_BITS];
    long first_kind[LL_MASK_BITS]; /* of the rows of a group with so many ones */
} state;

/* ---- values and rows ---- */

/* The greatest value that 2^r submasks can share with no share above A; on half of them where only + counts. */
static int64_t most_value(const ll_code *code, const state *s, int r)
{
    int shift = s->is_lines && r > 0 ? r - 1 : r;
    int64_t limit = INT64_MAX / (4 * code->classes);
    return code->levels > limit >> shift ? limit : code->levels << shift;
}

static void fill_shapes(const ll_code *code, state *s)
{
    for (int r = 0; r < LL_MASK_BITS; r++)
        s->shapes[r].labels =
            ll_digits_fill(s->shapes[r].values, code->classes, (code->classes - 1) * most_value(code, s, r));
}

static long count_masks(const state *s, long rows)
{
    long masks = 0;
    for (; rows > 0; masks++)
        rows -= s->shapes[ll_mask_ones((uint64_t)masks)].labels;
    return masks;
}

static long asked_rows(const ll_code *code)
{
    return code->rows - code->counted;
}

static void assign_rows(const ll_code *code, state *s)
{
    long row = 0;
    for (long mask = 0; mask < s->masks; mask++) {
        int r = ll_mask_ones((uint64_t)mask);
        long left = asked_rows(code) - row, fit = s->shapes[r].labels;
        s->groups[mask] = (group){row, (int32_t)(fit < left ? fit : left), r};
        for (long t = 0; t < s->groups[mask].used; t++)
            s->mask_of[row++] = (int32_t)mask;
    }
}

/* The share of a value is one of four numbers, floor or ceiling with either sign; the first query has none. */
enum { SHARES = 4 };

static void number_kinds(ll_code *code, state *s)
{
    code->kinds = 1;
    for (int r = 0; r < LL_MASK_BITS && (int64_t)1 << r <= s->masks; r++) {
        s->first_kind[r] = code->kinds;
        code->kinds += SHARES * s->shapes[r].labels;
    }
}

#define LEVELS ((int64_t)1 << 41) /* none has more */

int64_t ll_grades_levels(int64_t levels, long counted)
{
    return levels + LEVELS * counted;
}

static void set_framed(ll_code *code, state *s)
{
    code->counted = (long)(code->levels / LEVELS);
    code->levels %= LEVELS;
    s->bases = 2;
    s->far = code->levels > 4 * code->classes ? code->levels / 4 : code->levels;
}

static ll_status create(ll_code *code, ll_error *error)
{
    state *s = code->data;
    s->is_lines = ll_code_is_variant(code, "lines");
    s->bases = s->is_lines || code->classes > 2;
    if (ll_code_is_variant(code, "framed"))
        set_framed(code, s);
    if (code->levels < 1)
        return ll_fail(error, LL_DOMAIN, "the code grades needs at least 1 level");
    fill_shapes(code, s);
    if (s->shapes[0].labels < 1)
        return ll_fail(error, LL_DOMAIN, "%ld classes are too many for the code grades", code->classes);
    s->masks = count_masks(s, asked_rows(code));
    code->queries = s->masks + s->bases;
    s->mask_of = malloc(sizeof *s->mask_of * (size_t)asked_rows(code));
    s->groups = malloc(sizeof *s->groups * (size_t)s->masks);
    if (s->mask_of == NULL || s->groups == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", code->rows);
    assign_rows(code, s);
    number_kinds(code, s);
    return LL_OK;
}

static void clear(ll_code *code)
{
    state *s = code->data;
    free(s->mask_of);
    free(s->groups);
}

/* ---- weights ---- */

/* The share of v at the submask of that rank: of the first v mod n of n places one more than of the others. Where only
 * + counts, the places are the ranks of that sign, in order: among 2j and 2j + 1 just one has it. */
static int64_t share(const state *s, int64_t v, int r, uint64_t rank)
{
    int plus = ll_mask_is_plus(r, rank);
    if (!s->is_lines || r == 0) {
        int64_t size = (v >> r) + ((int64_t)rank < (v & (((int64_t)1 << r) - 1)));
        return plus ? size : -size;
    }
    return plus ? (v >> (r - 1)) + ((int64_t)(rank >> 1) < (v & (((int64_t)1 << (r - 1)) - 1))) : 0;
}

static int64_t base_level(const ll_code *code, const state *s, long label)
{
    return s->is_lines ? label : label * (label - code->classes + 1);
}

static int64_t level(const ll_code *code, long row, long label)
{
    const state *s = code->data;
    int64_t own = base_level(code, s, label);
    long query = code->query - s->bases;
    if (row < 0)
        return own;
    if (query < 0)
        return own + (code->query > 0 ? s->far * label : 0);
    if (row >= asked_rows(code))
        return own;
    long mask = s->mask_of[row];
    const group *g = &s->groups[mask];
    uint64_t rank = ll_mask_rank((uint64_t)(query & mask), (uint64_t)mask);
    int64_t h = share(s, s->shapes[g->ones].values[row - g->first], g->ones, rank);
    return own + (s->is_lines ? -2 * h : h) * label;
}

static void get_kinds(const ll_code *code, int32_t *out, long first, long count)
{
    const state *s = code->data;
    long query = code->query - s->bases;
    for (long row = first; row < first + count; row++, out++) {
        *out = 0;
        if (query < 0 || row >= asked_rows(code))
            continue;
        long mask = s->mask_of[row];
        const group *g = &s->groups[mask];
        uint64_t rank = ll_mask_rank((uint64_t)(query & mask), (uint64_t)mask);
        int64_t v = s->shapes[g->ones].values[row - g->first], h = share(s, v, g->ones, rank);
        int shift = s->is_lines && g->ones > 0 ? g->ones - 1 : g->ones, is_more = (h < 0 ? -h : h) > v >> shift;
        int is_minus = !ll_mask_is_plus(g->ones, rank);
        *out = (int32_t)(s->first_kind[g->ones] + SHARES * (row - g->first) + 2 * is_minus + is_more);
    }
}

static ll_status show_group(const state *s, const group *g, long mask, int32_t shown, ll_see_rows *see, void *self)
{
    for (long query = mask;; query = (query - 1) & mask) {
        ll_status status = see(self, query + s->bases, g->first + shown, g->used - shown);
        if (status != LL_OK || query == 0)
            return status;
    }
}

static ll_status show_kinds(const ll_code *code, ll_see_rows *see, void *self)
{
    const state *s = code->data;
    int32_t shown[LL_MASK_BITS] = {0};
    ll_status status = see(self, 0, 0, 1);
    for (long mask = 0; mask < s->masks && status == LL_OK; mask++) {
        const group *g = &s->groups[mask];
        if (g->used <= shown[g->ones])
            continue;
        status = show_group(s, g, mask, shown[g->ones], see, self);
        shown[g->ones] = g->used;
    }
    return status;
}

double ll_grades_most_share(const ll_code *code, long row)
{
    const state *s = code->data;
    if (row >= asked_rows(code))
        return 0;
    const group *g = &s->groups[s->mask_of[row]];
    int shift = s->is_lines && g->ones > 0 ? g->ones - 1 : g->ones;
    int64_t v = s->shapes[g->ones].values[row - g->first], rest = v & (((int64_t)1 << shift) - 1);
    return (double)((v >> shift) + (rest > 0));
}

double ll_grades_width(const ll_code *code, long others)
{
    const state *s = code->data;
    double last = (double)code->classes - 1, shares = 0;
    for (long row = 0; row < code->rows && !s->is_lines && code->query >= s->bases; row++)
        shares += ll_grades_most_share(code, row);
    return (double)(code->rows + others) * (s->is_lines ? last : floor(last * last / 4)) + last * shares;
}

/* A sum lies within rows * ((K-1) A + (K-1)^2/4) of 0; of lines within rows * (K-1). */
static void get_span(const ll_code *code, arb_t out, slong prec)
{
    const state *s = code->data;
    int64_t last = code->classes - 1, base = last * last / 4 + 1;
    arb_set_si(out, code->levels);
    arb_mul_si(out, out, 2 * last, prec);
    arb_add_si(out, out, s->is_lines ? 0 : base, prec);
    arb_mul_si(out, out, code->rows, prec);
}

static long labels_in(const ll_code *code, long queries)
{
    const state *s = code->data;
    if (queries >= code->queries)
        return asked_rows(code);
    return queries > s->bases ? s->groups[queries - s->bases].first : 0;
}

/* ---- labels ---- */

static int read_group(const ll_code *code, int32_t *labels, long mask, const int64_t *y)
{
    const state *s = code->data;
    const group *g = &s->groups[mask];
    int32_t all[LL_DIGITS_MOST];
    if (!ll_digits_read(all, s->shapes[g->ones].labels, code->classes, y[mask]))
        return 0;
    for (long t = 0; t < s->shapes[g->ones].labels; t++)
        if (t < g->used)
            labels[g->first + t] = all[t];
        else if (all[t] != 0)
            return 0;
    return 1;
}

static void add_group(const ll_code *code, int64_t *work, const int32_t *labels, long mask)
{
    const state *s = code->data;
    const group *g = &s->groups[mask];
    for (long t = 0; t < g->used; t++)
        for (uint64_t rank = 0; rank < (uint64_t)1 << g->ones && labels[g->first + t] != 0; rank++)
            work[rank] += labels[g->first + t] * share(s, s->shapes[g->ones].values[t], g->ones, rank);
}

/* That are not asked about: around the block, and in it. */
static int64_t other_rows(const ll_code *code)
{
    return code->others + code->counted;
}

/* Do the labels, with those of the rows that are not asked about, make the sum of the first query? */
static int fits_base(const ll_code *code, const state *s, const int32_t *labels, int64_t sum)
{
    int64_t last = code->classes - 1, least = s->is_lines ? 0 : -(last * last / 4), most = s->is_lines ? last : 0;
    for (long row = 0; row < asked_rows(code); row++)
        sum -= base_level(code, s, labels[row]);
    return sum >= other_rows(code) * least && sum <= other_rows(code) * most;
}

/* Does the far query have what the labels, with those of the rows that are not asked about, make it? */
static int fits_far(const ll_code *code, const state *s, const int32_t *labels, const int64_t *sums)
{
    if (s->far == 0)
        return 1;
    int64_t sum = (sums[1] - sums[0]) / s->far;
    for (long row = 0; row < asked_rows(code); row++)
        sum -= labels[row];
    return (sums[1] - sums[0]) % s->far == 0 && sum >= 0 && sum <= other_rows(code) * (code->classes - 1);
}

/* What the sums have beyond the first, in shares; 0 where that is no whole number of them. */
static int take_base(const state *s, int64_t *out, const int64_t *sums)
{
    int whole = 1;
    for (long q = 0; q < s->masks; q++) {
        out[q] = sums[q + s->bases] - (s->bases ? sums[0] : 0);
        whole &= !s->is_lines || out[q] % 2 == 0;
        out[q] = s->is_lines ? out[q] / -2 : out[q];
    }
    return whole;
}

static ll_status decode_levels(const ll_code *code, ll_decoded *out, const int64_t *sums, ll_error *error)
{
    static const ll_mask_groups groups = {read_group, add_group};
    const state *s = code->data;
    ll_code masks = *code;
    masks.queries = s->masks;
    masks.levels = code->levels * (code->classes - 1);
    int64_t *linear = malloc(sizeof *linear * (size_t)s->masks);
    if (linear == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld sums", s->masks);
    int whole = take_base(s, linear, sums);
    ll_status status = ll_masks_decode(&masks, out, linear, &groups, error);
    if (status == LL_OK && out->count == 1 &&
        (!whole || (s->bases && !fits_base(code, s, out->labels, sums[0])) || !fits_far(code, s, out->labels, sums)))
        ll_decoded_set_none(out, code->rows, code->classes);
    free(linear);
    if (status == LL_OK && out->count == 1 && code->counted > 0) {
        for (long row = asked_rows(code); row < code->rows; row++)
            out->labels[row] = -1;
        ll_decoded_set_unique(out, code->rows, code->classes);
    }
    return status;
}

const ll_code_row ll_code_grades = {
    .info = {.name = "grades",
             .variants = "squares lines framed",
             .result = "",
             .guarantee = "proved",
             .weights = "k (k - K + 1) + h k, h shares of a value with distinct sums of labels; lines: k and -k",
             .gap = "1 in every query",
             .bits = "log2(N K A) a query",
             .cost = "one Moebius transform, and 3^log2(Q) for the groups' shares",
             .classes = "2 or more numbers of a grid"},
    .state_size = sizeof(state),
    .create = create,
    .clear = clear,
    .get_span = get_span,
    .bounded = {.level = level,
                .decode = decode_levels,
                .starts_at_zero = 1,
                .get_kinds = get_kinds,
                .show_kinds = show_kinds},
    .labels_in = labels_in,
};
