/* Scores to labels. What two scores differ by is what the rows that moved make of it. From the farthest row down, less
 * what those before it may add: the labels whose steps meet what is left are one stretch of the grid, since steps fall
 * with the label, and its ends are found by halving. A row with one label left is certain. Query 0 is the check: what
 * is left of all rows has to make its score. */
#include "strategy/common/sum_span.h"
#include "strategy/shifts/shifts.h"

#include <math.h>

static ll_status keep(ll_decoder *d, const arb_t released, ll_error *error)
{
    const ll_shifts *s = (const ll_shifts *)d->plan->state;
    (void)error;
    return ll_span_read(d->plan, &((ll_span_decoder *)d)->sums[ll_decoder_query(d)], released, NULL,
                        s->radius * (double)d->plan->rows);
}

/* ---- one row ---- */

typedef struct {
    const ll_plan *plan;
    double x, disorder;
    ll_status status;
} row_at;

static ll_span step_of(row_at *r, long label)
{
    arb_t step;
    arb_init(step);
    ll_status status = ll_shifts_step(r->plan, step, r->x, label);
    r->status = r->status != LL_OK ? r->status : status;
    ll_span out = ll_span_of(step);
    arb_clear(step);
    return out;
}

/* The labels whose steps may meet `allowed`: a step above it for certain leaves out all labels before it, one below it
 * all labels after it. *first > *last: there are none. */
static void find_labels(row_at *r, ll_span allowed, long *first, long *last)
{
    long low = -1, high = r->plan->classes;
    while (high - low > 1) {
        long middle = low + (high - low) / 2;
        if (step_of(r, middle).low > allowed.high + r->disorder)
            low = middle;
        else
            high = middle;
    }
    *first = low + 1;
    for (high = r->plan->classes; high - low > 1;) {
        long middle = low + (high - low) / 2;
        if (step_of(r, middle).high < allowed.low - r->disorder)
            high = middle;
        else
            low = middle;
    }
    *last = high - 1;
}

/* ---- a query ---- */

static ll_span hull_of(row_at *r, long first, long last)
{
    return (ll_span){step_of(r, last).low - r->disorder, step_of(r, first).high + r->disorder};
}

/* What is left of all rows that were read: how many, and what they add where they are kept. */
typedef struct {
    const ll_plan *plan;
    ll_verdict *v;
    long rows;
    ll_span kept;
} reading;

/* Terms rise with the label there, but for the error of a computed logarithm, the largest of which is the last one's. */
static ll_status kept_span(const ll_plan *plan, ll_span *out, long first, long last)
{
    arb_t term;
    arb_init(term);
    ll_status status = ll_shifts_kept(plan, term, last);
    ll_span high = ll_span_of(term);
    if (status == LL_OK)
        status = ll_shifts_kept(plan, term, first);
    double disorder = first == last ? 0 : 4 * (high.high - high.low);
    *out = (ll_span){ll_span_of(term).low - disorder, high.high + disorder};
    arb_clear(term);
    return status;
}

static ll_status set_row(reading *r, long row, long first, long last)
{
    ll_verdict *v = r->v;
    ll_span kept;
    ll_status status = kept_span(r->plan, &kept, first, last);
    r->kept = ll_span_add(r->kept, kept);
    r->rows++;
    v->labels[row] = first == last ? (int32_t)first : -1;
    v->certain += first == last;
    for (long k = 0; k < v->classes && v->candidates != NULL; k++)
        v->candidates[row * v->classes + k] = k >= first && k <= last;
    if (v->lowest != NULL) {
        v->lowest[row] = (int32_t)first;
        v->highest[row] = (int32_t)last;
    }
    return status;
}

