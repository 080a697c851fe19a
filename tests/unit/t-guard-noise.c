/* Guards whose answers have noise, alone or before levels, and guards of the host's own metric: what rows are charged
 * against a second book that is kept here, caps of single labels, the law of the noise, a ledger of the form before, and
 * changes that ll_guard_verify must find. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scorer_tools.h"

#include <lossleak/guard.h>

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 40 };

static ll_error error;
static char folder[40] = "/dev/shm/t-guard-noise-XXXXXX", path[100];
static int32_t labels[ROWS];
static double given[ROWS];

static ll_status get_given(void *self, ll_block *out, long first, long count, ll_error *unused)
{
    (void)self;
    (void)unused;
    double *to = ll_block_reserve_doubles(out, count, 1);
    memcpy(to, given + first, (size_t)count * sizeof *to);
    return LL_OK;
}

static const ll_predictions predictions = {.rows = ROWS, .columns = 1, .entries = LL_ENTRIES_DOUBLE, .get = get_given};

/* scorer and the rest of the policy, without the braces and the rows */
static ll_status read_policy(ll_policy **out, const char *scorer, const char *more)
{
    char json[600];
    (void)snprintf(json, sizeof json, "{\"scorer\":{\"rows\":%d,%s}%s}", ROWS, scorer, more);
    return ll_policy_read(out, json, strlen(json), &error);
}

static ll_guard *fresh(const char *scorer, const char *more)
{
    static int count;
    ll_guard *guard = NULL;
    ll_policy *policy = NULL;
    if (read_policy(&policy, scorer, more) != LL_OK)
        fail_msg("%s", error.text);
    (void)snprintf(path, sizeof path, "%s/%d.db", folder, count++);
    for (int i = 0; i < ROWS; i++)
        labels[i] = rand() % 2;
    if (ll_guard_create(&guard, path, policy, labels, ROWS, NULL, &error) != LL_OK)
        fail_msg("%s", error.text);
    ll_policy_destroy(policy);
    assert_int_equal(ll_guard_add_account(guard, NULL, "a", LL_ROLE_PARTICIPANT, &error), LL_OK);
    assert_int_equal(ll_guard_add_account(guard, NULL, "b", LL_ROLE_PARTICIPANT, &error), LL_OK);
    return guard;
}

static ll_guard_outcome submit(ll_guard *guard, ll_guard_answer *answer, const char *account)
{
    if (ll_guard_submit(guard, answer, account, &predictions, &error) != LL_OK)
        fail_msg("%s", error.text);
    return answer->outcome;
}

static double uniform(void)
{
    return ((double)rand() + 0.5) / ((double)RAND_MAX + 1);
}

static void draw(void)
{
    for (int i = 0; i < ROWS; i++)
        given[i] = uniform();
}

static ll_guard_status status_of(ll_guard *guard)
{
    ll_guard_status status;
    if (ll_guard_get_status(guard, &status, &error) != LL_OK)
        fail_msg("%s", error.text);
    return status;
}

/* ---- charges ---- */

/* Of Brier scores: a label moves the mean by |1 - 2p|/N. */
static double move_of(int row)
{
    return fabs(1 - 2 * given[row]) / ROWS;
}

typedef struct {
    const char *noise;
    double factor;
    int follows; /* the spread of the submission */
} noise_case;

static const noise_case cases[] = {{"proportional:3", 3, 1}, {"gaussian:0.02", 0.02, 0}, {"laplace:0.05", 0.05, 0}};

/* Adds what this submission tells of every row; its bits. */
static double charge_book(const noise_case *c, double *rho)
{
    double squares = 0, bits = 0;
    for (int i = 0; i < ROWS; i++)
        squares += move_of(i) * move_of(i);
    double size = c->follows ? c->factor / 2 * sqrt(squares) : c->factor;
    for (int i = 0; i < ROWS; i++) {
        double more = move_of(i) * move_of(i) / (2 * size * size);
        rho[i] += more;
        bits += fmin(more / (4 * M_LN2), 1);
    }
    return bits;
}

