/* Every code on every labelling of small worlds: sums differ by at least the gap, decoding gives the labelling back,
 * and a wider interval gives exactly the labellings that an enumeration finds (or more rows open, never fewer). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "code/code.h"
#include "code/positional.h"
#include "code_tools.h"
#include "number/random.h"

#define FAR 40000000000 /* bits */

typedef struct {
    ll_code *code;
    arb_ptr sums; /* of every labelling, row 0 the lowest digit */
    long count;
} world;

static int32_t digit(long index, long row, long classes)
{
    while (row-- > 0)
        index /= classes;
    return (int32_t)(index % classes);
}

static void open_world(world *w, const char *name, long rows, long classes)
{
    ll_exact step;
    ll_error error;
    ll_exact_init(&step);
    ll_exact_set_d(&step, 0.0625);
    assert_int_equal(create_code(&w->code, name, rows, classes, &step, 0, &error), LL_OK);
    w->count = 1;
    for (long i = 0; i < rows; i++)
        w->count *= classes;
    w->sums = _arb_vec_init(w->count);
    arb_t weight;
    arb_init(weight);
    for (long s = 0; s < w->count; s++)
        for (long row = 0; row < rows; row++) {
            ll_code_weight(w->code, weight, row, digit(s, row, classes), 2000);
            arb_add(w->sums + s, w->sums + s, weight, 2000);
        }
    arb_clear(weight);
    ll_exact_clear(&step);
}

static void close_world(world *w)
{
    _arb_vec_clear(w->sums, w->count);
    ll_code_destroy(w->code);
}

static void check_gap(const world *w)
{
    arb_t gap, span, difference;
    arb_init(gap);
    arb_init(span);
    arb_init(difference);
    ll_code_gap(w->code, gap, 300);
    ll_code_span(w->code, span, 300);
    assert_true(arb_is_positive(gap));
    for (long a = 0; a < w->count; a++)
        for (long b = 0; b < a; b++) {
            arb_sub(difference, w->sums + a, w->sums + b, 2000);
            arb_abs(difference, difference);
            assert_false(arb_lt(difference, gap));
            assert_false(arb_gt(difference, span));
        }
    arb_clear(gap);
    arb_clear(span);
    arb_clear(difference);
}

/* The decoder's answer against all sums that overlap the ball. */
static void check_ball(const world *w, ll_decoded *decoded, const arb_t ball, int must_be_sharp)
{
    long rows = w->code->rows, classes = w->code->classes, fits = 0;
    ll_error error;
    assert_int_equal(ll_code_decode(w->code, decoded, ball, &error), LL_OK);
    for (long s = 0; s < w->count; s++) {
        if (!arb_overlaps(w->sums + s, ball))
            continue;
        fits++;
        for (long row = 0; row < rows; row++) {
            int32_t label = digit(s, row, classes);
            assert_true(decoded->candidates[row * classes + label]);
            assert_true(decoded->labels[row] == -1 || decoded->labels[row] == label);
        }
    }
    if (must_be_sharp || decoded->count < 2)
        assert_int_equal(decoded->count, fits < 2 ? fits : 2);
}

static void check_decoding(const world *w, uint64_t stream)
{
    long rows = w->code->rows, classes = w->code->classes;
    ll_decoded decoded;
    assert_int_equal(ll_decoded_init(&decoded, rows, classes), LL_OK);
    arb_t gap, ball, radius;
    arb_init(gap);
    arb_init(ball);
    arb_init(radius);
    ll_code_gap(w->code, gap, 100);
    for (long s = 0; s < w->count; s++) {
        for (int at = -1; at <= 1;
             at++) { /* the truth in the middle and at both ends of an interval of nearly half the gap */
            arb_mul_ui(radius, gap, 49, 100);
            arb_div_ui(radius, radius, 100, 100);
            arb_mul_si(ball, radius, at, 2000);
            arb_add(ball, ball, w->sums + s, 2000);
            arb_add_error(ball, radius);
            check_ball(w, &decoded, ball, 1);
            assert_int_equal(decoded.count, 1);
            for (long row = 0; row < rows; row++)
                assert_int_equal(decoded.labels[row], digit(s, row, classes));
        }
        double wide = 40 * ll_random_uniform(7, stream, (uint64_t)s);
        arb_set_d(radius, wide);
        arb_mul(radius, radius, gap, 100);
        arb_set(ball, w->sums + s);
        arb_add(ball, ball, gap, 2000);
        arb_add_error(ball, radius);
        check_ball(w, &decoded, ball, 0);
    }
    arb_clear(gap);
    arb_clear(ball);
    arb_clear(radius);
    ll_decoded_clear(&decoded);
}

