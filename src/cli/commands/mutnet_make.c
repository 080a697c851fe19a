/* mutnet's work: where predictions and features come from, and where networks go. */
#include "cli/commands/mutnet.h"
#include "cli/commands/plan_folder.h"
#include "cli/options/option_value.h"
#include "cli/watch.h"
#include "io/files/io_fail.h"
#include "io/formats/model_file.h"
#include "io/formats/predictions.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_mutnet_options *o;
    ll_mutnet_request request;
    ll_budget budget;
    ll_plan *plan; /* or NULL */
    ll_io_predictions *predictions_file, *features_file;
    ll_predictions stored, features; /* of the files */
    ll_onnx *base;                   /* or NULL */
    long row, query;                 /* 0-based; row -1: not given */
} work_state;

/* ------------------------------------------------------------------ options */

static ll_status read_head(const ll_mutnet_options *o, ll_head *out, ll_error *error)
{
    int head = 0;
    while (o->head && ll_head_name((ll_head)head) && strcmp(ll_head_name((ll_head)head), o->head) != 0)
        head++;
    *out = (ll_head)head;
    return ll_head_name((ll_head)head)
               ? LL_OK
               : ll_cli_refuse(error, "head", o->head, "no such head", "auto, linear, softmax, reciprocal, sigmoid");
}

static ll_status read_optional(long *out, const char *option, const char *value, long low, long high, ll_error *error)
{
    return value ? ll_cli_read_count(out, option, value, low, high, error) : LL_OK;
}

/* Does the scorer take logits? */
static int takes_logits(const ll_scorer *scorer)
{
    for (long i = 0; i < ll_metric_count(); i++)
        if (strcmp(ll_metric_get_info(i)->name, ll_scorer_get(scorer, "metric")) == 0)
            return strcmp(ll_metric_get_info(i)->input, "logit") == 0;
    return 0;
}

static ll_status read_request(work_state *w, ll_error *error)
{
    const ll_mutnet_options *o = w->o;
    long bits = 0;
    ll_mutnet_request_init(&w->request);
    w->request.is_single = o->single;
    w->request.is_literal = o->paper;
    w->request.seed = o->common.seed;
    w->budget = ll_cli_budget(&o->common);
    w->request.budget = &w->budget;
    w->row = -1;
    ll_status status = read_head(o, &w->request.head, error);
    if (status == LL_OK)
        status = read_optional(&w->request.inputs, "inputs", o->inputs, 1, 65536, error);
    if (status == LL_OK)
        status = read_optional(&w->request.hidden, "hidden", o->hidden, 1, 65536, error);
    if (status == LL_OK)
        status = read_optional(&bits, "bits", o->bits, 1, 53, error);
    if (status == LL_OK)
        status = read_optional(&w->row, "row", o->row, 0, 1L << 40, error);
    if (status == LL_OK)
        status = read_optional(&w->query, "query", o->query, 1, 1L << 40, error);
    w->query--;
    w->request.bits = (double)bits;
    w->request.is_logit = takes_logits(o->scorer.scorer);
    return status;
}

/* ------------------------------------------------------------------ files and plans */

static ll_status open_features(work_state *w, ll_error *error)
{
    const ll_mutnet_options *o = w->o;
    return o->features
               ? ll_io_open_predictions(&w->features_file, &w->features, o->features, 0, 0, o->common.max_memory, error)
               : LL_OK;
}

static ll_status make_plan(work_state *w, ll_error *error)
{
    ll_mutnet_options *o = w->o;
    ll_plan_info info;
    ll_status status = ll_cli_scorer_resolve(&o->scorer, o->features ? w->features.rows : 1, 2, error);
    if (status != LL_OK)
        return status;
    const ll_scorer *scorer = o->scorer.scorer;
    if (o->features && ll_scorer_get_count(scorer, "rows") != w->features.rows)
        return ll_io_fail(error, LL_DOMAIN, o->features, 0, "%ld rows of features, but --rows %ld", w->features.rows,
                          ll_scorer_get_count(scorer, "rows"));
    status = ll_cli_plan_create(&w->plan, &o->plan, scorer, &w->budget, error);
    if (status != LL_OK)
        return status;
    ll_plan_get_info(w->plan, &info);
    if (info.entries == LL_ENTRIES_EXACT)
        return ll_fail(
            error, LL_DOMAIN,
            "this plan's predictions are exact numbers and a network has floats: give a scorer that computes "
            "in floats (--scorer sklearn-1.2/log_loss, --arithmetic fp64)");
    if (w->query >= info.queries)
        return ll_fail(error, LL_DOMAIN, "--query %ld: the plan has %ld", w->query + 1, info.queries);
    return LL_OK;
}

