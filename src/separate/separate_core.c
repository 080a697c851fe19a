/* The least |difference| of the sums of two labellings.
 *
 * Rows that are superincreasing over all rows below them are done at once, however many there are; the rows below are
 * searched by meeting in the middle; where they are too many for the budget, only the lightest are, which gives an
 * upper bound. In exact arithmetic everything is done again with more bits until the answer is known well enough, and a
 * difference that no number of bits tells from 0 is decided by what it is (separate_zero.c). */
#include "separate/separate_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BITS = 128, MOST_BITS = 1 << 15, MOST_CANDIDATES = 4096, MOST_TRIES = 1000 };

static void set_zero(ll_least_difference *least)
{
    arf_zero(least->lower);
    arf_zero(least->upper);
    least->open = 0;
}

/* ---- one search ---- */

typedef struct {
    ll_core *core;
    ll_terms *terms;
    ll_spans spans;
    int exact;
    int32_t *first, *second; /* scratch: a pair, all rows alike between uses */
    int zero;                /* a difference is exactly 0: found */
    long split;              /* spans from here on are superincreasing */
    arf_t lower;             /* of the superincreasing part */
    ll_closest meet;
    int met;
    long *rows; /* of the meeting */
    ll_effort *effort;
} search;

static void forget_pair(search *s, long row)
{
    s->first[row] = s->second[row] = 0;
}

/* The scratch pair has this difference: keep it; in exact arithmetic see whether it is 0. */
static void see(search *s, const arb_t difference)
{
    ll_least_difference *least = &s->core->least;
    ll_least_see(least, difference, s->first, s->second, s->terms->rows);
    if (!s->exact || !arb_contains_zero(difference))
        return;
    if (ll_terms_is_zero(s->terms, s->first, s->second, NULL) == LL_TRUE) {
        arb_t zero;
        arb_init(zero);
        ll_least_see(least, zero, s->first, s->second, s->terms->rows);
        arb_clear(zero);
        s->zero = 1;
    } else {
        least->open = 1;
    }
}

/* The scratch pair has this difference: is it below the threshold? */
static void weigh(search *s, const arb_t difference)
{
    const ll_threshold *t = s->core->threshold;
    if (!s->exact || t == NULL || !t->given)
        return;
    arb_t size;
    arb_init(size);
    arb_abs(size, difference);
    if (arb_lt(size, t->ball)) {
        s->core->reaches = LL_FALSE;
    } else if (!arb_gt(size, t->ball)) {
        ll_truth same = t->is_rational ? ll_terms_is_zero(s->terms, s->first, s->second, t->rational) : LL_UNKNOWN;
        if (same == LL_TRUE && t->strict)
            s->core->reaches = LL_FALSE;
        else if (same != LL_TRUE && s->core->reaches == LL_TRUE)
            s->core->reaches = LL_UNKNOWN;
        s->core->least.open |= same == LL_FALSE;
    }
    arb_clear(size);
}

/* ---- equal differences in two rows: equal predictions, for one ---- */

typedef struct {
    arb_t size;
    long row;
    int32_t low, high;
} step;

static int by_size(const void *a, const void *b)
{
    return arf_cmp(arb_midref(((const step *)a)->size), arb_midref(((const step *)b)->size));
}

static void try_steps(search *s, const step *a, const step *b)
{
    arb_t difference;
    arb_init(difference);
    arb_sub(difference, a->size, b->size, s->terms->prec);
    s->first[a->row] = a->high;
    s->second[a->row] = a->low;
    s->first[b->row] = b->low;
    s->second[b->row] = b->high;
    see(s, difference);
    forget_pair(s, a->row);
    forget_pair(s, b->row);
    arb_clear(difference);
}

static long make_steps(const search *s, step *steps)
{
    const ll_terms *terms = s->terms;
    long count = 0;
    for (long i = 0; i < terms->rows; i++)
        for (long j = 0; j < terms->classes; j++)
            for (long k = 0; k < j; k++) {
                step *own = &steps[count++];
                arb_srcptr row = terms->terms + i * terms->classes;
                int above = arf_cmp(arb_midref(row + j), arb_midref(row + k)) > 0;
                own->row = i;
                own->high = (int32_t)(above ? j : k);
                own->low = (int32_t)(above ? k : j);
                arb_init(own->size);
                arb_sub(own->size, row + own->high, row + own->low, terms->prec);
            }
    return count;
}

