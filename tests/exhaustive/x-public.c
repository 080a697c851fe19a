/* Scores over a hidden public split, exhaustively: scorers x what is told of the part, every (part,
 * labelling) of a few rows. All of them are scored with the plan's predictions, by a curator that is told the part and
 * by one that holds those rows alone; those that read the same are what a decoder must leave, no more and no fewer.
 * LL_TEST_LONG=1: up to 6 rows, more than 10^4 worlds; else up to 3, some hundreds. */
#include "worlds.h"

enum { ABSENT = 2, STATES = 3, MOST_ROWS = 6, MOST_WORLDS = 729, MOST_QUERIES = 24, SHOWN = 20 };

static const char *const scorers[] = {
    "scorer=sklearn-1.2/log_loss; decimals=5",
    "scorer=sklearn-1.2/log_loss; decimals=2; truncate=yes",
    "scorer=sklearn-1.2/log_loss; decimals=4; columns=1",
    "scorer=sklearn-1.2/log_loss; noise=bounded:0.001,plus",
    "scorer=sklearn-1.2/log_loss; noise=bounded:0.1,minus; transform=negate",
    "scorer=xgboost/logloss; decimals=5",
    "scorer=torch/bce; decimals=4",
    "scorer=keras3/bce; digits=6",
    "metric=sigmoid-ce; arithmetic=fp64; decimals=3",
    "metric=itakura-saito; arithmetic=fp64; decimals=3",
    "scorer=sklearn/brier; decimals=4",
    "scorer=sklearn/accuracy; decimals=2",
    "metric=zero-one; arithmetic=exact; decimals=3",
    "metric=accuracy; arithmetic=fp64; transform=percent; decimals=1",
    "scorer=sklearn/f1; decimals=5",
    "scorer=sklearn/f1; decimals=2",
    "scorer=sklearn/f1; decimals=1; truncate=yes",
    "scorer=sklearn/precision; decimals=3",
    "scorer=sklearn/precision; decimals=1; zero-division=1",
    "scorer=sklearn/jaccard; decimals=2",
    "metric=fbeta:2; arithmetic=exact; decimals=3",
    "scorer=sklearn/mcc; decimals=3",
    "scorer=sklearn/kappa; decimals=2",
    "scorer=sklearn/balanced_accuracy; digits=3",
    "metric=f1; arithmetic=fp64; noise=bounded:0.02,plus; transform=negate",
};

static const char *const parts[] = {"unknown", "0.4", "2", "0.7", "1", "3"}; /* the short test takes two */

typedef struct {
    char text[400];
    ll_scorer *scorer;
    ll_plan *plan;
    ll_plan_info info;
    long count;
    char *scores[MOST_WORLDS][MOST_QUERIES]; /* NULL: no such part is possible, or some score is 0/0 */
} world;

static struct {
    long plans, worlds, unique, open, without, failed;
} counts;

static void blame(const world *w, long s, const char *what)
{
    if (counts.failed++ < SHOWN)
        print_message("'%s' world %ld: %s\n", w->text, s, what);
}

/* ---- scores of every world ---- */

/* The same score from a curator that holds the public rows alone. */
typedef struct {
    ll_predictions all;
    const int32_t *states;
    ll_block block;
} public_rows;

static ll_status get_public(void *self, ll_block *out, long first, long count, ll_error *error)
{
    public_rows *p = self;
    double *to = ll_block_reserve_doubles(out, count, p->all.columns);
    for (long row = 0, seen = 0; row < p->all.rows; row++) {
        if (p->states[row] == ABSENT)
            continue;
        if (seen >= first && seen < first + count) {
            assert_int_equal(p->all.get(p->all.self, &p->block, row, 1, error), LL_OK);
            memcpy(to + (seen - first) * p->all.columns, p->block.doubles, sizeof *to * (size_t)p->all.columns);
        }
        seen++;
    }
    return LL_OK;
}

