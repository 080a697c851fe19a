/* Few integers of any sign whose subset sums differ: all sums in order, to find the subset that has one. */
#ifndef LL_CODE_SUBSET_TABLE_H
#define LL_CODE_SUBSET_TABLE_H

#include <stdint.h>

enum { LL_SUBSET_MOST = 16 }; /* elements: 2^16 sums, 1 MiB */

typedef struct ll_subset_table ll_subset_table;
ll_subset_table *ll_subset_table_create(const int64_t *elements, long n); /* NULL where memory ended */
void ll_subset_table_destroy(ll_subset_table *table);
/* Bit i: element i; -1 where no subset has that sum. */
int64_t ll_subset_table_find(const ll_subset_table *table, int64_t sum);

#endif