/* Only a shortcut to a 0, for any number of rows: what it does not find is found later or left open. */
static void find_equal_steps(search *s)
{
    long classes = s->terms->classes;
    double many = (double)s->terms->rows * (double)classes * (double)(classes - 1) / 2;
    step *steps = many > 1e6 ? NULL : malloc((size_t)many * sizeof *steps);
    if (steps == NULL)
        return;
    long count = make_steps(s, steps), tries = 0;
    qsort(steps, (size_t)count, sizeof *steps, by_size);
    for (long i = 1; i < count && !s->zero && tries < MOST_TRIES; i++)
        if (steps[i].row != steps[i - 1].row && arb_overlaps(steps[i].size, steps[i - 1].size)) {
            try_steps(s, &steps[i], &steps[i - 1]);
            tries++;
        }
    for (long i = 0; i < count; i++)
        arb_clear(steps[i].size);
    free(steps);
}

/* ---- superincreasing rows ---- */

/* Span i at its least difference, every lighter one against it with its whole range. */
static void set_structure_pair(search *s, long i)
{
    const ll_span *own = &s->spans.spans[i];
    s->first[own->row] = own->near_high;
    s->second[own->row] = own->near_low;
    for (long j = 0; j < i; j++) {
        const ll_span *other = &s->spans.spans[j];
        s->first[other->row] = other->low;
        s->second[other->row] = other->high;
    }
}

static void see_structure_pair(search *s, long i, const arb_t difference)
{
    set_structure_pair(s, i);
    see(s, difference);
    weigh(s, difference);
    for (long j = 0; j <= i; j++)
        forget_pair(s, s->spans.spans[j].row);
}

/* Where the superincreasing rows begin. A row that is neither surely above nor surely below is looked at as a pair. */
static void split_rows(search *s)
{
    arb_t rest;
    arb_init(rest);
    s->split = 0;
    for (long i = s->spans.rows - 1; i >= 0 && !s->zero; i--) {
        arb_sub(rest, s->spans.spans[i].delta, s->spans.below + i, s->terms->prec);
        if (arb_is_positive(rest))
            continue;
        if (s->split == 0)
            s->split = i + 1;
        if (s->exact && arb_contains_zero(rest))
            see_structure_pair(s, i, rest);
        if (!arb_contains_zero(rest))
            break;
    }
    arb_clear(rest);
}

static int is_near_threshold(const search *s, const arb_t x)
{
    const ll_threshold *t = s->core->threshold;
    return s->exact && t != NULL && t->given && !arb_gt(x, t->ball);
}

static void see_structure(search *s)
{
    arb_t rest, best;
    arf_t low;
    long at = -1;
    arb_init(rest);
    arb_init(best);
    arf_init(low);
    arf_pos_inf(s->lower);
    for (long i = s->split; i < s->spans.rows; i++) {
        arb_sub(rest, s->spans.spans[i].delta, s->spans.below + i, s->terms->prec);
        arb_get_abs_lbound_arf(low, rest, 96);
        if (arf_cmp(low, s->lower) < 0)
            arf_set(s->lower, low);
        if (is_near_threshold(s, rest))
            see_structure_pair(s, i, rest);
        if (at < 0 || arf_cmp(arb_midref(rest), arb_midref(best)) < 0) {
            arb_set(best, rest);
            at = i;
        }
    }
    if (at >= 0)
        see_structure_pair(s, at, best);
    arb_clear(rest);
    arb_clear(best);
    arf_clear(low);
}

/* ---- the rows below ---- */

static int is_affordable(const search *s, long rows, double most_bytes, double most_seconds)
{
    double bytes, seconds;
    ll_closest_predict(&bytes, &seconds, rows, s->terms->classes);
    return bytes <= most_bytes && bytes <= s->terms->max_memory && seconds <= most_seconds &&
           seconds <= s->effort->left;
}

static void spend_meeting(search *s)
{
    double bytes, seconds;
    ll_closest_predict(&bytes, &seconds, s->core->meet_rows, s->terms->classes);
    ll_effort_spend(s->effort, seconds);
}

/* All of them, or as many of the lightest as give an upper bound in a moment. */
static long affordable(const search *s)
{
    long fit = 0;
    if (is_affordable(s, s->split, INFINITY, INFINITY))
        return s->split;
    while (fit < s->split && is_affordable(s, fit + 1, 1e8, 2))
        fit++;
    return fit;
}

