/* The public part of a simulated curator's rows: which of them are scored. */
#ifndef LL_CURATOR_PART_H
#define LL_CURATOR_PART_H

#include "curator/curator.h"

/* Draw the part that the scorer's settings and the seed say; of an unknown number of rows 3 in 10. LL_MEMORY. */
LL_CHECK ll_status ll_part_draw(ll_curator *curator, uint64_t seed, ll_error *error);

/* Labels and rows of the scoring are those of the rows that are marked. LL_DOMAIN where their number is not among those
 * that the scorer allows. */
LL_CHECK ll_status ll_part_set(ll_curator *curator, const unsigned char *is_public, ll_error *error);

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
