/* Is what `likely` states so? Many small worlds, plan -> simulated curator -> decoder, for every code and law of noise:
 * how many of the answers that state a failure of f are wrong, and how many of the rows. A sum of stated failures that
 * the wrong ones pass by more than chance allows is an error. Rows are also added up by law, over all codes: the long
 * form has 20,000 or more that state 0.999 or more, of every law that leaves labels likely.
 *
 * Half of the pairs of code and law, each code and each law among them; LL_TEST_LIGHT=1: a third. LL_TEST_LONG=1: all
 * of them, 5 * 10^4 likely answers, half an hour. LL_TEST_ANSWERS: so many for each code and law. LL_TEST_TABLE=1: the
 * rows of docs/results/likely.md on standard output (tools/likely-table). LL_TEST_CODE, LL_TEST_LAW: one only. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../unit/row_tally.h"
#include "code/code.h"
#include "number/random.h"
#include "worlds.h"

enum { MOST_ROWS = 400, BINS = 6 };
enum { SECONDS = 100 }; /* of processor time for one code and law: primes are slow */
#define COUNT(array) ((long)(sizeof(array) / sizeof(array)[0]))

static uint64_t seed = 813;
static int is_long, is_light, is_table;

/* ---- what is counted ---- */

/* Answers by the failure that they state: at most 1e-9, 1e-6, 1e-3, 0.1, 0.5, 1. */
static const double edges[BINS] = {1e-9, 1e-6, 1e-3, 0.1, 0.5, 1};
static const char *const edge_names[BINS] = {"1e-9", "1e-6", "0.001", "0.1", "0.5", "1"};
typedef struct {
    long answers[BINS], wrong[BINS];
    double stated[BINS]; /* sum of the stated failures */
    long certified, certified_wrong, refused;
    row_tally rows;
} tally;

static void count(tally *t, double failure, int is_wrong)
{
    int i = 0;
    while (i < BINS - 1 && failure > edges[i] * (1 + 1e-6))
        i++;
    t->answers[i]++;
    t->stated[i] += failure;
    t->wrong[i] += is_wrong;
}

/* Every bin alone, and all bins from the surest up to it. */
static void check(const tally *t, const char *name)
{
    double stated = 0;
    long wrong = 0;
    for (int i = 0; i < BINS; i++) {
        stated += t->stated[i];
        wrong += t->wrong[i];
        if (row_chance(t->stated[i], (double)t->wrong[i]) < 1e-6 || row_chance(stated, (double)wrong) < 1e-6)
            fail_msg("%s: of %ld answers that state a failure of at most %s, %ld are wrong, %.3g expected", name,
                     t->answers[i], edge_names[i], t->wrong[i], t->stated[i]);
    }
    assert_int_equal(t->certified_wrong, 0);
    row_tally_check(&t->rows, name);
}

/* Lines of the table of rows begin with a word of their own. */
static void report_rows(const row_tally *t, const char *code, const char *law)
{
    static const char *const names[ROW_LEVELS] = {"1e-6", "0.001", "0.01", "0.1", "1"};
    for (int i = 0; i < ROW_LEVELS && is_table; i++)
        if (t->levels[i].rows > 0)
            printf("rows| %s | %s | %s | %ld | %.3g | %ld |\n", code, law, names[i], t->levels[i].rows,
                   t->levels[i].stated, t->levels[i].wrong);
    row_level sure = row_tally_sure(t);
    if (sure.rows > 0)
        print_message("%s, %s: %ld rows at 0.999 or more, %.3g wrong stated, %ld wrong\n", code, law, sure.rows,
                      sure.stated, sure.wrong);
}

