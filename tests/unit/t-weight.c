/* Weights: vectors from mpmath, the ends of the domain, near 1/2, and the reach with and without a clip. */
#include "metric_bench.h"

/* ---- vectors ---- */

static void weight_vector(char **words, long count, const char *line)
{
    ll_metric *loss = open_loss(words[0]);
    ll_exact number;
    arb_t x, w, wanted;
    assert_int_equal(count, 3);
    ll_exact_init(&number);
    arb_init(x);
    arb_init(w);
    arb_init(wanted);
    set_text(&number, words[1]);
    ball_rounded(wanted, words[2]);
    if (ll_metric_weight_exact(loss, w, &number, 220) != LL_OK)
        fail_msg("%s", line);
    check_ball(line, w, wanted, 220);
    if (ll_exact_is_dyadic(&number)) {
        ll_exact_get_ball(x, &number, 4000);
        if (weight_at(loss, w, x, 220) != LL_OK)
            fail_msg("%s", line);
        check_ball(line, w, wanted, 200);
    }
    ll_exact_clear(&number);
    arb_clear(x);
    arb_clear(w);
    arb_clear(wanted);
    ll_metric_destroy(loss);
}

static void test_vectors(void **state)
{
    (void)state;
    assert_true(each_vector("weight", weight_vector) > 200);
}

/* ---- weights at and beyond the ends ---- */

static void test_weight_ends(void **state)
{
    ll_metric *log_loss = open_loss("log-loss"), *squared = open_loss("squared"), *accuracy = open_loss("accuracy");
    ll_metric *entropy = open_loss("bregman:x*log(x)+(1-x)*log(1-x)");
    arb_t x, w;
    fmpz_t e;
    (void)state;
    arb_init(x);
    arb_init(w);
    fmpz_init(e);
    for (long end = -1; end <= 2; end++) {
        arb_set_si(x, end);
        assert_int_equal(weight_at(log_loss, w, x, 64), LL_DOMAIN);
        assert_int_equal(weight_at(entropy, w, x, 64), LL_DOMAIN);
        assert_int_equal(weight_at(squared, w, x, 64), end == 0 || end == 1 ? LL_OK : LL_DOMAIN);
        assert_int_equal(weight_at(accuracy, w, x, 64), end == 0 || end == 1 ? LL_OK : LL_DOMAIN);
    }
    arb_set_d(x, 0.5);
    assert_int_equal(weight_at(accuracy, w, x, 64), LL_DOMAIN);
    arb_zero(x);
    arb_add_error_2exp_si(x, -10);
    assert_int_equal(weight_at(log_loss, w, x, 64), LL_UNABLE);
    assert_int_equal(weight_at(accuracy, w, x, 64), LL_UNABLE);
    /* x = 2^-(10^7000): the weight is 10^7000 ln 2 */
    fmpz_set_ui(e, 10);
    fmpz_pow_ui(e, e, 7000);
    fmpz_neg(e, e);
    arb_one(x);
    arb_mul_2exp_fmpz(x, x, e);
    assert_int_equal(weight_at(log_loss, w, x, 128), LL_OK);
    fmpz_neg(e, e);
    arb_const_log2(x, 300);
    arb_mul_fmpz(x, x, e, 300);
    check_ball("10^7000 ln 2", w, x, 120);
    arb_clear(x);
    arb_clear(w);
    fmpz_clear(e);
    ll_metric_destroy(log_loss);
    ll_metric_destroy(squared);
    ll_metric_destroy(accuracy);
    ll_metric_destroy(entropy);
}

/* Near 1/2 the two columns say 1 - 2x only if both are exact; a decimal needs a look with more digits. */
static void test_weight_near_half(void **state)
{
    static const char *const names[] = {"log-loss", "itakura-saito", "squared", "norm:2.7", "bregman:x^2-x"};
    ll_exact x;
    arb_t w;
    (void)state;
    ll_exact_init(&x);
    arb_init(w);
    set_text(&x, "0.50000000000000000000000000000000000000000000000001");
    for (int i = 0; i < 5; i++) {
        ll_metric *loss = open_loss(names[i]);
        assert_int_equal(ll_metric_weight_exact(loss, w, &x, 64), LL_OK);
        assert_true(arb_is_negative(w) && arb_rel_accuracy_bits(w) >= 64);
        ll_metric_destroy(loss);
    }
    ll_exact_clear(&x);
    arb_clear(w);
}

/* ---- reach ---- */

static void reach_is(const char *name, const char *clip, const char *low, const char *high)
{
    ll_metric *loss = open_loss(name);
    ll_exact eps;
    arb_t from, to, want;
    ll_exact_init(&eps);
    arb_init(from);
    arb_init(to);
    arb_init(want);
    if (clip)
        set_text(&eps, clip);
    if (ll_metric_reach(loss, from, to, clip ? &eps : NULL, 128) != LL_OK)
        fail_msg("no reach of %s", name);
    for (int i = 0; i < 2; i++) {
        const char *text = i ? high : low;
        arb_ptr found = i ? to : from;
        if (strstr(text, "inf")) {
            assert_true(arb_is_exact(found) && arf_is_inf(arb_midref(found)));
            assert_int_equal(arf_sgn(arb_midref(found)), text[0] == '-' ? -1 : 1);
        } else {
            arb_set_str(want, text, 200);
            arb_add_error_2exp_si(want, -60);
            check_ball(name, found, want, 100);
        }
    }
    ll_exact_clear(&eps);
    arb_clear(from);
    arb_clear(to);
    arb_clear(want);
    ll_metric_destroy(loss);
}

static void test_reach(void **state)
{
    ll_metric *loss = open_loss("log-loss");
    ll_exact eps;
    arb_t low, high;
    (void)state;
    reach_is("log-loss", NULL, "-inf", "inf");
    reach_is("log-loss", "1e-15", "-34.5387763949106842602699", "34.5387763949106842602699");
    reach_is("itakura-saito", NULL, "-inf", "inf");
    reach_is("itakura-saito", "0.25", "-1.56805437799855697527", "1.56805437799855697527");
    reach_is("squared", NULL, "-1", "1");
    reach_is("squared", "0.1", "-0.8", "0.8");
    reach_is("norm:2.5", NULL, "-2.5", "2.5");
    reach_is("sigmoid-ce", "0.1", "-inf", "inf");
    reach_is("accuracy", NULL, "-1", "1");
    reach_is("bregman:x*log(x)+(1-x)*log(1-x)", NULL, "-inf", "inf");
    reach_is("bregman:x*log(x)", NULL, "-1", "inf");
    reach_is("bregman:x^4", NULL, "-3", "1");
    reach_is("bregman:x^4", "0.5", "0.5", "0.5");
    reach_is("bregman:exp(x)", NULL, "-1", "0.718281828459045235360");
    reach_is("bregman:-sqrt(x)", NULL, "-0.5", "inf");
    reach_is("bregman:x^x", NULL, "-1", "inf");
    ll_exact_init(&eps);
    arb_init(low);
    arb_init(high);
    assert_int_equal(ll_metric_reach(loss, low, high, &eps, 64), LL_DOMAIN);
    set_text(&eps, "0.6");
    assert_int_equal(ll_metric_reach(loss, low, high, &eps, 64), LL_DOMAIN);
    ll_exact_clear(&eps);
    arb_clear(low);
    arb_clear(high);
    ll_metric_destroy(loss);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_weight_ends),
        cmocka_unit_test(test_weight_near_half),
        cmocka_unit_test(test_reach),
    };
    int failed;
    read_environment();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
