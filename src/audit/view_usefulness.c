#include "audit/view_usefulness.h"

#include "audit/limits.h"
#include "metric/view.h"
#include "scorer/area_noise.h"
#include "scorer/sensitivity.h"

#include <math.h>

/* ---- AUC ---- */

/* Predictions of positives have density 2x, of negatives 2 (1 - x): AUC is 5/6, and two positives are both above a
 * negative, or one above two, with probability 11/15 (Hanley and McNeil 1982). */
static double area_error(double rows)
{
    double area = 5.0 / 6, both = 11.0 / 15, ones = rows / 2;
    return sqrt((area * (1 - area) + (rows - 2) * (both - area * area)) / (ones * (rows - ones)));
}

static double area_spread(long rows)
{
    double n = (double)rows;
    return rows > 1 ? ll_area_moves((n * n - 1) / 12, rows, rows / 2) / 2 : (double)NAN;
}

/* ---- counts ---- */

static double number_of(const ll_computation *how, const ll_two *two)
{
    const ll_work work = {LL_WORK_DOUBLES, 64};
    ll_worked number;
    ll_worked_init(&number);
    double value = ll_view_two(how, &work, &number, two) == LL_OK ? number.native : (double)NAN;
    ll_worked_clear(&number);
    return value;
}

/* Half of the rows are predicted 1, three in four of each half rightly. */
static ll_two middling(long rows)
{
    int64_t guessed = rows / 2, hits = 3 * guessed / 4;
    return (ll_two){hits, guessed, hits + (rows - guessed) / 4, rows};
}

/* The jackknife: each row left out. */
static double count_error(const ll_computation *how, long rows)
{
    const ll_two two = middling(rows);
    double all = (double)rows, sum = 0, square = 0;
    int64_t guessed = two.guessed, hits = two.hits, missed = two.positives - hits;
    const int64_t times[2][2] = {{rows - guessed - missed, missed}, {guessed - hits, hits}}; /* [said][label] */
    for (int said = 0; said < 2; said++)
        for (int label = 0; label < 2; label++) {
            const ll_two left = {hits - (said && label), guessed - said, hits + missed - label, rows - 1};
            double number = number_of(how, &left);
            sum += (double)times[said][label] * number;
            square += (double)times[said][label] * number * number;
        }
    return rows >= 8 ? sqrt(fmax(0, square - sum * sum / all) * (all - 1) / all) : (double)NAN;
}

/* ---- both ---- */

double ll_view_sampling_error(const ll_channel *c, const ll_scorer *scorer)
{
    const ll_computation *how = &scorer->computation;
    if (!c->can_follow || c->classes > 2)
        return (double)NAN;
    if (ll_metric_view(how->metric) == LL_VIEW_RANKS)
        return c->scale * ll_view_area_slope(how) * area_error((double)c->rows);
    return c->scale * count_error(how, c->rows);
}

double ll_view_middling_spread(const ll_channel *c, const ll_scorer *scorer)
{
    const ll_computation *how = &scorer->computation;
    if (!c->can_follow || c->classes > 2)
        return (double)NAN;
    if (ll_metric_view(how->metric) == LL_VIEW_RANKS)
        return c->scale * ll_view_area_slope(how) * area_spread(c->rows);
    const ll_two two = middling(c->rows);
    if (ll_view_is_overlap(how) && ll_limit_follows_labels(c, c->proportion))
        return ll_scorer_overlap_spread(scorer, c->rows, (long)two.guessed, (long)two.positives, (long)two.hits);
    return ll_scorer_count_spread(scorer, c->rows, (long)two.guessed);
}
