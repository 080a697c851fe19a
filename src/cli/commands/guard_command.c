/* lossleak guard: a curator with a memory, for scripts. Every action is a row of a table. */
#include "cli/commands/guard_command.h"

#include "cli/options/parse.h"
#include "cli/signals.h"
#include "io/files/io_fail.h"
#include "io/formats/predictions.h"
#include "programs/program_metric.h"

#include <errno.h>
#include <string.h>

static const struct argp_option options_table[] = {
    {"ledger", LL_TEXT(ll_guard_options, ledger), "URL", 0,
     "The ledger: sqlite:FILE, or just a file; or postgresql://USER@HOST/DATABASE, for several machines", 1},
    {"policy", LL_TEXT(ll_guard_options, policy), "FILE", 0, "init: the policy, JSON (docs/guard.md)", 1},
    {"key", LL_TEXT(ll_guard_options, key), "FILE", 0,
     "A file with 32 random bytes that the labels are encrypted with; init creates it if it does not exist", 1},
    {"account", LL_TEXT(ll_guard_options, account), "NAME", 0, "Who submits; account, forget: whose account it is", 1},
    {"host", LL_FLAG(ll_guard_options, host), NULL, 0,
     "account: one of the host, who sees the ledger and does not submit", 1},
    {"predictions", 'p', "FILE", 0, "score: predictions in the forms of `lossleak score', with classes as numbers", 1},
    {"receipt", LL_TEXT(ll_guard_options, receipt), "DIGEST", 0,
     "status: a receipt or head that the ledger must contain; otherwise an older ledger was restored", 1},
    {0}};

static const ll_place places[] = {{'p', LL_TEXT(ll_guard_options, predictions)}, {0}};

static error_t parse_other(void *self, int key, char *value)
{
    ll_guard_options *o = self;
    return key == ARGP_KEY_ARG ? ll_cli_set_only(&o->action, "action", value, &o->common.error) : ARGP_ERR_UNKNOWN;
}

static const char doc[] =
    "A curator with a memory: scores submissions under a policy, charges a ledger for what each answer reveals "
    "before it answers, and refuses a submission if the promised bound could be exceeded.\v"
    "init makes a ledger of a policy and labels. account adds an account and prints its token, which serve asks for. "
    "score scores a submission of an account; the same values get the same answer and cost nothing. status computes "
    "the ledger again, and shows what is spent, what is proved, and the leaderboard. forget takes an account's name "
    "and token away; its entries stay, since the bound needs them.\n\n"
    "Exit status 0: done; 1: the submission is refused or invalid.\n\n"
    "Examples:\n"
    "  lossleak guard init --ledger test.db --policy policy.json --labels test.csv:label --key test.key\n"
    "  lossleak guard account --ledger test.db --key test.key --account anna\n"
    "  lossleak guard score --ledger test.db --key test.key --account anna --predictions submission.csv\n"
    "  lossleak guard status --ledger test.db --key test.key --json";

/* ---- actions: each gets an open guard ---- */

static ll_status account(const ll_guard_options *o, ll_guard *guard, ll_exit *exit, ll_error *error)
{
    char token[LL_GUARD_TOKEN] = "";
    (void)exit;
    ll_status status =
        ll_guard_add_account(guard, token, o->account, o->host ? LL_ROLE_HOST : LL_ROLE_PARTICIPANT, error);
    return status == LL_OK ? ll_cli_guard_print_made(o, guard, token, error) : status;
}

static ll_status forget(const ll_guard_options *o, ll_guard *guard, ll_exit *exit, ll_error *error)
{
    (void)exit;
    ll_status status = ll_guard_forget_account(guard, o->account, error);
    return status == LL_OK ? ll_cli_guard_print_made(o, guard, "", error) : status;
}

static ll_status submit(const ll_guard_options *o, ll_guard *guard, ll_guard_answer *answer, ll_error *error)
{
    const ll_scorer *scorer = ll_policy_get_scorer(ll_guard_get_policy(guard));
    ll_io_predictions *file = NULL;
    ll_predictions predictions;
    ll_status status = ll_io_open_predictions(&file, &predictions, o->predictions, ll_scorer_get_count(scorer, "rows"),
                                              0, o->common.max_memory, error);
    if (status == LL_OK)
        status = ll_guard_submit(guard, answer, o->account, &predictions, error);
    ll_io_close_predictions(file);
    return status;
}

