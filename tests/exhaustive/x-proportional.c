/* Noise in proportion to a submission's own spread (docs/proofs/proportional.md), against exact Bayes over all
 * labellings: ten strategies, five of them adaptive, ask a simulated curator; losses, sensitivities and posteriors are
 * computed here, in plain doubles and with no code of the library. The share of right labels never passes the proved
 * limit by more than chance; the naive cap Phi(sqrt(T/N)/c) is passed. Noise on AUC follows the number of positives,
 * too: there the limit without what its size tells is passed. LL_TEST_LONG: 1000 runs of each strategy, else 12. */
#include "../unit/curator_tools.h"
#include "../unit/scorer_tools.h"

#include "scorer/sensitivity.h"

enum { MOST_ROWS = 12 };

static long count_runs(void)
{
    const char *text = getenv("LL_TEST_LONG");
    return text && *text && strcmp(text, "0") != 0 ? 1000 : 12;
}

/* ---- metrics, once more ---- */

typedef struct {
    const char *settings;
    double (*loss)(double x, int label);
    double (*write)(double weight); /* a prediction whose weight is about that part, -1 .. 1, of the greatest */
    int is_root;
    double (*whole)(const double *x, unsigned long labels, long rows); /* in place of the mean loss; NAN: fails */
    /* Half of the root of the sum of squares of what each label can move, where it depends on the labels. */
    double (*spread)(const double *x, unsigned long labels, long rows);
} metric;

#define CLIP 0.01

static double log_loss(double x, int label)
{
    double p = x < CLIP ? CLIP : x > 1 - CLIP ? 1 - CLIP : x;
    return -log(label ? p : 1 - p);
}

static double squared(double x, int label)
{
    return ((double)label - x) * ((double)label - x);
}

static double match(double x, int label)
{
    return x == (double)label;
}

static double write_log(double w)
{
    return 1 / (1 + exp(w * log((1 - CLIP) / CLIP)));
}

static double write_squared(double w)
{
    return (1 - w) / 2;
}

static double write_label(double w)
{
    return w > 0;
}

static double f1(const double *x, unsigned long labels, long rows)
{
    double hits = 0, all = 0;
    for (long i = 0; i < rows; i++) {
        hits += x[i] * (double)(labels >> i & 1);
        all += x[i] + (double)(labels >> i & 1);
    }
    return all > 0 ? 2 * hits / all : 0;
}

static double write_rank(double w)
{
    return w;
}

/* Pairs in the right order, ties by half. */
static double auc(const double *x, unsigned long labels, long rows)
{
    double right = 0, pairs = 0;
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < rows; j++)
            if ((labels >> i & 1) && !(labels >> j & 1)) {
                right += x[i] > x[j] ? 1 : x[i] == x[j] ? 0.5 : 0;
                pairs += 1;
            }
    return pairs > 0 ? right / pairs : (double)NAN;
}

/* docs/proofs/proportional.md: (A + g^2 M) / E^2, A the sum of squares of midranks about their mean. */
static double auc_spread(const double *x, unsigned long labels, long rows)
{
    double n = (double)rows, ones = (double)__builtin_popcountl(labels), sum = 0, off = 2 * ones - n;
    for (long i = 0; i < rows; i++) {
        double twice = 0; /* the midrank about its mean */
        for (long j = 0; j < rows; j++)
            twice += (x[j] < x[i]) - (x[j] > x[i]);
        sum += twice * twice / 4;
    }
    double pairs = ones * (n - ones), below = (ones - 1) * (n - ones + 1), above = (ones + 1) * (n - ones - 1);
    double fewest = below > 0 && above > 0 ? fmin(below, above) : fmax(below, above);
    double area = fmin(n / 4, sum / pairs);
    return sqrt(sum + area * fmax(0, off * off - n)) / fewest / 2;
}

static const metric metrics[] = {
    {"metric=log-loss; clip=0.01; clip-mode=clip", log_loss, write_log, 0, NULL, NULL},
    {"metric=squared", squared, write_squared, 0, NULL, NULL},
    {"metric=squared; transform=root", squared, write_squared, 1, NULL, NULL},
    {"metric=accuracy; transform=percent", match, write_label, 0, NULL, NULL},
    {"metric=f1", NULL, write_label, 0, f1, NULL},
    {"metric=auc", NULL, write_rank, 0, auc, auc_spread},
};
enum { METRICS = sizeof metrics / sizeof *metrics, AUC = METRICS - 1 };

/* ---- a world ---- */

typedef struct {
    const metric *metric;
    long rows, answers;
    double c, prior; /* of label 1 */
} world;

