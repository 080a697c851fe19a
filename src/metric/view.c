/* From a number that was worked out to one that is released. */
#include "metric/view.h"

#include "metric/metric_private.h"

#include <math.h>

enum {
    GUARD = 64,    /* bits: numbers are below 2^2, and a step loses a few */
    WEIGHTS = 4096 /* weights of 1e-100 beside some of 1e100, squared, and differences of such squares */
};

ll_work ll_view_work(const ll_computation *how, slong bits)
{
    if (how->kind == LL_KIND_EXACT)
        return (ll_work){LL_WORK_FRACTIONS | LL_WORK_BALLS, bits + GUARD + (how->is_weighted ? WEIGHTS : 0)};
    return (ll_work){LL_WORK_DOUBLES | LL_WORK_BALLS | LL_WORK_ROUNDED, 192};
}

/* No row that weighs at all weighs less than this of all together: squares of sums lose no more than a millionth where
 * they cancel (docs/proofs/weighed-counts.md). */
#define EVEN 1e-9

/* The program's number is a double: the ends move inward to the next ones. */
static void round_inward(ll_raw *out)
{
    arf_set_d(out->lower, arf_get_d(out->lower, ARF_RND_CEIL));
    arf_set_d(out->upper, arf_get_d(out->upper, ARF_RND_FLOOR));
}

void ll_view_finish(const ll_computation *how, ll_raw *out, const ll_worked *number)
{
    ll_raw_ends(out->lower, out->upper, number->ball);
    out->is_float = how->kind != LL_KIND_EXACT;
    out->is_rational = 0;
    if (!out->is_float) {
        arb_set(out->number, number->ball);
        if (number->is_fraction)
            ll_raw_set_fraction(out, number->fraction, 1);
        return;
    }
    out->format = how->total.format;
    arb_set_d(out->number, number->native);
    round_inward(out);
}

/* ---- two classes, or matches ---- */

/* Two ties, or one where all predictions are the same. */
static ll_status rank_two(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_two *two)
{
    int64_t zeros = two->rows - two->positives;
    int64_t above[] = {two->guessed - two->hits, two->hits, zeros, two->positives};
    int one = two->guessed == 0 || two->guessed == two->rows;
    ll_ranking ranking = {two->rows, two->positives, one ? 1 : 2, one ? above + 2 : above};
    return ll_ranking_work(how, work, out, &ranking, NULL);
}

/* Accuracy, or its complement: a sum of terms that is a count. */
static ll_status match_two(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_two *two)
{
    int64_t misses = two->guessed + two->positives - 2 * two->hits;
    if (!ll_link_is_linear(how))
        return LL_DOMAIN;
    ll_worked_ratio(work, out, ll_metric_counts(how->metric) > 0 ? two->rows - misses : misses, two->rows);
    ll_computation_add_roundoff(how, out->ball, 4);
    return LL_OK;
}

ll_status ll_view_two(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_two *two)
{
    int64_t cells[8];
    ll_confusion counts = {.classes = 2, .cells = cells, .truth = cells + 4, .guesses = cells + 6};
    if (ll_metric_counts(how->metric) != 0)
        return match_two(how, work, out, two);
    if (ll_metric_view(how->metric) == LL_VIEW_RANKS)
        return rank_two(how, work, out, two);
    ll_confusion_set_two(&counts, two->hits, two->guessed, two->positives, two->rows);
    return ll_confusion_work(how, work, out, &counts, NULL);
}

ll_status ll_view_weighed(const ll_computation *how, const ll_work *work, ll_worked *out, ll_weighed *scratch,
                          const ll_weighed_two *two)
{
    int64_t cells[8];
    ll_confusion counts = {.classes = 2, .cells = cells, .truth = cells + 4, .guesses = cells + 6, .weighed = scratch};
    for (int i = 0; i < 4; i++)
        cells[i] = two->is_some[i];
    ll_confusion_close(&counts);
    ll_weighed_suppose(work, scratch, two);
    return counts.rows > 0 ? ll_confusion_work(how, work, out, &counts, NULL) : LL_DOMAIN;
}

void ll_view_flip(ll_two *two, int base, int state)
{
    int64_t step = base == 1 ? -1 : 1;
    two->hits = (base == 1 ? two->positives : 0) + step * (state == 1);
    two->guessed = (base == 1 ? two->rows : 0) + step * (state < 2);
}

