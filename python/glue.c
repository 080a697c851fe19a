/* What is not worth a way through Python: handing out rows of a caller's array, and filling one. */
#include <lossleak.h>

#include <string.h>

/* An array of a caller, row after row; `stop` other than 0 ends whoever reads it. */
typedef struct {
    const double *doubles; /* or */
    const float *floats;   /* or */
    const char *const *texts;
    long columns;
    volatile int *stop;
} lossleak_array;

/* Texts become numbers of any size. */
static ll_status lossleak_get_exact(const lossleak_array *a, ll_block *out, long first, long count, ll_error *error)
{
    ll_exact *exacts = ll_block_reserve_exacts(out, count, a->columns);
    if (!exacts)
        return ll_fail(error, LL_MEMORY, "no memory for predictions");
    for (long i = 0; i < count * a->columns; i++) {
        const char *text = a->texts[first * a->columns + i];
        if (ll_exact_read(exacts, i, text, strlen(text)) != LL_OK)
            return ll_fail(error, LL_DOMAIN, "row %ld: %.80s is no number", first + i / a->columns, text);
    }
    return LL_OK;
}

static ll_status lossleak_get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const lossleak_array *a = self;
    if (*a->stop)
        return ll_fail(error, LL_UNABLE, "interrupted");
    if (a->texts)
        return lossleak_get_exact(a, out, first, count, error);
    out->rows = count;
    out->columns = a->columns;
    out->entries = a->doubles ? LL_ENTRIES_DOUBLE : LL_ENTRIES_FLOAT;
    out->doubles = a->doubles ? a->doubles + first * a->columns : NULL;
    out->floats = a->floats ? a->floats + first * a->columns : NULL;
    out->exacts = NULL;
    return LL_OK;
}

static void lossleak_open(ll_predictions *out, lossleak_array *array, long rows)
{
    *out = (ll_predictions){.self = array,
                            .rows = rows,
                            .columns = array->columns,
                            .entries = array->texts     ? LL_ENTRIES_EXACT
                                       : array->doubles ? LL_ENTRIES_DOUBLE
                                                        : LL_ENTRIES_FLOAT,
                            .get = lossleak_get};
}

static void lossleak_copy(double *out, const ll_block *block)
{
    size_t count = (size_t)block->rows * (size_t)block->columns;
    if (block->doubles)
        memcpy(out, block->doubles, count * sizeof *out);
    for (size_t i = 0; block->floats && i < count; i++)
        out[i] = block->floats[i];
}

/* All rows of predictions that are doubles or floats. */
static ll_status lossleak_fill(double *out, const ll_predictions *predictions, ll_error *error)
{
    enum { ROWS = 4096 };
    ll_block block;
    ll_status status = LL_OK;
    ll_block_init(&block);
    for (long first = 0; first < predictions->rows && status == LL_OK; first += ROWS) {
        long count = predictions->rows - first < ROWS ? predictions->rows - first : ROWS;
        status = predictions->get(predictions->self, &block, first, count, error);
        if (status == LL_OK)
            lossleak_copy(out + first * predictions->columns, &block);
    }
    ll_block_clear(&block);
    return status;
}

/* The same as text, for exact numbers: one row, `columns` texts to be freed with ll_free. */
static ll_status lossleak_texts(char **out, const ll_predictions *predictions, long row, ll_error *error)
{
    ll_block block;
    ll_block_init(&block);
    ll_status status = predictions->get(predictions->self, &block, row, 1, error);
    for (long k = 0; status == LL_OK && k < predictions->columns; k++)
        out[k] = ll_exact_write(block.exacts, k);
    ll_block_clear(&block);
    return status;
}

/* A text that the library may free. */
static char *lossleak_text(const char *text)
{
    return strdup(text);
}

static int lossleak_is_stopped(void *stop)
{
    return *(volatile int *)stop;
}

/* `stop` is asked by a flag, which costs nothing; progress goes through Python. */
static void lossleak_budget(ll_budget *out, double memory, double seconds, int threads, volatile int *stop,
                            void (*progress)(void *, long, long))
{
    ll_budget_init(out);
    out->memory = memory;
    out->seconds = seconds;
    out->threads = threads;
    out->stop = lossleak_is_stopped;
    out->progress = progress;
    out->self = (void *)stop;
}