/* A label with these bits told: no method guesses it more often. Balanced: 1 - h(q) = bits. */
static double share_of(double bits)
{
    double low = 0.5, high = 1;
    for (int i = 0; i < 60; i++) {
        double q = (low + high) / 2, told = 1 + q * log2(q) + (1 - q) * log2(1 - q);
        *(told < bits ? &low : &high) = q;
    }
    return high;
}

static void check_charges(const noise_case *c)
{
    char scorer[200];
    double rho[ROWS] = {0}, spent = 0, most = 0;
    (void)snprintf(scorer, sizeof scorer, "\"metric\":\"brier\",\"noise\":\"%s\"", c->noise);
    ll_guard *guard = fresh(scorer, ",\"promise\":{\"bits\":30}");
    ll_guard_answer answer;
    ll_guard_answer_init(&answer);
    for (int i = 0; i < 400; i++) {
        double before = spent, bits = 0;
        draw();
        double next[ROWS];
        memcpy(next, rho, sizeof rho);
        bits = charge_book(c, next);
        if (submit(guard, &answer, i % 2 ? "a" : "b") == LL_GUARD_REFUSED) {
            assert_true(before + bits > 30 - 1e-4);
            break;
        }
        memcpy(rho, next, sizeof rho);
        spent += bits;
        assert_true(fabs(answer.charged - bits) <= 1e-6 * bits + 2e-6 && answer.charged >= bits);
        assert_true(answer.spent <= 30);
    }
    assert_int_equal(answer.outcome, LL_GUARD_REFUSED);
    for (int i = 0; i < ROWS; i++)
        most = fmax(most, rho[i]);
    ll_guard_status status = status_of(guard);
    assert_true(fabs(status.spent - spent) < 0.001 && status.levels == 0 && status.row_promised == 1);
    assert_true(fabs(status.row_spent - share_of(most / (4 * M_LN2))) < 1e-3);
    assert_true(status.row_spent >= share_of(most / (4 * M_LN2)) - 1e-9);
    assert_int_equal(ll_guard_verify(guard, NULL, &error), LL_OK);
    ll_guard_answer_clear(&answer);
    ll_guard_close(guard);
}

static void test_charges(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_charges(&cases[i]);
}

/* ---- single labels ---- */

/* Somebody who asks for one row again and again, all others neutral. */
static void test_one_row(void **state)
{
    (void)state;
    for (int with_levels = 0; with_levels < 2; with_levels++) {
        ll_guard *guard =
            fresh(with_levels ? "\"metric\":\"brier\",\"noise\":\"gaussian:0.1\",\"release\":\"levels:0.5:0:50\""
                              : "\"metric\":\"brier\",\"noise\":\"gaussian:0.1\"",
                  ",\"promise\":{\"bits\":1000,\"row_share\":0.7}");
        ll_guard_answer answer;
        ll_guard_answer_init(&answer);
        int answered = 0;
        double rho = 0, cap = 4 * M_LN2 * (1 + 0.7 * log2(0.7) + 0.3 * log2(0.3));
        for (int i = 0; i < 200; i++) {
            for (int row = 0; row < ROWS; row++)
                given[row] = 0.5;
            given[7] = 1 - 1e-6 * i;
            if (submit(guard, &answer, "a") != LL_GUARD_ACCEPTED)
                break;
            answered++;
            rho += move_of(7) * move_of(7) / (2 * 0.1 * 0.1);
        }
        assert_int_equal(answer.outcome, LL_GUARD_REFUSED);
        assert_non_null(strstr(answer.text, "row 7"));
        assert_true(rho <= cap && rho + 0.04 > cap && answered >= 9);
        given[7] = 0.5;
        given[8] = 0.9;
        assert_int_equal(submit(guard, &answer, "a"), LL_GUARD_ACCEPTED);
        ll_guard_status status = status_of(guard);
        assert_true(status.row_spent <= 0.7 + 1e-6 && fabs(status.row_promised - 0.7) < 1e-6 &&
                    status.row_spent > 0.65);
        assert_int_equal(ll_guard_verify(guard, NULL, &error), LL_OK);
        ll_guard_answer_clear(&answer);
        ll_guard_close(guard);
    }
}

/* ---- what is shown ---- */

