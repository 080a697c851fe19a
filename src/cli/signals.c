#include "cli/signals.h"

#include "cli/command.h"
#include "io/files/unfinished.h"
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted, late;
static void (*volatile clean_up)(const void *self);
static const void *volatile to_clean;

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

static void end_now(const char *text, size_t length, ll_exit status)
{
    ssize_t written = write(STDERR_FILENO, text, length);
    (void)written;
    clean_up_now();
    _exit((int)status);
}

static void on_alarm(int number)
{
    static const char stopped[] = "lossleak: interrupted\n";
    static const char over[] = "lossleak: over budget: the time of --max-seconds is up\n";
    (void)number;
    if (interrupted)
        end_now(stopped, sizeof stopped - 1, LL_EXIT_INTERRUPTED);
    if (late)
        end_now(over, sizeof over - 1, LL_EXIT_REFUSED);
    late = 1;
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
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* nohup ignores it for us */
        handle(SIGHUP, on_interrupt, SA_RESTART);
    handle(SIGCHLD, SIG_DFL, 0); /* where it was ignored, nobody could wait for a child */
    handle(SIGALRM, on_alarm, SA_RESTART);
    handle(SIGPIPE, SIG_IGN, 0);
}

void ll_cli_limit_seconds(double seconds)
{
    double whole = floor(seconds), millionths = floor((seconds - whole) * 1e6);
    struct itimerval limit = {.it_value = {(time_t)whole, (suseconds_t)millionths}, .it_interval = {2, 0}};
    if (limit.it_value.tv_sec == 0 && limit.it_value.tv_usec == 0)
        limit.it_value.tv_usec = 1;
    setitimer(ITIMER_REAL, &limit, NULL);
}

void ll_cli_unlimit_seconds(void)
{
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}

int ll_cli_is_interrupted(void)
{
    return interrupted;
}

int ll_cli_is_late(void)
{
    return late;
}
