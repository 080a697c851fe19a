/* Random designs: an attack that needs nothing but answers (docs/proofs/designs.md). Every submission says one of two
 * labels in every row, at random, and all answers together are read by the regularised pseudo-inverse. What that gets
 * is forecast here: a small simulation says how far the label of a row moves an answer, and the fixed point of Tse and
 * Hanly (1999) what so many answers with so much noise tell of so many rows. It costs the same at any size. */
#include "audit/trial.h"

#include "audit/label_law.h"
#include "number/random.h"
#include "number/text_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_QUERIES 0x1p40 /* taken for no limit */
enum { STREAM = 0x646573, ROWS = 256, ANSWERS = 160, KINDS = 3, UNKNOWNS = KINDS + 1, MOST_CLASSES = 256 };
/* Of fewer rows nothing is forecast: unless the metric is a sum, what few labels move depends on the other labels. */
enum { FEWEST = 3, FEWEST_OTHERS = 64 };

/* Of labels of a few kinds: what a row of each moves an answer of so many rows, when it says `second` in place of
 * `first`, to one side. */
typedef struct {
    long rows, classes, kinds, first, second;
    int is_numeric;
    double gain[KINDS];
    double mean, rest; /* of the answers; the variance that the gains do not explain */
} calibration;

/* ---- kinds of labels ---- */

/* Labels: the two that are said, and all others. Numbers: a constant, the number and its square. */
static double kind_of(const calibration *c, long label, long kind)
{
    if (!c->is_numeric)
        return kind == (label == c->first ? 0 : label == c->second ? 1 : 2);
    double x = 2 * (double)label / (double)(c->classes - 1) - 1;
    return kind == 0 ? 1 : kind == 1 ? x : x * x;
}

static double gain_of(const calibration *c, long label)
{
    double gain = 0;
    for (long j = 0; j < c->kinds; j++)
        gain += c->gain[j] * kind_of(c, label, j);
    return gain;
}

static long next_likely(const ll_trial *t, long except)
{
    long best = except == 0;
    for (long k = 0; k < t->channel->classes; k++)
        if (k != except &&
            ll_label_share(t->scorer, t->channel->classes, k) > ll_label_share(t->scorer, t->channel->classes, best))
            best = k;
    return best;
}

static void choose_labels(calibration *c, const ll_trial *t)
{
    c->classes = t->channel->classes;
    c->is_numeric = t->channel->is_numeric && c->classes > 2;
    c->kinds = c->classes == 2 ? 2 : KINDS;
    c->first = c->is_numeric ? 0 : t->channel->guess_class;
    c->second = c->is_numeric ? c->classes - 1 : next_likely(t, c->first);
}

/* ---- least squares ---- */

/* matrix x = right, in place; next to nothing on the diagonal stands for kinds that no label has. */
static void solve(double matrix[UNKNOWNS][UNKNOWNS], double *right, long size)
{
    for (long i = 0; i < size; i++)
        matrix[i][i] += 1e-9 * (matrix[i][i] + 1);
    for (long i = 0; i < size; i++)
        for (long j = 0; j < size; j++) {
            double factor = i == j ? 0 : matrix[j][i] / matrix[i][i];
            for (long k = 0; k < size; k++)
                matrix[j][k] -= factor * matrix[i][k];
            right[j] -= factor * right[i];
        }
    for (long i = 0; i < size; i++)
        right[i] /= matrix[i][i];
}

/* overlaps[query][kind]: sum over rows of the sign said times kind_of the label. */
static void fit(calibration *c, double overlaps[ANSWERS][UNKNOWNS], const double *answers)
{
    double matrix[UNKNOWNS][UNKNOWNS] = {{0}}, right[UNKNOWNS] = {0};
    long size = c->kinds + 1;
    for (long q = 0; q < ANSWERS; q++)
        for (long i = 0; i < size; i++) {
            right[i] += overlaps[q][i] * answers[q];
            for (long j = 0; j < size; j++)
                matrix[i][j] += overlaps[q][i] * overlaps[q][j];
        }
    solve(matrix, right, size);
    for (long j = 0; j < c->kinds; j++)
        c->gain[j] = right[j];
    c->mean = right[c->kinds];
    for (long q = 0; q < ANSWERS; q++) {
        double off = answers[q];
        for (long i = 0; i < size; i++)
            off -= right[i] * overlaps[q][i];
        c->rest += off * off / (double)(ANSWERS - size);
    }
}

/* ---- a small simulation ---- */

