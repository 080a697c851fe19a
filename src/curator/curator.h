/* Inside the curator: the secret labels, and the way from a score to its release.
 *
 *   labels, predictions -> ll_raw   the room scorer computes it
 *   ll_raw -> ll_score              transform, noise, Ladder, rounding, text (release.c, ladder.c) */
#ifndef LL_CURATOR_CURATOR_H
#define LL_CURATOR_CURATOR_H

#include "curator/decimal.h"
#include "scorer/scoring.h"

/* The Ladder (Blum and Hardt 2015): the best answer so far as a multiple of the step, for the simulated curator and as
 * an interval for the real one. */
typedef struct {
    int answered;
    fmpz_t best, best_low, best_high;
} ll_ladder;

void ll_ladder_init(ll_ladder *ladder);
void ll_ladder_clear(ll_ladder *ladder);
void ll_ladder_set(ll_ladder *out, const ll_ladder *ladder);

/* The next answer to the score `number` whose real twin lies in [low, high]; out may not alias ladder. LL_UNABLE where
 * the ball is too wide to tell. Lower is better; the caller negates where higher is. */
LL_CHECK ll_status ll_ladder_answer(ll_ladder *out, const ll_ladder *ladder, const arb_t number, const arf_t low,
                                    const arf_t high, const ll_exact *step);

struct ll_curator {
    ll_scoring scoring; /* scorer and labels are the curator's own */
    long answered;      /* queries so far */
    ll_ladder ladder;
};

/* Release *raw as answer number curator->answered; the Ladder moves on. LL_UNABLE with *undecided set where an exact
 * ball is too wide for the rounding or the Ladder: nothing has changed, come back with a narrower one and more bits (of
 * roots). */
LL_CHECK ll_status ll_release(ll_curator *curator, ll_score *out, const ll_raw *raw, slong bits, int *undecided,
                              ll_error *error);

/* ---- text (score_text.c), by malloc; NULL where memory ended or an exponent is too large to write out ---- */

/* The number itself. LL_UNABLE with *undecided set where the two ends of a ball do not round alike. */
LL_CHECK ll_status ll_text_number(const ll_curator *curator, char **out, const ll_raw *raw, int *undecided);
/* An end of the interval: rounded as the scorer says where `rounded`, else outward in the direction given. */
char *ll_text_end(const ll_curator *curator, const ll_raw *raw, const arf_t x, ll_direction direction, int rounded);
/* k steps of the Ladder, or -k where higher is better. */
char *ll_text_multiple(const ll_curator *curator, const fmpz_t k);

#endif
