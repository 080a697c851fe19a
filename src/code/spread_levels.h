/* detecting for two classes with levels that lie evenly between -A and A in every query, so that few rows share one
 * (docs/proofs/ranks.md). Queries, masks, groups and their reading are those of masks.h; what differs is how a label's
 * value is shared out: any integers on the submasks of its mask will do whose alternating sum is the value. */
#ifndef LL_CODE_SPREAD_LEVELS_H
#define LL_CODE_SPREAD_LEVELS_H

#include "code/code.h"

/* Values are at most share * A * 2^r, 0 < share <= 1: the less, the freer their shares. */
typedef struct {
    long rows;
    int64_t levels; /* A */
    double share;
} ll_spread;

/* How many queries that takes; 0: the levels carry no label. */
long ll_spread_queries(const ll_spread *spread);

/* A code of levels; label 0 adds 0. LL_DOMAIN: the levels carry no label. LL_MEMORY. */
LL_CHECK ll_status ll_spread_create(ll_code **out, const ll_spread *spread, ll_error *error);

/* [level + A]: how many rows have that level in the query. */
const int32_t *ll_spread_counts(const ll_code *code, long query);

#endif
