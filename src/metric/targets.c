/* The grid in whole numbers: both LO and STEP are decimals, so a common power of 2 and 5 makes them integers. */
#include "metric/targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_EXPONENT = 400, PARTS = 3 };

static void set_power(fmpz_t out, ulong base, slong exponent)
{
    fmpz_set_ui(out, base);
    fmpz_pow_ui(out, out, (ulong)exponent);
}

static ll_status refuse(const char *text, const char *why, ll_error *error)
{
    return ll_fail(error, LL_DOMAIN, "targets %.80s: %s; give LO:HI:STEP, 0:9:1 for the numbers 0, 1, ..., 9", text,
                   why);
}

static int is_short(const ll_exact *x)
{
    return fmpz_bits(x->mantissa) < 2048 && fmpz_cmp_si(x->two, -LONGEST_EXPONENT) >= 0 &&
           fmpz_cmp_si(x->two, LONGEST_EXPONENT) <= 0 && fmpz_cmp_si(x->five, -LONGEST_EXPONENT) >= 0 &&
           fmpz_cmp_si(x->five, LONGEST_EXPONENT) <= 0;
}

/* The three numbers of the text; 0 where it is not of that form. */
static int read_parts(ll_exact *parts, const char *text)
{
    for (int i = 0; i < PARTS; i++) {
        size_t length = strcspn(text, ":");
        if (length == 0 || ll_exact_set_text(&parts[i], text, length) != LL_OK || !is_short(&parts[i]))
            return 0;
        if (text[length] != (i + 1 < PARTS ? ':' : '\0'))
            return 0;
        text += length + 1;
    }
    return 1;
}

/* x in units of 2^two 5^five, which divide it. */
static void set_units(fmpz_t out, const ll_exact *x, slong two, slong five)
{
    fmpz_t power;
    fmpz_init(power);
    set_power(power, 5, fmpz_get_si(x->five) - five);
    fmpz_mul(out, x->mantissa, power);
    fmpz_mul_2exp(out, out, (ulong)(fmpz_get_si(x->two) - two));
    fmpz_clear(power);
}

static slong least_exponent(slong least, const fmpz_t exponent)
{
    return fmpz_get_si(exponent) < least ? fmpz_get_si(exponent) : least;
}

/* count from HI, in the units that are set. */
static ll_status set_count(ll_targets *out, const fmpz_t high, const char *text, ll_error *error)
{
    fmpz_t steps, rest;
    fmpz_init(steps);
    fmpz_init(rest);
    ll_status status = LL_OK;
    fmpz_sub(steps, high, out->low);
    if (fmpz_sgn(out->step) <= 0)
        status = refuse(text, "STEP is not above 0", error);
    else if (fmpz_sgn(steps) <= 0)
        status = refuse(text, "HI is not above LO", error);
    else {
        fmpz_tdiv_qr(steps, rest, steps, out->step);
        if (!fmpz_is_zero(rest))
            status = refuse(text, "HI is not LO and a whole number of steps", error);
        else if (fmpz_cmp_si(steps, LL_TARGETS_MOST - 1) >= 0)
            status =
                ll_fail(error, LL_DOMAIN,
                        "targets %.80s: more than 2147483647 values are not modelled, which does not make them safe; "
                        "what still holds: a larger STEP shows no more labels than this grid has, and a release by "
                        "levels is proved for every metric (defend, better lower)",
                        text);
        else
            out->count = fmpz_get_si(steps) + 1;
    }
    fmpz_clear(steps);
    fmpz_clear(rest);
    return status;
}

ll_status ll_targets_init(ll_targets *out, const char *text, ll_error *error)
{
    ll_exact parts[PARTS];
    fmpz_t high;
    fmpz_init(high);
    for (int i = 0; i < PARTS; i++)
        ll_exact_init(&parts[i]);
    memset(out, 0, sizeof *out); /* zeros are initialised */
    ll_status status = read_parts(parts, text) ? LL_OK : refuse(text, "not three numbers", error);
    if (status == LL_OK) {
        for (int i = 0; i < PARTS; i++) {
            out->two = least_exponent(out->two, parts[i].two);
            out->five = least_exponent(out->five, parts[i].five);
        }
        set_units(out->low, &parts[0], out->two, out->five);
        set_units(high, &parts[1], out->two, out->five);
        set_units(out->step, &parts[2], out->two, out->five);
        status = set_count(out, high, text, error);
    }
    for (int i = 0; i < PARTS; i++)
        ll_exact_clear(&parts[i]);
    fmpz_clear(high);
    if (status != LL_OK)
        ll_targets_clear(out);
    return status;
}

void ll_targets_clear(ll_targets *targets)
{
    fmpz_clear(targets->low);
    fmpz_clear(targets->step);
    memset(targets, 0, sizeof *targets);
}

static void value_of(const ll_targets *targets, fmpz_t out, long label)
{
    fmpz_set(out, targets->low);
    fmpz_addmul_ui(out, targets->step, (ulong)label);
}

void ll_targets_get(const ll_targets *targets, ll_exact *out, long label)
{
    value_of(targets, out->mantissa, label);
    fmpz_set_si(out->two, targets->two);
    fmpz_set_si(out->five, targets->five);
    ll_exact_reduce(out);
}

/* m 2^-a 5^-b = m 2^(d-a) 5^(d-b) 10^-d, d the larger of a and b. */
void ll_targets_write(const ll_targets *targets, char *text, size_t size, long label)
{
    slong decimals = targets->two < targets->five ? -targets->two : -targets->five;
    fmpz_t value, power;
    fmpz_init(value);
    fmpz_init(power);
    value_of(targets, value, label);
    fmpz_mul_2exp(value, value, (ulong)(decimals + targets->two));
    set_power(power, 5, decimals + targets->five);
    fmpz_mul(value, value, power);
    while (decimals > 0 && fmpz_divisible_si(value, 10)) {
        fmpz_divexact_ui(value, value, 10);
        decimals--;
    }
    set_power(power, 10, decimals);
    const char *sign = fmpz_sgn(value) < 0 ? "-" : "";
    fmpz_abs(value, value);
    fmpz_tdiv_qr(power, value, value, power);
    char *whole = fmpz_get_str(NULL, 10, power), *rest = fmpz_get_str(NULL, 10, value);
    char zeros[LONGEST_EXPONENT + 1] = "";
    for (slong i = 0; i + (slong)strlen(rest) < decimals; i++)
        zeros[i] = '0';
    (void)snprintf(text, size, "%s%s%s%s%s", sign, whole, decimals > 0 ? "." : "", decimals > 0 ? zeros : "",
                   decimals > 0 ? rest : "");
    flint_free(whole);
    flint_free(rest);
    fmpz_clear(value);
    fmpz_clear(power);
}
