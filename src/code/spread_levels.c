/* A label of value v in the group of a mask of r ones gets L = 2^r integers, of sizes spread over 0 .. A, some of them
 * turned round, that sum to v; rank s of the submasks gets one of them times (-1)^(r - ones of s). Which one is chosen
 * to meet the fewest rows that have that level or a neighbouring one in the queries that show the label so. Every other
 * label has the sign of its value turned, so that queries whose masks have mostly even or mostly odd ones are even too.
 * All of it is a function of rows, levels and share. */
#include "code/spread_levels.h"

#include "code/distinct_sums.h"
#include "code/masks.h"
#include "number/random.h"

#include <stdlib.h>
#include <string.h>

enum { TRIED = 16 }; /* shares that are compared for one submask */

typedef struct {
    long first;   /* row of the group's first label */
    int32_t used; /* labels */
    int32_t all;  /* elements of its set */
} group;

typedef struct {
    int32_t *mask_of; /* [row] */
    group *groups;    /* [mask] */
    int32_t **shares; /* [row][rank]: the level */
    int32_t *count;   /* [query * (2 A + 3) + level + A + 1]: rows that have it */
} state;

/* A draw is a function of how many there were. */
typedef struct {
    uint64_t count;
} draws;

static double draw(draws *d)
{
    return ll_random_uniform(0, 0, d->count++);
}

static int is_turned(long row)
{
    return row % 2;
}

/* ---- sizes ---- */

static long count_labels(const ll_spread *s, long mask)
{
    int r = ll_mask_ones((uint64_t)mask);
    double most = (double)s->levels * (double)((int64_t)1 << r) * (r > 0 ? s->share : 1);
    long n = ll_distinct_count(most > 0x1p60 ? INT64_MAX / 4 : (int64_t)most);
    return n > 40 ? 40 : n;
}

long ll_spread_queries(const ll_spread *s)
{
    long masks = 0;
    if (s->levels < 1 || count_labels(s, 0) < 1 || count_labels(s, 1) < 1)
        return 0;
    for (long carried = 0; carried < s->rows; masks++)
        carried += count_labels(s, masks);
    return masks;
}

/* ---- the shares of one value ---- */

/* L sizes, one in each of L equal parts of low .. A. */
static void fill_sizes(int32_t *out, int64_t length, double low, int64_t levels, draws *random)
{
    for (int64_t k = 0; k < length; k++) {
        double at = low + ((double)levels - low) * ((double)k + draw(random)) / (double)length;
        out[k] = (int32_t)(at + 0.5);
    }
}

static void shuffle(int32_t *x, int64_t length, draws *random)
{
    for (int64_t k = length - 1; k > 0; k--) {
        int64_t other = (int64_t)(draw(random) * (double)(k + 1));
        int32_t swapped = x[k];
        x[k] = x[other];
        x[other] = swapped;
    }
}

/* Integers of -A .. A that sum to v, 0 < v <= A L: sizes are turned round while the sum is too large by twice of them,
 * then all are moved by little. */
static void fill_shares(int32_t *out, int64_t length, int64_t v, int64_t levels, draws *random)
{
    double mean = (double)v / (double)length, low = 2 * mean - (double)levels;
    int64_t sum = 0;
    fill_sizes(out, length, low > 0 ? low : 0, levels, random);
    shuffle(out, length, random);
    for (int64_t k = 0; k < length; k++)
        sum += out[k];
    for (int64_t k = 0; k < length; k++)
        if (sum - v >= 2 * (int64_t)out[k]) {
            sum -= 2 * (int64_t)out[k];
            out[k] = -out[k];
        }
    for (int64_t k = 0; sum != v; k = (k + 1) % length) {
        int32_t step = sum < v ? 1 : -1;
        if (out[k] + step <= levels && out[k] + step >= -levels) {
            out[k] += step;
            sum += step;
        }
    }
}

/* ---- which submask gets which ---- */

typedef struct {
    const ll_spread *spread;
    long queries;
    int32_t *count;  /* of the state, so far */
    int32_t *shown;  /* queries in the order of their submask's rank */
    int32_t *starts; /* [rank], and the end: where those of a rank begin */
    int32_t *left;   /* shares of a value */
    draws random;
} desk;