typedef struct {
    const world *world;
    unsigned long truth;
    double *belief;          /* [labelling], sums to 1 */
    double means[MOST_ROWS]; /* of the labels, by it */
    long asked;
    double weights[MOST_ROWS];
} game;

static double score(const world *w, const double *x, unsigned long labels)
{
    double sum = 0;
    if (w->metric->whole)
        return w->metric->whole(x, labels, w->rows);
    for (long i = 0; i < w->rows; i++)
        sum += w->metric->loss(x[i], labels >> i & 1);
    sum /= (double)w->rows;
    return w->metric->is_root ? sqrt(sum) : strstr(w->metric->settings, "percent") ? 100 * sum : sum;
}

/* Half of the root of the sum of squares of what each label can move, whatever the others are. */
static double spread(const world *w, const double *scores)
{
    double sum = 0;
    for (long i = 0; i < w->rows; i++) {
        double most = 0;
        for (unsigned long y = 0; y < 1UL << w->rows; y++)
            most = fmax(most, fabs(scores[y] - scores[y ^ 1UL << i]));
        sum += most * most;
    }
    return sqrt(sum) / 2;
}

static void set_means(game *g)
{
    for (long i = 0; i < g->world->rows; i++) {
        g->means[i] = 0;
        for (unsigned long y = 0; y < 1UL << g->world->rows; y++)
            g->means[i] += y >> i & 1 ? g->belief[y] : 0;
    }
}

/* What a label moves is never more than the spread of the labels at hand allows. */
static void check_moves(const world *w, const double *scores, const double *spreads)
{
    for (unsigned long y = 0; y < 1UL << w->rows; y++) {
        double sum = 0;
        for (long i = 0; i < w->rows; i++) {
            double move = scores[y] - scores[y ^ 1UL << i];
            sum += isnan(move) ? 0 : move * move; /* one of the two fails: that is counted for itself */
        }
        assert_true(isnan(scores[y]) || sqrt(sum) / 2 <= spreads[y] * (1 + 1e-9) + 1e-12);
    }
}

/* The density of an answer, NAN for a refusal, up to a factor. */
static double log_density(double answer, double score, double deviation)
{
    if (isnan(answer) || isnan(score))
        return isnan(answer) && isnan(score) ? 0 : -INFINITY;
    double off = (answer - score) / deviation;
    return -off * off / 2 - log(deviation);
}

static void learn(game *g, const double *scores, double answer, const double *spreads)
{
    double best = -INFINITY, sum = 0, c = g->world->c;
    unsigned long all = 1UL << g->world->rows;
    for (unsigned long y = 0; y < all; y++)
        best = fmax(best, log_density(answer, scores[y], c * spreads[y]));
    for (unsigned long y = 0; y < all; y++)
        sum += g->belief[y] *= exp(log_density(answer, scores[y], c * spreads[y]) - best);
    for (unsigned long y = 0; y < all; y++)
        g->belief[y] /= sum;
    set_means(g);
}

/* ---- strategies: g->weights, parts of the greatest weight ---- */

static double sign(void)
{
    return below(2) ? 1 : -1;
}

static void only(game *g, long row)
{
    for (long i = 0; i < g->world->rows; i++)
        g->weights[i] = i == row;
}

static void random_signs(game *g)
{
    for (long i = 0; i < g->world->rows; i++)
        g->weights[i] = sign();
}

static void random_weights(game *g)
{
    for (long i = 0; i < g->world->rows; i++)
        g->weights[i] = 2 * uniform() - 1;
}

static void powers(game *g)
{
    for (long i = 0; i < g->world->rows; i++)
        g->weights[i] = ldexp(1, -(int)((i + g->asked) % g->world->rows));
}

static void row_by_row(game *g)
{
    only(g, g->asked % g->world->rows);
}

static void pairs(game *g)
{
    only(g, g->asked % g->world->rows);
    g->weights[(g->asked + 1) % g->world->rows] = -1;
}

static long least_certain_row(const game *g)
{
    long best = 0;
    for (long i = 1; i < g->world->rows; i++)
        if (fabs(g->means[i] - 0.5) < fabs(g->means[best] - 0.5))
            best = i;
    return best;
}

static void least_certain(game *g)
{
    only(g, least_certain_row(g));
}

/* One row until it is settled, then the next. */
static void sequential_tests(game *g)
{
    long row = 0;
    while (row + 1 < g->world->rows && fabs(g->means[row] - 0.5) > 0.35)
        row++;
    only(g, row);
}

