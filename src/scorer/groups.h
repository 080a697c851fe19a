/* Groups of rows: the setting groups, NAME[*COUNT] row after row. Each answer then has the number of all rows, and
 * after it that of each group alone, in the order in which groups begin (docs/proofs/several.md). */
#ifndef LL_SCORER_GROUPS_H
#define LL_SCORER_GROUPS_H

#include "scorer/scorer.h"

struct ll_row_groups {
    long count, rows;
    int32_t *of; /* [row]: its group */
    long *place; /* [row]: its place there */
    long *sizes; /* [group] */
    long **list; /* [group][place]: the row */
    char **names;
};

/* Is the text a list of NAME or NAME*COUNT, separated by commas? */
LL_CHECK ll_status ll_row_groups_check(const char *text, ll_error *error);
LL_CHECK ll_status ll_row_groups_create(ll_row_groups **out, const char *text, ll_error *error);
void ll_row_groups_destroy(ll_row_groups *groups);

#endif
