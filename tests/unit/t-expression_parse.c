/* The language of expressions: precedence, numbers, every error with its column, bounds, garbage. */
#include "number/expression.h"
#include "number/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 1, drawn;
static long multiplier = 1;

static uint64_t draw(uint64_t n)
{
    return ll_random_below(seed, 0, drawn++, n);
}

static double value_of(const char *text, double x, double alpha)
{
    ll_expression *e = NULL;
    ll_error error;
    ll_arithmetic a;
    ll_value out, at = {.native = x}, parameter = {.native = alpha};
    if (ll_expression_create(&e, text, &error) != LL_OK)
        fail_msg("'%.200s': %s", text, error.text);
    assert_int_equal(ll_arithmetic_parse(&a, "fp64", NULL), LL_OK);
    ll_expression_evaluate(e, &a, &out, NULL, NULL, &at, &parameter);
    ll_expression_destroy(e);
    return out.native;
}

static void test_precedence(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value; /* at x = 3, alpha = 0.5 */
    } cases[] = {
        {"1-2-3", -4},
        {"1-(2-3)", 2},
        {"16/4/2", 2},
        {"2+3*4", 14},
        {"(2+3)*4", 20},
        {"2^3^2", 512},
        {"(2^3)^2", 64},
        {"-x^2", -9},
        {"(-x)^2", 9},
        {"2^-1", 0.5},
        {"2^-x^2", 0x1p-9},
        {"2^-1*4", 2},
        {"--x", 3},
        {"2*--x", 6},
        {"2*---x", -6},
        {"1--x", 4},
        {"1 - - -x", -2},
        {"2*-x*4", -24},
        {"-x*4+1", -11},
        {"-2^2*3", -12},
        {"6/-x/2", -1},
        {" 1\t+\n x\r", 4},
        {"log ( exp(2) )", 2},
        {"sqrt(x+1)", 2},
        {"x*alpha", 1.5},
        {"alpha^2", 0.25},
        {"x^0", 1},
        {"0^0", 1},
        {"x^1", 3},
        {"x^2.0", 9},
        {"x^(-2)*9", 1},
        {"x^0x2", 9},
        {".5", 0.5},
        {"5.", 5},
        {"1e3", 1000},
        {"1E-2", 0.01},
        {"0x1.8p1", 3},
        {"0X.8P+1", 1},
        {"0x10", 16},
        {"((((x))))", 3},
        {"1e-99999999999999999999", 0},
        {"x^1e99999999999999999999", INFINITY},
        {"((x+1)*(x-1))^(1/3)", 2},
        {"x^alpha*x^alpha-x", 0},
        {"9^-alpha*x", 1},
        {"2^(x-1)-x", 1},
        {"exp(0)^-x", 1},
        {"6/2*x", 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double y = value_of(cases[i].text, 3, 0.5);
        if (!(y == cases[i].value || fabs(y - cases[i].value) < 1e-15))
            fail_msg("%s is %.17g, not %.17g", cases[i].text, y, cases[i].value);
    }
}

