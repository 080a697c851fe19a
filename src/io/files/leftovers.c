#include "io/files/leftovers.h"

#include "io/files/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- making ---- */

int ll_io_temporary_name(char out[LL_IO_TEMPORARY_NAME])
{
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return -1;
    (void)snprintf(out, LL_IO_TEMPORARY_NAME, LL_IO_TEMPORARY_PREFIX "%016llx", (unsigned long long)number);
    return 0;
}

/* The folder `path` with a mark in it, opened; -1 and errno. */
static int open_mark(const char *path, int flags)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int mark = folder >= 0 ? openat(folder, LL_IO_MARK, flags | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
    int why = errno;
    if (folder >= 0)
        close(folder);
    errno = why;
    return mark;
}

int ll_io_mark_folder(const char *path)
{
    int mark = open_mark(path, O_WRONLY | O_CREAT | O_EXCL);
    if (mark >= 0)
        (void)flock(mark, LOCK_EX | LOCK_NB); /* where there are no locks, nothing is ever swept */
    return mark;
}

void ll_io_unmark_folder(const char *path)
{
    char mark[PATH_MAX];
    int length = snprintf(mark, sizeof mark, "%s/" LL_IO_MARK, path);
    if (length > 0 && length < (int)sizeof mark)
        (void)unlink(mark);
}

/* ---- sweeping ---- */

static int is_temporary_name(const char *name)
{
    size_t prefix = strlen(LL_IO_TEMPORARY_PREFIX);
    return strncmp(name, LL_IO_TEMPORARY_PREFIX, prefix) == 0 && strlen(name) == prefix + 16 &&
           strspn(name + prefix, "0123456789abcdef") == 16;
}

/* A regular file of ours that is old and that nobody has locked. */
static int is_left(int file)
{
    struct stat about;
    return fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() && about.st_nlink == 1 &&
           about.st_mtime + LL_IO_LEFTOVER_AGE < time(NULL) && flock(file, LOCK_EX | LOCK_NB) == 0;
}

/* What tells whether `name` is left: the file itself, or the mark of a folder of ours; -1: neither. Not a pipe's end.
 */
static int open_witness(int folder, const char *name)
{
    struct stat about;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0 || !S_ISDIR(about.st_mode))
        return file;
    int mark =
        about.st_uid == geteuid() ? openat(file, LL_IO_MARK, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    close(file);
    return mark;
}

static void sweep_name(int folder, const char *name)
{
    int witness = open_witness(folder, name);
    if (witness >= 0 && is_left(witness))
        ll_io_remove(folder, name);
    if (witness >= 0)
        close(witness);
}

/* The folder that was looked at last: craft writes thousands of files into one. */
static int is_known(int folder)
{
    static _Atomic ino_t last;
    struct stat about;
    return fstat(folder, &about) != 0 || atomic_exchange(&last, about.st_ino) == about.st_ino;
}

void ll_io_sweep(int folder)
{
    if (is_known(folder))
        return;
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* a place of its own in the list */
    DIR *list = again >= 0 ? fdopendir(again) : NULL;
    if (!list && again >= 0)
        close(again);
    for (const struct dirent *entry; list && (entry = readdir(list));)
        if (is_temporary_name(entry->d_name))
            sweep_name(folder, entry->d_name);
    if (list)
        closedir(list);
}

void ll_io_sweep_path(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    ll_io_sweep(folder);
    close(folder);
}
