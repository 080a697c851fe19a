/* The script goes through an unnamed file, so that no pipe can fill up, and so does what gnuplot says. */
#include "report/gnuplot.h"

#include "io/files/temporary_file.h"
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int ll_report_has_gnuplot(void)
{
    const char *path = getenv("PATH");
    char file[4096];
    while (path && *path) {
        size_t length = strcspn(path, ":");
        if (length > 0 && length + sizeof "/gnuplot" <= sizeof file) {
            (void)snprintf(file, sizeof file, "%.*s/gnuplot", (int)length, path);
            if (access(file, X_OK) == 0)
                return 1;
        }
        path += length + (path[length] == ':');
    }
    return 0;
}

/* -1 with errno, or its status as waitpid gives it */
static int run(FILE *script, FILE *drawn, FILE *printed)
{
    char name[] = "gnuplot", quiet[] = "-d", *arguments[] = {name, quiet, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    int why = posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    if (why == 0)
        why = posix_spawn_file_actions_adddup2(&actions, fileno(printed), STDERR_FILENO);
    if (why == 0)
        why = posix_spawn_file_actions_adddup2(&actions, fileno(drawn), STDOUT_FILENO);
    if (why == 0)
        why = posix_spawnp(&child, name, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (why == 0 && waitpid(child, &status, 0) < 0)
        why = errno == EINTR ? 0 : errno;
    errno = why;
    return why == 0 ? status : -1;
}

static ll_status complain(FILE *printed, ll_error *error)
{
    char line[200] = "";
    rewind(printed);
    while (fgets(line, sizeof line, printed) && strspn(line, " \t\n") == strlen(line))
        ;
    line[strcspn(line, "\n")] = '\0';
    return ll_fail(error, LL_SYSTEM, "gnuplot failed: %s", line[0] ? line : "it said nothing");
}

/* All that was written to a file, by malloc. */
static ll_status read_all(char **out, FILE *file, ll_error *error)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    rewind(file);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) {
        free(text);
        return ll_fail(error, LL_SYSTEM, "what gnuplot drew could not be read");
    }
    text[size] = '\0';
    *out = text;
    return LL_OK;
}

static ll_status draw(const char *script, FILE *in, FILE *drawn, FILE *printed, ll_error *error)
{
    if (!in || !drawn || !printed || fputs(script, in) < 0 || fflush(in) != 0)
        return ll_fail(error, LL_SYSTEM, "a script for gnuplot could not be written, in %.120s: %s",
                       ll_io_temporary_folder(), strerror(errno));
    rewind(in);
    int ended = run(in, drawn, printed);
    if (ended == -1)
        return ll_fail(error, LL_SYSTEM, "gnuplot could not be started: %s", strerror(errno));
    return WIFEXITED(ended) && WEXITSTATUS(ended) == 0 ? LL_OK : complain(printed, error);
}

ll_status ll_report_gnuplot_text(char **out, const char *script, ll_error *error)
{
    FILE *in = ll_io_temporary_stream(), *drawn = ll_io_temporary_stream(), *printed = ll_io_temporary_stream();
    ll_status status = draw(script, in, drawn, printed, error);
    if (status == LL_OK)
        status = read_all(out, drawn, error);
    if (in)
        (void)fclose(in);
    if (drawn)
        (void)fclose(drawn);
    if (printed)
        (void)fclose(printed);
    return status;
}

ll_status ll_report_gnuplot(const char *script, ll_error *error)
{
    char *text = NULL;
    ll_status status = ll_report_gnuplot_text(&text, script, error);
    free(text);
    return status;
}
