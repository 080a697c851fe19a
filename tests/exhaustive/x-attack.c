/* Small worlds, exhaustively: every labelling x loss x code x arithmetic x noise. What the decoder calls unique is the
 * truth and is what LabelInf finds; a plan that is refused is refused for a reason that is checked here on its own.
 *
 * LL_TEST_LONG=1 takes every N up to 10 (K = 2), 6 (K = 3), 4 (K = 5); without it, the sizes are smaller.
 * LL_TEST_LIGHT=1 (sanitizers) takes one of the three noises for each loss, code and arithmetic. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "code/code.h"
#include "metric/metric.h"
#include "search/exhaustive.h"

static const char *const losses[] = {"log-loss", "sigmoid-ce", "softmax-ce",          "itakura-saito",
                                     "squared",  "norm:2.5",   "bregman:x^4+x^2+2*x", "accuracy"};
static const char *const codes[] = {"powers",     "powers:closed", "primes", "primes:c=sqrt", "paper-multiclass",
                                    "prime-rows", "icml21",        "radix",  "sum-distinct",  "detecting"};
static const char *const arithmetics[] = {"exact", "fp64", "fp32", "fpa:24"};
static const char *const tau = "0.01";

#define COUNT(array) ((long)(sizeof(array) / sizeof(array[0])))

static long attacks, plans, refusals;

typedef struct {
    ll_scorer scorer;
    const char *code;
    ll_plan *plan;
    ll_plan_info info;
} world;

static void set_scorer(world *w, const char *loss, const char *arithmetic, int noise, long rows, long classes)
{
    ll_scorer_init(&w->scorer);
    w->scorer.loss = loss;
    w->scorer.arithmetic = arithmetic;
    w->scorer.rows = rows;
    w->scorer.classes = classes;
    w->scorer.order = LL_SUM_PAIRWISE;
    w->scorer.precision = 400;
    if (noise != 0) {
        w->scorer.noise = LL_NOISE_BOUNDED;
        w->scorer.noise_size = tau;
        w->scorer.draw = noise > 0 ? LL_DRAW_PLUS : LL_DRAW_MINUS;
    }
}

/* ---- LabelInf: the weights of one query's stored predictions in balls, all labellings of its block */

static void ideal_terms(const world *w, arb_ptr terms, const ll_block *block, long row)
{
    ll_metric *loss;
    ll_error error;
    assert_int_equal(ll_metric_create(&loss, w->scorer.loss, &error), LL_OK);
    ll_arithmetic balls;
    ll_arithmetic_set_ball(&balls, 700);
    long columns = w->info.columns;
    ll_value values[8];
    for (long c = 0; c <= columns; c++) {
        balls.ops->init(&balls, &values[c]);
        if (c < columns && block->exacts != NULL)
            ll_exact_get_ball(values[c].ball, block->exacts + row * columns + c, 700);
        else if (c < columns)
            arb_set_d(values[c].ball, block->doubles[row * columns + c]);
    }
    for (long k = 0; k < w->info.classes; k++) {
        assert_int_equal(ll_metric_score(loss, &balls, &values[columns], values, columns, k), LL_OK);
        arb_set(terms + k, values[columns].ball);
    }
    for (long c = 0; c <= columns; c++)
        balls.ops->clear(&balls, &values[c]);
    ll_metric_destroy(loss);
}

/* The labelling of the query's block whose ideal score is nearest to the one released; other rows are as in `truth`
 * (they have weight 0, so it does not matter, but for a phi that is only neutral up to rounding). */
