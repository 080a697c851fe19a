/* One plan in four threads: predictions of different queries, and whole attacks with decoders of their own, give what
 * they give alone. `make threads` runs it under ThreadSanitizer, which sees any write to what they share. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lossleak.h"
#include "number/exact.h"
#include "number/random.h"
#include "scorer_tools.h"

enum { THREADS = 4, MOST_ROWS = 64 };

typedef struct {
    const char *scorer, *code;
    long block; /* 0: the planner's */
} sample;

/* Every writer and every decoder; blocks whose last one is shorter. */
static const sample samples[] = {
    {"metric=log-loss; clip=none; rows=24; classes=3", "radix", 0},
    {"metric=log-loss; clip=none; rows=30", "powers", 7},
    {"metric=log-loss; clip=none; rows=16; noise=bounded:0.1", "primes:c=sqrt", 5},
    {"metric=log-loss; clip=none; rows=12; classes=3; precision=400", "prime-rows", 0},
    {"metric=softmax-ce; rows=20; classes=3", "radix", 6},
    {"metric=squared; rows=18; precision=200", "radix", 0},
    {"metric=log-loss; arithmetic=fp64; rows=40; decimals=5", "powers", 0},
    {"metric=log-loss; arithmetic=fp64; rows=40; decimals=5", "sum-distinct", 0},
    {"metric=log-loss; arithmetic=fp64; rows=64; decimals=3", "detecting", 0},
    {"metric=log-loss; arithmetic=fp64; rows=60; decimals=3", "detecting:odd", 37},
    {"metric=accuracy; arithmetic=fp64; rows=32", "detecting", 0},
    {"metric=f1; arithmetic=fp64; rows=14; decimals=6", "detecting", 0},
    {"metric=auc; arithmetic=fp64; rows=40; decimals=6", "ranks", 0},
    {"metric=r2; arithmetic=fp64; rows=20; targets=0:3:1; decimals=6", "grades", 0},
    {"metric=mrr; arithmetic=fp64; rows=20; classes=3; decimals=6", "detecting", 0},
    {"metric=quadratic-kappa; arithmetic=fp64; rows=20; classes=4; decimals=6", "ordered", 0},
    {"metric=log-loss; arithmetic=fp64; rows=32; decimals=2", "hadamard", 0},
};

typedef struct {
    const ll_plan *plan;
    const ll_scorer *scorer;
    const uint64_t *sums; /* [query]: of predictions, as read by one thread */
    long rows, classes, queries;
    uint64_t thread;
    long wrong; /* queries and labels that differ from what they are alone */
    ll_error error;
} worker;

static uint64_t mix(uint64_t sum, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ at[i]) * 0x100000001b3u;
    return sum;
}

static uint64_t mix_entry(uint64_t sum, const ll_predictions *p, const ll_block *block, long at)
{
    if (p->entries == LL_ENTRIES_DOUBLE)
        return mix(sum, block->doubles + at, sizeof *block->doubles);
    char *text = ll_exact_get_text(block->exacts + at);
    sum = mix(sum, text, strlen(text));
    ll_free(text);
    return sum;
}

/* All rows of a query, a few at a time. 0 where they could not be read. */
static uint64_t read_query(const ll_plan *plan, long query, ll_error *error)
{
    enum { ROWS = 5 };
    ll_predictions p;
    ll_block block;
    uint64_t sum = 14695981039346656037u;
    if (ll_plan_predictions(plan, &p, query, error) != LL_OK)
        return 0;
    ll_block_init(&block);
    for (long first = 0; first < p.rows && sum != 0; first += ROWS) {
        long rows = p.rows - first < ROWS ? p.rows - first : ROWS;
        if (p.get(p.self, &block, first, rows, error) != LL_OK)
            sum = 0;
        for (long i = 0; i < rows * p.columns && sum != 0; i++)
            sum = mix_entry(sum, &p, &block, i);
    }
    ll_block_clear(&block);
    return sum;
}

static ll_status attack(worker *w)
{
    int32_t labels[MOST_ROWS];
    ll_curator *curator = NULL;
    ll_verdict verdict;
    ll_verdict_init(&verdict);
    for (long i = 0; i < w->rows; i++)
        labels[i] = (int32_t)ll_random_below(7, w->thread, (uint64_t)i, (uint64_t)w->classes);
    ll_status status = ll_curator_create(&curator, w->scorer, labels, w->rows, &w->error);
    if (status == LL_OK) {
        ll_oracle oracle = ll_curator_oracle(curator);
        status = ll_attack_run(w->plan, &verdict, &oracle, NULL, &w->error);
    }
    for (long i = 0; i < w->rows && status == LL_OK; i++)
        w->wrong += verdict.labels[i] != labels[i];
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    return status;
}

static void *work(void *self)
{
    worker *w = self;
    for (long i = 0; i < w->queries; i++) {
        long query = (i + (long)w->thread * w->queries / THREADS) % w->queries;
        w->wrong += read_query(w->plan, query, &w->error) != w->sums[query];
    }
    if (attack(w) != LL_OK)
        w->wrong++;
    flint_cleanup(); /* what FLINT keeps for the thread */
    return NULL;
}

static void run_four(const worker *each)
{
    pthread_t threads[THREADS];
    worker workers[THREADS];
    for (int t = 0; t < THREADS; t++) {
        workers[t] = *each;
        workers[t].thread = (uint64_t)t;
        assert_int_equal(pthread_create(&threads[t], NULL, work, &workers[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(pthread_join(threads[t], NULL), 0);
        if (workers[t].wrong != 0)
            fail_msg("thread %d: %ld differ; %s", t, workers[t].wrong, workers[t].error.text);
    }
}

static void try_sample(const sample *s)
{
    ll_error error = {0};
    ll_plan *plan = NULL;
    ll_plan_info info;
    ll_plan_request request;
    ll_plan_request_init(&request);
    request.code = s->code;
    request.block = s->block;
    ll_scorer *scorer = scorer_of_text("%s", s->scorer);
    if (ll_plan_create(&plan, scorer, &request, &error) != LL_OK)
        fail_msg("%s, %s: %s", s->scorer, s->code, error.text);
    ll_plan_get_info(plan, &info);
    uint64_t *sums = calloc((size_t)info.queries, sizeof *sums);
    assert_non_null(sums);
    assert_true(info.rows <= MOST_ROWS);
    worker each = {.plan = plan,
                   .scorer = scorer,
                   .sums = sums,
                   .rows = info.rows,
                   .classes = info.classes,
                   .queries = info.queries};
    ll_plan *alone = NULL;
    assert_int_equal(ll_plan_create(&alone, scorer, &request, &error), LL_OK);
    for (long q = 0; q < info.queries; q++)
        assert_true((sums[q] = read_query(alone, q, &error)) != 0);
    run_four(&each);
    print_message("%s, %s: %ld queries\n", s->scorer, s->code, info.queries);
    free(sums);
    ll_plan_destroy(alone);
    ll_plan_destroy(plan);
    ll_scorer_destroy(scorer);
}

static void one_plan_in_four_threads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        try_sample(&samples[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_plan_in_four_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
