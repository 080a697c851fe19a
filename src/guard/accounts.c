/* Accounts and their tokens. A token is 32 random bytes in base64; the ledger has its digest. */
#include "guard/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void token_digest(char *out, const char *token)
{
    ll_digest digest;
    ll_digest_init(&digest, "token");
    ll_digest_add_text(&digest, token);
    ll_digest_finish_text(&digest, out);
}

static int is_name(const char *name)
{
    size_t length = strlen(name);
    return length >= 1 && length < LL_GUARD_NAME &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@") == length;
}

/* ---- add ---- */

typedef struct {
    ll_guard *guard;
    const char *name, *token; /* token: its digest; NULL: none */
    ll_guard_role role;
} new_account;

static int take_number(void *self, const char *const *cells)
{
    *(long *)self = cells[0] != NULL ? strtol(cells[0], NULL, 10) : 0;
    return 1;
}

static ll_status check_room(const new_account *n, ll_error *error)
{
    ll_ledger_account there;
    long count = 0, limit = n->guard->policy->accounts;
    ll_status status = ll_ledger_find_account(n->guard->store, &there, n->name, error);
    if (status == LL_OK && there.id != 0)
        status = ll_fail(error, LL_DOMAIN, "there is an account %s already", n->name);
    if (status == LL_OK)
        status = ll_store_run(n->guard->store, "SELECT count(*) FROM lossleak_accounts WHERE role <> 2", NULL, 0,
                              take_number, &count, error);
    if (status == LL_OK && n->role == LL_ROLE_PARTICIPANT && limit > 0 && count >= limit)
        status = ll_fail(error, LL_DOMAIN, "the policy allows %ld account%s, and there are as many", limit,
                         limit == 1 ? "" : "s");
    return status;
}

static ll_status add(void *self, ll_error *error)
{
    const new_account *n = self;
    char id[24], role[8];
    long last = 0;
    const char *values[] = {id, n->name, role, n->token};
    ll_status status = check_room(n, error);
    if (status == LL_OK)
        status =
            ll_store_run(n->guard->store, "SELECT max(id) FROM lossleak_accounts", NULL, 0, take_number, &last, error);
    (void)snprintf(id, sizeof id, "%ld", last + 1);
    (void)snprintf(role, sizeof role, "%d", (int)n->role);
    if (status == LL_OK)
        status = ll_store_run(n->guard->store,
                              "INSERT INTO lossleak_accounts(id, name, role, token, level, improved, submitted, "
                              "answered, day, today, shown_at) VALUES($1, $2, $3, $4, 0, 0, 0, 0, 0, 0, 0)",
                              values, 4, NULL, NULL, error);
    return status;
}

ll_status ll_guard_add_account(ll_guard *guard, char *token, const char *name, ll_guard_role role, ll_error *error)
{
    unsigned char secret[32];
    char text[LL_GUARD_TOKEN], digest[LL_DIGEST_TEXT];
    new_account new = {guard, name, token != NULL ? digest : NULL, role};
    if (!is_name(name))
        return ll_fail(error, LL_DOMAIN, "an account's name has 1 to 64 letters, digits and . _ - @");
    if (role != LL_ROLE_PARTICIPANT && role != LL_ROLE_HOST)
        return ll_fail(error, LL_DOMAIN, "an account is a participant's or a host's");
    randombytes_buf(secret, sizeof secret);
    (void)sodium_bin2base64(text, sizeof text, secret, sizeof secret, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    token_digest(digest, text);
    ll_status status = ll_store_transact(guard->store, LL_STORE_WRITES, add, &new, error);
    if (status == LL_OK && token != NULL)
        memcpy(token, text, sizeof text);
    return status;
}

/* ---- tokens ---- */

typedef struct {
    char *name;
    ll_guard_role role;
} holder;

static int take_holder(void *self, const char *const *cells)
{
    holder *h = self;
    (void)snprintf(h->name, LL_GUARD_NAME, "%s", cells[0]);
    h->role = (ll_guard_role)strtol(cells[1], NULL, 10);
    return 1;
}

/* A database compares digests, of which nobody can choose a prefix: how long it takes tells nothing of tokens. */
ll_status ll_guard_check_token(ll_guard *guard, char *account, ll_guard_role *role, const char *token, ll_error *error)
{
    char digest[LL_DIGEST_TEXT], name[LL_GUARD_NAME] = "";
    const char *values[] = {digest};
    holder h = {name, LL_ROLE_NONE};
    token_digest(digest, token);
    ll_status status = ll_store_run(guard->store, "SELECT name, role FROM lossleak_accounts WHERE token = $1", values,
                                    1, take_holder, &h, error);
    if (status == LL_OK) {
        memcpy(account, name, sizeof name);
        *role = h.role;
    }
    return status;
}

/* ---- forget ---- */

typedef struct {
    ll_guard *guard;
    const char *name;
} forgotten;

static ll_status forget(void *self, ll_error *error)
{
    const forgotten *f = self;
    ll_ledger_account account;
    char name[LL_GUARD_NAME], id[24];
    const char *values[] = {name, id};
    ll_status status = ll_ledger_find_account(f->guard->store, &account, f->name, error);
    if (status == LL_OK && account.id == 0)
        status = ll_fail(error, LL_DOMAIN, "there is no account %s", f->name);
    if (status != LL_OK)
        return status;
    (void)snprintf(name, sizeof name, "forgotten-%ld", account.id);
    (void)snprintf(id, sizeof id, "%ld", account.id);
    return ll_store_run(f->guard->store, "UPDATE lossleak_accounts SET name = $1, role = 0, token = NULL WHERE id = $2",
                        values, 2, NULL, NULL, error);
}

ll_status ll_guard_forget_account(ll_guard *guard, const char *name, ll_error *error)
{
    forgotten f = {guard, name};
    return ll_store_transact(guard->store, LL_STORE_WRITES, forget, &f, error);
}
