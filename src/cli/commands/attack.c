/* lossleak attack: read the labels behind the scores of a simulated curator or of an oracle, and prove them. */
#include "cli/commands/second_decoder.h"
#include "cli/commands/would_fit.h"
#include "cli/options/label_source.h"
#include "cli/options/oracle_options.h"
#include "cli/options/parse.h"
#include "cli/options/plan_options.h"
#include "cli/options/scorer_options.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "io/files/write_file.h"
#include "report/message.h"
#include "report/refit_report.h"
#include "report/verdict_report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_common_options common;
    ll_scorer_options scorer;
    ll_label_source labels;
    ll_oracle_options oracle;
    ll_plan_options plan;
    const char *out, *decoder;
    int explain;
} options;

static const struct argp_option options_table[] = {
    {"out", 'o', "FILE", 0,
     "Write the labels recovered: CSV `row,label', an undecided row has an empty label; with a column `probability' "
     "if labels are only likely, and with --public a column `public': yes, no (absent), or empty if undecided",
     2},
    {"decoder", LL_TEXT(options, decoder), "NAME", 0,
     "auto, the default: the code's own; exhaustive: LabelInf, which looks at every labelling of all rows and knows "
     "nothing of the code (up to 2^30 labellings)",
     2},
    {"explain", LL_FLAG(options, explain), NULL, 0, "Explain how the code works, and compare all codes for this scorer",
     2},
    {0}};

static const ll_place places[] = {{'o', LL_TEXT(options, out)}, {0}};

static const char doc[] =
    "Read the labels behind a scorer from its scores alone. A simulated curator holds the labels and scores the "
    "planned predictions, or a program of yours does (--oracle); the attack sees only the scores, and calls a label "
    "certain only where it is proved from the predictions as they are stored, the stated noise and the scorer's own "
    "rounding.\v"
    "If --queries ends before the plan does, the remaining rows stay undecided. If no labelling explains a score, "
    "the scorer differs from its description: the attack stops and names a description that would fit, if there is "
    "one (digits, a percentage, a negation, another clip, fewer rows ...). accuracy: right labels among those "
    "recovered. With --guarantee likely labels have probabilities instead of a proof: averages over noise that is "
    "not bounded, or the code hadamard, which needs no query that determines a label by itself. With --failures "
    "free, where no plan reads all labels within --queries, a simulated curator is read by its failures alone, and "
    "the report says so. Exit status 0: every label is certain, or as likely as was asked for; 3: the scorer failed; "
    "4: some labels are open.\n\n"
    "Examples:\n"
    "  lossleak attack --dataset titanic --noise bounded:1,plus\n"
    "  lossleak attack --labels test.csv:survived --loss itakura-saito --arithmetic fp64 --sum pairwise --noise bounded:1e-4 --out labels.csv\n"
    "  lossleak attack --oracle 'python3 examples/oracle_sklearn.py labels.txt' --oracle-mode stream --rows 300 --scorer sklearn-1.2/log_loss --journal attack.journal";

/* ------------------------------------------------------------------ the oracle */

/* The scorer under watch: progress, a clock, and whether it was the scorer that failed. */
typedef struct {
    ll_oracle scorer, journalled; /* journalled: the scorer under watch, behind the journal */
    ll_watch watch;
    ll_would_fit *heard;
    double seconds;
    int failed;
} oracle;

static ll_status ask(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    oracle *o = self;
    ll_predictions watched;
    ll_cli_watch_query(&o->watch, &watched, predictions, query);
    ll_status status = o->scorer.ask(o->scorer.self, score, &watched, query, error);
    o->failed = status == LL_DOMAIN || status == LL_SYSTEM;
    return status;
}

static ll_status ask_by_the_clock(void *self, char **score, const ll_predictions *predictions, long query,
                                  ll_error *error)
{
    oracle *o = self;
    double start = ll_report_clock();
    ll_status status = o->journalled.ask(o->journalled.self, score, predictions, query, error);
    o->seconds += ll_report_clock() - start;
    return status == LL_OK ? ll_cli_would_fit_hear(o->heard, *score, error) : status;
}

/* ------------------------------------------------------------------ work */

typedef struct {
    ll_plan *plan;
    ll_plan_info info;
    char digest[80];
    ll_curator *curator;
    ll_verdict verdict;
    ll_second_decoder second;
    ll_would_fit heard;
    ll_chosen_defence defence;
    ll_failures failures; /* used where why_not is a text */
    char why_not[480];    /* what stands against a plan */
    ll_exit failure;      /* what a failure means, where it is not the usual */
    double start, planned, asked, end;
} work_state;

