/* Exact numbers against rationals and against vectors from mpmath; exponents without end. */
#include "number/exact.h"
#include "number/random.h"

#include <flint/fmpq.h>
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

static slong draw_between(slong low, slong high)
{
    return low + (slong)draw((uint64_t)(high - low) + 1);
}

static void read_text(ll_exact *x, const char *text)
{
    if (ll_exact_set_text(x, text, strlen(text)) != LL_OK)
        fail_msg("'%.60s' is refused", text);
}

/* The value of a number with moderate exponents. */
static void get_rational(fmpq_t out, const ll_exact *x)
{
    fmpq_t base;
    fmpq_init(base);
    fmpq_set_fmpz(out, x->mantissa);
    fmpq_set_si(base, 2, 1);
    fmpq_pow_fmpz(base, base, x->two);
    fmpq_mul(out, out, base);
    fmpq_set_si(base, 5, 1);
    fmpq_pow_fmpz(base, base, x->five);
    fmpq_mul(out, out, base);
    fmpq_clear(base);
}

/* Often near a power of two or five, often with factors 2 and 5 in the mantissa, often short. */
static void draw_exact(ll_exact *x)
{
    fmpz_t factor;
    fmpz_init(factor);
    fmpz_one(x->mantissa);
    fmpz_mul_2exp(x->mantissa, x->mantissa, draw(draw(4) == 0 ? 300 : 60));
    fmpz_add_si(x->mantissa, x->mantissa, draw_between(-2, 2) * (slong)draw(2));
    if (draw(3) == 0)
        fmpz_set_si(x->mantissa, draw_between(-10, 10));
    if (draw(2)) {
        fmpz_set_ui(factor, draw(2) ? 5 : 10);
        fmpz_pow_ui(factor, factor, draw(30));
        fmpz_mul(x->mantissa, x->mantissa, factor);
    }
    if (draw(2))
        fmpz_neg(x->mantissa, x->mantissa);
    fmpz_set_si(x->two, draw_between(-100, 100));
    fmpz_set_si(x->five, draw(3) ? draw_between(-40, 40) : 0);
    fmpz_clear(factor);
}

/* |radius| <= 2^-prec |value| for every value in the ball. */
static void check_accuracy(const arb_t ball, slong prec)
{
    arf_t radius, low;
    arf_init(radius);
    arf_init(low);
    arf_set_mag(radius, arb_radref(ball));
    arb_get_abs_lbound_arf(low, ball, 64);
    arf_mul_2exp_si(low, low, -prec);
    assert_true(arb_is_finite(ball) && arf_cmp(radius, low) <= 0);
    arf_clear(low);
    arf_clear(radius);
}

/* ---- against rationals */

static void check_text(const ll_exact *x)
{
    ll_exact back;
    ll_exact_init(&back);
    char *text = ll_exact_get_text(x);
    read_text(&back, text);
    assert_int_equal(ll_exact_cmp(x, &back), 0);
    assert_int_equal(ll_exact_is_dyadic(x), strchr(text, 'x') != NULL);
    free(text);
    ll_exact_clear(&back);
}

static void check_balls(const ll_exact *x, const fmpq_t value)
{
    arb_t ball, expected;
    fmpq_t rest;
    arb_init(ball);
    arb_init(expected);
    fmpq_init(rest);
    slong prec = (slong)draw(300) + 2;
    ll_exact_get_ball(ball, x, prec);
    assert_true(arb_contains_fmpq(ball, value));
    check_accuracy(ball, prec);
    int dyadic = fmpz_is_one(fmpq_denref(value)) || fmpz_val2(fmpq_denref(value)) + 1 == fmpz_bits(fmpq_denref(value));
    assert_int_equal(ll_exact_is_dyadic(x), dyadic);
    slong bits = (slong)fmpz_bits(fmpq_numref(value)) - (slong)fmpz_val2(fmpq_numref(value));
    if (dyadic && bits <= prec)
        assert_true(arb_is_exact(ball));
    ll_exact_get_complement(ball, x, prec);
    fmpq_sub_si(rest, value, 1);
    fmpq_neg(rest, rest);
    assert_true(arb_contains_fmpq(ball, rest));
    check_accuracy(ball, prec);
    if (fmpq_sgn(value) > 0) {
        ll_exact_get_log(ball, x, prec);
        arb_set_fmpq(expected, value, 3000);
        arb_log(expected, expected, 3000);
        assert_true(arb_overlaps(ball, expected));
        check_accuracy(ball, prec);
    }
    fmpq_clear(rest);
    arb_clear(expected);
    arb_clear(ball);
}

