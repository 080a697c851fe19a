/* From a text back to the program's number: each step is undone as an interval (docs/proofs/release.md). */
#include "number/text_number.h"
#include "release/release_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG2_TEN 3.3219280948873623

/* Bits of surprise at which one text is taken as shortened: of a float that is alone; where nothing longer was seen,
 * and where it was. */
enum { SHORT_FLOAT = 1, SHORT_ALONE = 10, SHORT_AMONG_LONG = 20, FEW_BITS = 20 };
enum { TOO_SURPRISING = 20 }; /* bits of surprise at which a description is contradicted */

/* ---- digits of a text ---- */

#define FAR (1L << 40) /* places: no text has so many */

typedef struct {
    int is_decimal;   /* hexadecimal text has no decimals */
    long last;        /* exponent of ten of the last digit */
    long significant; /* digits from the first that is not 0 to the last; 1 for 0 */
} digits;

static digits digits_of(const char *text)
{
    digits d = {.is_decimal = strpbrk(text, "xX") == NULL};
    const char *end = text + strcspn(text, "eE"), *point = memchr(text, '.', (size_t)(end - text));
    d.last = point != NULL ? -(long)(end - point - 1) : 0;
    for (const char *c = text; c < end; c++)
        if (*c >= '0' && *c <= '9')
            d.significant += d.significant > 0 || *c != '0';
    d.significant += d.significant == 0;
    long exponent = *end != '\0' ? strtol(end + 1, NULL, 10) : 0; /* of a stranger: any length */
    d.last += exponent < -FAR ? -FAR : exponent > FAR ? FAR : exponent;
    return d;
}

void ll_release_count_places(const char *text, long *decimals, long *significant)
{
    digits d = digits_of(text);
    *decimals = !d.is_decimal ? 1L << 30 : d.last < 0 ? -d.last : 0;
    *significant = !d.is_decimal ? 1L << 30 : d.significant;
}

/* ---- promises ---- */

/* Places that a text of this release has, in the sense of `places_of`: decimals, or significant digits. */
static double promised(const ll_release *r)
{
    if (r->rounding != LL_ROUND_NONE)
        return r->places;
    return r->is_float ? (double)(ll_release_text_format(r).fraction_bits + 1) / LOG2_TEN
                       : (double)ll_text_exact_decimals(r);
}

static int counts_decimals(const ll_release *r)
{
    return r->rounding == LL_ROUND_DECIMALS || (r->rounding == LL_ROUND_NONE && !r->is_float);
}

static long places_of(const ll_release *r, const digits *d)
{
    return !d->is_decimal ? 1L << 30 : counts_decimals(r) ? (d->last < 0 ? -d->last : 0) : d->significant;
}

/* log2 of how many numbers a text can be: any that the release has, or fewer for what was submitted. */
static double value_bits(const ll_release *r, double submitted)
{
    return submitted > 0 ? fmin(r->value_bits, submitted) : r->value_bits;
}

/* -log2 of the chance that a text of one of 2^values numbers of this release has at most so many places: each one less
 * is one in ten, and no more than the numbers themselves can tell. Values of short formats have short texts anyway. */
static double surprise(const ll_release *r, double values, long places)
{
    double most = fmin(promised(r) * LOG2_TEN, values);
    if (r->is_float) {
        double bits = (double)ll_release_text_format(r).fraction_bits + 1;
        most = bits < FEW_BITS ? 0 : fmin(most, bits);
    }
    return fmax(0, most - (double)places * LOG2_TEN);
}

/* Bits of surprise with which a text is believed that no longer one vouches for. A float that is written out whole has
 * the digits of its format, a double 16 or 17, but for one in ten: cutting to 15 is not known from that, so it is not
 * believed. */
static double believed_alone(const ll_release *r, double values)
{
    int is_count = isfinite(values); /* such numbers have short texts of their own */
    return r->rounding == LL_ROUND_NONE && r->is_float && !is_count ? SHORT_FLOAT : SHORT_ALONE;
}

