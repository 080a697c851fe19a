/* Journals: what is in one is not asked again, whatever a crash left of it; nothing else is forgiven. */
#include "io/formats/journal.h"

#include "io-files.h"

#include <signal.h>
#include <sys/resource.h>
#include <zlib.h>

enum { QUERIES = 3 };
static const char digest[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
static const char *const scores[QUERIES] = {"0.69314718055994529", "-1.5e-30", "0x1.8p-3"};
static const ll_predictions nothing = {.rows = 1};

#define LINE(query, score)                                                                                             \
    "{\"query\":" #query                                                                                               \
    ",\"digest\":\"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\",\"score\":\"" score "\"}\n"
/* As an older version wrote them, without check sums; and with them. */
static const char bare[] = LINE(1, "0.69314718055994529") LINE(2, "-1.5e-30") LINE(3, "0x1.8p-3");
static char whole[sizeof bare + QUERIES * 32];

/* out = the lines with their check sums, by another way than the journal's: printed from crc32 of zlib. */
static size_t add_checks(char *out, const char *lines)
{
    char *start = out;
    for (const char *end; (end = strstr(lines, "}\n")) != NULL; lines = end + 2) {
        unsigned long sum = crc32(0, (const Bytef *)lines, (uInt)(end - lines));
        out += sprintf(out, "%.*s,\"check\":\"%08lx\"}\n", (int)(end - lines), lines, sum);
    }
    return (size_t)(out - start);
}

/* An oracle that counts what it is asked. */
typedef struct {
    long asked;
    ll_status status;
    const char *answer; /* NULL: the score of the table */
} counter;

static ll_status count_and_answer(void *self, char **score, const ll_predictions *predictions, long query,
                                  ll_error *error)
{
    counter *c = self;
    assert_ptr_equal(predictions, &nothing);
    c->asked++;
    if (c->status != LL_OK)
        return ll_fail(error, c->status, "no answer");
    *score = strdup(c->answer ? c->answer : scores[query]);
    return LL_OK;
}

static ll_io_journal *open_good(const char *path, char *note, size_t size)
{
    ll_io_journal *journal = NULL;
    ll_error error = {0};
    if (ll_io_journal_open(&journal, note, size, path, digest, QUERIES, 0, &error) != LL_OK)
        fail_msg("%s", error.text);
    return journal;
}

/* Ask every query; how many the inner oracle was asked. */
static long ask_all(const char *path, char *note, size_t size)
{
    counter c = {0};
    ll_io_journal *journal = open_good(path, note, size);
    ll_oracle oracle = ll_io_journal_oracle(journal, (ll_oracle){.self = &c, .ask = count_and_answer});
    for (long query = 0; query < QUERIES; query++) {
        char *score = NULL;
        ll_error error = {0};
        assert_int_equal(oracle.ask(oracle.self, &score, &nothing, query, &error), LL_OK);
        assert_string_equal(score, scores[query]);
        ll_free(score);
    }
    assert_int_equal(ll_io_journal_count(journal), QUERIES);
    ll_io_journal_close(journal);
    return c.asked;
}

static void expect_content(const char *path, const char *content, size_t length)
{
    size_t size;
    char *data = slurp(path, &size);
    assert_int_equal(size, length);
    assert_memory_equal(data, content, length);
    free(data);
}

static void test_new(void **state)
{
    (void)state;
    char note[200];
    const char *path = in_folder("new");
    assert_int_equal(ask_all(path, note, sizeof note), QUERIES);
    assert_string_equal(note, "");
    expect_content(path, whole, strlen(whole));
    assert_int_equal(ask_all(path, note, sizeof note), 0);
    assert_string_equal(note, "");
    expect_content(path, whole, strlen(whole));
}

/* A crash after every byte of the last line, and here and there before: whole lines are not asked again, and the end is
 * the same. */
static void test_every_cut(void **state)
{
    (void)state;
    size_t last = (size_t)(strrchr(strchr(whole, '\n') + 1, '{') - whole);
    for (size_t cut = 0; cut <= strlen(whole); cut += cut < last ? last - cut < 19 ? last - cut : 19 : 1) {
        char note[200];
        long there = 0;
        for (size_t i = 0; i < cut; i++)
            there += whole[i] == '}'; /* a line that lacks only its end counts */
        int is_cut = cut > 0 && whole[cut - 1] != '\n' && whole[cut - 1] != '}';
        const char *path = put_bytes("cut", whole, cut);
        assert_int_equal(ask_all(path, note, sizeof note), QUERIES - there);
        assert_int_equal(note[0] != '\0', is_cut);
        if (is_cut)
            assert_non_null(strstr(note, "was cut off by a crash"));
        expect_content(path, whole, strlen(whole));
    }
}

static void test_zeros(void **state)
{
    (void)state;
    char note[200], data[sizeof whole + 40] = {0};
    size_t first = (size_t)(strchr(whole, '\n') - whole) + 1;
    memcpy(data, whole, first);
    const char *path = put_bytes("zeros", data, first + 40);
    assert_int_equal(ask_all(path, note, sizeof note), QUERIES - 1);
    assert_non_null(strstr(note, "zeros:2: the last line was cut off"));
    expect_content(path, whole, strlen(whole));
}

/* In any order, and twice with the same score. */
static void test_order(void **state)
{
    (void)state;
    char note[200];
    assert_int_equal(ask_all(put("order", LINE(3, "0x1.8p-3") LINE(1, "0.69314718055994529") LINE(3, "0x1.8p-3")), note,
                             sizeof note),
                     1);
    assert_int_equal(ask_all(put("blanks", "{ \"score\" : \"-1.5e-30\", \"digest\": "
                                           "\"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\", "
                                           "\"query\": 2}\r\n"),
                             note, sizeof note),
                     2);
}

static void test_bad(void **state)
{
    (void)state;
    static const struct {
        const char *content, *reason;
    } cases[] = {
        {"hello\n", "bad:1: not a line of a journal"},
        {"hello", "bad:1: not a line of a journal"},
        {"\n", "bad:1: not a line of a journal"},
        {LINE(1, "0.5") "\n" LINE(2, "0.5"), "bad:2: not a line of a journal"},
        {LINE(1, "0.5") "{\"query\":2,\n" LINE(3, "0.5"), "bad:2: not a line of a journal"},
        {LINE(1, "0.5") "row,label", "bad:2: not a line of a journal"},
        {LINE(1, "0.5") "{\"query\":2}\n", "bad:2: not a line of a journal"},
        {"[1]\n", "bad:1: not a line of a journal"},
        {"{\"query\":1,\"digest\":\"abc\",\"score\":0.5}\n", "bad:1: not a line of a journal"},
        {"{\"query\":1,\"digest\":\"abc\",\"score\":\"0.5\",\"more\":1}\n", "bad:1: not a line of a journal"},
        {"{\"query\":1,\"query\":2,\"digest\":\"abc\",\"score\":\"0.5\"}\n", "bad:1: not a line of a journal"},
        {"{\"query\":1,\"digest\":\"abc\",\"score\":\"0.5\"}\n",
         "bad:1: belongs to another plan (its digest is abc'..., this plan's 001122334455...)"},
        {"{\"query\":1,\"digest\":\"\\u001b[31m\",\"score\":\"0.5\"}\n", "bad:1: belongs to another plan"},
        {LINE(0, "0.5"), "bad:1: there is no query 0: the plan has 1 to 3"},
        {LINE(4, "0.5"), "bad:1: there is no query 4: the plan has 1 to 3"},
        {LINE(-9223372036854775807, "0.5"), "bad:1: there is no query -9223372036854775807"},
        {LINE(1, "0.5") LINE(2, "nan"), "bad:2: the score 'nan' is not finite"},
        {LINE(1, ""), "bad:1: the score '' is not a number"},
        {LINE(1, "1e999999999999999999"), "bad:1: the score '1e999999999999999999' is beyond every range"},
        {LINE(1, "0.5") LINE(2, "1") LINE(1, "0.50"), "bad:3: query 1 has the score '0.50' here, but '0.5' in line 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_io_journal *journal = NULL;
        ll_error error = {0};
        char note[200];
        const char *path = put("bad", cases[i].content);
        assert_int_equal(ll_io_journal_open(&journal, note, sizeof note, path, digest, QUERIES, 0, &error), LL_DOMAIN);
        expect_error(&error, cases[i].reason);
        assert_null(journal);
        expect_content(path, cases[i].content, strlen(cases[i].content));
    }
}

/* Any one bit of a journal that is not what it was: no score is taken from it, and the line is named. */
static void test_every_bit(void **state)
{
    (void)state;
    char flipped[sizeof whole];
    size_t length = strlen(whole);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        ll_io_journal *journal = NULL;
        ll_error error = {0};
        char note[200], place[40];
        int line = 1;
        for (size_t i = 0; i < bit / 8; i++)
            line += whole[i] == '\n';
        (void)snprintf(place, sizeof place, "bits:%d: ", line);
        memcpy(flipped, whole, sizeof flipped);
        flipped[bit / 8] ^= (char)(1 << bit % 8);
        const char *path = put_bytes("bits", flipped, length);
        assert_int_equal(ll_io_journal_open(&journal, note, sizeof note, path, digest, QUERIES, 0, &error), LL_DOMAIN);
        assert_non_null(strstr(error.text, place));
        assert_null(journal);
        expect_content(path, flipped, length);
    }
}

/* Lines of an older version are taken, and told; new ones behind them have check sums. */
static void test_older(void **state)
{
    (void)state;
    char note[300], both[sizeof whole];
    size_t first = (size_t)(strchr(bare, '\n') - bare) + 1;
    const char *path = put_bytes("older", bare, first);
    assert_int_equal(ask_all(path, note, sizeof note), QUERIES - 1);
    assert_non_null(strstr(note, "older: 1 line of an older version, without check sums"));
    memcpy(both, bare, first);
    strcpy(both + first, strchr(whole, '\n') + 1);
    expect_content(path, both, strlen(both));
    assert_int_equal(ask_all(path, note, sizeof note), 0);
}

/* But nothing older comes after a line with a check sum: somebody took one away. */
static void test_mixed(void **state)
{
    (void)state;
    char mixed[sizeof whole];
    size_t first = (size_t)(strchr(whole, '\n') - whole) + 1;
    memcpy(mixed, whole, first);
    strcpy(mixed + first, strchr(bare, '\n') + 1);
    ll_io_journal *journal = NULL;
    ll_error error = {0};
    char note[200];
    assert_int_equal(ll_io_journal_open(&journal, note, sizeof note, put("mixed", mixed), digest, QUERIES, 0, &error),
                     LL_DOMAIN);
    expect_error(&error, "mixed:2: damaged since it was written");
}

static void expect_refused(const char *path, size_t memory, ll_status status, const char *reason)
{
    ll_io_journal *journal = NULL;
    ll_error error = {0};
    char note[200];
    assert_int_equal(ll_io_journal_open(&journal, note, sizeof note, path, digest, QUERIES, memory, &error), status);
    expect_error(&error, reason);
    assert_null(journal);
}

static void test_no_file(void **state)
{
    (void)state;
    const char *fifo = in_folder("fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    expect_refused(fifo, 0, LL_DOMAIN, "fifo: is no regular file");
    expect_refused(test_folder, 0, LL_SYSTEM, "directory");
    expect_refused(in_folder("nowhere/j"), 0, LL_SYSTEM, "No such file");
    expect_refused("", 0, LL_DOMAIN, "an empty file name");
    expect_refused(put("large", whole), 100, LL_UNABLE, "needs more memory than the 100 bytes allowed");
}

/* One attack at a time. */
static void test_lock(void **state)
{
    (void)state;
    char note[200];
    const char *path = in_folder("locked");
    ll_io_journal *journal = open_good(path, note, sizeof note);
    expect_refused(path, 0, LL_DOMAIN, "locked: another attack is writing this journal");
    ll_io_journal_close(journal);
    ll_io_journal_close(open_good(path, note, sizeof note));
}

static void expect_failure(const char *path, counter *c, long query, ll_status status, const char *reason)
{
    char note[200], *score = NULL;
    ll_error error = {0};
    ll_io_journal *journal = open_good(path, note, sizeof note);
    ll_oracle oracle = ll_io_journal_oracle(journal, (ll_oracle){.self = c, .ask = count_and_answer});
    assert_int_equal(oracle.ask(oracle.self, &score, &nothing, query, &error), status);
    expect_error(&error, reason);
    assert_null(score);
    ll_io_journal_close(journal);
}

/* Where the inner oracle fails, nothing is written. */
static void test_failures(void **state)
{
    (void)state;
    const char *path = put("failing", LINE(1, "0.5"));
    expect_failure(path, &(counter){.status = LL_SYSTEM}, 1, LL_SYSTEM, "no answer");
    expect_failure(path, &(counter){.status = LL_UNABLE}, 1, LL_UNABLE, "no answer");
    expect_failure(path, &(counter){.answer = "garbage"}, 1, LL_DOMAIN, "query 2: the score 'garbage' is not a number");
    expect_failure(path, &(counter){.answer = "inf"}, 2, LL_DOMAIN, "query 3: the score 'inf' is not finite");
    expect_failure(path, &(counter){0}, 3, LL_DOMAIN, "there is no query 4");
    expect_content(path, LINE(1, "0.5"), strlen(LINE(1, "0.5")));
}

/* A disk that is full after every number of bytes of the line. */
static void test_full_disk(void **state)
{
    (void)state;
    static const char before[] = LINE(1, "0.5");
    struct rlimit old, small;
    char note[200];
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (size_t room = 0; room < strlen(LINE(2, "-1.5e-30")); room += 7) {
        const char *path = put("full", before);
        small = old;
        small.rlim_cur = sizeof before - 1 + room;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        expect_failure(path, &(counter){0}, 1, LL_SYSTEM,
                       "full: File too large; query 2 got the score '-1.5e-30', which is not in the journal");
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        expect_content(path, before, sizeof before - 1);
        assert_int_equal(ask_all(put("full", LINE(1, "0.69314718055994529")), note, sizeof note), 2);
    }
    signal(SIGXFSZ, handler);
}

/* A score longer than any buffer. */
static void test_long(void **state)
{
    (void)state;
    enum { DIGITS = 300000 };
    char *text = malloc(DIGITS + 1), note[200], *score = NULL;
    assert_non_null(text);
    memset(text, '7', DIGITS);
    text[DIGITS] = '\0';
    const char *path = in_folder("long");
    counter c = {.answer = text};
    for (int i = 0; i < 2; i++) {
        ll_io_journal *journal = open_good(path, note, sizeof note);
        ll_oracle oracle = ll_io_journal_oracle(journal, (ll_oracle){.self = &c, .ask = count_and_answer});
        assert_int_equal(oracle.ask(oracle.self, &score, &nothing, 0, NULL), LL_OK);
        assert_string_equal(score, text);
        ll_free(score);
        ll_io_journal_close(journal);
    }
    assert_int_equal(c.asked, 1);
    free(text);
}

int main(void)
{
    whole[add_checks(whole, bare)] = '\0';
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new),   cmocka_unit_test(test_every_cut), cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_order), cmocka_unit_test(test_bad),       cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_lock),  cmocka_unit_test(test_failures),  cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_long),  cmocka_unit_test(test_every_bit), cmocka_unit_test(test_older),
        cmocka_unit_test(test_mixed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
