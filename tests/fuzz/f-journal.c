/* Journals. One that is refused is unchanged. One that is taken up answers what it holds and writes down the rest; then
 * it must be whole when it is opened again, with the same scores. */
#include "fuzz.h"
#include "io/formats/journal.h"

enum { QUERIES = 3 };
static const char digest[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

static ll_status answer(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    (void)predictions;
    (void)query;
    (void)error;
    ++*(long *)self;
    *score = strdup("0.5");
    return *score ? LL_OK : LL_MEMORY;
}

static ll_io_journal *open_journal(const char *path)
{
    ll_io_journal *journal = NULL;
    ll_error error;
    char note[300];
    (void)ll_fuzz_status(ll_io_journal_open(&journal, note, sizeof note, path, digest, QUERIES, LL_FUZZ_MEMORY, &error),
                         &error);
    return journal;
}

/* How many queries the journal did not answer. */
static long ask_all(ll_io_journal *journal, char *scores[QUERIES])
{
    long asked = 0;
    ll_oracle oracle = ll_io_journal_oracle(journal, (ll_oracle){.self = &asked, .ask = answer});
    for (long query = 0; query < QUERIES; query++)
        LL_FUZZ_CHECK(oracle.ask(oracle.self, &scores[query], NULL, query, NULL) == LL_OK);
    return asked;
}

static void take_up(ll_io_journal *journal, const char *path)
{
    char *scores[2][QUERIES];
    long held = ll_io_journal_count(journal);
    LL_FUZZ_CHECK(ask_all(journal, scores[0]) == QUERIES - held);
    ll_io_journal_close(journal);
    journal = open_journal(path);
    LL_FUZZ_CHECK(journal && ll_io_journal_count(journal) == QUERIES);
    LL_FUZZ_CHECK(ask_all(journal, scores[1]) == 0);
    ll_io_journal_close(journal);
    for (long query = 0; query < QUERIES; query++) {
        LL_FUZZ_CHECK(strcmp(scores[0][query], scores[1][query]) == 0);
        ll_free(scores[0][query]);
        ll_free(scores[1][query]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = ll_fuzz_file(0, data, size);
    ll_io_journal *journal = open_journal(path);
    if (journal) {
        take_up(journal, path);
        return 0;
    }
    size_t left;
    char *content = ll_fuzz_content(0, &left);
    LL_FUZZ_CHECK(left == size && (size == 0 || memcmp(content, data, size) == 0));
    free(content);
    return 0;
}
