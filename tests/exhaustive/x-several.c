/* Answers of several numbers, exhaustively: random descriptions of a few rows, every labelling. All labellings are
 * scored with the plan's predictions; those whose answers read the same must all be left by a decoder, no wrong label
 * may be certain, and none may be called impossible. Where all labels come back certain, no bound of the audit may ask
 * for more queries than there were. The same where each group of rows has a score of its own. LL_TEST_SEED,
 * LL_TEST_MULTIPLIER. */
#include "worlds.h"

#include "number/random.h"
#include "strategy/groups/groups.h"

#include <math.h>

enum { MOST_ROWS = 6, MOST_COUNT = 729, MOST_QUERIES = 64, SHOWN = 20, WORLDS = 150 };

static const char *const of_labels[] = {"accuracy",
                                        "zero-one",
                                        "f1",
                                        "precision",
                                        "recall",
                                        "specificity",
                                        "balanced-accuracy",
                                        "mcc",
                                        "macro-f1",
                                        "weighted-precision",
                                        "class-recall:0",
                                        "class-recall:1",
                                        "class-recall:2",
                                        "class-precision:0",
                                        "class-precision:1",
                                        "class-precision:2",
                                        "class-f1:1",
                                        "class-f1:2",
                                        "support:1",
                                        "cell:1",
                                        "cell:3",
                                        "confusion-matrix",
                                        "classification-report"};
static const char *const of_shares[] = {"log-loss:clip=0.01", "squared", "accuracy", "f1", "auc", "confusion-matrix"};
static const char *const rounded[] = {
    "", ":decimals=1", ":decimals=2", ":decimals=4", ":digits=3", ":decimals=2,truncate=yes"};

typedef struct {
    char also[400], first[80];
    long rows, classes, count, queries;
    ll_scorer *scorer;
    ll_plan *plan;
    char *answers[MOST_COUNT][MOST_QUERIES];
} world;

static struct {
    long plans, attacks, unique, open, failed, cells, bounds, groups, spoilt, stopped;
} counts;

static uint64_t drawn;

static long draw(long below)
{
    return (long)(ll_random_below(20261116, 0, drawn++, (uint64_t)below));
}

static void blame(const world *w, long s, const char *what)
{
    if (counts.failed++ < SHOWN)
        print_message("%ld rows of %ld: %s also %s, labelling %ld: %s\n", w->rows, w->classes, w->first, w->also, s,
                      what);
}

/* ---- descriptions ---- */

/* Any metric of the table, or one of those that are read together most. */
static const char *pick(int shares)
{
    static world_list all;
    if (all.count == 0)
        all = list_metrics();
    if (draw(4) == 0)
        return all.names[draw(all.count)];
    return shares ? of_shares[draw(WORLDS_COUNT(of_shares))] : of_labels[draw(WORLDS_COUNT(of_labels))];
}

static void add_item(char *text, size_t size, const char *name)
{
    const char *how = strchr(name, '=') != NULL ? "" : rounded[draw(WORLDS_COUNT(rounded))];
    (void)snprintf(text + strlen(text), size - strlen(text), "%s%s%s", text[0] ? ";" : "", name, how);
}

/* Rows of each of up to three groups, in any order; one name may begin as another does. */
static void draw_groups(char *text, size_t size, long rows)
{
    static const char *const names[] = {"a", "ab", "abc"};
    text[0] = '\0';
    for (long i = 0; i < rows; i++)
        (void)snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? "," : "", names[draw(3)]);
}

static long count_names(const char *text)
{
    int seen[4] = {0};
    for (const char *at = text; *at; at += strcspn(at, ","), at += *at == ',')
        seen[strcspn(at, ",")] = 1;
    return seen[1] + seen[2] + seen[3];
}

static int describe_groups(world *w)
{
    static const char *const metrics[] = {"log-loss", "squared",  "accuracy", "f1",  "balanced-accuracy",
                                          "auc",      "macro-f1", "kappa",    "mcc", "weighted-jaccard"};
    static const char *const decimals[] = {"2", "4", "6"};
    char classes[8];
    ll_scorer *s = NULL;
    w->rows = 2 + draw(MOST_ROWS - 1);
    w->classes = 2 + draw(2);
    (void)snprintf(w->first, sizeof w->first, "%s", metrics[draw(WORLDS_COUNT(metrics))]);
    (void)snprintf(classes, sizeof classes, "%ld", w->classes);
    draw_groups(w->also, sizeof w->also, w->rows);
    const char *const set[][2] = {{"metric", w->first},
                                  {"groups", w->also},
                                  {"classes", classes},
                                  {"clip", "0.001"},
                                  {"decimals", decimals[draw(3)]},
                                  {"arithmetic", draw(2) ? "fp64" : "exact"}};
    ll_status status = ll_scorer_create(&s, NULL);
    for (size_t i = 0; i < sizeof set / sizeof set[0] && status == LL_OK; i++)
        if (strcmp(set[i][0], "clip") != 0 || strcmp(w->first, "log-loss") == 0)
            status = ll_scorer_set(s, set[i][0], set[i][1], NULL);
    if (status == LL_OK)
        status = ll_scorer_resolve(s, NULL, NULL);
    w->scorer = s;
    if (status == LL_OK)
        assert_int_equal(ll_scorer_count_numbers(s), 1 + count_names(w->also));
    return status == LL_OK;
}

