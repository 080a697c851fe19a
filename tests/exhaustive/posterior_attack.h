/* Two attacks that know nothing of codes, on answers of any number of numbers. Random submissions of several kinds are
 * scored by a curator of one's own, without noise and rounding. In small worlds this is done for every labelling, and
 * the posterior over them is computed from all numbers of all answers: no attack gets more out of these submissions. In
 * larger worlds of two classes it is done for every single change of a label, and the labels are read off by least
 * squares. */
#ifndef LL_TESTS_POSTERIOR_ATTACK_H
#define LL_TESTS_POSTERIOR_ATTACK_H

#include "descriptions.h"

enum { POSTERIOR_LABELLINGS = 128, POSTERIOR_QUERIES = 24, POSTERIOR_NUMBERS = 12, POSTERIOR_ROWS = 48 };

/* ---- submissions ---- */

/* Where each row lies between the ends, 0 to 1. */
static inline void place_anywhere(double *x, long rows, long query)
{
    (void)query;
    for (long i = 0; i < rows; i++)
        x[i] = uniform();
}

static inline void place_at_ends(double *x, long rows, long query)
{
    (void)query;
    for (long i = 0; i < rows; i++)
        x[i] = (double)below(2);
}

static inline void place_one(double *x, long rows, long query)
{
    for (long i = 0; i < rows; i++)
        x[i] = i == query % rows ? 1 : 0.5;
}

static inline void place_powers(double *x, long rows, long query)
{
    for (long i = 0; i < rows; i++)
        x[i] = 0.5 + ldexp(0.5, -(int)((i + query) % rows));
}

static inline void place_among_others(double *x, long rows, long query)
{
    for (long i = 0; i < rows; i++)
        x[i] = i == query % rows;
}

static void (*const placings[])(double *x, long rows, long query) = {place_anywhere, place_at_ends, place_one,
                                                                     place_powers, place_among_others};
enum { PLACINGS = sizeof placings / sizeof *placings };

static inline long columns_of(const description *d)
{
    int is_one = strcmp(d->input, "number") == 0 || strcmp(d->input, "label") == 0;
    return d->classes == 2 || is_one ? 1 : d->classes;
}

static inline double entry_at(const description *d, double x, double far)
{
    if (strcmp(d->input, "label") == 0)
        return fmin(floor(x * (double)d->classes), (double)d->classes - 1);
    if (strcmp(d->input, "probability") == 0)
        return d->has_clip ? x : 0.01 + 0.98 * x;
    return d->low + (d->high - d->low) * (0.5 + far * (x - 0.5));
}

/* One row: of several columns one, drawn, has the entry, and the others share what is left. */
static inline void write_place(const description *d, double *row, double x, double far)
{
    long columns = columns_of(d), one = below(d->classes);
    double entry = entry_at(d, x, far);
    for (long c = 0; c < columns; c++)
        row[c] = columns == 1 || c == one ? entry : (1 - entry) / (double)(columns - 1);
}

typedef struct {
    long queries, numbers;
    double entries[POSTERIOR_QUERIES][MOST_ROWS * 4];
} design;

static inline void draw_design(design *out, const description *d)
{
    double x[MOST_ROWS], far = strcmp(d->input, "number") == 0 || strcmp(d->input, "logit") == 0
                                   ? ldexp(1, (int)below(below(2) ? 6 : 40))
                                   : 1;
    long placing = below(PLACINGS + 1);
    out->queries = d->queries < POSTERIOR_QUERIES ? d->queries : POSTERIOR_QUERIES;
    for (long q = 0; q < out->queries; q++) {
        placings[placing < PLACINGS ? placing : below(PLACINGS)](x, d->rows, q);
        for (long i = 0; i < d->rows; i++)
            write_place(d, out->entries[q] + i * columns_of(d), x[i], far);
    }
}

/* ---- answers ---- */

/* The numbers of one answer; NAN each where there is none. */
static inline void ask(double *numbers, long count, ll_curator *curator, const description *d, const double *given)
{
    table t;
    ll_score score;
    ll_error error = {0};
    table_set(&t, given, d->rows, columns_of(d), LL_ENTRIES_DOUBLE);
    ll_score_init(&score);
    ll_status status = ll_curator_score(curator, &score, &t.source, &error);
    const char *at = status == LL_OK ? score.text : "";
    for (long n = 0; n < count; n++) {
        char *end;
        double number = strtod(at, &end);
        numbers[n] = end > at ? number : (double)NAN;
        at = end;
    }
    ll_score_clear(&score);
}

