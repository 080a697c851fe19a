/* Random releases: rows, classes, loss, decimals, clip, arithmetic, order of summation, noise, query limit and code are
 * drawn, and the labels too. The scorer answers what it simulates, or either end of the interval in which the real
 * program's score must lie. A label that is called certain is the true one, the true label is always a candidate, and
 * some labelling fits, at the very ends too.
 *
 * Worlds are numbered: LL_TEST_SEED and the number that a failure names make one again. LL_TEST_LONG=1 takes a
 * thousand of up to 400 rows, a minute or so; without it some dozens of up to 40. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lossleak.h"
#include "number/random.h"

#include <flint/flint.h>

#define COUNT(array) (sizeof(array) / sizeof(array[0]))

static const char *const losses[] = {"log-loss", "log-loss", "log-loss",      "sigmoid-ce", "softmax-ce",
                                     "squared",  "norm:3",   "itakura-saito", "accuracy"};
static const char *const arithmetics[] = {"fp64", "fp64", "fp64", "fp32", "fpa:32", "fp16", "exact"};
static const char *const clips[] = {"1e-15", "1e-15", "auto", "1e-7", "0.001", "0.3"};
static const char *const noises[] = {"1e-12", "1e-6", "0.0003", "0.2", "7"};
static const char *const codes[] = {"auto",      "auto",      "auto",   "powers",     "radix",  "sum-distinct",
                                    "detecting", "detecting", "primes", "prime-rows", "icml21", "paper-multiclass"};

typedef struct {
    uint64_t seed, number, drawn;
    ll_scorer scorer;
    ll_plan_request request;
    int32_t labels[400];
    long answers; /* 0: what is simulated; 1, 2: the lower, upper end; 3: any of them */
} world;

static struct {
    long refused, unique, open, certain, rows;
    long codes[16];
} counts;

static uint64_t draw(world *w, uint64_t below)
{
    return ll_random_below(w->seed, w->number, w->drawn++, below);
}

#define PICK(w, array) ((array)[draw(w, COUNT(array))])

static uint64_t get_seed(void)
{
    const char *text = getenv("LL_TEST_SEED");
    return text != NULL ? strtoull(text, NULL, 0) : 2201;
}

static int is_one(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL && strcmp(text, "1") == 0;
}

/* ---- a world */

static void draw_clip(world *w)
{
    static const ll_clip_mode modes[] = {LL_CLIP, LL_CLIP_RENORMALISE, LL_LOG_CLAMP, LL_LOG_PLUS, LL_FLOOR};
    if (strcmp(w->scorer.loss, "log-loss") != 0 || draw(w, 8) == 0)
        return;
    w->scorer.clip_mode = PICK(w, modes);
    w->scorer.clip = w->scorer.clip_mode == LL_LOG_CLAMP ? "100" : PICK(w, clips);
}

static void draw_release(world *w)
{
    if (draw(w, 4) != 0) {
        w->scorer.rounding = LL_ROUND_DECIMALS;
        w->scorer.places = (int)draw(w, 16);
        w->scorer.truncate = draw(w, 4) == 0;
    }
    if (draw(w, 3) == 0) {
        static const ll_draw draws[] = {LL_DRAW_UNIFORM, LL_DRAW_PLUS, LL_DRAW_MINUS};
        w->scorer.noise = LL_NOISE_BOUNDED;
        w->scorer.noise_size = PICK(w, noises);
        w->scorer.draw = PICK(w, draws);
    }
    uint64_t transform = draw(w, 16);
    w->scorer.transform = transform < 2 ? LL_NEGATE : transform < 4 ? LL_PERCENT : LL_IDENTITY;
    w->scorer.queries = draw(w, 3) == 0 ? 1 + (long)draw(w, 30) : 0;
}

