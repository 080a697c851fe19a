/* lossleak defend: which release keeps a promise, and what does it cost? */
#include "cli/commands/defend_policy.h"
#include "cli/options/option_value.h"
#include "cli/options/parse.h"
#include "cli/options/scorer_options.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "report/audit_page.h"
#include "report/defend_report.h"
#include "report/message.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_common_options common;
    ll_scorer_options scorer;
    const char *share, *bits, *cost, *policy, *better, *html;
} options;

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "The promise:", 1},
    {"share", LL_TEXT(options, share), "P", 0,
     "No attack gets more than this share of the labels right on average; default: 5 points above guessing", 1},
    {"bits", LL_TEXT(options, bits), "B", 0,
     "All answers together reveal at most B bits about the labels, instead of --share", 1},
    {"better", LL_TEXT(options, better), "higher|lower", 0,
     "For a metric that lossleak does not know, instead of --metric: which of its scores are better. Only releases by "
     "levels are proposed, because their proof holds for every metric; --honest LO:HI gives their range",
     1},
    {"cost", LL_TEXT(options, cost), "C", 0,
     "Only releases whose noise is at most C sampling errors of an average model", 1},
    {"policy", LL_TEXT(options, policy), "FILE", 0,
     "Write a policy for `lossleak guard': the first release by levels that is proposed, with this promise", 1},
    {"html", LL_TEXT(options, html), "FILE", 0, "Also write a shareable page: one file, with its pictures", 1},
    {0}};

static const char doc[] =
    "Which release keeps any attack below a share of the labels, and what does it cost? Noise scaled to each "
    "submission, noise of a fixed size, clips, decimals, limits and Ladders are computed, alone and combined, so "
    "that they keep the promise. Attacks are run against each. Those with a proof come first, the cheapest on top. "
    "For a metric that lossleak does not know, --better is enough for a release by levels.\v"
    "--queries is the total number of submissions: tries per day x days x accounts. A sampling error is the error that "
    "an average model's score has because its rows are a sample: noise far below 1 sampling error makes little "
    "difference.\n\n"
    "Examples:\n"
    "  lossleak defend --scorer kaggle/log_loss --rows 2201 --queries 150 --share 0.6\n"
    "  lossleak defend --scorer sklearn/accuracy --rows 10000 --queries 200 --share 0.55 --cost 3 --json\n"
    "  lossleak defend --better higher --honest 0.4:0.7 --rows 10000 --queries 200 --share 0.6";

/* A metric that stands in for one that is not known: the proof of levels asks only which scores are better. It takes any
 * number of classes, and its scores reach far: else fewer levels than those of the list could be reached. */
static const struct {
    const char *better, *metric, *transform;
} stand_ins[] = {{"higher", "macro-f1", "scale:1e12"}, {"lower", "macro-f1", "scale:-1e12"}};

static ll_status set_unknown(const options *o, ll_error *error)
{
    ll_scorer *scorer = o->scorer.scorer;
    size_t i = 0, count = sizeof stand_ins / sizeof stand_ins[0];
    while (o->better != NULL && i < count && strcmp(stand_ins[i].better, o->better) != 0)
        i++;
    if (o->better == NULL)
        return LL_OK;
    if (i == count)
        return ll_fail(error, LL_DOMAIN, "--better %s: higher or lower", o->better);
    if (ll_cli_scorer_names_metric(&o->scorer))
        return ll_fail(error, LL_DOMAIN,
                       "--better is for a metric that is not known here: leave out --metric and --scorer");
    if (ll_scorer_get(scorer, "honest") == NULL)
        return ll_fail(error, LL_DOMAIN,
                       "--better: give --honest LO:HI, where the scores of honest models are expected");
    ll_status status = ll_scorer_set(scorer, "metric", stand_ins[i].metric, error);
    return status == LL_OK ? ll_scorer_set(scorer, "transform", stand_ins[i].transform, error) : status;
}

