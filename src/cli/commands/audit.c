/* lossleak audit: what does a scorer give away, what can no attack exceed, and what would stop it? */
#include "cli/commands/audit_program.h"
#include "cli/options/option_value.h"
#include "cli/options/parse.h"
#include "cli/options/scorer_options.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "report/audit_page.h"
#include "report/message.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_common_options common;
    ll_scorer_options scorer;
    ll_program_choice program;
    const char *html, *target, *epsilon, *delta;
    int fail_on_leak, fail_on_bound, brief;
    ll_audited_program asked; /* where a program is given */
} options;

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "The audit:", 1},
    {"html", LL_TEXT(options, html), "FILE", 0, "Also write a shareable page: one file, with its pictures", 1},
    {"brief", LL_FLAG(options, brief), NULL, 0, "Print only the answer and what to do", 1},
    {"fail-on-leak", LL_FLAG(options, fail_on_leak), NULL, 0,
     "Exit status 1 if the scorer leaks, or if that is not known", 1},
    {"fail-on-bound", LL_FLAG(options, fail_on_bound), NULL, 0,
     "Exit status 1 if the proved limit is above the target share", 1},
    {"target-share", LL_TEXT(options, target), "P", 0,
     "The share of right labels that an attack may reach; default: 5 points above guessing", 1},
    {"epsilon", LL_TEXT(options, epsilon), "E", 0,
     "Label-differential privacy of the proposed noise, over all queries; default: the value that keeps attacks at the "
     "target",
     1},
    {"delta", LL_TEXT(options, delta), "D", 0, "The delta of Gaussian noise (1e-6)", 1},
    {0}};

static const char doc[] =
    "How many labels does a scorer reveal, how many submissions does the best possible attack need, and what would "
    "stop it? No labels are needed: every code is planned, attacks are run against simulated scorers if plans alone "
    "do not decide it, and a limit that no attack can exceed is proved.\v"
    "--queries is the total number of submissions: tries per day x days x accounts. Without it there is no limit, "
    "and defences are designed for 1000. Exit status 0: done; 1: with --fail-on-leak, the best attack gets more than "
    "--target-share of the labels within the limit, or that is not known; with --fail-on-bound, the proved limit is "
    "above it.\n\n"
    "With --program the description is found out: the program is run on made-up labels, in a sandbox, as `lossleak identify' does.\n\n"
    "Examples:\n"
    "  lossleak audit --scorer kaggle/log_loss --rows 2201\n"
    "  lossleak audit --program 'python3 score.py' --rows 2201 --queries 150\n"
    "  lossleak audit --scorer sklearn-1.2/log_loss --rows 25000 --decimals 4 --queries 300 --html audit.html\n"
    "  lossleak audit --scorer sklearn/accuracy --rows 4000 --queries 100 --prior 0.68,0.32 --fail-on-leak";

/* ------------------------------------------------------------------ work */

static ll_status prepare(options *o, ll_audit_request *request, ll_error *error)
{
    request->seed = o->common.seed;
    request->combinations = 1;
    request->files = o->scorer.files;
    ll_status status =
        ll_cli_program_is_given(&o->program) ? ll_cli_program_describe(&o->asked, &o->scorer, error) : LL_OK;
    if (status == LL_OK)
        status = ll_cli_scorer_finish(&o->scorer, o->common.seed, o->common.max_memory, error);
    if (status == LL_OK && ll_scorer_get_count(o->scorer.scorer, "rows") == 0)
        status = ll_fail(error, LL_DOMAIN, "no rows: give --rows N, as many as the score is computed from");
    if (status == LL_OK) /* a prior says how many classes there are */
        status = ll_cli_scorer_resolve(&o->scorer, 0, ll_scorer_get(o->scorer.scorer, "prior") ? 0 : 2, error);
    if (status == LL_OK)
        status = ll_cli_read_positive(&request->target_share, "target-share", o->target, 1, "a share above 0, up to 1",
                                      error);
    if (status == LL_OK)
        status =
            ll_cli_read_positive(&request->epsilon, "epsilon", o->epsilon, 700, "a number above 0, up to 700", error);
    if (status == LL_OK)
        status = ll_cli_read_positive(&request->delta, "delta", o->delta, 0.5, "a number above 0, up to 0.5", error);
    return status;
}

/* What was found beside the score: an audit of the score is no all-clear for the program then. */
static int is_told_more(const options *o)
{
    return ll_cli_program_is_given(&o->program) && (o->asked.found.surprise_count > 0 || !o->asked.found.recognised);
}

