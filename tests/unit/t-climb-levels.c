/* Attacks on levels: what they know of the labels is what the exact posterior says, they get more than those that read
 * only improvements, and none of them passes the limit. */
#include "audit/count_posterior.h"
#include "audit/limits.h"
#include "audit/trial.h"
#include "audit_tools.h"

#include <math.h>

/* ---- the posterior ---- */

enum { ROWS = 12, ASKED = 6 };

typedef struct {
    uint64_t said;
    double low, high;
} told;

static int fits(const told *answers, long count, uint64_t labels)
{
    for (long t = 0; t < count; t++) {
        double right = ROWS - __builtin_popcountll(answers[t].said ^ labels);
        if (right < answers[t].low || right > answers[t].high)
            return 0;
    }
    return 1;
}

static double weight(uint64_t labels, double share)
{
    int ones = __builtin_popcountll(labels);
    return pow(share, ones) * pow(1 - share, ROWS - ones);
}

/* Probabilities of class 1 over all labellings that fit. */
static void enumerate(double *out, const told *answers, long count, double share)
{
    double sum = 0;
    memset(out, 0, ROWS * sizeof *out);
    for (uint64_t labels = 0; labels < 1 << ROWS; labels++)
        if (fits(answers, count, labels)) {
            sum += weight(labels, share);
            for (int i = 0; i < ROWS; i++)
                out[i] += (double)(labels >> i & 1) * weight(labels, share);
        }
    for (int i = 0; i < ROWS; i++)
        out[i] /= sum;
}

static void draw_answers(told *answers, uint64_t labels, uint64_t world)
{
    for (long t = 0; t < ASKED; t++) {
        answers[t].said = ll_random_bits(seed, 1, world * ASKED + (uint64_t)t) & ((1 << ROWS) - 1);
        double right = ROWS - __builtin_popcountll(answers[t].said ^ labels);
        double level = 4 + (double)ll_random_below(seed, 2, world * ASKED + (uint64_t)t, 4);
        answers[t].low = right >= level ? level - 0.5 : -INFINITY;
        answers[t].high = right >= level ? INFINITY : level - 0.5;
    }
}

static void is_posterior_right(void **state)
{
    static const double shares[] = {0.5, 0.3};
    double worst = 0, sum = 0, of_none = 0;
    long worlds = trials(200, 2000), count = 0;
    (void)state;
    for (long w = 0; w < worlds; w++) {
        told answers[ASKED];
        double exact[ROWS], seen[ROWS], share = shares[w % 2];
        uint64_t labels = ll_random_bits(seed, 3, (uint64_t)w) & ((1 << ROWS) - 1);
        ll_count_posterior p;
        assert_int_equal(ll_count_posterior_init(&p, ROWS, ASKED, share, NULL), LL_OK);
        draw_answers(answers, labels, (uint64_t)w);
        for (long t = 0; t < ASKED; t++) {
            double mean, variance, again;
            ll_count_posterior_learn(&p, &answers[t].said, answers[t].low, answers[t].high);
            ll_count_posterior_look(&p, &answers[t].said, &mean, &variance);
            assert_true(variance > 0 && variance <= ROWS * share * (1 - share) * (1 + 1e-9));
            uint64_t other = ~answers[t].said & ((1 << ROWS) - 1); /* what is right there is wrong here */
            ll_count_posterior_look(&p, &other, &again, &variance);
            assert_true(fabs(mean + again - ROWS) < 1e-6);
        }
        enumerate(exact, answers, ASKED, share);
        ll_count_posterior_rows(&p, seen);
        for (int i = 0; i < ROWS; i++, count++) {
            worst = fmax(worst, fabs(exact[i] - seen[i]));
            sum += fabs(exact[i] - seen[i]);
            of_none += fabs(exact[i] - share);
        }
        ll_count_posterior_clear(&p);
    }
    printf("posterior of %ld rows: off by %.4f in the mean (%.4f without it), %.3f at most\n", count,
           sum / (double)count, of_none / (double)count, worst);
    assert_true(sum < of_none / 4 && worst < 0.8); /* 12 rows are few for a Gaussian */
}

/* ---- the attacks ---- */

typedef struct {
    const char *scorer;
    double least; /* mean share that the best attack has at least */
} world;

static const struct {
    const char *name;
    double (*work)(const ll_trial *trial);
    ll_status (*run)(const ll_trial *trial, ll_tried *out, ll_error *error);
} attacks[] = {{"climbing", ll_climb_work, ll_climb_run},
               {"best blocks", ll_best_blocks_work, ll_best_blocks_run},
               {"one row", ll_one_row_work, ll_one_row_run},
               {"pooled accounts", ll_pooled_work, ll_pooled_run}};
enum { ATTACKS = sizeof attacks / sizeof attacks[0] };

