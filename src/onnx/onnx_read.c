/* From bytes to a model and back. protobuf-c allocates through a counter, so that a file of many empty messages, two
 * bytes each there and a hundred here, ends at the budget. */
#include "number/budget.h"
#include "number/value.h"
#include "onnx/onnx.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t used, limit;
} counter;

static void *count_alloc(void *self, size_t size)
{
    counter *c = self;
    if (size > c->limit - c->used)
        return NULL;
    c->used += size;
    return malloc(size ? size : 1);
}

static void count_free(void *self, void *memory)
{
    (void)self;
    free(memory);
}

static ll_status check_model(const Onnx__ModelProto *proto, ll_error *error)
{
    if (!proto->graph)
        return ll_fail(error, LL_DOMAIN, "no ONNX model: it has no graph");
    if (proto->graph->n_output == 0)
        return ll_fail(error, LL_DOMAIN, "no ONNX model: its graph has no output");
    return LL_OK;
}

ll_status ll_onnx_read(ll_onnx **out, const void *data, size_t size, const ll_budget *budget, ll_error *error)
{
    double max_memory = ll_budget_memory(budget);
    counter c = {0, max_memory < (double)(SIZE_MAX / 4) ? (size_t)max_memory : SIZE_MAX / 4};
    ProtobufCAllocator allocator = {count_alloc, count_free, &c};
    ll_error why = {0};
    if (ll_onnx_check_bytes(&onnx__model_proto__descriptor, data, size, &why) != LL_OK)
        return ll_fail(error, LL_DOMAIN, "no ONNX model, or not the whole of it: %.300s", why.text);
    ll_onnx *model = calloc(1, sizeof *model);
    if (!model)
        return ll_fail(error, LL_MEMORY, "no memory for a model");
    model->proto = onnx__model_proto__unpack(&allocator, size, data);
    model->size = size;
    ll_status status = LL_OK;
    if (!model->proto && c.used > c.limit / 2)
        status = ll_fail(error, LL_UNABLE, "the model takes more than %.3g bytes of memory", max_memory);
    else if (!model->proto)
        status = ll_fail(error, LL_DOMAIN, "no ONNX model: its fields are not those of a model");
    else
        status = check_model(model->proto, error);
    if (status == LL_OK)
        *out = model;
    else
        ll_onnx_destroy(model);
    return status;
}

ll_status ll_onnx_write(const ll_onnx *model, unsigned char **out, size_t *size, ll_error *error)
{
    size_t wanted = onnx__model_proto__get_packed_size(model->proto);
    /* protobuf's own readers take no message of 2 GiB or more. */
    if (wanted >= (size_t)1 << 31)
        return ll_fail(error, LL_UNABLE, "the model would have %.3g bytes; ONNX files end at 2 GiB", (double)wanted);
    unsigned char *data = malloc(wanted ? wanted : 1);
    if (!data)
        return ll_fail(error, LL_MEMORY, "no memory for a model of %zu bytes", wanted);
    *size = onnx__model_proto__pack(model->proto, data);
    *out = data;
    return LL_OK;
}

void ll_onnx_destroy(ll_onnx *model)
{
    if (!model)
        return;
    if (model->proto)
        onnx__model_proto__free_unpacked(model->proto, NULL);
    free(model);
}

/* Entries a row: the product of all dimensions but the first; 0 where one is not known. */
static long row_entries(const Onnx__ValueInfoProto *value)
{
    long dims[8], entries = 1;
    int rank = -1;
    if (!value)
        return 0;
    ll_onnx_declared(value, dims, 8, &rank);
    if (rank < 1 || rank > 8)
        return 0;
    for (int i = 1; i < rank; i++)
        if (dims[i] < 1 || __builtin_mul_overflow(entries, dims[i], &entries))
            return 0;
    return entries;
}

void(ll_onnx_get_info)(const ll_onnx *model, ll_onnx_info *out, size_t size)
{
    ll_onnx_info info = {0};
    long dims[8];
    int rank;
    const Onnx__ValueInfoProto *input = ll_onnx_input(model), *output = ll_onnx_output(model);
    info.producer = ll_onnx_text(model->proto->producer_name);
    info.input = input ? ll_onnx_text(input->name) : "";
    info.output = output ? ll_onnx_text(output->name) : "";
    info.features = row_entries(input);
    info.columns = row_entries(output);
    info.nodes = (long)model->proto->graph->n_node;
    info.opset = ll_onnx_opset(model);
    info.outputs = ll_onnx_count_outputs(model);
    info.is_double = input && ll_onnx_declared(input, dims, 8, &rank) == ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE;
    ll_value_copy(out, size, &info, sizeof info);
}
