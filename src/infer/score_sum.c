/* From the text of a released score back to the sum of terms: each step of the release is undone as an interval
 * (docs/proofs/score-interval.md has the steps). */
#include "infer/evidence.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = 320 };

static int is_float(const ll_evidence *e)
{
    return e->scoring.resolved.kind != LL_KIND_EXACT;
}

/* x gets `units` units of roundoff of its size more. */
static void add_roundoff(const ll_evidence *e, arb_t x, double units)
{
    if (!is_float(e))
        return;
    mag_t size, part;
    mag_init(size);
    mag_init(part);
    arb_get_mag(size, x);
    mag_set_d(part, units * (1 + 0x1p-10));
    mag_mul_2exp_si(part, part, -(e->scoring.resolved.total.format.fraction_bits + 1));
    mag_mul(size, size, part);
    arb_add_error_mag(x, size);
    mag_clear(size);
    mag_clear(part);
}

static void power_of_ten(arb_t out, long exponent)
{
    arb_set_ui(out, 10);
    arb_pow_ui(out, out, (ulong)labs(exponent), PREC);
    if (exponent < 0)
        arb_inv(out, out, PREC);
}

/* floor(log10 |x|); one more where x is a hair below a power of ten. */
static long leading_digit(const ll_exact *x)
{
    arb_t log, ten;
    arf_t high;
    arb_init(log);
    arb_init(ten);
    arf_init(high);
    ll_exact_get_ball(log, x, 64);
    arb_abs(log, log);
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

/* Exponent of ten of the last decimal that was written; 0 where there is none (hexadecimal). */
static int last_decimal(long *out, const char *text)
{
    const char *point = strchr(text, '.'), *end = text + strcspn(text, "eE");
    if (strpbrk(text, "xX") != NULL)
        return 0;
    *out = point != NULL && point < end ? -(long)(end - point - 1) : 0;
    if (*end != '\0')
        *out += strtol(end + 1, NULL, 10);
    return 1;
}

/* How far the text can be from the number before it was rounded for release: half of the last place, all of it where
 * digits are cut off. An exact score without a stated rounding is as good as its last digit. */
static void rounding_of(const ll_evidence *e, arb_t out, const ll_exact *value, const char *text)
{
    const ll_scorer *s = &e->scoring.scorer;
    long place = 0;
    arb_zero(out);
    if (s->rounding == LL_ROUND_DECIMALS)
        place = -s->places;
    else if (s->rounding == LL_ROUND_DIGITS && ll_exact_sgn(value) != 0)
        place = leading_digit(value) + 1 - s->places;
    else if (s->rounding != LL_ROUND_NONE)
        return;
    if (s->rounding != LL_ROUND_NONE) {
        power_of_ten(out, place);
        if (!s->truncate)
            arb_mul_2exp_si(out, out, -1);
    } else if (!is_float(e)) {
        arb_one(out);
        arb_mul_2exp_si(out, out, -e->scoring.resolved.precision);
        arb_t unit;
        arb_init(unit);
        if (last_decimal(&place, text) && place > -3000 && place < 3000) {
            power_of_ten(unit, place);
            arb_max(out, out, unit, PREC);
        }
        arb_clear(unit);
    }
}

/* A float that was printed: the nearest value of the format, and the text itself. */
static void add_nearest(const ll_evidence *e, arb_t x, const ll_exact *value)
{
    arb_t point;
    arb_init(point);
    if (ll_format_nearest(&e->scoring.resolved.total.format, arb_midref(point), value))
        arb_union(x, x, point, PREC);
    arb_clear(point);
}

/* A root is not negative, though noise may take the released number below 0. */
static void keep_nonnegative(arb_t x)
{
    arf_t zero, high;
    if (arb_is_nonnegative(x))
        return;
    arf_init(zero);
    arf_init(high);
    arb_get_ubound_arf(high, x, PREC);
    if (arf_sgn(high) > 0)
        arb_set_interval_arf(x, zero, high, PREC);
    arf_clear(zero);
    arf_clear(high);
}

static void undo_transform(const ll_evidence *e, arb_t x)
{
    switch (e->scoring.scorer.transform) {
    case LL_NEGATE:
        arb_neg(x, x);
        break;
    case LL_PERCENT:
        arb_div_ui(x, x, 100, PREC);
        add_roundoff(e, x, 2);
        break;
    case LL_ROOT:
        keep_nonnegative(x);
        arb_mul(x, x, x, PREC);
        add_roundoff(e, x, 4);
        break;
    default:
        break;
    }
}

/* An lp score is the P-th root of the sum: off by (2L + 2(|ln sum| + 1)/P) u before it is raised. The ends are raised
 * each by itself, since a sum is never negative and a ball may be. */
static void undo_root(const ll_evidence *e, arb_t x)
{
    arb_t p, end;
    arf_t ends[2];
    arb_init(p);
    arb_init(end);
    ll_exact_get_ball(p, ll_loss_parameter(e->scoring.resolved.loss), PREC);
    add_roundoff(e, x, 2 * e->scoring.resolved.log_ulps + 2 * (750 + 1) / arf_get_d(arb_midref(p), ARF_RND_DOWN));
    for (int i = 0; i < 2; i++) {
        arf_init(ends[i]);
        if (i == 0)
            arb_get_lbound_arf(ends[i], x, PREC);
        else
            arb_get_ubound_arf(ends[i], x, PREC);
        arb_zero(end);
        if (arf_sgn(ends[i]) > 0) {
            arb_set_arf(end, ends[i]);
            arb_pow(end, end, p, PREC);
        }
        if (i == 0)
            arb_get_lbound_arf(ends[i], end, PREC);
        else
            arb_get_ubound_arf(ends[i], end, PREC);
    }
    arb_set_interval_arf(x, ends[0], ends[1], PREC);
    add_roundoff(e, x, 2);
    arf_clear(ends[0]);
    arf_clear(ends[1]);
    arb_clear(end);
    arb_clear(p);
}

static void undo_mean(const ll_evidence *e, arb_t x)
{
    if (ll_loss_is_sum(e->scoring.resolved.loss)) {
        undo_root(e, x);
        return;
    }
    arb_mul_si(x, x, e->rows, PREC);
    add_roundoff(e, x, 2.5); /* one division; where N is no float, N is rounded too */
    if (!is_float(e))
        return;
    mag_t least; /* a mean that underflows */
    mag_init(least);
    mag_set_ui(least, (ulong)e->rows);
    long bits = e->scoring.resolved.total.format.exponent_bits;
    long bias = bits < 40 ? (1L << (bits - 1)) - 1 : 1L << 40;
    mag_mul_2exp_si(least, least, -bias - e->scoring.resolved.total.format.fraction_bits);
    arb_add_error_mag(x, least);
    mag_clear(least);
}

/* score becomes the sum; noise is what the release alone makes of its radius. LL_DOMAIN: a root below 0. */
static ll_status undo_release(const ll_evidence *e, arb_t x, arb_t noise, const ll_exact *value, const char *text)
{
    arb_t part;
    arb_init(part);
    rounding_of(e, noise, value, text);
    if (e->scoring.scorer.noise == LL_NOISE_BOUNDED) {
        ll_exact_get_ball(part, &e->scoring.resolved.noise, PREC);
        arb_add(noise, noise, part, PREC);
    }
    if (is_float(e) && e->scoring.scorer.rounding == LL_ROUND_NONE)
        add_nearest(e, x, value);
    arb_add_error(x, noise);
    if (e->scoring.scorer.rounding != LL_ROUND_NONE || e->scoring.scorer.noise != LL_NOISE_NONE)
        add_roundoff(e, x, 6);
    int impossible = e->scoring.scorer.transform == LL_ROOT && arb_is_negative(x);
    undo_transform(e, x);
    undo_mean(e, x);
    arb_mul_si(noise, noise, e->rows, 64);
    if (e->scoring.scorer.transform == LL_PERCENT)
        arb_div_ui(noise, noise, 100, 64);
    arb_clear(part);
    return impossible ? LL_DOMAIN : LL_OK;
}

ll_status ll_evidence_read_score(const ll_evidence *e, arb_t sum, arb_t noise, const char *text, ll_error *error)
{
    ll_exact value;
    ll_exact_init(&value);
    ll_status status = ll_exact_set_text(&value, text, strlen(text));
    if (status == LL_OK && (fmpz_bits(value.two) > 20 || fmpz_bits(value.five) > 20))
        status = LL_DOMAIN;
    if (status == LL_OK) {
        ll_exact_get_ball(sum, &value, PREC + e->scoring.resolved.precision);
        status = undo_release(e, sum, noise, &value, text);
    }
    ll_exact_clear(&value);
    if (status != LL_OK)
        return ll_fail(error, LL_DOMAIN, "the score '%.40s' is not a finite number%s", text,
                       e->scoring.scorer.transform == LL_ROOT ? " that is a root" : "");
    return LL_OK;
}
