/* The code hadamard from inside: signs of a Sylvester matrix, as src/posterior reads them. */
#ifndef LL_STRATEGY_AVERAGES_HADAMARD_H
#define LL_STRATEGY_AVERAGES_HADAMARD_H

#include "code/code.h"

typedef struct {
    int label_bits, groups; /* 2^label_bits >= classes; groups = 2^label_bits - 1 */
    int bits;               /* of a line of a group's matrix */
    uint32_t *columns;      /* [group * rows + row]: 2 c + flip, c from 1 on and different within a group */
    uint32_t *lines;        /* [query] */
    int is_random;          /* kinds are drawn one by one, columns and lines are not used */
    uint64_t seed;          /* of those draws */
} ll_hadamard;

/* The signs of a Sylvester matrix that belong to a seed; a new code has those of seed 0. */
void ll_hadamard_set_seed(ll_code *code, uint64_t seed);
/* Random signs instead: the kind of every query and row is a draw of its own. */
void ll_hadamard_set_random(ll_code *code, uint64_t seed);
const ll_hadamard *ll_hadamard_get(const ll_code *code);

/* Which of its group's two kinds of row a query asks of this row: 2 * group + (1 where the labels with bit 0 are the
 * heavy ones). Kinds 0 .. 2 * groups - 1; ll_hadamard_level says what label `label` weighs in a row of that kind. */
int ll_hadamard_kind(const ll_code *code, long row);
/* The kinds of all rows in query `query`. self: the code. */
void ll_hadamard_kinds(const void *self, uint16_t *kinds, long query);
int ll_hadamard_level(int kind, long label);

#endif
