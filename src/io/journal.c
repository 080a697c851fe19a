/* Lines are only ever added, each with one write and a sync. What a crash can leave is therefore the beginning of a
 * last line (or zero bytes in its place, on some file systems), and nothing else is forgiven. */
#include "io/journal.h"

#include "io/io_fail.h"
#include "io/score_line.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGEST_SHOWN = 12 };

struct ll_io_journal {
    char *path, *digest;
    int file;
    long queries, count;
    char **scores; /* one a query; NULL: not there */
    long *lines;   /* where each was read; 0: written by this process */
    off_t size;    /* bytes of whole lines */
    ll_oracle inner;
};

static ll_status fail_memory(const ll_io_journal *j, ll_error *error)
{
    return ll_io_fail(error, LL_MEMORY, j->path, 0, "out of memory");
}

/* ------------------------------------------------------------------ one line */

typedef struct {
    json_t *object; /* holds the texts */
    json_int_t query;
    const char *digest, *score;
    size_t score_length;
} record;

/* 0, with the reason in `why`, where it is none. */
static int parse(record *r, json_error_t *why, const char *line, size_t length)
{
    r->object = json_loadb(line, length, JSON_REJECT_DUPLICATES, why);
    if (!r->object)
        return 0;
    if (json_unpack_ex(r->object, why, JSON_STRICT, "{s:I, s:s, s:s%}", "query", &r->query, "digest", &r->digest,
                       "score", &r->score, &r->score_length) == 0)
        return 1;
    json_decref(r->object);
    return 0;
}

static ll_status check(const ll_io_journal *j, const record *r, long line, ll_error *error)
{
    char complaint[LL_IO_COMPLAINT_SIZE], quoted[2][LL_IO_QUOTE_SIZE];
    if (strcmp(r->digest, j->digest) != 0)
        return ll_io_fail(error, LL_DOMAIN, j->path, line,
                          "belongs to another plan (its digest is %.*s..., this plan's %.*s...); give another file, or "
                          "the options it was begun with",
                          DIGEST_SHOWN, ll_io_quote(quoted[0], r->digest, strlen(r->digest)) + 1, DIGEST_SHOWN,
                          j->digest);
    if (r->query < 1 || r->query > j->queries)
        return ll_io_fail(error, LL_DOMAIN, j->path, line, "there is no query %lld: the plan has 1 to %ld",
                          (long long)r->query, j->queries);
    const char *wrong = ll_io_score_complain(complaint, r->score, r->score_length);
    if (wrong)
        return ll_io_fail(error, LL_DOMAIN, j->path, line, "the score %s", wrong);
    const char *before = j->scores[r->query - 1];
    if (before && strcmp(before, r->score) != 0)
        return ll_io_fail(error, LL_DOMAIN, j->path, line, "query %lld has the score %s here, but %s in line %ld",
                          (long long)r->query, ll_io_quote(quoted[0], r->score, r->score_length),
                          ll_io_quote(quoted[1], before, strlen(before)), j->lines[r->query - 1]);
    return LL_OK;
}

static ll_status keep(ll_io_journal *j, long query, const char *score, long line, ll_error *error)
{
    if (j->scores[query])
        return LL_OK;
    j->scores[query] = strdup(score);
    if (!j->scores[query])
        return fail_memory(j, error);
    j->lines[query] = line;
    j->count++;
    return LL_OK;
}

/* ------------------------------------------------------------------ reading */

/* May a crash have left this of a line? Then it begins as every line does, or is zero bytes. */
static int is_remainder(const char *line, size_t length)
{
    static const char head[] = "{\"query\":";
    size_t compared = length < sizeof head - 1 ? length : sizeof head - 1, zeros = 0;
    while (zeros < length && line[zeros] == '\0')
        zeros++;
    return zeros == length || memcmp(line, head, compared) == 0;
}

