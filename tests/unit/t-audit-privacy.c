/* The audit's sensitivity is that of small worlds, and private noise keeps its promise. Full sizes with LL_TEST_LONG.
 */
#include "audit/row_terms.h"
#include "audit_tools.h"
#include "release/laws.h"

/* ---- sensitivity ---- */

/* No row of any predictions depends on its label by more than the reach. */
static void test_reach(void **state)
{
    (void)state;
    long seen[2] = {0};
    for (long p = 0; p < ll_profile_count(); p++)
        for (long classes = 2; classes <= 4; classes++) {
            ll_scorer *s = NULL;
            char text[100];
            ll_channel c;
            ll_error error = {0};
            (void)snprintf(text, sizeof text, "scorer=%s; rows=10; classes=%ld", ll_profile_get_info(p)->name, classes);
            if (try_scorer_text(&s, text, &error) != LL_OK) /* some have two classes only */
                continue;
            assert_int_equal(ll_channel_init(&c, s, &error), LL_OK);
            seen[classes > profile_classes(ll_profile_get_info(p)->name)]++;
            if (!ll_metric_has_terms(s->computation.metric)) { /* no row has a loss of its own */
                ll_scorer_destroy(s);
                continue;
            }
            ll_scoring scoring = {.how = &s->computation, .rows = 1, .classes = classes};
            double most = 0;
            int is_idle = classes == 2 && strcmp(ll_metric_row(s->computation.metric)->classes, "3 or more") == 0;
            for (long i = 0; i < (is_light() ? 60 : 300) * multiplier && isfinite(c.reach); i++) {
                double row[4], terms[4], sum = 0;
                long columns = ll_computation_columns(&s->computation, classes);
                for (long k = 0; k < columns; k++)
                    sum += row[k] = c.is_count ? (double)below(classes) : probability();
                for (long k = 0; k < columns && columns > 1; k++)
                    row[k] = sum > 0 ? row[k] / sum : 1 / (double)classes;
                if (ll_row_terms(&scoring, terms, row, columns, NULL, classes) != LL_OK)
                    continue;
                for (long k = 0; k < classes; k++)
                    for (long j = 0; j < classes; j++)
                        most = fmax(most, terms[k] - terms[j]);
            }
            assert_true(most <= c.reach * (1 + 1e-6));
            if (!is_idle && isfinite(c.reach) && !(most > c.reach * 0.4)) /* it is reached, or nearly */
                fail_msg("%s: reach %g, the most seen %g", text, c.reach, most);
            ll_scorer_destroy(s);
        }
    assert_true(seen[0] == ll_profile_count() && seen[1] > 4);
}

/* Whole scores of small worlds: one label moves the released score by no more than the sensitivity. */
static void test_small_worlds(void **state)
{
    (void)state;
    static const char *const transforms[] = {"identity", "negate", "percent", "root"};
    static const char *const losses[] = {"log-loss", "squared", "norm:2.5", "accuracy"};
    for (int l = 0; l < 4; l++)
        for (int t = 0; t < 4; t++)
            for (long i = 0; i < 30 * multiplier; i++) {
                ll_scorer *s = scorer_of_text("metric=%s; arithmetic=fp64; rows=3; classes=2; transform=%s%s",
                                              losses[l], transforms[t], l == 0 ? "; clip=1e-6; clip-mode=clip" : "");
                ll_channel c;
                ll_error error = {0};
                ll_score score;
                double x[3], scores[8];
                for (int k = 0; k < 3; k++)
                    x[k] = l == 3 ? (double)below(2) : probability();
                assert_int_equal(ll_channel_init(&c, s, &error), LL_OK);
                for (int32_t world = 0; world < 8; world++) {
                    int32_t labels[3] = {world & 1, world >> 1 & 1, world >> 2};
                    ll_score_init(&score);
                    assert_int_equal(score_doubles(&score, s, labels, x, 3, 1, &error), LL_OK);
                    scores[world] = strtod(score.text, NULL);
                    ll_score_clear(&score);
                }
                for (int world = 0; world < 8; world++)
                    for (int row = 0; row < 3; row++)
                        assert_true(fabs(scores[world] - scores[world ^ 1 << row]) <=
                                    c.sensitivity * (1 + 1e-9) + 1e-15);
                ll_scorer_destroy(s);
            }
}

/* ---- privacy ---- */

static void test_epsilon(void **state)
{
    (void)state;
    ll_channel c;
    ll_error error = {0};
    for (long classes = 2; classes < 6; classes++) {
        ll_scorer *s = scorer_of_text("scorer=sklearn-1.1/log_loss; rows=1000; decimals=5; classes=%ld", classes);
        assert_int_equal(ll_channel_init(&c, s, &error), LL_OK);
        ll_scorer_destroy(s);
        double k = (double)classes;
        for (double epsilon = 0.01; epsilon < 20; epsilon *= 2) {
            double share = ll_limit_share_of_epsilon(&c, epsilon);
            assert_true(fabs(share - exp(epsilon) / (exp(epsilon) + k - 1)) < 1e-9);
            if (share < 1 - 1e-6)
                assert_true(fabs(ll_limit_epsilon_of_share(&c, share) - epsilon) < 1e-6 * (1 + exp(epsilon)));
            c.noise = &ll_law_gaussian;
            c.noise_size = ll_limit_gaussian(&c, 77, epsilon, 1e-6);
            assert_true(fabs(ll_limit_epsilon(&c, 77, 1e-6) - epsilon) < 1e-9 * epsilon);
            c.noise = &ll_law_laplace;
            c.noise_size = ll_limit_laplace(&c, 77, epsilon);
            assert_true(fabs(ll_limit_epsilon(&c, 77, 0) - epsilon) < 1e-9 * epsilon);
        }
    }
}

