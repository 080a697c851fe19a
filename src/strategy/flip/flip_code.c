/* flip: one row more a query is predicted otherwise than all the others (docs/proofs/public.md).
 *
 * Query 0 predicts one label, the base, for every row; query q the same but for row q - 1. Rows have three states,
 * label 0, label 1 and absent. What a flipped row does to the counts that a metric is made of depends on how many rows
 * are public and how many of them have label 1, so decode_flip.c reads the states. */
#include "strategy/flip/flip.h"

enum { STATES = 3 };

static ll_status create(ll_code *code, ll_error *error)
{
    if (code->classes != STATES)
        return ll_fail(error, LL_DOMAIN, "the code flip is for rows of two classes that may be absent");
    code->levels = 1;
    code->queries = code->rows + 1;
    return LL_OK;
}

static int32_t predict(const ll_code *code, long row)
{
    int base = ll_code_is_variant(code, "ones");
    return row == code->query - 1 ? !base : base;
}

const ll_code_row ll_code_flip = {
    .info = {.name = "flip",
             .variants = "ones zeros",
             .result = "",
             .guarantee = "proved",
             .weights = "1 where the label predicted is that of a public row: all alike, but for one row a query",
             .gap = "1 in every query",
             .bits = "log2(3) a query",
             .cost = "for every size of the public part and number of its rows of class 1, N comparisons",
             .classes = "2"},
    .create = create,
    .predict = predict,
};
