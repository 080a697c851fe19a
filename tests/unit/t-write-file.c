/* Files out: whole or not at all, and what was there before stays until then. */
#include "io/files/write_file.h"

#include "io-files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

static ll_status write_text(const char *path, const char *text, ll_error *error)
{
    ll_io_output *output;
    ll_status status = ll_io_output_open(&output, path, error);
    if (status != LL_OK)
        return status;
    status = ll_io_output_write(output, text, strlen(text), error);
    if (status == LL_OK)
        return ll_io_output_commit(output, error);
    ll_io_output_abandon(output);
    return status;
}

static void expect_content(const char *path, const char *wanted)
{
    size_t size;
    char *got = slurp(path, &size);
    assert_string_equal(got, wanted);
    free(got);
}

static mode_t mode_of(const char *path)
{
    struct stat about;
    assert_int_equal(lstat(path, &about), 0);
    return about.st_mode;
}

static void test_new_file(void **state)
{
    (void)state;
    count_files(1);
    static const mode_t masks[] = {022, 077, 002};
    for (int i = 0; i < 3; i++) {
        mode_t before = umask(masks[i]);
        const char *path = in_folder("new");
        unlink(path);
        assert_int_equal(write_text(path, "text\n", NULL), LL_OK);
        umask(before);
        expect_content(path, "text\n");
        assert_int_equal(mode_of(path) & 0777, 0666 & ~masks[i]);
    }
    assert_int_equal(count_files(0), 1);
}

static void test_replace(void **state)
{
    (void)state;
    count_files(1);
    const char *path = put("old", "before\n");
    assert_int_equal(chmod(path, 0640), 0);
    ll_io_output *output;
    assert_int_equal(ll_io_output_open(&output, path, NULL), LL_OK);
    assert_int_equal(ll_io_output_print(output, NULL, "%d,%s\n", 7, "x"), LL_OK);
    expect_content(path, "before\n");
    ll_io_output_abandon(output);
    expect_content(path, "before\n");
    assert_int_equal(count_files(0), 1);
    assert_int_equal(write_text(path, "after\n", NULL), LL_OK);
    expect_content(path, "after\n");
    assert_int_equal(mode_of(path) & 0777, 0640);
    assert_int_equal(count_files(0), 1);
    ll_io_output_abandon(NULL);
}

static void test_long_writes(void **state)
{
    (void)state;
    enum { SIZE = 300000 };
    char *data = malloc(SIZE);
    ll_io_output *output;
    size_t size, at = 0;
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (char)('a' + i * i % 23);
    const char *path = in_folder("long");
    assert_int_equal(ll_io_output_open(&output, path, NULL), LL_OK);
    for (size_t step = 1; at < SIZE; at += step, step = step * 3 + 1) {
        if (step > SIZE - at)
            step = SIZE - at;
        assert_int_equal(ll_io_output_write(output, data + at, step, NULL), LL_OK);
    }
    assert_int_equal(ll_io_output_commit(output, NULL), LL_OK);
    char *got = slurp(path, &size);
    assert_int_equal(size, SIZE);
    assert_memory_equal(got, data, SIZE);
    free(got);
    free(data);
}

/* Devices are written straight. */
static void test_full_device(void **state)
{
    (void)state;
    ll_error error = {0};
    char wanted[80];
    assert_int_equal(write_text(full_device(), "x", &error), LL_SYSTEM);
    snprintf(wanted, sizeof wanted, "%s: No space left on device", full_device());
    expect_error(&error, wanted);
}

/* Opens both ends of a new terminal. Returns 0 where the system cannot open one. */
static int open_terminal(int *master, int *kept)
{
    *master = posix_openpt(O_RDWR | O_NOCTTY);
    int is_there = *master >= 0 && grantpt(*master) == 0 && unlockpt(*master) == 0;
    *kept = is_there ? open(ptsname(*master), O_RDWR | O_NOCTTY) : -1;
    return *kept >= 0;
}

/* The device here is a terminal of our own: its file system lets nobody, not even root, put a file in its place, so
 * that a writer that is wrong does no harm. */
