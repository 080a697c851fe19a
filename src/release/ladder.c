/* The Ladder (Blum and Hardt 2015): a score is answered, rounded to a multiple of the step, only where it beats the
 * best answer by at least the step; else the best answer is given again. The first score is always answered.
 *
 * All in integers k = score/step. The real program's best is known only as an interval, and with it what it answers:
 * a new value where low <= best_high - 1 can happen, the old one where high > best_low - 1 can. */
#include "release/decimal.h"
#include "release/release.h"

void ll_ladder_init(ll_ladder *ladder)
{
    ladder->answered = 0;
    ladder->height = (ll_height){0};
    fmpz_init(ladder->best);
    fmpz_init(ladder->best_low);
    fmpz_init(ladder->best_high);
}

void ll_ladder_clear(ll_ladder *ladder)
{
    fmpz_clear(ladder->best);
    fmpz_clear(ladder->best_low);
    fmpz_clear(ladder->best_high);
}

void ll_ladder_set(ll_ladder *out, const ll_ladder *ladder)
{
    out->answered = ladder->answered;
    out->height = ladder->height;
    fmpz_set(out->best, ladder->best);
    fmpz_set(out->best_low, ladder->best_low);
    fmpz_set(out->best_high, ladder->best_high);
}

/* Is x <= (best - 1) * step? That is, ceil(x/step) <= best - 1. */
static ll_status beats(int *out, const arf_t x, const fmpz_t best, const ll_exact *step)
{
    fmpz_t k;
    fmpz_init(k);
    ll_status status = ll_decimal_round(k, x, step, LL_TO_ABOVE);
    *out = fmpz_cmp(k, best) < 0;
    fmpz_clear(k);
    return status;
}

static ll_status answer_point(fmpz_t out, const ll_ladder *ladder, const arf_t x, const ll_exact *step)
{
    int better = 1;
    ll_status status = ladder->answered ? beats(&better, x, ladder->best, step) : LL_OK;
    if (status != LL_OK)
        return status;
    if (better)
        return ll_decimal_round(out, x, step, LL_TO_NEAREST);
    fmpz_set(out, ladder->best);
    return LL_OK;
}

/* Both ends of a ball must get the same answer: the answer never falls as the score rises. */
static ll_status answer_ball(fmpz_t out, const ll_ladder *ladder, const arb_t number, const ll_exact *step)
{
    fmpz_t other;
    arf_t low, high;
    fmpz_init(other);
    arf_init(low);
    arf_init(high);
    ll_unreleased_ends(low, high, number);
    ll_status status = answer_point(out, ladder, low, step);
    if (status == LL_OK)
        status = answer_point(other, ladder, high, step);
    if (status == LL_OK && !fmpz_equal(out, other))
        status = LL_UNABLE;
    fmpz_clear(other);
    arf_clear(low);
    arf_clear(high);
    return status;
}

/* Where some best in [best_low, best_high] keeps its place and some loses it to a score of [low, high]. */
static ll_status widen(ll_ladder *out, const ll_ladder *ladder, const arf_t low, const arf_t high, const ll_exact *step)
{
    int may_change = 0, must_change = 0;
    ll_status status = beats(&may_change, low, ladder->best_high, step);
    if (status == LL_OK)
        status = beats(&must_change, high, ladder->best_low, step);
    if (status == LL_OK)
        status = ll_decimal_round(out->best_low, low, step, LL_TO_NEAREST);
    if (status == LL_OK)
        status = ll_decimal_round(out->best_high, high, step, LL_TO_NEAREST);
    if (status != LL_OK || must_change)
        return status;
    if (!may_change || fmpz_cmp(ladder->best_low, out->best_low) < 0)
        fmpz_set(out->best_low, ladder->best_low);
    if (!may_change || fmpz_cmp(ladder->best_high, out->best_high) > 0)
        fmpz_set(out->best_high, ladder->best_high);
    if (fmpz_cmp(out->best_high, ladder->best_high) > 0) /* an answer is never worse than the last */
        fmpz_set(out->best_high, ladder->best_high);
    return LL_OK;
}

ll_status ll_ladder_answer(ll_ladder *out, const ll_ladder *ladder, const arb_t number, const arf_t low,
                           const arf_t high, const ll_exact *step)
{
    ll_status status = answer_ball(out->best, ladder, number, step);
    if (status == LL_OK && ladder->answered)
        status = widen(out, ladder, low, high, step);
    else if (status == LL_OK) {
        status = ll_decimal_round(out->best_low, low, step, LL_TO_NEAREST);
        if (status == LL_OK)
            status = ll_decimal_round(out->best_high, high, step, LL_TO_NEAREST);
    }
    out->answered = 1;
    return status;
}