static void label_inf(const world *w, int32_t *out, long query, const char *score, const int32_t *truth)
{
    long rows = w->info.rows, classes = w->info.classes, first = query * w->info.block;
    long own = first + w->info.block <= rows ? w->info.block : rows - first;
    ll_predictions predictions;
    ll_block block;
    ll_error error;
    ll_block_init(&block);
    assert_int_equal(ll_plan_predictions(w->plan, &predictions, query, &error), LL_OK);
    assert_int_equal(predictions.get(predictions.self, &block, 0, rows, &error), LL_OK);
    arb_ptr terms = _arb_vec_init(rows * classes);
    arb_t target, tolerance;
    arb_init(target);
    arb_init(tolerance);
    assert_int_equal(arb_set_str(target, score, 900), 0);
    arb_mul_si(target, target, rows, 900);
    for (long i = 0; i < rows; i++) {
        ideal_terms(w, terms + i * classes, &block, i);
        if (i < first || i >= first + own)
            arb_sub(target, target, terms + i * classes + truth[i], 900);
    }
    ll_search_result result;
    assert_int_equal(ll_search_result_init(&result, own, 1), LL_OK);
    assert_int_equal(
        ll_search_exhaustive_balls(&result, terms + first * classes, own, classes, target, tolerance, 1, 900, &error),
        LL_OK);
    memcpy(out + first, result.best, sizeof(int32_t) * (size_t)own);
    ll_search_result_clear(&result);
    _arb_vec_clear(terms, rows * classes);
    arb_clear(target);
    arb_clear(tolerance);
    ll_block_clear(&block);
}

/* Codes that need several queries for one block: the labelling whose worst distance over all queries is least. Doubles
 * are enough here, where every distance of a wrong labelling is at least the noise away. */
static void joint_label_inf(const world *w, int32_t *out, char *const *scores)
{
    long rows = w->info.rows, classes = w->info.classes, count = 1;
    double *terms = calloc((size_t)(w->info.queries * rows * classes), sizeof *terms), best = INFINITY;
    arb_ptr balls = _arb_vec_init(classes);
    for (long q = 0; q < w->info.queries; q++) {
        ll_predictions predictions;
        ll_block block;
        ll_block_init(&block);
        assert_int_equal(ll_plan_predictions(w->plan, &predictions, q, NULL), LL_OK);
        assert_int_equal(predictions.get(predictions.self, &block, 0, rows, NULL), LL_OK);
        for (long i = 0; i < rows; i++) {
            ideal_terms(w, balls, &block, i);
            for (long k = 0; k < classes; k++)
                terms[(q * rows + i) * classes + k] = arf_get_d(arb_midref(balls + k), ARF_RND_NEAR);
        }
        ll_block_clear(&block);
    }
    for (long i = 0; i < rows; i++)
        count *= classes;
    for (long s = 0; s < count; s++) {
        double worst = 0;
        for (long q = 0; q < w->info.queries; q++) {
            double sum = -strtod(scores[q], NULL) * (double)rows;
            for (long i = 0, rest = s; i < rows; i++, rest /= classes)
                sum += terms[(q * rows + i) * classes + rest % classes];
            worst = fmax(worst, fabs(sum));
        }
        if (worst < best) {
            best = worst;
            for (long i = 0, rest = s; i < rows; i++, rest /= classes)
                out[i] = (int32_t)(rest % classes);
        }
    }
    _arb_vec_clear(balls, classes);
    free(terms);
}

/* ---- one attack */

typedef struct {
    ll_oracle inner;
    char *scores[16];
} recorder;

static ll_status record(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    recorder *r = self;
    ll_status status = r->inner.ask(r->inner.self, score, predictions, query, error);
    if (status == LL_OK)
        r->scores[query] = strdup(*score);
    return status;
}

