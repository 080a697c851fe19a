/* CSV rows with their lines, and numbers as text. */
#include "io/formats/csv_read.h"
#include "io/formats/number_text.h"

#include "io-files.h"

#include <flint/flint.h>
#include <locale.h>
#include <math.h>

static ll_io_csv *open_csv(const char *path, size_t memory)
{
    ll_io_bytes *bytes;
    ll_io_csv *csv;
    assert_int_equal(ll_io_bytes_open(&bytes, path, NULL), LL_OK);
    assert_int_equal(ll_io_csv_open(&csv, bytes, memory, NULL), LL_OK);
    return csv;
}

/* Rows as "line:a|b;line:c|d;", or the error's text. */
static const char *rows_of(ll_io_csv *csv)
{
    static char out[2000];
    ll_error error = {0};
    const ll_io_row *row;
    size_t used = 0;
    out[0] = '\0';
    for (;;) {
        if (ll_io_csv_next(csv, &row, &error) != LL_OK) {
            expect_error(&error, ":");
            return strcpy(out, strrchr(error.text, '/'));
        }
        if (!row)
            return out;
        used += (size_t)sprintf(out + used, "%ld:", row->line);
        for (long i = 0; i < row->count; i++) {
            assert_int_equal(strlen(row->fields[i].text), row->fields[i].length);
            used += (size_t)sprintf(out + used, "%s%s", i ? "|" : "", row->fields[i].text);
        }
        used += (size_t)sprintf(out + used, ";");
    }
}

static void expect_rows(const char *text, const char *wanted)
{
    ll_io_csv *csv = open_csv(put("f", text), SIZE_MAX);
    assert_string_equal(rows_of(csv), wanted);
    assert_int_equal(ll_io_csv_rewind(csv, NULL), LL_OK);
    assert_string_equal(rows_of(csv), wanted);
    ll_io_csv_close(csv);
}

static void test_rows(void **state)
{
    (void)state;
    expect_rows("a,b\n1,2\n", "1:a|b;2:1|2;");
    expect_rows("a,b\r\n1,2", "1:a|b;2:1|2;");
    expect_rows("a", "1:a;");
    expect_rows("a,\n,\n", "1:a|;2:|;");
    expect_rows("\"a,b\",\"c\"\"d\"\n", "1:a,b|c\"d;");
    expect_rows("\"x\ny\r\nz\",1\nb,2\n", "1:x\ny\nz|1;4:b|2;");
    expect_rows("  a , b\t\n", "1:a|b;");
    expect_rows("\" a \"\n", "1: a ;");
    expect_rows("\"\"\n\"\"\n", "1:;2:;");
    expect_rows("a\n\n  \n\n", "1:a;");
    expect_rows("a,b,c\n1\n", "1:a|b|c;2:1;");
}

static void test_bad_rows(void **state)
{
    (void)state;
    expect_rows("a\n\nb\n", "/f:2: an empty line");
    expect_rows("\n\na\n", "/f:1: an empty line");
    expect_rows("a\n\"b\nc\n", "/f:2: a quoted field is never closed");
    expect_rows("a\nb\"c\n", "/f:2: a stray quotation mark in a field");
    expect_rows("\"b\"c\n", "/f:1: a stray quotation mark in a field");
}

static void test_limits(void **state)
{
    (void)state;
    char text[4000];
    memset(text, 'x', sizeof text);
    strcpy(text + sizeof text - 20, "\n1,2,3\n");
    ll_io_csv *csv = open_csv(put("f", text), 3000);
    assert_string_equal(rows_of(csv), "/f:1: a line of over 3000 bytes or 16777216 fields");
    ll_io_csv_close(csv);
    static char endless[300000]; /* refused before its end is seen: the NUL there is not reached */
    memset(endless, 'x', sizeof endless - 1);
    csv = open_csv(put_bytes("f", endless, sizeof endless), 100000);
    assert_string_equal(rows_of(csv), "/f:1: a line of over 100000 bytes or 16777216 fields");
    ll_io_csv_close(csv);
    memset(text, ',', 3500);
    csv = open_csv(put("f", text), 3000);
    assert_string_equal(rows_of(csv), "/f:1: a line of over 3000 bytes or 16777216 fields");
    ll_io_csv_close(csv);
}

