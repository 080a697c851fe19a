/* lossleak inspect: does a submission look built to read labels, and how much could its score give away? */
#include "cli/commands/inspect.h"

#include "cli/commands/investigate.h"
#include "cli/options/parse.h"
#include <string.h>

static const struct argp_option options_table[] = {
    {"features", LL_TEXT(ll_inspect_options, features), "FILE", 0,
     "For a model: the rows that it will be scored on (.npy or CSV, one line per row); without them, random inputs "
     "are used",
     1},
    {"history", LL_TEXT(ll_inspect_options, history), "PATH", 0,
     "In place of FILE: a folder of submissions with their list, or the list; the same as lossleak investigate", 1},
    {0}};

static error_t parse_other(void *self, int key, char *value)
{
    ll_inspect_options *o = self;
    return key == ARGP_KEY_ARG ? ll_cli_set_only(&o->file, "file", value, &o->common.error) : ARGP_ERR_UNKNOWN;
}

static const char doc[] =
    "Does a submission look constructed to read labels, and how many bits could its score reveal? No labels are "
    "needed: the figure is the most that the score could reveal about any labels.\v"
    "finding: none, constant (every row the same: its score tells the class counts) or coded (looks built to read "
    "labels). bits: the least of three bounds, on the sums that the labels can make, on the scores that can be told "
    "apart, and by the spread of the score. Honest predictions may carry as many bits as coded ones; the finding is "
    "about marks that codes leave in the numbers, jittered ones too, and that the honest models it was tried with do "
    "not. Of classes and ranks (accuracy, F1, AUC) only where they stand can be looked at: stretches that repeat "
    "themselves or are in order. None is no proof: weights that follow no code, or classes at random places, leave no "
    "mark. score: what it gets if its "
    "author knows nothing of the labels, beside what a constant gets. Exit status 0: none or constant; 1: coded.\n\n"
    "A file that ends in .onnx is a model: its outputs are inspected, on --features or on random inputs, and whether "
    "they depend on the input at all; a model that always says the same is a finding too (exit status 1). Without a "
    "scorer it is log-loss as scikit-learn computes it, or cross-entropy for a model that gives logits.\n\n"
    "Examples:\n"
    "  lossleak inspect submission.csv --scorer kaggle/log_loss\n"
    "  lossleak inspect query-0001.npy --scorer sklearn-1.2/log_loss --decimals 5 --json\n"
    "  lossleak inspect model.onnx --features X.npy";

/* The kinds of files, by how their names end; what no row names is a submission. */
static const struct {
    const char *suffix;
    ll_exit (*inspect)(ll_inspect_options *options);
} kinds[] = {
    {".onnx", ll_cli_inspect_model},
    {".onnx.gz", ll_cli_inspect_model},
    {"", ll_cli_inspect_submission},
};

static int ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);
    return length >= tail && strcmp(name + length - tail, suffix) == 0;
}

static ll_exit work(void *self)
{
    ll_inspect_options *o = self;
    size_t kind = 0;
    if (o->history && o->file)
        return ll_cli_usage_error("inspect", "--history and a file: give one of them");
    if (o->history) {
        const ll_investigate_question question = {&o->common, &o->scorer, o->history, NULL, NULL};
        return ll_cli_investigate(&question);
    }
    if (!o->file)
        return ll_cli_usage_error("inspect", "nothing to inspect: give a file of predictions or a model");
    while (!ends_in(o->file, kinds[kind].suffix))
        kind++;
    return kinds[kind].inspect(o);
}

static const ll_syntax syntax = {.command = "inspect",
                                 .arguments = "FILE",
                                 .doc = doc,
                                 .size = sizeof(ll_inspect_options),
                                 .options = options_table,
                                 .parts = {LL_PART(&ll_cli_scorer_group, ll_inspect_options, scorer),
                                           LL_PART(&ll_cli_common_group, ll_inspect_options, common),
                                           {0}},
                                 .parse_other = parse_other};

const ll_command ll_command_inspect = {
    &syntax, "does a submission look constructed to read labels, and how much could it reveal?", work};
