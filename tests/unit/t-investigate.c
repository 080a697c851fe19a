/* Histories against the definition. In small worlds every labelling is scored with every submission: what is left after
 * each submission, for each account and for all together, is what may be called determined. No label may be that those
 * labellings do not share, and no score of the labels themselves may be called a contradiction. Every metric of counts
 * and ranks is tried, since sums stand on a number that rises with its hits. Sums modulo a prime are held against every
 * labelling, too. */
#include "curator_tools.h"
#include "investigate/history.h"
#include "investigate/residue_sum.h"
#include "scorer_tools.h"
#include <lossleak/history.h>

enum { ROWS = 8, WORLDS = 1 << ROWS, SUBMISSIONS = 6, ACCOUNTS = 3 };

typedef struct {
    ll_scorer *scorer;
    long classes, worlds;
    double predictions[SUBMISSIONS][ROWS];
    char *texts[SUBMISSIONS];
    long account[SUBMISSIONS];
    unsigned char fits[SUBMISSIONS][WORLDS]; /* [submission][labelling] */
    int32_t truth[ROWS];
} world;

static void set_labels(int32_t *labels, long number)
{
    for (long i = 0; i < ROWS; i++)
        labels[i] = (int32_t)(number >> i & 1);
}

static char *score_of(const world *w, long s, const int32_t *labels)
{
    ll_score score;
    ll_error error = {0};
    ll_score_init(&score);
    char *text = NULL;
    if (score_doubles(&score, w->scorer, labels, w->predictions[s], ROWS, 1, &error) == LL_OK)
        text = strdup(score.text);
    ll_score_clear(&score);
    return text;
}

/* Predictions of all kinds: classes, few levels, anything, and steps from one to the next. */
static void draw_predictions(world *w, long s, int is_class)
{
    long kind = below(4), row = below(ROWS);
    for (long i = 0; i < ROWS; i++) {
        double x = is_class || kind == 1 ? (double)below(2) : kind == 2 ? (double)(1 + below(3)) / 4 : uniform();
        w->predictions[s][i] = kind == 0 && s > 0 ? w->predictions[s - 1][i] : is_class ? x : 0.01 + 0.98 * x;
    }
    if (kind == 0 && s > 0)
        w->predictions[s][row] = 1 - w->predictions[s][row];
}

static int draw_world(world *w, const char *scorer, int is_class)
{
    int32_t labels[ROWS];
    w->scorer = scorer_of_text("%s; rows=%d; classes=2", scorer, ROWS);
    set_labels(w->truth, below(WORLDS));
    for (long s = 0; s < SUBMISSIONS; s++) {
        draw_predictions(w, s, is_class);
        w->account[s] = below(ACCOUNTS);
        w->texts[s] = score_of(w, s, w->truth);
        for (long y = 0; y < WORLDS; y++) {
            set_labels(labels, y);
            char *text = w->texts[s] != NULL ? score_of(w, s, labels) : NULL;
            w->fits[s][y] = text != NULL && strcmp(text, w->texts[s]) == 0;
            free(text);
        }
    }
    return 1;
}

static void free_world(world *w)
{
    for (long s = 0; s < SUBMISSIONS; s++)
        free(w->texts[s]);
    ll_scorer_destroy(w->scorer);
}

/* The label that every labelling left by an account's submissions (-1: of all) up to `last` has, or -1. */
static long shared_label(const world *w, long account, long last, long row)
{
    int seen[2] = {0};
    for (long y = 0; y < WORLDS; y++) {
        int fits = 1;
        for (long s = 0; s <= last && fits; s++)
            fits = w->texts[s] == NULL || (account >= 0 && w->account[s] != account) || w->fits[s][y];
        if (fits)
            seen[y >> row & 1] = 1;
    }
    return seen[0] && seen[1] ? -1 : seen[1];
}

static void fill_history(const world *w, ll_history *h)
{
    ll_error error = {0};
    for (long s = 0; s < SUBMISSIONS; s++) {
        table t;
        char name[24], account[24];
        (void)snprintf(name, sizeof name, "s%ld", s);
        (void)snprintf(account, sizeof account, "a%ld", w->account[s]);
        table_set(&t, w->predictions[s], ROWS, 1, LL_ENTRIES_DOUBLE);
        if (ll_history_add(h, &t.source, name, account, NULL, w->texts[s], &error) != LL_OK)
            fail_msg("%s", error.text);
    }
}