/* The mean of at least so many runs, each with labels of its own. */
static double mean_share(const ll_trial *trial, long attack, long least, long *runs)
{
    double sum = 0;
    for (*runs = 0; *runs < least;) {
        ll_trial own = *trial;
        ll_tried tried = {0};
        ll_error error = {0};
        own.seed = seed + 1000 * (uint64_t)*runs;
        if (attacks[attack].run(&own, &tried, &error) != LL_OK)
            fail_msg("%s: %s", attacks[attack].name, error.text);
        assert_string_equal(tried.attack, attacks[attack].name);
        sum += tried.share * (double)tried.runs;
        *runs += tried.runs;
    }
    return sum / (double)*runs;
}

static double attack_world(const world *w, long least)
{
    ll_channel c;
    ll_error error = {0};
    const ll_plan_request request = {0};
    ll_scorer *s = scorer_of_text("classes=2; %s", w->scorer);
    double best = 0;
    if (ll_channel_init(&c, s, &error) != LL_OK)
        fail_msg("%s: %s", w->scorer, error.text);
    ll_trial trial = {.scorer = s, .channel = &c, .request = &request};
    double limit = ll_limit_share(&c, c.queries);
    for (long a = 0; a < ATTACKS; a++)
        if (attacks[a].work(&trial) > 0) {
            long runs;
            double mean = mean_share(&trial, a, least, &runs);
            double error_of_mean = 0.5 / sqrt((double)runs * (double)c.rows);
            printf("| %s | %s | %ld | %.2f%% | %.1f%% |\n", w->scorer, attacks[a].name, runs, 100 * mean, 100 * limit);
            assert_true(mean < limit + 3 * error_of_mean);
            best = fmax(best, mean);
        }
    ll_scorer_destroy(s);
    return best;
}

static void is_limit_kept(void **state)
{
    static const world few[] = {
        {"metric=accuracy; arithmetic=fp64; rows=301; queries=60; release=levels:0.5:0.65:20", 0.615},
        {"metric=accuracy; arithmetic=fp64; rows=301; queries=30; accounts=5; release=levels:0.5:0.65:8", 0.67},
        {"metric=accuracy; arithmetic=fp64; rows=301; queries=30; accounts=5; scope=leaderboard; release=levels:0.5:0.65:20",
         0.632},
        {"metric=accuracy; arithmetic=fp64; rows=301; queries=60; improvements=3; release=levels:0.5:0.65:20", 0.54},
        {"metric=accuracy; arithmetic=fp64; rows=301; queries=60; prior=0.7,0.3; release=levels:0.7:0.8:20", 0.695},
        {"metric=auc; arithmetic=fp64; rows=301; queries=60; release=levels:0.5:0.65:20", 0.6},
        {"metric=zero-one; arithmetic=fp64; rows=301; queries=60; release=ladder:0.0033222591362126246", 0.63},
    };
    static const world many[] = {
        {"metric=accuracy; arithmetic=fp64; rows=2201; queries=150; release=levels:0.5:0.75:13", 0},
        {"metric=accuracy; arithmetic=fp64; rows=2201; queries=150; release=levels:0.5:0.75:43", 0},
        {"metric=accuracy; arithmetic=fp64; rows=2201; queries=150; release=levels:0.5:0.75:118", 0},
        {"metric=accuracy; arithmetic=fp64; rows=2201; queries=150; release=levels:0.5:0.6:43", 0},
        {"metric=accuracy; arithmetic=fp64; rows=2201; queries=150; release=levels:0.7:0.8:43", 0},
        {"metric=f1; arithmetic=fp64; rows=2201; queries=150; release=levels:0.6667:0.8333:43", 0},
        {"metric=auc; arithmetic=fp64; rows=2201; queries=150; release=levels:0.5:0.75:43", 0},
        {"scorer=kaggle/log_loss; decimals=none; rows=2201; queries=150; release=levels:0.6931:0.5931:43", 0},
        {"metric=accuracy; arithmetic=fp64; rows=2201; queries=30; accounts=5; release=levels:0.5:0.6:7", 0},
        {"metric=accuracy; arithmetic=fp64; rows=2201; queries=150; accounts=5; release=levels:0.5:0.6:12", 0},
        {"metric=accuracy; arithmetic=fp64; rows=2201; queries=150; accounts=5; scope=leaderboard; release=levels:0.5:0.6:28",
         0},
    };
    long count = is_long() ? (long)(sizeof many / sizeof *many) : (long)(sizeof few / sizeof *few);
    (void)state;
    for (long i = 0; i < count; i++) {
        const world *w = is_long() ? &many[i] : &few[i];
        double best = attack_world(w, trials(8, 200));
        if (!is_light() && best < w->least)
            fail_msg("%s: the best attack gets %.4f, and must get %.4f", w->scorer, best, w->least);
    }
}

int main(void)
{
    read_environment("t-climb-levels");
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_posterior_right), cmocka_unit_test(is_limit_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
