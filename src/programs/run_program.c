/* The driver's process, and its lines of JSON. */
#include "programs/run_program.h"

#include "io/formats/number_text.h"
#include "io/process/child.h"
#include "programs/sandbox.h"
#include <programs/driver_text.h>

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PATHS = 24, WAIT = 100 };

struct ll_run_program {
    ll_program_options options;
    ll_io_child child;
    char *line; /* what was read and not used */
    size_t length, room;
    int is_sandboxed;
    char format[24], interface[16];
    long classes;
    double processor; /* seconds, as the driver says */
};

/* ---- interfaces ---- */

/* The beginning of the interface's name, the driver's name for it. */
static const char *const interfaces[] = {"pair", "evalai", "codabench", "python"};

/* NULL where none is named: the driver looks at the program. */
static int find_interface(const char **out, const ll_program_options *o)
{
    size_t length = o->interface != NULL ? strcspn(o->interface, ":") : 0;
    *out = NULL;
    for (size_t i = 0; i < sizeof interfaces / sizeof *interfaces && o->interface != NULL; i++)
        if (strlen(interfaces[i]) == length && strncmp(interfaces[i], o->interface, length) == 0)
            *out = interfaces[i];
    return *out != NULL || o->interface == NULL;
}

/* What the driver runs: of python:FILE:FUNCTION, the two behind the first colon. */
static const char *program_of(const ll_program_options *o)
{
    const char *inner = o->interface != NULL ? strchr(o->interface, ':') : NULL;
    return inner != NULL ? inner + 1 : o->program;
}

/* ---- start ---- */

typedef struct {
    char text[8192];
    const char *paths[MOST_PATHS];
    long count;
    const char *python;
} words;

static int is_python(const char *word)
{
    const char *name = strrchr(word, '/');
    name = name != NULL ? name + 1 : word;
    return strncmp(name, "python", 6) == 0 && strspn(name + 6, "0123456789.") == strlen(name + 6);
}

/* Words of the command and of the examples: some of them are files. */
static void split(words *w, const ll_program_options *o)
{
    const char *program = program_of(o);
    *w = (words){.python = "python3"};
    (void)snprintf(w->text, sizeof w->text, "%s %s", program != NULL ? program : "",
                   o->examples != NULL ? o->examples : "");
    for (char *rest = w->text, *word; (word = strsep(&rest, " ,:")) != NULL && w->count < MOST_PATHS;) {
        if (word[0] == '\0')
            continue;
        if (w->count == 0 && is_python(word))
            w->python = word;
        w->paths[w->count++] = word;
    }
}

static ll_status start_driver(ll_run_program *p, ll_error *error)
{
    char *command = malloc(LL_SANDBOX_COMMAND), *driver = malloc(sizeof ll_driver_text + 32);
    words w;
    split(&w, &p->options);
    p->is_sandboxed = !p->options.without_sandbox && ll_sandbox_works();
    ll_status status =
        command != NULL && driver != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for the program's driver");
    if (status == LL_OK && !ll_sandbox_command(command, w.paths, w.count, w.python, p->is_sandboxed))
        status = ll_fail(error, LL_DOMAIN, "the program's command is too long");
    if (status == LL_OK) {
        (void)snprintf(driver, sizeof ll_driver_text + 32, "LOSSLEAK_DRIVER=%s", (const char *)ll_driver_text);
        const char *extra[] = {driver, "PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0", "OMP_NUM_THREADS=1",
                               "OPENBLAS_NUM_THREADS=1"};
        status = ll_io_child_start(&p->child, command, -1, extra, 5, error);
    }
    free(command);
    free(driver);
    return status;
}

/* ---- lines ---- */

