/* IDX files of labels. */
#include "io/formats/idx.h"

#include "io-files.h"

/* A copy on the heap of just this size. */
static ll_status parse(const void *data, size_t size, int64_t *out, long *rows, ll_error *error)
{
    unsigned char *copy = malloc(size ? size : 1);
    ll_io_array a;
    memcpy(copy, data, size);
    ll_status status = ll_io_idx_parse(&a, copy, size, "f", error);
    if (status == LL_OK) {
        *rows = a.rows;
        assert_int_equal(ll_io_array_get_integers(&a, out, 0, a.rows, "f", NULL), LL_OK);
    }
    free(copy);
    return status;
}

static void test_types(void **state)
{
    (void)state;
    int64_t x[4];
    long rows = 0;
    assert_int_equal(parse("\0\0\x08\1\0\0\0\3\0\x7f\xff", 11, x, &rows, NULL), LL_OK);
    assert_true(rows == 3 && x[0] == 0 && x[1] == 127 && x[2] == 255);
    assert_int_equal(parse("\0\0\x09\1\0\0\0\2\x80\xff", 10, x, &rows, NULL), LL_OK);
    assert_true(rows == 2 && x[0] == -128 && x[1] == -1);
    assert_int_equal(parse("\0\0\x0b\1\0\0\0\2\1\2\xff\xfe", 12, x, &rows, NULL), LL_OK);
    assert_true(rows == 2 && x[0] == 258 && x[1] == -2);
    assert_int_equal(parse("\0\0\x0c\1\0\0\0\1\1\2\3\4", 12, x, &rows, NULL), LL_OK);
    assert_true(rows == 1 && x[0] == 0x01020304);
}

static void expect_bad(const void *data, size_t size, const char *reason)
{
    int64_t x[4];
    long rows;
    ll_error error = {0};
    assert_int_equal(parse(data, size, x, &rows, &error), LL_DOMAIN);
    expect_error(&error, reason);
}

static void test_bad(void **state)
{
    (void)state;
    expect_bad("\0\0\x0d\1\0\0\0\1\0\0\0\0", 12, "type 0x0d; labels are integers");
    expect_bad("\0\0\x0a\1\0\0\0\1\0\0\0\0", 12, "type 0x0a");
    expect_bad("\0\0\x08\3\0\0\0\1\0\0\0\1\0\0\0\1\5", 17, "3 dimensions");
    expect_bad("\0\0\x08\1\0\0\0\0", 8, "no labels");
    expect_bad("\0\0\x08\1\0\0\0\2\1", 9, "1 byte of labels where the header says 2: the file is cut off");
    expect_bad("\0\0\x08\1\0\0\0\2\1\1\1", 11, "3 bytes of labels where the header says 2");
    expect_bad("\0\0\x0c\1\xff\xff\xff\xff\1\1\1\1", 12, "cut off");
    expect_bad("\0\0\x08\0", 4, "no IDX file");
    expect_bad("\0\1\x08\1\0\0\0\1\1", 9, "no IDX file");
}

static void test_every_cut_and_damage(void **state)
{
    (void)state;
    char data[] = "\0\0\x0b\1\0\0\0\2\1\2\3\4";
    int64_t x[300];
    long rows;
    for (size_t cut = 0; cut < 12; cut++)
        assert_int_equal(parse(data, cut, x, &rows, NULL), LL_DOMAIN);
    for (size_t at = 0; at < 8; at++) {
        char before = data[at];
        for (int value = 0; value < 256; value++) {
            data[at] = (char)value;
            (void)!parse(data, 12, x, &rows, NULL);
        }
        data[at] = before;
    }
    assert_int_equal(parse(data, 12, x, &rows, NULL), LL_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_every_cut_and_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
