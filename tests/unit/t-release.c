/* Decimal text, transforms, noise, rounding, the Ladder and the query limit. */
#include "curator_tools.h"
#include "release/decimal.h"
#include "release/laws.h"
#include "release/transform.h"
#include "scorer_tools.h"
#include <math.h>

static ll_error error;

/* ---- decimals against printf, which glibc rounds correctly ---- */

static double any_double(void)
{
    double x = ldexp(uniform(), (int)below(80) - 60);
    if (below(5) == 0)
        x = (double)below(2000) / 8; /* ties */
    return below(2) ? x : -x;
}

static char *rounded(double x, slong places, int digits, ll_direction direction)
{
    arf_t value;
    fmpz_t k;
    arf_init(value);
    fmpz_init(k);
    arf_set_d(value, x);
    slong decimals = places;
    if (digits)
        assert_int_equal(ll_decimal_digits(k, &decimals, value, places, direction), LL_OK);
    else
        assert_int_equal(ll_decimal_scale(k, value, places, direction), LL_OK);
    char *text = digits ? ll_decimal_short(k, decimals) : ll_decimal_plain(k, decimals);
    fmpz_clear(k);
    arf_clear(value);
    return text;
}

static void test_decimals(void **state)
{
    (void)state;
    for (long i = 0; i < 3000 * multiplier; ++i) {
        double x = any_double();
        int places = (int)below(20);
        char want[400], *text = rounded(x, places, 0, LL_TO_NEAREST);
        (void)snprintf(want, sizeof want, "%.*f", places, x);
        if (strtod(want, NULL) == 0 && want[0] == '-') /* no negative zero here */
            memmove(want, want + 1, strlen(want));
        assert_string_equal(text, want);
        free(text);
    }
}

static void test_digits(void **state)
{
    (void)state;
    for (long i = 0; i < 3000 * multiplier; ++i) {
        double x = any_double();
        int places = 1 + (int)below(17);
        char want[400], *text = rounded(x, places, 1, LL_TO_NEAREST);
        (void)snprintf(want, sizeof want, "%.*e", places - 1, x);
        assert_int_equal(compare_texts(text, want), 0);
        free(text);
    }
}

/* below <= x <= above, one step apart; to zero is the one nearer to it. */
static void test_directions(void **state)
{
    (void)state;
    for (long i = 0; i < 500 * multiplier; ++i) {
        double x = any_double();
        long places = below(12);
        char exact[1200], *down = rounded(x, places, 0, LL_TO_BELOW), *up = rounded(x, places, 0, LL_TO_ABOVE);
        char *cut = rounded(x, places, 0, LL_TO_ZERO), *near = rounded(x, places, 0, LL_TO_NEAREST);
        (void)snprintf(exact, sizeof exact, "%.1100f", x);
        assert_true(compare_texts(down, exact) <= 0 && compare_texts(exact, up) <= 0);
        assert_true(strtod(up, NULL) - strtod(down, NULL) <= 1.001 * pow(10, -(double)places) + 1e-15 * fabs(x));
        assert_int_equal(compare_texts(cut, x < 0 ? up : down), 0);
        assert_true(compare_texts(near, up) == 0 || compare_texts(near, down) == 0);
        free(down);
        free(up);
        free(cut);
        free(near);
    }
}

static char *shortest(double x)
{
    fmpz_t k;
    slong decimals;
    fmpz_init(k);
    ll_decimal_shortest(k, &decimals, x);
    char *text = ll_decimal_short(k, decimals);
    fmpz_clear(k);
    return text;
}

static void test_shortest(void **state)
{
    (void)state;
    static const double corners[] = {0.1,  1. / 3, 5e-324, 1.7976931348623157e308, 1e22, 1e23, 123456789012345680.,
                                     1e16, 1e17};
    for (long i = 0; i < 2000 * multiplier; ++i) {
        double x = i < 9 ? corners[i] : any_double();
        char want[64], *text = shortest(x);
        assert_true(strtod(text, NULL) == x);
        int digits = 1;
        for (; digits < 17; ++digits) {
            (void)snprintf(want, sizeof want, "%.*e", digits - 1, x);
            if (strtod(want, NULL) == x)
                break;
        }
        (void)snprintf(want, sizeof want, "%.*e", digits - 1, x);
        assert_int_equal(compare_texts(text, want), 0);
        free(text);
    }
    char *text = shortest(0.0001);
    assert_string_equal(text, "0.0001");
    free(text);
    text = shortest(1e-7);
    assert_string_equal(text, "1e-07");
    free(text);
}

