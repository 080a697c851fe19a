#include "report/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

double ll_report_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void ll_report_progress_begin(ll_progress_bar *progress, const char *what)
{
    *progress = (ll_progress_bar){.what = what, .start = ll_report_clock(), .terminal = isatty(STDERR_FILENO)};
}

void ll_report_progress_step(ll_progress_bar *progress, long done, long total)
{
    double now = progress->terminal ? ll_report_clock() : 0, elapsed = now - progress->start;
    if (!progress->terminal || done < 1 || elapsed < 1 || now - progress->shown < 0.1)
        return;
    static const char bar[] = "##############################";
    enum { WIDTH = sizeof bar - 1 };
    double share = (double)done / (double)total;
    (void)fprintf(stderr, "\r%s [%-*.*s] %3.0f %%, %.0f s left\033[K", progress->what, WIDTH, (int)(WIDTH * share), bar,
                  100 * share, elapsed * (1 - share) / share);
    (void)fflush(stderr);
    progress->shown = now;
}

void ll_report_progress_end(ll_progress_bar *progress)
{
    if (progress->shown > 0)
        (void)fputs("\r\033[K", stderr);
    progress->shown = 0;
}
