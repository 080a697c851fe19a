/* A list of levels: a baseline and L levels above it, each better than the one before (docs/proofs/levels.md). An
 * account's answer is the best level that it has reached.
 *
 * Levels are whole multiples of a unit, which is what is shown (ll_release.ladder), turned so that lower is better:
 * where higher is better, they are negated. */
#ifndef LL_RELEASE_LEVELS_H
#define LL_RELEASE_LEVELS_H

#include "number/exact.h"

typedef struct {
    long count;   /* L; 0: no list */
    fmpz_t first; /* the baseline */
    fmpz *at;     /* of levels 0 to L; NULL: level j is first - j */
    int is_high;  /* as the list was given: does it rise? */
} ll_levels;

enum { LL_LEVELS_LISTED = 1000000 }; /* levels of a list at most */

void ll_levels_clear(ll_levels *levels); /* zeros are an empty list */

/* "BASE:BEST:COUNT", COUNT levels above BASE up to BEST, or "G0,G1,...,GL"; *unit becomes the unit, a power of ten.
 * Evenly spaced levels are rounded to a tenth of their distance or less. LL_DOMAIN. */
LL_CHECK ll_status ll_levels_read(ll_levels *out, ll_exact *unit, const char *text, ll_error *error);

/* The multiples of the step from `start` to `best`, the baseline being the first that is no better than start; lower is
 * better. LL_DOMAIN where there is none, or too many of them. */
LL_CHECK ll_status ll_levels_of_ladder(ll_levels *out, double step, double start, double best, ll_error *error);

/* Level j of the list. */
void ll_levels_get(const ll_levels *levels, fmpz_t out, long level);
/* The best level that x reaches, 0 where it is none: x <= level. */
LL_CHECK ll_status ll_levels_reached(const ll_levels *levels, long *out, const arf_t x, const ll_exact *unit);
/* The least distance of two neighbouring levels, in units. */
double ll_levels_step(const ll_levels *levels);

/* The level of one account: of a simulated curator, and the least and the best that the real one can have. */
typedef struct {
    long level, low, high;
    long shown;  /* improvements */
    int is_open; /* may the real one have shown others? */
} ll_height;

/* The height after a score `number` whose real twin lies in [low, high]; lower is better. improvements: shown at most,
 * 0: no limit. LL_UNABLE where the ball is too wide to tell. */
LL_CHECK ll_status ll_levels_answer(const ll_levels *levels, ll_height *out, const ll_height *height,
                                    const arb_t number, const arf_t low, const arf_t high, const ll_exact *unit,
                                    long improvements);

#endif
