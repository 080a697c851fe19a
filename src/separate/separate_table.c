/* Set functions given as tables: monotone? separable? by how much?
 *
 * All values are brought to one unit 2^a 5^b and kept as integers, so that every answer is exact. */
#include "number/budget.h"
#include "number/value.h"
#include "separate/separate_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 24 };

typedef struct {
    long elements, count;
    fmpz *values;
    fmpz_t two, five; /* of the unit */
    uint32_t *order;
} work;

/* ---- one unit ---- */

static void find_unit(work *w, const ll_exact *values)
{
    for (long i = 0; i < w->count; i++) {
        if (fmpz_is_zero(values[i].mantissa))
            continue;
        if (fmpz_cmp(values[i].two, w->two) < 0)
            fmpz_set(w->two, values[i].two);
        if (fmpz_cmp(values[i].five, w->five) < 0)
            fmpz_set(w->five, values[i].five);
    }
}

/* Bits that a value has in the unit, about; -1 where nobody could hold them. */
static double bits_of(const work *w, const ll_exact *x)
{
    fmpz_t two, five;
    fmpz_init(two);
    fmpz_init(five);
    fmpz_sub(two, x->two, w->two);
    fmpz_sub(five, x->five, w->five);
    int fits = fmpz_bits(two) < 40 && fmpz_bits(five) < 40;
    double bits = fits ? (double)fmpz_bits(x->mantissa) + fmpz_get_d(two) + 2.33 * fmpz_get_d(five) : -1;
    fmpz_clear(two);
    fmpz_clear(five);
    return bits;
}

static ll_status check_memory(const work *w, const ll_exact *values, double max_memory, ll_error *error)
{
    double bytes = 0;
    for (long i = 0; i < w->count && bytes <= max_memory; i++) {
        double bits = fmpz_is_zero(values[i].mantissa) ? 0 : bits_of(w, &values[i]);
        bytes += bits < 0 ? max_memory + 1 : 12 + (bits < 62 ? 0 : 24 + bits / 8);
    }
    if (bytes <= max_memory)
        return LL_OK;
    return ll_fail(error, LL_UNABLE, "the %ld values in one unit need more than %.3g bytes of memory", w->count,
                   max_memory);
}

static void set_value(const work *w, fmpz_t out, const ll_exact *x)
{
    fmpz_t power;
    fmpz_init(power);
    fmpz_zero(out);
    if (!fmpz_is_zero(x->mantissa)) {
        fmpz_sub(power, x->five, w->five);
        ulong five = fmpz_get_ui(power);
        fmpz_set_ui(power, 5);
        fmpz_pow_ui(power, power, five);
        fmpz_mul(out, x->mantissa, power);
        fmpz_sub(power, x->two, w->two);
        fmpz_mul_2exp(out, out, fmpz_get_ui(power));
    }
    fmpz_clear(power);
}

/* value * unit / divisor, rounded to nearest or up */
static ll_number get_number(const work *w, const fmpz_t value, const fmpz_t divisor, arf_rnd_t rounding)
{
    ll_exact x;
    arb_t ball;
    arf_t end;
    ll_exact_init(&x);
    arb_init(ball);
    arf_init(end);
    fmpz_set(x.mantissa, value);
    fmpz_set(x.two, w->two);
    fmpz_set(x.five, w->five);
    ll_exact_get_ball(ball, &x, 256);
    arb_div_fmpz(ball, ball, divisor, 256);
    if (rounding == ARF_RND_CEIL)
        arb_get_ubound_arf(end, ball, 256);
    else
        arf_set(end, arb_midref(ball));
    ll_number number = ll_separate_number(end, 17, rounding);
    ll_exact_clear(&x);
    arb_clear(ball);
    arf_clear(end);
    return number;
}

/* ---- questions ---- */

static int by_value(const void *a, const void *b, void *values)
{
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    int order = fmpz_cmp((fmpz *)values + i, (fmpz *)values + j);
    return order != 0 ? order : (i > j) - (i < j);
}

static void find_gap(const work *w, fmpz_t gap, uint32_t pair[2])
{
    fmpz_t x;
    fmpz_init(x);
    for (long n = 0; n < w->count; n++)
        w->order[n] = (uint32_t)n;
    qsort_r(w->order, (size_t)w->count, sizeof *w->order, by_value, w->values);
    for (long n = 1; n < w->count; n++) {
        fmpz_sub(x, w->values + w->order[n], w->values + w->order[n - 1]);
        if (n == 1 || fmpz_cmp(x, gap) < 0) {
            fmpz_set(gap, x);
            pair[0] = w->order[n - 1];
            pair[1] = w->order[n];
        }
    }
    fmpz_clear(x);
}

/* Along every edge "one more element": the least change, and the first decrease. */
static void walk_edges(const work *w, fmpz_t least, ll_table_separation *out)
{
    fmpz_t x;
    int first = 1;
    fmpz_init(x);
    out->monotone = 1;
    for (uint32_t set = 0; set < (uint32_t)w->count; set++)
        for (long j = 0; j < w->elements; j++) {
            uint32_t more = set | (uint32_t)1 << j;
            if (more == set)
                continue;
            fmpz_sub(x, w->values + more, w->values + set);
            if (fmpz_sgn(x) < 0 && out->monotone) {
                out->monotone = 0;
                out->decreasing[0] = set;
                out->decreasing[1] = more;
            }
            if (first || fmpz_cmpabs(x, least) < 0) {
                fmpz_abs(least, x);
                out->marginal_sets[0] = set;
                out->marginal_sets[1] = more;
                first = 0;
            }
        }
    fmpz_clear(x);
}

