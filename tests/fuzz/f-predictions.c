/* Prediction files as CSV, read as doubles and as exact numbers: both readings must agree, in any order of blocks. */
#include "fuzz.h"
#include "io/formats/predictions.h"

typedef struct {
    ll_io_predictions *file;
    ll_predictions source;
    ll_block block;
} reading;

static ll_status open_one(reading *r, const char *path, int exact)
{
    ll_error error;
    *r = (reading){0};
    ll_block_init(&r->block);
    return ll_fuzz_status(ll_io_open_predictions(&r->file, &r->source, path, 0, exact, LL_FUZZ_MEMORY, &error), &error);
}

static void close_one(reading *r)
{
    ll_block_clear(&r->block);
    ll_io_close_predictions(r->file);
}

static ll_status get(reading *r, long first, long count)
{
    ll_error error;
    return ll_fuzz_status(r->source.get(r->source.self, &r->block, first, count, &error), &error);
}

/* Rows backwards, so that the exact reading must begin again and again; only of small files. */
static void compare(reading *doubles, reading *exacts)
{
    const ll_predictions *d = &doubles->source, *e = &exacts->source;
    char place[300];
    LL_FUZZ_CHECK(d->rows == e->rows && d->columns == e->columns && d->rows >= 1 && d->columns >= 1);
    if (d->entries != LL_ENTRIES_DOUBLE || e->entries != LL_ENTRIES_EXACT || d->rows > 64)
        return;
    for (long row = d->rows - 1; row >= 0; row--) {
        LL_FUZZ_CHECK(get(doubles, row, 1) == LL_OK && get(exacts, row, 1) == LL_OK);
        for (long i = 0; i < d->columns; i++)
            LL_FUZZ_CHECK(doubles->block.doubles[i] == ll_exact_double(exacts->block.exacts, i));
        if (d->where)
            d->where(d->self, place, sizeof place, row);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    reading doubles, exacts;
    const char *path = ll_fuzz_file(0, data, size);
    ll_status as_double = open_one(&doubles, path, 0), as_exact = open_one(&exacts, path, 1);
    if (as_double == LL_OK) {
        LL_FUZZ_CHECK(as_exact == LL_OK);
        compare(&doubles, &exacts);
    }
    if (as_exact == LL_OK && exacts.source.rows <= 4096)
        (void)get(&exacts, 0, exacts.source.rows);
    close_one(&doubles);
    close_one(&exacts);
    return 0;
}