#define OPERAND "expected a number, x, alpha, log, exp, sqrt, '-' or '('"

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "column 1: " OPERAND ", found the end"},
        {"   ", "column 4: " OPERAND ", found the end"},
        {"x+", "column 3: " OPERAND ", found the end"},
        {"x+ * 2", "column 4: " OPERAND ", found '*'"},
        {"+x", "column 1: " OPERAND ", found '+'"},
        {"()", "column 2: " OPERAND ", found ')'"},
        {"x*)", "column 3: " OPERAND ", found ')'"},
        {"2*y", "column 3: " OPERAND ", found 'y'"},
        {"X", "column 1: " OPERAND ", found 'X'"},
        {"ln(x)", "column 1: " OPERAND ", found 'ln'"},
        {"x1", "column 1: " OPERAND ", found 'x1'"},
        {"1+.", "column 3: " OPERAND ", found '.'"},
        {"nan", "column 1: " OPERAND ", found 'nan'"},
        {"inf", "column 1: " OPERAND ", found 'inf'"},
        {"abcdefghijklmnopqrstuvwxyz", "column 1: " OPERAND ", found 'abcdefghijklmnopqrst...'"},
        {"\xce\xb1*x", "column 1: " OPERAND ", found byte 0xCE"},
        {"2x", "column 2: expected an operator or the end, found 'x'"},
        {"x y", "column 3: expected an operator or the end, found 'y'"},
        {"x(2)", "column 2: expected an operator or the end, found '('"},
        {"x)", "column 2: expected an operator or the end, found ')'"},
        {"(x))", "column 4: expected an operator or the end, found ')'"},
        {"2e", "column 2: expected an operator or the end, found 'e'"},
        {"2e+x", "column 2: expected an operator or the end, found 'e'"},
        {"0x", "column 2: expected an operator or the end, found 'x'"},
        {"0x1p", "column 4: expected an operator or the end, found 'p'"},
        {"1.2.3", "column 4: expected an operator or the end, found '.'"},
        {"x**2", "column 3: " OPERAND ", found '*'"},
        {"x\x01", "column 2: expected an operator or the end, found byte 0x01"},
        {"x,2", "column 2: expected an operator or the end, found ','"},
        {"(x", "column 3: expected an operator or the ')' of the '(' in column 1, found the end"},
        {"2*((x+1)*3", "column 11: expected an operator or the ')' of the '(' in column 3, found the end"},
        {"log(x 2)", "column 7: expected an operator or the ')' of the '(' in column 4, found '2'"},
        {"exp (x", "column 7: expected an operator or the ')' of the '(' in column 5, found the end"},
        {"log x", "column 5: expected '(' after log, found 'x'"},
        {"sqrt", "column 5: expected '(' after sqrt, found the end"},
        {"exp)", "column 4: expected '(' after exp, found ')'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ll_expression *e = NULL;
        ll_error error;
        assert_int_equal(ll_expression_create(&e, cases[i].text, &error), LL_DOMAIN);
        assert_null(e);
        assert_int_equal(error.status, LL_DOMAIN);
        assert_string_equal(error.text, cases[i].error);
        assert_int_equal(ll_expression_create(&e, cases[i].text, NULL), LL_DOMAIN);
    }
}

static char *repeat(const char *left, const char *middle, const char *right, size_t n)
{
    size_t l = strlen(left), m = strlen(middle), r = strlen(right);
    char *text = malloc(n * (l + r) + m + 1), *at = text;
    assert_non_null(text);
    for (size_t i = 0; i < n; i++, at += l)
        memcpy(at, left, l);
    memcpy(at, middle, m);
    at += m;
    for (size_t i = 0; i < n; i++, at += r)
        memcpy(at, right, r);
    *at = '\0';
    return text;
}

static void check_repeated(const char *left, const char *middle, const char *right, size_t n, size_t column)
{
    char *text = repeat(left, middle, right, n), expected[40];
    ll_expression *e = NULL;
    ll_error error;
    ll_status status = ll_expression_create(&e, text, &error);
    assert_int_equal(status, column ? LL_DOMAIN : LL_OK);
    if (column) {
        (void)snprintf(expected, sizeof expected, "column %zu: expected ", column);
        assert_memory_equal(error.text, expected, strlen(expected));
    } else {
        (void)value_of(text, 0.5, 2);
    }
    ll_expression_destroy(e);
    free(text);
}