/* One line with its end; the last one may lack that. */
static ll_status read_line(ll_io_journal *j, const char *line, size_t length, long number, char *note, size_t size,
                           ll_error *error)
{
    record r;
    json_error_t why;
    char shown[160], place[300];
    int is_whole = length > 0 && line[length - 1] == '\n';
    if (!parse(&r, &why, line, length)) {
        if (!is_whole && is_remainder(line, length)) {
            ll_io_place(place, sizeof place, j->path, number);
            (void)snprintf(note, size, "%s: the last line was cut off by a crash and is taken away", place);
            return LL_OK;
        }
        ll_io_printable(shown, sizeof shown, why.text, strlen(why.text));
        return ll_io_fail(error, LL_DOMAIN, j->path, number, "not a line of a journal: %s", shown);
    }
    ll_status status = check(j, &r, number, error);
    if (status == LL_OK)
        status = keep(j, (long)r.query - 1, r.score, number, error);
    if (status == LL_OK)
        j->size += (off_t)length;
    json_decref(r.object);
    return status;
}

static ll_status read_lines(ll_io_journal *j, FILE *in, char *note, size_t size, ll_error *error)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    long number = 0;
    ll_status status = LL_OK;
    while (status == LL_OK && (length = getline(&line, &room, in)) > 0)
        status = read_line(j, line, (size_t)length, ++number, note, size, error);
    if (status == LL_OK && ferror(in))
        status = ll_io_fail_errno(error, j->path, errno);
    free(line);
    return status;
}

static ll_status read_all(ll_io_journal *j, char *note, size_t size, ll_error *error)
{
    int copy = fcntl(j->file, F_DUPFD_CLOEXEC, 3);
    FILE *in = copy >= 0 ? fdopen(copy, "r") : NULL;
    if (!in) {
        int why = errno;
        if (copy >= 0)
            close(copy);
        return ll_io_fail_errno(error, j->path, why);
    }
    ll_status status = read_lines(j, in, note, size, error);
    (void)fclose(in);
    return status;
}

/* After this the file is whole lines and nothing else. A last line that lacks only its end gets it. */
static ll_status mend(ll_io_journal *j, ll_error *error)
{
    struct stat about;
    char last = '\n';
    if (fstat(j->file, &about) != 0)
        return ll_io_fail_errno(error, j->path, errno);
    if (about.st_size > j->size && ftruncate(j->file, j->size) != 0)
        return ll_io_fail_errno(error, j->path, errno);
    if (j->size > 0 && pread(j->file, &last, 1, j->size - 1) != 1)
        return ll_io_fail_errno(error, j->path, errno);
    if (last != '\n') {
        if (write(j->file, "\n", 1) != 1)
            return ll_io_fail_errno(error, j->path, errno);
        j->size++;
    }
    return LL_OK;
}

/* ------------------------------------------------------------------ opening */

/* A name is safe only when its folder is; some file systems cannot sync one. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int file = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
    free(folder);
}

static ll_status open_file(ll_io_journal *j, size_t max_memory, ll_error *error)
{
    struct stat about;
    j->file = open(j->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (j->file < 0 || fstat(j->file, &about) != 0)
        return ll_io_fail_errno(error, j->path, errno);
    if (!S_ISREG(about.st_mode))
        return ll_io_fail(error, LL_DOMAIN, j->path, 0, "is no regular file, and a journal must be one");
    if (flock(j->file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return ll_io_fail(error, LL_DOMAIN, j->path, 0, "another attack is writing this journal");
        return ll_io_fail_errno(error, j->path, errno);
    }
    if (fstat(j->file, &about) != 0)
        return ll_io_fail_errno(error, j->path, errno);
    if (max_memory > 0 && (unsigned long long)about.st_size > max_memory)
        return ll_io_fail_budget(error, j->path, max_memory);
    if (about.st_size == 0)
        sync_folder(j->path);
    return LL_OK;
}

/* NULL where memory ended. */
static ll_io_journal *create(const char *path, const char *digest, long queries)
{
    ll_io_journal *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->file = -1;
    j->queries = queries;
    j->path = strdup(path);
    j->digest = strdup(digest);
    j->scores = calloc((size_t)queries, sizeof *j->scores);
    j->lines = calloc((size_t)queries, sizeof *j->lines);
    if (j->path && j->digest && j->scores && j->lines)
        return j;
    ll_io_journal_close(j);
    return NULL;
}