/* One submission: random labels, and what they overlap with. */
static void draw_design(const calibration *c, const ll_trial *t, int32_t *predicted, double *overlaps,
                        const int32_t *truth, long query)
{
    for (long j = 0; j < UNKNOWNS; j++)
        overlaps[j] = j == c->kinds;
    for (long i = 0; i < c->rows; i++) {
        int second = (int)ll_random_below(t->seed, STREAM + (uint64_t)query, (uint64_t)i, 2);
        predicted[i] = (int32_t)(second ? c->second : c->first);
        for (long j = 0; j < c->kinds; j++)
            overlaps[j] += (second ? 1 : -1) * kind_of(c, truth[i], j);
    }
}

static ll_status ask_designs(calibration *c, const ll_trial *t, ll_curator *curator, const int32_t *truth,
                             ll_error *error)
{
    double overlaps[ANSWERS][UNKNOWNS], answers[ANSWERS];
    int32_t predicted[ROWS];
    ll_submission submission = {.trial = t, .labels = predicted, .sure = ll_channel_sure(t->channel)};
    ll_predictions predictions;
    ll_status status = LL_OK;
    ll_submission_predictions(&submission, &predictions);
    for (long q = 0, seen = 0; seen < ANSWERS && status == LL_OK; q++) {
        char *text = NULL;
        draw_design(c, t, predicted, overlaps[seen], truth, q);
        status = ll_trial_ask(curator, &text, &predictions, error);
        if (status != LL_OK)
            return status;
        answers[seen] = text[0] != '\0' ? ll_read_double(text, NULL) : (double)NAN;
        seen += isfinite(answers[seen]); /* without what is refused, of which there may be as much */
        status = seen > q - ANSWERS ? LL_OK : LL_UNABLE;
        free(text);
    }
    if (status == LL_OK)
        fit(c, overlaps, answers);
    return status;
}

/* The scorer with fewer rows, and every digit of its answers. */
static ll_status vary_small(ll_scorer **out, const ll_trial *t, long rows, ll_error *error)
{
    char text[32];
    ll_scorer *labels = NULL;
    (void)snprintf(text, sizeof text, "%ld", rows);
    ll_status status = ll_labels_vary(&labels, t->scorer, error);
    if (status == LL_OK)
        status =
            ll_scorer_vary(out, labels, error, "rows", text, "decimals", "none", "digits", "none", "truncate", "no",
                           "noise", (char *)NULL, "counts", (char *)NULL, "queries", (char *)NULL, "arithmetic",
                           t->channel->is_long ? "fp64" : ll_scorer_text(labels, LL_SET_ARITHMETIC), (char *)NULL);
    ll_scorer_destroy(labels);
    return status;
}

static ll_status calibrate(calibration *out, const ll_trial *t, ll_error *error)
{
    int32_t truth[ROWS];
    ll_channel channel;
    ll_curator *curator = NULL;
    ll_scorer *scorer = NULL;
    *out = (calibration){.rows = t->channel->rows < ROWS ? t->channel->rows : ROWS};
    choose_labels(out, t);
    ll_status status = vary_small(&scorer, t, out->rows, error);
    if (status == LL_OK)
        status = ll_channel_init(&channel, scorer, error);
    if (status == LL_OK) {
        ll_trial small = {.scorer = scorer, .channel = &channel, .request = t->request, .seed = t->seed};
        ll_trial_labels(&small, truth, 0);
        status = ll_curator_create(&curator, scorer, truth, out->rows, error);
        if (status == LL_OK)
            status = ask_designs(out, &small, curator, truth, error);
    }
    ll_curator_destroy(curator);
    ll_scorer_destroy(scorer);
    return status;
}

/* ---- what the release adds ---- */

/* Rounding of a normal number to a grid that is wide beside its deviation: the linear part of it has gain k, the rest
 * a variance D (Bussgang 1952); what counts is D / k^2. `place` is the mean in units of the grid. */
static double wide_rounding(double grid, double place, double deviation)
{
    enum { STEPS = 2000 };
    double mean = 0, square = 0, product = 0, mass = 0;
    for (int i = 0; i < STEPS; i++) {
        double z = 12 * (i + 0.5) / STEPS - 6, weight = exp(-z * z / 2);
        double rounded = grid * (round(place + deviation * z / grid) - place);
        mass += weight;
        mean += weight * rounded;
        square += weight * rounded * rounded;
        product += weight * rounded * z;
    }
    mean /= mass;
    double gain = product / mass / deviation, part = gain * deviation, rest = square / mass - mean * mean - part * part;
    return gain > 1e-6 && rest > 0 ? rest / (gain * gain) : INFINITY;
}