static char *score_alone(const world *w, const int32_t *states, const ll_predictions *predictions, long query)
{
    int32_t labels[MOST_ROWS];
    char rows[32], *text = NULL;
    long size = 0;
    ll_scorer *whole = NULL;
    ll_curator *curator;
    ll_score score;
    public_rows own = {.all = *predictions, .states = states};
    for (long i = 0; i < w->info.rows; i++)
        if (states[i] != ABSENT)
            labels[size++] = states[i];
    (void)snprintf(rows, sizeof rows, "%ld", size);
    assert_int_equal(ll_scorer_vary(&whole, w->scorer, NULL, "public", NULL, "rows", rows, (char *)NULL), LL_OK);
    assert_int_equal(ll_curator_create(&curator, whole, labels, size, NULL), LL_OK);
    ll_block_init(&own.block);
    ll_score_init(&score);
    ll_predictions part = {&own, size, predictions->columns, predictions->entries, get_public, NULL};
    for (long q = 0; q <= query; q++) /* noise follows the number of the query */
        if (ll_curator_score(curator, &score, &part, NULL) == LL_OK && q == query)
            text = strdup(score.text);
    ll_score_clear(&score);
    ll_block_clear(&own.block);
    ll_curator_destroy(curator);
    ll_scorer_destroy(whole);
    return text;
}

static void score_one(world *w, long s)
{
    int32_t states[MOST_ROWS], labels[MOST_ROWS];
    unsigned char is_public[MOST_ROWS];
    ll_curator *curator;
    world_labelling(states, s, w->info.rows, STATES);
    for (long i = 0; i < w->info.rows; i++) {
        is_public[i] = states[i] != ABSENT;
        labels[i] = is_public[i] ? states[i] : (int32_t)((s + i) % 2); /* of no account */
    }
    assert_int_equal(ll_curator_create(&curator, w->scorer, labels, w->info.rows, NULL), LL_OK);
    const int allowed = ll_curator_set_public(curator, is_public, w->info.rows, NULL) == LL_OK;
    int possible = allowed;
    for (long q = 0; q < w->info.queries && possible; q++) {
        ll_score score;
        ll_predictions predictions;
        ll_score_init(&score);
        assert_int_equal(ll_plan_predictions(w->plan, &predictions, q, NULL), LL_OK);
        possible = ll_curator_score(curator, &score, &predictions, NULL) == LL_OK;
        w->scores[s][q] = possible ? strdup(score.text) : NULL;
        if (possible && s % 17 == 0 && q % 5 == 0) {
            char *alone = score_alone(w, states, &predictions, q);
            if (alone == NULL || strcmp(alone, score.text) != 0)
                blame(w, s, "public rows alone have another score");
            free(alone);
        }
        ll_score_clear(&score);
    }
    counts.without += allowed && !possible;
    for (long q = 0; q < w->info.queries && !possible; q++) {
        free(w->scores[s][q]);
        w->scores[s][q] = NULL;
    }
    ll_curator_destroy(curator);
}

static int is_alike(const world *w, long s, long other)
{
    for (long q = 0; q < w->info.queries; q++)
        if (w->scores[other][q] == NULL || strcmp(w->scores[s][q], w->scores[other][q]) != 0)
            return 0;
    return 1;
}

/* ---- one attack ---- */

static ll_status answer(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    char *const *scores = self;
    (void)predictions;
    (void)error;
    *score = strdup(scores[query]);
    return LL_OK;
}

static void compare(const world *w, long s, const ll_verdict *v)
{
    unsigned char alike[MOST_ROWS * STATES] = {0};
    for (long other = 0; other < w->count; other++) {
        int32_t states[MOST_ROWS];
        if (!is_alike(w, s, other))
            continue;
        world_labelling(states, other, w->info.rows, STATES);
        for (long i = 0; i < w->info.rows; i++)
            alike[i * STATES + states[i]] = 1;
    }
    for (long i = 0; i < w->info.rows * STATES; i++)
        if (alike[i] && !v->candidates[i])
            blame(w, s, "a world with these scores is ruled out");
        else if (!alike[i] && v->candidates[i])
            blame(w, s, "a state that no world with these scores has is left");
}

