/* A few rows change their prediction in a query, and all others keep theirs (docs/proofs/changes.md).
 *
 * The score of query 0 allows an interval of sums, that of query q another; what they differ by is what the labels of
 * the rows that changed make of it. Every labelling of these rows is tried against all queries of their group; labels
 * in which all that are left agree are certain. Sums of doubles are rounded outward. */
#include "decode/decoder.h"
#include "strategy/changes/change_plan.h"
#include "strategy/changes/changes.h"
#include "strategy/common/sum_span.h"
#include "strategy/common/writers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 50000000L /* of one group, then its rows stay open */

typedef ll_span span;

/* ---- one score ---- */

static ll_status keep(ll_decoder *d, const arb_t released, ll_error *error)
{
    const ll_plan *plan = d->plan;
    long query = ll_decoder_query(d);
    mag_t size;
    (void)error;
    mag_init(size);
    int is_positive = ll_plan_changes(plan)->menu.is_positive;
    if (!is_positive)
        ll_changes_magnitude(plan, size, query);
    ll_status status = ll_span_read(plan, &((ll_span_decoder *)d)->sums[query], released, is_positive ? NULL : size,
                                    ll_changes_radius(plan, query));
    mag_clear(size);
    return status;
}

/* ---- one group ---- */

/* Labellings of the rows of a group, one row after the other. */
typedef struct {
    const ll_plan *plan;
    long rows, stages, classes, steps;
    span *values;  /* [(stage * rows + row) * classes + label]: what it adds */
    span *rest;    /* [stage * (rows + 1) + row]: what this row and those after it add, at least and at most */
    span *partial; /* [stage * (rows + 1) + row]: what those before it add */
    span allowed[LL_CHANGES_STAGES];
    int32_t *labels;     /* [row] */
    unsigned char *seen; /* [row * classes + label]: of some labelling that is left */
    int32_t *like;       /* [row * classes + label]: the first label that adds the same in every stage */
    int count;           /* of these, 2 for more */
} trial;

static span value_of(const trial *t, long stage, long row, long label)
{
    return t->values[(stage * t->rows + row) * t->classes + label];
}

/* Can the rows from `row` on still bring every stage to where its score is? */
static int is_open(const trial *t, long row)
{
    for (long s = 0; s < t->stages; s++) {
        long at = s * (t->rows + 1) + row;
        if (!ll_span_meets(ll_span_add(t->partial[at], t->rest[at]), t->allowed[s]))
            return 0;
    }
    return 1;
}

static void note(trial *t)
{
    for (long row = 0; row < t->rows; row++)
        t->seen[row * t->classes + t->labels[row]] = 1;
    t->count = t->count < 2 ? t->count + 1 : 2;
}

static void visit(trial *t, long row)
{
    if (++t->steps > MOST_STEPS || !is_open(t, row))
        return;
    if (row == t->rows) {
        note(t);
        return;
    }
    for (long k = 0; k < t->classes; k++) {
        if (t->like[row * t->classes + k] != k)
            continue;
        t->labels[row] = (int32_t)k;
        for (long s = 0; s < t->stages; s++)
            t->partial[s * (t->rows + 1) + row + 1] =
                ll_span_add(t->partial[s * (t->rows + 1) + row], value_of(t, s, row, k));
        visit(t, row + 1);
    }
}

static void set_value(trial *t, long stage, long row, long first, long choice)
{
    arb_t step;
    arb_init(step);
    for (long k = 0; k < t->classes; k++) {
        ll_changes_step(t->plan, step, first + row, choice, k);
        t->values[(stage * t->rows + row) * t->classes + k] = ll_span_of(step);
    }
    arb_clear(step);
}