static void limit_claims(const options *o, ll_audit *audit, char *answer, size_t size)
{
    if (!is_told_more(o))
        return;
    (void)snprintf(
        answer, size,
        "The program shows more than its score, or lets submitters choose rows: %ld surprise%s, %s. Of the score alone: %s",
        o->asked.found.surprise_count, o->asked.found.surprise_count == 1 ? "" : "s",
        o->asked.found.recognised ? "which come first" : "and some channel is not recognised", audit->answer);
    audit->answer = answer;
    audit->leaks = audit->leaks == LL_FALSE ? LL_UNKNOWN : audit->leaks;
    audit->proved = 0;
}

static ll_exit print(const options *o, const ll_audit *audit, ll_error *error)
{
    ll_audit_report report = {.scorer = o->scorer.scorer,
                              .audit = audit,
                              .warning = o->scorer.warning[0] ? o->scorer.warning : NULL,
                              .html = o->html,
                              .is_brief = o->brief,
                              .program = ll_cli_program_is_given(&o->program) ? &o->asked.report : NULL};
    char without[80] = "";
    if (o->html && ll_report_audit_page(o->html, &report, without, sizeof without, error) != LL_OK)
        return ll_cli_fail(error);
    ll_cli_unlimit_seconds();
    if (report.warning)
        ll_report_warning(report.warning);
    if (without[0])
        ll_report_warning("the page has no pictures: gnuplot is not installed (Debian: gnuplot-nox)");
    if (!o->common.json)
        ll_report_audit_text(&report);
    else if (ll_report_audit_json(&report, error) != LL_OK)
        return ll_cli_fail(error);
    int leaks = o->fail_on_leak && audit->leaks != LL_FALSE, passes = o->fail_on_bound && !audit->proved;
    return leaks || passes ? LL_EXIT_BAD_ANSWER : LL_EXIT_DONE;
}

static ll_exit audit_scorer(options *o, ll_error *error)
{
    ll_audit audit;
    ll_audit_request request;
    ll_budget budget = ll_cli_budget(&o->common);
    ll_audit_init(&audit);
    ll_audit_request_init(&request);
    request.budget = &budget;
    ll_status status = prepare(o, &request, error);
    if (status == LL_OK)
        status = ll_audit_run(&audit, o->scorer.scorer, &request, error);
    ll_cli_watch_explain(status, error);
    ll_audit shown = audit; /* for the report; the audit itself is cleared below */
    char answer[4000];
    if (status == LL_OK)
        limit_claims(o, &shown, answer, sizeof answer);
    ll_exit done = status == LL_OK ? print(o, &shown, error) : ll_cli_fail(error);
    ll_audit_clear(&audit);
    return done;
}

/* What was recognised is audited by its description; what was not, by the attack that was run on it. */
static ll_exit audit_program(options *o, ll_error *error)
{
    ll_exit done;
    double target = 0;
    ll_status status = ll_cli_program_ask(&o->asked, &o->program, &o->scorer, &o->common, error);
    if (status == LL_OK)
        status = ll_cli_read_positive(&target, "target-share", o->target, 1, "a share above 0, up to 1", error);
    if (status == LL_OK && o->asked.found.settings[0] != '\0') {
        done = audit_scorer(o, error);
    } else {
        ll_cli_watch_explain(status, error);
        int leaks = status == LL_OK && ll_cli_program_leaks(&o->asked, target);
        if (status == LL_OK)
            status = ll_cli_program_print(&o->asked, &o->scorer, o->html, o->common.json, leaks, error);
        done = status != LL_OK                       ? ll_cli_fail(error)
               : o->fail_on_leak || o->fail_on_bound ? LL_EXIT_BAD_ANSWER
                                                     : LL_EXIT_DONE;
    }
    ll_cli_program_clear(&o->asked);
    return done;
}

static ll_exit work(void *self)
{
    options *o = self;
    ll_error error = {0};
    ll_cli_on_interrupt_say(
        "interrupted; nothing is lost, because an audit asks only scorers that it simulates or runs "
        "itself");
    if (o->html && strcmp(o->html, "-") == 0)
        return ll_cli_usage_error("audit", "--html -: the report is on stdout; give a file");
    return ll_cli_program_is_given(&o->program) ? audit_program(o, &error) : audit_scorer(o, &error);
}

static const ll_syntax syntax = {
    .command = "audit",
    .doc = doc,
    .size = sizeof(options),
    .options = options_table,
    .first = "html brief fail-on-leak target-share scorer metric rows classes decimals noise release queries program "
             "json help",
    .parts = {LL_PART(&ll_cli_scorer_group, options, scorer),
              LL_PART(&ll_cli_program_group, options, program),
              LL_PART(&ll_cli_common_group, options, common),
              {0}}};

const ll_command ll_command_audit = {
    &syntax, "how much a scorer reveals, a limit for every attack, and what would stop it", work};
