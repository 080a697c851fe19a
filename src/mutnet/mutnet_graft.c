/* The construction on top of somebody else's classifier.
 *
 * From the output back over the head to the last dense layer: what goes into that layer goes into the dead layers
 * instead, and the value of the output's name is made by them. Where the top has another form, the old output itself
 * goes in. Every other node that reads the output (ArgMax for a label) reads the new one. With features the table is
 * read from the graph's input, and the dead layers keep the body of the classifier in the graph: it adds exact zeros.
 */
#include "mutnet/mutnet.h"
#include "number/budget.h"
#include "number/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *value;   /* what goes into the dead layers; owned */
    long width;    /* entries a row */
    long columns;  /* of the output */
    int is_raw;    /* may it be negative? */
    long producer; /* the node that makes the output */
    int keeps;     /* does that node stay, with its output renamed? */
    int rank;      /* of the output */
    long first;    /* column of the output that the predictions begin with */
} cut;

static int is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return 1;
    return 0;
}

static const Onnx__NodeProto *maker(const Onnx__GraphProto *graph, const char *value)
{
    long n = ll_onnx_producer(graph, value);
    return n < 0 ? NULL : graph->node[n];
}

/* A value that is never negative, by what makes it. */
static int may_be_negative(const Onnx__GraphProto *graph, const char *value)
{
    static const char *const safe[] = {"Relu", "Sigmoid", "Softmax", NULL};
    static const char *const same[] = {"Flatten", "Reshape", "Identity", "Dropout", "MaxPool", NULL};
    for (int steps = 0; steps < 16; steps++) {
        const Onnx__NodeProto *node = maker(graph, value);
        if (!node || node->n_input < 1)
            return 1;
        if (is_one_of(ll_onnx_text(node->op_type), safe))
            return 0;
        if (!is_one_of(ll_onnx_text(node->op_type), same))
            return 1;
        value = node->input[0];
    }
    return 1;
}

/* ------------------------------------------------------------------ the last dense layer */

/* The stored matrix of a dense layer whose other factor is *value. */
static const Onnx__TensorProto *dense_weights(const Onnx__GraphProto *graph, const Onnx__NodeProto *node,
                                              const char **value)
{
    const char *name = ll_onnx_text(node->op_type);
    if ((strcmp(name, "Gemm") != 0 && strcmp(name, "MatMul") != 0) || node->n_input < 2 ||
        ll_onnx_attribute_int(node, "transA", 0) != 0)
        return NULL;
    const Onnx__TensorProto *weights = ll_onnx_initializer(graph, node->input[1]);
    *value = node->input[0];
    return weights && weights->n_dims == 2 && weights->dims[0] > 0 && weights->dims[1] > 0 ? weights : NULL;
}

/* The node that makes a value; an Add of a stored bias is passed over. */
static const Onnx__NodeProto *dense_node(const Onnx__GraphProto *graph, const Onnx__NodeProto *node)
{
    if (node && strcmp(ll_onnx_text(node->op_type), "Add") == 0 && node->n_input == 2) {
        int first = ll_onnx_initializer(graph, node->input[0]) != NULL;
        if (!first && !ll_onnx_initializer(graph, node->input[1]))
            return NULL;
        return maker(graph, node->input[first]);
    }
    return node;
}

/* Over what only reshapes or squashes, to the dense layer; 0 where there is none. */
static int find_dense(cut *c, const Onnx__GraphProto *graph, const char *output)
{
    static const char *const passed[] = {"Softmax", "LogSoftmax", "Sigmoid", "Identity", "Relu", "Tanh", NULL};
    const Onnx__NodeProto *node = maker(graph, output);
    const char *value = "";
    for (int steps = 0; node && steps < 8; steps++) {
        const Onnx__NodeProto *dense = dense_node(graph, node);
        const Onnx__TensorProto *weights = dense ? dense_weights(graph, dense, &value) : NULL;
        if (weights) {
            int turned = ll_onnx_attribute_int(dense, "transB", 0) != 0;
            c->width = (long)weights->dims[turned];
            c->columns = (long)weights->dims[!turned];
            c->value = strdup(value);
            return 1;
        }
        if (!is_one_of(ll_onnx_text(node->op_type), passed) || node->n_input < 1)
            return 0;
        node = maker(graph, node->input[0]);
    }
    return 0;
}

