/* Intervals of doubles hold every sum and difference of numbers in their parts, and the ball that they are made of; what
 * is rounded is rounded outward. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "number/random.h"
#include "strategy/common/sum_span.h"

enum { TIMES = 20000, PREC = 4000 };

static double draw(uint64_t seed, uint64_t which)
{
    double fraction = (double)ll_random_below(seed, which, 0, 1UL << 53) - 0x1p52;
    return ldexp(fraction, (int)ll_random_below(seed, which, 1, 90) - 90);
}

static ll_span draw_span(uint64_t seed, uint64_t which)
{
    double a = draw(seed, which), b = seed % 3 == 0 ? a : draw(seed, which + 1);
    return (ll_span){fmin(a, b), fmax(a, b)};
}

/* Is a + sign * b in it, in exact numbers? */
static int holds(ll_span s, double a, double b, int sign)
{
    arb_t sum, other;
    arb_init(sum);
    arb_init(other);
    arb_set_d(sum, a);
    arb_set_d(other, sign * b);
    arb_add(sum, sum, other, PREC);
    arb_set_d(other, s.low);
    int inside = arb_le(other, sum);
    arb_set_d(other, s.high);
    inside = inside && arb_ge(other, sum);
    arb_clear(sum);
    arb_clear(other);
    return inside;
}

static void test_sums(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TIMES; seed++) {
        ll_span a = draw_span(seed, 0), b = draw_span(seed, 2), sum = ll_span_add(a, b), rest = ll_span_sub(a, b);
        assert_true(holds(sum, a.low, b.low, 1) && holds(sum, a.high, b.high, 1));
        assert_true(holds(rest, a.low, b.high, -1) && holds(rest, a.high, b.low, -1));
    }
}

static void test_balls(void **state)
{
    (void)state;
    arb_t ball, end;
    arb_init(ball);
    arb_init(end);
    for (uint64_t seed = 0; seed < TIMES; seed++) {
        arb_set_d(ball, draw(seed, 0));
        arb_set_d(end, ldexp(draw(seed, 1), -60));
        arb_add(ball, ball, end, PREC);
        if (seed % 2 == 0)
            mag_set_d(arb_radref(ball), fabs(draw(seed, 2)));
        ll_span span = ll_span_of(ball);
        arb_set_d(end, span.low);
        assert_false(arb_gt(end, ball));
        arb_sub(end, end, ball, PREC);
        assert_true(arb_is_nonpositive(end));
        arb_set_d(end, span.high);
        arb_sub(end, end, ball, PREC);
        assert_true(arb_is_nonnegative(end));
    }
    arb_zero_pm_inf(ball);
    ll_span all = ll_span_of(ball);
    assert_true(isinf(all.low) && isinf(all.high));
    arb_clear(ball);
    arb_clear(end);
}

static void test_meets(void **state)
{
    (void)state;
    const double ends[] = {-INFINITY, -1, 0, 1, 2, INFINITY};
    const long count = sizeof ends / sizeof *ends;
    for (long a = 0; a < count; a++)
        for (long b = a; b < count; b++)
            for (long c = 0; c < count; c++)
                for (long d = c; d < count; d++) {
                    ll_span one = {ends[a], ends[b]}, other = {ends[c], ends[d]};
                    assert_int_equal(ll_span_meets(one, other), !(b < c || d < a));
                    double chance = ll_span_chance(one, other, 4);
                    assert_true(chance >= 0 && chance <= 1);
                    if (a == b && c == d && isfinite(ends[a]) && isfinite(ends[c]))
                        assert_true(chance == 0);
                }
    assert_true(ll_span_chance((ll_span){0, 1}, (ll_span){5, 6}, 4) == 0.5);
    assert_true(ll_span_chance((ll_span){0, 1}, (ll_span){5, 6}, 1) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums), cmocka_unit_test(test_balls),
                                       cmocka_unit_test(test_meets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
