/* plan.json: what is written reads back, and no other file is taken for one. The scorer's object with it, and the
 * folder that holds them. */
#include "io/formats/plan_file.h"

#include "io-files.h"
#include "io/files/new_folder.h"
#include "report/json.h"
#include "report/scorer_text.h"
#include "scorer_tools.h"

static ll_io_plan sample(void)
{
    ll_scorer *scorer = scorer_of_text("rows=2201; classes=2");
    ll_io_plan plan = {.scorer = ll_report_json_scorer(scorer),
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
    ll_scorer_destroy(scorer);
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
    if (at == NULL)
        fail_msg("no %s in %s", from, text);
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
    expect_edit_refused("\"version\": 2", "\"version\": 1", "version 2");
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

/* A part of the rows that is not known contradicts counts, so it has a scorer of its own. */
static void test_public(void **state)
{
    (void)state;
    static const char *const texts[] = {"metric=log-loss; rows=10; public=0.3", "metric=log-loss; rows=10; public=7",
                                        "metric=log-loss; rows=10; public=unknown", "metric=log-loss; rows=10"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ll_scorer *scorer = scorer_of_text("%s", texts[i]), *read = NULL;
        json_t *object = ll_report_json_scorer(scorer);
        const char *value = ll_scorer_get(scorer, "public");
        assert_int_equal(ll_report_read_scorer(&read, object, NULL, NULL), LL_OK);
        if (value == NULL)
            assert_null(ll_scorer_get(read, "public"));
        else
            assert_string_equal(ll_scorer_get(read, "public"), value);
        json_decref(object);
        ll_scorer_destroy(read);
        ll_scorer_destroy(scorer);
    }
}

/* A list of further numbers goes through JSON as an array; semicolons part settings here, so that it is set by hand. */
static void test_also(void **state)
{
    (void)state;
    static const char also[] = "f1:decimals=3;fbeta:2;confusion-matrix";
    ll_scorer *scorer = NULL, *read = NULL;
    assert_int_equal(ll_scorer_create(&scorer, NULL), LL_OK);
    assert_int_equal(ll_scorer_set(scorer, "metric", "accuracy", NULL), LL_OK);
    assert_int_equal(ll_scorer_set(scorer, "also", also, NULL), LL_OK);
    assert_int_equal(ll_scorer_resolve(scorer, NULL, NULL), LL_OK);
    json_t *object = ll_report_json_scorer(scorer);
    assert_int_equal(json_array_size(json_object_get(object, "also")), 3);
    assert_int_equal(ll_report_read_scorer(&read, object, NULL, NULL), LL_OK);
    assert_string_equal(ll_scorer_get(read, "also"), also);
    assert_int_equal(ll_scorer_count_numbers(read), 1 + 2 + 4);
    assert_string_equal(ll_scorer_get(ll_scorer_get_number(read, 6), "metric"), "cell:3");
    assert_null(ll_scorer_get_number(read, 7));
    json_decref(object);
    ll_scorer_destroy(read);
    ll_scorer_destroy(scorer);
}

/* Weights are a text as long as the rows are many. */
static void test_weights(void **state)
{
    enum { ROWS = 40000 };
    static char list[3 * ROWS];
    ll_scorer *scorer = NULL, *read = NULL;
    ll_error error = {0};
    (void)state;
    for (long i = 0; i < ROWS; i++)
        (void)snprintf(list + 2 * i, 3, "%ld,", 1 + i % 9);
    list[2 * ROWS - 1] = '\0';
    assert_int_equal(ll_scorer_create(&scorer, NULL), LL_OK);
    assert_int_equal(ll_scorer_set(scorer, "weights", list, NULL), LL_OK);
    assert_int_equal(ll_scorer_resolve(scorer, NULL, NULL), LL_OK);
    json_t *object = ll_report_json_scorer(scorer);
    if (ll_report_read_scorer(&read, object, NULL, &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_string_equal(ll_scorer_get(read, "weights"), list);
    assert_null(ll_scorer_get(read, "class-weights"));
    json_decref(object);
    ll_scorer_destroy(read);
    ll_scorer_destroy(scorer);
}

/* Settings that do not go with the others, and names that are not fit to be shown, come back as they were. */
static void test_other_settings(void **state)
{
    static const char *const texts[][2] = {
        {"metric=r2; targets=0:9:1; rows=5; undefined=0.25", "undefined"},
        {"metric=f1; rows=5; classes=2; threshold=from:0.5", "threshold"},
        {"metric=squared; rows=5; groups=a\033[1m*2,\u202eb*3", "groups"},
        {"metric=f1; rows=5; release=levels:0:1:4; scope=leaderboard; own-levels=2", "own-levels"}};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ll_scorer *scorer = scorer_of_text("%s", texts[i][0]), *read = NULL;
        json_t *object = ll_report_json_scorer(scorer);
        assert_int_equal(ll_report_read_scorer(&read, object, NULL, NULL), LL_OK);
        assert_string_equal(ll_scorer_get(read, texts[i][1]), ll_scorer_get(scorer, texts[i][1]));
        json_decref(object);
        ll_scorer_destroy(read);
        ll_scorer_destroy(scorer);
    }
}

/* Every part of a scorer goes through JSON and back, to the same JSON. */
static void test_scorer(void **state)
{
    (void)state;
    ll_scorer *scorer = scorer_of_text(
        "scorer=sklearn-1.2/log_loss; metric=log-loss; transform=root,percent; rows=5; classes=3; clip-mode=log-plus; "
        "clip=1e-7; columns=all; arithmetic=fpa:8,23; sum-arithmetic=fp64; loss-arithmetic=rows; sum=compensated; "
        "log-ulps=2.5; digits=6; truncate=yes; noise=bounded:1e-400,minus; release=ladder:0.01; queries=9; "
        "prior=0.1,0.2,0.7; counts=1,2,2; zero-division=1; failures=free; threshold=argmax; "
        "seed=18446744073709551615; precision=300; start=0.5; improvements=3; scope=leaderboard; accounts=2; "
        "per-day=3; "
        "days=3; teams=2; honest=0.4:0.5");
    ll_scorer *read = NULL, *untouched = NULL;
    json_t *object = ll_report_json_scorer(scorer);
    ll_error error = {0};
    if (ll_report_read_scorer(&read, object, NULL, &error) != LL_OK)
        fail_msg("%s", error.text);
    for (long i = 0; i < ll_setting_count(); i++) { /* none is at its default, so that each must have gone through */
        const ll_setting_info *info = ll_setting_get_info(i);
        const char *value = ll_scorer_get(scorer, info->name);
        if (strcmp(info->name, "undefined") == 0 || strcmp(info->name, "threshold") == 0 ||
            strcmp(info->name, "own-levels") == 0)
            continue; /* test_other_settings */
        if (strcmp(info->name, "decimals") == 0 || strstr(info->name, "targets") != NULL ||
            strcmp(info->name, "public") == 0 || strcmp(info->name, "also") == 0 ||
            strstr(info->name, "weights") != NULL || strcmp(info->name, "groups") == 0 ||
            strcmp(info->name, "undefined") == 0)
            continue; /* digits are in its place; log-loss has no targets; counts, and a Ladder, contradict them */
        assert_non_null(value);
        assert_true(strcmp(value, info->standard) != 0 || strcmp(info->name, "metric") == 0);
        if (strcmp(info->name, "prior") != 0 && strcmp(info->name, "log-ulps") != 0)
            assert_string_equal(ll_scorer_get(read, info->name), value);
    }
    json_t *again = ll_report_json_scorer(read);
    assert_true(json_equal(object, again));
    ll_scorer_destroy(read);
    ll_scorer_destroy(scorer);
    json_decref(again);
    static const struct {
        const char *key, *value, *reason;
    } bad[] = {
        {"loss", "7", "loss: is not of its type"},
        {"loss", "\"loglos\"", "loss"},
        {"sum", "\"sideways\"", "sum: "},
        {"rows", "-1", "rows: "},
        {"rows", "\"5\"", "rows: is not of its type"},
        {"noise", "\"bounded\"", "noise: "},
        {"noise", "\"none:1\"", "noise: "},
        {"noise", "\"loud:1\"", "noise: "},
        {"prior", "[1]", "prior: "},
        {"prior", "[\"1\", 0]", "prior: a share is not a number"},
        {"seed", "\"-7\"", "seed: "},
        {"seed", "-7", "seed: "},
        {"truncate", "1", "truncate: is not of its type"},
        {"decimals", "2", "decimals 2 and digits 6 contradict"},
        {"release", "\"slide:1\"", "release: "},
        {"also", "[]", "also: is neither a list nor null"},
        {"also", "[7]", "also: an entry is no text"},
        {"also", "[\"f1:decimal=3\"]", "also: also f1:decimal=3: decimal is no option of a number"},
        {"labels", "[0, 1]", "44 keys where 43 are known"},
        {"log_ulps", "-1", "log_ulps: "},
        {"clip", "7", "clip: is not of its type"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_t *copy = json_copy(object);
        assert_int_equal(json_object_set_new(copy, bad[i].key, json_loads(bad[i].value, JSON_DECODE_ANY, NULL)), 0);
        assert_int_equal(ll_report_read_scorer(&untouched, copy, NULL, &error), LL_DOMAIN);
        assert_null(untouched);
        expect_error(&error, bad[i].reason);
        json_decref(copy);
    }
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        json_t *copy = json_copy(object);
        json_object_del(copy, key);
        assert_int_equal(ll_report_read_scorer(&untouched, copy, NULL, &error), LL_DOMAIN);
        assert_null(untouched);
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
        cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_edited),  cmocka_unit_test(test_no_plan),
        cmocka_unit_test(test_other_settings), cmocka_unit_test(test_scorer),  cmocka_unit_test(test_public),
        cmocka_unit_test(test_also),           cmocka_unit_test(test_weights), cmocka_unit_test(test_folder_whole),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
