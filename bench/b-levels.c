/* Level codes for log-loss clipped at 1e-15 and rounded to 5 decimals, as scikit-learn 1.1 computes it: a plan for 10^6
 * rows against one for 10^5 (10 is linear), the decoder's share of whole attacks, and the queries of auto against the
 * non-adaptive entropy bound, which are counts and no seconds; the same for AUC by the order of the rows, whose bound
 * is the bits of 10^5 + 1 numbers. */
#include "attack.h"
#include "bench.h"

#include <flint/flint.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static ll_scorer *release(long rows, long classes, int decimals)
{
    return scorer_of_text("scorer=sklearn-1.1/log_loss; rows=%ld; classes=%ld; decimals=%d", rows, classes, decimals);
}

static ll_plan *make_plan(const ll_scorer *scorer, ll_guarantee guarantee)
{
    ll_plan *plan;
    ll_plan_request request;
    ll_error error = {0};
    ll_plan_request_init(&request);
    request.guarantee = guarantee;
    if (ll_plan_create(&plan, scorer, &request, &error) != LL_OK) {
        fprintf(stderr, "b-levels: %s\n", error.text);
        exit(1);
    }
    return plan;
}

/* ---- planning */

static void plan_rows(long rows)
{
    ll_scorer *scorer = release(rows, 2, 5);
    ll_plan_destroy(make_plan(scorer, LL_CERTIFIED));
    ll_scorer_destroy(scorer);
}

static void many(void *context)
{
    (void)context;
    plan_rows(1000000);
}

static void fewer(void *context)
{
    (void)context;
    plan_rows(100000);
}

/* ---- decoding */

typedef struct {
    ll_oracle inner;
    double seconds;
} timed;

static ll_status ask(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    timed *t = self;
    double start = bench_now();
    ll_status status = t->inner.ask(t->inner.self, score, predictions, query, error);
    t->seconds += bench_now() - start;
    return status;
}

static int all_given_right(const ll_verdict *verdict, const int32_t *labels)
{
    for (long i = 0; i < verdict->rows; i++)
        if (verdict->labels[i] != labels[i])
            return 0;
    return 1;
}

/* The decoder's share of a whole attack on the quickest scorer there is, a simulated one: craft, score, decode. */
static void attack(const char *thing, const ll_scorer *scorer, const int32_t *labels, ll_guarantee guarantee)
{
    ll_curator *curator;
    ll_verdict verdict;
    ll_error error = {0};
    ll_verdict_init(&verdict);
    double start = bench_now();
    ll_plan *plan = make_plan(scorer, guarantee);
    double planned = bench_now() - start;
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    if (ll_curator_create(&curator, scorer, labels, info.rows, &error) != LL_OK)
        exit(1);
    timed t = {.inner = ll_curator_oracle(curator)};
    ll_oracle oracle = {.self = &t, .ask = ask};
    if (ll_attack_run(plan, &verdict, &oracle, NULL, &error) != LL_OK || !all_given_right(&verdict, labels)) {
        fprintf(stderr, "b-levels: %s: %s\n", thing, error.text[0] != '\0' ? error.text : "not every label is right");
        exit(1);
    }
    double whole = bench_now() - start;
    char size[40];
    (void)snprintf(size, sizeof size, "%ld x %ld", info.rows, info.classes);
    bench_print(thing, size, whole - planned - t.seconds, "the whole simulated attack", whole);
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    ll_plan_destroy(plan);
}

static void attack_dataset(const char *dataset, long rows, long classes, int decimals, ll_guarantee guarantee)
{
    char thing[60];
    int32_t *labels = bench_labels(dataset, rows);
    ll_scorer *plain = release(rows, classes, decimals);
    ll_scorer *scorer = vary_scorer(plain, "%s", guarantee == LL_LIKELY ? "queries=4096" : "");
    (void)snprintf(thing, sizeof thing, "decoding %s of %d decimals", dataset, decimals);
    attack(thing, scorer, labels, guarantee);
    ll_scorer_destroy(scorer);
    ll_scorer_destroy(plain);
    free(labels);
}

/* Balanced labels, and the first 4000 of imdb are as good as any. */
static void attack_accuracy(void)
{
    int32_t *labels = bench_labels("imdb", 25000);
    ll_scorer *scorer = scorer_of_text("scorer=sklearn/accuracy; rows=4000; classes=2");
    attack("decoding accuracy", scorer, labels, LL_CERTIFIED);
    ll_scorer_destroy(scorer);
    free(labels);
}

static ll_scorer *area(long rows)
{
    return scorer_of_text("scorer=sklearn/roc_auc; rows=%ld; classes=2; decimals=5", rows);
}

static void attack_area(void)
{
    int32_t *labels = bench_labels("titanic", 2201);
    ll_scorer *scorer = area(2201);
    attack("decoding auc", scorer, labels, LL_CERTIFIED);
    ll_scorer_destroy(scorer);
    free(labels);
}

/* ---- counting */

/* 0.5 log2(2 pi e ((sd + 1/2)^2 + 1/12)) bits a query, sd that of labels drawn at random with the largest weights. */
static double entropy_queries(double rows)
{
    double sd = 34.53918 * sqrt(rows) / 2 / (rows * 1e-5);
    return rows / (0.5 * log2(2 * M_PI * M_E * ((sd + 0.5) * (sd + 0.5) + 1.0 / 12)));
}

static void count(long rows)
{
    ll_plan_info info;
    char size[40];
    ll_scorer *scorer = release(rows, 2, 5);
    ll_plan *plan = make_plan(scorer, LL_CERTIFIED);
    ll_scorer_destroy(scorer);
    ll_plan_get_info(plan, &info);
    (void)snprintf(size, sizeof size, "%ld x 2", rows);
    bench_print("queries by auto (a count)", size, (double)info.queries, "entropy bound (a count)",
                ceil(entropy_queries((double)rows)));
    ll_plan_destroy(plan);
}

static void count_area(long rows)
{
    ll_plan_info info;
    char size[40];
    ll_scorer *scorer = area(rows);
    double start = bench_now();
    ll_plan *plan = make_plan(scorer, LL_CERTIFIED);
    double spent = bench_now() - start;
    ll_scorer_destroy(scorer);
    ll_plan_get_info(plan, &info);
    (void)snprintf(size, sizeof size, "%ld x 2", rows);
    bench_print("a plan of auc", size, spent, "2 seconds", 2);
    bench_print("queries of auc by auto (a count)", size, (double)info.queries, "bits of an answer (a count)",
                ceil((double)rows / log2(1e5 + 1)));
    ll_plan_destroy(plan);
}

int main(void)
{
    static const long sizes[] = {198, 418, 1000, 2201, 25000};
    double best[2];
    bench_pair(best, many, fewer, NULL, 3);
    bench_print("a plan of 5 decimals", "1000000 x 2", best[0], "the same for 100000 rows", best[1]);
    fprintf(stderr, "b-levels: peak of planning %.0f MB\n", bench_peak_megabytes());
    attack_dataset("titanic", 2201, 2, 5, LL_CERTIFIED);
    attack_dataset("satellite", 6430, 6, 5, LL_CERTIFIED);
    attack_dataset("imdb", 25000, 2, 5, LL_CERTIFIED);
    attack_dataset("titanic", 2201, 2, 1, LL_LIKELY);
    attack_accuracy();
    attack_area();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        count(sizes[i]);
    for (long rows = 1000; rows <= 100000; rows *= 10)
        count_area(rows == 1000 ? 2201 : rows);
    flint_cleanup();
    return 0;
}
