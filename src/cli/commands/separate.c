/* lossleak separate: how far apart are the scores of any two labellings of given predictions? */
#include "cli/options/parse.h"
#include "cli/options/scorer_options.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "io/files/io_fail.h"
#include "io/formats/predictions.h"
#include "io/formats/value_table.h"
#include "report/message.h"
#include "report/separation_report.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_common_options common;
    ll_scorer_options scorer;
    const char *predictions, *table;
    int bits, full;
} options;

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "What it works on:", 1},
    {"predictions", 'p', "FILE", 0, "Predictions, in the forms of `lossleak score'", 1},
    {"table", LL_TEXT(options, table), "FILE", 0,
     "A set function instead: its 2^N values, one per line, N up to 24; bit i of (line - 1) is element i", 1},
    {"bits", LL_FLAG(options, bits), NULL, 0,
     "Also the smallest float formats in which the labellings stay apart, by scoring all of them in each (up to 2^16 "
     "labellings)",
     1},
    {"full", LL_FLAG(options, full), NULL, 0, "Every label of the witness, in text too", 1},
    {0}};

/* Of several files none may be left out unsaid. */
static error_t parse_other(void *input, int key, char *value)
{
    options *o = input;
    if (key != 'p')
        return ARGP_ERR_UNKNOWN;
    if (o->predictions) {
        ll_fail(&o->common.error, LL_DOMAIN, "--predictions %.80s: a second file; separate looks at one", value);
        return EINVAL;
    }
    o->predictions = value;
    return 0;
}

static const char doc[] =
    "The least difference between the scores of two labellings of given predictions, and these two labellings. With "
    "any noise below half of it, different labellings have different scores. It is found directly if each row "
    "outweighs all lighter rows together, otherwise by a search, which is complete for about 34 rows of two classes; "
    "beyond that the result is an interval. For metrics of counts and ranks, two rows with the same prediction can "
    "exchange labels, so the gap is 0; then the number of different scores, and the least difference between two, "
    "show what a score reveals.\v"
    "With --noise bounded:TAU the question is whether the gap is at least 2 TAU; with --decimals, whether it is "
    "above the unit of the last decimal. Exit status 0: yes, or nothing was asked; 1: no, or not known within the "
    "budget.\n\n"
    "Examples:\n"
    "  lossleak separate --predictions model.csv --scorer sklearn-1.2/log_loss --decimals 5\n"
    "  lossleak separate --predictions model.csv --noise bounded:1e-9 --json\n"
    "  lossleak separate --predictions model.csv --scorer sklearn/roc_auc\n"
    "  lossleak separate --table values.txt";

/* TAU of --noise bounded:TAU[,HOW], to be freed; NULL where there is none. */
static char *noise_bound(const ll_scorer *scorer)
{
    const char *noise = ll_scorer_get(scorer, "noise"), *colon = strchr(noise, ':');
    return colon ? strndup(colon + 1, strcspn(colon + 1, ",")) : NULL;
}

static int is_set(const ll_scorer *scorer, const char *name)
{
    const char *text = ll_scorer_get(scorer, name);
    return text && strcmp(text, "none") != 0;
}

/* ------------------------------------------------------------------ predictions */

typedef struct {
    ll_separation separation;
    ll_separation_bits bits;
} answers;

static ll_status separate(const options *o, answers *out, const ll_predictions *predictions, ll_error *error)
{
    const ll_budget budget = ll_cli_budget(&o->common);
    ll_status status = ll_separate(&out->separation, o->scorer.scorer, predictions, &budget, error);
    if (status == LL_OK && o->bits)
        status = ll_separate_bits(&out->bits, o->scorer.scorer, predictions, &budget, error);
    return status;
}

static ll_status compute(options *o, answers *out, ll_error *error)
{
    ll_io_predictions *file = NULL;
    ll_predictions predictions, watched;
    ll_watch watch;
    ll_status status = ll_cli_scorer_finish(&o->scorer, o->common.seed, o->common.max_memory, error);
    if (status == LL_OK)
        status = ll_cli_scorer_resolve(&o->scorer, 0, 0, error);
    if (status == LL_OK)
        status =
            ll_io_open_predictions(&file, &predictions, o->predictions, ll_scorer_get_count(o->scorer.scorer, "rows"),
                                   o->bits || ll_cli_scorer_needs_exact(o->scorer.scorer), o->common.max_memory, error);
    if (status == LL_OK) {
        ll_cli_watch_begin(&watch, &watched, &predictions, "read");
        status = separate(o, out, &watched, error);
        ll_cli_watch_end(&watch);
        if (status != LL_OK)
            ll_io_name_file(error, o->predictions);
    }
    ll_io_close_predictions(file);
    return status == LL_OK ? ll_cli_watch_check(error) : status;
}

