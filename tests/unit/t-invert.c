/* Weight -> x -> weight: the ball that comes back contains the weight, and x is as accurate as promised, for every loss
 * at 53, 1,000 and 100,000 bits and at the ends of the domain; vectors from mpmath; weights of 25,000 bits and more. */
#include "metric_bench.h"

#define ENTROPY "bregman:x*log(x)+(1-x)*log(1-x)"

static const char *const losses[] = {
    "log-loss",
    "sigmoid-ce",
    "softmax-ce",
    "itakura-saito",
    "squared",
    "norm:2",
    "norm:2.5",
    "norm:3.1",
    "norm:40",
    "focal:2",
    "focal:0.5",
    "focal:7.25",
    ENTROPY,
    "bregman:x*log(x)",
    "bregman:x^4",
    "accuracy",
    "zero-one",
    "bregman:x^x",
    "bregman:-sqrt(x)",
    "lp:2",
    "bregman:exp(3*x)/7+x^2.2",
};
#define LOSS_COUNT ((long)(sizeof losses / sizeof losses[0]))

/* The bits that both x and its mirror are known to; a ball [0 +- r] of x or mirror knows none. */
static slong accuracy(const arb_t x, const arb_t mirror)
{
    return FLINT_MIN(arb_rel_accuracy_bits(x), arb_rel_accuracy_bits(mirror));
}

/* 1 where w was in reach. */
static int round_trip(const char *name, const ll_metric *loss, const arb_t w, slong prec)
{
    ll_status status;
    arb_t x, mirror, back;
    arb_init(x);
    arb_init(mirror);
    arb_init(back);
    status = ll_metric_invert(loss, x, mirror, w, prec);
    if (status == LL_OK) {
        if (arb_is_exact(w) && accuracy(x, mirror) < prec - 4)
            fail_msg("%s at %ld bits: accuracy %ld", name, prec, accuracy(x, mirror));
        if (ll_metric_weight_pair(loss, back, x, mirror, prec) != LL_OK || !arb_contains(back, w))
            fail_ball(name, back, w);
        if (ll_metric_reads_probabilities(loss)) {
            arb_add(back, x, mirror, prec);
            assert_true(arb_contains_si(back, 1));
        }
    }
    arb_clear(x);
    arb_clear(mirror);
    arb_clear(back);
    assert_true(status == LL_OK || status == LL_DOMAIN);
    return status == LL_OK;
}

static long trips(const char *const *weights, long count, slong prec)
{
    long inside = 0;
    arb_t w;
    arb_init(w);
    for (long i = 0; i < LOSS_COUNT; i++) {
        ll_metric *loss = open_loss(losses[i]);
        for (long k = 0; k < count; k++) {
            ball_text(w, weights[k], 4000);
            inside += round_trip(losses[i], loss, w, prec);
        }
        ll_metric_destroy(loss);
    }
    arb_clear(w);
    return inside;
}

static void test_round_trips(void **state)
{
    static const char *const weights[] = {"0",          "0.5",         "-0.5",   "1",   "-1",  "0x1p-70",
                                          "-0x1p-2000", "0.25",        "-0.3",   "40",  "-40", "2000",
                                          "-0x3p-1",    "0x1.fffffp0", "-0.999", "2.4", "-3",  "39.5"};
    static const char *const one[] = {"-0.40625"};
    (void)state;
    assert_true(trips(weights, 18, 53) > 150);
    assert_true(trips(weights, 18, 1000) > 150);
    assert_true(trips(one, 1, 100000) == LOSS_COUNT - 3);
}

/* A weight within 2^-2000 of the end of the reach, and the end itself. */
static void end_of(const char *name, const char *end, int sign)
{
    ll_metric *loss = open_loss(name);
    arb_t w, x, mirror;
    arb_init(w);
    arb_init(x);
    arb_init(mirror);
    ball_text(x, end, 64);
    arb_one(w);
    arb_mul_2exp_si(w, w, -2000);
    arb_mul_si(w, w, -sign, 64);
    arb_add(w, w, x, ARF_PREC_EXACT);
    assert_int_equal(round_trip(name, loss, w, 53), 1);
    assert_int_equal(round_trip(name, loss, w, 3000), 1);
    assert_int_equal(ll_metric_invert(loss, x, mirror, w, 53), LL_OK);
    assert_true(mag_cmp_2exp_si(arb_radref(sign > 0 ? x : mirror), -500) < 0);
    ball_text(w, end, 64);
    assert_int_equal(ll_metric_invert(loss, x, mirror, w, 53), LL_OK);
    assert_true(arb_equal_si(x, sign < 0) && arb_equal_si(mirror, sign > 0));
    arb_add_error_2exp_si(w, -20); /* half in reach, half not */
    assert_int_equal(ll_metric_invert(loss, x, mirror, w, 53), LL_OK);
    assert_true(arb_contains_si(x, sign < 0));
    ball_text(w, end, 64);
    arb_mul_si(w, w, 3, 64);
    assert_int_equal(ll_metric_invert(loss, x, mirror, w, 53), LL_DOMAIN);
    arb_clear(w);
    arb_clear(x);
    arb_clear(mirror);
    ll_metric_destroy(loss);
}