/* Rows and classes: as the labels have them, or as an oracle's are said to be. */
static ll_status find_size(options *o, ll_error *error)
{
    const ll_common_options *common = &o->common;
    const ll_scorer *scorer = o->scorer.scorer;
    long rows = ll_scorer_get_count(scorer, "rows"), classes = ll_scorer_get_count(scorer, "classes");
    if (o->oracle.command) {
        if (rows == 0)
            return ll_fail(error, LL_DOMAIN, "no rows: give --rows N, as many as the scorer has labels");
        return ll_cli_scorer_resolve(&o->scorer, rows, classes ? classes : 2, error);
    }
    ll_status status = ll_cli_labels_read(&o->labels, scorer, common->seed, common->max_memory, error);
    if (status != LL_OK)
        return status;
    return ll_cli_scorer_resolve(&o->scorer, o->labels.held.rows, o->labels.held.classes, error);
}

/* Labels of the curator, the verdict's, their candidates, and what the plan keeps for each row; measured: 24 to 36
 * bytes a row of two classes. */
static ll_status check_memory(const options *o, long rows, long classes, ll_error *error)
{
    char what[80];
    (void)snprintf(what, sizeof what, "an attack on %ld rows", rows);
    return ll_cli_common_check_memory(
        &o->common, what, (double)rows * (36 + 2 * (classes <= LL_LISTED_CLASSES ? (double)classes : 8)), error);
}

/* Before the first query: an attack may take days, and answers cost. */
static ll_status check_out(const options *o, ll_error *error)
{
    const char *inputs[2];
    long count = 0;
    if (o->labels.file)
        inputs[count++] = o->labels.file;
    if (o->oracle.journal)
        inputs[count++] = o->oracle.journal;
    return o->out ? ll_io_output_check(o->out, inputs, count, error) : LL_OK;
}

/* Where no plan reads all labels within the limit, and failures are free: why not. Only a simulated curator is known to
 * fail for no other reason. */
static int turns_to_failures(const options *o, work_state *w, ll_status planned, const ll_error *error)
{
    const char *free_ones = ll_scorer_get(o->scorer.scorer, "failures");
    long limit = ll_scorer_get_count(o->scorer.scorer, "queries");
    int is_part = ll_scorer_get(o->scorer.scorer, "public") != NULL; /* a failure does not tell absent from label 0 */
    if (o->oracle.command || is_part || strcmp(free_ones, "free") != 0 || (planned != LL_OK && planned != LL_DOMAIN))
        return 0;
    if (planned == LL_OK)
        ll_plan_get_info(w->plan, &w->info);
    if (planned == LL_DOMAIN)
        (void)snprintf(w->why_not, sizeof w->why_not, "%s", error->text);
    else if (limit > 0 && w->info.queries > limit)
        (void)snprintf(w->why_not, sizeof w->why_not, "the code %s would take %ld queries, of which %ld are answered",
                       w->info.code, w->info.queries, limit);
    else if (limit > 0 && w->info.labels < w->info.rows)
        (void)snprintf(w->why_not, sizeof w->why_not,
                       "the code %s would read %ld of %ld labels in the %ld that are answered", w->info.code,
                       w->info.labels, w->info.rows, limit);
    return w->why_not[0] != '\0';
}

static ll_status prepare(options *o, work_state *w, ll_error *error)
{
    const ll_common_options *common = &o->common;
    ll_status status = check_out(o, error);
    if (status == LL_OK)
        status = ll_cli_scorer_finish(&o->scorer, common->seed, common->max_memory, error);
    if (status == LL_OK)
        status = ll_cli_oracle_finish(&o->oracle, error);
    if (status == LL_OK)
        status = find_size(o, error);
    if (status == LL_OK)
        status = check_memory(o, ll_scorer_get_count(o->scorer.scorer, "rows"),
                              ll_scorer_get_count(o->scorer.scorer, "classes"), error);
    if (status != LL_OK)
        return status;
    w->start = ll_report_clock();
    const ll_budget budget = ll_cli_budget(common);
    status = ll_cli_plan_create(&w->plan, &o->plan, o->scorer.scorer, &budget, error);
    if (turns_to_failures(o, w, status, error))
        return ll_curator_create(&w->curator, o->scorer.scorer, o->labels.held.labels, o->labels.held.rows, error);
    if (status != LL_OK)
        return status;
    ll_plan_get_info(w->plan, &w->info);
    ll_plan_digest(w->plan, w->digest, sizeof w->digest);
    w->planned = ll_report_clock() - w->start;
    status = ll_cli_second_open(&w->second, o->decoder, w->plan, o->scorer.scorer, error);
    if (status == LL_OK && !o->oracle.command)
        status = ll_cli_labels_curator(&w->curator, &o->labels, o->scorer.scorer, common->max_memory, error);
    return status == LL_OK ? ll_cli_oracle_open(&o->oracle, w->plan, o->scorer.scorer, common->max_memory, error)
                           : status;
}