static void test_bounds(void **state)
{
    (void)state;
    check_repeated("(", "x", ")", 200, 0);
    check_repeated("(", "x", ")", 201, 201);
    check_repeated("(", "x", ")", 32767, 201);
    check_repeated("log(", "x", ")", 13000, 804);
    check_repeated("x^", "x", "", 200, 0);
    check_repeated("x^", "x", "", 201, 402);
    check_repeated("x^", "2", "", 30000, 402);
    check_repeated("-", "x", "", 200, 0);
    check_repeated("-", "x", "", 60000, 201);
    check_repeated("(1+", "x", ")", 100, 0);
    check_repeated("(1+", "x", ")", 101, 301);
    check_repeated("x*", "x", "", 32767, 0);
    check_repeated("x^2+", "x", "", 16383, 0);
    check_repeated("x*log(x)*", "x", "", 7000, 0);
    check_repeated("2*x*log(x+1)*", "x", "", 5000, 0);
    check_repeated("-x*-log(x)/", "x", "", 5900, 0);
    check_repeated("7", "x", "", 65535, 65536);
    check_repeated("7", "", "", 65536, 0);
    check_repeated("7", "", "", 65537, 65537);
}

/* ---- garbage: pieces of the language in any order, with a few bytes of anything ---- */

static void draw_garbage(char *out, size_t pieces)
{
    static const char *const words[] = {"x",  "x",   "alpha", "log(",   "exp(", "sqrt(", "(",        ")",
                                        ")",  "+",   "-",     "*",      "/",    "^",     "^2",       "^-3",
                                        " ",  "1.5", "0",     "0x1p-2", "2e5",  "^0.5",  "x*log(x)", "lo",
                                        "0x", ".",   "e9",    "^1e400", "^0",   "1e-400"};
    for (*out = '\0'; pieces > 0; pieces--)
        if (draw(60) == 0)
            (void)sprintf(out + strlen(out), "%c", (int)draw(255) + 1);
        else
            strcat(out, words[draw(sizeof words / sizeof *words)]);
}

static void evaluate_all(const ll_expression *e)
{
    static const char *const names[] = {"exact", "fp64", "fp32", "fp16", "fp8-e4m3"};
    static const char *const points[] = {"0", "0.3", "-2", "1e-30"};
    ll_exact at;
    ll_exact_init(&at);
    for (int i = 0; i < 5; i++) {
        ll_arithmetic a;
        ll_value x, y[3];
        assert_int_equal(ll_arithmetic_parse(&a, names[i], NULL), LL_OK);
        a.ops->init(&a, &x);
        for (int k = 0; k < 3; k++)
            a.ops->init(&a, &y[k]);
        for (int p = 0; p < 4; p++) {
            assert_int_equal(ll_exact_set_text(&at, points[p], strlen(points[p])), LL_OK);
            a.ops->set_exact(&a, &x, &at);
            ll_expression_evaluate(e, &a, &y[0], &y[1], &y[2], &x, &x);
        }
        a.ops->clear(&a, &x);
        for (int k = 0; k < 3; k++)
            a.ops->clear(&a, &y[k]);
    }
    ll_exact_clear(&at);
}

static void test_garbage(void **state)
{
    (void)state;
    long good = 0;
    for (long n = 0; n < 20000 * multiplier; n++) {
        char text[1000];
        size_t column;
        ll_expression *e = NULL;
        ll_error error;
        draw_garbage(text, draw(n % 4 ? 8 : 80));
        ll_status status = ll_expression_create(&e, text, &error);
        if (status == LL_OK) {
            good++;
            evaluate_all(e);
            ll_expression_destroy(e);
        } else {
            assert_int_equal(status, LL_DOMAIN);
            assert_null(e);
            assert_int_equal(sscanf(error.text, "column %zu: expected ", &column), 1);
            assert_in_range(column, 1, strlen(text) + 1);
        }
    }
    assert_true(good > 100);
}

int main(void)
{
    const char *text = getenv("LL_TEST_SEED"), *times = getenv("LL_TEST_MULTIPLIER");
    seed = text ? strtoull(text, NULL, 0) : seed;
    multiplier = times ? strtol(times, NULL, 10) : 1;
    print_message("LL_TEST_SEED=%llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_garbage),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    mpfr_free_cache();
    return failed;
}
