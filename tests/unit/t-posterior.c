/* Soft decoding: the transform against its definition, moments against sums over a fine grid, message passing against
 * the truth, its calibration, and the forecast. Seeds: LL_TEST_SEED; LL_TEST_MULTIPLIER for more draws. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "code_tools.h"
#include "number/random.h"
#include "posterior/posterior.h"
#include "release/laws.h"
#include "row_tally.h"
#include "strategy/averages/hadamard.h"

static uint64_t seed = 20261;
static long multiplier = 1;

/* ---- transform ---- */

static void transform_is_its_definition(void **state)
{
    (void)state;
    for (int bits = 0; bits <= 9; bits++) {
        long n = 1L << bits;
        double *x = malloc(sizeof *x * (size_t)n), *y = malloc(sizeof *y * (size_t)n);
        for (long i = 0; i < n; i++)
            x[i] = y[i] = (double)ll_random_below(seed, 1, (uint64_t)(i + n), 2001) - 1000;
        ll_posterior_transform(y, bits);
        for (long j = 0; j < n; j++) {
            double sum = 0;
            for (long i = 0; i < n; i++)
                sum += __builtin_parityl((unsigned long)(i & j)) ? -x[i] : x[i];
            assert_true(sum == y[j]);
        }
        free(x);
        free(y);
    }
}

/* ---- moments ---- */

/* Probability that noise of this kind lies below x. */
static double below(const ll_posterior_noise *noise, double x)
{
    if (noise->law == NULL)
        return x > 0;
    if (noise->law == &ll_law_gaussian)
        return erfc(-x / noise->size * M_SQRT1_2) / 2;
    return x < 0 ? exp(x / noise->size) / 2 : 1 - exp(-x / noise->size) / 2;
}

/* The same by a sum over a fine grid. */
static void slow_moments(ll_observed *out, const ll_posterior_noise *noise, double low, double high, double mean,
                         double deviation)
{
    enum { STEPS = 200000 };
    double mass = 0, first = 0, second = 0;
    for (int i = 0; i <= STEPS; i++) {
        double t = -12 + 24.0 * i / STEPS, z = mean + deviation * t;
        double p = exp(-t * t / 2) * (below(noise, high - z) - below(noise, low - z));
        mass += p;
        first += p * t;
        second += p * t * t;
    }
    first /= mass;
    out->mean = mean + deviation * first;
    out->variance = deviation * deviation * (second / mass - first * first);
    out->log_mass = log(mass * 24.0 / STEPS / sqrt(2 * M_PI));
}

static void moments_are_those_of_a_grid(void **state)
{
    (void)state;
    static const ll_law *const kinds[] = {NULL, &ll_law_gaussian, &ll_law_laplace};
    ll_quadrature rule;
    ll_quadrature_init(&rule);
    for (long i = 0; i < 60; i++) {
        uint64_t c = 16 * (uint64_t)i;
        ll_posterior_noise noise = {kinds[i % 3], exp(3 * ll_random_gaussian(seed, 2, c) / 2)};
        double deviation = exp(ll_random_gaussian(seed, 2, c + 1)), mean = 3 * ll_random_gaussian(seed, 2, c + 2);
        double low = mean + 2 * deviation * ll_random_gaussian(seed, 2, c + 3);
        double high = low + deviation * exp(2 * ll_random_gaussian(seed, 2, c + 4));
        ll_observed quick, slow;
        ll_law_observe(noise.law, &rule, &quick, noise.size, low, high, mean, deviation);
        slow_moments(&slow, &noise, low, high, mean, deviation);
        assert_true(fabs(quick.mean - slow.mean) < 2e-3 * deviation);
        assert_true(fabs(quick.variance - slow.variance) < 2e-3 * deviation * deviation);
        assert_true(fabs(quick.log_mass - slow.log_mass) < 2e-2 + 1e-3 * fabs(slow.log_mass));
    }
}

