/* The paper's constructions: where a statement fails as printed, the numbers that refute it, and the statement that
 * holds, checked on what this library builds (docs/errata.md). */
#include "paper_tools.h"

#include "metric/metric.h"

#include <flint/flint.h>
#include <limits.h>

/* ---- thm:linear_separable ---- */

/* "Weights above 2^i N tau suffice": N tau = 1, weights 5 and 5 are above 2 and 4, and two labellings are equal. */
static void weights_above_are_not_enough(void **state)
{
    (void)state;
    const double equal[] = {-5, -5}, scaled[] = {-2.5, -5}, unnoised[] = {-1, -1};
    assert_true(paper_lambda("sigmoid-ce", equal, 2, 1) == 0);
    assert_true(paper_lambda("sigmoid-ce", scaled, 2, 1) == 1.25); /* 2^i N tau (1 + 1/4): at least 2 tau = 1 */
    assert_true(paper_lambda("sigmoid-ce", unnoised, 2, 1) == 0);  /* "if tau = 0, above 0 suffices" */
    ll_truth separable;
    assert_true(paper_plan_lambda("sigmoid-ce", "powers", 6, 2, "1000", &separable) >= 2000);
    assert_int_equal(separable, LL_TRUE);
}

/* The proof adds the two sums where it must subtract them. Weights 1, 2, 4, labellings that are not empty: the least
 * sum of two is 3, the least difference 1. */
static void sums_are_subtracted(void **state)
{
    (void)state;
    int added = INT_MAX, subtracted = INT_MAX;
    for (int a = 1; a < 8; a++)
        for (int b = a + 1; b < 8; b++) {
            added = a + b < added ? a + b : added;
            subtracted = b - a < subtracted ? b - a : subtracted;
        }
    assert_int_equal(added, 3);
    assert_int_equal(subtracted, 1);
    const double logits[] = {-1, -2, -4};
    assert_true(fabs(3 * paper_lambda("sigmoid-ce", logits, 3, 1) - subtracted) < 1e-15);
}

/* ---- lem:bregman_is_linear ---- */

static double weight_of(const char *name, const char *x)
{
    ll_metric *loss;
    ll_error error;
    ll_exact number;
    arb_t weight;
    assert_int_equal(ll_metric_create(&loss, name, &error), LL_OK);
    ll_exact_init(&number);
    arb_init(weight);
    assert_int_equal(ll_exact_read(&number, 0, x, strlen(x)), LL_OK);
    assert_int_equal(ll_metric_weight_exact(loss, weight, &number, 64), LL_OK);
    double value = arf_get_d(arb_midref(weight), ARF_RND_NEAR);
    arb_clear(weight);
    ll_exact_clear(&number);
    ll_metric_destroy(loss);
    return value;
}

/* theta (a - b) + phi(1) - phi(0) - a, with a and b the derivatives of phi at 1 and 0: the lemma's N g(theta). */
static double lemma(double a, double b, double theta)
{
    return theta * (a - b) - a; /* phi(0) = phi(1) in all examples */
}

/* phi = x^alpha + (1-x)^alpha, alpha = 2 and 4, at theta = 1/4: the lemma has the wrong sign and then the wrong size;
 * phi(1) - phi(0) - phi'(theta) is right. For KL its a is infinite. */
static void gradient_at_the_prediction(void **state)
{
    (void)state;
    assert_true(lemma(2, -2, 0.25) == -1);
    assert_true(fabs(weight_of("bregman:x^2+(1-x)^2", "0.25") - 1) < 1e-15);
    assert_true(fabs(-(2 * 0.25 - 2 * 0.75) - 1) < 1e-15);
    assert_true(lemma(4, -4, 0.25) == -2);
    assert_true(fabs(weight_of("bregman:x^4+(1-x)^4", "0.25") - 1.625) < 1e-15);
    assert_true(fabs(-4 * (pow(0.25, 3) - pow(0.75, 3)) - 1.625) < 1e-15);
    double p = 1 - 0x1p-50; /* phi'(p) = ln(p/(1-p)) of KL passes every bound as p tends to 1 */
    assert_true(log(p / (1 - p)) > 34);
    assert_true(fabs(weight_of("bregman:x*log(x)+(1-x)*log(1-x)", "0.25") - log(3)) < 1e-15);
}

/* "Strongly convex" leaves the norm-like losses out that the paper attacks: x^4 has second derivative 0 at 0. Strictly
 * convex is enough: weights are monotone. */
static void strictly_convex_is_enough(void **state)
{
    (void)state;
    double before = INFINITY;
    const char *const x[] = {"0", "0x1p-40", "0.1", "0.5", "0.9", "1"};
    for (int i = 0; i < 6; i++) {
        double weight = weight_of("norm:4", x[i]);
        assert_true(weight < before);
        before = weight;
    }
}

/* ---- cor:IS ---- */

static double g_of(double u)
{
    return 2 * sinh(u) - u;
}

/* The corollary cites thm:linear_separable, whose premise is not enough (above); it holds by convexity: G(u) = 2 sinh u
 * - u has G(u_i) - sum of G(u_j), j < i, >= G(u_i) - G(u_i - u_1) >= u_1 = 2 N tau ln 3. */
