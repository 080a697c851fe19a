#include "release/levels.h"

#include "number/refuse.h"
#include "number/unreleased.h"
#include "number/whole.h"
#include "release/decimal.h"

#include <flint/fmpz_vec.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char accepted[] =
    "levels:BASE:BEST:COUNT with two different numbers and a count from 1 to 1000000, or levels:G0,G1,... from the "
    "baseline to the best, each better than the one before";

enum { MOST_PLACES = 40 };

void ll_levels_clear(ll_levels *levels)
{
    if (levels->at != NULL)
        _fmpz_vec_clear(levels->at, levels->count + 1);
    fmpz_clear(levels->first);
    memset(levels, 0, sizeof *levels);
}

/* ---- texts ---- */

/* Decimals that the number needs; -1 where it is no decimal of at most MOST_PLACES. */
static long places_of(const ll_exact *x)
{
    if (fmpz_is_zero(x->mantissa))
        return 0;
    long two = fmpz_fits_si(x->two) ? -fmpz_get_si(x->two) : MOST_PLACES + 1;
    long five = fmpz_fits_si(x->five) ? -fmpz_get_si(x->five) : MOST_PLACES + 1;
    long places = two > five ? two : five;
    return places > MOST_PLACES || places < -MOST_PLACES ? -1 : places > 0 ? places : 0;
}

static int read_number(ll_exact *out, const char *text, size_t length)
{
    return ll_exact_set_text(out, text, length) == LL_OK && places_of(out) >= 0 && fabs(ll_exact_get_d(out)) < 1e15;
}

/* x * 10^places, a whole number */
static void scale(fmpz_t out, const ll_exact *x, long places)
{
    fmpq_t value, power;
    fmpz_t ten;
    fmpq_init(value);
    fmpq_init(power);
    fmpz_init_set_ui(ten, 10);
    fmpz_pow_ui(fmpq_numref(power), ten, (ulong)places);
    if (ll_exact_get_fmpq(value, x))
        fmpq_mul(value, value, power);
    fmpz_set(out, fmpq_numref(value));
    fmpq_clear(value);
    fmpq_clear(power);
    fmpz_clear(ten);
}

static void set_unit(ll_exact *unit, long places)
{
    ll_exact_set_si(unit, 1);
    fmpz_set_si(unit->two, -places);
    fmpz_set_si(unit->five, -places);
}

/* Turned so that lower is better. */
static void turn(ll_levels *levels)
{
    levels->is_high = fmpz_cmp(levels->at + levels->count, levels->at) > 0;
    for (long j = 0; j <= levels->count && levels->is_high; j++)
        fmpz_neg(levels->at + j, levels->at + j);
    fmpz_set(levels->first, levels->at);
}

static int gets_better(const ll_levels *levels)
{
    for (long j = 1; j <= levels->count; j++)
        if (fmpz_cmp(levels->at + j, levels->at + j - 1) >= 0)
            return 0;
    return 1;
}

/* Level j is base + (best - base) j / count, rounded to a whole number. */
static void space_evenly(ll_levels *levels, const fmpz_t base, const fmpz_t best)
{
    fmpz_t both, divisor;
    fmpz_init(both);
    fmpz_init_set_si(divisor, 2 * levels->count);
    for (long j = 0; j <= levels->count; j++) {
        fmpz_mul_si(both, base, levels->count - j);
        fmpz_addmul_si(both, best, j);
        fmpz_mul_2exp(both, both, 1);
        fmpz_add_si(both, both, levels->count);
        fmpz_fdiv_q(levels->at + j, both, divisor);
    }
    fmpz_clear(both);
    fmpz_clear(divisor);
}

/* Up to three more places, if with them every level is a decimal; else none. */
static long places_to_divide(const ll_exact ends[2], long places, long count)
{
    fmpz_t base, best;
    long more = 0;
    fmpz_init(base);
    fmpz_init(best);
    for (more = 0; more <= 3; more++) {
        scale(base, &ends[0], places + more);
        scale(best, &ends[1], places + more);
        fmpz_sub(best, best, base);
        if (fmpz_divisible_si(best, count))
            break;
    }
    fmpz_clear(base);
    fmpz_clear(best);
    return more <= 3 ? more : 0;
}

