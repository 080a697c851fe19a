/* A progress line with the time left, on stderr; only where stderr is a terminal and the work lasts over a second. */
#ifndef LL_REPORT_PROGRESS_H
#define LL_REPORT_PROGRESS_H

typedef struct {
    const char *what;
    double start, shown; /* seconds; shown: when the line was last written, 0: never */
    int terminal;
} ll_progress_bar;

/* Seconds on a clock that never goes back. */
double ll_report_clock(void);

void ll_report_progress_begin(ll_progress_bar *progress, const char *what);
void ll_report_progress_step(ll_progress_bar *progress, long done, long total);
/* Wipes the line where there is one. */
void ll_report_progress_end(ll_progress_bar *progress);

#endif
