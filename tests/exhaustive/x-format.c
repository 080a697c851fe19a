/* FPA against everything that can be asked: every operand of the 8-bit formats against a list of all values, every
 * operand and many pairs of the 16-bit ones against MPFR cut and rounded by integers, and fp32 and fp64
 * against the hardware. Bit patterns are compared, signed zeros included; NaN is one pattern. */
#include "number/format.h"
#include "slow_float.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 20220328;
static int is_long;

typedef void binary(const ll_format *, mpfr_t, const mpfr_t, const mpfr_t);
typedef void unary(const ll_format *, mpfr_t, const mpfr_t);

static const char operations[] = "+-*/^";
static binary *const binaries[] = {ll_format_add, ll_format_sub, ll_format_mul, ll_format_div, ll_format_pow};
static const char *const function_names[] = {"log", "exp", "sqrt", "log1p", "expm1"};
static unary *const unaries[] = {ll_format_log, ll_format_exp, ll_format_sqrt, ll_format_log1p, ll_format_expm1};

/* What both sides need for one format. */
typedef struct {
    const char *name;
    ll_format format;
    slow_format slow;
    mpfr_t x, y, z;
} world;

static void world_init(world *w, const char *name)
{
    ll_error error;
    w->name = name;
    if (ll_format_parse(&w->format, name, &error) != LL_OK)
        fail_msg("%s", error.text);
    w->slow = (slow_format){(int)w->format.exponent_bits, (int)w->format.fraction_bits};
    ll_format_init(&w->format, w->x);
    ll_format_init(&w->format, w->y);
    ll_format_init(&w->format, w->z);
}

static void world_clear(world *w)
{
    mpfr_clear(w->x);
    mpfr_clear(w->y);
    mpfr_clear(w->z);
}

/* z must be the value of the pattern, and so a value of the format. */
static int is_pattern(const world *w, uint64_t expected)
{
    int inexact;
    return slow_set_mpfr(w->slow, &inexact, w->z) == expected && !inexact;
}

static void complain(const world *w, const char *operation, uint64_t x, uint64_t y, uint64_t expected)
{
    char *text = NULL;
    mpfr_asprintf(&text, "%s: %#" PRIx64 " %s %#" PRIx64 " should be %#" PRIx64 ", is %Ra", w->name, x, operation, y,
                  expected, w->z);
    print_error("%s\n", text);
    mpfr_free_str(text);
    fail();
}

/* ------------------------------------------------------------------ 8 bits: all there is */

static long check_all_pairs(world *w, const slow_table *table, long operation)
{
    const char text[] = {operations[operation], 0};
    uint64_t count = slow_count(w->slow);
    for (uint64_t x = 0; x < count; x++)
        for (uint64_t y = 0; y < count; y++) {
            slow_get_mpfr(w->slow, w->x, x);
            slow_get_mpfr(w->slow, w->y, y);
            binaries[operation](&w->format, w->z, w->x, w->y);
            uint64_t expected = slow_binary(table, text[0], x, y);
            if (!is_pattern(w, expected))
                complain(w, text, x, y, expected);
        }
    return (long)(count * count);
}

static long check_all(world *w, const slow_table *table, slow_function function)
{
    uint64_t count = slow_count(w->slow);
    for (uint64_t x = 0; x < count; x++) {
        slow_get_mpfr(w->slow, w->x, x);
        unaries[function](&w->format, w->z, w->x);
        uint64_t expected = slow_unary(table, function, x);
        if (!is_pattern(w, expected))
            complain(w, function_names[function], x, x, expected);
    }
    return (long)count;
}

static void test_tiny(void **unused)
{
    static const char *const names[] = {"fp8-e4m3", "fp8-e5m2"};
    (void)unused;
    for (int n = 0; n < 2; n++) {
        world w;
        slow_table table;
        long pairs = 0, values = 0;
        world_init(&w, names[n]);
        slow_table_init(&table, w.slow);
        for (int i = 0; operations[i]; i++)
            pairs += check_all_pairs(&w, &table, i);
        for (int f = 0; f < SLOW_FUNCTIONS; f++)
            values += check_all(&w, &table, (slow_function)f);
        print_message("%s: all %ld pairs through + - * / pow, all %ld operands through log exp sqrt log1p expm1\n",
                      w.name, pairs, values);
        slow_table_clear(&table);
        world_clear(&w);
    }
}

/* ------------------------------------------------------------------ 16 bits */

static void check_function(world *w, slow_function function, uint64_t x)
{
    slow_get_mpfr(w->slow, w->x, x);
    unaries[function](&w->format, w->z, w->x);
    uint64_t expected = slow_wide_unary(w->slow, function, w->x);
    if (!is_pattern(w, expected))
        complain(w, function_names[function], x, x, expected);
}

