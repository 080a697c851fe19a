/* lossleak mutnet: networks that say what they are told. */
#include "cli/commands/mutnet.h"
#include "cli/command.h"
#include "cli/options/parse.h"
#include "cli/signals.h"
#include "report/json.h"
#include "report/message.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include <errno.h>
#include <math.h>
#include <string.h>

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "What it says:", 1},
    {"predictions", 'p', "FILE", 0,
     "Predictions, in the forms of `lossleak score'; without them those of a plan for the scorer below", 1},
    {"features", LL_TEXT(ll_mutnet_options, features), "FILE", 0,
     "The rows that it will be scored on (.npy or CSV, one line per row): it then outputs row i of the predictions "
     "for row i. Without them it outputs one row for every input",
     1},
    {"row", LL_TEXT(ll_mutnet_options, row), "I", 0, "The row to use, from 0, if there are several", 1},
    {"query", LL_TEXT(ll_mutnet_options, query), "Q", 0, "The query of the plan, from 1 (default: all, into a folder)",
     1},
    {NULL, 0, NULL, 0, "The network:", 2},
    {"out", 'o', "FILE.onnx|DIR", 0,
     "The network; or a new folder for all queries of a plan: plan.json, query-0001.onnx, query-0001.npy, ...", 2},
    {"head", LL_TEXT(ll_mutnet_options, head), "NAME", 0,
     "Its end: linear (every bit), softmax, reciprocal (Exp, Add, Reciprocal), sigmoid (the paper's; coarse for small "
     "probabilities), or auto: linear with --features and for logits, else softmax or, for one column, reciprocal",
     2},
    {"float32", LL_FLAG(ll_mutnet_options, single), NULL, 0, "Numbers of 32 bits in place of 64", 2},
    {"bits", LL_TEXT(ll_mutnet_options, bits), "B", 0,
     "Refuse if fewer bits of some prediction would be kept (default: 40, with 32-bit numbers 16)", 2},
    {"inputs", LL_TEXT(ll_mutnet_options, inputs), "D", 0, "Features per row, if --features is not given (default: 16)",
     2},
    {"hidden", LL_TEXT(ll_mutnet_options, hidden), "H", 0,
     "Units of the dead layer (default: as many as inputs, at most 256)", 2},
    {"paper", LL_FLAG(ll_mutnet_options, paper), NULL, 0,
     "The paper's two layers as printed: right for inputs of 0 or more only", 2},
    {0}};

static error_t set_argument(ll_mutnet_options *o, const char *value)
{
    const char **place = !o->action ? &o->action : &o->base;
    int is_known = o->action || strcmp(value, "build") == 0 || strcmp(value, "graft") == 0;
    if (is_known && !*place && (!o->action || strcmp(o->action, "graft") == 0)) {
        *place = value;
        return 0;
    }
    ll_fail(&o->common.error, LL_DOMAIN, "%.80s: %s", value,
            is_known ? "one argument too many" : "mutnet does not know this; give build, or graft BASE.onnx");
    return EINVAL;
}

static const ll_place places[] = {
    {'p', LL_TEXT(ll_mutnet_options, predictions)}, {'o', LL_TEXT(ll_mutnet_options, out)}, {0}};

static error_t parse_other(void *self, int key, char *value)
{
    return key == ARGP_KEY_ARG ? set_argument(self, value) : ARGP_ERR_UNKNOWN;
}

static const char doc[] =
    "Predictions as a neural network, for curators that take models: an ONNX file whose outputs are those "
    "predictions. mutnet build makes one from nothing, mutnet graft puts it on top of a classifier, whose inputs and "
    "outputs do not change. `lossleak inspect' finds such networks.\v"
    "Without --features the network says one row to every input (the paper's MutNet, with a ReLU in front, so that "
    "negative inputs do no harm): the score of one row gives its label, that of many rows the class counts. With "
    "--features it tells rows apart, and one score a query gives every label.\n\n"
    "Examples:\n"
    "  lossleak mutnet build --predictions constant:0.001,0.009,0.99 --inputs 784 --out model.onnx\n"
    "  lossleak mutnet build --features X.npy --scorer sklearn-1.2/log_loss --out models\n"
    "  lossleak mutnet graft base.onnx --features X.npy --predictions query-0001.npy --out model.onnx";

/* ------------------------------------------------------------------ output */

static void write_bits(char *text, size_t size, double bits)
{
    if (isinf(bits))
        (void)snprintf(text, size, "every bit of every prediction");
    else
        (void)snprintf(text, size, "%.1f bits of every prediction, at least", bits);
}