static int write_numbers(const work *w, ll_table_separation *out, const fmpz_t gap, const fmpz_t least)
{
    fmpz_t divisor, range;
    fmpz_init(divisor);
    fmpz_init(range);
    fmpz_sub(range, w->values + w->order[w->count - 1], w->values + w->order[0]);
    fmpz_one(divisor);
    out->gap = get_number(w, gap, divisor, ARF_RND_NEAR);
    out->marginal = get_number(w, least, divisor, ARF_RND_NEAR);
    out->range = get_number(w, range, divisor, ARF_RND_NEAR);
    fmpz_set_ui(divisor, 2);
    out->largest_noise = get_number(w, gap, divisor, ARF_RND_NEAR);
    fmpz_set_si(divisor, w->count - 1);
    out->pigeonhole = get_number(w, range, divisor, ARF_RND_CEIL);
    fmpz_set_si(divisor, w->elements);
    out->bounded_monotone.value = (double)NAN;
    if (out->monotone)
        out->bounded_monotone = get_number(w, range, divisor, ARF_RND_CEIL);
    fmpz_clear(divisor);
    fmpz_clear(range);
    return out->gap.text && out->marginal.text && out->range.text && out->largest_noise.text && out->pigeonhole.text &&
           (out->bounded_monotone.text || !out->monotone);
}

/* gap * unit >= 2 noise, exactly */
static int is_enough(const work *w, const fmpz_t gap, const ll_exact *noise)
{
    ll_exact x, needed;
    ll_exact_init(&x);
    ll_exact_init(&needed);
    fmpz_set(x.mantissa, gap);
    fmpz_set(x.two, w->two);
    fmpz_set(x.five, w->five);
    ll_exact_set(&needed, noise);
    fmpz_mul_2exp(needed.mantissa, needed.mantissa, 1);
    int enough = fmpz_sgn(gap) > 0 && ll_exact_cmp(&x, &needed) >= 0;
    ll_exact_clear(&x);
    ll_exact_clear(&needed);
    return enough;
}

static ll_status answer(work *w, ll_table_separation *out, const ll_exact *noise, ll_error *error)
{
    ll_table_separation made;
    fmpz_t gap, least;
    fmpz_init(gap);
    fmpz_init(least);
    ll_table_separation_init(&made);
    made.elements = w->elements;
    find_gap(w, gap, made.witness);
    walk_edges(w, least, &made);
    made.separable = is_enough(w, gap, noise);
    int complete = write_numbers(w, &made, gap, least);
    ll_status status = complete ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for the answer");
    if (status == LL_OK) {
        ll_table_separation_clear(out);
        status = ll_value_give(out, &made, sizeof made, error);
    }
    if (status != LL_OK)
        ll_table_separation_clear(&made);
    fmpz_clear(gap);
    fmpz_clear(least);
    return status;
}

static ll_status convert(work *w, const ll_exact *values, double max_memory, ll_error *error)
{
    find_unit(w, values);
    ll_status status = check_memory(w, values, max_memory, error);
    if (status != LL_OK)
        return status;
    w->values = calloc((size_t)w->count, sizeof *w->values);
    w->order = malloc((size_t)w->count * sizeof *w->order);
    if (w->values == NULL || w->order == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld values", w->count);
    for (long i = 0; i < w->count; i++)
        set_value(w, w->values + i, &values[i]);
    return LL_OK;
}

static ll_status read_noise(ll_exact *out, const char *text, ll_error *error)
{
    if (text == NULL || (ll_exact_set_text(out, text, strlen(text)) == LL_OK && ll_exact_sgn(out) > 0))
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "noise '%.60s' is not a number above 0", text);
}

ll_status ll_separate_table(ll_table_separation *out, const ll_exact *values, long count, const char *noise,
                            const ll_budget *budget, ll_error *error)
{
    work w = {.count = count};
    ll_exact tau;
    while (w.elements <= MOST_ELEMENTS && 1L << w.elements < count)
        w.elements++;
    if (count < 2 || w.elements > MOST_ELEMENTS || 1L << w.elements != count)
        return ll_fail(error, LL_DOMAIN, "a set function has 2^N values, N = 1 .. %d, not %ld", MOST_ELEMENTS, count);
    fmpz_init(w.two);
    fmpz_init(w.five);
    ll_exact_init(&tau);
    ll_status status = read_noise(&tau, noise, error);
    if (status == LL_OK)
        status = convert(&w, values, ll_budget_memory(budget), error);
    if (status == LL_OK)
        status = answer(&w, out, &tau, error);
    ll_exact_clear(&tau);
    for (long i = 0; w.values != NULL && i < count; i++)
        fmpz_clear(w.values + i);
    free(w.values);
    free(w.order);
    fmpz_clear(w.two);
    fmpz_clear(w.five);
    return status;
}

void ll_table_separation_clear(ll_table_separation *table)
{
    ll_table_separation *all = ll_value_whole(table, sizeof *all);
    if (all == NULL)
        return;
    char *texts[] = {all->gap.text,   all->largest_noise.text,    all->marginal.text,
                     all->range.text, all->bounded_monotone.text, all->pigeonhole.text};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    ll_value_reset(table);
}
