/* How far beyond the grid the rows of a query lie, so that each label of each of them is told: row j where one step of
 * its label adds more than all that rows 0 .. j-1 may add and two scores leave open. The farther, the larger the score,
 * and the more of it is hidden: both grow until they agree, or for ever, and then fewer rows are asked about at once. */
#include "number/ball_bits.h"
#include "strategy/common/writers.h"
#include "strategy/shifts/shifts.h"

#include <math.h>
#include <string.h>

enum { PREC = 192, ROUNDS = 12, FIRST = -160, FARTHEST = 2000, NEAREST = FIRST - 1 };

static const ll_shifts *shifts_of(const ll_plan *plan)
{
    return (const ll_shifts *)plan->state;
}

/* ---- terms ---- */

static ll_status term_of(const ll_plan *plan, arb_t out, double x, long label)
{
    ll_block block;
    ll_block_init(&block);
    double *row = ll_block_reserve_doubles(&block, 1, 1);
    ll_status status = row != NULL ? LL_OK : LL_MEMORY;
    if (status == LL_OK) {
        *row = x;
        status = ll_scoring_term(&plan->scoring, out, &block, 0, label, NULL);
    }
    ll_block_clear(&block);
    return status;
}

ll_status ll_shifts_kept(const ll_plan *plan, arb_t out, long label)
{
    return term_of(plan, out, shifts_of(plan)->kept, label);
}

ll_status ll_shifts_step(const ll_plan *plan, arb_t out, double x, long label)
{
    arb_t kept;
    arb_init(kept);
    ll_status status = term_of(plan, out, x, label);
    if (status == LL_OK)
        status = ll_shifts_kept(plan, kept, label);
    arb_sub(out, out, kept, PREC);
    arb_clear(kept);
    return status;
}

static ll_status span_at(const ll_plan *plan, ll_span *out, double x, long label)
{
    arb_t step;
    arb_init(step);
    ll_status status = ll_shifts_step(plan, step, x, label);
    *out = ll_span_of(step);
    arb_clear(step);
    return status;
}

/* Additions, multiplications and divisions keep the order of their operands. A computed logarithm need not, and squares
 * about a prediction inside of the grid do not: they are off by no more than those of the farthest target are. */
ll_status ll_shifts_disorder(const ll_plan *plan, double *out, double x)
{
    long ends[] = {0, plan->classes - 1};
    *out = 0;
    for (int i = 0; i < 2 && ll_metric_is_rough(plan->scoring.how->metric); i++) {
        ll_span span;
        ll_status status = span_at(plan, &span, x, ends[i]);
        if (status != LL_OK)
            return status;
        *out += 4 * (span.high - span.low);
    }
    return LL_OK;
}

/* ---- one row ---- */

typedef struct {
    double nearest; /* of two labels' steps */
    double spread;  /* of all of them, as reading encloses them */
    double width;   /* of one of them, likewise */
    double largest; /* term */
    double radius;
} reach;

/* Steps fall with the label, and their differences grow or fall with it: the ends tell. */
static ll_status find_reach(const ll_plan *plan, reach *out, double x)
{
    const long last = plan->classes - 1, labels[] = {0, 1, last - 1, last};
    double disorder;
    ll_span spans[4];
    arb_t moved, kept;
    arb_init(moved);
    arb_init(kept);
    ll_status status = ll_shifts_disorder(plan, &disorder, x);
    *out = (reach){0};
    for (int i = 0; i < 4 && status == LL_OK; i++) {
        status = term_of(plan, moved, x, labels[i]);
        if (status == LL_OK)
            status = ll_shifts_kept(plan, kept, labels[i]);
        ll_span one = ll_span_of(moved), other = ll_span_of(kept);
        out->largest = fmax(out->largest, fmax(one.high, other.high));
        out->radius = fmax(out->radius, fmax(one.high - one.low, other.high - other.low));
        arb_sub(moved, moved, kept, PREC);
        spans[i] = ll_span_of(moved);
        out->width = fmax(out->width, spans[i].high - spans[i].low + 2 * disorder);
    }
    arb_clear(moved);
    arb_clear(kept);
    if (status != LL_OK)
        return status;
    out->spread = spans[0].high - spans[3].low + 2 * disorder;
    out->nearest = fmin(spans[0].low - spans[1].high, spans[2].low - spans[3].high) - 2 * disorder;
    return isfinite(out->largest) && isfinite(out->spread) ? LL_OK : LL_DOMAIN;
}

