#include "audit/read_values.h"

static ll_status read_block(void *state, const ll_block *block, long first, ll_error *error)
{
    double *values = (double *)state + first * block->columns;
    (void)error;
    for (long i = 0; i < block->rows * block->columns; i++)
        values[i] = block->entries == LL_ENTRIES_DOUBLE  ? block->doubles[i]
                    : block->entries == LL_ENTRIES_FLOAT ? (double)block->floats[i]
                                                         : ll_exact_double(block->exacts, i);
    return LL_OK;
}

ll_status ll_read_values(double *values, const ll_predictions *predictions, ll_error *error)
{
    return ll_rows_each(predictions, read_block, values, error);
}
