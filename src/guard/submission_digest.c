/* The digest of submitted values, and whether they can be scored at all: both without labels. The entries are hashed by UMAC-128
 * (RFC 4418) under a key that only the ledger has: whoever does not know it cannot find two submissions with one digest but
 * with a chance of 2^-120 for each pair, and it takes a sixth of the time of SHA-256. Its tag is shown to nobody but through
 * BLAKE2b, so its nonce may stay the same. */
#include "guard/digest.h"
#include "number/text_number.h"

#include <endian.h>
#include <float.h>
#include <math.h>
#include <nettle/umac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a metric takes ---- */

typedef struct {
    const char *input;   /* of ll_metric_info */
    const char *allowed; /* for messages */
    int (*are_allowed)(const double *x, long count, long classes);
    int sums_to_one; /* a row of several columns does */
} input_kind;

/* Without a branch per entry, so that many are compared at once. */
static int are_probabilities(const double *x, long count, long classes)
{
    int all = 1;
    (void)classes;
    for (long i = 0; i < count; i++)
        all &= (x[i] >= 0) & (x[i] <= 1);
    return all;
}

static int are_finite(const double *x, long count, long classes)
{
    int all = 1;
    (void)classes;
    for (long i = 0; i < count; i++)
        all &= fabs(x[i]) <= DBL_MAX;
    return all;
}

static int are_labels(const double *x, long count, long classes)
{
    int all = 1;
    for (long i = 0; i < count; i++)
        all &= (x[i] >= 0) & (x[i] < (double)classes) & (x[i] == floor(x[i]));
    return all;
}

static const input_kind kinds[] = {
    {"probability", "a number from 0 to 1", are_probabilities, 1},
    {"weight", "a number from 0 to 1", are_probabilities, 0},
    {"label", "a label", are_labels, 0},
    {"logit", "a finite number", are_finite, 0},
    {"number", "a finite number", are_finite, 0},
};

/* One column of labels; several columns are a row of scores, whatever the metric reads of them. */
static const input_kind *find_kind(const char *input, long columns)
{
    const input_kind *any = &kinds[sizeof kinds / sizeof *kinds - 1];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].input, input) == 0)
            return columns > 1 && kinds[i].are_allowed == are_labels ? any : &kinds[i];
    return any;
}

/* ---- entries ---- */

enum { AT_A_TIME = 512 };

/* Does this number, as text, have a double that is equal to it? */
static int is_double(const char *text, double x, ll_exact *scratch)
{
    char written[64];
    int length = ll_print(written, sizeof written, "%a", x);
    if (!isfinite(x) || ll_exact_read(scratch, 0, written, (size_t)length) != LL_OK)
        return 0;
    char *same = ll_exact_write(scratch, 0);
    int is_same = same != NULL && strcmp(same, text) == 0;
    ll_free(same);
    return is_same;
}

/* The least byte first. */
static uint64_t bits_of(double x)
{
    uint64_t bits = 0;
    x = x == 0 ? 0 : x; /* one zero */
    memcpy(&bits, &x, sizeof bits);
    return htole64(bits);
}

/* What stands before an entry that is text: the bits of no finite number. */
static const uint64_t text_mark = UINT64_MAX;

static void add_words(struct umac128_ctx *entries, const uint64_t *words, long count)
{
    umac128_update(entries, (size_t)count * sizeof *words, (const uint8_t *)words);
}

static void add_text(struct umac128_ctx *entries, const char *text)
{
    const uint64_t words[] = {htole64(text_mark), htole64(strlen(text))};
    add_words(entries, words, 2);
    umac128_update(entries, strlen(text), (const uint8_t *)text);
}

