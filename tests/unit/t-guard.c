/* Guards over SQLite: answers and charges against a second bookkeeping that is kept here, limits, tokens, labels at
 * rest, noise, and changes of the file that ll_guard_verify must find. The clock is the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scorer_tools.h"

#include <lossleak/guard.h>

#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 60, LEVELS = 12 };

static ll_error error;
static char folder[40] = "/dev/shm/t-guard-XXXXXX", path[100];
static long clock_now = 1000000;
static int32_t labels[ROWS];
static double given[ROWS];

__attribute__((visibility("default"))) time_t time(time_t *out)
{
    if (out != NULL)
        *out = clock_now;
    return clock_now;
}

/* ---- tools ---- */

static ll_status get_given(void *self, ll_block *out, long first, long count, ll_error *unused)
{
    (void)self;
    (void)unused;
    double *to = ll_block_reserve_doubles(out, count, 1);
    memcpy(to, given + first, (size_t)count * sizeof *to);
    return LL_OK;
}

static float singles[ROWS];

static ll_status get_singles(void *self, ll_block *out, long first, long count, ll_error *unused)
{
    (void)self;
    (void)unused;
    float *to = ll_block_reserve_floats(out, count, 1);
    memcpy(to, singles + first, (size_t)count * sizeof *to);
    return LL_OK;
}

static ll_status get_exacts(void *self, ll_block *out, long first, long count, ll_error *unused)
{
    char text[40];
    (void)self;
    (void)unused;
    ll_exact *to = ll_block_reserve_exacts(out, count, 1);
    for (long i = 0; i < count; i++) {
        (void)snprintf(text, sizeof text, "%.17g", given[first + i]);
        assert_int_equal(ll_exact_read(to, i, text, strlen(text)), LL_OK);
    }
    return LL_OK;
}

static const ll_predictions predictions = {.rows = ROWS, .columns = 1, .entries = LL_ENTRIES_DOUBLE, .get = get_given};

static ll_policy *policy_of(const char *more)
{
    char json[600];
    ll_policy *policy = NULL;
    (void)snprintf(json, sizeof json,
                   "{\"policy\":1,\"scorer\":{\"metric\":\"accuracy\",\"rows\":%d,\"release\":\"levels:0.4:1:%d\"}%s}",
                   ROWS, LEVELS, more);
    if (ll_policy_read(&policy, json, strlen(json), &error) != LL_OK)
        fail_msg("%s: %s", json, error.text);
    return policy;
}

static ll_guard *fresh(const char *more, const unsigned char *key)
{
    static int count;
    ll_guard *guard = NULL;
    ll_policy *policy = policy_of(more);
    (void)snprintf(path, sizeof path, "%s/%d.db", folder, count++);
    for (int i = 0; i < ROWS; i++)
        labels[i] = rand() % 2;
    if (ll_guard_create(&guard, path, policy, labels, ROWS, key, &error) != LL_OK)
        fail_msg("%s", error.text);
    ll_policy_destroy(policy);
    return guard;
}

static void add(ll_guard *guard, const char *name)
{
    assert_int_equal(ll_guard_add_account(guard, NULL, name, LL_ROLE_PARTICIPANT, &error), LL_OK);
}

/* right: so many rows at least are right */
static void draw(int right)
{
    for (int i = 0; i < ROWS; i++)
        given[i] = i < right ? labels[i] : rand() % 2;
}

static ll_guard_outcome submit(ll_guard *guard, ll_guard_answer *answer, const char *account)
{
    if (ll_guard_submit(guard, answer, account, &predictions, &error) != LL_OK)
        fail_msg("%s", error.text);
    return answer->outcome;
}

/* ---- answers and charges ---- */

typedef struct {
    long level[3], answered[3], improved, silent;
    double spent;
} book;

static long reach(void)
{
    int right = 0;
    for (int i = 0; i < ROWS; i++)
        right += given[i] == labels[i];
    long level = 0; /* the double, not the fraction, is held against the decimal */
    while (level < LEVELS && fma((double)right / ROWS, 100, -(double)(40 + 5 * (level + 1))) >= 0)
        level++;
    return level;
}

