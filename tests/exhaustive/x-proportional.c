/* Noise in proportion to a submission's own spread (docs/proofs/proportional.md), against exact Bayes over all
 * labellings: ten strategies, five of them adaptive, ask a simulated curator; losses, sensitivities and posteriors are
 * computed here, in plain doubles and with no code of the library. The share of right labels never passes the proved
 * limit by more than chance; the naive cap Phi(sqrt(T/N)/c) is passed. Noise on AUC follows the number of positives,
 * too: there the limit without what its size tells is passed. LL_TEST_LONG: 1000 runs of each strategy, else 12.
 * The spread of every metric of the table, of up to five classes, against the moves of all labellings. */
#include "../unit/scorer_tools.h"
#include "proportional_game.h"
#include "worlds.h"

#include "metric/metric_private.h"
#include "scorer/sensitivity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_long(void)
{
    const char *text = getenv("LL_TEST_LONG");
    return text && *text && strcmp(text, "0") != 0;
}

static long count_runs(void)
{
    return is_long() ? 1000 : 12;
}

/* ---- playing ---- */

static unsigned long draw_labels(const world *w, int32_t *labels)
{
    unsigned long truth = 0;
    long left = w->ones;
    for (long i = 0; i < w->rows; i++) {
        labels[i] = w->ones > 0 ? below(w->rows - i) < left : uniform() < w->prior;
        left -= labels[i];
        truth |= (unsigned long)labels[i] << i;
    }
    return truth;
}

/* The library's spread is the one that was found by trying every labelling, up to the rounding of floats. */
static void check_spread(ll_curator *curator, const ll_predictions *predictions, double own)
{
    double theirs = 0;
    ll_error error = {0};
    assert_int_equal(ll_scorer_get_spread(curator->scorer, &curator->scoring, &theirs, predictions, &error), LL_OK);
    assert_true(theirs >= (own - 1e-9) * (1 - 1e-12) && theirs <= own * (1 + 1e-6) + 1e-6);
}

/* Scores and spreads of every labelling. */
static void set_scores(const world *w, double *scores, double *spreads, const double *x)
{
    unsigned long all = 1UL << w->rows;
    score_all(w, scores, x);
    double own = w->metric->spreads ? 0 : spread(w, scores);
    for (unsigned long y = 0; y < all; y++)
        spreads[y] = own;
    if (w->metric->spreads) {
        w->metric->spreads(spreads, x, w->rows);
        check_moves(w, scores, spreads);
    }
    for (unsigned long y = 0; y < all; y++)
        spreads[y] += 1e-9; /* predictions that are all the same are not quite without noise */
}

static double normal(void)
{
    return sqrt(-2 * log(1 - uniform())) * cos(2 * M_PI * uniform());
}

static void ask_once(game *g, ll_curator *curator, double *scores, double *spreads, const strategy *s)
{
    const world *w = g->world;
    double x[MOST_ROWS];
    ll_score released;
    ll_error error = {0};
    s->ask(g);
    for (long i = 0; i < w->rows; i++)
        x[i] = w->metric->write(g->weights[i]);
    set_scores(w, scores, spreads, x);
    if (w->metric == &followed_f1) {
        learn(g, scores, scores[g->truth] + w->c * spreads[g->truth] * normal(), spreads);
        g->asked++;
        return;
    }
    table t;
    table_set(&t, x, w->rows, 1, LL_ENTRIES_DOUBLE);
    ll_score_init(&released);
    int fails = isnan(scores[g->truth]);
    if (!fails)
        check_spread(curator, &t.source, spreads[g->truth]);
    assert_int_equal(ll_curator_score(curator, &released, &t.source, &error), fails ? LL_DOMAIN : LL_OK);
    learn(g, scores, fails ? (double)NAN : strtod(released.text, NULL), spreads);
    ll_score_clear(&released);
    g->asked++;
}

typedef struct {
    double share; /* of right labels that is expected of the best guess */
    double bits;  /* that were learnt: divergence of the belief from the prior */
} gain;