static int32_t *count_at(const desk *d, long query, int64_t level)
{
    return d->count + query * (2 * d->spread->levels + 3) + level + d->spread->levels + 1;
}

/* Queries by the rank of what they have in common with the mask. */
static void sort_queries(desk *d, long mask, int64_t length)
{
    memset(d->starts, 0, sizeof *d->starts * (size_t)(length + 2));
    for (long q = 0; q < d->queries; q++)
        d->starts[ll_mask_rank((uint64_t)(q & mask), (uint64_t)mask) + 2]++;
    for (int64_t k = 2; k <= length; k++)
        d->starts[k] += d->starts[k - 1];
    for (long q = 0; q < d->queries; q++)
        d->shown[d->starts[ll_mask_rank((uint64_t)(q & mask), (uint64_t)mask) + 1]++] = (int32_t)q;
}

static int64_t count_near(const desk *d, int64_t rank, int64_t level)
{
    int64_t sum = 0;
    for (int32_t at = d->starts[rank]; at < d->starts[rank + 1]; at++) {
        const int32_t *count = count_at(d, d->shown[at], level);
        int64_t low = count[-(level > -d->spread->levels)], high = count[level < d->spread->levels];
        int64_t near = 2 * (int64_t)count[0] + low + high;
        sum += near * near;
    }
    return sum;
}

static void add_row(desk *d, int64_t rank, int64_t level)
{
    for (int32_t at = d->starts[rank]; at < d->starts[rank + 1]; at++)
        ++*count_at(d, d->shown[at], level);
}

/* The share that is best for a submask, out of the next few of those that are left. */
static int64_t choose(const desk *d, const int32_t *left, int64_t count, int64_t rank, int sign)
{
    int64_t best = 0, least = INT64_MAX;
    for (int64_t k = 0; k < count && k < TRIED; k++) {
        int64_t near = count_near(d, rank, sign * left[k]);
        if (near < least) {
            least = near;
            best = k;
        }
    }
    return best;
}

/* Which submask is served last, with what nobody took, is drawn: no query may have the last ones only. */
static void assign(desk *d, int32_t *out, int32_t *left, int64_t length, int ones, int turned)
{
    int64_t start = (int64_t)(draw(&d->random) * (double)length);
    for (int64_t k = 0; k < length; k++) {
        int64_t rank = (start + k) & (length - 1);
        int sign = ll_mask_is_plus(ones, (uint64_t)rank) != turned ? 1 : -1;
        int64_t best = choose(d, left + k, length - k, rank, sign);
        out[rank] = sign * left[k + best];
        left[k + best] = left[k];
        add_row(d, rank, out[rank]);
    }
}

static int assign_group(desk *d, state *s, long mask)
{
    const group *g = &s->groups[mask];
    int ones = ll_mask_ones((uint64_t)mask);
    int64_t length = (int64_t)1 << ones;
    sort_queries(d, mask, length);
    for (long t = 0; t < g->used; t++) {
        int32_t *shares = malloc(sizeof *shares * (size_t)length);
        if (shares == NULL)
            return 0;
        fill_shares(d->left, length, ll_distinct_element(g->all, t), d->spread->levels, &d->random);
        assign(d, shares, d->left, length, ones, is_turned(g->first + t));
        s->shares[g->first + t] = shares;
    }
    return 1;
}

/* Groups of few submasks first: they have the least choice. */
static int assign_all(desk *d, state *s)
{
    for (int ones = 0; (int64_t)1 << ones <= d->queries; ones++)
        for (long mask = 0; mask < d->queries; mask++)
            if (ll_mask_ones((uint64_t)mask) == ones && !assign_group(d, s, mask))
                return 0;
    return 1;
}

static int make_shares(const ll_code *code, state *s, const ll_spread *spread)
{
    size_t queries = (size_t)code->queries;
    desk d = {.spread = spread, .queries = code->queries};
    d.count = s->count = calloc(queries * (size_t)(2 * spread->levels + 3), sizeof *s->count);
    d.shown = malloc(queries * sizeof *d.shown);
    d.starts = malloc((2 * queries + 3) * sizeof *d.starts);
    d.left = malloc(2 * queries * sizeof *d.left);
    int made = d.left != NULL && d.count != NULL && d.shown != NULL && d.starts != NULL && assign_all(&d, s);
    free(d.left);
    free(d.shown);
    free(d.starts);
    return made;
}

