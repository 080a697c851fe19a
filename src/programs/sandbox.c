#include "programs/sandbox.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOT                                                                                                           \
    "bwrap --unshare-all --die-with-parent --new-session --ro-bind /usr /usr --ro-bind-try /opt /opt "                 \
    "--symlink usr/lib /lib --symlink usr/lib64 /lib64 --symlink usr/bin /bin --symlink usr/sbin /sbin "               \
    "--ro-bind-try /etc/alternatives /etc/alternatives --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache "               \
    "--ro-bind-try /etc/localtime /etc/localtime --proc /proc --dev /dev --tmpfs /tmp --dir /app "

int ll_sandbox_works(void)
{
    int status = system(ROOT "true >/dev/null 2>&1");
    return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- text for a shell ---- */

static int add(char *command, const char *text)
{
    size_t used = strlen(command), length = strlen(text);
    if (used + length + 1 > LL_SANDBOX_COMMAND)
        return 0;
    memcpy(command + used, text, length + 1);
    return 1;
}

static int add_quoted(char *command, const char *text)
{
    int fits = add(command, "'");
    for (; *text && fits; text++) {
        char one[2] = {*text, '\0'};
        fits = add(command, *text == '\'' ? "'\\''" : one);
    }
    return fits && add(command, "' ");
}

/* ---- folders ---- */

static int add_folder(char *command, const char *folder)
{
    if (strcmp(folder, "/usr") == 0 || strncmp(folder, "/usr/", 5) == 0 || strcmp(folder, "/") == 0)
        return 1;
    return add(command, "--ro-bind ") && add_quoted(command, folder) && add_quoted(command, folder);
}

/* The folder of a file, or the folder itself, where there is one. */
static int add_path(char *command, const char *path)
{
    char real[PATH_MAX];
    struct stat what;
    if (realpath(path, real) == NULL || stat(real, &what) != 0)
        return 1;
    return add_folder(command, S_ISDIR(what.st_mode) ? real : dirname(real));
}

/* The interpreter of an environment: its own folder, two above its name as it was written. */
static int add_interpreter(char *command, const char *python)
{
    char path[PATH_MAX];
    if (python[0] != '/' || strlen(python) >= sizeof path)
        return 1;
    (void)snprintf(path, sizeof path, "%s", python);
    char *bin = dirname(path), *prefix = dirname(bin);
    return add_folder(command, prefix);
}

int ll_sandbox_command(char *command, const char *const *paths, long count, const char *python, int with_sandbox)
{
    char here[PATH_MAX];
    int fits = 1;
    command[0] = '\0';
    if (getcwd(here, sizeof here) == NULL)
        return 0;
    if (with_sandbox) {
        fits = add(command, "exec " ROOT "--dir ") && add_quoted(command, here) && add_interpreter(command, python);
        for (long i = 0; i < count && fits; i++)
            fits = add_path(command, paths[i]);
        fits = fits && add(command, "--chdir ") && add_quoted(command, here);
    } else {
        fits = add(command, "exec ");
    }
    return fits && add_quoted(command, python) && add(command, "-c \"$LOSSLEAK_DRIVER\"");
}
