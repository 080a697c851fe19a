/* SQLite: one file, written ahead (WAL) and synced at every commit, which others of this machine may open too. */
#include "guard/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = "sqlite:";

static ll_status fail(sqlite3 *base, int code, ll_error *error)
{
    int is_busy = (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED;
    return ll_fail(error, is_busy ? LL_UNABLE : LL_SYSTEM, "the ledger's database: %s",
                   base != NULL ? sqlite3_errmsg(base) : sqlite3_errstr(code));
}

static ll_status run(ll_store *store, const char *sql, const char *const *values, int count, ll_store_each each,
                     void *self, ll_error *error)
{
    enum { MOST_CELLS = 16 };
    sqlite3 *base = store->own;
    sqlite3_stmt *statement = NULL;
    const char *cells[MOST_CELLS];
    int code = sqlite3_prepare_v2(base, sql, -1, &statement, NULL), stopped = 0;
    for (int i = 0; i < count && code == SQLITE_OK; i++)
        code = values[i] != NULL ? sqlite3_bind_text(statement, i + 1, values[i], -1, SQLITE_STATIC)
                                 : sqlite3_bind_null(statement, i + 1);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    for (; code == SQLITE_ROW && !stopped; code = stopped ? SQLITE_DONE : sqlite3_step(statement)) {
        for (int i = 0; i < sqlite3_column_count(statement) && i < MOST_CELLS; i++)
            cells[i] = (const char *)sqlite3_column_text(statement, i);
        stopped = each != NULL && each(self, cells);
    }
    ll_status status = code == SQLITE_DONE ? LL_OK : fail(base, code, error);
    sqlite3_finalize(statement);
    return status;
}

/* A file of its own, for its owner alone; what is there is not touched. */
static ll_status make_file(const char *path, ll_error *error)
{
    int file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0)
        return ll_fail(error, errno == EEXIST ? LL_DOMAIN : LL_SYSTEM, "%s: %s", path,
                       errno == EEXIST ? "there is such a file; a new ledger needs a new name" : strerror(errno));
    (void)close(file);
    return LL_OK;
}

/* Writers wait for each other for a commit, which takes milliseconds: look again soon, and give up after a minute. */
static int wait_for_lock(void *self, int attempts)
{
    enum { PATIENCE = 60 * 1000, SOON = 100 };
    const struct timespec pause = {.tv_nsec = attempts < SOON ? 300000 : 2000000};
    (void)self;
    (void)nanosleep(&pause, NULL);
    return attempts < PATIENCE / 2;
}

static ll_status set_up(ll_store *store, ll_error *error)
{
    static const char *const pragmas[] = {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
                                          "PRAGMA foreign_keys=ON"};
    ll_status status = LL_OK;
    (void)sqlite3_busy_handler(store->own, wait_for_lock, NULL);
    for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas && status == LL_OK; i++)
        status = run(store, pragmas[i], NULL, 0, NULL, NULL, error);
    return status;
}

static ll_status open_sqlite(ll_store *store, const char *url, int is_new, ll_error *error)
{
    size_t skip = strncmp(url, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    const char *path = url + skip;
    sqlite3 *base = NULL;
    ll_status status = is_new ? make_file(path, error) : LL_OK;
    if (status != LL_OK)
        return status;
    int code = sqlite3_open_v2(path, &base, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    store->own = base;
    if (code != SQLITE_OK)
        return ll_fail(error, LL_SYSTEM, "%s: %s", path, base != NULL ? sqlite3_errmsg(base) : "no memory");
    return set_up(store, error);
}

static void close_sqlite(ll_store *store)
{
    (void)sqlite3_close(store->own);
}

const ll_store_kind ll_store_sqlite = {prefix, open_sqlite, close_sqlite, run, {"BEGIN", "BEGIN IMMEDIATE", "BEGIN IMMEDIATE"}};