/* Nothing fits far outside, and everything fits into an interval that holds all sums. */
static void check_ends(const world *w)
{
    ll_decoded decoded;
    ll_error error;
    arb_t ball, span;
    arb_init(ball);
    arb_init(span);
    assert_int_equal(ll_decoded_init(&decoded, w->code->rows, w->code->classes), LL_OK);
    ll_code_span(w->code, span, 64);
    for (int sign = -1; sign <= 1; sign += 2) {
        arb_mul_si(ball, span, 3 * sign, 64);
        arb_add_si(ball, ball, 3 * sign, 64);
        check_ball(w, &decoded, ball, 1);
        assert_int_equal(decoded.count, 0);
        arb_set_si(ball, sign); /* what a score of 1e999999999 makes, which is never written out */
        arb_mul_2exp_si(ball, ball, FAR);
        assert_int_equal(ll_code_decode(w->code, &decoded, ball, &error), LL_OK);
        assert_int_equal(decoded.count, 0);
        mag_set_ui_2exp_si(arb_radref(ball), 1, FAR + 1);
        assert_int_equal(ll_code_decode(w->code, &decoded, ball, &error), LL_OK);
        assert_int_equal(decoded.count, w->count > 1 ? 2 : 1);
    }
    arb_zero(ball);
    arb_mul_2exp_si(span, span, 3);
    arb_add_error(ball, span);
    check_ball(w, &decoded, ball, 1);
    assert_int_equal(decoded.count, w->count > 1 ? 2 : 1);
    arb_indeterminate(ball);
    assert_int_equal(ll_code_decode(w->code, &decoded, ball, &error), LL_DOMAIN);
    arb_clear(ball);
    arb_clear(span);
    ll_decoded_clear(&decoded);
}

static long run_world(const char *name, long rows, long classes)
{
    world w;
    open_world(&w, name, rows, classes);
    check_gap(&w);
    check_decoding(&w, (uint64_t)(rows * 100 + classes));
    check_ends(&w);
    long count = w.count;
    close_world(&w);
    return count;
}

static void small_worlds(void **state)
{
    (void)state;
    long labellings = 0, worlds = 0;
    for (long i = 0; i < ll_code_count(); i++) {
        const ll_code_row *row = ll_candidate_get(i)->code;
        const char *variant = row->info.variants;
        int reads_sum = row->decode != NULL || row->digits.kind != LL_DIGITS_NONE;
        if (row->bounded.level != NULL || !reads_sum) /* t-levels.c; t-ranks.c, x-public.c, x-changes.c */
            continue;
        do {
            char name[80];
            int length = (int)strcspn(variant, " ");
            (void)snprintf(name, sizeof name, "%s%s%.*s", row->info.name, length > 0 ? ":" : "", length, variant);
            long most = strcmp(name, "powers:closed") == 0 ? 6 : 8;
            for (long rows = 1; rows <= most; rows++, worlds++)
                labellings += run_world(name, rows, 2);
            for (long rows = 1; !row->binary_only && rows <= 4; rows++, worlds += 2)
                labellings += run_world(name, rows, 3) + run_world(name, rows > 3 ? 3 : rows, 5);
            variant += length + (variant[length] == ' ');
        } while (*variant != '\0');
    }
    print_message("%ld worlds, %ld labellings\n", worlds, labellings);
}

static void refusals(void **state)
{
    (void)state;
    ll_code *code;
    ll_error error;
    assert_int_equal(create_code(&code, "power", 5, 2, NULL, 0, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "powers, primes"));
    assert_int_equal(create_code(&code, "primes:c=cube", 5, 2, NULL, 0, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "c=full c=sqrt"));
    assert_int_equal(create_code(&code, "powers", 5, 3, NULL, 0, &error), LL_DOMAIN);
    assert_int_equal(create_code(&code, "powers", 0, 2, NULL, 0, &error), LL_DOMAIN);
    assert_int_equal(create_code(&code, "powers", 5, 1, NULL, 0, &error), LL_DOMAIN);
    assert_int_equal(create_code(&code, "powers:closed", 5, 2, NULL, 0, &error), LL_DOMAIN);
    ll_exact step;
    ll_exact_init(&step);
    ll_exact_set_si(&step, 1);
    assert_int_equal(create_code(&code, "powers:closed", 100, 2, &step, 0, &error), LL_UNABLE);
    ll_exact_clear(&step);
}

/* Balls [low, high] times 2^shift: how many integers, and the least of one or two. */
static void integers(void **state)
{
    (void)state;
    static const struct {
        double low, high;
        slong shift;
        int count;
        int64_t least;
    } rows[] = {{0.25, 0.75, 0, 0, 0},   {0.25, 1, 0, 1, 1},       {-1, 0.5, 0, 2, -1},    {-1, 1, 0, 3, 0},
                {1, 1, 61, 1, 1L << 61}, {-1, -1, 63, 0, 0},       {1, 1, 62, 0, 0},       {-1, -1, 64, 0, 0},
                {1, 1, FAR, 0, 0},       {-1, -1, FAR, 0, 0},      {-1, 1, FAR, 3, 0},     {1, 2, FAR, 0, 0},
                {0.5, 1, FAR, 0, 0},     {0.25, 0.75, -FAR, 0, 0}, {-0.5, 0.5, -FAR, 1, 0}};
    arb_t ball;
    int64_t least;
    arb_init(ball);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        arf_t low, high;
        arf_init(low);
        arf_init(high);
        arf_set_d(low, rows[i].low);
        arf_set_d(high, rows[i].high);
        arb_set_interval_arf(ball, low, high, 100);
        arb_mul_2exp_si(ball, ball, rows[i].shift);
        assert_int_equal(ll_code_count_integers(&least, ball), rows[i].count);
        assert_true(least == rows[i].least);
        arf_clear(low);
        arf_clear(high);
    }
    arb_indeterminate(ball);
    assert_int_equal(ll_code_count_integers(&least, ball), 3);
    arb_clear(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_worlds), cmocka_unit_test(refusals),
                                       cmocka_unit_test(integers)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
