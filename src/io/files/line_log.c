#include "io/files/line_log.h"

#include "io/files/io_fail.h"
#include "io/files/sync_folder.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

struct ll_io_log {
    char *path;
    int file;
    off_t size;         /* bytes of whole lines */
    long checked, bare; /* lines with a check sum, and without */
    ll_io_log_reader reader;
    void *self;
};

/* ------------------------------------------------------------------ check sums */

/* How a checked line ends, in place of its brace; the zeros are the CRC-32 of what is before the comma. */
static const char tail[] = ",\"check\":\"00000000\"}";
enum { TAIL = sizeof tail - 1, SUM = 10, SUM_DIGITS = 8 };

static void write_tail(char out[TAIL + 1], const char *text, size_t length)
{
    (void)snprintf(out, TAIL + 1, "%.*s%08lx\"}", SUM, tail, (unsigned long)crc32_z(0, (const void *)text, length));
}

/* How many bytes at the end of the text look like the beginning of a tail, or a whole one; 0: none do. */
static size_t tail_length(const char *text, size_t length)
{
    for (size_t size = length < TAIL ? length : TAIL; size > 0; size--) {
        const char *end = text + length - size;
        size_t same = 0;
        while (same < size && (end[same] == tail[same] ||
                               (same >= SUM && same < SUM + SUM_DIGITS && isxdigit((unsigned char)end[same]))))
            same++;
        if (same == size)
            return size;
    }
    return 0;
}

static ll_status fail_damaged(const ll_io_log *log, long number, ll_error *error)
{
    return ll_io_fail(error, LL_DOMAIN, log->path, number,
                      "damaged since it was written: its check sum does not fit; restore the file, or delete this line "
                      "to have its work done again");
}

/* A line with a sum that fits loses its tail, in place, and *length follows; so does a last line that ends inside one.
 * A line of an older version has none and stays; but older versions add nothing to a file that has sums. */
static ll_status check_line(ll_io_log *log, char *line, size_t *length, long number, int is_whole, ll_error *error)
{
    char sum[TAIL + 1];
    size_t end = *length - (size_t)is_whole, blank = is_whole && end > 0 && line[end - 1] == '\r';
    size_t size = tail_length(line, end - blank), start = end - blank - size;
    if (size == TAIL) {
        write_tail(sum, line, start);
        if (memcmp(line + start, sum, TAIL) != 0)
            return fail_damaged(log, number, error);
        line[start] = '}';
        memmove(line + start + 1, line + end - blank, *length - end + blank);
        *length -= TAIL - 1;
        log->checked++;
        return LL_OK;
    }
    if (!is_whole && end > TAIL && tail_length(line, end - 1) == TAIL) /* only the line's end is not what it was */
        return fail_damaged(log, number, error);
    if (!is_whole && size > 0 && start > 0 && line[start - 1] != '}') /* the tail takes the brace's place */
        *length = start;
    return LL_OK;
}

/* ------------------------------------------------------------------ reading */

static ll_status read_line(ll_io_log *log, char *line, size_t length, long number, char *note, size_t size,
                           ll_error *error)
{
    char place[300];
    int is_whole = length > 0 && line[length - 1] == '\n';
    size_t left = length;
    long checked = log->checked;
    ll_status status = check_line(log, line, &left, number, is_whole, error);
    if (status != LL_OK)
        return status;
    switch (log->reader(log->self, line, left, number, is_whole, error)) {
    case LL_LINE_KEPT:
        log->size += (off_t)length;
        log->bare += log->checked == checked;
        return checked > 0 && log->checked == checked ? fail_damaged(log, number, error) : LL_OK;
    case LL_LINE_REMAINDER:
        ll_io_place(place, sizeof place, log->path, number);
        (void)snprintf(note, size, "%s: the last line was cut off by a crash and is taken away", place);
        return LL_OK;
    default:
        return error->status;
    }
}

/* Behind what the note says already. */
static void warn_of_bare(const ll_io_log *log, char *note, size_t size)
{
    char place[300];
    size_t used = strlen(note);
    ll_io_place(place, sizeof place, log->path, 0);
    (void)snprintf(note + used, size - used,
                   "%swarning: %s: %ld line%s of an older version, without check sums: damage there may go unseen",
                   used ? "; " : "", place, log->bare, log->bare == 1 ? "" : "s");
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
    if (status == LL_OK && log->bare > 0)
        warn_of_bare(log, note, size);
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
        ll_io_sync_folder_of(log->path);
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

int ll_io_log_is_remainder(const char *line, size_t length, const char *head)
{
    size_t compared = length < strlen(head) ? length : strlen(head), zeros = 0;
    while (zeros < length && line[zeros] == '\0')
        zeros++;
    return zeros == length || memcmp(line, head, compared) == 0;
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

static int add_checked(ll_io_log *log, const char *line, int is_synced)
{
    size_t length = strlen(line) - 1; /* without the brace */
    char *checked = malloc(length + TAIL + 2);
    if (!checked)
        return ENOMEM;
    (void)snprintf(checked, length + 1, "%s", line);
    write_tail(checked + length, line, length);
    memcpy(checked + length + TAIL, "\n", 2);
    int why = add(log, checked, is_synced);
    free(checked);
    return why;
}

int ll_io_log_append(ll_io_log *log, const char *line)
{
    return add_checked(log, line, 1);
}

int ll_io_log_write(ll_io_log *log, const char *line)
{
    return add_checked(log, line, 0);
}
