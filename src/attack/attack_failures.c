/* An attack by failures alone: what is sent are the guesses of a failure reader, what comes back is a number or none.
 */
#include "attack/failure_reader.h"
#include "number/budget.h"
#include "number/value.h"
#include "scorer/several.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const ll_scorer *scorer;
    const ll_oracle *oracle;
    const ll_budget *budget;
    ll_failure_kind kind;
    const int8_t *guesses;
    long first, count, asked;
    long columns;
} asker;

/* A row without a guess: class 0 where predictions are labels, else a probability of one half. */
static void write_row(const asker *a, double *to, long row)
{
    int guessed = row >= a->first && row < a->first + a->count;
    double none = a->kind == LL_FAILS_ON_MISS ? 0.5 : 0, p = guessed ? a->guesses[row - a->first] : none;
    to[a->columns - 1] = p;
    if (a->columns == 2)
        to[0] = 1 - p;
}

static ll_status get_rows(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const asker *a = self;
    double *to = ll_block_reserve_doubles(out, count, a->columns);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a block of predictions");
    for (long i = 0; i < count; i++)
        write_row(a, to + i * a->columns, first + i);
    return LL_OK;
}

/* LL_DOMAIN is a submission that failed. */
static ll_status ask(void *self, int *failed, const int8_t *guesses, long first, long count, ll_error *error)
{
    asker *a = self;
    ll_predictions own = {
        .self = a, .rows = a->scorer->rows, .columns = a->columns, .entries = LL_ENTRIES_DOUBLE, .get = get_rows};
    char *score = NULL;
    a->guesses = guesses;
    a->first = first;
    a->count = count;
    ll_status status = a->oracle->ask(a->oracle->self, &score, &own, a->asked++, error);
    ll_free(score);
    *failed = status == LL_DOMAIN;
    if (ll_budget_is_stopped(a->budget))
        return ll_fail(error, LL_MEMORY, "stopped after %ld submissions", a->asked);
    return status == LL_DOMAIN ? LL_OK : status;
}

/* The verdict on labels that were read. LL_MEMORY. */
static ll_status conclude(ll_verdict *out, const int32_t *labels, long rows, double counted, ll_error *error)
{
    ll_verdict v;
    ll_verdict_init(&v);
    v.gap.value = v.noise.value = v.rounding.value = v.residual.value = v.explains.value = (double)NAN;
    v.rows = rows;
    v.classes = 2;
    v.queries = (long)counted;
    v.guarantee = LL_CERTIFIED;
    v.probability = 1;
    v.labels = malloc(sizeof *labels * (size_t)rows);
    v.candidates = malloc(2 * (size_t)rows);
    if (v.labels == NULL || v.candidates == NULL) {
        ll_verdict_clear(&v);
        return ll_fail(error, LL_MEMORY, "no memory for %ld labels", rows);
    }
    memcpy(v.labels, labels, sizeof *labels * (size_t)rows);
    for (long i = 0; i < rows; i++) {
        v.certain += labels[i] >= 0;
        v.candidates[2 * i] = labels[i] != 1;
        v.candidates[2 * i + 1] = labels[i] != 0;
    }
    v.kind = v.certain == rows ? LL_UNIQUE : LL_AMBIGUOUS;
    ll_verdict_clear(out);
    ll_status status = ll_value_give(out, &v, sizeof v, error);
    if (status != LL_OK)
        ll_verdict_clear(&v);
    return status;
}

static ll_status check(const ll_scorer *s, ll_failure_kind kind, ll_error *error)
{
    if (s->rows < 1)
        return ll_fail(error, LL_DOMAIN, "the number of rows must be known, at least 1");
    if (!s->failures_are_free)
        return ll_fail(error, LL_DOMAIN, "failures are counted: nothing is read from them that answers would not tell");
    if (kind != LL_FAILS_WITHOUT_HIT && kind != LL_FAILS_ON_MISS)
        return ll_fail(error, LL_DOMAIN, "no way is known to read labels from the failures of this scorer");
    return LL_OK;
}

ll_status ll_attack_failures(const ll_scorer *scorer, ll_verdict *out, ll_failures *failures, const ll_oracle *oracle,
                             const ll_budget *budget, ll_error *error)
{
    ll_status status = ll_scorer_need(scorer, error);
    if (status == LL_OK) /* a failure would say the same of a row that is absent as of one whose label is 0 */
        status = ll_scorer_need_whole(scorer, "an attack by failures", error);
    if (status == LL_OK)
        status = ll_scorer_need_one(scorer, "an attack by failures", error);
    if (status != LL_OK)
        return status;
    asker a = {.scorer = scorer, .oracle = oracle, .budget = budget, .kind = ll_scorer_failures(scorer)};
    ll_failure_oracle asked = {&a, ask};
    ll_failure_way way;
    ll_failure_cost cost;
    double share = scorer->prior != NULL ? scorer->prior[1] : 0.5;
    status = check(scorer, a.kind, error);
    if (status != LL_OK)
        return status;
    a.columns = a.kind == LL_FAILS_ON_MISS ? ll_computation_columns(&scorer->computation, 2) : 1;
    int32_t *labels = malloc(sizeof *labels * (size_t)scorer->rows);
    if (labels == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld labels", scorer->rows);
    status = ll_failure_choose(&way, &cost, a.kind, scorer->rows, scorer->queries, share, scorer->seed, error);
    if (status == LL_OK)
        status = ll_failure_read(labels, &cost, &way, &asked, scorer->rows, scorer->queries, share, error);
    if (status == LL_OK)
        status = conclude(out, labels, scorer->rows, cost.counted, error);
    if (status == LL_OK)
        *failures = (ll_failures){
            .submissions = (long)cost.submissions, .counted = (long)cost.counted, .labels = (long)cost.labels};
    free(labels);
    return status;
}
