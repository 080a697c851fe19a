/* Oracles behind a pipe: good ones, and every way to be a bad one. After each, no process, no file and no descriptor of
 * it may be left. */
#include "io/process/oracle_process.h"

#include "io-files.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { ROWS = 3, EACH = LL_IO_ORACLE_EACH, STREAM = LL_IO_ORACLE_STREAM };

static const double probabilities[ROWS] = {0.1, 0.25, 0.3};

static ll_status get_doubles(void *self, ll_block *out, long first, long count, ll_error *error)
{
    (void)self;
    (void)error;
    double *to = ll_block_reserve_doubles(out, count, 1);
    assert_non_null(to);
    memcpy(to, probabilities + first, (size_t)count * sizeof *to);
    return LL_OK;
}

static ll_status get_nothing(void *self, ll_block *out, long first, long count, ll_error *error)
{
    (void)self;
    (void)out;
    (void)first;
    (void)count;
    return ll_fail(error, LL_UNABLE, "no predictions");
}

static const ll_predictions doubles = {.rows = ROWS, .columns = 1, .entries = LL_ENTRIES_DOUBLE, .get = get_doubles};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

static ll_io_process_options options(int mode, const char *command)
{
    return (ll_io_process_options){.command = command,
                                   .mode = (ll_io_oracle_mode)mode,
                                   .classes = 2,
                                   .timeout = 10,
                                   .low = -(double)INFINITY,
                                   .high = (double)INFINITY};
}

static int files_before, descriptors_before;

static ll_io_process *begin(const ll_io_process_options *o)
{
    ll_io_process *process = NULL;
    ll_error error = {0};
    files_before = count_files(0);
    descriptors_before = count_descriptors();
    if (ll_io_process_open(&process, o, &error) != LL_OK)
        fail_msg("%s", error.text);
    return process;
}

/* Nothing is left: no child (a zombie would be one), no file but those that the case made, no descriptor. */
static void finish(ll_io_process *process, int made)
{
    ll_io_process_close(process);
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(count_files(0), files_before + made);
    assert_int_equal(count_descriptors(), descriptors_before);
}

