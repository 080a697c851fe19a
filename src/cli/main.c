/* The program: find the command, run it, and see that its output arrived. */
#include "cli/command.h"
#include "cli/documents/document.h"
#include "cli/documents/overview.h"
#include "cli/options/help.h"
#include "cli/options/nearest_name.h"
#include "cli/options/parse.h"
#include "cli/signals.h"
#include "report/message.h"
#include "report/text_table.h"
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The commands: a row each. */
#define FOR_EACH_COMMAND(row)                                                                                          \
    row(ask) row(audit) row(defend) row(attack) row(craft) row(decode) row(infer) row(separate) row(score)             \
        row(metrics) row(losses) row(scorers) row(codes) row(datasets) row(hardness) row(inspect) row(mutnet)          \
            row(reproduce) row(guard) row(serve) row(investigate) row(identify)

#define DECLARE(name) extern const ll_command ll_command_##name;
#define LIST(name) &ll_command_##name,
FOR_EACH_COMMAND(DECLARE)
static const ll_command *const commands[] = {FOR_EACH_COMMAND(LIST) NULL};

enum { COMMANDS = sizeof commands / sizeof commands[0] - 1 };

static ll_exit print_overview(void)
{
    printf("lossleak: %s\n\nUsage: lossleak COMMAND [OPTION...]\n\n", ll_cli_question);
    for (int i = 0; i < COMMANDS; i++)
        printf("%-12s%s\n", commands[i]->syntax->command, commands[i]->summary);
    printf("%-12s%s\n", "help", ll_cli_help_summary);
    printf("\n%s\n%s\n", ll_cli_every_command, ll_cli_exit_statuses);
    return LL_EXIT_DONE;
}

static const ll_command *find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->syntax->command, name) == 0)
            return commands[i];
    return NULL;
}

static ll_exit refuse_command(const char *name)
{
    ll_error error;
    const char *nearest = ll_cli_nearer(name, NULL, "help");
    for (int i = 0; i < COMMANDS; i++)
        nearest = ll_cli_nearer(name, nearest, commands[i]->syntax->command);
    if (nearest)
        ll_fail(&error, LL_DOMAIN, "%.80s: no such command; did you mean %s?", name, nearest);
    else
        ll_fail(&error, LL_DOMAIN, "%.80s: no such command; lossleak --help lists them", name);
    return ll_cli_fail(&error);
}

static ll_exit write_documents(const char *folder)
{
    ll_error error = {0};
    if (ll_cli_write_documents(folder, commands, &error) == LL_OK)
        return LL_EXIT_DONE;
    return ll_cli_fail(&error);
}

static ll_exit run_help(int argc, char **argv)
{
    const ll_command *command = argc > 1 ? find_command(argv[1]) : NULL;
    if (command) {
        ll_cli_show_help(command->syntax, 0);
        return LL_EXIT_DONE;
    }
    if (argc > 2 && strcmp(argv[1], "--documents") == 0)
        return write_documents(argv[2]);
    return argc > 1 && argv[1][0] != '-' && strcmp(argv[1], "help") != 0 ? refuse_command(argv[1]) : print_overview();
}

static ll_exit run(const ll_command *command, int argc, char **argv)
{
    ll_exit status;
    ll_error error = {0};
    void *options = calloc(1, command->syntax->size);
    if (!options) {
        ll_fail(&error, LL_MEMORY, "no memory for the options");
        return ll_cli_fail(&error);
    }
    if (ll_cli_parse(&status, command->syntax, options, argc, argv))
        status = command->work(options);
    ll_cli_clear(command->syntax, options);
    free(options);
    return status;
}

static ll_exit dispatch(int argc, char **argv)
{
    if (argc < 2) {
        printf("lossleak: %s\n\n%s", ll_cli_question, ll_cli_first_steps);
        return LL_EXIT_DONE;
    }
    const char *name = argv[1];
    const ll_command *command = find_command(name);
    ll_cli_fail_about(name, ll_cli_asks_for_json(argc, argv));
    if (command)
        return run(command, argc - 1, argv + 1);
    if (strcmp(name, "help") == 0)
        return run_help(argc - 1, argv + 1);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_overview();
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("lossleak %s\n", ll_version());
        return LL_EXIT_DONE;
    }
    return refuse_command(name);
}

/* Why a write failed is known at the last flush only: so most output is written by that. */
static char output[1 << 16];

/* A full disk or a closed pipe may show only now. */
static ll_exit close_output(ll_exit status)
{
    ll_error error;
    errno = 0;
    int failed = fflush(stdout) != 0 || ferror(stdout), why = errno;
    if (fclose(stdout) != 0 && !failed) {
        failed = 1;
        why = errno;
    }
    if (failed && why == EPIPE)
        return status; /* `lossleak ... | head': the reader has seen enough */
    if (failed) {
        ll_fail(&error, LL_SYSTEM, "standard output: %s", why ? strerror(why) : "write error");
        ll_report_error(&error);
        return LL_EXIT_REFUSED;
    }
    return status;
}

/* A descriptor below 3 that is closed would be the next file that is opened, and a child's error would land in it. It
 * gets one that cannot be used: what is read from it or written to it fails as before. */
static void fill_descriptors(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0) {
            int opened = i == STDIN_FILENO ? open("/dev/null", O_WRONLY) : open("/dev/null", O_RDONLY);
            (void)opened; /* the lowest that is free: i */
        }
}

int main(int argc, char **argv)
{
    fill_descriptors();
    if (!isatty(STDOUT_FILENO))
        (void)setvbuf(stdout, output, _IOFBF, sizeof output);
    argp_err_exit_status = LL_EXIT_REFUSED;
    ll_cli_catch_signals();
    return (int)close_output(dispatch(argc, argv));
}
