/* Numbers that cannot be probabilities are mostly the same predictions on another scale. */
#include "metric/scoring.h"

#include <math.h>

typedef struct {
    long count, outside;
    double least, greatest;
} extent;

static ll_status look(void *state, const ll_block *block, long first, ll_error *error)
{
    extent *e = state;
    (void)first;
    (void)error;
    for (long i = 0; i < block->rows * block->columns; i++) {
        double x = block->entries == LL_ENTRIES_DOUBLE ? block->doubles[i] : (double)block->floats[i];
        e->least = fmin(e->least, x);
        e->greatest = fmax(e->greatest, x);
        e->outside += !(x >= 0 && x <= 1);
        e->count++;
    }
    return LL_OK;
}

/* One entry in a thousand may be a slip. A third of them, with some below 0, are logits; without, up to 100, percents. */
const char *ll_rows_look_like(const ll_predictions *predictions)
{
    extent e = {.least = INFINITY, .greatest = -INFINITY};
    if (predictions->entries == LL_ENTRIES_EXACT || ll_rows_each(predictions, look, &e, NULL) != LL_OK)
        return "";
    if (e.count < 3 || e.outside < e.count / 3.0)
        return "";
    if (e.least < 0)
        return "; these look like logits: give probabilities, 1/(1+exp(-x)), or a metric that reads logits "
               "(sigmoid-ce, softmax-ce)";
    return e.greatest <= 100 ? "; these look like percents: divide them by 100" : "";
}
