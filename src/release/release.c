/* What is to be known of a release. */
#include "release/release_private.h"

#include "number/roundoff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ll_release_init(ll_release *r)
{
    memset(r, 0, sizeof *r); /* zeros are initialised exact numbers */
    r->format = (ll_format){11, 52};
    r->precision = 64;
    r->value_bits = (double)INFINITY;
}

void ll_release_clear(ll_release *r)
{
    for (int i = 0; i < LL_RELEASE_STEPS; i++)
        ll_exact_clear(&r->steps[i].own);
    ll_exact_clear(&r->noise_size);
    ll_exact_clear(&r->ladder);
    ll_levels_clear(&r->levels);
    ll_release_init(r);
}

int ll_release_is_bounded(const ll_release *r)
{
    return !ll_law_is_random(r->noise);
}

int ll_release_has_no_noise(const ll_release *r)
{
    return r->noise == NULL;
}

int ll_release_has_any_law(const ll_release *r)
{
    return r->noise != NULL && !r->noise->is_random;
}

int ll_release_is_history(const ll_release *r)
{
    return r->has_ladder;
}

int ll_release_is_linear(const ll_release *r)
{
    for (int i = 0; i < r->step_count; i++)
        if (!ll_transform_step_is_linear(&r->steps[i]))
            return 0;
    return 1;
}

int ll_release_is_power(const ll_release *r)
{
    for (int i = 0; i < r->step_count; i++)
        if (r->steps[i].row->power == 0)
            return 0;
    return 1;
}

const char *ll_release_needs_sign(const ll_release *r)
{
    for (int i = 0; i < r->step_count; i++)
        if (r->steps[i].row->needs_sign)
            return r->steps[i].row->name;
    return NULL;
}

int ll_release_keeps_sign(const ll_release *r)
{
    for (int i = 0; i < r->step_count; i++)
        if (r->steps[i].row->shifts || r->steps[i].row->power == 0)
            return 0;
    return 1;
}

int ll_release_is_relative(const ll_release *r)
{
    return !ll_release_is_linear(r) || r->rounding == LL_ROUND_DIGITS;
}

int ll_release_is_rounded(const ll_release *r)
{
    return r->rounding != LL_ROUND_NONE;
}

int ll_release_is_better_high(const ll_release *r)
{
    int high = r->is_gain;
    for (int i = 0; i < r->step_count; i++)
        high ^= ll_transform_step_turns(&r->steps[i]);
    return high;
}

double ll_release_scale(const ll_release *r)
{
    double scale = 1;
    for (int i = 0; i < r->step_count; i++)
        scale *= r->steps[i].row->scales ? ll_exact_get_d(&r->steps[i].own) : 1;
    return scale;
}

void ll_release_get_scale(const ll_release *r, fmpq_t out)
{
    fmpq_t factor;
    fmpq_init(factor);
    fmpq_one(out);
    for (int i = 0; i < r->step_count; i++)
        if (r->steps[i].row->scales && ll_exact_get_fmpq(factor, &r->steps[i].own)) /* a factor of a step is short */
            fmpq_mul(out, out, factor);
    fmpq_clear(factor);
}

/* Is what the steps make of 0 a multiple of the grid, so that the grid stays where it is? */
static int is_on_grid(const ll_release *r)
{
    fmpq_t zero, own;
    fmpz_t ten;
    fmpq_init(zero);
    fmpq_init(own);
    fmpz_init_set_ui(ten, 10);
    for (int i = 0; i < r->step_count; i++)
        if (ll_exact_get_fmpq(own, &r->steps[i].own))
            (r->steps[i].row->shifts ? fmpq_add : fmpq_mul)(zero, zero, own);
    fmpz_pow_ui(ten, ten, (ulong)r->places);
    fmpq_mul_fmpz(zero, zero, ten);
    int is_multiple = fmpz_is_one(fmpq_denref(zero)) && (!r->truncate || fmpq_is_zero(zero));
    fmpz_clear(ten);
    fmpq_clear(own);
    fmpq_clear(zero);
    return is_multiple;
}

double ll_release_grid(const ll_release *r, double *boundary)
{
    *boundary = r->truncate ? 0 : 0.5;
    if (r->rounding != LL_ROUND_DECIMALS || !ll_release_is_linear(r) || (!ll_release_keeps_sign(r) && !is_on_grid(r)))
        return 0;
    return pow(10, -r->places) / fabs(ll_release_scale(r));
}

void ll_release_get_noise(const ll_release *r, ll_exact *out, double bound)
{
    if (ll_release_has_any_law(r))
        ll_exact_set(out, &r->noise_size);
    else
        ll_exact_set_d(out, bound);
}

int ll_release_follows_spread(const ll_release *r)
{
    return r->noise != NULL && r->noise->of_spread != NULL;
}

const ll_law *ll_release_law(const ll_release *r, double *size, double spread)
{
    *size = 0;
    if (!ll_law_is_random(r->noise))
        return NULL;
    *size = ll_exact_get_d(&r->noise_size);
    if (ll_release_follows_spread(r)) {
        *size *= spread;
        return r->noise->of_spread;
    }
    *size /= fabs(ll_release_scale(r));
    return r->noise;
}

ll_format ll_release_text_format(const ll_release *r)
{
    return r->is_native && r->noise != NULL ? (ll_format){11, 52} : r->format;
}

void ll_release_add_roundoff(const ll_release *r, arb_t x, double units)
{
    if (r->is_float)
        ll_roundoff_add(x, &r->format, units);
}

void ll_release_power_of_ten(arb_t out, long exponent, slong prec)
{
    arb_set_ui(out, 10);
    arb_pow_ui(out, out, (ulong)labs(exponent), prec);
    if (exponent < 0)
        arb_inv(out, out, prec);
}

long ll_release_leading_digit(const arb_t x)
{
    arb_t log, ten;
    arf_t high;
    arb_init(log);
    arb_init(ten);
    arf_init(high);
    arb_abs(log, x);
    arb_get_ubound_arf(high, log, 64);
    arb_set_arf(log, high);
    arb_log(log, log, 64);
    arb_const_log10(ten, 64);
    arb_div(log, log, ten, 64);
    arb_get_ubound_arf(high, log, 64);
    long digit = arf_get_si(high, ARF_RND_FLOOR);
    arf_clear(high);
    arb_clear(ten);
    arb_clear(log);
    return digit;
}
