/* Prediction files in every form, as doubles, floats and exact numbers, in and out. */
#include "io/formats/predictions.h"

#include "io-files.h"

#include <flint/flint.h>
#include <locale.h>
#include <math.h>

/* The entries of rows first .. first+count-1 as doubles. */
static ll_status get(const ll_predictions *p, double *out, long first, long count, ll_error *error)
{
    ll_block b;
    ll_block_init(&b);
    ll_status status = p->get(p->self, &b, first, count, error);
    if (status == LL_OK) {
        assert_true(b.rows == count && b.columns == p->columns && b.entries == p->entries);
        assert_int_equal((b.doubles != NULL) + (b.floats != NULL) + (b.exacts != NULL), 1);
    }
    for (long i = 0; status == LL_OK && i < count * p->columns; i++)
        out[i] = b.doubles ? b.doubles[i] : b.floats ? (double)b.floats[i] : ll_exact_double(b.exacts, i);
    ll_block_clear(&b);
    return status;
}

static ll_io_predictions *open_file(ll_predictions *source, const char *path, long rows, int exact)
{
    ll_io_predictions *p = NULL;
    ll_error error = {0};
    if (ll_io_open_predictions(&p, source, path, rows, exact, 0, &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_int_equal(source->entries == LL_ENTRIES_EXACT, exact);
    return p;
}

/* Doubles and exact numbers of a text file are `wanted`, in blocks of every size and in any order. */
static void expect_entries(const char *path, long rows, long columns, const double *wanted)
{
    for (int exact = 0; exact < 2; exact++) {
        ll_predictions source;
        ll_io_predictions *p = open_file(&source, path, 0, exact);
        double got[64];
        assert_true(source.rows == rows && source.columns == columns);
        for (long count = 1; count <= rows; count++)
            for (long i = 0; i + count <= rows; i++) {
                long first = count % 2 ? i : rows - count - i;
                assert_int_equal(get(&source, got, first, count, NULL), LL_OK);
                assert_memory_equal(got, wanted + first * columns, (size_t)(count * columns) * sizeof *got);
            }
        ll_io_close_predictions(p);
    }
}

/* Opening or reading fails with this reason: where = 1 as doubles, 2 as exact, 3 as both. */
static void expect_refusal_as(const char *path, int as, const char *reason)
{
    for (int exact = 0; exact < 2; exact++) {
        ll_predictions source = {.rows = 77};
        ll_io_predictions *p = NULL;
        ll_error error = {0};
        double got[64];
        if (!(as & 1 << exact))
            continue;
        ll_status status = ll_io_open_predictions(&p, &source, path, 0, exact, 1 << 20, &error);
        if (status == LL_OK)
            status = get(&source, got, 0, source.rows, &error);
        else
            assert_true(source.rows == 77 && !p);
        ll_io_close_predictions(p);
        assert_true(status != LL_OK);
        expect_error(&error, reason);
    }
}

static void expect_refusal(const char *path, const char *reason)
{
    expect_refusal_as(path, 3, reason);
}

static void test_csv(void **state)
{
    (void)state;
    const double p[] = {0.25, 0.1, 1, 0x1p-1074}, two[] = {0.25, 0.75, 1, 0};
    expect_entries(put("p", "row,p\n0,0.25\n1,0.1\n2,1\n3,0x1p-1074\n"), 4, 1, p);
    expect_entries(put("p", "0.25\n0.1\n1e0\n4.9406564584124654e-324\n"), 4, 1, p);
    expect_entries(put("p", "p\n0.25\n.1\n1.\n5e-324"), 4, 1, p);
    expect_entries(
        put("p", "\xef\xbb\xbf"
                 "PassengerId,Survived\r\n\"892\",0.25\r\nx y,\"0.1\"\r\n\"a,\"\"b\"\"\nc\",+1\r\n,5e-324\r\n\r\n"),
        4, 1, p);
    expect_entries(put_gzip("p.gz", "row,p\n0,0.25\n1,0.1\n2,1\n3,5e-324\n", 32), 4, 1, p);
    expect_entries(put("p", "row,p0,p1\n0,0.25,0.75\n1,1,0e5\n"), 2, 2, two);
    expect_entries(put("p", "image_id,cat,dog\na,0.25,0.75\nb,1,0\n"), 2, 2, two);
    expect_entries(put("p", ",0,1\na,0.25,0.75\nb,1,0\n"), 2, 2, two);
    expect_entries(put("p", "cat,dog\n0.25,0.75\n1,0\n"), 2, 2, two);
    expect_entries(put("p", "INDEX, cat , dog\nx, 0.25 ,0.75\ny,1,\t0\n"), 2, 2, two);
    expect_entries(put("p", "p1\n1e-400\n"), 1, 1, (const double[]){0});
}

/* Names of classes stand for their numbers, also where integers are among the names and rows are moved by ids. */
static void test_names(void **state)
{
    (void)state;
    char *names[] = {"10", "9", "NA", "many", "no"};
    ll_io_labels labels = {.names = names, .name_count = 5};
    static const char *const files[] = {"many\n10\nNA\n9\nno\n", "answer\nmany\n10\nNA\n9\nno\n",
                                        "id,c\na,many\nb,10\nc,NA\nd,9\ne,no",
                                        "{\"c\":\"many\"}\n{\"c\":10}\n{\"c\":\"NA\"}\n{\"c\":9}\n{\"c\":\"no\"}\n"};
    const double wanted[] = {3, 0, 2, 1, 4};
    for (int i = 0; i < 8; i++) {
        ll_predictions source;
        ll_io_predictions *p = NULL;
        ll_error error = {0};
        double got[5];
        int moved = 0;
        if (ll_io_open_matched(&p, &source, put("p", files[i / 2]), 5, &labels, NULL, &moved, i % 2, 0, &error) !=
            LL_OK)
            fail_msg("%s", error.text);
        for (long row = 4; row >= 0; row--) {
            assert_int_equal(get(&source, got, row, 1, NULL), LL_OK);
            assert_true(got[0] == wanted[row]);
        }
        ll_io_close_predictions(p);
    }
}

static void test_bad_csv(void **state)
{
    (void)state;
    expect_refusal(put("p", "row,p\n0,0.5\n1,nan\n"), "p:3: 'nan' is not a finite number");
    expect_refusal(put("p", "row,p\n0,-inf\n"), "p:2: '-inf' is not a finite number");
    expect_refusal(put("p", "row,p\n0,0.5\n1,abc\n"), "p:3: 'abc' is not a number");
    expect_refusal(put("p", "row,p\n0,0.5\n1,0 .5\n"), "p:3: '0 .5' is not a number");
    expect_refusal(put("p", "row,p\n0,0.5\n1,\x1b[2J\n"), "p:3: '\\x1b[2J' is not a number");
    expect_refusal(put("p", "row,p\n0,\n"), "p:2: field 2 is empty");
    expect_refusal(put("p", "row,p0,p1\n0,0.5,0.5\n1,0.5\n"), "p:3: 2 fields where the first line has 3");
    expect_refusal(put("p", "row,p0,p1\n0,0.5,0.5,\n"), "p:2: 4 fields where the first line has 3");
    expect_refusal(put("p", "row,p\n0,0.5\n\n1,0.5\n"), "p:3: an empty line");
    expect_refusal(put("p", "row,p\n0,0.5\n2,0.5\n"), "p:3: row is '2' where 1 is expected");
    expect_refusal(put("p", "row,p1,p0\n0,0.5,0.5\n"), "p:1: column p1 stands where p0 is expected");
    expect_refusal(put("p", "0,0.5\n1,0.5\n"), "p:1: 2 columns and no header");
    expect_refusal(put("p", "0.5,\n"), "p:1: 2 columns and no header");
    expect_refusal(put("p", "0.5x\n0.5\n"), "p:1: '0.5x' is not a number");
    expect_refusal(put("p", "nan\n0.5\n"), "p:1: 'nan' is not a finite number");
    expect_refusal(put("p", "valid,invalid\n0.5,0.5\n"), "p:1: is column 'valid' an id or a class?");
    expect_refusal(put("p", "Id\n1\n"), "p:1: only an id column, 'Id'");
    expect_refusal(put("p", "row,p\n"), "p: a header, but no predictions");
    expect_refusal(put("p", ""), "p: the file is empty");
    expect_refusal(put("p", "\n"), "p: no predictions");
    expect_refusal(put_bytes("p", "row,p\n0,1\0\n", 11), "p:2: a NUL byte");
    expect_refusal(put("p", "row,p\n\"0,0.5\n"), "p:2: a quoted field is never closed");
    expect_refusal(in_folder("missing"), "missing: No such file or directory");
    expect_refusal(test_folder, "is a directory");
    expect_refusal(put_bytes("p", "\0\0\x08\1\0\0\0\1\0", 9), "an IDX file");
    expect_refusal_as(put("p", "row,p\n0,0.5\n1,1e400\n"), 1, "p:3: '1e400' is too large for a double");
}

static void test_rows_and_memory(void **state)
{
    (void)state;
    ll_predictions source;
    ll_io_predictions *p;
    ll_error error = {0};
    char text[20000] = "row,p\n";
    for (int i = 0; i < 1000; i++)
        sprintf(text + strlen(text), "%d,0.5\n", i);
    const char *path = put("p", text);
    for (int exact = 0; exact < 2; exact++) {
        assert_int_equal(ll_io_open_predictions(&p, &source, path, 999, exact, 0, &error), LL_DOMAIN);
        expect_error(&error, "p: 1000 rows of predictions where 999 are expected");
        assert_int_equal(ll_io_open_predictions(&p, &source, path, 1000, exact, 8400, &error), LL_OK);
        ll_io_close_predictions(p);
        assert_int_equal(ll_io_open_predictions(&p, &source, path, 1000, exact, 7999, &error),
                         exact ? LL_OK : LL_UNABLE);
        if (exact)
            ll_io_close_predictions(p);
        else
            expect_error(&error, "p: needs about 8000 bytes of memory, 7999 are allowed");
    }
    ll_io_close_predictions(NULL);
}

static void expect_where(const ll_predictions *source, long row, const char *wanted)
{
    char text[600];
    source->where(source->self, text, sizeof text, row);
    assert_string_equal(strrchr(text, '/') + 1, wanted);
}

static void test_where(void **state)
{
    (void)state;
    const char *path = put("p", "Id,cat,dog\na,1,0\n\"b\n\nb\",1,0\nc,1,0\n\"d\nd\",1,0\ne,1,0\n");
    for (int exact = 0; exact < 2; exact++) {
        ll_predictions source;
        ll_io_predictions *p = open_file(&source, path, 5, exact);
        expect_where(&source, 0, "p:2");
        expect_where(&source, 1, "p:3");
        expect_where(&source, 2, "p:6");
        expect_where(&source, 3, "p:7");
        expect_where(&source, 4, "p:9");
        ll_io_close_predictions(p);
    }
    ll_predictions source;
    ll_io_predictions *p = open_file(&source, put("p", "0.5\n0.5\n"), 0, 0);
    expect_where(&source, 1, "p:2");
    ll_io_close_predictions(p);
    p = open_file(&source, LL_TEST_VECTORS "/npy/f8-little-c.npy", 0, 0);
    expect_where(&source, 1, "f8-little-c.npy: row 1 (from 0)");
    ll_io_close_predictions(p);
}

/* Entries of 100,000 characters, through plain and packed files. */
static void test_long_exact(void **state)
{
    (void)state;
    enum { LENGTH = 100000, ROWS = 6 };
    char *text = malloc(ROWS * (2 * LENGTH + 40)), *end = text + sprintf(text, "row,p0,p1\n");
    for (int row = 0; row < ROWS; row++) {
        end += sprintf(end, "%d,0x1p-", row);
        memset(end, '1' + row, LENGTH);
        end += LENGTH;
        end += sprintf(end, ",0.");
        memset(end, '3', LENGTH);
        end += LENGTH;
        *end++ = '\n';
    }
    const char *paths[] = {put_bytes("p", text, (size_t)(end - text)), put_gzip("z", text, (size_t)(end - text))};
    for (int i = 0; i < 2; i++) {
        ll_predictions source;
        ll_io_predictions *p = open_file(&source, paths[i], ROWS, 1);
        ll_block block;
        ll_block_init(&block);
        for (long row = ROWS - 1; row >= 0; row--) {
            assert_int_equal(source.get(source.self, &block, row, 1, NULL), LL_OK);
            char *back = ll_exact_write(block.exacts, 0);
            assert_int_equal(strlen(back), LENGTH + strlen("0x1p-"));
            assert_true(back[strlen(back) - 1] == '1' + row);
            ll_free(back);
            assert_true(ll_exact_double(block.exacts, 1) == 1.0 / 3);
        }
        ll_block_clear(&block);
        ll_io_close_predictions(p);
    }
    free(text);
}

static void test_pipe(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        char command[600], name[40];
        double got[3];
        ll_predictions source;
        snprintf(command, sizeof command, "cat '%s'", put("p", "row,p\n0,0.5\n1,0.25\n2,1\n"));
        FILE *pipe = popen(command, "r");
        assert_non_null(pipe);
        snprintf(name, sizeof name, "/dev/fd/%d", fileno(pipe));
        ll_io_predictions *p = open_file(&source, name, 3, exact);
        for (int pass = 0; pass < 2; pass++) {
            assert_int_equal(get(&source, got, 0, 3, NULL), LL_OK);
            assert_true(got[0] == 0.5 && got[1] == 0.25 && got[2] == 1);
        }
        ll_io_close_predictions(p);
        pclose(pipe);
    }
}

static void test_npy(void **state)
{
    (void)state;
    static const char *const codes[] = {"b1-one",    "i4-big", "u8-little", "f2-little", "f2-big",
                                        "f4-little", "f4-big", "f8-little", "f8-big"};
    static const char *const orders[] = {"1d", "c", "fortran"};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        for (int order = 0; order < 3; order++)
            for (int packed = 0; packed < 2; packed++) {
                char path[512];
                double got[12];
                size_t size;
                ll_predictions source;
                ll_io_predictions *p;
                snprintf(path, sizeof path, "%s/npy/%s-%s.npy", LL_TEST_VECTORS, codes[i], orders[order]);
                if (packed) {
                    char *data = slurp(path, &size);
                    strcpy(path, put_gzip("p.npy.gz", data, size));
                    free(data);
                }
                assert_int_equal(ll_io_open_predictions(&p, &source, path, order ? 4 : 5, order == 1, 0, NULL), LL_OK);
                assert_int_equal(source.entries,
                                 codes[i][0] == 'f' && codes[i][1] < '8' ? LL_ENTRIES_FLOAT : LL_ENTRIES_DOUBLE);
                assert_int_equal(source.columns, order ? 3 : 1);
                assert_int_equal(get(&source, got, 1, source.rows - 1, NULL), LL_OK);
                for (long j = 0; j < (source.rows - 1) * source.columns; j++) {
                    double base = 10.0 * (double)(1 + j / source.columns) + (double)(j % source.columns);
                    double wanted = codes[i][0] == 'b'   ? fmod(base, 2)
                                    : codes[i][0] == 'f' ? base / 8 - 1
                                                         : (base - (codes[i][0] == 'i' ? 5 : 0)) * 1000;
                    assert_true(got[j] == wanted);
                }
                ll_io_close_predictions(p);
            }
}

static void test_bad_npy(void **state)
{
    (void)state;
    expect_refusal(LL_TEST_VECTORS "/npy/bad-nan.npy", "bad-nan.npy: row 1 (from 0): not a finite number");
    expect_refusal(LL_TEST_VECTORS "/npy/bad-infinite.npy", "row 1, column 1 (from 0): not a finite number");
    expect_refusal(LL_TEST_VECTORS "/npy/bad-object.npy", "an object array");
    size_t size;
    ll_predictions source;
    ll_io_predictions *p;
    ll_error error = {0};
    char *data = slurp(LL_TEST_VECTORS "/npy/f8-little-c.npy", &size);
    for (size_t cut = 6; cut < size; cut += 13)
        expect_refusal(put_bytes("p.npy", data, cut), "p.npy: ");
    const char *path = put_gzip("p.npy.gz", data, size);
    assert_int_equal(ll_io_open_predictions(&p, &source, path, 0, 0, size - 1, &error), LL_UNABLE);
    expect_error(&error, "needs more memory");
    path = put_bytes("p.npy", data, size);
    assert_int_equal(ll_io_open_predictions(&p, &source, path, 0, 0, 1, &error), LL_OK); /* mapped, not copied */
    ll_io_close_predictions(p);
    free(data);
}

/* A block that points into the file keeps nothing of its own, and a header of odd length is no trouble. */
static void test_in_place(void **state)
{
    (void)state;
    ll_predictions source;
    ll_block block;
    ll_block_init(&block);
    ll_io_predictions *p = open_file(&source, LL_TEST_VECTORS "/npy/f8-little-c.npy", 0, 0);
    assert_int_equal(source.get(source.self, &block, 1, 2, NULL), LL_OK);
    assert_true(block.doubles && !block.storage && block.doubles[0] == 0.25);
    ll_io_close_predictions(p);
    char odd[] = "\x93NUMPY\x01\0\x37\0{'descr':'<f8','fortran_order':False,'shape':(2,)}     "
                 "\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\xf0\x3f";
    p = open_file(&source, put_bytes("odd.npy", odd, 10 + 0x37 + 16), 2, 0);
    assert_int_equal(source.get(source.self, &block, 0, 2, NULL), LL_OK);
    assert_true(block.storage && block.doubles[0] == 2 && block.doubles[1] == 1);
    ll_io_close_predictions(p);
    ll_block_clear(&block);
}

static void test_constant(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        ll_predictions source;
        ll_io_predictions *p = open_file(&source, "constant:0.1,0.2,0x1.8p-1", 4, exact);
        double got[12];
        char text[64];
        assert_true(source.rows == 4 && source.columns == 3);
        assert_int_equal(get(&source, got, 1, 3, NULL), LL_OK);
        for (int i = 0; i < 9; i += 3)
            assert_true(got[i] == 0.1 && got[i + 1] == 0.2 && got[i + 2] == 0.75);
        source.where(source.self, text, sizeof text, 0);
        assert_string_equal(text, "constant:0.1,0.2,0x1.8p-1");
        ll_io_close_predictions(p);
        static const char *const bad[] = {"constant:", "constant:0.5,", "constant:nan", "constant:0.5;1"};
        for (int i = 0; i < 4; i++) {
            ll_error error = {0};
            assert_int_equal(ll_io_open_predictions(&p, &source, bad[i], 4, exact, 0, &error), LL_DOMAIN);
            expect_error(&error, "is not a finite number");
        }
        ll_error error = {0};
        assert_int_equal(ll_io_open_predictions(&p, &source, "constant:0.5", 0, exact, 0, &error), LL_DOMAIN);
        expect_error(&error, "how many rows is not known");
        assert_int_equal(ll_io_open_predictions(&p, &source, "constant:1e999", 1, exact, 0, &error),
                         exact ? LL_OK : LL_DOMAIN);
        if (exact)
            ll_io_close_predictions(p);
    }
}