static void test_terminal(void **state)
{
    (void)state;
    int master, kept;
    if (!open_terminal(&master, &kept)) {
        print_message("no terminal can be opened on this system (is /dev/pts mounted?), so this test is skipped\n");
        skip();
    }
    ll_error error = {0};
    char got[16], *terminal = ptsname(master);
    assert_int_equal(symlink(terminal, in_folder("terminal")), 0);
    const char *names[] = {terminal, in_folder("terminal")};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(write_text(names[i], "to a terminal", &error), LL_OK);
        assert_int_equal(read(master, got, sizeof got), 13);
        assert_memory_equal(got, "to a terminal", 13);
        assert_true(S_ISCHR(mode_of(terminal)));
    }
    assert_true(S_ISLNK(mode_of(in_folder("terminal"))));
    close(kept);
    close(master);
}

/* A disk that is full after some bytes: nothing is left, and the old file stays. */
static void test_full_disk(void **state)
{
    (void)state;
    count_files(1);
    char old[512];
    strcpy(old, put("old", "before\n"));
    static char text[200001];
    memset(text, 'x', sizeof text - 1);
    struct rlimit before, small;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    static const size_t sizes[] = {0, 10, 65536, 100000};
    for (int i = 0; i < 4; i++) {
        ll_error error = {0}, other = {0};
        small.rlim_cur = sizes[i];
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        ll_status status = write_text(old, text, &error), fresh = write_text(in_folder("new"), text, &other);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(status, LL_SYSTEM);
        assert_int_equal(fresh, LL_SYSTEM);
        expect_error(&error, "old: File too large");
        expect_error(&other, "new: File too large");
        expect_content(old, "before\n");
        assert_int_equal(count_files(0), 1);
    }
    signal(SIGXFSZ, handler);
}

static void test_links(void **state)
{
    (void)state;
    count_files(1);
    put("target", "before\n");
    assert_int_equal(symlink("target", in_folder("link")), 0);
    assert_int_equal(symlink("link", in_folder("link2")), 0);
    assert_int_equal(write_text(in_folder("link2"), "after\n", NULL), LL_OK);
    assert_true(S_ISLNK(mode_of(in_folder("link2"))) && S_ISLNK(mode_of(in_folder("link"))));
    assert_true(S_ISREG(mode_of(in_folder("target"))));
    expect_content(in_folder("target"), "after\n");
    assert_int_equal(symlink("later", in_folder("dangling")), 0);
    assert_int_equal(write_text(in_folder("dangling"), "new\n", NULL), LL_OK);
    expect_content(in_folder("later"), "new\n");
    assert_int_equal(symlink(in_folder("later"), in_folder("absolute")), 0);
    assert_int_equal(write_text(in_folder("absolute"), "newer\n", NULL), LL_OK);
    expect_content(in_folder("later"), "newer\n");
    assert_int_equal(symlink("loop", in_folder("loop")), 0);
    ll_error error = {0};
    assert_int_equal(write_text(in_folder("loop"), "x", &error), LL_SYSTEM);
    expect_error(&error, "loop: Too many levels of symbolic links");
}

/* /dev/fd/N of a pipe and of a regular file: written straight, behind what is there. */
static void test_descriptors(void **state)
{
    (void)state;
    count_files(1);
    int ends[2];
    char name[40], got[16];
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    assert_int_equal(write_text(name, "piped\n", NULL), LL_OK);
    assert_int_equal(read(ends[0], got, sizeof got), 6);
    assert_memory_equal(got, "piped\n", 6);
    close(ends[0]);
    close(ends[1]);
    int file = open(in_folder("redirected"), O_RDWR | O_CREAT, 0600);
    assert_true(file >= 0 && write(file, "one\n", 4) == 4);
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    assert_int_equal(write_text(name, "two\n", NULL), LL_OK);
    assert_true(write(file, "three\n", 6) == 6);
    close(file);
    expect_content(in_folder("redirected"), "one\ntwo\nthree\n");
    assert_int_equal(count_files(0), 1);
    ll_error error = {0};
    assert_int_equal(write_text("/dev/fd/999", "x", &error), LL_SYSTEM);
    expect_error(&error, "/dev/fd/999: Bad file descriptor");
}

static void test_standard_output(void **state)
{
    (void)state;
    count_files(1);
    assert_int_equal(symlink("/dev/stdout", in_folder("stdout")), 0);
    const char *names[] = {"-", in_folder("stdout")};
    for (int i = 0; i < 2; i++) {
        fflush(stdout);
        int kept = dup(STDOUT_FILENO), file = open(in_folder("out"), O_RDWR | O_CREAT | O_TRUNC, 0600);
        assert_true(kept >= 0 && file >= 0);
        dup2(file, STDOUT_FILENO);
        printf("first\n");
        ll_status status = write_text(names[i], "second\n", NULL);
        printf("third\n");
        fflush(stdout);
        dup2(kept, STDOUT_FILENO);
        close(kept);
        close(file);
        assert_int_equal(status, LL_OK);
        expect_content(in_folder("out"), "first\nsecond\nthird\n");
    }
}

