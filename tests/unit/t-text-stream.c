/* Bytes and text: gzip in all its forms, line ends, marks, and everything that can be wrong with a file. */
#include "io/files/io_fail.h"
#include "io/files/text_stream.h"

#include "io-files.h"

/* All pieces of a file as one string, with the number of its lines behind; or the error's text. */
static char *read_text(const char *path, long *lines, ll_error *error)
{
    ll_io_bytes *bytes;
    ll_io_text text;
    static char all[1 << 20];
    size_t used = 0, size;
    const char *piece;
    if (ll_io_bytes_open(&bytes, path, error) != LL_OK || ll_io_text_open(&text, bytes, error) != LL_OK)
        return NULL;
    ll_status status;
    while ((status = ll_io_text_next(&text, &piece, &size, error)) == LL_OK && size > 0) {
        assert_true(used + size < sizeof all);
        memcpy(all + used, piece, size);
        used += size;
        const char *end = memchr(piece, '\n', size);
        assert_true(!end || end == piece + size - 1);
    }
    all[used] = '\0';
    *lines = text.line;
    ll_io_text_close(&text);
    return status == LL_OK ? all : NULL;
}

static void expect_text(const char *path, const char *wanted, long wanted_lines)
{
    ll_error error = {0};
    long lines = 0;
    const char *got = read_text(path, &lines, &error);
    if (!got)
        fail_msg("%s", error.text);
    assert_string_equal(got, wanted);
    assert_int_equal(lines, wanted_lines);
}

static void expect_refusal(const char *path, const char *reason)
{
    ll_error error = {0};
    long lines;
    assert_null(read_text(path, &lines, &error));
    expect_error(&error, reason);
}

static void test_line_ends(void **state)
{
    (void)state;
    expect_text(put("a", "a\nb\n"), "a\nb\n", 3);
    expect_text(put("a", "a\r\nb\r\n"), "a\nb\n", 3);
    expect_text(put("a", "a\rb\r"), "a\nb\n", 3);
    expect_text(put("a", "a\r\rb"), "a\n\nb", 3);
    expect_text(put("a", "a\n\r\nb\r\n\n"), "a\n\nb\n\n", 5);
    expect_text(put("a", "\xef\xbb\xbfx\n"), "x\n", 2);
    expect_text(put("a", "x"), "x", 1);
    expect_text(put("a", "\xef\xbb\xbf"), "", 1);
}

/* A CR LF that falls on every place around the window's end. */
static void test_window_edges(void **state)
{
    (void)state;
    enum { EDGE = 1 << 16 };
    static char text[EDGE + 16], wanted[EDGE + 16];
    for (int at = EDGE - 3; at <= EDGE + 1; at++) {
        memset(text, 'x', sizeof text - 1);
        memcpy(text + at, "\r\n", 2);
        memcpy(wanted, text, sizeof text);
        wanted[at] = '\n';
        memmove(wanted + at + 1, text + at + 2, sizeof text - (size_t)at - 2);
        expect_text(put("edge", text), wanted, 2);
        expect_text(put_gzip("edge.gz", text, strlen(text)), wanted, 2);
    }
}

static void test_gzip_members(void **state)
{
    (void)state;
    size_t size, more;
    char *one = slurp(put_gzip("one", "a\r\n", 3), &size), *two = slurp(put_gzip("two", "b\n", 2), &more);
    char joined[256] = {0};
    memcpy(joined, one, size);
    memcpy(joined + size, two, more);
    expect_text(put_bytes("joined", joined, size + more), "a\nb\n", 3);
    expect_text(put_bytes("padded", joined, sizeof joined), "a\nb\n", 3);
    for (size_t cut = 3; cut < size; cut++)
        expect_refusal(put_bytes("cut", joined, cut), "cut off");
    for (size_t cut = size + 1; cut < size + more; cut++)
        expect_refusal(put_bytes("cut", joined, cut), "cut off");
    joined[size] = 'x';
    expect_refusal(put_bytes("after", joined, size + more), "other bytes follow");
    joined[size - 6] ^= 1; /* in the checksum */
    expect_refusal(put_bytes("damaged", joined, size), "damaged");
    expect_refusal(put_gzip("none", "", 0), "empty");
    free(one);
    free(two);
}

static void test_bad_files(void **state)
{
    (void)state;
    expect_refusal(test_folder, "is a directory");
    expect_refusal(in_folder("missing"), "missing: No such file or directory");
    expect_refusal(put("empty", ""), "the file is empty");
    expect_refusal(put_bytes("nul", "a\nb\n\0\n", 6), "nul:3: a NUL byte");
    expect_refusal(put_bytes("wide",
                             "\xff\xfe"
                             "a\0",
                             4),
                   "wide:1: UTF-16");
    if (geteuid() != 0) {
        const char *path = put("secret", "a\n");
        chmod(path, 0);
        expect_refusal(path, "Permission denied");
    }
}

static void test_rewind(void **state)
{
    (void)state;
    const char *paths[] = {put("plain", "\xef\xbb\xbf"
                                        "1\n2\n"),
                           put_gzip("packed",
                                    "\xef\xbb\xbf"
                                    "1\n2\n",
                                    7)};
    for (int i = 0; i < 2; i++) {
        ll_io_bytes *bytes;
        ll_io_text text;
        const char *piece;
        size_t size;
        assert_int_equal(ll_io_bytes_open(&bytes, paths[i], NULL), LL_OK);
        assert_int_equal(ll_io_text_open(&text, bytes, NULL), LL_OK);
        for (int pass = 0; pass < 3; pass++) {
            for (int line = 1; line <= 1 + pass; line++) {
                assert_int_equal(text.line, line < 3 ? line : 3);
                assert_int_equal(ll_io_text_next(&text, &piece, &size, NULL), LL_OK);
                assert_int_equal(size, line < 3 ? 2 : 0);
                assert_true(line == 3 || piece[0] == '0' + line);
            }
            assert_int_equal(ll_io_text_rewind(&text, NULL), LL_OK);
        }
        ll_io_text_close(&text);
    }
}