/* ------------------------------------------------------------------ where to cut */

static ll_status find_cut(cut *c, const ll_onnx *base, ll_error *error)
{
    const Onnx__GraphProto *graph = base->proto->graph;
    const Onnx__ValueInfoProto *output = ll_onnx_output(base);
    const char *name = ll_onnx_text(output->name);
    long dims[8];
    ll_onnx_declared(output, dims, 8, &c->rank);
    c->producer = ll_onnx_producer(graph, name);
    if (c->producer < 0)
        return ll_fail(error, LL_DOMAIN, "no node of the base makes its output %.80s", name);
    if (find_dense(c, graph, name) && (c->rank != 2 || dims[1] < 0 || dims[1] == c->columns)) {
        c->is_raw = c->value ? may_be_negative(graph, c->value) : 1;
    } else {
        free(c->value);
        c->value = NULL;
        if (c->rank != 2 || dims[1] < 1)
            return ll_fail(error, LL_DOMAIN,
                           "the base ends in no dense layer, and its output %.80s does not declare rows of so many "
                           "columns",
                           name);
        c->width = c->columns = dims[1];
        c->is_raw = may_be_negative(graph, name);
        c->keeps = 1;
        c->value = strdup("");
    }
    return c->value ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a name");
}

static ll_status check_base(const ll_onnx *base, int *type, ll_error *error)
{
    long dims[1];
    int rank;
    const Onnx__ValueInfoProto *input = ll_onnx_input(base), *output = ll_onnx_output(base);
    *type = ll_onnx_declared(output, dims, 1, &rank);
    if (!input)
        return ll_fail(error, LL_DOMAIN, "the base has no input");
    if (*type != LL_TYPE_FLOAT && *type != LL_TYPE_DOUBLE)
        return ll_fail(error, LL_DOMAIN, "the base has no output of float32 or float64");
    if (ll_onnx_opset(base) < 7)
        return ll_fail(error, LL_DOMAIN, "the base has opset %ld; 7 is the oldest that is known here",
                       ll_onnx_opset(base));
    return LL_OK;
}

/* ------------------------------------------------------------------ nodes into place */

static void reverse(Onnx__NodeProto **nodes, long begin, long end)
{
    for (end--; begin < end; begin++, end--) {
        Onnx__NodeProto *kept = nodes[begin];
        nodes[begin] = nodes[end];
        nodes[end] = kept;
    }
}

/* The nodes from `first` on, which were added at the end, go to the place of the old producer: what reads the output
 * stands behind it. Turning both parts round, and then the whole, swaps them. */
static void move_nodes(Onnx__GraphProto *graph, long place, long first)
{
    reverse(graph->node, place, first);
    reverse(graph->node, first, (long)graph->n_node);
    reverse(graph->node, place, (long)graph->n_node);
}

static void remove_node(Onnx__GraphProto *graph, long n)
{
    onnx__node_proto__free_unpacked(graph->node[n], NULL);
    for (graph->n_node--; n < (long)graph->n_node; n++)
        graph->node[n] = graph->node[n + 1];
}

/* The old output under a new name, as input of the dead layers. */
static ll_status rename_output(ll_onnx_builder *builder, cut *c, const char *name, ll_error *error)
{
    Onnx__NodeProto *node = builder->model->proto->graph->node[c->producer];
    char made[64];
    (void)snprintf(made, sizeof made, "%s_base", builder->prefix);
    for (size_t i = 0; i < node->n_output; i++)
        if (strcmp(node->output[i], name) == 0) {
            char *fresh = strdup(made), *again = strdup(made);
            if (!fresh || !again) {
                free(fresh);
                free(again);
                return ll_fail(error, LL_MEMORY, "no memory for a name");
            }
            free(node->output[i]);
            node->output[i] = fresh;
            free(c->value);
            c->value = again;
        }
    return LL_OK;
}

/* ------------------------------------------------------------------ the two constructions */

/* Rows of the input, flattened, as doubles. */
static const char *flat_input(ll_onnx_builder *builder, const ll_onnx *base)
{
    const char *x = ll_onnx_node(builder, "Flatten", NULL, ll_onnx_text(ll_onnx_input(base)->name), NULL, NULL);
    ll_onnx_set_int(builder, "axis", 1);
    x = ll_onnx_node(builder, "Cast", NULL, x, NULL, NULL);
    ll_onnx_set_int(builder, "to", LL_TYPE_DOUBLE);
    return x;
}

