#include "io/files/line_log.h"

#include "io/files/io_fail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct ll_io_log {
    char *path;
    int file;
    off_t size; /* bytes of whole lines */
    ll_io_log_reader reader;
    void *self;
};

/* ------------------------------------------------------------------ reading */

static ll_status read_line(ll_io_log *log, const char *line, size_t length, long number, char *note, size_t size,
                           ll_error *error)
{
    char place[300];
    int is_whole = length > 0 && line[length - 1] == '\n';
    switch (log->reader(log->self, line, length, number, is_whole, error)) {
    case LL_LINE_KEPT:
        log->size += (off_t)length;
        return LL_OK;
    case LL_LINE_REMAINDER:
        ll_io_place(place, sizeof place, log->path, number);
        (void)snprintf(note, size, "%s: the last line was cut off by a crash and is taken away", place);
        return LL_OK;
    default:
        return error->status;
    }
}

static ll_status read_lines(ll_io_log *log, FILE *in, char *note, size_t size, ll_error *error)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    long number = 0;
    ll_status status = LL_OK;
    while (status == LL_OK && (length = getline(&line, &room, in)) > 0)
        status = read_line(log, line, (size_t)length, ++number, note, size, error);
    if (status == LL_OK && ferror(in))
        status = ll_io_fail_errno(error, log->path, errno);
    free(line);
    return status;
}

static ll_status read_all(ll_io_log *log, char *note, size_t size, ll_error *error)
{
    int copy = fcntl(log->file, F_DUPFD_CLOEXEC, 3);
    FILE *in = copy >= 0 ? fdopen(copy, "r") : NULL;
    if (!in) {
        int why = errno;
        if (copy >= 0)
            close(copy);
        return ll_io_fail_errno(error, log->path, why);
    }
    ll_status status = read_lines(log, in, note, size, error);
    (void)fclose(in);
    return status;
}

/* After this the file is whole lines and nothing else. A last line that lacks only its end gets it. */
static ll_status mend(ll_io_log *log, ll_error *error)
{
    struct stat about;
    char last = '\n';
    if (fstat(log->file, &about) != 0)
        return ll_io_fail_errno(error, log->path, errno);
    if (about.st_size > log->size && ftruncate(log->file, log->size) != 0)
        return ll_io_fail_errno(error, log->path, errno);
    if (log->size > 0 && pread(log->file, &last, 1, log->size - 1) != 1)
        return ll_io_fail_errno(error, log->path, errno);
    if (last != '\n') {
        if (write(log->file, "\n", 1) != 1)
            return ll_io_fail_errno(error, log->path, errno);
        log->size++;
    }
    return LL_OK;
}

/* ------------------------------------------------------------------ opening */

/* A name is safe only when its folder is; some file systems cannot sync one. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int file = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
    free(folder);
}

static ll_status open_file(ll_io_log *log, const char *user, size_t max_memory, ll_error *error)
{
    struct stat about;
    log->file = open(log->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (log->file < 0 || fstat(log->file, &about) != 0)
        return ll_io_fail_errno(error, log->path, errno);
    if (!S_ISREG(about.st_mode))
        return ll_io_fail(error, LL_DOMAIN, log->path, 0, "is no regular file, and a journal must be one");
    if (flock(log->file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return ll_io_fail(error, LL_DOMAIN, log->path, 0, "another %s is writing this journal", user);
        return ll_io_fail_errno(error, log->path, errno);
    }
    if (fstat(log->file, &about) != 0)
        return ll_io_fail_errno(error, log->path, errno);
    if (max_memory > 0 && (unsigned long long)about.st_size > max_memory)
        return ll_io_fail_budget(error, log->path, max_memory);
    if (about.st_size == 0)
        sync_folder(log->path);
    return LL_OK;
}

static ll_io_log *create(const char *path, ll_io_log_reader reader, void *self)
{
    ll_io_log *log = calloc(1, sizeof *log);
    if (!log)
        return NULL;
    *log = (ll_io_log){.path = strdup(path), .file = -1, .reader = reader, .self = self};
    if (log->path)
        return log;
    free(log);
    return NULL;
}

ll_status ll_io_log_open(ll_io_log **out, char *note, size_t size, const char *path, const char *user,
                         size_t max_memory, ll_io_log_reader reader, void *self, ll_error *error)
{
    ll_error dropped = {0};
    error = error ? error : &dropped; /* a reader's failure is passed on by it */
    note[0] = '\0';
    if (!*path)
        return ll_io_fail(error, LL_DOMAIN, "(no name)", 0, "an empty file name");
    ll_io_log *log = create(path, reader, self);
    if (!log)
        return ll_io_fail(error, LL_MEMORY, path, 0, "out of memory");
    ll_status status = open_file(log, user, max_memory, error);
    if (status == LL_OK)
        status = read_all(log, note, size, error);
    if (status == LL_OK)
        status = mend(log, error);
    if (status != LL_OK)
        ll_io_log_close(log);
    else
        *out = log;
    return status;
}

void ll_io_log_close(ll_io_log *log)
{
    if (!log)
        return;
    if (log->file >= 0)
        close(log->file);
    free(log->path);
    free(log);
}

/* ------------------------------------------------------------------ writing */

static int add(ll_io_log *log, const char *line, int is_synced)
{
    size_t length = strlen(line), done = 0;
    int why = 0;
    while (done < length && why == 0) {
        ssize_t written = write(log->file, line + done, length - done);
        if (written > 0)
            done += (size_t)written;
        else if (errno != EINTR)
            why = errno;
    }
    if (why == 0 && is_synced && fsync(log->file) != 0)
        why = errno;
    if (why == 0)
        log->size += (off_t)length;
    else if (done > 0 && ftruncate(log->file, log->size) != 0)
        why = errno;
    return why;
}

int ll_io_log_append(ll_io_log *log, const char *line)
{
    return add(log, line, 1);
}

int ll_io_log_write(ll_io_log *log, const char *line)
{
    return add(log, line, 0);
}
