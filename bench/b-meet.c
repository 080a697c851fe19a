/* Meet in the middle on one core: every labelling of ROWS rows, weights drawn at random, that fits the sum of one.
 * Prints seconds (the least of several runs), how many fit, and the labelling that was drawn and the one found as
 * numbers, row 0 the lowest bit. bench/meet.py calls this in turn with NumPy.
 *
 *     b-meet ROWS RUNS [heaps] */
#include "bench.h"
#include "number/random.h"
#include "search/meet.h"

#include <stdlib.h>

enum { KEPT = 4, SEED = 1, BITS = 60, MOST_ROWS = 62 };

/* Weights of 60 bits less those that the sum needs; tolerance 2: what a double tells. */
static uint64_t draw(ll_linear *s)
{
    uint64_t labels = 0;
    fmpz_set_ui(s->tolerances, 2);
    for (long i = 0; i < s->rows; i++) {
        fmpz *weight = ll_linear_weight(s, 0, i, 1);
        fmpz_set_ui(weight, ll_random_below(SEED, 0, (uint64_t)i, 1UL << (BITS - 6)));
        if (ll_random_below(SEED, 1, (uint64_t)i, 2) == 1) {
            labels |= 1UL << i;
            fmpz_add(s->targets, s->targets, weight);
        }
    }
    return labels;
}

static uint64_t first_found(const ll_search_set *set)
{
    uint64_t number = 0;
    for (long i = 0; set->kept > 0 && i < set->rows; i++)
        number |= (uint64_t)set->labellings[i] << i;
    return number;
}

static double run(const ll_linear *system, int lists, unsigned long *count, uint64_t *found)
{
    ll_search_set set;
    ll_error error = {0};
    if (ll_search_set_init(&set, system->rows, 2, KEPT) != LL_OK)
        exit(1);
    double start = bench_now();
    if (ll_search_meet(&set, system, KEPT, 8e9, 1e9, 1, lists, &error) != LL_OK) {
        fprintf(stderr, "b-meet: %s\n", error.text);
        exit(1);
    }
    double spent = bench_now() - start;
    *count = fmpz_get_ui(set.count);
    *found = first_found(&set);
    ll_search_set_clear(&set);
    return spent;
}

int main(int argc, char **argv)
{
    ll_linear system;
    unsigned long count = 0;
    uint64_t found = 0;
    double best = 1e300;
    long rows = argc >= 3 ? atol(argv[1]) : 0;
    if (rows < 4 || rows > MOST_ROWS || ll_linear_init(&system, rows, 2, 1) != LL_OK)
        return 2;
    uint64_t drawn = draw(&system);
    for (int i = 0; i < atoi(argv[2]); i++) {
        double spent = run(&system, argc == 3, &count, &found);
        best = spent < best ? spent : best;
    }
    printf("%.6g %lu %lu %lu\n", best, count, (unsigned long)drawn, (unsigned long)found);
    fprintf(stderr, "b-meet: %ld rows, peak memory %.0f MB\n", rows, bench_peak_megabytes());
    ll_linear_clear(&system);
    flint_cleanup();
    return 0;
}
