/* Random releases: metric or profile, rows, classes, arithmetic, order of summation, clip, transform, noise, decimals,
 * digits, query limit and code are drawn, every name from its table, and the labels too. The scorer answers what it
 * simulates, or either end of the interval in which the real program's score must lie. A label that is called certain
 * is the true one, the true label is always a candidate, some labelling fits, and a plan that promises all labels
 * gives them, at the very ends too.
 *
 * Worlds are numbered: LL_TEST_SEED and LL_TEST_WORLD make the one again that a failure names. LL_TEST_MULTIPLIER=M
 * takes M times as many; LL_TEST_LONG=1 takes more, some of up to 400 rows. */
#include <math.h>

#include "worlds.h"

#include "number/random.h"

#include <flint/flint.h>

enum { MOST_ROWS = 400, SHOWN = 20 };

typedef struct {
    uint64_t seed, number, drawn;
    char settings[1024], code[WORLD_NAME];
    ll_scorer *scorer;
    ll_plan_request request;
    long rows, classes, limit;
    int32_t labels[MOST_ROWS];
} world;

static world_list metrics, codes;

static struct {
    long worlds, contradicted, refused, plans, attacks, unique, open, certain, rows, wrong, none, failed, shown,
        short_of;
    long codes[32];
} counts;

static uint64_t draw(world *w, uint64_t below)
{
    return ll_random_below(w->seed, w->number, w->drawn++, below);
}

#define PICK(w, array) ((array)[draw(w, (uint64_t)WORLDS_COUNT(array))])

static long number_of(const char *variable, long otherwise)
{
    const char *text = getenv(variable);
    return text != NULL ? strtol(text, NULL, 0) : otherwise;
}

/* ---- a world */

__attribute__((format(printf, 2, 3))) static void add(world *w, const char *format, ...)
{
    size_t length = strlen(w->settings);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(w->settings + length, sizeof w->settings - length, format, arguments);
    va_end(arguments);
}

static void draw_metric(world *w)
{
    static const char *const modes[] = {"clip", "clip-renormalise", "log-plus", "floor"};
    static const char *const clips[] = {"1e-15", "1e-15", "auto", "1e-7", "0.001", "0.3"};
    if (draw(w, 6) == 0) {
        add(w, "scorer=%s;", ll_profile_get_info((long)draw(w, (uint64_t)ll_profile_count()))->name);
        return;
    }
    const char *metric = draw(w, 6) == 0 ? "log-loss" : metrics.names[draw(w, (uint64_t)metrics.count)];
    add(w, "metric=%s; arithmetic=%s;", metric, draw(w, 4) == 0 ? "fp64" : PICK(w, world_arithmetics));
    if (strcmp(metric, "log-loss") != 0 || draw(w, 6) == 0)
        return;
    if (draw(w, 6) == 0)
        add(w, "clip-mode=log-clamp; clip=100;");
    else
        add(w, "clip-mode=%s; clip=%s;", PICK(w, modes), PICK(w, clips));
}

static void draw_computation(world *w)
{
    static const char *const orders[] = {"naive", "pairwise", "cascade", "compensated", "exact"};
    static const char *const columns[] = {"1", "all"};
    if (draw(w, 4) != 0)
        add(w, "sum=%s;", PICK(w, orders));
    if (draw(w, 8) == 0)
        add(w, "sum-arithmetic=fp64;");
    if (draw(w, 6) == 0)
        add(w, "columns=%s;", PICK(w, columns));
}

static void draw_release(world *w)
{
    static const char *const draws[] = {"", ",uniform", ",plus", ",minus"};
    uint64_t rounding = draw(w, 5);
    if (draw(w, 2) == 0)
        add(w, "transform=%s;", PICK(w, world_transforms));
    if (rounding >= 3)
        add(w, "decimals=none; digits=%d;", 1 + (int)draw(w, 17));
    else if (rounding >= 1)
        add(w, "decimals=%d;", (int)draw(w, 16));
    if (rounding > 0 && draw(w, 3) == 0)
        add(w, "truncate=yes;");
    if (draw(w, 3) == 0)
        add(w, "noise=bounded:%.3g%s;", exp(-(double)draw(w, 30000) / 1000), PICK(w, draws));
    if (draw(w, 6) == 0)
        add(w, "queries=%ld;", w->limit = 1 + (long)draw(w, 12));
}