static ll_status send(ll_run_program *p, json_t *value, ll_error *error)
{
    char *text = json_dumps(value, JSON_COMPACT);
    size_t length = text != NULL ? strlen(text) : 0, sent = 0;
    if (text == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a request to the program");
    text[length++] = '\n'; /* over the end, which nobody reads */
    while (sent < length) {
        struct pollfd wait = {.fd = p->child.in, .events = POLLOUT};
        ssize_t done = write(p->child.in, text + sent, length - sent);
        if (done < 0 && errno != EAGAIN && errno != EINTR)
            break;
        sent += done > 0 ? (size_t)done : 0;
        (void)poll(&wait, 1, WAIT);
    }
    free(text);
    return sent == length ? LL_OK : ll_fail(error, LL_SYSTEM, "the program's driver has ended");
}

/* The last line of what the driver wrote to standard error. */
static ll_status ended(ll_run_program *p, ll_error *error)
{
    char text[4096];
    ssize_t got = read(p->child.err, text, sizeof text - 1);
    text[got > 0 ? got : 0] = '\0';
    while (got > 0 && text[got - 1] == '\n')
        text[--got] = '\0';
    const char *last = strrchr(text, '\n');
    return ll_fail(error, LL_SYSTEM, "the program's driver has ended: %s",
                   text[0] == '\0' ? "is there a python3?"
                   : last != NULL  ? last + 1
                                   : text);
}

static int fill(ll_run_program *p)
{
    if (p->room - p->length < 65536) {
        char *line = realloc(p->line, p->room + 262144);
        if (line == NULL)
            return -1;
        p->line = line;
        p->room += 262144;
    }
    ssize_t got = read(p->child.out, p->line + p->length, p->room - p->length - 1);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? 1 : -1;
    p->length += (size_t)got;
    return got > 0;
}

static void drain(ll_run_program *p)
{
    char text[4096];
    struct pollfd wait = {.fd = p->child.err, .events = POLLIN};
    while (poll(&wait, 1, 0) > 0 && read(p->child.err, text, sizeof text) > 0)
        ;
}

static ll_status receive(ll_run_program *p, json_t **out, ll_error *error)
{
    char *end = NULL;
    ll_status status = LL_OK;
    while (status == LL_OK && (end = p->length > 0 ? memchr(p->line, '\n', p->length) : NULL) == NULL) {
        struct pollfd wait = {.fd = p->child.out, .events = POLLIN};
        if (p->options.check != NULL)
            status = p->options.check(error);
        if (status != LL_OK || poll(&wait, 1, WAIT) <= 0)
            continue;
        int filled = fill(p);
        if (filled == 0)
            return ended(p, error);
        if (filled < 0)
            return ll_fail(error, LL_SYSTEM, "what the program shows cannot be read");
    }
    if (status != LL_OK)
        return status;
    drain(p);
    size_t length = (size_t)(end - p->line);
    *out = json_loadb(p->line, length, JSON_ALLOW_NUL, NULL);
    memmove(p->line, end + 1, p->length - length - 1);
    p->length -= length + 1;
    return *out != NULL ? LL_OK : ll_fail(error, LL_SYSTEM, "the program's driver says what is no JSON");
}

/* ---- runs ---- */

static json_t *number_text(double value, int is_whole)
{
    char text[40];
    if (isnan(value))
        return json_string("nan");
    (void)snprintf(text, sizeof text, is_whole || (value == floor(value) && fabs(value) < 1e15) ? "%.0f" : "%.17g",
                   value);
    for (int digits = 1; digits < 17 && !(value == floor(value)); digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return json_string(text);
}

static json_t *run_json(const ll_run *run)
{
    json_t *labels = json_array(), *entries = json_array(), *ids = json_array(),
           *printed = run->words != NULL ? json_array() : json_null();
    for (long i = 0; i < run->rows && run->labels != NULL; i++)
        json_array_append_new(labels, number_text(run->labels[i], run->classes > 0));
    for (long i = 0; i < run->sent; i++) {
        json_t *row = json_array();
        for (long k = 0; k < run->columns; k++)
            json_array_append_new(row, number_text(run->entries[i * run->columns + k], run->is_class));
        json_array_append_new(entries, row);
        json_array_append_new(ids, json_integer(run->ids[i]));
        if (run->words != NULL)
            json_array_append_new(printed, run->words[i] != NULL ? json_string(run->words[i]) : json_null());
    }
    return json_pack("{s:i, s:i, s:o, s:o, s:o, s:b, s:o, s:i}", "rows", (int)run->rows, "classes", (int)run->classes,
                     "labels", labels, "entries", entries, "ids", ids, "is_class", run->is_class, "words", printed,
                     "columns", (int)run->columns);
}

static ll_status read_reply(ll_reply *reply, const json_t *from, ll_error *error)
{
    json_t *parts = json_object_get(from, "parts"), *part;
    size_t i;
    ll_status status = LL_OK;
    json_array_foreach(parts, i, part)
    {
        const char *name = json_string_value(json_array_get(part, 0)),
                   *text = json_string_value(json_array_get(part, 1));
        if (status == LL_OK && name != NULL && text != NULL)
            status = ll_reply_add(reply, name, text, error);
    }
    if (status == LL_OK && json_is_true(json_object_get(from, "failed")))
        status = ll_reply_fail(reply, json_string_value(json_object_get(from, "reason")), error);
    return status;
}

static ll_status run_all(void *self, ll_reply *const *replies, const ll_run *runs, long count, ll_error *error)
{
    ll_run_program *p = self;
    json_t *all = json_array(), *answer = NULL;
    for (long i = 0; i < count; i++)
        json_array_append_new(all, run_json(&runs[i]));
    json_t *request = json_pack("{s:o}", "runs", all);
    ll_status status =
        request != NULL ? send(p, request, error) : ll_fail(error, LL_MEMORY, "no memory for %ld runs", count);
    if (status == LL_OK)
        status = receive(p, &answer, error);
    const json_t *list = status == LL_OK ? json_object_get(answer, "replies") : NULL;
    if (status == LL_OK && (long)json_array_size(list) != count)
        status =
            ll_fail(error, LL_SYSTEM, "the program's driver answers %zu of %ld runs", json_array_size(list), count);
    for (long i = 0; i < count && status == LL_OK; i++)
        status = read_reply(replies[i], json_array_get(list, (size_t)i), error);
    const char *format = status == LL_OK ? json_string_value(json_object_get(answer, "format")) : NULL;
    if (status == LL_OK)
        p->processor = json_number_value(json_object_get(answer, "processor"));
    if (format != NULL)
        (void)snprintf(p->format, sizeof p->format, "%s", format);
    json_decref(request);
    json_decref(answer);
    return status;
}

/* ---- one score ---- */

static int is_in_word(char c)
{
    return c != '\0' && (isalnum((unsigned char)c) || strchr("_+-.", c) != NULL);
}

/* The next word of *text, which moves behind it; its length, 0 at the end. */
static size_t next_word(const char **text, const char **word)
{
    const char *c = *text;
    while (*c != '\0' && !is_in_word(*c))
        c++;
    *word = c;
    while (is_in_word(*c))
        c++;
    *text = c;
    return (size_t)(c - *word);
}

static double read_number(const char *word, size_t length)
{
    char text[64];
    double value = (double)NAN;
    if (length < sizeof text && ll_io_number_scan(word, length) == LL_IO_NUMBER) {
        memcpy(text, word, length);
        text[length] = '\0';
        value = strtod(text, NULL);
    }
    return value;
}

/* The only number, or the first behind the word; NAN: there is none, or several. */
static double find_number(const char *text, const char *behind)
{
    double found = (double)NAN;
    int is_behind = behind == NULL, count = 0;
    const char *word;
    for (size_t length; (length = next_word(&text, &word)) > 0;) {
        double value = is_behind ? read_number(word, length) : (double)NAN;
        if (behind != NULL && isfinite(value))
            return value;
        count += isfinite(value);
        found = isfinite(value) ? value : found;
        is_behind |= behind != NULL && strlen(behind) == length && strncmp(behind, word, length) == 0;
    }
    return count == 1 ? found : (double)NAN;
}

static double score_of(const json_t *reply, const char *score)
{
    json_t *parts = json_object_get(reply, "parts"), *part;
    size_t i, length = score != NULL ? strcspn(score, ":") : 0;
    const char *behind = score != NULL && score[length] == ':' ? score + length + 1 : NULL;
    if (json_is_true(json_object_get(reply, "failed")))
        return (double)NAN;
    json_array_foreach(parts, i, part)
    {
        const char *name = json_string_value(json_array_get(part, 0)),
                   *text = json_string_value(json_array_get(part, 1));
        if (name != NULL && text != NULL &&
            (length == 0 || (strlen(name) == length && strncmp(name, score, length) == 0)))
            return find_number(text, behind);
    }
    return (double)NAN;
}

ll_status ll_run_program_score(ll_run_program *p, double *out, const ll_run *run, const char *score, ll_error *error)
{
    json_t *answer = NULL, *request = json_pack("{s:[o]}", "runs", run_json(run));
    *out = (double)NAN;
    ll_status status = request != NULL ? send(p, request, error) : ll_fail(error, LL_MEMORY, "no memory for a run");
    if (status == LL_OK)
        status = receive(p, &answer, error);
    if (status == LL_OK)
        *out = score_of(json_array_get(json_object_get(answer, "replies"), 0), score);
    json_decref(request);
    json_decref(answer);
    return status;
}

/* ---- open and close ---- */

static ll_status greet(ll_run_program *p, const char *interface, ll_error *error)
{
    const ll_program_options *o = &p->options;
    json_t *answer = NULL, *options = json_pack("{s:s?, s:s?, s:s?, s:s?, s:s?, s:s?}", "interface", interface,
                                                "program", program_of(o), "template", o->examples, "field", o->field,
                                                "phase", o->phase, "format", o->format);
    ll_status status = options != NULL ? send(p, options, error) : ll_fail(error, LL_MEMORY, "no memory for a program");
    if (status == LL_OK)
        status = receive(p, &answer, error);
    const char *problem = status == LL_OK ? json_string_value(json_object_get(answer, "error")) : NULL;
    const char *found = status == LL_OK ? json_string_value(json_object_get(answer, "interface")) : NULL;
    if (problem != NULL)
        status = ll_fail(error, LL_DOMAIN, "the program cannot be loaded: %.400s", problem);
    (void)snprintf(p->interface, sizeof p->interface, "%s", found != NULL ? found : "");
    p->classes = (long)json_integer_value(json_object_get(answer, "classes"));
    json_decref(options);
    json_decref(answer);
    return status;
}

ll_status ll_run_program_open(ll_run_program **out, const ll_program_options *options, ll_error *error)
{
    const char *interface;
    if (!find_interface(&interface, options))
        return ll_fail(error, LL_DOMAIN,
                       "--interface '%s': no such interface; it is pair, evalai, codabench or python:FILE:FUNCTION",
                       options->interface);
    if (program_of(options) == NULL)
        return ll_fail(error, LL_DOMAIN, "no program: name it with --program");
    ll_run_program *p = calloc(1, sizeof *p);
    if (p == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a program");
    p->options = *options;
    ll_io_child_init(&p->child);
    ll_status status = start_driver(p, error);
    if (status == LL_OK)
        status = greet(p, interface, error);
    if (status == LL_OK)
        *out = p;
    else
        ll_run_program_close(p);
    return status;
}

void ll_run_program_close(ll_run_program *program)
{
    if (program == NULL)
        return;
    if (program->child.pid > 0)
        (void)ll_io_child_reap(&program->child);
    ll_io_child_close(&program->child);
    free(program->line);
    free(program);
}

ll_program ll_run_program_view(ll_run_program *program)
{
    return (ll_program){.self = program, .run = run_all};
}

int ll_run_program_is_sandboxed(const ll_run_program *program, const char **why_not)
{
    *why_not =
        program->options.without_sandbox ? "it was asked to run without one" : "bubblewrap (bwrap) cannot run here";
    return program->is_sandboxed;
}

double ll_run_program_processor(const ll_run_program *program)
{
    return program->processor + (double)clock() / CLOCKS_PER_SEC;
}

const char *ll_run_program_interface(const ll_run_program *program)
{
    return program->interface;
}

long ll_run_program_classes(const ll_run_program *program)
{
    return program->classes;
}

const char *ll_run_program_format(const ll_run_program *program)
{
    return program->format[0] ? program->format : NULL;
}