static double grid_of(const ll_channel *c, double mean)
{
    double digits = c->digits > 0 && mean != 0 ? pow(10, floor(log10(fabs(mean))) + 1 - c->digits) : 0;
    return fmax(c->grid, digits);
}

/* Variance that noise and rounding add to an answer of that deviation. Cutting digits off is rounding half a step
 * lower: the worse of both is taken. */
static double release_variance(const ll_channel *c, double mean, double deviation)
{
    const ll_law *law = c->noise != NULL && c->noise->of_spread != NULL ? c->noise->of_spread : c->noise;
    double size = c->noise_size > 0 ? c->noise_size : c->proportion * deviation;
    double noise = law == NULL ? 0 : (ll_law_is_random(law) ? law->variance : 1.0 / 3) * size * size;
    double grid = grid_of(c, mean), whole = sqrt(noise + deviation * deviation);
    if (grid <= whole)
        return noise + grid * grid / 12;
    return noise + fmax(wide_rounding(grid, mean / grid, whole), wide_rounding(grid, mean / grid - 0.5, whole));
}

/* ---- the forecast ---- */

/* The variance with which each row's gain is seen: t = (noise + V t / (V + t)) / r, the largest solution from above. */
static double fixed_point(double noise, double variance, double ratio)
{
    double t = (noise + variance) / ratio;
    for (int i = 0; i < 2000; i++) {
        double next = (noise + variance * t / (variance + t)) / ratio;
        if (t - next < 1e-12 * t)
            break;
        t = next;
    }
    return fmax(t, 1e-12 * variance);
}

/* The label that a gain seen speaks for, and its prior. */
static long likeliest_label(const double *gains, const double *odds, long classes, double seen, double variance)
{
    long best = 0;
    double most = -INFINITY;
    for (long k = 0; k < classes; k++) {
        double off = seen - gains[k], log_odds = odds[k] - off * off / (2 * variance);
        if (log_odds > most) {
            most = log_odds;
            best = k;
        }
    }
    return best;
}

static double share_right(const double *gains, const double *odds, long classes, double variance)
{
    long steps = (long)fmin(4000, fmax(200, 2e6 / (double)(classes * classes)));
    double right = 0, mass = 0;
    for (long i = 0; i < steps; i++) {
        double z = 14 * ((double)i + 0.5) / (double)steps - 7, weight = exp(-z * z / 2);
        mass += weight;
        for (long k = 0; k < classes; k++)
            if (likeliest_label(gains, odds, classes, gains[k] + sqrt(variance) * z, variance) == k)
                right += weight * exp(odds[k]);
    }
    return right / mass;
}

/* What a row of each label moves an answer of all rows, and how likely it is; the variance of the first, and that of
 * what noise, rounding and the rest add to an answer. */
typedef struct {
    double gains[MOST_CLASSES], odds[MOST_CLASSES], variance, noise;
} prospect;

static void find_prospect(prospect *out, const calibration *small, const ll_trial *t)
{
    const ll_channel *c = t->channel;
    double mean = 0, rows = (double)c->rows, scale = (double)small->rows / rows;
    for (long k = 0; k < c->classes; k++) {
        double share = ll_label_share(t->scorer, c->classes, k);
        out->gains[k] = gain_of(small, k) * scale;
        out->odds[k] = log(fmax(share, 1e-300));
        mean += share * out->gains[k];
    }
    out->variance = 0;
    for (long k = 0; k < c->classes; k++)
        out->variance += exp(out->odds[k]) * (out->gains[k] - mean) * (out->gains[k] - mean);
    out->noise = small->rest * scale + release_variance(c, small->mean, sqrt(rows * out->variance));
}

/* Two answers are counted off, for the constant and the number of rows of a label. */
static double count_answers(const ll_channel *c)
{
    return fmin(c->queries - 2, MOST_QUERIES);
}

static void forecast(ll_tried *out, const prospect *p, const ll_channel *c)
{
    double rows = (double)c->rows, seen = fixed_point(p->noise / rows, p->variance, count_answers(c) / rows);
    double share = fmax(c->guess, share_right(p->gains, p->odds, c->classes, seen));
    *out = (ll_tried){.share = share, .error = 0.02 * (share - c->guess)};
}

/* ---- few rows of two classes: every labelling is weighed ---- */

