#include "io/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void ll_io_close(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

int ll_io_move_up(int *file)
{
    if (*file > STDERR_FILENO)
        return 0;
    int moved = fcntl(*file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), why = errno;
    close(*file);
    *file = moved;
    errno = why;
    return moved < 0 ? -1 : 0;
}

void ll_io_child_init(ll_io_child *child)
{
    *child = (ll_io_child){.in = -1, .out = -1, .err = -1, .end = -1};
}

void ll_io_child_close(ll_io_child *child)
{
    ll_io_close(&child->in);
    ll_io_close(&child->out);
    ll_io_close(&child->err);
    ll_io_close(&child->end);
}

/* ---- starting ---- */

/* ours does not block; both are closed on exec */
static int make_pipe(int *ours, int *theirs, int we_write)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    *ours = ends[we_write];
    *theirs = ends[!we_write];
    if (ll_io_move_up(ours) != 0 || ll_io_move_up(theirs) != 0)
        return -1;
    return fcntl(*ours, F_SETFL, O_NONBLOCK);
}

static int is_replaced(const char *entry, const char *const *extra, int count)
{
    size_t name = strcspn(entry, "=");
    for (int i = 0; i < count; i++)
        if (strncmp(entry, extra[i], name) == 0 && extra[i][name] == '=')
            return 1;
    return 0;
}

/* Our environment with the extra entries in place of its own; only the array is allocated. */
static char **make_environment(const char *const *extra, int count)
{
    size_t used = 0, own = 0;
    while (environ && environ[own])
        own++;
    char **all = malloc((own + (size_t)count + 1) * sizeof *all);
    if (!all)
        return NULL;
    for (size_t i = 0; i < own; i++)
        if (!is_replaced(environ[i], extra, count))
            all[used++] = environ[i];
    for (int i = 0; i < count; i++)
        all[used++] = (char *)extra[i];
    all[used] = NULL;
    return all;
}

/* A group of its own, and the signals as a program expects them: we ignore SIGPIPE and SIGXFSZ, which it would inherit.
 */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t reset, none;
    sigemptyset(&reset);
    sigaddset(&reset, SIGPIPE);
    sigaddset(&reset, SIGXFSZ);
    sigemptyset(&none);
    int failed =
        posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (!failed)
        failed = posix_spawnattr_setpgroup(attributes, 0);
    if (!failed)
        failed = posix_spawnattr_setsigdefault(attributes, &reset);
    return failed ? failed : posix_spawnattr_setsigmask(attributes, &none);
}

static int set_files(posix_spawn_file_actions_t *files, const int theirs[3])
{
    int failed = 0;
    for (int i = 0; i < 3 && !failed; i++)
        failed = posix_spawn_file_actions_adddup2(files, theirs[i], i);
    return failed;
}

/* 0 or an error number */
static int spawn(ll_io_child *child, const char *command, const int theirs[3], char **environment)
{
    char shell[] = "sh", option[] = "-c", end[] = "--", *arguments[] = {shell, option, end, (char *)command, NULL};
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    pid_t pid = 0;
    int failed = posix_spawnattr_init(&attributes);
    if (failed)
        return failed;
    failed = posix_spawn_file_actions_init(&files);
    if (!failed) {
        failed = set_attributes(&attributes);
        if (!failed)
            failed = set_files(&files, theirs);
        if (!failed)
            failed = posix_spawn(&pid, "/bin/sh", &files, &attributes, arguments, environment);
        posix_spawn_file_actions_destroy(&files);
    }
    posix_spawnattr_destroy(&attributes);
    if (!failed)
        child->pid = pid;
    return failed;
}

/* 0 or an error number; theirs[] are closed by the caller */
static int start(ll_io_child *child, int theirs[3], const char *command, int input, char **environment)
{
    if (input < 0 && make_pipe(&child->in, &theirs[0], 1) != 0)
        return errno;
    if (make_pipe(&child->out, &theirs[1], 0) != 0 || make_pipe(&child->err, &theirs[2], 0) != 0)
        return errno;
    const int all[3] = {input < 0 ? theirs[0] : input, theirs[1], theirs[2]};
    return spawn(child, command, all, environment);
}

ll_status ll_io_child_start(ll_io_child *child, const char *command, int input, const char *const *extra, int count,
                            ll_error *error)
{
    int theirs[3] = {-1, -1, -1};
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans of the shell become ours to wait for; else init's */
    char **environment = make_environment(extra, count);
    if (!environment)
        return ll_fail(error, LL_MEMORY, "no memory for an environment");
    int failed = start(child, theirs, command, input, environment);
    free(environment);
    for (int i = 0; i < 3; i++)
        ll_io_close(&theirs[i]);
    if (failed) {
        const char *reason = strerrordesc_np(failed);
        ll_io_child_close(child);
        return ll_fail(error, LL_SYSTEM, "a process cannot be started: %s", reason ? reason : "unknown error");
    }
    child->end = pidfd_open(child->pid, 0);
    if (child->end >= 0)
        (void)ll_io_move_up(&child->end);
    return LL_OK;
}

/* ---- ending ---- */

int ll_io_child_has_ended(const ll_io_child *child)
{
    siginfo_t about = {0};
    if (waitid(P_PID, (id_t)child->pid, &about, WEXITED | WNOHANG | WNOWAIT) != 0)
        return errno != EINTR;
    return about.si_pid == child->pid;
}

void ll_io_child_signal(const ll_io_child *child, int number)
{
    if (child->pid > 0)
        kill(-child->pid, number);
}

int ll_io_child_reap(ll_io_child *child)
{
    int status = -1;
    pid_t waited, pid = child->pid;
    if (pid <= 0)
        return -1;
    ll_io_child_signal(child, SIGKILL);
    child->pid = 0; /* after the wait its number may be somebody else's */
    do
        waited = waitpid(pid, &status, 0);
    while (waited < 0 && errno == EINTR);
    while (waitpid(-pid, NULL, 0) > 0) /* what the shell had started and is ours now */
        continue;
    ll_io_close(&child->end);
    return waited < 0 ? -1 : status;
}
