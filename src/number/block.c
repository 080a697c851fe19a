/* Blocks of predictions. One piece of memory serves all three kinds of entries. Where it holds exact
 * numbers, the first exact_count of them are initialised and the rest of it says nothing; growing moves
 * them, which a number made of integer handles allows. */
#include "number/exact.h"

#include <stdlib.h>
#include <string.h>

void ll_block_init(ll_block *block)
{
    memset(block, 0, sizeof *block);
}

static void forget_exacts(ll_block *block)
{
    ll_exact *numbers = block->storage;
    for (long i = 0; i < block->exact_count; i++)
        ll_exact_clear(numbers + i);
    block->exact_count = 0;
}

void ll_block_clear(ll_block *block)
{
    if (block == NULL)
        return;
    forget_exacts(block);
    free(block->storage);
    ll_block_init(block);
}

/* rows * columns, or -1 where that many entries of `size` bytes cannot be. */
static long count_entries(long rows, long columns, size_t size)
{
    long count;
    size_t bytes;
    if (rows < 0 || columns < 0 || __builtin_mul_overflow(rows, columns, &count) ||
        __builtin_mul_overflow((size_t)count, size, &bytes) || bytes > PTRDIFF_MAX)
        return -1;
    return count;
}

/* Storage of at least `bytes` bytes whose first entries stay as they are. */
static int grow(ll_block *block, size_t bytes)
{
    if (bytes == 0)
        bytes = 1;
    if (bytes <= block->storage_size)
        return 1;
    void *larger = realloc(block->storage, bytes);
    if (larger == NULL)
        return 0;
    block->storage = larger;
    block->storage_size = bytes;
    return 1;
}

static void *reserve(ll_block *block, long rows, long columns, ll_entries entries, size_t size)
{
    long count = count_entries(rows, columns, size);
    if (count < 0)
        return NULL;
    if (!grow(block, (size_t)count * size))
        return NULL;
    if (entries != LL_ENTRIES_EXACT)
        forget_exacts(block);
    block->rows = rows;
    block->columns = columns;
    block->entries = entries;
    block->doubles = entries == LL_ENTRIES_DOUBLE ? block->storage : NULL;
    block->floats = entries == LL_ENTRIES_FLOAT ? block->storage : NULL;
    block->exacts = entries == LL_ENTRIES_EXACT ? block->storage : NULL;
    return block->storage;
}

double *ll_block_reserve_doubles(ll_block *block, long rows, long columns)
{
    return reserve(block, rows, columns, LL_ENTRIES_DOUBLE, sizeof(double));
}

float *ll_block_reserve_floats(ll_block *block, long rows, long columns)
{
    return reserve(block, rows, columns, LL_ENTRIES_FLOAT, sizeof(float));
}

ll_exact *ll_block_reserve_exacts(ll_block *block, long rows, long columns)
{
    ll_exact *numbers = reserve(block, rows, columns, LL_ENTRIES_EXACT, sizeof(ll_exact));
    if (numbers != NULL)
        while (block->exact_count < rows * columns)
            ll_exact_init(numbers + block->exact_count++);
    return numbers;
}

ll_status ll_exact_read(ll_exact *array, long index, const char *text, size_t length)
{
    return ll_exact_set_text(array + index, text, length);
}

char *ll_exact_write(const ll_exact *array, long index)
{
    return ll_exact_get_text(array + index);
}

double ll_exact_double(const ll_exact *array, long index)
{
    return ll_exact_get_d(array + index);
}