/* Intervals of no width, far away, endless. */
static void moments_at_corners(void **state)
{
    (void)state;
    ll_quadrature rule;
    ll_observed known;
    ll_posterior_noise none = {NULL, 0}, gaussian = {&ll_law_gaussian, 2}, laplace = {&ll_law_laplace, 2};
    ll_quadrature_init(&rule);
    ll_law_observe(none.law, &rule, &known, none.size, 50, 51, 0, 1); /* an exponential of rate 50 from 50 on */
    assert_true(fabs(known.mean - 50.02) < 1e-3 && fabs(known.variance - 4e-4) < 1e-5);
    ll_law_observe(none.law, &rule, &known, none.size, -1e9, 1e9, 3, 1);
    assert_true(fabs(known.mean - 3) < 1e-9 && fabs(known.variance - 1) < 1e-6 && fabs(known.log_mass) < 1e-6);
    ll_law_observe(none.law, &rule, &known, none.size, 1, 1 + 1e-12, 0, 1e6);
    assert_true(fabs(known.mean - 1) < 1e-11 && fabs(known.variance - 1e-24 / 12) < 1e-26);
    ll_law_observe(gaussian.law, &rule, &known, gaussian.size, 5, 5, 0, 1); /* mean 5 * 1/5, variance 4/5 */
    assert_true(fabs(known.mean - 1) < 1e-12 && fabs(known.variance - 0.8) < 1e-12);
    ll_law_observe(laplace.law, &rule, &known, laplace.size, 1000, 1000, 0,
                   1); /* the tilt of 1/2 is all that is left */
    assert_true(fabs(known.mean - 0.5) < 1e-9 && fabs(known.variance - 1) < 1e-6);
    ll_law_observe(laplace.law, &rule, &known, laplace.size, 0, 0, 0, 1e6); /* the noise itself */
    assert_true(fabs(known.mean) < 1e-6 && fabs(known.variance / 8 - 1) < 1e-4);
}

/* ---- message passing ---- */

typedef struct {
    ll_posterior_problem problem;
    ll_code *code;
    int32_t *labels;
    double *low, *high, *shares, *sums;
    unsigned char *answered;
} world;

typedef struct {
    long rows, classes, queries;
    double grid, place;
    ll_posterior_noise noise;
    const double *prior;
} setting;

static double draw_noise(const ll_posterior_noise *noise, uint64_t s, long q)
{
    if (noise->law == NULL)
        return 0;
    return noise->size * (noise->law == &ll_law_gaussian ? ll_random_gaussian(s, 4, (uint64_t)q)
                                                         : ll_random_laplace(s, 4, (uint64_t)q));
}

static int32_t draw_label(const setting *t, uint64_t s, long row)
{
    double u = ll_random_uniform(s, 3, (uint64_t)row), sum = 0;
    int32_t k = 0;
    for (; k < t->classes - 1; k++) {
        sum += t->prior != NULL ? t->prior[k] : 1 / (double)t->classes;
        if (u < sum)
            break;
    }
    return k;
}

static void make_world(world *w, const setting *t, uint64_t s, int is_random)
{
    *w = (world){0};
    assert_int_equal(create_code(&w->code, "hadamard", t->rows, t->classes, NULL, t->queries, NULL), LL_OK);
    if (is_random)
        ll_hadamard_set_random(w->code, s);
    else
        ll_hadamard_set_seed(w->code, s);
    const ll_hadamard *h = ll_hadamard_get(w->code);
    w->labels = malloc(sizeof *w->labels * (size_t)t->rows);
    w->low = malloc(sizeof *w->low * (size_t)t->queries);
    w->high = malloc(sizeof *w->high * (size_t)t->queries);
    w->sums = malloc(sizeof *w->sums * (size_t)t->queries);
    w->answered = malloc((size_t)t->queries);
    w->shares = malloc(sizeof *w->shares * (size_t)(t->rows * t->classes));
    memset(w->answered, 1, (size_t)t->queries);
    w->problem = (ll_posterior_problem){.rows = t->rows,
                                        .classes = t->classes,
                                        .queries = t->queries,
                                        .groups = h->groups,
                                        .kinds = ll_hadamard_kinds,
                                        .self = w->code,
                                        .is_random = is_random,
                                        .bits = h->bits,
                                        .columns = h->columns,
                                        .lines = h->lines,
                                        .low = w->low,
                                        .high = w->high,
                                        .answered = w->answered,
                                        .noise = t->noise,
                                        .prior = t->prior};
    for (long row = 0; row < t->rows; row++)
        w->labels[row] = draw_label(t, s, row);
    assert_int_equal(ll_posterior_sums(&w->problem, w->sums, w->labels), LL_OK);
    for (long q = 0; q < t->queries; q++) {
        double z = w->sums[q] / 2 + draw_noise(&t->noise, s, q);
        double at = t->grid > 0 ? (round(z / t->grid + t->place) - t->place) * t->grid : z;
        w->low[q] = at - t->grid / 2;
        w->high[q] = at + t->grid / 2;
    }
}

