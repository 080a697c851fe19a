/* Making and opening a ledger. */
#include "guard/ledger.h"

#include <stdlib.h>
#include <string.h>

void ll_guard_make_key(unsigned char *key)
{
    if (sodium_init() >= 0)
        randombytes_buf(key, LL_GUARD_KEY);
}

void ll_guard_close(ll_guard *guard)
{
    if (guard == NULL)
        return;
    ll_curator_destroy(guard->curator);
    ll_curator_destroy(guard->bare);
    ll_curator_destroy(guard->noisy);
    sodium_memzero(guard->secret, sizeof guard->secret);
    if (guard->labels != NULL)
        sodium_memzero(guard->labels, (size_t)guard->rows * sizeof *guard->labels);
    free(guard->labels);
    ll_policy_destroy(guard->policy);
    ll_store_close(guard->store);
    free(guard);
}

const ll_policy *ll_guard_get_policy(const ll_guard *guard)
{
    return guard->policy;
}

ll_status ll_guard_set_metric(ll_guard *guard, ll_guard_metric metric, void *self, ll_error *error)
{
    if (guard->policy->better == NULL)
        return ll_fail(error, LL_DOMAIN, "the policy of this ledger has a metric: another one cannot be given");
    guard->metric = metric;
    guard->metric_self = self;
    return LL_OK;
}

/* ---- make ---- */

typedef struct {
    ll_store *store;
    const ll_policy *policy;
    const char *labels, *secret;
    char head[LL_DIGEST_TEXT];
} new_ledger;

/* The chain begins with the policy and a random name of this ledger. */
static void begin_chain(new_ledger *n)
{
    unsigned char name[LL_DIGEST_BYTES];
    ll_digest digest;
    randombytes_buf(name, sizeof name);
    ll_digest_init(&digest, "ledger");
    ll_digest_add_text(&digest, n->policy->digest);
    ll_digest_add(&digest, name, sizeof name);
    ll_digest_finish_text(&digest, n->head);
}

static ll_status fill(void *self, ll_error *error)
{
    const new_ledger *n = self;
    const char *values[] = {n->head};
    ll_status status = ll_ledger_make(n->store, error);
    if (status == LL_OK)
        status = ll_ledger_put(n->store, "policy", n->policy->json, error);
    if (status == LL_OK)
        status = ll_ledger_put(n->store, "labels", n->labels, error);
    if (status == LL_OK)
        status = ll_ledger_put(n->store, "secret", n->secret, error);
    if (status == LL_OK)
        status = ll_ledger_put(n->store, "start", n->head, error);
    if (status == LL_OK)
        status = ll_store_run(n->store, "INSERT INTO lossleak_meter VALUES(1, 0, 0, 0, 0, 0, 0, 0, 0, $1)", values, 1,
                              NULL, NULL, error);
    return status;
}

/* Two classes where the policy states neither classes nor targets: shares are computed for these. */
static long count_classes(const ll_policy *policy)
{
    long targets = ll_scorer_count_targets(policy->scorer), classes = ll_scorer_get_count(policy->scorer, "classes");
    return targets > 0 ? targets : classes > 0 ? classes : 2;
}

static ll_status check_labels(const ll_policy *policy, const int32_t *labels, long n, ll_error *error)
{
    ll_curator *curator = NULL;
    long classes = count_classes(policy);
    for (long i = 0; i < n; i++)
        if (labels[i] < 0 || labels[i] >= classes)
            return ll_fail(error, LL_DOMAIN,
                           "row %ld: its label is none of %ld classes; the policy's scorer states classes", i, classes);
    ll_status status = ll_curator_create(&curator, policy->scorer, labels, n, error);
    ll_curator_destroy(curator);
    return status;
}

