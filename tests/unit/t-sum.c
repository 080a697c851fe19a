/* Sums against NumPy's and fsum's (vectors), against themselves in other blocks and in other arithmetics. */
#include "sum_terms.h"

static uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* ------------------------------------------------------------------ vectors */

static void vector_doubles(double *x, long n)
{
    uint64_t state = (uint64_t)n << 32;
    for (long i = 0; i < n; i++) {
        uint64_t z = slow_splitmix64(&state);
        x[i] = ldexp((double)((int64_t)(z >> 11) - (INT64_C(1) << 52)), (int)(z % 2048 % 40) - 72);
    }
}

static void vector_floats(float *x, long n)
{
    uint64_t state = (uint64_t)n << 32;
    for (long i = 0; i < n; i++) {
        uint64_t z = slow_splitmix64(&state);
        x[i] = ldexpf((float)((int64_t)(z >> 40) - (INT64_C(1) << 23)), (int)(z % 2048 % 20) - 33);
    }
}

static uint64_t mix(uint64_t hash, uint64_t bits)
{
    return (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
}

static void check_hash(double *x, float *y, long first, long last, uint64_t expected)
{
    uint64_t hash = 0;
    for (long n = first; n <= last; n++) {
        vector_doubles(x, n);
        vector_floats(y, n);
        hash = mix(hash, double_bits(ll_sum_doubles(x, n, LL_SUM_PAIRWISE)));
        hash = mix(hash, float_bits(ll_sum_floats(y, n, LL_SUM_PAIRWISE)));
    }
    assert_true(hash == expected);
}

static void test_numpy(void **unused)
{
    (void)unused;
    enum { LONGEST = 300000 };
    FILE *file = fopen(LL_TEST_VECTORS "/sum.txt", "r");
    assert_non_null(file);
    double *x = new_doubles(LONGEST), pairwise, single, exact;
    float *y = malloc(LONGEST * sizeof *y);
    char line[200];
    unsigned long long hash;
    long n, last, lines = 0;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "all %ld %ld %llx", &n, &last, &hash) == 3) {
            check_hash(x, y, n, last, hash);
        } else if (sscanf(line, "%ld %la %la %la", &n, &pairwise, &single, &exact) == 4) {
            assert_true(n <= LONGEST);
            vector_doubles(x, n);
            vector_floats(y, n);
            assert_same(ll_sum_doubles(x, n, LL_SUM_PAIRWISE), pairwise);
            assert_same(ll_sum_floats(y, n, LL_SUM_PAIRWISE), single);
            assert_same(ll_sum_doubles(x, n, LL_SUM_EXACT), exact);
        } else {
            assert_int_equal(line[0], '#');
        }
        lines++;
    }
    assert_true(lines > 50);
    (void)fclose(file);
    free(y);
    free(x);
}

/* ------------------------------------------------------------------ running sums */

static double running(const char *name, ll_order order, const double *x, long n, long longest)
{
    ll_arithmetic a;
    assert_int_equal(ll_arithmetic_parse(&a, name, NULL), LL_OK);
    ll_sum *sum = ll_sum_create(&a, order, n);
    assert_non_null(sum);
    for (long i = 0; i < n;) {
        long count = 1 + below(longest);
        count = count < n - i ? count : n - i;
        ll_sum_add_doubles(sum, x + i, count);
        i += count;
    }
    ll_value out;
    ll_sum_get(sum, &out);
    double first = out.native;
    ll_sum_get(sum, &out);
    assert_same(first, out.native);
    ll_sum_destroy(sum);
    return first;
}

static void test_running(void **unused)
{
    (void)unused;
    static const long longest[] = {1, 7, 100, 8192, 20000};
    for (long round = 0; round < 250 * multiplier; round++) {
        long n = round % 10 ? draw_length() : 8192 * (1 + below(3)) + below(3) - 1;
        double *x = new_doubles(n);
        for (int k = 0; k < ORDERS; k++) {
            draw_terms(x, n, round % KINDS, 0);
            assert_same(running("fp64", orders[k], x, n, longest[below(5)]), ll_sum_doubles(x, n, orders[k]));
            draw_terms(x, n, round % KINDS, 1);
            assert_same(running("fp32", orders[k], x, n, longest[below(5)]), sum_as_floats(x, n, orders[k]));
        }
        free(x);
    }
}

static void test_formats(void **unused)
{
    (void)unused;
    const ll_format fp64 = {11, 52}, fp32 = {8, 23};
    for (long round = 0; round < 45 * multiplier; round++) {
        long n = round == 0 ? 8192 + 700 : below(round % 3 ? 300 : 2300);
        double *x = new_doubles(n);
        for (int k = 0; k < ORDERS; k++) {
            draw_terms(x, n, round % KINDS, 0);
            assert_same(by_format(fp64, orders[k], x, n), ll_sum_doubles(x, n, orders[k]));
            draw_terms(x, n, round % KINDS, 1);
            assert_same(by_format(fp32, orders[k], x, n), sum_as_floats(x, n, orders[k]));
        }
        free(x);
    }
}

