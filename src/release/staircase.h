/* How many transcripts a release by levels has (docs/proofs/levels.md).
 *
 * An account's answers never get worse and lie on a fixed list: a baseline, and L levels above it. So T answers are a
 * staircase, of which there are C(T + L, L); with at most B shown improvements, the sum over b <= B of C(T, b) C(L, b).
 * Nothing of this depends on the metric. */
#ifndef LL_RELEASE_STAIRCASE_H
#define LL_RELEASE_STAIRCASE_H

typedef struct {
    double levels;       /* above the baseline; 0: answers are not on such a list, and nothing is counted */
    double improvements; /* that are shown at most per staircase; infinity: no limit */
    double accounts;     /* whose answers may be pooled, at least 1 */
    int is_leaderboard;  /* one staircase for all accounts */
    double own;          /* levels of a staircase that each account has beside that one; 0: none */
} ll_staircases;

/* log2 of the number of staircases, rounded up: whole numbers, or infinity. */
double ll_staircase_bits(double answers, double levels, double improvements);

/* Bits that `answers` answers in all can tell, infinity where nothing is counted: those of one staircase for the whole
 * leaderboard, or of one per account, each with its equal part of the answers, rounded up, or of both. */
double ll_staircases_bits(const ll_staircases *stairs, double answers);

#endif
