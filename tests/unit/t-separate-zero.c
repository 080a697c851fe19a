/* What is exactly 0, loss by loss and clip by clip; thresholds that no ball holds. */
#include "separate_tools.h"

static const zero_case zero_cases[] = {
    /* odds 3, 3 and 1/9 */
    {"log-loss", NULL, NULL, 3, 1, {"0.75", "0.75", "0.1"}, {1, 1, 1}, {0, 0, 0}, NULL, LL_TRUE},
    {"log-loss", NULL, NULL, 3, 1, {"0.75", "0.75", "0.1"}, {1, 1, 0}, {0, 0, 1}, NULL, LL_FALSE},
    {"log-loss", NULL, NULL, 3, 1, {"0.75", "0.75", "0.1000000000000000000001"}, {1, 1, 1}, {0}, NULL, LL_FALSE},
    /* ln Q = 0, but not R */
    {"itakura-saito", NULL, NULL, 3, 1, {"0.75", "0.75", "0.1"}, {1, 1, 1}, {0, 0, 0}, NULL, LL_FALSE},
    {"itakura-saito", NULL, NULL, 2, 1, {"0.2", "0.8"}, {1, 1}, {0, 0}, NULL, LL_TRUE},
    /* the logarithms cancel, and so do the probabilities, but not their inverses */
    {"itakura-saito", NULL, NULL, 5, 1, {"0.2", "0.4", "0.4", "0.75", "0.75"}, {1, 1, 1, 1, 1}, {0}, NULL, LL_FALSE},
    {"log-loss", NULL, NULL, 5, 1, {"0.2", "0.4", "0.4", "0.75", "0.75"}, {1, 1, 1, 1, 1}, {0}, NULL, LL_TRUE},
    {"squared", NULL, NULL, 5, 1, {"0.2", "0.4", "0.4", "0.75", "0.75"}, {1, 1, 1, 1, 1}, {0}, NULL, LL_TRUE},
    {"itakura-saito", NULL, NULL, 1, 1, {"0.2"}, {1}, {0}, NULL, LL_FALSE},
    {"squared", NULL, NULL, 3, 1, {"0.1", "0.3", "0.3"}, {1, 0, 0}, {0, 1, 1}, NULL, LL_TRUE},
    {"squared", NULL, NULL, 3, 1, {"0.1", "0.3", "0.30000000000000000001"}, {1}, {0, 1, 1}, NULL, LL_FALSE},
    {"squared", NULL, NULL, 1, 1, {"0.1"}, {1}, {0}, "0.8", LL_TRUE},
    {"squared", NULL, NULL, 1, 1, {"0.1"}, {0}, {1}, "0.8", LL_FALSE},
    {"sigmoid-ce", NULL, NULL, 3, 1, {"1.1", "2.2", "3.3"}, {1, 1, 0}, {0, 0, 1}, NULL, LL_TRUE},
    {"sigmoid-ce", NULL, NULL, 1, 1, {"1.1"}, {0}, {1}, "1.1", LL_TRUE},
    {"softmax-ce", NULL, NULL, 2, 3, {"1", "2", "4", "7", "5", "6"}, {0, 1}, {2, 0}, NULL, LL_FALSE},
    {"softmax-ce", NULL, NULL, 2, 3, {"1", "2", "4", "7", "4", "6"}, {0, 0}, {2, 1}, NULL, LL_TRUE},
    {"norm:3", NULL, NULL, 3, 1, {"0.1", "0.3", "0.3"}, {1, 0, 0}, {0, 1, 1}, NULL, LL_TRUE},
    {"norm:3", NULL, NULL, 3, 1, {"0.1", "0.3", "0.3"}, {1, 0, 1}, {0, 1, 1}, NULL, LL_FALSE},
    {"norm:2.5", NULL, NULL, 2, 1, {"0.25", "0.75"}, {1, 1}, {0, 0}, NULL, LL_TRUE},
    {"norm:2.5", NULL, NULL, 3, 1, {"0.1", "0.3", "0.3"}, {1, 0, 0}, {0, 1, 1}, NULL, LL_UNKNOWN},
    {"bregman:x^4", NULL, NULL, 2, 1, {"0.25", "0.25"}, {1, 0}, {0, 1}, NULL, LL_TRUE},
    {"bregman:x^4", NULL, NULL, 2, 1, {"0.25", "0.5"}, {1, 0}, {0, 1}, NULL, LL_UNKNOWN},
    {"accuracy", NULL, NULL, 2, 1, {"1", "0"}, {1, 1}, {0, 0}, NULL, LL_TRUE},
    {"accuracy", NULL, NULL, 2, 1, {"1", "0"}, {1, 1}, {1, 0}, NULL, LL_FALSE},
    {"lp:2", NULL, NULL, 2, 1, {"1", "1"}, {1, 0}, {0, 1}, NULL, LL_TRUE},
    {"log-loss", "clip", "0.1", 2, 1, {"0.01", "0.1"}, {1, 0}, {0, 1}, NULL, LL_TRUE},
    {"log-loss", NULL, NULL, 2, 1, {"0.01", "0.1"}, {1, 0}, {0, 1}, NULL, LL_FALSE},
    {"log-loss", "log-clamp", "2", 2, 2, {"0.05", "0.5", "0.01", "0.5"}, {0, 1}, {1, 0}, NULL, LL_TRUE},
    {"log-loss", "log-clamp", "4", 2, 2, {"0.05", "0.5", "0.01", "0.5"}, {0, 1}, {1, 0}, NULL, LL_FALSE},
    {"log-loss", "floor", "0.1", 2, 1, {"0.05", "0.95"}, {1, 1}, {0, 0}, NULL, LL_TRUE},
    {"log-loss", "floor", "0.01", 2, 1, {"0.05", "0.96"}, {1, 1}, {0, 0}, NULL, LL_FALSE},
    {"log-loss", "log-plus", "0.1", 2, 1, {"0.05", "0.1"}, {1, 0}, {0, 1}, NULL, LL_TRUE},
    {"log-loss", "log-plus", "0.1", 2, 1, {"0.2", "0.1"}, {1, 0}, {0, 1}, NULL, LL_FALSE},
    {"log-loss", "log-shift", "0.1", 2, 1, {"0.05", "0.1"}, {1, 0}, {0, 1}, NULL, LL_FALSE},
    {"log-loss", "log-shift", "0.1", 2, 1, {"0.1", "0.1"}, {1, 0}, {0, 1}, NULL, LL_TRUE},
    /* an exponent that nobody writes out: only equal rows cancel */
    {"log-loss", NULL, NULL, 2, 1, {"1e-99999999999", "1e-99999999999"}, {1, 0}, {0, 1}, NULL, LL_TRUE},
    {"log-loss", NULL, NULL, 2, 1, {"1e-99999999999", "1e-99999999998"}, {1, 0}, {0, 1}, NULL, LL_UNKNOWN},
};

