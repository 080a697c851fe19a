/* Check, score, charge, store, commit, answer.
 *
 * What a submission reaches is computed before the transaction, so that others do not wait for it, but whether it is
 * answered is decided inside, without looking at it: limits, meter and validity see no label. What is repeated or
 * refused already is not scored at all, so how long that takes does not depend on labels either; only where the last
 * room was taken by somebody else in the meantime, a submission is scored and then refused. */
#include "guard/noisy_level.h"
#include "guard/row_ledger.h"
#include "number/text_number.h"
#include "number/value.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *ll_guard_outcome_name(ll_guard_outcome outcome)
{
    static const char *const names[] = {"accepted", "repeated", "refused", "invalid"};
    return (size_t)outcome < sizeof names / sizeof *names ? names[outcome] : NULL;
}

void ll_guard_answer_clear(ll_guard_answer *answer)
{
    ll_guard_answer *all = ll_value_whole(answer, sizeof *all);
    if (all == NULL)
        return;
    free(all->shown);
    free(all->text);
    ll_value_reset(answer);
}

typedef struct {
    ll_guard *guard;
    const char *name;
    char digest[LL_DIGEST_TEXT];
    const char *invalid;  /* why it cannot be scored; NULL: it can */
    int is_answered;      /* before it was scored: it is repeated or refused */
    long reached;         /* its level, or its number */
    ll_row_charge charge; /* where the policy keeps rows */
    int32_t *rho;         /* of all answers before it */
    char exposure[LL_DIGEST_TEXT];
    ll_ledger_state state;
    ll_ledger_account account;
    ll_guard_answer *answer;
} submission;

static ll_status say(submission *s, ll_guard_outcome outcome, ll_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static ll_status say(submission *s, ll_guard_outcome outcome, ll_error *error, const char *format, ...)
{
    va_list list;
    char text[600];
    va_start(list, format);
    (void)ll_print_list(text, sizeof text, format, list);
    va_end(list);
    s->answer->outcome = outcome;
    free(s->answer->text);
    s->answer->text = strdup(text);
    return s->answer->text != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for an answer");
}

/* ---- answered before ---- */

static int take_entry(void *self, const char *const *cells)
{
    ll_guard_answer *answer = self;
    answer->submission = strtol(cells[0], NULL, 10);
    answer->outcome = (ll_guard_outcome)strtol(cells[1], NULL, 10);
    answer->shown = cells[2] != NULL ? strdup(cells[2]) : NULL;
    (void)snprintf(answer->receipt, sizeof answer->receipt, "%s", cells[3]);
    return 1;
}

static ll_status find_repeated(submission *s, ll_error *error)
{
    char id[24];
    const char *values[] = {id, s->digest};
    (void)snprintf(id, sizeof id, "%ld", s->account.id);
    ll_status status = ll_store_run(s->guard->store,
                                    "SELECT id, outcome, shown, chain FROM lossleak_entries "
                                    "WHERE account = $1 AND digest = $2",
                                    values, 2, take_entry, s->answer, error);
    if (status == LL_OK && s->answer->submission != 0)
        status = say(s, LL_GUARD_REPEATED, error, "the same values as submission %ld: the same answer, free of charge",
                     s->answer->submission);
    return status;
}

/* ---- limits ---- */

typedef struct {
    double left;
    const char *what;
} limit;

static ll_status check_limits(submission *s, int *is_refused, ll_error *error)
{
    const limit limits[] = {{s->answer->left_all, "all submissions that the policy allows have been answered"},
                            {s->answer->left_account, "this account has no submission left"},
                            {s->answer->left_today, "this account has no submission left today (UTC)"}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].left <= 0) {
            *is_refused = 1;
            return say(s, LL_GUARD_REFUSED, error, "%s", limits[i].what);
        }
    return LL_OK;
}

