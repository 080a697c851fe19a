/* ONNX files: written and read back, and hostile ones: cut, changed, nested, huge. */
#include "onnx_tools.h"

static void bytes_of(const ll_onnx *model, unsigned char **data, size_t *size)
{
    ll_error error = {0};
    must(ll_onnx_write(model, data, size, &error), &error);
}

/* Whatever the file says: it is refused with a text, or it is a model whose evaluation ends. */
static ll_status digest(const unsigned char *data, size_t size)
{
    ll_error error = {0};
    ll_onnx *model = NULL;
    ll_onnx_constancy constancy;
    ll_onnx_info info;
    ll_status status = ll_onnx_read(&model, data, size, LL_BUDGET(.memory = 1e6), &error);
    if (status == LL_OK) {
        ll_onnx_get_info(model, &info);
        status = ll_onnx_find_constancy(&constancy, model, NULL, 1, LL_BUDGET(.memory = 1e6), &error);
        ll_onnx_destroy(model);
    }
    assert_true(status == LL_OK || error.text[0] != '\0');
    return status;
}

static void test_round_trip(void **state)
{
    (void)state;
    ll_error error = {0};
    for (int type = 0; type < 2; type++) {
        ll_onnx *model = small_network(5, 7, 3, type ? FLOAT64 : FLOAT32), *again = NULL;
        unsigned char *data, *copy;
        size_t size, copied;
        ll_onnx_info info;
        bytes_of(model, &data, &size);
        must(ll_onnx_read(&again, data, size, LL_BUDGET(.memory = MEMORY), &error), &error);
        bytes_of(again, &copy, &copied);
        assert_int_equal(size, copied);
        assert_memory_equal(data, copy, size);
        ll_onnx_get_info(again, &info);
        assert_string_equal(info.input, "x");
        assert_string_equal(info.output, "y");
        assert_int_equal(info.features, 5);
        assert_int_equal(info.columns, 3);
        assert_int_equal(info.opset, 13);
        assert_int_equal(info.nodes, 5);
        assert_int_equal(info.is_double, type);
        ll_free(data);
        ll_free(copy);
        ll_onnx_destroy(model);
        ll_onnx_destroy(again);
    }
}

static void test_truncated(void **state)
{
    (void)state;
    ll_onnx *model = small_network(4, 5, 2, FLOAT64);
    unsigned char *data;
    size_t size;
    long refused = 0;
    bytes_of(model, &data, &size);
    assert_int_equal(digest(data, size), LL_OK);
    for (size_t cut = 0; cut < size; cut++) {
        unsigned char *part = malloc(cut ? cut : 1); /* its own, so that a byte beyond is seen */
        memcpy(part, data, cut);
        refused += digest(part, cut) != LL_OK;
        free(part);
    }
    /* Cut between two fields it may be whole: only what comes after the graph may be missing. */
    assert_true(refused >= (long)size - 30);
    ll_free(data);
    ll_onnx_destroy(model);
}

static void test_changed(void **state)
{
    (void)state;
    ll_onnx *model = small_network(4, 5, 2, FLOAT32);
    unsigned char *data, *changed;
    size_t size;
    bytes_of(model, &data, &size);
    changed = malloc(size);
    for (long i = 0; i < 4000 * test_multiplier; i++) {
        memcpy(changed, data, size);
        for (long k = below(4) + 1; k > 0; k--)
            changed[below((long)size)] = (unsigned char)(below(3) ? below(256) : below(2) ? 0xff : 0x7f);
        (void)digest(changed, size);
    }
    free(changed);
    ll_free(data);
    ll_onnx_destroy(model);
}

/* ------------------------------------------------------------------ made by hand */

typedef struct {
    unsigned char *bytes; /* filled from the end */
    size_t room, size;
} backwards;

static void put(backwards *b, const void *data, size_t size)
{
    assert_true(size <= b->room - b->size);
    b->size += size;
    memcpy(b->bytes + b->room - b->size, data, size);
}

static void put_varint(backwards *b, uint64_t x)
{
    unsigned char text[10];
    size_t n = 0;
    do {
        text[n++] = (unsigned char)((x & 0x7f) | (x > 0x7f ? 0x80 : 0));
        x >>= 7;
    } while (x);
    put(b, text, n);
}

