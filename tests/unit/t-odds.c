/* The odds of other labellings: likelihoods against sums over a fine grid, labellings near by against all labellings,
 * and the mean over signs against all signs there are. Seeds: LL_TEST_SEED. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "number/random.h"
#include "posterior/posterior.h"
#include "release/laws.h"

enum { ROWS = 7, QUERIES = 6 };
static uint64_t seed = 1312;

/* ---- a small problem ---- */

typedef struct {
    ll_posterior_problem problem;
    uint16_t kinds[QUERIES][ROWS];
    double low[QUERIES], high[QUERIES];
    unsigned char answered[QUERIES];
    int32_t labels[ROWS];
} world;

static void get_kinds(const void *self, uint16_t *out, long query)
{
    const world *w = self;
    memcpy(out, w->kinds[query], sizeof *out * (size_t)w->problem.rows);
}

static int level_of(int kind, long label)
{
    return __builtin_parityl((unsigned long)label & ((unsigned long)kind / 2 + 1)) != (kind & 1);
}

/* z of the labels */
static double sum_of(const uint16_t *kinds, const int32_t *labels, long rows)
{
    double sum = -(double)rows / 2;
    for (long i = 0; i < rows; i++)
        sum += level_of(kinds[i], labels[i]);
    return sum;
}

static const double prior[] = {0.5, 0.2, 0.3, 0};

static void make_world(world *w, uint64_t n, long rows, long classes)
{
    static const ll_law *const laws[] = {NULL, &ll_law_gaussian, &ll_law_laplace};
    int groups = classes == 2 ? 1 : 3;
    double size = 0.3 + 2 * ll_random_uniform(seed, n, 999);
    *w = (world){.problem = {.rows = rows,
                             .classes = classes,
                             .queries = QUERIES,
                             .groups = groups,
                             .kinds = get_kinds,
                             .is_random = 1,
                             .noise = {laws[n % 3], size},
                             .prior = n / 3 % 2 && classes == 3 ? prior : NULL}};
    w->problem.self = w;
    w->problem.low = w->low;
    w->problem.high = w->high;
    w->problem.answered = w->answered;
    for (long i = 0; i < rows; i++)
        w->labels[i] = (int32_t)ll_random_below(seed, n, (uint64_t)i, (uint64_t)classes);
    for (long q = 0; q < QUERIES; q++) {
        for (long i = 0; i < rows; i++)
            w->kinds[q][i] = (uint16_t)ll_random_below(seed, n, (uint64_t)(100 + q * ROWS + i), 2 * (uint64_t)groups);
        double z = sum_of(w->kinds[q], w->labels, rows), u = ll_random_uniform(seed, n, 200 + (uint64_t)q);
        w->answered[q] = q != 2; /* one is missing */
        w->low[q] = z - 2 * u;
        w->high[q] = z + 2 * (1 - u) * (n % 4 != 0) + (n % 4 == 0);
    }
}

/* All labellings in turn. */
static long count_labellings(const ll_posterior_problem *p)
{
    return lrint(pow((double)p->classes, (double)p->rows));
}

static void set_labels(const ll_posterior_problem *p, int32_t *labels, long number)
{
    for (long i = 0; i < p->rows; i++, number /= p->classes)
        labels[i] = (int32_t)(number % p->classes);
}

static double log_prior(const ll_posterior_problem *p, const int32_t *labels)
{
    double sum = 0;
    for (long i = 0; i < p->rows && p->prior != NULL; i++)
        sum += log(p->prior[labels[i]]);
    return sum;
}

static double log_posterior(const world *w, const int32_t *labels)
{
    double sum = log_prior(&w->problem, labels);
    for (long q = 0; q < QUERIES; q++)
        if (w->answered[q])
            sum += ll_posterior_log_chance(&w->problem, q, sum_of(w->kinds[q], labels, w->problem.rows));
    return sum;
}

/* ---- one score ---- */