static void draw_world(world *w, long most_rows)
{
    static const ll_order orders[] = {LL_SUM_NAIVE, LL_SUM_PAIRWISE, LL_SUM_CASCADE, LL_SUM_COMPENSATED, LL_SUM_EXACT};
    ll_scorer_init(&w->scorer);
    w->scorer.loss = PICK(w, losses);
    w->scorer.rows = 1 + (long)draw(w, (uint64_t)most_rows);
    w->scorer.classes = 2 + (draw(w, 2) != 0 ? 0 : (long)draw(w, 4));
    w->scorer.arithmetic = PICK(w, arithmetics);
    w->scorer.order = PICK(w, orders);
    w->scorer.seed = w->number;
    draw_clip(w);
    draw_release(w);
    ll_plan_request_init(&w->request);
    w->request.code = PICK(w, codes);
    w->request.block = draw(w, 6) == 0 ? 1 + (long)draw(w, (uint64_t)w->scorer.rows) : 0;
    w->request.max_memory = 1e8;
    w->request.max_seconds = 2;
    w->answers = (long)draw(w, 4);
    uint64_t skew = draw(w, 3); /* all labels alike, mostly 0, uniform */
    for (long i = 0; i < w->scorer.rows; i++)
        w->labels[i] = skew == 0                      ? (int32_t)(w->number % (uint64_t)w->scorer.classes)
                       : skew == 1 && draw(w, 5) != 0 ? 0
                                                      : (int32_t)draw(w, (uint64_t)w->scorer.classes);
}

static void fail_world(const world *w, const char *what)
{
    const ll_scorer *s = &w->scorer;
    fail_msg("LL_TEST_SEED=%lu, world %lu (%s, %ld x %ld, %s, clip %s mode %d, order %d, decimals %d of kind %d, "
             "noise %s, transform %d, code %s, block %ld, limit %ld, answers %ld): %s",
             (unsigned long)w->seed, (unsigned long)w->number, s->loss, s->rows, s->classes, s->arithmetic,
             s->clip != NULL ? s->clip : "none", (int)s->clip_mode, (int)s->order, s->places, (int)s->rounding,
             s->noise_size != NULL ? s->noise_size : "none", (int)s->transform, w->request.code, w->request.block,
             s->queries, w->answers, what);
}

/* ---- its attack */

typedef struct {
    world *w;
    ll_curator *curator;
} scorer;

static ll_status answer(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    (void)query;
    scorer *s = self;
    ll_score out;
    ll_score_init(&out);
    ll_status status = ll_curator_score(s->curator, &out, predictions, error);
    if (status == LL_OK) {
        long which = s->w->answers < 3 ? s->w->answers : (long)draw(s->w, 3);
        *score = strdup(which == 0 ? out.text : which == 1 ? out.lower : out.upper);
    }
    ll_score_clear(&out);
    return status;
}

static void check_verdict(const world *w, const ll_verdict *verdict)
{
    if (verdict->kind == LL_NONE)
        fail_world(w, "no labelling fits");
    long certain = 0;
    for (long i = 0; i < w->scorer.rows; i++) {
        certain += verdict->labels[i] >= 0;
        if (verdict->labels[i] >= 0 && verdict->labels[i] != w->labels[i])
            fail_world(w, "a label is certain and wrong");
        if (!verdict->candidates[i * w->scorer.classes + w->labels[i]])
            fail_world(w, "the true label is no candidate");
    }
    if (verdict->certain != certain || (verdict->kind == LL_UNIQUE) != (certain == w->scorer.rows))
        fail_world(w, "the counts do not fit the labels");
    counts.certain += certain;
    counts.rows += w->scorer.rows;
    *(verdict->kind == LL_UNIQUE ? &counts.unique : &counts.open) += 1;
}

static void count_code(const ll_plan *plan)
{
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    for (long i = 0; i < ll_code_count() && i < (long)COUNT(counts.codes); i++) {
        const char *name = ll_code_get_info(i)->name;
        counts.codes[i] += strncmp(info.code, name, strlen(name)) == 0;
    }
}

static void attack_world(world *w, const ll_plan *plan)
{
    scorer s = {.w = w};
    ll_error error = {0};
    ll_verdict verdict;
    ll_verdict_init(&verdict);
    ll_oracle oracle = {.self = &s, .ask = answer};
    if (ll_curator_create(&s.curator, &w->scorer, w->labels, w->scorer.rows, &error) != LL_OK ||
        ll_attack_run(plan, &verdict, &oracle, NULL, NULL, &error) != LL_OK)
        fail_world(w, error.text);
    check_verdict(w, &verdict);
    ll_verdict_clear(&verdict);
    ll_curator_destroy(s.curator);
}

static int plan_world(const world *w, ll_plan **plan)
{
    ll_error error = {0};
    int made = ll_plan_create(plan, &w->scorer, &w->request, &error) == LL_OK;
    if (!made && error.text[0] == '\0')
        fail_world(w, "refused without a word");
    counts.refused += !made;
    return made;
}