/* What is there so far becomes the message of field `tag`. */
static void wrap(backwards *b, unsigned tag)
{
    put_varint(b, b->size);
    put_varint(b, (uint64_t)tag << 3 | 2);
}

static void expect_refusal(const backwards *b, const char *reason, double max_memory)
{
    ll_error error = {0};
    ll_onnx *model = NULL;
    assert_int_not_equal(
        ll_onnx_read(&model, b->bytes + b->room - b->size, b->size, LL_BUDGET(.memory = max_memory), &error), LL_OK);
    if (!strstr(error.text, reason))
        fail_msg("\"%s\" does not hold \"%s\"", error.text, reason);
}

/* Graph (7), node (1), attribute (5), graph (6), node (1), ...: a megabyte of nesting. */
static void test_nested(void **state)
{
    (void)state;
    enum { ROOM = 1 << 20 };
    backwards b = {malloc(ROOM), ROOM, 0};
    while (b.size < ROOM - 64) {
        wrap(&b, 1);
        wrap(&b, 6);
        wrap(&b, 5);
    }
    wrap(&b, 1);
    wrap(&b, 7);
    expect_refusal(&b, "nested too deep", MEMORY);
    /* As deep as is allowed, and one more: 64 messages below the model. */
    for (int deep = 0; deep < 2; deep++) {
        b.size = 0;
        for (int i = 0; i < 21; i++) {
            wrap(&b, 1);
            wrap(&b, 6);
            wrap(&b, 5);
        }
        for (int i = 0; i < deep; i++)
            wrap(&b, 1);
        wrap(&b, 7);
        expect_refusal(&b, deep ? "nested too deep" : "no output", MEMORY);
    }
    free(b.bytes);
}

/* Two bytes a node here, more than a hundred in memory. */
static void test_many(void **state)
{
    (void)state;
    enum { ROOM = 1 << 20 };
    backwards b = {malloc(ROOM), ROOM, 0};
    const unsigned char empty_node[2] = {1 << 3 | 2, 0};
    while (b.size < ROOM - 16)
        put(&b, empty_node, 2);
    wrap(&b, 7);
    expect_refusal(&b, "more than 1e+06 bytes of memory", 1e6);
    expect_refusal(&b, "no output", 1e9);
    free(b.bytes);
}

static void test_no_model(void **state)
{
    (void)state;
    unsigned char room[64];
    backwards b = {room, sizeof room, 0};
    expect_refusal(&b, "no graph", MEMORY);
    wrap(&b, 7);
    expect_refusal(&b, "no output", MEMORY);
    b.size = 0;
    put(&b, "\x89PNG\r\n\x1a\n", 8);
    expect_refusal(&b, "no ONNX model, or not the whole of it: byte 2: a field that is longer", MEMORY);
    b.size = 0;
    put(&b, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11);
    expect_refusal(&b, "more than ten bytes", MEMORY);
    b.size = 0;
    put(&b, "\x3a\x7f", 2);
    expect_refusal(&b, "byte 2: a field that is longer", MEMORY);
    b.size = 0;
    put(&b, "\x3a", 1);
    expect_refusal(&b, "the file ends inside a number", MEMORY);
    b.size = 0;
    put(&b, "\x00\x00", 2);
    expect_refusal(&b, "no field has this number", MEMORY);
}

/* ------------------------------------------------------------------ sizes that are not there */

static ll_status inspect(const ll_onnx *model, double max_memory, ll_error *error)
{
    ll_onnx_constancy constancy;
    return ll_onnx_find_constancy(&constancy, model, NULL, 1, LL_BUDGET(.memory = max_memory), error);
}

static void expect_text(const ll_onnx *model, const char *reason)
{
    ll_error error = {0};
    assert_int_not_equal(inspect(model, 1e7, &error), LL_OK);
    if (!strstr(error.text, reason))
        fail_msg("\"%s\" does not hold \"%s\"", error.text, reason);
}

