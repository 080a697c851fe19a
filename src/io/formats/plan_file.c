/* The digest covers what the predictions depend on. The key "check" covers every key of the file, so that an edit by
 * hand is told even where it concerns a number for people; it is a CRC-32 of the object written compactly, with its
 * keys sorted and without "check". */
#include "io/formats/plan_file.h"

#include "io/files/byte_stream.h"
#include "io/files/io_fail.h"
#include "io/files/json_text.h"
#include "io/files/write_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char kind[] = "lossleak plan";

enum { VERSION = 2, LARGEST_FILE = 1 << 20, CHECK = 8 };

static const char *const forms[] = {[LL_IO_PREDICTIONS_CSV] = "csv", [LL_IO_PREDICTIONS_NPY] = "npy"};
static const char *const entries[] = {"double", "exact"};

void ll_io_query_name(char *text, size_t size, long query, ll_io_predictions_form form)
{
    (void)snprintf(text, size, "query-%04ld.%s", query + 1, forms[form]);
}

/* LL_MEMORY where the object cannot be written. */
static ll_status check_sum(char out[CHECK + 1], json_t *object)
{
    json_t *rest = json_copy(object);
    if (!rest || json_object_size(rest) != json_object_size(object)) { /* a copy may lack keys where memory ended */
        json_decref(rest);
        return LL_MEMORY;
    }
    json_object_del(rest, "check");
    char *text = ll_io_json_text(rest, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(rest);
    if (!text)
        return LL_MEMORY;
    uLong sum = crc32_z(crc32(0, NULL, 0), (const Bytef *)text, strlen(text));
    free(text);
    (void)snprintf(out, CHECK + 1, "%08lx", sum & 0xfffffffful);
    return LL_OK;
}

/* ---- out ---- */

static json_t *make_object(const ll_io_plan *p)
{
    char check[CHECK + 1];
    json_t *object = json_pack("{s:s, s:i, s:O, s:s, s:I, s:I, s:I, s:I, s:I, s:s, s:s, s:s}", "file", kind, "version",
                               VERSION, "scorer", p->scorer, "code", p->code, "block", (json_int_t)p->block, "rows",
                               (json_int_t)p->rows, "classes", (json_int_t)p->classes, "columns",
                               (json_int_t)p->columns, "queries", (json_int_t)p->queries, "entries",
                               entries[p->exact != 0], "form", forms[p->form], "digest", p->digest);
    if (object && p->likely &&
        (json_object_set_new(object, "guarantee", json_string("likely")) != 0 ||
         json_object_set_new(object, "failure", json_real(p->failure)) != 0 ||
         json_object_set_new(object, "repeats", json_integer(p->repeats)) != 0)) {
        json_decref(object);
        return NULL;
    }
    if (object && check_sum(check, object) == LL_OK && json_object_set_new(object, "check", json_string(check)) == 0)
        return object;
    json_decref(object);
    return NULL;
}

static ll_status write_text(const char *path, const char *text, ll_error *error)
{
    ll_io_output *output;
    ll_status status = ll_io_output_open(&output, path, error);
    if (status != LL_OK)
        return status;
    status = ll_io_output_write(output, text, strlen(text), error);
    if (status == LL_OK)
        status = ll_io_output_write(output, "\n", 1, error);
    if (status == LL_OK)
        return ll_io_output_commit(output, error);
    ll_io_output_abandon(output);
    return status;
}

ll_status ll_io_write_plan(const char *path, const ll_io_plan *plan, ll_error *error)
{
    json_t *object = make_object(plan);
    char *text = object ? ll_io_json_text(object, JSON_INDENT(2) | JSON_REAL_PRECISION(17) | JSON_ENSURE_ASCII) : NULL;
    ll_status status =
        text ? write_text(path, text, error) : ll_io_fail(error, LL_MEMORY, path, 0, "out of memory for the plan");
    free(text);
    json_decref(object);
    return status;
}

/* ---- in ---- */

static ll_status load(json_t **out, const char *path, ll_error *error)
{
    ll_io_bytes *bytes;
    ll_io_whole whole;
    json_error_t why;
    char shown[160];
    ll_status status = ll_io_bytes_open(&bytes, path, error);
    if (status != LL_OK)
        return status;
    status = ll_io_bytes_whole(bytes, &whole, LARGEST_FILE, error);
    ll_io_bytes_close(bytes);
    if (status != LL_OK)
        return status;
    *out = whole.size <= LARGEST_FILE ? json_loadb((const char *)whole.data, whole.size, JSON_REJECT_DUPLICATES, &why)
                                      : NULL;
    int too_large = whole.size > LARGEST_FILE;
    ll_io_whole_clear(&whole);
    if (*out)
        return LL_OK;
    if (too_large)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "over %d bytes: this is no plan", LARGEST_FILE);
    ll_io_printable(shown, sizeof shown, why.text, strlen(why.text));
    return ll_io_fail(error, LL_DOMAIN, path, why.line > 0 ? why.line : 0, "no JSON: %s", shown);
}