/* Where the scores contradict the description: what would fit. A simulated curator is what it was said to be. */
static ll_status find_others(const options *o, work_state *w, ll_verdict_kind kind, const ll_budget *budget,
                             ll_error *error)
{
    if (!o->oracle.command)
        return LL_OK;
    return ll_cli_would_fit_find(&w->heard, o->scorer.scorer, w->plan, NULL, kind, kind == LL_NONE ? NULL : &w->verdict,
                                 budget, error);
}

/* A score that the description rules out by its size alone. */
static void explain_failure(const options *o, work_state *w, const ll_budget *budget, ll_error *error)
{
    const char *strange = ll_cli_oracle_strange(&o->oracle);
    ll_error ignored = {0};
    if (strange == NULL || ll_cli_would_fit_hear(&w->heard, strange, &ignored) != LL_OK ||
        find_others(o, w, LL_NONE, budget, &ignored) != LL_OK)
        return;
    ll_report_add_refit(error, ll_cli_would_fit_get(&w->heard));
}

static ll_status run_attack(const options *o, work_state *w, ll_error *error)
{
    oracle asked = {.scorer = ll_cli_oracle_choose(&o->oracle, ll_curator_oracle(w->curator)), .heard = &w->heard};
    ll_oracle watched = ll_cli_second_listen(&w->second, (ll_oracle){.self = &asked, .ask = ask_by_the_clock});
    asked.journalled = ll_cli_oracle_journalled(&o->oracle, (ll_oracle){.self = &asked, .ask = ask});
    ll_cli_watch_queries(&asked.watch, "attack", w->info.queries);
    const ll_budget budget = ll_cli_budget(&o->common);
    ll_status status = ll_attack_run(w->plan, &w->verdict, &watched, &budget, error);
    ll_cli_watch_end(&asked.watch);
    if (status == LL_OK)
        status = ll_cli_second_decide(&w->second, &w->verdict, &budget, error);
    w->asked = asked.seconds;
    w->end = ll_report_clock();
    if (asked.failed)
        w->failure = LL_EXIT_SCORER;
    ll_status stopped = ll_cli_watch_check(error);
    if (stopped != LL_OK)
        status = stopped;
    if (status != LL_OK)
        explain_failure(o, w, &budget, error);
    if (status != LL_OK)
        ll_cli_oracle_add_journal(&o->oracle, error);
    return status == LL_OK ? find_others(o, w, w->verdict.kind, &budget, error) : status;
}

/* Nothing but whether submissions fail. */
static ll_status run_failures(const options *o, work_state *w, ll_error *error)
{
    const ll_budget budget = ll_cli_budget(&o->common);
    const ll_oracle simulated = ll_curator_oracle(w->curator);
    ll_status status = ll_attack_failures(o->scorer.scorer, &w->verdict, &w->failures, &simulated, &budget, error);
    w->end = ll_report_clock();
    return status == LL_OK ? ll_cli_watch_check(error) : status;
}

static ll_status print_failures(const options *o, const work_state *w, ll_error *error)
{
    const ll_failures_outcome outcome = {.scorer = o->scorer.scorer,
                                         .verdict = &w->verdict,
                                         .failures = &w->failures,
                                         .truth = o->labels.held.labels,
                                         .why = w->why_not,
                                         .out = o->out,
                                         .seconds = w->end - w->start};
    if (o->common.json)
        return ll_report_failures_json(&outcome, error);
    ll_report_failures_text(&outcome);
    return LL_OK;
}

static ll_status write_labels(const options *o, const work_state *w, ll_error *error)
{
    if (!o->out)
        return LL_OK;
    return ll_cli_labels_write_verdict(o->out, &w->verdict, &o->labels, o->scorer.scorer, error);
}

/* Every code of the table against this scorer. */
static ll_status compare(const options *o, const work_state *w, ll_plan_choice **out, ll_error *error)
{
    ll_plan_request request;
    ll_plan_request_init(&request);
    request.guarantee = w->info.guarantee;
    if (w->info.guarantee == LL_LIKELY)
        request.failure = w->info.allowed;
    const ll_budget budget = ll_cli_budget(&o->common);
    request.budget = &budget;
    *out = calloc((size_t)ll_code_count(), sizeof **out);
    if (!*out)
        return ll_fail(error, LL_MEMORY, "no memory to compare codes");
    return ll_plan_compare(*out, o->scorer.scorer, &request, error);
}

