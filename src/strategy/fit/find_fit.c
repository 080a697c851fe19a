/* R^2 and explained variance of numeric targets, asked by the code grades: how far outside the grid may predictions
 * lie? The sum of squared errors follows from the number to within what the release hides of it, times the sum of
 * squares about the mean, and to within the program's rounding, which grows with the errors (docs/proofs/fit.md). */
#include "strategy/common/decode_counts.h"
#include "strategy/common/grades_code.h"
#include "strategy/fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PRODUCT 0x1p31
#define MOST_CASES 0x1p34
enum { PREC = 192 };

double ll_plan_fit_error(const ll_plan *plan)
{
    const ll_metric *metric = plan->scoring.how->metric;
    long last = ll_metric_target_count(metric) - 1;
    double low = ll_metric_target_double(metric, 0), high = ll_metric_target_double(metric, last);
    double rows = (double)plan->rows, step = (high - low) / (double)last;
    double mean = (rows + 2) * 0x1p-53 * fmax(fabs(low), fabs(high)) / step;
    return ((2 * rows + 16) * 0x1p-53 + 2 * rows * mean * mean) * (1 + 0x1p-6);
}

/* N d^2, d the error of the mean: N roundings of sums of errors, none above that of the farthest place. */
double ll_plan_fit_shift(const ll_plan *plan, double most)
{
    double rows = (double)plan->rows, mean = (rows + 2) * 0x1p-53 * (most / 2 + (double)plan->classes);
    return rows * mean * mean * (1 + 0x1p-6);
}

int64_t ll_plan_fit_place(const ll_plan *plan, const ll_code *code, long row)
{
    int64_t h = code->row->bounded.level(code, row, 1) + plan->classes - 2;
    return plan->classes - 1 - h;
}

double ll_plan_fit_number(const ll_plan *plan, int64_t twice)
{
    const ll_metric *metric = plan->scoring.how->metric;
    long last = ll_metric_target_count(metric) - 1;
    double low = ll_metric_target_double(metric, 0), high = ll_metric_target_double(metric, last);
    return low + (double)twice * ((high - low) / (double)last / 2);
}

/* Targets are multiples of one power of two: N of them add up without rounding where the sum is below its 2^53-fold. */
int ll_plan_fit_is_flat_exact(const ll_plan *plan)
{
    const ll_metric *metric = plan->scoring.how->metric;
    double low = ll_metric_target_double(metric, 0), unit = 1;
    double high = ll_metric_target_double(metric, ll_metric_target_count(metric) - 1);
    double step = ll_metric_target_double(metric, 1) - low;
    while (unit > 0x1p-60 && (fmod(low, unit) != 0 || fmod(step, unit) != 0))
        unit /= 2;
    return unit > 0x1p-60 && (double)plan->rows * fmax(fabs(low), fabs(high)) / unit < 0x1p53;
}

/* Is LO + j s/2 a double for every whole number j of at most `most` in size? Where LO, s/2 and both ends are multiples
 * of one power of two and below its 2^52-fold. */
static int is_held(const ll_plan *plan, double most)
{
    const ll_metric *metric = plan->scoring.how->metric;
    long count = ll_metric_target_count(metric);
    double low = ll_metric_target_double(metric, 0);
    double half = (ll_metric_target_double(metric, 1) - low) / 2, unit = 1;
    while (unit > 0x1p-60 && (fmod(low, unit) != 0 || fmod(half, unit) != 0))
        unit /= 2;
    if (!(unit > 0x1p-60) || !((fabs(low) + most * half) / unit < 0x1p52))
        return 0;
    for (long k = 0; k < count; k++)
        if (ll_metric_target_double(metric, k) != low + (double)(2 * k) * half)
            return 0;
    return 1;
}

