/* DIMACS formulas: what is read, and every bad file with its line and reason; the function file. */
#include "io/formats/dimacs.h"

#include "io-files.h"
#include "io/formats/function_file.h"

/* Clauses as text: "1 -2|3|" */
static void describe(char *text, size_t size, const ll_cnf *cnf)
{
    size_t used = (size_t)snprintf(text, size, "%ld:", cnf->variables);
    for (long c = 0; c < cnf->clauses; c++) {
        for (size_t i = cnf->starts[c]; i < cnf->starts[c + 1]; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%ld", i > cnf->starts[c] ? " " : "",
                                     (long)cnf->literals[i]);
        used += (size_t)snprintf(text + used, size - used, "|");
    }
}

static void expect_formula(const char *content, const char *wanted)
{
    ll_io_formula formula = {0};
    ll_error error = {0};
    char text[400];
    if (ll_io_read_formula(&formula, put("f.cnf", content), 0, &error) != LL_OK)
        fail_msg("\"%s\": %s", content, error.text);
    describe(text, sizeof text, &formula.cnf);
    assert_string_equal(text, wanted);
    ll_io_clear_formula(&formula);
    assert_null(formula.starts);
}

static void test_good(void **state)
{
    (void)state;
    expect_formula("p cnf 3 2\n1 -2 0\n3 0\n", "3:1 -2|3|");
    expect_formula("p cnf 3 2\n1 -2 0 3 0", "3:1 -2|3|");
    expect_formula(
        "c a\nc\ncomment\n\np   cnf\t3  2 c too\nc b\n1 c in a clause\nc p cnf 9 9\n\n-2\n0 3 0 c % 7\nc end",
        "3:1 -2|3|");
    expect_formula("p cnf 3 2\r\n1 -2 0\r\n3 0\r\n%\r\n0\r\n\r\n", "3:1 -2|3|");
    expect_formula("  p cnf 3 2\n 1 -2 0\n\t3 0 %", "3:1 -2|3|");
    expect_formula("p cnf 3 2\n1 -2 0\n3 0\n%\nc ok\n0\n", "3:1 -2|3|");
    expect_formula("p cnf 0 0\n", "0:");
    expect_formula("p cnf 5 0", "5:");
    expect_formula("p cnf 5 0\n%\n", "5:");
    expect_formula("p cnf 0 2\n0\n0\n", "0:||");
    expect_formula("p cnf 2 3\n0 1 -1 1 0 0\n", "2:|1 -1 1||");
    expect_formula("p cnf 2147483646 1\n-2147483646 007 0\n", "2147483646:-2147483646 7|");
    expect_formula("\xef\xbb\xbfp cnf 1 1\r1 0\r", "1:1|");
}

