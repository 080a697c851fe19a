/* From number to sum: the interval holds every sum that can have led to the number, and is within its bound. */
#include "curator_tools.h"
#include "scorer_tools.h"

static const char *const metrics[] = {"log-loss", "squared", "lp:1", "lp:2", "lp:0.5", "lp:3.5"};
static const char *const arithmetics[] = {"exact", "fp64", "fpa:6,12"};
static const double roundoffs[] = {0, 0x1p-53, 0x1p-13};

enum { PREC = 256, ROWS = 50 };

/* Roundings of the mean, or of a root by pow: docs/proofs/score-interval.md. */
static double units(const ll_scorer *s, int metric)
{
    return metric < 2 ? 1 : 2 * s->computation.log_ulps + 2 * (log(ROWS) + 1) / strtod(metrics[metric] + 3, NULL);
}

static void check(const ll_scorer *s, int metric, int arithmetic)
{
    double most = (double)(1 + below(ROWS)), value = below(4) ? most : most * uniform();
    double half = below(2) ? 0 : pow(10, -6 * uniform());
    double off = (below(2) ? 1 : -1) * units(s, metric) * roundoffs[arithmetic], shift = 2 * uniform() - 1;
    arb_t sum, number, wide, bound, other;
    arb_init(sum);
    arb_init(number);
    arb_init(wide);
    arb_init(bound);
    arb_init(other);
    arb_set_d(sum, metric < 2 ? value : floor(value));
    ll_link_get_number(&s->computation, number, sum, ROWS, PREC);
    arb_set_d(other, off * (1 - 1e-6)); /* what the program made of it */
    arb_add_ui(other, other, 1, PREC);
    arb_mul(number, number, other, PREC);
    arb_set_d(wide, half);
    arb_set_d(other, below(2) ? half * shift : below(2) ? half : -half); /* its interval */
    arb_add(number, number, other, PREC);
    arb_add_error(number, wide);
    ll_link_get_sum(&s->computation, other, number, ROWS, 0, PREC);
    if (!arb_contains(other, sum))
        fail_msg("%s %s: the sum %g is lost", metrics[metric], arithmetics[arithmetic], value);
    arb_set_d(sum, most);
    ll_link_get_bound(&s->computation, bound, wide, sum, ROWS, 0);
    double promised = arf_get_d(arb_midref(bound), ARF_RND_UP), got = mag_get_d(arb_radref(other));
    if (!(got <= promised * (1 + 1e-6) + 1e-60))
        fail_msg("%s %s: sums to %g, numbers to %g: half width %g, promised %g", metrics[metric],
                 arithmetics[arithmetic], most, half, got, promised);
    arb_clear(sum);
    arb_clear(number);
    arb_clear(wide);
    arb_clear(bound);
    arb_clear(other);
}

static void test_link(void **state)
{
    (void)state;
    for (int m = 0; m < 6; m++)
        for (int a = 0; a < 3; a++) {
            ll_scorer *s = scorer_of_text("metric=%s; arithmetic=%s; rows=%d", metrics[m], arithmetics[a], ROWS);
            for (long i = 0; i < 2000 * multiplier; i++)
                check(s, m, a);
            ll_scorer_destroy(s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_link)};
    read_environment("t-link");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