static void check_operation(world *w, int operation, uint64_t x, uint64_t y)
{
    const char text[] = {operations[operation], 0};
    slow_get_mpfr(w->slow, w->x, x);
    slow_get_mpfr(w->slow, w->y, y);
    binaries[operation](&w->format, w->z, w->x, w->y);
    uint64_t expected = slow_wide_binary(w->slow, text[0], w->x, w->y);
    if (!is_pattern(w, expected))
        complain(w, text, x, y, expected);
}

static void test_half(void **unused)
{
    static const char *const names[] = {"fp16", "bf16"};
    long pairs = is_long ? 10000000 : 200000;
    (void)unused;
    for (int n = 0; n < 2; n++) {
        world w;
        world_init(&w, names[n]);
        for (uint64_t x = 0; x < slow_count(w.slow); x++)
            for (int f = 0; f < SLOW_FUNCTIONS; f++)
                check_function(&w, (slow_function)f, x);
        for (long i = 0; i < pairs; i++) {
            uint64_t x = slow_draw(w.slow, &seed), y = slow_draw_near(w.slow, &seed, x);
            check_operation(&w, (int)(i % 5), x, y);
        }
        print_message("%s: all %" PRIu64 " operands through log exp sqrt log1p expm1, %ld pairs through + - * / pow\n",
                      w.name, slow_count(w.slow), pairs);
        world_clear(&w);
    }
}

/* ------------------------------------------------------------------ the hardware */

static double get_double(uint64_t pattern)
{
    double x;
    memcpy(&x, &pattern, sizeof x);
    return x;
}

static uint64_t from_double(slow_format format, double x)
{
    uint64_t pattern;
    memcpy(&pattern, &x, sizeof pattern);
    return isnan(x) ? slow_nan(format) : pattern;
}

static float get_float(uint64_t pattern)
{
    uint32_t low = (uint32_t)pattern;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}

static uint64_t from_float(slow_format format, float x)
{
    uint32_t pattern;
    memcpy(&pattern, &x, sizeof pattern);
    return isnan(x) ? slow_nan(format) : pattern;
}

static uint64_t double_operation(slow_format format, char operation, uint64_t a, uint64_t b)
{
    double x = get_double(a), y = get_double(b);
    switch (operation) {
    case '+':
        return from_double(format, x + y);
    case '-':
        return from_double(format, x - y);
    case '*':
        return from_double(format, x * y);
    case '/':
        return from_double(format, x / y);
    default:
        return from_double(format, sqrt(x));
    }
}

static uint64_t float_operation(slow_format format, char operation, uint64_t a, uint64_t b)
{
    float x = get_float(a), y = get_float(b);
    switch (operation) {
    case '+':
        return from_float(format, x + y);
    case '-':
        return from_float(format, x - y);
    case '*':
        return from_float(format, x * y);
    case '/':
        return from_float(format, x / y);
    default:
        return from_float(format, sqrtf(x));
    }
}

typedef uint64_t hardware(slow_format, char, uint64_t, uint64_t);

static void check_hardware(world *w, hardware *compute, uint64_t x, uint64_t y)
{
    slow_get_mpfr(w->slow, w->x, x);
    slow_get_mpfr(w->slow, w->y, y);
    for (int i = 0; i < 5; i++) {
        const char text[] = {"+-*/s"[i], 0};
        if (text[0] == 's')
            ll_format_sqrt(&w->format, w->z, w->x);
        else
            binaries[i](&w->format, w->z, w->x, w->y);
        uint64_t expected = compute(w->slow, text[0], x, y);
        if (!is_pattern(w, expected))
            complain(w, text, x, y, expected);
    }
}

static void test_hardware(void **unused)
{
    static const char *const names[] = {"fp32", "fp64"};
    static hardware *const computes[] = {float_operation, double_operation};
    long pairs = is_long ? 10000000 : 100000;
    (void)unused;
    for (int n = 0; n < 2; n++) {
        world w;
        world_init(&w, names[n]);
        for (long i = 0; i < pairs; i++) {
            uint64_t x = slow_draw(w.slow, &seed), y = slow_draw_near(w.slow, &seed, x);
            check_hardware(&w, computes[n], x, y);
        }
        print_message("%s: %ld pairs through + - * / sqrt of the hardware\n", w.name, pairs);
        world_clear(&w);
    }
}

int main(void)
{
    const char *text = getenv("LL_TEST_SEED");
    if (text)
        seed = strtoull(text, NULL, 0);
    text = getenv("LL_TEST_LONG");
    is_long = text && !strcmp(text, "1");
    print_message("LL_TEST_SEED=%" PRIu64 " LL_TEST_LONG=%d\n", seed, is_long);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiny),
        cmocka_unit_test(test_half),
        cmocka_unit_test(test_hardware),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    flint_cleanup();
    return failures;
}