/* Fields far longer than any buffer, rows around the window's edge, blanks at the edge. */
static void test_long(void **state)
{
    (void)state;
    enum { LONG = 300000 };
    char *text = malloc(2 * LONG + 100);
    for (size_t size = 65530; size < 65540; size++) {
        memset(text, '7', size);
        strcpy(text + size, "\n   \t  8,9\n");
        ll_io_csv *csv = open_csv(put("f", text), SIZE_MAX);
        const ll_io_row *row;
        assert_int_equal(ll_io_csv_next(csv, &row, NULL), LL_OK);
        assert_int_equal(row->fields[0].length, size);
        assert_int_equal(ll_io_csv_next(csv, &row, NULL), LL_OK);
        assert_true(row && row->count == 2 && row->line == 2);
        assert_string_equal(row->fields[0].text, "8");
        ll_io_csv_close(csv);
    }
    memset(text, '1', 2 * LONG);
    text[LONG] = ',';
    text[2 * LONG] = '\0';
    ll_io_csv *csv = open_csv(put_gzip("f", text, strlen(text)), SIZE_MAX);
    const ll_io_row *row;
    assert_int_equal(ll_io_csv_next(csv, &row, NULL), LL_OK);
    assert_true(row->count == 2 && row->fields[0].length == LONG && row->fields[1].length == LONG - 1);
    ll_io_csv_close(csv);
    free(text);
}