static ll_exit print(const options *o, const answers *a, ll_error *error)
{
    const ll_scorer *scorer = o->scorer.scorer;
    ll_separation_report report = {.file = o->predictions,
                                   .scorer = scorer,
                                   .warning = o->scorer.warning[0] ? o->scorer.warning : NULL,
                                   .separation = &a->separation,
                                   .bits = o->bits ? &a->bits : NULL,
                                   .full = o->full};
    report.asked = is_set(scorer, "noise") || is_set(scorer, "decimals");
    ll_cli_unlimit_seconds();
    if (report.warning)
        ll_report_warning(report.warning);
    if (!o->common.json)
        ll_report_separation_text(&report);
    else if (ll_report_separation_json(&report, error) != LL_OK)
        return ll_cli_fail(error);
    return report.asked && a->separation.separable != LL_TRUE ? LL_EXIT_BAD_ANSWER : LL_EXIT_DONE;
}

static ll_exit work_predictions(options *o)
{
    ll_error error = {0};
    answers a;
    ll_separation_init(&a.separation);
    ll_separation_bits_init(&a.bits);
    ll_exit status = compute(o, &a, &error) == LL_OK ? print(o, &a, &error) : ll_cli_fail(&error);
    ll_separation_clear(&a.separation);
    ll_separation_bits_clear(&a.bits);
    return status;
}

/* ------------------------------------------------------------------ set functions */

static ll_status compute_table(options *o, ll_table_separation *out, ll_error *error)
{
    ll_block values;
    const ll_budget budget = ll_cli_budget(&o->common);
    ll_block_init(&values);
    ll_status status = ll_cli_scorer_finish(&o->scorer, o->common.seed, o->common.max_memory, error);
    const ll_scorer *scorer = o->scorer.scorer;
    if (status == LL_OK && is_set(scorer, "noise") && strncmp(ll_scorer_get(scorer, "noise"), "bounded:", 8) != 0)
        status =
            ll_fail(error, LL_DOMAIN, "--noise %.60s has no bound, so no gap is enough for it; accepted: bounded:TAU",
                    ll_scorer_get(scorer, "noise"));
    if (status == LL_OK && (is_set(scorer, "decimals") || is_set(scorer, "digits")))
        status = ll_fail(error, LL_DOMAIN, "--decimals is about predictions; a table takes --noise bounded:TAU");
    if (status == LL_OK)
        status = ll_io_read_values(&values, o->table, o->common.max_memory, error);
    char *noise = status == LL_OK ? noise_bound(scorer) : NULL;
    if (status == LL_OK)
        status = ll_separate_table(out, values.exacts, values.rows, noise, &budget, error);
    free(noise);
    ll_block_clear(&values);
    return status == LL_OK ? ll_cli_watch_check(error) : status;
}

static ll_exit print_table(const options *o, const ll_table_separation *t, ll_error *error)
{
    char *noise = noise_bound(o->scorer.scorer);
    int asked = noise != NULL;
    ll_cli_unlimit_seconds();
    if (!o->common.json)
        ll_report_table_text(t, noise);
    free(noise);
    if (o->common.json && ll_report_table_json(t, o->table, error) != LL_OK)
        return ll_cli_fail(error);
    return asked && !t->separable ? LL_EXIT_BAD_ANSWER : LL_EXIT_DONE;
}

static ll_exit work_table(options *o)
{
    ll_error error = {0};
    ll_table_separation table;
    ll_table_separation_init(&table);
    ll_exit status = compute_table(o, &table, &error) == LL_OK ? print_table(o, &table, &error) : ll_cli_fail(&error);
    ll_table_separation_clear(&table);
    return status;
}

/* ------------------------------------------------------------------ */

static ll_exit work(void *self)
{
    options *o = self;
    if (!o->predictions == !o->table)
        return ll_cli_usage_error("separate", o->table ? "either --predictions FILE or --table FILE, not both"
                                                       : "nothing to look at: give --predictions FILE or --table FILE");
    if (o->table && o->bits)
        return ll_cli_usage_error("separate", "--bits is about predictions, not about --table");
    return o->table ? work_table(o) : work_predictions(o);
}

static const ll_syntax syntax = {
    .command = "separate",
    .doc = doc,
    .size = sizeof(options),
    .options = options_table,
    .parts = {LL_PART(&ll_cli_scorer_group, options, scorer), LL_PART(&ll_cli_common_group, options, common), {0}},
    .parse_other = parse_other};

const ll_command ll_command_separate = {&syntax,
                                        "how far apart the scores of two labellings are, for given predictions", work};