static void clear_world(world *w)
{
    ll_code_destroy(w->code);
    free(w->labels);
    free(w->low);
    free(w->high);
    free(w->sums);
    free(w->answered);
    free(w->shares);
}

/* Sums by ll_posterior_sums are sums of the code's signs. */
static void sums_are_those_of_the_code(void **state)
{
    (void)state;
    for (long i = 0; i < 8; i++) {
        setting t = {.rows = 150, .classes = 2 + i / 2, .queries = 70, .grid = 1};
        world w;
        make_world(&w, &t, seed + (uint64_t)i, i % 2 == 0);
        for (long q = 0; q < t.queries; q++) {
            ll_code view = *w.code;
            double sum = 0;
            view.query = q;
            for (long row = 0; row < t.rows; row++)
                sum += (double)view.row->bounded.level(&view, row, w.labels[row]);
            assert_true(2 * sum - (double)t.rows == w.sums[q]);
        }
        clear_world(&w);
    }
}

/* ---- the certificate ---- */

/* Labellings whose sums all lie in their intervals. */
static long count_fitting(world *w, long rows, long classes)
{
    int32_t labels[16];
    long all = 1, fitting = 0;
    for (long i = 0; i < rows; i++)
        all *= classes;
    for (long n = 0; n < all; n++) {
        int fits = 1;
        for (long i = 0, rest = n; i < rows; i++, rest /= classes)
            labels[i] = (int32_t)(rest % classes);
        assert_int_equal(ll_posterior_sums(&w->problem, w->sums, labels), LL_OK);
        for (long q = 0; q < w->problem.queries && fits; q++)
            fits = !w->answered[q] || (w->sums[q] / 2 >= w->low[q] && w->sums[q] / 2 <= w->high[q]);
        fitting += fits;
    }
    return fitting;
}

/* Intervals of all widths around the truth, up to `most` to either side, at times leaning to one side or towards
 * another labelling, so that this one nearly fits. */
static void draw_intervals(world *w, const setting *t, uint64_t s, double most)
{
    int32_t other[16];
    double *sums = malloc(sizeof *sums * (size_t)t->queries);
    for (long i = 0; i < t->rows; i++)
        other[i] = ll_random_below(s, 5, (uint64_t)i, 3) == 0 ? (w->labels[i] + 1) % (int32_t)t->classes : w->labels[i];
    assert_int_equal(ll_posterior_sums(&w->problem, sums, other), LL_OK);
    assert_int_equal(ll_posterior_sums(&w->problem, w->sums, w->labels), LL_OK);
    for (long q = 0; q < t->queries; q++) {
        double to = (sums[q] - w->sums[q]) / 2;
        int leans = ll_random_below(s, 6, 0, 2) == 0 && ll_random_below(s, 7, (uint64_t)q, 40) > 0;
        double down = most * ll_random_uniform(s, 8, (uint64_t)q), up = most * ll_random_uniform(s, 9, (uint64_t)q);
        w->low[q] = w->sums[q] / 2 - (leans ? fmax(-to, 0) : down);
        w->high[q] = w->sums[q] / 2 + (leans ? fmax(to, 0) : up);
    }
    free(sums);
}

/* Of queries that were not answered nothing is known: what stands in their intervals is no score of these labels. */
static void leave_open(world *w, const setting *t, uint64_t s)
{
    for (long q = 0; q < t->queries; q++)
        if (ll_random_below(s, 10, (uint64_t)q, 4) == 0) {
            w->answered[q] = 0;
            w->low[q] = w->high[q] = w->sums[q] / 2 + (double)(1 + t->rows);
        }
}

