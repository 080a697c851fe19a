/* The trade of queries for work: N rows in blocks of M, one query a block. LabelInf looks at 2^M labellings a block, N
 * 2^M / M in all; the decoder of the code powers reads M digits. Both get the same sums and must find the same labels.
 */
#include "../tests/unit/code_tools.h"
#include "attack.h"
#include "bench.h"
#include "code/code.h"
#include "search/exhaustive.h"

#include <stdlib.h>

enum { ROWS = 2201, MOST = 28 };

typedef struct {
    const int32_t *labels;
    long block, queries;
    double weights[2 * MOST];
} work;

static void fail(const char *why)
{
    fprintf(stderr, "b-blocks: %s\n", why);
    exit(1);
}

static long rows_of(const work *w, long query)
{
    return query == w->queries - 1 ? ROWS - query * w->block : w->block;
}

static double sum_of(const work *w, const int32_t *labels, long rows)
{
    double sum = 0;
    for (long i = 0; i < rows; i++)
        sum += w->weights[2 * i + labels[i]];
    return sum;
}

static void check(const int32_t *labels, const int32_t *found, long rows, uint64_t count)
{
    for (long i = 0; i < rows; i++)
        if (count != 1 || labels[i] != found[i])
            fail("a block was not decoded");
}

static void by_search(void *context)
{
    const work *w = context;
    ll_search_result result;
    ll_error error;
    if (ll_search_result_init(&result, w->block, 1) != LL_OK)
        fail("no memory");
    for (long q = 0; q < w->queries; q++) {
        const int32_t *labels = w->labels + q * w->block;
        long rows = rows_of(w, q);
        if (ll_search_exhaustive(&result, w->weights, rows, 2, sum_of(w, labels, rows), 0.25, 1, 1e9, 1, &error) !=
            LL_OK)
            fail(error.text);
        check(labels, result.best, rows, result.count);
    }
    ll_search_result_clear(&result);
}

static void decode_block(const ll_code *code, ll_decoded *decoded, const work *w, long query)
{
    const int32_t *labels = w->labels + query * w->block;
    arb_t sum;
    arb_init(sum);
    arb_set_d(sum, sum_of(w, labels, code->rows));
    mag_set_d(arb_radref(sum), 0.25);
    if (ll_code_decode(code, decoded, sum, NULL) != LL_OK)
        fail("a block was refused");
    check(labels, decoded->labels, code->rows, (uint64_t)decoded->count);
    arb_clear(sum);
}

static void by_digits(void *context)
{
    const work *w = context;
    ll_code *code, *last;
    ll_decoded decoded;
    if (create_code(&code, "powers", w->block, 2, NULL, 0, NULL) != LL_OK ||
        create_code(&last, "powers", rows_of(w, w->queries - 1), 2, NULL, 0, NULL) != LL_OK ||
        ll_decoded_init(&decoded, w->block, 2) != LL_OK)
        fail("no memory");
    for (long q = 0; q < w->queries; q++)
        decode_block(q == w->queries - 1 ? last : code, &decoded, w, q);
    ll_decoded_clear(&decoded);
    ll_code_destroy(code);
    ll_code_destroy(last);
}

int main(void)
{
    int32_t *labels = bench_labels("titanic", ROWS);
    work w = {.labels = labels};
    for (long i = 0; i < MOST; i++)
        w.weights[2 * i + 1] = (double)(1L << i);
    for (w.block = 4; w.block <= MOST; w.block += 4) {
        char size[80];
        double best[2];
        w.queries = (ROWS + w.block - 1) / w.block;
        snprintf(size, sizeof size, "%d rows; M = %ld; %ld queries", ROWS, w.block, w.queries);
        bench_pair(best, by_search, by_digits, &w, w.block < MOST ? 3 : 1);
        bench_print("LabelInf by blocks", size, best[0], "digits of powers", best[1]);
    }
    free(labels);
    flint_cleanup();
    return 0;
}