static void run_world(uint64_t seed, long number, long most_rows)
{
    world w = {.seed = seed, .number = (uint64_t)number};
    ll_plan *plan;
    draw_world(&w, most_rows);
    if (!plan_world(&w, &plan))
        return;
    count_code(plan);
    attack_world(&w, plan);
    ll_plan_destroy(plan);
}

static void random_releases(void **state)
{
    (void)state;
    int is_long = is_one("LL_TEST_LONG");
    uint64_t seed = get_seed();
    long worlds = is_long ? 1000 : is_one("LL_TEST_LIGHT") ? 40 : 150;
    const char *only = getenv("LL_TEST_WORLD");
    print_message("LL_TEST_SEED=%lu\n", (unsigned long)seed);
    for (long number = only != NULL ? atol(only) : 0; number < worlds; number++) {
        run_world(seed, number, is_long && number % 3 == 0 ? 400 : 40);
        if (only != NULL)
            return;
    }
    print_message(
        "%ld worlds refused; %ld with every label certain, %ld with some open; %ld of %ld labels certain, all right\n",
        counts.refused, counts.unique, counts.open, counts.certain, counts.rows);
    for (long i = 0; i < ll_code_count() && i < (long)COUNT(counts.codes); i++)
        print_message("%s %ld\n", ll_code_get_info(i)->name, counts.codes[i]);
    assert_true(counts.unique > 10 && counts.open > 0 && counts.refused > 10);
}

/* ---- few rows: every labelling at both ends. With no sum to speak of, what is left is the rounding of terms, mean,
 * percent and noise, in formats so short that each can be seen. */

static void attack_labellings(world *w, const ll_plan *plan)
{
    for (long labelling = 0; labelling < 1L << w->scorer.rows; labelling++)
        for (w->answers = 0; w->answers < 3; w->answers++) {
            for (long i = 0; i < w->scorer.rows; i++)
                w->labels[i] = (int32_t)(labelling >> i & 1);
            attack_world(w, plan);
        }
}

static void every_end(void **state)
{
    (void)state;
    static const char *const shorts[] = {"fp64", "fp32", "fp16", "fpa:14"};
    static const char *const small[] = {"log-loss", "squared", "itakura-saito", "sigmoid-ce"};
    const uint64_t sizes = is_one("LL_TEST_LONG") ? 24 : is_one("LL_TEST_LIGHT") ? 2 : 6;
    static const ll_transform transforms[] = {LL_IDENTITY, LL_NEGATE, LL_PERCENT};
    memset(&counts, 0, sizeof counts);
    for (uint64_t n = 0; n < 2 * COUNT(small) * COUNT(shorts) * sizes * COUNT(transforms); n++) {
        world w = {.seed = get_seed(), .number = n};
        ll_plan *plan;
        uint64_t rest = n / 2;
        ll_scorer_init(&w.scorer);
        w.scorer.rows = 1 + (long)(n % 2);
        w.scorer.classes = 2;
        w.scorer.loss = small[rest % COUNT(small)], rest /= COUNT(small);
        w.scorer.arithmetic = shorts[rest % COUNT(shorts)], rest /= COUNT(shorts);
        char size[32];
        (void)snprintf(size, sizeof size, "%.15g", exp(-(double)draw(&w, 10000) / 1000));
        w.scorer.noise_size = rest % sizes > 0 ? size : NULL, rest /= sizes;
        w.scorer.transform = transforms[rest];
        w.scorer.order = LL_SUM_EXACT;
        w.scorer.noise = w.scorer.noise_size != NULL ? LL_NOISE_BOUNDED : LL_NOISE_NONE;
        w.scorer.draw = n / 2 % 2 == 0 ? LL_DRAW_PLUS : LL_DRAW_MINUS;
        ll_plan_request_init(&w.request);
        w.request.code = n / 2 % 5 == 0 ? "detecting" : "powers";
        if (!plan_world(&w, &plan))
            continue;
        attack_labellings(&w, plan);
        ll_plan_destroy(plan);
    }
    print_message("%ld plans refused; %ld attacks with every label certain, %ld with some open\n", counts.refused,
                  counts.unique, counts.open);
    assert_true(counts.unique > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_releases), cmocka_unit_test(every_end)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
