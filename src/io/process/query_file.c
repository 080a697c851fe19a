#include "io/process/query_file.h"

#include "io/files/io_fail.h"
#include "io/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *ll_io_temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

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
    char name[512];
    const char *folder = ll_io_temporary_folder();
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL) && /* not every file system can */
        (size_t)snprintf(name, sizeof name, "%s/lossleak-XXXXXX", folder) < sizeof name) {
        file = mkostemp(name, O_CLOEXEC);
        if (file >= 0)
            unlink(name);
    }
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
