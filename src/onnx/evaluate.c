#include "onnx/evaluate.h"

#include "number/budget.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Work is counted, not timed: what is refused here is refused everywhere. No operator does more in a second; the
 * dearest ones take some twenty multiplications for an entry that they read or make, a node itself some hundreds. */
#define WORK_A_SECOND 1e9
#define WORK_AN_ENTRY 20
#define WORK_A_NODE 500

ll_status ll_evaluation_work(ll_evaluation *evaluation, double operations, ll_error *error)
{
    evaluation->work += operations;
    if (evaluation->work <= evaluation->max_work)
        return LL_OK;
    return ll_fail(error, LL_UNABLE, "evaluating it takes more than %.3g multiplications, all that %g seconds allow",
                   evaluation->max_work, evaluation->max_work / WORK_A_SECOND);
}

/* ------------------------------------------------------------------ rounding */

void ll_dot_add_intervals(ll_dot *dot, double a_low, double a_high, double b_low, double b_high)
{
    double p = ll_dot_times(a_low, b_low), q = ll_dot_times(a_low, b_high), r = ll_dot_times(a_high, b_low),
           s = ll_dot_times(a_high, b_high);
    double low = fmin(fmin(p, q), fmin(r, s)), high = fmax(fmax(p, q), fmax(r, s));
    dot->low += low;
    dot->high += high;
    dot->low_size += fabs(low);
    dot->high_size += fabs(high);
}

/* |computed - true| <= n u (1 + O(nu)) * (sum of |terms|) in any order of adding, fused or not; 2 n u is more. Below
 * the normal numbers an error of one unit of the smallest comes to every term. Integers are exact. */
static double slack(int type, double terms, double size)
{
    double unit, least;
    switch (type) {
    case ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE:
        unit = 0x1p-52;
        least = 0x1p-1074;
        break;
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT:
        unit = 0x1p-23;
        least = 0x1p-149;
        break;
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16:
        unit = 0x1p-10;
        least = 0x1p-24;
        break;
    default:
        return 0;
    }
    return size == 0 ? 0 : 2 * (terms + 1) * (unit * size + least);
}

/* Of inf - inf nothing is known. An end beyond the type's numbers is infinite there. */
static double lower_end(double x, int type)
{
    return isnan(x) ? -INFINITY : fmin(x, ll_tensor_round(x, type));
}

static double upper_end(double x, int type)
{
    return isnan(x) ? INFINITY : fmax(x, ll_tensor_round(x, type));
}

static void store_point(ll_tensor *out, long to, double x, int fixed)
{
    double y = ll_tensor_round(x, out->type);
    ll_tensor_set(out, to, y, y, fixed);
}

void ll_dot_store(const ll_dot *dot, const ll_evaluation *evaluation, ll_tensor *out, long to)
{
    double terms = (double)dot->terms;
    if (evaluation->is_points)
        store_point(out, to, dot->low, dot->fixed);
    else
        ll_tensor_set(out, to, lower_end(dot->low - slack(out->type, terms, dot->low_size), out->type),
                      upper_end(dot->high + slack(out->type, terms, dot->high_size), out->type), dot->fixed);
}

void ll_store_rounded(const ll_evaluation *evaluation, ll_tensor *out, long to, double low, double high, int fixed,
                      double ulps)
{
    if (evaluation->is_points)
        store_point(out, to, low, fixed);
    else
        ll_tensor_set(out, to, lower_end(low - slack(out->type, ulps, fabs(low)), out->type),
                      upper_end(high + slack(out->type, ulps, fabs(high)), out->type), fixed);
}

ll_status ll_store_integers(const ll_evaluation *evaluation, ll_tensor *out, long to, double low, double high,
                            int fixed, ll_error *error)
{
    int fits = ll_tensor_fits(low, out->type) && ll_tensor_fits(high, out->type);
    if (evaluation->is_points && !fits)
        return ll_fail(error, LL_DOMAIN, "the integer %.17g is beyond what is evaluated here", low);
    ll_tensor_set(out, to, fits ? low : -INFINITY, fits ? high : INFINITY, fixed);
    return LL_OK;
}

/* ------------------------------------------------------------------ the graph */

static const Onnx__GraphProto *graph_of(const ll_evaluation *e)
{
    return e->model->proto->graph;
}

