#include "audit/simulate.h"

#include "number/random.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BITS = 16, MOST_STEPS = 500000, CLIMBS = 5 };

/* ---- averaging ---- */

/* y[j] = sum over i of (-1)^parity(i & j) x[i], in place */
static void transform(double *x, long n)
{
    for (long half = 1; half < n; half *= 2)
        for (long first = 0; first < n; first += 2 * half)
            for (long i = first; i < first + half; i++) {
                double a = x[i], b = x[i + half];
                x[i] = a + b;
                x[i + half] = a - b;
            }
}

/* The mean of `repeats` draws: one normal draw where there are many. */
static double draw_noise(const ll_channel *c, double repeats, uint64_t seed, uint64_t at)
{
    double size = c->noise_size;
    if (c->noise == LL_NOISE_GAUSSIAN)
        return size / sqrt(repeats) * ll_random_gaussian(seed, 1, at);
    if (c->noise == LL_NOISE_LAPLACE)
        return repeats < 2 ? size * ll_random_laplace(seed, 1, at)
                           : size * sqrt(2 / repeats) * ll_random_gaussian(seed, 1, at);
    if (c->noise == LL_NOISE_BOUNDED)
        return repeats < 2 ? size * (2 * ll_random_uniform(seed, 1, at) - 1)
                           : size / sqrt(3 * repeats) * ll_random_gaussian(seed, 1, at);
    return 0;
}

/* One answer: `sum` of labels counted +-1/2, moved by an offset that the submission is free to choose. */
static double answer(const ll_channel *c, double sum, double repeats, uint64_t seed, uint64_t at)
{
    double score = c->sensitivity * sum + draw_noise(c, repeats, seed, at);
    if (c->grid == 0)
        return score;
    double offset = c->grid * ll_random_uniform(seed, 2, at);
    return c->grid * rint((score + offset) / c->grid) - offset;
}

static void draw_labels(double *x, long rows, double guess, uint64_t seed)
{
    for (long i = 0; i < rows; i++)
        x[i + 1] = ll_random_uniform(seed, 0, (uint64_t)i) < guess ? -0.5 : 0.5;
}

/* Right decisions of the best threshold: a label is -1/2 with probability `guess`. */
static long count_right(const double *x, const double *y, long rows, double guess, double variance)
{
    double threshold = variance * log(guess / (1 - guess));
    long right = 0;
    for (long i = 1; i <= rows; i++)
        right += (y[i] > threshold) == (x[i] > 0);
    return right;
}

/* Signs with orthogonal columns: 2^bits answers, again and again, tell 2^bits - 1 rows, which do not disturb each
 * other. */
static ll_status simulate_orthogonal(const ll_channel *c, double *share, double queries, uint64_t seed, ll_error *error)
{
    int bits = (int)fmin(MOST_BITS, floor(log2(fmin(queries, 1e9))));
    while (bits > 1 && ldexp(1, bits - 1) > (double)c->rows)
        bits--;
    long n = 1L << bits, rows = c->rows < n ? c->rows : n - 1;
    double repeats = floor(queries / (double)n), sd = ll_channel_noise_sd(c);
    double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y);
    if (x == NULL || y == NULL) {
        free(x);
        free(y);
        return ll_fail(error, LL_MEMORY, "no memory to simulate %ld answers", n);
    }
    draw_labels(x, rows, c->guess, seed);
    for (long i = 0; i < n; i++)
        y[i] = x[i];
    transform(y, n);
    for (long j = 0; j < n; j++)
        y[j] = answer(c, y[j], repeats, seed, (uint64_t)j);
    transform(y, n);
    for (long i = 0; i < n; i++)
        y[i] /= (double)n * c->sensitivity;
    double variance = sd * sd / (repeats * (double)n * c->sensitivity * c->sensitivity);
    long right = count_right(x, y, rows, c->guess, variance);
    double simulated = (double)right / (double)rows, reached = fmin((double)c->rows, queries - 1);
    if (rows < c->rows && (double)rows < reached)
        reached = fmin(reached, (double)rows * fmax(1, repeats)); /* the same again on other rows */
    *share = (reached * simulated + ((double)c->rows - reached) * c->guess) / (double)c->rows;
    free(x);
    free(y);
    return LL_OK;
}

