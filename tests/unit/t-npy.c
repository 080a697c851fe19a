/* .npy arrays: every file that NumPy made for tests/vectors/npy, every cut and every damage of a header. */
#include "io/formats/npy.h"

#include "io-files.h"

#include <math.h>

static char *load(const char *name, size_t *size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/npy/%s.npy", LL_TEST_VECTORS, name);
    return slurp(path, size);
}

static double wanted_entry(const char *code, long row, long column)
{
    double base = 10 * (double)row + (double)column;
    if (code[0] == 'b')
        return fmod(base, 2);
    if (code[0] == 'f')
        return base / 8 - 1;
    return (base - (code[0] == 'i' ? 5 : 0)) * (code[1] >= '4' ? 1000 : 1);
}

/* All entries, from all rows at once and from each row alone. */
static void check_entries(const ll_io_array *a, const char *code)
{
    double doubles[12];
    float floats[12];
    int64_t integers[12];
    for (long step = 1; step <= a->rows; step += a->rows - 1)
        for (long first = 0; first + step <= a->rows; first += step) {
            assert_int_equal(ll_io_array_get_doubles(a, doubles, first, step, "f", NULL), LL_OK);
            if (code[0] == 'f')
                assert_int_equal(ll_io_array_get_floats(a, floats, first, step, "f", NULL), LL_OK);
            else
                assert_int_equal(ll_io_array_get_integers(a, integers, first, step, "f", NULL), LL_OK);
            for (long i = 0; i < step * a->columns; i++) {
                double wanted = wanted_entry(code, first + i / a->columns, i % a->columns);
                assert_true(doubles[i] == wanted);
                assert_true(code[0] == 'f' ? floats[i] == (float)wanted : integers[i] == (int64_t)wanted);
            }
        }
}