static double price(const book *b, int who, long climbed)
{
    long left = LEVELS - b->level[who];
    double rate = ((double)b->improved + 0.5) / ((double)(b->improved + b->silent) + 1);
    if (left == 0)
        return 0;
    if (b->answered[who] == 0)
        return log2(LEVELS + 1);
    return climbed == 0 ? -log2(1 - rate) : -log2(rate) + (double)(climbed < left ? climbed : left - 1);
}

static void check_answer(book *b, ll_guard *guard, ll_guard_answer *answer, int who, double budget)
{
    static const char *const names[] = {"anna", "bob", "carl"};
    long climbed = reach() - b->level[who], left = LEVELS - b->level[who];
    climbed = climbed > 0 ? climbed : 0;
    int is_admitted =
        price(b, who, 0) <= budget - b->spent - 1e-4 && price(b, who, left > 0) <= budget - b->spent - 1e-4;
    ll_guard_outcome outcome = submit(guard, answer, names[who]);
    if (outcome == LL_GUARD_REPEATED)
        return;
    assert_int_equal(outcome == LL_GUARD_ACCEPTED, is_admitted);
    if (outcome != LL_GUARD_ACCEPTED)
        return;
    while (climbed > 0 && price(b, who, climbed) > budget - b->spent - 1e-4)
        climbed--;
    double cost = price(b, who, climbed);
    assert_true(fabs(cost - answer->charged) < 1e-5);
    b->spent += cost;
    b->improved += climbed > 0 && b->answered[who] > 0 && left > 0;
    b->silent += climbed == 0 && b->answered[who] > 0 && left > 0;
    b->answered[who]++;
    b->level[who] += climbed;
    assert_true(fabs(strtod(answer->shown, NULL) - (0.4 + 0.05 * (double)b->level[who])) < 1e-9);
    assert_int_equal(answer->improved, climbed > 0);
    assert_true(fabs(answer->spent - b->spent) < 1e-3 && answer->spent <= budget);
}

static void test_answers(void **state)
{
    (void)state;
    static const double budgets[] = {10, 40, 300};
    long refused = 0;
    for (size_t i = 0; i < 3; i++) {
        char promise[60];
        (void)snprintf(promise, sizeof promise, ",\"promise\":{\"bits\":%g}", budgets[i]);
        ll_guard *guard = fresh(promise, NULL);
        book b = {0};
        ll_guard_answer answer;
        ll_guard_status told;
        ll_guard_answer_init(&answer);
        add(guard, "anna");
        add(guard, "bob");
        add(guard, "carl");
        for (int t = 0; t < 60; t++) {
            draw(t);
            check_answer(&b, guard, &answer, rand() % 3, budgets[i]);
            refused += answer.outcome == LL_GUARD_REFUSED;
        }
        assert_int_equal(ll_guard_get_status(guard, &told, &error), LL_OK);
        assert_true(fabs(told.spent - b.spent) < 1e-3 && told.share_spent <= told.share_promised);
        assert_int_equal(ll_guard_verify(guard, told.head, &error), LL_OK);
        assert_int_equal(ll_guard_verify(guard, "0123", &error), LL_DOMAIN);
        ll_guard_answer_clear(&answer);
        ll_guard_close(guard);
    }
    assert_true(refused > 20);
}

/* ---- the same values ---- */

static void test_repeated(void **state)
{
    (void)state;
    ll_guard *guard = fresh("", NULL);
    ll_guard_answer first, again;
    ll_predictions other = predictions;
    ll_guard_answer_init(&first);
    ll_guard_answer_init(&again);
    add(guard, "anna");
    draw(30);
    given[3] = -0.0; /* one zero */
    assert_int_equal(submit(guard, &first, "anna"), LL_GUARD_ACCEPTED);
    given[3] = 0;
    for (int i = 0; i < ROWS; i++)
        singles[i] = (float)given[i];
    static ll_status (*const gets[])(void *, ll_block *, long, long, ll_error *) = {get_given, get_singles, get_exacts};
    static const ll_entries kinds[] = {LL_ENTRIES_DOUBLE, LL_ENTRIES_FLOAT, LL_ENTRIES_EXACT};
    for (int i = 0; i < 3; i++) {
        other.get = gets[i];
        other.entries = kinds[i];
        assert_int_equal(ll_guard_submit(guard, &again, "anna", &other, &error), LL_OK);
        assert_int_equal(again.outcome, LL_GUARD_REPEATED);
        assert_string_equal(again.shown, first.shown);
        assert_string_equal(again.receipt, first.receipt);
        assert_true(again.charged == 0 && again.spent == first.spent);
    }
    ll_guard_answer_clear(&first);
    ll_guard_answer_clear(&again);
    ll_guard_close(guard);
}

