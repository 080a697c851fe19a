/* Kinds of rows of a level code. A row's weights are small integers times the unit, so few kinds occur: each is
 * inverted, rounded and asked of the scorer's arithmetic once, and rows are then looked up and counted. */
#ifndef LL_STRATEGY_COMMON_ROW_KINDS_H
#define LL_STRATEGY_COMMON_ROW_KINDS_H

#include "strategy/common/floats.h"

/* Rows with the same weights. */
typedef struct {
    int64_t *key;     /* one weight a class, in units */
    ll_block row;     /* the stored row */
    double low, high; /* least (<= 0) and greatest (>= 0) deviation of a label, rounded outward */
    double magnitude; /* of its largest term, rounded up */
} ll_row_kind;

typedef struct {
    ll_row_kind *kinds;
    arb_ptr bases; /* [kind]: term(base) */
    long count, size;
    long *slots;  /* a hash table of indices into kinds, -1 where free; twice as large as kinds */
    int64_t *key; /* scratch: of the kind that is asked for */
} ll_row_kinds;

/* Zeros are an empty table but for its scratch, which the owner sets. */
void ll_row_kinds_clear(ll_row_kinds *m);
/* The kind of the key in m->key, made where it is new; good until the next one is made. */
LL_CHECK ll_status ll_row_kinds_find(const ll_plan *plan, ll_row_kinds *m, ll_row_kind **out, ll_error *error);

void ll_row_kinds_add_double(arb_t to, double x);

#endif