/* At least the sum of squared errors, in units, of every query. */
static double largest_sum(const ll_plan *plan, const ll_code *code, double *share)
{
    double last = (double)plan->classes - 1, sum = 0;
    *share = 0;
    for (long row = 0; row < code->rows; row++) {
        double h = ll_grades_most_share(code, row);
        sum += pow((h + last) / 2, 2);
        *share = fmax(*share, h);
    }
    if (ll_metric_is_centred(plan->scoring.how->metric))
        return sum * (1 + 1e-9);
    ll_code far = *code;
    far.query = 1;
    double h = (double)ll_plan_fit_place(plan, &far, 0);
    return fmax(sum, (double)plan->rows * pow((fabs(h) + 2 * last) / 2, 2)) * (1 + 1e-9);
}

/* At least the sum of squares about the mean that counts: of targets that are used alike, or, as all moments are tried,
 * the largest. */
static double spread_of(const ll_plan *plan)
{
    double classes = (double)plan->classes, rows = (double)plan->rows;
    return ll_metric_is_centred(plan->scoring.how->metric) ? rows * (classes - 1) * (classes - 1) / 4
                                                           : rows * (classes * classes - 1) / 12;
}

/* What the release hides of a sum of squared errors whose number is at most that, of labels with that spread. */
static double hide(const ll_plan *plan, double spread, double number)
{
    arb_t half, at;
    arb_init(half);
    arb_init(at);
    arb_set_d(at, number);
    ll_release_get_bound(&plan->scorer->release, half, at, plan->bounds.bound, LL_STATED_AND_OWN);
    double hidden = arf_get_d(arb_midref(half), ARF_RND_UP) * spread;
    arb_clear(half);
    arb_clear(at);
    return hidden;
}

/* Labels of a smaller spread have a larger number. Where that is shown less sharply, one more place before the point
 * can hide more than the smaller spread makes up for: every spread is looked at, an eighth at a time. */
static double most_hidden(const ll_plan *plan, double most)
{
    const double step = 1.125, least = 1 - 1 / fmax(2, (double)plan->rows); /* one target differs, by one step */
    double spread = spread_of(plan), hidden = hide(plan, spread, most / spread + 1);
    for (; ll_release_is_relative(&plan->scorer->release) && spread > least; spread /= step)
        hidden = fmax(hidden, hide(plan, spread, most / (spread / step) + 1));
    return hidden;
}

/* Nothing tells explained variance the moments of the labels but that sums are whole numbers: the less of the room
 * between two of them is filled, the sooner wrong moments fall. */
static int has_room(const ll_plan *plan, const ll_code *code)
{
    double share;
    int is_centred = ll_metric_is_centred(plan->scoring.how->metric);
    double most = largest_sum(plan, code, &share), hidden = most_hidden(plan, most);
    double farthest = share + 2 * (double)plan->classes, shift = is_centred ? ll_plan_fit_shift(plan, farthest) : 0;
    double lost = (ll_plan_fit_error(plan) + 0x1p-47) * 2 * most + shift + 2 * sqrt(shift * most);
    return (is_centred ? hidden + 4 * lost < 0.3 : hidden + lost < 0.45) && is_held(plan, farthest);
}

static ll_status try_levels(const ll_plan *plan, int64_t levels, long counted)
{
    ll_code *code = NULL;
    ll_status status = ll_code_create(&code, plan->state->row, plan->state->variant, plan->rows, plan->classes, NULL,
                                      ll_grades_levels(levels, counted), NULL);
    if (status == LL_OK && !has_room(plan, code))
        status = LL_DOMAIN;
    ll_code_destroy(code);
    return status;
}

/* Moments that are tried: for each A as many B as the labels' spread allows. */
static double count_cases(const ll_plan *plan)
{
    double last = (double)plan->classes - 1, rows = (double)plan->rows;
    return plan->scorer->counts != NULL ? 1 : rows * rows * last * last * last / 6;
}

static double get_seconds(const ll_plan *plan)
{
    return 1e-8 * count_cases(plan);
}