static void report(const tally *t, const char *code, const char *law)
{
    for (int i = 0; i < BINS && is_table; i++)
        if (t->answers[i] > 0)
            printf("| %s | %s | %s | %ld | %.3g | %ld |\n", code, law, edge_names[i], t->answers[i], t->stated[i],
                   t->wrong[i]);
    if (t->certified > 0 && is_table)
        printf("| %s | %s | certified | %ld | 0 | %ld |\n", code, law, t->certified, t->certified_wrong);
    long all = 0, wrong = 0;
    double stated = 0;
    for (int i = 0; i < BINS; i++) {
        all += t->answers[i];
        wrong += t->wrong[i];
        stated += t->stated[i];
    }
    print_message("%s, %s: %ld answers, %.3g wrong stated, %ld wrong; %ld certified; %ld worlds refused\n", code, law,
                  all, stated, wrong, t->certified, t->refused);
    report_rows(&t->rows, code, law);
}

/* ---- worlds ---- */

typedef struct {
    const char *name;
    const char *noise; /* NULL: none */
    const char *draw;  /* how bounded noise is drawn, "" or ",plus" */
    int is_rounded;
    const char *sizes[4]; /* rising, in units of the score of a log-loss; level codes take the first two */
    long classes;
    const char
        *arithmetic; /* fp32: all digits are released, and the scorer's own rounding is the noise; no soft code */
    const char *order;
} law;

static const law laws[] = {
    {"rounded", NULL, "", 1, {NULL}, 2, "fp64", "pairwise"},
    {"bounded", "bounded", "", 0, {"0.3", "0.7", "1.5", "3"}, 2, "fp64", "pairwise"},
    {"bounded plus", "bounded", ",plus", 0, {"0.3", "0.7", "1.5", "3"}, 2, "fp64", "pairwise"},
    {"bounded minus", "bounded", ",minus", 0, {"0.3", "0.7", "1.5", "3"}, 2, "fp64", "pairwise"},
    {"gaussian", "gaussian", "", 0, {"0.05", "0.3", "1", "4"}, 2, "fp64", "pairwise"},
    {"gaussian, rounded", "gaussian", "", 1, {"0.05", "0.3", "1", "4"}, 2, "fp64", "pairwise"},
    {"laplace", "laplace", "", 0, {"0.05", "0.3", "1", "4"}, 2, "fp64", "pairwise"},
    {"laplace, rounded", "laplace", "", 1, {"0.05", "0.3", "1", "4"}, 2, "fp64", "pairwise"},
    {"proportional", "proportional", "", 0, {"0.05", "0.3", "1", "4"}, 2, "fp64", "pairwise"},
    {"rounded, 3 classes", NULL, "", 1, {NULL}, 3, "fp64", "pairwise"},
    {"gaussian, 3 classes", "gaussian", "", 0, {"0.05", "0.3", "1", "4"}, 3, "fp64", "pairwise"},
    {"own rounding, pairwise", NULL, "", 0, {NULL}, 2, "fp32", "pairwise"},
    {"own rounding, cascade", NULL, "", 0, {NULL}, 2, "fp32", "cascade"},
    {"own rounding, compensated", NULL, "", 0, {NULL}, 2, "fp32", "compensated"},
    {"own rounding, naive", NULL, "", 0, {NULL}, 2, "fp32", "naive"},
};

typedef struct {
    ll_scorer *scorer;
    ll_plan_request request;
    uint64_t number, drawn;
} world;

static uint64_t draw(world *w, uint64_t below)
{
    return ll_random_below(seed, w->number, w->drawn++, below);
}

static void set_scorer(world *w, const law *l, int is_soft)
{
    static const long sizes[] = {8, 12, 16, 20, 24, 32, 40, 48, 64}, larger[] = {30, 64, 150, 400};
    char noise[40] = "none", decimals[8] = "none";
    long rows = strcmp(l->arithmetic, "fp32") == 0 ? larger[draw(w, (uint64_t)COUNT(larger))]
                                                   : sizes[draw(w, (uint64_t)COUNT(sizes))];
    if (l->noise != NULL)
        (void)snprintf(noise, sizeof noise, "%s:%s%s", l->noise, l->sizes[draw(w, is_soft ? 4 : 2)], l->draw);
    unsigned places = (unsigned)draw(w, 3);
    if (l->is_rounded)
        (void)snprintf(decimals, sizeof decimals, "%u", places);
    w->scorer =
        scorer_of_text("metric=log-loss; clip=1e-15; clip-mode=clip-renormalise; arithmetic=%s; sum=%s; "
                       "rows=%ld; classes=%ld; noise=%s; decimals=%s; seed=%llu",
                       l->arithmetic, l->order, rows, l->classes, noise, decimals, (unsigned long long)w->number);
}

