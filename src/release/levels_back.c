/* From an answer on a list of levels back to the score (docs/proofs/levels.md): a new level says that the score reaches it
 * and not the next one, the same level again that it does not reach the next one. */
#include "release/release_private.h"

#include <math.h>
#include <string.h>

/* The level of a text; -1: it is none of the list. */
static long find_level(const ll_release *r, const char *text)
{
    ll_exact value;
    fmpq_t number, unit;
    fmpz_t at;
    arf_t x;
    long level = -1;
    ll_exact_init(&value);
    fmpq_init(number);
    fmpq_init(unit);
    fmpz_init(at);
    arf_init(x);
    if (ll_exact_set_text(&value, text, strlen(text)) == LL_OK && ll_exact_get_fmpq(number, &value) &&
        ll_exact_get_fmpq(unit, &r->ladder)) {
        fmpq_div(number, number, unit);
        if (ll_release_is_better_high(r))
            fmpq_neg(number, number);
        double half = fmpz_get_d(fmpq_numref(number)) / fmpz_get_d(fmpq_denref(number)) - 0.5;
        arf_set_d(x, half * ll_exact_get_d(&r->ladder));
        if (fmpz_is_one(fmpq_denref(number)) && ll_levels_reached(&r->levels, &level, x, &r->ladder) == LL_OK) {
            ll_levels_get(&r->levels, at, level);
            level = fmpz_equal(at, fmpq_numref(number)) ? level : -1;
        }
    }
    arf_clear(x);
    fmpz_clear(at);
    fmpq_clear(unit);
    fmpq_clear(number);
    ll_exact_clear(&value);
    return level;
}

static void level_value(const ll_release *r, arb_t out, long level, slong prec)
{
    fmpz_t at;
    fmpz_init(at);
    ll_levels_get(&r->levels, at, level);
    ll_exact_get_ball(out, &r->ladder, prec);
    arb_mul_fmpz(out, out, at, prec);
    fmpz_clear(at);
}

ll_shown_level ll_release_shown(const ll_release *r, const char *text, const ll_release_texts *seen)
{
    long level = find_level(r, text);
    int is_new = seen != NULL && !seen->is_shared && level > seen->level;
    if (level < 0 || (!is_new && level == r->levels.count))
        return LL_SHOWN_NOTHING;
    if (r->improvements > 0 && (seen == NULL || seen->is_shared || (!is_new && seen->shown >= r->improvements)))
        return LL_SHOWN_NOTHING; /* the last improvement may have been shown before */
    return !is_new ? LL_SHOWN_NO_BETTER : level == r->levels.count ? LL_SHOWN_AT_LEAST : LL_SHOWN_BETWEEN;
}

ll_status ll_release_read_level(const ll_release *r, arb_t out, const char *text, const ll_release_texts *seen,
                                slong prec, ll_error *error)
{
    long level = find_level(r, text);
    ll_shown_level shown = ll_release_shown(r, text, seen);
    arb_t next;
    if (level < 0)
        return ll_fail(error, LL_DOMAIN, "the score '%.40s' is not one of the levels that are shown", text);
    if (seen != NULL && !seen->is_shared && level < seen->level)
        return ll_fail(error, LL_DOMAIN,
                       "the score '%.40s' is worse than one before it: give all answers of one account in their order",
                       text);
    arb_init(next);
    level_value(r, out, shown == LL_SHOWN_NO_BETTER ? level + 1 : level, prec);
    if (shown == LL_SHOWN_BETWEEN) {
        level_value(r, next, level + 1, prec);
        arb_union(out, out, next, prec);
    }
    if (ll_release_is_better_high(r))
        arb_neg(out, out);
    arb_get_mag(arb_radref(next), out);
    mag_mul_2exp_si(arb_radref(next), arb_radref(next), -50); /* a real program compares with levels that are floats */
    arb_add_error_mag(out, arb_radref(next));
    arb_clear(next);
    return LL_OK;
}

void ll_release_note_level(const ll_release *r, ll_release_texts *texts, const char *text)
{
    long level = find_level(r, text);
    texts->shown += level > texts->level;
    texts->level = level > texts->level ? level : texts->level;
}
