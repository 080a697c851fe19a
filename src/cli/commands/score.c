/* lossleak score: the score of given labels and predictions. */
#include "cli/options/label_source.h"
#include "cli/options/parse.h"
#include "cli/options/scorer_options.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "io/files/io_fail.h"
#include "io/formats/predictions.h"
#include "report/json.h"
#include "report/message.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_common_options common;
    ll_scorer_options scorer;
    ll_label_source labels;
    const char *predictions;
    int full;
    int moved; /* the predictions were brought into the order of the labels, by their ids */
} options;

static const struct argp_option options_table[] = {
    {"predictions", 'p', "FILE", 0,
     "Predictions: CSV with a header `row,p' (of class 1) or `row,p0,...,pK-1', JSON lines or .npy, gzip'd or not. "
     "Predicted classes are numbers from 0, or the words that the labels are. constant:P is the same prediction for "
     "every row, constant:P0,P1,... the same row of predictions",
     2},
    {"full", LL_FLAG(options, full), NULL, 0, "Every digit of a long score, in text too", 2},
    {0}};

static const ll_place places[] = {{'p', LL_TEXT(options, predictions)}, {0}};

static const char doc[] =
    "The score of given labels and predictions: the number that a simulated curator releases, and an interval that "
    "contains the number of the real program.\v"
    "Examples:\n"
    "  lossleak score --dataset titanic --predictions constant:0.3 --scorer sklearn-1.2/log_loss\n"
    "  lossleak score --labels test.csv:survived --predictions submission.csv --scorer kaggle/log_loss --decimals 5";

/* ------------------------------------------------------------------ output */

static void print_interval(const options *o, const char *lower, const char *upper)
{
    const char *noise = ll_scorer_get(o->scorer.scorer, "noise");
    int has_bound = strcmp(noise, "none") == 0 || strncmp(noise, "bounded:", 8) == 0;
    const char *note = has_bound ? "" : " before the noise";
    if (strlen(lower) + strlen(upper) < 90) {
        ll_report_field(stdout, "interval", "[%s, %s]%s", lower, upper, note);
        return;
    }
    ll_report_field(stdout, "interval", "from %s", lower);
    ll_report_field(stdout, "", "to   %s%s", upper, note);
}

static void print_labels(const options *o)
{
    char mapping[800];
    const ll_io_labels *held = &o->labels.held;
    enum { SHOWN = 12 };
    if (!o->labels.counts) {
        printf("%-10s%ld (numbers of a grid of %ld)\n", "rows", held->rows, held->classes);
        return;
    }
    printf("%-10s%ld (", "rows", held->rows);
    for (long k = 0; k < held->classes && k < SHOWN; k++)
        printf("%s%ld", k ? ", " : "", o->labels.counts[k]);
    printf("%s in %ld classes)\n", held->classes > SHOWN ? ", ..." : "", held->classes);
    if (!held->names)
        return;
    ll_cli_labels_write_mapping(mapping, sizeof mapping, &o->labels);
    ll_report_field(stdout, "classes", "%s", mapping);
}

static ll_status print_text(const options *o, const ll_score *score, ll_error *error)
{
    char scorer[800];
    char *text = ll_report_shorten(score->text, o->full), *lower = ll_report_shorten(score->lower, o->full),
         *upper = ll_report_shorten(score->upper, o->full);
    int complete = text && lower && upper;
    if (complete) {
        ll_report_write_scorer(scorer, sizeof scorer, o->scorer.scorer);
        ll_report_field(stdout, "score", "%s", text);
        print_interval(o, lower, upper);
        print_labels(o);
        if (o->moved)
            ll_report_field(stdout, "order", "the rows of %s stand in another order and were matched by their ids",
                            ll_io_name(o->predictions));
        ll_report_field(stdout, "scorer", "%s", scorer);
    }
    free(text);
    free(lower);
    free(upper);
    return complete ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for the output");
}

/* The name of group `index`, in the order in which groups begin; NULL: there is none. */
static json_t *name_group(const char *groups, long index)
{
    json_t *known = json_object(), *name = NULL;
    for (const char *at = groups; index >= 0 && at != NULL && *at && name == NULL;) {
        size_t length = strcspn(at, ",*");
        json_t *one = json_stringn(at, length);
        if (one != NULL && json_object_get(known, json_string_value(one)) == NULL) {
            (void)json_object_set_new(known, json_string_value(one), json_true());
            if (index-- == 0)
                name = json_incref(one);
        }
        json_decref(one);
        at += strcspn(at, ",");
        at += *at == ',';
    }
    json_decref(known);
    return name;
}

