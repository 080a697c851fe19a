#include "mutnet/mutnet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ll_status ll_matrix_load(ll_matrix *out, const ll_predictions *source, double max_memory, ll_error *error)
{
    enum { ROWS = 256 };
    double bytes = (double)source->rows * (double)source->columns * sizeof *out->x;
    if (!(bytes <= max_memory))
        return ll_fail(error, LL_UNABLE, "%ld rows of %ld numbers take %.3g bytes, more than there are for them",
                       source->rows, source->columns, bytes);
    ll_block block;
    ll_block_init(&block);
    ll_status status = LL_OK;
    *out = (ll_matrix){source->rows, source->columns, malloc((size_t)bytes + 1)};
    if (!out->x)
        status = ll_fail(error, LL_MEMORY, "no memory for %ld rows", source->rows);
    for (long first = 0; status == LL_OK && first < source->rows; first += ROWS) {
        long count = source->rows - first < ROWS ? source->rows - first : ROWS;
        status = source->get(source->self, &block, first, count, error);
        for (long i = 0; status == LL_OK && i < count * source->columns; i++)
            out->x[first * source->columns + i] = block.entries == LL_ENTRIES_DOUBLE ? block.doubles[i]
                                                  : block.entries == LL_ENTRIES_FLOAT
                                                      ? (double)block.floats[i]
                                                      : ll_exact_double(block.exacts, i);
    }
    ll_block_clear(&block);
    if (status != LL_OK)
        ll_matrix_clear(out);
    return status;
}

void ll_matrix_clear(ll_matrix *matrix)
{
    free(matrix->x);
    matrix->x = NULL;
}

int ll_matrix_same_rows(const ll_matrix *matrix, long a, long b)
{
    const double *x = matrix->x + a * matrix->columns, *y = matrix->x + b * matrix->columns;
    for (long j = 0; j < matrix->columns; j++)
        if (x[j] != y[j])
            return 0;
    return 1;
}

double ll_mutnet_unit(int type)
{
    return type == LL_TYPE_DOUBLE ? 0x1p-53 : 0x1p-24;
}

double ll_mutnet_round(double x, int type)
{
    return type == LL_TYPE_DOUBLE ? x : (double)(float)x;
}
