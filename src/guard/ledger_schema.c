/* Tables of a ledger, version by version: a version is the statements that make it of the one before. Types are such as
 * SQLite and PostgreSQL both take; what is in units of LL_METER_BIT or seconds is a whole number. */
#include "guard/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HERE 2 /* the version of this library */

typedef struct {
    int version;
    const char *sql;
} step;

static const step steps[] = {
    {1,
     "CREATE TABLE lossleak_accounts(id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE, role BIGINT NOT NULL, "
     "token TEXT UNIQUE, level BIGINT NOT NULL, improved BIGINT NOT NULL, submitted BIGINT NOT NULL, answered BIGINT NOT NULL, "
     "day BIGINT NOT NULL, today BIGINT NOT NULL, shown_at BIGINT NOT NULL)"},
    {1,
     "CREATE TABLE lossleak_entries(id BIGINT PRIMARY KEY, account BIGINT NOT NULL REFERENCES lossleak_accounts(id), "
     "digest TEXT NOT NULL, outcome BIGINT NOT NULL, level BIGINT NOT NULL, shown TEXT, cost BIGINT NOT NULL, "
     "noted BIGINT NOT NULL, chain TEXT NOT NULL UNIQUE, UNIQUE(account, digest))"},
    {1,
     "CREATE TABLE lossleak_meter(id BIGINT PRIMARY KEY CHECK(id = 1), spent BIGINT NOT NULL, rated BIGINT NOT NULL, "
     "silent BIGINT NOT NULL, entries BIGINT NOT NULL, invalid BIGINT NOT NULL, level BIGINT NOT NULL, "
     "improved BIGINT NOT NULL, noted BIGINT NOT NULL, head TEXT NOT NULL)"},
    {2, "CREATE TABLE lossleak_exposure(id BIGINT PRIMARY KEY CHECK(id = 1), rho TEXT NOT NULL)"},
    {2, "ALTER TABLE lossleak_entries ADD COLUMN exposure TEXT"},
};

int ll_ledger_take_text(void *self, const char *const *cells)
{
    char **out = self;
    free(*out);
    *out = cells[0] != NULL ? strdup(cells[0]) : NULL;
    return 1;
}

ll_status ll_ledger_put(ll_store *store, const char *name, const char *value, ll_error *error)
{
    const char *values[] = {name, value};
    return ll_store_run(store, "INSERT INTO lossleak_meta(name, value) VALUES($1, $2)", values, 2, NULL, NULL, error);
}

ll_status ll_ledger_get(ll_store *store, char **out, const char *name, ll_error *error)
{
    *out = NULL;
    return ll_store_run(store, "SELECT value FROM lossleak_meta WHERE name = $1", &name, 1, ll_ledger_take_text, out,
                        error);
}

static ll_status put_version(ll_store *store, ll_error *error)
{
    char text[16];
    const char *values[] = {text};
    (void)snprintf(text, sizeof text, "%d", HERE);
    ll_status status =
        ll_store_run(store, "DELETE FROM lossleak_meta WHERE name = 'version'", NULL, 0, NULL, NULL, error);
    if (status == LL_OK)
        status = ll_store_run(store, "INSERT INTO lossleak_meta(name, value) VALUES('version', $1)", values, 1, NULL,
                              NULL, error);
    return status;
}

static ll_status bring_from(ll_store *store, long version, ll_error *error)
{
    ll_status status = LL_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == LL_OK; i++)
        if (steps[i].version > version)
            status = ll_store_run(store, steps[i].sql, NULL, 0, NULL, NULL, error);
    return status == LL_OK ? put_version(store, error) : status;
}

ll_status ll_ledger_make(ll_store *store, ll_error *error)
{
    ll_status status = ll_store_run(store, "CREATE TABLE lossleak_meta(name TEXT PRIMARY KEY, value TEXT NOT NULL)",
                                    NULL, 0, NULL, NULL, error);
    return status == LL_OK ? bring_from(store, 0, error) : status;
}

ll_status ll_ledger_migrate(ll_store *store, ll_error *error)
{
    char *text = NULL;
    ll_status status = ll_ledger_get(store, &text, "version", error);
    if (status != LL_OK || text == NULL)
        return ll_fail(error, LL_DOMAIN, "this is no ledger, or its making did not end: lossleak guard init makes one");
    long version = strtol(text, NULL, 10);
    free(text);
    if (version > HERE)
        return ll_fail(error, LL_DOMAIN, "the ledger has the form %ld, but this library knows forms up to %d", version,
                       HERE);
    return version < HERE ? bring_from(store, version, error) : LL_OK;
}