static int describe(world *w)
{
    static const char *const arithmetics[] = {"fp64", "exact"};
    char rows[8], classes[8];
    int shares = draw(4) == 0;
    w->rows = 2 + draw(MOST_ROWS - 1);
    w->classes = 2 + draw(2);
    w->also[0] = '\0';
    (void)snprintf(w->first, sizeof w->first, "%s", shares ? of_shares[1 + draw(1)] : pick(0));
    (void)snprintf(rows, sizeof rows, "%ld", w->rows);
    (void)snprintf(classes, sizeof classes, "%ld", w->classes);
    for (long i = draw(4); i >= 0; i--)
        add_item(w->also, sizeof w->also, pick(shares));
    ll_scorer *s = NULL;
    const char *decimals = (const char *[]){"1", "2", "4", "none"}[draw(4)];
    ll_status status = ll_scorer_create(&s, NULL);
    const char *const set[][2] = {{"metric", w->first}, {"also", w->also},      {"rows", rows},
                                  {"classes", classes}, {"decimals", decimals}, {"arithmetic", arithmetics[draw(2)]}};
    for (size_t i = 0; i < sizeof set / sizeof set[0] && status == LL_OK; i++)
        status = ll_scorer_set(s, set[i][0], set[i][1], NULL);
    if (status == LL_OK)
        status = ll_scorer_resolve(s, NULL, NULL);
    w->scorer = s;
    return status == LL_OK;
}

/* ---- answers ---- */

static void answer_one(world *w, long s)
{
    int32_t labels[MOST_ROWS];
    ll_curator *curator;
    world_labelling(labels, s, w->rows, w->classes);
    if (ll_curator_create(&curator, w->scorer, labels, w->rows, NULL) != LL_OK)
        return;
    for (long q = 0; q < w->queries; q++) {
        ll_score score;
        ll_predictions predictions;
        ll_score_init(&score);
        assert_int_equal(ll_plan_predictions(w->plan, &predictions, q, NULL), LL_OK);
        if (ll_curator_score(curator, &score, &predictions, NULL) == LL_OK)
            w->answers[s][q] = strdup(score.text);
        ll_score_clear(&score);
    }
    ll_curator_destroy(curator);
}

static int has_answers(const world *w, long s)
{
    for (long q = 0; q < w->queries; q++)
        if (w->answers[s][q] == NULL)
            return 0;
    return 1;
}

static int is_alike(const world *w, long s, long other)
{
    for (long q = 0; q < w->queries; q++)
        if (strcmp(w->answers[s][q], w->answers[other][q]) != 0)
            return 0;
    return 1;
}

static ll_status replay(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    (void)predictions;
    (void)error;
    *score = strdup(((char *const *)self)[query]);
    return LL_OK;
}

static void compare(const world *w, long s, const ll_verdict *v)
{
    for (long other = 0; other < w->count; other++) {
        int32_t labels[MOST_ROWS];
        if (!has_answers(w, other) || !is_alike(w, s, other))
            continue;
        world_labelling(labels, other, w->rows, w->classes);
        for (long i = 0; i < w->rows; i++)
            if (!v->candidates[i * w->classes + labels[i]]) {
                blame(w, s, "a labelling with these answers is ruled out");
                return;
            }
    }
}

/* 1: every label certain. */
static int attack(const world *w, long s)
{
    int32_t truth[MOST_ROWS];
    ll_verdict verdict;
    ll_error error = {0};
    ll_oracle oracle = {.self = (void *)w->answers[s], .ask = replay};
    ll_verdict_init(&verdict);
    world_labelling(truth, s, w->rows, w->classes);
    counts.attacks++;
    if (ll_attack_run(w->plan, &verdict, &oracle, NULL, &error) != LL_OK) {
        blame(w, s, error.text);
        return 0;
    }
    const char *fault = world_fault(&verdict, truth, w->rows, w->classes);
    if (fault != NULL)
        blame(w, s, fault);
    else
        compare(w, s, &verdict);
    int unique = verdict.kind == LL_UNIQUE;
    ll_verdict_clear(&verdict);
    *(unique ? &counts.unique : &counts.open) += 1;
    return unique;
}

/* ---- groups whose scores fit no labels ---- */

typedef struct {
    char *const *answers;
    long group, asked; /* from 0; so many queries */
} spoilt;

/* The first answer with a number of that group that no labels have, with as many decimals: no metric here goes so far.
 */
static ll_status replay_spoilt(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    spoilt *s = self;
    (void)predictions;
    (void)error;
    const char *text = s->answers[query], *at = text;
    s->asked++;
    for (long skip = 1 + s->group; query == 0 && skip > 0; skip--)
        at = strchr(at, ' ') + 1;
    size_t before = (size_t)(at - text);
    *score = malloc(strlen(text) + 5);
    (void)sprintf(*score, "%.*s%s%s", (int)before, text, query == 0 ? "-99" : "", at + (query == 0 && *at == '-'));
    return LL_OK;
}

