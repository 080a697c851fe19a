#include "io/scores_file.h"

#include "io/io_fail.h"
#include "io/number_text.h"
#include "io/text_stream.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *path;
    long expected;
    size_t held, limit; /* bytes; limit 0: none */
    char *line;         /* what is at hand of the line */
    size_t length, room;
    long blank; /* the first empty line that no score has followed yet, or 0 */
    ll_io_scores scores;
    long slots;
} reader;

static ll_status fail_memory(const reader *r, ll_error *error)
{
    (void)ll_io_fail(error, LL_MEMORY, r->path, 0, "out of memory");
    return LL_MEMORY;
}

static ll_status charge(reader *r, size_t bytes, ll_error *error)
{
    r->held += bytes;
    return r->limit > 0 && r->held > r->limit ? ll_io_fail_budget(error, r->path, r->limit) : LL_OK;
}

static ll_status make_slot(reader *r, ll_error *error)
{
    ll_io_scores *s = &r->scores;
    if (s->count < r->slots)
        return LL_OK;
    long slots = r->slots ? 2 * r->slots : 16;
    char **texts = realloc(s->texts, (size_t)slots * sizeof *texts);
    if (texts)
        s->texts = texts;
    long *lines = texts ? realloc(s->lines, (size_t)slots * sizeof *lines) : NULL;
    if (!lines)
        return fail_memory(r, error);
    s->lines = lines;
    r->slots = slots;
    return LL_OK;
}

static ll_status check_score(const reader *r, const char *text, size_t length, long line, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE];
    if (r->blank)
        return ll_io_fail(error, LL_DOMAIN, r->path, r->blank, "an empty line where a score is expected");
    ll_io_number_kind kind = ll_io_number_scan(text, length);
    if (kind == LL_IO_NO_NUMBER)
        return ll_io_fail(error, LL_DOMAIN, r->path, line, "%s is not a number", ll_io_quote(quoted, text, length));
    if (kind == LL_IO_NOT_FINITE)
        return ll_io_fail(error, LL_DOMAIN, r->path, line, "%s is not finite", ll_io_quote(quoted, text, length));
    if (r->scores.count == r->expected)
        return ll_io_fail(error, LL_DOMAIN, r->path, line, "a score too many: %ld are expected", r->expected);
    return LL_OK;
}

static ll_status add_score(reader *r, const char *text, size_t length, long line, ll_error *error)
{
    ll_status status = check_score(r, text, length, line, error);
    if (status == LL_OK)
        status = charge(r, length + 1 + sizeof(char *) + sizeof(long), error);
    if (status == LL_OK)
        status = make_slot(r, error);
    if (status != LL_OK)
        return status;
    char *copy = strndup(text, length);
    if (!copy)
        return fail_memory(r, error);
    r->scores.texts[r->scores.count] = copy;
    r->scores.lines[r->scores.count++] = line;
    return LL_OK;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* The line is whole: a score, or empty. */
static ll_status end_line(reader *r, long line, ll_error *error)
{
    const char *text = r->line;
    size_t length = r->length;
    r->length = 0;
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    while (length > 0 && is_blank(*text)) {
        text++;
        length--;
    }
    if (length > 0)
        return add_score(r, text, length, line, error);
    if (!r->blank)
        r->blank = line;
    return LL_OK;
}

static ll_status keep_piece(reader *r, const char *piece, size_t size, ll_error *error)
{
    size_t needed = r->length + size;
    if (needed > r->room) {
        size_t room = 2 * needed + 64;
        ll_status status = charge(r, room - r->room, error);
        if (status != LL_OK)
            return status;
        char *line = realloc(r->line, room);
        if (!line)
            return fail_memory(r, error);
        r->line = line;
        r->room = room;
    }
    memcpy(r->line + r->length, piece, size);
    r->length = needed;
    return LL_OK;
}

static ll_status read_lines(reader *r, ll_io_text *text, ll_error *error)
{
    for (;;) {
        const char *piece;
        size_t size;
        long line = text->line;
        ll_status status = ll_io_text_next(text, &piece, &size, error);
        if (status != LL_OK || size == 0)
            return status == LL_OK && r->length > 0 ? end_line(r, line, error) : status;
        status = keep_piece(r, piece, size, error);
        if (status == LL_OK && piece[size - 1] == '\n')
            status = end_line(r, line, error);
        if (status != LL_OK)
            return status;
    }
}

static ll_status check_count(const reader *r, ll_error *error)
{
    if (r->scores.count == r->expected)
        return LL_OK;
    return ll_io_fail(error, LL_DOMAIN, r->path, 0, "too few scores: %ld, but %ld are expected", r->scores.count,
                      r->expected);
}

ll_status ll_io_read_scores(ll_io_scores *out, const char *path, long expected, size_t max_memory, ll_error *error)
{
    reader r = {.path = ll_io_name(path), .expected = expected, .limit = max_memory};
    ll_io_bytes *bytes;
    ll_io_text text;
    ll_status status = ll_io_bytes_open(&bytes, path, error);
    if (status == LL_OK)
        status = ll_io_text_open(&text, bytes, error);
    if (status != LL_OK)
        return status;
    status = read_lines(&r, &text, error);
    ll_io_text_close(&text);
    free(r.line);
    if (status == LL_OK)
        status = check_count(&r, error);
    if (status == LL_OK)
        *out = r.scores;
    else
        ll_io_clear_scores(&r.scores);
    return status;
}

void ll_io_clear_scores(ll_io_scores *scores)
{
    for (long i = 0; i < scores->count; i++)
        free(scores->texts[i]);
    free(scores->texts);
    free(scores->lines);
    *scores = (ll_io_scores){0};
}
