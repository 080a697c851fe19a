/* A ledger computed again from its first entry on: what every answer stood on, what it cost, and the chain of digests.
 * It must end with the meter and the accounts that the ledger says. */
#include "guard/row_ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const ll_policy *policy;
    ll_ledger_state state;
    ll_ledger_account *accounts; /* by id, from 1 on */
    long account_count;
    const char *receipt;
    int is_found;
    char exposure[LL_DIGEST_TEXT]; /* of the last answer */
    long wrong;                    /* the first entry that is not what it says; 0: none */
    const char *why;
} replay;

static long number(const char *cell)
{
    return cell != NULL ? strtol(cell, NULL, 10) : 0;
}

static int fail_entry(replay *r, long id, const char *why)
{
    r->wrong = id;
    r->why = why;
    return 1;
}

/* Levels and prices, for an answer that is not invalid. */
static const char *replay_level(replay *r, ll_ledger_account *account, const ll_ledger_entry *e)
{
    long climbed = e->level - ll_guard_level(r->policy, &r->state, account);
    ll_stand stand = ll_guard_stand(r->policy, &r->state, account);
    if (climbed < 0 || climbed > stand.left)
        return "its level is not one that it can show";
    if (!ll_meter_admits(&r->policy->tariff, &r->state.meter, &stand))
        return "it should have been refused";
    if (ll_guard_charge(r->policy, &r->state, account, climbed, e->at) != e->cost)
        return "its charge is not its price";
    account->answered++;
    return NULL;
}

/* A number with noise: what it cost follows from what was submitted, which is not kept; that it fitted, and what it
 * showed, is computed again. */
static const char *replay_number(replay *r, ll_ledger_account *account, const ll_ledger_entry *e)
{
    char *shown = ll_guard_level_text(r->policy, e->level);
    int is_shown = shown != NULL && e->shown != NULL && strcmp(shown, e->shown) == 0;
    free(shown);
    if (!is_shown)
        return "what it shows is not its number";
    if (e->cost < 0 ||
        (r->policy->tariff.budget != INT64_MAX && e->cost > r->policy->tariff.budget - r->state.meter.spent))
        return "it should have been refused";
    ll_guard_charge_number(&r->state, account, e->level, e->cost, e->at);
    account->answered++;
    return NULL;
}

static const char *replay_answer(replay *r, ll_ledger_account *account, const ll_ledger_entry *e)
{
    if (r->policy->keeps_rows != (e->exposure != NULL))
        return "what its rows were exposed to is missing";
    if (e->exposure != NULL)
        (void)snprintf(r->exposure, sizeof r->exposure, "%s", e->exposure);
    return r->policy->levels > 0 ? replay_level(r, account, e) : replay_number(r, account, e);
}

static const char *replay_entry(replay *r, const ll_ledger_entry *e, const char *chain)
{
    char head[LL_DIGEST_TEXT];
    if (e->id != r->state.entries + 1)
        return "entries before it are missing";
    if (e->account < 1 || e->account > r->account_count)
        return "its account is missing";
    if (e->at < r->state.at)
        return "its time is before that of the entry before it";
    ll_ledger_chain(head, r->state.head, e);
    if (strcmp(head, chain) != 0)
        return "its digest is not that of what it says";
    ll_ledger_account *account = &r->accounts[e->account - 1];
    const char *why = e->outcome == LL_GUARD_ACCEPTED                  ? replay_answer(r, account, e)
                      : e->outcome == LL_GUARD_INVALID && e->cost == 0 ? NULL
                                                                       : "it has an outcome that is not stored";
    r->state.invalid += e->outcome == LL_GUARD_INVALID;
    ll_guard_count(account, e->at);
    r->state.entries = e->id;
    r->state.at = e->at;
    memcpy(r->state.head, head, sizeof head);
    return why;
}

static int take_entry(void *self, const char *const *cells)
{
    replay *r = self;
    const ll_ledger_entry e = {.id = number(cells[0]),
                               .account = number(cells[1]),
                               .digest = cells[2],
                               .outcome = (ll_guard_outcome)number(cells[3]),
                               .level = number(cells[4]),
                               .shown = cells[5],
                               .cost = strtoll(cells[6], NULL, 10),
                               .at = number(cells[7]),
                               .exposure = cells[9]};
    const char *why = replay_entry(r, &e, cells[8]);
    r->is_found |= r->receipt != NULL && strcmp(r->receipt, cells[8]) == 0;
    return why != NULL ? fail_entry(r, e.id, why) : 0;
}

/* ---- what the ledger ends with ---- */

