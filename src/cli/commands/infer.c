/* lossleak infer: labels from the scores of predictions that nobody designed. */
#include "cli/commands/would_fit.h"
#include "cli/options/label_source.h"
#include "cli/options/option_value.h"
#include "cli/options/parse.h"
#include "cli/options/scorer_options.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "io/files/io_fail.h"
#include "io/files/write_file.h"
#include "io/formats/labels.h"
#include "io/formats/number_text.h"
#include "io/formats/predictions.h"
#include "io/formats/scores_file.h"
#include "report/inference_report.h"
#include "report/message.h"
#include "report/scorer_text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_METHOD = 0xa000 };

typedef struct {
    ll_common_options common;
    ll_scorer_options scorer;
    ll_texts predictions, given;
    const char *scores, *out;
    ll_method method;
} options;

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "What it works on:", 1},
    {"predictions", 'p', "FILE", 0,
     "Predictions that were scored, in the forms of `lossleak score'; give the option once for every score, always with predictions of the same rows",
     1},
    {"score", LL_LIST(options, given), "X", 0,
     "The score of the predictions, with every digit that was released; several in the order of their files. With --also "
     "all its numbers, quoted, with blanks between",
     1},
    {"scores", LL_TEXT(options, scores), "FILE", 0,
     "The scores from a file instead: one per line in the same order; - is stdin", 1},
    {"method", KEY_METHOD, "NAME", 0,
     "exhaustive, meet (in the middle), lattice (several scores), linear (as many scores as rows), states (counts and "
     "ranks of two classes), or auto",
     1},
    {"out", 'o', "FILE", 0, "Write the labels recovered: CSV `row,label', an open row has an empty label", 1},
    {0}};

/* Of the first number that is none, else of the last. */
static ll_io_number_kind scan_numbers(const char *value)
{
    ll_io_number_kind kind = LL_IO_NO_NUMBER;
    do {
        size_t length = strcspn(value, " ");
        kind = ll_io_number_scan(value, length);
        value += length;
        value += strspn(value, " ");
    } while (*value && kind != LL_IO_NO_NUMBER && kind != LL_IO_NOT_FINITE);
    return kind;
}

/* Every score must be one finite number, or several with blanks between. */
static ll_status check_given(const options *o, ll_error *error)
{
    for (long i = 0; i < o->given.count; i++) {
        ll_io_number_kind kind = scan_numbers(o->given.texts[i]);
        if (kind == LL_IO_NO_NUMBER || kind == LL_IO_NOT_FINITE)
            return ll_cli_refuse(error, "score", o->given.texts[i],
                                 kind == LL_IO_NO_NUMBER ? "not a number" : "not finite",
                                 "a decimal or hexadecimal number, with every digit that was released");
    }
    return LL_OK;
}

static error_t set_method(options *o, const char *value)
{
    char names[120] = "";
    for (int i = 0; ll_report_methods[i]; i++) {
        size_t used = strlen(names);
        if (strcmp(ll_report_methods[i], value) == 0) {
            o->method = (ll_method)i;
            return 0;
        }
        (void)snprintf(names + used, sizeof names - used, "%s%s", i ? "|" : "", ll_report_methods[i]);
    }
    (void)ll_cli_refuse(&o->common.error, "method", value, "no such method", names);
    return EINVAL;
}

static const ll_place places[] = {{'p', LL_LIST(options, predictions)}, {'o', LL_TEXT(options, out)}, {0}};

static error_t parse_other(void *self, int key, char *value)
{
    return key == KEY_METHOD ? set_method(self, value) : ARGP_ERR_UNKNOWN;
}

static const char doc[] =
    "Infer the labels from the scores of predictions that were not designed: those of honest models, or of one model "
    "after every epoch. exhaustive and meet find every labelling that explains the scores: a label is certain where "
    "all of them share it. lattice finds one labelling, checks it against every score, and estimates how many wrong "
    "ones would fit by chance: its labels are likely, or certain where no other labelling can fit. states counts the "
    "labellings behind metrics of counts and ranks, and behind several numbers of one model (--also), without "
    "listing them.\v"
    "One score in double precision tells about 50 labels (meet); several scores of the same rows tell hundreds "
    "(lattice), the fewer the better the model: docs/results/infer.md has the numbers. Give scores with every digit "
    "that was released, and say how they were rounded (--decimals, --digits): a score that was rounded without "
    "saying so explains no labelling; what would fit instead is named, where something does. Exit status 0: every "
    "row has a label, certain or likely; 4: some are open, or no labelling explains the scores.\n\n"
    "Examples:\n"
    "  lossleak infer --predictions p.csv --score 0.31415926535897931 --scorer sklearn-1.2/log_loss\n"
    "  lossleak infer -p epoch1.npy -p epoch2.npy --scores losses.txt --scorer torch/bce --out labels.csv\n"
    "  lossleak infer -p p.csv --metric auc --decimals 3 --also f1 --also accuracy --score '0.874 0.8 0.767'\n"
    "  lossleak infer $(printf -- '-p %s ' epoch-*.npy) --scores losses.txt --scorer torch/bce --out labels.csv";