void ll_release_note(const ll_release *r, ll_release_texts *texts, const char *text)
{
    digits d = digits_of(text);
    long places = places_of(r, &d);
    uint64_t hash = 1469598103934665603U;
    if (ll_release_has_levels(r)) {
        ll_release_note_level(r, texts, text);
        return;
    }
    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211U;
    for (long i = 0; i < texts->count && i < LL_RELEASE_TEXTS; i++)
        if (texts->hashes[i] == hash)
            return; /* the same labels again, and no surprise */
    if (texts->count < LL_RELEASE_TEXTS)
        texts->hashes[texts->count] = hash;
    if (texts->count == 0 || texts->next_bits <= 0 || (texts->most_bits > 0 && texts->next_bits > texts->most_bits))
        texts->most_bits = texts->next_bits;
    texts->most = texts->count == 0 || places > texts->most ? places : texts->most;
    texts->count++;
}

/* -log2 of the chance that so many texts of this release have so few places, where they were not read as shortened:
 * large where it was described with more digits than it has. */
static double all_surprise(const ll_release *r, const ll_release_texts *texts)
{
    double values = value_bits(r, texts->most_bits);
    double each = texts->count == 0 ? 0 : surprise(r, values, texts->most);
    if (each > believed_alone(r, values))
        return 0; /* every one of them was widened */
    return (double)texts->count * each;
}

/* Texts of one release are written alike: one that is long enough vouches for the others, up to a point. */
static int is_shortened(const ll_release *r, long places, const ll_release_texts *seen)
{
    double before = value_bits(r, seen != NULL ? seen->most_bits : 0);
    double values = value_bits(r, seen != NULL ? seen->next_bits : 0);
    int vouched = seen != NULL && seen->count > 0 && surprise(r, before, seen->most) <= believed_alone(r, before);
    return surprise(r, values, places) > (vouched ? SHORT_AMONG_LONG : believed_alone(r, values));
}

/* What the description promises and what the texts have: a sentence. */
static void say_surprise(const ll_release *r, const ll_release_texts *texts, char *text, size_t size)
{
    const char *what = counts_decimals(r) ? "decimals" : "digits";
    (void)ll_print(text, size, "no score has more than %ld %s, where the description promises %.0f; %s %ld would fit",
                   texts->most, what, floor(promised(r)), what, texts->most);
}

ll_status ll_release_check_texts(const ll_release *r, const ll_release_texts *texts, ll_error *error)
{
    char text[200];
    if (all_surprise(r, texts) <= TOO_SURPRISING)
        return LL_OK;
    say_surprise(r, texts, text, sizeof text);
    return ll_fail(error, LL_DOMAIN, "%s: the scores were shortened, and no label is certain under this description",
                   text);
}

/* ---- the text ---- */

/* The sign that a number has whose text is cut to 0; 0: not known. */
static int sign_at_zero(const ll_release *r)
{
    if (!r->is_nonnegative || r->noise != NULL || !ll_release_keeps_sign(r))
        return 0;
    return ll_release_scale(r) < 0 ? -1 : 1;
}

/* x becomes [x, x + width], away from 0; at 0 both sides, where the sign is not known. */
static void uncut(const ll_release *r, arb_t x, const arb_t width, slong prec)
{
    arb_t half;
    int sign = arb_is_positive(x) ? 1 : arb_is_negative(x) ? -1 : sign_at_zero(r);
    arb_init(half);
    if (sign == 0) {
        arb_add_error(x, width);
    } else {
        arb_mul_2exp_si(half, width, -1);
        if (sign > 0)
            arb_add(x, x, half, prec);
        else
            arb_sub(x, x, half, prec);
        arb_add_error(x, half);
    }
    arb_clear(half);
}

/* Rounded, or cut, to a multiple of 10^place. */
static void unround(const ll_release *r, arb_t x, long place, slong prec)
{
    arb_t unit;
    arb_init(unit);
    ll_release_power_of_ten(unit, place, prec);
    if (r->truncate) {
        uncut(r, x, unit, prec);
    } else {
        arb_mul_2exp_si(unit, unit, -1);
        arb_add_error(x, unit);
    }
    arb_clear(unit);
}