static int is_same_account(const ll_ledger_account *a, const char *const *cells)
{
    return a->level == number(cells[1]) && a->improved == number(cells[2]) && a->submitted == number(cells[3]) &&
           a->answered == number(cells[4]);
}

static int compare_account(void *self, const char *const *cells)
{
    replay *r = self;
    long id = number(cells[0]);
    if (id < 1 || id > r->account_count || !is_same_account(&r->accounts[id - 1], cells))
        return fail_entry(r, r->state.entries, "the accounts are not what all entries make of them");
    return 0;
}

static int is_same_state(const ll_ledger_state *a, const ll_ledger_state *b)
{
    return a->meter.spent == b->meter.spent && a->meter.improved == b->meter.improved &&
           a->meter.silent == b->meter.silent && a->entries == b->entries && a->invalid == b->invalid &&
           a->level == b->level && a->improved == b->improved && strcmp(a->head, b->head) == 0;
}

/* ---- all of it ---- */

static int take_number(void *self, const char *const *cells)
{
    *(long *)self = number(cells[0]);
    return 1;
}

typedef struct {
    ll_guard *guard;
    replay *replay;
} verification;

static ll_status begin(const verification *v, ll_error *error)
{
    replay *r = v->replay;
    char *start = NULL;
    ll_status status = ll_store_run(v->guard->store, "SELECT max(id) FROM lossleak_accounts", NULL, 0, take_number,
                                    &r->account_count, error);
    if (status == LL_OK)
        status = ll_ledger_get(v->guard->store, &start, "start", error);
    if (status == LL_OK && start != NULL)
        (void)snprintf(r->state.head, sizeof r->state.head, "%s", start);
    r->is_found = r->receipt != NULL && start != NULL && strcmp(r->receipt, start) == 0;
    free(start);
    free(r->accounts);
    r->accounts = calloc((size_t)r->account_count + 1, sizeof *r->accounts);
    if (status == LL_OK && r->accounts == NULL)
        status = ll_fail(error, LL_MEMORY, "no memory for %ld accounts", r->account_count);
    return status;
}

/* Are rows exposed to what the last answer says? */
static ll_status compare_rows(const verification *v, ll_error *error)
{
    replay *r = v->replay;
    char digest[LL_DIGEST_TEXT];
    int32_t *rho = NULL;
    if (!r->policy->keeps_rows || r->exposure[0] == 0)
        return LL_OK;
    ll_status status = ll_row_ledger_get(v->guard, &rho, error);
    if (status == LL_OK) {
        ll_row_ledger_digest(v->guard, digest, rho);
        if (strcmp(digest, r->exposure) != 0)
            (void)fail_entry(r, r->state.entries, "what rows were exposed to is not what the last answer says");
    }
    free(rho);
    return status;
}

static ll_status run(void *self, ll_error *error)
{
    const verification *v = self;
    replay *r = v->replay;
    ll_ledger_state state = {0};
    *r = (replay){.policy = v->guard->policy, .receipt = r->receipt, .accounts = r->accounts};
    ll_status status = begin(v, error);
    if (status == LL_OK)
        status = ll_store_run(v->guard->store,
                              "SELECT id, account, digest, outcome, level, shown, cost, noted, chain, exposure FROM "
                              "lossleak_entries ORDER BY id",
                              NULL, 0, take_entry, r, error);
    if (status == LL_OK)
        status = ll_ledger_get_state(v->guard->store, &state, error);
    if (status == LL_OK && r->wrong == 0)
        status = ll_store_run(v->guard->store, "SELECT id, level, improved, submitted, answered FROM lossleak_accounts",
                              NULL, 0, compare_account, r, error);
    if (status == LL_OK && r->why == NULL)
        status = compare_rows(v, error);
    if (status == LL_OK && r->why == NULL && !is_same_state(&state, &r->state))
        (void)fail_entry(r, r->state.entries, "the meter is not what all entries make of it");
    return status;
}

ll_status ll_guard_verify(ll_guard *guard, const char *receipt, ll_error *error)
{
    replay r = {.receipt = receipt};
    verification v = {guard, &r};
    ll_status status = ll_store_transact(guard->store, LL_STORE_READS, run, &v, error);
    free(r.accounts);
    if (status == LL_OK && r.why != NULL)
        status = ll_fail(error, LL_DOMAIN, "the ledger was changed: entry %ld: %s", r.wrong, r.why);
    if (status == LL_OK && receipt != NULL && !r.is_found)
        status =
            ll_fail(error, LL_DOMAIN, "the ledger does not hold this receipt: it went back in time, or is another one");
    return status;
}