/* Random doubles, all exponents, out and in again: the same bits. */
static void test_round_trips(void **state)
{
    (void)state;
    const char *given = getenv("LL_TEST_SEED"), *times = getenv("LL_TEST_MULTIPLIER");
    uint64_t seed = given ? strtoull(given, NULL, 10) : 1;
    long rows = 700 * (times ? strtol(times, NULL, 10) : 1);
    print_message("seed %llu\n", (unsigned long long)seed);
    double *numbers = malloc((size_t)rows * 3 * sizeof *numbers), *got = malloc((size_t)rows * 3 * sizeof *got);
    for (long i = 0; i < rows * 3; i++)
        do {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint64_t bits = seed ^ seed >> 31;
            memcpy(&numbers[i], &bits, 8);
        } while (!isfinite(numbers[i]));
    char header[129], path[512], again[512];
    memset(header, ' ', sizeof header);
    memcpy(header, "\x93NUMPY\x01\0\x76\0", 10);
    header[10 + sprintf(header + 10, "{'descr':'<f8','fortran_order':False,'shape':(%ld,3)}", rows)] = ' ';
    strcpy(path, in_folder("one.npy"));
    FILE *file = fopen(path, "wb");
    fwrite(header, 1, 128, file);
    fwrite(numbers, 8, (size_t)rows * 3, file);
    fclose(file);
    static const ll_io_predictions_form forms[] = {LL_IO_PREDICTIONS_NPY, LL_IO_PREDICTIONS_CSV, LL_IO_PREDICTIONS_NPY};
    for (int i = 0; i < 3; i++) {
        ll_predictions source;
        ll_io_predictions *p = open_file(&source, path, rows, 0);
        strcpy(again, in_folder(i % 2 ? "two.csv" : i ? "three" : "two.npy"));
        assert_int_equal(ll_io_write_predictions(again, forms[i], &source, NULL), LL_OK);
        ll_io_close_predictions(p);
        p = open_file(&source, again, rows, 0);
        assert_int_equal(get(&source, got, 0, rows, NULL), LL_OK);
        assert_memory_equal(got, numbers, (size_t)rows * 3 * sizeof *got);
        ll_io_close_predictions(p);
        strcpy(path, again);
    }
    free(numbers);
    free(got);
}