static void test_fifo(void **state)
{
    (void)state;
    count_files(1);
    const char *path = in_folder("fifo");
    char got[16];
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(write_text(path, "through\n", NULL), LL_OK);
    assert_int_equal(read(reader, got, sizeof got), 8);
    close(reader);
    assert_true(S_ISFIFO(mode_of(path)));
    assert_int_equal(count_files(0), 1);
}

static void test_bad_names(void **state)
{
    (void)state;
    ll_error error = {0};
    assert_int_equal(write_text(test_folder, "x", &error), LL_SYSTEM);
    expect_error(&error, "is a directory");
    assert_int_equal(write_text(in_folder("none/file"), "x", &error), LL_SYSTEM);
    expect_error(&error, "none/file: No such file or directory");
    assert_int_equal(write_text(in_folder("new/"), "x", &error), LL_SYSTEM);
    expect_error(&error, "is a directory");
    assert_int_equal(write_text("", "x", &error), LL_DOMAIN);
    expect_error(&error, "an empty file name");
    put("plain", "x");
    assert_int_equal(write_text(in_folder("plain/file"), "x", &error), LL_SYSTEM);
    expect_error(&error, "Not a directory");
    char longest[256];
    memset(longest, 'n', 255);
    longest[255] = '\0';
    assert_int_equal(write_text(in_folder(longest), "fits\n", &error), LL_OK);
    expect_content(in_folder(longest), "fits\n");
    if (geteuid() != 0) {
        assert_int_equal(chmod(in_folder("plain"), 0444), 0);
        assert_int_equal(write_text(in_folder("plain"), "y", &error), LL_SYSTEM);
        expect_error(&error, "Permission denied");
    }
}

/* Asked before the work: nothing is made, nothing is changed, an input is never written over. */
static void test_check(void **state)
{
    (void)state;
    ll_error error = {0};
    count_files(1);
    const char *const inputs[] = {put("one", "1\n"), put("two", "2\n"), "-", "no such file"};
    const char *link_to_two = in_folder("link");
    assert_int_equal(symlink("two", link_to_two), 0);
    assert_int_equal(ll_io_output_check(in_folder("new"), inputs, 4, &error), LL_OK);
    assert_int_equal(ll_io_output_check(inputs[1], inputs, 1, &error), LL_OK);
    assert_int_equal(ll_io_output_check(inputs[1], inputs, 4, &error), LL_DOMAIN);
    expect_error(&error, "two: is an input");
    assert_int_equal(ll_io_output_check(link_to_two, inputs, 4, &error), LL_DOMAIN);
    assert_int_equal(ll_io_output_check(in_folder("none/file"), inputs, 0, &error), LL_SYSTEM);
    assert_int_equal(ll_io_output_check(test_folder, inputs, 0, &error), LL_SYSTEM);
    assert_int_equal(ll_io_output_check("/dev/full", inputs, 4, &error), LL_OK);
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    assert_int_equal(ll_io_output_check(in_folder("pipe"), inputs, 0, &error), LL_OK);
    assert_int_equal(count_files(0), 4);
    expect_content(in_folder("two"), "2\n");
}

/* A name without a folder is in the folder that was current when it was opened. */
static void test_current_folder(void **state)
{
    (void)state;
    char before[512];
    ll_io_output *output;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(test_folder), 0);
    ll_status opened = ll_io_output_open(&output, "bare", NULL);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(opened, LL_OK);
    assert_int_equal(ll_io_output_write(output, "x\n", 2, NULL), LL_OK);
    assert_int_equal(ll_io_output_commit(output, NULL), LL_OK);
    expect_content(in_folder("bare"), "x\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_file),    cmocka_unit_test(test_replace),     cmocka_unit_test(test_long_writes),
        cmocka_unit_test(test_full_device), cmocka_unit_test(test_terminal),    cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_links),       cmocka_unit_test(test_descriptors), cmocka_unit_test(test_standard_output),
        cmocka_unit_test(test_fifo),        cmocka_unit_test(test_bad_names),   cmocka_unit_test(test_current_folder),
        cmocka_unit_test(test_check),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
