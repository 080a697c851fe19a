/* The embedded data sets: the counts, and a seeded order. */
#include "curator_tools.h"

static void test_counts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        long rows, classes;
    } known[] = {
        {"titanic", 2201, 2}, {"imdb", 25000, 2}, {"satellite", 6430, 6}, {"mnist", 70000, 10}, {"cifar10", 60000, 10}};
    assert_int_equal(ll_dataset_count(), 5);
    for (long d = 0; d < 5; ++d) {
        const ll_dataset_info *info = ll_dataset_get_info(d);
        assert_string_equal(info->name, known[d].name);
        assert_int_equal(info->rows, known[d].rows);
        assert_int_equal(info->classes, known[d].classes);
        int32_t *labels = malloc((size_t)info->rows * sizeof *labels);
        long counts[10] = {0};
        assert_int_equal(ll_dataset_labels(labels, info->rows, info->name, 7, NULL), LL_OK);
        for (long i = 0; i < info->rows; ++i)
            ++counts[labels[i]];
        for (long k = 0; k < info->classes; ++k)
            assert_int_equal(counts[k], info->counts[k]);
        free(labels);
    }
    assert_null(ll_dataset_get_info(-1));
    assert_null(ll_dataset_get_info(5));
}

/* Sums as published: 711 survivors of 2201. */
static void test_published(void **state)
{
    (void)state;
    assert_int_equal(ll_dataset_get_info(0)->counts[1], 711);
    assert_int_equal(ll_dataset_get_info(3)->counts[5], 6313);
}

static void test_order(void **state)
{
    (void)state;
    static int32_t a[2201], b[2201], c[2201];
    long differ = 0, early = 0;
    assert_int_equal(ll_dataset_labels(a, 2201, "titanic", 1, NULL), LL_OK);
    assert_int_equal(ll_dataset_labels(b, 2201, "titanic", 1, NULL), LL_OK);
    assert_int_equal(ll_dataset_labels(c, 2201, "titanic", 2, NULL), LL_OK);
    assert_memory_equal(a, b, sizeof a);
    for (long i = 0; i < 2201; ++i) {
        differ += a[i] != c[i];
        early += i < 1100 && a[i] == 1;
    }
    assert_true(differ > 700 && differ < 1200); /* 2*0.323*0.677*2201 = 962 expected */
    assert_true(early > 300 && early < 410);    /* 355 expected, sd 11 */
}

static void test_refusals(void **state)
{
    (void)state;
    int32_t labels[1];
    ll_error error;
    assert_int_equal(ll_dataset_labels(labels, 1, "titanik", 1, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "titanic"));
    assert_int_equal(ll_dataset_labels(labels, 1, "titanic", 1, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "2201"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_refusals),
    };
    read_environment("t-dataset");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
