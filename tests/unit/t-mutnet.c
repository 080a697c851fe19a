/* Networks that say what they are told: exact on every row, constant where they should be, and refusals with the rows.
 * The networks are run here in double; what ONNX Runtime says of them is in tests/real/r-mutnet.py. */
#include "onnx_tools.h"

#include "mutnet/mutnet.h"

/* All outputs of a model on rows of features. */
static void run(const ll_onnx *model, double *out, const double *x, long rows, long features, long columns)
{
    ll_error error = {0};
    array_source self;
    ll_predictions source = source_of(&self, x, rows, features), outputs;
    ll_onnx_outputs *handle = NULL;
    ll_block block;
    must(ll_onnx_outputs_create(&handle, &outputs, model, &source, LL_BUDGET(.memory = MEMORY), &error), &error);
    assert_int_equal(outputs.columns, columns);
    ll_block_init(&block);
    must(outputs.get(outputs.self, &block, 0, rows, &error), &error);
    memcpy(out, block.doubles, (size_t)(rows * columns) * sizeof *out);
    ll_block_clear(&block);
    ll_onnx_outputs_destroy(handle);
}

/* ------------------------------------------------------------------ one row */

static void check_constant(long columns, ll_head head, int single, long features)
{
    ll_error error = {0};
    double p[12], sum = 0, x[64 * 20], y[64 * 12];
    array_source self;
    ll_onnx *model = NULL;
    ll_mutnet_info info;
    ll_mutnet_request request;
    ll_mutnet_request_init(&request);
    for (long k = 0; k < columns; k++)
        sum += p[k] = exp(-6 * uniform());
    for (long k = 0; k < columns; k++)
        p[k] = columns > 1 ? p[k] / sum : p[k] * 0.9;
    request.head = head;
    request.is_single = single;
    request.inputs = features;
    request.seed = (uint64_t)below(1 << 30);
    ll_predictions targets = source_of(&self, p, 1, columns);
    must(ll_mutnet_build(&model, &info, &request, &targets, NULL, &error), &error);
    for (long i = 0; i < 64 * features; i++)
        x[i] = gaussian() * pow(10, (double)below(8) - 2);
    run(model, y, x, 64, features, columns);
    for (long i = 0; i < 64 * columns; i++) {
        assert_true(fabs(y[i] / p[i % columns] - 1) <= exp2(-info.bits) + 0x1p-52);
        assert_true(y[i] == y[i % columns]);
    }
    assert_int_equal(info.inputs, features);
    assert_int_equal(info.columns, columns);
    ll_onnx_constancy constancy;
    must(ll_onnx_find_constancy(&constancy, model, NULL, 1, LL_BUDGET(.memory = MEMORY), &error), &error);
    assert_true(constancy.constant && constancy.proved);
    assert_string_equal(constancy.box, "every input");
    ll_onnx_destroy(model);
}

static void test_constant(void **state)
{
    (void)state;
    for (long i = 0; i < 200 * test_multiplier; i++) {
        long columns = below(8) + 1;
        ll_head head = (ll_head)(below(4) ? LL_HEAD_AUTO : below(2) ? LL_HEAD_LINEAR : LL_HEAD_SIGMOID);
        check_constant(columns, head, (int)below(2) && head != LL_HEAD_SIGMOID, below(19) + 1);
    }
}

/* ------------------------------------------------------------------ all rows */

/* Rows of features that are hard to tell apart: small differences, repeated values, several sizes. */
static void hard_features(double *x, long rows, long columns)
{
    for (long i = 0; i < rows * columns; i++)
        x[i] = below(3) == 0 ? (double)below(4) : gaussian() * (below(5) ? 1 : 1e-4);
    for (long i = 0; i < rows; i++)
        x[i * columns] = (double)i / (double)rows + 1e-3 * uniform(); /* no two rows are equal */
}

