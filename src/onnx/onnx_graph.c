/* Finding one's way in a graph. */
#include "onnx/onnx.h"

#include <string.h>

const char *ll_onnx_text(const char *text)
{
    return text ? text : "";
}

long ll_onnx_opset(const ll_onnx *model)
{
    for (size_t i = 0; i < model->proto->n_opset_import; i++) {
        const Onnx__OperatorSetIdProto *set = model->proto->opset_import[i];
        const char *domain = ll_onnx_text(set->domain);
        if (*domain == '\0' || strcmp(domain, "ai.onnx") == 0)
            return set->has_version ? (long)set->version : 0;
    }
    return 0;
}

static int is_float(int type)
{
    return type == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT || type == ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE ||
           type == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16;
}

/* Old files list initializers among the inputs. */
const Onnx__ValueInfoProto *ll_onnx_input(const ll_onnx *model)
{
    const Onnx__GraphProto *graph = model->proto->graph;
    for (size_t i = 0; i < graph->n_input; i++)
        if (!ll_onnx_initializer(graph, ll_onnx_text(graph->input[i]->name)))
            return graph->input[i];
    return NULL;
}

const Onnx__ValueInfoProto *ll_onnx_output(const ll_onnx *model)
{
    const Onnx__GraphProto *graph = model->proto->graph;
    long dims[1];
    int rank;
    for (size_t i = 0; i < graph->n_output; i++)
        if (is_float(ll_onnx_declared(graph->output[i], dims, 1, &rank)))
            return graph->output[i];
    return graph->n_output ? graph->output[0] : NULL;
}

long ll_onnx_count_outputs(const ll_onnx *model)
{
    const Onnx__GraphProto *graph = model->proto->graph;
    long dims[1], count = 0;
    int rank;
    for (size_t i = 0; i < graph->n_output; i++)
        count += is_float(ll_onnx_declared(graph->output[i], dims, 1, &rank));
    return count;
}

long ll_onnx_producer(const Onnx__GraphProto *graph, const char *value)
{
    for (size_t n = 0; n < graph->n_node; n++)
        for (size_t i = 0; i < graph->node[n]->n_output; i++)
            if (strcmp(graph->node[n]->output[i], value) == 0)
                return (long)n;
    return -1;
}

const Onnx__TensorProto *ll_onnx_initializer(const Onnx__GraphProto *graph, const char *name)
{
    for (size_t i = 0; i < graph->n_initializer; i++)
        if (strcmp(ll_onnx_text(graph->initializer[i]->name), name) == 0)
            return graph->initializer[i];
    return NULL;
}

const Onnx__AttributeProto *ll_onnx_attribute(const Onnx__NodeProto *node, const char *name)
{
    for (size_t i = 0; i < node->n_attribute; i++)
        if (strcmp(ll_onnx_text(node->attribute[i]->name), name) == 0)
            return node->attribute[i];
    return NULL;
}

int64_t ll_onnx_attribute_int(const Onnx__NodeProto *node, const char *name, int64_t otherwise)
{
    const Onnx__AttributeProto *attribute = ll_onnx_attribute(node, name);
    return attribute && attribute->has_i ? attribute->i : otherwise;
}

double ll_onnx_attribute_float(const Onnx__NodeProto *node, const char *name, double otherwise)
{
    const Onnx__AttributeProto *attribute = ll_onnx_attribute(node, name);
    return attribute && attribute->has_f ? (double)attribute->f : otherwise;
}

int ll_onnx_declared(const Onnx__ValueInfoProto *value, long *dims, int size, int *rank)
{
    *rank = -1;
    if (!value->type || value->type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE || !value->type->tensor_type)
        return 0;
    const Onnx__TypeProto__Tensor *tensor = value->type->tensor_type;
    if (tensor->shape) {
        *rank = tensor->shape->n_dim > 1000 ? 1000 : (int)tensor->shape->n_dim;
        for (int i = 0; i < *rank && i < size; i++) {
            const Onnx__TensorShapeProto__Dimension *dim = tensor->shape->dim[i];
            dims[i] =
                dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE ? (long)dim->dim_value : -1;
        }
    }
    return tensor->has_elem_type ? tensor->elem_type : 0;
}
