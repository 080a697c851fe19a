/* The empirical sections' statements in numbers (docs/errata.md). */
#include "bounds.h"
#include "lossleak/paper.h"
#include "paper_tools.h"

#include <flint/flint.h>

/* Lambda as printed is a minimum over all pairs, equal ones among them: 0 for every function. Over different labellings
 * it is not. */
static void pairs_must_differ(void **state)
{
    (void)state;
    const double logits[] = {1, 2, 4};
    double printed = INFINITY, right = INFINITY;
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++) {
            printed = fmin(printed, abs(a - b) / 3.0);
            right = a == b ? right : fmin(right, abs(a - b) / 3.0);
        }
    assert_true(printed == 0);
    assert_true(fabs(paper_lambda("sigmoid-ce", logits, 3, 1) - right) < 1e-15 && right > 0.3);
}

/* The introduction asks for scores more than 2 tau apart; exactly 2 tau is enough against noise below tau. */
static void exactly_two_tau(void **state)
{
    (void)state;
    const double zero[] = {0};
    paper_rows r = {zero, 1};
    ll_predictions predictions = {.self = &r, .rows = 1, .columns = 1, .entries = LL_ENTRIES_EXACT, .get = paper_get};
    ll_truth separable;
    ll_scorer *enough = scorer_of_text("arithmetic=exact; metric=squared; noise=bounded:0.5"); /* scores 1 and 0 */
    ll_scorer *more = scorer_of_text("arithmetic=exact; metric=squared; noise=bounded:0.5000001");
    assert_true(paper_separate(enough, &predictions, &separable) == 1);
    assert_int_equal(separable, LL_TRUE);
    assert_true(paper_separate(more, &predictions, &separable) == 1);
    assert_int_equal(separable, LL_FALSE);
    ll_scorer_destroy(enough);
    ll_scorer_destroy(more);
}

/* theta' of the sigmoid is said to be in (0,1): it is ln(theta/(1-theta)), negative for every row of
 * thm:multi_class_proof. */
static void logits_are_no_probabilities(void **state)
{
    (void)state;
    for (int i = 1; i <= 3; i++) {
        double first = pow(3, ldexp(0.3, 2 * i - 1)), second = pow(3, ldexp(0.3, 2 * i)),
               theta = first / (first + second);
        assert_true(log(theta / (1 - theta)) < 0);
    }
}

/* The softmax system is said to be fully specified: any constant may be added to a row of logits. And its equations are
 * one a class of a row, not one a row: e^x/theta is constant along a row, and its constant differs from row to row. */
static void a_constant_is_free(void **state)
{
    (void)state;
    const double logits[] = {0.5, 1, 2, 4, 8, 16}, moved[] = {7.5, 8, 9, 1, 5, 13};
    assert_true(paper_lambda("softmax-ce", logits, 2, 3) == paper_lambda("softmax-ce", moved, 2, 3));
    double sums[2] = {0}, constant[2][3];
    for (int i = 0; i < 6; i++)
        sums[i / 3] += exp(logits[i]);
    for (int i = 0; i < 6; i++)
        constant[i / 3][i % 3] = exp(logits[i]) / (exp(logits[i]) / sums[i / 3]);
    assert_true(fabs(constant[0][0] / constant[0][2] - 1) < 1e-12);
    assert_true(constant[1][0] > 1000 * constant[0][0]);
}

/* 2^(NK) N tau bits are those of a fixed-point number: a float's exponent field holds 3^-(2^(NK) N tau) in NK + log2(N
 * tau) + 0.7 bits, here 7 where the count says 64. And a logit needs fewer bits than its probability, not more. */
static void bits_of_a_float(void **state)
{
    (void)state;
    double nk = 6, scale = 1, exponent = ldexp(scale, (int)nk) * log2(3); /* N = 3, K = 2, N tau = 1 */
    assert_true(ldexp(scale, (int)nk) == 64);
    assert_true(ceil(log2(exponent)) == 7 && log2(exponent) < nk + log2(scale) + 0.7);
    double log_theta = -1000 * log(3);
    assert_true(log2(fabs(log_theta)) < 11);      /* of the logit: 11 bits before the point */
    assert_true(fabs(log_theta) / log(2) > 1500); /* of theta, in fixed point */
}

