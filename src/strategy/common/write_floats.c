/* Scorers that compute in floats (native or FPA): weights are inverted, rounded to the scorer's format, and what the
 * stored numbers then add is asked of the scorer's own arithmetic, row by row. Nothing here knows a clip or an order of
 * summation; it only sees how far the answers are from what was wanted, and takes as many rows a query as that allows.
 */
#include "metric/scoring.h"
#include "number/sum.h"
#include "strategy/common/floats.h"
#include "strategy/common/writers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = 192 };

typedef struct {
    ll_block neutral;      /* one row of weight 0 */
    arb_ptr neutral_terms; /* one a class */
} state;

int ll_floats_is_double(const ll_plan *plan)
{
    return plan->scoring.how->kind == LL_KIND_NATIVE;
}

static int suits(const ll_plan *plan)
{
    return plan->scoring.how->kind != LL_KIND_EXACT && !ll_plan_is_foreign_closed(plan) && !ll_plan_takes_labels(plan);
}

/* One column where two classes and weights >= 0 allow it: 1 - p loses bits only where p is near 1. */
static long columns_for(const ll_plan *plan)
{
    long most = ll_computation_columns(plan->scoring.how, plan->classes);
    if (most != 2 || plan->scoring.how->columns == LL_COLUMNS_ALL)
        return most;
    arb_t weight;
    arb_init(weight);
    ll_code_weight(plan->state->code, weight, 0, 1, 64);
    int lowers = arb_is_negative(weight);
    arb_clear(weight);
    return lowers ? 2 : 1;
}

/* ---- writing ---- */

void ll_floats_round(const ll_plan *plan, void *to, long column, const arb_t x)
{
    const ll_format *format = &plan->scoring.how->rows.format;
    mpfr_t value;
    arf_t exact;
    arf_init(exact);
    ll_format_init(format, value);
    ll_format_set_arf(format, value, arb_midref(x));
    arf_set_mpfr(exact, value);
    if (ll_floats_is_double(plan))
        ((double *)to)[column] = mpfr_get_d(value, MPFR_RNDN);
    else if (ll_exact_set_arf((ll_exact *)to + column, exact) != LL_OK)
        ll_exact_set_si((ll_exact *)to + column, 0);
    mpfr_clear(value);
    arf_clear(exact);
}

/* weights of the labels of a row, times the unit; all 0 for row -1 */
static void row_weights(const ll_plan *plan, const ll_code *code, arb_ptr w, long row)
{
    if (row < 0)
        _arb_vec_zero(w, plan->classes);
    else
        ll_code_weights(code, w, row, PREC);
    for (long k = 0; k < plan->classes; k++)
        arb_mul(w + k, w + k, plan->state->unit, PREC);
}

static ll_status invert(const ll_plan *plan, arb_ptr x, arb_ptr w)
{
    if (plan->columns > 1)
        return ll_metric_invert_row(plan->scoring.how->metric, x, w, plan->classes, PREC);
    arb_sub(w + 1, w + 1, w, PREC);
    return ll_metric_invert(plan->scoring.how->metric, x, NULL, w + 1, PREC);
}

static ll_status write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    const state *s = plan->state->data;
    if (row < 0 && s != NULL && s->neutral.rows == 1) {
        ll_floats_copy(plan, to, 0, &s->neutral);
        return LL_OK;
    }
    arb_ptr w = _arb_vec_init(plan->classes), x = _arb_vec_init(plan->columns > 1 ? plan->classes : 1);
    row_weights(plan, code, w, row);
    ll_status status = invert(plan, x, w);
    for (long c = 0; c < plan->columns && status == LL_OK; c++)
        ll_floats_round(plan, to, c, x + c);
    _arb_vec_clear(w, plan->classes);
    _arb_vec_clear(x, plan->columns > 1 ? plan->classes : 1);
    if (status != LL_OK)
        return ll_fail(error, status, "a weight of the plan could not be inverted");
    return LL_OK;
}

/* ---- accounting ---- */

void ll_floats_copy(const ll_plan *plan, void *to, long at, const ll_block *stored)
{
    const int doubles = ll_floats_is_double(plan);
    for (long c = 0; c < plan->columns; c++, at++)
        if (doubles)
            ((double *)to)[at] = stored->doubles[c];
        else
            ll_exact_set((ll_exact *)to + at, stored->exacts + c);
}