static double prior_of(const world *w, unsigned long labels)
{
    int ones = __builtin_popcountl(labels);
    double n = (double)w->rows, p = (double)w->ones;
    if (w->ones > 0)
        return ones == w->ones ? exp(lgamma(p + 1) + lgamma(n - p + 1) - lgamma(n + 1)) : 0;
    return pow(w->prior, ones) * pow(1 - w->prior, (double)(w->rows - ones));
}

static gain play(const world *w, const strategy *s, const ll_scorer *scorer, double *scores, double *spreads,
                 double *belief)
{
    int32_t labels[MOST_ROWS];
    gain out = {0, 0};
    game g = {.world = w, .belief = belief};
    ll_curator *curator;
    ll_error error = {0};
    g.truth = draw_labels(w, labels);
    for (unsigned long y = 0; y < 1UL << w->rows; y++)
        belief[y] = prior_of(w, y);
    set_means(&g);
    ll_scorer *own = vary_scorer(scorer, "seed=%ld", below(1L << 40));
    assert_int_equal(ll_curator_create(&curator, own, labels, w->rows, &error), LL_OK);
    for (long t = 0; t < w->answers; t++)
        ask_once(&g, curator, scores, spreads, s);
    for (long i = 0; i < w->rows; i++)
        out.share += fmax(g.means[i], 1 - g.means[i]) / (double)w->rows;
    for (unsigned long y = 0; y < 1UL << w->rows; y++)
        out.bits += belief[y] > 0 ? belief[y] * log2(belief[y] / prior_of(w, y)) : 0;
    ll_curator_destroy(curator);
    ll_scorer_destroy(own);
    return out;
}

/* The limit of the metric; of one whose spread is the same for all labels. Of those it knows no more. */
static gain limit_of(const ll_scorer *scorer, long answers, int is_same)
{
    ll_audit_bound bound;
    ll_error error = {0};
    ll_scorer *any = is_same ? vary_scorer(scorer, "metric=squared") : vary_scorer(scorer, "seed=1");
    assert_int_equal(ll_audit_limit(&bound, any, (double)answers, &error), LL_OK);
    ll_scorer_destroy(any);
    return (gain){bound.max_share, (double)answers * bound.bits_per_query};
}

/* What the size of the noise on F1 tells of row i at most, whose label is changed: d^2/4, in bits. */
static double size_tells(const double *spreads, unsigned long y, long i, double most)
{
    double d = log(spreads[y] / spreads[y ^ 1UL << i]);
    return fmin(most, d * d / 4 / M_LN2);
}

/* The mean over labellings of that, of all rows, each with the submission that makes it most. Of N rows the first m are
 * said to be 1: all that matters of a submission. */
static double followed_told(const world *w)
{
    double told = 0, q = w->prior, most = -q * log2(q) - (1 - q) * log2(1 - q);
    double *spreads = malloc(sizeof *spreads << w->rows), by_ones[MOST_ROWS + 1] = {0}, x[MOST_ROWS] = {0};
    assert_true(spreads != NULL);
    for (long m = 1; m <= w->rows; m++) {
        x[m - 1] = 1;
        f1_spreads(spreads, x, w->rows);
        for (unsigned long y = 0; y < 1UL << w->rows; y++) {
            double sum = 0;
            for (long i = 0; i < w->rows; i++)
                sum += size_tells(spreads, y, i, most);
            double *best = &by_ones[__builtin_popcountl(y)];
            *best = fmax(*best, sum);
        }
    }
    for (unsigned long y = 0; y < 1UL << w->rows; y++)
        told += prior_of(w, y) * by_ones[__builtin_popcountl(y)];
    free(spreads);
    return told;
}

typedef struct {
    double sum, squares;
} total;

static void add(total *t, double x)
{
    t->sum += x;
    t->squares += x * x;
}

static double error_of(const total *t, double runs)
{
    double mean = t->sum / runs;
    return sqrt(fmax(t->squares / runs - mean * mean, 0) / runs);
}

/* Is that above the limit by more than chance? The mean less two standard errors. */
static double hold(const world *w, const char *strategy_name, const char *what, const total *t, double runs,
                   double limit)
{
    double mean = t->sum / runs, error = error_of(t, runs);
    if (mean - 4 * error > limit)
        fail_msg("%s, %ld rows, %ld ones told, %ld answers, c = %g, prior %g, %s: %s %.4f +- %.4f above the limit %.4f",
                 w->metric->settings, w->rows, w->ones, w->answers, w->c, w->prior, strategy_name, what, mean, error,
                 limit);
    return mean - 2 * error;
}