/* In doubles: the paper's softmax reaches just as many labels as its cross-entropy, and logits written down directly
 * far more; the sigmoid's one more. */
static long most_labels(const char *construction, double tau)
{
    static int32_t labels[2201];
    ll_error error;
    ll_experiment e = {
        .construction = construction, .labels = labels, .rows = 2201, .classes = 2, .tau = tau, .seed = 7};
    assert_int_equal(ll_dataset_labels(labels, 2201, "titanic", 1, &error), LL_OK);
    for (e.length = 1; e.length <= 40; e.length++) {
        ll_experiment_count count;
        assert_int_equal(ll_experiment_single(&count, &e, 40, &error), LL_OK);
        if (2 * count.attacks_right < count.attacks)
            break;
    }
    return e.length - 1;
}

static void softmax_is_not_worse(void **state)
{
    (void)state;
    assert_int_equal(most_labels("ce", 1e-4), 9);
    assert_int_equal(most_labels("softmax", 1e-4), 9);
    assert_true(most_labels("softmax-direct", 1e-4) >= 26);
    assert_int_equal(most_labels("sigmoid", 1e-4), 10);
    assert_int_equal(most_labels("sigmoid-second", 1e-4), 8);
}

/* "M >= 220" labels a query is more than a double can hold (64 bits); 220 queries are 10 labels a query. */
static void m_counts_queries(void **state)
{
    (void)state;
    assert_true(ll_bound_counting_success(ldexp(1, 64), 1, 220, 2) < 1e-40);
    assert_int_equal((2201 + 9) / 10, 221);
}

/* "min of -ln theta is Omega(2^N N tau)": theta of the baseline tends to 1, so the minimum tends to 0; the largest term
 * is meant, -ln(1 - theta_N) = 2^N N tau ln 3. */
static void least_is_largest(void **state)
{
    (void)state;
    double t = pow(3, 8 * 3), least = -log(t / (1 + t)), most = log(1 + t); /* N = 3, tau = 1 */
    assert_true(least < 1e-11);
    assert_true(fabs(most - 24 * log(3)) < 1e-9);
}

/* The multi-query figures at tau = 1: with the whole set's N the closed form of cor:IS overflows for the first label;
 * with the block's M it does not. */
static void closed_form_overflows(void **state)
{
    (void)state;
    static int32_t labels[2201];
    ll_error error;
    ll_experiment_count count;
    ll_experiment e = {
        .construction = "is-closed", .labels = labels, .rows = 2201, .classes = 2, .tau = 1, .length = 2};
    assert_int_equal(ll_dataset_labels(labels, 2201, "titanic", 1, &error), LL_OK);
    assert_true(isinf(pow(3, 2.0 * 2201)));
    assert_int_equal(ll_experiment_blocks(&count, &e, 1, &error), LL_OK);
    assert_true(count.silent > 0 && count.labels_right < count.labels / 2);
    assert_int_equal(ll_experiment_blocks(&count, &e, 0, &error), LL_OK);
    assert_int_equal(count.labels_right, 2201);
    e.construction = "is-inverse";
    assert_int_equal(ll_experiment_blocks(&count, &e, 1, &error), LL_OK);
    assert_int_equal(count.labels_right, 2201);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_must_differ),
        cmocka_unit_test(exactly_two_tau),
        cmocka_unit_test(logits_are_no_probabilities),
        cmocka_unit_test(a_constant_is_free),
        cmocka_unit_test(bits_of_a_float),
        cmocka_unit_test(softmax_is_not_worse),
        cmocka_unit_test(m_counts_queries),
        cmocka_unit_test(least_is_largest),
        cmocka_unit_test(closed_form_overflows),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
