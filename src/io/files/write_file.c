#include "io/files/write_file.h"

#include "io/files/io_fail.h"
#include "io/files/leftovers.h"
#include "io/files/unfinished.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, MOST_LINKS = 40 };

struct ll_io_output {
    char *path;
    char *target;                         /* the file that is replaced in the end; NULL where it is written straight */
    const char *base;                     /* its last part */
    int folder, file;                     /* folder: the target's, -1 where it is written straight */
    char temporary[LL_IO_TEMPORARY_NAME]; /* in folder; "" where there is none */
    int unfinished;                       /* its entry, or -1 */
    size_t used;
    char buffer[BUFFER];
};

static const char *output_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "stdout" : path;
}

static ll_status fail_errno(const ll_io_output *o, int number, ll_error *error)
{
    return ll_io_fail_errno(error, output_name(o->path), number);
}

/* ---- where to ---- */

/* The descriptor that a name like /dev/fd/7 stands for, or -1. */
static int named_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0 && path[length] >= '0' && path[length] <= '9') {
            char *end;
            long number = strtol(path + length, &end, 10);
            return *end == '\0' && number < 1 << 20 ? (int)number : -1;
        }
    }
    return -1;
}

/* What a link says, seen from the folder that the link is in; NULL (and errno) where it cannot be read. */
static char *read_link(const char *path)
{
    char printed[4096], *joined;
    ssize_t length = readlink(path, printed, sizeof printed - 1);
    if (length < 0)
        return NULL;
    printed[length] = '\0';
    const char *slash = strrchr(path, '/');
    int folder = printed[0] == '/' || !slash ? 0 : (int)(slash - path) + 1;
    return asprintf(&joined, "%.*s%s", folder, path, printed) < 0 ? NULL : joined;
}

/* Follow links to a file that is none, which may not exist yet, or to a descriptor's name. Allocated; NULL and errno.
 */
static char *follow_links(const char *path)
{
    char *here = strdup(path);
    for (int i = 0; here && i < MOST_LINKS; i++) {
        struct stat about;
        if (named_descriptor(here) >= 0 || lstat(here, &about) != 0 || !S_ISLNK(about.st_mode))
            return here;
        char *next = read_link(here);
        free(here);
        here = next;
    }
    if (here)
        errno = ELOOP;
    free(here);
    return NULL;
}

/* ---- opening ---- */

static ll_status open_straight(ll_io_output *o, const char *path, ll_error *error)
{
    int descriptor = named_descriptor(path);
    if (descriptor == STDOUT_FILENO && fflush(stdout) != 0) /* what was printed before comes first */
        return fail_errno(o, errno, error);
    o->file = descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 3) : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return o->file >= 0 ? LL_OK : fail_errno(o, errno, error);
}

