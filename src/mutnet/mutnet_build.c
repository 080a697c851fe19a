/* A network of its own: input "features", output "predictions". */
#include "mutnet/mutnet.h"
#include "number/budget.h"
#include "number/value.h"

#include <stdlib.h>
#include <string.h>

enum { IR_VERSION = 7, OPSET = 13, INPUTS = 16, MOST = 1 << 16 };

/* ------------------------------------------------------------------ sizes */

static ll_status check_sizes(const ll_mutnet_request *request, const ll_predictions *targets,
                             const ll_predictions *features, ll_error *error)
{
    if (request->inputs < 0 || request->inputs > MOST || request->hidden < 0 || request->hidden > MOST)
        return ll_fail(error, LL_DOMAIN, "a layer has 1 to %d units", (int)MOST);
    ll_status status = ll_mutnet_check_rows(targets, features, error);
    if (status != LL_OK)
        return status;
    if (features && request->inputs && request->inputs != features->columns)
        return ll_fail(error, LL_DOMAIN, "%ld inputs asked for, but the features have %ld columns", request->inputs,
                       features->columns);
    if (features && request->is_literal)
        return ll_fail(error, LL_DOMAIN, "the paper's network knows no features");
    return LL_OK;
}

/* ------------------------------------------------------------------ with and without features */

static ll_status build_lookup(ll_onnx_builder *builder, const char **z, ll_mutnet_info *info,
                              const ll_mutnet_request *request, const ll_matrix *targets, const ll_ending *ending,
                              const ll_predictions *source, ll_error *error)
{
    ll_matrix features;
    ll_projection projection;
    ll_status status = ll_matrix_load(&features, source, ll_budget_memory(request->budget) / 4, error);
    if (status != LL_OK)
        return status;
    for (long i = 0; i < features.rows * features.columns; i++)
        features.x[i] = ll_mutnet_round(features.x[i], builder->type);
    status = ll_projection_find(&projection, &features, targets, builder->type, request->seed, error);
    if (status == LL_OK) {
        status = ll_lookup_build(builder, z, &info->hidden, "features", &projection, &ending->inputs, features.columns,
                                 request->seed, error);
        info->inputs = features.columns;
        info->distance = projection.distance;
        info->tries = projection.tries;
        ll_projection_clear(&projection);
    }
    ll_matrix_clear(&features);
    return status;
}

static ll_status build_dead(ll_onnx_builder *builder, const char **z, ll_mutnet_info *info,
                            const ll_mutnet_request *request, const ll_ending *ending, ll_error *error)
{
    info->inputs = request->inputs ? request->inputs : INPUTS;
    info->hidden = ll_mutnet_hidden(request, info->inputs);
    ll_status status = ll_mutnet_check_dead(info->inputs, info->hidden, ending->inputs.columns, request, error);
    if (status != LL_OK)
        return status;
    *z = ll_mutnet_dead_layers(builder, "features", !request->is_literal, info->inputs, info->hidden,
                               ending->inputs.columns, ending->inputs.x, request->seed);
    return LL_OK;
}

static ll_status build(ll_onnx *model, ll_mutnet_info *info, const ll_mutnet_request *request, const ll_matrix *targets,
                       const ll_predictions *features, ll_error *error)
{
    ll_onnx_builder builder;
    ll_ending ending;
    const char *z = "";
    int type = request->is_single ? LL_TYPE_FLOAT : LL_TYPE_DOUBLE;
    ll_status status = ll_ending_create(&ending, request, targets, type, type, features != NULL, 0, error);
    if (status != LL_OK)
        return status;
    ll_onnx_build(&builder, model, "layer", type);
    *info =
        (ll_mutnet_info){.head = ending.head, .columns = targets->columns, .rows = targets->rows, .bits = ending.bits};
    if (features)
        status = build_lookup(&builder, &z, info, request, targets, &ending, features, error);
    else
        status = build_dead(&builder, &z, info, request, &ending, error);
    if (status == LL_OK) {
        ll_ending_build(&builder, &ending, z, "predictions");
        ll_onnx_declare(&builder, "features", info->inputs, 0);
        ll_onnx_declare(&builder, "predictions", info->columns, 1);
    }
    ll_ending_clear(&ending);
    return status == LL_OK && builder.failed ? ll_fail(error, LL_MEMORY, "no memory for the network") : status;
}

ll_status(ll_mutnet_build)(ll_onnx **out, ll_mutnet_info *info, const ll_mutnet_request *request,
                           const ll_predictions *targets, const ll_predictions *features, size_t size, ll_error *error)
{
    ll_matrix wanted;
    ll_mutnet_info made;
    ll_mutnet_request asked;
    ll_status status = ll_value_read(&asked, sizeof asked, request, "mutnet_request", error);
    if (status == LL_OK)
        status = check_sizes(&asked, targets, features, error);
    if (status == LL_OK)
        status = ll_matrix_load(&wanted, targets, ll_budget_memory(asked.budget) / 4, error);
    if (status != LL_OK)
        return status;
    ll_onnx *model = ll_onnx_create(IR_VERSION, OPSET);
    status = model ? build(model, &made, &asked, &wanted, features, error)
                   : ll_fail(error, LL_MEMORY, "no memory for a network");
    ll_matrix_clear(&wanted);
    if (status != LL_OK) {
        ll_onnx_destroy(model);
        return status;
    }
    *out = model;
    ll_value_copy(info, size, &made, sizeof made);
    return LL_OK;
}
