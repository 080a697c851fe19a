/* Which phi are proved convex, refused or left open: known ones, and random quartics whose phi'' is known. */
#include "metric_bench.h"

#include <math.h>

static void convexity_is(const char *phi, ll_truth truth)
{
    char name[400];
    ll_metric *loss;
    (void)snprintf(name, sizeof name, "bregman:%s", phi);
    loss = open_loss(name);
    if (ll_metric_is_convex(loss) != truth)
        fail_msg("%s: %d, wanted %d", phi, ll_metric_is_convex(loss), truth);
    ll_metric_destroy(loss);
}

static void refused(const char *phi, const char *part)
{
    char name[400];
    ll_metric *loss = NULL;
    ll_error error = {0};
    (void)snprintf(name, sizeof name, "bregman:%s", phi);
    if (ll_metric_create(&loss, name, &error) != LL_DOMAIN || !strstr(error.text, part))
        fail_msg("%s: %s", phi, loss ? "not refused" : error.text);
}

static void test_proved(void **state)
{
    (void)state;
    convexity_is("x^2", LL_TRUE);
    convexity_is("x*log(x)", LL_TRUE);
    convexity_is("x*log(x)+(1-x)*log(1-x)", LL_TRUE); /* phi'' = 1/x + 1/(1-x) */
    convexity_is("(1-x)*log(1-x)+log(x)*x", LL_TRUE);
    convexity_is("x^4", LL_TRUE);         /* phi''(0) = 0 */
    convexity_is("(1-x)^4", LL_TRUE);     /* phi''(1) = 0 */
    convexity_is("(x-1/2)^4", LL_TRUE);   /* phi''(1/2) = 0 */
    convexity_is("(x-0.375)^6", LL_TRUE); /* phi'' = 0 at a dyadic point */
    convexity_is("x^2.1", LL_TRUE);
    convexity_is("x^1.5", LL_TRUE); /* phi'' = 0.75/sqrt(x) */
    convexity_is("x^64", LL_TRUE);
    convexity_is("x^x", LL_TRUE);
    convexity_is("-sqrt(x)", LL_TRUE);
    convexity_is("-sqrt(x*(1-x))", LL_TRUE);
    convexity_is("exp(x)-5*x", LL_TRUE);
    convexity_is("1/(2-x)", LL_TRUE);
    convexity_is("-log(1+x)", LL_TRUE);
    convexity_is("x^2-0.0001*exp(-1000*(x-0.7)^2)", LL_TRUE);
    convexity_is("x*log(x)-x^2/2.1", LL_TRUE);
}

/* Not decided, and then neither proved nor refused: a zero of phi'' at 3/10, which no halving meets; a straight line
 * that does not look like one; a kink. */
static void test_open(void **state)
{
    (void)state;
    convexity_is("(x-0.3)^4", LL_UNKNOWN);
    convexity_is("log(exp(x))", LL_UNKNOWN);
    convexity_is("x^2+sqrt((x-0.5)^2)", LL_UNKNOWN);
    /* phi'' = 1 + x^(1/16) (0.2 ln x + 0.285) or so: below 0 near x = e^-17 only. */
    convexity_is("x^2/2+0.0913*(x*log(x))*x^1.0625", LL_UNKNOWN);
}

static void test_refused(void **state)
{
    (void)state;
    refused("log(x)", "no finite value at 0");
    refused("-log(x)", "itakura-saito");
    refused("1/x+log(x)-1", "itakura-saito");
    refused("1/(1-x)", "no finite value at 1");
    refused("1/(1-x)^2", "no finite value at 1");
    refused("2*x+1", "phi'' <= 0 at x = 0.5");
    refused("3", "not strictly convex");
    refused("x-x^1", "not strictly convex");
    refused("-x^2", "phi'' <= 0 at x = 0.5");
    refused("sqrt(x)", "phi'' <= 0");
    refused("x^3-x^2", "phi'' <= 0");
    refused("x^2-0.003*exp(-1000*(x-0.7)^2)", "phi'' <= 0");
    refused("x*log(x)-x^2", "phi'' <= 0 at x = 0.75");
    refused("x^2-sqrt((x-0.5)^2)/4", "falls");
    refused("1/(x-1/2)^2", "falls");
    refused("1/(x-0.3)^2", "falls");
}

/* phi'' = (x-r)^2 + d with r and d in sixteenths and 2^-10ths: d > 0 is convex, d < 0 with r inside is not. */
static void test_quartics(void **state)
{
    (void)state;
    for (long k = 0; k < 60 * multiplier; k++) {
        char name[300];
        ll_metric *loss = NULL;
        ll_error error;
        double r = -0.5 + (double)draw(33) / 16, d = ((double)draw(41) - 20) / 1024;
        (void)snprintf(name, sizeof name, "bregman:x^4/12-(%.17g)*x^3/3+(%.17g)*x^2/2", r, r * r + d);
        if (ll_metric_create(&loss, name, &error) == LL_OK) {
            if (d < 0 && r > 0 && r < 1)
                fail_msg("%s: not refused", name);
            assert_int_equal(d > 0 && ll_metric_is_convex(loss) != LL_TRUE, 0);
            /* With d < 0 and r outside, phi'' >= 0 in (0,1) only where the dip stays outside. */
            if (d < 0 && ll_metric_is_convex(loss) == LL_TRUE)
                assert_true(r + sqrt(-d) <= 0 || r - sqrt(-d) >= 1);
        } else if (d >= 0) {
            fail_msg("%s: %s", name, error.text);
        }
        ll_metric_destroy(loss);
    }
}

/* The divergence of a proved phi is positive off the label, and grows away from it. */
static void test_divergence(void **state)
{
    static const char *const phis[] = {"bregman:x*log(x)", "bregman:x^4", "bregman:-sqrt(x*(1-x))", "bregman:exp(x)"};
    ll_arithmetic a;
    ll_value x, score, before;
    (void)state;
    ll_arithmetic_set_ball(&a, 128);
    arb_init(x.ball);
    arb_init(score.ball);
    arb_init(before.ball);
    for (int i = 0; i < 4; i++) {
        ll_metric *loss = open_loss(phis[i]);
        for (long label = 0; label <= 1; label++) {
            arb_set_si(x.ball, label);
            assert_int_equal(ll_metric_score(loss, &a, &before, &x, 1, label), LL_OK);
            assert_true(arb_is_zero(before.ball));
            for (int step = 1; step < 16; step++) {
                arb_set_d(x.ball, label ? 1 - step / 16.0 : step / 16.0);
                assert_int_equal(ll_metric_score(loss, &a, &score, &x, 1, label), LL_OK);
                assert_true(arb_gt(score.ball, before.ball));
                arb_swap(score.ball, before.ball);
            }
        }
        ll_metric_destroy(loss);
    }
    arb_clear(x.ball);
    arb_clear(score.ball);
    arb_clear(before.ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proved),   cmocka_unit_test(test_open),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_quartics), cmocka_unit_test(test_divergence),
    };
    int failed;
    read_environment();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