/* One object a number of the answer; of a group its name, too. */
static json_t *make_numbers(const ll_scorer *scorer, const ll_score *score)
{
    const char *texts[] = {score->text, score->lower, score->upper};
    json_t *array = json_array();
    for (long i = 0; i < ll_scorer_count_numbers(scorer) && array != NULL; i++) {
        json_t *parts[3];
        for (int k = 0; k < 3; k++) {
            size_t length = strcspn(texts[k], " ");
            parts[k] = json_stringn(texts[k], length);
            texts[k] += length + (texts[k][length] == ' ');
        }
        json_t *one =
            json_pack("{s:s, s:o, s:o, s:o}", "metric", ll_scorer_get(ll_scorer_get_number(scorer, i), "metric"),
                      "text", parts[0], "lower", parts[1], "upper", parts[2]);
        json_t *group = name_group(ll_scorer_get(scorer, "groups"), i - 1);
        if (group != NULL)
            (void)json_object_set_new(one, "group", group);
        if (json_array_append_new(array, one) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

static ll_status print_json(const options *o, const ll_score *score, ll_error *error)
{
    ll_json json;
    const ll_io_labels *held = &o->labels.held;
    ll_report_json_begin(&json, "score");
    ll_report_json_add(&json, "score", ll_report_json_string(score->text));
    ll_report_json_add(&json, "interval",
                       json_pack("[o, o]", ll_report_json_string(score->lower), ll_report_json_string(score->upper)));
    ll_report_json_add(&json, "numbers", make_numbers(o->scorer.scorer, score));
    ll_report_json_add(&json, "rows", json_integer(held->rows));
    ll_report_json_add(&json, "classes", json_integer(held->classes));
    ll_report_json_add(&json, "counts",
                       o->labels.counts ? ll_report_json_counts(o->labels.counts, held->classes) : json_null());
    ll_report_json_add(&json, "mapping",
                       held->names ? ll_report_json_strings(held->names, held->name_count) : json_null());
    ll_report_json_add(&json, "labels", ll_report_json_string(o->labels.file));
    ll_report_json_add(&json, "dataset", ll_report_json_string(o->labels.dataset));
    ll_report_json_add(&json, "predictions", ll_report_json_string(o->predictions));
    ll_report_json_add(&json, "matched_by_id", json_boolean(o->moved));
    ll_report_json_add(&json, "warning", ll_report_json_string(o->scorer.warning[0] ? o->scorer.warning : NULL));
    ll_report_json_add(&json, "scorer", ll_report_json_scorer(o->scorer.scorer));
    return ll_report_json_end(&json, error);
}

/* ------------------------------------------------------------------ work */

static ll_status score_with(options *o, ll_curator *curator, ll_score *out, ll_error *error)
{
    const ll_scorer *scorer = o->scorer.scorer;
    ll_io_predictions *file = NULL;
    ll_predictions predictions, watched;
    ll_watch watch;
    ll_status status =
        ll_io_open_matched(&file, &predictions, o->predictions, o->labels.held.rows, &o->labels.held, NULL, &o->moved,
                           ll_cli_scorer_needs_exact(scorer), o->common.max_memory, error);
    if (status == LL_OK) {
        ll_cli_watch_begin(&watch, &watched, &predictions, "score");
        status = ll_curator_score(curator, out, &watched, error);
        ll_cli_watch_end(&watch);
        if (status != LL_OK)
            ll_io_name_file(error, o->predictions);
    }
    ll_io_close_predictions(file);
    return status == LL_OK ? ll_cli_watch_check(error) : status;
}

static ll_status compute(options *o, ll_score *out, ll_error *error)
{
    ll_curator *curator = NULL;
    ll_status status = ll_cli_scorer_finish(&o->scorer, o->common.seed, o->common.max_memory, error);
    if (status == LL_OK)
        status = ll_cli_labels_read(&o->labels, o->scorer.scorer, o->common.seed, o->common.max_memory, error);
    if (status == LL_OK)
        status = ll_cli_scorer_resolve(&o->scorer, o->labels.held.rows, o->labels.held.classes, error);
    if (status == LL_OK)
        status = ll_cli_labels_curator(&curator, &o->labels, o->scorer.scorer, o->common.max_memory, error);
    if (status == LL_OK)
        status = score_with(o, curator, out, error);
    ll_curator_destroy(curator);
    return status;
}

static ll_exit finish(const options *o, const ll_score *score, ll_error *error)
{
    ll_cli_unlimit_seconds();
    if (o->scorer.warning[0])
        ll_report_warning(o->scorer.warning);
    ll_status status = o->common.json ? print_json(o, score, error) : print_text(o, score, error);
    return status == LL_OK ? LL_EXIT_DONE : ll_cli_fail(error);
}

static ll_exit work(void *self)
{
    options *o = self;
    ll_error error = {0};
    ll_score score;
    const char *complaint = ll_cli_labels_complain(&o->labels);
    if (!complaint && !o->predictions)
        complaint = "no predictions: give --predictions FILE";
    if (complaint)
        return ll_cli_usage_error("score", complaint);
    ll_score_init(&score);
    ll_exit status = compute(o, &score, &error) == LL_OK ? finish(o, &score, &error) : ll_cli_fail(&error);
    ll_score_clear(&score);
    return status;
}

static const ll_syntax syntax = {.command = "score",
                                 .doc = doc,
                                 .size = sizeof(options),
                                 .options = options_table,
                                 .places = places,
                                 .parts = {LL_PART(&ll_cli_label_group, options, labels),
                                           LL_PART(&ll_cli_scorer_group, options, scorer),
                                           LL_PART(&ll_cli_common_group, options, common),
                                           {0}}};

const ll_command ll_command_score = {&syntax, "the score of given labels and predictions", work};
