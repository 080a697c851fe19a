/* Calls that fail when told to. The linker sends the calls of our own objects (not those of GMP, FLINT or the C
 * library) to the functions here, which count them and pass them on, except for the chosen ones:
 *
 *     LL_FAULT_AT=n        the n-th call (from 1) fails
 *     LL_FAULT_FROM=n      the n-th and every later one that allocates fail
 *     LL_FAULT_TRACE=FILE  a line a call is written there: its name and where it was made
 *     LL_FAULT_SIGNAL=s    nothing fails, but signal s comes just before call LL_FAULT_WHEN, LL_FAULT_TIMES times
 *     LL_FAULT_SHORT=1     nothing fails, but reads and writes are interrupted and move a few bytes at a time
 *
 * What jansson, libcsv and zlib allocate on our behalf counts as ours. */
#include <argp.h>
#include <csv.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

extern char __executable_start, _end; /* of this program, by the linker */

static atomic_long calls;
static long fail_at, fail_from, signal_when, signal_number, signal_times;
static int trace = -1, is_short;

static long number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : 0;
}

void *__wrap_malloc(size_t size);
int __real_open(const char *path, int flags, ...);
ssize_t __real_write(int file, const void *data, size_t size);

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("LL_FAULT_TRACE");
    fail_at = number_of("LL_FAULT_AT");
    fail_from = number_of("LL_FAULT_FROM");
    signal_when = number_of("LL_FAULT_WHEN");
    signal_number = number_of("LL_FAULT_SIGNAL");
    signal_times = number_of("LL_FAULT_TIMES");
    is_short = number_of("LL_FAULT_SHORT") > 0;
    json_set_alloc_funcs(__wrap_malloc, free);
    if (path)
        trace = __real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

/* Where a call was made, in this program; 0: by a library. */
static unsigned long place(const char *caller)
{
    return caller > &__executable_start && caller < &_end ? (unsigned long)(caller - &__executable_start) : 0;
}

static int is_now(const char *name, const void *caller, int allocates)
{
    char line[80];
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (trace >= 0) {
        int length = snprintf(line, sizeof line, "%s %lx %d\n", name, place(caller), allocates);
        if (__real_write(trace, line, (size_t)length) != length)
            abort();
    }
    for (long i = 0; number == signal_when && i < signal_times; i++)
        raise((int)signal_number);
    return number == fail_at || (fail_from > 0 && number >= fail_from && allocates);
}

#define HERE __builtin_return_address(0)

/* type NAME(parameters), called with (arguments), answers `failure` with errno `number` when it is its turn. */
#define WRAP(allocates, type, name, parameters, arguments, failure, number)                                            \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        if (is_now(#name, HERE, allocates)) {                                                                          \
            errno = number;                                                                                            \
            return failure;                                                                                            \
        }                                                                                                              \
        return __real_##name arguments;                                                                                \
    }

/* ---- memory ---- */

WRAP(1, void *, malloc, (size_t size), (size), NULL, ENOMEM)
WRAP(1, void *, calloc, (size_t count, size_t size), (count, size), NULL, ENOMEM)
WRAP(1, void *, realloc, (void *old, size_t size), (old, size), NULL, ENOMEM)
WRAP(1, void *, aligned_alloc, (size_t line, size_t size), (line, size), NULL, ENOMEM)
WRAP(1, char *, strdup, (const char *text), (text), NULL, ENOMEM)
WRAP(1, char *, strndup, (const char *text, size_t size), (text, size), NULL, ENOMEM)
WRAP(1, ssize_t, __getdelim, (char **line, size_t *room, int end, FILE *file), (line, room, end, file), -1, ENOMEM)
WRAP(1, locale_t, newlocale, (int mask, const char *name, locale_t base), (mask, name, base), NULL, ENOMEM)
WRAP(1, char *, realpath, (const char *path, char *out), (path, out), NULL, ENOMEM)
WRAP(1, error_t, argp_parse, (const struct argp *argp, int argc, char **argv, unsigned flags, int *next, void *input),
     (argp, argc, argv, flags, next, input), ENOMEM, ENOMEM)
