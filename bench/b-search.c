/* LabelInf on one core: every labelling of the rows whose weights stand in FILE, one a line, as hexadecimal floats, the
 * target last. Prints seconds (the least of several runs), how many labellings fit, and the best as a number with row 0
 * its lowest bit. bench/search.py calls this in turn with NumPy.
 *
 *     b-search FILE TOLERANCE RUNS */
#include "bench.h"
#include "search/exhaustive.h"

#include <stdlib.h>

enum { MOST_ROWS = 62, KEPT = 4 };

/* weights[2 i + label]; the number of rows, or 0. */
static long read_weights(double *weights, double *target, const char *path)
{
    FILE *file = fopen(path, "r");
    long rows = -1;
    double x;
    while (file != NULL && rows < MOST_ROWS && fscanf(file, "%la", &x) == 1) {
        if (rows >= 0) {
            weights[2 * rows] = 0;
            weights[2 * rows + 1] = *target;
        }
        *target = x;
        rows++;
    }
    if (file != NULL)
        fclose(file);
    return rows < 1 ? 0 : rows;
}

static uint64_t as_number(const int32_t *labels, long rows)
{
    uint64_t number = 0;
    for (long i = 0; i < rows; i++)
        number |= (uint64_t)labels[i] << i;
    return number;
}

int main(int argc, char **argv)
{
    double weights[2 * (MOST_ROWS + 1)], target = 0, best = 1e300;
    long rows = argc == 4 ? read_weights(weights, &target, argv[1]) : 0;
    ll_search_result result;
    ll_error error;
    if (rows == 0 || ll_search_result_init(&result, rows, KEPT) != LL_OK)
        return 2;
    for (int run = 0; run < atoi(argv[3]); run++) {
        double start = bench_now();
        if (ll_search_exhaustive(&result, weights, rows, 2, target, strtod(argv[2], NULL), KEPT, 1e9, 1, &error) !=
            LL_OK) {
            fprintf(stderr, "b-search: %s\n", error.text);
            return 1;
        }
        double spent = bench_now() - start;
        best = spent < best ? spent : best;
    }
    printf("%.6g %lu %lu\n", best, (unsigned long)result.count, (unsigned long)as_number(result.best, rows));
    ll_search_result_clear(&result);
    flint_cleanup();
    return 0;
}