/* The best of all strategies; each is held against the limit. */
static gain try_world(const world *w, long runs)
{
    double *scores = malloc(sizeof *scores << w->rows), *belief = malloc(sizeof *belief << w->rows);
    double *spreads = malloc(sizeof *spreads << w->rows);
    gain best = {0, 0};
    ll_scorer *scorer = scorer_of_text("%s; arithmetic=fp64; rows=%ld; prior=%.3g,%.3g; noise=proportional:%.17g",
                                       w->metric->settings, w->rows, 1 - w->prior, w->prior, w->c);
    if (w->ones > 0) {
        ll_scorer *told = vary_scorer(scorer, "counts=%ld,%ld", w->rows - w->ones, w->ones);
        ll_scorer_destroy(scorer);
        scorer = told;
    }
    gain limit = limit_of(scorer, w->answers, w->metric->spreads == NULL || w->metric == &followed_f1);
    if (w->metric == &followed_f1)
        limit = (gain){1, limit.bits + (double)w->answers * followed_told(w)};
    assert_true(scores != NULL && spreads != NULL && belief != NULL);
    for (int s = 0; s < STRATEGIES; s++) {
        total shares = {0, 0}, bits = {0, 0};
        for (long run = 0; run < runs; run++) {
            gain one = play(w, &strategies[s], scorer, scores, spreads, belief);
            add(&shares, one.share);
            add(&bits, one.bits);
        }
        best.share = fmax(best.share, hold(w, strategies[s].name, "share", &shares, (double)runs, limit.share));
        best.bits = fmax(best.bits, hold(w, strategies[s].name, "bits", &bits, (double)runs, limit.bits));
    }
    printf("%-46s %2ld rows %ld told %3ld answers c %5.2f prior %.2f: best %.4f, limit %.4f, naive %.4f; %.3f of %.3f "
           "bits\n",
           w->metric->settings, w->rows, w->ones, w->answers, w->c, w->prior, best.share, limit.share,
           0.5 * erfc(-sqrt((double)w->answers / (double)w->rows) / w->c / sqrt(2)), best.bits, limit.bits);
    ll_scorer_destroy(scorer);
    free(scores);
    free(spreads);
    free(belief);
    return best;
}

/* The size of noise on AUC tells much of few rows: few answers. */
static void test_limit(void **state)
{
    static const struct {
        long rows, answers;
        double c;
    } sizes[] = {{6, 6, 1}, {8, 16, 1.5}, {10, 20, 2}, {10, 5, 0.7}, {12, 8, 1.2}};
    (void)state;
    for (int m = 0; m < METRICS; m++)
        for (int i = 0; i < (is_long() ? 5 : 4); i++) {
            long answers = m == AUC ? 1 + i % 3 : sizes[i].answers;
            const world w = {&metrics[m], sizes[i].rows, answers, sizes[i].c, (i + m) % 2 ? 0.3 : 0.5, 0};
            (void)try_world(&w, count_runs());
        }
}

/* The class counts known: labels are not independent, and the limit is another (docs/proofs/told-counts.md). */
static void test_told(void **state)
{
    static const struct {
        long rows, ones, answers;
        double c;
    } sizes[] = {{2, 1, 2, 2}, {6, 3, 4, 2}, {8, 1, 3, 1.5}, {8, 2, 8, 3}, {6, 5, 2, 1}};
    (void)state;
    for (int m = 0; m < METRICS; m++)
        for (int i = m == AUC; i < 5; i++) { /* two rows: no neighbour of one positive has an AUC */
            const world w = {&metrics[m], sizes[i].rows, sizes[i].answers, sizes[i].c, 0.5, sizes[i].ones};
            double best = try_world(&w, (i == 0 ? 30 : 2) * count_runs()).share;
            if (strcmp(metrics[m].settings, "metric=squared") == 0 && i == 0)
                assert_true(best > 0.738); /* what the limit for independent labels would say */
        }
}

