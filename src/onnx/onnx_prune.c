/* What no output needs goes: nodes, initializers, and what is said about values that are no longer there. */
#include "onnx/onnx.h"
#include "onnx/value_names.h"

#include <stdlib.h>
#include <string.h>

static void mark_inputs(const ll_value_names *names, char *used, const Onnx__NodeProto *node)
{
    for (size_t i = 0; i < node->n_input; i++) {
        long value = ll_value_names_find(names, node->input[i]);
        if (value >= 0)
            used[value] = 1;
    }
}

/* Nodes with a graph inside may read values that they do not list: they and all that is made before them stay. */
static int holds_graph(const Onnx__NodeProto *node)
{
    for (size_t i = 0; i < node->n_attribute; i++)
        if (node->attribute[i]->g || node->attribute[i]->n_graphs)
            return 1;
    return 0;
}

static void mark(const Onnx__GraphProto *graph, const ll_value_names *names, char *used, char *keep, long values)
{
    long begin = values;
    int all = 0;
    for (size_t i = 0; i < graph->n_output; i++) {
        long value = ll_value_names_find(names, ll_onnx_text(graph->output[i]->name));
        if (value >= 0)
            used[value] = 1;
    }
    for (long n = (long)graph->n_node - 1; n >= 0; n--) {
        const Onnx__NodeProto *node = graph->node[n];
        begin -= (long)node->n_output;
        all |= holds_graph(node);
        keep[n] = (char)all;
        for (size_t i = 0; i < node->n_output; i++)
            keep[n] |= used[begin + (long)i];
        if (keep[n])
            mark_inputs(names, used, node);
    }
    if (all)
        memset(used, 1, (size_t)values);
}

/* Keep the messages of a list that `keep` marks. */
static void keep_marked(void **list, size_t *count, const char *keep)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (keep[i])
            list[kept++] = list[i];
        else
            protobuf_c_message_free_unpacked(list[i], NULL);
    *count = kept;
}

static void drop(Onnx__GraphProto *graph, const char *used, const char *keep)
{
    size_t inputs = graph->n_input;
    keep_marked((void **)graph->node, &graph->n_node, keep);
    keep_marked((void **)graph->initializer, &graph->n_initializer, used + inputs);
}

/* value_info is about values that are neither inputs nor outputs. */
static ll_status drop_value_info(Onnx__GraphProto *graph, ll_error *error)
{
    ll_value_names names;
    char *keep = calloc(graph->n_value_info + 1, 1);
    if (!keep)
        return ll_fail(error, LL_MEMORY, "no memory for %zu values", graph->n_value_info);
    ll_status status = ll_value_names_create(&names, graph, error);
    if (status == LL_OK) {
        for (size_t i = 0; i < graph->n_value_info; i++)
            keep[i] = ll_value_names_find(&names, ll_onnx_text(graph->value_info[i]->name)) >= 0;
        keep_marked((void **)graph->value_info, &graph->n_value_info, keep);
        ll_value_names_clear(&names);
    }
    free(keep);
    return status;
}

ll_status ll_onnx_prune(ll_onnx *model, ll_error *error)
{
    Onnx__GraphProto *graph = model->proto->graph;
    ll_value_names names;
    size_t values = graph->n_input + graph->n_initializer;
    for (size_t n = 0; n < graph->n_node; n++)
        values += graph->node[n]->n_output;
    char *used = calloc(values + 1, 1), *keep = calloc(graph->n_node + 1, 1);
    ll_status status = used && keep ? ll_value_names_create(&names, graph, error)
                                    : ll_fail(error, LL_MEMORY, "no memory for %zu values", values);
    if (status == LL_OK) {
        mark(graph, &names, used, keep, (long)values);
        ll_value_names_clear(&names);
        drop(graph, used, keep);
        status = drop_value_info(graph, error);
    }
    free(used);
    free(keep);
    return status;
}
