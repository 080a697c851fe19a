/* Predictions that take two values, exactly or up to a blur. Hard answers do so too: at 0 and 1, at the clip, smoothed
 * by a round number; leaves of a small tree do, at shares of what fell into them. These are at none of them. */
#include "audit/traces.h"
#include "number/text_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Weights of mirrored rows that differ by no more than this part of their size are one. */
#define BLUR 0.01

/* People who smooth hard answers write 0.01 and 0.99, or 1e-15. */
static int is_short_decimal(double x, double room)
{
    char text[40];
    (void)ll_print(text, sizeof text, "%.2e", x);
    return fabs(ll_read_double(text, NULL) - x) <= room * x;
}

/* An answer that somebody else clipped. */
static int is_clip(const ll_weights *w, double x, double room)
{
    const ll_computation *r = w->scoring.how;
    double exact = ll_exact_get_d(&r->low);
    return r->clip_mode != LL_CLIP_NONE &&
           (fabs(x - exact) <= room * exact || fabs(x - r->float_low) <= room * r->float_low);
}

/* Of the mean over all rows: a blur of each leaves it known the better the more there are. Hard answers of more
 * classes, smoothed by x and divided by the row's sum, have the ratio 1/x - 1, or a round one where x was shared. */
static int is_round(const ll_weights *w)
{
    double blur = 4 * w->ratio_spread / sqrt((double)w->ratios), ratio = exp(w->ratio), x = 1 / (1 + ratio);
    return is_short_decimal(x, 1e-6 + blur) || is_clip(w, x, 1e-9 + blur) ||
           (w->classes > 2 && is_short_decimal(ratio, 1e-6 + blur));
}

static double largest_size(const ll_weights *w)
{
    double size = 0;
    for (long i = 0; i < w->rows; i++)
        size = fmax(size, ll_weights_loudest(w, i));
    return size;
}

/* Is the weight of every label of every row 0 or of one size? Counts the rows with the first label lighter, and those
 * whose labels are alike. */
static int has_one_size(const ll_weights *w, double size, long *lighter, long *quiet, double blur)
{
    *lighter = *quiet = 0;
    for (long i = 0; i < w->rows; i++) {
        double room = w->errors[i] + blur * size;
        int lightest = 0;
        for (long k = 1; k < w->classes; k++) {
            double weight = ll_weights_get(w, i, k);
            if (fabs(weight) > room && fabs(fabs(weight) - size) > 2 * room)
                return 0;
            lightest |= weight > room;
        }
        *lighter += lightest;
        *quiet += ll_weights_loudest(w, i) <= room;
    }
    return 1;
}

/* One size, both signs. */
int ll_trace_two_values(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    long lighter, quiet;
    double size = largest_size(w);
    (void)sizes;
    if (w->rows < 8 || w->ratios == 0 || !isfinite(size) || !has_one_size(w, size, &lighter, &quiet, BLUR) || quiet > 0)
        return 0;
    if (lighter == 0 || lighter == w->rows || w->smallest <= 0 || w->ratio < log(19) || is_round(w))
        return 0;
    return ll_trace_say(
        out,
        "every row says the same of its classes but for the sign, with %.8g where a hard answer would have 0, 1, the "
        "clip or a round number: %ld and %ld rows",
        1 / (1 + exp(w->ratio)), lighter, w->rows - lighter);
}

/* Is x within `room` of a fraction with a denominator of up to 10^5? By continued fractions. */
static int is_fraction(double x, double room)
{
    double before = 0, denominator = 1, rest = x;
    for (int i = 0; i < 20 && denominator < 1e5; i++) {
        if (fabs(x * denominator - rint(x * denominator)) <= room * denominator)
            return 1;
        rest = 1 / (rest - floor(rest));
        double next = floor(rest) * denominator + before;
        before = denominator;
        denominator = next;
    }
    return 0;
}

/* The lesser probability of a row of two classes with this weight; NAN where the metric is another one. */
static double smaller(const ll_weights *w, double weight)
{
    const ll_metric *metric = w->scoring.how->metric;
    return ll_metric_is_log(metric)     ? 1 / (1 + exp(weight))
           : ll_metric_is_brier(metric) ? (1 - weight / (double)w->columns) / 2
                                        : (double)NAN;
}

/* Mean of the sizes above half of `size`, its standard error, and how far all rows together may move the sum by not
 * being at that mean or at 0. */
static double mean_loud(const ll_weights *w, double size, double *error, double *moved)
{
    double mean = 0, square = 0, quiet = 0;
    long count = 0;
    for (long i = 0; i < w->rows; i++) {
        double loud = ll_weights_loudest(w, i), off = loud - mean;
        if (loud <= size / 2) {
            quiet += loud * loud;
            continue;
        }
        mean += off / (double)++count;
        square += off * (loud - mean);
    }
    *error = sqrt(square) / fmax(1, (double)count);
    *moved = sqrt(square + quiet);
    return mean;
}

/* Rows that say nothing, and rows that all say one thing, which is no share (shares are not blurred) and no round
 * number. Two classes. A blur that decoding bears moves the sum by half the weight at most, and no row of N by more
 * than 3.5 times a root of N part of that. */
int ll_trace_half_open(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    long lighter, quiet;
    double size = largest_size(w), blur = fmin(0.2, 1.75 / sqrt((double)w->rows)), error, moved;
    (void)sizes;
    if (w->rows < 20 || w->classes != 2 || w->saturated > 0 || !isfinite(size) || size == 0 ||
        !has_one_size(w, size, &lighter, &quiet, blur) || quiet < 2 || w->rows - quiet < 2)
        return 0;
    double loud = mean_loud(w, size, &error, &moved), x = smaller(w, loud), room = 1e-6 * fmin(1, loud) + 4 * error;
    if (isnan(x) || moved > loud / 2 || is_short_decimal(x, room) || is_clip(w, x, room) ||
        (error <= 1e-9 * loud && is_fraction(x, 1e-12)))
        return 0;
    return ll_trace_say(out,
                        "%ld rows say nothing of their label, and the other %ld all say the same, %.8g or 1 less that, "
                        "which is no share and no round number",
                        quiet, w->rows - quiet, x);
}