/* All rows at once: signs at random, so that to each row the others are noise. */
enum { SAMPLED_ROWS = 1024, SAMPLED_ANSWERS = 4096 };

/* What an answer has besides one row's part. */
static double draw_rest(const ll_channel *c, double repeats, uint64_t seed, uint64_t at)
{
    return c->spread / sqrt(repeats) * ll_random_gaussian(seed, 5, at) + draw_noise(c, repeats, seed, at);
}

/* One row read from all answers; the log odds of its label. Laplace noise by the sign of the answers, which tells a
 * small shift best. */
static double read_row(const ll_channel *c, const double *rest, long answers, double repeats, double x, uint64_t seed,
                       uint64_t row)
{
    int by_sign = c->noise == LL_NOISE_LAPLACE && repeats < 2;
    double sum = 0, variance = (c->noise_size * c->noise_size + c->spread * c->spread) / repeats;
    uint64_t bits = 0;
    if (c->noise == LL_NOISE_LAPLACE && !by_sign)
        variance += c->noise_size * c->noise_size / repeats;
    for (long q = 0; q < answers; q++) {
        bits = q % 64 == 0 ? ll_random_bits(seed, 6, row * (SAMPLED_ANSWERS / 64) + (uint64_t)q / 64) : bits >> 1;
        double sign = bits & 1 ? 1 : -1, y = rest[q] + sign * x * c->sensitivity;
        sum += sign * (by_sign ? copysign(c->noise_size, y) : y);
    }
    return sum * c->sensitivity / variance;
}

static double simulate_random(const ll_channel *c, double queries, uint64_t seed)
{
    double rest[SAMPLED_ANSWERS];
    long answers = (long)fmin(queries, SAMPLED_ANSWERS), rows = c->rows < SAMPLED_ROWS ? c->rows : SAMPLED_ROWS;
    double repeats = queries / (double)answers, threshold = log(c->guess / (1 - c->guess));
    long right = 0;
    for (long q = 0; q < answers; q++)
        rest[q] = draw_rest(c, repeats, seed, (uint64_t)q);
    for (long i = 0; i < rows; i++) {
        double x = ll_random_uniform(seed, 7, (uint64_t)i) < c->guess ? -0.5 : 0.5;
        right += (read_row(c, rest, answers, repeats, x, seed, (uint64_t)i) > threshold) == (x > 0);
    }
    return (double)right / (double)rows;
}

/* Is the noise so wide that each row is better read by itself? */
static int is_wide(const ll_channel *c)
{
    int random = c->noise == LL_NOISE_GAUSSIAN || c->noise == LL_NOISE_LAPLACE;
    return random && isfinite(c->spread) && c->noise_size > c->spread;
}

ll_status ll_simulate_averaging(const ll_channel *c, double *share, double queries, uint64_t seed, ll_error *error)
{
    enum { RUNS = 4 };
    ll_status status = LL_OK;
    double orthogonal = 0, random = 0;
    *share = c->guess;
    if (!(queries >= 2) || c->classes != 2 || !isfinite(c->sensitivity) || c->sensitivity <= 0)
        return LL_OK;
    for (uint64_t run = 0; run < RUNS && status == LL_OK; run++) {
        double once = 0;
        if (queries >= 1024 || !is_wide(c)) /* fewer are too few rows to tell a share from chance */
            status = simulate_orthogonal(c, &once, queries, seed + run, error);
        orthogonal += once / RUNS;
        if (is_wide(c))
            random += simulate_random(c, queries, seed + run) / RUNS;
    }
    *share = fmax(c->guess, fmax(orthogonal, random));
    return status;
}

/* ---- the Ladder ---- */

typedef struct {
    const ll_channel *channel;
    int32_t *truth, *current;
    uint64_t seed, drawn;
    double score, released; /* of the last submission that was accepted */
} climb;

static uint64_t draw(climb *w, uint64_t n)
{
    return ll_random_below(w->seed, 3, w->drawn++, n);
}