static void expect_file(const char *path, const char *wanted)
{
    size_t size;
    char *got = slurp(path, &size);
    assert_string_equal(got, wanted);
    free(got);
}

static void test_written_text(void **state)
{
    (void)state;
    ll_predictions source;
    char out[512], tiny[] = "row,p\n0,0x1p-123456789012345678901234567890\n1,0x1p-2\n";
    strcpy(out, in_folder("out"));
    ll_io_predictions *p = open_file(&source, put("p", "0.1\n1\n1.0000000000000001e-20\n"), 0, 0);
    assert_int_equal(ll_io_write_predictions(out, LL_IO_PREDICTIONS_CSV, &source, NULL), LL_OK);
    expect_file(out, "row,p\n0,0.10000000000000001\n1,1\n2,1.0000000000000001e-20\n");
    ll_io_close_predictions(p);
    p = open_file(&source, put("p", "a,b\n0.5,0.25\n"), 0, 0);
    assert_int_equal(ll_io_write_predictions(out, LL_IO_PREDICTIONS_CSV, &source, NULL), LL_OK);
    expect_file(out, "row,p0,p1\n0,0.5,0.25\n");
    ll_error error = {0};
    assert_int_equal(ll_io_write_predictions(full_device(), LL_IO_PREDICTIONS_CSV, &source, &error), LL_SYSTEM);
    expect_error(&error, "No space left on device");
    ll_io_close_predictions(p);
    p = open_file(&source, put("p", tiny), 0, 1);
    assert_int_equal(ll_io_write_predictions(out, LL_IO_PREDICTIONS_CSV, &source, NULL), LL_OK);
    expect_file(out, "row,p\n0,0x1p-123456789012345678901234567890\n1,0x1p-2\n");
    assert_int_equal(ll_io_write_predictions(out, LL_IO_PREDICTIONS_NPY, &source, &error), LL_DOMAIN);
    expect_error(&error, "out: .npy cannot hold exact entries");
    ll_io_close_predictions(p);
}

