#include "io/formats/history_file.h"

#include "io/files/io_fail.h"
#include "io/formats/csv_read.h"
#include "io/formats/number_text.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* The columns that count, with the names that people give them. */
enum { FILE_COLUMN, SCORE_COLUMN, ACCOUNT_COLUMN, TIME_COLUMN, COLUMNS };

static const char *const column_names[COLUMNS][8] = {
    [FILE_COLUMN] = {"file", "submission", "filename", "path"},
    [SCORE_COLUMN] = {"score", "public_score", "publicscore"},
    [ACCOUNT_COLUMN] = {"account", "team", "teamname", "user", "participant"},
    [TIME_COLUMN] = {"time", "date", "submitted", "timestamp", "submissiondate"},
};

typedef struct {
    ll_io_history *out;
    const char *list, *folder;
    long columns[COLUMNS]; /* -1: not there */
    long room;
    size_t held, max_memory;
    ll_error *error;
} reader;

void ll_io_clear_history(ll_io_history *history)
{
    for (long i = 0; i < history->count; i++) {
        ll_io_history_entry *e = &history->entries[i];
        free(e->path);
        free(e->name);
        free(e->account);
        free(e->time);
        free(e->score);
    }
    free(history->entries);
    *history = (ll_io_history){0};
}

/* ---- which file ---- */

static int is_folder(const char *path)
{
    struct stat what;
    return stat(path, &what) == 0 && S_ISDIR(what.st_mode);
}

static char *join(const char *folder, const char *name)
{
    char *path = NULL;
    if (folder[0] == '\0' || name[0] == '/')
        return strdup(name);
    return asprintf(&path, "%s/%s", folder, name) >= 0 ? path : NULL;
}