static void test_rationals(void **state)
{
    (void)state;
    ll_exact x, y;
    fmpq_t a, b;
    ll_exact_init(&x);
    ll_exact_init(&y);
    fmpq_init(a);
    fmpq_init(b);
    for (long i = 0; i < 1500 * multiplier; i++) {
        draw_exact(&x);
        if (draw(3))
            draw_exact(&y);
        else
            ll_exact_set(&y, &x);
        if (draw(3) == 0)
            ll_exact_reduce(&y);
        if (draw(3) == 0)
            fmpz_add_si(y.mantissa, y.mantissa, draw_between(-1, 1));
        get_rational(a, &x);
        get_rational(b, &y);
        int sign = fmpq_cmp(a, b);
        assert_int_equal(ll_exact_cmp(&x, &y), (sign > 0) - (sign < 0));
        assert_int_equal(ll_exact_cmp(&y, &x), (sign < 0) - (sign > 0));
        check_balls(&x, a);
        check_text(&x);
        ll_exact_reduce(&x);
        get_rational(b, &x);
        assert_true(fmpq_equal(a, b) && (fmpq_is_zero(a) || (fmpz_is_odd(x.mantissa) && fmpz_fdiv_ui(x.mantissa, 5))));
    }
    fmpq_clear(b);
    fmpq_clear(a);
    ll_exact_clear(&y);
    ll_exact_clear(&x);
}

/* ---- text */

static void test_grammar(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } bad[] = {{"", 0}, {" 1", 2}, {"1 ", 2}, {"1\n", 2}, {"1\0", 2}, {"1e 5", 4}, {"0x 1", 4}, {"1", 0}, {"0x1", 2}};
    ll_exact x;
    ll_exact_init(&x);
    ll_exact_set_si(&x, 77);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(ll_exact_set_text(&x, bad[i].text, bad[i].length), LL_DOMAIN);
    assert_true(ll_exact_get_d(&x) == 77);
    assert_int_equal(ll_exact_set_text(&x, "12345", 2), LL_OK);
    assert_true(ll_exact_get_d(&x) == 12);
    ll_exact_clear(&x);
}

static void check_size(const ll_exact *x, const char *exponent, const char *decimal)
{
    arb_t ball, expected;
    fmpz_t power;
    arb_init(ball);
    arb_init(expected);
    fmpz_init(power);
    fmpz_set_str(power, exponent, 10);
    assert_int_equal(arb_set_str(expected, decimal, 400), 0);
    mag_set_ui_2exp_si(arb_radref(expected), 1, -190); /* 60 digits */
    arb_mul_2exp_fmpz(expected, expected, power);
    ll_exact_get_ball(ball, x, 170);
    check_accuracy(ball, 170);
    assert_true(arb_overlaps(ball, expected));
    fmpz_clear(power);
    arb_clear(expected);
    arb_clear(ball);
}

static void check_decimal(const ll_exact *x, void (*get)(arb_t, const ll_exact *, slong), const char *decimal)
{
    arb_t ball, expected;
    arb_init(ball);
    arb_init(expected);
    assert_int_equal(arb_set_str(expected, decimal, 4000), 0);
    get(ball, x, 170);
    if (arb_is_zero(expected)) {
        assert_true(arb_is_zero(ball));
    } else {
        mag_t error;
        mag_init(error);
        arb_get_mag(error, expected);
        mag_mul_2exp_si(arb_radref(expected), error, -190);
        mag_clear(error);
        check_accuracy(ball, 170);
        assert_true(arb_overlaps(ball, expected));
    }
    arb_clear(expected);
    arb_clear(ball);
}

