/* Graphs on intervals against the same graphs on points: the point's value lies in the interval, and what is called
 * fixed does not move. Random graphs of all kinds of operators, boxes of all sizes. */
#include "onnx_tools.h"

enum { FEATURES = 4, POINTS = 24 };

/* ------------------------------------------------------------------ random graphs */

/* Between 1/e and e: nothing divided by it, or raised to it, leaves the numbers. NaN is beyond what is promised. */
static const char *tamed(ll_onnx_builder *b, const char *v)
{
    return ll_onnx_node(b, "Exp", NULL, ll_onnx_node(b, "Tanh", NULL, v, NULL, NULL), NULL, NULL);
}

static const char *random_unary(ll_onnx_builder *b, const char *v)
{
    static const char *const names[] = {
        "Relu",      "Sigmoid", "Tanh",        "Exp",  "Neg", "Abs", "Softplus", "Floor", "Sign", "Reciprocal", "Sqrt",
        "LeakyRelu", "Elu",     "HardSigmoid", "Relu", "Erf", "Sin", "Softsign", "Selu",  "Ceil", "Identity"};
    const char *name = names[below(sizeof names / sizeof names[0])];
    int wild = strcmp(name, "Exp") == 0 || strcmp(name, "Reciprocal") == 0 || strcmp(name, "Sqrt") == 0;
    return ll_onnx_node(b, name, NULL, wild ? tamed(b, v) : v, NULL, NULL);
}

static const char *random_binary(ll_onnx_builder *b, const char *v, const char *w)
{
    static const char *const names[] = {"Add", "Sub", "Mul", "Div", "Min", "Max", "PRelu"};
    const char *name = names[below(sizeof names / sizeof names[0])];
    return ll_onnx_node(b, name, NULL, v, strcmp(name, "Div") == 0 ? tamed(b, w) : w, NULL);
}

/* Dense, with weights of one sign or dead biases now and then, so that some units are fixed. */
static const char *random_dense(ll_onnx_builder *b, const char *v)
{
    double w[FEATURES * FEATURES], bias[FEATURES];
    int negative = below(4) == 0, dead = below(4) == 0;
    for (int i = 0; i < FEATURES * FEATURES; i++)
        w[i] = below(5) == 0 ? 0 : negative ? -fabs(gaussian()) : gaussian();
    for (int i = 0; i < FEATURES; i++)
        bias[i] = negative ? 0 : dead ? -100 * uniform() : gaussian();
    return ll_onnx_node(b, "Gemm", NULL, v, ll_onnx_numbers(b, "w", w, FEATURES, FEATURES),
                        ll_onnx_numbers(b, "b", bias, FEATURES, 0));
}

static const char *random_where(ll_onnx_builder *b, const char *v, const char *w)
{
    const char *c = ll_onnx_node(b, below(2) ? "Less" : "GreaterOrEqual", NULL, v, random_matrix(b, FEATURES, 0), NULL);
    return ll_onnx_node(b, "Where", NULL, c, v, w);
}

/* A table read at a place that the input decides. */
static const char *random_gather(ll_onnx_builder *b, const char *v)
{
    double ends[2] = {0, 5};
    v = ll_onnx_node(b, "Clip", NULL, ll_onnx_node(b, "Floor", NULL, v, NULL, NULL),
                     ll_onnx_numbers(b, "l", ends, 0, 0), ll_onnx_numbers(b, "h", ends + 1, 0, 0));
    v = ll_onnx_node(b, "Cast", NULL, v, NULL, NULL);
    ll_onnx_set_int(b, "to", ONNX__TENSOR_PROTO__DATA_TYPE__INT64);
    return ll_onnx_node(b, "Gather", NULL, random_matrix(b, 6, 0), v, NULL);
}

static const char *random_layer(ll_onnx_builder *b, const char *v, const char *w)
{
    double ends[2] = {-uniform(), uniform()};
    switch (below(9)) {
    case 0:
    case 1:
        return random_dense(b, v);
    case 2:
        return random_binary(b, v, below(2) ? w : random_matrix(b, FEATURES, 0));
    case 3:
        return ll_onnx_node(b, "Clip", NULL, v, ll_onnx_numbers(b, "l", ends, 0, 0),
                            ll_onnx_numbers(b, "h", ends + 1, 0, 0));
    case 4:
        return ll_onnx_node(b, below(2) ? "Softmax" : "LogSoftmax", NULL, v, NULL, NULL);
    case 5:
        return random_where(b, v, w);
    case 6:
        return random_gather(b, v);
    default:
        return random_unary(b, v);
    }
}

static ll_onnx *random_network(int type)
{
    ll_onnx *model = ll_onnx_create(7, 13);
    ll_onnx_builder b;
    ll_onnx_build(&b, model, "n", type);
    const char *v = "x", *w = "x";
    for (long layers = below(7) + 1; layers > 0; layers--) {
        const char *next = random_layer(&b, v, w);
        w = below(2) ? v : w;
        v = next;
    }
    ll_onnx_node(&b, "Identity", "y", v, NULL, NULL);
    ll_onnx_declare(&b, "x", FEATURES, 0);
    ll_onnx_declare(&b, "y", FEATURES, 1);
    assert_int_equal(b.failed, 0);
    return model;
}

/* ------------------------------------------------------------------ points in boxes */

typedef struct {
    double low[FEATURES], high[FEATURES], first[FEATURES];
    unsigned char fixed[FEATURES];
} image;