/* What a program of these labels says to all of the design: [query * numbers + number]. */
static inline void ask_all(double *numbers, const design *g, const ll_scorer *scorer, const description *d,
                           const int32_t *labels)
{
    ll_curator *curator;
    ll_error error = {0};
    assert_int_equal(ll_curator_create(&curator, scorer, labels, d->rows, &error), LL_OK);
    for (long q = 0; q < g->queries; q++)
        ask(numbers + q * g->numbers, g->numbers, curator, d, g->entries[q]);
    ll_curator_destroy(curator);
}

/* ---- how likely an answer is ---- */

static inline const shown_as *shown_of(const description *d, long number, long numbers)
{
    return (d->kinds & 1 << KIND_SEVERAL) && number == numbers - 1 ? &d->also : &d->first;
}

static inline double size_of(const shown_as *shown)
{
    const char *colon = strchr(shown->noise, ':');
    return colon ? strtod(colon + 1, NULL) : 0;
}

/* P(noise < x), of size 1. */
static inline double noise_below(const shown_as *shown, double x)
{
    if (shown->noise[0] == 'l')
        return x < 0 ? 0.5 * exp(x) : 1 - 0.5 * exp(-x);
    if (shown->noise[0] == 'b')
        return fmin(1, fmax(0, (x + 1) / 2));
    return 0.5 * erfc(-x / M_SQRT2);
}

/* Half of the step to which an answer is rounded. */
static inline double half_step(const shown_as *shown, double answer)
{
    if (shown->decimals >= 0)
        return pow(10, -(double)shown->decimals) / 2;
    return shown->digits > 0 && answer != 0 ? pow(10, floor(log10(fabs(answer))) + 1 - (double)shown->digits) / 2 : 0;
}

/* ln P(answer | score), up to a constant; what is impossible is only very unlikely, as floats are rounded. */
static inline double log_chance(const shown_as *shown, double answer, double score, double size)
{
    double half = half_step(shown, answer), spare = 1e-9 * (1 + fabs(score)), least = 1e-40;
    if (isnan(answer) || isnan(score) || isinf(answer) || isinf(score))
        return isnan(answer) == isnan(score) && isinf(answer) == isinf(score) ? 0 : log(least);
    if (!(size > spare))
        return fabs(answer - score) <= half + spare ? 0 : log(least);
    half = fmax(half, 1e-3 * size);
    double above = noise_below(shown, (answer + half - score) / size);
    return log(fmax(least, above - noise_below(shown, (answer - half - score) / size)));
}

/* ---- every labelling ---- */

typedef struct {
    design design;
    long labellings;
    double prior[POSTERIOR_LABELLINGS];
    double scores[POSTERIOR_LABELLINGS][POSTERIOR_QUERIES * POSTERIOR_NUMBERS];
    double sizes[POSTERIOR_QUERIES * POSTERIOR_NUMBERS];
} posterior;

static inline double prior_of(const description *d, const int32_t *labels)
{
    long seen[4] = {0};
    double chance = 1;
    for (long i = 0; i < d->rows; i++) {
        chance *= d->has_prior ? d->prior[labels[i]] : 1;
        seen[labels[i]]++;
    }
    return d->has_counts ? memcmp(seen, d->counts, sizeof seen) == 0 : chance;
}

/* Noise in proportion to a submission: half of the root of the sum of squares of what each label can move. */
static inline double spread_of(const posterior *p, const description *d, long at)
{
    double sum = 0;
    for (long i = 0, stride = 1; i < d->rows; i++, stride *= d->classes) {
        double most = 0;
        for (long l = 0; l < p->labellings; l++)
            for (long k = 1; k < d->classes - l / stride % d->classes; k++)
                most = fmax(most, fabs(p->scores[l][at] - p->scores[l + k * stride][at]));
        sum += most * most;
    }
    return sqrt(sum) / 2;
}

static inline void make_posterior(posterior *p, const description *d, const ll_scorer *plain)
{
    int32_t labels[MOST_ROWS];
    p->labellings = world_power(d->classes, d->rows);
    for (long l = 0; l < p->labellings; l++) {
        world_labelling(labels, l, d->rows, d->classes);
        p->prior[l] = prior_of(d, labels);
        ask_all(p->scores[l], &p->design, plain, d, labels);
    }
    for (long q = 0; q < p->design.queries; q++)
        for (long n = 0; n < p->design.numbers; n++) {
            const shown_as *shown = shown_of(d, n, p->design.numbers);
            long at = q * p->design.numbers + n;
            p->sizes[at] = size_of(shown) * (shown->noise[0] == 'p' ? spread_of(p, d, at) : 1);
        }
}