static void exactly_zero(void **state)
{
    (void)state;
    for (long n = 0; n < COUNT(zero_cases); n++) {
        const zero_case *c = &zero_cases[n];
        ll_scorer *scorer = c->mode != NULL ? scorer_of_text("arithmetic=exact; metric=%s; clip-mode=%s; clip=%s",
                                                             c->loss, c->mode, c->clip)
                                            : scorer_of_text("arithmetic=exact; metric=%s", c->loss);
        ll_scoring scoring = {.how = &scorer->computation, .rows = c->rows, .classes = c->columns > 1 ? c->columns : 2};
        ll_terms terms;
        ll_error error;
        ll_predictions source = {
            .self = (void *)c, .rows = c->rows, .columns = c->columns, .entries = LL_ENTRIES_EXACT, .get = get_texts};
        fmpq_t offset;
        fmpq_init(offset);
        assert_int_equal(ll_terms_init(&terms, scorer, &scoring, &source, 1e9, &error), LL_OK);
        if (c->offset != NULL) {
            ll_exact x;
            ll_exact_init(&x);
            assert_int_equal(ll_exact_set_text(&x, c->offset, strlen(c->offset)), LL_OK);
            assert_true(ll_exact_get_fmpq(offset, &x));
            ll_exact_clear(&x);
        }
        ll_truth zero = ll_terms_is_zero(&terms, c->first, c->second, c->offset != NULL ? offset : NULL);
        if (zero != c->zero)
            fail_msg("case %ld, %s: %d, not %d", n, c->loss, (int)zero, (int)c->zero);
        fmpq_clear(offset);
        ll_terms_clear(&terms);
        ll_scorer_destroy(scorer);
    }
}

/* The same with numbers that no ball holds exactly: weights 0.05, 0.1, ..., 0.8. */
static void decimal_threshold(void **state)
{
    (void)state;
    static const zero_case c = {.columns = 1, .entries = {"0.475", "0.45", "0.4", "0.3", "0.1"}};
    static const char *const noises[] = {"0.005", "0.0050000000000000000000000001", "0.00499999999999"};
    for (long n = 0; n < COUNT(noises); n++) {
        ll_predictions source = {
            .self = (void *)&c, .rows = 5, .columns = 1, .entries = LL_ENTRIES_EXACT, .get = get_texts};
        ll_separation a;
        ll_error error;
        ll_scorer *s = scorer_of_text("arithmetic=exact; metric=squared; noise=bounded:%s", noises[n]);
        ll_separation_init(&a);
        assert_int_equal(ll_separate(&a, s, &source, NULL, &error), LL_OK);
        assert_string_equal(a.gap.text, "0.01");
        assert_int_equal(a.separable, n == 1 ? LL_FALSE : LL_TRUE);
        ll_separation_clear(&a);
        ll_scorer_destroy(s);
    }
}

int main(void)
{
    read_environment("t-separate-zero");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_zero),
        cmocka_unit_test(decimal_threshold),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