/* ---- limits ---- */

static void test_limits(void **state)
{
    (void)state;
    ll_guard *guard = fresh(",\"limits\":{\"submissions\":9,\"per_account\":5,\"per_day\":3,\"accounts\":2}", NULL);
    static const ll_guard_outcome want[] = {LL_GUARD_ACCEPTED, LL_GUARD_INVALID,  LL_GUARD_ACCEPTED, LL_GUARD_REFUSED,
                                            LL_GUARD_ACCEPTED, LL_GUARD_ACCEPTED, LL_GUARD_REFUSED};
    ll_guard_answer answer;
    ll_guard_answer_init(&answer);
    add(guard, "anna");
    add(guard, "bob");
    assert_int_equal(ll_guard_add_account(guard, NULL, "carl", LL_ROLE_PARTICIPANT, &error), LL_DOMAIN);
    assert_int_equal(ll_guard_add_account(guard, NULL, "anna", LL_ROLE_PARTICIPANT, &error), LL_DOMAIN);
    assert_int_equal(ll_guard_add_account(guard, NULL, "a b", LL_ROLE_PARTICIPANT, &error), LL_DOMAIN);
    for (int t = 0; t < 7; t++) {
        draw(20 + t);
        given[7] = t == 1 ? NAN : given[7];
        clock_now += t == 4 ? 86400 : t == 5 ? -100000 : 0; /* the next day; a clock that goes back */
        assert_int_equal(submit(guard, &answer, "anna"), want[t]);
        assert_true(answer.outcome != LL_GUARD_REFUSED || answer.charged == 0);
    }
    for (int t = 0; t < 6; t++) {
        draw(40 + t);
        clock_now += 2 * 86400;
        assert_int_equal(submit(guard, &answer, "bob"), t < 4 ? LL_GUARD_ACCEPTED : LL_GUARD_REFUSED);
    }
    assert_true(answer.left_all == 0 && answer.left_account == 1);
    assert_int_equal(ll_guard_verify(guard, NULL, &error), LL_OK);
    assert_int_equal(ll_guard_submit(guard, &answer, "nobody", &predictions, &error), LL_DOMAIN);
    ll_guard_answer_clear(&answer);
    ll_guard_close(guard);
}

/* ---- tokens and names ---- */

static void test_tokens(void **state)
{
    (void)state;
    ll_guard *guard = fresh("", NULL);
    char token[2][LL_GUARD_TOKEN], name[LL_GUARD_NAME];
    ll_guard_role role = LL_ROLE_NONE;
    assert_int_equal(ll_guard_add_account(guard, token[0], "anna", LL_ROLE_PARTICIPANT, &error), LL_OK);
    assert_int_equal(ll_guard_add_account(guard, token[1], "host", LL_ROLE_HOST, &error), LL_OK);
    assert_int_equal(ll_guard_check_token(guard, name, &role, token[0], &error), LL_OK);
    assert_true(role == LL_ROLE_PARTICIPANT && strcmp(name, "anna") == 0);
    assert_int_equal(ll_guard_check_token(guard, name, &role, token[1], &error), LL_OK);
    assert_true(role == LL_ROLE_HOST);
    token[1][5] ^= 1;
    static const char *const wrong[] = {"", "'", "anna", "' OR 1=1 --"};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(ll_guard_check_token(guard, name, &role, i < 4 ? wrong[i] : token[1], &error), LL_OK);
        assert_true(role == LL_ROLE_NONE && name[0] == 0);
    }
    assert_int_equal(ll_guard_forget_account(guard, "anna", &error), LL_OK);
    assert_int_equal(ll_guard_check_token(guard, name, &role, token[0], &error), LL_OK);
    assert_true(role == LL_ROLE_NONE);
    assert_int_equal(ll_guard_forget_account(guard, "anna", &error), LL_DOMAIN);
    ll_guard_close(guard);
}

/* ---- at rest ---- */

