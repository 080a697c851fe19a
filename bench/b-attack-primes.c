/* All labels of titanic from one score by the code primes in exact arithmetic under noise 1, the whole attack, against
 * Arb's logarithms of the same primes alone, to the precision that the plan works with. */
#include "attack.h"
#include "bench.h"
#include "plan/plan.h"

#include <stdlib.h>

enum { ROWS = 2201 };

typedef struct {
    ll_scorer *scorer;
    int32_t *labels;
    slong prec;
    const char *code;
} work;

static void ours(void *context)
{
    work *w = context;
    bench_attack(w->scorer, w->code, ROWS, w->labels);
}

static void logarithms(void *context)
{
    const work *w = context;
    arb_ptr logs = _arb_vec_init(ROWS);
    arb_log_primes_vec_bsplit(logs, ROWS, w->prec);
    _arb_vec_clear(logs, ROWS);
    flint_cleanup(); /* each attack finds its own constants too */
}

static slong precision(const work *w)
{
    ll_plan *plan;
    ll_error error;
    if (ll_plan_create(&plan, w->scorer,
                       &(ll_plan_request){.size = sizeof(ll_plan_request),
                                          .code = w->code,
                                          .budget = LL_BUDGET(.memory = 1e9, .seconds = 1e9)},
                       &error) != LL_OK) {
        fprintf(stderr, "b-attack-primes: %s\n", error.text);
        exit(1);
    }
    slong prec = plan->prec;
    ll_plan_destroy(plan);
    return prec;
}

int main(void)
{
    static const char *const codes[] = {"primes", "primes:c=sqrt"};
    work w = {.labels = bench_labels("titanic", ROWS)};
    w.scorer = bench_scorer(ROWS, 2, "1");
    for (int i = 0; i < 2; i++) {
        char thing[60], size[60];
        double best[2];
        w.code = codes[i];
        w.prec = precision(&w);
        snprintf(thing, sizeof thing, "titanic by %s", w.code);
        snprintf(size, sizeof size, "%d rows; %ld bits", ROWS, (long)w.prec);
        bench_pair(best, ours, logarithms, &w, 5);
        bench_print(thing, size, best[0], "arb_log_primes_vec_bsplit alone", best[1]);
    }
    fprintf(stderr, "b-attack-primes: peak %.0f MB\n", bench_peak_megabytes());
    ll_scorer_destroy(w.scorer);
    free(w.labels);
    flint_cleanup();
    return 0;
}