static ll_status meet(search *s, ll_error *error)
{
    ll_core *core = s->core;
    core->meet_rows = affordable(s);
    core->complete = core->meet_rows == s->split;
    if (core->meet_rows == 0)
        return LL_OK;
    spend_meeting(s);
    s->rows = malloc((size_t)core->meet_rows * sizeof *s->rows);
    if (s->rows == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", core->meet_rows);
    for (long i = 0; i < core->meet_rows; i++)
        s->rows[i] = s->spans.spans[i].row;
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): ll_core_find frees s->rows */
    ll_status status = ll_closest_find(&s->meet, s->terms, s->rows, core->meet_rows, MOST_CANDIDATES, error);
    s->met = status == LL_OK;
    if (status != LL_OK)
        ll_closest_clear(&s->meet);
    return status;
}

static void pair_difference(const search *s, arb_t out)
{
    const ll_terms *terms = s->terms;
    arb_zero(out);
    for (long i = 0; i < s->meet.rows; i++) {
        long row = s->rows[i];
        arb_add(out, out, terms->terms + row * terms->classes + s->first[row], terms->prec);
        arb_sub(out, out, terms->terms + row * terms->classes + s->second[row], terms->prec);
    }
}

/* The scratch pair the way round that its difference is positive, so that it can be compared with a threshold. */
static void orient(search *s, arb_t difference)
{
    if (arf_sgn(arb_midref(difference)) >= 0)
        return;
    int32_t *first = s->first;
    s->first = s->second;
    s->second = first;
    arb_neg(difference, difference);
}

/* Look at the candidates with the terms as they are now; lower becomes a bound for all pairs of the searched rows. */
static void see_candidates(search *s, arf_t lower)
{
    arb_t difference;
    arf_t low;
    arb_init(difference);
    arf_init(low);
    if (s->meet.all)
        arf_pos_inf(lower);
    else
        arf_set(lower, s->meet.floor);
    for (long n = 0; n < s->meet.count && !s->zero; n++) {
        const int32_t *pair = s->meet.pairs + n * 2 * s->meet.rows;
        for (long i = 0; i < s->meet.rows; i++) {
            s->first[s->rows[i]] = pair[i];
            s->second[s->rows[i]] = pair[s->meet.rows + i];
        }
        pair_difference(s, difference);
        see(s, difference);
        orient(s, difference);
        weigh(s, difference);
        arb_get_abs_lbound_arf(low, difference, 96);
        if (s->meet.all && arf_cmp(low, lower) < 0)
            arf_set(lower, low);
    }
    for (long i = 0; i < s->meet.rows; i++)
        forget_pair(s, s->rows[i]);
    if (arf_cmp(lower, s->meet.floor) < 0)
        arf_set(lower, s->meet.floor);
    arb_clear(difference);
    arf_clear(low);
}

/* ---- one pass at one precision ---- */

/* Bits at which the terms are good to a unit of the meeting: 2^-122 of the range. */
static slong bits_for_meeting(const search *s)
{
    arf_t range;
    arf_init(range);
    arb_get_ubound_arf(range, s->spans.below + s->split, 64);
    slong bits = FIRST_BITS;
    if (!arf_is_special(range) && fmpz_cmp_si(ARF_EXPREF(range), -MOST_BITS) > 0 &&
        fmpz_cmp_si(ARF_EXPREF(range), MOST_BITS) < 0)
        bits = 140 - fmpz_get_si(ARF_EXPREF(range));
    arf_clear(range);
    return bits;
}

static void settle(search *s, const arf_t searched)
{
    ll_least_difference *least = &s->core->least;
    arf_set(least->lower, s->lower);
    if (s->split > 0 && arf_cmp(searched, least->lower) < 0)
        arf_set(least->lower, searched);
    if (s->split > 0 && !s->core->complete)
        arf_zero(least->lower);
    if (arf_cmp(least->lower, least->upper) > 0)
        arf_set(least->lower, least->upper);
}

