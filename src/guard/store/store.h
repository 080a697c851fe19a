/* A database behind a ledger, by its URL: every kind is a row of the table in store.c. Statements have their values as
 * $1, $2, ..., in the order of their first appearance; values and cells are texts, NULL where there is none. */
#ifndef LL_GUARD_STORE_STORE_H
#define LL_GUARD_STORE_STORE_H

#include <lossleak.h>

typedef struct ll_store ll_store;

/* One row of an answer. Nonzero: no more of them. */
typedef int (*ll_store_each)(void *self, const char *const *cells);

/* Of a transaction. */
typedef enum {
    LL_STORE_READS,
    LL_STORE_WRITES, /* alone */
    LL_STORE_MAKES   /* alone, where there may be no tables yet */
} ll_store_purpose;

typedef struct {
    const char *prefix; /* of the URL */
    /* is_new: it must not be there, or be empty. */
    ll_status (*open)(ll_store *store, const char *url, int is_new, ll_error *error);
    void (*close)(ll_store *store);
    ll_status (*run)(ll_store *store, const char *sql, const char *const *values, int count, ll_store_each each,
                     void *self, ll_error *error);
    const char *begin[3]; /* by ll_store_purpose: statements, separated by semicolons */
} ll_store_kind;

struct ll_store {
    const ll_store_kind *kind;
    void *own;
};

extern const ll_store_kind ll_store_sqlite, ll_store_postgresql;

/* LL_SYSTEM; LL_DOMAIN: no such kind, or is_new and there is one. */
LL_CHECK ll_status ll_store_open(ll_store **out, const char *url, int is_new, ll_error *error);
void ll_store_close(ll_store *store);

/* LL_SYSTEM. LL_UNABLE: others were in the way, and the whole transaction is to be tried again. */
LL_CHECK ll_status ll_store_run(ll_store *store, const char *sql, const char *const *values, int count,
                                ll_store_each each, void *self, ll_error *error);

/* Runs work(self) as one transaction: all of it or nothing, as if alone; again where others were in the way. It must
 * not change what it is called with where it may be called again. */
LL_CHECK ll_status ll_store_transact(ll_store *store, ll_store_purpose purpose,
                                     ll_status (*work)(void *self, ll_error *error), void *self, ll_error *error);

#endif
