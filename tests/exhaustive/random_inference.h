/* Honest predictions of a random world and the score that they get: many lie at a threshold, or are equal, and the
 * program that scores them goes one of the ways in which classes can be read. What is inferred must hold the truth. */
#ifndef LL_TESTS_RANDOM_INFERENCE_H
#define LL_TESTS_RANDOM_INFERENCE_H

#include "worlds.h"

#include "metric/metric_private.h"
#include "number/random.h"

enum { INFERRED_ROWS = 7, INFERRED_COLUMNS = 8 };

typedef struct {
    uint64_t seed, number, drawn;
    long columns;
    double entries[INFERRED_ROWS * INFERRED_COLUMNS];
} honest;

static inline uint64_t honest_draw(honest *h, uint64_t below)
{
    return ll_random_below(h->seed, h->number, h->drawn++, below);
}

/* Few values, so that there are ties, at the middle above all. */
static inline double honest_entry(honest *h, ll_input input, long classes)
{
    static const double shares[] = {0.5, 0.5, 0.5, 0.25, 0.75, 0.125, 0.9375, 0.0625};
    double fine = (double)(1 + honest_draw(h, 998)) / 1000;
    switch (input) {
    case LL_INPUT_LABEL:
        return (double)honest_draw(h, (uint64_t)classes);
    case LL_INPUT_PROBABILITY:
        return honest_draw(h, 2) == 0 ? fine : shares[honest_draw(h, 8)];
    default:
        return honest_draw(h, 3) == 0 ? fine * 4 - 2 : (double)honest_draw(h, 5) / 2 - 0.5;
    }
}

/* Probabilities of several columns sum to 1. */
static inline void honest_row(honest *h, double *row, ll_input input, long classes)
{
    double sum = 0;
    for (long k = 0; k < h->columns; k++)
        sum += row[k] = honest_entry(h, input, classes);
    for (long k = 0; h->columns > 1 && input == LL_INPUT_PROBABILITY && k < h->columns; k++)
        row[k] /= sum;
}

static inline ll_status honest_get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    honest *h = self;
    double *to = ll_block_reserve_doubles(out, count, h->columns);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory");
    memcpy(to, h->entries + first * h->columns, sizeof *to * (size_t)(count * h->columns));
    return LL_OK;
}

static inline ll_predictions honest_predictions(honest *h, const ll_scorer *s)
{
    ll_input input = ll_metric_input(s->computation.metric);
    h->columns = ll_computation_columns(&s->computation, s->classes);
    for (long i = 0; i < s->rows; i++)
        honest_row(h, h->entries + i * h->columns, input, s->classes);
    return (ll_predictions){
        .self = h, .rows = s->rows, .columns = h->columns, .entries = LL_ENTRIES_DOUBLE, .get = honest_get};
}

/* The scorer itself or, where it is of probabilities or logits, one with numbers beside it that read classes. */
static inline ll_status honest_beside(honest *h, ll_scorer **out, const ll_scorer *s)
{
    static const char *const numbers[] = {"accuracy", "accuracy:decimals=none", "f1", "accuracy;mcc"};
    ll_input input = ll_metric_input(s->computation.metric);
    ll_error error = {0};
    int suits = ll_scorer_count_numbers(s) == 1 && s->classes == 2 &&
                (input == LL_INPUT_PROBABILITY || input == LL_INPUT_LOGIT);
    if (!suits || honest_draw(h, 2) == 0)
        return ll_scorer_vary(out, s, &error, (char *)NULL);
    return ll_scorer_vary(out, s, &error, "also", numbers[honest_draw(h, 4)], (char *)NULL);
}

/* The program that scores: where the threshold is open, one that has decided. */
static inline ll_status honest_program(honest *h, ll_scorer **out, const ll_scorer *s)
{
    static const char *const ways[] = {"above:0.5", "from:0.5", "argmax"};
    ll_error error = {0};
    const char *open = ll_scorer_get(s, "threshold");
    int is_middle = ll_metric_input(s->computation.metric) == LL_INPUT_PROBABILITY && s->classes == 2;
    const char *way = strcmp(open, "open") == 0 ? (is_middle ? ways[honest_draw(h, 3)] : "argmax") : open;
    return ll_scorer_vary(out, s, &error, "threshold", way, (char *)NULL);
}

/* LL_DOMAIN, LL_UNABLE: there is no number, or no inference. */
static inline ll_status honest_infer(honest *h, ll_inference *out, const ll_scorer *described, const int32_t *labels)
{
    static const ll_budget little = {.size = sizeof little, .memory = 1e8, .seconds = 2, .threads = 1};
    ll_scorer *program = NULL;
    ll_curator *curator = NULL;
    ll_evidence *evidence = NULL;
    ll_scorer *s = NULL;
    ll_score score;
    ll_score_init(&score);
    ll_predictions predictions = honest_predictions(h, described);
    ll_status status = honest_beside(h, &s, described);
    if (status == LL_OK)
        status = honest_program(h, &program, s);
    if (status == LL_OK)
        status = ll_curator_create(&curator, program, labels, s->rows, NULL);
    if (status == LL_OK)
        status = ll_curator_score(curator, &score, &predictions, NULL);
    if (status == LL_OK)
        status = ll_evidence_create(&evidence, s, NULL);
    if (status == LL_OK)
        status = ll_evidence_add(evidence, &predictions, score.text, NULL);
    if (status == LL_OK)
        status = ll_evidence_infer(evidence, out, LL_METHOD_AUTO, &little, NULL);
    ll_evidence_destroy(evidence);
    ll_score_clear(&score);
    ll_curator_destroy(curator);
    ll_scorer_destroy(program);
    ll_scorer_destroy(s);
    return status;
}

#endif
