#include "io/formats/scores_file.h"

#include "io/files/io_fail.h"
#include "io/formats/number_lines.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    long expected;
    ll_io_scores scores;
    long slots;
} collector;

static ll_status fail_memory(const ll_io_number_lines *l, ll_error *error)
{
    (void)ll_io_fail(error, LL_MEMORY, l->path, 0, "out of memory");
    return LL_MEMORY;
}

static ll_status make_slot(const ll_io_number_lines *l, collector *c, ll_error *error)
{
    ll_io_scores *s = &c->scores;
    if (s->count < c->slots)
        return LL_OK;
    long slots = c->slots ? 2 * c->slots : 16;
    char **texts = realloc(s->texts, (size_t)slots * sizeof *texts);
    if (texts)
        s->texts = texts;
    long *lines = texts ? realloc(s->lines, (size_t)slots * sizeof *lines) : NULL;
    if (!lines)
        return fail_memory(l, error);
    s->lines = lines;
    c->slots = slots;
    return LL_OK;
}

static ll_status take_score(ll_io_number_lines *l, const char *text, size_t length, long line, ll_error *error)
{
    collector *c = l->self;
    if (c->scores.count == c->expected)
        return ll_io_fail(error, LL_DOMAIN, l->path, line, "a score too many: %ld are expected", c->expected);
    ll_status status = ll_io_number_lines_charge(l, length + 1 + sizeof(char *) + sizeof(long), error);
    if (status == LL_OK)
        status = make_slot(l, c, error);
    if (status != LL_OK)
        return status;
    char *copy = strndup(text, length);
    if (!copy)
        return fail_memory(l, error);
    c->scores.texts[c->scores.count] = copy;
    c->scores.lines[c->scores.count++] = line;
    return LL_OK;
}

ll_status ll_io_read_scores(ll_io_scores *out, const char *path, long expected, long numbers, size_t max_memory,
                            ll_error *error)
{
    collector c = {.expected = expected};
    ll_io_number_lines lines = {
        .what = "score", .numbers = numbers, .limit = max_memory, .take = take_score, .self = &c};
    ll_status status = ll_io_number_lines_read(&lines, path, error);
    if (status == LL_OK && c.scores.count < expected)
        status = ll_io_fail(error, LL_DOMAIN, lines.path, 0, "too few scores: %ld, but %ld are expected",
                            c.scores.count, expected);
    if (status == LL_OK)
        *out = c.scores;
    else
        ll_io_clear_scores(&c.scores);
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
