#include "cli/signals.h"

#include "cli/command.h"
#include "io/files/unfinished.h"
#include "report/progress.h"
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted, late;
static double due = INFINITY; /* on ll_report_clock(); set before the work begins */
static void (*volatile clean_up)(const void *self);
static const void *volatile to_clean;

static const char *volatile interruption = "interrupted";
static const char *volatile json_command; /* NULL: no JSON */

void ll_cli_say_json(const char *command)
{
    json_command = command;
}

void ll_cli_on_sudden_end(void (*clean)(const void *self), const void *self)
{
    clean_up = NULL;
    to_clean = self;
    clean_up = clean;
}

static void clean_up_now(void)
{
    ll_io_unfinished_remove();
    if (clean_up)
        clean_up(to_clean);
}

/* The main path has a second to end in order; it may hang in a read or in one long computation. */
static void on_interrupt(int number)
{
    if (interrupted) {
        clean_up_now();
        (void)signal(number, SIG_DFL);
        (void)raise(number); /* it comes when this handler has ended */
        return;
    }
    interrupted = 1;
    alarm(1);
}

static void write_text(int file, const char *text)
{
    ssize_t written = write(file, text, strlen(text));
    (void)written;
}

/* The texts have nothing that JSON would escape. */
static void end_now(const char *text, ll_exit status)
{
    const char *command = json_command;
    write_text(STDERR_FILENO, "lossleak: ");
    write_text(STDERR_FILENO, text);
    write_text(STDERR_FILENO, "\n");
    if (command) {
        write_text(STDOUT_FILENO, "{\"command\": \"");
        write_text(STDOUT_FILENO, command);
        write_text(STDOUT_FILENO, "\", \"schema\": 2, \"error\": {\"text\": \"");
        write_text(STDOUT_FILENO, text);
        write_text(STDOUT_FILENO, status == LL_EXIT_REFUSED ? "\", \"status\": 2}}\n" : "\", \"status\": 130}}\n");
    }
    clean_up_now();
    _exit((int)status);
}

static void on_alarm(int number)
{
    (void)number;
    if (interrupted)
        end_now(interruption, LL_EXIT_INTERRUPTED);
    if (late)
        end_now("over budget: the time of --max-seconds is up", LL_EXIT_REFUSED);
    late = 1;
}

/* It comes again every second, and then SIGKILL does: there is no time to wait for the main path. */
static void on_processor_limit(int number)
{
    (void)number;
    end_now("over budget: the system's limit of processor time (ulimit -t) is reached", LL_EXIT_REFUSED);
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void ll_cli_catch_signals(void)
{
    struct sigaction hangup;
    handle(SIGINT, on_interrupt, SA_RESTART);
    handle(SIGTERM, on_interrupt, SA_RESTART);
    handle(SIGQUIT, on_interrupt, SA_RESTART);
    handle(SIGXCPU, on_processor_limit, SA_RESTART);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* nohup ignores it for us */
        handle(SIGHUP, on_interrupt, SA_RESTART);
    handle(SIGCHLD, SIG_DFL, 0); /* where it was ignored, nobody could wait for a child */
    handle(SIGALRM, on_alarm, SA_RESTART);
    handle(SIGPIPE, SIG_IGN, 0); /* these two are errors of write then */
    handle(SIGXFSZ, SIG_IGN, 0);
}

void ll_cli_limit_seconds(double seconds)
{
    double whole = floor(seconds), millionths = floor((seconds - whole) * 1e6);
    struct itimerval limit = {.it_value = {(time_t)whole, (suseconds_t)millionths}, .it_interval = {2, 0}};
    if (limit.it_value.tv_sec == 0 && limit.it_value.tv_usec == 0)
        limit.it_value.tv_usec = 1;
    due = ll_report_clock() + seconds;
    setitimer(ITIMER_REAL, &limit, NULL);
}

void ll_cli_unlimit_seconds(void)
{
    due = INFINITY;
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}

void ll_cli_on_interrupt_say(const char *text)
{
    interruption = text;
}

const char *ll_cli_interruption(void)
{
    return interruption;
}

int ll_cli_is_interrupted(void)
{
    return interrupted;
}

int ll_cli_is_late(void)
{
    return late;
}

int ll_cli_is_due(void)
{
    return late || ll_report_clock() >= due;
}