static void certificates_are_sound(void **state)
{
    (void)state;
    long proved = 0, only = 0;
    for (long i = 0; i < 4000 * multiplier; i++) {
        setting t = {.rows = 1 + i % 7, .classes = 2 + i % 3 / 2};
        t.rows = t.classes > 2 && t.rows > 4 ? 4 : t.rows;
        t.queries = (t.classes > 2 ? 3L : 1L) << ll_posterior_bits(t.rows + 1);
        if (i % 4 == 1 && t.rows > 1) /* not all lines are asked */
            t.queries -= t.queries / 2;
        world w;
        ll_posterior_proof proof;
        make_world(&w, &t, seed + (uint64_t)i, 0);
        draw_intervals(&w, &t, seed + (uint64_t)i, 0.5 + (double)(i % 11) / 3);
        if (i % 4 == 0)
            leave_open(&w, &t, seed + (uint64_t)i);
        assert_int_equal(ll_posterior_certify(&w.problem, &proof, w.labels), LL_OK);
        long fitting = count_fitting(&w, t.rows, t.classes);
        assert_true(proof.fits && !proof.impossible && fitting >= 1);
        assert_true(!proof.is_only || fitting == 1);
        proved += proof.is_only;
        only += fitting == 1;
        w.answered[0] = 1; /* between two sums: no labels have it */
        w.low[0] = w.high[0] = w.sums[0] / 2 + 0.25;
        assert_int_equal(ll_posterior_certify(&w.problem, &proof, w.labels), LL_OK);
        assert_true(proof.impossible && !proof.fits && !proof.is_only);
        clear_world(&w);
    }
    print_message("%ld of %ld that are the only ones were proved\n", proved, only);
    assert_true(proved > only / 4);
}

/* ---- the probability that all labels are right ---- */

static double log_weight(world *w, const int32_t *labels)
{
    const ll_posterior_problem *p = &w->problem;
    double sum = 0;
    assert_int_equal(ll_posterior_sums(p, w->sums, labels), LL_OK);
    for (long q = 0; q < p->queries; q++)
        sum += ll_posterior_log_chance(p, q, w->sums[q] / 2);
    for (long i = 0; i < p->rows && p->prior != NULL; i++)
        sum += log(p->prior[labels[i]]);
    return sum;
}

/* By Bayes over every labelling there is. */
static double slow_joint(world *w, const int32_t *labels)
{
    const ll_posterior_problem *p = &w->problem;
    double own = log_weight(w, labels), odds = 0;
    int32_t other[8];
    for (long all = (long)pow((double)p->classes, (double)p->rows), n = 0; n < all; n++) {
        for (long i = 0, rest = n; i < p->rows; i++, rest /= p->classes)
            other[i] = (int32_t)(rest % p->classes);
        odds += exp(fmin(log_weight(w, other) - own, 600));
    }
    return 1 / odds;
}

/* Shares of all rows, by Bayes over every labelling there is. */
static void shares_are_bayes(world *w)
{
    const ll_posterior_problem *p = &w->problem;
    double own = log_weight(w, w->labels), sum = 0, each[24] = {0};
    int32_t other[8];
    for (long all = (long)pow((double)p->classes, (double)p->rows), n = 0; n < all; n++) {
        for (long i = 0, rest = n; i < p->rows; i++, rest /= p->classes)
            other[i] = (int32_t)(rest % p->classes);
        double odds = exp(fmin(log_weight(w, other) - own, 600));
        sum += odds;
        for (long i = 0; i < p->rows; i++)
            each[i * p->classes + other[i]] += odds;
    }
    for (long i = 0; i < p->rows * p->classes; i++)
        assert_true(fabs(each[i] / sum - w->shares[i]) < 1e-6);
}