static int is_default_domain(const Onnx__NodeProto *node)
{
    const char *domain = ll_onnx_text(node->domain);
    return *domain == '\0' || strcmp(domain, "ai.onnx") == 0;
}

/* How a node is called in messages. */
static void describe(char *text, size_t size, const Onnx__NodeProto *node)
{
    (void)snprintf(text, size, "%.60s%s%.60s", ll_onnx_text(node->op_type), node->n_output ? " of " : "",
                   node->n_output ? node->output[0] : "");
}

static ll_status check_node(const Onnx__NodeProto *node, ll_error *error)
{
    char text[160];
    const ll_operator *operator= is_default_domain(node) ? ll_operator_find(ll_onnx_text(node->op_type)) : NULL;
    describe(text, sizeof text, node);
    if (!operator)
        return ll_fail(error, LL_DOMAIN, "%s: not an operator that can be evaluated here", text);
    if (node->n_output < 1 || (long)node->n_input<operator->least ||(long) node->n_input> operator->most)
        return ll_fail(error, LL_DOMAIN, "%s: %zu inputs and %zu outputs", text, node->n_input, node->n_output);
    return LL_OK;
}

/* First value of each node, in the order of ll_value_names. */
static long first_value(const Onnx__GraphProto *graph)
{
    return (long)(graph->n_input + graph->n_initializer);
}

/* Walking backwards: a node is needed where somebody needs one of its outputs. Its inputs must be made before it. */
static ll_status mark_node(ll_evaluation *e, long n, long begin, ll_error *error)
{
    const Onnx__NodeProto *node = graph_of(e)->node[n];
    for (size_t i = 0; i < node->n_output; i++)
        e->needed[n] |= e->last_use[begin + (long)i] >= 0;
    if (!e->needed[n])
        return LL_OK;
    for (size_t i = 0; i < node->n_input; i++) {
        const char *name = node->input[i];
        long value = *name ? ll_value_names_find(&e->names, name) : -1;
        if (*name && (value < 0 || value >= begin))
            return ll_fail(error, LL_DOMAIN, "the value %.100s is used before it is made", name);
        if (value >= 0 && e->last_use[value] < n)
            e->last_use[value] = n;
    }
    return check_node(node, error);
}

static ll_status mark(ll_evaluation *e, ll_error *error)
{
    const Onnx__GraphProto *graph = graph_of(e);
    long begin = e->value_count;
    ll_status status = LL_OK;
    for (long v = 0; v < e->value_count; v++)
        e->last_use[v] = -1;
    e->last_use[e->output] = LONG_MAX;
    for (long n = (long)graph->n_node - 1; n >= 0 && status == LL_OK; n--) {
        begin -= (long)graph->node[n]->n_output;
        status = mark_node(e, n, begin, error);
    }
    for (long v = 0; v < (long)graph->n_input && status == LL_OK; v++)
        if (v != e->input && e->last_use[v] >= 0)
            status = ll_fail(error, LL_DOMAIN, "it has more than one input: %.100s and %.100s",
                             graph->input[e->input]->name, ll_onnx_text(graph->input[v]->name));
    return status;
}

static ll_status find_ends(ll_evaluation *e, ll_error *error)
{
    const Onnx__ValueInfoProto *input = ll_onnx_input(e->model), *output = ll_onnx_output(e->model);
    if (!input)
        return ll_fail(error, LL_DOMAIN, "it has no input");
    e->input = ll_value_names_find(&e->names, ll_onnx_text(input->name));
    e->output = ll_value_names_find(&e->names, ll_onnx_text(output->name));
    if (e->input < 0 || e->input >= (long)graph_of(e)->n_input)
        return ll_fail(error, LL_DOMAIN, "it has no input of a name of its own");
    if (e->output < 0)
        return ll_fail(error, LL_DOMAIN, "nothing makes the output %.100s", ll_onnx_text(output->name));
    return LL_OK;
}

static ll_status prepare(ll_evaluation *e, ll_error *error)
{
    const Onnx__GraphProto *graph = graph_of(e);
    ll_status status = ll_value_names_create(&e->names, graph, error);
    if (status == LL_OK)
        status = find_ends(e, error);
    if (status != LL_OK)
        return status;
    e->value_count = first_value(graph);
    for (size_t n = 0; n < graph->n_node; n++)
        e->value_count += (long)graph->node[n]->n_output;
    e->opset = ll_onnx_opset(e->model);
    e->last_use = calloc((size_t)e->value_count, sizeof *e->last_use);
    e->values = calloc((size_t)e->value_count, sizeof *e->values);
    e->needed = calloc(graph->n_node + 1, 1);
    if (!e->last_use || !e->values || !e->needed)
        return ll_fail(error, LL_MEMORY, "no memory for %ld values", e->value_count);
    return mark(e, error);
}