/* The same values have the same noise, whoever submits them; other values have another one, of the stated size. */
static void test_numbers(void **state)
{
    (void)state;
    enum { DRAWS = 400 };
    ll_guard *guard = fresh("\"metric\":\"brier\",\"noise\":\"gaussian:0.1\",\"decimals\":\"9\"", "");
    ll_guard_answer a, b;
    double sum = 0, square = 0;
    ll_guard_answer_init(&a);
    ll_guard_answer_init(&b);
    for (int i = 0; i < DRAWS; i++) {
        double brier = 0;
        draw();
        for (int row = 0; row < ROWS; row++)
            brier += (given[row] - labels[row]) * (given[row] - labels[row]) / ROWS;
        assert_int_equal(submit(guard, &a, "a"), LL_GUARD_ACCEPTED);
        assert_int_equal(submit(guard, &b, "b"), LL_GUARD_ACCEPTED);
        assert_string_equal(a.shown, b.shown);
        double off = (strtod(a.shown, NULL) - brier) / 0.1;
        sum += off;
        square += off * off;
    }
    assert_true(fabs(sum / DRAWS) < 5 / sqrt(DRAWS) && fabs(square / DRAWS - 1) < 5 * sqrt(2.0 / DRAWS));
    assert_int_equal(submit(guard, &b, "a"), LL_GUARD_REPEATED);
    assert_string_equal(a.shown, b.shown);
    ll_guard_answer_clear(&a);
    ll_guard_answer_clear(&b);
    ll_guard_close(guard);
}

typedef struct {
    long count;
    char shown[64];
} board;

static int take_place(void *self, const ll_guard_place *place)
{
    board *b = self;
    if (b->count++ == 0)
        (void)snprintf(b->shown, sizeof b->shown, "%s", place->shown);
    return 0;
}

/* Lower is better of a Brier score, higher of accuracy. */
static void check_best(const char *metric, int is_high)
{
    char scorer[100];
    double best = is_high ? -1e9 : 1e9;
    board b = {0};
    (void)snprintf(scorer, sizeof scorer, "\"metric\":\"%s\",\"noise\":\"gaussian:0.3\"", metric);
    ll_guard *guard = fresh(scorer, "");
    ll_guard_answer answer;
    ll_guard_answer_init(&answer);
    for (int i = 0; i < 20; i++) {
        for (int row = 0; row < ROWS; row++)
            given[row] = rand() % 2;
        assert_int_equal(submit(guard, &answer, "a"), LL_GUARD_ACCEPTED);
        double x = strtod(answer.shown, NULL);
        assert_int_equal(answer.improved, is_high ? x > best : x < best);
        best = answer.improved ? x : best;
    }
    assert_int_equal(ll_guard_leaderboard(guard, take_place, &b, &error), LL_OK);
    assert_true(b.count == 1 && strtod(b.shown, NULL) == best);
    assert_int_equal(ll_guard_verify(guard, NULL, &error), LL_OK);
    ll_guard_answer_clear(&answer);
    ll_guard_close(guard);
}

static void test_best(void **state)
{
    (void)state;
    check_best("brier", 0);
    check_best("accuracy", 1);
}

/* ---- the host's own metric ---- */

static int calls;

/* What right rows are worth, from the last to the first; it fails on a submission of zeros. */
static ll_status profit(void *self, double *score, const int32_t *truth, long n, const ll_predictions *p,
                        ll_error *unused)
{
    ll_block block;
    double sum = 0, all = 0;
    (void)self;
    calls++;
    ll_block_init(&block);
    ll_status status = p->get(p->self, &block, 0, n, unused);
    for (long i = 0; i < n && status == LL_OK; i++) {
        sum += (double)(n - i) * (block.doubles[i] == truth[i]);
        all += block.doubles[i];
    }
    ll_block_clear(&block);
    *score = sum;
    return status == LL_OK && all == 0 ? ll_fail(unused, LL_DOMAIN, "label 3 is %d", (int)truth[3]) : status;
}