static void attack(const world *w, const int32_t *truth, int with_reference)
{
    ll_curator *curator;
    ll_verdict verdict;
    ll_error error;
    ll_verdict_init(&verdict);
    assert_int_equal(ll_curator_create(&curator, &w->scorer, truth, w->info.rows, &error), LL_OK);
    recorder r = {.inner = ll_curator_oracle(curator)};
    ll_oracle oracle = {.self = &r, .ask = record};
    if (ll_attack_run(w->plan, &verdict, &oracle, NULL, &error) != LL_OK)
        fail_msg("%s %s %s: %s", w->scorer.loss, w->code, w->scorer.arithmetic, error.text);
    if (verdict.kind != LL_UNIQUE || memcmp(verdict.labels, truth, sizeof(int32_t) * (size_t)w->info.rows) != 0)
        fail_msg("%s, %s, %s, %s noise, %ld x %ld: verdict %d, %ld certain", w->scorer.loss, w->code,
                 w->scorer.arithmetic, w->scorer.noise == LL_NOISE_NONE ? "no" : "some", w->scorer.rows,
                 w->scorer.classes, verdict.kind, verdict.certain);
    int32_t nearest[16];
    int is_joint = w->info.block == w->info.rows && w->info.queries > 1;
    if (with_reference && is_joint)
        joint_label_inf(w, nearest, r.scores);
    for (long q = 0; q < w->info.queries; q++) {
        if (with_reference && !is_joint)
            label_inf(w, nearest, q, r.scores[q], truth);
        free(r.scores[q]);
    }
    if (with_reference)
        assert_memory_equal(nearest, truth, sizeof(int32_t) * (size_t)w->info.rows);
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    attacks++;
}

/* ---- refusals, each with a reason that is computed here */

/* The heaviest weight of one row over the gap: what the reach is divided by before noise is compared. */
static double weight_over_gap(const world *w)
{
    ll_code *code;
    if (ll_code_name_has_levels(w->code))
        return (double)(w->scorer.classes - 1);
    assert_int_equal(ll_code_create(&code, w->code, 1, w->scorer.classes, NULL, 0, NULL), LL_OK);
    arb_t gap, first, last;
    arb_init(gap);
    arb_init(first);
    arb_init(last);
    ll_code_gap(code, gap, 64);
    ll_code_weight(code, first, 0, 0, 64);
    ll_code_weight(code, last, 0, w->scorer.classes - 1, 64);
    arb_sub(last, last, first, 64);
    arb_div(last, last, gap, 64);
    double ratio = fabs(arf_get_d(arb_midref(last), ARF_RND_NEAR));
    arb_clear(gap);
    arb_clear(first);
    arb_clear(last);
    ll_code_destroy(code);
    return ratio;
}

/* Does one row alone, with all the reach there is, fail to stand out from the noise? Rows of K entries that sum to 1
 * reach 4/K of squared error with weights in equal steps. */
static int reach_is_too_small(const world *w)
{
    ll_metric *loss;
    ll_error error;
    arb_t low, high;
    arb_init(low);
    arb_init(high);
    assert_int_equal(ll_metric_create(&loss, w->scorer.loss, &error), LL_OK);
    int small =
        ll_metric_reach(loss, low, high, NULL, 64) == LL_OK && arb_is_finite(high) &&
        arf_get_d(arb_midref(high), ARF_RND_NEAR) * (w->scorer.classes > 2 ? 4.0 / (double)w->scorer.classes : 1) <
            2.7 * (double)w->scorer.rows * 0.01 * weight_over_gap(w);
    ll_metric_destroy(loss);
    arb_clear(low);
    arb_clear(high);
    return small && w->scorer.noise != LL_NOISE_NONE;
}

/* prime-rows has a gap of its own that no unit widens: at least 1/(M+1), M the product of each row's largest prime. It
 * is the appendix's example for cross-entropy, and cannot be scaled down to a loss of small reach. */
static int prime_rows_cannot(const world *w)
{
    return strcmp(w->code, "prime-rows") == 0 &&
           (w->scorer.noise != LL_NOISE_NONE || strcmp(w->scorer.loss, "log-loss") != 0);
}

static int closed_cannot(const world *w)
{
    return strcmp(w->code, "powers:closed") == 0 &&
           (w->scorer.noise == LL_NOISE_NONE || strcmp(w->scorer.loss, "itakura-saito") != 0);
}