ll_status ll_evaluation_create(ll_evaluation **out, const ll_onnx *model, const ll_budget *budget, ll_error *error)
{
    ll_evaluation *e = calloc(1, sizeof *e);
    if (!e)
        return ll_fail(error, LL_MEMORY, "no memory for an evaluation");
    e->model = model;
    e->budget.limit = ll_budget_memory(budget);
    e->max_work = WORK_A_SECOND * ll_budget_seconds(budget);
    ll_status status = prepare(e, error);
    if (status == LL_OK)
        *out = e;
    else
        ll_evaluation_destroy(e);
    return status;
}

void ll_evaluation_destroy(ll_evaluation *e)
{
    if (!e)
        return;
    for (long v = 0; v < e->value_count && e->values; v++)
        ll_tensor_clear(&e->values[v], &e->budget);
    ll_value_names_clear(&e->names);
    free(e->last_use);
    free(e->values);
    free(e->needed);
    free(e);
}

/* ------------------------------------------------------------------ a run */

static ll_status fit_input(const Onnx__ValueInfoProto *input, long *dims, int *rank, long rows, long features,
                           ll_error *error)
{
    long known = 1, open = -1;
    *rank = -1;
    ll_onnx_declared(input, dims, LL_TENSOR_RANK, rank);
    if (*rank < 2) {
        dims[0] = rows;
        dims[1] = features;
        *rank = 2;
        return LL_OK;
    }
    if (*rank > LL_TENSOR_RANK || (dims[0] >= 0 && dims[0] != rows))
        return ll_fail(error, LL_DOMAIN, "its input does not take %ld rows", rows);
    dims[0] = rows;
    for (int i = 1; i < *rank; i++)
        if (dims[i] < 0 && open < 0)
            open = i;
        else if (dims[i] < 1 || __builtin_mul_overflow(known, dims[i], &known))
            return ll_fail(error, LL_DOMAIN, "its input has dimensions that are not known");
    if (open >= 0 && features % known == 0) {
        dims[open] = features / known;
        known = features;
    }
    return known == features
               ? LL_OK
               : ll_fail(error, LL_DOMAIN, "it takes %ld features a row, and here are %ld", known, features);
}

static ll_status set_input(ll_evaluation *e, const double *low, const double *high, long rows, long features,
                           ll_error *error)
{
    long dims[LL_TENSOR_RANK];
    int rank;
    const Onnx__ValueInfoProto *input = graph_of(e)->input[e->input];
    ll_tensor *to = &e->values[e->input];
    int declared = ll_onnx_declared(input, dims, 1, &rank),
        type = declared ? declared : ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT;
    ll_status status = fit_input(input, dims, &rank, rows, features, error);
    if (status == LL_OK)
        status = ll_tensor_create(to, &e->budget, type, dims, rank, error);
    if (status != LL_OK)
        return status;
    e->is_points = low == high;
    for (long i = 0; i < to->count; i++)
        ll_tensor_set(to, i, ll_tensor_round(low[i], type), ll_tensor_round(high[i], type),
                      low[i] == high[i] && !e->is_points);
    return LL_OK;
}

/* Initializers are read where they are first needed, and stay. */
static ll_status get_value(ll_evaluation *e, const ll_tensor **out, const char *name, ll_error *error)
{
    const Onnx__GraphProto *graph = graph_of(e);
    long v = ll_value_names_find(&e->names, name), first = (long)graph->n_input;
    if (v >= first && v < first_value(graph) && !e->values[v].is_there) {
        ll_status status = ll_tensor_read(&e->values[v], &e->budget, graph->initializer[v - first], error);
        if (status != LL_OK)
            return status;
    }
    *out = &e->values[v];
    return e->values[v].is_there ? LL_OK : ll_fail(error, LL_DOMAIN, "the value %.100s is not there", name);
}

