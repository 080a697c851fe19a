/* How far one label can move a metric of counts of two classes. */
#include "metric/counts/counting.h"
#include "metric/counts/f1_noise.h"

#include <math.h>

#define UP LL_ASKED_UP
#define SLACK 0x1p-40 /* far more than the few roundings of a number of at most 1 in size */

enum { MOST_COUNTED = 8192 }; /* every pair of counts is tried */

/* The most that the label of a row predicted 1 (`of`), or 0, moves the number: the others predicted 1 have any number
 * of true positives, those predicted 0 any number of misses. Labellings without a number move nothing. */
static double count_span(const ll_computation *how, long predicted, long rows, int of)
{
    const ll_work work = {LL_WORK_DOUBLES, 64};
    double most = 0;
    ll_worked number;
    ll_worked_init(&number);
    for (long tp = 0; tp <= predicted - of; tp++) {
        double last = (double)NAN;
        for (long missed = 0; missed <= rows - predicted - !of; missed++) {
            double pair[2];
            for (int label = 0; label < 2; label++) {
                ll_two two = {tp + (of && label), predicted, tp + missed + label, rows};
                int again = label == 0 && !of && missed > 0; /* what the row before it had with label 1 */
                pair[label] = again                                              ? last
                              : ll_score_two(how, &work, &number, &two) == LL_OK ? number.native
                                                                                 : (double)NAN;
            }
            last = pair[1];
            most = fabs(pair[1] - pair[0]) > most ? fabs(pair[1] - pair[0]) : most;
        }
    }
    ll_worked_clear(&number);
    return most;
}

/* Half of these moves, each by a little more. */
static double half_of(const ll_asked *asked, double moves)
{
    return asked->scale * (moves + SLACK * sqrt((double)asked->rows)) / 2 * UP;
}

/* Over all labels: so many of the rows are predicted 1. Takes rows^2 / 4 steps, but for F1. */
static double spread_of(const ll_asked *asked, long predicted)
{
    double slack = SLACK, scale = asked->scale;
    long rows = asked->rows;
    if (ll_counts_is_f1(asked->how))
        return half_of(asked, ll_f1_reach(rows, predicted));
    double one = predicted > 0 ? count_span(asked->how, predicted, rows, 1) : 0;
    double zero = predicted < rows ? count_span(asked->how, predicted, rows, 0) : 0;
    one = scale * (one + slack);
    zero = scale * (zero + slack);
    return sqrt((double)predicted * one * one + (double)(rows - predicted) * zero * zero) / 2 * UP;
}

static double size_revealed(const ll_asked *asked)
{
    return ll_counts_is_f1(asked->how) ? ll_f1_revealed(asked->rows, asked->ones, ll_label_entropy(asked->ones)) : 0;
}

/* Of F1 with these labels, where its noise follows them; else over all labels. */
static double two_spread(const ll_asked *asked, const ll_two *two)
{
    if (ll_counts_is_f1(asked->how) && ll_noise_follows(size_revealed(asked), asked->rows, asked->proportion))
        return half_of(asked, ll_f1_moves(asked->rows, (long)two->guessed, (long)two->positives, (long)two->tp));
    return spread_of(asked, (long)two->guessed);
}

static ll_status check_spread(const ll_asked *asked, ll_error *error)
{
    int tries = !ll_counts_is_f1(asked->how);
    if (asked->classes > 2 || asked->power != 1 || (tries && asked->rows > MOST_COUNTED))
        return ll_fail(error, LL_DOMAIN,
                       "noise in proportion: what a label can move %s is known for two classes, up to %d rows and "
                       "without a root",
                       ll_metric_row(asked->how->metric)->name, (int)MOST_COUNTED);
    return LL_OK;
}

static ll_status spread(const ll_asked *asked, const ll_scoring *scoring, double *out,
                        const ll_predictions *predictions, ll_error *error)
{
    ll_confusion counts;
    ll_status status = ll_confusion_init(&counts, scoring->classes, error);
    if (status == LL_OK)
        status = ll_confusion_count(scoring, &counts, predictions, error);
    if (status == LL_OK)
        *out = two_spread(asked, &(ll_two){counts.cells[3], counts.predicted[1], counts.support[1], counts.rows});
    ll_confusion_clear(&counts);
    return status;
}

/* ---- a middling submission ---- */

static double number_of(const ll_computation *how, const ll_two *two)
{
    const ll_work work = {LL_WORK_DOUBLES, 64};
    ll_worked number;
    ll_worked_init(&number);
    double value = ll_score_two(how, &work, &number, two) == LL_OK ? number.native : (double)NAN;
    ll_worked_clear(&number);
    return value;
}

