/* changes: every row keeps one and the same prediction, but for a few rows a query (docs/proofs/changes.md).
 *
 * Query 0 gives every row the prediction that it keeps. What a later query's score differs by is a sum over the rows
 * that it predicts otherwise, whatever all other labels are. Which rows these are, and what they are predicted, follows
 * from the metric's own terms and the weights of the rows: change_groups.c chooses, decode_changes.c reads. So this
 * code serves every score that is a sum over rows, weighted or not, where those that need terms of their own choice do
 * not.
 */
#include "strategy/changes/change_code.h"
#include "strategy/changes/changes.h"

#include <stdlib.h>

void ll_changes_set(ll_code *code, long *read, long queries, int64_t span)
{
    free(code->data);
    code->data = read;
    code->queries = queries;
    code->levels = span;
}

static void get_span(const ll_code *code, arb_t out, slong prec)
{
    (void)prec;
    arb_set_si(out, code->levels > 0 ? (slong)code->levels : 1);
}

static long labels_in(const ll_code *code, long queries)
{
    const long *read = code->data;
    return read != NULL ? read[queries] : 0;
}

const ll_code_row ll_code_changes = {
    .info = {.name = "changes",
             .variants = "",
             .result = "",
             .guarantee = "proved",
             .weights = "what the metric's terms and the weights of the rows make of it: a few rows change a query",
             .gap = "more than what two scores leave open",
             .bits = "those of the rows that change",
             .cost = "every labelling of the rows that change",
             .classes = "2 or more"},
    .get_span = get_span,
    .labels_in = labels_in,
};