/* That it reads and makes. */
static double count_entries(const ll_operation *operation)
{
    double count = 0;
    for (long i = 0; i < operation->inputs; i++)
        count += operation->in[i] != NULL ? (double)operation->in[i]->count : 0;
    for (size_t i = 0; i < operation->node->n_output; i++)
        count += (double)operation->out[i].count;
    return count;
}

static ll_status run_node(ll_evaluation *e, long n, long begin, ll_error *error)
{
    const Onnx__NodeProto *node = graph_of(e)->node[n];
    ll_operation operation = {.evaluation = e, .node = node, .inputs = (long)node->n_input, .out = &e->values[begin]};
    ll_error why = {0};
    ll_status status = LL_OK;
    for (size_t i = 0; i < node->n_input && status == LL_OK; i++)
        if (node->input[i][0] != '\0')
            status = get_value(e, &operation.in[i], node->input[i], &why);
        else if ((long)i < ll_operator_find(node->op_type)->least)
            status = ll_fail(&why, LL_DOMAIN, "input %zu is left out", i);
    if (status == LL_OK)
        status = ll_operator_find(node->op_type)->run(&operation, &why);
    if (status == LL_OK)
        status = ll_evaluation_work(e, WORK_A_NODE + WORK_AN_ENTRY * count_entries(&operation), &why);
    if (status == LL_OK)
        return LL_OK;
    char text[160];
    describe(text, sizeof text, node);
    return ll_fail(error, status, "%s: %.250s", text, why.text);
}

/* Values that no later node reads. */
static void drop_values(ll_evaluation *e, long n)
{
    const Onnx__NodeProto *node = graph_of(e)->node[n];
    long first = (long)graph_of(e)->n_input, made = first_value(graph_of(e));
    for (size_t i = 0; i < node->n_input; i++) {
        long v = ll_value_names_find(&e->names, node->input[i]);
        if (v >= 0 && (v < first || v >= made) && e->last_use[v] == n)
            ll_tensor_clear(&e->values[v], &e->budget);
    }
}

static void drop_all(ll_evaluation *e)
{
    long first = (long)graph_of(e)->n_input, made = first_value(graph_of(e));
    for (long v = 0; v < e->value_count; v++)
        if (v < first || v >= made)
            ll_tensor_clear(&e->values[v], &e->budget);
}

ll_status ll_evaluation_run(ll_evaluation *e, const ll_tensor **out, const double *low, const double *high, long rows,
                            long features, ll_error *error)
{
    const Onnx__GraphProto *graph = graph_of(e);
    long begin = first_value(graph);
    drop_all(e);
    ll_status status = set_input(e, low, high, rows, features, error);
    for (long n = 0; n < (long)graph->n_node && status == LL_OK; n++) {
        if (e->needed[n]) {
            status = run_node(e, n, begin, error);
            drop_values(e, n);
        }
        begin += (long)graph->node[n]->n_output;
    }
    if (status == LL_OK)
        status = get_value(e, out, ll_onnx_text(ll_onnx_output(e->model)->name), error);
    return status;
}

/* ------------------------------------------------------------------ for operators */

ll_status ll_operation_output(ll_operation *operation, int type, const long *dims, int rank, ll_error *error)
{
    return ll_tensor_create(&operation->out[0], &operation->evaluation->budget, type, dims, rank, error);
}

ll_status ll_operation_integers(const ll_operation *operation, long *out, long *count, const char *attribute,
                                long input, ll_error *error)
{
    const Onnx__AttributeProto *listed = ll_onnx_attribute(operation->node, attribute);
    *count = 0;
    if (listed) {
        if (listed->n_ints > LL_TENSOR_RANK * 2)
            return ll_fail(error, LL_DOMAIN, "%zu numbers in %s", listed->n_ints, attribute);
        for (size_t i = 0; i < listed->n_ints; i++)
            out[i] = (long)listed->ints[i];
        *count = (long)listed->n_ints;
        return LL_OK;
    }
    if (input < 0 || input >= operation->inputs || !operation->in[input])
        return LL_OK;
    *count = operation->in[input]->count;
    return ll_tensor_integers(operation->in[input], out, LL_TENSOR_RANK * 2, error);
}

ll_status ll_operation_axis(long *axis, long rank, ll_error *error)
{
    if (*axis < -rank || *axis >= rank)
        return ll_fail(error, LL_DOMAIN, "axis %ld of %ld", *axis, rank);
    *axis += *axis < 0 ? rank : 0;
    return LL_OK;
}