static void expect_score(ll_io_process *process, long query, const char *wanted)
{
    ll_oracle oracle = ll_io_process_oracle(process);
    char *score = NULL;
    ll_error error = {0};
    if (oracle.ask(oracle.self, &score, &doubles, query, &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_string_equal(score, wanted);
    ll_free(score);
}

static void expect_failure(ll_io_process *process, const ll_predictions *predictions, ll_status status,
                           const char *reason)
{
    ll_oracle oracle = ll_io_process_oracle(process);
    char *score = NULL;
    ll_error error = {0};
    ll_status got = oracle.ask(oracle.self, &score, predictions, 0, &error);
    if (got != status)
        fail_msg("status %d, not %d, where '%s' is expected; score '%.40s'", got, status, reason, score ? score : "");
    expect_error(&error, reason);
    assert_null(score);
}

/* ---- good ones ---- */

static void test_good_each(void **state)
{
    (void)state;
    static const struct {
        const char *command, *score;
    } cases[] = {
        {"cat >/dev/null; echo 0.5", "0.5"},
        {"echo 0.5", "0.5"}, /* reads nothing */
        {"exec <&-; echo 0.5", "0.5"},
        {"printf 0.5", "0.5"},
        {"printf '  0.5\\t\\r\\n'", "0.5"},
        {"echo loading; echo 7; echo 1.25; echo; echo ' '", "1.25"},
        {"echo -1e-400000", "-1e-400000"},
        {"echo 0x1.8p-3", "0x1.8p-3"},
        {"sed -n 4p | cut -d, -f2", "0.29999999999999999"},
        {"test \"$(head -n 1)\" = row,p && wc -l </dev/fd/0 >/dev/null; echo 1", "1"},
        {"wc -l | tr -d ' '", "4"},
        {"echo \"$LOSSLEAK_QUERY$LOSSLEAK_ROWS$LOSSLEAK_CLASSES\"", "732"},
        {"tr '\\0' '\\n' </proc/$$/environ | grep -c LOSSLEAK_QUERY=", "1"},
        {"head -c 3000000 /dev/zero | tr '\\0' x >&2; echo 0.5", "0.5"},       /* floods stderr */
        {"head -c 3000000 /dev/zero | tr '\\0' '\\n'; echo 0.5", "0.5"},       /* floods stdout */
        {"(head -c 900000 /dev/zero | tr '\\0' 7; echo) | head -c 500", NULL}, /* see below */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_io_process_options o = options(EACH, cases[i].command);
        ll_io_process *process = begin(&o);
        char sevens[501];
        memset(sevens, '7', 500);
        sevens[500] = '\0';
        expect_score(process, 6, cases[i].score ? cases[i].score : sevens);
        finish(process, 0);
    }
}

static void test_good_stream(void **state)
{
    (void)state;
    static const struct {
        const char *command, *score;
    } cases[] = {
        {"while read f; do echo 0.5; done", "0.5"},
        {"while read f; do sed -n 4p \"$f\" | cut -d, -f2; done", "0.29999999999999999"},
        {"while read f; do expr \"$f\" : '.*/query-00\\([0-9]*\\)[.]csv$'; done", "07"},
        {"while read f; do echo $LOSSLEAK_QUERY$LOSSLEAK_ROWS$LOSSLEAK_CLASSES; done", "732"},
        {"while read f; do printf ' 0.5 \\r\\n'; done", "0.5"},
        {"while read f; do head -c 300000 /dev/zero >&2; echo 0.5; done", "0.5"},
        {"read f; sleep 0.05; printf 0.; sleep 0.05; echo 5", "0.5"}, /* in pieces, and ends then */
        {"while read f; do ls -l \"$f\" | cut -c 2-10 | tr -- 'rw-' '421'; done", "421111111"}, /* for the user alone */
        {"while read f; do echo 0.5; done; exit 7", "0.5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_io_process_options o = options(STREAM, cases[i].command);
        ll_io_process *process = begin(&o);
        expect_score(process, 6, cases[i].score);
        finish(process, 0);
    }
}

/* One process for all queries; a file is gone when its query is answered. */
static void test_stream_goes_on(void **state)
{
    (void)state;
    char command[1200];
    snprintf(command, sizeof command,
             "echo x >>%s; n=0; while read f; do n=$((n+1)); ls \"$(dirname \"$f\")\" | wc -l >>%s; echo $n; done",
             in_folder("starts"), in_folder("files"));
    ll_io_process_options o = options(STREAM, command);
    ll_io_process *process = begin(&o);
    for (long query = 0; query < 5; query++) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, "%ld", query + 1);
        expect_score(process, query, wanted);
    }
    finish(process, 2);
    size_t size;
    char *starts = slurp(in_folder("starts"), &size), *files = slurp(in_folder("files"), &size);
    assert_string_equal(starts, "x\n");
    assert_string_equal(files, "1\n1\n1\n1\n1\n");
    free(starts);
    free(files);
}

static void test_npy(void **state)
{
    (void)state;
    ll_io_process_options o = options(STREAM, "while read f; do case $f in *.npy) head -c 6 \"$f\" | tail -c 5; esac; "
                                              "wc -c <\"$f\"; done");
    o.form = LL_IO_PREDICTIONS_NPY;
    ll_io_process *process = begin(&o);
    expect_failure(process, &doubles, LL_SYSTEM, "score 'NUMPY152' is not a number");
    finish(process, 0);
}

static ll_status get_exact(void *self, ll_block *out, long first, long count, ll_error *error)
{
    (void)self;
    (void)first;
    (void)error;
    static const char text[] = "1e-400000000000000000000";
    ll_exact *to = ll_block_reserve_exacts(out, count, 1);
    assert_non_null(to);
    for (long i = 0; i < count; i++)
        assert_int_equal(ll_exact_read(to, i, text, sizeof text - 1), LL_OK);
    return LL_OK;
}

static void test_exact(void **state)
{
    (void)state;
    ll_predictions exact = {.rows = 2, .columns = 1, .entries = LL_ENTRIES_EXACT, .get = get_exact};
    ll_io_process_options o = options(EACH, "tail -n 1");
    ll_io_process *process = begin(&o);
    expect_failure(process, &exact, LL_SYSTEM, "score '1,1e-400000000000000000000' is not a number");
    finish(process, 0);
}

/* ---- bad ones ---- */

typedef struct {
    const char *command, *reason;
} bad;

static void expect_bad(int mode, const bad *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ll_io_process_options o = options(mode, cases[i].command);
        o.longest = 1000;
        ll_io_process *process = begin(&o);
        double start = now();
        expect_failure(process, &doubles, LL_SYSTEM, cases[i].reason);
        finish(process, 0);
        assert_true(now() - start < 1.5); /* none of them is waited for in the end */
    }
}

