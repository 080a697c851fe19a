/* single: one row a query is predicted 1, all others 0 (docs/proofs/weighed-counts.md).
 *
 * For metrics of counts whose rows have weights: query 0 predicts 1 for every row, query q for one row alone. What that
 * does to a number depends on the weight of the rows of class 1, which is not known, so decode_single.c reads the
 * labels. Which rows are asked about find_single.c chooses: those that weigh enough. */
#include "strategy/single/single.h"

#include <stdlib.h>

typedef struct {
    long *rows, count; /* NULL: every row is asked about */
} asked;

static ll_status create(ll_code *code, ll_error *error)
{
    (void)error;
    code->levels = 1;
    code->queries = code->rows + 1;
    return LL_OK;
}

static void clear(ll_code *code)
{
    free(((asked *)code->data)->rows);
}

void ll_single_set(ll_code *code, long *rows, long count)
{
    clear(code);
    *(asked *)code->data = (asked){rows, count};
    code->queries = count + 1;
}

long ll_single_row(const ll_code *code, long query)
{
    const asked *a = code->data;
    return a->rows != NULL ? a->rows[query - 1] : query - 1;
}

static int32_t predict(const ll_code *code, long row)
{
    return code->query == 0 || row == ll_single_row(code, code->query);
}

static long labels_in(const ll_code *code, long queries)
{
    (void)code;
    return queries > 0 ? queries - 1 : 0;
}

const ll_code_row ll_code_single = {
    .binary_only = 1,
    .info = {.name = "single",
             .variants = "",
             .result = "",
             .guarantee = "proved",
             .weights = "1 where the label predicted is right: all rows 0 but one a query, whose rows have weights",
             .gap = "1 in every query",
             .bits = "1 a query",
             .cost = "the weight of class 1 by halving, N numbers a half",
             .classes = "2"},
    .state_size = sizeof(asked),
    .create = create,
    .clear = clear,
    .predict = predict,
    .labels_in = labels_in,
};