/* Beyond the highest target by so many quarters of powers of two of the grid's width, by none where it is NEAREST;
 * steps of squares are linear everywhere, and there it is beyond the lowest. As the scorer's format holds it. */
static double place(const ll_plan *plan, int quarter)
{
    const ll_metric *metric = plan->scoring.how->metric;
    double low = ll_metric_target_double(metric, 0), high = ll_metric_target_double(metric, plan->classes - 1);
    double far = quarter == NEAREST ? 0 : ldexp((high - low) * (4 + (quarter & 3)), (quarter >> 2) - 2);
    double x = (ll_metric_is_square(metric) ? low : high) + far;
    x = plan->scoring.how->rows.format.fraction_bits == 23 ? (double)(float)x : x;
    return plan->scoring.how->kind == LL_KIND_EXACT ? nextafter(x, INFINITY) : x;
}

typedef enum { TOO_NEAR, FAR_ENOUGH, TOO_FAR } fit;

/* Farther off steps grow, until what floats make of them leaves nothing. */
static fit judge(const ll_plan *plan, reach *out, int quarter, double need, ll_status *status)
{
    double x = place(plan, quarter);
    ll_status found = isfinite(x) ? find_reach(plan, out, x) : LL_DOMAIN;
    *status = found == LL_MEMORY ? found : *status;
    if (found == LL_OK && out->nearest > need)
        return FAR_ENOUGH;
    return found != LL_OK || (quarter > 0 && !(out->nearest > 0)) ? TOO_FAR : TOO_NEAR;
}

/* The nearest place, from *quarter on, where one label more adds at least `need`; LL_DOMAIN: there is none. */
static ll_status find_place(const ll_plan *plan, double *x, reach *out, int *quarter, double need)
{
    int clipped = plan->scoring.how->clip_mode != LL_CLIP_NONE;
    int last = !clipped                                         ? FARTHEST
               : ll_metric_is_square(plan->scoring.how->metric) ? 0
                                                                : NEAREST,
        near = *quarter - 1, far = *quarter;
    ll_status status = LL_OK;
    for (int step = 1; far < last && judge(plan, out, far, need, &status) == TOO_NEAR; step *= 2) {
        near = far;
        far = last - far > step ? far + step : last;
    }
    while (far - near > 1 && status == LL_OK) {
        int middle = near + (far - near) / 2;
        if (judge(plan, out, middle, need, &status) == TOO_NEAR)
            near = middle;
        else
            far = middle;
    }
    *quarter = far;
    *x = place(plan, far);
    return judge(plan, out, far, need, &status) == FAR_ENOUGH || status != LL_OK ? status : LL_DOMAIN;
}

/* ---- all rows of a query ---- */

/* What the rows of a query come to together, at most. */
typedef struct {
    double size;   /* the sum of all terms */
    double radius; /* how far one term is off its middle */
    double widths; /* what is left open of the steps of rows that were read before others */
} together;

/* Their places, were they no more than `allowed` together; *found: what they are then. */
static ll_status find_places(ll_plan *plan, ll_shifts *s, const together *allowed, together *found)
{
    reach kept, row = {0};
    double below = 0, left = 2 * 2 * ll_plan_half(plan, allowed->size) * (1 + 0x1p-20) + allowed->widths +
                             (double)plan->rows * allowed->radius * (double)(plan->rows + 8) * 0x1p-26;
    int quarter = ll_metric_is_square(plan->scoring.how->metric) ? FIRST : NEAREST;
    ll_status status = find_reach(plan, &kept, place(plan, quarter));
    *found = (together){.size = (double)plan->rows * kept.largest, .radius = kept.radius};
    for (long j = 0; j < s->together && status == LL_OK; j++) {
        status = find_place(plan, &s->moved[j], &row, &quarter, (left + below) * (1 + 0x1p-20));
        below += row.spread;
        found->size += row.largest;
        found->radius = fmax(found->radius, row.radius);
        found->widths += row.width;
    }
    return status;
}

