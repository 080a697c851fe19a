/* The public part of a simulated curator's rows: which of them are scored. */
#ifndef LL_CURATOR_PART_H
#define LL_CURATOR_PART_H

#include "curator/curator.h"

/* Over a public split: draw the rows that are scored, by the scorer's settings and the seed; of an unknown number of rows
 * 3 in 10. Otherwise nothing. LL_MEMORY; LL_DOMAIN where the rows are not known. */
LL_CHECK ll_status ll_part_draw(ll_curator *curator, uint64_t seed, ll_error *error);

/* Some rows, in order, of predictions for all; *out must not outlive *all or the list. */
typedef struct {
    const long *part;
    long size;
    const ll_predictions *all;
    ll_block block;
} ll_part_view;

void ll_part_view_init(ll_part_view *view, ll_predictions *out, const long *part, long size, const ll_predictions *all);
void ll_part_view_clear(ll_part_view *view);

#endif
