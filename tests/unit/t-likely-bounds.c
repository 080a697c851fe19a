/* Quantiles of random noise, against closed forms and simulated draws. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "number/random.h"
#include "planner/planner.h"
#include "release/laws.h"
#include "scorer_tools.h"

static uint64_t seed = 99;

static void closed_forms(void **state)
{
    (void)state;
    for (double p = 0.5; p > 1e-12; p /= 7) {
        double x = ll_law_quantile(&ll_law_laplace, 3, 1, p); /* P(|L| > x) = exp(-x/3) */
        assert_true(exp(-x / 3) <= p && x < -3 * log(p) * (1 + 1e-6));
        x = ll_law_quantile(&ll_law_laplace, 1, 2, p) * 2; /* sum of two: exp(-y) (1 + y/2) */
        double tail = exp(-x) * (1 + x / 2);
        assert_true(tail <= p && tail > p * (1 - 1e-5));
        x = ll_law_quantile(&ll_law_gaussian, 2, 9, p);
        tail = erfc(x * 1.5 * M_SQRT1_2);
        assert_true(tail <= p && tail > p * (1 - 1e-5));
    }
}

/* Averages over r draws leave the bound as often as they should. */
static void simulated(void **state)
{
    (void)state;
    static const long repeats[] = {1, 3, 10, 40};
    for (int i = 0; i < 8; i++) {
        long r = repeats[i / 2], draws = 5000, beyond = 0;
        const ll_law *kind = i % 2 ? &ll_law_laplace : &ll_law_gaussian;
        double bound = ll_law_quantile(kind, 1, r, 0.05);
        for (long d = 0; d < draws; d++) {
            double sum = 0;
            for (long j = 0; j < r; j++)
                sum += kind == &ll_law_laplace ? ll_random_laplace(seed, (uint64_t)i, (uint64_t)(d * r + j))
                                               : ll_random_gaussian(seed, (uint64_t)i, (uint64_t)(d * r + j));
            beyond += fabs(sum / (double)r) > bound;
        }
        assert_true(fabs((double)beyond / (double)draws - 0.05) < 0.0155); /* five standard errors */
    }
}

/* Far out and for many repeats it is near the Gaussian's, and never below it, be the chance ever so small. */
static void many_repeats(void **state)
{
    (void)state;
    for (double p = 1e-9; p > 1e-40; p *= 1e-10)
        for (long r = 64; r <= LL_LAW_REPEATS; r *= 4) {
            double laplace = ll_law_quantile(&ll_law_laplace, 1, r, p);
            double gaussian = ll_law_quantile(&ll_law_gaussian, M_SQRT2, r, p);
            assert_true(laplace >= gaussian && laplace < 1.5 * gaussian);
        }
}

/* The mean of 1024 numbers that add up to just under 2^11: errors of a tree of additions and of the division, drawn
 * uniformly, leave the bound no more often than they may, and nearly as often. */
static void uniform_errors(void **state)
{
    (void)state;
    ll_computation how = {.order = LL_SUM_PAIRWISE, .total.format = {11, 52}};
    ll_plan plan = {.rows = 1024, .bounds = {.failure = 1e-3, .shared = 1}, .scoring.how = &how};
    ll_scorer *quiet = scorer_of_text("arithmetic=fp64");
    plan.scorer = quiet;
    const double last = 0x1p-43, mean = 0x1p-43; /* half of the last bit of 2^11 - 1, and of (2^11 - 1) / 1024 */
    double bound = ll_likely_rounding(&plan, 2047), deviation = sqrt((2 * last * last + mean * mean) / 3);
    long draws = 60000, beyond = 0;
    for (long d = 0; d < draws; d++) {
        uint64_t at = 0;
        double sum = mean * (2 * ll_random_uniform(seed, (uint64_t)d, at++) - 1);
        for (int level = 0; level < 6; level++)
            for (int i = 0; i < 1 << level; i++)
                sum += ldexp(last, -level) * (2 * ll_random_uniform(seed, (uint64_t)d, at++) - 1);
        beyond += fabs(sum) > bound;
    }
    assert_true(beyond <= 60 + 5 * 8 && beyond >= 3);
    plan.bounds.failure = 1e-9; /* far out there is less than a Gaussian has, and a bound on everything */
    assert_true(ll_likely_rounding(&plan, 2047) < ll_law_quantile(&ll_law_gaussian, deviation, 1, 1e-9));
    how.order = LL_SUM_EXACT;
    plan.bounds.failure = 1e-300;
    assert_true(ll_likely_rounding(&plan, 2047) < (last + mean) * (1 + 1e-5));
    ll_scorer_destroy(quiet);
}

/* Noise passes the bound that a plan treats it by in one of its queries with at most half the failure asked for. */
static void plans(void **state)
{
    (void)state;
    static const char *const laws[] = {"gaussian", "laplace"};
    static const double failures[] = {1e-2, 1e-4, 1e-6};
    long made = 0;
    for (int i = 0; i < 6; i++) {
        ll_scorer *s = scorer_of_text("metric=squared; arithmetic=fp64; rows=24; noise=%s:1e-6", laws[i % 2]);
        ll_plan_request request;
        ll_plan *plan;
        ll_error error = {0};
        ll_plan_request_init(&request);
        request.failure = failures[i / 2];
        request.guarantee = LL_LIKELY;
        request.code = "detecting";
        assert_int_equal(ll_plan_create(&plan, s, &request, &error), LL_OK);
        double x = plan->bounds.bound / 1e-6, queries = (double)ll_plan_distinct(plan);
        assert_int_equal(plan->bounds.repeats, 1);
        double tail = i % 2 ? exp(-x) : erfc(x * M_SQRT1_2);
        assert_true(plan->bounds.bound > 0 && queries * tail <= request.failure / 2);
        made++;
        ll_plan_destroy(plan);
        ll_scorer_destroy(s);
    }
    assert_int_equal(made, 6);
}

/* Every law of the table that has them: tail, quantile and variance are those of one density. */
static void test_laws(void **state)
{
    enum { DRAWS = 200000 };
    (void)state;
    for (long i = 0; ll_law_get(i) != NULL; i++) {
        const ll_law *law = ll_law_get(i);
        if (law->quantile == NULL)
            continue;
        double variance = 0;
        for (long n = 0; n < DRAWS; n++) {
            double x = law->quantile(((double)n + 0.5) / DRAWS);
            variance += x * x / DRAWS;
        }
        assert_true(fabs(variance / law->variance - 1) < 1e-3);
        for (double x = 0.125; x < 4; x *= 2) {
            double inside = exp(law->log_chance(-x, x)), below = 0.5 + inside / 2;
            assert_true(fabs(law->tail(x, 1) - (1 - inside)) < 1e-9);
            assert_true(fabs(law->quantile(below) - x) < 1e-6);
        }
    }
}

int main(void)
{
    if (getenv("LL_TEST_SEED"))
        seed = strtoull(getenv("LL_TEST_SEED"), NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms),   cmocka_unit_test(simulated),
                                       cmocka_unit_test(test_laws),      cmocka_unit_test(many_repeats),
                                       cmocka_unit_test(uniform_errors), cmocka_unit_test(plans)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
