#include "cli/commands/guard_command.h"
#include "report/guard_json.h"
#include "report/text_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- init, account ---- */

ll_status ll_cli_guard_print_made(const ll_guard_options *o, const ll_guard *guard, const char *token, ll_error *error)
{
    const ll_policy *policy = ll_guard_get_policy(guard);
    ll_json json;
    if (!o->common.json) {
        ll_report_field(stdout, "ledger", "%s", o->ledger);
        ll_report_field(stdout, "policy", "%s", ll_policy_get_digest(policy));
        if (o->account != NULL)
            ll_report_field(stdout, "account", "%s", o->account);
        if (token[0])
            ll_report_field(stdout, "token", "%s (it is shown once)", token);
        return LL_OK;
    }
    ll_report_json_begin(&json, "guard");
    ll_report_json_add(&json, "action", ll_report_json_string(o->action));
    ll_report_json_add(&json, "ledger", ll_report_json_string(o->ledger));
    ll_report_json_add(&json, "digest", json_string(ll_policy_get_digest(policy)));
    ll_report_json_add(&json, "account", ll_report_json_string(o->account));
    ll_report_json_add(&json, "token", ll_report_json_string(token[0] ? token : NULL));
    return ll_report_json_end(&json, error);
}

/* ---- score ---- */

static void print_left(const char *what, double left)
{
    if (isfinite(left))
        ll_report_field(stdout, "left", "%.0f submission%s %s", left, left == 1 ? "" : "s", what);
}

static void print_answer_text(const ll_guard_answer *a)
{
    ll_report_field(stdout, "answer", "%s: %s", ll_guard_outcome_name(a->outcome), a->text);
    if (a->shown != NULL)
        ll_report_field(stdout, "score", "%s", a->shown);
    if (a->submission > 0)
        ll_report_field(stdout, "entry", "%ld, receipt %s", a->submission, a->receipt);
    if (isfinite(a->budget))
        ll_report_field(stdout, "spent", "%.4f bits for this answer; %.2f of %.2f by all accounts", a->charged,
                        a->spent, a->budget);
    else
        ll_report_field(stdout, "spent", "%.4f bits for this answer; %.2f by all accounts", a->charged, a->spent);
    print_left("of this account today", a->left_today);
    print_left("of this account", a->left_account);
    print_left("of all accounts", a->left_all);
}

ll_status ll_cli_guard_print_answer(const ll_guard_options *o, const ll_guard_answer *a, ll_error *error)
{
    ll_json json;
    if (!o->common.json) {
        print_answer_text(a);
        return LL_OK;
    }
    ll_report_json_begin(&json, "guard");
    ll_report_json_add(&json, "action", ll_report_json_string(o->action));
    ll_report_json_add(&json, "account", ll_report_json_string(o->account));
    ll_report_guard_answer(&json, a);
    return ll_report_json_end(&json, error);
}

/* ---- status ---- */

static int print_place(void *self, const ll_guard_place *p)
{
    (void)self;
    ll_report_field(stdout, "place", "%ld  %s  %s  (%ld submission%s)", p->place, p->shown, p->account, p->submissions,
                    p->submissions == 1 ? "" : "s");
    return 0;
}

static void print_status_text(const ll_guard_options *o, const ll_guard_status *s)
{
    ll_report_field(stdout, "ledger", "%s: %ld submission%s (%ld invalid) of %ld account%s, labels %s", o->ledger,
                    s->submissions, s->submissions == 1 ? "" : "s", s->invalid, s->accounts,
                    s->accounts == 1 ? "" : "s", s->is_encrypted ? "encrypted" : "not encrypted");
    if (isfinite(s->budget))
        ll_report_field(stdout, "spent", "%.2f of %.2f bits", s->spent, s->budget);
    else
        ll_report_field(stdout, "spent", "%.2f bits, without a budget", s->spent);
    ll_report_field(stdout, "proved",
                    "no method gets more than %.1f%% of the labels right on average from all that may be shown; "
                    "a promise of the bits spent so far would be %.1f%% (guessing: %.1f%%)",
                    100 * s->share_promised, 100 * s->share_spent, 100 * s->share_guess);
    if (!isnan(s->row_spent))
        ll_report_field(
            stdout, "rows",
            "nobody guesses a single label with a probability above %.1f%% from all that may be shown, even "
            "knowing all others; a promise of what the most exposed row has had so far would be %.1f%%",
            100 * s->row_promised, 100 * s->row_spent);
    ll_report_field(stdout, "next", "the first answer of a new account costs %.2f bits at most", s->most);
    ll_report_field(stdout, "head", "%s", s->head);
}

static ll_status print_status_json(const ll_guard_options *o, ll_guard *guard, const ll_guard_status *s,
                                   ll_error *error)
{
    ll_json json;
    json_t *places = json_array();
    ll_status status = ll_guard_leaderboard(guard, ll_report_guard_place, places, error);
    if (status != LL_OK) {
        json_decref(places);
        return status;
    }
    ll_report_json_begin(&json, "guard");
    ll_report_json_add(&json, "action", ll_report_json_string(o->action));
    ll_report_guard_status(&json, s, ll_guard_get_policy(guard));
    ll_report_json_add(&json, "verified", json_true());
    ll_report_json_add(&json, "leaderboard", places);
    return ll_report_json_end(&json, error);
}

ll_status ll_cli_guard_print_status(const ll_guard_options *o, ll_guard *guard, ll_error *error)
{
    ll_guard_status s;
    ll_status status = ll_guard_get_status(guard, &s, error);
    if (status != LL_OK)
        return status;
    if (o->common.json)
        return print_status_json(o, guard, &s, error);
    print_status_text(o, &s);
    return ll_guard_leaderboard(guard, print_place, NULL, error);
}
