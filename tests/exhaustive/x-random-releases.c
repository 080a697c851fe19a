/* Random releases: metric or profile, rows, classes, targets, arithmetic, order of summation, clip, transform, noise,
 * decimals, digits, weights of rows or classes, told class counts, a further number, groups, a public part, query limit
 * and code are drawn, every name from its table, and the labels too. The scorer answers what it
 * simulates, or either end of the interval in which the real program's score must lie. A label that is called certain
 * is the true one, the true label is always a candidate, some labelling fits, and a plan that promises all labels
 * gives them, at the very ends too. The same of what is inferred from honest predictions, with ties at thresholds.
 *
 * Worlds are numbered: LL_TEST_SEED and LL_TEST_WORLD make the one again that a failure names. LL_TEST_MULTIPLIER=M
 * takes M times as many; LL_TEST_LONG=1 takes more, some of up to 400 rows. LL_TEST_SECONDS=S takes as many as S
 * seconds of processor time are enough for (LL_TEST_TABLE=1: what became of each metric), each pair of metric and code
 * with no more than a few times its share of them: most worlds take a millisecond, plans of metrics whose inverse is
 * searched for take a second. */
#include <limits.h>
#include <math.h>
#include <time.h>

#include "least_step.h"
#include "random_inference.h"
#include "worlds.h"

#include "number/random.h"
#include "plan/plan.h"

#include <flint/flint.h>

enum { MOST_ROWS = 400, SHOWN = 20, LABELLINGS = 24 };

typedef struct {
    uint64_t seed, number, drawn;
    char settings[1024], code[WORLD_NAME], key[3 * WORLD_NAME];
    ll_scorer *scorer;
    ll_plan_request request;
    long rows, classes, limit;
    long place;      /* of its metric in the table */
    unsigned extras; /* of `extras` below */
    int32_t labels[MOST_ROWS];
    unsigned char is_public[MOST_ROWS];
} world;

/* What few worlds have. */
enum { TARGETS, WEIGHTS, CLASS_WEIGHTS, COUNTS, ALSO, GROUPS, PUBLIC, THREE, FOUR, EXTRAS };
static const char *const extras[EXTRAS] = {"targets", "weights", "class-weights", "counts",   "also",
                                           "groups",  "public",  "3 classes",     "4 or more"};
enum { METRICS = 128 };

typedef struct {
    long worlds, plans, attacks, certain, open, wrong, none;
} tally;
static tally of_metric[METRICS], of_extra[EXTRAS];

static world_list metrics, others, codes, arithmetics, transforms, modes, orders, columns, laws;

static struct {
    long worlds, contradicted, refused, plans, attacks, unique, open, certain, rows, wrong, none, failed, shown,
        short_of, left_out, doubted, inferred, inferred_certain;
    long codes[32];
} counts;

static uint64_t draw(world *w, uint64_t below)
{
    return ll_random_below(w->seed, w->number, w->drawn++, below);
}

#define NAME(w, list) ((list).names[draw(w, (uint64_t)(list).count)])
#define PICK(w, array) ((array)[draw(w, (uint64_t)WORLDS_COUNT(array))])

static long number_of(const char *variable, long otherwise)
{
    const char *text = getenv(variable);
    return text != NULL ? strtol(text, NULL, 0) : otherwise;
}

/* ---- time */

enum { PAIRS = 4096 };
static struct {
    double seconds, spent[PAIRS];
} shares;

