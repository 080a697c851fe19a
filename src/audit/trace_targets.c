/* Numeric targets: predictions that no model of these targets makes. A label of a row weighs more than the grid is wide
 * only where the prediction lies outside of it. */
#include "audit/traces.h"
#include "number/text_number.h"

#include <math.h>
#include <stdio.h>

enum { FEW = 3 };

/* How far outside the grid the prediction of a row with a squared error lies, in widths of the grid; 0: inside. */
static double distance_outside(const ll_weights *w, long row)
{
    const ll_metric *metric = w->scoring.how->metric;
    double low = ll_metric_target_double(metric, 0), next = ll_metric_target_double(metric, 1);
    double high = ll_metric_target_double(metric, w->classes - 1);
    double x = (low + next) / 2 - ll_weights_get(w, row, 1) / (2 * (next - low));
    return fmax(0, fmax(low - x, x - high)) / (high - low);
}

/* Is the loss of a row that of the lowest, or of the highest target, and rising or falling from there? */
static int is_at_end(const ll_weights *w, long row)
{
    int rising = 1, falling = 1;
    for (long k = 1; k < w->classes; k++) {
        double step = ll_weights_get(w, row, k) - ll_weights_get(w, row, k - 1);
        rising = rising && step > w->errors[row];
        falling = falling && step < -w->errors[row];
    }
    return rising || falling;
}

static int say(ll_trace *out, const char *what, long rows, long all)
{
    (void)ll_print(out->text, sizeof out->text, what, rows, all);
    return 1;
}

int ll_trace_outside(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    long outside = 0, ends = 0;
    (void)sizes;
    if (!ll_metric_takes_targets(w->scoring.how->metric))
        return 0;
    int square = ll_metric_is_square(w->scoring.how->metric);
    for (long i = 0; i < w->rows; i++) {
        outside += square && distance_outside(w, i) > 0.5;
        ends += is_at_end(w, i);
    }
    if (outside >= FEW && 50 * outside >= w->rows)
        return say(out, "%ld of %ld predictions lie farther outside the targets than half of their range", outside,
                   w->rows);
    if (ends == w->rows && w->rows > FEW && sizes->count <= 2 * (w->classes - 1))
        return say(out, "all of %ld predictions lie at, or outside, the ends of the targets, with %ld kinds of them",
                   w->rows, sizes->count);
    return 0;
}