/* Before it is scored: does the costliest answer fit? Of noise alone all answers cost the same. */
static int fits_budget(const submission *s)
{
    const ll_policy *policy = s->guard->policy;
    ll_stand stand = ll_guard_stand(policy, &s->state, &s->account);
    if (policy->levels > 0)
        return ll_meter_admits(&policy->tariff, &s->state.meter, &stand);
    return policy->tariff.budget == INT64_MAX || s->charge.price <= policy->tariff.budget - s->state.meter.spent;
}

static ll_status check_rows(submission *s, int *is_refused, ll_error *error)
{
    if (!s->guard->policy->keeps_rows)
        return LL_OK;
    free(s->rho);
    ll_status status = ll_row_ledger_get(s->guard, &s->rho, error);
    long full = status == LL_OK ? ll_row_ledger_find_full(s->guard, s->rho, &s->charge) : -1;
    *is_refused = full >= 0;
    if (full >= 0)
        status = say(
            s, LL_GUARD_REFUSED, error,
            "what is promised of single labels leaves row %ld too little for this submission; one that depends less "
            "on that row may fit",
            full);
    return status;
}

static ll_status check_meter(submission *s, int *is_refused, ll_error *error)
{
    *is_refused = !fits_budget(s);
    if (!*is_refused)
        return LL_OK;
    return say(s, LL_GUARD_REFUSED, error,
               "%.2f of %.2f bits are spent, and what is left does not pay for another answer", s->answer->spent,
               s->answer->budget);
}

/* ---- answers ---- */

static ll_status store(submission *s, const ll_ledger_entry *entry, ll_error *error)
{
    ll_status status = ll_ledger_add_entry(s->guard->store, &s->state, entry, error);
    s->state.entries = entry->id;
    s->state.at = entry->at;
    ll_guard_count(&s->account, entry->at);
    if (status == LL_OK)
        status = ll_ledger_put_account(s->guard->store, &s->account, error);
    if (status == LL_OK)
        status = ll_ledger_put_state(s->guard->store, &s->state, error);
    s->answer->submission = entry->id;
    s->answer->charged = (double)entry->cost / (double)LL_METER_BIT;
    memcpy(s->answer->receipt, s->state.head, sizeof s->state.head);
    ll_guard_say_left(s->guard->policy, s->answer, &s->state, &s->account);
    return status;
}

static ll_ledger_entry next_entry(const submission *s, ll_guard_outcome outcome)
{
    return (ll_ledger_entry){.id = s->state.entries + 1,
                             .account = s->account.id,
                             .digest = s->digest,
                             .outcome = outcome,
                             .at = ll_guard_clock(&s->state)};
}

static ll_status answer_invalid(submission *s, ll_error *error)
{
    ll_status status = say(s, LL_GUARD_INVALID, error, "%s", s->invalid);
    if (status != LL_OK || !s->guard->policy->are_failures_counted)
        return status;
    ll_ledger_entry entry = next_entry(s, LL_GUARD_INVALID);
    s->state.invalid++;
    return store(s, &entry, error);
}

/* The rows are charged before the answer is stored. */
static ll_status charge_rows(submission *s, ll_ledger_entry *entry, ll_error *error)
{
    if (!s->guard->policy->keeps_rows)
        return LL_OK;
    ll_row_ledger_add(s->guard, s->rho, &s->charge);
    ll_row_ledger_digest(s->guard, s->exposure, s->rho);
    entry->exposure = s->exposure;
    return ll_row_ledger_put(s->guard, s->rho, error);
}

