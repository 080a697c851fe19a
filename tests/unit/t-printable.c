/* Text from outside on every channel: what may be shown, code point by code point, and that nothing else comes out of
 * the fields, tables, paragraphs, JSON, pages, messages and error texts. */
#include "io/files/printable.h"
#include "report/html_text.h"
#include "report/json.h"
#include "report/message.h"
#include "report/text_table.h"

#include "io-files.h"
#include <unistd.h>

static size_t encode(char *out, uint32_t point)
{
    size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; point >>= 6)
        out[i] = (char)(0x80 | (point & 0x3f));
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(first[length] | point);
    out[length] = '\0';
    return length;
}

/* By the names of Unicode: Cc, surrogates, Zl, Zp, and the Cf that have no width or turn the line. */
static int may_be_shown(uint32_t p)
{
    return !(p < 0x20 || (p >= 0x7f && p <= 0x9f) || p == 0x61c || p == 0x180e || (p >= 0x200b && p <= 0x200f) ||
             (p >= 0x2028 && p <= 0x202e) || (p >= 0x2060 && p <= 0x206f) || (p >= 0xd800 && p <= 0xdfff) ||
             p == 0xfeff || (p >= 0xfff9 && p <= 0xfffb) || (p >= 0xe0000 && p <= 0xe007f));
}

static void test_every_code_point(void **state)
{
    (void)state;
    for (uint32_t p = 1; p <= 0x10ffff; p++) {
        char text[5], shown[32];
        ll_error error;
        size_t length = encode(text, p);
        ll_io_printable(shown, sizeof shown, text, length);
        ll_fail(&error, LL_DOMAIN, "%s", text);
        assert_int_equal(strcmp(shown, text) == 0, may_be_shown(p));
        assert_int_equal(strcmp(error.text, text) == 0, may_be_shown(p)); /* the library keeps to the same set */
    }
}

/* Every pair of bytes that is no character: each byte is shown by its number, here and as ? in the library. */
static void test_bytes_that_are_no_text(void **state)
{
    (void)state;
    for (int a = 0x80; a < 0x100; a++)
        for (int b = 1; b < 0x100; b++) {
            char text[3] = {(char)a, (char)b, 0}, shown[16];
            ll_error error;
            ll_io_printable(shown, sizeof shown, text, 2);
            ll_fail(&error, LL_DOMAIN, "%s", text);
            assert_int_equal(strcmp(shown, text) == 0, a >= 0xc2 && a < 0xe0 && b >= 0x80 && b < 0xc0 &&
                                                           !(a == 0xc2 && b < 0xa0) && !(a == 0xd8 && b == 0x9c));
            assert_int_equal(strcmp(error.text, text) == 0, strcmp(shown, text) == 0);
        }
}

static const char hostile[] = "x\n\x1b[2K\r\t\x7f\x9b"
                              "1m\xc2\x9b\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xae\xe2\x81\xa6\xef\xbb\xbf\xff\xd8\x9c"
                              "d\xc3\xa9j\xc3\xa0<b>";
static const char harmless[] =
    "x\\x0a\\x1b[2K\\x0d\\x09\\x7f\\x9b1m\\xc2\\x9b\\xe2\\x80\\xa8\\xe2\\x80\\xa9\\xe2\\x80\\xae"
    "\\xe2\\x81\\xa6\\xef\\xbb\\xbf\\xff\\xd8\\x9cd\xc3\xa9j\xc3\xa0<b>";

static void test_copies(void **state)
{
    (void)state;
    char *once = ll_io_printable_copy(hostile), *twice = ll_io_printable_copy(once), small[12];
    assert_string_equal(once, harmless);
    assert_string_equal(twice, harmless);
    ll_io_printable(small, sizeof small, hostile, strlen(hostile));
    assert_string_equal(small, "x\\x0a...");
    free(once);
    free(twice);
}

/* What a printer writes to a stream. */
static char *text_of(void (*print)(FILE *out))
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print(out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void print_field(FILE *out)
{
    ll_report_field(out, "file", "%s", hostile);
}

static void print_paragraph(FILE *out)
{
    ll_report_paragraph(out, "file", hostile);
}

static void print_table(FILE *out)
{
    const char *const cells[] = {"file", hostile};
    ll_report_table(out, cells, 2, 1);
}

static void print_page(FILE *out)
{
    ll_report_html_text(out, hostile);
}

static void expect_in(void (*print)(FILE *out), const char *format, const char *shown)
{
    char *text = text_of(print), wanted[400];
    (void)snprintf(wanted, sizeof wanted, format, shown);
    assert_string_equal(text, wanted);
    free(text);
}

static void test_streams(void **state)
{
    (void)state;
    char escaped[400];
    expect_in(print_field, "file      %s\n", harmless);
    expect_in(print_paragraph, "file      %s\n", harmless);
    expect_in(print_table, "file\n%s\n", harmless);
    (void)snprintf(escaped, sizeof escaped, "%.*s&lt;b&gt;", (int)strlen(harmless) - 3, harmless);
    expect_in(print_page, "%s", escaped);
}

static void test_json(void **state)
{
    (void)state;
    json_t *string = ll_report_json_string(hostile);
    assert_string_equal(json_string_value(string), harmless);
    json_decref(string);
}

/* A field that is longer than the room on the stack is whole. */
static void print_long(FILE *out)
{
    char text[9000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ll_report_field(out, "long", "%s", text);
}

static void test_long_field(void **state)
{
    (void)state;
    char *text = text_of(print_long);
    assert_int_equal(strlen(text), 10 + 8999 + 1);
    free(text);
}

static void test_messages(void **state)
{
    (void)state;
    char said[600], wanted[600];
    FILE *file = tmpfile();
    int before = dup(STDERR_FILENO);
    assert_true(file && before >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    ll_report_warning(hostile);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    close(before);
    rewind(file);
    size_t got = fread(said, 1, sizeof said - 1, file);
    said[got] = '\0';
    assert_int_equal(fclose(file), 0);
    (void)snprintf(wanted, sizeof wanted, "lossleak: warning: %s\n", harmless);
    assert_string_equal(said, wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_code_point),
        cmocka_unit_test(test_bytes_that_are_no_text),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_long_field),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