/* All of the last digit that was written, whether it was rounded or cut. */
static void add_last_digit(arb_t x, const digits *d, slong prec)
{
    arb_t unit;
    arb_init(unit);
    if (d->is_decimal && d->last > -100000 && d->last < 100000) {
        ll_release_power_of_ten(unit, d->last, prec);
        arb_add_error(x, unit);
    }
    arb_clear(unit);
}

/* A number that was released as it is: a float reads back as itself, an exact one is good to 2^-precision. */
static void read_whole(const ll_release *r, arb_t x, const ll_exact *value, const digits *d, slong prec)
{
    ll_format format = ll_release_text_format(r);
    if (r->is_float) {
        if (ll_format_nearest(&format, arb_midref(x), value))
            mag_zero(arb_radref(x));
        return;
    }
    arb_add_error_2exp_si(x, -r->precision);
    if (places_of(r, d) < ll_text_exact_decimals(r))
        add_last_digit(x, d, prec);
}

static void read_rounded(const ll_release *r, arb_t x, ll_allowance allowance, slong prec)
{
    if (r->rounding == LL_ROUND_DIGITS && !arb_is_zero(x))
        unround(r, x, ll_release_leading_digit(x) + 1 - r->places, prec);
    else if (r->rounding == LL_ROUND_DECIMALS)
        unround(r, x, -(long)r->places, prec);
    if (allowance == LL_STATED_AND_OWN)
        ll_release_add_roundoff(r, x, 1); /* the product by which decimals are found */
}

ll_status ll_release_read(const ll_release *r, arb_t out, const char *text, const ll_release_texts *seen,
                          ll_allowance allowance, slong prec, ll_error *error)
{
    ll_exact value;
    if (ll_release_has_levels(r))
        return ll_release_read_level(r, out, text, seen, prec, error);
    ll_exact_init(&value);
    ll_status status = ll_exact_set_text(&value, text, strlen(text));
    if (status == LL_OK && (fmpz_bits(value.two) > 40 || fmpz_bits(value.five) > 40))
        status = LL_DOMAIN;
    if (status == LL_OK) {
        digits d = digits_of(text);
        ll_exact_get_ball(out, &value, prec);
        if (r->rounding == LL_ROUND_NONE)
            read_whole(r, out, &value, &d, prec);
        else
            read_rounded(r, out, allowance, prec);
        if (is_shortened(r, places_of(r, &d), seen))
            add_last_digit(out, &d, prec);
    }
    ll_exact_clear(&value);
    if (status != LL_OK)
        return ll_fail(error, LL_DOMAIN, "the score '%.40s' is not a finite number that can be computed with", text);
    return LL_OK;
}

/* ---- noise and steps ---- */

/* The product of size and draw is two roundings of the noise, the sum one of the number. */
static void undo_noise(const ll_release *r, arb_t x, double bound, ll_allowance allowance, slong prec)
{
    arb_t size;
    if (r->noise == NULL || (ll_law_is_random(r->noise) && bound <= 0))
        return;
    arb_init(size);
    if (ll_law_is_random(r->noise))
        arb_set_d(size, bound);
    else
        ll_exact_get_ball(size, &r->noise_size, prec);
    if (allowance == LL_STATED_AND_OWN) {
        ll_release_add_roundoff(r, size, 2);
        ll_release_add_roundoff(r, x, 1);
    }
    arb_add_error(x, size);
    arb_clear(size);
}

static int undo_step(const ll_release *r, arb_t x, const ll_transform_step *step, ll_allowance allowance, slong prec)
{
    if (!step->row->is_exact && allowance == LL_STATED_AND_OWN)
        ll_release_add_roundoff(r, x, 1);
    return step->row->back(x, &step->own, prec);
}

ll_status ll_release_undo(const ll_release *r, arb_t x, double bound, ll_allowance allowance, slong prec)
{
    int possible = 1;
    undo_noise(r, x, bound, allowance, prec);
    for (int i = r->step_count - 1; i >= 0 && arb_is_finite(x); i--)
        possible &= undo_step(r, x, &r->steps[i], allowance, prec);
    return possible ? LL_OK : LL_DOMAIN;
}