/* more: can the terms be had with *wanted bits? */
static ll_status pass(search *s, slong *wanted, int more, ll_error *error)
{
    ll_core *core = s->core;
    arf_zero(core->least.lower);
    arf_pos_inf(core->least.upper);
    core->least.has_pair = core->least.open = 0;
    core->reaches = LL_TRUE;
    ll_spans_compute(&s->spans, s->terms);
    see_structure_pair(s, 0,
                       s->spans.spans[0].delta); /* so that there is a pair, and two labels of one term are seen */
    if (s->exact && !s->zero)
        find_equal_steps(s);
    if (!s->zero)
        split_rows(s);
    if (s->zero || (core->least.open && more))
        return LL_OK;
    slong bits = bits_for_meeting(s);
    if (s->exact && s->split > 0 && s->terms->bits < bits) {
        *wanted = bits;
        core->least.open = 1;
        return LL_OK;
    }
    see_structure(s);
    ll_status status = s->split > 0 && !s->met && !s->zero ? meet(s, error) : LL_OK;
    arf_t searched;
    arf_init(searched);
    if (s->met && !s->zero)
        see_candidates(s, searched);
    if (s->split == 0)
        core->complete = 1;
    settle(s, searched);
    arf_clear(searched);
    return status;
}

int ll_is_sharp(const arf_t lower, const arf_t upper, slong digits)
{
    arf_t width, allowed;
    arf_init(width);
    arf_init(allowed);
    arf_sub(width, upper, lower, 64, ARF_RND_CEIL);
    arf_mul_2exp_si(allowed, upper, -digits);
    int sharp = arf_cmp(width, allowed) <= 0;
    arf_clear(width);
    arf_clear(allowed);
    return sharp;
}

static const char *name_method(const search *s)
{
    if (s->zero)
        return "equal sums";
    if (s->split == 0)
        return "superincreasing rows";
    if (!s->core->complete)
        return "lightest rows only";
    return s->split < s->spans.rows ? "meet in the middle below superincreasing rows" : "meet in the middle";
}

static int can_repeat(const search *s, slong bits)
{
    return s->terms->bits < MOST_BITS && ll_terms_cost(s->terms, bits) <= s->effort->left;
}

static ll_status repeat(search *s, slong digits, ll_error *error)
{
    slong bits = FIRST_BITS;
    for (;;) {
        slong wanted = 2 * bits;
        ll_effort_spend(s->effort, ll_terms_cost(s->terms, bits));
        ll_status status = ll_terms_compute(s->terms, bits, error);
        if (status == LL_OK)
            status = pass(s, &wanted, can_repeat(s, wanted), error);
        if (status != LL_OK)
            return status;
        if (s->zero)
            set_zero(&s->core->least);
        int enough = s->zero || !s->exact ||
                     (!s->core->least.open && ll_is_sharp(s->core->least.lower, s->core->least.upper, digits));
        /* Where the rows are too many, or the candidates, more bits change nothing. */
        int hopeless = !s->core->least.open && ((s->met && !s->meet.all) || (s->split > 0 && !s->core->complete));
        if (enough || hopeless || !can_repeat(s, wanted))
            return LL_OK;
        bits = wanted;
    }
}

ll_status ll_core_find(ll_core *core, ll_terms *terms, slong digits, ll_effort *effort, ll_error *error)
{
    search s = {.core = core, .terms = terms, .effort = effort};
    s.exact = terms->scoring->how->kind == LL_KIND_EXACT;
    arf_init(s.lower);
    s.first = calloc((size_t)terms->rows, sizeof *s.first);
    s.second = calloc((size_t)terms->rows, sizeof *s.second);
    ll_status status = ll_spans_init(&s.spans, terms);
    if (status != LL_OK || s.first == NULL || s.second == NULL)
        status = ll_fail(error, LL_MEMORY, "no memory for %ld rows", terms->rows);
    else
        status = repeat(&s, digits, error);
    if (status == LL_OK) {
        core->complete |= s.zero;
        if (s.zero)
            core->reaches = LL_FALSE; /* a threshold is above 0, or > 0 */
        else if (core->reaches == LL_TRUE && !(core->complete && (!s.met || s.meet.all)))
            core->reaches = LL_UNKNOWN;
        core->method = name_method(&s);
        arb_set(core->range, s.spans.below + s.spans.rows);
        arb_set(core->delta, s.spans.spans[0].delta);
    }
    if (s.met)
        ll_closest_clear(&s.meet);
    ll_spans_clear(&s.spans);
    free(s.first);
    free(s.second);
    free(s.rows);
    arf_clear(s.lower);
    return status;
}