/* As many as there are features; one of a constant row; else what the file holds. */
static long rows_wanted(const work_state *w)
{
    if (w->o->features)
        return w->features.rows;
    return strncmp(w->o->predictions, "constant:", 9) == 0 ? 1 : 0;
}

static ll_status open_all(work_state *w, ll_error *error)
{
    ll_mutnet_options *o = w->o;
    ll_status status = ll_cli_scorer_finish(&o->scorer, o->common.seed, o->common.max_memory, error);
    if (status == LL_OK)
        status = ll_cli_scorer_need_whole(&o->scorer, "mutnet", error);
    if (status == LL_OK)
        status = read_request(w, error);
    if (status == LL_OK)
        status = open_features(w, error);
    if (status == LL_OK && o->base)
        status = ll_io_read_model(&w->base, o->base, o->common.max_memory, error);
    if (status != LL_OK)
        return status;
    return o->predictions ? ll_io_open_predictions(&w->predictions_file, &w->stored, o->predictions, rows_wanted(w), 0,
                                                   o->common.max_memory, error)
                          : make_plan(w, error);
}

static void close_all(work_state *w)
{
    ll_plan_destroy(w->plan);
    ll_io_close_predictions(w->predictions_file);
    ll_io_close_predictions(w->features_file);
    ll_onnx_destroy(w->base);
}

/* ------------------------------------------------------------------ one row of many */

typedef struct {
    const ll_predictions *inner;
    long row;
} one_row;

static ll_status get_row(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const one_row *one = self;
    return one->inner->get(one->inner->self, out, one->row + first, count, error);
}

/* Without features: the row that was asked for, or the only one. */
static ll_status choose_row(work_state *w, one_row *one, ll_predictions *out, const ll_predictions *all,
                            ll_error *error)
{
    if (w->o->features) {
        *out = *all;
        return w->row < 0 ? LL_OK : ll_fail(error, LL_DOMAIN, "--row: with --features every row is said");
    }
    if (w->row < 0 && all->rows > 1)
        return ll_fail(error, LL_DOMAIN,
                       "%ld rows of predictions, and a network without --features says one of them to every input: "
                       "give --row I, or the features",
                       all->rows);
    if (w->row >= all->rows)
        return ll_fail(error, LL_DOMAIN, "--row %ld: there are %ld rows, the first is 0", w->row, all->rows);
    *one = (one_row){all, w->row < 0 ? 0 : w->row};
    *out = (ll_predictions){one, 1, all->columns, all->entries, get_row, NULL};
    return LL_OK;
}

/* ------------------------------------------------------------------ networks */

static ll_status make(work_state *w, ll_onnx **out, ll_mutnet_info *info, const ll_predictions *all, ll_error *error)
{
    one_row one;
    ll_predictions targets;
    const ll_predictions *features = w->o->features ? &w->features : NULL;
    ll_status status = choose_row(w, &one, &targets, all, error);
    if (status != LL_OK)
        return status;
    return w->base ? ll_mutnet_graft(out, info, &w->request, w->base, &targets, features, error)
                   : ll_mutnet_build(out, info, &w->request, &targets, features, error);
}

static ll_status write_model(const char *path, const ll_onnx *model, ll_mutnet_outcome *out, ll_error *error)
{
    unsigned char *data = NULL;
    size_t size = 0;
    ll_status status = ll_onnx_write(model, &data, &size, error);
    ll_free(data);
    out->size += (double)size;
    out->models++;
    return status == LL_OK ? ll_io_write_model(path, model, error) : status;
}

