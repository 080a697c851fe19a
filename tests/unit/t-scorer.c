/* Scorers and profiles: what is accepted, what is refused, and with which words. */
#include "curator_tools.h"

static ll_error error;

static void expect_refusal(const ll_scorer *scorer, const char *word)
{
    assert_int_equal(ll_scorer_check(scorer, NULL, &error), LL_DOMAIN);
    if (!strstr(error.text, word))
        fail_msg("'%s' does not say '%s'", error.text, word);
}

static void test_default(void **state)
{
    (void)state;
    ll_scorer scorer;
    ll_error warning;
    ll_scorer_init(&scorer);
    assert_int_equal(ll_scorer_check(&scorer, &warning, &error), LL_OK);
    assert_string_equal(warning.text, "");
    assert_string_equal(scorer.arithmetic, "exact");
}

/* Every profile fits together, as it is and with every arithmetic that is sensible for it. */
static void test_profiles(void **state)
{
    (void)state;
    static const char *const names[] = {"fp64", "fp32", "exact", "bf16"};
    assert_true(ll_profile_count() >= 13);
    for (long i = 0; i < ll_profile_count(); ++i) {
        ll_scorer scorer;
        ll_scorer_init(&scorer);
        assert_int_equal(ll_scorer_set_profile(&scorer, ll_profile_get_info(i)->name, &error), LL_OK);
        assert_int_equal(ll_scorer_check(&scorer, NULL, &error), LL_OK);
        for (int a = 0; a < 4; ++a) {
            scorer.arithmetic = names[a];
            assert_int_equal(ll_scorer_check(&scorer, NULL, &error), LL_OK);
        }
    }
    assert_null(ll_profile_get_info(-1));
    assert_null(ll_profile_get_info(ll_profile_count()));
}

/* "auto" follows the dtype; eps and 1-eps are those of the real programs. */
static void test_clip(void **state)
{
    (void)state;
    ll_scorer scorer;
    ll_resolved r;
    ll_scorer_init(&scorer);
    assert_int_equal(ll_scorer_set_profile(&scorer, "sklearn-1.2/log_loss", &error), LL_OK);
    assert_int_equal(ll_resolved_init(&r, &scorer, &error), LL_OK);
    assert_true(r.float_low == 0x1p-52 && r.float_high == 1 - 0x1p-52 && r.log_ulps == 2);
    ll_resolved_clear(&r);
    scorer.arithmetic = "fp32";
    assert_int_equal(ll_resolved_init(&r, &scorer, &error), LL_OK);
    assert_true(r.float_low == 0x1p-23 && r.float_high == 1 - 0x1p-23);
    assert_int_equal(r.term.format.fraction_bits, 52); /* integer labels promote */
    ll_resolved_clear(&r);
    assert_int_equal(ll_scorer_set_profile(&scorer, "xgboost/logloss", &error), LL_OK);
    assert_int_equal(ll_resolved_init(&r, &scorer, &error), LL_OK);
    assert_true(r.float_low == (double)1e-16f && r.log_ulps == 4);
    assert_int_equal(r.term.format.fraction_bits, 23);
    assert_int_equal(r.total.format.fraction_bits, 52);
    ll_resolved_clear(&r);
    assert_int_equal(ll_scorer_set_profile(&scorer, "lightgbm/binary_logloss", &error), LL_OK);
    assert_int_equal(ll_resolved_init(&r, &scorer, &error), LL_OK);
    assert_true(r.float_low == (double)1e-15f);
    ll_resolved_clear(&r);
}

/* 1 - eps is exact, also for decimals. */
static void test_complement(void **state)
{
    (void)state;
    static const struct {
        const char *eps, *high;
    } cases[] = {{"1e-15", "0.999999999999999"},
                 {"0x1p-52", "0x1.ffffffffffffep-1"},
                 {"0.25", "0.75"},
                 {"0.3125", "0.6875"},
                 {"16e-2", "0.84"},
                 {"1e-300", NULL}};
    ll_scorer scorer;
    ll_resolved r;
    ll_exact want;
    ll_scorer_init(&scorer);
    ll_exact_init(&want);
    scorer.clip_mode = LL_CLIP;
    for (int i = 0; i < 5; ++i) {
        scorer.clip = cases[i].eps;
        assert_int_equal(ll_resolved_init(&r, &scorer, &error), LL_OK);
        assert_int_equal(ll_exact_set_text(&want, cases[i].high, strlen(cases[i].high)), LL_OK);
        assert_int_equal(ll_exact_cmp(&want, &r.high), 0);
        ll_resolved_clear(&r);
    }
    ll_exact_clear(&want);
}

static void test_unknown_profile(void **state)
{
    (void)state;
    ll_scorer scorer;
    ll_scorer_init(&scorer);
    assert_int_equal(ll_scorer_set_profile(&scorer, "sklearn-1.2/logloss", &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "sklearn-1.2/log_loss"));
    assert_int_equal(ll_scorer_set_profile(&scorer, "", &error), LL_DOMAIN);
    char longer[200];
    memset(longer, 'x', sizeof longer);
    longer[199] = '\0';
    assert_int_equal(ll_scorer_set_profile(&scorer, longer, &error), LL_DOMAIN);
    assert_string_equal(scorer.loss, "log-loss");
}