static void random_box(double *low, double *high)
{
    double size = pow(10, (double)below(6) - 3);
    for (int j = 0; j < FEATURES; j++) {
        double middle = gaussian() * 2;
        low[j] = below(8) == 0 ? 0 : middle - size * uniform();
        high[j] = low[j] + size * uniform();
    }
}

static void random_point(double *x, const double *low, const double *high)
{
    for (int j = 0; j < FEATURES; j++)
        x[j] = below(6) == 0 ? low[j] : below(6) == 0 ? high[j] : low[j] + (high[j] - low[j]) * uniform();
}

static int run(ll_evaluation *e, const ll_tensor **out, const double *low, const double *high)
{
    ll_error error = {0};
    ll_status status = ll_evaluation_run(e, out, low, high, 1, FEATURES, &error);
    if (status != LL_OK)
        fail_msg("%s", error.text);
    assert_int_equal((*out)->count, FEATURES);
    return 1;
}

/* Numbers that are not finite are beyond what is promised. */
static int is_right(const image *box, const ll_tensor *out, int is_first)
{
    for (int j = 0; j < FEATURES; j++) {
        double y = out->low[j];
        if (isnan(y) || isinf(y) || isnan(box->low[j]) || isnan(box->high[j]))
            continue;
        if (!(box->low[j] <= y && y <= box->high[j])) {
            printf("%.17g is not in [%.17g, %.17g]\n", y, box->low[j], box->high[j]);
            return 0;
        }
        if (!is_first && box->fixed[j] && isfinite(box->first[j]) && fabs(y - box->first[j]) > 1e-12 * (1 + fabs(y))) {
            printf("a fixed entry is %.17g and %.17g\n", box->first[j], y);
            return 0;
        }
    }
    return 1;
}

/* The operators of a graph, for messages. */
static void print_graph(const ll_evaluation *e)
{
    const Onnx__GraphProto *graph = e->model->proto->graph;
    for (size_t n = 0; n < graph->n_node; n++) {
        printf("%s(", graph->node[n]->op_type);
        for (size_t i = 0; i < graph->node[n]->n_input; i++)
            printf(" %s", graph->node[n]->input[i]);
        printf(") -> %s\n", graph->node[n]->output[0]);
    }
}

static long check_box(ll_evaluation *e)
{
    double low[FEATURES], high[FEATURES], x[FEATURES];
    const ll_tensor *out;
    image box;
    long fixed = 0;
    random_box(low, high);
    run(e, &out, low, high);
    memcpy(box.low, out->low, sizeof box.low);
    memcpy(box.high, out->high, sizeof box.high);
    memcpy(box.fixed, out->fixed, sizeof box.fixed);
    for (int i = 0; i < POINTS; i++) {
        random_point(x, low, high);
        run(e, &out, x, x);
        if (i == 0)
            memcpy(box.first, out->low, sizeof box.first);
        if (!is_right(&box, out, i == 0)) {
            print_graph(e);
            fail();
        }
    }
    for (int j = 0; j < FEATURES; j++)
        fixed += box.fixed[j];
    return fixed;
}

static void test_intervals(void **state)
{
    (void)state;
    ll_error error = {0};
    long fixed = 0, graphs = 1500 * test_multiplier;
    for (long i = 0; i < graphs; i++) {
        ll_onnx *model = random_network(FLOAT64);
        ll_evaluation *e = NULL;
        must(ll_evaluation_create(&e, model, LL_BUDGET(.memory = MEMORY), &error), &error);
        for (int k = 0; k < 4; k++)
            fixed += check_box(e);
        ll_evaluation_destroy(e);
        ll_onnx_destroy(model);
    }
    /* There must be something to be wrong about, on both sides. */
    printf("%ld of %ld entries are fixed\n", fixed, graphs * 4 * FEATURES);
    assert_true(fixed > graphs && fixed < graphs * 3 * FEATURES);
}

/* Float rounding: a unit whose bound is just below 0 is not called dead where float32 may wake it. */
static void test_rounding(void **state)
{
    (void)state;
    ll_error error = {0};
    for (int type = 0; type < 2; type++)
        for (int wide = 0; wide < 2; wide++) {
            ll_onnx *model = ll_onnx_create(7, 13);
            ll_evaluation *e = NULL;
            ll_onnx_builder b;
            const ll_tensor *out;
            /* 1e7 x - 1e7 y - 1 over x, y in [1, 1]: -1; the terms of 1e7 hide it from float32 only. */
            double w[FEATURES] = {1e7, -1e7, 0, 0}, bias[1] = {-1}, low[FEATURES] = {1, 1, 0, 0},
                   high[FEATURES] = {1, 1, 1, 1};
            ll_onnx_build(&b, model, "n", type ? FLOAT64 : FLOAT32);
            const char *v = ll_onnx_node(&b, "Gemm", NULL, "x", ll_onnx_numbers(&b, "w", w, FEATURES, 1),
                                         ll_onnx_numbers(&b, "b", bias, 1, 0));
            ll_onnx_node(&b, "Relu", "y", v, NULL, NULL);
            ll_onnx_declare(&b, "x", FEATURES, 0);
            ll_onnx_declare(&b, "y", 1, 1);
            low[0] -= wide ? 1e-12 : 0;
            must(ll_evaluation_create(&e, model, LL_BUDGET(.memory = MEMORY), &error), &error);
            must(ll_evaluation_run(e, &out, low, high, 1, FEATURES, &error), &error);
            assert_int_equal(out->fixed[0], type || !wide);
            ll_evaluation_destroy(e);
            ll_onnx_destroy(model);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_intervals), cmocka_unit_test(test_rounding)};
    read_environment();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