/* Rows first .. first + count - 1; the verdict is none where some row has no label left. */
static ll_status read_query(reading *r, ll_span left, long first, long count)
{
    const ll_plan *plan = r->plan;
    const ll_shifts *s = (const ll_shifts *)plan->state;
    ll_span below[LL_SHIFTS_MOST + 1] = {{0, 0}};
    row_at rows[LL_SHIFTS_MOST];
    for (long j = 0; j < count; j++) {
        rows[j] = (row_at){.plan = plan, .x = s->moved[j]};
        ll_status status = ll_shifts_disorder(plan, &rows[j].disorder, rows[j].x);
        below[j + 1] = ll_span_add(below[j], hull_of(&rows[j], 0, plan->classes - 1));
        if (status != LL_OK || rows[j].status != LL_OK)
            return status != LL_OK ? status : rows[j].status;
    }
    ll_status status = LL_OK;
    for (long j = count - 1; j >= 0 && r->v->kind != LL_NONE && status == LL_OK; j--) {
        long from, to;
        find_labels(&rows[j], ll_span_sub(left, below[j]), &from, &to);
        if (from > to)
            r->v->kind = LL_NONE;
        else
            left = ll_span_sub(left, hull_of(&rows[j], from, to));
        status = rows[j].status;
        if (from <= to && status == LL_OK)
            status = set_row(r, first + j, from, to);
    }
    return status;
}

/* ---- all of them ---- */

/* Do the labels that are left make the score of query 0? Rows that were not asked about may have any. A label that is a
 * step off, since a target is not on the grid, passes this with a chance of about *chance. Of one row per query no label
 * is a step off, and nothing is checked. */
static ll_status check_kept(const reading *r, ll_span score, double *chance)
{
    ll_span any;
    const double others = (double)(r->plan->rows - r->rows);
    ll_status status = kept_span(r->plan, &any, 0, r->plan->classes - 1);
    if (status != LL_OK)
        return status;
    ll_span rest = {nextafter(others * any.low, -INFINITY), nextafter(others * any.high, INFINITY)};
    ll_span all = ll_span_add(r->kept, rest);
    r->v->kind = ll_span_meets(all, score) ? r->v->kind : LL_NONE;
    *chance = ll_span_chance(all, score, (any.high - any.low) / (double)(r->plan->classes - 1));
    return LL_OK;
}

static ll_status conclude(const ll_decoder *d, ll_verdict *v, ll_error *error)
{
    const ll_span_decoder *own = (const ll_span_decoder *)d;
    const ll_plan *plan = d->plan;
    const long together = ((const ll_shifts *)plan->state)->together;
    reading r = {.plan = plan, .v = v};
    double chance = 1;
    ll_status status = LL_OK;
    v->certain = 0;
    v->kind = v->kind == LL_NONE ? LL_NONE : LL_AMBIGUOUS;
    for (long q = 1; q < plan->queries && d->complete[0] && status == LL_OK && v->kind != LL_NONE; q++) {
        long first = (q - 1) * together, count = plan->rows - first < together ? plan->rows - first : together;
        if (d->complete[q])
            status = read_query(&r, ll_span_sub(own->sums[q], own->sums[0]), first, count);
    }
    if (together > 1 && status == LL_OK && v->kind != LL_NONE && d->complete[0])
        status = check_kept(&r, own->sums[0], &chance);
    for (long i = 0; i < v->rows && v->kind == LL_NONE; i++)
        v->labels[i] = -1;
    v->certain = v->kind == LL_NONE ? 0 : v->certain;
    v->kind = v->kind != LL_NONE && v->certain == v->rows ? LL_UNIQUE : v->kind;
    v->wrong_description = together > 1 ? chance : 0;
    v->holds_between = together == 1;
    return status == LL_OK ? LL_OK : ll_fail(error, status, "a term of the scorer could not be computed");
}

static const ll_strategy strategy = {
    .name = "shifts",
    .proof = "shifts.md",
    .takes = LL_TAKES_TARGETS | LL_TAKES_ANY_TERMS | LL_TAKES_LONG_GRIDS,
    .whole = LL_CUTS_ROWS,
    .is_certain = 1,
    .reads_noise = 1,
    .plan = ll_shifts_plan,
    .prepare = ll_shifts_prepare,
    .writer = &ll_writer_shifts,
    LL_KEEPS_SPANS,
    .keep = keep,
    .conclude = conclude,
    LL_PLANS_BLOCKS_OF(ll_shifts),
};

const ll_candidate ll_candidate_shifts = {.code = &ll_code_shifts, .rank = 2, .strategy = &strategy};
