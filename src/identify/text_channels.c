/* What a program prints beside numbers: does its text follow the labels, and which rows does it name? */
#include "identify/job.h"

#include <stdio.h>
#include <string.h>

static const char *rest_in(const ll_identify_job *job, long run, long part)
{
    const ll_numbers *n = &job->pool.numbers[run];
    return job->pool.probes[run].reply.failed ? NULL : part < n->rest_count ? n->rests[part] : "";
}

static long count_other_rests(const ll_identify_job *job, ll_span span, long part)
{
    const char *base = rest_in(job, job->same.first, part);
    long different = 0;
    for (long i = span.first; i < span.first + span.count; i++) {
        const char *rest = rest_in(job, i, part);
        different += rest != NULL && base != NULL && strcmp(rest, base) != 0;
    }
    return different;
}

/* Rows whose number, the row's own, is in the text exactly with one of its labels. */
static int names_row(const ll_identify_job *job, long run, long part, long row)
{
    const ll_numbers *n = &job->pool.numbers[run];
    for (long i = 0; i < n->count; i++)
        if (n->all[i].part == part && n->all[i].value == (double)row)
            return 1;
    return 0;
}

static long count_named_rows(const ll_identify_job *job, long part)
{
    const ll_probe *base = &job->pool.probes[job->same.first];
    long named = 0;
    for (long row = 0; row < job->task.rows; row++) {
        int there = names_row(job, job->same.first, part, row), follows = 1, moves = 0;
        for (long i = 1; i < job->same.count && follows; i++) {
            int same = job->pool.probes[job->same.first + i].labels[row] == base->labels[row];
            moves |= !same;
            follows = job->task.classes != 2 || (names_row(job, job->same.first + i, part, row) == there) == same;
        }
        named += follows && moves && job->task.classes == 2;
    }
    return named;
}

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The first word in which two texts differ, as the one and the other have it; both may be empty. */
static void find_difference(char *word, char *other, size_t size, const char *text, const char *changed)
{
    size_t at = 0;
    while (text[at] == changed[at] && text[at] != '\0')
        at++;
    while (at > 0 && !is_space(text[at - 1]))
        at--;
    const char *from[] = {text + at, changed + at};
    char *to[] = {word, other};
    for (int i = 0; i < 2; i++) {
        size_t length = 0;
        while (from[i][length] != '\0' && !is_space(from[i][length]) && length + 1 < size)
            length++;
        (void)snprintf(to[i], size, "%.*s", (int)length, from[i]);
    }
}

/* What changes in a text: its words, with an example of two runs. */
static const char *say_change(const ll_identify_job *job, ll_span span, long part, const char *when)
{
    char word[40] = "", other[40] = "";
    const char *base = rest_in(job, job->same.first, part);
    for (long i = span.first; i < span.first + span.count && word[0] == '\0' && other[0] == '\0'; i++)
        if (base != NULL && rest_in(job, i, part) != NULL)
            find_difference(word, other, sizeof word, base, rest_in(job, i, part));
    return word[0] != '\0' && other[0] != '\0'
               ? ll_texts_add(job->texts, "Its words change %s: '%s' in one run is '%s' in another (# is a number).",
                              when, word, other)
               : ll_texts_add(job->texts, "Its words, or how many numbers there are, change %s.", when);
}

/* The only row whose label changes the text, -1: there is none, or there are more. */
static long text_row_followed(const ll_identify_job *job, long part)
{
    const char *base = rest_in(job, job->same.first, part);
    long row = -1;
    for (long i = 0; i < job->flipped.count; i++) {
        const char *rest = rest_in(job, job->flipped.first + i, part);
        if (base != NULL && rest != NULL && strcmp(rest, base) == 0)
            continue;
        if (row >= 0 || rest == NULL || base == NULL)
            return -1;
        row = i;
    }
    return row;
}

ll_status ll_identify_add_text(ll_identify_job *job, long part)
{
    if (count_other_rests(job, job->same, part) + count_other_rests(job, job->again, part) == 0)
        return LL_OK;
    char name[LL_NUMBER_NAME];
    (void)snprintf(name, sizeof name, "%s (text)", job->pool.probes[job->same.first].reply.parts[part].channel);
    ll_channel_found *channel = ll_identify_add(job, name);
    if (channel == NULL)
        return ll_identify_no_memory(job);
    long named = count_named_rows(job, part), row = text_row_followed(job, part);
    channel->is_deterministic = count_other_rests(job, job->again, part) == 0 ? LL_TRUE : LL_FALSE;
    channel->depends_on_labels = named > 2 || channel->is_deterministic == LL_TRUE ? LL_TRUE : LL_UNKNOWN;
    channel->tells_rows = named > 2 || (row >= 0 && channel->is_deterministic == LL_TRUE);
    channel->evidence =
        named > 2
            ? ll_texts_add(
                  job->texts,
                  "It names rows by their label: for %ld of %ld rows, the row is listed exactly when it has one of its labels.",
                  named, job->task.rows)
        : channel->tells_rows
            ? say_change(job, job->flipped, part,
                         ll_texts_add(job->texts, "with the label of row %ld and with no other label", row))
        : channel->is_deterministic == LL_TRUE ? say_change(job, job->same, part, "with labels where nothing else does")
                                               : say_change(job, job->again, part, "from run to run");
    return LL_OK;
}
