/* What a ledger shows: the meter, an account, the leaderboard, its entries. */
#include "guard/row_ledger.h"
#include "number/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double bits_of(int64_t units)
{
    return units == INT64_MAX ? INFINITY : (double)units / (double)LL_METER_BIT;
}

/* ---- the meter ---- */

static int take_count(void *self, const char *const *cells)
{
    *(long *)self = strtol(cells[0], NULL, 10);
    return 1;
}

/* Without a budget the limits on submissions are what there is: the audit counts staircases. */
static ll_status set_promise(ll_guard_status *out, const ll_policy *policy, ll_error *error)
{
    ll_audit_bound bound = {0};
    if (isfinite(out->budget))
        return ll_audit_share_of_bits(&out->share_promised, policy->scorer, out->budget, error);
    double each = policy->per_account > 0 ? (double)policy->per_account : INFINITY;
    double accounts = policy->accounts > 0 ? (double)policy->accounts : INFINITY;
    double all = policy->submissions > 0 ? (double)policy->submissions : INFINITY;
    ll_status status =
        ll_audit_limit(&bound, policy->levels > 0 ? policy->scorer : policy->noisy, fmin(all, each * accounts), error);
    out->share_promised = bound.max_share;
    return status;
}

static ll_status set_shares(ll_guard_status *out, const ll_policy *policy, ll_error *error)
{
    ll_status status = ll_audit_share_of_bits(&out->share_spent, policy->scorer, out->spent, error);
    if (status == LL_OK)
        status = ll_audit_share_of_bits(&out->share_guess, policy->scorer, 0, error);
    return status == LL_OK ? set_promise(out, policy, error) : status;
}

/* Of one label, by what is known of all: the same bound for as many bits of each. */
static ll_status share_of_rho(double *out, const ll_guard *guard, double rho, ll_error *error)
{
    *out = 1;
    double bits = rho / LL_RHO_OF_BITS * (double)guard->rows * (1 + 0x1p-40);
    return isfinite(rho) ? ll_audit_share_of_bits(out, guard->policy->scorer, bits, error) : LL_OK;
}

static ll_status set_rows(ll_guard *guard, ll_guard_status *out, ll_error *error)
{
    int32_t *rho = NULL, most = 0;
    out->row_spent = out->row_promised = (double)NAN;
    if (!guard->policy->keeps_rows)
        return LL_OK;
    ll_status status = ll_row_ledger_get(guard, &rho, error);
    for (long i = 0; i < guard->rows && status == LL_OK; i++)
        most = rho[i] > most ? rho[i] : most;
    free(rho);
    if (status == LL_OK)
        status = share_of_rho(&out->row_spent, guard, most < INT32_MAX ? most / LL_RHO_ONE : INFINITY, error);
    return status == LL_OK ? share_of_rho(&out->row_promised, guard, guard->policy->row_cap, error) : status;
}

static void set_prices(ll_guard_status *out, const ll_policy *policy, const ll_ledger_state *state)
{
    const ll_ledger_account none = {0};
    ll_stand stand = ll_guard_stand(policy, state, &none);
    if (policy->levels == 0) {
        out->most = ll_row_charge_most(policy, out->rows);
        return;
    }
    out->least = bits_of(ll_meter_price(&policy->tariff, &state->meter, &stand, 0));
    out->most = bits_of(ll_meter_most(&policy->tariff, &state->meter, &stand));
}

ll_status(ll_guard_get_status)(ll_guard *guard, ll_guard_status *out, size_t size, ll_error *error)
{
    const ll_policy *policy = guard->policy;
    ll_guard_status made = {.size = size};
    ll_guard_answer left = {0};
    const ll_ledger_account none = {0};
    ll_ledger_state state;
    ll_status status = ll_ledger_get_state(guard->store, &state, error);
    if (status == LL_OK)
        status = ll_store_run(guard->store, "SELECT count(*) FROM lossleak_accounts WHERE role = 1", NULL, 0,
                              take_count, &made.accounts, error);
    if (status != LL_OK)
        return status;
    ll_guard_say_left(policy, &left, &state, &none);
    made.spent = left.spent;
    made.budget = left.budget;
    made.left_all = left.left_all;
    made.rows = guard->rows;
    made.submissions = state.entries;
    made.invalid = state.invalid;
    made.improvements = state.improved;
    made.levels = policy->levels;
    made.time = state.entries > 0 ? (double)state.at : NAN;
    made.is_encrypted = guard->is_encrypted;
    memcpy(made.head, state.head, sizeof made.head);
    set_prices(&made, policy, &state);
    status = set_shares(&made, policy, error);
    if (status == LL_OK)
        status = set_rows(guard, &made, error);
    if (status == LL_OK)
        ll_value_copy(out, size, &made, sizeof made);
    return status;
}