static void test_sizes(void **state)
{
    (void)state;
    static const int64_t huge[] = {INT64_MAX, INT64_MIN, -1, (int64_t)1 << 62, 1000000007};
    for (size_t i = 0; i < sizeof huge / sizeof huge[0]; i++) {
        ll_onnx *model = small_network(4, 5, 2, FLOAT32);
        model->proto->graph->initializer[0]->dims[0] = huge[i];
        expect_text(model, "the tensor n_w_");
        ll_onnx_destroy(model);
    }
    /* A constant that a few bytes make of any size. */
    for (long big = 1000; big < 1000000000000000000L; big *= 1000) {
        ll_onnx *model = ll_onnx_create(7, 13);
        ll_onnx_builder b;
        ll_onnx_build(&b, model, "n", FLOAT32);
        const int64_t dims[] = {big, 3000};
        const char *v = ll_onnx_node(&b, "ConstantOfShape", NULL, ll_onnx_integers(&b, "s", dims, 2), NULL, NULL);
        ll_onnx_node(&b, "Add", "y", ll_onnx_node(&b, "ReduceMax", NULL, v, NULL, NULL), "x", NULL);
        ll_onnx_declare(&b, "x", 4, 0);
        ll_onnx_declare(&b, "y", 4, 1);
        expect_text(model, big < 1000000000000000L ? "takes" : "ConstantOfShape");
        ll_onnx_destroy(model);
    }
    ll_onnx *wide = small_network(4, 5, 2, FLOAT32);
    wide->proto->graph->input[0]->type->tensor_type->shape->dim[1]->dim_value = 1L << 50;
    ll_error error = {0};
    assert_int_not_equal(inspect(wide, 1e7, &error), LL_OK);
    ll_onnx_destroy(wide);
}

/* A constant of so many entries, of which each of some nodes makes one. */
static ll_onnx *reading_network(long entries, int nodes)
{
    ll_onnx *model = ll_onnx_create(7, 13);
    ll_onnx_builder b;
    ll_onnx_build(&b, model, "n", FLOAT32);
    const int64_t dims[] = {entries};
    const char *v = ll_onnx_node(&b, "ConstantOfShape", NULL, ll_onnx_integers(&b, "s", dims, 1), NULL, NULL);
    const char *sum = "x";
    for (int i = 0; i < nodes; i++)
        sum = ll_onnx_node(&b, "Add", i == nodes - 1 ? "y" : NULL, sum,
                           ll_onnx_node(&b, "ReduceMax", NULL, v, NULL, NULL), NULL);
    ll_onnx_declare(&b, "x", 4, 0);
    ll_onnx_declare(&b, "y", 4, 1);
    return model;
}

/* Seconds are counted as multiplications and as entries that are made: the same refusal on every machine. */
static void test_seconds(void **state)
{
    (void)state;
    ll_onnx *product = small_network(4, 5, 2, FLOAT32), *chain = ll_onnx_create(7, 13);
    ll_onnx_constancy constancy;
    ll_onnx_builder b;
    ll_onnx_build(&b, chain, "n", FLOAT32);
    const char *last = "x";
    for (int i = 0; i < 100; i++)
        last = ll_onnx_node(&b, "Tanh", NULL, last, NULL, NULL);
    ll_onnx_node(&b, "Tanh", "y", last, NULL, NULL);
    ll_onnx_declare(&b, "x", 4, 0);
    ll_onnx_declare(&b, "y", 4, 1);
    ll_onnx *const models[] = {product, chain, reading_network(30000, 30)};
    const double work[] = {4 * 5 + 5 * 2, 20.0 * 101 * 4, 20.0 * 30 * 30000}; /* at the least, of one row */
    for (int m = 0; m < 3; m++) {
        ll_error error = {0};
        must(ll_onnx_find_constancy(&constancy, models[m], NULL, 1, LL_BUDGET(.seconds = 10), &error), &error);
        assert_int_equal(
            ll_onnx_find_constancy(&constancy, models[m], NULL, 1, LL_BUDGET(.seconds = work[m] / 1e9), &error),
            LL_UNABLE);
        if (!strstr(error.text, "seconds allow"))
            fail_msg("%s", error.text);
        ll_onnx_destroy(models[m]);
    }
}