/* ---- released scores ---- */

static const int32_t labels[] = {1, 0, 1, 1};
static const double predictions[] = {0.75, 0.25, 0.5, 0.875}; /* squared: 1/16 + 1/16 + 1/4 + 1/64 = 25/64 */

/* The score of the mean square under these settings. */
static ll_status score_brier(ll_score *out, const char *settings)
{
    ll_scorer *scorer = scorer_of_text("arithmetic=exact; metric=squared; %s", settings);
    ll_status status = score_doubles(out, scorer, labels, predictions, 4, 1, &error);
    ll_scorer_destroy(scorer);
    return status;
}

static void expect(const char *settings, const char *text, const char *lower, const char *upper)
{
    ll_score score;
    ll_score_init(&score);
    if (score_brier(&score, settings) != LL_OK)
        fail_msg("%s", error.text);
    assert_string_equal(score.text, text);
    if (lower)
        assert_string_equal(score.lower, lower);
    if (upper)
        assert_string_equal(score.upper, upper);
    ll_score_clear(&score);
}

/* 25/256 = 0.09765625; 8 decimals */
static void test_transform(void **state)
{
    (void)state;
    static const char *const arithmetics[] = {"exact", "fpa:11,52", "fp64"};
    static const char *const cases[][2] = {{"identity", "0.09765625"},
                                           {"negate", "-0.09765625"},
                                           {"percent", "9.76562500"},
                                           {"root", "0.31250000"},
                                           {"root,percent", "31.25000000"},
                                           {"root,negate", "-0.31250000"},
                                           {"negate,percent,negate", "9.76562500"},
                                           {"negate,offset:1", "0.90234375"},
                                           {"offset:0x1p-4,scale:-2", "-0.32031250"},
                                           {"scale:256,offset:-25", "0.00000000"},
                                           {"root,offset:1,percent", "131.25000000"},
                                           {"root,root", "0.55901699"}};
    for (int a = 0; a < 3; ++a)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
            char settings[100];
            (void)snprintf(settings, sizeof settings, "arithmetic=%s; transform=%s; decimals=8", arithmetics[a],
                           cases[i][0]);
            expect(settings, cases[i][1], cases[i][1], cases[i][1]);
        }
}

