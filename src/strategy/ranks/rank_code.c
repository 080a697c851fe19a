/* ranks: the order of the predictions is the question, for metrics that add up the ranks of the rows of class 1 (AUC,
 * Gini), or of every class in a column of its own. Stages, levels and places are in rank_stages.c; the room decode
 * reads the labels, since what a sum of ranks is depends on how many rows each class has (docs/proofs/ranks.md).
 * code->levels becomes the least step between twice the ranks of neighbouring levels. */
#include "strategy/ranks/ranks.h"

#include <stdlib.h>

typedef struct {
    ll_rank_stages stages;
    uint16_t *places;       /* [query of the stages * rows + row] */
    ll_rank_query *queries; /* [query of the stages] */
} state;

const ll_rank_stages *ll_ranks_stages(const ll_code *code)
{
    return &((const state *)code->data)->stages;
}

static long length_of(const ll_rank_stage *stage)
{
    return ll_rank_stage_end(stage) - stage->first_query;
}

long ll_ranks_own(const ll_code *code, long query, long *label)
{
    const long asked = code->classes - 1;
    const ll_rank_stage *stage = ll_rank_stage_of(ll_ranks_stages(code), query / asked);
    long at = query - asked * stage->first_query;
    *label = 1 + at / length_of(stage);
    return stage->first_query + at % length_of(stage);
}

long ll_ranks_find(const ll_code *code, long own, long label)
{
    const ll_rank_stage *stage = ll_rank_stage_of(ll_ranks_stages(code), own);
    return own + (code->classes - 2) * stage->first_query + (label - 1) * length_of(stage);
}

const uint16_t *ll_ranks_places(const ll_code *code, long query)
{
    long label;
    return ((const state *)code->data)->places + ll_ranks_own(code, query, &label) * code->rows;
}

const ll_rank_query *ll_ranks_query(const ll_code *code, long query)
{
    long label;
    return &((const state *)code->data)->queries[ll_ranks_own(code, query, &label)];
}

/* No number of the design is above that of the rows. */
int64_t ll_ranks_levels(const ll_rank_design *d)
{
    return d->least_step + (d->rows + 1) * (d->rows - d->read + (d->rows + 1) * d->check_rows);
}

static ll_rank_design get_design(const ll_code *code)
{
    int64_t step = code->levels % (code->rows + 1), others = code->levels / (code->rows + 1);
    return (ll_rank_design){.rows = code->rows,
                            .read = code->rows - others % (code->rows + 1),
                            .least_step = step > 0 ? step : 1,
                            .check_rows = others / (code->rows + 1)};
}

static ll_status create(ll_code *code, ll_error *error)
{
    state *s = code->data;
    const ll_rank_design design = get_design(code);
    code->levels = design.least_step;
    ll_status status = ll_rank_stages_init(&s->stages, &design, error);
    if (status != LL_OK)
        return status;
    const long queries = s->stages.queries;
    code->queries = queries * (code->classes - 1);
    s->places = malloc(sizeof *s->places * (size_t)queries * (size_t)code->rows);
    s->queries = malloc(sizeof *s->queries * (size_t)queries);
    if (s->places == NULL || s->queries == NULL)
        status = LL_MEMORY;
    for (long q = 0; q < queries && status == LL_OK; q++)
        status = ll_rank_places(&s->stages, q, s->places + q * code->rows, &s->queries[q]);
    return status == LL_OK ? LL_OK : ll_fail(error, status, "no memory for the ranks of %ld rows", code->rows);
}

static void clear(ll_code *code)
{
    state *s = code->data;
    ll_rank_stages_clear(&s->stages);
    free(s->places);
    free(s->queries);
}

/* Twice its rank, where its label is the one asked about. */
static void weight(const ll_code *code, arb_t out, long row, long label, slong prec)
{
    const uint16_t *places = ll_ranks_places(code, code->query);
    int64_t below = 0, same = 0;
    long asked;
    (void)prec;
    (void)ll_ranks_own(code, code->query, &asked);
    for (long i = 0; i < code->rows; i++) {
        below += places[i] < places[row];
        same += places[i] == places[row];
    }
    arb_set_si(out, label == asked ? 2 * below + same + 1 : 0);
}

static void get_gap(const ll_code *code, arb_t out, slong prec)
{
    (void)prec;
    arb_set_si(out, code->levels);
}

/* P (N - P) pairs, each counted twice. */
static void get_span(const ll_code *code, arb_t out, slong prec)
{
    arb_set_si(out, code->rows);
    arb_mul_si(out, out, code->rows, prec);
    arb_mul_2exp_si(out, out, -1);
}

/* Of fewer queries, as many as a plan for them reads; of a part, stages that are complete, with the checks of a plan
 * that ends there. */
static long labels_in(const ll_code *code, long queries)
{
    const ll_rank_stages *s = ll_ranks_stages(code);
    const ll_rank_stage *stage = s->stages, *end = s->stages + s->count;
    long rows = 0, within = queries / (code->classes - 1);
    for (; stage < end && ll_rank_stage_end(stage) <= within; stage++)
        if (ll_rank_is_check(stage) ||
            ll_rank_stage_end(stage) + ll_rank_checks(s, stage->known + stage->asked) <= within)
            rows = stage->known + stage->asked;
    for (long i = 0; i < s->part_count && s->parts[i].queries <= within; i++)
        rows = s->parts[i].rows;
    return rows;
}

const ll_code_row ll_code_ranks = {
    .info = {.name = "ranks",
             .variants = "",
             .result = "",
             .guarantee = "proved",
             .weights = "ranks: evenly spread shares of a sum-distinct value, rows that are known between them",
             .gap = "the least step of twice a rank",
             .bits = "log2(N^2 / 2 gap) a query",
             .cost = "for every class count that the first queries leave, one Moebius transform a stage",
             .classes = "2, or more with a column a class"},
    .state_size = sizeof(state),
    .create = create,
    .clear = clear,
    .weight = weight,
    .get_gap = get_gap,
    .get_span = get_span,
    .labels_in = labels_in,
};