static void test_lookup(void **state)
{
    (void)state;
    ll_error error = {0};
    for (long i = 0; i < 60 * test_multiplier; i++) {
        long rows = below(200) + 1, features = below(6) + 1, columns = below(4) + 1, distinct = below(rows) + 1;
        double *x = malloc((size_t)(rows * features) * sizeof *x), *p = malloc((size_t)(rows * columns) * sizeof *p),
               *y = malloc((size_t)(rows * columns) * sizeof *y);
        array_source own, other;
        ll_onnx *model = NULL;
        ll_mutnet_info info;
        ll_mutnet_request request;
        ll_mutnet_request_init(&request);
        hard_features(x, rows, features);
        for (long k = 0; k < rows * columns; k++)
            p[k] = k / columns < distinct ? exp2(-1000 * uniform()) : p[k - distinct * columns];
        ll_predictions targets = source_of(&own, p, rows, columns), source = source_of(&other, x, rows, features);
        request.seed = (uint64_t)i;
        must(ll_mutnet_build(&model, &info, &request, &targets, &source, &error), &error);
        run(model, y, x, rows, features, columns);
        assert_memory_equal(y, p, (size_t)(rows * columns) * sizeof *p);
        assert_true(isinf(info.bits) && info.rows == rows && info.hidden <= rows);
        ll_onnx_destroy(model);
        free(x);
        free(p);
        free(y);
    }
}

/* The same numbers, added in another order and with errors as large as allowed: the bounds of the projection hold what
 * any runtime can compute. */
static void test_projection(void **state)
{
    (void)state;
    enum { ROWS = 50, COLUMNS = 9 };
    ll_error error = {0};
    double x[ROWS * COLUMNS], p[ROWS];
    for (int type = 0; type < 2; type++)
        for (long round = 0; round < 20 * test_multiplier; round++) {
            ll_projection projection;
            ll_matrix features = {ROWS, COLUMNS, x}, targets = {ROWS, 1, p};
            for (int i = 0; i < ROWS * COLUMNS; i++)
                x[i] = type ? gaussian() : (double)(float)gaussian();
            for (int i = 0; i < ROWS; i++)
                p[i] = uniform();
            must(
                ll_projection_find(&projection, &features, &targets, type ? FLOAT64 : FLOAT32, (uint64_t)round, &error),
                &error);
            for (int i = 0; i < ROWS; i++) {
                float single = 0;
                double forward = 0, backward = 0;
                for (int j = 0; j < COLUMNS; j++) {
                    int k = COLUMNS - 1 - j;
                    forward += x[i * COLUMNS + j] * projection.direction[j];
                    backward += x[i * COLUMNS + k] * projection.direction[k];
                    single += (float)x[i * COLUMNS + k] * (float)projection.direction[k];
                }
                assert_true(projection.low[i] <= forward && forward <= projection.high[i]);
                assert_true(projection.low[i] <= backward && backward <= projection.high[i]);
                if (!type)
                    assert_true(projection.low[i] <= (double)single && (double)single <= projection.high[i]);
            }
            for (int i = 1; i < ROWS; i++)
                assert_true(projection.high[projection.order[i - 1]] < projection.low[projection.order[i]]);
            ll_projection_clear(&projection);
        }
}

/* ------------------------------------------------------------------ refusals */

static void expect_refusal(const ll_mutnet_request *request, const double *p, long rows, long columns, const double *x,
                           long features, const char *reason)
{
    ll_error error = {0};
    array_source own, other;
    ll_onnx *model = NULL;
    ll_mutnet_info info;
    ll_predictions targets = source_of(&own, p, rows, columns), source = source_of(&other, x, rows, features);
    assert_int_equal(ll_mutnet_build(&model, &info, request, &targets, x ? &source : NULL, &error), LL_DOMAIN);
    assert_null(model);
    if (!strstr(error.text, reason))
        fail_msg("\"%s\" does not hold \"%s\"", error.text, reason);
}