static ll_status read_even(ll_levels *out, ll_exact *unit, const char *text, const ll_exact ends[2], long count,
                           ll_error *error)
{
    fmpz_t base, best;
    double step = fabs(ll_exact_get_d(&ends[1]) - ll_exact_get_d(&ends[0])) / (double)count;
    long places = (long)ll_most(places_of(&ends[0]), places_of(&ends[1]));
    if (!(step > 1e-30))
        return ll_refuse(error, "release", text, "its base and its best are too close", accepted);
    places = (long)ll_most(places, (long)ceil(1 - log10(step)));
    fmpz_init(base);
    fmpz_init(best);
    places += places_to_divide(ends, places, count);
    scale(base, &ends[0], places);
    scale(best, &ends[1], places);
    out->count = count;
    out->at = _fmpz_vec_init(count + 1);
    space_evenly(out, base, best);
    set_unit(unit, places);
    fmpz_clear(base);
    fmpz_clear(best);
    return LL_OK;
}

static ll_status read_three(ll_levels *out, ll_exact *unit, const char *text, ll_error *error)
{
    const char *best = strchr(text, ':') + 1, *count = best + strcspn(best, ":");
    long levels = 0;
    ll_exact ends[2];
    ll_exact_init(&ends[0]);
    ll_exact_init(&ends[1]);
    ll_status status = LL_OK;
    if (!read_number(&ends[0], text, (size_t)(best - 1 - text)) ||
        !read_number(&ends[1], best, (size_t)(count - best)) || *count != ':')
        status = ll_refuse(error, "release", text, "BASE and BEST are not two decimal numbers", accepted);
    else if (ll_whole_read(&levels, count + 1) != LL_WHOLE || levels < 1 || levels > LL_LEVELS_LISTED)
        status = ll_refuse(error, "release", text, "COUNT is not a number of levels", accepted);
    else
        status = read_even(out, unit, text, ends, levels, error);
    ll_exact_clear(&ends[0]);
    ll_exact_clear(&ends[1]);
    return status;
}

static long count_commas(const char *text)
{
    long count = 0;
    for (; *text; text++)
        count += *text == ',';
    return count;
}

/* Twice over the text: first how many decimals there are, then the numbers. */
static ll_status read_list(ll_levels *out, ll_exact *unit, const char *text, ll_error *error)
{
    ll_exact x;
    long places = 0, count = count_commas(text);
    if (count < 1 || count > LL_LEVELS_LISTED)
        return ll_refuse(error, "release", text, "not a list of levels", accepted);
    ll_exact_init(&x);
    int good = 1;
    out->count = count;
    out->at = _fmpz_vec_init(count + 1);
    for (int again = 0; again < 2 && good; again++) {
        const char *at = text;
        for (long j = 0; j <= count && good; j++, at += *at == ',') {
            size_t length = strcspn(at, ",");
            good = read_number(&x, at, length);
            if (good && again)
                scale(out->at + j, &x, places);
            else if (good)
                places = (long)ll_most(places, places_of(&x));
            at += length;
        }
    }
    set_unit(unit, places);
    ll_exact_clear(&x);
    return good ? LL_OK : ll_refuse(error, "release", text, "an entry is not a decimal number", accepted);
}

ll_status ll_levels_read(ll_levels *out, ll_exact *unit, const char *text, ll_error *error)
{
    ll_levels_clear(out);
    ll_status status =
        strchr(text, ':') != NULL ? read_three(out, unit, text, error) : read_list(out, unit, text, error);
    if (status == LL_OK) {
        turn(out);
        if (!gets_better(out))
            status = ll_refuse(error, "release", text, "its levels do not get better one by one", accepted);
    }
    if (status != LL_OK)
        ll_levels_clear(out);
    return status;
}

