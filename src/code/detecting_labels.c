/* detecting:labels, for scores that count where the prediction is the label (accuracy, discrete L_p): every row is
 * predicted some class in every query, so no row can be left out and there are no blocks (docs/proofs/detecting.md).
 *
 * Queries are masks as in detecting.c. A row of group i is predicted in query j a class that depends on j & i; what its
 * labels add to the group's alternating sum is the group's business (match_group.c). Two classes: group i has |i|
 * labels, one for i = 0.
 *
 * Few rows of many classes: one by one. All rows predicted 0, then row i predicted c = 1 .. K-2 and the others 0: the
 * count falls by 1 where its label is 0, rises by 1 where it is c, and never moves where it is K - 1.
 *
 * Some rows of many: the rows that are not asked about are predicted 0 in every query, which is what group 0 is. A
 * number that is the same in all sums is in the alternating sum of mask 0 alone, so the other groups are read as if
 * those rows were not there, and what is left is the number of zeros among them. */
#include "code/match_group.h"
#include "code/rows.h"

#include <stdlib.h>

typedef struct {
    long first;   /* row of the group's first label */
    int32_t used; /* labels */
} group;

typedef struct {
    int is_one_by_one;
    int32_t *mask_of;                   /* [row]: its group */
    group *groups;                      /* [mask] */
    ll_match_group *full[LL_MASK_BITS]; /* [ones] */
    ll_match_group *last;               /* of the last mask, where it is not full */
} state;

static const ll_match_group *group_of(const ll_code *code, long mask)
{
    const state *s = code->data;
    return mask == code->queries - 1 && s->last != NULL ? s->last : s->full[ll_mask_ones((uint64_t)mask)];
}

static long asked_rows(const ll_code *code)
{
    return code->rows - code->counted;
}

/* [ones]: rows that a group carries; a group 0 that counts the rows nobody asks about carries none. */
static void set_capacities(long capacity[LL_MASK_BITS], long classes, int counts_rest)
{
    for (int r = 0; r < LL_MASK_BITS; r++)
        capacity[r] = r == 0 && counts_rest ? 0 : ll_match_capacity(classes, r);
}

/* The least number of masks that carries the rows that are asked about, or more than `most`. */
static long count_masks(const ll_code *code, long most)
{
    long capacity[LL_MASK_BITS], masks = 0;
    set_capacities(capacity, code->classes, code->counted > 0);
    for (long carried = 0; carried < asked_rows(code) && masks <= most; masks++)
        carried += capacity[ll_mask_ones((uint64_t)masks)];
    return masks;
}

/* Queries where rows are asked about one by one. */
static long count_singly(const ll_code *code)
{
    return 1 + asked_rows(code) * (code->classes > 2 ? code->classes - 2 : 1);
}

/* Of fewer queries: the most rows that a code of so many can ask about. */
static long labels_in(const ll_code *code, long queries)
{
    long capacity[LL_MASK_BITS], carried = 0, singly = code->classes > 2 ? (queries - 1) / (code->classes - 2) : 0;
    if (queries >= code->queries)
        return asked_rows(code);
    set_capacities(capacity, code->classes, 1);
    for (long mask = 0; mask < queries; mask++)
        carried += capacity[ll_mask_ones((uint64_t)mask)];
    carried = carried > singly ? carried : singly;
    return carried < asked_rows(code) ? carried : asked_rows(code);
}

static int create_groups(const ll_code *code, state *s)
{
    for (int r = 0; 1L << r <= code->queries; r++)
        if ((s->full[r] = ll_match_create(code->classes, r, ll_match_capacity(code->classes, r))) == NULL)
            return 0;
    long row = 0;
    if (code->counted > 0)
        s->groups[0] = (group){asked_rows(code), (int32_t)code->counted};
    for (long mask = code->counted > 0; mask < code->queries; mask++) {
        int r = ll_mask_ones((uint64_t)mask);
        long fits = ll_match_capacity(code->classes, r), left = asked_rows(code) - row;
        s->groups[mask] = (group){row, (int32_t)(fits < left ? fits : left)};
        for (long t = 0; t < s->groups[mask].used; t++)
            s->mask_of[row++] = (int32_t)mask;
        if (fits > left && (s->last = ll_match_create(code->classes, r, left)) == NULL)
            return 0;
    }
    return 1;
}

static ll_status create(ll_code *code, ll_error *error)
{
    state *s = code->data;
    code->counted = code->levels > 1 && code->levels <= code->rows ? code->rows - code->levels + 1 : 0;
    code->levels = 1;
    if (code->classes > (INT32_MAX - 1) / code->rows)
        return ll_fail(error, LL_DOMAIN, "%ld rows of %ld classes: too many for the code detecting", code->rows,
                       code->classes);
    long singly = count_singly(code);
    code->queries = count_masks(code, singly);
    s->is_one_by_one = code->queries > singly;
    if (s->is_one_by_one) {
        code->queries = singly;
        return LL_OK;
    }
    s->mask_of = malloc(sizeof *s->mask_of * (size_t)code->rows);
    s->groups = malloc(sizeof *s->groups * (size_t)code->queries);
    if (s->mask_of == NULL || s->groups == NULL || !create_groups(code, s))
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", code->rows);
    return LL_OK;
}