static void test_at_rest(void **state)
{
    (void)state;
    unsigned char key[LL_GUARD_KEY];
    struct stat info;
    ll_guard *guard = NULL, *other = NULL;
    ll_guard_make_key(key);
    ll_guard_close(fresh("", key));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(ll_guard_open(&guard, path, NULL, &error), LL_DOMAIN);
    key[0] ^= 1;
    assert_int_equal(ll_guard_open(&guard, path, key, &error), LL_DOMAIN);
    key[0] ^= 1;
    assert_int_equal(ll_guard_open(&guard, path, key, &error), LL_OK);
    assert_int_equal(ll_guard_open(&other, path, key, &error), LL_OK); /* two at a time */
    ll_guard_answer answer;
    ll_guard_answer_init(&answer);
    add(guard, "anna");
    for (int i = 0; i < 20; i++) {
        draw(30 + i);
        (void)submit(i % 2 ? guard : other, &answer, "anna");
        assert_true(answer.outcome == LL_GUARD_ACCEPTED);
    }
    assert_int_equal(ll_guard_verify(other, answer.receipt, &error), LL_OK);
    ll_policy *policy = policy_of("");
    ll_guard *third = NULL;
    assert_int_equal(ll_guard_create(&third, path, policy, labels, ROWS, key, &error), LL_DOMAIN);
    labels[0] = -1;
    assert_int_equal(ll_guard_create(&third, "/tmp/t-guard-none.db", policy, labels, ROWS, key, &error), LL_DOMAIN);
    assert_int_equal(access("/tmp/t-guard-none.db", F_OK), -1);
    ll_policy_destroy(policy);
    ll_guard_answer_clear(&answer);
    ll_guard_close(guard);
    ll_guard_close(other);
}

/* ---- changes that must be found ---- */

static int run_sql(const char *sql)
{
    sqlite3 *base = NULL;
    assert_int_equal(sqlite3_open(path, &base), SQLITE_OK);
    int code = sqlite3_exec(base, sql, NULL, NULL, NULL);
    (void)sqlite3_close(base);
    return code;
}

static void test_changes(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE lossleak_entries SET cost = cost - 1 WHERE id = 4",
        "UPDATE lossleak_entries SET level = level + 1 WHERE id = 4",
        "UPDATE lossleak_entries SET shown = '0.9' WHERE id = 4",
        "UPDATE lossleak_entries SET digest = 'a' WHERE id = 4",
        "UPDATE lossleak_entries SET noted = noted + 1 WHERE id = 4",
        "UPDATE lossleak_entries SET account = 3 - account WHERE id = 4",
        "UPDATE lossleak_entries SET outcome = 3 WHERE id = 4",
        "UPDATE lossleak_entries SET chain = 'a' WHERE id = 4",
        "DELETE FROM lossleak_entries WHERE id = 4",
        "DELETE FROM lossleak_entries WHERE id = 8",
        "UPDATE lossleak_meter SET spent = spent - 1",
        "UPDATE lossleak_meter SET rated = rated + 1",
        "UPDATE lossleak_meter SET silent = silent + 1",
        "UPDATE lossleak_meter SET entries = entries - 1",
        "UPDATE lossleak_meter SET level = level - 1",
        "UPDATE lossleak_meter SET head = 'a'",
        "UPDATE lossleak_accounts SET level = level + 1 WHERE id = 1",
        "UPDATE lossleak_accounts SET submitted = submitted - 1 WHERE id = 2",
        "UPDATE lossleak_meta SET value = 'a' WHERE name = 'start'",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        ll_guard *guard = fresh("", NULL);
        ll_guard_answer answer;
        ll_guard_answer_init(&answer);
        add(guard, "anna");
        add(guard, "bob");
        for (int t = 0; t < 8; t++) {
            draw(25 + 3 * t);
            (void)submit(guard, &answer, t % 2 ? "anna" : "bob");
        }
        assert_int_equal(ll_guard_verify(guard, answer.receipt, &error), LL_OK);
        assert_int_equal(run_sql(changes[i]), SQLITE_OK);
        if (ll_guard_verify(guard, NULL, &error) != LL_DOMAIN)
            fail_msg("not found: %s", changes[i]);
        ll_guard_answer_clear(&answer);
        ll_guard_close(guard);
    }
}

