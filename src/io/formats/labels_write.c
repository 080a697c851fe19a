#include "io/files/io_fail.h"
#include "io/files/write_file.h"
#include "io/formats/labels.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

static int needs_quotes(const char *name)
{
    size_t length = strlen(name);
    return length == 0 || strpbrk(name, ",\"\r\n") || name[0] == ' ' || name[0] == '\t' || name[length - 1] == ' ' ||
           name[length - 1] == '\t';
}

static ll_status write_quoted(ll_io_output *output, const char *name, ll_error *error)
{
    size_t length = strlen(name);
    if (!needs_quotes(name))
        return ll_io_output_write(output, name, length, error);
    char *quoted = length < SIZE_MAX / 2 - 2 ? malloc(2 * length + 2) : NULL; /* at most every byte doubled */
    if (!quoted)
        return ll_fail(error, LL_MEMORY, "out of memory");
    ll_status status = ll_io_output_write(output, quoted, csv_write(quoted, 2 * length + 2, name, length), error);
    free(quoted);
    return status;
}

static ll_status write_name(ll_io_output *output, const char *name, ll_error *error)
{
    char *shown = ll_io_printable_copy(name);
    ll_status status = shown ? write_quoted(output, shown, error) : ll_fail(error, LL_MEMORY, "out of memory");
    free(shown);
    return status;
}

static ll_status write_label(ll_io_output *output, int32_t label, const char *const *names, long name_count,
                             ll_error *error)
{
    if (label < 0)
        return LL_OK;
    if (names && label < name_count)
        return write_name(output, names[label], error);
    return ll_io_output_print(output, error, "%ld", (long)label);
}

/* What follows the label: is the row public? its probability, where there are some, and the end of the line. */
static ll_status write_end(ll_io_output *output, const ll_verdict *v, long row, ll_error *error)
{
    ll_status status = LL_OK;
    if (v->absent > 0)
        status = ll_io_output_print(output, error, ",%s",
                                    v->labels[row] < 0            ? ""
                                    : v->labels[row] == v->absent ? "no"
                                                                  : "yes");
    if (v->shares && status == LL_OK)
        status = v->labels[row] < 0
                     ? ll_io_output_write(output, ",", 1, error)
                     : ll_io_output_print(output, error, ",%.9g", v->shares[row * v->classes + v->labels[row]]);
    return status == LL_OK ? ll_io_output_write(output, "\n", 1, error) : status;
}

static ll_status write_rows(ll_io_output *output, const ll_verdict *v, const char *const *names, long name_count,
                            ll_error *error)
{
    ll_status status = ll_io_output_print(output, error, "row,label%s%s\n", v->absent > 0 ? ",public" : "",
                                          v->shares ? ",probability" : "");
    for (long row = 0; row < v->rows && status == LL_OK; row++) {
        status = ll_io_output_print(output, error, "%ld,", row);
        if (status == LL_OK && !(v->absent > 0 && v->labels[row] == v->absent))
            status = write_label(output, v->labels[row], names, name_count, error);
        if (status == LL_OK)
            status = write_end(output, v, row, error);
    }
    return status;
}

ll_status ll_io_write_verdict(const char *path, const ll_verdict *verdict, const char *const *names, long name_count,
                              ll_error *error)
{
    ll_io_output *output;
    ll_status status = ll_io_output_open(&output, path, error);
    if (status != LL_OK)
        return status;
    status = write_rows(output, verdict, names, name_count, error);
    if (status == LL_OK)
        return ll_io_output_commit(output, error);
    ll_io_output_abandon(output);
    return status;
}