/* What is stated is what is so, however many others there are: all labels together, and each row. */
static void joint_is_bayes(void **state)
{
    (void)state;
    static const double uneven[] = {0.7, 0.3};
    static const setting few[] = {
        {8, 2, 4, 0, 0, {&ll_law_gaussian, 0.6}, NULL}, {8, 2, 8, 0, 0, {&ll_law_gaussian, 0.8}, uneven},
        {8, 2, 16, 0, 0, {&ll_law_laplace, 0.7}, NULL}, {7, 2, 8, 2, 0.5, {NULL, 0}, NULL},
        {8, 2, 8, 1.5, 0, {&ll_law_gaussian, 1}, NULL}, {5, 3, 9, 0, 0, {&ll_law_gaussian, 0.7}, NULL}};
    long between = 0;
    for (long i = 0; i < 40 * (long)(sizeof few / sizeof few[0]); i++) {
        world w;
        double stated;
        make_world(&w, &few[i / 40], seed + (uint64_t)i, (int)(i % 2));
        assert_int_equal(ll_posterior_joint(&w.problem, &stated, w.shares, w.labels), LL_OK);
        double exact = slow_joint(&w, w.labels);
        assert_true(fabs(stated - exact) < 1e-6);
        shares_are_bayes(&w);
        between += exact > 0.01 && exact < 0.99;
        clear_world(&w);
    }
    assert_true(between > 60);
}

/* ---- rows ---- */

/* Rounding and noise in units of the deviation of a sum, where some answers are right and some are not. */
static const struct {
    const char *name;
    double grid;
    ll_posterior_noise noise;
    double least; /* queries, of the rows */
} coarse[] = {{"rounded", 0.3, {NULL, 0}, 0.45},
              {"rounded to one deviation", 1, {NULL, 0}, 0.6},
              {"rounded to three", 3, {NULL, 0}, 1.5},
              {"gaussian", 0, {&ll_law_gaussian, 0.3}, 0.5},
              {"gaussian, rounded", 0.5, {&ll_law_gaussian, 0.5}, 1.5},
              {"laplace", 0, {&ll_law_laplace, 0.3}, 0.6},
              {"laplace, rounded", 0.5, {&ll_law_laplace, 0.5}, 2},
              {"much noise", 0, {&ll_law_gaussian, 2}, 12}};

static void decode_world(row_tally *t, const setting *s, uint64_t n)
{
    world w;
    double probability;
    int32_t given[64];
    make_world(&w, s, n, 1);
    assert_int_equal(ll_posterior_decode(&w.problem, w.shares), LL_OK);
    for (long i = 0; i < s->rows; i++)
        given[i] = w.shares[2 * i + 1] > w.shares[2 * i];
    assert_int_equal(ll_posterior_joint(&w.problem, &probability, w.shares, given), LL_OK);
    for (long i = 0; i < s->rows; i++) /* as likely as all together, and no other label is likelier */
        assert_true(w.shares[2 * i + given[i]] >= fmax(probability, 0.5) - 1e-12);
    row_tally_count(t, w.shares, given, w.labels, s->rows, 2);
    clear_world(&w);
}

/* Rows are right as often as they state, law by law. */
static void rows_are_as_sure_as_they_say(void **state)
{
    (void)state;
    static const long sizes[] = {12, 24, 32, 40, 64};
    long draws = (getenv("LL_TEST_LIGHT") == NULL ? 40 : 5) * multiplier;
    for (size_t l = 0; l < sizeof coarse / sizeof coarse[0]; l++) {
        row_tally t = {0};
        for (long i = 0; i < draws; i++) {
            long rows = sizes[i % 5];
            uint64_t n = seed + 1000 * (uint64_t)l + (uint64_t)i;
            double unit = sqrt((double)rows) / 2, more = 1 + ll_random_uniform(n, 11, 0);
            setting s = {rows,
                         2,
                         (long)ceil((double)rows * coarse[l].least * more),
                         coarse[l].grid * unit,
                         ll_random_uniform(n, 11, 1),
                         coarse[l].noise,
                         NULL};
            s.noise.size *= unit;
            decode_world(&t, &s, n);
        }
        row_level sure = row_tally_sure(&t);
        print_message("%s: %ld rows at 0.999 or more, %.3g wrong stated, %ld wrong\n", coarse[l].name, sure.rows,
                      sure.stated, sure.wrong);
        assert_true(sure.rows > 0);
        row_tally_check(&t, coarse[l].name);
    }
}

