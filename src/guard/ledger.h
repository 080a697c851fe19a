/* The ledger: accounts, entries, and the meter's state. Its tables are in ledger_schema.c; everything here runs inside a
 * transaction of the caller (ll_store_transact). */
#ifndef LL_GUARD_LEDGER_H
#define LL_GUARD_LEDGER_H

#include "guard/policy.h"
#include "guard/store/store.h"

struct ll_guard {
    ll_store *store;
    ll_policy *policy;
    ll_curator *curator;
    ll_curator *bare, *noisy;              /* of the scorers of the policy of these names; NULL where it has no noise */
    unsigned char secret[LL_DIGEST_BYTES]; /* of its noise */
    ll_guard_metric metric;                /* the host's own, and what it is called with; NULL: none was given */
    void *metric_self;
    int32_t *labels; /* for it; NULL where the policy has another metric */
    long rows;
    int is_encrypted;
};

/* ---- schema (ledger_schema.c) ---- */

/* LL_DOMAIN: there is one already. */
LL_CHECK ll_status ll_ledger_make(ll_store *store, ll_error *error);
/* Brings an older one to the present form. LL_DOMAIN: there is none, or a newer one. */
LL_CHECK ll_status ll_ledger_migrate(ll_store *store, ll_error *error);

/* For ll_store_run: a copy of the first cell, or NULL, into the char * that `self` points to. */
int ll_ledger_take_text(void *self, const char *const *cells);
/* Named texts. *out is the caller's to free; NULL: there is none. */
LL_CHECK ll_status ll_ledger_put(ll_store *store, const char *name, const char *value, ll_error *error);
LL_CHECK ll_status ll_ledger_get(ll_store *store, char **out, const char *name, ll_error *error);

/* ---- labels (vault.c) ---- */

/* Labels as text, encrypted where there is a key; the caller's to free. */
LL_CHECK ll_status ll_vault_close(char **out, const int32_t *labels, long n, const unsigned char *key, ll_error *error);
/* *labels is the caller's to free. LL_DOMAIN: the key is wrong, or missing, or there should be none. */
LL_CHECK ll_status ll_vault_open(int32_t **labels, long *n, int *is_encrypted, const char *text,
                                 const unsigned char *key, ll_error *error);

/* ---- state (ledger_state.c) ---- */

/* The meter, as it is in the ledger: of all accounts together. */
typedef struct {
    ll_meter meter;
    long entries, invalid;
    long level;    /* of the leaderboard */
    long improved; /* improvements shown, first answers among them */
    long at;       /* time of the last entry, seconds since 1970 */
    char head[LL_DIGEST_TEXT];
} ll_ledger_state;

typedef struct {
    long id; /* 0: no such account */
    ll_guard_role role;
    char name[LL_GUARD_NAME];
    long level, improved, submitted, answered; /* submitted: invalid ones, too, where they are counted */
    long day, today; /* the last day of submissions, counted from 1970, and how many there were on it */
    long shown_at;   /* when it reached its level; 0: never */
} ll_ledger_account;

typedef struct {
    long id, account;
    const char *digest;
    ll_guard_outcome outcome;
    long level;
    const char *shown; /* NULL: nothing */
    int64_t cost;
    long at;
    const char *exposure; /* digest of what all rows were exposed to after it; NULL: that is not kept */
} ll_ledger_entry;

LL_CHECK ll_status ll_ledger_get_state(ll_store *store, ll_ledger_state *out, ll_error *error);
LL_CHECK ll_status ll_ledger_put_state(ll_store *store, const ll_ledger_state *state, ll_error *error);
LL_CHECK ll_status ll_ledger_find_account(ll_store *store, ll_ledger_account *out, const char *name, ll_error *error);
LL_CHECK ll_status ll_ledger_put_account(ll_store *store, const ll_ledger_account *account, ll_error *error);
/* Writes the entry, chained to the head of the state, which becomes its digest. */
LL_CHECK ll_status ll_ledger_add_entry(ll_store *store, ll_ledger_state *state, const ll_ledger_entry *entry,
                                       ll_error *error);
/* The digest of an entry that follows `head`. */
void ll_ledger_chain(char *out, const char *head, const ll_ledger_entry *entry);

/* ---- what an answer stands on (guard_stand.c) ---- */

/* Where the next answer of this account stands. */
ll_stand ll_guard_stand(const ll_policy *policy, const ll_ledger_state *state, const ll_ledger_account *account);
/* Level that it stands on: the account's, or the leaderboard's. */
long ll_guard_level(const ll_policy *policy, const ll_ledger_state *state, const ll_ledger_account *account);
/* Text of a level; the caller's to free. "not above X" for the baseline. NULL: no memory. */
char *ll_guard_level_text(const ll_policy *policy, long level);
/* The entry is shown `climbed` levels above what it stood on, or is invalid: account and state move on, and are
 * charged. */
int64_t ll_guard_charge(const ll_policy *policy, ll_ledger_state *state, ll_ledger_account *account, long climbed,
                        long at);
/* The entry shows a number with noise, at that price: the same. */
void ll_guard_charge_number(ll_ledger_state *state, ll_ledger_account *account, long number, int64_t price, long at);
/* Seconds since 1970 of the next entry: the clock, or the last entry's where that has gone back. */
long ll_guard_clock(const ll_ledger_state *state);
/* Counts an entry of this day. */
void ll_guard_count(ll_ledger_account *account, long at);
/* Fields of the answer that say what is spent and left. */
void ll_guard_say_left(const ll_policy *policy, ll_guard_answer *out, const ll_ledger_state *state,
                       const ll_ledger_account *account);

#endif