static void test_own(void **state)
{
    (void)state;
    ll_guard *guard = fresh("\"release\":\"levels:300:820:52\"", ",\"better\":\"higher\",\"promise\":{\"bits\":500}");
    ll_guard_answer answer;
    ll_guard_answer_init(&answer);
    for (int i = 0; i < ROWS; i++)
        given[i] = labels[i];
    assert_int_equal(ll_guard_submit(guard, &answer, "a", &predictions, &error), LL_SYSTEM);
    assert_int_equal(status_of(guard).submissions, 0);
    assert_int_equal(ll_guard_set_metric(guard, profit, NULL, &error), LL_OK);
    long best = 0;
    for (int i = 0; i < 30; i++) {
        double score = 0;
        for (int row = 0; row < ROWS; row++)
            given[row] = uniform() < 0.4 + 0.02 * i ? labels[row] : 1 - labels[row];
        assert_int_equal(profit(NULL, &score, labels, ROWS, &predictions, NULL), LL_OK);
        assert_int_equal(submit(guard, &answer, "a"), LL_GUARD_ACCEPTED);
        long level = score >= 820 ? 52 : score < 310 ? 0 : (long)floor((score - 300) / 10);
        best = level > best ? level : best;
        assert_true(strtod(answer.shown, NULL) == 300 + 10 * (double)best);
    }
    for (int row = 0; row < ROWS; row++)
        given[row] = 0;
    assert_int_equal(submit(guard, &answer, "b"),
                     LL_GUARD_ACCEPTED); /* as one that does not improve, and says nothing */
    assert_null(strstr(answer.text, "label"));
    assert_true(strtod(answer.shown, NULL) == 300);
    assert_int_equal(ll_guard_verify(guard, NULL, &error), LL_OK);
    ll_guard_close(guard);
    calls = 0;
    assert_int_equal(ll_guard_open(&guard, path, NULL, &error), LL_OK); /* a repeated answer is found in the ledger */
    assert_int_equal(ll_guard_set_metric(guard, profit, NULL, &error), LL_OK);
    assert_int_equal(submit(guard, &answer, "b"), LL_GUARD_REPEATED);
    ll_guard_answer_clear(&answer);
    ll_guard_close(guard);
    guard = fresh("\"metric\":\"accuracy\",\"release\":\"levels:0.4:1:12\"", "");
    assert_int_equal(ll_guard_set_metric(guard, profit, NULL, &error), LL_DOMAIN);
    ll_guard_close(guard);
}

/* ---- policies that cannot be ---- */

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *scorer, *more, *text;
    } bad[] = {
        {"\"metric\":\"accuracy\"", "", "by levels, with noise, or both"},
        {"\"metric\":\"auc\",\"noise\":\"gaussian:0.1\"", "", "row by row"},
        {"\"metric\":\"f1\",\"noise\":\"proportional:3\",\"release\":\"levels:0:1:10\"",
         ",\"promise\":{\"row_share\":0.7}", "row by row"},
        {"\"metric\":\"accuracy\",\"release\":\"levels:0.4:1:12\"", ",\"promise\":{\"row_share\":0.7}", "add noise"},
        {"\"metric\":\"accuracy\",\"noise\":\"gaussian:0.1\"", ",\"promise\":{\"row_share\":0.7,\"row_rho\":1}",
         "one of them"},
        {"\"metric\":\"accuracy\",\"noise\":\"gaussian:0.1\"", ",\"promise\":{\"row_share\":0.4}", "guessing gets"},
        {"\"metric\":\"accuracy\",\"noise\":\"gaussian:0.1\"", ",\"limits\":{\"improvements\":3}", "improvements"},
        {"\"metric\":\"accuracy\",\"noise\":\"gaussian:0.1\",\"counts\":\"20,20\"", "", "class counts"},
        {"\"metric\":\"accuracy\",\"release\":\"levels:0.4:1:12\"", ",\"better\":\"higher\"", "leave out the metric"},
        {"\"release\":\"levels:0.4:1:12\"", ",\"better\":\"greater\"", "higher"},
        {"\"release\":\"levels:1:0.4:12\"", ",\"better\":\"higher\"", "fall"},
        {"\"noise\":\"gaussian:1\",\"release\":\"levels:0.4:1:12\"", ",\"better\":\"higher\"", "noise has no size"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ll_policy *policy = NULL;
        if (read_policy(&policy, bad[i].scorer, bad[i].more) != LL_DOMAIN || strstr(error.text, bad[i].text) == NULL)
            fail_msg("%zu: %s", i, error.text);
    }
}

