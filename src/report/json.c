#include "report/json.h"

#include "io/files/json_text.h"
#include "io/files/printable.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN_LISTED = 100 };

json_t *ll_report_json_string(const char *text)
{
    if (!text)
        return json_null();
    char *shown = ll_io_printable_copy(text);
    json_t *string = shown ? json_string(shown) : NULL;
    free(shown);
    return string;
}

json_t *ll_report_json_unsigned(uint64_t value)
{
    char text[32];
    if (value <= (UINT64_C(1) << 53))
        return json_integer((json_int_t)value);
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return json_string(text);
}

/* Takes the value; frees the array and answers NULL where it cannot be appended. */
static json_t *append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}

json_t *ll_report_json_counts(const long *counts, long count)
{
    json_t *array = json_array();
    for (long i = 0; array && i < count; i++)
        array = append(array, json_integer(counts[i]));
    return array;
}

json_t *ll_report_json_strings(char *const *texts, long count)
{
    json_t *array = json_array();
    for (long i = 0; array && i < count; i++)
        array = append(array, ll_report_json_string(texts[i]));
    return array;
}

static json_t *make_candidates(const ll_verdict *v, long row)
{
    json_t *array = json_array();
    for (long k = 0; k < v->classes; k++)
        if (v->candidates[row * v->classes + k] &&
            json_array_append_new(array, v->absent > 0 && k == v->absent ? json_string("absent") : json_integer(k)) !=
                0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

/* Of a long grid the ends of what is possible. */
static json_t *make_open(const ll_verdict *v, long row)
{
    if (v->candidates != NULL)
        return json_pack("{s:I, s:o}", "row", (json_int_t)row, "candidates", make_candidates(v, row));
    return json_pack("{s:I, s:[], s:I, s:I}", "row", (json_int_t)row, "candidates", "lowest",
                     (json_int_t)v->lowest[row], "highest", (json_int_t)v->highest[row]);
}

json_t *ll_report_json_open(const ll_verdict *v)
{
    json_t *array = json_array();
    for (long row = 0; array && v->kind != LL_NONE && row < v->rows && json_array_size(array) < OPEN_LISTED; row++)
        if (v->labels[row] < 0 && json_array_append_new(array, make_open(v, row)) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

void ll_report_json_begin(ll_json *json, const char *command)
{
    json->object = json_object();
    json->failed = !json->object;
    ll_report_json_add(json, "command", ll_report_json_string(command));
    ll_report_json_add(json, "schema", json_integer(LL_JSON_SCHEMA));
}

void ll_report_json_add(ll_json *json, const char *key, json_t *value)
{
    if (json_object_set_new(json->object, key, value) != 0)
        json->failed = 1;
}

/* Printable, line by line: line ends stay, which JSON writes as \n. NULL where memory ended. */
static char *print_lines(const char *text)
{
    char *shown = NULL;
    size_t size;
    FILE *out = open_memstream(&shown, &size);
    for (size_t length; out; text += length + 1) {
        length = strcspn(text, "\n");
        ll_io_print(out, text, length);
        if (text[length] == '\0')
            break;
        (void)fputc('\n', out);
    }
    if (out && fclose(out) == 0)
        return shown;
    free(shown);
    return NULL;
}

/* Every text inside, wherever it came from: whoever made the object may have forgotten. Keys are the program's own. 0
 * where memory ended. */
static int make_printable(json_t *value)
{
    int good = 1;
    if (json_is_string(value)) {
        char *shown = print_lines(json_string_value(value));
        good = shown && json_string_set(value, shown) == 0;
        free(shown);
    }
    for (void *at = json_object_iter(value); at && good; at = json_object_iter_next(value, at))
        good = make_printable(json_object_iter_value(at));
    for (size_t i = 0; i < json_array_size(value) && good; i++)
        good = make_printable(json_array_get(value, i));
    return good;
}

ll_status ll_report_json_end(ll_json *json, ll_error *error)
{
    /* All of it before the first byte is printed: an object that ends in the middle is worse than none. */
    int good = !json->failed && make_printable(json->object);
    char *text = good ? ll_io_json_text(json->object, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    if (text)
        (void)puts(text);
    json->failed = !text;
    free(text);
    json_decref(json->object);
    json->object = NULL;
    return json->failed ? ll_fail(error, LL_MEMORY, "no memory for the JSON output") : LL_OK;
}