ll_status ll_levels_of_ladder(ll_levels *out, double step, double start, double best, ll_error *error)
{
    static const double hair = 1e-9; /* a start that is a multiple of the step up to its own rounding */
    double first = ceil(start / step - hair), last = ceil(best / step - hair);
    if (!(fabs(first) < 0x1p50 && fabs(last) < 0x1p50))
        return ll_fail(error, LL_DOMAIN, "start %.6g: the step is too small for a list of levels from there", start);
    if (!(first > last))
        return ll_fail(error, LL_DOMAIN, "start %.6g: there is no level above it", start);
    ll_levels_clear(out);
    out->count = (long)(first - last);
    fmpz_set_si(out->first, (slong)first);
    return LL_OK;
}

/* ---- answers ---- */

void ll_levels_get(const ll_levels *levels, fmpz_t out, long level)
{
    if (levels->at != NULL)
        fmpz_set(out, levels->at + level);
    else
        fmpz_sub_si(out, levels->first, level);
}

/* The last level that is not below k: levels fall. */
static long last_not_below(const ll_levels *levels, const fmpz_t k)
{
    long low = 0, high = levels->count + 1;
    fmpz_t at;
    fmpz_init(at);
    while (high - low > 1) {
        long middle = low + (high - low) / 2;
        ll_levels_get(levels, at, middle);
        *(fmpz_cmp(at, k) >= 0 ? &low : &high) = middle;
    }
    fmpz_clear(at);
    return low;
}

ll_status ll_levels_reached(const ll_levels *levels, long *out, const arf_t x, const ll_exact *unit)
{
    fmpz_t k;
    fmpz_init(k);
    ll_status status = ll_decimal_round(k, x, unit, LL_TO_ABOVE);
    if (status == LL_OK)
        *out = last_not_below(levels, k);
    fmpz_clear(k);
    return status;
}

double ll_levels_step(const ll_levels *levels)
{
    double least = 1;
    fmpz_t distance;
    fmpz_init(distance);
    for (long j = 1; j <= levels->count && levels->at != NULL; j++) {
        fmpz_sub(distance, levels->at + j - 1, levels->at + j);
        least = j == 1 ? fmpz_get_d(distance) : fmin(least, fmpz_get_d(distance));
    }
    fmpz_clear(distance);
    return least;
}

/* Both ends of a ball must reach the same level, unless neither is above the account's. */
static ll_status reach_by_ball(const ll_levels *levels, long *out, const ll_height *height, const arb_t number,
                               const ll_exact *unit)
{
    long other = 0;
    arf_t low, high;
    arf_init(low);
    arf_init(high);
    ll_unreleased_ends(low, high, number);
    ll_status status = ll_levels_reached(levels, out, low, unit);
    if (status == LL_OK)
        status = ll_levels_reached(levels, &other, high, unit);
    *out = (long)ll_most(*out, height->level);
    if (status == LL_OK && *out != ll_most(other, height->level))
        status = LL_UNABLE;
    arf_clear(low);
    arf_clear(high);
    return status;
}

ll_status ll_levels_answer(const ll_levels *levels, ll_height *out, const ll_height *height, const arb_t number,
                           const arf_t low, const arf_t high, const ll_exact *unit, long improvements)
{
    long reached = 0, least = 0, most = 0;
    int is_limited = improvements > 0, is_known = !height->is_open;
    *out = *height;
    if (is_limited && is_known && height->shown >= improvements)
        return LL_OK;
    ll_status status = reach_by_ball(levels, &reached, height, number, unit);
    if (status == LL_OK)
        status = ll_levels_reached(levels, &least, high, unit);
    if (status == LL_OK)
        status = ll_levels_reached(levels, &most, low, unit);
    if (status != LL_OK)
        return status;
    if (!is_limited || height->shown < improvements)
        out->level = reached;
    out->shown += out->level > height->level;
    if (!is_limited || is_known) /* else the real one may have shown its last improvement before */
        out->low = (long)ll_most(height->low, least);
    out->high = (long)ll_most(height->high, most);
    out->is_open |= out->low != out->high;
    return LL_OK;
}