/* Every answer spent on one row, read by the best test there is: success stays below e^eps / (1 + e^eps). */
static double one_row_success(const ll_channel *c, long queries, long runs)
{
    long right = 0;
    for (long run = 0; run < runs; run++) {
        double x = below(2) ? 0.5 : -0.5, odds = 0;
        for (long q = 0; q < queries; q++) {
            int laplace = c->noise == &ll_law_laplace;
            double draw = laplace ? ll_random_laplace(seed, 11, drawn++) : ll_random_gaussian(seed, 11, drawn++);
            double y = x * c->sensitivity + c->noise_size * draw;
            double high = y - c->sensitivity / 2, low = y + c->sensitivity / 2;
            odds += laplace ? (fabs(low) - fabs(high)) / c->noise_size
                            : (low * low - high * high) / (2 * c->noise_size * c->noise_size);
        }
        right += (odds > 0) == (x > 0);
    }
    return (double)right / (double)runs;
}

static void test_private(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (double epsilon = 0.25; epsilon <= 2; epsilon *= 2) {
            ll_scorer *s = profile("sklearn-1.1/log_loss", 500, -1);
            ll_channel c;
            ll_error error = {0};
            long queries = 20, runs = trials(2000, 20000);
            assert_int_equal(ll_channel_init(&c, s, &error), LL_OK);
            ll_scorer_destroy(s);
            c.noise = kind == 0 ? &ll_law_laplace : &ll_law_gaussian;
            c.noise_size = kind == 0 ? ll_limit_laplace(&c, (double)queries, epsilon)
                                     : ll_limit_gaussian(&c, (double)queries, epsilon, 1e-6);
            double cap = exp(epsilon) / (1 + exp(epsilon)), slack = 3.5 * sqrt(0.25 / (double)runs);
            double success = one_row_success(&c, queries, runs);
            assert_true(success <= cap + slack);
            assert_true(success <= ll_limit_private_share(&c, (double)queries) + slack);
        }
}

/* Noise that is proposed does what it says, against the real attack and a real curator. */
static void test_defended_attack(void **state)
{
    (void)state;
    ll_scorer *s = scorer_of_text("scorer=sklearn-1.1/log_loss; rows=300; classes=2; queries=30");
    ll_audit a;
    ll_audit_request request;
    ll_error error = {0};
    ll_audit_request_init(&request);
    request.epsilon = 1;
    ll_audit_init(&a);
    assert_int_equal(ll_audit_run(&a, s, &request, &error), LL_OK);
    for (long d = 0; d < 2; d++) {
        char noise[60];
        const ll_defence *found = defence(&a, d);
        ll_plan_request plan;
        long runs = trials(10, 200);
        double right = 0;
        assert_true(found->verified && found->tried_count > 0);
        assert_string_equal(found->kind, d == 0 ? "laplace" : "gaussian");
        (void)snprintf(noise, sizeof noise, "%s:%.17g", found->kind, found->setting);
        ll_plan_request_init(&plan);
        plan.code = "hadamard";
        plan.guarantee = LL_LIKELY;
        for (long run = 0; run < runs; run++) {
            int32_t labels[300];
            ll_verdict verdict;
            ll_verdict_init(&verdict);
            ll_scorer *noisy = vary_scorer(s, "noise=%s; seed=%llu", noise, (unsigned long long)seed + (unsigned)run);
            if (run_attack(noisy, &plan, &verdict, labels, &error) != LL_OK)
                fail_msg("%s", error.text);
            for (long i = 0; i < 300; i++)
                right += verdict.labels[i] >= 0 ? verdict.labels[i] == labels[i] : 0.5;
            ll_verdict_clear(&verdict);
            ll_scorer_destroy(noisy);
        }
        double share = right / (double)(300 * runs), slack = 3.5 * sqrt(0.25 / (double)(300 * runs));
        printf("%s: attack %.4f, limit %.4f\n", noise, share, found->bound);
        assert_true(share <= exp(1) / (1 + exp(1)) + slack && share <= found->bound + slack);
    }
    ll_audit_clear(&a);
    ll_scorer_destroy(s);
}

int main(void)
{
    read_environment("t-audit-privacy");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reach),   cmocka_unit_test(test_small_worlds),    cmocka_unit_test(test_epsilon),
        cmocka_unit_test(test_private), cmocka_unit_test(test_defended_attack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
