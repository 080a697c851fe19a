#include "io/process/query_file.h"

#include "io/files/io_fail.h"
#include "io/files/temporary_file.h"
#include "io/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* It is not a scorer that failed. */
static ll_status fail(ll_error *error, ll_status status, long query, const char *why)
{
    char folder[120], shown[200];
    ll_io_printable(folder, sizeof folder, ll_io_temporary_folder(), strlen(ll_io_temporary_folder()));
    ll_io_printable(shown, sizeof shown, why, strlen(why));
    return ll_fail(error, status == LL_SYSTEM ? LL_UNABLE : status, "query %ld: its predictions, in %s: %s", query + 1,
                   folder, shown);
}

static ll_status fail_errno(ll_error *error, int number, long query)
{
    const char *why = strerrordesc_np(number);
    return fail(error, LL_SYSTEM, query, why ? why : "unknown error");
}

/* By the name of its descriptor it is written straight. Where that name begins the error, nobody gave it. */
static ll_status write_to(int file, ll_io_predictions_form form, const ll_predictions *predictions, long query,
                          ll_error *error)
{
    char name[40];
    ll_error why = {0};
    size_t length = (size_t)snprintf(name, sizeof name, "/dev/fd/%d", file);
    ll_status status = ll_io_write_predictions(name, form, predictions, &why);
    if (status == LL_OK)
        return LL_OK;
    return strncmp(why.text, name, length) == 0 && strncmp(why.text + length, ": ", 2) == 0
               ? fail(error, status, query, why.text + length + 2)
               : ll_fail(error, status, "%s", why.text);
}

static int open_unnamed(void)
{
    int file = ll_io_temporary_open();
    if (file >= 0)
        (void)ll_io_move_up(&file);
    return file;
}

ll_status ll_io_query_put_unnamed(int *file, const ll_predictions *predictions, long query, ll_error *error)
{
    *file = open_unnamed();
    if (*file < 0)
        return fail_errno(error, errno, query);
    return write_to(*file, LL_IO_PREDICTIONS_CSV, predictions, query, error);
}

ll_status ll_io_query_put(const char *path, ll_io_predictions_form form, const ll_predictions *predictions, long query,
                          ll_error *error)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 || ll_io_move_up(&file) != 0)
        return fail_errno(error, errno, query);
    ll_status status = write_to(file, form, predictions, query, error);
    close(file);
    return status;
}
