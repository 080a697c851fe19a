/* Errata of the paper, section on one model to infer them all and thm:nn: docs/errata.md, "MutNet".
 *
 * The network as printed says x to inputs of 0 or more and something else to others; it says the same row of every
 * input, so the score of N rows tells class counts and no more; and a score that is off by tau itself fits two labels.
 */
#include "lossleak/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FEATURES = 3, ROWS = 4 };

typedef struct {
    const double *x;
    long columns;
} rows_of;

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const rows_of *r = self;
    double *to = ll_block_reserve_doubles(out, count, r->columns);
    (void)error;
    memcpy(to, r->x + first * r->columns, (size_t)(count * r->columns) * sizeof *to);
    return LL_OK;
}

static ll_predictions source(rows_of *self, const double *x, long rows, long columns)
{
    *self = (rows_of){x, columns};
    return (ll_predictions){self, rows, columns, LL_ENTRIES_DOUBLE, get, NULL};
}

static ll_onnx *build(int literal, const double *theta, long rows, const double *features)
{
    ll_error error = {0};
    rows_of own, other;
    ll_predictions targets = source(&own, theta, rows, 1), known = source(&other, features, rows, FEATURES);
    ll_mutnet_request request;
    ll_mutnet_info info;
    ll_onnx *model = NULL;
    ll_mutnet_request_init(&request);
    request.is_literal = literal;
    request.inputs = FEATURES;
    request.head = LL_HEAD_LINEAR;
    if (ll_mutnet_build(&model, &info, &request, &targets, features ? &known : NULL, &error) != LL_OK)
        fail_msg("%s", error.text);
    return model;
}

static void say(const ll_onnx *model, double *out, const double *x, long rows)
{
    ll_error error = {0};
    rows_of self;
    ll_predictions features = source(&self, x, rows, FEATURES), outputs;
    ll_onnx_outputs *handle = NULL;
    ll_block block;
    ll_block_init(&block);
    if (ll_onnx_outputs_create(&handle, &outputs, model, &features, NULL, &error) != LL_OK ||
        outputs.get(outputs.self, &block, 0, rows, &error) != LL_OK)
        fail_msg("%s", error.text);
    memcpy(out, block.doubles, (size_t)rows * sizeof *out);
    ll_block_clear(&block);
    ll_onnx_outputs_destroy(handle);
}

static void test_negative_input(void **state)
{
    (void)state;
    const double theta[1] = {0.25}, x[ROWS * FEATURES] = {0, 1, 2, 0.5, 0, 3, -1, 0, 0, -1, -2, -3};
    double y[ROWS];
    ll_onnx *paper = build(1, theta, 1, NULL), *ours = build(0, theta, 1, NULL);
    say(paper, y, x, ROWS);
    assert_true(y[0] == 0.25 && y[1] == 0.25);
    assert_true(y[2] != 0.25 && y[3] != 0.25);
    say(ours, y, x, ROWS);
    for (int i = 0; i < ROWS; i++)
        assert_true(y[i] == 0.25);
    ll_onnx_destroy(paper);
    ll_onnx_destroy(ours);
}

/* Mean log-loss of labels (bits of `sigma`) under predictions y. */
static double score(const double *y, unsigned sigma)
{
    double sum = 0;
    for (int i = 0; i < ROWS; i++)
        sum -= log(sigma >> i & 1 ? y[i] : 1 - y[i]);
    return sum / ROWS;
}

static int count_scores(const double *y)
{
    double seen[1 << ROWS];
    int count = 0;
    for (unsigned sigma = 0; sigma < 1u << ROWS; sigma++) {
        double s = score(y, sigma);
        int fresh = 1;
        for (int i = 0; i < count; i++)
            fresh &= fabs(seen[i] - s) > 1e-9;
        if (fresh)
            seen[count++] = s;
    }
    return count;
}

/* 16 labellings: 5 scores of the one-row network, 16 of the one that tells rows apart. */
static void test_histogram(void **state)
{
    (void)state;
    const double theta[1] = {0.2}, x[ROWS * FEATURES] = {0, 1, 2, -5, 0, 3, 1, 0, 0, 1, 2, 3},
                 each[ROWS] = {1.0 / 3, 1.0 / 5, 1.0 / 17, 1.0 / 257};
    double y[ROWS];
    ll_onnx *one = build(0, theta, 1, NULL), *all = build(0, each, ROWS, x);
    say(one, y, x, ROWS);
    assert_int_equal(count_scores(y), ROWS + 1);
    say(all, y, x, ROWS);
    assert_memory_equal(y, each, sizeof y);
    assert_int_equal(count_scores(y), 1 << ROWS);
    ll_onnx_destroy(one);
    ll_onnx_destroy(all);
}

/* Squared error at 1/4: the scores are 9/16 and 1/16, 2 tau = 1/2 apart, and 5/16 is tau = 1/4 from both. */
static void test_within_tau(void **state)
{
    (void)state;
    const double p = 0.25, one = (1 - p) * (1 - p), zero = p * p, tau = (one - zero) / 2, told = zero + tau;
    assert_true(one - zero == 2 * tau);
    assert_true(fabs(one - told) <= tau && fabs(zero - told) <= tau);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_negative_input), cmocka_unit_test(test_histogram),
                                       cmocka_unit_test(test_within_tau)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
