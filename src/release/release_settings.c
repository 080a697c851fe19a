/* A release from the texts of its settings. */
#include "release/release.h"

#include "number/refuse.h"
#include "number/whole.h"
#include "release/laws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PLACES = 1000000 };

typedef struct {
    const char *name;
    int value;
} named;

static const char no_noise[] = "none";
static const named draws[] = {{"uniform", LL_DRAW_UNIFORM}, {"plus", LL_DRAW_PLUS}, {"minus", LL_DRAW_MINUS}};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The value of the word, or -1. */
static int find(const named *names, size_t count, const char *word, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i].name) == length && memcmp(names[i].name, word, length) == 0)
            return names[i].value;
    return -1;
}

static const char *name_of(const named *names, size_t count, long index)
{
    return index >= 0 && (size_t)index < count ? names[index].name : NULL;
}

const char *ll_release_step_name(long index)
{
    return ll_transform_get(index) != NULL ? ll_transform_get(index)->example : NULL;
}

const char *ll_release_law_name(long index)
{
    return index == 0 ? no_noise : ll_law_get(index - 1) != NULL ? ll_law_get(index - 1)->name : NULL;
}

const char *ll_release_draw_name(long index)
{
    return name_of(draws, COUNT(draws), index);
}

static const ll_transform *find_step(const char *word, size_t length)
{
    const ll_transform *step = NULL;
    for (long i = 0; (step = ll_transform_get(i)) != NULL; i++)
        if (strlen(step->name) == length && memcmp(step->name, word, length) == 0)
            break;
    return step;
}

/* Numbers of steps within these are short, and no sum or product with them is out of reach. */
static int is_modest(const ll_exact *x)
{
    double size = fabs(ll_exact_get_d(x));
    return size == 0 || (size >= 1e-12 && size <= 1e12);
}

/* NAME, or NAME:NUMBER. */
static ll_status set_step(ll_transform_step *step, const char *text, const char *word, size_t length, ll_error *error)
{
    size_t name = strcspn(word, ":,");
    const ll_transform *row = find_step(word, name);
    if (row == NULL)
        return ll_refuse(error, "transform", text, "no such name",
                         "identity, or " LL_TRANSFORM_FORMS "separated by commas");
    step->row = row;
    ll_exact_set_si(&step->own, row->fixed);
    if (row->parameter == NULL)
        return name == length ? LL_OK : ll_refuse(error, "transform", text, "this step takes no number", row->name);
    int is_number = name < length && ll_exact_set_text(&step->own, word + name + 1, length - name - 1) == LL_OK;
    if (!is_number || (ll_exact_sgn(&step->own) == 0 && !row->may_be_zero))
        return ll_refuse(error, "transform", text, "a step needs its number", row->parameter);
    if (!is_modest(&step->own))
        return ll_refuse(error, "transform", text, "too small or too large", "numbers between 1e-12 and 1e12 in size");
    return LL_OK;
}

ll_status ll_release_set_transform(ll_release *r, const char *text, ll_error *error)
{
    r->step_count = 0;
    if (strcmp(text, "identity") == 0)
        return LL_OK;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (r->step_count == LL_RELEASE_STEPS)
            return ll_refuse(error, "transform", text, "too many steps", "up to four of them");
        ll_status status = set_step(&r->steps[r->step_count], text, at, length, error);
        if (status != LL_OK)
            return status;
        r->step_count++;
        at += length;
        if (*at == '\0')
            return LL_OK;
    }
}

static int read_positive(ll_exact *out, const char *text, size_t length)
{
    return ll_exact_set_text(out, text, length) == LL_OK && ll_exact_sgn(out) > 0;
}

static ll_status fail_noise(const char *text, const char *why, ll_error *error)
{
    char accepted[sizeof LL_LAW_FORMS + 8];
    (void)snprintf(accepted, sizeof accepted, "%.*s or %s", (int)strlen(LL_LAW_FORMS) - 2, LL_LAW_FORMS, no_noise);
    return ll_refuse(error, "noise", text, why, accepted);
}

/* A size that no double holds, or whose quantiles none holds, is not computed with. */
static int is_moderate(const ll_exact *size)
{
    double near = ll_exact_get_d(size);
    return near <= 1e150 && near >= 1e-150;
}

ll_status ll_release_set_noise(ll_release *r, const char *text, ll_error *error)
{
    size_t name = strcspn(text, ":");
    const ll_law *law = ll_law_find(text, name);
    if (law == NULL && (name != strlen(no_noise) || strncmp(text, no_noise, name) != 0))
        return fail_noise(text, "no such kind of noise", error);
    if ((law == NULL) == (text[name] == ':'))
        return fail_noise(text, law != NULL ? "its size is missing" : "none has no size", error);
    r->noise = law;
    r->draw = LL_DRAW_UNIFORM;
    if (law == NULL)
        return LL_OK;
    const char *size = text + name + 1, *comma = size + strcspn(size, ",");
    int draw = *comma ? find(draws, COUNT(draws), comma + 1, strlen(comma + 1)) : LL_DRAW_UNIFORM;
    if (draw < 0 || (*comma && law->is_random))
        return fail_noise(text, "bad suffix after the comma", error);
    r->draw = (ll_draw)draw;
    if (!read_positive(&r->noise_size, size, (size_t)(comma - size)))
        return fail_noise(text, "its size is not a number above 0", error);
    if (ll_law_is_random(r->noise) && !is_moderate(&r->noise_size))
        return fail_noise(text, "its size is not between 1e-150 and 1e150", error);
    return LL_OK;
}