static ll_status answer_number(submission *s, ll_error *error)
{
    ll_ledger_entry entry = next_entry(s, LL_GUARD_ACCEPTED);
    long before = s->account.improved;
    ll_status status = charge_rows(s, &entry, error);
    entry.level = s->reached;
    entry.cost = s->charge.price;
    ll_guard_charge_number(&s->state, &s->account, s->reached, entry.cost, entry.at);
    s->account.answered++;
    s->answer->improved = s->account.improved > before;
    s->answer->shown = ll_guard_level_text(s->guard->policy, entry.level);
    if (s->answer->shown == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for an answer");
    entry.shown = s->answer->shown;
    if (status == LL_OK)
        status = say(s, LL_GUARD_ACCEPTED, error, "%s", s->answer->improved ? "a new best" : "no improvement");
    return status == LL_OK ? store(s, &entry, error) : status;
}

static ll_status answer_level(submission *s, ll_error *error)
{
    const ll_policy *policy = s->guard->policy;
    ll_stand stand = ll_guard_stand(policy, &s->state, &s->account);
    long level = ll_guard_level(policy, &s->state, &s->account), climbed = s->reached - level;
    ll_ledger_entry entry = next_entry(s, LL_GUARD_ACCEPTED);
    climbed = climbed < 0 ? 0 : climbed > stand.left ? stand.left : climbed;
    climbed = ll_meter_show(&policy->tariff, &s->state.meter, &stand, climbed);
    entry.level = level + climbed;
    entry.cost = ll_guard_charge(policy, &s->state, &s->account, climbed, entry.at);
    s->account.answered++;
    s->answer->improved = climbed > 0;
    s->answer->shown = ll_guard_level_text(policy, entry.level);
    if (s->answer->shown == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for an answer");
    entry.shown = s->answer->shown;
    ll_status status = charge_rows(s, &entry, error);
    if (status != LL_OK)
        return status;
    status = say(s, LL_GUARD_ACCEPTED, error, "%s",
                 climbed > 0       ? "a new best"
                 : entry.level > 0 ? "no improvement: the best so far is shown"
                                   : "not above the baseline");
    return status == LL_OK ? store(s, &entry, error) : status;
}

/* ---- the transaction ---- */

static void start_again(submission *s)
{
    ll_guard_answer *answer = s->answer;
    free(answer->shown);
    free(answer->text);
    *answer = (ll_guard_answer){.size = sizeof *answer};
}

static ll_status load(submission *s, ll_error *error)
{
    ll_status status = ll_ledger_get_state(s->guard->store, &s->state, error);
    if (status == LL_OK)
        status = ll_ledger_find_account(s->guard->store, &s->account, s->name, error);
    if (status == LL_OK && s->account.role != LL_ROLE_PARTICIPANT)
        status = ll_fail(error, LL_DOMAIN, "there is no account of a participant by the name of %s", s->name);
    if (status == LL_OK && s->account.id == 0)
        status = ll_fail(error, LL_DOMAIN, "there is no account %s", s->name);
    if (status == LL_OK)
        ll_guard_say_left(s->guard->policy, s->answer, &s->state, &s->account);
    return status;
}

/* What is repeated or refused is answered: *is_answered. */
static ll_status admit(submission *s, int *is_answered, ll_error *error)
{
    start_again(s);
    ll_status status = load(s, error);
    if (status == LL_OK)
        status = find_repeated(s, error);
    *is_answered = s->answer->submission != 0;
    if (status == LL_OK && !*is_answered)
        status = check_limits(s, is_answered, error);
    if (status == LL_OK && !*is_answered && s->invalid == NULL)
        status = check_meter(s, is_answered, error);
    if (status == LL_OK && !*is_answered && s->invalid == NULL)
        status = check_rows(s, is_answered, error);
    return status;
}

static ll_status transact(void *self, ll_error *error)
{
    submission *s = self;
    int is_answered = 0;
    ll_status status = admit(s, &is_answered, error);
    if (status != LL_OK || is_answered)
        return status;
    if (s->invalid != NULL)
        return answer_invalid(s, error);
    return s->guard->policy->levels > 0 ? answer_level(s, error) : answer_number(s, error);
}

static ll_status look_ahead(void *self, ll_error *error)
{
    submission *s = self;
    return admit(s, &s->is_answered, error);
}

/* ---- check and score ---- */

static ll_status check_shape(const ll_guard *guard, const ll_predictions *p, long classes, ll_error *error)
{
    if (p->rows != guard->rows)
        return ll_fail(error, LL_DOMAIN, "there are %ld rows of predictions, not %ld", p->rows, guard->rows);
    if (p->columns != 1 && p->columns != classes && guard->policy->better == NULL)
        return ll_fail(error, LL_DOMAIN, "there are %ld columns of predictions, not 1 or %ld", p->columns, classes);
    return LL_OK;
}

/* Whatever cannot be read has a digest, too, so that it is counted once. */
static ll_status digest_invalid(submission *s, const char *why, const ll_predictions *p)
{
    ll_digest digest;
    ll_digest_init(&digest, "invalid");
    ll_digest_add_number(&digest, p->rows);
    ll_digest_add_number(&digest, p->columns);
    ll_digest_add_text(&digest, why);
    ll_digest_finish_text(&digest, s->digest);
    s->invalid = why;
    return LL_OK;
}

static ll_status check(submission *s, const ll_predictions *p, ll_error *why, ll_error *error)
{
    const ll_policy *policy = s->guard->policy;
    long classes = ll_scorer_get_count(policy->scorer, "classes");
    classes = classes > 0 ? classes : 2;
    ll_status status = check_shape(s->guard, p, classes, why);
    if (status == LL_OK)
        status = ll_digest_predictions(s->digest, p, policy->input, classes, s->guard->secret, why);
    if (status == LL_OK && policy->keeps_rows)
        status = ll_row_charge_measure(s->guard, &s->charge, p, why);
    if (status == LL_DOMAIN)
        return digest_invalid(s, why->text, p);
    if (status != LL_OK && error != NULL)
        *error = *why;
    return status;
}

/* The host's own number, and the level that it reaches. */
static ll_status score_own(const submission *s, long *level, const ll_predictions *p, ll_error *error)
{
    const ll_guard *guard = s->guard;
    ll_error unsaid;
    double score = (double)NAN;
    if (guard->metric == NULL)
        return ll_fail(error, LL_SYSTEM, "the metric of this policy is the host's own, and it was not given");
    ll_status status = guard->metric(guard->metric_self, &score, guard->labels, guard->rows, p, &unsaid);
    return status == LL_OK && isfinite(score) ? ll_guard_level_of(guard, level, score, error) : LL_OK;
}

/* A score that labels make fail, or that cannot be decided, is one that does not improve. Of noise alone every
 * submission that was measured has a number, whatever the labels. */
static ll_status score(submission *s, const ll_predictions *p, ll_error *error)
{
    const ll_guard *guard = s->guard;
    ll_reach reach = {0};
    if (guard->policy->better != NULL)
        return score_own(s, &s->reached, p, error);
    ll_status status = guard->bare != NULL
                           ? ll_guard_noisy_level(s->guard, &reach.level, s->digest, p, s->charge.size, error)
                           : ll_curator_reach(guard->curator, &reach, p, error);
    s->reached = status == LL_OK ? reach.level : 0;
    if (guard->policy->levels == 0)
        return status == LL_OK ? status : ll_fail(error, LL_SYSTEM, "the submission cannot be scored");
    return status == LL_DOMAIN || status == LL_UNABLE ? LL_OK : status;
}

ll_status ll_guard_submit(ll_guard *guard, ll_guard_answer *out, const char *account, const ll_predictions *predictions,
                          ll_error *error)
{
    ll_error why;
    ll_guard_answer made = {.size = sizeof made};
    submission s = {.guard = guard, .name = account, .answer = &made};
    ll_status status = check(&s, predictions, &why, error);
    if (status == LL_OK && s.invalid == NULL)
        status = ll_store_transact(guard->store, LL_STORE_READS, look_ahead, &s, error);
    if (status == LL_OK && s.invalid == NULL && !s.is_answered)
        status = score(&s, predictions, error);
    if (status == LL_OK && !s.is_answered)
        status = ll_store_transact(guard->store, LL_STORE_WRITES, transact, &s, error);
    if (status == LL_OK) {
        ll_guard_answer_clear(out);
        status = ll_value_give(out, &made, sizeof made, error);
    }
    if (status != LL_OK)
        ll_guard_answer_clear(&made);
    ll_row_charge_clear(&s.charge);
    free(s.rho);
    return status;
}