/* Change `count` labels; the change of the number of right ones. The rows changed, and what they were, are kept. */
static long change(climb *w, long *rows, int32_t *before, long count, long first)
{
    long gain = 0;
    for (long i = 0; i < count; i++) {
        long row = count == 1 ? first : (long)draw(w, (uint64_t)w->channel->rows);
        int32_t shift = 1 + (int32_t)draw(w, (uint64_t)w->channel->classes - 1);
        rows[i] = row;
        before[i] = w->current[row];
        gain -= w->current[row] == w->truth[row];
        w->current[row] = (int32_t)((w->current[row] + shift) % w->channel->classes);
        gain += w->current[row] == w->truth[row];
    }
    return gain;
}

static void undo(climb *w, const long *rows, const int32_t *before, long count)
{
    for (long i = count - 1; i >= 0; i--)
        w->current[rows[i]] = before[i];
}

/* Rows to change at once. n rows move the score by chance as sqrt(n) labels do; a step is worth `needed` of them. */
static long change_size(const ll_channel *c, double step, int size)
{
    double needed = step / c->sensitivity, most = fmax(1, needed * needed * 2);
    double rows = ceil(needed) * pow(fmax(1, most / ceil(needed)), (double)size / (CLIMBS - 1));
    return (long)fmax(1, fmin((double)c->rows / 2, rows));
}

/* Rows one by one, or some at random. The answer shown is rounded, so that one label may stay just short of a step for
 * ever; after some failures in a row two labels are changed at once, until an answer moves on, and the rows that failed
 * are tried again. */
static void run_climb(climb *w, long *rows, int32_t *before, double step, long size, double queries)
{
    const long patience = 6;
    const ll_channel *c = w->channel;
    long limit = (long)fmin(queries, (double)MOST_STEPS / (double)size), next = 0, failures = 0;
    for (long q = 0; q < limit && (size > 1 || next < c->rows * (c->classes - 1)); q++) {
        int stuck = size == 1 && failures >= patience;
        long count = stuck ? 2 : size, gain = change(w, rows, before, count, next % c->rows);
        double score = w->score - c->sensitivity * (double)gain;
        if (score < w->released - step) { /* answered: a new best, rounded to the step */
            w->score = score;
            w->released = step * rint(score / step);
            next = stuck ? (next > patience ? next - patience : 0) : next + 1;
            failures = 0;
        } else {
            undo(w, rows, before, count);
            next += !stuck;
            failures++;
        }
    }
}

static double right_share(const climb *w)
{
    long right = 0;
    for (long i = 0; i < w->channel->rows; i++)
        right += w->current[i] == w->truth[i];
    return (double)right / (double)w->channel->rows;
}

static void draw_truth(climb *w)
{
    const ll_channel *c = w->channel;
    uint64_t others = (uint64_t)c->classes - 1;
    for (long i = 0; i < c->rows; i++) /* class 0 is the one that guessing takes */
        w->truth[i] =
            ll_random_uniform(w->seed, 4, (uint64_t)i) < c->guess ? 0 : 1 + (int32_t)(others > 1 ? draw(w, others) : 0);
}

static double climb_once(climb *w, long *rows, int32_t *before, double step, long size, double queries)
{
    const ll_channel *c = w->channel;
    for (long i = 0; i < c->rows; i++)
        w->current[i] = 0;
    w->score = w->released = c->sensitivity * (double)c->rows * (1 - right_share(w));
    run_climb(w, rows, before, step, size, queries - 1);
    return right_share(w);
}

ll_status ll_simulate_ladder(const ll_channel *c, double *share, double step, double queries, uint64_t seed,
                             ll_error *error)
{
    climb w = {.channel = c, .seed = seed};
    size_t count = (size_t)c->rows;
    *share = c->guess;
    if (!isfinite(c->sensitivity) || !isfinite(queries) || step <= 0)
        return LL_OK;
    long *rows = malloc(count * sizeof *rows);
    int32_t *before = malloc(count * sizeof *before);
    w.truth = calloc(count, sizeof *w.truth);
    w.current = calloc(count, sizeof *w.current);
    ll_status status = LL_OK;
    if (rows == NULL || before == NULL || w.truth == NULL || w.current == NULL) {
        status = ll_fail(error, LL_MEMORY, "no memory to simulate %ld rows", c->rows);
    } else {
        draw_truth(&w);
        for (int size = 0; size < CLIMBS; size++)
            *share = fmax(*share, climb_once(&w, rows, before, step, change_size(c, step, size), queries));
    }
    free(rows);
    free(before);
    free(w.truth);
    free(w.current);
    return status;
}