/* The list of a folder; NULL: none, or no memory. */
static char *find_list(const char *folder)
{
    static const char *const names[] = {"scores.csv", "submissions.csv", "index.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = join(folder, names[i]);
        if (path == NULL || access(path, F_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

/* "a/b.csv" is in "a". */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? strndup(path, (size_t)(slash - path) + (slash == path)) : strdup("");
}

/* ---- columns ---- */

static ll_status fail_memory(const reader *r)
{
    return ll_io_fail(r->error, LL_MEMORY, r->list, 0, "out of memory");
}

static int is_named(int column, const char *text)
{
    for (int i = 0; i < 8 && column_names[column][i] != NULL; i++)
        if (strcasecmp(column_names[column][i], text) == 0)
            return 1;
    return 0;
}

static ll_status read_header(reader *r, const ll_io_row *row)
{
    for (int c = 0; c < COLUMNS; c++) {
        r->columns[c] = -1;
        for (long i = 0; i < row->count; i++) {
            if (!is_named(c, row->fields[i].text))
                continue;
            if (r->columns[c] >= 0)
                return ll_io_fail(r->error, LL_DOMAIN, r->list, row->line, "two columns for the %s of a submission",
                                  column_names[c][0]);
            r->columns[c] = i;
        }
    }
    for (int c = FILE_COLUMN; c <= SCORE_COLUMN; c++)
        if (r->columns[c] < 0)
            return ll_io_fail(r->error, LL_DOMAIN, r->list, row->line,
                              "no column '%s': the first line names the columns file, score, account and time",
                              column_names[c][0]);
    return LL_OK;
}

/* ---- lines ---- */

static const char *get(const reader *r, const ll_io_row *row, int column)
{
    return r->columns[column] >= 0 ? row->fields[r->columns[column]].text : "";
}

/* One finite number, or several with blanks between. */
static ll_status check_score(const reader *r, const char *text, long line)
{
    char quoted[LL_IO_QUOTE_SIZE];
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, " ");
        ll_io_number_kind kind = ll_io_number_scan(at, length);
        if (kind != LL_IO_NUMBER)
            return ll_io_fail(r->error, LL_DOMAIN, r->list, line, "the score %s is %s", ll_io_quote(quoted, at, length),
                              kind == LL_IO_NOT_FINITE ? "not finite" : "no number");
        at += length;
        at += strspn(at, " ");
    }
    return LL_OK;
}

static int copy_texts(const reader *r, ll_io_history_entry *e, const ll_io_row *row)
{
    const char *account = get(r, row, ACCOUNT_COLUMN), *time = get(r, row, TIME_COLUMN);
    const char *score = get(r, row, SCORE_COLUMN), *name = get(r, row, FILE_COLUMN);
    *e = (ll_io_history_entry){.path = join(r->folder, name),
                               .name = strdup(name),
                               .account = strdup(account[0] != '\0' ? account : "-"),
                               .time = time[0] != '\0' ? strdup(time) : NULL,
                               .score = score[0] != '\0' ? strdup(score) : NULL,
                               .line = row->line};
    return e->path && e->name && e->account && (e->time || time[0] == '\0') && (e->score || score[0] == '\0');
}

static ll_status check_line(const reader *r, const ll_io_row *row)
{
    for (int c = 0; c < COLUMNS; c++)
        if (r->columns[c] >= row->count)
            return ll_io_fail(r->error, LL_DOMAIN, r->list, row->line, "%ld field%s, but the first line names more",
                              row->count, row->count == 1 ? "" : "s");
    if (get(r, row, FILE_COLUMN)[0] == '\0')
        return ll_io_fail(r->error, LL_DOMAIN, r->list, row->line,
                          "no file: every line names the file of a submission");
    for (int c = 0; c < COLUMNS; c++)
        if (!ll_io_is_utf8(get(r, row, c), strlen(get(r, row, c))))
            return ll_io_fail(r->error, LL_DOMAIN, r->list, row->line, "the %s is not UTF-8", column_names[c][0]);
    return check_score(r, get(r, row, SCORE_COLUMN), row->line);
}

static ll_status charge(reader *r, const ll_io_row *row)
{
    enum { A_LINE = 256 };
    for (long i = 0; i < row->count; i++)
        r->held += 2 * row->fields[i].length;
    r->held += A_LINE + strlen(r->folder);
    return r->max_memory == 0 || r->held <= r->max_memory ? LL_OK : ll_io_fail_budget(r->error, r->list, r->max_memory);
}

static ll_status add_line(reader *r, const ll_io_row *row)
{
    ll_status status = check_line(r, row);
    if (status == LL_OK)
        status = charge(r, row);
    if (status != LL_OK)
        return status;
    if (r->out->count == r->room) {
        long room = 2 * r->room + 64;
        ll_io_history_entry *grown = realloc(r->out->entries, sizeof *grown * (size_t)room);
        if (grown == NULL)
            return fail_memory(r);
        r->out->entries = grown;
        r->room = room;
    }
    return copy_texts(r, &r->out->entries[r->out->count++], row) ? LL_OK : fail_memory(r);
}

static ll_status read_list(reader *r)
{
    ll_io_bytes *bytes = NULL;
    ll_io_csv *csv = NULL;
    const ll_io_row *row = NULL;
    ll_status status = ll_io_bytes_open(&bytes, r->list, r->error);
    if (status == LL_OK)
        status = ll_io_csv_open(&csv, bytes, r->max_memory, r->error);
    if (status != LL_OK)
        return status;
    for (int first = 1; status == LL_OK; first = 0) {
        status = ll_io_csv_next(csv, &row, r->error);
        if (status != LL_OK || row == NULL)
            break;
        status = first ? read_header(r, row) : add_line(r, row);
    }
    ll_io_csv_close(csv);
    if (status == LL_OK && r->out->count == 0)
        status =
            ll_io_fail(r->error, LL_DOMAIN, r->list, 0, "no submission: a line for each is expected below the first");
    return status;
}

/* ---- order ---- */

typedef struct {
    locale_t locale; /* 0: as texts */
} time_order;

static int compare_times(const void *a, const void *b, void *state)
{
    const ll_io_history_entry *x = a, *y = b;
    const time_order *order = state;
    int sign = 0;
    if (x->time != NULL && y->time != NULL && order->locale == (locale_t)0)
        sign = strcmp(x->time, y->time);
    else if (x->time != NULL && y->time != NULL) {
        double s = ll_io_number_double(x->time, order->locale), t = ll_io_number_double(y->time, order->locale);
        sign = (s > t) - (s < t);
    }
    return sign != 0 ? sign : (x->line > y->line) - (x->line < y->line);
}

static ll_status sort_by_time(reader *r)
{
    long numbers = 0, times = 0;
    time_order order = {0};
    for (long i = 0; i < r->out->count; i++) {
        const char *time = r->out->entries[i].time;
        times += time != NULL;
        numbers += time != NULL && ll_io_number_scan(time, strlen(time)) == LL_IO_NUMBER;
        if (i > 0 && times != 0 && times != i + 1)
            return ll_io_fail(r->error, LL_DOMAIN, r->list, r->out->entries[i].line,
                              "some submissions have a time and some have none");
    }
    if (times == 0)
        return LL_OK;
    if (numbers == times)
        order.locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    qsort_r(r->out->entries, (size_t)r->out->count, sizeof *r->out->entries, compare_times, &order);
    if (order.locale != (locale_t)0)
        freelocale(order.locale);
    return LL_OK;
}

ll_status ll_io_read_history(ll_io_history *out, const char *path, const char *scores, size_t max_memory,
                             ll_error *error)
{
    *out = (ll_io_history){0};
    int folder = is_folder(path);
    if (!folder && scores != NULL)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "--scores names the list of a folder, but this is not a folder");
    char *list = scores != NULL ? strdup(scores) : folder ? find_list(path) : strdup(path);
    char *where = folder ? strdup(path) : folder_of(path);
    reader r = {.out = out, .list = list, .folder = where, .max_memory = max_memory, .error = error};
    ll_status status = LL_OK;
    if (folder && list == NULL)
        status =
            ll_io_fail(error, LL_DOMAIN, path, 0,
                       "no scores.csv in it: give --scores FILE.csv with the columns file, score, account and time");
    else if (list == NULL || where == NULL)
        status = ll_fail(error, LL_MEMORY, "out of memory");
    if (status == LL_OK)
        status = read_list(&r);
    if (status == LL_OK)
        status = sort_by_time(&r);
    free(list);
    free(where);
    return status;
}