static ll_status score(const ll_guard_options *o, ll_guard *guard, ll_exit *exit, ll_error *error)
{
    ll_guard_answer answer;
    ll_program_metric *program = NULL;
    ll_guard_answer_init(&answer);
    ll_status status = ll_program_metric_use(&program, guard, error);
    if (status == LL_OK)
        status = submit(o, guard, &answer, error);
    if (status == LL_OK)
        status = ll_cli_guard_print_answer(o, &answer, error);
    int is_answered = answer.outcome == LL_GUARD_ACCEPTED || answer.outcome == LL_GUARD_REPEATED;
    *exit = is_answered ? LL_EXIT_DONE : LL_EXIT_BAD_ANSWER;
    ll_guard_answer_clear(&answer);
    ll_program_metric_close(program);
    return status;
}

static ll_status status_of(const ll_guard_options *o, ll_guard *guard, ll_exit *exit, ll_error *error)
{
    (void)exit;
    ll_status status = ll_guard_verify(guard, o->receipt, error);
    return status == LL_OK ? ll_cli_guard_print_status(o, guard, error) : status;
}

static ll_status print_made(const ll_guard_options *o, ll_guard *guard, ll_exit *exit, ll_error *error)
{
    (void)exit;
    return ll_cli_guard_print_made(o, guard, "", error);
}

/* ---- ledgers ---- */

static ll_status open_ledger(ll_guard_options *o, ll_guard **guard, ll_error *error)
{
    unsigned char key[LL_GUARD_KEY];
    int has_key = 0;
    ll_status status = ll_cli_guard_read_key(key, &has_key, o->key, 0, error);
    return status == LL_OK ? ll_guard_open(guard, o->ledger, has_key ? key : NULL, error) : status;
}

static ll_status make_ledger(ll_guard_options *o, ll_guard **guard, ll_error *error)
{
    unsigned char key[LL_GUARD_KEY];
    int has_key = 0;
    ll_policy *policy = NULL;
    ll_status status = ll_cli_guard_read_policy(&policy, o, error);
    if (status == LL_OK)
        status = ll_program_metric_check(policy, error);
    if (status == LL_OK)
        status =
            ll_cli_labels_read(&o->labels, ll_policy_get_scorer(policy), o->common.seed, o->common.max_memory, error);
    if (status == LL_OK)
        status = ll_cli_guard_read_key(key, &has_key, o->key, 1, error);
    if (status == LL_OK)
        status = ll_guard_create(guard, o->ledger, policy, o->labels.held.labels, o->labels.held.rows,
                                 has_key ? key : NULL, error);
    ll_policy_destroy(policy);
    return status;
}

/* ---- the table ---- */

typedef struct {
    const char *name;
    ll_status (*open)(ll_guard_options *o, ll_guard **guard, ll_error *error);
    ll_status (*run)(const ll_guard_options *o, ll_guard *guard, ll_exit *exit, ll_error *error);
    int needs_account, needs_predictions, needs_labels;
} action;

static const action actions[] = {
    {"init", make_ledger, print_made, 0, 0, 1}, {"account", open_ledger, account, 1, 0, 0},
    {"score", open_ledger, score, 1, 1, 0},     {"status", open_ledger, status_of, 0, 0, 0},
    {"forget", open_ledger, forget, 1, 0, 0},
};

static const action *find_action(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

static const char *complain(const ll_guard_options *o, const action *a)
{
    if (a == NULL)
        return "what to do: init, account, score, status or forget";
    if (o->ledger == NULL)
        return "no ledger: give --ledger URL";
    if (a->needs_labels && o->policy == NULL)
        return "no policy: give --policy FILE";
    if (a->needs_account && o->account == NULL)
        return "no account: give --account NAME";
    if (a->needs_predictions && o->predictions == NULL)
        return "no predictions: give --predictions FILE";
    return a->needs_labels ? ll_cli_labels_complain(&o->labels) : NULL;
}

static ll_exit work(void *self)
{
    ll_guard_options *o = self;
    ll_error error = {0};
    ll_guard *guard = NULL;
    ll_exit exit = LL_EXIT_DONE;
    const action *a = o->action != NULL ? find_action(o->action) : NULL;
    const char *complaint = complain(o, a);
    if (complaint != NULL)
        return ll_cli_usage_error("guard", complaint);
    ll_status status = a->open(o, &guard, &error);
    if (status == LL_OK)
        status = a->run(o, guard, &exit, &error);
    ll_guard_close(guard);
    return status == LL_OK ? exit : ll_cli_fail(&error);
}

static const ll_syntax syntax = {.command = "guard",
                                 .arguments = "init|account|score|status|forget",
                                 .doc = doc,
                                 .size = sizeof(ll_guard_options),
                                 .options = options_table,
                                 .places = places,
                                 .parts = {LL_PART(&ll_cli_label_group, ll_guard_options, labels),
                                           LL_PART(&ll_cli_common_group, ll_guard_options, common),
                                           {0}},
                                 .parse_other = parse_other};

const ll_command ll_command_guard = {&syntax,
                                     "a curator with a memory: scores, charges a ledger, keeps a promised bound", work};