WRAP(1, int, inflateInit2_, (z_streamp stream, int bits, const char *version, int size), (stream, bits, version, size),
     Z_MEM_ERROR, ENOMEM)

int __wrap_asprintf(char **out, const char *format, ...);
int __wrap_asprintf(char **out, const char *format, ...)
{
    va_list arguments;
    if (is_now("asprintf", HERE, 1)) {
        *out = (char *)1; /* the contents are undefined then */
        return -1;
    }
    va_start(arguments, format);
    int length = vasprintf(out, format, arguments);
    va_end(arguments);
    return length;
}

int __real_csv_init(struct csv_parser *parser, unsigned char options);
int __wrap_csv_init(struct csv_parser *parser, unsigned char options);
int __wrap_csv_init(struct csv_parser *parser, unsigned char options)
{
    int failed = __real_csv_init(parser, options);
    csv_set_realloc_func(parser, __wrap_realloc);
    return failed;
}

/* ---- files ---- */

WRAP(0, FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, EMFILE)
WRAP(0, FILE *, fdopen, (int file, const char *mode), (file, mode), NULL, ENOMEM)
WRAP(0, int, pthread_create, (pthread_t * thread, const pthread_attr_t *how, void *(*run)(void *), void *self),
     (thread, how, run, self), EAGAIN, EAGAIN)
WRAP(0, DIR *, opendir, (const char *path), (path), NULL, EMFILE)
WRAP(0, DIR *, fdopendir, (int file), (file), NULL, ENOMEM)
WRAP(0, void *, mmap, (void *at, size_t size, int use, int flags, int file, off_t from),
     (at, size, use, flags, file, from), MAP_FAILED, ENOMEM)
WRAP(0, ssize_t, pread, (int file, void *out, size_t size, off_t at), (file, out, size, at), -1, EIO)
WRAP(0, int, fsync, (int file), (file), -1, EIO)
WRAP(0, int, ftruncate, (int file, off_t size), (file, size), -1, EIO)
WRAP(0, int, fstat, (int file, struct stat *out), (file, out), -1, EIO)
WRAP(0, int, stat, (const char *path, struct stat *out), (path, out), -1, EIO)
WRAP(0, int, lstat, (const char *path, struct stat *out), (path, out), -1, EIO)
WRAP(0, int, access, (const char *path, int mode), (path, mode), -1, EIO)
WRAP(0, off_t, lseek, (int file, off_t by, int from), (file, by, from), -1, ESPIPE)
WRAP(0, int, flock, (int file, int how), (file, how), -1, ENOLCK)
WRAP(0, int, fchmod, (int file, mode_t mode), (file, mode), -1, EPERM)
WRAP(0, int, fchown, (int file, uid_t user, gid_t group), (file, user, group), -1, EPERM)
WRAP(0, int, rename, (const char *from, const char *to), (from, to), -1, EACCES)
WRAP(0, int, renameat, (int in, const char *from, int there, const char *to), (in, from, there, to), -1, EACCES)
WRAP(0, int, mkdir, (const char *path, mode_t mode), (path, mode), -1, ENOSPC)
WRAP(0, char *, mkdtemp, (char *path), (path), NULL, ENOSPC)
WRAP(0, int, mkostemp, (char *path, int flags), (path, flags), -1, ENOSPC)
WRAP(0, ssize_t, readlink, (const char *path, char *out, size_t size), (path, out, size), -1, EIO)
WRAP(0, ssize_t, getrandom, (void *out, size_t size, unsigned flags), (out, size, flags), -1, ENOSYS)
WRAP(0, size_t, fread, (void *out, size_t size, size_t count, FILE *file), (out, size, count, file), 0, EIO)
WRAP(0, char *, fgets, (char *out, int size, FILE *file), (out, size, file), NULL, EIO)
WRAP(0, int, fseek, (FILE * file, long by, int from), (file, by, from), -1, EIO)
WRAP(1, FILE *, open_memstream, (char **text, size_t *size), (text, size), NULL, ENOMEM)
WRAP(0, int, fflush, (FILE * file), (file), EOF, ENOSPC)