ll_needs ll_view_needs(const ll_computation *how)
{
    return how->metric->row->count != NULL ? how->metric->row->count->needs : LL_NEEDS_CELLS;
}

ll_tells ll_view_tells(const ll_computation *how)
{
    return how->metric->row->count != NULL ? how->metric->row->count->tells : LL_TELLS_NOT;
}

ll_costs ll_view_costs(const ll_computation *how)
{
    return how->metric->row->count != NULL ? how->metric->row->count->costs : LL_COSTS_NONE;
}

/* Cells of the right sums on and beside the diagonal, at classes that there are; margins as they are known: no such
 * metric looks at more. */
static void set_cells(ll_confusion *counts, int64_t matches)
{
    long one = 0, other, k = counts->classes;
    while (one < k - 2 && counts->truth[one] + counts->guesses[one] == 0)
        one++;
    for (other = one + 1; other < k - 1 && counts->truth[other] + counts->guesses[other] == 0;)
        other++;
    counts->cells[one * k + one] = matches;
    counts->cells[one * k + other] = counts->rows - matches;
}

ll_status ll_view_matches(const ll_computation *how, const ll_work *work, ll_worked *out, int64_t matches,
                          const int64_t *truth, const int64_t *guesses, long classes, int64_t rows)
{
    ll_confusion counts;
    ll_status status = ll_confusion_init(&counts, classes, NULL);
    if (status != LL_OK)
        return status;
    counts.rows = rows;
    for (long k = 0; k < classes; k++) {
        counts.guesses[k] = guesses[k];
        counts.truth[k] = truth != NULL ? truth[k] : guesses[k];
    }
    set_cells(&counts, matches);
    status = ll_confusion_work(how, work, out, &counts, NULL);
    ll_confusion_clear(&counts);
    return status;
}

int ll_view_is_overlap(const ll_computation *how)
{
    return how->metric->row->is_overlap && how->zero_division == 0 && !how->is_weighted;
}

int ll_view_cancels(const ll_computation *how)
{
    const ll_count_kind *count = how->metric->row->count;
    int may = how->is_weighted && how->kind != LL_KIND_EXACT && count != NULL && count->cancels;
    return may && !(ll_computation_lightest(how) > EVEN);
}

/* ---- AUC ---- */

int ll_view_area_slope(const ll_computation *how)
{
    const ll_rank_kind *kind = how->metric->row->rank;
    return kind != NULL && !kind->of_classes ? kind->slope : 0;
}

ll_area_link ll_view_area_link(const ll_computation *how, long classes)
{
    const ll_rank_kind *kind = how->metric->row->rank;
    if (kind == NULL)
        return (ll_area_link){0};
    if (!kind->of_classes)
        return (ll_area_link){kind->slope, kind->offset, 1};
    return (ll_area_link){2, classes - 1, 2 * classes}; /* (AUC + (K - 1) / 2) / K */
}

/* The mean of K numbers, all but one of which are 1/2: the error of that one, a K-th of it, is at most itself; the sum
 * and the quotient are rounded, and no partial sum is above K. */
void ll_view_area_error(const ll_computation *how, mag_t out, long ties, long classes)
{
    const ll_rank_kind *kind = how->metric->row->rank;
    mag_zero(out);
    if (how->kind == LL_KIND_EXACT)
        return;
    double mean = kind->of_classes ? (double)ll_sum_depth_upto(classes) + 2 : 0;
    mag_set_d(out, (kind->units(ties) + mean) * (1 + 0x1p-20));
    mag_mul_2exp_si(out, out, -53);
}

void ll_view_get_area(const ll_computation *how, arb_t out, const arb_t number, long ties, long classes, slong prec)
{
    ll_area_link link = ll_view_area_link(how, classes);
    mag_t error;
    mag_init(error);
    ll_view_area_error(how, error, ties, classes);
    arb_set(out, number);
    arb_add_error_mag(out, error);
    arb_mul_si(out, out, link.parts, prec);
    arb_sub_si(out, out, link.offset, prec);
    arb_div_si(out, out, link.slope, prec);
    mag_clear(error);
}

void ll_view_set_area(const ll_computation *how, arb_t out, const arb_t area, slong prec)
{
    const ll_rank_kind *kind = how->metric->row->rank;
    arb_mul_si(out, area, kind->slope, prec);
    arb_add_si(out, out, kind->offset, prec);
}
