/* Predictions never go through a pipe: in mode each they are an unnamed file that is the child's standard input, in
 * mode stream a file whose path is sent. So neither side can block the other, and a child that does not read is no
 * trouble. All of its output is read as it comes, whether it matters or not. */
#include "io/process/oracle_process.h"

#include "io/files/io_fail.h"
#include "io/files/leftovers.h"
#include "io/files/temporary_file.h"
#include "io/files/unfinished.h"
#include "io/formats/number_text.h"
#include "io/formats/plan_file.h"
#include "io/formats/score_line.h"
#include "io/process/child.h"
#include "io/process/last_line.h"
#include "io/process/query_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST = 1 << 24, WORDS = 400, PIECE = 1 << 16, MOST_LEFT = 1 << 20, SLICE = 100, SHORT_SLICE = 5 };
static const double TO_OBEY = 0.2, TO_END = 2; /* seconds after SIGTERM, and after the end of its input */

struct ll_io_process {
    ll_io_process_options options;
    ll_io_child child;
    ll_io_last_line printed, words; /* standard output and error */
    const char *unsent;             /* of the line for its standard input */
    char *volatile folder;          /* stream mode; a signal handler may look at it and at path */
    char *volatile path;            /* of the predictions in it; the file may be there or not */
    char *line;                     /* the same with its end of line */
    int file;                       /* mode each: the predictions */
    int mark;                       /* mode stream: locked, in the folder */
    int unfinished;                 /* the folder's entry, or -1 */
    char *strange;                  /* the last score that was out of range; NULL: none */
    int is_out_of_memory;
    locale_t locale; /* C */
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ------------------------------------------------------------------ failures */

/* "query 3: REASON; it said '...'" */
__attribute__((format(printf, 4, 5))) static ll_status fail(const ll_io_process *p, ll_error *error, long query,
                                                            const char *format, ...)
{
    char reason[320], quoted[LL_IO_QUOTE_SIZE];
    size_t length;
    const char *words = ll_io_last_line_get(&p->words, &length);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (length == 0)
        return ll_fail(error, LL_SYSTEM, "query %ld: %s", query + 1, reason);
    return ll_fail(error, LL_SYSTEM, "query %ld: %s; it said %s", query + 1, reason,
                   ll_io_quote(quoted, words, length));
}

static ll_status fail_memory(ll_error *error)
{
    return ll_fail(error, LL_MEMORY, "no memory for an oracle's answer");
}

/* How it ended, where that is a failure; else NULL. */
static const char *complain_of_end(char *text, size_t size, int status)
{
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return NULL;
    if (status != -1 && WIFEXITED(status))
        (void)snprintf(text, size, "the oracle ended with exit status %d", WEXITSTATUS(status));
    else if (status != -1 && WIFSIGNALED(status)) {
        const char *name = sigdescr_np(WTERMSIG(status));
        (void)snprintf(text, size, "the oracle was ended by signal %d (%s)", WTERMSIG(status), name ? name : "unknown");
    } else
        (void)snprintf(text, size, "the oracle ended, nobody knows how");
    return text;
}

/* ------------------------------------------------------------------ pipes */

/* Read what is there, at most `most` bytes; at the end of the stream *file is closed. */
static void read_some(ll_io_process *p, int *file, ll_io_last_line *keeper, size_t most)
{
    char piece[PIECE];
    while (*file >= 0 && most > 0) {
        ssize_t got = read(*file, piece, most < sizeof piece ? most : sizeof piece);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (got <= 0) {
            ll_io_last_line_end(keeper);
            ll_io_close(file);
            return;
        }
        if (ll_io_last_line_add(keeper, piece, (size_t)got) != LL_OK)
            p->is_out_of_memory = 1;
        most -= (size_t)got;
    }
}

/* A child that closed its input may still say why. */
static void write_some(ll_io_process *p)
{
    ssize_t written = write(p->child.in, p->unsent, strlen(p->unsent));
    if (written > 0)
        p->unsent += written;
    else if (errno != EAGAIN && errno != EINTR) {
        ll_io_close(&p->child.in);
        p->unsent = "";
    }
}

/* Wait for news of the child, a slice of time at most, and take it in. */
static void wait_for_news(ll_io_process *p)
{
    ll_io_child *c = &p->child;
    struct pollfd files[] = {{.fd = c->in >= 0 && *p->unsent ? c->in : -1, .events = POLLOUT},
                             {.fd = c->out, .events = POLLIN},
                             {.fd = c->err, .events = POLLIN},
                             {.fd = c->end, .events = POLLIN}};
    if (poll(files, 4, c->end >= 0 ? SLICE : SHORT_SLICE) <= 0)
        return;
    if (files[0].revents)
        write_some(p);
    if (files[1].revents)
        read_some(p, &c->out, &p->printed, PIECE);
    if (files[2].revents)
        read_some(p, &c->err, &p->words, PIECE);
}

/* ------------------------------------------------------------------ ends */

/* Did it end by itself within so many seconds? */
static int wait_for_end(ll_io_process *p, double seconds)
{
    double until = now() + seconds;
    while (!ll_io_child_has_ended(&p->child)) {
        if (now() >= until)
            return 0;
        wait_for_news(p);
    }
    return 1;
}

/* End it; what it said before is still read: a pipe holds no more than that. */
static int end_child(ll_io_process *p)
{
    int status = ll_io_child_reap(&p->child);
    read_some(p, &p->child.out, &p->printed, MOST_LEFT);
    read_some(p, &p->child.err, &p->words, MOST_LEFT);
    ll_io_last_line_end(&p->printed);
    ll_io_last_line_end(&p->words);
    ll_io_child_close(&p->child);
    return status;
}

static void stop_child(ll_io_process *p)
{
    if (p->child.pid <= 0)
        return;
    ll_io_child_signal(&p->child, SIGTERM);
    (void)wait_for_end(p, TO_OBEY);
    (void)end_child(p);
}

/* ------------------------------------------------------------------ one answer */

static ll_status take_score(ll_io_process *p, char **score, long query, ll_error *error)
{
    const ll_io_process_options *o = &p->options;
    char complaint[LL_IO_COMPLAINT_SIZE], quoted[LL_IO_QUOTE_SIZE];
    size_t length;
    const char *text = ll_io_last_line_get(&p->printed, &length);
    if (length == 0)
        return fail(p, error, query, "the oracle gave no score");
    const char *wrong = ll_io_answer_complain(complaint, text, length, o->numbers > 1 ? o->numbers : 1);
    if (wrong)
        return fail(p, error, query, "the oracle's score %s", wrong);
    char *copy = strndup(text, length);
    if (!copy)
        return fail_memory(error);
    double value = o->numbers > 1 ? o->low : ll_io_number_double(copy, p->locale);
    if (value < o->low || value > o->high) {
        free(p->strange);
        p->strange = copy;
        return fail(p, error, query, "the oracle's score %s is out of range: this scorer's are from %.6g to %.6g",
                    ll_io_quote(quoted, text, length), o->low, o->high);
    }
    *score = copy;
    return LL_OK;
}

static ll_status end_each(ll_io_process *p, char **score, long query, ll_error *error)
{
    char text[160];
    const char *bad_end = complain_of_end(text, sizeof text, end_child(p));
    if (p->is_out_of_memory)
        return fail_memory(error);
    return bad_end ? fail(p, error, query, "%s", bad_end) : take_score(p, score, query, error);
}

static ll_status end_stream(ll_io_process *p, char **score, long query, ll_error *error)
{
    char text[160];
    if (p->printed.ended > 1 || p->printed.length > 0)
        return fail(p, error, query, "the oracle answered more than one line");
    if (p->printed.ended == 1)
        return take_score(p, score, query, error);
    if (!wait_for_end(p, TO_OBEY))
        return fail(p, error, query, "the oracle closed its output");
    const char *bad_end = complain_of_end(text, sizeof text, end_child(p));
    return fail(p, error, query, "%s before it answered", bad_end ? bad_end : "the oracle ended");
}

/* A stream whose output ended will not answer, whether it goes on or not. */
static int has_answered(const ll_io_process *p)
{
    if (p->options.mode == LL_IO_ORACLE_STREAM)
        return p->printed.ended > 0 || p->child.out < 0 || ll_io_child_has_ended(&p->child);
    return ll_io_child_has_ended(&p->child);
}

/* LL_OK: goes on. */
static ll_status check(ll_io_process *p, long query, double until, ll_error *error)
{
    ll_status status = p->options.check ? p->options.check(error) : LL_OK;
    if (status != LL_OK)
        return status;
    if (p->is_out_of_memory)
        return fail_memory(error);
    if (p->printed.over)
        return fail(p, error, query, "the oracle wrote a line of more than %zu bytes", p->printed.most);
    if (now() < until)
        return LL_OK;
    stop_child(p);
    return fail(p, error, query, "no score from the oracle within %g s (--oracle-timeout)", p->options.timeout);
}

static ll_status await(ll_io_process *p, char **score, long query, ll_error *error)
{
    double until = now() + p->options.timeout;
    for (;;) {
        ll_status status = check(p, query, until, error);
        if (status != LL_OK)
            return status;
        if (has_answered(p))
            break;
        wait_for_news(p);
    }
    /* The end may have been seen before the last of the output. */
    read_some(p, &p->child.out, &p->printed, MOST_LEFT);
    if (p->options.mode == LL_IO_ORACLE_STREAM)
        return end_stream(p, score, query, error);
    return end_each(p, score, query, error);
}

/* ------------------------------------------------------------------ asking */

static ll_status start(ll_io_process *p, const ll_predictions *predictions, long query, ll_error *error)
{
    char number[64], rows[64], classes[64];
    const char *extra[] = {number, rows, classes};
    (void)snprintf(number, sizeof number, "LOSSLEAK_QUERY=%ld", query + 1);
    (void)snprintf(rows, sizeof rows, "LOSSLEAK_ROWS=%ld", predictions->rows);
    (void)snprintf(classes, sizeof classes, "LOSSLEAK_CLASSES=%ld", p->options.classes);
    return ll_io_child_start(&p->child, p->options.command, p->file, extra, 3, error);
}

static ll_status ask_each(ll_io_process *p, char **score, const ll_predictions *predictions, long query,
                          ll_error *error)
{
    if (lseek(p->file, 0, SEEK_SET) != 0)
        return ll_io_fail_errno(error, "predictions", errno);
    ll_status status = start(p, predictions, query, error);
    return status == LL_OK ? await(p, score, query, error) : status;
}

/* What a child writes without being asked would be taken for the next answer. */
static ll_status ask_stream(ll_io_process *p, char **score, const ll_predictions *predictions, long query,
                            ll_error *error)
{
    ll_status status = p->child.pid > 0 ? LL_OK : start(p, predictions, query, error);
    if (status != LL_OK)
        return status;
    read_some(p, &p->child.out, &p->printed, MOST_LEFT);
    if (p->printed.ended > 0 || p->printed.length > 0)
        return fail(p, error, query, "the oracle wrote a line before it was asked");
    p->unsent = p->line;
    return await(p, score, query, error);
}

/* One attempt; whatever went wrong, nothing of it is left. */
static ll_status ask_once(ll_io_process *p, char **score, const ll_predictions *predictions, long query,
                          ll_error *error)
{
    ll_io_last_line_reset(&p->printed);
    ll_io_last_line_reset(&p->words);
    ll_status status = p->options.mode == LL_IO_ORACLE_STREAM ? ask_stream(p, score, predictions, query, error)
                                                              : ask_each(p, score, predictions, query, error);
    if (status != LL_OK)
        stop_child(p);
    return status;
}

static ll_status ask_often(ll_io_process *p, char **score, const ll_predictions *predictions, long query,
                           ll_error *error)
{
    ll_status status;
    ll_error why = {0};
    long tries = 0;
    do
        status = ask_once(p, score, predictions, query, &why);
    while (status == LL_SYSTEM && tries++ < p->options.retries);
    if (status == LL_SYSTEM && tries > 1)
        return ll_fail(error, status, "%.420s (asked %ld times)", why.text, tries);
    return status == LL_OK ? status : ll_fail(error, status, "%s", why.text);
}

/* ------------------------------------------------------------------ predictions */

static ll_status put_stream(ll_io_process *p, const ll_predictions *predictions, long query, ll_error *error)
{
    char name[64];
    ll_io_query_name(name, sizeof name, query, p->options.form);
    if (asprintf(&p->line, "%s/%s\n", p->folder, name) < 0) {
        p->line = NULL;
        return fail_memory(error);
    }
    p->path = strndup(p->line, strlen(p->line) - 1);
    return p->path ? ll_io_query_put(p->path, p->options.form, predictions, query, error) : fail_memory(error);
}

static void drop_predictions(ll_io_process *p)
{
    char *path = p->path;
    ll_io_close(&p->file);
    if (path)
        unlink(path);
    p->path = NULL; /* before it is freed: a signal may come */
    p->unsent = "";
    free(path);
    free(p->line);
    p->line = NULL;
}

static ll_status ask(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    ll_io_process *p = self;
    ll_status status = p->options.mode == LL_IO_ORACLE_STREAM
                           ? put_stream(p, predictions, query, error)
                           : ll_io_query_put_unnamed(&p->file, predictions, query, error);
    if (status == LL_OK)
        status = ask_often(p, score, predictions, query, error);
    drop_predictions(p);
    return status;
}

ll_oracle ll_io_process_oracle(ll_io_process *process)
{
    return (ll_oracle){.self = process, .ask = ask};
}

/* ------------------------------------------------------------------ open and close */

static ll_status make_folder(ll_io_process *p, ll_error *error)
{
    char *folder, name[LL_IO_TEMPORARY_NAME];
    const char *parent = ll_io_temporary_folder();
    if (strchr(parent, '\n'))
        return ll_fail(error, LL_DOMAIN, "TMPDIR has an end of line in it, so that no line can hold a path there");
    if (ll_io_temporary_name(name) != 0)
        return ll_io_fail_errno(error, parent, errno);
    if (asprintf(&folder, "%s/%s", parent, name) < 0)
        return fail_memory(error);
    ll_io_sweep_path(parent);
    p->unfinished = ll_io_unfinished_enter(AT_FDCWD, folder);
    if (mkdir(folder, 0700) == 0) {
        p->folder = folder;
        p->mark = ll_io_mark_folder(folder);
        return p->mark >= 0 && ll_io_move_up(&p->mark) == 0 ? LL_OK : ll_io_fail_errno(error, parent, errno);
    }
    int why = errno;
    ll_io_unfinished_forget(p->unfinished);
    p->unfinished = -1;
    free(folder);
    return ll_io_fail_errno(error, parent, why);
}

ll_status ll_io_process_open(ll_io_process **out, const ll_io_process_options *options, ll_error *error)
{
    ll_io_process *p = calloc(1, sizeof *p);
    if (!p)
        return ll_fail(error, LL_MEMORY, "no memory for an oracle");
    p->options = *options;
    p->file = p->mark = p->unfinished = -1;
    p->unsent = "";
    ll_io_child_init(&p->child);
    ll_io_last_line_init(&p->printed, options->longest ? options->longest : LONGEST);
    ll_io_last_line_init(&p->words, WORDS);
    p->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    ll_status status = p->locale ? LL_OK : fail_memory(error);
    if (status == LL_OK && options->mode == LL_IO_ORACLE_STREAM)
        status = make_folder(p, error);
    if (status != LL_OK)
        ll_io_process_close(p);
    else
        *out = p;
    return status;
}

void ll_io_process_drop(const ll_io_process *p)
{
    ll_io_child_signal(&p->child, SIGKILL);
    if (p->folder) {
        ll_io_unmark_folder(p->folder);
        ll_io_remove(AT_FDCWD, p->folder);
    }
}

const char *ll_io_process_strange(const ll_io_process *p)
{
    return p->strange;
}

void ll_io_process_close(ll_io_process *p)
{
    if (!p)
        return;
    int in_a_hurry = p->options.check && p->options.check(NULL) != LL_OK;
    if (p->child.pid > 0) {
        ll_io_close(&p->child.in);
        (void)wait_for_end(p, in_a_hurry ? 0 : TO_END);
        (void)end_child(p);
    }
    if (p->folder) {
        ll_io_unmark_folder(p->folder);
        ll_io_remove(AT_FDCWD, p->folder);
    }
    ll_io_close(&p->mark);
    ll_io_unfinished_forget(p->unfinished);
    free(p->folder);
    free(p->strange);
    if (p->locale)
        freelocale(p->locale);
    ll_io_last_line_clear(&p->printed);
    ll_io_last_line_clear(&p->words);
    free(p);
}