static void test_number_grammar(void **state)
{
    (void)state;
    static const char *const good[] = {"0",    "-0",     "+1",     "1.",       ".5",   "1.5e3", "1E-3",
                                       "1e+3", "0x1p-1", "0X.8P3", "0xA.bp+2", "0x10", "00012", "1e-99999999999"};
    static const char *const bad[] = {"",     "+",    "-",      ".",         "1.2.3", "1e",     "1e+",   "0x",
                                      "0xp1", "0x1p", "0x1e+1", "1 ",        " 1",    "1_0",    "1,5",   "--1",
                                      "1f",   "1p3",  "e5",     "0x1.8p1.0", "1d5",   "nan(1)", "infin", "\xd9\xa1"};
    static const char *const infinite[] = {"nan", "NaN", "-nan", "inf", "+INF", "-Infinity"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        if (ll_io_number_scan(good[i], strlen(good[i])) != LL_IO_NUMBER)
            fail_msg("%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (ll_io_number_scan(bad[i], strlen(bad[i])) != LL_IO_NO_NUMBER)
            fail_msg("%s", bad[i]);
    for (size_t i = 0; i < sizeof infinite / sizeof infinite[0]; i++)
        assert_int_equal(ll_io_number_scan(infinite[i], strlen(infinite[i])), LL_IO_NOT_FINITE);
    assert_int_equal(ll_io_number_scan("1\0", 2), LL_IO_NO_NUMBER);
}

/* The two grammars are one: whatever is a number here is one for exact entries, with the same double. */
static void test_same_as_exact(void **state)
{
    (void)state;
    const char *given = getenv("LL_TEST_SEED"), *times = getenv("LL_TEST_MULTIPLIER");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : 1;
    long count = 20000 * (times ? strtol(times, NULL, 10) : 1);
    print_message("seed %u\n", seed);
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    ll_block block;
    ll_block_init(&block);
    ll_exact *number = ll_block_reserve_exacts(&block, 1, 1);
    long numbers = 0;
    for (long i = 0; i < count; i++) {
        static const char alphabet[] = "0011223456789..eE+-xXpPabf in";
        char text[24];
        seed = seed * 1664525u + 1013904223u;
        size_t length = seed >> 20 & 7;
        for (size_t j = 0; j < length; j++) {
            seed = seed * 1664525u + 1013904223u;
            text[j] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
        }
        text[length] = '\0';
        ll_io_number_kind kind = ll_io_number_scan(text, length);
        ll_status exact = ll_exact_read(number, 0, text, length);
        if ((kind == LL_IO_NUMBER) != (exact == LL_OK))
            fail_msg("%s: %d, but exact %d", text, kind, exact);
        if (kind != LL_IO_NUMBER)
            continue;
        numbers++;
        double mine = ll_io_number_double(text, locale), theirs = ll_exact_double(number, 0);
        if (mine != theirs)
            fail_msg("%s: %a, but exact %a", text, mine, theirs);
    }
    assert_true(numbers > count / 100);
    ll_block_clear(&block);
    freelocale(locale);
}

static void test_doubles(void **state)
{
    (void)state;
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    assert_true(ll_io_number_double("0.1", locale) == 0.1);
    assert_true(ll_io_number_double("9007199254740993", locale) == 9007199254740992.0);
    assert_true(ll_io_number_double("9007199254740993.00000000000000000000000000000000001", locale) ==
                9007199254740994.0);
    assert_true(ll_io_number_double("2.4703282292062327e-324", locale) == 0);
    assert_true(ll_io_number_double("2.4703282292062328e-324", locale) == 0x1p-1074);
    assert_true(isinf(ll_io_number_double("1e400", locale)));
    assert_true(ll_io_number_double("1e-400", locale) == 0);
    int64_t integer;
    assert_true(ll_io_number_integer(&integer, "-12", locale) && integer == -12);
    assert_true(ll_io_number_integer(&integer, "3.0", locale) && integer == 3);
    assert_true(ll_io_number_integer(&integer, "1e2", locale) && integer == 100);
    assert_true(ll_io_number_integer(&integer, "9223372036854775807", locale) && integer == INT64_MAX);
    assert_false(ll_io_number_integer(&integer, "9223372036854775808", locale));
    assert_false(ll_io_number_integer(&integer, "1e30", locale));
    assert_false(ll_io_number_integer(&integer, "0.5", locale));
    freelocale(locale);
}

static uint64_t next_random(uint64_t *seed)
{
    uint64_t x = *seed += 0x9e3779b97f4a7c15u; /* splitmix64 */
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* 17 to 19 digits next to the middle between two doubles, with places behind the point. */
static void write_middle(char *text, size_t size, uint64_t *seed)
{
    double x = ldexp(0.5 + (double)(next_random(seed) >> 12) * 0x1p-53, (int)(next_random(seed) % 80) - 24);
    long double middle = ((long double)x + (long double)nextafter(x, INFINITY)) / 2;
    int before = (int)ceill(log10l(middle)), places = 17 + (int)(next_random(seed) % 3) - before;
    (void)snprintf(text, size, "%.*Lf", places < 1 ? 1 : places, middle);
}

/* Read alike where more follows: with eight characters at a time at hand. -7: it is not short. */
static void check_followed(const char *text, double wanted)
{
    char longer[128];
    double mine = -7;
    int length = (int)strlen(text), all = snprintf(longer, sizeof longer, "%s,0.12345678901234567890123456789", text);
    const char *last = ll_io_number_read(&mine, longer, longer + all);
    assert_true(wanted == -7 ? last == NULL : last == longer + length && mine == wanted);
}

/* Short numbers against the other way: random ones, and those at or next to the middle between two doubles. */
static void test_short(void **state)
{
    char text[64];
    uint64_t seed = 1;
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    long taken = 0;
    (void)state;
    for (int i = 0; i < 300000; i++) {
        unsigned long digits = next_random(&seed) >> (next_random(&seed) % 64);
        int places = (int)(next_random(&seed) % 32), length;
        double mine = -7;
        if (i % 2 == 0) { /* an odd number of half units */
            int bits = 54 + (int)(next_random(&seed) % 10);
            digits = (1ul << (bits - 1)) | (next_random(&seed) >> (65 - bits) << (bits - 54)) | 1ul << (bits - 54);
            digits += next_random(&seed) % 3 - 1;
            places = 0;
        }
        length = snprintf(text, sizeof text, "%0*lu", places + 1, digits);
        memmove(text + length - places + 1, text + length - places, (size_t)places + 1);
        text[length - places] = '.';
        if (i % 4 == 1)
            write_middle(text, sizeof text, &seed);
        if (i % 8 == 3)
            (void)snprintf(text, sizeof text, "0.%0*lu", 14 + i % 7, next_random(&seed) % 100000000000000);
        if (ll_io_number_short(&mine, text, strlen(text))) {
            taken++;
            assert_true(mine == ll_io_number_double(text, locale));
        } else
            assert_true(mine == -7);
        check_followed(text, mine);
    }
    assert_true(taken > 150000);
    static const char *const refused[] = {"",
                                          "-",
                                          ".",
                                          "-.",
                                          "+1",
                                          "1e5",
                                          "0x1",
                                          "1.2.3",
                                          " 1",
                                          "12345678901234567890",
                                          "nan",
                                          "1 ",
                                          "0.0000000000000000000000000001"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        double mine = -7;
        assert_false(ll_io_number_short(&mine, refused[i], strlen(refused[i])));
    }
    double zero = 1;
    assert_true(ll_io_number_short(&zero, "-0.0", 4) && zero == 0 && signbit(zero));
    assert_true(ll_io_number_short(&zero, "-.5", 3) && zero == -0.5);
    assert_true(ll_io_number_short(&zero, "5.", 2) && zero == 5);
    freelocale(locale);
}

/* A line is read alike whether it has quotation marks or not, and wherever the window ends. */
static void test_lines_alike(void **state)
{
    (void)state;
    expect_rows(" a , b\t,\tc d \n", "1:a|b|c d;");
    expect_rows("\"a\" , b\t,\tc d \n", "1:a|b|c d;");
    expect_rows(",,\n , ,\t\nx,\"\",\n", "1:||;2:||;3:x||;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short),          cmocka_unit_test(test_lines_alike),   cmocka_unit_test(test_rows),
        cmocka_unit_test(test_bad_rows),       cmocka_unit_test(test_limits),        cmocka_unit_test(test_long),
        cmocka_unit_test(test_number_grammar), cmocka_unit_test(test_same_as_exact), cmocka_unit_test(test_doubles),
    };
    int failed = cmocka_run_group_tests(tests, make_folder, remove_folder);
    flint_cleanup();
    return failed;
}