/* A source that fails half way leaves no file, and the old one as it was. */
static void test_failing_source(void **state)
{
    (void)state;
    count_files(1);
    ll_predictions source;
    ll_error error = {0};
    char text[2000] = "row,p\n", out[512];
    for (int i = 0; i < 100; i++)
        sprintf(text + strlen(text), "%d,%s\n", i, i == 90 ? "x" : "0.5");
    ll_io_predictions *p = open_file(&source, put("p", text), 0, 1);
    strcpy(out, in_folder("out"));
    assert_int_equal(ll_io_write_predictions(out, LL_IO_PREDICTIONS_CSV, &source, &error), LL_DOMAIN);
    expect_error(&error, "p:92: 'x' is not a number");
    assert_int_equal(count_files(0), 1);
    put("out", "before\n");
    assert_int_equal(ll_io_write_predictions(out, LL_IO_PREDICTIONS_CSV, &source, &error), LL_DOMAIN);
    expect_file(out, "before\n");
    assert_int_equal(count_files(0), 2);
    ll_io_close_predictions(p);
}

/* A comma for the decimal point, where such a locale is installed, changes nothing. */
static void test_locale(void **state)
{
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
        print_message("no locale with a decimal comma is installed; the test runs in the C locale\n");
    const double wanted[] = {0.5, 1.25};
    expect_entries(put("p", "row,p\n0,0.5\n1,1.25\n"), 2, 1, wanted);
    test_written_text(state);
    setlocale(LC_ALL, "C");
}