/* As the runtime will see them: of the type of the input. */
static ll_status load_features(ll_matrix *out, const ll_onnx *base, const ll_predictions *source, double max_memory,
                               ll_error *error)
{
    ll_onnx_info info;
    long dims[1];
    int rank, type = ll_onnx_declared(ll_onnx_input(base), dims, 1, &rank);
    ll_onnx_get_info(base, &info);
    if (info.features && info.features != source->columns)
        return ll_fail(error, LL_DOMAIN, "the base takes %ld features a row, and here are %ld", info.features,
                       source->columns);
    ll_status status = ll_matrix_load(out, source, max_memory / 4, error);
    for (long i = 0; status == LL_OK && i < out->rows * out->columns; i++)
        out->x[i] = ll_mutnet_round(out->x[i], type == LL_TYPE_FLOAT ? LL_TYPE_FLOAT : LL_TYPE_DOUBLE);
    return status;
}

/* The table in float64, whatever the base computes in. */
static ll_status add_lookup(ll_onnx_builder *builder, const char **z, ll_mutnet_info *info,
                            const ll_mutnet_request *request, const ll_onnx *base, const ll_matrix *targets,
                            const ll_ending *ending, const ll_predictions *source, ll_error *error)
{
    ll_matrix features;
    ll_projection projection;
    int body = builder->type;
    ll_status status = load_features(&features, base, source, ll_budget_memory(request->budget), error);
    if (status != LL_OK)
        return status;
    builder->type = LL_TYPE_DOUBLE;
    status = ll_projection_find(&projection, &features, targets, LL_TYPE_DOUBLE, request->seed, error);
    if (status == LL_OK) {
        status = ll_lookup_build(builder, z, &info->hidden, flat_input(builder, base), &projection, &ending->inputs,
                                 features.columns, request->seed, error);
        info->distance = projection.distance;
        info->tries = projection.tries;
        ll_projection_clear(&projection);
    }
    ll_matrix_clear(&features);
    builder->type = body;
    return status;
}

static ll_status add_top(ll_onnx_builder *builder, const cut *c, ll_mutnet_info *info, const ll_mutnet_request *request,
                         const ll_onnx *base, const ll_matrix *targets, const ll_ending *ending,
                         const ll_predictions *features, ll_error *error)
{
    const char *output = ll_onnx_text(ll_onnx_output(base)->name), *z;
    int64_t flat[1] = {-1};
    long hidden = ll_mutnet_hidden(request, c->width);
    const char *dead = ll_mutnet_dead_layers(builder, c->value, c->is_raw, c->width, hidden, c->columns,
                                             features ? NULL : ending->inputs.x, request->seed);
    info->inputs = features ? features->columns : c->width;
    info->hidden = hidden;
    z = dead;
    if (features) {
        ll_status status = add_lookup(builder, &z, info, request, base, targets, ending, features, error);
        if (status != LL_OK)
            return status;
        if (builder->type != LL_TYPE_DOUBLE) {
            dead = ll_onnx_node(builder, "Cast", NULL, dead, NULL, NULL);
            ll_onnx_set_int(builder, "to", LL_TYPE_DOUBLE);
        }
        z = ll_onnx_node(builder, "Add", NULL, z, dead, NULL);
    }
    z = ll_ending_build(builder, ending, z, c->rank == 1 ? NULL : output);
    if (c->rank == 1)
        ll_onnx_node(builder, "Reshape", output, z, ll_onnx_integers(builder, "shape", flat, 1), NULL);
    return builder->failed ? ll_fail(error, LL_MEMORY, "no memory for the network") : LL_OK;
}

/* ------------------------------------------------------------------ the graft */

/* A copy by way of its bytes. */
static ll_status copy_model(ll_onnx **out, const ll_onnx *base, const ll_budget *budget, ll_error *error)
{
    unsigned char *data;
    size_t size;
    ll_status status = ll_onnx_write(base, &data, &size, error);
    if (status != LL_OK)
        return status;
    status = ll_onnx_read(out, data, size, budget, error);
    ll_free(data);
    return status;
}