static ll_status set_places(ll_release *r, ll_rounding rounding, const char *name, const char *text, long low,
                            ll_error *error)
{
    char accepted[80];
    long places;
    ll_whole whole = ll_whole_read(&places, text);
    (void)snprintf(accepted, sizeof accepted, "a whole number from %ld to %d", low, (int)MOST_PLACES);
    if (whole == LL_WHOLE_NOT)
        return ll_refuse(error, name, text, "not a whole number", accepted);
    if (whole == LL_WHOLE_BEYOND || places < low || places > MOST_PLACES)
        return ll_refuse(error, name, text, "out of range", accepted);
    r->rounding = rounding;
    r->places = (int)places;
    return LL_OK;
}

ll_status ll_release_set_decimals(ll_release *r, const char *text, ll_error *error)
{
    return set_places(r, LL_ROUND_DECIMALS, "decimals", text, 0, error);
}

ll_status ll_release_set_digits(ll_release *r, const char *text, ll_error *error)
{
    return set_places(r, LL_ROUND_DIGITS, "digits", text, 1, error);
}

/* Sizes of noise that are computed with: 2^-MOST_TWOS .. 2^MOST_TWOS. */
enum { MOST_TWOS = (1 << 26) - 64 };

static ll_status check_size(const ll_release *r, ll_error *error)
{
    arb_t size;
    arb_init(size);
    ll_exact_get_ball(size, &r->noise_size, 64);
    int small = arf_cmpabs_2exp_si(arb_midref(size), -MOST_TWOS) < 0;
    int large = arf_cmpabs_2exp_si(arb_midref(size), MOST_TWOS) > 0;
    arb_clear(size);
    if (!small && !large)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "noise: its size is too %s to compute with", small ? "small" : "large");
}

/* Scores are not negative (log-plus: but for 1e-7 or so); negated once, they have no root, and shifted perhaps none. */
static int has_root_of_negated(const ll_release *r)
{
    int negated = 0, shifted = 0;
    for (int i = 0; i < r->step_count; i++) {
        if (r->steps[i].row->needs_sign && (negated || shifted))
            return 1;
        negated ^= ll_transform_step_turns(&r->steps[i]);
        shifted |= r->steps[i].row->shifts || r->steps[i].row->power == 0;
    }
    return 0;
}

/* A program's own number is one of its arithmetic: then no step but the operation itself rounds. */
ll_status ll_release_check_numbers(const ll_release *r, ll_error *error)
{
    arb_t own;
    ll_status status = LL_OK;
    arb_init(own);
    for (int i = 0; i < r->step_count && status == LL_OK && r->is_float; i++) {
        const ll_transform_step *step = &r->steps[i];
        ll_exact_get_ball(own, &step->own, (slong)r->format.fraction_bits + 1);
        if (step->row->parameter != NULL && !arb_is_exact(own))
            status = ll_fail(error, LL_DOMAIN,
                             "transform %s: %.17g is only the nearest double to that number; in this arithmetic a step "
                             "takes a number with at most %ld bits, such as 1, 0.5 or a hexadecimal one (0x1.8p-4)",
                             step->row->name, ll_exact_get_d(&step->own), (long)r->format.fraction_bits + 1);
    }
    arb_clear(own);
    return status;
}

ll_status ll_release_check(const ll_release *r, ll_error *error)
{
    if (has_root_of_negated(r))
        return ll_fail(error, LL_DOMAIN,
                       "transform: a score that was negated or shifted has no root; take the root first");
    if (r->truncate && r->rounding == LL_ROUND_NONE)
        return ll_fail(error, LL_DOMAIN, "truncate: needs a number of decimals or digits");
    if (r->has_ladder && !ll_release_is_bounded(r))
        return ll_fail(error, LL_DOMAIN, "a Ladder over unbounded noise: no interval can be given for its answers");
    return r->noise == NULL ? LL_OK : check_size(r, error);
}

long ll_release_choose_precision(const ll_release *r)
{
    long places = r->rounding == LL_ROUND_NONE ? 0 : 10L * r->places / 3 + 32; /* 2^(10/3) > 10 */
    long bits = 64;
    if (r->noise != NULL) {
        arb_t size;
        arb_init(size);
        ll_exact_get_ball(size, &r->noise_size, 64);
        const fmpz *exponent = ARF_EXPREF(arb_midref(size)); /* small: ll_release_check */
        if (fmpz_sgn(exponent) < 0)
            bits -= fmpz_get_si(exponent);
        arb_clear(size);
    }
    return bits > places ? bits : places;
}