static void test_ends(void **state)
{
    (void)state;
    end_of("squared", "1", 1);
    end_of("squared", "-1", -1);
    end_of("norm:2", "2", 1);
    end_of("norm:2.5", "2.5", 1);
    end_of("norm:2.5", "-2.5", -1);
    end_of("norm:40", "-40", -1);
    end_of("bregman:x^4", "1", 1);
    end_of("bregman:x^4", "-3", -1);
    end_of("bregman:x*log(x)", "-1", -1);
    end_of("bregman:-sqrt(x)", "-0.5", -1);
}

/* w = +-2^bits: x = 1/(1+e^w), whose exponent has as many bits. */
static void huge(const char *name, slong bits, slong prec)
{
    ll_metric *loss = open_loss(name);
    arb_t w, x, mirror;
    arb_init(w);
    arb_init(x);
    arb_init(mirror);
    for (int sign = -1; sign <= 1; sign += 2) {
        arb_set_si(w, sign);
        arb_mul_2exp_si(w, w, bits);
        arb_add_ui(w, w, 5, ARF_PREC_EXACT);
        assert_int_equal(round_trip(name, loss, w, prec), 1);
        arb_add_error_2exp_si(w, -30);
        assert_int_equal(round_trip(name, loss, w, prec), 1);
        assert_int_equal(ll_metric_invert(loss, x, NULL, w, prec), LL_OK);
    }
    arb_clear(w);
    arb_clear(x);
    arb_clear(mirror);
    ll_metric_destroy(loss);
}

/* ln x of x = 1/(1+e^w) is -w to within e^-w: an exponential that is off by a factor would show. */
static void test_huge(void **state)
{
    ll_metric *loss = open_loss("log-loss");
    arb_t w, x;
    (void)state;
    huge("log-loss", 25000, 128);
    huge("log-loss", 200000, 53);
    huge("log-loss", 100, 1000);
    huge("itakura-saito", 25000, 128);
    huge("itakura-saito", 70, 1000);
    huge("sigmoid-ce", 25000, 53);
    huge(ENTROPY, 14, 128);
    arb_init(w);
    arb_init(x);
    arb_one(w);
    arb_mul_2exp_si(w, w, 25000);
    assert_int_equal(ll_metric_invert(loss, x, NULL, w, 200), LL_OK);
    assert_true(arb_rel_accuracy_bits(x) >= 195);
    arb_log(x, x, 25400);
    arb_neg(x, x);
    assert_true(arb_contains(x, w) && mag_cmp_2exp_si(arb_radref(x), -190) < 0);
    arb_one(w);
    arb_mul_2exp_si(w, w, 1L << 30);
    assert_int_equal(ll_metric_invert(loss, x, NULL, w, 64), LL_UNABLE);
    arb_pos_inf(w);
    assert_int_equal(ll_metric_invert(loss, x, NULL, w, 64), LL_DOMAIN);
    arb_clear(w);
    arb_clear(x);
    ll_metric_destroy(loss);
}

/* Itakura-Saito of w = 2^(2^100): u is about 2^100 ln 2, x about 2^-(2^100). */
static void test_itakura_saito_beyond(void **state)
{
    ll_metric *loss = open_loss("itakura-saito");
    arb_t w;
    fmpz_t e;
    (void)state;
    arb_init(w);
    fmpz_init(e);
    fmpz_one(e);
    fmpz_mul_2exp(e, e, 100);
    arb_one(w);
    arb_mul_2exp_fmpz(w, w, e);
    assert_int_equal(round_trip("itakura-saito", loss, w, 200), 1);
    fmpz_neg(e, e);
    arb_one(w);
    arb_mul_2exp_fmpz(w, w, e);
    assert_int_equal(round_trip("itakura-saito", loss, w, 200), 1);
    arb_clear(w);
    fmpz_clear(e);
    ll_metric_destroy(loss);
}

/* ---- balls of weights ---- */

