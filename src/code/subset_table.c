#include "code/subset_table.h"

#include <stdlib.h>

typedef struct {
    int64_t sum, mask;
} entry;

struct ll_subset_table {
    size_t count;
    entry entries[];
};

static int by_sum(const void *a, const void *b)
{
    int64_t x = ((const entry *)a)->sum, y = ((const entry *)b)->sum;
    return (x > y) - (x < y);
}

ll_subset_table *ll_subset_table_create(const int64_t *elements, long n)
{
    ll_subset_table *table = malloc(sizeof *table + (sizeof(entry) << n));
    if (table == NULL)
        return NULL;
    table->count = (size_t)1 << n;
    table->entries[0] = (entry){0, 0};
    for (long i = 0; i < n; i++)
        for (int64_t j = 0; j < (int64_t)1 << i; j++)
            table->entries[(1L << i) + j] = (entry){table->entries[j].sum + elements[i], j | (int64_t)1 << i};
    qsort(table->entries, table->count, sizeof(entry), by_sum);
    return table;
}

void ll_subset_table_destroy(ll_subset_table *table)
{
    free(table);
}

int64_t ll_subset_table_find(const ll_subset_table *table, int64_t sum)
{
    entry wanted = {sum, 0};
    const entry *found = bsearch(&wanted, table->entries, table->count, sizeof(entry), by_sum);
    return found != NULL ? found->mask : -1;
}