/* What is farther off than was searched counts for each row, as its mean over the signs. */
static void rows_hear_of_what_is_far(void **state)
{
    (void)state;
    static const setting some = {40, 2, 42, 0, 0, {&ll_law_gaussian, 1.2}, NULL};
    long far_ones = 0;
    for (uint64_t n = 0; n < 30; n++) {
        world w;
        ll_posterior_nearby near;
        double stated, far, of_row[2], each[80];
        make_world(&w, &some, seed + n, 1);
        assert_int_equal(ll_posterior_decode(&w.problem, w.shares), LL_OK);
        assert_int_equal(ll_posterior_joint(&w.problem, &stated, w.shares, w.labels), LL_OK);
        assert_int_equal(ll_posterior_search(&w.problem, &near, each, w.labels), LL_OK);
        assert_int_equal(ll_posterior_sums(&w.problem, w.sums, w.labels), LL_OK);
        assert_int_equal(ll_posterior_expect_odds(&w.problem, &far, of_row, w.sums, w.labels, near.weight), LL_OK);
        for (long i = 0; i < some.rows && stated >= 0.5; i++) {
            int32_t own = w.labels[i];
            double least = (each[2 * i + !own] + of_row[own]) / (1 + near.odds);
            assert_true(w.shares[2 * i + !own] > fmin(least, 1 - stated) * (1 - 1e-6));
            far_ones += of_row[own] > each[2 * i + !own];
        }
        clear_world(&w);
    }
    assert_true(far_ones > 20);
}

/* Beliefs about sums are Gaussian, sums are whole numbers: one at the end of an interval counts as one in the middle.
 */
static void ends_count_as_much(void **state)
{
    (void)state;
    double low = -1, high = 1.3, from, to;
    ll_posterior_problem p = {.rows = 8, .low = &low, .high = &high};
    ll_posterior_widen(&p, &from, &to, 0);
    assert_true(from == -1.5 && to == 1.5);
    p.rows = 7; /* halves */
    ll_posterior_widen(&p, &from, &to, 0);
    assert_true(from == -1 && to == 1);
    p.noise = (ll_posterior_noise){&ll_law_laplace, 1};
    ll_posterior_widen(&p, &from, &to, 0);
    assert_true(from == low && to == high);
}

/* ---- shares ---- */

/* Share of right labels, and the mean of the shares given to the labels chosen. */
static double share_right(world *w, double *claimed)
{
    const ll_posterior_problem *p = &w->problem;
    double right = 0, sum = 0;
    assert_int_equal(ll_posterior_decode(p, w->shares), LL_OK);
    for (long row = 0; row < p->rows; row++) {
        const double *share = w->shares + row * p->classes;
        long best = 0;
        double all = 0;
        for (long k = 0; k < p->classes; k++) {
            best = share[k] > share[best] ? k : best;
            all += share[k];
        }
        assert_true(fabs(all - 1) < 1e-9);
        right += best == w->labels[row];
        sum += share[best];
    }
    *claimed = sum / (double)p->rows;
    return right / (double)p->rows;
}

static const double skewed[] = {0.1, 0.9}, uneven[] = {0.05, 0.15, 0.3, 0.3, 0.1, 0.1};

static const setting sweep[] = {
    {600, 2, 300, 40, 0.5, {0}, NULL},
    {600, 2, 500, 40, 0.5, {0}, NULL},
    {600, 2, 700, 40, 0.25, {0}, NULL},
    {600, 2, 350, 4, 0, {0}, NULL},
    {600, 2, 200, 4, 0.1, {0}, NULL},
    {600, 2, 1024, 20, 0.5, {0}, NULL},
    {600, 2, 1500, 60, 0, {0}, NULL},
    {900, 2, 1500, 0, 0, {&ll_law_gaussian, 30}, NULL},
    {900, 2, 700, 0, 0, {&ll_law_gaussian, 8}, NULL},
    {900, 2, 4000, 0, 0, {&ll_law_laplace, 25}, NULL},
    {900, 2, 800, 0, 0, {&ll_law_laplace, 5}, NULL},
    {900, 2, 1500, 25, 0.5, {&ll_law_gaussian, 8}, NULL},
    {900, 2, 1500, 25, 0.2, {&ll_law_laplace, 8}, NULL},
    {900, 2, 300, 30, 0.5, {0}, skewed},
    {600, 3, 500, 20, 0.5, {0}, NULL},
    {600, 4, 700, 20, 0.3, {0}, NULL},
    {600, 6, 900, 20, 0.5, {0}, NULL},
    {600, 6, 900, 20, 0.5, {0}, uneven},
    {900, 10, 2000, 0, 0, {&ll_law_gaussian, 4}, NULL},
};