static span join(span a, span b)
{
    return (span){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static void set_rest(trial *t, long stage)
{
    span *rest = t->rest + stage * (t->rows + 1);
    rest[t->rows] = (span){0, 0};
    for (long row = t->rows - 1; row >= 0; row--) {
        span all = value_of(t, stage, row, 0);
        for (long k = 1; k < t->classes; k++)
            all = join(all, value_of(t, stage, row, k));
        rest[row] = ll_span_add(rest[row + 1], all);
    }
}

static void trial_clear(trial *t)
{
    free(t->values);
    free(t->rest);
    free(t->partial);
    free(t->labels);
    free(t->seen);
    free(t->like);
}

static int trial_init(trial *t)
{
    size_t rows = (size_t)t->rows, stages = (size_t)t->stages, classes = (size_t)t->classes;
    t->values = calloc(stages * rows * classes, sizeof *t->values);
    t->rest = calloc(stages * (rows + 1), sizeof *t->rest);
    t->partial = calloc(stages * (rows + 1), sizeof *t->partial);
    t->labels = calloc(rows, sizeof *t->labels);
    t->seen = calloc(rows * classes, 1);
    t->like = calloc(rows * classes, sizeof *t->like);
    return t->values && t->rest && t->partial && t->labels && t->seen && t->like;
}

/* The stages of the group that are answered, as far as there are any. */
static void set_stages(const ll_span_decoder *own, trial *t, long group)
{
    const ll_changes *c = ll_plan_changes(t->plan);
    long first = c->first_row[group], stages = t->stages;
    t->stages = 0;
    for (long s = 0; s < stages; s++) {
        long query = c->first_query[group] + s;
        if (!own->common.complete[query] || !own->common.complete[0])
            continue;
        t->allowed[t->stages] = ll_span_sub(own->sums[query], own->sums[0]);
        for (long row = 0; row < t->rows; row++)
            set_value(t, t->stages, row, first, c->choices[(first + row) * LL_CHANGES_STAGES + s]);
        set_rest(t, t->stages++);
    }
}

static int adds_the_same(const trial *t, long row, long k, long l)
{
    for (long s = 0; s < t->stages; s++) {
        span a = value_of(t, s, row, k), b = value_of(t, s, row, l);
        if (a.low != b.low || a.high != b.high)
            return 0;
    }
    return 1;
}

static void find_like(trial *t)
{
    for (long row = 0; row < t->rows; row++)
        for (long k = 0; k < t->classes; k++) {
            long l = 0;
            while (!adds_the_same(t, row, k, l))
                l++;
            t->like[row * t->classes + k] = (int32_t)l;
        }
}

static void set_row(const trial *t, ll_verdict *v, long row, long to)
{
    long left = 0;
    for (long k = 0; k < t->classes; k++) {
        unsigned char seen = t->seen[row * t->classes + t->like[row * t->classes + k]];
        v->candidates[to * t->classes + k] = seen;
        left += seen;
        if (seen)
            v->labels[to] = (int32_t)k;
    }
    if (left != 1)
        v->labels[to] = -1;
    v->certain += left == 1;
}

static ll_status read_group(const ll_span_decoder *own, ll_verdict *v, long group)
{
    const ll_changes *c = ll_plan_changes(own->common.plan);
    long first = c->first_row[group];
    trial t = {.plan = own->common.plan,
               .rows = c->first_row[group + 1] - first,
               .stages = c->first_query[group + 1] - c->first_query[group],
               .classes = c->menu.classes};
    int made = trial_init(&t);
    if (made) {
        set_stages(own, &t, group);
        find_like(&t);
        if (t.stages > 0)
            visit(&t, 0);
        if (t.stages > 0 && t.steps <= MOST_STEPS && t.count == 0)
            v->kind = LL_NONE;
        for (long row = 0; t.count > 0 && t.steps <= MOST_STEPS && row < t.rows; row++)
            set_row(&t, v, row, first + row);
    }
    trial_clear(&t);
    return made ? LL_OK : LL_MEMORY;
}

/* ---- all of them ---- */

/* What a row that keeps its prediction adds, of the labels that are left to it; of all of them where left is NULL. */
static span kept_of(const ll_plan *plan, long row, const unsigned char *left)
{
    span all = {INFINITY, -INFINITY};
    arb_t kept;
    arb_init(kept);
    for (long k = 0; k < plan->classes; k++)
        if (left == NULL || left[k]) {
            ll_changes_kept(plan, kept, row, k);
            all = join(all, ll_span_of(kept));
        }
    arb_clear(kept);
    return all;
}

/* Do the labels that are left make the score of query 0, which no group has looked at? Numeric targets that are not on
 * the grid may be read as labels that are a step off, or more. */
static void check_kept(const ll_span_decoder *own, ll_verdict *v)
{
    const ll_plan *plan = own->common.plan;
    span all = {0, 0}, any = kept_of(plan, 0, NULL);
    for (long i = 0; i < v->rows; i++)
        all = ll_span_add(all, kept_of(plan, i, v->candidates + i * v->classes));
    v->kind = ll_span_meets(all, own->sums[0]) ? v->kind : LL_NONE;
    if (ll_metric_takes_targets(plan->scoring.how->metric))
        v->wrong_description = ll_span_chance(all, own->sums[0], (any.high - any.low) / (double)(v->classes - 1));
}

static ll_status conclude(const ll_decoder *d, ll_verdict *v, ll_error *error)
{
    (void)error;
    const ll_changes *c = ll_plan_changes(d->plan);
    ll_status status = LL_OK;
    int is_none = v->kind == LL_NONE;
    v->certain = 0;
    v->kind = LL_AMBIGUOUS;
    for (long g = 0; g < c->groups && status == LL_OK && !is_none; g++) {
        status = read_group((const ll_span_decoder *)d, v, g);
        is_none = v->kind == LL_NONE;
    }
    if (status == LL_OK && !is_none && d->complete[0]) {
        check_kept((const ll_span_decoder *)d, v);
        is_none = v->kind == LL_NONE;
    }
    for (long i = 0; i < v->rows && is_none; i++)
        v->labels[i] = -1;
    v->certain = is_none ? 0 : v->certain;
    v->kind = is_none ? LL_NONE : v->certain == v->rows ? LL_UNIQUE : LL_AMBIGUOUS;
    return status;
}

static const ll_strategy strategy = {
    .name = "changes",
    .proof = "changes.md",
    .takes = LL_TAKES_WEIGHTS | LL_TAKES_ANY_TERMS,
    .whole = LL_CUTS_ROWS,
    .is_certain = 1,
    .reads_noise = 1,
    .plan = ll_changes_plan,
    .writer = &ll_writer_changes,
    LL_KEEPS_SPANS,
    .keep = keep,
    .conclude = conclude,
    LL_PLANS_BLOCKS,
};

const ll_candidate ll_candidate_changes = {.code = &ll_code_changes, .rank = 2, .strategy = &strategy};