/* A stream remembers that a write failed; its end tells. */
size_t __real_fwrite(const void *data, size_t size, size_t count, FILE *file);
size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file);
size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file)
{
    enum { ERROR_SEEN = 0x20 }; /* as the C library calls it inside */
    if (!is_now("fwrite", HERE, 0))
        return __real_fwrite(data, size, count, file);
    file->_flags |= ERROR_SEEN;
    errno = ENOSPC;
    return 0;
}

/* A descriptor is gone whatever close says. */
int __real_close(int file);
int __wrap_close(int file);
int __wrap_close(int file)
{
    int fails = is_now("close", HERE, 0), answer = __real_close(file);
    errno = fails ? EIO : errno;
    return fails ? -1 : answer;
}

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    int fails = is_now("fclose", HERE, 0), answer = __real_fclose(file);
    errno = fails ? EIO : errno;
    return fails ? EOF : answer;
}

/* The number that follows `flags`, where there is one. */
#define WRAP_OPEN(name, parameters, arguments, number)                                                                 \
    int __real_##name parameters;                                                                                      \
    int __wrap_##name parameters;                                                                                      \
    int __wrap_##name parameters                                                                                       \
    {                                                                                                                  \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        unsigned long last = va_arg(rest, unsigned long);                                                              \
        va_end(rest);                                                                                                  \
        if (is_now(#name, HERE, 0)) {                                                                                  \
            errno = number;                                                                                            \
            return -1;                                                                                                 \
        }                                                                                                              \
        return __real_##name arguments;                                                                                \
    }
WRAP_OPEN(open, (const char *path, int flags, ...), (path, flags, (mode_t)last), EMFILE)
WRAP_OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, (mode_t)last), ENOSPC)
WRAP_OPEN(fcntl, (int file, int flags, ...), (file, flags, last), EMFILE)

/* Every other call is interrupted, and the rest moves seven bytes at most. */
static int is_interrupted(size_t *size)
{
    static atomic_int turn;
    if (!is_short)
        return 0;
    *size = *size < 7 ? *size : 7;
    return atomic_fetch_add(&turn, 1) % 2;
}

#define WRAP_MOVE(name, parameters, arguments, number)                                                                 \
    ssize_t __real_##name parameters;                                                                                  \
    ssize_t __wrap_##name parameters;                                                                                  \
    ssize_t __wrap_##name parameters                                                                                   \
    {                                                                                                                  \
        int fails = is_now(#name, HERE, 0);                                                                            \
        if (fails || is_interrupted(&size)) {                                                                          \
            errno = fails ? number : EINTR;                                                                            \
            return -1;                                                                                                 \
        }                                                                                                              \
        return __real_##name arguments;                                                                                \
    }
WRAP_MOVE(read, (int file, void *data, size_t size), (file, data, size), EIO)
WRAP_MOVE(write, (int file, const void *data, size_t size), (file, data, size), ENOSPC)

/* ---- processes ---- */

WRAP(0, int, pipe2, (int ends[2], int flags), (ends, flags), -1, EMFILE)
WRAP(0, int, pidfd_open, (pid_t pid, unsigned flags), (pid, flags), -1, ENOSYS)
WRAP(0, int, poll, (struct pollfd * files, nfds_t count, int wait), (files, count, wait), -1, EINTR)
WRAP(0, int, posix_spawnattr_init, (posix_spawnattr_t * a), (a), ENOMEM, ENOMEM)
WRAP(0, int, posix_spawn_file_actions_init, (posix_spawn_file_actions_t * a), (a), ENOMEM, ENOMEM)
WRAP(0, int, posix_spawn_file_actions_adddup2, (posix_spawn_file_actions_t * a, int from, int to), (a, from, to),
     ENOMEM, ENOMEM)
WRAP(0, int, posix_spawnp,
     (pid_t * pid, const char *name, const posix_spawn_file_actions_t *files, const posix_spawnattr_t *attributes,
      char *const argv[], char *const environment[]),
     (pid, name, files, attributes, argv, environment), EAGAIN, EAGAIN)
WRAP(0, int, posix_spawn,
     (pid_t * pid, const char *path, const posix_spawn_file_actions_t *files, const posix_spawnattr_t *attributes,
      char *const argv[], char *const environment[]),
     (pid, path, files, attributes, argv, environment), EAGAIN, EAGAIN)