/* What comes through a pipe, gzip'd or not, is kept in a temporary file where it must be read twice. */
static void test_pipe(void **state)
{
    (void)state;
    for (int packed = 0; packed < 2; packed++)
        for (size_t limit = 3; limit <= 4; limit++) {
            char command[700];
            ll_io_bytes *bytes;
            ll_error error = {0};
            const char *path = packed ? put_gzip("piped", "1\n2\n", 4) : put("piped", "1\n2\n");
            snprintf(command, sizeof command, "cat '%s'", path);
            FILE *pipe = popen(command, "r");
            assert_non_null(pipe);
            char name[40];
            snprintf(name, sizeof name, "/dev/fd/%d", fileno(pipe));
            assert_int_equal(ll_io_bytes_open(&bytes, name, &error), LL_OK);
            assert_int_equal(ll_io_bytes_rewind(bytes, &error), LL_SYSTEM);
            assert_int_equal(ll_io_bytes_keep(bytes, limit, &error), limit < 4 ? LL_UNABLE : LL_OK);
            for (int pass = 0; pass < 2 && limit == 4; pass++) {
                unsigned char *got;
                size_t size;
                assert_int_equal(ll_io_bytes_peek(bytes, &got, &size, 16, &error), LL_OK);
                assert_int_equal(size, 4);
                assert_memory_equal(got, "1\n2\n", 4);
                assert_int_equal(ll_io_bytes_rewind(bytes, &error), LL_OK);
            }
            ll_io_bytes_close(bytes);
            pclose(pipe);
        }
}

static void test_whole(void **state)
{
    (void)state;
    static char data[300000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(i * i % 251);
    for (int packed = 0; packed < 2; packed++)
        for (int small = 0; small < 2; small++) {
            ll_io_bytes *bytes;
            ll_io_whole whole = {0};
            const char *path = packed ? put_gzip("w", data, sizeof data) : put_bytes("w", data, sizeof data);
            assert_int_equal(ll_io_bytes_open(&bytes, path, NULL), LL_OK);
            ll_status status = ll_io_bytes_whole(bytes, &whole, sizeof data - (size_t)small, NULL);
            ll_io_bytes_close(bytes);
            assert_int_equal(status, packed && small ? LL_UNABLE : LL_OK);
            if (status == LL_OK) {
                assert_int_equal(whole.mapped, !packed);
                assert_int_equal(whole.size, sizeof data);
                assert_memory_equal(whole.data, data, sizeof data);
            }
            ll_io_whole_clear(&whole);
        }
}

static void test_printable(void **state)
{
    (void)state;
    char out[LL_IO_QUOTE_SIZE], small[8];
    assert_string_equal(ll_io_quote(out, "a\tb\x7f", 4), "'a\\x09b\\x7f'");
    assert_string_equal(ll_io_quote(out, "\x1b[31m", 5), "'\\x1b[31m'");
    assert_string_equal(ll_io_quote(out, "d\xc3\xa9j\xc3\xa0", 6), "'d\xc3\xa9j\xc3\xa0'");
    assert_string_equal(ll_io_quote(out, "\xc3", 1), "'\\xc3'");
    assert_string_equal(ll_io_quote(out, "\xc0\x80", 2), "'\\xc0\\x80'");
    assert_string_equal(ll_io_quote(out, "\xc2\x9b", 2), "'\\xc2\\x9b'");
    assert_string_equal(ll_io_quote(out, "\xe2\x80\xae", 3), "'\\xe2\\x80\\xae'");
    assert_string_equal(ll_io_quote(out, "\xf0\x9f\x99\x82", 4), "'\xf0\x9f\x99\x82'");
    assert_string_equal(ll_io_quote(out, "\xed\xa0\x80", 3), "'\\xed\\xa0\\x80'");
    ll_io_printable(small, sizeof small, "1234567", 7);
    assert_string_equal(small, "1234567");
    ll_io_printable(small, sizeof small, "12345678", 8);
    assert_string_equal(small, "1234...");
    ll_io_printable(small, sizeof small, "123\n", 4);
    assert_string_equal(small, "123\\x0a");
    ll_io_printable(small, sizeof small, "123\n\n567", 7);
    assert_string_equal(small, "123...");
    char path[1000];
    memset(path, 'p', sizeof path);
    strcpy(path + 990, "\n.csv");
    ll_error error;
    assert_int_equal(ll_io_fail(&error, LL_DOMAIN, path, 7, "%s", "reason"), LL_DOMAIN);
    expect_error(&error, "pp\\x0a.csv:7: reason");
    memset(path, '\n', sizeof path);
    path[999] = '\0';
    ll_io_fail(&error, LL_DOMAIN, path, 0, "reason");
    expect_error(&error, "...: reason");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_ends), cmocka_unit_test(test_window_edges), cmocka_unit_test(test_gzip_members),
        cmocka_unit_test(test_bad_files), cmocka_unit_test(test_rewind),       cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_whole),     cmocka_unit_test(test_printable),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
