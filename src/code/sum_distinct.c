/* sum-distinct: one query of bounded integers (docs/proofs/sum-distinct.md). Two classes: a Conway-Guy set, one label
 * more than powers of two with the same greatest weight. More classes: a set of a few values found by search, and
 * digits to the base K below it. */
#include "code/distinct_sums.h"
#include "code/rows.h"

#include <string.h>

typedef struct {
    long n; /* of the set; at least rows */
    int64_t weights[64];
} state;

/* The most rows whose greatest weight is at most `levels`. */
static long capacity(int64_t levels, long classes)
{
    if (classes == 2)
        return ll_distinct_count(levels);
    int64_t values[LL_DIGITS_MOST];
    return ll_digits_fill(values, classes, levels);
}

static ll_status create(ll_code *code, ll_error *error)
{
    if (code->rows > capacity(code->levels, code->classes))
        return ll_fail(error, LL_DOMAIN, "%ld levels carry %ld labels of %ld classes a query, not %ld",
                       (long)code->levels, capacity(code->levels, code->classes), code->classes, code->rows);
    state *s = code->data;
    /* the least greatest value for just this many rows */
    for (int64_t most = code->classes - 1;
         code->classes > 2 && ll_digits_fill(s->weights, code->classes, most) < code->rows;)
        most += 1 + most / 64;
    for (long row = 0; row < code->rows && code->classes == 2; row++)
        s->weights[row] = ll_distinct_element(code->rows, row);
    return LL_OK;
}

static int64_t level(const ll_code *code, long row, long label)
{
    return row >= 0 ? label * ((const state *)code->data)->weights[row] : 0;
}

static void get_span(const ll_code *code, arb_t out, slong prec)
{
    (void)prec;
    int64_t sum = 0;
    for (long row = 0; row < code->rows; row++)
        sum += level(code, row, code->classes - 1);
    arb_set_si(out, sum);
}

/* Labels of a sum; 0 where no labelling has it. */
static int read_labels(const ll_code *code, int32_t *labels, int64_t sum)
{
    if (code->classes > 2)
        return ll_digits_read(labels, code->rows, code->classes, sum);
    int64_t mask = ll_distinct_subset(code->rows, sum, NULL);
    for (long row = 0; row < code->rows && mask >= 0; row++)
        labels[row] = (int32_t)(mask >> row & 1);
    return mask >= 0;
}

static ll_status decode_levels(const ll_code *code, ll_decoded *out, const int64_t *sums, ll_error *error)
{
    (void)error;
    if (read_labels(code, out->labels, sums[0]))
        ll_decoded_set_unique(out, code->rows, code->classes);
    else
        ll_decoded_set_none(out, code->rows, code->classes);
    return LL_OK;
}

const ll_code_row ll_code_sum_distinct = {
    .info = {.name = "sum-distinct",
             .variants = "",
             .result = "",
             .guarantee = "proved",
             .weights = "a Conway-Guy set (more classes: one found by search), none above the levels of the scorer",
             .gap = "1",
             .bits = "log2 of the sum of the weights",
             .cost = "some three steps a row",
             .classes = "2 or more"},
    .state_size = sizeof(state),
    .create = create,
    .get_span = get_span,
    .bounded = {.level = level, .decode = decode_levels, .one_sign = 1, .starts_at_zero = 1},
};
