/* The forecast of random designs (docs/proofs/designs.md) against the attack itself: every metric of the table that
 * answers such submissions of two labels, 300 rows, run against simulated curators and read by a solver of this file.
 * And the figures that scikit-learn gave: 61 to 63% of 2201 labels of 200 submissions. LL_TEST_LONG=1: ten runs each. */
#include "../unit/curator_tools.h"
#include "worlds.h"

#include "audit/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 300, ANSWERS = 100, MOST_COLUMNS = 2 };

typedef struct {
    ll_scorer *scorer;
    ll_channel channel;
    ll_plan_request request;
    ll_trial trial;
} setting;

/* 0: not of two labels, or not to be scored. */
static int set_up(setting *s, const char *metric, const char *more, long rows, long queries)
{
    char text[400];
    ll_error error = {0};
    static const char *const labels[] = {"classes=2", "targets=0:1:1"};
    for (int i = 0; i < 2; i++) {
        s->scorer = NULL;
        (void)snprintf(text, sizeof text, "metric=%s; arithmetic=fp64; rows=%ld; %s; queries=%ld; %s", metric, rows,
                       labels[i], queries, more);
        if (try_scorer_text(&s->scorer, text, &error) != LL_OK)
            continue;
        if (ll_channel_init(&s->channel, s->scorer, &error) == LL_OK) {
            ll_plan_request_init(&s->request);
            s->trial = (ll_trial){.scorer = s->scorer, .channel = &s->channel, .request = &s->request, .seed = seed};
            return 1;
        }
        ll_scorer_destroy(s->scorer);
    }
    return 0;
}

/* LL_UNABLE: no forecast. */
static ll_status get_forecast(const setting *s, double *share)
{
    ll_tried tried;
    ll_error error = {0};
    if (!(ll_designs_work(&s->trial) > 0))
        return LL_UNABLE;
    ll_status status = ll_designs_run(&s->trial, &tried, &error);
    *share = tried.share;
    return status;
}

/* ---- the attack ---- */

/* (signs signs' + ridge) x = answers, by elimination without pivots: the matrix is positive definite. */
static void solve_gram(double *x, const double *signs, long rows, long answers, double ridge)
{
    double *m = malloc(sizeof *m * (size_t)(answers * answers));
    for (long p = 0; p < answers; p++)
        for (long q = 0; q < answers; q++) {
            double sum = p == q ? ridge : 0;
            for (long i = 0; i < rows; i++)
                sum += signs[p * rows + i] * signs[q * rows + i];
            m[p * answers + q] = sum;
        }
    for (long p = 0; p < answers; p++)
        for (long q = p + 1; q < answers; q++) {
            double factor = m[q * answers + p] / m[p * answers + p];
            for (long k = p; k < answers; k++)
                m[q * answers + k] -= factor * m[p * answers + k];
            x[q] -= factor * x[p];
        }
    for (long p = answers - 1; p >= 0; p--) {
        for (long k = p + 1; k < answers; k++)
            x[p] -= m[p * answers + k] * x[k];
        x[p] /= m[p * answers + p];
    }
    free(m);
}

/* What the number of rows that say 1 explains is taken off, and the mean. */
static void centre(double *answers, const double *signs, long rows, long count)
{
    double mean = 0, square = 0, product = 0;
    double *said = calloc((size_t)count, sizeof *said);
    for (long q = 0; q < count; q++) {
        for (long i = 0; i < rows; i++)
            said[q] += signs[q * rows + i];
        mean += answers[q] / (double)count;
        square += said[q] * said[q];
    }
    for (long q = 0; q < count; q++)
        product += said[q] * (answers[q] - mean);
    for (long q = 0; q < count; q++)
        answers[q] -= mean + product / square * said[q];
    free(said);
}

static double share_of(const double *weights, const int32_t *truth, long rows)
{
    double middle = 0, right = 0;
    for (long i = 0; i < rows; i++)
        middle += weights[i] / (double)rows;
    for (long i = 0; i < rows; i++)
        right += (weights[i] > middle) == (truth[i] == 1);
    return fmax(right, (double)rows - right) / (double)rows; /* which way a metric is better is known */
}