static void test_every_type(void **state)
{
    (void)state;
    static const char *const codes[] = {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"};
    static const char *const ends[] = {"one", "little", "big"}, *const orders[] = {"1d", "c", "fortran"};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        for (int end = codes[i][1] != '1'; end <= 2 * (codes[i][1] != '1'); end++)
            for (int order = 0; order < 3; order++) {
                char name[64];
                size_t size;
                ll_io_array a;
                ll_error error = {0};
                snprintf(name, sizeof name, "%s-%s-%s", codes[i], ends[end], orders[order]);
                char *data = load(name, &size);
                if (ll_io_npy_parse(&a, (unsigned char *)data, size, name, &error) != LL_OK)
                    fail_msg("%s", error.text);
                assert_true(order == 0 ? a.rows == 5 && a.columns == 1 : a.rows == 4 && a.columns == 3);
                check_entries(&a, codes[i]);
                int ready = end == 1 && order < 2;
                assert_int_equal(ll_io_array_doubles(&a) != NULL, ready && strcmp(codes[i], "f8") == 0);
                assert_int_equal(ll_io_array_floats(&a) != NULL, ready && strcmp(codes[i], "f4") == 0);
                free(data);
            }
}

static void test_versions(void **state)
{
    (void)state;
    static const char *const names[] = {"f8-version2", "f8-version3"};
    for (int i = 0; i < 2; i++) {
        size_t size;
        ll_io_array a;
        char *data = load(names[i], &size);
        assert_int_equal(data[6], 2 + i);
        assert_int_equal(ll_io_npy_parse(&a, (unsigned char *)data, size, names[i], NULL), LL_OK);
        check_entries(&a, "f8");
        free(data);
    }
}

/* A valid file of version 1 with this dictionary and `size` zero bytes of entries; returns its size. */
static size_t make_npy(unsigned char *out, const char *dictionary, size_t size)
{
    size_t length = strlen(dictionary);
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = (unsigned char)length;
    out[9] = (unsigned char)(length >> 8);
    memcpy(out + 10, dictionary, length);
    memset(out + 10 + length, 0, size);
    return 10 + length + size;
}

static ll_status parse(ll_io_array *a, const char *dictionary, size_t size, ll_error *error)
{
    /* On the heap and of the very size, so that the sanitizer sees every byte too far. */
    unsigned char *data = malloc(10 + strlen(dictionary) + size);
    assert_non_null(data);
    size_t whole = make_npy(data, dictionary, size);
    ll_status status = ll_io_npy_parse(a, data, whole, "f.npy", error);
    free(data);
    return status;
}

static void test_spellings(void **state)
{
    (void)state;
    ll_io_array a;
    assert_int_equal(parse(&a, "{'shape':(2L,3L),'fortran_order':True,'descr':'<f4'}", 24, NULL), LL_OK);
    assert_true(a.rows == 2 && a.columns == 3 && a.fortran);
    assert_int_equal(parse(&a, "{\"descr\": \"|u1\", \"fortran_order\": False, \"shape\": (2, 3,)}\n", 6, NULL), LL_OK);
    assert_int_equal(parse(&a, "{'descr': '<f8', 'fortran_order': True, 'shape': (2,)}", 16, NULL), LL_OK);
    assert_false(a.fortran);
    assert_int_equal(parse(&a, "{'descr': 'u1', 'fortran_order': False, 'shape': (2,)}", 2, NULL), LL_OK);
}

static void test_lies(void **state)
{
    (void)state;
    static const struct {
        const char *dictionary;
        size_t size;
        const char *reason;
    } cases[] = {
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", 15,
         "15 bytes of entries where the header's shape needs 16"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", 17, "17 bytes of entries"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693953, 8), }", 64, "too large"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 64, "too large"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999,), }", 64, "too large"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976,), }", 64, "too large"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (-2,), }", 16, "negative"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }", 0, "without entries"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 0), }", 0, "without entries"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2), }", 16, "no tuple"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': [2], }", 16, "no tuple"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2 2), }", 32, "no tuple"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (,), }", 8, "no tuple"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 8, "0 dimensions"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1), }", 8, "3 dimensions"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }", 8, "too many dimensions"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", 16, "an object array"},
        {"{'descr': '<f9', 'fortran_order': False, 'shape': (2,), }", 16, "dtype '<f9'"},
        {"{'descr': '<f8x', 'fortran_order': False, 'shape': (2,), }", 16, "dtype"},
        {"{'descr': '', 'fortran_order': False, 'shape': (2,), }", 16, "dtype"},
        {"{'descr': '\x1b[2J', 'fortran_order': False, 'shape': (2,), }", 16, "dtype '\\x1b[2J'"},
        {"{'descr': 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'fortran_order': False, 'shape': (2,), }", 16, "dtype"},
        {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }", 16, "structured"},
        {"{'descr': 8, 'fortran_order': False, 'shape': (2,), }", 16, "no string"},
        {"{'descr': '<f8', 'fortran_order': 1, 'shape': (2,), }", 16, "fortran_order"},
        {"{'descr': '<f8', 'fortran_order': False, }", 16, "lacks a key"},
        {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", 16, "repeated"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'more': 1, }", 16, "unknown"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,), ", 16, "no dictionary"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,), } x", 16, "follows"},
        {"", 16, "no dictionary"},
        {"{'descr: <f8", 16, "no dictionary"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_io_array a;
        ll_error error = {0};
        if (parse(&a, cases[i].dictionary, cases[i].size, &error) != LL_DOMAIN)
            fail_msg("%s", cases[i].dictionary);
        expect_error(&error, cases[i].reason);
    }
}

static void expect_bad(unsigned char *data, size_t size, const char *reason)
{
    ll_io_array a;
    ll_error error = {0};
    assert_int_equal(ll_io_npy_parse(&a, data, size, "f", &error), LL_DOMAIN);
    expect_error(&error, reason);
}

static void test_bad_starts(void **state)
{
    (void)state;
    unsigned char data[64] = "\x93NUMPY\x04";
    expect_bad(data, 64, "version 4.0");
    memcpy(data, "\x93NUMPY\x02\x00\xff\xff\xff\xff", 12);
    expect_bad(data, 64, "a header of 4294967295 bytes");
    memcpy(data, "\x93NUMPY\x02\x00\x40\x00\x00\x00", 12);
    expect_bad(data, 64, "cut off");
    memcpy(data, "\x93NUMPX\x02\x00", 8);
    expect_bad(data, 64, "no .npy");
}

