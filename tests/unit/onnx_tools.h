/* Small networks for tests, and rows of numbers as sources. */
#ifndef LL_TEST_ONNX_TOOLS_H
#define LL_TEST_ONNX_TOOLS_H

#include "number/random.h"
#include "onnx/evaluate.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FLOAT32 = ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, FLOAT64 = ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE };
#define MEMORY 1e9

static uint64_t test_seed = 20220328, test_drawn;
static long test_multiplier = 1;

static inline void read_environment(void)
{
    const char *seed = getenv("LL_TEST_SEED"), *times = getenv("LL_TEST_MULTIPLIER");
    if (seed)
        test_seed = strtoull(seed, NULL, 10);
    if (times && atol(times) > 0)
        test_multiplier = atol(times);
    printf("LL_TEST_SEED=%llu LL_TEST_MULTIPLIER=%ld\n", (unsigned long long)test_seed, test_multiplier);
}

static inline long below(long n)
{
    return (long)ll_random_below(test_seed, 77, test_drawn++, (uint64_t)n);
}

static inline double gaussian(void)
{
    return ll_random_gaussian(test_seed, 78, test_drawn++);
}

static inline double uniform(void)
{
    return ll_random_uniform(test_seed, 79, test_drawn++);
}

/* ------------------------------------------------------------------ sources */

typedef struct {
    const double *x;
    long columns;
} array_source;

static inline ll_status get_array(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const array_source *a = self;
    double *to = ll_block_reserve_doubles(out, count, a->columns);
    (void)error;
    memcpy(to, a->x + first * a->columns, (size_t)(count * a->columns) * sizeof *to);
    return LL_OK;
}

static inline ll_predictions source_of(array_source *self, const double *x, long rows, long columns)
{
    *self = (array_source){x, columns};
    return (ll_predictions){self, rows, columns, LL_ENTRIES_DOUBLE, get_array, NULL};
}

/* ------------------------------------------------------------------ networks */

static inline void must(ll_status status, const ll_error *error)
{
    if (status != LL_OK)
        fail_msg("%s", error->text);
}

/* A matrix of Gaussians as an initializer. */
static inline const char *random_matrix(ll_onnx_builder *b, long rows, long columns)
{
    double x[4096];
    assert_true((rows ? rows : 1) * (columns ? columns : 1) <= 4096);
    for (long i = 0; i < (rows ? rows : 1) * (columns ? columns : 1); i++)
        x[i] = gaussian();
    return ll_onnx_numbers(b, "w", x, rows, columns);
}

/* features -> Relu(dense) -> dense -> Softmax */
static inline ll_onnx *small_network(long features, long hidden, long columns, int type)
{
    ll_onnx *model = ll_onnx_create(7, 13);
    ll_onnx_builder b;
    assert_non_null(model);
    ll_onnx_build(&b, model, "n", type);
    const char *weights = random_matrix(&b, features, hidden), *bias = random_matrix(&b, hidden, 0);
    const char *v = ll_onnx_node(&b, "Gemm", NULL, "x", weights, bias);
    v = ll_onnx_node(&b, "Relu", NULL, v, NULL, NULL);
    v = ll_onnx_node(&b, "MatMul", NULL, v, random_matrix(&b, hidden, columns), NULL);
    v = ll_onnx_node(&b, "Add", NULL, v, random_matrix(&b, columns, 0), NULL);
    ll_onnx_node(&b, "Softmax", "y", v, NULL, NULL);
    ll_onnx_declare(&b, "x", features, 0);
    ll_onnx_declare(&b, "y", columns, 1);
    assert_int_equal(b.failed, 0);
    return model;
}

#endif