/* ------------------------------------------------------------------ work */

typedef struct {
    ll_io_scores file;
    const char **scores;
    ll_evidence *evidence;
    ll_inference inference;
    ll_would_fit heard;
    ll_io_ids ids; /* of the rows of the first file; the others are matched by them */
    double start, read, end;
} work_state;

/* What the library says, with the file in front unless it is there. */
static ll_status name_place(const char *path, ll_status status, const ll_error *why, ll_error *error)
{
    char place[320];
    ll_io_place(place, sizeof place, path, 0);
    if (status != LL_DOMAIN || strncmp(why->text, place, strlen(place)) == 0)
        return ll_fail(error, status, "%s", why->text);
    return ll_io_fail(error, status, path, 0, "%.240s", why->text);
}

/* A ball for each label of each row of each file; measured: 140 to 190 bytes. */
static ll_status check_memory(const options *o, long rows, long classes, ll_error *error)
{
    char what[120];
    double cells = (double)o->predictions.count * (double)rows * (double)classes;
    (void)snprintf(what, sizeof what, "inference from %ld files of %ld rows", o->predictions.count, rows);
    return ll_cli_common_check_memory(&o->common, what, 200 * cells, error);
}

static ll_status read_scores(const options *o, work_state *w, ll_error *error)
{
    w->scores = o->given.texts;
    if (!o->scores)
        return LL_OK;
    ll_status status = ll_io_read_scores(&w->file, o->scores, o->predictions.count,
                                         ll_scorer_count_numbers(o->scorer.scorer), o->common.max_memory, error);
    w->scores = (const char **)w->file.texts;
    return status;
}

/* The first file says how many rows there are, and how many classes where it has a column for each; the scorer then,
 * how many numbers a score is. */
static ll_status begin_evidence(options *o, work_state *w, const ll_predictions *first, ll_error *error)
{
    long classes = first->columns > 1 ? first->columns : 2;
    ll_status status = check_memory(o, first->rows, classes, error);
    if (status == LL_OK)
        status = ll_cli_scorer_resolve(&o->scorer, first->rows, classes, error);
    if (status == LL_OK)
        status = read_scores(o, w, error);
    return status == LL_OK ? ll_evidence_create(&w->evidence, o->scorer.scorer, error) : status;
}

static void say_moved(const char *path)
{
    char text[400], place[320];
    ll_io_place(place, sizeof place, path, 0);
    (void)snprintf(text, sizeof text, "%s: its rows stand in another order and were matched by their ids", place);
    ll_report_note(text);
}

/* The first file gives the ids of the rows. */
static ll_status open_file(const options *o, work_state *w, ll_io_predictions **file, ll_predictions *stored,
                           long index, int says, ll_error *error)
{
    const ll_scorer *scorer = o->scorer.scorer;
    const char *path = o->predictions.texts[index];
    int moved = 0, is_first = index == 0 && w->ids.column == NULL && o->predictions.count > 1;
    const ll_io_labels unknown = {.ids = w->ids};
    ll_status status =
        ll_io_open_matched(file, stored, path, ll_scorer_get_count(scorer, "rows"), &unknown, is_first ? &w->ids : NULL,
                           &moved, ll_cli_scorer_needs_exact(scorer), o->common.max_memory, error);
    if (moved && says)
        say_moved(path);
    return status;
}

static ll_status add_file(options *o, work_state *w, ll_watch *watch, long index, ll_error *error)
{
    const char *path = o->predictions.texts[index];
    ll_io_predictions *file = NULL;
    ll_predictions stored, watched;
    ll_error why = {0};
    ll_status status = open_file(o, w, &file, &stored, index, 1, error);
    if (status != LL_OK)
        return status;
    if (index == 0)
        status = begin_evidence(o, w, &stored, error);
    if (status == LL_OK) {
        ll_cli_watch_query(watch, &watched, &stored, index);
        status = ll_evidence_add(w->evidence, &watched, w->scores[index], &why);
        if (status != LL_OK)
            status = name_place(path, status, &why, error);
    }
    ll_io_close_predictions(file);
    return status;
}

static ll_status read_all(options *o, work_state *w, ll_error *error)
{
    ll_watch watch;
    ll_status status = ll_cli_scorer_finish(&o->scorer, o->common.seed, o->common.max_memory, error);
    ll_cli_watch_queries(&watch, "read", o->predictions.count);
    for (long i = 0; i < o->predictions.count && status == LL_OK; i++)
        status = add_file(o, w, &watch, i, error);
    ll_cli_watch_end(&watch);
    return status == LL_OK ? ll_cli_watch_check(error) : status;
}

static ll_status check_out(const options *o, ll_error *error)
{
    if (!o->out)
        return LL_OK;
    ll_status status = ll_io_output_check(o->out, o->predictions.texts, o->predictions.count, error);
    return status == LL_OK && o->scores ? ll_io_output_check(o->out, &o->scores, 1, error) : status;
}

/* ------------------------------------------------------------------ what would fit */

