/* PostgreSQL: serializable transactions. Those that write take a lock before their snapshot is made, so that they wait
 * for each other instead of failing; what fails all the same is tried again. */
#include "guard/store/store.h"

#include <libpq-fe.h>
#include <string.h>

/* Could it work if it is tried again? Serialization failures, deadlocks, and locks that a server's lock_timeout ended. */
static int is_conflict(const PGresult *result)
{
    static const char *const states[] = {"40001", "40P01", "55P03"};
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    for (size_t i = 0; state != NULL && i < sizeof states / sizeof *states; i++)
        if (strcmp(state, states[i]) == 0)
            return 1;
    return 0;
}

static ll_status fail(const PGresult *result, PGconn *server, ll_error *error)
{
    const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    return ll_fail(error, is_conflict(result) ? LL_UNABLE : LL_SYSTEM, "the ledger's database: %s",
                   text != NULL ? text : PQerrorMessage(server));
}

static void hand_out(const PGresult *result, ll_store_each each, void *self)
{
    enum { MOST_CELLS = 16 };
    const char *cells[MOST_CELLS];
    int stopped = 0;
    for (int row = 0; each != NULL && row < PQntuples(result) && !stopped; row++) {
        for (int i = 0; i < PQnfields(result) && i < MOST_CELLS; i++)
            cells[i] = PQgetisnull(result, row, i) ? NULL : PQgetvalue(result, row, i);
        stopped = each(self, cells);
    }
}

static ll_status run(ll_store *store, const char *sql, const char *const *values, int count, ll_store_each each,
                     void *self, ll_error *error)
{
    PGresult *result = PQexecParams(store->own, sql, count, NULL, values, NULL, NULL, 0);
    ExecStatusType got = PQresultStatus(result);
    ll_status status = got == PGRES_TUPLES_OK || got == PGRES_COMMAND_OK ? LL_OK : fail(result, store->own, error);
    if (status == LL_OK)
        hand_out(result, each, self);
    PQclear(result);
    return status;
}

static void be_silent(void *self, const PGresult *notice)
{
    (void)self;
    (void)notice;
}

static ll_status open_postgresql(ll_store *store, const char *url, int is_new, ll_error *error)
{
    (void)is_new;
    PGconn *server = PQconnectdb(url);
    store->own = server;
    if (PQstatus(server) != CONNECTION_OK)
        return ll_fail(error, LL_SYSTEM, "the ledger's database: %s", PQerrorMessage(server));
    (void)PQsetNoticeReceiver(server, be_silent, NULL);
    return run(store, "SET synchronous_commit = on", NULL, 0, NULL, NULL, error);
}

static void close_postgresql(ll_store *store)
{
    PQfinish(store->own);
}

const ll_store_kind ll_store_postgresql = {
    "postgresql://",
    open_postgresql,
    close_postgresql,
    run,
    {"BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY",
     "BEGIN ISOLATION LEVEL SERIALIZABLE;LOCK TABLE lossleak_meter IN EXCLUSIVE MODE",
     "BEGIN ISOLATION LEVEL SERIALIZABLE"},
};
