/* The terms of two targets differ by a function of the prediction that is monotone wherever its slope is bounded
 * (absolute, pinball and Huber's errors), and linear in it for squares: so the ends of what predictions can be are the
 * worst (docs/proofs/targets.md). */
#include "audit/target_reach.h"

#include "audit/row_terms.h"

#include <math.h>
#include <stdlib.h>

/* How far outside the grid a prediction must lie for its terms to be linear; 0 where that begins at the grid. */
static double margin_of(const ll_metric *metric)
{
    arb_t slope, margin;
    arb_init(slope);
    arb_init(margin);
    ll_metric_get_lines(metric, slope, margin, 64);
    double size = ll_metric_is_lines(metric) ? arf_get_d(arb_midref(margin), ARF_RND_CEIL) : 0;
    arb_clear(slope);
    arb_clear(margin);
    return size;
}

/* Of a long grid the two ends: beyond it terms rise or fall with the target. */
static long count_looked(const ll_scoring *s)
{
    return s->classes <= LL_LISTED_CLASSES ? s->classes : 2;
}

static ll_status add_end(const ll_scoring *s, double *reach, double *greatest, double x, double *from, double *to)
{
    double least = INFINITY, most = -INFINITY;
    const long looked = count_looked(s);
    ll_status status = ll_row_ends(s, from, to, &x, 1, looked);
    for (long k = 0; k < looked && status == LL_OK; k++) {
        least = fmin(least, from[k]);
        most = fmax(most, to[k]);
    }
    if (status == LL_OK) {
        *reach = fmax(*reach, (most - least) * (1 + 0x1p-40));
        *greatest = fmax(*greatest, most);
    } else if (status != LL_MEMORY) {
        *reach = *greatest = INFINITY;
        status = LL_OK;
    }
    return status;
}

ll_status ll_target_reach(const ll_scoring *s, double *reach, double *greatest, ll_error *error)
{
    const ll_metric *metric = s->how->metric;
    int is_clipped = s->how->clip_mode != LL_CLIP_NONE;
    *reach = *greatest = INFINITY;
    if (ll_metric_most_term(metric) > 0) { /* terms are at least 0, but for roundings */
        *reach = ll_metric_most_term(metric) * (1 + 0x1p-40);
        return LL_OK; /* far predictions may overflow, so that there is no greatest */
    }
    if (ll_metric_is_unlimited(metric) && !is_clipped)
        return LL_OK;
    const long looked = count_looked(s);
    if (looked < s->classes && ll_metric_counts_from_zero(metric) && ll_metric_target_double(metric, 0) < 0)
        return LL_OK; /* shares of a target are largest near 0 */
    double *ends = calloc(2 * (size_t)looked, sizeof *ends), margin = is_clipped ? 0 : margin_of(metric);
    if (ends == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld targets", s->classes);
    *reach = *greatest = 0;
    double low = ll_metric_target_double(metric, 0) - margin,
           high = ll_metric_target_double(metric, s->classes - 1) + margin;
    ll_status status = add_end(s, reach, greatest, low, ends, ends + looked);
    if (status == LL_OK)
        status = add_end(s, reach, greatest, high, ends, ends + looked);
    free(ends);
    if (!is_clipped)
        *greatest = INFINITY; /* of a score, whose predictions may be any */
    return status == LL_OK ? LL_OK : ll_fail(error, status, "no memory for a row");
}