/* Then none fit the answers as a whole, and nothing is certain of any row; where that is seen at once, no more is
 * asked. */
static void spoil(const world *w, long s, long group)
{
    ll_verdict verdict;
    ll_error error = {0};
    spoilt self = {w->answers[s], group, 0};
    ll_oracle oracle = {.self = &self, .ask = replay_spoilt};
    ll_verdict_init(&verdict);
    if (ll_attack_run(w->plan, &verdict, &oracle, NULL, &error) != LL_OK)
        blame(w, s, error.text);
    else if (verdict.kind != LL_NONE || verdict.certain != 0)
        blame(w, s, "a group fits no labels, and the answers are said to");
    for (long i = 0; i < verdict.rows && verdict.kind == LL_NONE; i++)
        if (verdict.labels[i] >= 0)
            blame(w, s, "a label is certain where no labels fit");
    counts.spoilt++;
    counts.stopped += w->queries > 1 && self.asked == 1;
    ll_verdict_clear(&verdict);
}

static void spoil_groups(const world *w)
{
    /* a plan for all rows does not look at groups */
    if (strcmp(w->plan->strategy->name, "groups") != 0 || ll_groups_whole(w->plan) != NULL)
        return;
    for (long g = 0; g + 1 < ll_scorer_count_numbers(w->scorer); g++)
        for (long s = draw(w->count), tries = 0; tries < w->count; tries++, s = (s + 1) % w->count)
            if (has_answers(w, s)) {
                spoil(w, s, g);
                break;
            }
}

/* ---- worlds ---- */

/* Every labelling came back certain from so many answers: the bounds must allow it. */
static void check_bound(const world *w)
{
    ll_audit_bound bound;
    ll_error error = {0};
    if (ll_audit_limit(&bound, w->scorer, (double)w->queries, &error) != LL_OK)
        blame(w, -1, error.text);
    else if (bound.max_share < 1 - 1e-9 || bound.min_queries > (double)w->queries)
        blame(w, -1, "a bound is crossed");
    counts.bounds++;
}

static void run_plan(world *w)
{
    ll_plan_info info;
    ll_plan_get_info(w->plan, &info);
    w->queries = info.queries;
    w->count = 1;
    for (long i = 0; i < w->rows; i++)
        w->count *= w->classes;
    if (w->queries > MOST_QUERIES)
        return;
    counts.plans++;
    counts.cells += strncmp(info.code, "cells", 5) == 0;
    int all = 1;
    for (long s = 0; s < w->count; s++)
        answer_one(w, s);
    for (long s = 0; s < w->count; s++)
        if (has_answers(w, s))
            all &= attack(w, s);
        else
            all = 0;
    if (all)
        check_bound(w);
    spoil_groups(w);
    for (long s = 0; s < w->count; s++)
        for (long q = 0; q < w->queries; q++)
            free(w->answers[s][q]);
}

static void run(world *w, const char *code)
{
    ll_plan_request request;
    ll_plan_request_init(&request);
    request.code = code;
    *w->answers[0] = NULL;
    memset(w->answers, 0, sizeof w->answers);
    if (ll_plan_create(&w->plan, w->scorer, &request, NULL) != LL_OK)
        return;
    run_plan(w);
    ll_plan_destroy(w->plan);
}

static void every_labelling(void **state)
{
    (void)state;
    static world w;
    const char *seed = getenv("LL_TEST_SEED"), *times = getenv("LL_TEST_MULTIPLIER");
    long each = world_is_one("LL_TEST_LIGHT") ? WORLDS / 4 : WORLDS,
         worlds = each * (times != NULL ? strtol(times, NULL, 10) : 1);
    drawn = seed != NULL ? strtoull(seed, NULL, 10) << 32 : 0;
    for (long i = 0; i < worlds; i++) {
        if (describe(&w)) {
            run(&w, NULL);
            run(&w, "cells");
        }
        ll_scorer_destroy(w.scorer);
    }
    long before = counts.plans, unique = counts.unique;
    for (long i = 0; i < worlds / 2; i++) {
        if (describe_groups(&w))
            run(&w, NULL);
        ll_scorer_destroy(w.scorer);
    }
    counts.groups = counts.plans - before;
    assert_true(counts.groups > worlds / 4 && counts.unique - unique > 1000 * each / WORLDS);
    assert_true(counts.spoilt > worlds / 4 && counts.stopped > 0);
    print_message("%ld times a group fits no labels, %ld times it is seen at once\n", counts.spoilt, counts.stopped);
    print_message(
        "%ld plans (%ld of cells, %ld of groups), %ld attacks, %ld unique, %ld open, %ld bounds, %ld faults\n",
        counts.plans, counts.cells, counts.groups, counts.attacks, counts.unique, counts.open, counts.bounds,
        counts.failed);
    assert_int_equal(counts.failed, 0);
    assert_true(counts.plans > worlds / 4 && counts.cells > worlds / 20 && counts.unique > 1000 && counts.open > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_labelling)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