ll_status ll_guard_create(ll_guard **out, const char *url, const ll_policy *policy, const int32_t *labels, long n,
                          const unsigned char *key, ll_error *error)
{
    char *closed = NULL, *secret = NULL;
    int32_t drawn[LL_DIGEST_BYTES / 4];
    new_ledger new = {.policy = policy};
    ll_status status = check_labels(policy, labels, n, error);
    if (status == LL_OK)
        status = ll_vault_close(&closed, labels, n, key, error);
    randombytes_buf(drawn, sizeof drawn);
    if (status == LL_OK)
        status = ll_vault_close(&secret, drawn, LL_DIGEST_BYTES / 4, key, error);
    if (status == LL_OK)
        status = ll_store_open(&new.store, url, 1, error);
    if (status == LL_OK) {
        new.labels = closed;
        new.secret = secret;
        begin_chain(&new);
        status = ll_store_transact(new.store, LL_STORE_MAKES, fill, &new, error);
    }
    ll_store_close(new.store);
    free(closed);
    free(secret);
    return status == LL_OK ? ll_guard_open(out, url, key, error) : status;
}

/* ---- open ---- */

static ll_status migrate(void *self, ll_error *error)
{
    return ll_ledger_migrate(self, error);
}

static ll_status take_policy(ll_guard *guard, ll_error *error)
{
    char *json = NULL;
    ll_status status = ll_ledger_get(guard->store, &json, "policy", error);
    if (status == LL_OK)
        status = json != NULL ? ll_policy_read(&guard->policy, json, strlen(json), error)
                              : ll_fail(error, LL_DOMAIN, "the ledger has no policy: it is damaged");
    free(json);
    return status;
}

static ll_status take_labels(ll_guard *guard, const unsigned char *key, ll_error *error)
{
    char *text = NULL;
    int32_t *labels = NULL;
    ll_status status = ll_ledger_get(guard->store, &text, "labels", error);
    if (status == LL_OK && text == NULL)
        status = ll_fail(error, LL_DOMAIN, "the ledger has no labels: it is damaged");
    if (status == LL_OK)
        status = ll_vault_open(&labels, &guard->rows, &guard->is_encrypted, text, key, error);
    if (status == LL_OK)
        status = ll_curator_create(&guard->curator, guard->policy->scorer, labels, guard->rows, error);
    if (status == LL_OK && guard->policy->bare != NULL)
        status = ll_curator_create(&guard->bare, guard->policy->bare, labels, guard->rows, error);
    if (status == LL_OK && guard->policy->noisy != NULL)
        status = ll_curator_create(&guard->noisy, guard->policy->noisy, labels, guard->rows, error);
    if (guard->policy->better != NULL) {
        guard->labels = labels;
        labels = NULL;
    }
    if (labels != NULL)
        sodium_memzero(labels, (size_t)guard->rows * sizeof *labels);
    free(labels);
    free(text);
    return status;
}

static ll_status take_secret(ll_guard *guard, const unsigned char *key, ll_error *error)
{
    char *text = NULL;
    int32_t *drawn = NULL;
    long count = 0;
    int is_encrypted = 0;
    ll_status status = ll_ledger_get(guard->store, &text, "secret", error);
    if (status == LL_OK && text == NULL)
        status = ll_fail(error, LL_DOMAIN, "the ledger has no secret: it is damaged");
    if (status == LL_OK)
        status = ll_vault_open(&drawn, &count, &is_encrypted, text, key, error);
    if (status == LL_OK && count != LL_DIGEST_BYTES / 4)
        status = ll_fail(error, LL_DOMAIN, "the secret of this ledger is damaged");
    if (status == LL_OK)
        memcpy(guard->secret, drawn, sizeof guard->secret);
    free(drawn);
    free(text);
    return status;
}

ll_status ll_guard_open(ll_guard **out, const char *url, const unsigned char *key, ll_error *error)
{
    ll_guard *guard = sodium_init() >= 0 ? calloc(1, sizeof *guard) : NULL;
    if (guard == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a guard");
    ll_status status = ll_store_open(&guard->store, url, 0, error);
    if (status == LL_OK)
        status = ll_store_transact(guard->store, LL_STORE_MAKES, migrate, guard->store, error);
    if (status == LL_OK)
        status = take_policy(guard, error);
    if (status == LL_OK)
        status = take_labels(guard, key, error);
    if (status == LL_OK)
        status = take_secret(guard, key, error);
    if (status != LL_OK)
        ll_guard_close(guard);
    else
        *out = guard;
    return status;
}
