/* Noise in proportion to a submission's own spread (docs/proofs/proportional.md), against exact Bayes over all
 * labellings: ten strategies, five of them adaptive, ask a simulated curator; losses, sensitivities and posteriors are
 * computed here, in plain doubles and with no code of the library. The share of right labels never passes the proved
 * limit by more than chance; the naive cap Phi(sqrt(T/N)/c) is passed. LL_TEST_LONG: 1000 runs of each strategy, else
 * 12. */
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
    double (*whole)(const double *x, unsigned long labels, long rows); /* in place of the mean loss */
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

static const metric metrics[] = {
    {"metric=log-loss; clip=0.01; clip-mode=clip", log_loss, write_log, 0, NULL},
    {"metric=squared", squared, write_squared, 0, NULL},
    {"metric=squared; transform=root", squared, write_squared, 1, NULL},
    {"metric=accuracy; transform=percent", match, write_label, 0, NULL},
    {"metric=f1", NULL, write_label, 0, f1},
};
enum { METRICS = sizeof metrics / sizeof *metrics };

/* ---- a world ---- */

typedef struct {
    const metric *metric;
    long rows, answers;
    double c, prior; /* of label 1 */
} world;

typedef struct {
    const world *world;
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

static void learn(game *g, const double *scores, double answer, double deviation)
{
    double best = -INFINITY, sum = 0;
    unsigned long all = 1UL << g->world->rows;
    for (unsigned long y = 0; y < all; y++)
        best = fmax(best, -pow((answer - scores[y]) / deviation, 2) / 2);
    for (unsigned long y = 0; y < all; y++)
        sum += g->belief[y] *= exp(-pow((answer - scores[y]) / deviation, 2) / 2 - best);
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
    assert_true(theirs >= own * (1 - 1e-12) && theirs <= own * (1 + 1e-6) + 1e-6);
}

static void ask_once(game *g, ll_curator *curator, double *scores, const strategy *s)
{
    const world *w = g->world;
    double x[MOST_ROWS];
    ll_score released;
    ll_error error = {0};
    s->ask(g);
    for (long i = 0; i < w->rows; i++)
        x[i] = w->metric->write(g->weights[i]);
    for (unsigned long y = 0; y < 1UL << w->rows; y++)
        scores[y] = score(w, x, y);
    table t;
    table_set(&t, x, w->rows, 1, LL_ENTRIES_DOUBLE);
    double own = spread(w, scores);
    check_spread(curator, &t.source, own);
    ll_score_init(&released);
    assert_int_equal(ll_curator_score(curator, &released, &t.source, &error), LL_OK);
    learn(g, scores, strtod(released.text, NULL), w->c * own);
    ll_score_clear(&released);
    g->asked++;
}

/* The share of right labels that is expected of the best guess. */
static double play(const world *w, const strategy *s, const ll_scorer *scorer, double *scores, double *belief)
{
    int32_t labels[MOST_ROWS];
    game g = {.world = w, .belief = belief};
    ll_curator *curator;
    ll_error error = {0};
    double share = 0;
    (void)draw_labels(w, labels);
    for (unsigned long y = 0; y < 1UL << w->rows; y++) {
        int ones = __builtin_popcountl(y);
        belief[y] = pow(w->prior, ones) * pow(1 - w->prior, (double)(w->rows - ones));
    }
    set_means(&g);
    ll_scorer *own = vary_scorer(scorer, "seed=%ld", below(1L << 40));
    assert_int_equal(ll_curator_create(&curator, own, labels, w->rows, &error), LL_OK);
    for (long t = 0; t < w->answers; t++)
        ask_once(&g, curator, scores, s);
    for (long i = 0; i < w->rows; i++)
        share += fmax(g.means[i], 1 - g.means[i]) / (double)w->rows;
    ll_curator_destroy(curator);
    ll_scorer_destroy(own);
    return share;
}

/* The limit knows nothing of the metric. */
static double limit_of(const ll_scorer *scorer, long answers)
{
    ll_audit_bound bound;
    ll_error error = {0};
    ll_scorer *any = vary_scorer(scorer, "metric=squared");
    assert_int_equal(ll_audit_limit(&bound, any, (double)answers, &error), LL_OK);
    ll_scorer_destroy(any);
    return bound.max_share;
}

/* The best share of all strategies; each is held against the limit. */
static double try_world(const world *w, long runs)
{
    double *scores = malloc(sizeof *scores << w->rows), *belief = malloc(sizeof *belief << w->rows), best = 0;
    ll_scorer *scorer = scorer_of_text("%s; arithmetic=fp64; rows=%ld; prior=%.3g,%.3g; noise=proportional:%.17g",
                                       w->metric->settings, w->rows, 1 - w->prior, w->prior, w->c);
    double limit = limit_of(scorer, w->answers);
    assert_non_null(scores);
    assert_non_null(belief);
    for (int s = 0; s < STRATEGIES; s++) {
        double sum = 0, squares = 0;
        for (long run = 0; run < runs; run++) {
            double share = play(w, &strategies[s], scorer, scores, belief);
            sum += share;
            squares += share * share;
        }
        double mean = sum / (double)runs;
        double error = sqrt(fmax(squares / (double)runs - mean * mean, 0) / (double)runs);
        if (mean - 4 * error > limit)
            fail_msg("%s, %ld rows, %ld answers, c = %g, prior %g, %s: %.4f +- %.4f above the limit %.4f",
                     w->metric->settings, w->rows, w->answers, w->c, w->prior, strategies[s].name, mean, error, limit);
        best = fmax(best, mean - 2 * error);
    }
    printf("%-46s %2ld rows %3ld answers c %4.2f prior %.2f: best %.4f, limit %.4f, naive %.4f\n", w->metric->settings,
           w->rows, w->answers, w->c, w->prior, best, limit,
           0.5 * erfc(-sqrt((double)w->answers / (double)w->rows) / w->c / sqrt(2)));
    ll_scorer_destroy(scorer);
    free(scores);
    free(belief);
    return best;
}

static void test_limit(void **state)
{
    static const struct {
        long rows, answers;
        double c;
    } sizes[] = {{6, 6, 1}, {8, 16, 1.5}, {10, 20, 2}, {10, 5, 0.7}};
    (void)state;
    for (int m = 0; m < METRICS; m++)
        for (int i = 0; i < 4; i++) {
            const world w = {&metrics[m], sizes[i].rows, sizes[i].answers, sizes[i].c, (i + m) % 2 ? 0.3 : 0.5};
            (void)try_world(&w, count_runs());
        }
}

/* What a formula for questions fixed beforehand would promise is passed by adaptive ones. */
static void test_naive_cap(void **state)
{
    (void)state;
    const world w = {&metrics[1], 10, 20, 2, 0.5};
    double best = try_world(&w, count_runs() > 60 ? count_runs() : 60);
    assert_true(best > 0.5 * erfc(-sqrt(2.0) / 2 / sqrt(2)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limit), cmocka_unit_test(test_naive_cap)};
    read_environment("x-proportional");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