/* What NumPy can write and nobody can score. */
static void test_bad_vectors(void **state)
{
    (void)state;
    static const char *const names[] = {"object", "complex", "text",  "date",       "structured",
                                        "scalar", "cube",    "empty", "long-double"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[40];
        size_t size;
        ll_io_array a;
        snprintf(name, sizeof name, "bad-%s", names[i]);
        char *data = load(name, &size);
        assert_int_equal(ll_io_npy_parse(&a, (unsigned char *)data, size, name, NULL), LL_DOMAIN);
        free(data);
    }
}

static void test_not_finite(void **state)
{
    (void)state;
    size_t size;
    ll_io_array a;
    ll_error error = {0};
    double doubles[4];
    float floats[4];
    char *data = load("bad-nan", &size);
    assert_int_equal(ll_io_npy_parse(&a, (unsigned char *)data, size, "f", &error), LL_OK);
    assert_int_equal(ll_io_array_get_doubles(&a, doubles, 0, 3, "f", &error), LL_DOMAIN);
    expect_error(&error, "f: row 1 (from 0): not a finite number");
    error.text[0] = '\0';
    assert_int_equal(ll_io_array_check_doubles(&a, ll_io_array_doubles(&a), 0, 3, "f", &error), LL_DOMAIN);
    expect_error(&error, "f: row 1 (from 0): not a finite number");
    assert_int_equal(ll_io_array_check_doubles(&a, ll_io_array_doubles(&a) + 2, 2, 1, "f", &error), LL_OK);
    free(data);
    data = load("bad-infinite", &size);
    assert_int_equal(ll_io_npy_parse(&a, (unsigned char *)data, size, "f", &error), LL_OK);
    assert_int_equal(ll_io_array_get_floats(&a, floats, 0, 2, "f", &error), LL_DOMAIN);
    expect_error(&error, "f: row 1, column 1 (from 0)");
    assert_int_equal(ll_io_array_check_floats(&a, ll_io_array_floats(&a), 0, 2, "f", &error), LL_DOMAIN);
    assert_int_equal(ll_io_array_check_floats(&a, ll_io_array_floats(&a), 0, 1, "f", &error), LL_OK);
    free(data);
}

/* The check that works on bits agrees with isfinite on every exponent. */
static void test_finite_bits(void **state)
{
    (void)state;
    ll_io_array a = {.rows = 1, .columns = 1};
    for (uint64_t top = 0; top < 4096; top++)
        for (uint64_t low = 0; low < 2; low++) {
            uint64_t wide = top << 52 | low;
            uint32_t narrow = (uint32_t)top << 20 | (uint32_t)low;
            double x;
            float y;
            memcpy(&x, &wide, 8);
            memcpy(&y, &narrow, 4);
            assert_int_equal(ll_io_array_check_doubles(&a, &x, 0, 1, "f", NULL) == LL_OK, isfinite(x) != 0);
            assert_int_equal(ll_io_array_check_floats(&a, &y, 0, 1, "f", NULL) == LL_OK, isfinite(y) != 0);
        }
}

#ifdef __FLT16_MAX__
/* Every half against the compiler's own. */
static void test_every_half(void **state)
{
    (void)state;
    static uint16_t bits[65536];
    for (unsigned i = 0; i < 65536; i++)
        bits[i] = (uint16_t)i;
    ll_io_array a = {(const unsigned char *)bits, LL_IO_FLOAT, 2, 0, 0, 1, 65536, 1};
    for (long i = 0; i < 65536; i++) {
        _Float16 half;
        double got;
        memcpy(&half, &bits[i], 2);
        ll_status status = ll_io_array_get_doubles(&a, &got, i, 1, "f", NULL);
        assert_int_equal(status == LL_OK, isfinite((double)half) != 0);
        assert_true(status != LL_OK || (got == (double)half && signbit(got) == signbit((double)half)));
    }
}
#endif