/* hadamard with a quarter to twice as many queries as rows, or as many as it plans for, or half of those; other codes
 * with as many as they need. */
static ll_status make_plan(world *w, ll_plan **out, const char *code, const law *l)
{
    static const double failures[] = {1e-6, 1e-3, 0.03, 0.2};
    int is_soft = strcmp(code, "hadamard") == 0;
    set_scorer(w, l, is_soft);
    if (is_soft && strcmp(l->arithmetic, "fp32") == 0)
        return LL_DOMAIN;
    ll_plan_request_init(&w->request);
    w->request.code = code;
    w->request.guarantee = LL_LIKELY;
    w->request.failure = failures[draw(w, (uint64_t)COUNT(failures))];
    uint64_t manner = draw(w, 10);
    if (is_soft && manner < 8)
        w->request.queries = ll_scorer_get_count(w->scorer, "rows") * (1 + (long)manner) / 4;
    ll_status status = ll_plan_create(out, w->scorer, &w->request, NULL);
    if (!is_soft || manner < 9 || status != LL_OK)
        return status;
    ll_plan_info info;
    ll_plan_get_info(*out, &info);
    ll_plan_destroy(*out);
    w->request.queries = 1 + info.queries / 2;
    return ll_plan_create(out, w->scorer, &w->request, NULL);
}

/* ---- answers ---- */

static void answer(tally *t, const ll_plan *plan, const ll_scorer *s, uint64_t number)
{
    int32_t labels[MOST_ROWS];
    ll_curator *curator;
    ll_verdict v;
    ll_error error = {0};
    ll_scorer *other = vary_scorer(s, "seed=%llu", (unsigned long long)number); /* the same signs, other noise */
    long rows = ll_scorer_get_count(s, "rows"), classes = ll_scorer_get_count(s, "classes");
    for (long i = 0; i < rows; i++)
        labels[i] = (int32_t)ll_random_below(seed + 1, number, (uint64_t)i, (uint64_t)classes);
    assert_int_equal(ll_curator_create(&curator, other, labels, rows, &error), LL_OK);
    ll_oracle oracle = ll_curator_oracle(curator);
    ll_verdict_init(&v);
    if (ll_attack_run(plan, &v, &oracle, NULL, &error) != LL_OK)
        fail_msg("%s", error.text);
    int is_wrong = v.kind == LL_NONE || memcmp(v.labels, labels, sizeof *labels * (size_t)rows) != 0;
    if (v.guarantee == LL_CERTIFIED && v.kind != LL_NONE) {
        t->certified++;
        for (long i = 0; i < rows; i++)
            t->certified_wrong += v.labels[i] >= 0 && v.labels[i] != labels[i];
    } else {
        ll_plan_info info;
        ll_plan_get_info(plan, &info);
        count(t, v.kind == LL_NONE ? info.failure : 1 - v.probability, is_wrong);
        if (v.kind != LL_NONE)
            row_tally_count(&t->rows, v.shares, v.labels, labels, rows, classes);
    }
    ll_verdict_clear(&v);
    ll_curator_destroy(curator);
    ll_scorer_destroy(other);
}

/* A plan that promises certainty states no chance: other tests look at those, one answer in ten is enough here. */
static long share_of(const ll_plan *plan, long answers)
{
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    return info.guarantee == LL_CERTIFIED ? (answers + 9) / 10 : answers;
}

static row_tally by_law[COUNT(laws)]; /* over all codes */

