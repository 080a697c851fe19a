/* plan.json: what is written reads back, and no other file is taken for one. The scorer's object with it, and the
 * folder that holds them. */
#include "io/formats/plan_file.h"

#include "io-files.h"
#include "io/files/new_folder.h"
#include "report/json.h"
#include "report/scorer_read.h"

static ll_io_plan sample(void)
{
    ll_scorer scorer;
    ll_scorer_init(&scorer);
    scorer.rows = 2201;
    scorer.classes = 2;
    ll_io_plan plan = {.scorer = ll_report_json_scorer(&scorer),
                       .code = (char *)"primes:c=sqrt",
                       .rows = 2201,
                       .classes = 2,
                       .columns = 1,
                       .block = 100,
                       .queries = 23,
                       .exact = 1,
                       .form = LL_IO_PREDICTIONS_CSV};
    memset(plan.digest, 'a', LL_IO_DIGEST);
    assert_non_null(plan.scorer);
    return plan;
}

static const char *write_sample(void)
{
    ll_io_plan plan = sample();
    const char *path = in_folder("plan.json");
    assert_int_equal(ll_io_write_plan(path, &plan, NULL), LL_OK);
    json_decref(plan.scorer);
    return path;
}

static void test_round_trip(void **state)
{
    (void)state;
    ll_io_plan wanted = sample(), got;
    ll_error error = {0};
    if (ll_io_read_plan(&got, write_sample(), &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_true(json_equal(got.scorer, wanted.scorer));
    assert_string_equal(got.code, wanted.code);
    assert_string_equal(got.digest, wanted.digest);
    assert_int_equal(got.rows, 2201);
    assert_int_equal(got.classes, 2);
    assert_int_equal(got.columns, 1);
    assert_int_equal(got.block, 100);
    assert_int_equal(got.queries, 23);
    assert_int_equal(got.exact, 1);
    assert_int_equal(got.form, LL_IO_PREDICTIONS_CSV);
    ll_io_clear_plan(&got);
    json_decref(wanted.scorer);
}

static void expect_refusal(const char *content, const char *reason)
{
    ll_io_plan plan = {0};
    ll_error error = {0};
    if (ll_io_read_plan(&plan, put("plan.json", content), &error) != LL_DOMAIN)
        fail_msg("taken for a plan: %s", content);
    expect_error(&error, "plan.json");
    expect_error(&error, reason);
    assert_null(plan.code);
}

/* The file with the first `from` replaced, or where that is NULL with `to` put behind the first brace. */
static void expect_edit_refused(const char *from, const char *to, const char *reason)
{
    size_t size;
    char *text = slurp(write_sample(), &size), edited[8192];
    char *at = from ? strstr(text, from) : text + 1;
    assert_non_null(at);
    snprintf(edited, sizeof edited, "%.*s%s%s", (int)(at - text), text, to, at + (from ? strlen(from) : 0));
    expect_refusal(edited, reason);
    free(text);
}

static void test_edited(void **state)
{
    (void)state;
    static const char changed[] = "the plan was changed: its digest does not fit";
    expect_edit_refused("\"block\": 100", "\"block\": 101", changed);
    expect_edit_refused("primes:c=sqrt", "primes", changed);
    expect_edit_refused("\"seed\": ", "\"seed\": 7", changed);
    expect_edit_refused("\"loss\": \"log-loss\"", "\"loss\": \"squared\"", changed);
    expect_edit_refused("\"queries\": 23", "\"queries\": 22", changed);
    expect_edit_refused("\"entries\": \"exact\"", "\"entries\": \"double\"", changed);
    expect_edit_refused("aaaa", "aaab", changed);
    expect_edit_refused("\"classes\": 2", "\"classes\": 3", changed);
    expect_edit_refused("\"block\": 100", "\"block\": 1.5", "Expected integer");
    expect_edit_refused("\"block\": 100", "\"block\": \"100\"", "Expected integer");
    expect_edit_refused("\"block\": 100", "\"block\": 0", "a count is out of range");
    expect_edit_refused("\"block\": 100", "\"block\": 2202", "block is larger than rows");
    expect_edit_refused("\"block\": 100", "\"black\": 100", "block");
    expect_edit_refused("\"entries\": \"exact\"", "\"entries\": \"float\"", "neither double nor exact");
    expect_edit_refused("\"form\": \"csv\"", "\"form\": \"npy\"", "entries are exact, but form is npy");
    expect_edit_refused("\"version\": 1", "\"version\": 2", "version 1");
    expect_edit_refused("lossleak plan", "lossleak journal", "lossleak plan");
    expect_edit_refused("aaaa", "", "64 hexadecimal digits");
    expect_edit_refused(NULL, "\"labels\": [0, 1],", "labels");
    expect_edit_refused(NULL, "\"block\": 100,", "duplicate");
}

static void test_no_plan(void **state)
{
    (void)state;
    expect_refusal("", "the file is empty");
    expect_refusal("{", "no JSON");
    expect_refusal("[1, 2]", "not a plan");
    expect_refusal("{}", "not a plan");
    expect_refusal("row,p\n0,0.5\n", "no JSON");
    ll_error error = {0};
    ll_io_plan plan;
    assert_int_equal(ll_io_read_plan(&plan, in_folder("missing.json"), &error), LL_SYSTEM);
    expect_error(&error, "missing.json: No such file");
}

/* Every part of a scorer goes through JSON and back, to the same JSON. */
static void test_scorer(void **state)
{
    (void)state;
    static const double prior[] = {0.1, 0.9};
    ll_scorer scorer;
    ll_scorer_init(&scorer);
    scorer = (ll_scorer){.profile = "sklearn-1.2/log_loss",
                         .loss = "norm:2.5",
                         .transform = LL_PERCENT,
                         .rows = 5,
                         .classes = 3,
                         .clip_mode = LL_LOG_PLUS,
                         .clip = "1e-7",
                         .arithmetic = "fpa:8,23",
                         .sum_arithmetic = "fp64",
                         .loss_arithmetic = "rows",
                         .order = LL_SUM_COMPENSATED,
                         .log_ulps = 2.5,
                         .rounding = LL_ROUND_DIGITS,
                         .places = 6,
                         .truncate = 1,
                         .noise = LL_NOISE_BOUNDED,
                         .noise_size = "1e-400000",
                         .draw = LL_DRAW_MINUS,
                         .ladder = "0.01",
                         .queries = 9,
                         .prior = prior,
                         .prior_count = 2,
                         .seed = UINT64_MAX,
                         .precision = 300};
    json_t *object = ll_report_json_scorer(&scorer);
    ll_scorer_read read;
    ll_error error = {0};
    if (ll_report_read_scorer(&read, object, &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_true(read.scorer.log_ulps == 2.5);
    assert_true(read.scorer.seed == UINT64_MAX);
    assert_string_equal(read.scorer.noise_size, "1e-400000");
    json_t *again = ll_report_json_scorer(&read.scorer);
    assert_true(json_equal(object, again));
    ll_report_clear_scorer(&read);
    json_decref(again);
    static const struct {
        const char *key, *value, *reason;
    } bad[] = {
        {"loss", "null", "loss: is not a string"},
        {"sum", "\"sideways\"", "sum: no such name"},
        {"rows", "-1", "rows: is neither a count"},
        {"noise", "\"bounded:1\"", "noise: no such noise"},
        {"noise", "\"none:1\"", "noise: no such noise"},
        {"noise", "\"loud:1\"", "noise: no such noise"},
        {"prior", "[1]", "prior: "},
        {"seed", "\"-7\"", "seed: is not a seed"},
        {"truncate", "1", "truncate: is not true"},
        {"decimals", "2", "decimals: contradicts digits"},
        {"release", "\"slide:1\"", "release: no such"},
        {"labels", "[0, 1]", "22 keys where 21 are known"},
        {"log_ulps", "-1", "log_ulps: is neither"},
        {"clip", "7", "clip: is neither a string nor null"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_t *copy = json_copy(object);
        assert_int_equal(json_object_set_new(copy, bad[i].key, json_loads(bad[i].value, JSON_DECODE_ANY, NULL)), 0);
        assert_int_equal(ll_report_read_scorer(&read, copy, &error), LL_DOMAIN);
        expect_error(&error, bad[i].reason);
        json_decref(copy);
    }
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        json_t *copy = json_copy(object);
        json_object_del(copy, key);
        assert_int_equal(ll_report_read_scorer(&read, copy, &error), LL_DOMAIN);
        expect_error(&error, "is missing");
        json_decref(copy);
    }
    json_decref(object);
}

static void put_file(const ll_io_folder *folder, const char *name)
{
    char *path = ll_io_folder_file(folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    free(path);
}

static void test_folder_whole(void **state)
{
    (void)state;
    count_files(1);
    ll_io_folder *folder;
    ll_error error = {0};
    char path[512];
    snprintf(path, sizeof path, "%s", in_folder("new"));
    assert_int_equal(ll_io_folder_open(&folder, path, &error), LL_OK);
    put_file(folder, "a");
    put_file(folder, "b");
    assert_int_equal(access(path, F_OK), -1);
    ll_io_folder_abandon(folder);
    assert_int_equal(count_files(0), 0);
    ll_io_folder_abandon(NULL);

    assert_int_equal(mkdir(path, 0700), 0); /* an empty one is taken */
    assert_int_equal(ll_io_folder_open(&folder, in_folder("new//"), &error), LL_OK);
    put_file(folder, "a");
    assert_int_equal(ll_io_folder_commit(folder, &error), LL_OK);
    assert_int_equal(count_files(0), 1);
    assert_int_equal(access(in_folder("new/a"), F_OK), 0);

    assert_int_equal(ll_io_folder_open(&folder, path, &error), LL_DOMAIN);
    expect_error(&error, "new: is there and not empty; give a new folder");
    assert_int_equal(ll_io_folder_open(&folder, in_folder("new/a"), &error), LL_DOMAIN);
    expect_error(&error, "is no folder");
    assert_int_equal(ll_io_folder_open(&folder, in_folder("nowhere/new"), &error), LL_SYSTEM);
    expect_error(&error, "No such file");
    assert_int_equal(ll_io_folder_open(&folder, "", &error), LL_DOMAIN);
    assert_int_equal(unlink(in_folder("new/a")), 0);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(count_files(0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_edited),       cmocka_unit_test(test_no_plan),
        cmocka_unit_test(test_scorer),     cmocka_unit_test(test_folder_whole),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
