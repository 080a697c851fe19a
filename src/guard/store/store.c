#include "guard/store/store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A URL without a known prefix is a file. */
static const ll_store_kind *const kinds[] = {&ll_store_postgresql, &ll_store_sqlite};

static const ll_store_kind *find_kind(const char *url)
{
    size_t count = sizeof kinds / sizeof kinds[0];
    for (size_t i = 0; i < count; i++)
        if (strncmp(url, kinds[i]->prefix, strlen(kinds[i]->prefix)) == 0)
            return kinds[i];
    return kinds[count - 1];
}

ll_status ll_store_open(ll_store **out, const char *url, int is_new, ll_error *error)
{
    ll_store *store = calloc(1, sizeof *store);
    if (store == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a ledger");
    store->kind = find_kind(url);
    ll_status status = store->kind->open(store, url, is_new, error);
    if (status != LL_OK)
        ll_store_close(store);
    else
        *out = store;
    return status;
}

void ll_store_close(ll_store *store)
{
    if (store == NULL)
        return;
    store->kind->close(store);
    free(store);
}

ll_status ll_store_run(ll_store *store, const char *sql, const char *const *values, int count, ll_store_each each,
                       void *self, ll_error *error)
{
    return store->kind->run(store, sql, values, count, each, self, error);
}

static ll_status run_each_statement(ll_store *store, const char *sql, ll_error *error)
{
    ll_status status = LL_OK;
    char *copy = strdup(sql), *rest = NULL;
    if (copy == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a transaction");
    for (char *one = strtok_r(copy, ";", &rest); one != NULL && status == LL_OK; one = strtok_r(NULL, ";", &rest))
        status = ll_store_run(store, one, NULL, 0, NULL, NULL, error);
    free(copy);
    return status;
}

static ll_status transact_once(ll_store *store, ll_store_purpose purpose,
                               ll_status (*work)(void *self, ll_error *error), void *self, ll_error *error)
{
    ll_status status = run_each_statement(store, store->kind->begin[purpose], error);
    if (status == LL_OK)
        status = work(self, error);
    if (status == LL_OK)
        status = ll_store_run(store, "COMMIT", NULL, 0, NULL, NULL, error);
    if (status != LL_OK && ll_store_run(store, "ROLLBACK", NULL, 0, NULL, NULL, NULL) != LL_OK)
        return status; /* the server is gone, and the transaction with it */
    return status;
}

ll_status ll_store_transact(ll_store *store, ll_store_purpose purpose, ll_status (*work)(void *self, ll_error *error),
                            void *self, ll_error *error)
{
    enum { TRIES = 40, PAUSE = 2000 }; /* microseconds */
    ll_status status = LL_UNABLE;
    for (unsigned i = 0; i < TRIES && status == LL_UNABLE; i++) {
        if (i > 0)
            (void)usleep(PAUSE * (i < 16 ? i : 16));
        status = transact_once(store, purpose, work, self, error);
    }
    return status == LL_UNABLE ? ll_fail(error, LL_SYSTEM, "the ledger is busy: try again") : status;
}