/* P(z + noise in the interval), by the density of the noise */
static double slow_chance(const ll_posterior_noise *noise, double low, double high, double z)
{
    enum { STEPS = 20000 };
    double sum = 0;
    for (int i = 0; i < STEPS; i++) {
        double e = (low + (high - low) * (i + 0.5) / STEPS - z) / noise->size;
        sum += noise->law == &ll_law_gaussian ? exp(-e * e / 2) / sqrt(2 * M_PI) : exp(-fabs(e)) / 2;
    }
    return sum * (high - low) / STEPS / noise->size;
}

static void chances_are_integrals(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 400; i++) {
        static const ll_law *const laws[] = {&ll_law_gaussian, &ll_law_laplace};
        double low = 4 * ll_random_gaussian(seed, 1, 2 * i), high = low + exp(ll_random_gaussian(seed, 1, 2 * i + 1));
        ll_posterior_problem p = {.rows = 8, .low = &low, .high = &high, .noise = {laws[i % 2], 0.5 + (double)(i % 5)}};
        double slow = slow_chance(&p.noise, low, high, 1), quick = ll_posterior_log_chance(&p, 0, 1);
        if (fabs(exp(quick) - slow) > 1e-5 * slow + 1e-300)
            fail_msg("%d: [%g, %g] / %g: %.9g, by a sum %.9g", (int)(p.noise.law == &ll_law_laplace), low, high,
                     p.noise.size, exp(quick), slow);
    }
    double low = 20, high = 21; /* far out: 20 to 21 deviations */
    ll_posterior_problem p = {.rows = 8, .low = &low, .high = &high, .noise = {&ll_law_gaussian, 1}};
    assert_true(fabs(ll_posterior_log_chance(&p, 0, 0) - -203.9171) < 0.01);
    p.noise.law = NULL;
    assert_true(ll_posterior_log_chance(&p, 0, 20) == 0 && ll_posterior_log_chance(&p, 0, 21) == 0);
    assert_true(ll_posterior_log_chance(&p, 0, 19) == -INFINITY && ll_posterior_log_chance(&p, 0, 22) == -INFINITY);
}

/* ---- near by ---- */

/* So few rows that near by is everywhere: the best of all labellings is found, and its odds are those of all others. */
static void near_by_is_everything(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 120; n++) {
        world w;
        ll_posterior_nearby near;
        int32_t labels[ROWS], other[ROWS];
        double each[3 * ROWS], shares[3 * ROWS] = {0};
        make_world(&w, n, n % 2 ? 5 : 7, n % 2 ? 3 : 2);
        set_labels(&w.problem, labels, (long)(n * 77) % count_labellings(&w.problem));
        assert_int_equal(ll_posterior_search(&w.problem, &near, each, labels), LL_OK);
        assert_true(near.weight == w.problem.rows && near.fits && near.is_complete);
        double own = log_posterior(&w, labels), odds = 0;
        for (long i = 0; i < count_labellings(&w.problem); i++) {
            set_labels(&w.problem, other, i);
            double gain = log_posterior(&w, other) - own;
            assert_true(gain < 1e-6);
            odds += exp(gain);
            for (long r = 0; r < w.problem.rows; r++)
                each[r * w.problem.classes + other[r]] -= other[r] != labels[r] ? exp(gain) : 0;
        }
        for (long i = 0; i < w.problem.rows * w.problem.classes; i++)
            assert_true(fabs(each[i]) < 1e-6 * (1 + odds));
        assert_true(fabs(odds - 1 - near.odds) < 1e-6 * (1 + odds));
        double probability;
        assert_int_equal(ll_posterior_joint(&w.problem, &probability, shares, labels), LL_OK);
        double at_most = fmin(1 / odds, 1 - 1e-9); /* below 1/2 the likeliest labels of all rows are given */
        assert_true(probability <= 1 - 1e-9 && probability <= at_most + 1e-6);
        assert_true(at_most < 0.5 || fabs(probability - at_most) < 1e-6);
    }
}

/* ---- far off ---- */