/* ridge: in rows; best where it is the variance of noise over that of a row's part in an answer. */
static int run_attack(const setting *s, double *share, long answers, double ridge, uint64_t run)
{
    long rows = s->channel.rows;
    ll_curator *curator = NULL;
    ll_error error = {0};
    double *signs = malloc(sizeof *signs * (size_t)(rows * answers)), *x = malloc(sizeof *x * (size_t)answers);
    double *weights = calloc((size_t)rows, sizeof *weights);
    int32_t *truth = malloc(sizeof *truth * (size_t)rows), *said = malloc(sizeof *said * (size_t)rows);
    ll_submission submission = {.trial = &s->trial, .labels = said, .sure = ll_channel_sure(&s->channel)};
    ll_predictions predictions;
    int answered = 1;
    ll_submission_predictions(&submission, &predictions);
    ll_trial_labels(&s->trial, truth, 1000 + run);
    assert_int_equal(ll_curator_create(&curator, s->scorer, truth, rows, &error), LL_OK);
    for (long q = 0; q < answers && answered; q++) {
        char *text = NULL;
        for (long i = 0; i < rows; i++) {
            said[i] = (int32_t)below(2);
            signs[q * rows + i] = said[i] ? 1 : -1;
        }
        assert_int_equal(ll_trial_ask(curator, &text, &predictions, &error), LL_OK);
        answered = text[0] != '\0';
        x[q] = strtod(text, NULL);
        free(text);
    }
    if (answered) {
        centre(x, signs, rows, answers);
        solve_gram(x, signs, rows, answers, ridge * (double)rows);
        for (long q = 0; q < answers; q++)
            for (long i = 0; i < rows; i++)
                weights[i] += signs[q * rows + i] * x[q];
        *share = share_of(weights, truth, rows);
    }
    ll_curator_destroy(curator);
    free(signs);
    free(x);
    free(weights);
    free(truth);
    free(said);
    return answered;
}

/* 1 where the metric answers. */
static int compare(const char *metric, const char *more, double ridge, long runs)
{
    setting s;
    double forecast = 0, mean = 0;
    int answered = 0;
    if (!set_up(&s, metric, more, ROWS, ANSWERS))
        return 0;
    if (get_forecast(&s, &forecast) == LL_OK) {
        answered = 1;
        for (long run = 0; run < runs && answered; run++) {
            double share = 0;
            answered = run_attack(&s, &share, ANSWERS, ridge, (uint64_t)run);
            mean += share / (double)runs;
        }
    }
    double error = sqrt(0.25 / (double)(ROWS * runs)) * 4 + 0.01;
    if (answered && fabs(mean - forecast) > error)
        fail_msg("%s, %s: forecast %.3f, run %.3f", metric, more, forecast, mean);
    ll_scorer_destroy(s.scorer);
    return answered;
}

static void test_every_metric(void **state)
{
    (void)state;
    world_list metrics = list_metrics();
    long answered = 0, runs = world_is_one("LL_TEST_LONG") ? 10 : 1;
    for (long i = 0; i < metrics.count; i++) {
        int answers = compare(metrics.names[i], "decimals=5", 0.01, runs);
        if (!answers)
            print_message("%s: no forecast\n", metrics.names[i]);
        answered += answers;
    }
    print_message("%ld of %ld metrics\n", answered, metrics.count);
    assert_true(answered > metrics.count / 2);
}

static void test_releases(void **state)
{
    (void)state;
    static const char *const metrics[] = {"accuracy", "f1", "auc"};
    static const struct {
        const char *text;
        double ridge;
    } releases[] = {{"decimals=2", 0.02}, {"decimals=1", 2}, {"noise=gaussian:0.02", 0.5}, {"noise=gaussian:0.1", 12}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            assert_true(
                compare(metrics[i], releases[j].text, releases[j].ridge, world_is_one("LL_TEST_LONG") ? 10 : 2));
}

/* Figures of the real scikit-learn, 4 decimals: submissions of 2201 rows, and of 20,000. */
static void test_figures(void **state)
{
    (void)state;
    static const char *const metrics[] = {"accuracy", "f1", "mcc", "auc", "average-precision", "r2"};
    static const struct {
        long rows, queries;
        double low, high;
    } figures[] = {
        {2201, 50, 0.53, 0.58}, {2201, 200, 0.605, 0.64}, {2201, 1000, 0.76, 0.84}, {20000, 300, 0.539, 0.555}};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 4; j++) {
            setting s;
            double share = 0;
            assert_true(set_up(&s, metrics[i], "decimals=4", figures[j].rows, figures[j].queries));
            assert_int_equal(get_forecast(&s, &share), LL_OK);
            if (!(share > figures[j].low && share < figures[j].high))
                fail_msg("%s, %ld of %ld rows: %.4f", metrics[i], figures[j].queries, figures[j].rows, share);
            ll_scorer_destroy(s.scorer);
        }
}

/* ---- few rows ---- */

enum { FEW = 8, FEW_DRAWS = 400 };

/* What a host said of the labels: counts (told) or the share of label 1. */
typedef struct {
    long rows, told; /* told: rows of label 1; -1: not told */
    double ones, noise;
} few;

static double before(const few *f, long labels)
{
    long ones = __builtin_popcountl((unsigned long)labels);
    if (f->told >= 0)
        return ones == f->told;
    return pow(f->ones, (double)ones) * pow(1 - f->ones, (double)(f->rows - ones));
}

static long draw_labels(const few *f)
{
    double at = 0, all = 0, place;
    for (long l = 0; l < 1L << f->rows; l++)
        all += before(f, l);
    place = uniform() * all;
    for (long l = 0; l < 1L << f->rows; l++)
        if (before(f, l) > 0 && (at += before(f, l)) >= place)
            return l;
    return 0;
}