/* ---- the code ---- */

static void assign_rows(ll_code *code, state *s, const ll_spread *spread)
{
    long row = 0;
    for (long mask = 0; mask < code->queries; mask++) {
        long all = count_labels(spread, mask), left = code->rows - row;
        s->groups[mask] = (group){row, (int32_t)(all < left ? all : left), (int32_t)all};
        for (long t = 0; t < s->groups[mask].used; t++)
            s->mask_of[row++] = (int32_t)mask;
    }
}

static void clear(ll_code *code)
{
    state *s = code->data;
    for (long row = 0; s->shares != NULL && row < code->rows; row++)
        free(s->shares[row]);
    free(s->shares);
    free(s->count);
    free(s->mask_of);
    free(s->groups);
}

static int64_t level(const ll_code *code, long row, long label)
{
    const state *s = code->data;
    if (row < 0)
        return 0;
    uint64_t mask = (uint64_t)s->mask_of[row];
    return label * s->shares[row][ll_mask_rank((uint64_t)code->query & mask, mask)];
}

/* Turned values count as 0 where their label is 1, once all of them are added. */
static int read_group(const ll_code *code, int32_t *labels, long mask, const int64_t *y)
{
    const group *g = &((const state *)code->data)->groups[mask];
    int64_t sum = y[mask];
    for (long t = 0; t < g->used; t++)
        sum += is_turned(g->first + t) ? ll_distinct_element(g->all, t) : 0;
    int64_t subset = ll_distinct_subset(g->all, sum, NULL);
    if (subset < 0 || subset >> g->used != 0)
        return 0;
    for (long t = 0; t < g->used; t++)
        labels[g->first + t] = (int32_t)(subset >> t & 1) ^ is_turned(g->first + t);
    return 1;
}

static void add_group(const ll_code *code, int64_t *work, const int32_t *labels, long mask)
{
    const state *s = code->data;
    const group *g = &s->groups[mask];
    int64_t length = (int64_t)1 << ll_mask_ones((uint64_t)mask);
    for (long row = g->first; row < g->first + g->used; row++)
        for (int64_t rank = 0; labels[row] == 1 && rank < length; rank++)
            work[rank] += s->shares[row][rank];
}

static ll_status decode_levels(const ll_code *code, ll_decoded *out, const int64_t *sums, ll_error *error)
{
    static const ll_mask_groups groups = {read_group, add_group};
    return ll_masks_decode(code, out, sums, &groups, error);
}

static const ll_code_row spread_row = {
    .info = {.variants = ""},
    .state_size = sizeof(state),
    .clear = clear,
    .bounded = {.level = level, .decode = decode_levels, .starts_at_zero = 1},
};

const int32_t *ll_spread_counts(const ll_code *code, long query)
{
    return ((const state *)code->data)->count + query * (2 * code->levels + 3) + 1;
}

ll_status ll_spread_create(ll_code **out, const ll_spread *spread, ll_error *error)
{
    long queries = ll_spread_queries(spread);
    if (queries == 0)
        return ll_fail(error, LL_DOMAIN, "%ld levels are too few for a label", (long)spread->levels);
    ll_code *code = NULL;
    ll_status status = ll_code_create(&code, &spread_row, NULL, spread->rows, 2, NULL, spread->levels, error);
    if (status != LL_OK)
        return status;
    state *s = code->data;
    code->queries = queries;
    s->mask_of = malloc(sizeof *s->mask_of * (size_t)spread->rows);
    s->groups = malloc(sizeof *s->groups * (size_t)queries);
    s->shares = calloc((size_t)spread->rows, sizeof *s->shares);
    if (s->mask_of != NULL && s->groups != NULL && s->shares != NULL)
        assign_rows(code, s, spread);
    if (s->mask_of == NULL || s->groups == NULL || s->shares == NULL || !make_shares(code, s, spread)) {
        ll_code_destroy(code);
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", spread->rows);
    }
    *out = code;
    return LL_OK;
}
