/* A window of bytes over a file descriptor or over memory. Plain bytes are read straight into `window`; gzip'd ones into
 * `raw`, and inflated from there into `window`. Members may follow each other, zeros may follow the last one (tapes and
 * some archivers pad); anything else after a member is refused, since it may be a damaged next member. */
#include "io/files/byte_stream.h"

#include "io/files/io_fail.h"
#include "io/files/temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { WINDOW = 1 << 16, GZIP_WINDOW_BITS = 15 + 16 };

struct ll_io_bytes {
    char *path;
    int file, gzip, end, in_member;
    off_t start;                 /* where its first byte is in the file; -1 where the file cannot be sought */
    const unsigned char *memory; /* in place of a file; NULL: none */
    size_t memory_size, memory_read;
    size_t inflated, most; /* bytes out of gzip'd ones so far, and at most */
    z_stream inflater;
    size_t position, filled; /* of window */
    unsigned char window[WINDOW], raw[WINDOW];
};

static ssize_t copy_some(ll_io_bytes *b, void *out, size_t size)
{
    size_t left = b->memory_size - b->memory_read, part = size < left ? size : left;
    memcpy(out, b->memory + b->memory_read, part);
    b->memory_read += part;
    return (ssize_t)part;
}

/* read(2) once, whatever signals do; -1 for an error. */
static ssize_t read_some(ll_io_bytes *b, void *out, size_t size)
{
    ssize_t got;
    if (b->memory != NULL)
        return copy_some(b, out, size);
    do
        got = read(b->file, out, size);
    while (got < 0 && errno == EINTR);
    return got;
}

static ll_status refill_raw(ll_io_bytes *b, ll_error *error)
{
    ssize_t got = read_some(b, b->raw, WINDOW);
    if (got < 0)
        return ll_io_fail_errno(error, b->path, errno);
    b->inflater.next_in = b->raw;
    b->inflater.avail_in = (uInt)got;
    return LL_OK;
}

/* Between members: *more says whether another one follows. */
static ll_status next_member(ll_io_bytes *b, int *more, ll_error *error)
{
    z_stream *z = &b->inflater;
    for (;;) {
        while (z->avail_in > 0 && *z->next_in == 0) {
            z->next_in++;
            z->avail_in--;
        }
        if (z->avail_in > 0)
            break;
        ll_status status = refill_raw(b, error);
        if (status != LL_OK)
            return status;
        if (z->avail_in == 0) {
            *more = 0;
            return LL_OK;
        }
    }
    if (*z->next_in != 0x1f)
        return ll_io_fail(error, LL_DOMAIN, b->path, 0, "other bytes follow the gzip'd data");
    *more = b->in_member = 1;
    return inflateReset(z) == Z_OK ? LL_OK : ll_io_fail(error, LL_SYSTEM, b->path, 0, "zlib failed");
}

/* Inflate once into the free end of the window. */
static ll_status inflate_some(ll_io_bytes *b, ll_error *error)
{
    z_stream *z = &b->inflater;
    if (z->avail_in == 0) {
        ll_status status = refill_raw(b, error);
        if (status != LL_OK)
            return status;
        if (z->avail_in == 0)
            return ll_io_fail(error, LL_DOMAIN, b->path, 0, "the gzip'd data is cut off");
    }
    z->next_out = b->window + b->filled;
    z->avail_out = (uInt)(WINDOW - b->filled);
    int answer = inflate(z, Z_NO_FLUSH);
    b->inflated += WINDOW - z->avail_out - b->filled;
    b->filled = WINDOW - z->avail_out;
    if (b->inflated > b->most)
        return ll_io_fail(error, LL_UNABLE, b->path, 0, "the gzip'd data has more than %zu bytes", b->most);
    if (answer == Z_STREAM_END)
        b->in_member = 0;
    else if (answer == Z_MEM_ERROR)
        return ll_io_fail(error, LL_MEMORY, b->path, 0, "out of memory");
    else if (answer != Z_OK && answer != Z_BUF_ERROR)
        return ll_io_fail(error, LL_DOMAIN, b->path, 0, "the gzip'd data is damaged");
    return LL_OK;
}

static ll_status fill_inflated(ll_io_bytes *b, ll_error *error)
{
    size_t before = b->filled;
    while (b->filled == before && !b->end) {
        int more = 1;
        ll_status status = b->in_member ? LL_OK : next_member(b, &more, error);
        if (status == LL_OK && more)
            status = inflate_some(b, error);
        if (status != LL_OK)
            return status;
        b->end = !more;
    }
    return LL_OK;
}

static ll_status fill_plain(ll_io_bytes *b, ll_error *error)
{
    ssize_t got = read_some(b, b->window + b->filled, WINDOW - b->filled);
    if (got < 0)
        return ll_io_fail_errno(error, b->path, errno);
    b->filled += (size_t)got;
    b->end = got == 0;
    return LL_OK;
}