static void check_vector(char **field)
{
    ll_exact x, y;
    ll_exact_init(&x);
    ll_exact_init(&y);
    if (strcmp(field[0], "reject") == 0) {
        assert_int_equal(ll_exact_set_text(&x, field[1], strlen(field[1])), LL_DOMAIN);
        goto done;
    }
    read_text(&x, field[1]);
    if (strcmp(field[0], "double") == 0) {
        assert_true(ll_exact_get_d(&x) == strtod(field[2], NULL));
    } else if (strcmp(field[0], "compare") == 0) {
        read_text(&y, field[2]);
        assert_int_equal(ll_exact_cmp(&x, &y), strtol(field[3], NULL, 10));
    } else if (strcmp(field[0], "log") == 0) {
        check_decimal(&x, ll_exact_get_log, field[2]);
    } else if (strcmp(field[0], "complement") == 0) {
        check_decimal(&x, ll_exact_get_complement, field[2]);
    } else {
        assert_string_equal(field[0], "size");
        check_size(&x, field[2], field[3]);
    }
    if (strcmp(field[0], "size") != 0)
        check_text(&x);
done:
    ll_exact_clear(&y);
    ll_exact_clear(&x);
}

static void test_vectors(void **state)
{
    (void)state;
    FILE *file = fopen(LL_TEST_VECTORS "/exact.txt", "r");
    char *line = NULL;
    size_t size = 0;
    long count = 0;
    assert_non_null(file);
    for (; getline(&line, &size, file) > 0; count++) {
        char *field[4] = {0}, *rest = line;
        line[strcspn(line, "\n")] = '\0';
        for (int i = 0; i < 4; i++)
            field[i] = strsep(&rest, " ");
        check_vector(field);
    }
    free(line);
    assert_int_equal(fclose(file), 0);
    assert_true(count > 300);
}

/* ---- exponents without end */

/* prefix followed by a one and `zeros` zeros and a last digit */
static char *long_text(const char *prefix, size_t zeros, char last)
{
    size_t length = strlen(prefix);
    char *text = malloc(length + zeros + 2);
    assert_non_null(text);
    memcpy(text, prefix, length);
    text[length] = '1';
    memset(text + length + 1, '0', zeros - 1);
    text[length + zeros] = last;
    text[length + zeros + 1] = '\0';
    return text;
}

/* x and y differ in the last digit of their exponent: x < y. ratio is y / x. */
static void check_neighbours(const char *less, const char *more, double ratio)
{
    ll_exact x, y;
    arb_t left, right;
    ll_exact_init(&x);
    ll_exact_init(&y);
    arb_init(left);
    arb_init(right);
    read_text(&x, less);
    read_text(&y, more);
    assert_int_equal(ll_exact_cmp(&x, &y), -1);
    assert_int_equal(ll_exact_cmp(&y, &x), 1);
    check_text(&x);
    ll_exact_get_ball(left, &x, 100);
    ll_exact_get_ball(right, &y, 100);
    check_accuracy(left, 100);
    arb_div(right, right, left, 80);
    arb_set_d(left, ratio);
    assert_true(arb_contains(right, left) && arb_rel_accuracy_bits(right) > 70);
    ll_exact_get_log(left, &x, 100);
    check_accuracy(left, 100);
    assert_true(arb_is_negative(left));
    ll_exact_get_complement(left, &x, 100);
    check_accuracy(left, 100);
    assert_true(arb_contains_si(left, 1) && ll_exact_get_d(&x) == 0 && ll_exact_get_f(&x) == 0);
    arb_clear(right);
    arb_clear(left);
    ll_exact_clear(&y);
    ll_exact_clear(&x);
}

static void test_long_exponents(void **state)
{
    (void)state;
    static const size_t zeros[] = {18, 19, 20, 40, 300, 4000, 70000};
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
        char *less = long_text("1e-", zeros[i], '2'), *more = long_text("1e-", zeros[i], '1');
        if (zeros[i] <= 4000)
            check_neighbours(less, more, 10);
        free(less);
        free(more);
        less = long_text("0x1p-", zeros[i], '5');
        more = long_text("0x1p-", zeros[i], '3');
        check_neighbours(less, more, 4);
        free(less);
        free(more);
    }
}