static void draw_code(world *w)
{
    (void)snprintf(w->code, sizeof w->code, "%s",
                   draw(w, 4) == 0 ? "auto" : codes.names[draw(w, (uint64_t)codes.count)]);
    ll_plan_request_init(&w->request);
    w->request.code = w->code;
    w->request.block = draw(w, 6) == 0 ? 1 + (long)draw(w, (uint64_t)w->rows) : 0;
    static const ll_budget little = {.size = sizeof little, .memory = 1e8, .seconds = 2};
    w->request.budget = &little;
}

static void draw_labels(world *w)
{
    uint64_t skew = draw(w, 3); /* all labels alike, mostly 0, uniform */
    for (long i = 0; i < w->rows; i++)
        w->labels[i] = skew == 0                      ? (int32_t)(w->number % (uint64_t)w->classes)
                       : skew == 1 && draw(w, 5) != 0 ? 0
                                                      : (int32_t)draw(w, (uint64_t)w->classes);
}

static void draw_world(world *w, long most_rows)
{
    w->rows = 1 + (long)draw(w, (uint64_t)(draw(w, 16) == 0 ? most_rows : 7));
    w->classes = 2 + (draw(w, 2) != 0 ? 0 : (long)draw(w, 4));
    add(w, "rows=%ld; classes=%ld; seed=%lu;", w->rows, w->classes, (unsigned long)w->number);
    draw_metric(w);
    draw_computation(w);
    draw_release(w);
    draw_code(w);
}

/* Faults are counted to the end; the first are shown. */
static void blame(const world *w, const char *what, int which)
{
    counts.wrong += strstr(what, "wrong") != NULL || strstr(what, "candidate") != NULL;
    counts.none += strstr(what, "fits") != NULL;
    static uint64_t last = UINT64_MAX;
    if (counts.failed++ > 0 && (last == w->number || counts.shown >= SHOWN))
        return;
    last = w->number;
    counts.shown++;
    print_message("LL_TEST_SEED=%lu LL_TEST_WORLD=%lu '%s' code %s block %ld answer %d labels", (unsigned long)w->seed,
                  (unsigned long)w->number, w->settings, w->code, w->request.block, which);
    for (long i = 0; i < w->rows && i < 12; i++)
        print_message(" %d", (int)w->labels[i]);
    print_message(": %s\n", what);
}

/* ---- its attacks */

/* Are all labels promised? Averages of signs are not; counts of matches of two classes are read by their parity; and a
 * number that is short by chance is taken for a shortened one. */
static int promises_all(const world *w, const ll_plan *plan, long fewest)
{
    const char *digits = strstr(w->settings, "digits=");
    long whole = strstr(w->settings, "decimals=") != NULL && digits == NULL ? 0
                 : digits != NULL                                           ? strtol(digits + 7, NULL, 10)
                                                                            : 11;
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    return w->limit == 0 && fewest > whole - 2 && strncmp(info.code, "hadamard", 8) != 0 &&
           !(strcmp(info.writer, "labels") == 0 && w->classes == 2);
}

static void count_verdict(world *w, const ll_verdict *verdict, int promised, int which)
{
    const char *fault = world_fault(verdict, w->labels, w->rows, w->classes);
    if (fault != NULL)
        blame(w, fault, which);
    if (promised && fault == NULL && verdict->kind != LL_UNIQUE) {
        counts.short_of++;
        blame(w, "a label is open that the plan promised", which);
    }
    counts.attacks++;
    counts.certain += verdict->certain;
    counts.rows += w->rows;
    *(verdict->kind == LL_UNIQUE ? &counts.unique : &counts.open) += 1;
}