static void test_wide_weights(void **state)
{
    arb_t w, point, x, inner;
    (void)state;
    arb_init(w);
    arb_init(point);
    arb_init(x);
    arb_init(inner);
    for (long i = 0; i < LOSS_COUNT; i++) {
        ll_metric *loss = open_loss(losses[i]);
        if (ll_metric_reads_labels(loss)) {
            ll_metric_destroy(loss);
            continue;
        }
        for (long k = 0; k < 10 * multiplier; k++) {
            arb_set_d(w, -0.25 + (double)draw(1000) / 3000);
            arb_add_error_2exp_si(w, -(slong)(4 + draw(100)));
            if (ll_metric_invert(loss, x, NULL, w, 80) != LL_OK)
                fail_msg("%s: a wide weight", losses[i]);
            arb_set_arf(point, arb_midref(w));
            for (int end = -1; end <= 1; end++) {
                arf_set_mag(arb_midref(point), arb_radref(w));
                arf_mul_si(arb_midref(point), arb_midref(point), end, 64, ARF_RND_DOWN);
                arf_add(arb_midref(point), arb_midref(point), arb_midref(w), ARF_PREC_EXACT, ARF_RND_DOWN);
                assert_int_equal(ll_metric_invert(loss, inner, NULL, point, 300), LL_OK);
                if (!arb_overlaps(x, inner))
                    fail_ball(losses[i], x, inner);
            }
        }
        ll_metric_destroy(loss);
    }
    arb_clear(w);
    arb_clear(point);
    arb_clear(x);
    arb_clear(inner);
}

static void test_label_weights(void **state)
{
    ll_metric *accuracy = open_loss("accuracy"), *wrong = open_loss("zero-one");
    arb_t w, x;
    (void)state;
    arb_init(w);
    arb_init(x);
    arb_one(w);
    assert_int_equal(ll_metric_invert(accuracy, x, NULL, w, 53), LL_OK);
    assert_true(arb_is_one(x));
    assert_int_equal(ll_metric_invert(wrong, x, NULL, w, 53), LL_OK);
    assert_true(arb_is_zero(x));
    arb_add_error_2exp_si(w, 2);
    assert_int_equal(ll_metric_invert(wrong, x, NULL, w, 53), LL_UNABLE);
    arb_zero(w);
    assert_int_equal(ll_metric_invert(wrong, x, NULL, w, 53), LL_DOMAIN);
    arb_clear(w);
    arb_clear(x);
    ll_metric_destroy(accuracy);
    ll_metric_destroy(wrong);
}

/* phi' jumps from -1/2 to 3/2 at 1/2, so the weight 0 has no x: no ball may be claimed. */
static void test_jump(void **state)
{
    ll_metric *loss = open_loss("bregman:x^2/2+sqrt((x-0.5)^2)");
    arb_t w, x;
    (void)state;
    arb_init(w);
    arb_init(x);
    assert_int_equal(ll_metric_is_convex(loss), LL_UNKNOWN);
    assert_int_equal(ll_metric_invert(loss, x, NULL, w, 53), LL_UNABLE);
    arb_set_d(w, 1.25);
    assert_int_equal(ll_metric_invert(loss, x, NULL, w, 53), LL_OK);
    arb_mul_2exp_si(x, x, 2);
    assert_true(arb_contains_si(x, 1));
    arb_clear(w);
    arb_clear(x);
    ll_metric_destroy(loss);
}

/* ---- vectors ---- */

static void invert_vector(char **words, long count, const char *line)
{
    ll_metric *loss = open_loss(words[0]);
    arb_t w, x, mirror, want;
    assert_int_equal(count, 4);
    arb_init(w);
    arb_init(x);
    arb_init(mirror);
    arb_init(want);
    ball_text(w, words[1], 2000);
    if (ll_metric_invert(loss, x, mirror, w, 200) != LL_OK)
        fail_msg("%s", line);
    ball_rounded(want, words[2]);
    check_ball(line, x, want, 190);
    ball_rounded(want, words[3]);
    check_ball(line, mirror, want, 190);
    arb_clear(w);
    arb_clear(x);
    arb_clear(mirror);
    arb_clear(want);
    ll_metric_destroy(loss);
}

static void test_vectors(void **state)
{
    (void)state;
    assert_true(each_vector("invert", invert_vector) > 150);
}

/* ---- rows ---- */