static void itakura_saito_by_convexity(void **state)
{
    (void)state;
    for (int n = 1; n <= 5; n++)
        for (int t = 0; t < 4; t++) {
            double scale = ldexp(0.01, 2 * t - n), first = 2 * scale * log(3), below = 0;
            for (int i = 1; i <= n; i++) {
                double u = ldexp(scale, i) * log(3), slack = 1e-12 * g_of(u);
                assert_true(fabs((exp(u) - exp(-u) - u) - g_of(u)) <= slack + 1e-15); /* the weight of 1/(1+e^u) */
                assert_true(g_of(u) - below >= g_of(u) - g_of(u - first) - slack);
                assert_true(g_of(u) - g_of(u - first) >= first - slack);
                below += g_of(u);
            }
        }
    double theta[3];
    for (int i = 1; i <= 3; i++)
        theta[i - 1] = 1 / (1 + pow(3, ldexp(0.3, i))); /* N = 3, tau = 0.1 */
    assert_true(paper_lambda("itakura-saito", theta, 3, 1) >= 0.2);
}

/* The weight of the loss is G(ln((1-x)/x)) only with the constant left out; the text's -2 would make it negative, which
 * no divergence is; the appendix's -1 is right. */
static void itakura_saito_constants(void **state)
{
    (void)state;
    double half = 1 / 0.5 + log(0.5);
    assert_true(half - 2 < 0 && half - 1 > 0);
    ll_metric *loss;
    ll_error error;
    assert_int_equal(ll_metric_create(&loss, "itakura-saito", &error), LL_OK);
    assert_string_equal(ll_metric_row(loss)->when_one, "1/x + log(x) - 1");
    ll_metric_destroy(loss);
}

/* The divergence itself, of [p, 1-p] from [x, 1-x], has no value at p = 1: it grows like -ln(1-p). What is left without
 * that is 1/x + ln x + ln(1-x) - 2, of weight 1/x - 1/(1-x): not the paper's loss. */
static double divergence(double p, double x)
{
    return p / x - log(p / x) - 1 + (1 - p) / (1 - x) - log((1 - p) / (1 - x)) - 1;
}

static void itakura_saito_is_no_divergence(void **state)
{
    (void)state;
    double x = 0.2, finite = 1 / x + log(x) + log(1 - x) - 2;
    assert_true(divergence(1 - 1e-8, x) > divergence(1 - 1e-4, x) + 9);
    assert_true(fabs(divergence(1 - 1e-10, x) + log(1e-10) - finite) < 1e-6);
    double of_finite_part = 1 / x - 1 / (1 - x); /* 3.75 */
    assert_true(fabs(weight_of("itakura-saito", "0.2") - (of_finite_part + log(x / (1 - x)))) < 1e-12);
    assert_true(fabs(of_finite_part - weight_of("itakura-saito", "0.2")) > 1.38);
}

/* ---- thm:from_icml, thm:multi_class_proof ---- */

/* 3^(2^i) N tau as printed: N tau = 4, N = 5 has Lambda below 2 tau = 1.6. 3^(2^i N tau) has it. */
static void baseline_exponent(void **state)
{
    (void)state;
    double logits[5];
    for (int i = 1; i <= 5; i++)
        logits[i - 1] = ldexp(log(3), i) + log(4); /* ln(theta/(1-theta)) of theta = t/(1+t) is ln t */
    assert_true(paper_lambda("sigmoid-ce", logits, 5, 1) < 0.12);
    ll_truth separable;
    assert_true(paper_plan_lambda("log-loss", "icml21", 5, 2, "1000", &separable) >= 2000);
    assert_int_equal(separable, LL_TRUE);
}

/* Labels 0..K-1 put into the exponent as they are: Lambda = tau ln 3 < 2 tau. k = 1..K: 2 tau ln 3. */
static void classes_count_from_one(void **state)
{
    (void)state;
    double tau = 0.25, rows = 2, printed[6], right[6];
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 3; k++) {
            printed[3 * n + k] = ldexp(rows * tau * log(3), 3 * n + k);
            right[3 * n + k] = ldexp(rows * tau * log(3), 3 * n + k + 1);
        }
    assert_true(fabs(paper_lambda("softmax-ce", printed, 2, 3) - tau * log(3)) < 1e-12 && log(3) < 2);
    assert_true(fabs(paper_lambda("softmax-ce", right, 2, 3) - 2 * tau * log(3)) < 1e-12);
    ll_truth separable;
    assert_true(paper_plan_lambda("log-loss", "paper-multiclass", 2, 3, "1000", &separable) >= 2000);
    assert_int_equal(separable, LL_TRUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_above_are_not_enough),   cmocka_unit_test(sums_are_subtracted),
        cmocka_unit_test(gradient_at_the_prediction),     cmocka_unit_test(strictly_convex_is_enough),
        cmocka_unit_test(itakura_saito_by_convexity),     cmocka_unit_test(itakura_saito_constants),
        cmocka_unit_test(itakura_saito_is_no_divergence), cmocka_unit_test(baseline_exponent),
        cmocka_unit_test(classes_count_from_one),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