/* Mean of ratio^(1/(1 + power)) over all kinds of rows that leave the labels their sum in query q. */
static double mean_over_signs(const world *w, const int32_t *other, long q, int power)
{
    const ll_posterior_problem *p = &w->problem;
    uint16_t kinds[ROWS];
    long all = lrint(pow(2 * p->groups, (double)p->rows)), count = 0;
    double z = sum_of(w->kinds[q], w->labels, p->rows), now = ll_posterior_log_chance(p, q, z), sum = 0;
    for (long n = 0; n < all; n++) {
        for (long i = 0, rest = n; i < p->rows; i++, rest /= 2 * p->groups)
            kinds[i] = (uint16_t)(rest % (2 * p->groups));
        if (sum_of(kinds, w->labels, p->rows) != z)
            continue;
        sum += exp((ll_posterior_log_chance(p, q, sum_of(kinds, other, p->rows)) - now) / (1 + power));
        count++;
    }
    return sum / (double)count;
}

/* By weight, the mean odds of all labellings, power 0 and 1; row >= 0: of those that change that row. */
static double slow_odds(const world *w, long above, long row)
{
    const ll_posterior_problem *p = &w->problem;
    double odds[2][ROWS + 1] = {{0}}, all = 0;
    int32_t other[ROWS];
    for (long n = 0; n < count_labellings(p); n++) {
        long weight = 0;
        set_labels(p, other, n);
        for (long i = 0; i < p->rows; i++)
            weight += other[i] != w->labels[i];
        if (row >= 0 && other[row] == w->labels[row])
            continue;
        for (int power = 0; power < 2; power++) {
            double own = exp((log_prior(p, other) - log_prior(p, w->labels)) / (1 + power));
            for (long q = 0; q < QUERIES; q++)
                own *= w->answered[q] ? mean_over_signs(w, other, q, power) : 1;
            odds[power][weight] += own;
        }
    }
    for (long i = above + 1; i <= p->rows; i++)
        all += fmin(odds[0][i], odds[1][i]);
    return all;
}

/* Without a prior the mean is met; with one, passed by what Maclaurin's inequality gives away. */
static void mean_odds_are_those_of_all_signs(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 36; n++) {
        world w;
        double sums[QUERIES], odds, of_row[3];
        long above = (long)(n % 3);
        make_world(&w, n, n % 2 ? 3 : 6, n % 2 ? 3 : 2);
        assert_int_equal(ll_posterior_sums(&w.problem, sums, w.labels), LL_OK);
        for (long q = 0; q < QUERIES; q++)
            assert_true(sums[q] == 2 * sum_of(w.kinds[q], w.labels, w.problem.rows));
        assert_int_equal(ll_posterior_expect_odds(&w.problem, &odds, of_row, sums, w.labels, above), LL_OK);
        double slow = slow_odds(&w, above, -1);
        for (long i = 0; i < w.problem.rows; i++) {
            double one = slow_odds(&w, above, i), told = of_row[w.labels[i]];
            if (told < one * (1 - 1e-9) || (w.problem.prior == NULL && told >= one * (1 + 1e-9) + 1e-12))
                fail_msg("world %lu, row %ld: odds %.9g, by all signs %.9g", (unsigned long)n, i, told, one);
        }
        if (odds < slow * (1 - 1e-9) || (w.problem.prior == NULL && odds >= slow * (1 + 1e-9) + 1e-12))
            fail_msg("world %lu: odds %.9g, by all signs %.9g", (unsigned long)n, odds, slow);
    }
}

/* Shares by a row's own signs: all kinds of the other rows, query by query. */
static double slow_alone(const world *w, long row, int32_t label)
{
    const ll_posterior_problem *p = &w->problem;
    double chance = p->prior != NULL ? p->prior[label] : 1;
    long all = lrint(pow(2 * p->groups, (double)p->rows - 1));
    for (long q = 0; q < QUERIES; q++) {
        double sum = 0;
        for (long n = 0; n < all && w->answered[q]; n++) {
            uint16_t kinds[ROWS];
            int32_t labels[ROWS];
            for (long i = 0, rest = n; i < p->rows; i++) {
                kinds[i] = i == row ? w->kinds[q][row] : (uint16_t)(rest % (2 * p->groups));
                labels[i] = i == row ? label : w->labels[i];
                rest = i == row ? rest : rest / (2 * p->groups);
            }
            sum += exp(ll_posterior_log_chance(p, q, sum_of(kinds, labels, p->rows))) / (double)all;
        }
        chance *= w->answered[q] ? sum : 1;
    }
    return chance;
}

