/* Label files as text: lines, CSV columns. The first byte chooses the column and the number of classes. What was read
 * is written and read again: the labels must be the same. */
#include "fuzz.h"
#include "io/files/printable.h"
#include "io/formats/labels.h"
#include <stdlib.h>
#include <string.h>

static void check_labels(const ll_io_labels *l)
{
    LL_FUZZ_CHECK(l->rows >= 1 && l->classes >= 2);
    LL_FUZZ_CHECK(l->name_count <= l->classes && (l->names || l->name_count == 0));
    for (long i = 0; i < l->rows; i++)
        LL_FUZZ_CHECK(l->labels[i] >= 0 && l->labels[i] < l->classes);
}

/* A name that is not printable is written as what it is shown as, which may sort elsewhere. */
static int are_printable(char *const *names, long count)
{
    for (long k = 0; k < count; k++) {
        char *shown = ll_io_printable_copy(names[k]);
        int same = strcmp(shown, names[k]) == 0;
        free(shown);
        if (!same)
            return 0;
    }
    return 1;
}

/* wanted: the classes that were asked for. */
static void check_again(const ll_io_labels *l, long wanted)
{
    ll_io_labels again = {0};
    ll_error error;
    const char *path = ll_fuzz_file(1, NULL, 0);
    const ll_verdict verdict = {.labels = l->labels, .rows = l->rows, .classes = l->classes};
    LL_FUZZ_CHECK(ll_io_write_verdict(path, &verdict, (const char *const *)l->names, l->name_count, &error) == LL_OK);
    LL_FUZZ_CHECK(ll_io_read_labels(&again, path, l->rows, wanted, LL_FUZZ_MEMORY, &error) == LL_OK);
    LL_FUZZ_CHECK(memcmp(again.labels, l->labels, (size_t)l->rows * sizeof *l->labels) == 0);
    ll_io_clear_labels(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const columns[] = {"", ":1", ":2", ":label"};
    static const long classes[] = {0, 2, 3, 10};
    char source[64];
    ll_io_labels labels = {0};
    ll_error error;
    if (size == 0)
        return 0;
    snprintf(source, sizeof source, "%s%s", ll_fuzz_file(0, data + 1, size - 1), columns[data[0] & 3]);
    long wanted = classes[data[0] >> 2 & 3];
    if (ll_fuzz_status(ll_io_read_labels(&labels, source, 0, wanted, LL_FUZZ_MEMORY, &error), &error) == LL_OK) {
        check_labels(&labels);
        if (are_printable(labels.names, labels.name_count))
            check_again(&labels, wanted);
        ll_io_clear_labels(&labels);
    } else
        LL_FUZZ_CHECK(!labels.labels && !labels.names);
    return 0;
}