/* ---- plain rows and others ---- */

static const char *const spellings[] = {"0.5",
                                        "-.25",
                                        "5.",
                                        "0",
                                        "7e-1",
                                        "0x1p-2",
                                        " 0.125",
                                        "0.3 ",
                                        "\"0.75\"",
                                        "0.12345678901234567890123",
                                        "12345678901234567890",
                                        "+1",
                                        "0.1234567890123456789"};
static const char *const headers[] = {"", "row,", "id,"};

/* rows lines of `columns` entries, most of them plain; the entry `bad` is `wrong`. */
static void write_rows(const char *path, long rows, long columns, int header, long bad, const char *wrong)
{
    FILE *file = fopen(path, "w");
    fprintf(file, "%s%s", headers[header], columns == 1 ? "p\n" : "p0,p1\n");
    for (long i = 0; i < rows * columns; i++) {
        if (i % columns == 0 && header != 0)
            fprintf(file, header == 1 ? "%ld," : lrand48() % 50 ? "x%ld," : "\"a,0.5\n%ld\",", i / columns);
        if (i == bad)
            fprintf(file, "%s", wrong);
        else if (lrand48() % 40 == 0)
            fprintf(file, "%s", spellings[(size_t)lrand48() % (sizeof spellings / sizeof *spellings)]);
        else
            fprintf(file, "%.*f", 1 + (int)(lrand48() % 20), drand48());
        fprintf(file, (i + 1) % columns ? "," : lrand48() % 30 ? "\n" : "\r\n");
    }
    fclose(file);
}