static ll_status print(const options *o, work_state *w, ll_error *error)
{
    ll_outcome outcome = {
        .command = "attack",
        .scorer = o->scorer.scorer,
        .plan = &w->info,
        .digest = w->digest,
        .verdict = &w->verdict,
        .truth = o->labels.states,
        .warning = o->scorer.warning,
        .refit = ll_cli_would_fit_get(&w->heard),
        .out = o->out,
        .decoder = o->decoder ? o->decoder : "auto",
        .defence = &w->defence,
        .explain = o->explain,
        .plan_seconds = w->planned,
        .query_seconds = w->asked,
        .decode_seconds = w->end - w->start - w->planned - w->asked,
        .total_seconds = w->end - w->start,
    };
    ll_plan_choice *choices = NULL;
    ll_status status = o->explain ? compare(o, w, &choices, error) : LL_OK;
    outcome.choices = choices;
    outcome.choice_count = ll_code_count();
    if (status == LL_OK)
        status = ll_cli_plan_defend(&w->defence, o->scorer.scorer, &w->info, &o->common, error);
    if (status == LL_OK && o->scorer.warning[0])
        ll_report_warning(o->scorer.warning);
    if (status == LL_OK && o->common.json)
        status = ll_report_outcome_json(&outcome, error);
    else if (status == LL_OK)
        ll_report_outcome_text(&outcome);
    ll_report_chosen_clear(&w->defence);
    free(choices);
    return status;
}

static ll_exit fail(const work_state *w, const ll_error *error)
{
    return w->failure ? ll_cli_fail_as(w->failure, error) : ll_cli_fail(error);
}

static ll_exit work(void *self)
{
    options *o = self;
    ll_error error = {0};
    work_state w = {0};
    const char *complaint = ll_cli_oracle_complain(&o->oracle, o->labels.file || o->labels.dataset);
    if (!complaint && o->oracle.command && o->labels.public_rows)
        complaint = "--public-rows is for a simulated curator; an oracle knows its own";
    if (!complaint && !o->oracle.command)
        complaint = ll_cli_labels_complain(&o->labels);
    if (!complaint && o->out && strcmp(o->out, "-") == 0)
        complaint = "--out -: the report is on stdout; give a file";
    if (complaint)
        return ll_cli_usage_error("attack", complaint);
    if (o->oracle.journal == NULL)
        ll_cli_on_interrupt_say("interrupted, and the scores so far are lost: --journal FILE keeps them, and the same "
                                "command then continues");
    ll_verdict_init(&w.verdict);
    ll_cli_would_fit_init(&w.heard);
    ll_status status = prepare(o, &w, &error);
    int by_failures = w.why_not[0] != '\0';
    if (status == LL_OK)
        status = by_failures ? run_failures(o, &w, &error) : run_attack(o, &w, &error);
    ll_cli_oracle_close(&o->oracle);
    if (status == LL_OK)
        status = write_labels(o, &w, &error);
    if (status == LL_OK)
        status = by_failures ? print_failures(o, &w, &error) : print(o, &w, &error);
    int is_all = by_failures ? w.verdict.certain == w.verdict.rows : ll_cli_plan_is_done(&w.info, &w.verdict);
    ll_exit done = status != LL_OK ? fail(&w, &error) : is_all ? LL_EXIT_DONE : LL_EXIT_OPEN;
    ll_verdict_clear(&w.verdict);
    ll_cli_would_fit_clear(&w.heard);
    ll_cli_second_close(&w.second);
    ll_curator_destroy(w.curator);
    ll_plan_destroy(w.plan);
    return done;
}

static const ll_syntax syntax = {.command = "attack",
                                 .doc = doc,
                                 .size = sizeof(options),
                                 .options = options_table,
                                 .places = places,
                                 .parts = {LL_PART(&ll_cli_label_group, options, labels),
                                           LL_PART(&ll_cli_plan_group, options, plan),
                                           LL_PART(&ll_cli_scorer_group, options, scorer),
                                           LL_PART(&ll_cli_common_group, options, common),
                                           LL_PART(&ll_cli_oracle_group, options, oracle),
                                           {0}}};

const ll_command ll_command_attack = {&syntax, "read the labels behind a scorer from its scores, and prove them", work};