static void own_signs_are_bayes(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 24; n++) {
        world w;
        double shares[3 * ROWS];
        make_world(&w, n, n % 2 ? 4 : 6, n % 2 ? 3 : 2);
        long k = w.problem.classes;
        assert_int_equal(ll_posterior_alone(&w.problem, shares), LL_OK);
        for (long i = 0; i < w.problem.rows; i++) {
            double chances[3], sum = 0;
            for (int32_t label = 0; label < k; label++)
                sum += chances[label] = slow_alone(&w, i, label);
            for (int32_t label = 0; label < k; label++)
                assert_true(fabs(chances[label] / sum - shares[i * k + label]) < 1e-9);
        }
    }
}

/* Errors of no known law: wherever the sum stands in its interval, no less is counted. */
static void any_law_counts_no_less(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 60; n += 3) {
        world w;
        double sums[QUERIES], odds, any;
        make_world(&w, n, 7, 2);
        assert_int_equal(ll_posterior_sums(&w.problem, sums, w.labels), LL_OK);
        assert_int_equal(ll_posterior_expect_odds(&w.problem, &odds, NULL, sums, w.labels, 0), LL_OK);
        w.problem.is_any_law = 1;
        assert_int_equal(ll_posterior_expect_odds(&w.problem, &any, NULL, sums, w.labels, 0), LL_OK);
        assert_true(any >= odds * (1 - 1e-12));
    }
}

/* The forecast is of the order of what answers will state: the mean over drawn worlds of its logarithm. */
static void odds_are_forecast(void **state)
{
    (void)state;
    enum { MANY = 60, WIDE = 40 };
    static double low[MANY], high[MANY], sums[MANY];
    static unsigned char answered[MANY];
    ll_posterior_channel channel = {.rows = WIDE, .classes = 2, .queries = MANY, .noise = {&ll_law_gaussian, 1}};
    double forecast, mean = 0;
    int32_t labels[WIDE] = {0};
    assert_int_equal(ll_posterior_forecast_odds(&channel, &forecast), LL_OK);
    for (uint64_t d = 0; d < 30; d++) {
        ll_posterior_problem p = {.rows = WIDE,
                                  .classes = 2,
                                  .queries = MANY,
                                  .groups = 1,
                                  .low = low,
                                  .high = high,
                                  .answered = answered,
                                  .noise = channel.noise};
        double odds;
        for (uint64_t q = 0; q < MANY; q++) {
            long heavy = __builtin_popcountl(ll_random_bits(seed, 50 + d, q) & 0xFFFFFFFFFFul);
            sums[q] = 2 * (double)heavy - WIDE;
            low[q] = high[q] = sums[q] / 2 + ll_random_gaussian(seed, 150 + d, q);
            answered[q] = 1;
        }
        assert_int_equal(ll_posterior_expect_odds(&p, &odds, NULL, sums, labels, 0), LL_OK);
        mean += log(odds) / 30;
    }
    print_message("log of the odds: %.2f, forecast %.2f\n", mean, log(forecast));
    assert_true(fabs(mean - log(forecast)) < 2);
}

int main(void)
{
    if (getenv("LL_TEST_SEED"))
        seed = strtoull(getenv("LL_TEST_SEED"), NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chances_are_integrals),  cmocka_unit_test(near_by_is_everything),
        cmocka_unit_test(any_law_counts_no_less), cmocka_unit_test(mean_odds_are_those_of_all_signs),
        cmocka_unit_test(own_signs_are_bayes),    cmocka_unit_test(odds_are_forecast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