static void test_bad(void **state)
{
    (void)state;
    static const struct {
        const char *content, *reason;
    } cases[] = {
        {"", "f.cnf: the file is empty"},
        {"c only\n", "f.cnf: no whole line 'p cnf VARIABLES CLAUSES'"},
        {"\n\n", "f.cnf: no whole line 'p cnf VARIABLES CLAUSES'"},
        {"c x\np cnf 3", "f.cnf:2: no whole line 'p cnf VARIABLES CLAUSES'"},
        {"p cnf 3\n2\n1 0\n", "f.cnf:1: the first line must be 'p cnf VARIABLES CLAUSES'"},
        {"1 2 0\np cnf 2 1\n", "f.cnf:1: '1' comes before the line 'p cnf VARIABLES CLAUSES'"},
        {"pcnf 1 1\n1 0\n", "f.cnf:1: 'pcnf' comes before the line"},
        {"%\n", "f.cnf:1: '%' comes before the line"},
        {"p dnf 1 1\n1 0\n", "f.cnf:1: 'dnf' is not the format 'cnf'"},
        {"p CNF 1 1\n1 0\n", "f.cnf:1: 'CNF' is not the format 'cnf'"},
        {"p cnfx 1 1\n1 0\n", "f.cnf:1: 'cnfx' is not the format 'cnf'"},
        {"p cnf -1 1\n1 0\n", "f.cnf:1: '-1' is no number of variables"},
        {"p cnf x 1\n1 0\n", "f.cnf:1: 'x' is no number of variables"},
        {"p cnf 2147483647 1\n1 0\n", "f.cnf:1: '2147483647' is no number of variables (0 .. 2147483646)"},
        {"p cnf 1 1.0\n1 0\n", "f.cnf:1: '1.0' is no number of clauses"},
        {"p cnf 1 99999999999999999999999999\n1 0\n", "f.cnf:1: '99999999999999999999999999' is no number of clauses"},
        {"p cnf 1 1 1\n1 0\n", "f.cnf:1: '1' is too much: 'p cnf VARIABLES CLAUSES' is all of this line"},
        {"p cnf 1 0 %\n", "f.cnf:1: '%' is too much"},
        {"p cnf 1 1\np cnf 1 1\n1 0\n", "f.cnf:2: a second problem line; the first is line 1"},
        {"p cnf 3 1\n\n1 4 0\n", "f.cnf:3: variable 4, but the formula has 3"},
        {"p cnf 3 1\n1 -4 0\n", "f.cnf:2: variable 4, but the formula has 3"},
        {"p cnf 3 1\n1 -4294967297 0\n", "f.cnf:2: '-4294967297' is no literal"},
        {"p cnf 3 1\n1 -0\n", "f.cnf:2: '-0' is no literal"},
        {"p cnf 3 1\n1 - 0\n", "f.cnf:2: '-' is no literal"},
        {"p cnf 3 1\n1 --2 0\n", "f.cnf:2: '--2' is no literal"},
        {"p cnf 3 1\n+1 0\n", "f.cnf:2: '+1' is no literal"},
        {"p cnf 3 1\n1 2c 0\n", "f.cnf:2: '2c' is no literal"},
        {"p cnf 3 1\n1 x2 0\n", "f.cnf:2: 'x2' is no literal"},
        {"p cnf 3 1\n1 \x1b[31m 0\n", "f.cnf:2: '\\x1b[31m' is no literal"},
        {"p cnf 3 1\n1 1111111111111111111111111111111111111111111111111111111111111 0\n",
         "f.cnf:2: '1111111111111111111111111111111111111111'... is no literal"},
        {"p cnf 3 2\n1 0\n2 3\n", "f.cnf:3: the clause that begins here has no 0 at its end"},
        {"p cnf 3 1\nc\n2 3\n\n%\n0\n", "f.cnf:3: the clause that begins here has no 0 at its end"},
        {"p cnf 3 3\n1 0\n2 0\n", "f.cnf: too few clauses: 2, but line 1 says 3"},
        {"p cnf 3 3\n1 0\n2 0\n%\n0\n", "f.cnf: too few clauses: 2, but line 1 says 3"},
        {"c\np cnf 3 1\n1 0\n2 0\n", "f.cnf:4: a clause too many: line 2 says 1"},
        {"p cnf 3 1\n1 0\n0\n", "f.cnf:3: a clause too many: line 1 says 1"},
        {"p cnf 3 0\n1 0\n", "f.cnf:2: a clause too many: line 1 says 0"},
        {"p cnf 3 1\n1 0\n%\n0\n0\n", "f.cnf:5: '0' after the end marker %"},
        {"p cnf 3 1\n1 0\n%\n2 0\n", "f.cnf:4: '2' after the end marker %"},
        {"p cnf 3 1\n1 0\n%%\n", "f.cnf:3: '%%' is no literal"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_io_formula formula = {0};
        ll_error error = {0};
        if (ll_io_read_formula(&formula, put("f.cnf", cases[i].content), 0, &error) != LL_DOMAIN)
            fail_msg("\"%s\" was not refused", cases[i].content);
        expect_error(&error, cases[i].reason);
        assert_null(formula.starts);
    }
    ll_io_formula formula = {0};
    ll_error error = {0};
    assert_int_equal(ll_io_read_formula(&formula, in_folder("missing"), 0, &error), LL_SYSTEM);
    expect_error(&error, "missing: No such file");
    assert_int_equal(ll_io_read_formula(&formula, put_bytes("nul", "p cnf 1 1\n1 \0 0", 15), 0, &error), LL_DOMAIN);
    expect_error(&error, "nul:2: ");
}

/* Longer than any buffer, all in one line, gzip'd; and the counts of the file buy no memory. */
static void test_long(void **state)
{
    (void)state;
    enum { CLAUSES = 60000 };
    char *text = malloc(32 + CLAUSES * 20);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "p cnf %d %d\n", CLAUSES, CLAUSES);
    for (int c = 1; c <= CLAUSES; c++)
        used += (size_t)sprintf(text + used, "%d %d 0 ", c, -(c * 7 % CLAUSES + 1));
    const char *path = put_gzip("long.cnf.gz", text, used);
    ll_io_formula formula = {0};
    ll_error error = {0};
    assert_int_equal(ll_io_read_formula(&formula, path, 0, &error), LL_OK);
    assert_int_equal(formula.cnf.clauses, CLAUSES);
    for (int c = 1; c <= CLAUSES; c++) {
        assert_int_equal(formula.starts[c], 2 * c);
        assert_int_equal(formula.literals[2 * c - 2], c);
        assert_int_equal(formula.literals[2 * c - 1], -(c * 7 % CLAUSES + 1));
    }
    ll_io_clear_formula(&formula);
    assert_int_equal(ll_io_read_formula(&formula, path, 100000, &error), LL_UNABLE);
    expect_error(&error, "long.cnf.gz: needs more memory than the 100000 bytes allowed");
    assert_null(formula.starts);
    path = put("claims", "p cnf 2147483646 1000000000000\n1 0\n");
    assert_int_equal(ll_io_read_formula(&formula, path, 100000, &error), LL_DOMAIN);
    expect_error(&error, "claims: too few clauses: 1");
    free(text);
}