static ll_status check(const ll_plan *plan, ll_error *error)
{
    double last = (double)plan->classes - 1, rows = (double)plan->rows;
    if (plan->scoring.how->kind != LL_KIND_NATIVE)
        return ll_fail(error, LL_DOMAIN, "the code %s is for scorers in floats: give an arithmetic, fp64 for one",
                       plan->name);
    if (!is_held(plan, 2 * last))
        return ll_fail(error, LL_DOMAIN,
                       "no attack is planned for %s of targets that doubles do not hold; that does not mean it is safe",
                       ll_plan_metric_name(plan));
    if (rows * last > MOST_PRODUCT || count_cases(plan) > MOST_CASES)
        return ll_fail(
            error, LL_DOMAIN,
            "no attack is planned for %s of %ld rows of %ld targets: their moments are too many to try; that "
            "does not mean it is safe",
            ll_plan_metric_name(plan), plan->rows, plan->classes);
    return LL_OK;
}

/* Explained variance is the same of targets that are all shifted: labels are told where they use the grid's two ends,
 * which of few rows they more often do not. */
static ll_status check_ends(const ll_plan *plan, ll_error *error)
{
    double classes = (double)plan->classes, missed = 2 * pow(1 - 1 / classes, (double)plan->rows);
    if (!ll_metric_is_centred(plan->scoring.how->metric) || missed <= 0.5)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN,
                   "no attack is planned for %s of %ld rows of %ld targets: it is the same where all targets are "
                   "shifted, and so few rows mostly leave room for that; that does not mean it is safe",
                   ll_plan_metric_name(plan), plan->rows, plan->classes);
}

static ll_status find_places(ll_plan *plan, const ll_question *q, ll_error *error)
{
    long counted = q->part > 0 ? plan->rows - q->part : 0;
    ll_status status = check(plan, error);
    if (status == LL_OK)
        status = check_ends(plan, error);
    int is_centred = ll_metric_is_centred(plan->scoring.how->metric); /* frames tell it nothing */
    if (status == LL_OK && is_centred && counted > 0)
        status = ll_fail(error, LL_DOMAIN, "%s: the labels of all rows are read, or none", ll_plan_metric_name(plan));
    const char *framed = is_centred ? NULL : "framed";
    if (status == LL_OK)
        status = ll_plan_choose_variant(plan, framed, error);
    if (status != LL_OK)
        return status;
    int64_t most = plan->scoring.how->clip_mode == LL_CLIP_NONE ? (int64_t)1 << 40 : plan->classes - 1;
    int64_t fits = 0, fails = most + 1;
    while (fails - fits > 1) {
        int64_t middle = fits == 0 ? 1 : fails > 4 * fits ? 2 * fits : fits + (fails - fits) / 2;
        status = try_levels(plan, middle, counted);
        if (status == LL_MEMORY)
            return ll_fail(error, status, "no memory for a plan");
        *(status == LL_OK ? &fits : &fails) = middle;
    }
    plan->state->levels = ll_grades_levels(fits, counted);
    plan->columns = 1;
    plan->prec = PREC;
    arb_one(plan->state->unit);
    return fits > 0 ? LL_OK
                    : ll_fail(error, LL_DOMAIN,
                              "what the release hides of the squared errors of %ld rows is more than half of what one "
                              "step of one target changes: use less noise or more decimals",
                              plan->rows);
}

/* ---- the strategy ---- */

static ll_status plan_all(ll_plan *plan, const ll_question *q, ll_error *error)
{
    return ll_plan_try_block(plan, plan->rows, q, error);
}

/* The sum of squares about the mean is a part of every score. Two frames tell it; where there are none it follows from
 * all scores, and fewer tell no label. */
static long rows_within(const ll_plan *plan, long queries)
{
    int is_centred = ll_metric_is_centred(plan->scoring.how->metric);
    return is_centred && queries < plan->queries ? 0 : ll_blocks_rows_within(plan, queries);
}

const ll_strategy ll_strategy_fit = {
    .name = "fit",
    .proof = "fit.md",
    .takes = LL_TAKES_TARGETS,
    .whole = LL_ASKS_ALL,
    .reads_first = 1,
    .plan = plan_all,
    .prepare = find_places,
    .writer = &ll_writer_fit,
    .cases = &ll_case_fit,
    LL_DECODES_COUNTS,
    LL_PLANS_BLOCKS_READING(ll_plan_state, rows_within),
    .get_seconds = get_seconds,
};