/* Accuracy under normal noise, by Bayes' rule over all labellings: of each row the likelier label. */
static double read_run(const few *f, long answers)
{
    double weight[1 << FEW], all = 0, right = 0;
    long truth = draw_labels(f), count = 1L << f->rows;
    for (long l = 0; l < count; l++)
        weight[l] = before(f, l);
    for (long q = 0; q < answers; q++) {
        long said = below(count), missed = __builtin_popcountl((unsigned long)(said ^ truth));
        double z = sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
        double answer = 1 - (double)missed / (double)f->rows + f->noise * z;
        for (long l = 0; l < count; l++) {
            double off = answer - 1 + (double)__builtin_popcountl((unsigned long)(said ^ l)) / (double)f->rows;
            weight[l] *= exp(-off * off / (2 * f->noise * f->noise));
        }
    }
    for (long l = 0; l < count; l++)
        all += weight[l];
    for (long i = 0; i < f->rows; i++) {
        double one = 0;
        for (long l = 0; l < count; l++)
            one += l >> i & 1 ? weight[l] : 0;
        right += fmax(one, all - one) / all / (double)f->rows;
    }
    return right;
}

static double read_mean(const few *f, long answers)
{
    double mean = 0;
    for (long run = 0; run < FEW_DRAWS; run++)
        mean += read_run(f, answers) / FEW_DRAWS;
    return mean;
}

/* Two answers are counted off for what an attacker of accuracy knows: the forecast lies between. */
static void test_few_rows(void **state)
{
    static const double noises[] = {0.05, 0.2}, shares[] = {0.5, 0.1};
    double gap = 0; /* of those with told counts, whose effect is small */
    long told = 0;
    (void)state;
    for (long rows = 4; rows <= FEW; rows += 2)
        for (long i = 0; i < 16; i++) {
            const few f = {rows, i & 4 ? 1 + (i & 1) : -1, shares[i & 1], noises[i >> 1 & 1]};
            long queries = i & 8 ? 12 : 5;
            char more[200], counts[60] = "";
            setting s;
            ll_tried tried;
            ll_error error = {0};
            if (f.told >= 0)
                (void)snprintf(counts, sizeof counts, "; counts=%ld,%ld", rows - f.told, f.told);
            (void)snprintf(more, sizeof more, "noise=gaussian:%g; prior=%g,%g%s", f.noise, 1 - f.ones, f.ones, counts);
            assert_true(set_up(&s, "accuracy", more, rows, queries));
            assert_true(ll_designs_work(&s.trial) > 0);
            assert_int_equal(ll_designs_run(&s.trial, &tried, &error), LL_OK);
            double least = read_mean(&f, queries - 2), most = read_mean(&f, queries), chance = 4 * tried.error + 0.03;
            if (tried.share < least - chance || tried.share > most + chance)
                fail_msg("%ld rows, %s, %ld submissions: %.3f, not %.3f to %.3f", rows, more, queries, tried.share,
                         least, most);
            gap += f.told >= 0 ? fmin(0, tried.share - least) : 0;
            told += f.told >= 0;
            ll_scorer_destroy(s.scorer);
        }
    assert_true(told > 0 && gap / (double)told > -0.01);
}

/* More submissions never get less. */
static void test_more_answers(void **state)
{
    (void)state;
    static const char *const metrics[] = {"accuracy", "f1", "pearson", "auc"};
    for (int i = 0; i < 4; i++) {
        double before = 0.5;
        for (long queries = 3; queries < 100000; queries *= 3) {
            setting s;
            double share = 0;
            assert_true(set_up(&s, metrics[i], "decimals=3", 5000, queries));
            assert_int_equal(get_forecast(&s, &share), LL_OK);
            assert_true(share >= before);
            before = share;
            ll_scorer_destroy(s.scorer);
        }
        assert_true(before > 0.99);
    }
}

/* One label in twenty: fewer submissions than rows read every label by halves, where one row at a time could not. */
static void test_halving(void **state)
{
    (void)state;
    static const char *const metrics[] = {"accuracy", "f1", "mcc", "auc", "average-precision"};
    for (int i = 0; i < 5; i++)
        for (long queries = 100; queries <= 300; queries += 200) {
            setting s;
            ll_tried tried;
            ll_error error = {0};
            assert_true(set_up(&s, metrics[i], "decimals=5; prior=0.95,0.05", 500, queries));
            assert_true(ll_halving_work(&s.trial) > 0);
            assert_int_equal(ll_halving_run(&s.trial, &tried, &error), LL_OK);
            if (!(queries == 300 ? tried.share == 1 : tried.share > 0.955))
                fail_msg("%s, %ld submissions: %.4f", metrics[i], queries, tried.share);
            ll_scorer_destroy(s.scorer);
        }
    setting even;
    assert_true(set_up(&even, "accuracy", "decimals=5", 500, 300)); /* blocks would be single rows */
    assert_true(ll_halving_work(&even.trial) == 0);
    ll_scorer_destroy(even.scorer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_halving),  cmocka_unit_test(test_figures),
                                       cmocka_unit_test(test_few_rows), cmocka_unit_test(test_more_answers),
                                       cmocka_unit_test(test_releases), cmocka_unit_test(test_every_metric)};
    read_environment("x-designs");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
