/* All labels of mnist from one score: paper-multiclass in exact arithmetic under noise 1, the whole attack, against one
 * pass that writes every one of the 700,000 entries into memory and reads it once. An entry is 2^-e, e of 10 bits more
 * a row: 31 GB in all. */
#include "attack.h"
#include "bench.h"

#include <flint/flint.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 70000, CLASSES = 10, BITS_A_ROW = CLASSES };

typedef struct {
    ll_scorer *scorer;
    int32_t *labels;
    uint64_t *limbs;
    uint64_t seen;
} work;

static void ours(void *context)
{
    work *w = context;
    bench_attack(w->scorer, "paper-multiclass", ROWS, w->labels);
}

/* The entry of one class is 1: nine long numbers a row. */
static void one_pass(void *context)
{
    work *w = context;
    for (long row = 0; row < ROWS; row++) {
        size_t size = (size_t)row * BITS_A_ROW / 64 + 1;
        for (long k = 1; k < CLASSES; k++) {
            memset(w->limbs, 0, (size - 1) * sizeof *w->limbs);
            w->limbs[size - 1] = (uint64_t)k;
            __asm__ volatile("" : : "r"(w->limbs) : "memory"); /* the writing is not to be left out */
            for (size_t i = 0; i < size; i++)
                w->seen ^= w->limbs[i];
        }
    }
}

int main(void)
{
    work w = {.labels = bench_labels("mnist", ROWS), .limbs = malloc(((size_t)ROWS * BITS_A_ROW / 64 + 1) * 8)};
    if (w.limbs == NULL)
        return 1;
    w.scorer = bench_scorer(ROWS, CLASSES, "1");
    double best[2];
    bench_pair(best, ours, one_pass, &w, 3);
    bench_print("mnist by paper-multiclass", "70000 x 10", best[0], "one pass over every entry", best[1]);
    fprintf(stderr, "b-attack-mnist: peak %.0f MB\n", bench_peak_megabytes());
    ll_scorer_destroy(w.scorer);
    free(w.labels);
    free(w.limbs);
    flint_cleanup();
    return w.seen == 1; /* keeps the baseline's reading alive */
}