static void expect_function(const char *content, const char *wanted)
{
    ll_io_formula formula = {0};
    ll_error error = {0};
    size_t size;
    assert_int_equal(ll_io_read_formula(&formula, put("f.cnf", content), 0, &error), LL_OK);
    assert_int_equal(ll_io_write_function(in_folder("f.json"), &formula.cnf, 0, &error), LL_OK);
    char *text = slurp(in_folder("f.json"), &size);
    const char *body = strchr(text, '\n');
    assert_non_null(body);
    body = strchr(body + 1, '\n'); /* the line in words is for people */
    assert_non_null(body);
    assert_string_equal(body + 1, wanted);
    free(text);
    ll_io_clear_formula(&formula);
}

static void test_function(void **state)
{
    (void)state;
    expect_function("p cnf 3 2\n1 -2 0 -3 0\n", "  \"variables\": 3,\n  \"primes\": [3,5,7],\n  \"terms\": [\n"
                                                "    [-1,2],\n    [3]\n  ]\n}\n");
    expect_function("p cnf 0 0\n", "  \"variables\": 0,\n  \"primes\": [],\n  \"terms\": []\n}\n");
    expect_function("p cnf 1 1\n0\n", "  \"variables\": 1,\n  \"primes\": [2],\n  \"terms\": [\n    []\n  ]\n}\n");
    ll_error error = {0};
    const ll_cnf cnf = {.variables = 1000};
    count_files(1);
    assert_int_equal(ll_io_write_function(in_folder("f.json"), &cnf, 1000, &error), LL_UNABLE);
    expect_error(&error, "f.json: needs more memory than the 1000 bytes allowed");
    assert_int_equal(ll_io_write_function(in_folder("no/f.json"), &cnf, 0, &error), LL_SYSTEM);
    expect_error(&error, "no/f.json");
    assert_int_equal(count_files(0), 0);
    assert_int_equal(ll_io_write_function(full_device(), &cnf, 0, &error), LL_SYSTEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_function),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
