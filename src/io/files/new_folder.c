#include "io/files/new_folder.h"

#include "io/files/io_fail.h"
#include "io/files/leftovers.h"
#include "io/files/sync_folder.h"
#include "io/files/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ll_io_folder {
    char *path;      /* as given, for messages */
    char *target;    /* without slashes at its end; links followed where it is there */
    char *temporary; /* beside the target; NULL: not made, or renamed by now */
    int unfinished;  /* its entry, or -1 */
    int mark;        /* locked, in the temporary one, or -1 */
    int exists;      /* an empty folder is there, with this mode */
    mode_t mode;
};

/* 1: no entries; 0: some; -1 and errno. */
static int is_empty_folder(const char *path)
{
    DIR *folder = opendir(path);
    int entries = 0;
    if (!folder)
        return -1;
    while (entries < 3 && readdir(folder)) /* . and .. */
        entries++;
    closedir(folder);
    return entries < 3;
}

static ll_status find_target(ll_io_folder *f, ll_error *error)
{
    struct stat about;
    size_t length = strlen(f->path);
    if (length == 0) {
        (void)ll_io_fail(error, LL_DOMAIN, "(no name)", 0, "an empty folder name");
        return LL_DOMAIN;
    }
    while (length > 1 && f->path[length - 1] == '/')
        length--;
    if (lstat(f->path, &about) != 0 && errno == ENOENT) {
        f->target = strndup(f->path, length);
        if (f->target)
            return LL_OK;
        (void)ll_io_fail_errno(error, f->path, ENOMEM);
        return LL_MEMORY;
    }
    f->target = realpath(f->path, NULL);
    if (!f->target || stat(f->target, &about) != 0) {
        (void)ll_io_fail_errno(error, f->path, errno);
        return LL_SYSTEM;
    }
    f->exists = 1;
    f->mode = about.st_mode & 0777;
    int empty = is_empty_folder(f->target);
    if (empty < 0 && errno != ENOTDIR)
        return ll_io_fail_errno(error, f->path, errno);
    return empty > 0 ? LL_OK
                     : ll_io_fail(error, LL_DOMAIN, f->path, 0,
                                  empty < 0 ? "is there and is no folder; give a new one"
                                            : "is there and not empty; give a new folder");
}

static void drop_name(ll_io_folder *f)
{
    ll_io_unfinished_forget(f->unfinished);
    f->unfinished = -1;
    free(f->temporary);
    f->temporary = NULL;
    if (f->mark >= 0)
        close(f->mark);
    f->mark = -1;
}

/* Nobody may look into it before that, whom the folder that it replaces would not let. 0, or an error number. */
static int make_private(ll_io_folder *f)
{
    if (mkdir(f->temporary, f->exists ? 0700 : 0777) != 0)
        return errno;
    int folder = f->exists ? open(f->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int why = f->exists && (folder < 0 || fchmod(folder, f->mode | 0300) != 0) ? errno : 0;
    if (folder >= 0)
        close(folder);
    f->mark = why ? -1 : ll_io_mark_folder(f->temporary);
    why = why || f->mark >= 0 ? why : errno;
    if (why)
        ll_io_remove(AT_FDCWD, f->temporary);
    return why;
}

static ll_status make_temporary(ll_io_folder *f, ll_error *error)
{
    const char *slash = strrchr(f->target, '/');
    int parent = slash ? (int)(slash - f->target) + 1 : 0;
    char name[LL_IO_TEMPORARY_NAME];
    if (ll_io_temporary_name(name) != 0)
        return ll_io_fail_errno(error, f->path, errno);
    if (asprintf(&f->temporary, "%.*s%s", parent, f->target, name) < 0) {
        f->temporary = NULL;
        return ll_io_fail_errno(error, f->path, ENOMEM);
    }
    f->temporary[parent] = '\0';
    ll_io_sweep_path(parent > 0 ? f->temporary : ".");
    f->temporary[parent] = name[0];
    f->unfinished = ll_io_unfinished_enter(AT_FDCWD, f->temporary);
    int why = make_private(f);
    if (why == 0)
        return LL_OK;
    drop_name(f);
    return ll_io_fail_errno(error, f->path, why);
}

ll_status ll_io_folder_open(ll_io_folder **out, const char *path, ll_error *error)
{
    ll_io_folder *f = calloc(1, sizeof *f);
    if (!f || !(f->path = strdup(path))) {
        free(f);
        return ll_io_fail(error, LL_MEMORY, path, 0, "out of memory");
    }
    f->unfinished = f->mark = -1;
    ll_status status = find_target(f, error);
    if (status == LL_OK)
        status = make_temporary(f, error);
    if (status != LL_OK)
        ll_io_folder_abandon(f);
    else
        *out = f;
    return status;
}

char *ll_io_folder_file(const ll_io_folder *f, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", f->temporary, name) < 0 ? NULL : path;
}

/* An empty folder of that name is replaced; one that was filled meanwhile is not. */
ll_status ll_io_folder_commit(ll_io_folder *f, ll_error *error)
{
    ll_status status = LL_OK;
    ll_io_unmark_folder(f->temporary);
    if (rename(f->temporary, f->target) != 0) {
        status = ll_io_fail_errno(error, f->path, errno);
    } else {
        ll_io_sync_folder_of(f->target);
        drop_name(f);
    }
    ll_io_folder_abandon(f);
    return status;
}

void ll_io_folder_abandon(ll_io_folder *f)
{
    if (!f)
        return;
    if (f->temporary)
        ll_io_remove(AT_FDCWD, f->temporary);
    drop_name(f);
    free(f->target);
    free(f->path);
    free(f);
}
