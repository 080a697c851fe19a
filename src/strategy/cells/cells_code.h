/* The code cells, group by group: what its decoder asks of it. */
#ifndef LL_STRATEGY_CELLS_CELLS_CODE_H
#define LL_STRATEGY_CELLS_CELLS_CODE_H

#include "code/code.h"

/* The levels of a code: groups of at most `most` rows, above 1 (1: any); contrast: 2 with small sets, 1 without. part: only
 * the first rows are asked about; 0: all. */
int64_t ll_cells_levels(long rows, int64_t most, long part);
/* Sets before those that tell labels: contrast of some rows of many has one, of all rows. */
long ll_cells_whole_sets(const ll_code *code);

long ll_cells_groups(const ll_code *code);
long ll_cells_size(const ll_code *code); /* rows of a group; the last may have fewer */
long ll_cells_first_row(const ll_code *code, long group);
/* The queries, from the first on, and the predicted class in which rows of that group and label are counted; label 0 is
 * counted by the variant matrix alone. */
long ll_cells_queries(const ll_code *code);
long ll_cells_samples(const ll_code *code); /* of them, the last: small sets, which tell no row's label */
long ll_cells_first_query(const ll_code *code, long group, long label);
long ll_cells_column(const ll_code *code, long group, long label);
/* counts[ll_cells_queries]: rows of the group that are predicted that class and have the label. Which rows have it:
 * has[ll_cells_size], where *found; else no rows have these counts. LL_MEMORY. */
LL_CHECK ll_status ll_cells_decode(const ll_code *code, unsigned char *has, const int64_t *counts, int *found,
                                   ll_error *error);

#endif