/* Half of the rows are predicted 1, three in four of each half rightly. */
static ll_two middling(long rows)
{
    int64_t guessed = rows / 2, tp = 3 * guessed / 4;
    return (ll_two){tp, guessed, tp + (rows - guessed) / 4, rows};
}

/* The jackknife: each row left out. */
static double count_error(const ll_computation *how, long rows)
{
    const ll_two two = middling(rows);
    double all = (double)rows, sum = 0, square = 0;
    int64_t guessed = two.guessed, tp = two.tp, missed = two.positives - tp;
    const int64_t times[2][2] = {{rows - guessed - missed, missed}, {guessed - tp, tp}}; /* [said][label] */
    for (int predicted = 0; predicted < 2; predicted++)
        for (int label = 0; label < 2; label++) {
            const ll_two left = {tp - (predicted && label), guessed - predicted, tp + missed - label, rows - 1};
            double number = number_of(how, &left);
            sum += (double)times[predicted][label] * number;
            square += (double)times[predicted][label] * number * number;
        }
    return rows >= 8 ? sqrt(fmax(0, square - sum * sum / all) * (all - 1) / all) : (double)NAN;
}

/* Of a model whose answers owe nothing to the labels, half of them 1, to a perfect one. */
static double honest_range(const ll_asked *asked)
{
    int64_t half = asked->rows / 2;
    const ll_two blind = {asked->rows / 4, half, half, asked->rows}, perfect = {half, half, half, asked->rows};
    return asked->scale * fabs(number_of(asked->how, &perfect) - number_of(asked->how, &blind));
}

static void reference(const ll_asked *asked, ll_reference *out)
{
    *out = (ll_reference){asked->scale * count_error(asked->how, asked->rows), honest_range(asked)};
}

static double middling_spread(const ll_asked *asked)
{
    const ll_two two = middling(asked->rows);
    return two_spread(asked, &two);
}

/* ---- what an answer can show ---- */

/* Of g rows predicted the same the labels can be shared out in C(g + K - 1, K - 1) ways; the product over classes is
 * greatest for equal g, as log C is concave in g. Where class counts are known one of the classes follows from the
 * others (docs/proofs/several.md). */
static double value_bits(const ll_asked *asked)
{
    double k = (double)asked->classes, g = (double)asked->rows / k;
    return (k - (asked->counts != NULL)) * (lgamma(g + k) - lgamma(g + 1) - lgamma(k)) / M_LN2 + 1e-6;
}

static void expose(const ll_asked *asked, ll_exposure *out)
{
    out->value_bits = value_bits(asked);
    out->is_any = ll_counts_cancel(asked->how);
    out->follows_few = ll_counts_is_f1(asked->how);
    out->is_slow = !out->follows_few;
}

static ll_failure_kind fails(const ll_asked *asked)
{
    if (ll_counts_cancel(asked->how))
        return LL_FAILS_SOMEHOW; /* rows have weights there */
    return ll_counts_fail(asked, asked->how->zero_division == LL_ZERO_RAISE);
}

/* ---- the family ---- */

static ll_status score_two(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_two *two)
{
    int64_t cells[8];
    ll_confusion counts = {.classes = 2, .cells = cells, .support = cells + 4, .predicted = cells + 6};
    ll_confusion_set_two(&counts, two->tp, two->guessed, two->positives, two->rows);
    return ll_confusion_work(how, work, out, &counts, NULL);
}

static ll_status check_classes(const ll_metric *metric, long classes, ll_error *error)
{
    int is_cell = ll_metric_cell(metric) >= 0;
    long place = is_cell ? ll_metric_cell(metric) : ll_metric_class(metric);
    long places = is_cell ? classes * classes : classes;
    return place < places ? LL_OK
                          : ll_fail(error, LL_DOMAIN, "%s: there is no %ld among %ld, counted from 0",
                                    metric->row->info.name, place, places);
}

static int is_of_table(const ll_metric *metric, int labels)
{
    (void)metric;
    (void)labels;
    return 1;
}

static int takes_weights(const ll_metric *metric)
{
    return !metric->row->is_whole && metric->row->parts == NULL;
}

const ll_metric_family ll_family_counts = {.score = ll_score_confusion,
                                           .score_two = score_two,
                                           .check_classes = check_classes,
                                           .resolve = ll_view_resolve,
                                           .takes_weights = takes_weights,
                                           .is_of_table = is_of_table,
                                           .check_spread = check_spread,
                                           .spread = spread,
                                           .size_revealed = size_revealed,
                                           .reference = reference,
                                           .middling_spread = middling_spread,
                                           .expose = expose,
                                           .fails = fails};