static int classes_cannot(const world *w)
{
    int binary_loss = strcmp(w->scorer.loss, "log-loss") != 0 && strcmp(w->scorer.loss, "softmax-ce") != 0 &&
                      strcmp(w->scorer.loss, "squared") != 0;
    static const char *const any[] = {"paper-multiclass", "prime-rows", "radix", "sum-distinct", "detecting"};
    int binary_code = 1;
    for (long i = 0; i < COUNT(any); i++)
        binary_code = binary_code && strcmp(w->code, any[i]) != 0;
    return w->scorer.classes > 2 && strcmp(w->scorer.loss, "accuracy") != 0 && (binary_loss || binary_code);
}

/* Predictions that are labels: detecting alone knows what to do with them. */
static int labels_cannot(const world *w)
{
    return strcmp(w->scorer.loss, "accuracy") == 0 && strcmp(w->code, "detecting") != 0;
}

/* Codes over bounded integers are for scorers in floats. */
static int levels_cannot(const world *w)
{
    return strcmp(w->scorer.loss, "accuracy") != 0 &&
           (strcmp(w->code, "sum-distinct") == 0 || strcmp(w->code, "detecting") == 0) &&
           strcmp(w->scorer.arithmetic, "exact") == 0;
}

static void check_refusal(const world *w, const char *text)
{
    refusals++;
    if (labels_cannot(w) || classes_cannot(w) || prime_rows_cannot(w) || closed_cannot(w) || levels_cannot(w) ||
        reach_is_too_small(w))
        return;
    fail_msg("refused without a reason: %s, %s, %s, %s noise, %ld x %ld: %s", w->scorer.loss, w->code,
             w->scorer.arithmetic, w->scorer.noise == LL_NOISE_NONE ? "no" : "some", w->scorer.rows, w->scorer.classes,
             text);
}

/* ---- worlds */

static int is_one(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL && strcmp(text, "1") == 0;
}

static void run_world(world *w)
{
    ll_error error = {0};
    if (ll_plan_create(&w->plan, &w->scorer, &(ll_plan_request){.size = sizeof(ll_plan_request), .code = w->code},
                       &error) != LL_OK) {
        check_refusal(w, error.text);
        return;
    }
    plans++;
    ll_plan_get_info(w->plan, &w->info);
    long count = 1, rows = w->info.rows, classes = w->info.classes;
    for (long i = 0; i < rows; i++)
        count *= classes;
    for (long s = 0; s < count; s++) {
        int32_t truth[16];
        long rest = s;
        for (long i = 0; i < rows; i++, rest /= classes)
            truth[i] = (int32_t)(rest % classes);
        attack(w, truth, count <= 64 || s % (count / 16) == 5);
    }
    ll_plan_destroy(w->plan);
}

static void run_size(long rows, long classes)
{
    for (long l = 0; l < COUNT(losses); l++)
        for (long c = 0; c < COUNT(codes); c++)
            for (long a = 0; a < COUNT(arithmetics); a++)
                for (int noise = -1; noise <= 1; noise++) {
                    if (is_one("LL_TEST_LIGHT") && (l + c + a) % 3 != noise + 1)
                        continue;
                    world w = {.code = codes[c]};
                    set_scorer(&w, losses[l], arithmetics[a], noise, rows, classes);
                    run_world(&w);
                }
}

static void small_worlds(void **state)
{
    (void)state;
    int is_long = is_one("LL_TEST_LONG");
    for (long rows = 1; rows <= (is_long ? 10 : 3); rows += is_long ? 1 : 2)
        run_size(rows, 2);
    for (long rows = is_long ? 1 : 2; rows <= (is_long ? 6 : 2); rows++)
        run_size(rows, 3);
    for (long rows = 1; rows <= (is_long ? 4 : 1); rows++)
        run_size(rows, 5);
    print_message("%ld plans, %ld attacks, every label right and certain; %ld refused, each for a reason\n", plans,
                  attacks, refusals);
    assert_true(plans > 0 && attacks > plans && refusals > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_worlds)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