ll_status ll_io_journal_open(ll_io_journal **out, char *note, size_t size, const char *path, const char *digest,
                             long queries, size_t max_memory, ll_error *error)
{
    note[0] = '\0';
    if (!*path)
        return ll_io_fail(error, LL_DOMAIN, "(no name)", 0, "an empty file name");
    ll_io_journal *j = create(path, digest, queries);
    if (!j)
        return ll_io_fail(error, LL_MEMORY, path, 0, "out of memory for %ld queries", queries);
    ll_status status = open_file(j, max_memory, error);
    if (status == LL_OK)
        status = read_all(j, note, size, error);
    if (status == LL_OK)
        status = mend(j, error);
    if (status != LL_OK)
        ll_io_journal_close(j);
    else
        *out = j;
    return status;
}

void ll_io_journal_close(ll_io_journal *j)
{
    if (!j)
        return;
    for (long i = 0; j->scores && i < j->queries; i++)
        free(j->scores[i]);
    if (j->file >= 0)
        close(j->file);
    free(j->scores);
    free(j->lines);
    free(j->digest);
    free(j->path);
    free(j);
}

long ll_io_journal_count(const ll_io_journal *j)
{
    return j->count;
}

/* ------------------------------------------------------------------ writing */

/* The line with its end, or NULL where memory ended. */
static char *make_line(const ll_io_journal *j, long query, const char *score)
{
    json_t *object = json_pack("{s:I, s:s, s:s}", "query", (json_int_t)query + 1, "digest", j->digest, "score", score);
    char *text = object ? json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL, *line;
    json_decref(object);
    int made = text ? asprintf(&line, "%s\n", text) : -1;
    free(text);
    return made < 0 ? NULL : line;
}

/* 0 or an error number; the file is as before then */
static int append(ll_io_journal *j, const char *line)
{
    size_t length = strlen(line), done = 0;
    int why = 0;
    while (done < length && why == 0) {
        ssize_t written = write(j->file, line + done, length - done);
        if (written > 0)
            done += (size_t)written;
        else if (errno != EINTR)
            why = errno;
    }
    if (why == 0 && fsync(j->file) != 0)
        why = errno;
    if (why == 0)
        j->size += (off_t)length;
    else if (done > 0 && ftruncate(j->file, j->size) != 0)
        why = errno;
    return why;
}

static ll_status write_down(ll_io_journal *j, long query, const char *score, ll_error *error)
{
    char complaint[LL_IO_COMPLAINT_SIZE], quoted[LL_IO_QUOTE_SIZE];
    const char *wrong = ll_io_score_complain(complaint, score, strlen(score));
    if (wrong)
        return ll_fail(error, LL_DOMAIN, "query %ld: the score %s", query + 1, wrong);
    char *line = make_line(j, query, score);
    int why = line ? append(j, line) : ENOMEM;
    free(line);
    if (why == 0)
        return keep(j, query, score, 0, error);
    const char *reason = strerrordesc_np(why);
    return ll_io_fail(error, why == ENOMEM ? LL_MEMORY : LL_SYSTEM, j->path, 0,
                      "%s; query %ld got the score %s, which is not in the journal", reason ? reason : "unknown error",
                      query + 1, ll_io_quote(quoted, score, strlen(score)));
}

static ll_status ask(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    ll_io_journal *j = self;
    if (query < 0 || query >= j->queries)
        return ll_io_fail(error, LL_DOMAIN, j->path, 0, "there is no query %ld: the plan has 1 to %ld", query + 1,
                          j->queries);
    if (j->scores[query]) {
        *score = strdup(j->scores[query]);
        return *score ? LL_OK : fail_memory(j, error);
    }
    char *fresh = NULL;
    ll_status status = j->inner.ask(j->inner.self, &fresh, predictions, query, error);
    if (status == LL_OK)
        status = write_down(j, query, fresh, error);
    if (status == LL_OK)
        *score = fresh;
    else
        free(fresh);
    return status;
}

ll_oracle ll_io_journal_oracle(ll_io_journal *journal, ll_oracle inner)
{
    journal->inner = inner;
    return (ll_oracle){.self = journal, .ask = ask};
}
