/* An attack on an oracle that costs nothing: it reads the predictions, as any scorer does, and answers with scores that
 * were noted before. b-replay PROFILE ROWS DECIMALS <scores: prints the least processor time of several attacks, for
 * bench/python.py, whose oracle is a Python callable that does the same. */
#include "attack.h"
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, RUNS = 7 };

typedef struct {
    char *scores[MOST];
    long count;
    double *array;
} replay;

static ll_status answer(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    enum { ROWS = 4096 };
    replay *r = self;
    ll_block block;
    ll_status status = LL_OK;
    ll_block_init(&block);
    for (long first = 0; first < predictions->rows && status == LL_OK; first += ROWS) {
        long count = predictions->rows - first < ROWS ? predictions->rows - first : ROWS;
        status = predictions->get(predictions->self, &block, first, count, error);
        if (status == LL_OK)
            memcpy(r->array + first * predictions->columns, block.doubles,
                   sizeof(double) * (size_t)(count * predictions->columns));
    }
    ll_block_clear(&block);
    *score = status == LL_OK && query < r->count ? strdup(r->scores[query]) : NULL;
    return *score ? LL_OK : ll_fail(error, LL_SYSTEM, "no score for query %ld", query);
}

static double attack(const char *profile, long rows, const char *decimals, replay *r)
{
    ll_error error = {0};
    ll_plan *plan = NULL;
    ll_verdict verdict;
    ll_plan_request request;
    ll_oracle oracle = {.self = r, .ask = answer};
    double start = bench_now();
    ll_scorer *scorer = scorer_of_text("scorer=%s; rows=%ld; classes=2; decimals=%s", profile, rows, decimals);
    ll_verdict_init(&verdict);
    ll_plan_request_init(&request);
    ll_status status = ll_plan_create(&plan, scorer, &request, &error);
    if (status == LL_OK)
        status = ll_attack_run(plan, &verdict, &oracle, NULL, &error);
    double spent = bench_now() - start;
    if (status != LL_OK || verdict.certain != rows) {
        fprintf(stderr, "b-replay: %s\n", status != LL_OK ? error.text : "not every label is certain");
        exit(1);
    }
    ll_verdict_clear(&verdict);
    ll_plan_destroy(plan);
    ll_scorer_destroy(scorer);
    return spent;
}

int main(int argc, char **argv)
{
    static replay r;
    char line[100];
    if (argc != 4)
        return 2;
    long rows = strtol(argv[2], NULL, 10);
    r.array = malloc(sizeof *r.array * 2 * (size_t)rows);
    while (r.count < MOST && fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        r.scores[r.count++] = strdup(line);
    }
    double best = 1e300;
    for (int run = 0; run < RUNS && r.array != NULL; run++) {
        double spent = attack(argv[1], rows, argv[3], &r);
        best = spent < best ? spent : best;
    }
    printf("%.9g\n", best);
    for (long i = 0; i < r.count; i++)
        free(r.scores[i]);
    free(r.array);
    return 0;
}