static ll_status prepare(options *o, ll_audit_request *request, double *most, ll_error *error)
{
    static const char any[] = "a number above 0";
    request->seed = o->common.seed;
    request->combinations = 1;
    request->files = o->scorer.files;
    ll_status status = ll_cli_scorer_finish(&o->scorer, o->common.seed, o->common.max_memory, error);
    if (status == LL_OK)
        status = set_unknown(o, error);
    if (status == LL_OK)
        status = ll_cli_scorer_need_whole(&o->scorer, "defend", error);
    if (status == LL_OK && ll_scorer_get_count(o->scorer.scorer, "rows") == 0)
        status = ll_fail(error, LL_DOMAIN, "no rows: give --rows N, as many as the score is computed from");
    if (status == LL_OK && ll_scorer_get_count(o->scorer.scorer, "queries") == 0 &&
        ll_scorer_get_count(o->scorer.scorer, "per-day") == 0)
        status = ll_fail(error, LL_DOMAIN,
                         "no limit: give --queries T, all answers that you mean to give: tries x days x accounts");
    if (status == LL_OK && o->share && o->bits)
        status = ll_fail(error, LL_DOMAIN, "--share and --bits are two ways to say one promise: give one of them");
    if (status == LL_OK) /* a prior says how many classes there are */
        status = ll_cli_scorer_resolve(&o->scorer, 0, ll_scorer_get(o->scorer.scorer, "prior") ? 0 : 2, error);
    if (status == LL_OK)
        status = ll_cli_read_positive(&request->target_share, "share", o->share, 1, "a share above 0, up to 1", error);
    if (status == LL_OK)
        status = ll_cli_read_positive(&request->target_bits, "bits", o->bits, 1e15, any, error);
    return status == LL_OK ? ll_cli_read_positive(most, "cost", o->cost, 1e15, any, error) : status;
}

static ll_exit print(const options *o, const ll_audit *audit, double most, ll_error *error)
{
    ll_audit_report report = {.scorer = o->scorer.scorer, .audit = audit};
    ll_defend_report defend = {.audit = &report, .most = most, .is_unknown = o->better != NULL};
    ll_cli_unlimit_seconds();
    if (o->scorer.warning[0])
        ll_report_warning(o->scorer.warning);
    char without[80] = "";
    if (o->html && ll_report_audit_page(o->html, &report, without, sizeof without, error) != LL_OK)
        return ll_cli_fail(error);
    if (without[0] != '\0')
        ll_report_warning("the page has no pictures: gnuplot is not installed (Debian: gnuplot-nox)");
    if (!o->common.json)
        ll_report_defend_text(&defend);
    else if (ll_report_defend_json(&defend, error) != LL_OK)
        return ll_cli_fail(error);
    return LL_EXIT_DONE;
}

static ll_exit work(void *self)
{
    options *o = self;
    ll_error error = {0};
    ll_audit audit;
    ll_audit_request request;
    double most = INFINITY;
    ll_budget budget = ll_cli_budget(&o->common);
    ll_audit_init(&audit);
    ll_audit_request_init(&request);
    request.budget = &budget;
    ll_status status = prepare(o, &request, &most, &error);
    if (status == LL_OK)
        status = ll_audit_run(&audit, o->scorer.scorer, &request, &error);
    ll_cli_watch_explain(status, &error);
    if (status == LL_OK && o->policy != NULL)
        status = ll_cli_defend_write_policy(o->policy, o->scorer.scorer, o->better, &audit, &error);
    ll_exit done = status == LL_OK ? print(o, &audit, most, &error) : ll_cli_fail(&error);
    ll_audit_clear(&audit);
    return done;
}

static const ll_syntax syntax = {
    .command = "defend",
    .doc = doc,
    .size = sizeof(options),
    .options = options_table,
    .parts = {LL_PART(&ll_cli_scorer_group, options, scorer), LL_PART(&ll_cli_common_group, options, common), {0}}};

const ll_command ll_command_defend = {&syntax, "releases that keep any attack below a share, cheapest first", work};