static void test_balls(void **unused)
{
    (void)unused;
    ll_arithmetic a;
    ll_arithmetic_set_ball(&a, 3000);
    double x[500];
    draw_terms(x, 500, 4, 0);
    for (int k = 0; k < ORDERS; k++) {
        ll_sum *sum = ll_sum_create(&a, orders[k], 500);
        ll_value value;
        a.ops->init(&a, &value);
        for (long i = 0; i < 500; i++) {
            arb_set_d(value.ball, x[i]);
            ll_sum_add(sum, &value);
        }
        ll_sum_get(sum, &value);
        assert_true(arb_is_exact(value.ball));
        assert_same(arf_get_d(arb_midref(value.ball), ARF_RND_NEAR), ll_sum_doubles(x, 500, LL_SUM_EXACT));
        a.ops->clear(&a, &value);
        ll_sum_destroy(sum);
    }
}

/* ------------------------------------------------------------------ what is not finite, and zeros */

static void test_special(void **unused)
{
    (void)unused;
    const double zeros[] = {-0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0};
    const double infinite[] = {1, INFINITY, 2}, both[] = {INFINITY, 1, -INFINITY}, nan[] = {1, NAN};
    const double over[] = {DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX}, edge[] = {DBL_MAX, 0x1p969, 0x1.8p918};
    for (int k = 0; k < ORDERS; k++) {
        assert_same(ll_sum_doubles(zeros, 0, orders[k]), 0);
        assert_same(ll_sum_doubles(zeros, 1, orders[k]), 0);
        assert_same(ll_sum_doubles(zeros, 9, orders[k]), 0);
        assert_same(ll_sum_doubles(infinite, 3, orders[k]), INFINITY);
        assert_true(isnan(ll_sum_doubles(both, 3, orders[k])));
        assert_true(isnan(ll_sum_doubles(nan, 2, orders[k])));
        assert_true(isinf(ll_sum_doubles(over, 2, orders[k])));
    }
    assert_same(ll_sum_doubles(over, 4, LL_SUM_EXACT), 0);
    assert_same(ll_sum_doubles(over, 4, LL_SUM_COMPENSATED), ll_sum_doubles(over, 4, LL_SUM_NAIVE));
    assert_same(ll_sum_doubles(edge, 2, LL_SUM_EXACT), DBL_MAX);
    assert_same(sum_as_floats((double[]){FLT_MAX, 0x1p102}, 2, LL_SUM_EXACT), FLT_MAX);
    assert_same(sum_as_floats((double[]){FLT_MAX, 0x1p103}, 2, LL_SUM_EXACT), INFINITY);
    assert_same(ll_sum_doubles((double[]){DBL_MAX, 0x1p970}, 2, LL_SUM_EXACT), INFINITY);
}

/* The exact order over exponents that no number can span. */
static void test_far(void **unused)
{
    (void)unused;
    const ll_format format = {40, 10};
    const long far = -(1L << 37);
    static const struct {
        long mantissa[4], exponent[4];
        long value, at;
    } cases[] = {
        {{1, 1, -1, 0}, {0, 1, 0, 0}, 1, -1},     /* 1 + tiny - 1: exponents are 0 and `far` by the flag below */
        {{1024, 1, 0, 0}, {0, 1, 0, 0}, 1024, 0}, /* absorbed */
        {{2048, 1, 1, 0}, {0, 0, 1, 0}, 2050, 0}, /* a tie and a little more: up */
        {{2048, 1, -1, 0}, {0, 0, 1, 0}, 2048, 0},
        {{1, 2048, 1, -1}, {1, 0, 0, 1}, 2048, 0}, /* a tie again, and small terms before large ones */
    };
    ll_arithmetic a;
    ll_arithmetic_set_format(&a, format);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ll_sum *sum = ll_sum_create(&a, LL_SUM_EXACT, 4);
        ll_value x;
        arf_t term;
        a.ops->init(&a, &x);
        arf_init(term);
        for (int k = 0; k < 4; k++) {
            arf_set_si_2exp_si(term, cases[i].mantissa[k], cases[i].exponent[k] ? far : 0);
            ll_format_set_arf(&format, x.fpa, term);
            ll_sum_add(sum, &x);
        }
        for (int again = 0; again < 2; again++) {
            ll_sum_get(sum, &x);
            arf_set_si_2exp_si(term, cases[i].value, cases[i].at ? far : 0);
            mpfr_t expected;
            mpfr_init2(expected, 60);
            ll_format_set_arf(&(ll_format){62, 59}, expected, term);
            assert_true(mpfr_equal_p(expected, x.fpa));
            mpfr_clear(expected);
        }
        arf_clear(term);
        a.ops->clear(&a, &x);
        ll_sum_destroy(sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numpy), cmocka_unit_test(test_running), cmocka_unit_test(test_formats),
        cmocka_unit_test(test_balls), cmocka_unit_test(test_special), cmocka_unit_test(test_far),
    };
    read_environment();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    flint_cleanup();
    return failed;
}