/* As a double where it is one, so that it does not matter how it was read; else as text. */
static ll_status add_exact(struct umac128_ctx *entries, const ll_exact *exacts, long index, ll_exact *scratch,
                           ll_error *error)
{
    double x = ll_exact_double(exacts, index);
    char *text = ll_exact_write(exacts, index);
    if (text == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for an entry");
    uint64_t bits = bits_of(x);
    if (is_double(text, x, scratch))
        add_words(entries, &bits, 1);
    else
        add_text(entries, text);
    ll_free(text);
    return LL_OK;
}

typedef struct {
    struct umac128_ctx entries;
    const ll_predictions *predictions;
    const input_kind *kind;
    long classes;
    ll_exact *scratch;
} reader;

static double entry_of(const ll_block *block, long index)
{
    return block->entries == LL_ENTRIES_FLOAT ? (double)block->floats[index] : ll_exact_double(block->exacts, index);
}

/* Where they are, or in room. */
static const double *entries_of(const ll_block *block, long first, long count, double *room)
{
    if (block->entries == LL_ENTRIES_DOUBLE)
        return block->doubles + first;
    for (long i = 0; i < count; i++)
        room[i] = entry_of(block, first + i);
    return room;
}

static void say_where(const reader *r, char *where, size_t size, long row)
{
    (void)snprintf(where, size, "row %ld", row);
    if (r->predictions->where != NULL)
        r->predictions->where(r->predictions->self, where, size, row);
}

static ll_status refuse_row(const reader *r, long row, ll_error *error)
{
    char where[200];
    say_where(r, where, sizeof where, row);
    return ll_fail(error, LL_DOMAIN, "%s: an entry is not %s", where, r->kind->allowed);
}

/* The row of the first of these entries that is not allowed. */
static ll_status refuse_first(const reader *r, const double *values, long columns, long first, ll_error *error)
{
    long i = 0;
    while (r->kind->are_allowed(&values[i], 1, r->classes))
        i++;
    return refuse_row(r, (first + i) / columns, error);
}

static void add_doubles(reader *r, const double *values, long count)
{
    uint64_t bits[AT_A_TIME];
    for (long i = 0; i < count; i++)
        bits[i] = bits_of(values[i]);
    add_words(&r->entries, bits, count);
}

static ll_status add_exacts(reader *r, const ll_block *block, ll_error *error)
{
    ll_status status = LL_OK;
    for (long i = 0; i < block->rows * block->columns && status == LL_OK; i++)
        status = add_exact(&r->entries, block->exacts, i, r->scratch, error);
    return status;
}

/* A metric that takes rows as they are is won by rows of ones: they must sum to 1, but for decimals that were cut off. */
static ll_status check_sums(const reader *r, const ll_block *block, long first, ll_error *error)
{
    const double tolerance = 0.005;
    for (long row = 0; row < block->rows && block->columns > 1 && r->kind->sums_to_one; row++) {
        double sum = 0, room;
        for (long k = 0; k < block->columns; k++)
            sum += *entries_of(block, row * block->columns + k, 1, &room);
        if (fabs(sum - 1) <= tolerance)
            continue;
        char where[200];
        say_where(r, where, sizeof where, first + row);
        return ll_fail(error, LL_DOMAIN, "%s: the row sums to %.6g, not to 1", where, sum);
    }
    return LL_OK;
}

static ll_status add_block(reader *r, const ll_block *block, long row, ll_error *error)
{
    long count = block->rows * block->columns;
    double room[AT_A_TIME];
    for (long first = 0; first < count; first += AT_A_TIME) {
        long some = count - first < AT_A_TIME ? count - first : AT_A_TIME;
        const double *values = entries_of(block, first, some, room);
        if (!r->kind->are_allowed(values, some, r->classes))
            return refuse_first(r, values, block->columns, row * block->columns + first, error);
        if (block->entries != LL_ENTRIES_EXACT)
            add_doubles(r, values, some);
    }
    ll_status status = check_sums(r, block, row, error);
    return status == LL_OK && block->entries == LL_ENTRIES_EXACT ? add_exacts(r, block, error) : status;
}

static ll_status add_rows(reader *r, ll_error *error)
{
    enum { ROWS = 4096 };
    const ll_predictions *p = r->predictions;
    ll_block block;
    ll_status status = LL_OK;
    ll_block_init(&block);
    for (long first = 0; first < p->rows && status == LL_OK; first += ROWS) {
        status = p->get(p->self, &block, first, p->rows - first < ROWS ? p->rows - first : ROWS, error);
        if (status == LL_OK)
            status = add_block(r, &block, first, error);
    }
    ll_block_clear(&block);
    return status;
}

static void begin(struct umac128_ctx *entries, const unsigned char *secret)
{
    ll_digest digest;
    unsigned char key[LL_DIGEST_BYTES];
    const uint8_t nonce[8] = {0};
    ll_digest_init(&digest, "entries");
    ll_digest_add(&digest, secret, LL_DIGEST_BYTES);
    ll_digest_finish(&digest, key);
    umac128_set_key(entries, key);
    umac128_set_nonce(entries, sizeof nonce, nonce);
    sodium_memzero(key, sizeof key);
}

static void finish(char *out, reader *r)
{
    ll_digest digest;
    uint8_t entries[UMAC128_DIGEST_SIZE];
    umac128_digest(&r->entries, sizeof entries, entries);
    ll_digest_init(&digest, "submission");
    ll_digest_add_number(&digest, r->predictions->rows);
    ll_digest_add_number(&digest, r->predictions->columns);
    ll_digest_add(&digest, entries, sizeof entries);
    ll_digest_finish_text(&digest, out);
}

ll_status ll_digest_predictions(char *out, const ll_predictions *predictions, const char *input, long classes,
                                const unsigned char *secret, ll_error *error)
{
    ll_block scratch;
    reader r = {.predictions = predictions, .kind = find_kind(input, predictions->columns), .classes = classes};
    ll_block_init(&scratch);
    r.scratch = ll_block_reserve_exacts(&scratch, 1, 1);
    if (r.scratch == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a submission");
    begin(&r.entries, secret);
    ll_status status = add_rows(&r, error);
    if (status == LL_OK)
        finish(out, &r);
    ll_block_clear(&scratch);
    return status;
}