/* ln(x_0/x_k) of the row is w_k - w_0, and the row sums to 1. */
static void test_softmax_rows(void **state)
{
    enum { CLASSES = 5 };
    ll_metric *loss = open_loss("log-loss"), *logits = open_loss("softmax-ce");
    arb_ptr w = _arb_vec_init(CLASSES), row = _arb_vec_init(CLASSES);
    arb_t t, sum;
    (void)state;
    arb_init(t);
    arb_init(sum);
    for (long k = 0; k < CLASSES; k++) {
        arb_set_si(w + k, k % 2 ? 1 : -1);
        arb_mul_2exp_si(w + k, w + k, k * 5000);
    }
    assert_int_equal(ll_metric_invert_row(loss, row, w, CLASSES, 100), LL_OK);
    for (long k = 0; k < CLASSES; k++) {
        assert_true(arb_rel_accuracy_bits(row + k) >= 95);
        arb_div(t, row, row + k, 100);
        arb_log(t, t, 21000);
        arb_add(t, t, w, ARF_PREC_EXACT);
        assert_true(arb_contains(t, w + k) && mag_cmp_2exp_si(arb_radref(t), -80) < 0);
        arb_add(sum, sum, row + k, 100);
    }
    assert_true(arb_contains_si(sum, 1));
    assert_int_equal(ll_metric_invert_row(logits, row, w, CLASSES, 100), LL_OK);
    for (long k = 0; k < CLASSES; k++) {
        arb_neg(t, w + k);
        assert_true(arb_equal(t, row + k));
    }
    assert_int_equal(ll_metric_invert_row(logits, row, w, 1, 100), LL_DOMAIN);
    arb_indeterminate(w + 2);
    assert_int_equal(ll_metric_invert_row(loss, row, w, CLASSES, 100), LL_DOMAIN);
    _arb_vec_clear(w, CLASSES);
    _arb_vec_clear(row, CLASSES);
    arb_clear(t);
    arb_clear(sum);
    ll_metric_destroy(loss);
    ll_metric_destroy(logits);
}

/* The weights 0, ln 2, -ln 3 make the shares 1, 1/2, 3 of 4.5. */
static void test_small_row(void **state)
{
    ll_metric *loss = open_loss("log-loss");
    arb_ptr w = _arb_vec_init(3), row = _arb_vec_init(3);
    arb_t want;
    (void)state;
    arb_init(want);
    arb_log_ui(w + 1, 2, 200);
    arb_log_ui(w + 2, 3, 200);
    arb_neg(w + 2, w + 2);
    assert_int_equal(ll_metric_invert_row(loss, row, w, 3, 150), LL_OK);
    for (long k = 0; k < 3; k++) {
        arb_set_si(want, k == 0 ? 2 : k == 1 ? 1 : 6);
        arb_div_ui(want, want, 9, 300);
        check_ball("a small row", row + k, want, 145);
    }
    arb_clear(want);
    _arb_vec_clear(w, 3);
    _arb_vec_clear(row, 3);
    ll_metric_destroy(loss);
}

static void test_brier_rows(void **state)
{
    enum { CLASSES = 4 };
    static const char *const weights[CLASSES] = {"0.25", "-0.1", "0.4", "0"};
    ll_metric *loss = open_loss("squared"), *other = open_loss("itakura-saito");
    arb_ptr w = _arb_vec_init(CLASSES);
    ll_arithmetic a;
    ll_value row[CLASSES], base, score;
    arb_struct out[CLASSES];
    (void)state;
    ll_arithmetic_set_ball(&a, 100);
    arb_init(base.ball);
    arb_init(score.ball);
    for (long k = 0; k < CLASSES; k++) {
        arb_init(&out[k]);
        ball_text(w + k, weights[k], 100);
    }
    assert_int_equal(ll_metric_invert_row(loss, out, w, CLASSES, 100), LL_OK);
    for (long k = 0; k < CLASSES; k++)
        row[k].ball[0] = out[k];
    assert_int_equal(ll_metric_score(loss, &a, &base, row, CLASSES, 0), LL_OK);
    for (long k = 0; k < CLASSES; k++) {
        assert_int_equal(ll_metric_score(loss, &a, &score, row, CLASSES, k), LL_OK);
        arb_sub(score.ball, score.ball, base.ball, 100);
        arb_add(score.ball, score.ball, w, 100);
        check_ball("a Brier row", score.ball, w + k, 80);
    }
    arb_set_si(w + 1, 5);
    assert_int_equal(ll_metric_invert_row(loss, out, w, CLASSES, 100), LL_DOMAIN);
    assert_int_equal(ll_metric_invert_row(other, out, w, CLASSES, 100), LL_DOMAIN);
    for (long k = 0; k < CLASSES; k++)
        arb_clear(&out[k]);
    _arb_vec_clear(w, CLASSES);
    arb_clear(base.ball);
    arb_clear(score.ball);
    ll_metric_destroy(loss);
    ll_metric_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_huge),
        cmocka_unit_test(test_itakura_saito_beyond),
        cmocka_unit_test(test_wide_weights),
        cmocka_unit_test(test_label_weights),
        cmocka_unit_test(test_jump),
        cmocka_unit_test(test_softmax_rows),
        cmocka_unit_test(test_small_row),
        cmocka_unit_test(test_brier_rows),
    };
    int failed;
    read_environment();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
