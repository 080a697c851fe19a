/* The lattice over the number of rows: all labels from N/6 scores of 40 bits, weights and labels drawn at random,
 * against one LLL of FLINT on the whole matrix, all bits of all scores at once. */
#include "bench.h"
#include "number/random.h"
#include "search/lattice_private.h"

#include <flint/fmpz_lll.h>
#include <stdlib.h>

enum { SEED = 1, BITS = 40, LIMIT = 4 };

typedef struct {
    ll_linear system;
    long labels_right;
} world;

static void draw(ll_linear *s, uint64_t stream)
{
    for (long q = 0; q < s->scores; q++) {
        fmpz_one(s->tolerances + q);
        for (long i = 0; i < s->rows; i++) {
            fmpz *weight = ll_linear_weight(s, q, i, 1);
            fmpz_set_ui(weight, ll_random_below(SEED, stream, (uint64_t)(q * s->rows + i), 1UL << BITS));
            if (ll_random_below(SEED, stream + 1, (uint64_t)i, 2) == 1)
                fmpz_add(s->targets + q, s->targets + q, weight);
        }
    }
}

static void solve(void *context)
{
    world *w = context;
    ll_search_set set;
    ll_error error = {0};
    int proved;
    if (ll_search_set_init(&set, w->system.rows, 2, LIMIT) != LL_OK ||
        ll_search_lattice(&set, &proved, &w->system, LIMIT, LL_LATTICE_PASSES, 1e9, &error) != LL_OK)
        exit(1);
    w->labels_right = 0;
    for (long i = 0; set.kept == 1 && i < set.rows; i++)
        w->labels_right += set.labellings[i] == (int32_t)ll_random_below(SEED, 3, (uint64_t)i, 2);
    ll_search_set_clear(&set);
}

static void reduce_at_once(void *context)
{
    world *w = context;
    ll_lattice lattice;
    fmpz_lll_t lll;
    if (ll_lattice_init(&lattice, &w->system) != LL_OK)
        exit(1);
    ll_lattice_start(&lattice);
    fmpz_lll_context_init_default(lll);
    fmpz_lll(lattice.basis, NULL, lll);
    ll_lattice_clear(&lattice);
}

int main(void)
{
    for (long rows = 40; rows <= 160; rows += 40) {
        world w = {0};
        double best[2];
        char size[60];
        if (ll_linear_init(&w.system, rows, 2, rows / 6) != LL_OK)
            return 1;
        draw(&w.system, 2);
        bench_pair(best, solve, reduce_at_once, &w, rows <= 80 ? 3 : 1);
        if (w.labels_right != rows) {
            fprintf(stderr, "b-lattice: %ld of %ld labels\n", w.labels_right, rows);
            return 1;
        }
        (void)snprintf(size, sizeof size, "%ld rows from %ld scores", rows, rows / 6);
        bench_print("lattice", size, best[0], "one LLL of all bits", best[1]);
        ll_linear_clear(&w.system);
    }
    flint_cleanup();
    return 0;
}