static int open_folder(ll_io_output *o)
{
    char *slash = strrchr(o->target, '/');
    o->base = slash ? slash + 1 : o->target;
    if (!slash)
        return open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (slash == o->target)
        return open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *slash = '\0';
    int folder = open(o->target, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *slash = '/';
    return folder;
}

static void forget(ll_io_output *o)
{
    ll_io_unfinished_forget(o->unfinished);
    o->unfinished = -1;
}

/* A new file of a name nobody has; the name does not grow with the target's, which may be as long as names can be. */
static int create_temporary(ll_io_output *o, mode_t mode)
{
    for (int i = 0; i < 100; i++) {
        if (ll_io_temporary_name(o->temporary) != 0)
            return -1;
        o->unfinished = ll_io_unfinished_enter(o->folder, o->temporary);
        int file = openat(o->folder, o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file >= 0)
            (void)flock(file, LOCK_EX | LOCK_NB); /* while it has this name, it is no leftover */
        if (file >= 0 || errno != EEXIST)
            return file;
        forget(o);
    }
    return -1;
}

static ll_status open_beside(ll_io_output *o, const struct stat *existing, ll_error *error)
{
    if (existing && access(o->target, W_OK) != 0)
        return fail_errno(o, errno, error);
    o->folder = open_folder(o);
    if (o->folder < 0)
        return fail_errno(o, errno, error);
    ll_io_sweep(o->folder);
    /* Beside a file that is there: for its owner alone, until it has that file's mode. */
    o->file = create_temporary(o, existing ? 0600 : 0666);
    if (o->file < 0) {
        int number = errno;
        forget(o);
        o->temporary[0] = '\0';
        return fail_errno(o, number, error);
    }
    if (!existing)
        return LL_OK;
    /* Owner first, since a change of owner may clear bits of the mode; only root may give files away. */
    int given = fchown(o->file, existing->st_uid, existing->st_gid);
    (void)given;
    return fchmod(o->file, existing->st_mode & 0777) == 0 ? LL_OK : fail_errno(o, errno, error);
}

static ll_status open_any(ll_io_output *o, ll_error *error)
{
    struct stat about;
    size_t length = strlen(o->path);
    if (length == 0)
        return ll_io_fail(error, LL_DOMAIN, "(no name)", 0, "an empty file name");
    o->target = follow_links(o->path);
    if (!o->target)
        return fail_errno(o, errno, error);
    if (named_descriptor(o->target) >= 0)
        return open_straight(o, o->target, error);
    int exists = stat(o->target, &about) == 0;
    if ((exists && S_ISDIR(about.st_mode)) || o->path[length - 1] == '/')
        return ll_io_fail(error, LL_SYSTEM, o->path, 0, "is a directory");
    if (exists && !S_ISREG(about.st_mode))
        return open_straight(o, o->target, error);
    return open_beside(o, exists ? &about : NULL, error);
}

ll_status ll_io_output_open(ll_io_output **out, const char *path, ll_error *error)
{
    ll_io_output *o = calloc(1, sizeof *o);
    if (!o || !(o->path = strdup(path))) {
        free(o);
        return ll_io_fail(error, LL_MEMORY, output_name(path), 0, "out of memory");
    }
    o->folder = o->file = o->unfinished = -1;
    ll_status status = open_any(o, error);
    if (status != LL_OK)
        ll_io_output_abandon(o);
    else
        *out = o;
    return status;
}

ll_status ll_io_output_check(const char *path, const char *const *inputs, long count, ll_error *error)
{
    struct stat about, input;
    ll_io_output *output;
    int exists = stat(path, &about) == 0;
    for (long i = 0; exists && i < count; i++)
        if (stat(inputs[i], &input) == 0 && input.st_dev == about.st_dev && input.st_ino == about.st_ino)
            return ll_io_fail(error, LL_DOMAIN, path, 0, "is an input; give another file to write to");
    if (exists && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return LL_OK; /* a pipe must not be opened twice */
    ll_status status = ll_io_output_open(&output, path, error);
    if (status == LL_OK)
        ll_io_output_abandon(output);
    return status;
}

/* ---- writing ---- */

static ll_status write_all(ll_io_output *o, const char *data, size_t size, ll_error *error)
{
    while (size > 0) {
        ssize_t written = write(o->file, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail_errno(o, errno, error);
        data += written;
        size -= (size_t)written;
    }
    return LL_OK;
}

static ll_status flush(ll_io_output *o, ll_error *error)
{
    size_t size = o->used;
    o->used = 0;
    return write_all(o, o->buffer, size, error);
}

ll_status ll_io_output_write(ll_io_output *o, const void *data, size_t size, ll_error *error)
{
    if (size > BUFFER - o->used) {
        ll_status status = flush(o, error);
        if (status != LL_OK)
            return status;
    }
    if (size > BUFFER)
        return write_all(o, data, size, error);
    memcpy(o->buffer + o->used, data, size);
    o->used += size;
    return LL_OK;
}

ll_status ll_io_output_print(ll_io_output *o, ll_error *error, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        return ll_io_fail(error, LL_SYSTEM, output_name(o->path), 0, "text too long to print");
    return ll_io_output_write(o, text, (size_t)length, error);
}

/* ---- the end ---- */

static ll_status put_in_place(ll_io_output *o, ll_error *error)
{
    if (renameat(o->folder, o->temporary, o->folder, o->base) != 0)
        return fail_errno(o, errno, error);
    forget(o);
    o->temporary[0] = '\0';
    /* Some file systems cannot sync a folder, and the file itself is safe by now. */
    (void)fsync(o->folder);
    return LL_OK;
}

ll_status ll_io_output_commit(ll_io_output *o, ll_error *error)
{
    ll_status status = flush(o, error);
    if (status == LL_OK && o->temporary[0] && fsync(o->file) != 0)
        status = fail_errno(o, errno, error);
    int file = o->file;
    o->file = -1;
    if (close(file) != 0 && status == LL_OK)
        status = fail_errno(o, errno, error);
    if (status == LL_OK && o->temporary[0])
        status = put_in_place(o, error);
    ll_io_output_abandon(o);
    return status;
}

void ll_io_output_abandon(ll_io_output *o)
{
    if (!o)
        return;
    if (o->file >= 0)
        close(o->file);
    if (o->temporary[0])
        ll_io_remove(o->folder, o->temporary);
    forget(o);
    if (o->folder >= 0)
        close(o->folder);
    free(o->target);
    free(o->path);
    free(o);
}