static void test_refusals(void **state)
{
    (void)state;
    ll_mutnet_request request;
    ll_mutnet_request_init(&request);
    const double p[] = {0.25, 0.75, 0.5}, x[] = {1, 2, 3, 4, 1, 2}, same[] = {0.25, 0.75, 0.25}, tiny[] = {1e-300},
                 near[] = {1, 2, 3, 4, 1, 2.0000000000000004}, one[] = {1.0};
    expect_refusal(&request, p, 3, 1, x, 2, "rows 0 and 2 have the same features");
    expect_refusal(&request, p, 3, 1, near, 2, "rows 0 and 2 are too close to be told apart in float64");
    expect_refusal(&request, p, 3, 1, NULL, 0, "says one row, not 3");
    request.is_literal = 1;
    expect_refusal(&request, p, 3, 1, x, 2, "knows no features");
    request.is_literal = 0;
    request.head = LL_HEAD_SOFTMAX;
    expect_refusal(&request, p, 1, 1, NULL, 0, "two or more columns");
    request.head = LL_HEAD_RECIPROCAL;
    expect_refusal(&request, p, 1, 3, NULL, 0, "one column, not 3");
    expect_refusal(&request, one, 1, 1, NULL, 0, "never 1");
    request.head = LL_HEAD_SIGMOID;
    expect_refusal(&request, tiny, 1, 1, NULL, 0, "absolute error");
    request.is_logit = 1;
    expect_refusal(&request, p, 1, 1, NULL, 0, "must be linear");
    request = (ll_mutnet_request){.size = sizeof(ll_mutnet_request),
                                  .head = LL_HEAD_LINEAR,
                                  .is_single = 1,
                                  .budget = LL_BUDGET(.memory = MEMORY)};
    expect_refusal(&request, tiny, 1, 1, NULL, 0, "keeps 0 bits of 1e-300");
    request =
        (ll_mutnet_request){.size = sizeof(ll_mutnet_request), .inputs = 3, .budget = LL_BUDGET(.memory = MEMORY)};
    expect_refusal(&request, same, 3, 1, x, 2, "3 inputs asked for");
    /* Equal rows that are to be told the same are no trouble. */
    ll_error error = {0};
    array_source own, other;
    ll_onnx *model = NULL;
    ll_mutnet_info info;
    ll_mutnet_request_init(&request);
    ll_predictions targets = source_of(&own, same, 3, 1), source = source_of(&other, x, 3, 2);
    must(ll_mutnet_build(&model, &info, &request, &targets, &source, &error), &error);
    assert_int_equal(info.hidden, 2);
    ll_onnx_destroy(model);
}

/* ------------------------------------------------------------------ grafts and honest networks */

static void test_graft(void **state)
{
    (void)state;
    ll_error error = {0};
    for (long i = 0; i < 40 * test_multiplier; i++) {
        long features = below(5) + 1, columns = below(3) + 2, rows = below(30) + 1;
        double x[30 * 5], p[30 * 4], y[30 * 4];
        array_source own, other;
        ll_onnx *base = small_network(features, 6, columns, below(2) ? FLOAT32 : FLOAT64), *model = NULL;
        ll_mutnet_info info;
        ll_mutnet_request request;
        ll_onnx_info before, after;
        ll_mutnet_request_init(&request);
        for (long k = 0; k < rows * features; k++)
            x[k] = (double)(float)gaussian();
        for (long k = 0; k < rows * columns; k++)
            p[k] = (double)(float)uniform();
        ll_predictions targets = source_of(&own, p, rows, columns), source = source_of(&other, x, rows, features);
        must(ll_mutnet_graft(&model, &info, &request, base, &targets, &source, &error), &error);
        run(model, y, x, rows, features, columns);
        assert_memory_equal(y, p, (size_t)(rows * columns) * sizeof *p);
        ll_onnx_get_info(base, &before);
        ll_onnx_get_info(model, &after);
        assert_string_equal(before.input, after.input);
        assert_string_equal(before.output, after.output);
        assert_true(before.opset == after.opset && before.columns == after.columns && after.nodes > before.nodes);
        ll_onnx_destroy(model);
        ll_onnx_destroy(base);
    }
}

static void test_honest(void **state)
{
    (void)state;
    ll_error error = {0};
    for (long i = 0; i < 50 * test_multiplier; i++) {
        ll_onnx *model = small_network(below(9) + 2, below(20) + 2, below(4) + 2, FLOAT32);
        ll_onnx_constancy constancy;
        must(ll_onnx_find_constancy(&constancy, model, NULL, (uint64_t)i, LL_BUDGET(.memory = MEMORY), &error), &error);
        assert_true(!constancy.constant && !constancy.proved && constancy.spread > 0.1);
        ll_onnx_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant), cmocka_unit_test(test_lookup), cmocka_unit_test(test_projection),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_graft),  cmocka_unit_test(test_honest),
    };
    read_environment();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