static void test_bad_each(void **state)
{
    (void)state;
    static const bad cases[] = {
        {"true", "query 1: the oracle gave no score"},
        {"echo; echo ' '", "query 1: the oracle gave no score"},
        {"exit 7", "query 1: the oracle ended with exit status 7"},
        {"echo 0.5; exit 7", "query 1: the oracle ended with exit status 7"},
        {"kill -SEGV $$", "query 1: the oracle was ended by signal 11 (Segmentation fault)"},
        {"kill -PIPE $$; echo 0.5", "the oracle was ended by signal 13"}, /* we ignore it, a child does not */
        {"echo one >&2; echo 'ValueError: two' >&2; echo >&2; exit 1", "exit status 1; it said 'ValueError: two'"},
        {"printf unended >&2; exit 1", "exit status 1; it said 'unended'"},
        {"exec /no/such/program", "exit status 127; it said"},
        {"echo hello", "query 1: the oracle's score 'hello' is not a number"},
        {"echo 0.5; echo done", "score 'done' is not a number"},
        {"echo 0.5 0.6", "score '0.5 0.6' is not a number"},
        {"echo nan", "query 1: the oracle's score 'nan' is not finite"},
        {"echo -Infinity", "score '-Infinity' is not finite"},
        {"echo 1e999999999999", "score '1e999999999999' is beyond every range"},
        {"printf '\\033[31m0.5\\n'", "score '\\x1b[31m0.5' is not a number"},
        {"printf '0.5\\000\\n'", "score '0.5\\x00' is not a number"},
        {"head -c 5000 /dev/zero | tr '\\0' 7; sleep 10", "the oracle wrote a line of more than 1000 bytes"},
        {"head -c 5000 /dev/zero | tr '\\0' 7", "the oracle"},
        {"head -c 90 /dev/zero | tr '\\0' x; echo", "'xxxxx"},
    };
    expect_bad(EACH, cases, sizeof cases / sizeof cases[0]);
}

static void test_bad_stream(void **state)
{
    (void)state;
    static const bad cases[] = {
        {"true", "query 1: the oracle ended before it answered"},
        {"exit 7", "query 1: the oracle ended with exit status 7 before it answered"},
        {"read f; echo Oops >&2; exit 1", "exit status 1 before it answered; it said 'Oops'"},
        {"read f; kill -KILL $$", "the oracle was ended by signal 9 (Killed) before it answered"},
        {"read f; printf 0.5", "the oracle ended before it answered"}, /* half a line may be half a score */
        {"exec >&-; sleep 10", "query 1: the oracle closed its output"},
        {"exec <&-; exit 3", "exit status 3 before it answered"},
        {"read f; echo; sleep 10", "the oracle gave no score"},
        {"read f; echo nan; sleep 10", "score 'nan' is not finite"},
        {"read f; echo hello; sleep 10", "score 'hello' is not a number"},
        {"read f; printf '0.5\\n0.6\\n'; sleep 10", "the oracle answered more than one line"},
        {"yes", "the oracle"},
        {"read f; head -c 5000 /dev/zero | tr '\\0' 7; sleep 10", "a line of more than 1000 bytes"},
    };
    expect_bad(STREAM, cases, sizeof cases / sizeof cases[0]);
}

/* A second line that comes late must not be taken for the next answer. */
static void test_late_line(void **state)
{
    (void)state;
    ll_io_process_options o = options(STREAM, "while read f; do echo 0.5; sleep 0.1; echo 0.6; done");
    ll_io_process *process = begin(&o);
    expect_score(process, 0, "0.5");
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    expect_failure(process, &doubles, LL_SYSTEM, "the oracle wrote a line before it was asked");
    expect_score(process, 1, "0.5"); /* a new one is started */
    finish(process, 0);
}