#define REFUSE(word, ...)                                                                                              \
    do {                                                                                                               \
        ll_scorer scorer;                                                                                              \
        ll_scorer_init(&scorer);                                                                                       \
        __VA_ARGS__;                                                                                                   \
        expect_refusal(&scorer, word);                                                                                 \
    } while (0)

static void test_refusals(void **state)
{
    (void)state;
    static const double bad_prior[] = {0.5, 0.6}, prior[] = {0.5, 0.5};
    REFUSE("logloss", scorer.loss = "logloss");
    REFUSE("fp65", scorer.arithmetic = "fp65");
    REFUSE("summed exactly", scorer.arithmetic = "fp64", scorer.sum_arithmetic = "exact");
    REFUSE("must hold", scorer.arithmetic = "fp64", scorer.sum_arithmetic = "fp32");
    REFUSE("clip", scorer.clip_mode = LL_CLIP);
    REFUSE("without a clip mode", scorer.clip = "1e-15");
    REFUSE("above 0", scorer.clip_mode = LL_CLIP, scorer.clip = "-1");
    REFUSE("above 0", scorer.clip_mode = LL_LOG_CLAMP, scorer.clip = "auto");
    REFUSE("1/2", scorer.clip_mode = LL_CLIP, scorer.clip = "0.5");
    REFUSE("is 0", scorer.clip_mode = LL_CLIP, scorer.clip = "1e-60", scorer.arithmetic = "fp32");
    REFUSE("too long", scorer.clip_mode = LL_CLIP, scorer.clip = "1e-99999999999999999999");
    REFUSE("only log-loss", scorer.loss = "squared", scorer.clip_mode = LL_FLOOR, scorer.clip = "1e-3");
    REFUSE("nothing to clip", scorer.loss = "softmax-ce", scorer.clip_mode = LL_CLIP, scorer.clip = "1e-3");
    REFUSE("two classes", scorer.loss = "itakura-saito", scorer.classes = 3);
    REFUSE("classes", scorer.classes = 1);
    REFUSE("noise", scorer.noise = LL_NOISE_BOUNDED);
    REFUSE("noise", scorer.noise = LL_NOISE_GAUSSIAN, scorer.noise_size = "nan");
    REFUSE("Ladder", scorer.ladder = "0");
    REFUSE("Ladder", scorer.ladder = "0.1", scorer.noise = LL_NOISE_LAPLACE, scorer.noise_size = "1");
    REFUSE("digits", scorer.rounding = LL_ROUND_DIGITS, scorer.places = 0);
    REFUSE("decimals", scorer.rounding = LL_ROUND_DECIMALS, scorer.places = -1);
    REFUSE("truncation", scorer.truncate = 1);
    REFUSE("queries", scorer.queries = -1);
    REFUSE("rows", scorer.rows = -1);
    REFUSE("ulp", scorer.arithmetic = "fp64", scorer.log_ulps = -1);
    REFUSE("ulp", scorer.arithmetic = "fp64", scorer.log_ulps = NAN);
    REFUSE("sum to", scorer.prior = bad_prior, scorer.prior_count = 2);
    REFUSE("one a class", scorer.prior = prior, scorer.prior_count = 2, scorer.classes = 3);
    REFUSE("precision", scorer.precision = -5);
}

static void test_precision(void **state)
{
    (void)state;
    ll_scorer scorer;
    ll_resolved r;
    ll_scorer_init(&scorer);
    scorer.noise = LL_NOISE_BOUNDED;
    scorer.noise_size = "0x1p-1000";
    assert_int_equal(ll_resolved_init(&r, &scorer, &error), LL_OK);
    assert_true(r.precision >= 1063 && r.precision <= 1065);
    ll_resolved_clear(&r);
}

static void test_direction(void **state)
{
    (void)state;
    ll_scorer scorer;
    ll_resolved r;
    for (int i = 0; i < 4; ++i) {
        ll_scorer_init(&scorer);
        scorer.loss = i & 1 ? "accuracy" : "log-loss";
        scorer.transform = i & 2 ? LL_NEGATE : LL_IDENTITY;
        assert_int_equal(ll_resolved_init(&r, &scorer, &error), LL_OK);
        assert_int_equal(r.higher_is_better, i == 1 || i == 2);
        ll_resolved_clear(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default),         cmocka_unit_test(test_profiles),  cmocka_unit_test(test_clip),
        cmocka_unit_test(test_complement),      cmocka_unit_test(test_refusals),  cmocka_unit_test(test_precision),
        cmocka_unit_test(test_unknown_profile), cmocka_unit_test(test_direction),
    };
    read_environment("t-scorer");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