/* A copy that is put back does not know a later receipt. */
static void test_back_in_time(void **state)
{
    (void)state;
    ll_guard *guard = fresh("", NULL);
    char copy[120], receipt[65];
    ll_guard_answer answer;
    ll_guard_answer_init(&answer);
    add(guard, "anna");
    draw(30);
    (void)submit(guard, &answer, "anna");
    (void)snprintf(copy, sizeof copy, "VACUUM INTO '%s/copy.db'", folder);
    assert_int_equal(run_sql(copy), SQLITE_OK);
    draw(31);
    (void)submit(guard, &answer, "anna");
    memcpy(receipt, answer.receipt, sizeof receipt);
    ll_guard_answer_clear(&answer);
    ll_guard_close(guard);
    (void)snprintf(copy, sizeof copy, "%s/copy.db", folder);
    assert_int_equal(ll_guard_open(&guard, copy, NULL, &error), LL_OK);
    assert_int_equal(ll_guard_verify(guard, NULL, &error), LL_OK);
    assert_int_equal(ll_guard_verify(guard, receipt, &error), LL_DOMAIN);
    ll_guard_close(guard);
}

/* ---- noise ---- */

/* Different submissions have different noise, of the stated size: predictions that all score as good as the same, on a
 * fine list of levels. */
static void check_noise(const char *noise, double deviation)
{
    char json[300], name[8];
    double sum = 0, squares = 0;
    enum { DRAWS = 300 };
    ll_policy *policy = NULL;
    ll_guard *guard = NULL;
    ll_guard_answer answer;
    ll_guard_answer_init(&answer);
    (void)snprintf(json, sizeof json,
                   "{\"scorer\":{\"metric\":\"brier\",\"rows\":%d,\"noise\":\"%s\",\"release\":\"levels:3:-3:60000\"}}",
                   ROWS, noise);
    if (ll_policy_read(&policy, json, strlen(json), &error) != LL_OK)
        fail_msg("%s", error.text);
    (void)snprintf(path, sizeof path, "%s/noise-%s.db", folder, noise);
    assert_int_equal(ll_guard_create(&guard, path, policy, labels, ROWS, NULL, &error), LL_OK);
    for (int t = 0; t < DRAWS; t++) {
        (void)snprintf(name, sizeof name, "a%d", t);
        add(guard, name);
        for (int i = 0; i < ROWS; i++)
            given[i] = 0.5 + 1e-9 * t; /* scores 0.25, and every label moves it by as good as nothing */
        given[0] = 0.9;
        assert_int_equal(submit(guard, &answer, name), LL_GUARD_ACCEPTED);
        double x = strtod(answer.shown, NULL);
        sum += x;
        squares += x * x;
    }
    double mean = sum / DRAWS, spread = sqrt(squares / DRAWS - mean * mean);
    double score = (0.25 * (ROWS - 1) + (labels[0] ? 0.01 : 0.81)) / ROWS;
    assert_true(fabs(mean - score) < 5 * deviation / sqrt(DRAWS));
    assert_true(spread > deviation * 0.75 && spread < deviation * 1.3);
    ll_guard_answer_clear(&answer);
    ll_guard_close(guard);
    ll_policy_destroy(policy);
}

static void test_noise(void **state)
{
    (void)state;
    check_noise("gaussian:0.2", 0.2);
    check_noise("laplace:0.2", 0.2 * sqrt(2));
    check_noise("proportional:20", 20 * 0.8 / ROWS / 2);
}

/* Two accounts that submit the same values get the same level. */
static void test_one_noise(void **state)
{
    (void)state;
    ll_guard *guard = NULL;
    ll_policy *policy = NULL;
    ll_guard_answer answer[2];
    const char *json = "{\"scorer\":{\"metric\":\"accuracy\",\"rows\":60,\"noise\":\"gaussian:0.1\",\"release\":"
                       "\"levels:0:1.5:15000\"}}";
    assert_int_equal(ll_policy_read(&policy, json, strlen(json), &error), LL_OK);
    (void)snprintf(path, sizeof path, "%s/one-noise.db", folder);
    assert_int_equal(ll_guard_create(&guard, path, policy, labels, ROWS, NULL, &error), LL_OK);
    for (int t = 0; t < 20; t++) {
        char name[2][8];
        draw(40);
        for (int who = 0; who < 2; who++) {
            ll_guard_answer_init(&answer[who]);
            (void)snprintf(name[who], sizeof name[who], "%c%d", "ab"[who], t);
            add(guard, name[who]);
            assert_int_equal(submit(guard, &answer[who], name[who]), LL_GUARD_ACCEPTED);
        }
        assert_string_equal(answer[0].shown, answer[1].shown);
        ll_guard_answer_clear(&answer[0]);
        ll_guard_answer_clear(&answer[1]);
    }
    assert_int_equal(ll_guard_verify(guard, NULL, &error), LL_OK);
    ll_guard_close(guard);
    ll_policy_destroy(policy);
}

