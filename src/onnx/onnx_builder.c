/* Nodes and tensors added to a graph. Everything is allocated with malloc, as protobuf-c frees it. */
#include "onnx/onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ memory */

/* One more place in an array of pointers. */
static int append(void ***array, size_t *count, void *item)
{
    void **longer = item ? realloc(*array, (*count + 1) * sizeof *longer) : NULL;
    if (!longer)
        return 0;
    longer[(*count)++] = item;
    *array = longer;
    return 1;
}

static int append_text(char ***array, size_t *count, const char *text)
{
    char *copy = strdup(text);
    if (append((void ***)array, count, copy))
        return 1;
    free(copy);
    return 0;
}

/* An empty message; NULL where memory ended. */
static void *new_message(const ProtobufCMessageDescriptor *type)
{
    void *message = malloc(type->sizeof_message);
    if (message)
        protobuf_c_message_init(type, message);
    return message;
}

ll_onnx *ll_onnx_create(long ir_version, long opset)
{
    ll_onnx *model = calloc(1, sizeof *model);
    Onnx__ModelProto *proto = new_message(&onnx__model_proto__descriptor);
    Onnx__GraphProto *graph = new_message(&onnx__graph_proto__descriptor);
    Onnx__OperatorSetIdProto *set = new_message(&onnx__operator_set_id_proto__descriptor);
    if (!model || !proto || !graph || !set || !append((void ***)&proto->opset_import, &proto->n_opset_import, set)) {
        free(model);
        free(proto);
        free(graph);
        free(set);
        return NULL;
    }
    model->proto = proto;
    proto->graph = graph;
    proto->has_ir_version = set->has_version = 1;
    proto->ir_version = ir_version;
    set->version = opset;
    graph->name = strdup("network");
    set->domain = strdup("");
    if (graph->name && set->domain)
        return model;
    ll_onnx_destroy(model);
    return NULL;
}

/* ------------------------------------------------------------------ names */

static int begins(const char *text, const char *prefix)
{
    return text && strncmp(text, prefix, strlen(prefix)) == 0;
}

static int is_prefix_used(const Onnx__GraphProto *graph, const char *prefix)
{
    for (size_t i = 0; i < graph->n_initializer; i++)
        if (begins(graph->initializer[i]->name, prefix))
            return 1;
    for (size_t i = 0; i < graph->n_input; i++)
        if (begins(graph->input[i]->name, prefix))
            return 1;
    for (size_t n = 0; n < graph->n_node; n++) {
        if (begins(graph->node[n]->name, prefix))
            return 1;
        for (size_t i = 0; i < graph->node[n]->n_output; i++)
            if (begins(graph->node[n]->output[i], prefix))
                return 1;
    }
    return 0;
}

void ll_onnx_build(ll_onnx_builder *builder, ll_onnx *model, const char *wanted, int type)
{
    memset(builder, 0, sizeof *builder);
    builder->model = model;
    builder->type = type;
    (void)snprintf(builder->prefix, sizeof builder->prefix, "%.16s", wanted);
    for (int i = 1; is_prefix_used(model->proto->graph, builder->prefix); i++)
        (void)snprintf(builder->prefix, sizeof builder->prefix, "%.16s%d", wanted, i);
}

static void write_name(ll_onnx_builder *builder, char *text, size_t size, const char *what)
{
    (void)snprintf(text, size, "%s_%.40s_%ld", builder->prefix, what, builder->count++);
}

/* ------------------------------------------------------------------ nodes */

static const char *add_node(ll_onnx_builder *builder, const char *operation, const char *output,
                            const char *const *inputs, int count)
{
    Onnx__GraphProto *graph = builder->model->proto->graph;
    Onnx__NodeProto *node = new_message(&onnx__node_proto__descriptor);
    if (!node || !append((void ***)&graph->node, &graph->n_node, node)) {
        free(node);
        builder->failed = 1;
        return "";
    }
    node->op_type = strdup(operation);
    node->name = strdup(output);
    int complete = node->op_type && node->name && append_text(&node->output, &node->n_output, output);
    for (int i = 0; i < count && inputs[i]; i++)
        complete = complete && append_text(&node->input, &node->n_input, inputs[i]);
    builder->failed |= !complete;
    return complete ? node->output[0] : "";
}

const char *ll_onnx_node(ll_onnx_builder *builder, const char *operation, const char *output, const char *a,
                         const char *b, const char *c)
{
    char made[96];
    const char *inputs[] = {a, b, c};
    if (builder->failed)
        return "";
    write_name(builder, made, sizeof made, operation);
    return add_node(builder, operation, output ? output : made, inputs, 3);
}

void ll_onnx_set_int(ll_onnx_builder *builder, const char *name, int64_t value)
{
    const Onnx__GraphProto *graph = builder->model->proto->graph;
    if (builder->failed)
        return;
    Onnx__NodeProto *node = graph->node[graph->n_node - 1];
    Onnx__AttributeProto *attribute = new_message(&onnx__attribute_proto__descriptor);
    if (!attribute || !append((void ***)&node->attribute, &node->n_attribute, attribute)) {
        free(attribute);
        builder->failed = 1;
        return;
    }
    attribute->name = strdup(name);
    attribute->has_type = attribute->has_i = 1;
    attribute->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
    attribute->i = value;
    builder->failed |= !attribute->name;
}