/* Place of a word in a list of two, or -1. */
static int place_of(const char *const *words, const char *word)
{
    return strcmp(words[0], word) == 0 ? 0 : strcmp(words[1], word) == 0 ? 1 : -1;
}

/* What the values themselves must be; NULL where they are. */
static const char *complaint(const json_int_t counts[5], const char *digest, int exact, int form)
{
    for (int i = 0; i < 5; i++)
        if (counts[i] < 1 || counts[i] > LONG_MAX / 2)
            return "a count is out of range";
    if (counts[0] > counts[1])
        return "block is larger than rows";
    if (strlen(digest) != LL_IO_DIGEST || strspn(digest, "0123456789abcdef") != LL_IO_DIGEST)
        return "digest is not 64 hexadecimal digits";
    if (exact < 0)
        return "entries is neither double nor exact";
    if (form < 0)
        return "form is neither csv nor npy";
    return exact && form == LL_IO_PREDICTIONS_NPY ? "entries are exact, but form is npy" : NULL;
}

typedef struct {
    const char *file, *code, *entries, *form, *digest, *check, *guarantee; /* guarantee: NULL is certified */
    double failure;
    json_int_t repeats;
    int version;
    json_t *scorer; /* borrowed */
    json_int_t counts[5];
} values;

static ll_status unpack(values *v, json_t *object, const char *path, ll_error *error)
{
    json_error_t why;
    char shown[160];
    json_int_t *c = v->counts;
    if (json_unpack_ex(object, &why, JSON_STRICT,
                       "{s:s, s:i, s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:s, s:s, s:s, s:s, s?s, s?F, s?I}", "file",
                       &v->file, "version", &v->version, "scorer", &v->scorer, "code", &v->code, "block", &c[0], "rows",
                       &c[1], "classes", &c[2], "columns", &c[3], "queries", &c[4], "entries", &v->entries, "form",
                       &v->form, "digest", &v->digest, "check", &v->check, "guarantee", &v->guarantee, "failure",
                       &v->failure, "repeats", &v->repeats) != 0) {
        ll_io_printable(shown, sizeof shown, why.text, strlen(why.text));
        return ll_io_fail(error, LL_DOMAIN, path, 0, "not a plan: %s", shown);
    }
    if (strcmp(v->file, kind) != 0 || v->version != VERSION)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "not a \"%s\" of version %d", kind, VERSION);
    if (!json_is_object(v->scorer))
        return ll_io_fail(error, LL_DOMAIN, path, 0, "not a plan: scorer is not an object");
    return LL_OK;
}

ll_status ll_io_plan_changed(const char *path, const char *what, ll_error *error)
{
    return ll_io_fail(error, LL_DOMAIN, path, 0, "%s was changed: its digest does not fit; craft the queries again",
                      what);
}

static ll_status check(const values *v, json_t *object, const char *path, ll_error *error)
{
    char sum[CHECK + 1];
    const char *wrong = complaint(v->counts, v->digest, place_of(entries, v->entries), place_of(forms, v->form));
    if (wrong)
        return ll_io_fail(error, LL_DOMAIN, path, 0, "not a plan: %s", wrong);
    if (check_sum(sum, object) != LL_OK)
        return ll_io_fail(error, LL_MEMORY, path, 0, "out of memory for the plan");
    if (v->guarantee && (strcmp(v->guarantee, "likely") != 0 || !(v->failure > 0 && v->failure < 1) || v->repeats < 1 ||
                         v->repeats > v->counts[4]))
        return ll_io_fail(error, LL_DOMAIN, path, 0, "not a plan: guarantee, failure or repeats is out of range");
    return strcmp(sum, v->check) == 0 ? LL_OK : ll_io_plan_changed(path, "the plan", error);
}

static ll_status copy(ll_io_plan *out, const values *v, const char *path, ll_error *error)
{
    ll_io_plan plan = {.code = strdup(v->code),
                       .block = (long)v->counts[0],
                       .rows = (long)v->counts[1],
                       .classes = (long)v->counts[2],
                       .columns = (long)v->counts[3],
                       .queries = (long)v->counts[4],
                       .likely = v->guarantee != NULL,
                       .failure = v->failure,
                       .repeats = (long)v->repeats,
                       .exact = place_of(entries, v->entries),
                       .form = (ll_io_predictions_form)place_of(forms, v->form)};
    if (!plan.code)
        return ll_io_fail(error, LL_MEMORY, path, 0, "out of memory for the plan");
    plan.scorer = json_incref(v->scorer);
    memcpy(plan.digest, v->digest, sizeof plan.digest);
    *out = plan;
    return LL_OK;
}

ll_status ll_io_read_plan(ll_io_plan *out, const char *path, ll_error *error)
{
    json_t *object;
    values v = {0};
    ll_status status = load(&object, path, error);
    if (status != LL_OK)
        return status;
    status = unpack(&v, object, path, error);
    if (status == LL_OK)
        status = check(&v, object, path, error);
    if (status == LL_OK)
        status = copy(out, &v, path, error);
    json_decref(object);
    return status;
}

void ll_io_clear_plan(ll_io_plan *plan)
{
    json_decref(plan->scorer);
    free(plan->code);
    *plan = (ll_io_plan){0};
}