/* What a formula for questions fixed beforehand would promise is passed by adaptive ones. */
static void test_naive_cap(void **state)
{
    (void)state;
    const world w = {&metrics[1], 10, 20, 2, 0.5, 0};
    double best = try_world(&w, count_runs() > 60 ? count_runs() : 60).share;
    assert_true(best > 0.5 * erfc(-sqrt(2.0) / 2 / sqrt(2)));
}

/* However large the noise on AUC, its size follows the number of positives: who forgets to count that promises too
 * much. */
static void test_size_tells(void **state)
{
    (void)state;
    const world w = {&metrics[AUC], 12, 10, 30, 0.5, 0};
    double best = try_world(&w, count_runs()).bits;
    ll_scorer *scorer = scorer_of_text("metric=auc; arithmetic=fp64; rows=12; noise=proportional:30");
    double forgetful = limit_of(scorer, w.answers, 1).bits;
    ll_scorer_destroy(scorer);
    assert_true(best > 3 * forgetful);
}

/* The theorem for noise that follows the labels, with what its size tells. That alone is more than a limit without it
 * allows, however large c. */
static void test_followed(void **state)
{
    const world worlds[] = {
        {&followed_f1, 8, 6, 1, 0.5, 0}, {&followed_f1, 10, 4, 1.5, 0.3, 0}, {&followed_f1, 10, 10, 40, 0.3, 0}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        double best = try_world(&worlds[i], count_runs()).bits;
        if (worlds[i].c == 40)
            assert_true(best > 3 * (double)worlds[i].answers / 2 / M_LN2 / 1600);
    }
}

/* ---- the spread of every metric ---- */

enum { MOST_LABELLINGS = 700 };

typedef struct {
    ll_scorer *noisy, *plain; /* the same but for the noise */
    long rows, classes, columns, count;
    double x[MOST_ROWS * 8];
    double scores[MOST_LABELLINGS], spreads[MOST_LABELLINGS]; /* NAN: no number, or no spread */
} slow_spreads;

static void draw_submission(slow_spreads *w, ll_input input)
{
    for (long i = 0; i < w->rows; i++) {
        double sum = 0, *row = w->x + i * w->columns, same = uniform();
        for (long k = 0; k < w->columns; k++)
            sum += row[k] = input == LL_INPUT_LABEL         ? (double)below(w->classes)
                            : input == LL_INPUT_PROBABILITY ? (below(2) ? same : uniform())
                                                            : 6 * uniform() - 3;
        for (long k = 0; k < w->columns && w->columns > 1 && input == LL_INPUT_PROBABILITY; k++)
            row[k] /= sum;
    }
}

static void spread_one(slow_spreads *w, long y)
{
    int32_t labels[MOST_ROWS];
    ll_curator *curator;
    ll_score score;
    table t;
    world_labelling(labels, y, w->rows, w->classes);
    table_set(&t, w->x, w->rows, w->columns, LL_ENTRIES_DOUBLE);
    ll_score_init(&score);
    assert_int_equal(ll_curator_create(&curator, w->plain, labels, w->rows, NULL), LL_OK);
    int has = ll_curator_score(curator, &score, &t.source, NULL) == LL_OK;
    w->scores[y] = has ? strtod(score.text, NULL) : (double)NAN;
    if (!has || ll_scorer_get_spread(w->noisy, &curator->scoring, &w->spreads[y], &t.source, NULL) != LL_OK)
        w->spreads[y] = (double)NAN;
    ll_score_clear(&score);
    ll_curator_destroy(curator);
}

/* How far the label of row i, the others as they are, can move the number; labellings without a number move nothing. */
static double own_move(const slow_spreads *w, long y, long step)
{
    double low = INFINITY, high = -INFINITY;
    for (long k = 0, zero = y - y / step % w->classes * step; k < w->classes; k++) {
        double score = w->scores[zero + k * step];
        low = score < low ? score : low;
        high = score > high ? score : high;
    }
    return high > low ? high - low : 0;
}

/* Squares of moves with these labels are within the spread; where it is the same for all labels, so are those of the
 * most that each row moves. Of sums it is no more than these. */
