#include "reproduce/unit_journal.h"

#include "io/files/io_fail.h"
#include "io/files/json_text.h"
#include "io/files/line_log.h"
#include "report/progress.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ one line */

static json_t *make_values(const ll_unit_result *result)
{
    json_t *array = json_array();
    for (int i = 0; array && i < LL_UNIT_VALUES; i++)
        if (json_array_append_new(array, json_integer(result->values[i])) != 0) {
            json_decref(array);
            array = NULL;
        }
    return array;
}

/* Takes the object, NULL too. */
static char *dump_line(json_t *object)
{
    char *line = object ? ll_io_json_text(object, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    json_decref(object);
    return line;
}

char *ll_unit_line(const ll_unit *unit, const ll_unit_result *r)
{
    return dump_line(json_pack("{s:s, s:o, s:f, s:f, s:f, s:s}", "unit", unit->key, "values", make_values(r), "number",
                               r->number, "seconds", r->seconds, "longest", r->longest, "note", r->note));
}

static int read_values(ll_unit_result *result, const json_t *values)
{
    if (json_array_size(values) != LL_UNIT_VALUES)
        return 0;
    for (size_t i = 0; i < LL_UNIT_VALUES; i++) {
        const json_t *value = json_array_get(values, i);
        if (!json_is_integer(value))
            return 0;
        result->values[i] = (long)json_integer_value(value);
    }
    return 1;
}

int ll_unit_line_read(char *key, ll_unit_result *result, const char *line, size_t length, char *why, size_t size)
{
    json_error_t error = {0};
    const char *unit, *note;
    json_t *values;
    ll_unit_result r = {0};
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    int read = object && json_unpack_ex(object, &error, JSON_STRICT, "{s:s, s:o, s:F, s:F, s:F, s:s}", "unit", &unit,
                                        "values", &values, "number", &r.number, "seconds", &r.seconds, "longest",
                                        &r.longest, "note", &note) == 0;
    if (read && (strlen(unit) >= LL_UNIT_KEY || strlen(note) >= LL_UNIT_NOTE || !read_values(&r, values))) {
        read = 0;
        (void)snprintf(error.text, sizeof error.text, "not the values of a work unit");
    }
    if (read) {
        (void)snprintf(key, LL_UNIT_KEY, "%s", unit);
        (void)snprintf(r.note, sizeof r.note, "%s", note);
        *result = r;
    } else
        (void)snprintf(why, size, "%s", error.text);
    json_decref(object);
    return read;
}

/* ------------------------------------------------------------------ the file */

struct ll_unit_journal {
    char *path;
    const ll_settings *settings;
    ll_units *units;
    ll_io_log *log;
    int has_head;
    double synced; /* when */
};

static char *make_head(const ll_settings *s)
{
    return dump_line(json_pack("{s:s, s:I, s:I, s:b}", "experiments", ll_version(), "seed", (json_int_t)s->seed, "runs",
                               (json_int_t)s->runs, "quick", s->quick));
}

static ll_line fail_line(const ll_unit_journal *j, long number, const char *why, ll_error *error)
{
    char shown[160];
    ll_io_printable(shown, sizeof shown, why, strlen(why));
    ll_io_fail(error, LL_DOMAIN, j->path, number, "not a line of a journal of experiments: %s", shown);
    return LL_LINE_FAILED;
}

static ll_line refuse_head(const ll_unit_journal *j, json_t *object, ll_error *error)
{
    const char *version = json_string_value(json_object_get(object, "experiments"));
    json_int_t seed = json_integer_value(json_object_get(object, "seed"));
    json_int_t runs = json_integer_value(json_object_get(object, "runs"));
    int quick = json_is_true(json_object_get(object, "quick"));
    if (!version)
        return fail_line(j, 1, "no \"experiments\" in it", error);
    ll_io_fail(error, LL_DOMAIN, j->path, 1,
               "begun by version %.20s with --seed %lld --runs %lld%s, so its results are not these; give another "
               "folder, or what it was begun with",
               version, (long long)seed, (long long)runs, quick ? " --quick" : "");
    return LL_LINE_FAILED;
}

static ll_line read_head(ll_unit_journal *j, const char *line, size_t length, int is_whole, ll_error *error)
{
    char *expected = make_head(j->settings);
    if (!expected) {
        ll_io_fail(error, LL_MEMORY, j->path, 0, "out of memory");
        return LL_LINE_FAILED;
    }
    size_t size = strlen(expected);
    int is_same = length == size + (size_t)is_whole && memcmp(line, expected, size) == 0;
    int is_beginning = !is_whole && length < size && memcmp(line, expected, length) == 0;
    free(expected);
    if (is_beginning)
        return LL_LINE_REMAINDER;
    j->has_head = is_same;
    if (is_same)
        return LL_LINE_KEPT;
    json_error_t why;
    json_t *object = json_loadb(line, length, 0, &why);
    ll_line answer = object ? refuse_head(j, object, error) : fail_line(j, 1, why.text, error);
    json_decref(object);
    return answer;
}

static ll_line read_line(void *self, const char *line, size_t length, long number, int is_whole, ll_error *error)
{
    ll_unit_journal *j = self;
    char key[LL_UNIT_KEY], why[160];
    ll_unit_result result;
    if (number == 1)
        return read_head(j, line, length, is_whole, error);
    if (!ll_unit_line_read(key, &result, line, length, why, sizeof why))
        return !is_whole && ll_io_log_is_remainder(line, length, "{\"unit\":") ? LL_LINE_REMAINDER
                                                                               : fail_line(j, number, why, error);
    ll_unit *unit = ll_units_find(j->units, key);
    if (unit) {
        unit->result = result;
        unit->is_done = 1;
    }
    return LL_LINE_KEPT;
}

/* Most units take milliseconds and can be done again: a sync once a second is enough. Takes the line, NULL too. */
static ll_status append(ll_unit_journal *j, char *line, ll_error *error)
{
    double now = ll_report_clock();
    int is_due = now - j->synced >= 1, why = ENOMEM;
    if (line)
        why = is_due ? ll_io_log_append(j->log, line) : ll_io_log_write(j->log, line);
    j->synced = is_due ? now : j->synced;
    free(line);
    return why == 0 ? LL_OK : ll_io_fail_errno(error, j->path, why);
}

ll_status ll_unit_journal_open(ll_unit_journal **out, char *note, size_t size, const char *path,
                               const ll_settings *settings, ll_units *units, ll_error *error)
{
    ll_unit_journal *j = calloc(1, sizeof *j);
    if (j)
        *j = (ll_unit_journal){.path = strdup(path), .settings = settings, .units = units};
    if (!j || !j->path) {
        free(j);
        return ll_io_fail(error, LL_MEMORY, path, 0, "out of memory");
    }
    ll_status status = ll_io_log_open(&j->log, note, size, path, "reproduce", 0, read_line, j, error);
    if (status == LL_OK && !j->has_head)
        status = append(j, make_head(settings), error);
    if (status == LL_OK)
        *out = j;
    else
        ll_unit_journal_close(j);
    return status;
}

void ll_unit_journal_close(ll_unit_journal *j)
{
    if (!j)
        return;
    ll_io_log_close(j->log);
    free(j->path);
    free(j);
}

ll_status ll_unit_journal_add(ll_unit_journal *j, ll_unit *unit, const ll_unit_result *result, ll_error *error)
{
    ll_status status = append(j, ll_unit_line(unit, result), error);
    if (status != LL_OK)
        return status;
    unit->result = *result;
    unit->is_done = 1;
    return LL_OK;
}
