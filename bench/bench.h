/* What every benchmark shares: a clock, the best of several runs, and the CSV line.
 *
 * One line a figure: thing,size,seconds,baseline,baseline_seconds,ratio. The two times are taken in one run,
 * alternating, and are each the least of several: on a noisy machine the ratio is the figure, the seconds only say how
 * large it is. They are processor time, all threads together; every figure is of one thread. bench/table.py makes the
 * table. */
#ifndef LL_BENCH_H
#define LL_BENCH_H

#include <stdio.h>
#include <time.h>

static inline double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* seconds of the fastest of `runs` calls of each function, alternating */
static inline void bench_pair(double best[2], void (*ours)(void *), void (*baseline)(void *), void *context, int runs)
{
    best[0] = best[1] = 1e300;
    for (int run = 0; run < runs; run++) {
        for (int which = 0; which < 2; which++) {
            double start = bench_now();
            (which == 0 ? ours : baseline)(context);
            double spent = bench_now() - start;
            if (spent < best[which])
                best[which] = spent;
        }
    }
}

static inline void bench_print(const char *thing, const char *size, double seconds, const char *baseline, double other)
{
    printf("%s,%s,%.4g,%s,%.4g,%.3g\n", thing, size, seconds, baseline, other, seconds / other);
}

/* Of this program alone: getrusage would count what was there before exec too. 0 where /proc does not say. */
static inline double bench_peak_megabytes(void)
{
    char line[200];
    double kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmHWM: %lf", &kilobytes) == 1)
            break;
    if (status != NULL)
        fclose(status);
    return kilobytes / 1024;
}

#endif