static ll_status open_all(const options *o, work_state *w, ll_io_predictions **files, ll_predictions *stored,
                          ll_error *error)
{
    ll_status status = LL_OK;
    for (long i = 0; i < o->predictions.count && status == LL_OK; i++)
        status = open_file(o, w, &files[i], &stored[i], i, 0, error);
    return status;
}

/* No labelling explains the scores: the files are read again under other descriptions. */
static ll_status find_others(const options *o, work_state *w, const ll_budget *budget, ll_error *error)
{
    size_t count = (size_t)o->predictions.count;
    ll_io_predictions **files = calloc(count, sizeof(ll_io_predictions *));
    ll_predictions *stored = calloc(count, sizeof *stored);
    ll_status status = files && stored ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for %zu files", count);
    for (size_t i = 0; i < count && status == LL_OK; i++)
        status = ll_cli_would_fit_hear(&w->heard, w->scores[i], error);
    if (status == LL_OK)
        status = open_all(o, w, files, stored, error);
    if (status == LL_OK)
        status = ll_cli_would_fit_find(&w->heard, o->scorer.scorer, NULL, stored, LL_NONE, NULL, budget, error);
    for (size_t i = 0; i < count && files; i++)
        ll_io_close_predictions(files[i]);
    free(files);
    free(stored);
    return status;
}

static ll_status compute(options *o, work_state *w, ll_error *error)
{
    const ll_budget budget = ll_cli_budget(&o->common);
    w->start = ll_report_clock();
    ll_status status = check_out(o, error);
    if (status == LL_OK)
        status = read_all(o, w, error);
    w->read = ll_report_clock() - w->start;
    if (status == LL_OK)
        status = ll_evidence_infer(w->evidence, &w->inference, o->method, &budget, error);
    if (status == LL_OK && w->inference.verdict->kind == LL_NONE)
        status = find_others(o, w, &budget, error);
    if (status == LL_OK)
        status = ll_cli_watch_check(error);
    w->end = ll_report_clock();
    if (status == LL_OK && o->out)
        status = ll_cli_labels_write_verdict(o->out, w->inference.verdict, NULL, o->scorer.scorer, error);
    return status;
}

static ll_status print(const options *o, const work_state *w, ll_error *error)
{
    const ll_inference_outcome outcome = {
        .scorer = o->scorer.scorer,
        .inference = &w->inference,
        .warning = o->scorer.warning,
        .refit = ll_cli_would_fit_get(&w->heard),
        .out = o->out,
        .read_seconds = w->read,
        .infer_seconds = w->end - w->start - w->read,
        .total_seconds = w->end - w->start,
    };
    ll_cli_unlimit_seconds();
    if (o->scorer.warning[0])
        ll_report_warning(o->scorer.warning);
    if (o->common.json)
        return ll_report_inference_json(&outcome, error);
    ll_report_inference_text(&outcome);
    return LL_OK;
}

static ll_exit exit_of(const ll_inference *inference)
{
    int all = ll_report_inference_recovered(inference) == inference->verdict->rows;
    return inference->verdict->kind != LL_NONE && all ? LL_EXIT_DONE : LL_EXIT_OPEN;
}

static const char *complain(const options *o)
{
    static char text[120];
    if (o->predictions.count == 0)
        return "no predictions: give --predictions FILE";
    if (!o->scores && o->given.count == 0)
        return "no score: give --score X or --scores FILE";
    if (o->scores && o->given.count > 0)
        return "--score and --scores: give one of them";
    if (o->out && strcmp(o->out, "-") == 0)
        return "--out -: the report is on stdout; give a file";
    if (o->scores || o->given.count == o->predictions.count)
        return NULL;
    (void)snprintf(text, sizeof text, "%ld predictions but %ld scores: every file needs its score",
                   o->predictions.count, o->given.count);
    return text;
}

static ll_exit work(void *self)
{
    options *o = self;
    ll_error error = {0};
    work_state w = {0};
    const char *complaint = complain(o);
    if (complaint)
        return ll_cli_usage_error("infer", complaint);
    ll_inference_init(&w.inference);
    ll_cli_would_fit_init(&w.heard);
    ll_status status = check_given(o, &error);
    if (status == LL_OK)
        status = compute(o, &w, &error);
    if (status == LL_OK)
        status = print(o, &w, &error);
    ll_exit done = status != LL_OK ? ll_cli_fail(&error) : exit_of(&w.inference);
    ll_inference_clear(&w.inference);
    ll_cli_would_fit_clear(&w.heard);
    ll_io_ids_clear(&w.ids);
    ll_evidence_destroy(w.evidence);
    ll_io_clear_scores(&w.file);
    return done;
}

static const ll_syntax syntax = {
    .command = "infer",
    .doc = doc,
    .size = sizeof(options),
    .options = options_table,
    .places = places,
    .parts = {LL_PART(&ll_cli_scorer_group, options, scorer), LL_PART(&ll_cli_common_group, options, common), {0}},
    .parse_other = parse_other};

const ll_command ll_command_infer = {&syntax, "labels from the scores of honest predictions", work};