static void attack(world *w, long s)
{
    int32_t truth[MOST_ROWS];
    ll_verdict verdict;
    ll_error error = {0};
    ll_oracle oracle = {.self = w->scores[s], .ask = answer};
    ll_verdict_init(&verdict);
    world_labelling(truth, s, w->info.rows, STATES);
    counts.worlds++;
    if (ll_attack_run(w->plan, &verdict, &oracle, NULL, &error) != LL_OK) {
        blame(w, s, error.text);
        return;
    }
    const char *fault = world_fault(&verdict, truth, w->info.rows, STATES);
    if (fault != NULL)
        blame(w, s, fault);
    else if (verdict.classes != STATES || verdict.absent != ABSENT)
        blame(w, s, "the verdict does not say what is absent");
    else
        compare(w, s, &verdict);
    counts.unique += verdict.kind == LL_UNIQUE;
    counts.open += verdict.kind == LL_AMBIGUOUS;
    ll_verdict_clear(&verdict);
}

static int begin(world *w)
{
    ll_error error = {0};
    ll_plan_request request;
    ll_plan_request_init(&request);
    if (try_scorer_text(&w->scorer, w->text, &error) != LL_OK)
        return 0; /* more rows are public than there are */
    if (ll_plan_create(&w->plan, w->scorer, &request, &error) != LL_OK) {
        print_message("'%s': %s\n", w->text, error.text);
        ll_scorer_destroy(w->scorer);
        return 0;
    }
    ll_plan_get_info(w->plan, &w->info);
    w->count = world_power(STATES, w->info.rows);
    assert_true(w->count <= MOST_WORLDS && w->info.queries <= MOST_QUERIES);
    return 1;
}

static long run(const char *scorer, const char *part, long rows)
{
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    (void)snprintf(w->text, sizeof w->text, "%s; rows=%ld; classes=2; public=%s", scorer, rows, part);
    long made = begin(w);
    counts.plans += made;
    for (long s = 0; s < w->count; s++)
        score_one(w, s);
    for (long s = 0; s < w->count; s++)
        if (w->scores[s][0] != NULL)
            attack(w, s);
    for (long s = 0; s < w->count; s++)
        for (long q = 0; q < MOST_QUERIES; q++)
            free(w->scores[s][q]);
    if (made) {
        ll_plan_destroy(w->plan);
        ll_scorer_destroy(w->scorer);
    }
    free(w);
    return made;
}

static void every_world(void **state)
{
    (void)state;
    const int is_long = world_is_one("LL_TEST_LONG");
    const long most = is_long ? MOST_ROWS : 3, told = is_long ? WORLDS_COUNT(parts) : 2;
    for (long i = 0; i < WORLDS_COUNT(scorers); i++) {
        long made = 0;
        for (long p = 0; p < told; p++)
            for (long rows = is_long ? 1 : 2; rows <= most; rows++)
                made += run(scorers[i], parts[p], rows);
        if (made == 0)
            fail_msg("no plan was made with %s: nothing was tried", scorers[i]);
    }
    print_message("%ld plans, %ld worlds, %ld unique, %ld open, %ld without a score, %ld faults\n", counts.plans,
                  counts.worlds, counts.unique, counts.open, counts.without, counts.failed);
    assert_int_equal(counts.failed, 0);
    assert_true(counts.unique > 400);
}

/* Scores that no part explains: nothing is called certain. */
static void none_fits(void **state)
{
    (void)state;
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    (void)snprintf(w->text, sizeof w->text, "%s; rows=3; classes=2; public=unknown", scorers[0]);
    assert_true(begin(w));
    score_one(w, 5);
    for (long q = 0; q < w->info.queries; q++) {
        char *kept = w->scores[5][q];
        ll_verdict verdict;
        ll_oracle oracle = {.self = w->scores[5], .ask = answer};
        ll_verdict_init(&verdict);
        w->scores[5][q] = "7.12345";
        assert_int_equal(ll_attack_run(w->plan, &verdict, &oracle, NULL, NULL), LL_OK);
        assert_int_equal(verdict.kind, LL_NONE);
        assert_int_equal(verdict.certain, 0);
        ll_verdict_clear(&verdict);
        w->scores[5][q] = kept;
    }
    for (long q = 0; q < w->info.queries; q++)
        free(w->scores[5][q]);
    ll_plan_destroy(w->plan);
    ll_scorer_destroy(w->scorer);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_world), cmocka_unit_test(none_fits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