static int is_within(const together *found, const together *allowed)
{
    return found->size <= allowed->size && found->radius <= allowed->radius && found->widths <= allowed->widths;
}

static ll_status try_together(ll_plan *plan, long rows)
{
    ll_shifts *s = (ll_shifts *)plan->state;
    together allowed = {0}, found;
    s->together = rows;
    for (int i = 0; i < ROUNDS; i++) {
        ll_status status = find_places(plan, s, &allowed, &found);
        s->radius = allowed.radius;
        if (status != LL_OK || is_within(&found, &allowed))
            return status;
        const double more = 1 + 0x1p-3;
        allowed = (together){.size = found.size * more, .radius = found.radius * more, .widths = found.widths * more};
    }
    return LL_DOMAIN;
}

static double kept_place(const ll_plan *plan)
{
    const ll_metric *metric = plan->scoring.how->metric;
    double low = ll_metric_target_double(metric, 0);
    return ll_metric_counts_from_zero(metric)         ? 0
           : plan->scoring.how->kind == LL_KIND_EXACT ? nextafter(low, -INFINITY)
                                                      : low;
}

ll_status ll_shifts_prepare(ll_plan *plan, const ll_question *q, ll_error *error)
{
    ll_shifts *s = (ll_shifts *)plan->state;
    const char *variant = plan->state->variant;
    const long bound = variant != NULL && strcmp(variant, LL_SHIFTS_EACH) == 0 ? 1 : LL_SHIFTS_MOST;
    long fits = 0, most = plan->rows < bound ? plan->rows : bound;
    (void)q;
    s->kept = kept_place(plan);
    ll_status status = LL_OK;
    for (long step = LL_SHIFTS_MOST; step > 0 && status != LL_MEMORY; step /= 2)
        if (fits + step <= most && (status = try_together(plan, fits + step)) == LL_OK)
            fits += step;
    if (status != LL_MEMORY)
        status = fits > 0 ? try_together(plan, fits) : LL_DOMAIN;
    plan->state->levels = fits;
    if (status == LL_DOMAIN || status == LL_UNABLE)
        return ll_fail(error, LL_DOMAIN,
                       "what the release hides of the score of %ld rows is more than what one step of one target "
                       "changes: use less noise, more decimals, or a larger STEP of the targets",
                       plan->rows);
    return status == LL_OK ? LL_OK : ll_fail(error, status, "no memory for a plan");
}

/* ---- when it applies ---- */

ll_status ll_shifts_plan(ll_plan *plan, const ll_question *q, ll_error *error)
{
    const ll_computation *how = plan->scoring.how;
    ll_status status = ll_metric_need_terms(how->metric, "the code shifts", error);
    if (status != LL_OK)
        return status;
    if (how->kind == LL_KIND_FORMAT)
        return ll_fail(error, LL_DOMAIN, "the code %s is for means in exact arithmetic, fp64 or fp32", plan->name);
    if (ll_metric_counts_from_zero(how->metric) && ll_metric_target_double(how->metric, 0) < 0)
        return ll_fail(error, LL_DOMAIN, "the code %s takes targets of at least 0 of %s", plan->name,
                       ll_plan_metric_name(plan));
    plan->columns = 1;
    plan->prec = PREC;
    arb_one(plan->state->unit);
    return ll_plan_try_block(plan, plan->rows, q, error);
}

/* ---- rows ---- */

static double get_entry(const ll_plan *plan, const ll_code *code, long row, long column)
{
    (void)column;
    const ll_shifts *s = shifts_of(plan);
    long first = (code->query - 1) * s->together;
    return code->query > 0 && row >= first && row < first + s->together ? s->moved[row - first] : s->kept;
}

static long get_bits(const ll_plan *plan)
{
    return shifts_of(plan)->together;
}

const ll_writer ll_writer_shifts = {
    .name = "shifts", .prepare = ll_planned_prepare, .get_bits = get_bits, LL_WRITES_PLANNED(get_entry)};