static void clear(ll_code *code)
{
    state *s = code->data;
    for (int r = 0; r < LL_MASK_BITS; r++)
        ll_match_destroy(s->full[r]);
    ll_match_destroy(s->last);
    free(s->mask_of);
    free(s->groups);
}

static int32_t predict(const ll_code *code, long row)
{
    const state *s = code->data;
    if (s->is_one_by_one) {
        long asked = code->query - 1, each = code->classes - 2;
        return (int32_t)(asked >= 0 && asked / each == row ? 1 + asked % each : 0);
    }
    if (row >= asked_rows(code))
        return 0;
    long mask = s->mask_of[row];
    return ll_match_predict(group_of(code, mask), row - s->groups[mask].first,
                            ll_mask_rank((uint64_t)(code->query & mask), (uint64_t)mask));
}

static int64_t level(const ll_code *code, long row, long label)
{
    return predict(code, row) == label;
}

/* Labels that have `zeros` zeros stand for all that have, in the rows that nobody asks about. */
static int set_counted(const ll_code *code, int32_t *labels, int64_t zeros)
{
    if (zeros < 0 || zeros > code->counted)
        return 0;
    for (long i = 0; i < code->counted; i++)
        labels[asked_rows(code) + i] = i >= zeros;
    return 1;
}

static int read_group(const ll_code *code, int32_t *labels, long mask, const int64_t *y)
{
    const state *s = code->data;
    if (mask == 0 && code->counted > 0)
        return set_counted(code, labels, y[0]);
    return ll_match_read(group_of(code, mask), labels + s->groups[mask].first, y[mask]);
}

static void add_group(const ll_code *code, int64_t *work, const int32_t *labels, long mask)
{
    const state *s = code->data;
    const group *g = &s->groups[mask];
    const ll_match_group *members = group_of(code, mask);
    uint64_t cells = (uint64_t)1 << ll_mask_ones((uint64_t)mask);
    for (long t = 0; t < g->used && mask == 0 && code->counted > 0; t++)
        work[0] += labels[g->first + t] == 0;
    for (long t = 0; t < g->used && !(mask == 0 && code->counted > 0); t++)
        for (uint64_t rank = 0; rank < cells; rank++)
            work[rank] += ll_match_predict(members, t, rank) == labels[g->first + t];
}

/* The label of one row from its K - 2 counts less the first; -1 where there is none. */
static int32_t read_row(const int64_t *sums, int64_t zeros, long classes)
{
    int32_t label = (int32_t)classes - 1;
    long falls = 0, rises = 0;
    for (long c = 1; c <= classes - 2; c++) {
        int64_t step = sums[c - 1] - zeros;
        if (step < -1 || step > 1)
            return -1;
        falls += step < 0;
        rises += step > 0;
        if (step > 0)
            label = (int32_t)c;
    }
    if (falls == classes - 2)
        return 0;
    return falls == 0 && rises <= 1 ? label : -1;
}

static int read_singly(const ll_code *code, int32_t *labels, const int64_t *sums)
{
    int64_t zeros = 0;
    for (long row = 0; row < asked_rows(code); row++) {
        labels[row] = read_row(sums + 1 + row * (code->classes - 2), sums[0], code->classes);
        if (labels[row] < 0)
            return 0;
        zeros += labels[row] == 0;
    }
    return set_counted(code, labels, sums[0] - zeros);
}

static ll_status decode_levels(const ll_code *code, ll_decoded *out, const int64_t *sums, ll_error *error)
{
    static const ll_mask_groups groups = {read_group, add_group};
    const state *s = code->data;
    if (!s->is_one_by_one)
        return ll_masks_decode(code, out, sums, &groups, error);
    if (ll_sums_are_possible(code, sums) && read_singly(code, out->labels, sums))
        ll_decoded_set_unique(out, code->rows, code->classes);
    else
        ll_decoded_set_none(out, code->rows, code->classes);
    return LL_OK;
}

const ll_code_row ll_code_detecting_labels = {
    .info = {.name = "detecting",
             .variants = "labels",
             .result = "",
             .guarantee = "proved",
             .weights = "1 for the label predicted, 0 for the others",
             .gap = "1 in every query",
             .bits = "log2(N + 1) a query",
             .cost = "one Moebius transform, and 3^log2(Q) for the groups' shares",
             .classes = "2 or more"},
    .state_size = sizeof(state),
    .create = create,
    .clear = clear,
    .bounded = {.level = level, .decode = decode_levels},
    .labels_in = labels_in,
    .predict = predict,
};