static long hold_spread(const slow_spreads *w, const char *text, int is_sum)
{
    double most[MOST_ROWS] = {0}, all = 0, least = INFINITY, greatest = 0;
    long held = 0;
    for (long y = 0; y < w->count; y++) {
        double sum = 0;
        least = fmin(least, w->spreads[y]);
        greatest = fmax(greatest, w->spreads[y]);
        for (long i = 0, step = 1; i < w->rows; i++, step *= w->classes) {
            double move = own_move(w, y, step);
            most[i] = fmax(most[i], move);
            sum += move * move;
        }
        held += !isnan(w->spreads[y]);
        if (sqrt(sum) / 2 > w->spreads[y] * (1 + 1e-12) + 1e-14)
            fail_msg("%s, labelling %ld: labels move it by %.17g, its spread is %.17g", text, y, sqrt(sum) / 2,
                     w->spreads[y]);
    }
    for (long i = 0; i < w->rows; i++)
        all += most[i] * most[i];
    all = sqrt(all) / 2;
    if (least == greatest && least < all * (1 - 1e-12) - 1e-14)
        fail_msg("%s: rows move it by %.17g at most, its spread is %.17g", text, all, least);
    for (long y = 0; y < w->count && is_sum; y++)
        if (w->spreads[y] < all * (1 - 1e-12) - 1e-14 || w->spreads[y] > all * 1.001 + 1e-3)
            fail_msg("%s: labels move it by %.17g at most, its spread is %.17g", text, all, w->spreads[y]);
    return held;
}

/* Of labels, or of a grid of targets. */
static int describe_spread(ll_scorer **out, char *text, size_t size, const char *metric, const char *transform,
                           long rows, long classes)
{
    const char *const labels[] = {"classes=", "targets=0:"}, *const rest[] = {"", ":1"};
    int clips = strcmp(metric, "log-loss") == 0 || strcmp(metric, "itakura-saito") == 0;
    for (int i = 0; i < 2; i++) {
        (void)snprintf(text, size,
                       "metric=%s; arithmetic=fp64; rows=%ld; %s%ld%s; transform=%s%s; noise=proportional:%s", metric,
                       rows, labels[i], classes - i, rest[i], transform, clips ? "; clip=0.01; clip-mode=clip" : "",
                       below(2) ? "0.3" : "20");
        if (try_scorer_text(out, text, NULL) == LL_OK)
            return 1;
    }
    return 0;
}

static long try_spreads(const char *metric, const char *transform, long rows, long classes)
{
    char text[300];
    slow_spreads w = {.rows = rows, .classes = classes, .count = world_power(classes, rows)};
    long held = 0;
    if (!describe_spread(&w.noisy, text, sizeof text, metric, transform, rows, classes))
        return 0;
    const ll_metric *own = w.noisy->computation.metric;
    w.plain = vary_scorer(w.noisy, "noise=none");
    w.columns = ll_computation_columns(&w.plain->computation, classes);
    for (int i = 0; i < 3; i++) {
        draw_submission(&w, ll_metric_input(own));
        for (long y = 0; y < w.count; y++)
            spread_one(&w, y);
        held += hold_spread(&w, text, ll_metric_has_terms(own));
    }
    ll_scorer_destroy(w.plain);
    ll_scorer_destroy(w.noisy);
    return held;
}

/* Whatever has a spread keeps it. */
static void test_spreads(void **state)
{
    (void)state;
    static const long sizes[][2] = {{1, 2}, {5, 2}, {4, 3}, {3, 5}};
    static const char *const transforms[] = {"identity", "root", "percent"};
    world_list all = list_metrics();
    long held[2] = {0};
    for (long m = 0; m < all.count; m++)
        for (int t = 0; t < 3; t++)
            for (int i = 0; i < 4; i++)
                held[sizes[i][1] > 2] += try_spreads(all.names[m], transforms[t], sizes[i][0], sizes[i][1]);
    printf("spreads of %ld labellings of two classes, and of %ld of more\n", held[0], held[1]);
    assert_true(held[0] > 2000 && held[1] > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limit),     cmocka_unit_test(test_told),
                                       cmocka_unit_test(test_naive_cap), cmocka_unit_test(test_size_tells),
                                       cmocka_unit_test(test_followed),  cmocka_unit_test(test_spreads)};
    read_environment("x-proportional");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