/* ---- an account ---- */

ll_status ll_guard_get_account(ll_guard *guard, ll_guard_answer *out, const char *account, ll_error *error)
{
    ll_guard_answer made = {.size = sizeof made};
    ll_ledger_state state;
    ll_ledger_account found;
    ll_status status = ll_ledger_get_state(guard->store, &state, error);
    if (status == LL_OK)
        status = ll_ledger_find_account(guard->store, &found, account, error);
    if (status == LL_OK && found.id == 0)
        status = ll_fail(error, LL_DOMAIN, "there is no account %s", account);
    if (status != LL_OK)
        return status;
    ll_guard_say_left(guard->policy, &made, &state, &found);
    made.shown = found.answered > 0 ? ll_guard_level_text(guard->policy, found.level) : NULL;
    ll_guard_answer_clear(out);
    status = ll_value_give(out, &made, sizeof made, error);
    if (status != LL_OK)
        ll_guard_answer_clear(&made);
    return status;
}

/* ---- the leaderboard ---- */

typedef struct {
    const ll_policy *policy;
    int (*each)(void *self, const ll_guard_place *place);
    void *self;
    long row, place, level;
} board;

static int show_place(void *self, const char *const *cells)
{
    board *b = self;
    long level = strtol(cells[1], NULL, 10), at = strtol(cells[3], NULL, 10);
    char *shown = ll_guard_level_text(b->policy, level);
    b->row++;
    b->place = b->row == 1 || level != b->level ? b->row : b->place;
    b->level = level;
    const ll_guard_place place = {.place = b->place,
                                  .account = cells[0],
                                  .shown = shown,
                                  .submissions = strtol(cells[2], NULL, 10),
                                  .time = at > 0 ? (double)at : NAN};
    int stopped = shown == NULL || b->each(b->self, &place);
    free(shown);
    return stopped;
}

ll_status ll_guard_leaderboard(ll_guard *guard, int (*each)(void *self, const ll_guard_place *place), void *self,
                               ll_error *error)
{
    board b = {.policy = guard->policy, .each = each, .self = self};
    return ll_store_run(guard->store,
                        "SELECT name, level, submitted, shown_at FROM lossleak_accounts WHERE role = 1 AND "
                        "answered > 0 ORDER BY level DESC, shown_at, id",
                        NULL, 0, show_place, &b, error);
}

/* ---- entries ---- */

typedef struct {
    int (*each)(void *self, const ll_guard_entry *entry);
    void *self;
} listing;

static int show_entry(void *self, const char *const *cells)
{
    const listing *l = self;
    const ll_guard_entry entry = {.submission = strtol(cells[0], NULL, 10),
                                  .account = cells[1],
                                  .outcome = (ll_guard_outcome)strtol(cells[2], NULL, 10),
                                  .shown = cells[3],
                                  .digest = cells[4],
                                  .charged = bits_of(strtoll(cells[5], NULL, 10)),
                                  .time = (double)strtol(cells[6], NULL, 10),
                                  .chain = cells[7]};
    return l->each(l->self, &entry);
}

ll_status ll_guard_entries(ll_guard *guard, long after, int (*each)(void *self, const ll_guard_entry *entry),
                           void *self, ll_error *error)
{
    listing l = {each, self};
    char first[24];
    const char *values[] = {first};
    (void)snprintf(first, sizeof first, "%ld", after);
    return ll_store_run(guard->store,
                        "SELECT e.id, a.name, e.outcome, e.shown, e.digest, e.cost, e.noted, e.chain FROM "
                        "lossleak_entries e JOIN lossleak_accounts a ON a.id = e.account WHERE e.id > $1 ORDER BY e.id",
                        values, 1, show_entry, &l, error);
}