int ll_floats_is_stored(const ll_plan *plan, const ll_block *stored, const ll_block *block, long index)
{
    for (long c = 0; c < plan->columns; c++) {
        long at = index * plan->columns + c;
        if (ll_floats_is_double(plan) ? block->doubles[at] != stored->doubles[c]
                                      : ll_exact_cmp(block->exacts + at, stored->exacts + c) != 0)
            return 0;
    }
    return 1;
}

ll_status ll_floats_terms(const ll_plan *plan, arb_ptr terms, const ll_block *block, long index, ll_error *error)
{
    for (long k = 0; k < plan->classes; k++) {
        if (k == plan->scoring.classes) { /* absent */
            arb_zero(terms + k);
            continue;
        }
        ll_status status = ll_likely_is_native(plan)
                               ? ll_scoring_term_number(&plan->scoring, terms + k, block, index, k, error)
                               : ll_scoring_term(&plan->scoring, terms + k, block, index, k, error);
        if (status != LL_OK)
            return status;
    }
    return LL_OK;
}

static void add_magnitude(const ll_plan *plan, ll_stored_error *stored_error, arb_srcptr terms, long rows)
{
    mag_t most, size;
    mag_init(most);
    mag_init(size);
    for (long k = 0; k < plan->classes; k++) {
        arb_get_mag(size, terms + k);
        mag_max(most, most, size);
    }
    mag_mul_ui(most, most, (ulong)rows);
    mag_add(stored_error->magnitude, stored_error->magnitude, most);
    mag_clear(most);
    mag_clear(size);
}

ll_status ll_floats_measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error,
                            const ll_block *block, long index, long row, ll_error *error)
{
    ll_status status = ll_floats_terms(plan, stored_error->terms, block, index, error);
    if (status != LL_OK)
        return status;
    add_magnitude(plan, stored_error, stored_error->terms, 1);
    ll_stored_error_add_terms(plan, code, stored_error, row);
    return LL_OK;
}

static ll_status measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error, const ll_block *block,
                         long index, long row, ll_error *error)
{
    const state *s = plan->state->data;
    if (row >= 0 || !ll_floats_is_stored(plan, &s->neutral, block, index))
        return ll_floats_measure(plan, code, stored_error, block, index, row, error);
    stored_error->neutral++;
    return LL_OK;
}

/* Does a neutral row add the same number whatever its label, because the same operations are done on the same bits?
 * Equal entries of a row, or 1/2 (a logit: 0) under a loss that mirrors; a phi of the user's need not. */
int ll_floats_is_symmetric(const ll_plan *plan)
{
    return plan->columns > 1 || ll_metric_is_symmetric(plan->scoring.how->metric);
}

static void close_stored_error(const ll_plan *plan, ll_stored_error *stored_error)
{
    const state *s = plan->state->data;
    arb_t part;
    arb_init(part);
    add_magnitude(plan, stored_error, s->neutral_terms, stored_error->neutral);
    arb_mul_si(part, s->neutral_terms + plan->state->base, stored_error->neutral, PREC);
    arb_add(stored_error->offset, stored_error->offset, part, PREC);
    for (long k = 0; k < plan->classes && !ll_floats_is_symmetric(plan); k++) {
        arb_sub(part, s->neutral_terms + k, s->neutral_terms + plan->state->base, PREC);
        arb_abs(part, part);
        arb_mul_si(part, part, stored_error->neutral, PREC);
        arb_add(stored_error->high, stored_error->high, part, PREC);
        arb_sub(stored_error->low, stored_error->low, part, PREC);
    }
    stored_error->neutral = 0;
    arb_clear(part);
}

/* ---- preparing ---- */

static void clear(ll_plan *plan)
{
    state *s = plan->state->data;
    if (s == NULL)
        return;
    ll_block_clear(&s->neutral);
    if (s->neutral_terms != NULL)
        _arb_vec_clear(s->neutral_terms, plan->classes);
    free(s);
}

