/* Labellings of two classes, by what they add up to. Every row of label 1 adds a vector of counts, rows with one vector
 * are a group, and a *state* is the sum of all: (positives, hits, sum of ranks), say. Which states there are, how many
 * labellings have one of those that are kept, and what they leave to each group: by dynamic programming over groups, a
 * bit for every state. docs/proofs/states.md. */
#ifndef LL_SEARCH_TALLY_H
#define LL_SEARCH_TALLY_H

#include "lossleak.h"

#include <flint/fmpz.h>

enum { LL_TALLY_DIMENSIONS = 16 };

typedef struct {
    long groups, dimensions;
    const long *sizes;   /* [group], rows of it */
    const long *vectors; /* [group * dimensions + d], each at least 0: what a row of label 1 adds */
} ll_tally_rows;

typedef struct {
    ll_tally_rows rows; /* shared */
    long stride[LL_TALLY_DIMENSIONS];
    long states, words;
    long *offset;    /* [group]: where a row of label 1 moves a state */
    uint64_t *reach; /* [(groups + 1) * words], layer g: states of the first g groups, bit by bit */
} ll_tally;

/* Bytes that it would take; infinity where that cannot be said. */
double ll_tally_cost(const ll_tally_rows *rows);

/* Seconds that making it and counting take at most. */
double ll_tally_seconds(const ll_tally_rows *rows);

/* LL_UNABLE beyond max_memory. The arrays of rows are kept by reference. */
LL_CHECK ll_status ll_tally_init(ll_tally *tally, const ll_tally_rows *rows, double max_memory, ll_error *error);
void ll_tally_clear(ll_tally *tally);

/* The least state of all rows from `state` on that there is; -1: none. */
long ll_tally_next(const ll_tally *tally, long state);
/* Its sums, one a dimension. */
void ll_tally_get(const ll_tally *tally, long state, long *sums);

/* Keep the labellings with those states alone; a state that is not dropped stays. */
void ll_tally_drop(ll_tally *tally, long state);
void ll_tally_close(ll_tally *tally); /* after the last ll_tally_drop: what cannot end well goes from every layer */

/* Is this a state of the first `groups` groups, on the way to one that is kept? */
int ll_tally_has(const ll_tally *tally, long groups, long state);

/* May a row of the group have label 0, or 1, in a labelling that is kept? After ll_tally_close. */
void ll_tally_candidates(const ll_tally *tally, long group, int *zero, int *one);

/* How many labellings are kept; after ll_tally_close. LL_MEMORY. */
LL_CHECK ll_status ll_tally_count(const ll_tally *tally, fmpz_t out);

#endif
