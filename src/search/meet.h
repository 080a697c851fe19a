/* Meet in the middle: every labelling that fits, in about the square root of their number (docs/proofs/meet.md).
 * Horowitz and Sahni 1974 with lists; Schroeppel and Shamir 1981 where lists would not fit into memory. */
#ifndef LL_SEARCH_MEET_H
#define LL_SEARCH_MEET_H

#include "search/linear.h"

/* All labellings that fit. Rows that the scores cannot tell apart are counted, not listed: a pattern says how many rows
 * of each item (a group of equal rows, or a part of one) have which label. */
typedef struct {
    fmpz_t count;            /* labellings that fit */
    long kept;               /* patterns listed: all of them where complete, else some */
    int complete;            /* are all listed? */
    int32_t *labellings;     /* kept * rows: one labelling of each pattern, labels rising with the rows of an item */
    fmpz *arrangements;      /* kept: how many labellings the pattern stands for */
    unsigned char *possible; /* rows * classes: does some labelling that fits have this label there? */
    long rows, classes;
} ll_search_set;

LL_CHECK ll_status ll_search_set_init(ll_search_set *set, long rows, long classes, long limit);
void ll_search_set_clear(ll_search_set *set);

/* The same by LabelInf (exhaustive.h): every labelling is looked at, and each that fits is a pattern of its own.
 * LL_UNABLE where it takes too long, or where more than `limit` may fit. */
LL_CHECK ll_status ll_search_all(ll_search_set *out, const ll_linear *system, long limit, double seconds, int threads,
                                 ll_error *error);

typedef struct {
    double bytes, seconds; /* that it will need */
    int lists;             /* two sorted lists, or four and two heaps */
} ll_meet_cost;

/* What it would cost with at most `memory` bytes. LL_MEMORY where not even that could be found out. */
LL_CHECK ll_status ll_search_meet_cost(ll_meet_cost *out, const ll_linear *system, double memory, int threads);

/* Every labelling that fits; up to `limit` patterns are listed (as set up by ll_search_set_init). LL_UNABLE, with
 * what would be needed, where it would take more than memory bytes or seconds; seconds are looked at on the way too.
 * threads 0: all. lists -1: as memory allows; 1, 0: this form. */
LL_CHECK ll_status ll_search_meet(ll_search_set *out, const ll_linear *system, long limit, double memory,
                                  double seconds, int threads, int lists, ll_error *error);

#endif