static ll_status set_neutral(ll_plan *plan, state *s, ll_error *error)
{
    void *to = ll_floats_is_double(plan) ? (void *)ll_block_reserve_doubles(&s->neutral, 1, plan->columns)
                                         : (void *)ll_block_reserve_exacts(&s->neutral, 1, plan->columns);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a row");
    s->neutral.rows = 0; /* so that write makes it instead of copying it */
    ll_status status = write_row(plan, plan->state->code, to, -1, error);
    s->neutral.rows = 1;
    return status == LL_OK ? ll_floats_terms(plan, s->neutral_terms, &s->neutral, 0, error) : status;
}

/* The weights that this scorer's numbers can reach: from its clip, or from the least normal number of its format. */
/* 2^this and its inverse are numbers of the format, with some room where it has any; the smallest formats hold 2. */
static long safe_exponent(long exponent_bits)
{
    long exponent = (1L << (exponent_bits - 1)) - 4;
    return exponent > 1 ? exponent : 1;
}

ll_status ll_floats_reach(const ll_plan *plan, arb_t low, arb_t high)
{
    const ll_computation *r = plan->scoring.how;
    ll_exact least;
    ll_exact_init(&least);
    long exponents = r->rows.format.exponent_bits < 40 ? r->rows.format.exponent_bits : 40;
    if (plan->scoring.how->clip_mode == LL_CLIP_NONE || plan->scoring.how->clip_mode == LL_LOG_CLAMP) {
        fmpz_one(least.mantissa);
        fmpz_set_si(least.two, -safe_exponent(exponents));
    } else {
        ll_exact_set(&least, &r->low);
    }
    ll_status status = ll_metric_reach(r->metric, low, high, &least, 64);
    if (status == LL_OK && plan->scoring.how->clip_mode == LL_LOG_CLAMP) {
        arb_t bound;
        arb_init(bound);
        ll_exact_get_ball(bound, &r->low, 64);
        arb_min(high, high, bound, 64);
        arb_neg(bound, bound);
        arb_max(low, low, bound, 64);
        arb_clear(bound);
    }
    if (status == LL_OK && !arb_is_finite(high)) {
        if (r->kind == LL_KIND_NATIVE) { /* logits less the largest: exp cannot overflow, and sums of rows must not */
            arb_one(high);
            arb_mul_2exp_si(high, high, 1L << (exponents - 3));
        } else { /* exp of a logit must not overflow */
            arb_const_log2(high, 64);
            arb_mul_si(high, high, safe_exponent(exponents), 64);
        }
        arb_neg(low, high);
    }
    ll_exact_clear(&least);
    return status;
}