static long account_number(const ll_investigation *found, long account)
{
    return atol(ll_investigation_get_account(found, account)->name + 1);
}

/* Returns how many labels are determined; *possible: how many could be. */
static long check_world(const world *w, long *possible)
{
    ll_error error = {0};
    ll_history *h;
    ll_investigation found;
    ll_investigation_init(&found);
    assert_int_equal(ll_history_create(&h, w->scorer, &error), LL_OK);
    fill_history(w, h);
    if (ll_history_investigate(h, &found, NULL, &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_int_equal(found.contradicted, -1);
    long determined = 0;
    for (long i = 0; i < ROWS; i++) {
        *possible += shared_label(w, -1, SUBMISSIONS - 1, i) >= 0;
        if (found.labels[i] < 0)
            continue;
        determined++;
        assert_int_equal(found.labels[i], w->truth[i]);
        assert_int_equal(shared_label(w, -1, found.after[i], i), found.labels[i]);
        long by = 0, one = -1;
        for (long a = 0; a < found.account_count; a++)
            if (found.by[i * found.account_count + a]) {
                by++;
                one = account_number(&found, a);
            }
        assert_true(by > 0);
        if (by == 1)
            assert_int_equal(shared_label(w, one, found.after[i], i), found.labels[i]);
    }
    assert_int_equal(determined, found.determined);
    assert_int_equal(found.suspicious, 0); /* of so few rows nobody is accused but for marks in the numbers */
    ll_investigation_clear(&found);
    ll_history_destroy(h);
    return determined;
}

static void try_scorer(const char *scorer, int is_class, long *determined, long *possible)
{
    world w = {0};
    (void)draw_world(&w, scorer, is_class);
    *determined += check_world(&w, possible);
    free_world(&w);
}

static void test_terms(void **state)
{
    static const char *const scorers[] = {"scorer=sklearn-1.2/log_loss; decimals=3", "scorer=sklearn/brier; decimals=2",
                                          "scorer=sklearn-1.2/log_loss; decimals=6"};
    long determined = 0, possible = 0;
    (void)state;
    for (long i = 0; i < 6 * multiplier; i++)
        try_scorer(scorers[i % 3], 0, &determined, &possible);
    printf("terms: %ld of %ld labels that the scores determine\n", determined, possible);
}

/* Every metric of the table that takes class labels of two classes, or ranks. */
static void test_counts_and_ranks(void **state)
{
    long determined = 0, possible = 0, tried = 0;
    (void)state;
    for (long m = 0; m < ll_metric_count(); m++) {
        const ll_metric_info *info = ll_metric_get_info(m);
        int counts = strcmp(info->link, "counts") == 0,
            ranks = strcmp(info->name, "auc") == 0 || strcmp(info->name, "gini") == 0;
        char text[120];
        if ((!counts && !ranks && strcmp(info->name, "accuracy") != 0) || strchr(info->name, ':') != NULL ||
            strcmp(info->name, "confusion-matrix") == 0)
            continue;
        for (long i = 0; i < 2 * multiplier; i++) {
            (void)snprintf(text, sizeof text, "metric=%s; decimals=%d", info->name, i % 2 ? 4 : 2);
            try_scorer(text, !ranks, &determined, &possible);
            tried++;
        }
    }
    printf("counts and ranks: %ld of %ld labels, %ld histories\n", determined, possible, tried);
    assert_true(tried > 10);
    assert_true(2 * determined > possible);
}

/* Sums modulo a prime, against every labelling. Small primes have many labellings for a sum, and none for some. */
static void test_residues(void **state)
{
    static const uint32_t primes[] = {7, 101, 65537, 0x7fffffff};
    enum { MOST = 11 };
    long decided = 0, none = 0;
    (void)state;
    for (long t = 0; t < 400 * multiplier; t++) {
        uint32_t weights[MOST], prime = primes[t % 4], seen_one = 0, seen_zero = 0, count = 1 + (uint32_t)(t % MOST);
        signed char values[MOST];
        uint64_t total = 0;
        for (uint32_t j = 0; j < count; j++) {
            weights[j] = (uint32_t)below(t % 3 == 0 ? 3 : (long)prime);
            total += below(2) ? weights[j] : 0;
        }
        total = (total + (t % 5 == 0)) % prime;
        for (uint32_t y = 0; y < (uint32_t)1 << count; y++) {
            uint64_t sum = 0;
            for (uint32_t j = 0; j < count; j++)
                sum += y >> j & 1 ? weights[j] : 0;
            seen_one |= sum % prime == total ? y : 0;
            seen_zero |= sum % prime == total ? ~y : 0;
        }
        int status = ll_residue_sum_decide(weights, count, (uint32_t)total, prime, values);
        assert_int_equal(status, seen_one | seen_zero ? 1 : -1);
        none += status < 0;
        for (uint32_t j = 0; j < count && status > 0; j++) {
            int one = (int)(seen_one >> j & 1), zero = (int)(seen_zero >> j & 1);
            assert_int_equal(values[j], one && zero ? -1 : one);
            decided += values[j] >= 0;
        }
    }
    printf("residues: %ld labels decided, %ld sums that no labels have\n", decided, none);
    assert_true(decided > 100 && none > 10);
}

/* ---- one row after the other ---- */

enum { STAR_ROWS = 60, MOST_NEAR = 30, FAR = 6 };

/* In how many rows is submission t away from the centre, which is not submitted, and which are they? */
typedef void (*flip_rows)(double *p, long t);

static void flip_one(double *p, long t)
{
    p[2 * t] = 1 - p[2 * t];
}

static void flip_same(double *p, long t)
{
    p[t % 2] = 1 - p[t % 2];
}

/* Every row with the chance 1/STAR_ROWS: as many rows have one flip as can be. */
static void flip_by_chance(double *p, long t)
{
    (void)t;
    for (long i = 0; i < STAR_ROWS; i++)
        p[i] = below(STAR_ROWS) == 0 ? 1 - p[i] : p[i];
}

static void flip_next(double *p, long t)
{
    for (long i = 0; i <= t; i++)
        p[i] = 1 - p[i];
}

/* `near` submissions around a centre, after FAR that have nothing to do with it: how many are called steps. */
static long count_steps(flip_rows flip, long near)
{
    double centre[STAR_ROWS], p[STAR_ROWS];
    ll_scorer *scorer = scorer_of_text("metric=accuracy; rows=%d; classes=2", STAR_ROWS);
    ll_history_marks marks;
    ll_history *h;
    ll_error error = {0};
    assert_int_equal(ll_history_create(&h, scorer, &error), LL_OK);
    for (long i = 0; i < STAR_ROWS; i++)
        centre[i] = (double)below(2);
    for (long s = 0; s < FAR + near; s++) {
        table t;
        for (long i = 0; i < STAR_ROWS; i++)
            p[i] = s < FAR ? (double)below(2) : centre[i];
        if (s >= FAR)
            flip(p, s - FAR);
        table_set(&t, p, STAR_ROWS, 1, LL_ENTRIES_DOUBLE);
        assert_int_equal(ll_history_add(h, &t.source, "s", "a", NULL, NULL, &error), LL_OK);
    }
    assert_int_equal(ll_history_marks_find(&marks, h), LL_OK);
    long steps = marks.steps, seen = 0;
    for (long s = 0; s < FAR + near; s++)
        seen += marks.is_step[s];
    assert_int_equal(seen, steps);
    ll_history_marks_clear(&marks);
    ll_history_destroy(h);
    ll_scorer_destroy(scorer);
    return steps;
}

/* A centre that nobody submitted is found; submissions that differ from one by chance, in the same rows, or as a sweep does are
 * no star, nor are so few that they may be chance. */
static void test_stars(void **state)
{
    (void)state;
    assert_int_equal(count_steps(flip_one, 26), 26);
    assert_int_equal(count_steps(flip_one, 18), 18);
    assert_int_equal(count_steps(flip_one, 14), 0);
    assert_int_equal(count_steps(flip_same, MOST_NEAR), 0);
    for (long i = 0; i < 40 * multiplier; i++)
        assert_int_equal(count_steps(flip_by_chance, MOST_NEAR), 0);
    assert_true(count_steps(flip_next, MOST_NEAR) >=
                MOST_NEAR - 1); /* each is one row away from the one before it: a chain */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_terms), cmocka_unit_test(test_counts_and_ranks),
                                       cmocka_unit_test(test_residues), cmocka_unit_test(test_stars)};
    read_environment("t-investigate");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