/* ------------------------------------------------------------------ tensors */

static Onnx__TensorProto *add_tensor(ll_onnx_builder *builder, const char *what, int type, size_t bytes)
{
    char made[96];
    Onnx__GraphProto *graph = builder->model->proto->graph;
    Onnx__TensorProto *tensor = new_message(&onnx__tensor_proto__descriptor);
    if (!tensor || !append((void ***)&graph->initializer, &graph->n_initializer, tensor)) {
        free(tensor);
        builder->failed = 1;
        return NULL;
    }
    write_name(builder, made, sizeof made, what);
    tensor->name = strdup(made);
    tensor->dims = calloc(2, sizeof *tensor->dims);
    tensor->raw_data.data = malloc(bytes ? bytes : 1);
    tensor->has_data_type = tensor->has_raw_data = 1;
    tensor->data_type = type;
    tensor->raw_data.len = tensor->raw_data.data ? bytes : 0;
    builder->failed |= !tensor->name || !tensor->dims || !tensor->raw_data.data;
    return builder->failed ? NULL : tensor;
}

/* raw_data is little-endian. */
static void put_bytes(uint8_t *to, uint64_t bits, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(bits >> (8 * i));
}

static void put_number(uint8_t *to, double x, int is_double)
{
    float narrow = (float)x;
    uint32_t bits = 0;
    uint64_t wide = 0;
    if (is_double) {
        memcpy(&wide, &x, sizeof wide);
        put_bytes(to, wide, 8);
    } else {
        memcpy(&bits, &narrow, sizeof bits);
        put_bytes(to, bits, 4);
    }
}

const char *ll_onnx_numbers(ll_onnx_builder *builder, const char *what, const double *numbers, long rows, long columns)
{
    int is_double = builder->type == ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE, item = is_double ? 8 : 4;
    long count = (rows ? rows : 1) * (columns ? columns : 1);
    Onnx__TensorProto *tensor =
        builder->failed ? NULL : add_tensor(builder, what, builder->type, (size_t)count * (size_t)item);
    if (!tensor)
        return "";
    tensor->n_dims = (size_t)(rows > 0) + (size_t)(columns > 0);
    tensor->dims[0] = rows;
    tensor->dims[1] = columns;
    for (long i = 0; i < count; i++)
        put_number(tensor->raw_data.data + i * item, numbers[i], is_double);
    return tensor->name;
}

const char *ll_onnx_integers(ll_onnx_builder *builder, const char *what, const int64_t *numbers, long count)
{
    Onnx__TensorProto *tensor =
        builder->failed ? NULL : add_tensor(builder, what, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, (size_t)count * 8);
    if (!tensor)
        return "";
    tensor->n_dims = 1;
    tensor->dims[0] = count;
    for (long i = 0; i < count; i++)
        put_bytes(tensor->raw_data.data + i * 8, (uint64_t)numbers[i], 8);
    return tensor->name;
}

/* ------------------------------------------------------------------ inputs and outputs */

static Onnx__TensorShapeProto__Dimension *new_dimension(Onnx__TensorShapeProto *shape)
{
    Onnx__TensorShapeProto__Dimension *dim = new_message(&onnx__tensor_shape_proto__dimension__descriptor);
    if (append((void ***)&shape->dim, &shape->n_dim, dim))
        return dim;
    free(dim);
    return NULL;
}

static int set_shape(Onnx__TensorShapeProto *shape, long columns)
{
    Onnx__TensorShapeProto__Dimension *rows = new_dimension(shape), *width = new_dimension(shape);
    if (!rows || !width)
        return 0;
    rows->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
    rows->dim_param = strdup("rows");
    width->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
    width->dim_value = columns;
    return rows->dim_param != NULL;
}

/* Whatever is made belongs to *value at once, so that a failure leaves nothing behind. */
static int set_type(Onnx__ValueInfoProto *value, int type, long columns)
{
    value->type = new_message(&onnx__type_proto__descriptor);
    if (!value->type)
        return 0;
    Onnx__TypeProto__Tensor *tensor = new_message(&onnx__type_proto__tensor__descriptor);
    if (!tensor)
        return 0;
    value->type->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
    value->type->tensor_type = tensor;
    tensor->has_elem_type = 1;
    tensor->elem_type = type;
    tensor->shape = new_message(&onnx__tensor_shape_proto__descriptor);
    return tensor->shape && set_shape(tensor->shape, columns);
}

void ll_onnx_declare(ll_onnx_builder *builder, const char *name, long columns, int is_output)
{
    Onnx__GraphProto *graph = builder->model->proto->graph;
    Onnx__ValueInfoProto *value = new_message(&onnx__value_info_proto__descriptor);
    int added = is_output ? append((void ***)&graph->output, &graph->n_output, value)
                          : append((void ***)&graph->input, &graph->n_input, value);
    if (!added) {
        free(value);
        builder->failed = 1;
        return;
    }
    value->name = strdup(name);
    builder->failed |= !set_type(value, builder->type, columns) || !value->name;
}
