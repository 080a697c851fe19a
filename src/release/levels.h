/* A list of levels: a baseline and L levels above it, each better than the one before (docs/proofs/levels.md). An
 * account's answer is the best level that it has reached.
 *
 * Levels are whole multiples of a unit (ll_release.ladder). Lower is better: if higher is better, levels are
 * negated. */
#ifndef LL_RELEASE_LEVELS_H
#define LL_RELEASE_LEVELS_H

#include "number/exact.h"

typedef struct {
    long count;   /* L; 0: no list */
    fmpz_t first; /* the baseline */
    fmpz *at;     /* of levels 0 to L; NULL: level j is first - j */
    int is_high;  /* did the given list rise? */
} ll_levels;

enum { LL_LEVELS_LISTED = 1000000 }; /* levels of a list at most */

void ll_levels_clear(ll_levels *levels); /* zeros are an empty list */

/* "BASE:BEST:COUNT", COUNT levels above BASE up to BEST, or "G0,G1,...,GL"; *unit becomes the unit, a power of ten.
 * Evenly spaced levels are rounded to a tenth of their distance or less. LL_DOMAIN. */
LL_CHECK ll_status ll_levels_read(ll_levels *out, ll_exact *unit, const char *text, ll_error *error);

/* The multiples of the step from `start` to `best`; lower is better. The baseline is the best multiple that is no
 * better than start. LL_DOMAIN: there is no level, or too many. */
LL_CHECK ll_status ll_levels_of_ladder(ll_levels *out, double step, double start, double best, ll_error *error);

/* Level j of the list. */
void ll_levels_get(const ll_levels *levels, fmpz_t out, long level);
/* The best level that x reaches (x <= level); 0: only the baseline. */
LL_CHECK ll_status ll_levels_reached(const ll_levels *levels, long *out, const arf_t x, const ll_exact *unit);
/* The least distance of two neighbouring levels, in units. */
double ll_levels_step(const ll_levels *levels);

/* The level that one account has reached: by a simulated curator, and the worst and best that the real one can have. */
typedef struct {
    long level, low, high;
    long shown;  /* improvements */
    int is_open; /* can the real one have shown other levels? */
} ll_height;

/* The account's level after a score `number`, if the real program's number lies in [low, high]; lower is better.
 * improvements: the most that are shown; 0: no limit. LL_UNABLE: the ball is too wide to decide. */
LL_CHECK ll_status ll_levels_answer(const ll_levels *levels, ll_height *out, const ll_height *height,
                                    const arb_t number, const arf_t low, const arf_t high, const ll_exact *unit,
                                    long improvements);

#endif
