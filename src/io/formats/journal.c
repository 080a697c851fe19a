#include "io/formats/journal.h"

#include "io/files/io_fail.h"
#include "io/files/json_text.h"
#include "io/files/line_log.h"
#include "io/formats/score_line.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGEST_SHOWN = 12 };

struct ll_io_journal {
    char *path, *digest;
    ll_io_log *log;
    long queries, count;
    char **scores; /* one a query; NULL: not there */
    long *lines;   /* where each was read; 0: written by this process */
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
    const char *wrong = ll_io_answer_complain(complaint, r->score, r->score_length, 0);
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

static ll_line read_line(void *self, const char *line, size_t length, long number, int is_whole, ll_error *error)
{
    ll_io_journal *j = self;
    record r;
    json_error_t why;
    char shown[160];
    if (!parse(&r, &why, line, length)) {
        if (!is_whole && ll_io_log_is_remainder(line, length, "{\"query\":"))
            return LL_LINE_REMAINDER;
        ll_io_printable(shown, sizeof shown, why.text, strlen(why.text));
        ll_io_fail(error, LL_DOMAIN, j->path, number, "not a line of a journal: %s", shown);
        return LL_LINE_FAILED;
    }
    ll_status status = check(j, &r, number, error);
    if (status == LL_OK)
        status = keep(j, (long)r.query - 1, r.score, number, error);
    json_decref(r.object);
    return status == LL_OK ? LL_LINE_KEPT : LL_LINE_FAILED;
}

/* ------------------------------------------------------------------ opening */

/* NULL where memory ended. */
static ll_io_journal *create(const char *path, const char *digest, long queries)
{
    ll_io_journal *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
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
    ll_io_journal *j = create(path, digest, queries);
    if (!j)
        return ll_io_fail(error, LL_MEMORY, path, 0, "out of memory for %ld queries", queries);
    ll_status status = ll_io_log_open(&j->log, note, size, path, "attack", max_memory, read_line, j, error);
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
    ll_io_log_close(j->log);
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

/* NULL where memory ended. */
static char *make_line(const ll_io_journal *j, long query, const char *score)
{
    json_t *object = json_pack("{s:I, s:s, s:s}", "query", (json_int_t)query + 1, "digest", j->digest, "score", score);
    char *line = object ? ll_io_json_text(object, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    json_decref(object);
    return line;
}

static ll_status write_down(ll_io_journal *j, long query, const char *score, ll_error *error)
{
    char complaint[LL_IO_COMPLAINT_SIZE], quoted[LL_IO_QUOTE_SIZE];
    const char *wrong = ll_io_answer_complain(complaint, score, strlen(score), 0);
    if (wrong)
        return ll_fail(error, LL_DOMAIN, "query %ld: the score %s", query + 1, wrong);
    char *line = make_line(j, query, score);
    int why = line ? ll_io_log_append(j->log, line) : ENOMEM;
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
        ll_free(fresh);
    return status;
}

ll_oracle ll_io_journal_oracle(ll_io_journal *journal, ll_oracle inner)
{
    journal->inner = inner;
    return (ll_oracle){.self = journal, .ask = ask};
}