/* Does gap * unit exceed all that may blur a sum of this block? */
static ll_status has_room(const ll_plan *plan, int *out, ll_error *error)
{
    ll_stored_error stored_error;
    ll_block block;
    if (ll_stored_error_init(&stored_error, plan) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for the stored error");
    ll_block_init(&block);
    ll_status status = ll_plan_measure_block(plan, &stored_error, &block, error);
    arb_t blur, part, room;
    arb_init(blur);
    arb_init(part);
    arb_init(room);
    if (status == LL_OK) {
        ll_plan_rounding(plan, &stored_error, blur);
        arb_add(blur, blur, plan->state->noise, PREC);
        arb_mul_2exp_si(blur, blur, 1);
        arb_sub(part, stored_error.high, stored_error.low, PREC);
        arb_add(blur, blur, part, PREC);
        arb_get_rad_arb(part, stored_error.offset);
        arb_mul_2exp_si(part, part, 1);
        arb_add(blur, blur, part, PREC);
        ll_code_gap(plan->state->code, room, 64);
        arb_mul(room, room, plan->state->unit, 64);
        *out = !ll_plan_overflows(plan, &stored_error) && arb_gt(room, blur);
    }
    arb_clear(blur);
    arb_clear(part);
    arb_clear(room);
    ll_block_clear(&block);
    ll_stored_error_clear(&stored_error, plan);
    return status;
}

/* The same; rows that cannot be written have no room, and only memory that ended is a failure. */
static ll_status find_room(const ll_plan *plan, int *fits, ll_error *error)
{
    ll_status status = has_room(plan, fits, error);
    if (status != LL_OK)
        *fits = 0;
    return status == LL_MEMORY ? status : LL_OK;
}

/* The largest unit that the reach allows, or one that makes everything else small where the reach is endless. */
static void choose_unit(ll_plan *plan, const arb_t reach, const arb_t heaviest)
{
    arb_t enough;
    arb_init(enough);
    arb_div(plan->state->unit, reach, heaviest, 64);
    arb_mul_ui(plan->state->unit, plan->state->unit, 4095, 64);
    arb_mul_2exp_si(plan->state->unit, plan->state->unit, -12);
    ll_plan_needed_unit(plan, enough);
    arb_add_si(enough, enough, plan->rows, 64);
    arb_mul_2exp_si(enough, enough, 10);
    arb_min(plan->state->unit, plan->state->unit, enough, 64);
    if (ll_code_has_fixed_unit(plan->state->code))
        arb_one(plan->state->unit);
    arf_set_round(arb_midref(plan->state->unit), arb_midref(plan->state->unit), 32, ARF_RND_DOWN);
    mag_zero(arb_radref(plan->state->unit));
    arb_clear(enough);
}

/* Is the unit far below what the reach allows? */
static int is_endless(const ll_plan *plan, const arb_t reach, const arb_t heaviest)
{
    arb_t used;
    arb_init(used);
    arb_mul(used, plan->state->unit, heaviest, 64);
    arb_mul_2exp_si(used, used, 4);
    int endless = arb_lt(used, reach);
    arb_clear(used);
    return endless;
}

/* Sums spread over span * unit, so the largest is at least half of that, and dividing it by N may cost 2^-(fraction+1)
 * of it: twice that is more than gap * unit where span/gap > 2^(fraction+1), whatever the unit. Seen before any row is
 * made, for the numbers of a block that is far too large would take minutes. */
static int is_beyond_mantissa(const ll_plan *plan)
{
    arb_t span, gap;
    arb_init(span);
    arb_init(gap);
    ll_code_span(plan->state->code, span, 64);
    ll_code_gap(plan->state->code, gap, 64);
    arb_mul_2exp_si(gap, gap, plan->scoring.how->total.format.fraction_bits + 2);
    int beyond = arb_gt(span, gap);
    arb_clear(span);
    arb_clear(gap);
    return beyond;
}

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    if (is_beyond_mantissa(plan))
        return ll_fail(error, LL_DOMAIN, "%ld rows a query of the code %s need more bits than a score of %s has",
                       plan->block, plan->name, plan->scoring.how->arithmetic);
    state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    plan->state->data = s;
    ll_block_init(&s->neutral);
    s->neutral_terms = _arb_vec_init(plan->classes);
    plan->columns = columns_for(plan);
    plan->entries = ll_floats_is_double(plan) ? LL_ENTRIES_DOUBLE : LL_ENTRIES_EXACT;
    plan->prec = PREC;
    arb_t low, reach, heaviest;
    arb_init(low);
    arb_init(reach);
    arb_init(heaviest);
    ll_plan_heaviest(plan, heaviest);
    int fits = 0;
    ll_status status = ll_floats_reach(plan, low, reach);
    if (status == LL_OK) {
        choose_unit(plan, reach, heaviest);
        status = set_neutral(plan, s, error);
    }
    if (status == LL_OK)
        status = find_room(plan, &fits, error);
    /* A row of several entries that sum to 1 may reach less than one entry alone, and a percentage less than a sum.
     * Where the reach is endless, another unit may put the largest sums just below a power of two. */
    int may_shrink =
        plan->columns > 1 || fabs(ll_release_scale(&plan->scorer->release)) > 1 || is_endless(plan, reach, heaviest);
    for (int smaller = 0; smaller < 4 && status == LL_OK && !fits && may_shrink; smaller++) {
        arb_mul_ui(plan->state->unit, plan->state->unit, 3, 64);
        arb_mul_2exp_si(plan->state->unit, plan->state->unit, -2);
        if (!ll_code_has_fixed_unit(plan->state->code))
            status = find_room(plan, &fits, error);
    }
    if (status == LL_OK && !fits)
        status = ll_plan_fail_reach(plan, heaviest, reach, error);
    arb_clear(low);
    arb_clear(reach);
    arb_clear(heaviest);
    return status;
}

const ll_writer ll_writer_floats = {
    .name = "floats of the scorer's format",
    .suits = suits,
    .prepare = prepare,
    .clear = clear,
    .write = write_row,
    .measure = measure,
    .close = close_stored_error,
};