static void try_code(const char *code, const law *l, long answers, long worlds)
{
    tally t = {0};
    char name[80];
    (void)snprintf(name, sizeof name, "%s, %s", code, l->name);
    double end = (double)clock() / CLOCKS_PER_SEC + SECONDS;
    for (long i = 0; i < worlds && (double)clock() / CLOCKS_PER_SEC < end; i++) {
        world w = {.number = (uint64_t)(i + 1)};
        ll_plan *plan = NULL;
        if (make_plan(&w, &plan, code, l) != LL_OK) {
            t.refused++;
            ll_scorer_destroy(w.scorer);
            continue;
        }
        for (long k = 0; k < share_of(plan, answers / worlds); k++)
            answer(&t, plan, w.scorer, (uint64_t)(i * answers + k + 1000000));
        ll_plan_destroy(plan);
        ll_scorer_destroy(w.scorer);
    }
    report(&t, code, l->name);
    row_tally_add(&by_law[l - laws], &t.rows);
    if (getenv("LL_TEST_MEASURE") == NULL)
        check(&t, name);
}

/* Every law, and every way to draw the bounded one, has a row above. */
static void every_law_is_there(void **state)
{
    world_list all = list_laws();
    (void)state;
    for (long i = 0; i < all.count; i++) {
        int found = 0;
        for (long k = 0; k < COUNT(laws); k++) {
            char text[WORLD_NAME];
            const char *noise = laws[k].noise, *draw = laws[k].draw;
            if (noise == NULL)
                continue;
            (void)snprintf(text, sizeof text, "%s%s", noise,
                           strcmp(noise, "bounded") == 0 && *draw == '\0' ? ",uniform" : draw);
            found |= strcmp(text, all.names[i]) == 0;
        }
        if (!found)
            fail_msg("no row of this test has noise of the law %s", all.names[i]);
    }
}

static void stated_failures_hold(void **state)
{
    (void)state;
    const char *only = getenv("LL_TEST_CODE"), *count = getenv("LL_TEST_ANSWERS"), *noise = getenv("LL_TEST_LAW");
    for (long c = 0; c <= ll_code_count(); c++) /* the last: auto, which plans with every code */
        for (long i = 0; i < COUNT(laws); i++) {
            const char *code = c < ll_code_count() ? ll_code_get_info(c)->name : "auto";
            int is_soft = ll_candidate_is_average(code);
            long answers = count != NULL ? strtol(count, NULL, 10) : !is_long ? 0 : is_soft ? 2400 : 600;
            if ((only != NULL && strcmp(only, code) != 0) || (noise != NULL && strcmp(noise, laws[i].name) != 0))
                continue;
            if (answers > 0)
                try_code(code, &laws[i], answers, answers < 100 ? 6 : 50);
            else if (!is_light && (c + i) % 2 == 0)
                try_code(code, &laws[i], is_soft ? 10 : 2, 2);
            else if (is_light && (c + i) % 3 == 0)
                try_code(code, &laws[i], 2, 2);
        }
}

/* After all codes: every law has enough sure rows, where any row is likely at all. */
static void stated_rows_hold(void **state)
{
    (void)state;
    int is_all = is_long && getenv("LL_TEST_CODE") == NULL && getenv("LL_TEST_ANSWERS") == NULL;
    for (long i = 0; i < COUNT(laws); i++) {
        row_level sure = row_tally_sure(&by_law[i]);
        report_rows(&by_law[i], "all codes", laws[i].name);
        row_tally_check(&by_law[i], laws[i].name);
        if (is_all && sure.rows > 0)
            assert_true(sure.rows >= 20000);
    }
}

int main(void)
{
    if (getenv("LL_TEST_SEED"))
        seed = strtoull(getenv("LL_TEST_SEED"), NULL, 10);
    is_long = getenv("LL_TEST_LONG") != NULL;
    is_light = getenv("LL_TEST_LIGHT") != NULL;
    is_table = getenv("LL_TEST_TABLE") != NULL;
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_law_is_there), cmocka_unit_test(stated_failures_hold),
                                       cmocka_unit_test(stated_rows_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
