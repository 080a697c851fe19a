/* edges: the queries of detecting:labels, each with every pattern of a few rows that move (docs/proofs/edges.md).
 *
 * The rows that move are predicted 0 in all queries of detecting:labels, as rows that are not asked about are. They are
 * asked about in a second part, while the first rows move. */
#include "strategy/edges/edges.h"

#include "code/rows.h"
#include "number/random.h"

#include <math.h>

enum { STREAM = 0x65646765, RUN_BITS = 12, MOST_PATTERNS = 1024 };

typedef struct {
    ll_code *counts[LL_EDGES_PARTS];
    long patterns, moving;
    int is_product; /* patterns are all labels of the rows that move */
    int has_ones;
} state;

int64_t ll_edges_levels(long run, long part, int has_ones)
{
    return ((int64_t)part << (RUN_BITS + 1)) | (has_ones != 0) << RUN_BITS | run;
}

/* Two classes: all counts have one parity, so that two of them look alike less. Patterns at random spread a count over
 * more than a run if run^2 rows move; of fewer rows all patterns are taken. */
static void set_patterns(state *s, long rows, long classes, long run)
{
    long moving = classes == 2 ? run - 2 : run - 1, most = lround((double)run * (log((double)run) + 6));
    double all = pow((double)classes, (double)moving);
    s->is_product = all <= (double)most || run * run > rows / 2;
    s->moving = s->is_product ? moving : run * run;
    s->patterns = !s->is_product ? most : all <= MOST_PATTERNS && moving <= rows / 2 ? lround(all) : 0;
}

static ll_status create_part(const ll_code *code, state *s, int part, long asked, ll_error *error)
{
    return ll_code_create(&s->counts[part], &ll_code_detecting_labels, "labels", code->rows, code->classes, NULL,
                          asked < code->rows ? asked + 1 : 1, error);
}

static ll_status create(ll_code *code, ll_error *error)
{
    state *s = code->data;
    long run = code->levels & ((1 << RUN_BITS) - 1), part = (long)(code->levels >> (RUN_BITS + 1));
    s->has_ones = (code->levels >> RUN_BITS & 1) != 0;
    set_patterns(s, code->rows, code->classes, run);
    if (s->patterns == 0)
        return ll_fail(
            error, LL_DOMAIN,
            "no attack is planned: up to %ld neighbouring numbers of right labels of %ld rows may be shown as "
            "one; that does not mean it is safe",
            run, code->rows);
    long still = code->rows - s->moving, first = part > 0 && part < still ? part : still;
    code->levels = 1;
    code->counted = part > 0 && part < code->rows ? code->rows - first : 0;
    ll_status status = create_part(code, s, 0, first, error);
    if (status == LL_OK && code->counted == 0 && s->moving > 0)
        status = create_part(code, s, 1, s->moving, error);
    if (status != LL_OK)
        return status;
    code->queries = s->counts[0]->queries * s->patterns + s->has_ones;
    if (s->counts[1] != NULL)
        code->queries += s->counts[1]->queries * s->patterns;
    return LL_OK;
}

static void clear(ll_code *code)
{
    state *s = code->data;
    for (int part = 0; part < LL_EDGES_PARTS; part++)
        ll_code_destroy(s->counts[part]);
}

void ll_edges_get_part(const ll_code *code, int part, ll_edges_part *out)
{
    const state *s = code->data;
    *out = (ll_edges_part){s->counts[part], s->has_ones, s->patterns, s->moving};
    if (part > 0)
        out->first += s->counts[0]->queries * s->patterns;
}

int32_t ll_edges_move(const ll_code *code, long pattern, long at)
{
    const state *s = code->data;
    if (pattern == 0)
        return 0;
    if (!s->is_product)
        return (int32_t)ll_random_below(1, STREAM, (uint64_t)pattern * (uint64_t)s->moving + (uint64_t)at,
                                        (uint64_t)code->classes);
    while (at-- > 0)
        pattern /= code->classes;
    return (int32_t)(pattern % code->classes);
}

static int32_t predict(const ll_code *code, long row)
{
    const state *s = code->data;
    if (code->query < s->has_ones)
        return 1;
    ll_edges_part p;
    ll_edges_get_part(code, 1, &p);
    int second = code->query >= p.first;
    if (!second)
        ll_edges_get_part(code, 0, &p);
    long at = second ? code->rows - 1 - row : row, asked = code->query - p.first;
    if (at >= code->rows - p.moving)
        return ll_edges_move(code, asked % p.patterns, code->rows - 1 - at);
    ll_code view = *p.counts;
    view.query = asked / p.patterns;
    return view.row->predict(&view, at);
}

static int64_t level(const ll_code *code, long row, long label)
{
    return predict(code, row) == label;
}

static long labels_in(const ll_code *code, long queries)
{
    const state *s = code->data;
    if (queries >= code->queries)
        return code->rows - code->counted;
    return queries > s->has_ones ? ll_code_labels_in(s->counts[0], (queries - s->has_ones) / s->patterns) : 0;
}

const ll_code_row ll_code_edges = {
    .info =
        {.name = "edges",
         .variants = "",
         .result = "",
         .guarantee = "proved",
         .weights =
             "1 for the label predicted, 0 for the others; counts that look alike are asked again while a few rows move",
         .gap = "the edges of rounding",
         .bits = "log2(N + 1) a query of detecting, each asked with every pattern",
         .cost = "shortest paths: patterns and queries of detecting, again and again",
         .classes = "2 or more"},
    .state_size = sizeof(state),
    .create = create,
    .clear = clear,
    .bounded = {.level = level},
    .labels_in = labels_in,
    .predict = predict,
};