/* A submission without a limit is invalid, whatever the labels. */
static void test_without_limit(void **state)
{
    (void)state;
    ll_guard *guard = fresh("\"metric\":\"log-loss\",\"clip\":\"none\",\"noise\":\"gaussian:0.1\"", "");
    ll_guard_answer answer;
    ll_guard_answer_init(&answer);
    draw();
    given[3] = 1;
    assert_int_equal(submit(guard, &answer, "a"), LL_GUARD_INVALID);
    given[3] = 0.99;
    assert_int_equal(submit(guard, &answer, "a"), LL_GUARD_ACCEPTED);
    ll_guard_answer_clear(&answer);
    ll_guard_close(guard);
}

/* ---- the file ---- */

static void run_sql(const char *sql)
{
    sqlite3 *file = NULL;
    assert_int_equal(sqlite3_open(path, &file), SQLITE_OK);
    char *wrong = NULL;
    if (sqlite3_exec(file, sql, NULL, NULL, &wrong) != SQLITE_OK)
        fail_msg("%s: %s", sql, wrong);
    (void)sqlite3_close(file);
}

/* One change after the other, each found, and undone by the next. */
static void test_changes(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE lossleak_entries SET cost = 0 WHERE id = 2",
        "UPDATE lossleak_entries SET shown = '0.5' WHERE id = 2",
        "UPDATE lossleak_entries SET exposure = NULL WHERE id = 2",
        "DELETE FROM lossleak_exposure",
        "UPDATE lossleak_exposure SET rho = (SELECT value FROM lossleak_meta WHERE name = 'labels')",
        "UPDATE lossleak_accounts SET level = level + 1",
        "UPDATE lossleak_meter SET spent = spent - 1",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        ll_guard *guard = fresh("\"metric\":\"brier\",\"noise\":\"proportional:2\"", "");
        ll_guard_answer answer;
        ll_guard_answer_init(&answer);
        for (int k = 0; k < 3; k++) {
            draw();
            assert_int_equal(submit(guard, &answer, "a"), LL_GUARD_ACCEPTED);
        }
        assert_int_equal(ll_guard_verify(guard, NULL, &error), LL_OK);
        run_sql(changes[i]);
        if (ll_guard_verify(guard, NULL, &error) != LL_DOMAIN)
            fail_msg("not found: %s", changes[i]);
        ll_guard_answer_clear(&answer);
        ll_guard_close(guard);
    }
}

/* A ledger of the first form is brought to this one, with its entries. */
static void test_first_form(void **state)
{
    (void)state;
    ll_guard *guard = fresh("\"metric\":\"accuracy\",\"release\":\"levels:0.4:1:12\"", "");
    ll_guard_answer answer;
    ll_guard_answer_init(&answer);
    for (int row = 0; row < ROWS; row++)
        given[row] = labels[row];
    assert_int_equal(submit(guard, &answer, "a"), LL_GUARD_ACCEPTED);
    ll_guard_close(guard);
    run_sql("DROP TABLE lossleak_exposure; ALTER TABLE lossleak_entries DROP COLUMN exposure; "
            "UPDATE lossleak_meta SET value = '1' WHERE name = 'version'");
    assert_int_equal(ll_guard_open(&guard, path, NULL, &error), LL_OK);
    assert_int_equal(ll_guard_verify(guard, answer.receipt, &error), LL_OK);
    assert_int_equal(submit(guard, &answer, "b"), LL_GUARD_ACCEPTED);
    assert_int_equal(ll_guard_verify(guard, answer.receipt, &error), LL_OK);
    ll_guard_answer_clear(&answer);
    ll_guard_close(guard);
}

static int make_folder(void **state)
{
    (void)state;
    srand(1);
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    char command[100];
    (void)state;
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_charges), cmocka_unit_test(test_one_row),       cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_best),    cmocka_unit_test(test_own),           cmocka_unit_test(test_refused),
        cmocka_unit_test(test_changes), cmocka_unit_test(test_without_limit), cmocka_unit_test(test_first_form),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