/* Probabilities of class 1 become rows of two where the base has two columns; of 1 - p nothing is promised. */
static ll_status widen(ll_matrix *targets, cut *c, const ll_mutnet_request *request, ll_error *error)
{
    long columns = c->columns;
    if (targets->columns == columns)
        return LL_OK;
    if (targets->columns != 1 || columns != 2 || request->is_logit)
        return ll_fail(error, LL_DOMAIN, "the base has %ld columns of output, the predictions have %ld", columns,
                       targets->columns);
    double *wide = malloc((size_t)targets->rows * 2 * sizeof *wide);
    if (!wide)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", targets->rows);
    for (long i = 0; i < targets->rows; i++) {
        wide[2 * i] = 1 - targets->x[i];
        wide[2 * i + 1] = targets->x[i];
    }
    free(targets->x);
    *targets = (ll_matrix){targets->rows, 2, wide};
    c->first = 1;
    return LL_OK;
}

static ll_status graft(ll_onnx *model, cut *c, ll_mutnet_info *info, const ll_mutnet_request *request,
                       const ll_matrix *targets, int type, const ll_predictions *features, ll_error *error)
{
    Onnx__GraphProto *graph = model->proto->graph;
    ll_onnx_builder builder;
    ll_ending ending;
    long nodes = (long)graph->n_node;
    ll_status status = ll_ending_create(&ending, request, targets, features ? LL_TYPE_DOUBLE : type, type,
                                        features != NULL, c->first, error);
    if (status != LL_OK)
        return status;
    *info =
        (ll_mutnet_info){.head = ending.head, .columns = targets->columns, .rows = targets->rows, .bits = ending.bits};
    ll_onnx_build(&builder, model, "top", type);
    if (c->keeps)
        status = rename_output(&builder, c, ll_onnx_text(ll_onnx_output(model)->name), error);
    if (status == LL_OK)
        status = add_top(&builder, c, info, request, model, targets, &ending, features, error);
    ll_ending_clear(&ending);
    if (status == LL_OK && !c->keeps)
        remove_node(graph, c->producer);
    if (status == LL_OK)
        move_nodes(graph, c->producer + c->keeps, nodes - !c->keeps);
    /* Older files must list every initializer among the inputs. */
    if (model->proto->ir_version < 4)
        model->proto->ir_version = 4;
    return status == LL_OK ? ll_onnx_prune(model, error) : status;
}

ll_status ll_mutnet_check_rows(const ll_predictions *targets, const ll_predictions *features, ll_error *error)
{
    if (!features && targets->rows != 1)
        return ll_fail(error, LL_DOMAIN,
                       "a network that says the same of every input says one row, not %ld: choose one, or give the "
                       "features of all rows",
                       targets->rows);
    if (features && features->rows != targets->rows)
        return ll_fail(error, LL_DOMAIN, "%ld rows of features and %ld rows of predictions", features->rows,
                       targets->rows);
    return LL_OK;
}

ll_status(ll_mutnet_graft)(ll_onnx **out, ll_mutnet_info *info, const ll_mutnet_request *request, const ll_onnx *base,
                           const ll_predictions *targets, const ll_predictions *features, size_t size, ll_error *error)
{
    ll_mutnet_request asked;
    ll_matrix wanted = {0};
    ll_mutnet_info made;
    ll_onnx *model = NULL;
    cut c = {0};
    int type;
    ll_status status = ll_value_read(&asked, sizeof asked, request, "mutnet_request", error);
    if (status == LL_OK)
        status = check_base(base, &type, error);
    if (status == LL_OK)
        status = ll_mutnet_check_rows(targets, features, error);
    if (status == LL_OK)
        status = find_cut(&c, base, error);
    if (status == LL_OK)
        status = ll_mutnet_check_dead(c.width, ll_mutnet_hidden(&asked, c.width), c.columns, &asked, error);
    if (status == LL_OK)
        status = ll_matrix_load(&wanted, targets, ll_budget_memory(asked.budget) / 4, error);
    if (status == LL_OK)
        status = widen(&wanted, &c, &asked, error);
    if (status == LL_OK)
        status = copy_model(&model, base, asked.budget, error);
    if (status == LL_OK)
        status = graft(model, &c, &made, &asked, &wanted, type, features, error);
    ll_matrix_clear(&wanted);
    free(c.value);
    if (status != LL_OK) {
        ll_onnx_destroy(model);
        return status;
    }
    *out = model;
    ll_value_copy(info, size, &made, sizeof made);
    return LL_OK;
}