/* What is read at once as doubles is what is read one by one as exact numbers, refusals and their lines too. */
static void test_plain_rows(void **state)
{
    enum { MOST = 8000 };
    static double got[2][2 * MOST];
    static const char *const wrongs[] = {"x", "", "0.5.5", "nan", "0.5,0.5", "1e400"};
    (void)state;
    srand48(3);
    for (int trial = 0; trial < 90; trial++) {
        long rows = 1 + lrand48() % MOST, columns = 1 + trial % 2, bad = trial % 3 ? -1 : lrand48() % (rows * columns);
        ll_error errors[2] = {{0}};
        ll_status status[2];
        write_rows(in_folder("plain"), rows, columns, trial / 2 % 3, bad, wrongs[(size_t)lrand48() % 6]);
        for (int exact = 0; exact < 2; exact++) {
            ll_predictions source;
            ll_io_predictions *p = NULL;
            status[exact] = ll_io_open_predictions(&p, &source, in_folder("plain"), 0, exact, 0, &errors[exact]);
            if (status[exact] == LL_OK)
                status[exact] = get(&source, got[exact], 0, source.rows, &errors[exact]);
            if (status[exact] == LL_OK)
                source.where(source.self, errors[exact].text, sizeof errors[exact].text, source.rows - 1);
            ll_io_close_predictions(p);
        }
        if (bad >= 0 && status[0] != status[1]) /* 1e400 is a number, but no double */
            assert_true(status[1] == LL_OK && strstr(errors[0].text, "too large") != NULL);
        else
            assert_string_equal(errors[0].text, errors[1].text);
        if (status[0] == LL_OK)
            assert_memory_equal(got[0], got[1], (size_t)(rows * columns) * sizeof(double));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_plain_rows),
        cmocka_unit_test(test_bad_csv),
        cmocka_unit_test(test_rows_and_memory),
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_long_exact),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_npy),
        cmocka_unit_test(test_bad_npy),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_constant),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_written_text),
        cmocka_unit_test(test_failing_source),
        cmocka_unit_test(test_locale),
    };
    int failed = cmocka_run_group_tests(tests, make_folder, remove_folder);
    flint_cleanup();
    return failed;
}