/* ---- policies ---- */

static void test_policies(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "[]",
        "{",
        "{\"policy\":2}",
        "{\"policy\":1,\"scorer\":{\"metric\":\"accuracy\"}}",
        "{\"scorer\":{\"metric\":\"accuracy\",\"rows\":9}}", /* no levels */
        "{\"scorer\":{\"metric\":\"accuracy\",\"rows\":9,\"release\":\"levels:0.5:1:5\"},\"more\":1}",
        "{\"scorer\":{\"metric\":\"accuracy\",\"rows\":9,\"release\":\"levels:0.5:1:5\"},\"promise\":{\"share\":0.4}}",
        "{\"scorer\":{\"metric\":\"accuracy\",\"rows\":9,\"release\":\"levels:0.5:1:5\"},\"promise\":{\"share\":2}}",
        "{\"scorer\":{\"metric\":\"accuracy\",\"rows\":9,\"release\":\"levels:0.5:1:5\"},\"promise\":{\"bits\":-1}}",
        "{\"scorer\":{\"metric\":\"accuracy\",\"rows\":9,\"release\":\"levels:0.5:1:5\"},\"promise\":{\"bits\":1e-9}}",
        "{\"scorer\":{\"metric\":\"accuracy\",\"rows\":9,\"release\":\"levels:0.5:1:5\"},\"limits\":{\"per_day\":0}}",
        "{\"scorer\":{\"metric\":\"accuracy\",\"rows\":9,\"release\":\"levels:0.5:1:5\"},\"code\":{\"rate\":1}}",
        "{\"scorer\":{\"metric\":\"accuracy\",\"rows\":9,\"rows\":9,\"release\":\"levels:0.5:1:5\"}}",
    };
    static const struct {
        long rows;
        double bits;
    } budgets[] = {{2201, 64}, {20000, 581}, {100000, 2905}};
    ll_policy *policy = NULL, *again = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (ll_policy_read(&policy, bad[i], strlen(bad[i]), &error) != LL_DOMAIN)
            fail_msg("accepted: %s", bad[i]);
    for (size_t i = 0; i < 3; i++) {
        char json[200];
        double bits = 0;
        (void)snprintf(
            json, sizeof json,
            "{\"scorer\":{\"metric\":\"accuracy\",\"rows\":%ld,\"release\":\"levels:0.5:1:50\"},\"promise\":{"
            "\"share\":0.6}}",
            budgets[i].rows);
        assert_int_equal(ll_policy_read(&policy, json, strlen(json), &error), LL_OK);
        assert_int_equal(ll_audit_bits_of_share(&bits, ll_policy_get_scorer(policy), 0.6, &error), LL_OK);
        assert_int_equal((long)floor(bits + 0.5), (long)budgets[i].bits);
        const char *written = ll_policy_get_json(policy);
        assert_int_equal(ll_policy_read(&again, written, strlen(written), &error), LL_OK);
        assert_string_equal(ll_policy_get_digest(policy), ll_policy_get_digest(again));
        ll_policy_destroy(policy);
        ll_policy_destroy(again);
    }
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) != NULL) /* in memory: every commit is synced */
        return 0;
    (void)snprintf(folder, sizeof folder, "/tmp/t-guard-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    char command[200];
    (void)state;
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policies),  cmocka_unit_test(test_answers),      cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_limits),    cmocka_unit_test(test_tokens),       cmocka_unit_test(test_at_rest),
        cmocka_unit_test(test_changes),   cmocka_unit_test(test_back_in_time), cmocka_unit_test(test_noise),
        cmocka_unit_test(test_one_noise),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
