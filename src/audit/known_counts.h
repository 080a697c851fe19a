/* Labels whose class counts are known: one of them follows from all others, so nothing that is proved of independent
 * labels holds. What does is proved of cycles (docs/proofs/told-counts.md): rows of different classes, whose labels are
 * known but for one turn of them all. Turns of different cycles are independent and uniform. */
#ifndef LL_AUDIT_KNOWN_COUNTS_H
#define LL_AUDIT_KNOWN_COUNTS_H

#include <stdint.h>

enum { LL_LONGEST_CYCLE = 64, LL_CYCLE_WAYS = 2 };

typedef struct {
    double rows;
    int longest;                        /* 1: every label is known */
    double count[LL_LONGEST_CYCLE + 1]; /* of each length */
} ll_cycles;

/* Rows in cycles that are as long as they can be, and in pairs, of which there are as many as there can be. Rows that
 * are in none are cycles of 1. */
void ll_cycles_init(ll_cycles out[LL_CYCLE_WAYS], const int64_t *counts, long classes);

/* Bits of all labels: log2 of how many labellings have these counts. */
double ll_known_counts_bits(const int64_t *counts, long classes);

/* Cycles of 2 or more. */
double ll_cycles_open(const ll_cycles *cycles);

/* The greatest expected share of right labels that so many bits about all turns allow, and back: the most bits that
 * keep it there, 0 where none do. */
double ll_cycles_share_of_bits(const ll_cycles *cycles, double bits);
double ll_cycles_bits_of_share(const ll_cycles *cycles, double share);

/* The share where a turn of a cycle of length m is told with probability at most right(state, m). */
double ll_cycles_share(const ll_cycles *cycles, double (*right)(const void *state, int length), const void *state);

#endif