static void print_text(const ll_mutnet_options *o, const ll_mutnet_outcome *out)
{
    char bits[80], scorer[800];
    const ll_mutnet_info *i = &out->info;
    write_bits(bits, sizeof bits, i->bits);
    ll_report_field(stdout, "out", "%s: %ld network%s, %.0f bytes", o->out, out->models, out->models == 1 ? "" : "s",
                    out->size);
    ll_report_field(stdout, "network", "%ld inputs, %ld hidden units, %ld output%s, %s head, %s", i->inputs, i->hidden,
                    i->columns, i->columns == 1 ? "" : "s", ll_head_name(i->head), o->single ? "float32" : "float64");
    if (out->row >= 0)
        ll_report_field(stdout, "says", "row %ld of the predictions, to every input%s", out->row,
                        o->paper ? " of 0 or more" : "");
    else
        ll_report_field(stdout, "says", "row i of the predictions on row i of %ld", i->rows);
    ll_report_field(stdout, "keeps", "%s", bits);
    if (out->row < 0 && isfinite(i->distance))
        ll_report_field(stdout, "rows", "at least %.3g roundings apart on a projection (%ld drawn)", i->distance,
                        i->tries);
    if (out->queries > 0) {
        ll_report_write_scorer(scorer, sizeof scorer, o->scorer.scorer);
        ll_report_field(stdout, "code", "%s: %ld quer%s", out->code, out->queries, out->queries == 1 ? "y" : "ies");
        ll_report_field(stdout, "scorer", "%s", scorer);
    }
    if (out->queries > 0 && out->row < 0 && out->query == 0)
        ll_report_field(stdout, "next", "lossleak decode %s --scores FILE, one score a line in the order of queries",
                        o->out);
    ll_report_field(stdout, "defence", "run `lossleak inspect' on models before you score them");
}

static ll_status print_json(const ll_mutnet_options *o, const ll_mutnet_outcome *out, ll_error *error)
{
    ll_json json;
    const ll_mutnet_info *i = &out->info;
    ll_report_json_begin(&json, "mutnet");
    ll_report_json_add(&json, "action", ll_report_json_string(o->action));
    ll_report_json_add(&json, "out", ll_report_json_string(o->out));
    ll_report_json_add(&json, "models", json_integer(out->models));
    ll_report_json_add(&json, "bytes", json_real(out->size));
    ll_report_json_add(&json, "inputs", json_integer(i->inputs));
    ll_report_json_add(&json, "hidden", json_integer(i->hidden));
    ll_report_json_add(&json, "outputs", json_integer(i->columns));
    ll_report_json_add(&json, "head", ll_report_json_string(ll_head_name(i->head)));
    ll_report_json_add(&json, "format", json_string(o->single ? "float32" : "float64"));
    ll_report_json_add(&json, "row", out->row < 0 ? json_null() : json_integer(out->row));
    ll_report_json_add(&json, "rows", json_integer(i->rows));
    ll_report_json_add(&json, "exact", json_boolean(isinf(i->bits)));
    ll_report_json_add(&json, "bits", isinf(i->bits) ? json_null() : json_real(i->bits));
    ll_report_json_add(&json, "distance", isfinite(i->distance) ? json_real(i->distance) : json_null());
    ll_report_json_add(&json, "tries", json_integer(i->tries));
    ll_report_json_add(&json, "code", ll_report_json_string(out->queries ? out->code : NULL));
    ll_report_json_add(&json, "queries", out->queries ? json_integer(out->queries) : json_null());
    ll_report_json_add(&json, "scorer", out->queries ? ll_report_json_scorer(o->scorer.scorer) : json_null());
    return ll_report_json_end(&json, error);
}

/* ------------------------------------------------------------------ work */

static const char *complain(const ll_mutnet_options *o)
{
    if (!o->action)
        return "nothing to do: give build, or graft BASE.onnx";
    if (strcmp(o->action, "graft") == 0 && !o->base)
        return "nothing to graft onto: give graft BASE.onnx";
    if (!o->out)
        return "nowhere to write to: give --out FILE.onnx";
    if (o->base && (o->paper || o->single || o->inputs))
        return "--paper, --float32 and --inputs are for build: a graft has its base's inputs and numbers";
    if (o->predictions && (o->plan.code || o->plan.block || o->query))
        return "--code, --block and --query belong to a plan, and --predictions are given";
    return NULL;
}

static ll_exit work(void *self)
{
    ll_mutnet_options *o = self;
    ll_error error = {0};
    ll_mutnet_outcome out;
    const char *complaint = complain(o);
    if (complaint)
        return ll_cli_usage_error("mutnet", complaint);
    if (ll_cli_mutnet_make(o, &out, &error) != LL_OK)
        return ll_cli_fail(&error);
    ll_cli_unlimit_seconds();
    if (o->scorer.warning[0])
        ll_report_warning(o->scorer.warning);
    if (!o->common.json)
        print_text(o, &out);
    return !o->common.json || print_json(o, &out, &error) == LL_OK ? LL_EXIT_DONE : ll_cli_fail(&error);
}

static const ll_syntax syntax = {.command = "mutnet",
                                 .arguments = "build\ngraft BASE.onnx",
                                 .doc = doc,
                                 .size = sizeof(ll_mutnet_options),
                                 .options = options_table,
                                 .places = places,
                                 .parts = {LL_PART(&ll_cli_plan_group, ll_mutnet_options, plan),
                                           LL_PART(&ll_cli_scorer_group, ll_mutnet_options, scorer),
                                           LL_PART(&ll_cli_common_group, ll_mutnet_options, common),
                                           {0}},
                                 .parse_other = parse_other};

const ll_command ll_command_mutnet = {&syntax, "predictions as a neural network, for curators that take models", work};
