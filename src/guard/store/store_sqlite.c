/* SQLite: one file, written ahead (WAL) and synced at every commit, which others of this machine may open too. */
#include "guard/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
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

/* ---- statements ---- */

/* Every statement of the guard is asked for again and again: those that were prepared are kept, by their text. */
enum { MOST_KEPT = 32 };

typedef struct {
    sqlite3 *file;
    struct {
        char *sql;
        sqlite3_stmt *statement;
        int is_running;
    } kept[MOST_KEPT];
    int count;
} database;

/* *place: where it is kept; -1 where it is not, and is to be finalized. */
static int prepare(database *base, const char *sql, sqlite3_stmt **out, int *place)
{
    for (*place = 0; *place < base->count; ++*place)
        if (!base->kept[*place].is_running && strcmp(base->kept[*place].sql, sql) == 0) {
            *out = base->kept[*place].statement;
            base->kept[*place].is_running = 1;
            return SQLITE_OK;
        }
    int code = sqlite3_prepare_v2(base->file, sql, -1, out, NULL);
    char *copy = code == SQLITE_OK && base->count < MOST_KEPT ? strdup(sql) : NULL;
    *place = copy != NULL ? base->count++ : -1;
    if (copy != NULL) {
        base->kept[*place].sql = copy;
        base->kept[*place].statement = *out;
        base->kept[*place].is_running = 1;
    }
    return code;
}

static void leave(database *base, sqlite3_stmt *statement, int place)
{
    if (place < 0) {
        (void)sqlite3_finalize(statement);
        return;
    }
    (void)sqlite3_reset(statement);
    (void)sqlite3_clear_bindings(statement);
    base->kept[place].is_running = 0;
}

static int bind(sqlite3_stmt *statement, const char *const *values, int count)
{
    int code = SQLITE_OK;
    for (int i = 0; i < count && code == SQLITE_OK; i++)
        code = values[i] != NULL ? sqlite3_bind_text(statement, i + 1, values[i], -1, SQLITE_STATIC)
                                 : sqlite3_bind_null(statement, i + 1);
    return code;
}

static ll_status run(ll_store *store, const char *sql, const char *const *values, int count, ll_store_each each,
                     void *self, ll_error *error)
{
    enum { MOST_CELLS = 16 };
    database *base = store->own;
    sqlite3_stmt *statement = NULL;
    const char *cells[MOST_CELLS];
    int place, stopped = 0, code = prepare(base, sql, &statement, &place);
    if (code == SQLITE_OK)
        code = bind(statement, values, count);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    for (; code == SQLITE_ROW && !stopped; code = stopped ? SQLITE_DONE : sqlite3_step(statement)) {
        for (int i = 0; i < sqlite3_column_count(statement) && i < MOST_CELLS; i++)
            cells[i] = (const char *)sqlite3_column_text(statement, i);
        stopped = each != NULL && each(self, cells);
    }
    ll_status status = code == SQLITE_DONE ? LL_OK : fail(base->file, code, error);
    leave(base, statement, place);
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
    (void)sqlite3_busy_handler(((database *)store->own)->file, wait_for_lock, NULL);
    for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas && status == LL_OK; i++)
        status = run(store, pragmas[i], NULL, 0, NULL, NULL, error);
    return status;
}

static ll_status open_sqlite(ll_store *store, const char *url, int is_new, ll_error *error)
{
    size_t skip = strncmp(url, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    const char *path = url + skip;
    ll_status status = is_new ? make_file(path, error) : LL_OK;
    if (status != LL_OK)
        return status;
    database *base = store->own = calloc(1, sizeof *base);
    int code = base != NULL ? sqlite3_open_v2(path, &base->file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)
                            : SQLITE_NOMEM;
    if (code != SQLITE_OK)
        return ll_fail(error, LL_SYSTEM, "%s: %s", path,
                       base != NULL && base->file != NULL ? sqlite3_errmsg(base->file) : "no memory");
    return set_up(store, error);
}

static void close_sqlite(ll_store *store)
{
    database *base = store->own;
    if (base == NULL)
        return;
    for (int i = 0; i < base->count; i++) {
        (void)sqlite3_finalize(base->kept[i].statement);
        free(base->kept[i].sql);
    }
    (void)sqlite3_close(base->file);
    free(base);
}

const ll_store_kind ll_store_sqlite = {
    prefix, open_sqlite, close_sqlite, run, {"BEGIN", "BEGIN IMMEDIATE", "BEGIN IMMEDIATE"}};