ll_status ll_io_bytes_peek(ll_io_bytes *b, unsigned char **data, size_t *size, size_t wanted, ll_error *error)
{
    if (b->filled - b->position < wanted && b->position > 0) {
        memmove(b->window, b->window + b->position, b->filled - b->position);
        b->filled -= b->position;
        b->position = 0;
    }
    while (b->filled - b->position < wanted && !b->end) {
        ll_status status = b->gzip ? fill_inflated(b, error) : fill_plain(b, error);
        if (status != LL_OK)
            return status;
    }
    *data = b->window + b->position;
    *size = b->filled - b->position;
    return LL_OK;
}

void ll_io_bytes_take(ll_io_bytes *b, size_t size)
{
    b->position += size;
}

static ll_status open_file(ll_io_bytes *b, ll_error *error)
{
    struct stat about;
    b->file = strcmp(b->path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(b->path, O_RDONLY | O_CLOEXEC);
    if (b->file < 0 || fstat(b->file, &about) != 0)
        return ll_io_fail_errno(error, b->path, errno);
    if (S_ISDIR(about.st_mode))
        return ll_io_fail(error, LL_SYSTEM, b->path, 0, "is a directory");
    b->start = lseek(b->file, 0, SEEK_CUR);
    return LL_OK;
}

/* Look at the first bytes; where they are gzip's, they become the first bytes to inflate. */
static ll_status find_kind(ll_io_bytes *b, ll_error *error)
{
    unsigned char *data;
    size_t size;
    ll_status status = ll_io_bytes_peek(b, &data, &size, 2, error);
    if (status != LL_OK)
        return status;
    if (size == 0)
        return ll_io_fail(error, LL_DOMAIN, b->path, 0, "the file is empty");
    if (size < 2 || data[0] != 0x1f || data[1] != 0x8b)
        return LL_OK;
    if (inflateInit2(&b->inflater, GZIP_WINDOW_BITS) != Z_OK)
        return ll_io_fail(error, LL_MEMORY, b->path, 0, "out of memory");
    b->gzip = b->in_member = 1;
    memcpy(b->raw, data, size);
    b->inflater.next_in = b->raw;
    b->inflater.avail_in = (uInt)size;
    b->position = b->filled = 0;
    b->end = 0;
    status = ll_io_bytes_peek(b, &data, &size, 1, error);
    if (status == LL_OK && size == 0)
        return ll_io_fail(error, LL_DOMAIN, b->path, 0, "the file is empty (gzip'd)");
    return status;
}

static ll_status start(ll_io_bytes **out, const char *path, ll_error *error)
{
    ll_io_bytes *b = calloc(1, sizeof *b);
    char *copy = strdup(path);
    if (!b || !copy) {
        free(b);
        free(copy);
        return ll_io_fail(error, LL_MEMORY, path, 0, "out of memory");
    }
    b->path = copy;
    b->file = -1;
    b->most = SIZE_MAX;
    *out = b;
    return LL_OK;
}

static ll_status give_out(ll_io_bytes **out, ll_io_bytes *b, ll_status status)
{
    if (status != LL_OK)
        ll_io_bytes_close(b);
    else
        *out = b;
    return status;
}

ll_status ll_io_bytes_open(ll_io_bytes **out, const char *path, ll_error *error)
{
    ll_io_bytes *b = NULL;
    ll_status status = start(&b, path, error);
    if (status == LL_OK)
        status = open_file(b, error);
    if (status == LL_OK)
        status = find_kind(b, error);
    return give_out(out, b, status);
}

ll_status ll_io_bytes_open_memory(ll_io_bytes **out, const char *name, const void *data, size_t size, size_t most,
                                  ll_error *error)
{
    ll_io_bytes *b = NULL;
    ll_status status = start(&b, name, error);
    if (status == LL_OK) {
        b->memory = size > 0 ? data : (const unsigned char *)"";
        b->memory_size = size;
        b->most = most;
        status = find_kind(b, error);
    }
    return give_out(out, b, status);
}

void ll_io_bytes_close(ll_io_bytes *b)
{
    if (!b)
        return;
    if (b->gzip)
        inflateEnd(&b->inflater);
    if (b->file >= 0)
        close(b->file);
    free(b->path);
    free(b);
}

const char *ll_io_bytes_path(const ll_io_bytes *b)
{
    return b->path;
}

ll_status ll_io_bytes_rewind(ll_io_bytes *b, ll_error *error)
{
    b->memory_read = b->inflated = 0;
    if (b->memory == NULL && (b->start < 0 || lseek(b->file, b->start, SEEK_SET) < 0))
        return ll_io_fail(error, LL_SYSTEM, b->path, 0, "cannot be read a second time");
    b->position = b->filled = 0;
    b->end = 0;
    if (b->gzip) {
        b->inflater.avail_in = 0;
        b->in_member = 1;
        if (inflateReset(&b->inflater) != Z_OK)
            return ll_io_fail(error, LL_SYSTEM, b->path, 0, "zlib failed");
    }
    return LL_OK;
}

/* Everything that is left goes, inflated, into the file. */
static ll_status spool(ll_io_bytes *b, FILE *file, size_t limit, ll_error *error)
{
    size_t total = 0;
    for (;;) {
        unsigned char *data;
        size_t size;
        ll_status status = ll_io_bytes_peek(b, &data, &size, 1, error);
        if (status != LL_OK || size == 0)
            return status;
        if (size > limit - total)
            return ll_io_fail(error, LL_UNABLE, b->path, 0,
                              "more than the %zu bytes allowed; give a file that can be read twice", limit);
        total += size;
        if (fwrite(data, 1, size, file) != size)
            return ll_io_fail(error, LL_SYSTEM, b->path, 0, "a temporary copy failed: %s", strerrordesc_np(errno));
        ll_io_bytes_take(b, size);
    }
}

ll_status ll_io_bytes_keep(ll_io_bytes *b, size_t limit, ll_error *error)
{
    if (b->start >= 0)
        return LL_OK;
    FILE *copy = ll_io_temporary_stream();
    if (!copy)
        return ll_io_fail(error, LL_SYSTEM, b->path, 0, "no temporary file: %s", strerrordesc_np(errno));
    int file = -1;
    ll_status status = spool(b, copy, limit, error);
    if (status == LL_OK &&
        (fflush(copy) != 0 || (file = fcntl(fileno(copy), F_DUPFD_CLOEXEC, 3)) < 0)) /* fclose below ends its own */
        status = ll_io_fail(error, LL_SYSTEM, b->path, 0, "a temporary copy failed: %s", strerrordesc_np(errno));
    (void)fclose(copy);
    if (status != LL_OK)
        return status;
    if (b->gzip)
        inflateEnd(&b->inflater);
    close(b->file);
    b->file = file;
    b->gzip = 0;
    b->start = 0;
    return ll_io_bytes_rewind(b, error);
}

static int map_file(const ll_io_bytes *b, ll_io_whole *out)
{
    struct stat about;
    if (b->memory != NULL || b->gzip || b->start != 0 || fstat(b->file, &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_size <= 0 || (uintmax_t)about.st_size > PTRDIFF_MAX)
        return 0;
    void *map = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, b->file, 0);
    if (map == MAP_FAILED)
        return 0;
    *out = (ll_io_whole){.data = map, .size = (size_t)about.st_size, .mapped = 1};
    return 1;
}

/* Double the room, but never beyond the limit. */
static ll_status grow(ll_io_bytes *b, unsigned char **data, size_t *room, size_t limit, ll_error *error)
{
    size_t larger = *room == 0 ? WINDOW : *room > SIZE_MAX / 2 ? SIZE_MAX : 2 * *room;
    if (larger > limit)
        larger = limit;
    if (larger <= *room) {
        ll_io_fail_budget(error, b->path, limit);
        return LL_UNABLE;
    }
    unsigned char *moved = realloc(*data, larger);
    if (!moved) {
        ll_io_fail(error, LL_MEMORY, b->path, 0, "out of memory");
        return LL_MEMORY;
    }
    *data = moved;
    *room = larger;
    return LL_OK;
}

ll_status ll_io_bytes_whole(ll_io_bytes *b, ll_io_whole *out, size_t limit, ll_error *error)
{
    if (b->memory != NULL && !b->gzip) {
        *out = (ll_io_whole){.data = (unsigned char *)b->memory, .size = b->memory_size, .lent = 1};
        return LL_OK;
    }
    if (map_file(b, out))
        return LL_OK;
    unsigned char *data = NULL, *next;
    size_t room = 0, used = 0, at_hand = 1;
    ll_status status = LL_OK;
    while (status == LL_OK) {
        status = ll_io_bytes_peek(b, &next, &at_hand, 1, error);
        if (status != LL_OK || at_hand == 0)
            break;
        if (used == room)
            status = grow(b, &data, &room, limit, error);
        size_t part = at_hand < room - used ? at_hand : room - used;
        if (status == LL_OK) {
            memcpy(data + used, next, part);
            ll_io_bytes_take(b, part);
            used += part;
        }
    }
    if (status == LL_OK)
        *out = (ll_io_whole){.data = data, .size = used};
    else
        free(data);
    return status;
}

void ll_io_whole_clear(ll_io_whole *whole)
{
    if (whole->mapped)
        munmap(whole->data, whole->size);
    else if (!whole->lent)
        free(whole->data);
    *whole = (ll_io_whole){0};
}