static double now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* The place of the world's metric and code. */
static long pair_of(const world *w)
{
    uint64_t hash = 14695981039346656037U;
    for (const char *c = w->key; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211U;
    return (long)((hash ^ hash >> 32) % PAIRS);
}

/* Has its pair had more than twice its share? */
static int is_left_out(const world *w)
{
    double all = (double)((metrics.count + others.count + ll_profile_count()) * (codes.count + 1));
    return shares.seconds > 0 && shares.spent[pair_of(w)] > 0.02 + 2 * now() / all;
}

static void spend(const world *w, double seconds)
{
    shares.spent[pair_of(w)] += seconds;
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
    static const char *const clips[] = {"1e-15", "1e-15", "auto", "1e-7", "0.001", "0.3"};
    if (draw(w, 6) == 0) {
        const char *name = ll_profile_get_info((long)draw(w, (uint64_t)ll_profile_count()))->name;
        add(w, "scorer=%s;", name);
        (void)snprintf(w->key, sizeof w->key, "%s", name);
        return;
    }
    const char *metric = draw(w, 6) == 0 ? "log-loss" : draw(w, 2) == 0 ? NAME(w, others) : NAME(w, metrics);
    (void)snprintf(w->key, sizeof w->key, "%s", metric);
    add(w, "metric=%s; arithmetic=%s;", metric, draw(w, 4) == 0 ? "fp64" : NAME(w, arithmetics));
    if (strcmp(metric, "log-loss") != 0 || draw(w, 6) == 0)
        return;
    add(w, "clip-mode=%s; clip=%s;", NAME(w, modes), draw(w, 6) == 0 ? "100" : PICK(w, clips));
}

static void draw_computation(world *w)
{
    if (draw(w, 4) != 0)
        add(w, "sum=%s;", NAME(w, orders));
    if (draw(w, 8) == 0)
        add(w, "sum-arithmetic=fp64;");
    if (draw(w, 6) == 0)
        add(w, "columns=%s;", NAME(w, columns));
}

static void draw_release(world *w)
{
    char noise[WORLD_NAME];
    uint64_t rounding = draw(w, 5);
    if (draw(w, 2) == 0)
        add(w, "transform=%s;", NAME(w, transforms));
    if (rounding >= 3)
        add(w, "decimals=none; digits=%d;", 1 + (int)draw(w, 17));
    else if (rounding >= 1)
        add(w, "decimals=%d;", (int)draw(w, 16));
    if (rounding > 0 && draw(w, 3) == 0)
        add(w, "truncate=yes;");
    if (draw(w, 3) == 0) {
        world_noise(noise, sizeof noise, NAME(w, laws), exp(-(double)draw(w, 30000) / 1000));
        add(w, "noise=%s;", noise);
    }
    if (draw(w, 6) == 0)
        add(w, "queries=%ld;", w->limit = 1 + (long)draw(w, 12));
}

static void draw_labels(world *w)
{
    uint64_t skew = draw(w, 3); /* all labels alike, mostly 0, uniform */
    for (long i = 0; i < w->rows; i++)
        w->labels[i] = skew == 0                      ? (int32_t)(w->number % (uint64_t)w->classes)
                       : skew == 1 && draw(w, 5) != 0 ? 0
                                                      : (int32_t)draw(w, (uint64_t)w->classes);
}

/* Of few rows: whole numbers, zeros among them, or of many sizes. */
static void draw_weights(world *w)
{
    uint64_t kind = draw(w, 3);
    w->extras |= 1u << WEIGHTS;
    add(w, "weights=");
    for (long i = 0; i < w->rows; i++)
        add(w, "%s%.6g", i > 0 ? "," : "",
            kind == 0 ? (double)draw(w, 5) + (i == 0) : exp(((double)draw(w, 2000) / 1000 - 1) * (kind == 1 ? 1 : 12)));
    add(w, ";");
}

static void draw_class_weights(world *w)
{
    w->extras |= 1u << CLASS_WEIGHTS;
    if (draw(w, 2) == 0) {
        add(w, "class-weights=balanced;");
        return;
    }
    add(w, "class-weights=");
    for (long k = 0; k < w->classes; k++)
        add(w, "%s%.4g", k > 0 ? "," : "", exp((double)draw(w, 4000) / 1000 - 2));
    add(w, ";");
}

/* Those of the labels; every labelling that is tried then has them. */
static void draw_counts(world *w)
{
    w->extras |= 1u << COUNTS;
    draw_labels(w);
    for (long k = 0; k < w->classes; k++) {
        long rows = 0;
        for (long i = 0; i < w->rows; i++)
            rows += w->labels[i] == k;
        add(w, "%s%ld", k > 0 ? "," : "counts=", rows);
    }
    add(w, ";");
}

static void draw_also(world *w)
{
    static const char *const thresholds[] = {"open", "open", "argmax", "0.5", "from:0.5", "above:0.5"};
    w->extras |= 1u << ALSO;
    for (uint64_t i = 0, more = 1 + draw(w, 2); i < more; i++) {
        add(w, "%s%s:decimals=%d", i == 0 ? "also=" : "|", draw(w, 2) == 0 ? "accuracy" : NAME(w, others),
            (int)draw(w, 7));
        if (draw(w, 4) == 0)
            add(w, ",transform=%s", draw(w, 3) == 0 ? "identity" : draw(w, 2) == 0 ? "percent" : "scale:-1");
        if (draw(w, 4) == 0)
            add(w, ",noise=%s", draw(w, 2) == 0 ? "none" : "bounded:0.001");
    }
    add(w, "; threshold=%s;", PICK(w, thresholds));
}

static void draw_groups(world *w)
{
    w->extras |= 1u << GROUPS;
    for (long i = 0; i < w->rows; i++)
        add(w, "%s%c", i > 0 ? "," : "groups=", (char)('a' + draw(w, 3)));
    add(w, ";");
}

static void draw_public(world *w)
{
    static const char *const parts[] = {"unknown", "unknown", "0.5", "0.7", "2", "3"};
    w->extras |= 1u << PUBLIC;
    add(w, "public=%s;", PICK(w, parts));
}

static void draw_extras(world *w)
{
    uint64_t kind = draw(w, 24);
    if (draw(w, 6) == 0)
        add(w, "zero-division=%s;", draw(w, 4) == 0 ? "raise" : draw(w, 2) == 0 ? "1" : "0");
    if (draw(w, 8) == 0 && w->rows <= 40)
        draw_counts(w);
    if (w->rows > 12)
        return;
    if (kind < 4)
        draw_weights(w);
    else if (kind == 4)
        draw_class_weights(w);
    else if (kind <= 6)
        draw_also(w);
    else if (kind == 7)
        draw_groups(w);
    else if (kind == 8)
        draw_public(w);
}

/* A grid of as many numbers as there are classes, for metrics that say that they need one. */
static void draw_targets(world *w)
{
    static const double lows[] = {0, 0, 1, -2, 0.5, 10}, steps[] = {1, 1, 0.5, 2, 10};
    double low = PICK(w, lows), step = PICK(w, steps);
    w->extras |= 1u << TARGETS;
    add(w, "targets=%g:%g:%g;", low, low + step * (double)(w->classes - 1), step);
    if (draw(w, 4) == 0)
        add(w, "clip-targets=yes;");
    if (draw(w, 4) == 0 && ll_metric_undefined(w->scorer->computation.metric) != NULL)
        add(w, "undefined=%s;", draw(w, 2) == 0 ? "fails" : "0.25");
}

static void draw_code(world *w)
{
    int is_plain = (w->extras & ~(1u << TARGETS | 1u << THREE | 1u << FOUR)) == 0;
    (void)snprintf(w->code, sizeof w->code, "%s",
                   draw(w, 2) == 0 || !is_plain ? "auto" : codes.names[draw(w, (uint64_t)codes.count)]);
    (void)snprintf(w->key + strlen(w->key), sizeof w->key - strlen(w->key), " %s", w->code);
    ll_plan_request_init(&w->request);
    w->request.code = w->code;
    w->request.block = draw(w, 6) == 0 ? 1 + (long)draw(w, (uint64_t)w->rows) : 0;
    static const ll_budget little = {.size = sizeof little, .memory = 1e8, .seconds = 2};
    w->request.budget = &little;
}

static void draw_world(world *w, long most_rows)
{
    w->rows = 1 + (long)draw(w, (uint64_t)(draw(w, 16) == 0 ? most_rows : 7));
    w->classes = 2 + (draw(w, 2) != 0 ? 0 : (long)draw(w, 4));
    add(w, "rows=%ld; classes=%ld; seed=%lu;", w->rows, w->classes, (unsigned long)w->number);
    draw_metric(w);
    draw_computation(w);
    w->extras |= w->classes == 3 ? 1u << THREE : w->classes > 3 ? 1u << FOUR : 0;
    draw_release(w);
    draw_extras(w);
    draw_code(w);
}

/* Metrics of numeric targets have the grid 0, 1, ... of their classes where none is told. */
static int is_for_targets(const world *w)
{
    return ll_metric_takes_targets(w->scorer->computation.metric);
}

/* LL_DOMAIN: it contradicts itself. */
static ll_status make_scorer(world *w, ll_error *error)
{
    ll_status status = try_scorer_text(&w->scorer, w->settings, error);
    if (status == LL_OK && is_for_targets(w) && draw(w, 2) == 0) {
        draw_targets(w);
        ll_scorer_destroy(w->scorer);
        status = try_scorer_text(&w->scorer, w->settings, error);
    }
    const char *name = status == LL_OK ? ll_metric_row(w->scorer->computation.metric)->name : "";
    for (long i = 0; i < ll_metric_count() && i < METRICS; i++)
        if (strcmp(ll_metric_get_info(i)->name, name) == 0)
            w->place = i;
    return status;
}

/* ---- what became of it */

static int has(const world *w, int extra)
{
    return (w->extras >> extra & 1) != 0;
}

static void count_in(tally *t, const tally *one)
{
    t->worlds += one->worlds;
    t->plans += one->plans;
    t->attacks += one->attacks;
    t->certain += one->certain;
    t->open += one->open;
    t->wrong += one->wrong;
    t->none += one->none;
}

/* For its metric, and all that it has. */
static void count(const world *w, tally one)
{
    count_in(&of_metric[w->place], &one);
    for (int e = 0; e < EXTRAS; e++)
        if (has(w, e))
            count_in(&of_extra[e], &one);
}

static void print_tally(const char *name, const tally *t)
{
    print_message("| %-22s | %7ld | %6ld | %7ld | %8ld | %8ld | %2ld | %2ld |\n", name, t->worlds, t->plans, t->attacks,
                  t->certain, t->open, t->wrong, t->none);
}

static void print_table(void)
{
    tally all = {0};
    print_message("| metric                 |  worlds |  plans | attacks |  certain |     open | wrong | none |\n"
                  "|---|---|---|---|---|---|---|---|\n");
    for (long i = 0; i < ll_metric_count(); i++) {
        print_tally(ll_metric_get_info(i)->name, &of_metric[i]);
        count_in(&all, &of_metric[i]);
    }
    print_tally("all metrics", &all);
    for (int e = 0; e < EXTRAS; e++)
        print_tally(extras[e], &of_extra[e]);
}

/* Faults are counted to the end; the first are shown. */
static void blame(const world *w, const char *what, int which)
{
    int wrong = strstr(what, "wrong") != NULL || strstr(what, "candidate") != NULL, none = strstr(what, "fits") != NULL;
    counts.wrong += wrong;
    counts.none += none;
    count(w, (tally){.wrong = wrong, .none = none});
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

/* Where all labels are alike a kappa is the same for every submission, whichever class they are, and so is what
 * programs give for R^2; explained variance is the same of labels that are shifted. */
static int is_blind(const world *w, const char *code)
{
    int alike = 1;
    for (long i = 1; i < w->rows; i++)
        alike = alike && w->labels[i] == w->labels[0];
    const ll_metric *metric = w->scorer->computation.metric;
    return (alike && (strncmp(code, "ordered", 7) == 0 || ll_metric_is_fit(metric))) || ll_metric_is_centred(metric);
}

/* Are all labels promised? Averages of signs are not, nor are classes by contrasts, which may be too coarse, nor counts that are
 * rounded to several at once; counts of
 * matches of two classes are read by their parity, and counts that are cut may stand at the end of two intervals, or
 * two of them in one; ranks of several classes that are shown coarsely may be those of other class counts; a number
 * that is short by chance is taken for a shortened one. */
static int promises_all(const world *w, const ll_plan *plan, long fewest, long first)
{
    int is_whole = w->scorer->release.is_float && !ll_release_is_rounded(&w->scorer->release);
    if (is_whole && first <= 16) /* nothing vouches for it, so it is as good as its last digit */
        return 0;
    const char *digits = strstr(w->settings, "digits=");
    long whole = strstr(w->settings, "decimals=") != NULL && digits == NULL ? 0
                 : digits != NULL                                           ? strtol(digits + 7, NULL, 10)
                                                                            : 11;
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    const unsigned vague = 1u << ALSO | 1u << GROUPS | 1u << PUBLIC | 1u << COUNTS | 1u << CLASS_WEIGHTS;
    return w->limit == 0 && (w->extras & vague) == 0 && ll_plan_rows_within(plan, 0) == w->rows && fewest > whole - 2 &&
           strncmp(info.code, "hadamard", 8) != 0 && strncmp(info.code, "cells", 5) != 0 &&
           strncmp(info.code, "edges", 5) != 0 && !is_blind(w, info.code) &&
           !(strcmp(info.writer, "ranks") == 0 && w->classes > 2) &&
           !(strcmp(info.writer, "labels") == 0 &&
             (w->classes == 2 || strstr(w->settings, "truncate=yes") || hides_a_match(plan)));
}

static void count_verdict(world *w, const ll_verdict *verdict, int promised, int which)
{
    int32_t truth[MOST_ROWS];
    for (long i = 0; i < w->rows; i++) /* a row that is not public is of one class more */
        truth[i] = has(w, PUBLIC) && !w->is_public[i] ? (int32_t)w->classes : w->labels[i];
    const char *fault = world_fault(verdict, truth, w->rows, verdict->classes);
    count(w, (tally){.attacks = 1, .certain = verdict->certain, .open = w->rows - verdict->certain});
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

/* Metrics of counts are not defined for all labels, or negative; scores that are all short by chance are not believed;
 * of several numbers one that no plan reads may overflow in a float of 8 bits. */
static void blame_refusal(const world *w, const char *why, int which)
{
    if (strstr(why, "the scores were shortened") != NULL)
        counts.doubted++;
    else if (strstr(why, "no value") == NULL && strstr(why, "no root") == NULL && strstr(why, "0/0") == NULL &&
             !(has(w, ALSO) && strstr(why, "overflows") != NULL))
        blame(w, why, which);
}

/* 0: no part of that size may be public. */
static int choose_public(world *w, ll_curator *curator)
{
    uint64_t share = 1 + draw(w, 4);
    for (long i = 0; has(w, PUBLIC) && i < w->rows; i++)
        w->is_public[i] = draw(w, 4) < share;
    return !has(w, PUBLIC) || ll_curator_set_public(curator, w->is_public, w->rows, NULL) == LL_OK;
}

static void attack(world *w, const ll_plan *plan, int which)
{
    world_oracle o = {.which = which};
    ll_error error = {0};
    ll_verdict verdict;
    ll_verdict_init(&verdict);
    ll_oracle oracle = {.self = &o, .ask = world_answer};
    ll_status status = ll_curator_create(&o.curator, w->scorer, w->labels, w->rows, &error);
    if (status != LL_OK || choose_public(w, o.curator)) {
        status = status == LL_OK ? ll_attack_run(plan, &verdict, &oracle, NULL, &error) : status;
        if (status != LL_OK)
            blame_refusal(w, error.text, which);
        else
            count_verdict(w, &verdict, promises_all(w, plan, o.fewest, o.first), which);
    }
    ll_verdict_clear(&verdict);
    ll_curator_destroy(o.curator);
}

static void shuffle(world *w)
{
    for (long i = w->rows - 1; i > 0; i--) {
        long j = (long)draw(w, (uint64_t)i + 1);
        int32_t label = w->labels[i];
        w->labels[i] = w->labels[j];
        w->labels[j] = label;
    }
}

/* Every labelling where there are few, else some, more where there is time. Random noise has no ends. */
static void attack_world(world *w, const ll_plan *plan)
{
    int is_one =
        !has(w, ALSO) && !has(w, GROUPS) && ll_scorer_count_numbers(w->scorer) == 1; /* ends are of one number */
    uint64_t answers = is_one && ll_release_is_bounded(&w->scorer->release) ? WORLD_ANSWERS : 1;
    if (has(w, COUNTS)) {
        for (long i = 0; i < 6; i++, shuffle(w))
            attack(w, plan, (int)draw(w, answers));
        return;
    }
    long count = w->rows < 6 ? world_power(w->classes, w->rows) : 1000;
    if (count <= 16)
        for (long s = 0; s < count; s++) {
            world_labelling(w->labels, s, w->rows, w->classes);
            attack(w, plan, (int)draw(w, answers));
        }
    else
        for (long i = 0; i < (shares.seconds > 0 && w->rows <= 7 ? LABELLINGS : (long)answers); i++) {
            draw_labels(w);
            attack(w, plan, (int)(i % (long)answers));
        }
}

/* What honest predictions tell, of few labellings. */
static void infer_world(world *w)
{
    int is_known = ll_release_is_bounded(&w->scorer->release) && !has(w, PUBLIC) && !has(w, GROUPS);
    if (!is_known || w->rows > INFERRED_ROWS || pow((double)w->classes, (double)w->rows) > 300)
        return;
    for (int i = 0; i < 4; i++) {
        honest h = {.seed = w->seed + 1, .number = w->number, .drawn = (uint64_t)i << 20};
        ll_inference inference;
        if (has(w, COUNTS))
            shuffle(w);
        else
            draw_labels(w);
        ll_inference_init(&inference);
        ll_status status = honest_infer(&h, &inference, w->scorer, w->labels);
        const char *fault = status == LL_OK ? world_fault(inference.verdict, w->labels, w->rows, w->classes) : NULL;
        if (fault != NULL)
            blame(w, fault, 3 + i);
        counts.inferred += status == LL_OK;
        counts.inferred_certain += status == LL_OK ? inference.verdict->certain : 0;
        ll_inference_clear(&inference);
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
    draw_world(&w, most_rows);
    if (is_left_out(&w)) {
        counts.left_out++;
        return;
    }
    double begun = now();
    counts.worlds++;
    if (make_scorer(&w, &error) != LL_OK) {
        counts.contradicted++;
        return;
    }
    count(&w, (tally){.worlds = 1});
    if (!ll_release_is_bounded(&w.scorer->release))
        w.request.guarantee = LL_LIKELY; /* nothing is certain; the answers are x-likely's, here is that they come */
    if (ll_plan_create(&plan, w.scorer, &w.request, &error) == LL_OK) {
        count_code(plan);
        count(&w, (tally){.plans = 1});
        attack_world(&w, plan);
        ll_plan_destroy(plan);
    } else {
        counts.refused++;
        if (error.text[0] == '\0')
            blame(&w, "refused without a word", 0);
    }
    infer_world(&w);
    ll_scorer_destroy(w.scorer);
    spend(&w, now() - begun);
}

static void print_counts(void)
{
    print_message("%ld worlds: %ld contradict themselves, %ld have no plan, %ld have one\n", counts.worlds,
                  counts.contradicted, counts.refused, counts.plans);
    if (shares.seconds > 0)
        print_message("%ld were left out, since their metric and code had had their time\n", counts.left_out);
    print_message("%ld attacks: %ld with every label certain, %ld with some open; %ld of %ld labels certain\n",
                  counts.attacks, counts.unique, counts.open, counts.certain, counts.rows);
    print_message("%ld inferences of honest predictions, %ld labels certain\n", counts.inferred,
                  counts.inferred_certain);
    print_message("wrong %ld, none %ld, short of the promise %ld, faults in all %ld; %ld refused, their scores short\n",
                  counts.wrong, counts.none, counts.short_of, counts.failed, counts.doubted);
    for (long i = 0; i < ll_code_count() && i < WORLDS_COUNT(counts.codes); i++)
        print_message("%s %ld\n", ll_code_get_info(i)->name, counts.codes[i]);
}

static void list_all(void)
{
    add_metrics(&metrics, 1);
    add_metrics(&others, 0);
    codes = list_codes();
    arithmetics = list_arithmetics();
    transforms = list_transforms();
    modes = list_words(LL_SET_CLIP_MODE);
    orders = list_words(LL_SET_SUM);
    columns = list_words(LL_SET_COLUMNS);
    laws = list_laws();
}

static void random_releases(void **state)
{
    (void)state;
    int is_long = world_is_one("LL_TEST_LONG");
    uint64_t seed = (uint64_t)number_of("LL_TEST_SEED", 2201);
    long worlds = (is_long ? 10000 : world_is_one("LL_TEST_LIGHT") ? 100 : 400) * number_of("LL_TEST_MULTIPLIER", 1);
    long only = number_of("LL_TEST_WORLD", -1);
    print_message("LL_TEST_SEED=%lu\n", (unsigned long)seed);
    list_all();
    shares.seconds = (double)number_of("LL_TEST_SECONDS", 0);
    worlds = shares.seconds > 0 ? LONG_MAX : worlds;
    for (long number = only >= 0 ? only : 0; number < (only >= 0 ? only + 1 : worlds); number++) {
        if (shares.seconds > 0 && now() > shares.seconds)
            break;
        run_world(seed, number, is_long && number % 16 == 0 ? MOST_ROWS : 40);
    }
    print_counts();
    if (world_is_one("LL_TEST_TABLE"))
        print_table();
    assert_int_equal(counts.failed, 0);
    assert_true(counts.doubted <= 5 + counts.attacks / 200);
    assert_true(only >= 0 || (counts.unique > 10 && counts.open > 0 && counts.refused > 10 && counts.inferred > 10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_releases)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
