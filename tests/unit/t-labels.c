/* Label files in every form, and the rules that number the classes. */
#include "io/formats/labels.h"

#include "io-files.h"

/* Labels as "0120/3" (at most ten classes), and where they were mapped the names: "0120/3 a b c". */
static const char *shown(const ll_io_labels *l)
{
    static char out[400];
    size_t used = 0;
    for (long i = 0; i < l->rows && i < 40; i++)
        out[used++] = (char)('0' + l->labels[i]);
    used += (size_t)sprintf(out + used, "/%ld", l->classes);
    for (long i = 0; i < l->name_count; i++)
        used += (size_t)sprintf(out + used, " %s", l->names[i]);
    return out;
}

static void expect_labels(const char *source, long classes, const char *wanted)
{
    ll_io_labels labels = {0};
    ll_error error = {0};
    if (ll_io_read_labels(&labels, source, 0, classes, 0, &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_string_equal(shown(&labels), wanted);
    ll_io_clear_labels(&labels);
    ll_io_clear_labels(&labels);
}

static void expect_refusal(const char *source, long classes, const char *reason)
{
    ll_io_labels labels = {.rows = 77};
    ll_error error = {0};
    assert_true(ll_io_read_labels(&labels, source, 0, classes, 1 << 20, &error) != LL_OK);
    expect_error(&error, reason);
    assert_true(labels.rows == 77 && !labels.labels);
}

static const char *column(const char *path, const char *name)
{
    static char out[600];
    snprintf(out, sizeof out, "%s:%s", path, name);
    return out;
}

static void test_numbering(void **state)
{
    (void)state;
    expect_labels(put("l", "0\n1\n1\n0\n"), 0, "0110/2");
    expect_labels(put("l", "0\n1\n1\n0\n"), 5, "0110/5");
    expect_labels(put("l", "1\n1\n"), 0, "11/2");
    expect_labels(put("l", "0\n"), 0, "0/2");
    expect_labels(put("l", "0\n3\n0\n0\n"), 0, "0300/4");
    expect_labels(put("l", "0\n4\n0\n0\n"), 0, "0100/2 0 4");
    expect_labels(put("l", "0\n4\n0\n0\n"), 5, "0400/5");
    expect_labels(put("l", "7\n1\n2\n3\n4\n5\n1\n1\n"), 0, "50123400/6 1 2 3 4 5 7");
    expect_labels(put("l", "7\n1\n2\n3\n4\n5\n"), 6, "501234/6 1 2 3 4 5 7");
    expect_labels(put("l", "1\n2\n2\n"), 0, "011/2 1 2");
    expect_labels(put("l", "1\n2\n2\n"), 2, "011/2 1 2");
    expect_labels(put("l", "1\n2\n2\n"), 3, "122/3");
    expect_labels(put("l", "-1\n1\n"), 2, "01/2 -1 1");
    expect_labels(put("l", "10\n9\n"), 0, "10/2 9 10");
    expect_labels(put("l", "1\n01\n1.0\n+1\n1e0\n0x1\n-0\n"), 0, "1111110/2");
    expect_labels(put("l", "yes\nno\nyes\n"), 0, "101/2 no yes");
    expect_labels(put("l", "b\nB\na\nab\n"), 4, "3012/4 B a ab b");
    expect_labels(put("l", "yes\n"), 0, "0/2 yes");
    expect_labels(put("l", "10\n9\nmany\n"), 0, "012/3 10 9 many");
    expect_labels(put("l", "1\n99999999999999999999\n"), 0, "01/2 1 99999999999999999999");
    expect_labels(put("l", "-9223372036854775808\n9223372036854775807\n"), 0,
                  "01/2 -9223372036854775808 9223372036854775807");
}

static void test_out_of_range(void **state)
{
    (void)state;
    expect_refusal(put("l", "0\n1\n2\n"), 2, "l:3: label 2 is out of range 0..1");
    expect_refusal(put("l", "0\n2\n0\n"), 2, "l:2: label 2 is out of range 0..1");
    expect_refusal(put("l", "0\n-1\n"), 2, "l:2: label -1 is out of range");
    expect_refusal(put("l", "1\n2\n5\n"), 2, "l:2: label 2 is out of range");
    expect_refusal(put("l", "a\nb\na\nc\n"), 2, "l:4: label 'c' is one more than the 2 classes expected");
    expect_refusal(put_bytes("l", "\0\0\x08\1\0\0\0\3\0\1\5", 11), 2,
                   "l: row 2 (from 0): label 5 is out of range 0..1");
}

static void test_plain(void **state)
{
    (void)state;
    expect_labels(put("l", "\xef\xbb\xbf"
                           "1\r\n0\r\n\r\n"),
                  0, "10/2");
    expect_labels(put("l", "1\n0"), 0, "10/2");
    expect_labels(put_gzip("l.gz", "1\n0\n", 4), 0, "10/2");
    expect_labels(put("l", "\"a,b\"\nc\n"), 0, "01/2 a,b c");
    expect_refusal(put("l", "1\n\n0\n"), 0, "l:2: an empty line");
    expect_refusal(put("l", "1\n\"\"\n"), 0, "l:2: an empty label");
    expect_refusal(put("l", "1\n0,5\n"), 0, "l:2: 2 fields where the first line has 1");
    expect_refusal(put("l", "a,b\n0,5\n"), 0, "l:1: 2 fields where one label per line is expected");
    expect_refusal(put("l", "label\n0\n1\n"), 0, "l:1: 'label' over integers looks like a header");
    expect_labels(put("l", "row,label\n0,n10\n1,1\n"), 0,
                  "10/2 1 n10"); /* a word over an integer, but under our own header */
    expect_labels(put("l", "x\n0\nx\n1\n"), 0, "2021/3 0 1 x");
    expect_refusal(put("l", "1\n0.5\n"), 0, "l:2: '0.5' is no label");
    expect_refusal(put("l", "1\nnan\n"), 0, "l:2: 'nan' is no label");
    expect_refusal(put("l", ""), 0, "the file is empty");
    expect_refusal(put("l", "\n\n"), 0, "l: no labels");
    expect_refusal(put_bytes("l", "0\n1\0\n", 5), 0, "l:2: a NUL byte");
    expect_refusal(put("l", "a\nb\x1b[2J\nc\n"), 2, "l:3: label 'c'");
    expect_refusal(put("l", "a\nb\n\x1b[2J\n"), 2, "l:3: label '\\x1b[2J'");
    expect_refusal(in_folder("missing"), 0, "missing: No such file");
    expect_refusal(test_folder, 0, "is a directory");
    char text[3000];
    memset(text, 'w', sizeof text);
    strcpy(text + 2000, "\n");
    expect_refusal(put("l", text), 0, "l:1: a label of 2000 bytes");
}

static void test_columns(void **state)
{
    (void)state;
    const char *path = put("l.csv", "id,class,note\n7,yes,\"two\nlines\"\n8,no,x\n9,yes,\n");
    expect_labels(column(path, "class"), 0, "101/2 no yes");
    expect_labels(column(path, "2"), 0, "101/2 no yes");
    expect_labels(column(path, "1"), 0, "012/3 7 8 9");
    expect_refusal(column(path, "4"), 0, "l.csv:1: 3 columns; there is no column 4");
    expect_refusal(column(path, "klass"), 0, "l.csv:1: no column is called 'klass'");
    expect_refusal(column(path, "0"), 0, "no column is called '0'");
    expect_refusal(column(path, "99999999999999999999"), 0, "no column is called");
    expect_refusal(column(path, "note"), 0, "l.csv:5: an empty label");
    expect_refusal(column(path, "class\x1b"), 0, "no column is called 'class\\x1b'");
    expect_refusal(column(put("l.csv", "a,b\n1,2\n3\n"), "a"), 0, "l.csv:3: 1 field where the first line has 2");
    expect_refusal(column(put("l.csv", "a,b\n"), "a"), 0, "l.csv: no labels");
    expect_labels(column(put("l.csv", "5,yes\n6,no\n"), "2"), 0, "10/2 no yes");
    expect_labels(column(put("l.csv", "x,1\ny,0\n"), "2"), 0, "10/2");
    expect_labels(column(put("l.csv", ",0,1\na,0,1\nb,1,1\n"), "1"), 0, "11/2");
    expect_labels(column(put("l.csv", "0\n1\n"), "1"), 0, "01/2");
    expect_labels(put("with:colon", "0\n1\n"), 0, "01/2");
    expect_labels(column(put("with:colon", "a\n1\n"), "a"), 0, "1/2");
}

static void test_arrays(void **state)
{
    (void)state;
    expect_labels(LL_TEST_VECTORS "/npy/b1-one-1d.npy", 0, "00000/2");
    expect_labels(LL_TEST_VECTORS "/npy/labels-float.npy", 0, "0212/3");
    expect_labels(LL_TEST_VECTORS "/npy/u2-big-1d.npy", 0, "01234/5 0 10 20 30 40");
    expect_labels(LL_TEST_VECTORS "/npy/i8-little-1d.npy", 0, "01234/5 -5000 5000 15000 25000 35000");
    expect_refusal(LL_TEST_VECTORS "/npy/f8-column.npy", 0, "row 1 (from 0): a label that is no integer");
    expect_refusal(LL_TEST_VECTORS "/npy/u1-one-c.npy", 0, "3 columns where one of labels is expected");
    expect_refusal(LL_TEST_VECTORS "/npy/labels-float.npy:x", 0, "only CSV files have a column");
    size_t size;
    char *data = slurp(LL_TEST_VECTORS "/npy/labels-float.npy", &size);
    expect_labels(put_gzip("l.npy.gz", data, size), 0, "0212/3");
    expect_refusal(put_bytes("l.npy", data, size - 1), 0, "cut off");
    free(data);
    expect_labels(put_bytes("l.idx", "\0\0\x08\1\0\0\0\4\0\2\1\2", 12), 0, "0212/3");
    expect_labels(put_gzip("l.idx.gz", "\0\0\x0b\1\0\0\0\2\0\2\0\1", 12), 3, "21/3");
    expect_refusal(put_bytes("l.idx", "\0\0\x08\1\0\0\0\4\0\2\1", 11), 0, "cut off");
}

static void test_expectations(void **state)
{
    (void)state;
    ll_io_labels labels = {0};
    ll_error error = {0};
    const char *path = put("l", "0\n1\n1\n");
    assert_int_equal(ll_io_read_labels(&labels, path, 4, 0, 0, &error), LL_DOMAIN);
    expect_error(&error, "l: 3 labels where 4 are expected");
    assert_int_equal(ll_io_read_labels(&labels, path, 3, 0, 0, &error), LL_OK);
    ll_io_clear_labels(&labels);
    char text[20000] = "";
    for (int i = 0; i < 2000; i++)
        sprintf(text + strlen(text), "w%d\n", i);
    path = put("l", text);
    assert_int_equal(ll_io_read_labels(&labels, path, 0, 0, 20000, &error), LL_UNABLE);
    expect_error(&error, "bytes allowed");
    assert_int_equal(ll_io_read_labels(&labels, path, 2000, 0, 1 << 20, &error), LL_OK);
    assert_true(labels.classes == 2000 && labels.name_count == 2000);
    for (long i = 0; i < 2000; i++) {
        char name[16];
        sprintf(name, "w%ld", i);
        assert_string_equal(labels.names[labels.labels[i]], name);
        assert_true(i == 0 || strcmp(labels.names[i - 1], labels.names[i]) < 0);
    }
    ll_io_clear_labels(&labels);
}

static void expect_file(const char *path, const char *wanted)
{
    size_t size;
    char *got = slurp(path, &size);
    assert_string_equal(got, wanted);
    free(got);
}

static void write_labels(const char *path, const int32_t *labels, long rows, const char *const *names)
{
    const ll_verdict verdict = {.labels = (int32_t *)labels, .rows = rows, .classes = 3};
    assert_int_equal(ll_io_write_verdict(path, &verdict, names, names != NULL ? 3 : 0, NULL), LL_OK);
}

static void test_write(void **state)
{
    (void)state;
    const int32_t labels[] = {1, 0, 2, -1};
    const char *const names[] = {"no", "ye,s", " \"q\""};
    const char *path = in_folder("out.csv");
    write_labels(path, labels, 4, NULL);
    expect_file(path, "row,label\n0,1\n1,0\n2,2\n3,\n");
    expect_refusal(path, 0, "out.csv:5: an empty label");
    write_labels(path, labels, 3, names);
    expect_file(path, "row,label\n0,\"ye,s\"\n1,no\n2,\" \"\"q\"\"\"\n");
    expect_labels(path, 0, "210/3  \"q\" no ye,s");
    expect_labels(column(path, "label"), 0, "210/3  \"q\" no ye,s");
    ll_error error = {0};
    const ll_verdict verdict = {.labels = (int32_t *)labels, .rows = 3, .classes = 3};
    assert_int_equal(ll_io_write_verdict(full_device(), &verdict, NULL, 0, &error), LL_SYSTEM);
    expect_error(&error, "No space left on device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbering), cmocka_unit_test(test_out_of_range), cmocka_unit_test(test_plain),
        cmocka_unit_test(test_columns),   cmocka_unit_test(test_arrays),       cmocka_unit_test(test_expectations),
        cmocka_unit_test(test_write),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
