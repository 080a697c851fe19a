/* inspect, for models: does the output depend on the input, and what could its score give away? */
#include "cli/commands/inspect.h"
#include "cli/options/parse.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "io/files/io_fail.h"
#include "io/formats/model_file.h"
#include "io/formats/predictions.h"
#include "report/message.h"
#include "report/model_report.h"
#include <string.h>

enum { RANDOM_ROWS = 256 };

typedef struct {
    ll_onnx *model;
    ll_onnx_info info;
    ll_io_predictions *file;
    ll_predictions features; /* of the file, or random */
    ll_random_rows random;
    ll_onnx_constancy constancy;
    ll_inspection inspection;
} work_state;

/* What the library says of the model, with the file in front. */
static ll_status name_model(const ll_inspect_options *o, ll_status status, const ll_error *why, ll_error *error)
{
    return status == LL_OK ? LL_OK : ll_io_fail(error, status, o->file, 0, "%.300s", why->text);
}

static ll_status open_features(const ll_inspect_options *o, work_state *w, ll_error *error)
{
    if (o->features)
        return ll_io_open_predictions(&w->file, &w->features, o->features,
                                      ll_scorer_get_count(o->scorer.scorer, "rows"), 0, o->common.max_memory, error);
    if (w->info.features == 0)
        return ll_io_fail(error, LL_DOMAIN, o->file, 0,
                          "it does not declare how many features it takes: give --features");
    w->random = (ll_random_rows){RANDOM_ROWS, w->info.features, o->common.seed};
    ll_random_rows_source(&w->random, &w->features);
    return LL_OK;
}

/* ------------------------------------------------------------------ the scorer */

/* Where none is named: log-loss as scikit-learn computes it for probabilities, cross-entropy for logits. */
static ll_status choose_scorer(ll_inspect_options *o, const work_state *w, ll_error *error)
{
    ll_scorer *scorer = o->scorer.scorer;
    const ll_onnx_constancy *c = &w->constancy;
    ll_status status = LL_OK;
    if (!ll_cli_scorer_is_given(&o->scorer) && c->are_probabilities)
        status = ll_scorer_set(scorer, "scorer", "sklearn-1.2/log_loss", error);
    else if (!ll_cli_scorer_is_given(&o->scorer)) {
        status = ll_scorer_set(scorer, "metric", c->columns > 1 ? "softmax-ce" : "sigmoid-ce", error);
        if (status == LL_OK)
            status = ll_scorer_set(scorer, "arithmetic", "fp64", error);
    }
    if (status == LL_OK) /* as many rows as are looked at, whatever was said */
        status = ll_scorer_set(scorer, "rows", NULL, error);
    return status == LL_OK ? ll_cli_scorer_resolve(&o->scorer, w->features.rows, c->columns > 1 ? c->columns : 0, error)
                           : status;
}

/* ------------------------------------------------------------------ work */

/* The leak meter on the outputs. */
static ll_status measure(const ll_inspect_options *o, work_state *w, ll_error *error)
{
    ll_onnx_outputs *outputs = NULL;
    ll_predictions source, watched;
    ll_watch watch;
    const ll_budget budget = ll_cli_budget(&o->common);
    ll_status status = ll_onnx_outputs_create(&outputs, &source, w->model, &w->features, &budget, error);
    if (status == LL_OK) {
        ll_cli_watch_begin(&watch, &watched, &source, "run");
        status = ll_inspect_predictions(&w->inspection, o->scorer.scorer, &watched, &budget, error);
        ll_cli_watch_end(&watch);
    }
    ll_onnx_outputs_destroy(outputs);
    return status == LL_OK ? ll_cli_watch_check(error) : status;
}

static ll_status compute(ll_inspect_options *o, work_state *w, ll_error *error)
{
    ll_error why = {0};
    const ll_budget budget = ll_cli_budget(&o->common);
    ll_status status = ll_cli_scorer_finish(&o->scorer, o->common.seed, o->common.max_memory, error);
    if (status == LL_OK)
        status = ll_cli_scorer_need_whole(&o->scorer, "inspect", error);
    if (status == LL_OK)
        status = ll_io_read_model(&w->model, o->file, o->common.max_memory, error);
    if (status != LL_OK)
        return status;
    ll_onnx_get_info(w->model, &w->info);
    status = open_features(o, w, error);
    if (status != LL_OK)
        return status;
    status = ll_onnx_find_constancy(&w->constancy, w->model, o->features ? &w->features : NULL, o->common.seed, &budget,
                                    &why);
    if (status == LL_OK)
        status = choose_scorer(o, w, &why);
    if (status == LL_OK)
        status = measure(o, w, &why);
    return name_model(o, status, &why, error);
}

static ll_exit print(const ll_inspect_options *o, const work_state *w, ll_error *error)
{
    ll_model_report report = {o->file, o->features, &w->info, &w->constancy, &w->inspection, o->scorer.scorer};
    ll_cli_unlimit_seconds();
    if (o->scorer.warning[0])
        ll_report_warning(o->scorer.warning);
    if (!o->common.json)
        ll_report_model_text(&report);
    else if (ll_report_model_json(&report, error) != LL_OK)
        return ll_cli_fail(error);
    return ll_report_model_finding(&report) == LL_FINDING_NONE ? LL_EXIT_DONE : LL_EXIT_BAD_ANSWER;
}

ll_exit ll_cli_inspect_model(ll_inspect_options *o)
{
    ll_error error = {0};
    work_state w = {0};
    ll_inspection_init(&w.inspection);
    ll_exit status = compute(o, &w, &error) == LL_OK ? print(o, &w, &error) : ll_cli_fail(&error);
    ll_inspection_clear(&w.inspection);
    ll_io_close_predictions(w.file);
    ll_onnx_destroy(w.model);
    return status;
}