static ll_status make_one(work_state *w, ll_mutnet_outcome *out, ll_error *error)
{
    ll_predictions all = w->stored;
    ll_onnx *model = NULL;
    ll_status status = LL_OK;
    if (w->plan && out->queries > 1 && w->query < 0)
        return ll_fail(error, LL_DOMAIN,
                       "the plan has %ld queries, a network each: give --query Q, or a folder as --out (a name that "
                       "does not end in .onnx)",
                       out->queries);
    out->query = w->query < 0 ? 1 : w->query + 1;
    if (w->plan)
        status = ll_plan_predictions(w->plan, &all, out->query - 1, error);
    if (status == LL_OK)
        status = make(w, &model, &out->info, &all, error);
    if (status == LL_OK)
        status = write_model(w->o->out, model, out, error);
    ll_onnx_destroy(model);
    return status;
}

/* A network of the folder, and the predictions that it gives: they must be equal to the last bit, since decode's proof
 * is about the predictions as stored. */
static ll_status make_query(work_state *w, const ll_io_folder *folder, ll_watch *watch, ll_mutnet_outcome *out,
                            long query, ll_error *error)
{
    char name[64], file[80];
    ll_predictions all, watched;
    ll_onnx *model = NULL;
    ll_status status = ll_plan_predictions(w->plan, &all, query, error);
    if (status != LL_OK)
        return status;
    ll_cli_watch_query(watch, &watched, &all, query);
    status = make(w, &model, &out->info, &watched, error);
    if (status == LL_OK && !(out->info.bits > 1000))
        status = ll_fail(error, LL_DOMAIN,
                         "decode proves from the predictions as stored, and this network gives them to %.3g bits only: "
                         "use --head linear and float64",
                         out->info.bits);
    ll_io_query_name(name, sizeof name, query, LL_IO_PREDICTIONS_NPY);
    (void)snprintf(file, sizeof file, "%.*s.onnx", (int)strcspn(name, "."), name);
    char *path = ll_io_folder_file(folder, file);
    if (status == LL_OK)
        status = path ? write_model(path, model, out, error) : ll_fail(error, LL_MEMORY, "no memory for a file name");
    if (status == LL_OK)
        status = ll_cli_write_query(folder, &all, query, LL_IO_PREDICTIONS_NPY, error);
    free(path);
    ll_onnx_destroy(model);
    return status;
}

static ll_status make_all(work_state *w, const ll_io_folder *folder, ll_mutnet_outcome *out, ll_error *error)
{
    ll_watch watch;
    ll_status status = LL_OK;
    ll_cli_watch_queries(&watch, "mutnet", out->queries);
    for (long query = 0; query < out->queries && status == LL_OK; query++)
        status = make_query(w, folder, &watch, out, query, error);
    ll_cli_watch_end(&watch);
    if (status == LL_OK)
        status = ll_cli_write_plan(folder, w->plan, w->o->scorer.scorer, LL_IO_PREDICTIONS_NPY, error);
    return status == LL_OK ? ll_cli_watch_check(error) : status;
}

static ll_status make_folder(work_state *w, ll_mutnet_outcome *out, ll_error *error)
{
    ll_io_folder *folder;
    if (!w->o->features)
        return ll_fail(error, LL_DOMAIN,
                       "a folder holds networks for all rows: give --features, or a name in .onnx as --out");
    ll_status status = ll_io_folder_open(&folder, w->o->out, error);
    if (status != LL_OK)
        return status;
    status = make_all(w, folder, out, error);
    if (status == LL_OK)
        return ll_io_folder_commit(folder, error);
    ll_io_folder_abandon(folder);
    return status;
}

static int is_model_name(const char *name)
{
    size_t length = strlen(name);
    return (length >= 5 && strcmp(name + length - 5, ".onnx") == 0) || strcmp(name, "-") == 0 ||
           strncmp(name, "/dev/", 5) == 0;
}

ll_status ll_cli_mutnet_make(ll_mutnet_options *options, ll_mutnet_outcome *out, ll_error *error)
{
    work_state w = {.o = options};
    ll_plan_info info = {0};
    memset(out, 0, sizeof *out);
    ll_status status = open_all(&w, error);
    if (status == LL_OK && w.plan) {
        ll_plan_get_info(w.plan, &info);
        out->queries = info.queries;
        (void)snprintf(out->code, sizeof out->code, "%s", info.code);
    }
    out->row = options->features ? -1 : w.row < 0 ? 0 : w.row;
    if (status == LL_OK)
        status = !w.plan || w.query >= 0 || is_model_name(options->out) ? make_one(&w, out, error)
                                                                        : make_folder(&w, out, error);
    close_all(&w);
    return status;
}