enum { FEW_ROWS = 10, FEW_RUNS = 64, FEW_ANSWERS = 24, LABELLINGS = 1 << FEW_ROWS };

/* log of how likely it is before any answer; -infinity where it has not the counts that were told. */
static double log_before(const prospect *p, const ll_trial *t, long labelling)
{
    long ones = __builtin_popcountl((unsigned long)labelling), rows = t->channel->rows;
    if (t->scorer->counts != NULL)
        return ones == t->scorer->counts[1] ? 0 : -INFINITY;
    return (double)ones * p->odds[1] + (double)(rows - ones) * p->odds[0];
}

static double sum_of(const prospect *p, long labelling, long signs, long rows)
{
    double sum = 0;
    for (long i = 0; i < rows; i++)
        sum += (signs >> i & 1 ? 1 : -1) * p->gains[labelling >> i & 1];
    return sum;
}

/* What the best reading of one run's answers is expected to get: of each row the likelier label. */
static double weigh_run(const prospect *p, const ll_trial *t, const int32_t *truth, long run)
{
    long rows = t->channel->rows, count = 1L << rows, answers = (long)fmin(count_answers(t->channel), FEW_ANSWERS);
    double weights[LABELLINGS], ones[FEW_ROWS] = {0}, most = -INFINITY, mass = 0, right = 0;
    double noise = fmax(p->noise, 1e-9 * p->variance);
    long true_one = 0;
    for (long i = 0; i < rows; i++)
        true_one |= (long)truth[i] << i;
    for (long l = 0; l < count; l++)
        weights[l] = log_before(p, t, l);
    for (long q = 0; q < answers; q++) {
        uint64_t stream = STREAM + (uint64_t)(run * FEW_ANSWERS + q);
        long signs = (long)ll_random_below(t->seed, stream, 0, (uint64_t)count);
        double answer = sum_of(p, true_one, signs, rows) + sqrt(noise) * ll_random_gaussian(t->seed, stream, 1);
        for (long l = 0; l < count; l++) {
            double off = answer - sum_of(p, l, signs, rows);
            weights[l] -= off * off / (2 * noise);
        }
    }
    for (long l = 0; l < count; l++)
        most = fmax(most, weights[l]);
    for (long l = 0; l < count; l++) {
        double weight = exp(weights[l] - most);
        mass += weight;
        for (long i = 0; i < rows; i++)
            ones[i] += l >> i & 1 ? weight : 0;
    }
    for (long i = 0; i < rows; i++)
        right += fmax(ones[i], mass - ones[i]) / mass / (double)rows;
    return right;
}

static void weigh_few(ll_tried *out, const prospect *p, const ll_trial *t)
{
    int32_t truth[FEW_ROWS];
    double mean = 0, square = 0;
    for (long run = 0; run < FEW_RUNS; run++) {
        ll_trial_labels(t, truth, (uint64_t)run);
        double right = weigh_run(p, t, truth, run);
        mean += right / FEW_RUNS;
        square += right * right / FEW_RUNS;
    }
    double gained = fmax(0, mean - t->channel->guess), chance = fmax(0, square - mean * mean) / (FEW_RUNS - 1);
    *out = (ll_tried){.runs = FEW_RUNS, .share = mean, .error = sqrt(chance + 0.02 * 0.02 * gained * gained)};
}

double ll_designs_work(const ll_trial *t)
{
    const ll_channel *c = t->channel;
    int is_plain = ll_trial_rows_alike(t) && !ll_release_is_history(&t->scorer->release);
    long fewest = c->is_sum ? FEWEST : FEWEST_OTHERS;
    if (!is_plain || c->numbers > 0 || c->queries < FEWEST || c->rows < fewest || c->classes > MOST_CLASSES)
        return 0;
    return (double)ROWS * ANSWERS * fmin(c->cost, 100);
}

/* The error is that of a forecast: what simulations differ from it by (tests/exhaustive/x-designs.c). */
ll_status ll_designs_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    calibration small;
    ll_status status = calibrate(&small, t, error);
    if (status != LL_OK)
        return status == LL_MEMORY ? status : LL_UNABLE;
    prospect p;
    find_prospect(&p, &small, t);
    *out = (ll_tried){.share = t->channel->guess};
    int is_open = p.variance > 0 && isfinite(p.noise);
    if (is_open && t->channel->rows <= FEW_ROWS && t->channel->classes == 2)
        weigh_few(out, &p, t);
    else if (is_open)
        forecast(out, &p, t->channel);
    out->attack = "random designs";
    return LL_OK;
}