/* The direction in which the posterior varies most: power iteration on its covariance. */
static void largest_variance(game *g)
{
    random_weights(g);
    for (int step = 0; step < 12; step++) {
        double next[MOST_ROWS] = {0}, most = 1e-300;
        for (unsigned long y = 0; y < 1UL << g->world->rows; y++) {
            double along = 0;
            for (long i = 0; i < g->world->rows; i++)
                along += g->weights[i] * ((double)(y >> i & 1) - g->means[i]);
            for (long i = 0; i < g->world->rows; i++)
                next[i] += g->belief[y] * along * ((double)(y >> i & 1) - g->means[i]);
        }
        for (long i = 0; i < g->world->rows; i++)
            most = fmax(most, fabs(next[i]));
        for (long i = 0; i < g->world->rows; i++)
            g->weights[i] = next[i] / most;
    }
}

static void signs_of_largest_variance(game *g)
{
    largest_variance(g);
    for (long i = 0; i < g->world->rows; i++)
        g->weights[i] = g->weights[i] >= 0 ? 1 : -1;
}

/* Rows that are still open, at random signs. */
static void open_rows(game *g)
{
    for (long i = 0; i < g->world->rows; i++)
        g->weights[i] = fabs(g->means[i] - 0.5) < 0.4 ? sign() : 0;
    g->weights[least_certain_row(g)] = 1;
}

typedef struct {
    const char *name;
    void (*ask)(game *g);
} strategy;

static const strategy strategies[] = {
    {"random signs", random_signs},
    {"random weights", random_weights},
    {"powers", powers},
    {"row by row", row_by_row},
    {"pairs", pairs},
    {"least certain row (adaptive)", least_certain},
    {"sequential tests (adaptive)", sequential_tests},
    {"largest posterior variance (adaptive)", largest_variance},
    {"signs of it (adaptive)", signs_of_largest_variance},
    {"open rows (adaptive)", open_rows},
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

/* ---- playing ---- */

static unsigned long draw_labels(const world *w, int32_t *labels)
{
    unsigned long truth = 0;
    for (long i = 0; i < w->rows; i++) {
        labels[i] = uniform() < w->prior;
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
    for (unsigned long y = 0; y < all; y++)
        scores[y] = score(w, x, y);
    double own = w->metric->spread ? 0 : spread(w, scores);
    for (unsigned long y = 0; y < all; y++)
        spreads[y] = w->metric->spread ? w->metric->spread(x, y, w->rows) : own;
    check_moves(w, scores, spreads);
    for (unsigned long y = 0; y < all; y++)
        spreads[y] += 1e-9; /* predictions that are all the same are not quite without noise */
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
        fail_msg("%s, %ld rows, %ld answers, c = %g, prior %g, %s: %s %.4f +- %.4f above the limit %.4f",
                 w->metric->settings, w->rows, w->answers, w->c, w->prior, strategy_name, what, mean, error, limit);
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
    gain limit = limit_of(scorer, w->answers, w->metric->spread == NULL);
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
    printf("%-46s %2ld rows %3ld answers c %5.2f prior %.2f: best %.4f, limit %.4f, naive %.4f; %.3f of %.3f bits\n",
           w->metric->settings, w->rows, w->answers, w->c, w->prior, best.share, limit.share,
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
    } sizes[] = {{6, 6, 1}, {8, 16, 1.5}, {10, 20, 2}, {10, 5, 0.7}};
    (void)state;
    for (int m = 0; m < METRICS; m++)
        for (int i = 0; i < 4; i++) {
            long answers = m == AUC ? 1 + i % 3 : sizes[i].answers;
            const world w = {&metrics[m], sizes[i].rows, answers, sizes[i].c, (i + m) % 2 ? 0.3 : 0.5};
            (void)try_world(&w, count_runs());
        }
}

/* What a formula for questions fixed beforehand would promise is passed by adaptive ones. */
static void test_naive_cap(void **state)
{
    (void)state;
    const world w = {&metrics[1], 10, 20, 2, 0.5};
    double best = try_world(&w, count_runs() > 60 ? count_runs() : 60).share;
    assert_true(best > 0.5 * erfc(-sqrt(2.0) / 2 / sqrt(2)));
}

/* However large the noise on AUC, its size follows the number of positives: who forgets to count that promises too
 * much. */
static void test_size_tells(void **state)
{
    (void)state;
    const world w = {&metrics[AUC], 12, 10, 30, 0.5};
    double best = try_world(&w, count_runs()).bits;
    ll_scorer *scorer = scorer_of_text("metric=auc; arithmetic=fp64; rows=12; noise=proportional:30");
    double forgetful = limit_of(scorer, w.answers, 1).bits;
    ll_scorer_destroy(scorer);
    assert_true(best > 3 * forgetful);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limit), cmocka_unit_test(test_naive_cap),
                                       cmocka_unit_test(test_size_tells)};
    read_environment("x-proportional");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