static void attack(world *w, const ll_plan *plan, int which)
{
    world_oracle o = {.which = which};
    ll_error error = {0};
    ll_verdict verdict;
    ll_verdict_init(&verdict);
    ll_oracle oracle = {.self = &o, .ask = world_answer};
    if (ll_curator_create(&o.curator, w->scorer, w->labels, w->rows, &error) != LL_OK ||
        ll_attack_run(plan, &verdict, &oracle, NULL, &error) != LL_OK)
        blame(w, error.text, which);
    else
        count_verdict(w, &verdict, promises_all(w, plan, o.fewest), which);
    ll_verdict_clear(&verdict);
    ll_curator_destroy(o.curator);
}

/* Every labelling where there are few, else some. */
static void attack_world(world *w, const ll_plan *plan)
{
    long count = w->rows < 6 ? world_power(w->classes, w->rows) : 1000;
    if (count <= 16)
        for (long s = 0; s < count; s++) {
            world_labelling(w->labels, s, w->rows, w->classes);
            attack(w, plan, (int)draw(w, WORLD_ANSWERS));
        }
    else
        for (int which = 0; which < WORLD_ANSWERS; which++) {
            draw_labels(w);
            attack(w, plan, which);
        }
}

static void count_code(const ll_plan *plan)
{
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    for (long i = 0; i < ll_code_count() && i < WORLDS_COUNT(counts.codes); i++) {
        const char *name = ll_code_get_info(i)->name;
        counts.codes[i] += strncmp(info.code, name, strlen(name)) == 0;
    }
    counts.plans++;
}

static void run_world(uint64_t seed, long number, long most_rows)
{
    world w = {.seed = seed, .number = (uint64_t)number};
    ll_error error = {0};
    ll_plan *plan;
    counts.worlds++;
    draw_world(&w, most_rows);
    if (try_scorer_text(&w.scorer, w.settings, &error) != LL_OK) {
        counts.contradicted++;
        return;
    }
    if (ll_plan_create(&plan, w.scorer, &w.request, &error) == LL_OK) {
        count_code(plan);
        attack_world(&w, plan);
        ll_plan_destroy(plan);
    } else {
        counts.refused++;
        if (error.text[0] == '\0')
            blame(&w, "refused without a word", 0);
    }
    ll_scorer_destroy(w.scorer);
}

static void print_counts(void)
{
    print_message("%ld worlds: %ld contradict themselves, %ld have no plan, %ld have one\n", counts.worlds,
                  counts.contradicted, counts.refused, counts.plans);
    print_message("%ld attacks: %ld with every label certain, %ld with some open; %ld of %ld labels certain\n",
                  counts.attacks, counts.unique, counts.open, counts.certain, counts.rows);
    print_message("wrong %ld, none %ld, short of the promise %ld, faults in all %ld\n", counts.wrong, counts.none,
                  counts.short_of, counts.failed);
    for (long i = 0; i < ll_code_count() && i < WORLDS_COUNT(counts.codes); i++)
        print_message("%s %ld\n", ll_code_get_info(i)->name, counts.codes[i]);
}

static void random_releases(void **state)
{
    (void)state;
    int is_long = world_is_one("LL_TEST_LONG");
    uint64_t seed = (uint64_t)number_of("LL_TEST_SEED", 2201);
    long worlds = (is_long ? 10000 : world_is_one("LL_TEST_LIGHT") ? 200 : 1500) * number_of("LL_TEST_MULTIPLIER", 1);
    long only = number_of("LL_TEST_WORLD", -1);
    print_message("LL_TEST_SEED=%lu\n", (unsigned long)seed);
    metrics = list_metrics();
    codes = list_codes();
    for (long number = only >= 0 ? only : 0; number < (only >= 0 ? only + 1 : worlds); number++)
        run_world(seed, number, is_long && number % 16 == 0 ? MOST_ROWS : 40);
    print_counts();
    assert_int_equal(counts.failed, 0);
    assert_true(only >= 0 || (counts.unique > 10 && counts.open > 0 && counts.refused > 10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_releases)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