/* Right and claimed shares in a few worlds. */
static double average_right(const setting *t, uint64_t s, int is_random, double *claimed)
{
    long draws = 6 * multiplier;
    double right = 0;
    *claimed = 0;
    for (long d = 0; d < draws; d++) {
        world w;
        double claim;
        make_world(&w, t, s + (uint64_t)d, is_random);
        right += share_right(&w, &claim) / (double)draws;
        *claimed += claim / (double)draws;
        clear_world(&w);
    }
    return right;
}

/* All settings where there is time, every fourth one, or two of them (sanitizers). */
static size_t stride(void)
{
    return multiplier > 1 ? 1 : getenv("LL_TEST_LIGHT") == NULL ? 4 : 7;
}

/* Over a sweep: what decoding claims, and what the forecast says, are within two points of what happens. */
static void shares_are_calibrated(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sweep / sizeof sweep[0]; i += stride()) {
        const setting *t = &sweep[i];
        double sylvester, claimed, right = average_right(t, seed + 100 * (uint64_t)i, 0, &sylvester);
        assert_true(fabs(sylvester - right) < 0.02);
        right = average_right(t, seed + 100 * (uint64_t)i, 1, &claimed);
        ll_posterior_forecast forecast;
        ll_posterior_channel channel = {t->rows, t->classes, t->queries, t->grid, t->place, t->noise, t->prior};
        assert_int_equal(ll_posterior_evolve(&forecast, &channel), LL_OK);
        print_message("%4ld x %2ld, %4ld queries: %.3f right, %.3f claimed, %.3f forecast\n", t->rows, t->classes,
                      t->queries, right, claimed, forecast.share);
        assert_true(fabs(claimed - right) < 0.02);
        assert_true(fabs(forecast.share - right) < 0.02);
    }
}

/* Rounding far finer than the noise changes nothing, and where the grid passes the noise's size both ways of averaging
 * agree. The first would need 10^12 intervals one by one. */
static void fine_grids_are_noise(void **state)
{
    (void)state;
    static const ll_law *const kinds[] = {&ll_law_gaussian, &ll_law_laplace};
    for (int i = 0; i < 2; i++) {
        ll_posterior_channel channel = {
            .rows = 500, .classes = 2, .queries = 400, .place = NAN, .noise = {kinds[i], 3}};
        ll_posterior_forecast none, fine, below, above;
        assert_int_equal(ll_posterior_evolve(&none, &channel), LL_OK);
        channel.grid = 3e-12;
        assert_int_equal(ll_posterior_evolve(&fine, &channel), LL_OK);
        channel.grid = kinds[i] == &ll_law_gaussian ? 3 : 0.999;
        assert_int_equal(ll_posterior_evolve(&below, &channel), LL_OK);
        channel.grid *= 1 + 0x1p-20;
        assert_int_equal(ll_posterior_evolve(&above, &channel), LL_OK);
        assert_true(none.share > 0.6 && none.share < 1);
        assert_true(fabs(fine.share - none.share) < 1e-9 && fabs(fine.failure / none.failure - 1) < 1e-5);
        assert_true(fabs(above.share - below.share) < 1e-4);
        assert_true(below.share <= none.share + 1e-9);
    }
}

int main(void)
{
    if (getenv("LL_TEST_SEED"))
        seed = strtoull(getenv("LL_TEST_SEED"), NULL, 10);
    if (getenv("LL_TEST_MULTIPLIER"))
        multiplier = strtol(getenv("LL_TEST_MULTIPLIER"), NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transform_is_its_definition),
        cmocka_unit_test(moments_are_those_of_a_grid),
        cmocka_unit_test(fine_grids_are_noise),
        cmocka_unit_test(moments_at_corners),
        cmocka_unit_test(sums_are_those_of_the_code),
        cmocka_unit_test(certificates_are_sound),
        cmocka_unit_test(joint_is_bayes),
        cmocka_unit_test(rows_are_as_sure_as_they_say),
        cmocka_unit_test(rows_hear_of_what_is_far),
        cmocka_unit_test(ends_count_as_much),
        cmocka_unit_test(shares_are_calibrated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