static void test_range(void **state)
{
    (void)state;
    static const struct {
        const char *command, *reason;
    } cases[] = {{"echo -5", "score '-5' is out of range: this scorer's are from -0.001 to 36"},
                 {"echo 36.1", "score '36.1' is out of range"},
                 {"echo -1e999999", "is out of range"},
                 {"echo 1e999999", "is out of range"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_io_process_options o = options(EACH, cases[i].command);
        o.low = -0.001;
        o.high = 36;
        ll_io_process *process = begin(&o);
        expect_failure(process, &doubles, LL_SYSTEM, cases[i].reason);
        finish(process, 0);
    }
}

/* ---- ends ---- */

/* Is there such a process, a zombie or not? */
static int exists(const char *pid_file)
{
    size_t size;
    char *number = slurp(in_folder(pid_file), &size);
    long pid = strtol(number, NULL, 10);
    free(number);
    assert_true(pid > 1);
    return kill((pid_t)pid, 0) == 0;
}

/* Is there such a process, other than a zombie that waits for somebody else? */
static int is_running(const char *pid_file)
{
    char path[64], text[512] = "";
    size_t size;
    char *number = slurp(in_folder(pid_file), &size);
    snprintf(path, sizeof path, "/proc/%ld/stat", strtol(number, NULL, 10));
    free(number);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    const char *state = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
    fclose(file);
    return state && state[2] != 'Z' && state[2] != 'X';
}

static void expect_gone(const char *pid_file)
{
    for (int i = 0; i < 100 && is_running(pid_file); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_false(is_running(pid_file));
}

static void test_timeout(void **state)
{
    (void)state;
    static const struct {
        int mode;
        const char *command;
    } cases[] = {{EACH, "sleep 10"},
                 {EACH, "echo 0.5; exec >&-; sleep 10"},
                 {EACH, "trap '' TERM; sleep 10; sleep 10"},
                 {EACH, "yes"},
                 {EACH, "yes >&2"},
                 {EACH, "sleep 10 & sleep 10"},
                 {STREAM, "sleep 10"},
                 {STREAM, "read f; sleep 10"},
                 {STREAM, "read f; printf 0.5; sleep 10"},
                 {STREAM, "exec <&-; sleep 10"},
                 {STREAM, "trap '' TERM; read f; while :; do sleep 10; done"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char command[800];
        snprintf(command, sizeof command, "echo $$ >%s; %s", in_folder("pid"), cases[i].command);
        ll_io_process_options o = options(cases[i].mode, command);
        o.timeout = 0.1;
        put("pid", "");
        ll_io_process *process = begin(&o);
        double start = now();
        expect_failure(process, &doubles, LL_SYSTEM, "query 1: no score from the oracle within 0.1 s");
        assert_true(now() - start >= 0.1 && now() - start < 2);
        expect_gone("pid");
        finish(process, 0);
    }
}

/* What a shell leaves in the background goes with it, and holds nothing up. */
static void test_background(void **state)
{
    (void)state;
    char command[800];
    snprintf(command, sizeof command, "sleep 100 & echo $! >%s; echo 0.5", in_folder("pid"));
    put("pid", "");
    ll_io_process_options o = options(EACH, command);
    ll_io_process *process = begin(&o);
    double start = now();
    expect_score(process, 0, "0.5");
    assert_true(now() - start < 2);
    assert_false(exists("pid"));
    finish(process, 0);
}

static int looks_left = -1, looks_after; /* until the stop, -1: never; and from then on */

static ll_status check_stop(ll_error *error)
{
    if (looks_left < 0 || --looks_left > 0)
        return LL_OK;
    looks_left = 0;
    looks_after++;
    return ll_fail(error, LL_UNABLE, "stopped");
}

/* The third look finds the stop, and every one after it. */
static void test_stop(void **state)
{
    (void)state;
    for (int mode = EACH; mode <= STREAM; mode++) {
        ll_io_process_options o = options(mode, "sleep 10");
        o.check = check_stop;
        o.retries = 5;
        ll_io_process *process = begin(&o);
        looks_left = 3;
        looks_after = 0;
        double start = now();
        expect_failure(process, &doubles, LL_UNABLE, "stopped");
        finish(process, 0);
        assert_true(now() - start < 2);
        assert_int_equal(looks_after, 2); /* one ends the query, one the process: it is not asked again */
    }
    looks_left = -1;
    ll_io_process_options o = options(STREAM, "while read f; do echo 0.5; done; sleep 10");
    o.check = check_stop;
    ll_io_process *process = begin(&o);
    expect_score(process, 0, "0.5");
    looks_left = 0; /* no two seconds to follow the end of its input */
    double start = now();
    finish(process, 0);
    assert_true(now() - start < 1);
    looks_left = -1;
}

/* What a signal handler does is enough: no file, and no process but the zombie that goes with us. */
static void test_drop(void **state)
{
    (void)state;
    char command[800];
    snprintf(command, sizeof command, "echo $$ >%s; while read f; do echo 0.5; done", in_folder("pid"));
    put("pid", "");
    ll_io_process_options o = options(STREAM, command);
    ll_io_process *process = begin(&o);
    expect_score(process, 0, "0.5");
    ll_io_process_drop(process);
    expect_gone("pid");
    assert_int_equal(count_files(0), files_before);
    finish(process, 0);
}

/* ---- again ---- */

/* Fails twice, then answers; how often it is asked is in a file. */
static void test_retries(void **state)
{
    (void)state;
    for (int mode = EACH; mode <= STREAM; mode++)
        for (long retries = 0; retries < 4; retries++) {
            char command[1600];
            const char *counts = put("asked", "");
            snprintf(command, sizeof command, "%s echo x >>%s; [ $(wc -l <%s) -lt 3 ] && exit 1; echo 0.5",
                     mode == STREAM ? "read f;" : "", counts, counts);
            ll_io_process_options o = options(mode, command);
            o.retries = retries;
            ll_io_process *process = begin(&o);
            if (retries >= 2)
                expect_score(process, 0, "0.5");
            else
                expect_failure(process, &doubles, LL_SYSTEM, retries ? "exit status 1" : "with exit status 1");
            finish(process, 0);
            size_t size;
            char *asked = slurp(in_folder("asked"), &size);
            assert_int_equal(size, 2 * (retries < 2 ? retries + 1 : 3));
            free(asked);
        }
    ll_io_process_options o = options(EACH, "exit 1");
    o.retries = 2;
    ll_io_process *process = begin(&o);
    expect_failure(process, &doubles, LL_SYSTEM, "(asked 3 times)");
    finish(process, 0);
}

/* ---- our own troubles are not the oracle's ---- */

static void test_predictions_fail(void **state)
{
    (void)state;
    ll_predictions none = doubles;
    none.get = get_nothing;
    for (int mode = EACH; mode <= STREAM; mode++) {
        ll_io_process_options o = options(mode, "touch asked; echo 0.5");
        ll_io_process *process = begin(&o);
        expect_failure(process, &none, LL_UNABLE, "no predictions");
        finish(process, 0);
    }
}

static void test_no_room(void **state)
{
    (void)state;
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    small = old;
    small.rlim_cur = 10;
    for (int mode = EACH; mode <= STREAM; mode++) {
        ll_io_process_options o = options(mode, "echo 0.5");
        ll_io_process *process = begin(&o);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        expect_failure(process, &doubles, LL_UNABLE, ": File too large");
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        finish(process, 0);
    }
    signal(SIGXFSZ, handler);
}

static void test_no_folder(void **state)
{
    (void)state;
    ll_error error = {0};
    ll_io_process *process = NULL;
    setenv("TMPDIR", in_folder("nowhere"), 1);
    ll_io_process_options o = options(STREAM, "echo 0.5");
    assert_int_equal(ll_io_process_open(&process, &o, &error), LL_SYSTEM);
    expect_error(&error, "nowhere: No such file or directory");
    assert_null(process);
    o = options(EACH, "echo 0.5");
    process = begin(&o);
    expect_failure(process, &doubles, LL_UNABLE, "query 1: its predictions, in ");
    finish(process, 0);
    setenv("TMPDIR", "two\nlines", 1);
    o = options(STREAM, "echo 0.5");
    assert_int_equal(ll_io_process_open(&process, &o, &error), LL_DOMAIN);
    setenv("TMPDIR", test_folder, 1);
}

/* A program that was started without standard input and output gets their numbers for its pipes. */
static void test_closed_descriptors(void **state)
{
    (void)state;
    int saved[2] = {dup(0), dup(1)};
    fflush(stdout);
    for (int mode = EACH; mode <= STREAM; mode++) {
        ll_io_process_options o = options(mode, mode == EACH ? "sed -n 4p | cut -d, -f2; echo x >&2"
                                                             : "while read f; do sed -n 4p \"$f\" | cut -d, -f2; done");
        close(0);
        close(1);
        ll_io_process *process = NULL;
        char *score = NULL;
        ll_status opened = ll_io_process_open(&process, &o, NULL);
        ll_oracle oracle = ll_io_process_oracle(process);
        ll_status status = opened == LL_OK ? oracle.ask(oracle.self, &score, &doubles, 0, NULL) : opened;
        int taken = fcntl(0, F_GETFD) >= 0 || fcntl(1, F_GETFD) >= 0;
        ll_io_process_close(process);
        assert_true(dup2(saved[0], 0) == 0 && dup2(saved[1], 1) == 1);
        assert_int_equal(status, LL_OK);
        assert_false(taken);
        assert_string_equal(score, "0.29999999999999999");
        ll_free(score);
    }
    close(saved[0]);
    close(saved[1]);
}

static int begin_all(void **state)
{
    signal(SIGPIPE, SIG_IGN);
    int failed = make_folder(state) || setenv("LOSSLEAK_QUERY", "99", 1); /* an oracle that attacks, too */
    return failed ? failed : setenv("TMPDIR", test_folder, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_each),
        cmocka_unit_test(test_good_stream),
        cmocka_unit_test(test_stream_goes_on),
        cmocka_unit_test(test_npy),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_bad_each),
        cmocka_unit_test(test_bad_stream),
        cmocka_unit_test(test_late_line),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_background),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_retries),
        cmocka_unit_test(test_predictions_fail),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_closed_descriptors),
    };
    return cmocka_run_group_tests(tests, begin_all, remove_folder);
}