/* The mean is 0.125, three bits: its root has as many as are asked for. */
static void test_root_of_short_mean(void **state)
{
    (void)state;
    static const double halves[] = {0.5, 0};
    ll_scorer *scorer = scorer_of_text("arithmetic=exact; metric=squared; transform=root; decimals=80");
    ll_score score;
    ll_score_init(&score);
    if (score_doubles(&score, scorer, (const int32_t[]){0, 0}, halves, 2, 1, &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_string_equal(score.text,
                        "0.35355339059327376220042218105242451964241796884423701829416993449768311961552676");
    ll_score_clear(&score);
    ll_scorer_destroy(scorer);
}

static void test_rounding(void **state)
{
    (void)state;
    expect("decimals=7", "0.0976562", "0.0976562", "0.0976562"); /* a tie: 0.0976562|5 */
    expect("decimals=3", "0.098", NULL, NULL);
    expect("decimals=3; truncate=yes", "0.097", NULL, NULL);
    expect("digits=1; truncate=yes", "0.09", NULL, NULL);
    expect("digits=1", "0.1", NULL, NULL);
    expect("digits=1; truncate=yes; transform=negate", "-0.09", NULL, NULL);
}

/* 5/200 = 0.025 is a tie for every precision of balls: only the rational number decides it. */
static void test_rational_tie(void **state)
{
    (void)state;
    static int32_t truth[200];
    static double guesses[200];
    static const char *const want[] = {"0.02", "0.04"};
    ll_scorer *scorer = scorer_of_text("arithmetic=exact; metric=accuracy; decimals=2");
    ll_scorer *brier = scorer_of_text("arithmetic=exact; metric=squared; decimals=2");
    ll_score score;
    ll_score_init(&score);
    for (int odd = 0; odd < 2; ++odd) { /* 0.025 and 0.035 */
        for (int i = 0; i < 200; ++i)
            guesses[i] = i >= 5 + 2 * odd;
        assert_int_equal(score_doubles(&score, scorer, truth, guesses, 200, 1, &error), LL_OK);
        assert_string_equal(score.text, want[odd]);
    }
    for (int i = 0; i < 200; ++i)
        guesses[i] = i < 20 ? 0.5 : 0; /* 20/4/200 = 0.025 */
    assert_int_equal(score_doubles(&score, brier, truth, guesses, 200, 1, &error), LL_OK);
    assert_string_equal(score.text, "0.02");
    ll_score_clear(&score);
    ll_scorer_destroy(scorer);
    ll_scorer_destroy(brier);
}

static void test_exact_text(void **state)
{
    (void)state;
    ll_scorer *scorer = scorer_of_text("arithmetic=exact; precision=1000");
    ll_score score;
    ll_score_init(&score);
    assert_int_equal(score_doubles(&score, scorer, labels, predictions, 4, 1, &error), LL_OK);
    assert_true(strlen(score.text) > 301);
    assert_true(is_inside(score.text, &score));
    assert_non_null(strstr(score.text, "0.3505")); /* (2 ln(4/3) + ln 2 + ln(8/7))/4 */
    ll_score_clear(&score);
    ll_scorer_destroy(scorer);
}

/* ---- noise ---- */

static void test_bounded_noise(void **state)
{
    (void)state;
    static const char *const arithmetics[] = {"exact", "fp64", "fpa:11,52"};
    static const char *const draws[] = {"uniform", "plus", "minus"};
    for (int a = 0; a < 3; ++a)
        for (int d = 0; d < 3; ++d) {
            char settings[100];
            ll_score score;
            ll_score_init(&score);
            (void)snprintf(settings, sizeof settings, "arithmetic=%s; noise=bounded:0.125,%s", arithmetics[a],
                           draws[d]);
            assert_int_equal(score_brier(&score, settings), LL_OK);
            double noise = strtod(score.text, NULL) - 0.09765625;
            assert_true(fabs(noise) < 0.125);
            if (d != LL_DRAW_UNIFORM)
                assert_true(fabs(noise - (d == LL_DRAW_PLUS ? 0.125 : -0.125)) < 1e-15);
            assert_true(is_inside(score.text, &score));
            assert_true(compare_texts(score.lower, "-0.02734375") <= 0 &&
                        compare_texts(score.upper, "0.22265625") >= 0);
            assert_true(strtod(score.upper, NULL) - strtod(score.lower, NULL) < 0.25 + 1e-14);
            ll_score_clear(&score);
        }
}

/* Draws depend on seed and query alone; mean and spread are as they should be. */
static void test_random_noise(void **state)
{
    (void)state;
    static const char *const kinds[] = {"gaussian", "laplace", "bounded"};
    static const double variances[] = {0.25, 0.5, 0.25 / 3};
    table t;
    table_set(&t, predictions, 4, 1, LL_ENTRIES_DOUBLE);
    for (int k = 0; k < 3; ++k) {
        ll_scorer *scorer = scorer_of_text("metric=squared; arithmetic=fp64; noise=%s:0.5; seed=42", kinds[k]);
        ll_curator *one, *two;
        ll_score a, b;
        ll_score_init(&a);
        ll_score_init(&b);
        assert_int_equal(ll_curator_create(&one, scorer, labels, 4, &error), LL_OK);
        assert_int_equal(ll_curator_create(&two, scorer, labels, 4, &error), LL_OK);
        double sum = 0, squares = 0;
        for (int i = 0; i < 1000; ++i) {
            assert_int_equal(ll_curator_score(one, &a, &t.source, &error), LL_OK);
            assert_int_equal(ll_curator_score(two, &b, &t.source, &error), LL_OK);
            assert_string_equal(a.text, b.text);
            double noise = strtod(a.text, NULL) - 0.09765625;
            sum += noise;
            squares += noise * noise;
            if (k < 2) /* the interval is the score's before the noise */
                assert_true(is_inside("0.09765625", &a) && strtod(a.upper, NULL) - strtod(a.lower, NULL) < 1e-15);
        }
        assert_true(fabs(sum / 1000) < 5 * sqrt(variances[k] / 1000));
        assert_true(fabs(squares / 1000 / variances[k] - 1) < 0.4);
        ll_score_clear(&a);
        ll_score_clear(&b);
        ll_curator_destroy(one);
        ll_curator_destroy(two);
        ll_scorer_destroy(scorer);
    }
}

/* ---- Ladder ---- */

/* One row, label 1, squared loss: the score is (1-x)^2, so x = 1 - sqrt(s) asks for a score near s. */
static void run_ladder(const char *arithmetic, const char *step, const char *transform)
{
    const int32_t one[] = {1};
    double size = strtod(step, NULL), best = INFINITY;
    ll_scorer *scorer = scorer_of_text("metric=squared; arithmetic=%s; release=ladder:%s; start=none; transform=%s",
                                       arithmetic, step, transform);
    int negated = strcmp(transform, "negate") == 0;
    ll_curator *curator;
    ll_score score;
    ll_score_init(&score);
    assert_int_equal(ll_curator_create(&curator, scorer, one, 1, &error), LL_OK);
    for (int i = 0; i < 60; ++i) {
        double x = uniform() * uniform(), truth;
        table t;
        table_set(&t, &x, 1, 1, LL_ENTRIES_DOUBLE);
        assert_int_equal(ll_curator_score(curator, &score, &t.source, &error), LL_OK);
        truth = (1 - x) * (1 - x);
        if (truth <= best - size)
            best = nearbyint(truth / size) * size;
        double answer = strtod(score.text, NULL);
        assert_true(fabs((negated ? -answer : answer) - best) < 1e-12);
        assert_true(is_inside(score.text, &score));
    }
    assert_true(best < 0.3);
    ll_score_clear(&score);
    ll_curator_destroy(curator);
    ll_scorer_destroy(scorer);
}

static void test_ladder(void **state)
{
    (void)state;
    run_ladder("fp64", "0.01", "identity");
    run_ladder("fp64", "0.0625", "negate");
    run_ladder("exact", "0.03", "identity");
    run_ladder("fpa:8,23", "0.1", "identity");
}

/* Where the interval straddles a boundary, both answers are kept possible; the answers are never lost. */
static void test_ladder_interval(void **state)
{
    (void)state;
    ll_ladder a, b, c;
    arb_t number;
    arf_t low, high;
    ll_exact step;
    ll_ladder_init(&a);
    ll_ladder_init(&b);
    ll_ladder_init(&c);
    arb_init(number);
    arf_init(low);
    arf_init(high);
    ll_exact_init(&step);
    ll_exact_set_si(&step, 1);
    arb_set_d(number, 10.4);
    arf_set_d(low, 10.4);
    arf_set_d(high, 10.6); /* the real one may have answered 10 or 11 */
    assert_int_equal(ll_ladder_answer(&b, &a, number, low, high, &step), LL_OK);
    assert_int_equal(fmpz_get_si(b.best), 10);
    assert_int_equal(fmpz_get_si(b.best_low), 10);
    assert_int_equal(fmpz_get_si(b.best_high), 11);
    arb_set_d(number, 9.5); /* beats 11 but not 10 */
    arf_set_d(low, 9.5);
    arf_set_d(high, 9.5);
    assert_int_equal(ll_ladder_answer(&c, &b, number, low, high, &step), LL_OK);
    assert_int_equal(fmpz_get_si(c.best), 10);
    assert_int_equal(fmpz_get_si(c.best_low), 10);
    assert_true(fmpz_get_si(c.best_high) <= 11);
    arb_set_d(number, 9); /* beats by exactly the step: answered */
    arf_set_d(low, 9);
    arf_set_d(high, 9);
    assert_int_equal(ll_ladder_answer(&a, &c, number, low, high, &step), LL_OK);
    assert_int_equal(fmpz_get_si(a.best), 9);
    assert_int_equal(fmpz_get_si(a.best_high), 9);
    ll_ladder_clear(&a);
    ll_ladder_clear(&b);
    ll_ladder_clear(&c);
    arb_clear(number);
    arf_clear(low);
    arf_clear(high);
    ll_exact_clear(&step);
}

/* ---- every program within the intervals ---- */

enum { LADDER_BESTS = 64 };

/* Scores in eighths of the step: what a program that got `score` answers after `best`. */
static long climb(long best, long score)
{
    return best < 0 || score <= 8 * (best - 1) ? (long)nearbyint((double)score / 8) : best;
}

/* All that the best may be after a score of [low, high], from all that it may have been (-1: none yet). */
static void climb_all(char *to, const char *from, long low, long high, int is_first)
{
    memset(to, 0, LADDER_BESTS);
    for (long score = low; score <= high; score++)
        for (long best = is_first ? -1 : 0; best < (is_first ? 0 : LADDER_BESTS); best++)
            if (is_first || from[best])
                to[climb(best, score)] = 1;
}

static void answer_eighths(ll_ladder *to, const ll_ladder *from, long low, long high)
{
    arb_t number;
    arf_t ends[2];
    ll_exact step;
    arb_init(number);
    ll_exact_init(&step);
    ll_exact_set_si(&step, 1);
    for (int i = 0; i < 2; i++) {
        arf_init(ends[i]);
        arf_set_si_2exp_si(ends[i], i ? high : low, -3);
    }
    arb_set_arf(number, ends[0]);
    assert_int_equal(ll_ladder_answer(to, from, number, ends[0], ends[1], &step), LL_OK);
    ll_exact_clear(&step);
    arb_clear(number);
    arf_clear(ends[0]);
    arf_clear(ends[1]);
}

/* The real program's score is anywhere in its interval, each time: its best lies between the two that are kept, and
 * where the one before was known, each of these is the best of some program. */
static void check_climb(const ll_ladder *to, const ll_ladder *from, const char *may)
{
    long low = fmpz_get_si(to->best_low), high = fmpz_get_si(to->best_high);
    long least = (const char *)memchr(may, 1, LADDER_BESTS) - may;
    long most = (const char *)memrchr(may, 1, LADDER_BESTS) - may;
    assert_true(may[fmpz_get_si(to->best)] && low <= least && most <= high);
    if (!from->answered || fmpz_equal(from->best_low, from->best_high))
        assert_true(low == least && high == most);
    if (from->answered)
        assert_true(high <= fmpz_get_si(from->best_high));
}

/* A number that is known to a ball only is answered where all of it gets the same answer. */
static void test_ladder_balls(void **state)
{
    (void)state;
    static const struct {
        double middle, radius;
        long answer; /* after 10; -1: it is not decided */
    } balls[] = {{10.2, 0.1, 10}, {9.4, 0.1, 10}, {9.0, 0.1, -1}, {8.9, 0.05, 9}, {8.5, 0.05, -1}, {7.8, 0.25, 8}};
    for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++) {
        ll_ladder from, to;
        arb_t number;
        arf_t end;
        ll_exact step;
        ll_ladder_init(&from);
        ll_ladder_init(&to);
        arb_init(number);
        arf_init(end);
        ll_exact_init(&step);
        ll_exact_set_si(&step, 1);
        answer_eighths(&from, &to, 80, 80);
        arb_set_d(number, balls[i].middle);
        mag_set_d(arb_radref(number), balls[i].radius);
        arf_set_d(end, balls[i].middle);
        ll_status status = ll_ladder_answer(&to, &from, number, end, end, &step);
        assert_int_equal(status, balls[i].answer < 0 ? LL_UNABLE : LL_OK);
        assert_true(status != LL_OK || fmpz_get_si(to.best) == balls[i].answer);
        ll_exact_clear(&step);
        arb_clear(number);
        arf_clear(end);
        ll_ladder_clear(&from);
        ll_ladder_clear(&to);
    }
}

static void test_ladder_programs(void **state)
{
    (void)state;
    long open = 0;
    for (long n = 0; n < 4000; n++) {
        ll_ladder from, to;
        char may[2][LADDER_BESTS];
        ll_ladder_init(&from);
        ll_ladder_init(&to);
        for (long t = 0, about = 120; t < 8; t++) {
            long low = about + below(40) - 30, high = (low = low < 0 ? 0 : low) + below(2) * below(20);
            answer_eighths(&to, &from, low, high);
            climb_all(may[(t + 1) % 2], may[t % 2], low, high, t == 0);
            check_climb(&to, &from, may[(t + 1) % 2]);
            open += !fmpz_equal(to.best_low, to.best_high);
            about = low;
            ll_ladder_set(&from, &to);
        }
        ll_ladder_clear(&from);
        ll_ladder_clear(&to);
    }
    assert_true(open > 4000);
}

/* Where more is better everything is as in a mirror, intervals too. */
static void test_ladder_mirrored(void **state)
{
    (void)state;
    enum { ROWS = 40 };
    static const char *const transforms[] = {"identity", "negate"};
    const int32_t zeros[ROWS] = {0};
    ll_curator *curators[2];
    ll_scorer *scorers[2];
    long open = 0;
    for (int i = 0; i < 2; i++) {
        scorers[i] = scorer_of_text("metric=log-loss; clip=1e-6; clip-mode=clip; arithmetic=fp32; rows=%d; "
                                    "release=ladder:1e-7; start=none; transform=%s",
                                    ROWS, transforms[i]);
        assert_int_equal(ll_curator_create(&curators[i], scorers[i], zeros, ROWS, &error), LL_OK);
    }
    for (int t = 0; t < 40; t++) {
        double x[ROWS];
        ll_score scores[2];
        table tables;
        for (int i = 0; i < ROWS; i++)
            x[i] = uniform() * pow(0.8, t);
        for (int i = 0; i < 2; i++) {
            table_set(&tables, x, ROWS, 1, LL_ENTRIES_DOUBLE);
            ll_score_init(&scores[i]);
            assert_int_equal(ll_curator_score(curators[i], &scores[i], &tables.source, &error), LL_OK);
            assert_true(is_inside(scores[i].text, &scores[i]));
        }
        assert_true(strtod(scores[0].text, NULL) == -strtod(scores[1].text, NULL));
        assert_true(strtod(scores[0].lower, NULL) == -strtod(scores[1].upper, NULL));
        assert_true(strtod(scores[0].upper, NULL) == -strtod(scores[1].lower, NULL));
        open += strcmp(scores[0].lower, scores[0].upper) != 0;
        for (int i = 0; i < 2; i++)
            ll_score_clear(&scores[i]);
    }
    assert_true(open > 10);
    for (int i = 0; i < 2; i++) {
        ll_curator_destroy(curators[i]);
        ll_scorer_destroy(scorers[i]);
    }
}

/* A limit of two: one answer, one submission that fails, and then one more answer or none. */
static void try_query_limit(const char *settings, ll_status after)
{
    ll_scorer *scorer = scorer_of_text("arithmetic=exact; %s", settings);
    ll_curator *curator;
    ll_score score;
    table t, bad;
    double wrong[] = {0.5, 0.5, 1.5, 0.5};
    ll_score_init(&score);
    table_set(&t, predictions, 4, 1, LL_ENTRIES_DOUBLE);
    table_set(&bad, wrong, 4, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(ll_curator_create(&curator, scorer, labels, 4, &error), LL_OK);
    assert_int_equal(ll_curator_score(curator, &score, &t.source, &error), LL_OK);
    assert_int_equal(ll_curator_score(curator, &score, &bad.source, &error), LL_DOMAIN);
    assert_int_equal(ll_curator_score(curator, &score, &t.source, &error), after);
    assert_int_equal(ll_curator_score(curator, &score, &t.source, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "2 queries"));
    ll_score_clear(&score);
    ll_curator_destroy(curator);
    ll_scorer_destroy(scorer);
}

static void test_query_limit(void **state)
{
    (void)state;
    try_query_limit("metric=squared; arithmetic=fp64; queries=2", LL_DOMAIN);
    try_query_limit("metric=squared; arithmetic=fp64; queries=2; failures=free", LL_OK);
}

/* Is the text of a double read as that number alone? */
static int is_point(const ll_scorer *s, const char *text, const ll_release_texts *seen)
{
    arb_t x;
    arb_init(x);
    assert_int_equal(ll_release_read(&s->release, x, text, seen, LL_STATED, 128, &error), LL_OK);
    int point = mag_is_zero(arb_radref(x));
    arb_t unit;
    arb_init(unit);
    arb_set_str(unit, text, 128);
    mag_zero(arb_radref(unit));
    arb_add_error_2exp_si(unit, -50); /* 0.8 units of 15 digits after the point */
    assert_true(point || arb_contains(x, unit));
    arb_clear(unit);
    arb_clear(x);
    return point;
}

/* A double that is cut to 13, 14 or 15 digits looks like one whose text is short by chance: alone it is as good as its
 * last digit; beside a long one of the same release it is believed. One of 9 digits is believed nowhere: 23 bits. */
static void test_cut_floats(void **state)
{
    (void)state;
    static const char *const shorter[] = {"0.1234567890123", "0.12345678901234", "0.123456789012345"};
    static const char longer[] = "0.1234567890123457", *const floats[] = {"fp64", "fpa:11,52"};
    for (int k = 0; k < 2; k++) {
        ll_scorer *s = scorer_of_text("metric=squared; arithmetic=%s; rows=4; classes=2", floats[k]);
        ll_release_texts seen = {0};
        assert_true(is_point(s, longer, &seen));
        for (int i = 0; i < 3; i++) {
            assert_false(is_point(s, shorter[i], NULL));
            assert_false(is_point(s, shorter[i], &seen));
        }
        ll_release_note(&s->release, &seen, shorter[2]);
        assert_false(is_point(s, shorter[2], &seen));
        ll_release_note(&s->release, &seen, longer);
        for (int i = 0; i < 3; i++)
            assert_true(is_point(s, shorter[i], &seen));
        assert_false(is_point(s, "0.123456789", &seen));
        ll_scorer_destroy(s);
    }
}

/* Limits are proved with the power of a step: it is 0, or the step is of the form factor x^power, but for an offset. */
static void test_powers(void **state)
{
    (void)state;
    for (long i = 0; ll_transform_get(i) != NULL; i++) {
        const ll_transform *step = ll_transform_get(i);
        const double own = step->fixed != 0 ? (double)step->fixed : 3, x = 0.7, s = 5;
        assert_true(step->power >= 0);
        if (step->power == 0)
            continue;
        double change = step->plain(s * x, own) - (step->shifts ? own : 0), before = step->plain(x, own);
        before -= step->shifts ? own : 0;
        assert_true(fabs(change / before - pow(s, step->power)) < 1e-12);
    }
}

/* The name that texts are made with is the one that is read, and what texts show of a row is accepted by its name. */
static void test_lists(void **state)
{
    long law = 0, step = 0;
    (void)state;
#define SAME_LAW(id, size, sentence) assert_string_equal(ll_law_get(law++)->name, #id);
#define SAME_STEP(id, form)                                                                                            \
    assert_string_equal(ll_transform_get(step)->name, #id),                                                            \
        assert_memory_equal(form, #id, strlen(ll_transform_get(step++)->name));
    LL_LAWS(SAME_LAW)
    LL_TRANSFORMS(SAME_STEP)
    assert_true(ll_law_get(law) == NULL && ll_transform_get(step) == NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decimals),        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_directions),      cmocka_unit_test(test_shortest),
        cmocka_unit_test(test_transform),       cmocka_unit_test(test_root_of_short_mean),
        cmocka_unit_test(test_powers),          cmocka_unit_test(test_lists),
        cmocka_unit_test(test_rounding),        cmocka_unit_test(test_rational_tie),
        cmocka_unit_test(test_exact_text),      cmocka_unit_test(test_bounded_noise),
        cmocka_unit_test(test_random_noise),    cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_ladder_interval), cmocka_unit_test(test_ladder_programs),
        cmocka_unit_test(test_ladder_balls),    cmocka_unit_test(test_ladder_mirrored),
        cmocka_unit_test(test_query_limit),     cmocka_unit_test(test_cut_floats),
    };
    read_environment("t-release");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
