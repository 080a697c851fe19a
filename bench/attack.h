/* A whole attack on an embedded data set: plan, ask a simulated curator, decode, and look whether every label is right
 * and certain. */
#ifndef LL_BENCH_ATTACK_H
#define LL_BENCH_ATTACK_H

#include "../tests/unit/scorer_tools.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The labels of a data set; ends the program where there are none. */
static inline int32_t *bench_labels(const char *dataset, long rows)
{
    ll_error error;
    int32_t *labels = malloc(sizeof *labels * (size_t)rows);
    if (labels == NULL || ll_dataset_labels(labels, rows, dataset, 1, &error) != LL_OK) {
        fprintf(stderr, "no labels of %s\n", dataset);
        exit(1);
    }
    return labels;
}

/* Exact log-loss of `rows` rows, `noise` bounded and as large as allowed (NULL: none). */
static inline ll_scorer *bench_scorer(long rows, long classes, const char *noise)
{
    return scorer_of_text("arithmetic=exact; clip=none; rows=%ld; classes=%ld; noise=%s%s%s", rows, classes,
                          noise ? "bounded:" : "none", noise ? noise : "", noise ? ",plus" : "");
}

static inline int bench_all_right(const ll_verdict *verdict, const int32_t *labels)
{
    if (verdict->kind != LL_UNIQUE || verdict->certain != verdict->rows)
        return 0;
    for (long i = 0; i < verdict->rows; i++)
        if (verdict->labels[i] != labels[i])
            return 0;
    return 1;
}

/* Ends the program with a message where anything fails or one label is open or wrong. */
static inline void bench_attack(const ll_scorer *scorer, const char *code, long rows, const int32_t *labels)
{
    ll_curator *curator = NULL;
    ll_plan *plan = NULL;
    ll_verdict verdict;
    ll_error error = {0};
    ll_verdict_init(&verdict);
    ll_status status = ll_plan_create(&plan, scorer,
                                      &(ll_plan_request){.size = sizeof(ll_plan_request),
                                                         .code = code,
                                                         .budget = LL_BUDGET(.memory = 1e9, .seconds = 1e9)},
                                      &error);
    if (status == LL_OK)
        status = ll_curator_create(&curator, scorer, labels, rows, &error);
    if (status == LL_OK) {
        ll_oracle oracle = ll_curator_oracle(curator);
        status = ll_attack_run(plan, &verdict, &oracle, NULL, &error);
    }
    if (status != LL_OK || !bench_all_right(&verdict, labels)) {
        fprintf(stderr, "attack by %s: %s\n", code, status != LL_OK ? error.text : "not every label is right");
        exit(1);
    }
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    ll_plan_destroy(plan);
}

#endif