/* 2^a 5^b just above or below m: a comparison that sizes alone cannot decide. */
static void test_long_comparisons(void **state)
{
    (void)state;
    ll_exact x, y;
    arb_t ball;
    arf_t end;
    ll_exact_init(&x);
    ll_exact_init(&y);
    arb_init(ball);
    arf_init(end);
    for (int i = 0; i < 20; i++) {
        fmpz_set_ui(x.five, 10);
        fmpz_pow_ui(x.five, x.five, 5 + (ulong)i * 12);
        if (draw(2))
            fmpz_neg(x.five, x.five);
        fmpz_one(x.mantissa);
        slong prec = draw_between(70, 2000);
        ll_exact_get_ball(ball, &x, prec);
        arb_get_lbound_arf(end, ball, prec + 40);
        assert_int_equal(ll_exact_set_arf(&y, end), LL_OK);
        assert_int_equal(ll_exact_cmp(&x, &y), 1);
        arb_get_ubound_arf(end, ball, prec + 40);
        assert_int_equal(ll_exact_set_arf(&y, end), LL_OK);
        assert_int_equal(ll_exact_cmp(&x, &y), -1);
        fmpz_mul_si(y.mantissa, x.mantissa, 10000);
        fmpz_sub_ui(y.two, x.two, 4);
        fmpz_sub_ui(y.five, x.five, 4);
        assert_int_equal(ll_exact_cmp(&x, &y), 0);
    }
    arf_clear(end);
    arb_clear(ball);
    ll_exact_clear(&y);
    ll_exact_clear(&x);
}

/* Conversion in quadratic time takes more than a minute for so many digits. */
static void test_millions_of_digits(void **state)
{
    (void)state;
    size_t zeros = 10000000;
    char *text = long_text("-3.25e-", zeros, '7');
    ll_exact x;
    ll_exact_init(&x);
    clock_t start = clock();
    read_text(&x, text);
    assert_true(clock() - start < 10 * CLOCKS_PER_SEC);
    assert_int_equal(fmpz_fdiv_ui(x.two, 1000), 1000 - 7 - 2); /* 13 * 2^-2 * 10^-(...007) */
    assert_true(ll_exact_get_d(&x) == 0 && signbit(ll_exact_get_d(&x)));
    ll_exact_clear(&x);
    free(text);
}

/* 1 - x at x = 1 -+ 2^-100000, and ln x there. */
static void test_near_one(void **state)
{
    (void)state;
    ll_exact x;
    arb_t ball;
    ll_exact_init(&x);
    arb_init(ball);
    for (int sign = -1; sign <= 1; sign += 2) {
        fmpz_one(x.mantissa);
        fmpz_mul_2exp(x.mantissa, x.mantissa, 100000);
        fmpz_add_si(x.mantissa, x.mantissa, sign);
        fmpz_set_si(x.two, -100000);
        ll_exact_get_complement(ball, &x, 64);
        assert_true(arb_is_exact(ball) && arf_cmpabs_2exp_si(arb_midref(ball), -100000) == 0 &&
                    arf_sgn(arb_midref(ball)) == -sign);
        ll_exact_get_log(ball, &x, 64);
        check_accuracy(ball, 64);
        arb_mul_2exp_si(ball, ball, 100000);
        assert_true(arb_contains_si(ball, sign) || arf_sgn(arb_midref(ball)) == sign);
    }
    ll_exact_set_si(&x, 0);
    ll_exact_get_log(ball, &x, 64);
    assert_false(arb_is_finite(ball));
    ll_exact_get_complement(ball, &x, 64);
    assert_true(arb_is_one(ball));
    arb_clear(ball);
    ll_exact_clear(&x);
    ll_exact_clear(&x);
    ll_exact_clear(NULL);
}

int main(void)
{
    const char *text = getenv("LL_TEST_SEED"), *times = getenv("LL_TEST_MULTIPLIER");
    seed = text ? strtoull(text, NULL, 0) : seed;
    multiplier = times ? strtol(times, NULL, 10) : 1;
    print_message("LL_TEST_SEED=%llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {

        cmocka_unit_test(test_rationals),        cmocka_unit_test(test_grammar),
        cmocka_unit_test(test_vectors),          cmocka_unit_test(test_long_exponents),
        cmocka_unit_test(test_long_comparisons), cmocka_unit_test(test_millions_of_digits),
        cmocka_unit_test(test_near_one),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