static void test_integers(void **state)
{
    (void)state;
    int64_t wide[] = {(int64_t)1 << 53, ((int64_t)1 << 53) + 1, -((int64_t)1 << 53) - 1, INT64_MIN}, value;
    uint64_t large[] = {UINT64_MAX, INT64_MAX};
    double real[] = {1.5, 3, 1e300, NAN}, number;
    ll_io_array a = {(const unsigned char *)wide, LL_IO_SIGNED, 8, 0, 0, 1, 4, 1};
    assert_int_equal(ll_io_array_get_doubles(&a, &number, 0, 1, "f", NULL), LL_OK);
    for (long i = 1; i < 4; i++)
        assert_int_equal(ll_io_array_get_doubles(&a, &number, i, 1, "f", NULL), LL_DOMAIN);
    assert_int_equal(ll_io_array_get_integers(&a, &value, 3, 1, "f", NULL), LL_OK);
    assert_true(value == INT64_MIN);
    a = (ll_io_array){(const unsigned char *)large, LL_IO_UNSIGNED, 8, 0, 0, 1, 2, 1};
    assert_int_equal(ll_io_array_get_integers(&a, &value, 0, 1, "f", NULL), LL_DOMAIN);
    assert_int_equal(ll_io_array_get_integers(&a, &value, 1, 1, "f", NULL), LL_OK);
    assert_int_equal(ll_io_array_get_doubles(&a, &number, 0, 1, "f", NULL), LL_DOMAIN);
    a = (ll_io_array){(const unsigned char *)real, LL_IO_FLOAT, 8, 0, 0, 1, 4, 1};
    for (long i = 0; i < 4; i++)
        assert_int_equal(ll_io_array_get_integers(&a, &value, i, 1, "f", NULL), i == 1 ? LL_OK : LL_DOMAIN);
}

/* Parse a copy on the heap of just this size, and where it is taken, read every entry. */
static ll_status try_bytes(const char *data, size_t size)
{
    unsigned char *copy = malloc(size ? size : 1);
    double numbers[256];
    ll_io_array a;
    ll_error error = {0};
    memcpy(copy, data, size);
    ll_status status = ll_io_npy_parse(&a, copy, size, "f", &error);
    if (status != LL_OK)
        expect_error(&error, "f: ");
    for (long row = 0; status == LL_OK && row < a.rows; row++) {
        assert_true(a.columns <= 256);
        (void)!ll_io_array_get_doubles(&a, numbers, row, 1, "f", NULL);
    }
    free(copy);
    return status;
}

static void test_every_cut(void **state)
{
    (void)state;
    static const char *const names[] = {"f8-little-c", "f2-big-fortran", "f8-version2", "u1-one-1d"};
    for (int i = 0; i < 4; i++) {
        size_t size;
        char *data = load(names[i], &size);
        for (size_t cut = 0; cut < size; cut++)
            assert_int_equal(try_bytes(data, cut), LL_DOMAIN);
        assert_int_equal(try_bytes(data, size), LL_OK);
        free(data);
    }
}

static void test_every_damage(void **state)
{
    (void)state;
    static const char *const names[] = {"f8-little-c", "f8-version2", "i4-big-fortran"};
    for (int i = 0; i < 3; i++) {
        size_t size;
        char *data = load(names[i], &size);
        for (size_t at = 0; at < size && at < 140; at++) {
            char before = data[at];
            for (int value = 0; value < 256; value++) {
                data[at] = (char)value;
                (void)try_bytes(data, size);
            }
            data[at] = before;
        }
        free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type), cmocka_unit_test(test_versions),     cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_lies),       cmocka_unit_test(test_bad_starts),   cmocka_unit_test(test_bad_vectors),
        cmocka_unit_test(test_not_finite), cmocka_unit_test(test_finite_bits),  cmocka_unit_test(test_integers),
        cmocka_unit_test(test_every_cut),  cmocka_unit_test(test_every_damage),
#ifdef __FLT16_MAX__
        cmocka_unit_test(test_every_half),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