static inline void find_beliefs(double *beliefs, const posterior *p, const description *d, const double *answers)
{
    double most = -INFINITY;
    for (long l = 0; l < p->labellings; l++) {
        beliefs[l] = log(p->prior[l]);
        for (long at = 0; at < p->design.queries * p->design.numbers && isfinite(beliefs[l]); at++)
            beliefs[l] += log_chance(shown_of(d, at % p->design.numbers, p->design.numbers), answers[at],
                                     p->scores[l][at], p->sizes[at]);
        most = fmax(most, beliefs[l]);
    }
    for (long l = 0; l < p->labellings; l++)
        beliefs[l] = exp(beliefs[l] - most);
}

/* The likeliest label of each row; the share that is right. */
static inline double run_posterior(const posterior *p, const description *d, const int32_t *truth)
{
    double answers[POSTERIOR_QUERIES * POSTERIOR_NUMBERS], beliefs[POSTERIOR_LABELLINGS], right = 0;
    ask_all(answers, &p->design, d->scorer, d, truth);
    find_beliefs(beliefs, p, d, answers);
    for (long i = 0, stride = 1; i < d->rows; i++, stride *= d->classes) {
        double shares[4] = {0};
        long best = 0;
        for (long l = 0; l < p->labellings; l++)
            shares[l / stride % d->classes] += beliefs[l];
        for (long k = 1; k < d->classes; k++)
            best = shares[k] > shares[best] ? k : best;
        right += best == truth[i];
    }
    return right / (double)d->rows;
}

/* ---- every change of one label, two classes ---- */

typedef struct {
    design design;
    int32_t base[POSTERIOR_ROWS];
    double start[POSTERIOR_QUERIES * POSTERIOR_NUMBERS];
    double slopes[POSTERIOR_ROWS][POSTERIOR_QUERIES * POSTERIOR_NUMBERS]; /* of label 1 against 0 */
} slopes;

static inline void make_slopes(slopes *s, const description *d, const ll_scorer *plain, const int32_t *base)
{
    memcpy(s->base, base, sizeof *base * (size_t)d->rows);
    ask_all(s->start, &s->design, plain, d, s->base);
    for (long i = 0; i < d->rows; i++) {
        s->base[i] = 1 - s->base[i];
        ask_all(s->slopes[i], &s->design, plain, d, s->base);
        s->base[i] = 1 - s->base[i];
        for (long at = 0; at < s->design.queries * s->design.numbers; at++)
            s->slopes[i][at] = (s->slopes[i][at] - s->start[at]) * (s->base[i] ? -1 : 1);
    }
}

/* a x = b by elimination, in place; a is positive definite. */
static inline void solve(double a[POSTERIOR_ROWS][POSTERIOR_ROWS], double *b, long n)
{
    for (long i = 0; i < n; i++)
        for (long j = i + 1; j < n; j++) {
            double by = a[j][i] / a[i][i];
            for (long k = i; k < n; k++)
                a[j][k] -= by * a[i][k];
            b[j] -= by * b[i];
        }
    for (long i = n - 1; i >= 0; i--) {
        for (long k = i + 1; k < n; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
}

/* Least squares, each number in units of its noise, labels drawn towards those guessed at the start. */
static inline double run_slopes(const slopes *s, const description *d, const int32_t *truth)
{
    static double a[POSTERIOR_ROWS][POSTERIOR_ROWS];
    double answers[POSTERIOR_QUERIES * POSTERIOR_NUMBERS], b[POSTERIOR_ROWS] = {0}, right = 0;
    long n = d->rows, count = s->design.queries * s->design.numbers;
    ask_all(answers, &s->design, d->scorer, d, truth);
    memset(a, 0, sizeof a);
    for (long at = 0; at < count; at++) {
        const shown_as *shown = shown_of(d, at % s->design.numbers, s->design.numbers);
        double move = answers[at] - s->start[at], squares = 0;
        for (long i = 0; i < n; i++)
            squares += s->slopes[i][at] * s->slopes[i][at] / 4;
        double size = size_of(shown) * (shown->noise[0] == 'p' ? sqrt(squares) : 1) + half_step(shown, answers[at]);
        double by = 1 / fmax(size * size, 1e-6 * squares);
        for (long i = 0; i < n && isfinite(by * move * squares); i++) {
            b[i] += by * move * s->slopes[i][at];
            for (long j = 0; j < n; j++)
                a[i][j] += by * s->slopes[i][at] * s->slopes[j][at];
        }
    }
    for (long i = 0; i < n; i++)
        a[i][i] += 4; /* a label varies by a quarter */
    solve(a, b, n);
    for (long i = 0; i < n; i++) {
        double middle = fabs(b[i]) > 0.1 ? 0.5 : 0; /* nothing was read: the likeliest */
        long read = middle == 0 ? likeliest(d) : b[i] + (double)s->base[i] > middle;
        right += read == truth[i];
    }
    return right / (double)n;
}

#endif