/* Nodes whose numbers would lead outside of what they read, or through loops over nothing. */
typedef struct {
    const char *operation, *reason;
    int64_t list[2];       /* dimensions, or the attribute */
    const char *attribute; /* NULL: none */
} hostile;

/* An attribute of the node added last. */
static void set_ints(ll_onnx_builder *b, const char *name, const int64_t *list, size_t count)
{
    const Onnx__GraphProto *graph = b->model->proto->graph;
    ll_onnx_set_int(b, name, 0);
    Onnx__AttributeProto *attribute = graph->node[graph->n_node - 1]->attribute[0];
    attribute->has_i = 0;
    attribute->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS;
    attribute->ints = malloc(count * sizeof *list);
    attribute->n_ints = count;
    memcpy(attribute->ints, list, count * sizeof *list);
}

static ll_onnx *hostile_network(const hostile *h)
{
    double square[16] = {0};
    ll_onnx *model = ll_onnx_create(7, 13);
    ll_onnx_builder b;
    ll_onnx_build(&b, model, "n", FLOAT32);
    const char *v = ll_onnx_numbers(&b, "v", square, 4, 4), *list = ll_onnx_integers(&b, "s", h->list, 2);
    if (strcmp(h->operation, "ConstantOfShape") == 0)
        v = ll_onnx_node(&b, "Softmax", NULL, ll_onnx_node(&b, h->operation, NULL, list, NULL, NULL), NULL, NULL);
    else if (strcmp(h->operation, "Slice") == 0) {
        const int64_t starts[2] = {3, 3}, ends[2] = {4, 4};
        v = ll_onnx_node(&b, h->operation, NULL, v, ll_onnx_integers(&b, "b", starts, 2),
                         ll_onnx_integers(&b, "e", ends, 2));
    } else
        v = ll_onnx_node(&b, h->operation, NULL, v, NULL, NULL);
    if (h->attribute)
        set_ints(&b, h->attribute, h->list, 2);
    ll_onnx_node(&b, "Add", "y", v, "x", NULL);
    ll_onnx_declare(&b, "x", 4, 0);
    ll_onnx_declare(&b, "y", 4, 1);
    assert_int_equal(b.failed, 0);
    return model;
}

static void test_hostile_nodes(void **state)
{
    (void)state;
    static const hostile rows[] = {{"Transpose", "no permutation", {0, 0}, "perm"},
                                   {"Transpose", "no permutation", {1, -1}, "perm"},
                                   {"Slice", "is cut twice", {1, 1}, "axes"},
                                   {"Slice", "is cut twice", {1, -1}, "axes"},
                                   {"ConstantOfShape", "takes", {(int64_t)1 << 60, 0}, NULL},
                                   {"ConstantOfShape", "takes", {0, (int64_t)1 << 60}, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ll_onnx *model = hostile_network(&rows[i]);
        expect_text(model, rows[i].reason);
        ll_onnx_destroy(model);
    }
}

static void test_bad_graphs(void **state)
{
    (void)state;
    ll_onnx *model = small_network(4, 5, 2, FLOAT32);
    Onnx__GraphProto *graph = model->proto->graph;
    Onnx__NodeProto *kept = graph->node[0];
    graph->node[0] = graph->node[1];
    graph->node[1] = kept;
    expect_text(model, "used before it is made");
    graph->node[1] = graph->node[0];
    graph->node[0] = kept;
    free(kept->op_type);
    kept->op_type = strdup("Conjure");
    expect_text(model, "Conjure of n_Gemm_2: not an operator that can be evaluated here");
    ll_onnx_destroy(model);
    model = small_network(4, 5, 2, FLOAT32);
    model->proto->graph->initializer[0]->dims[0] = 2;
    model->proto->graph->initializer[0]->dims[1] = 10;
    expect_text(model, "matrices that do not fit");
    ll_onnx_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_truncated), cmocka_unit_test(test_changed),
        cmocka_unit_test(test_nested),        cmocka_unit_test(test_many),      cmocka_unit_test(test_no_model),
        cmocka_unit_test(test_sizes),         cmocka_unit_test(test_seconds),   cmocka_unit_test(test_bad_graphs),
        cmocka_unit_test(test_hostile_nodes),
    };
    read_environment();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
