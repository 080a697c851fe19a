/* A release from the texts of its settings. */
#include "release/release.h"

#include "number/refuse.h"
#include "number/whole.h"

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
    return ll_transform_get(index) != NULL ? ll_transform_get(index)->name : NULL;
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

ll_status ll_release_set_transform(ll_release *r, const char *text, ll_error *error)
{
    r->step_count = 0;
    if (strcmp(text, "identity") == 0)
        return LL_OK;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        const ll_transform *step = find_step(at, length);
        if (step == NULL)
            return ll_refuse(error, "transform", text, "no such name",
                             "identity, or negate, root and percent separated by commas");
        if (r->step_count == LL_RELEASE_STEPS)
            return ll_refuse(error, "transform", text, "too many steps", "up to four of them");
        r->steps[r->step_count++] = step;
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
    return ll_refuse(error, "noise", text, why,
                     "bounded:TAU[,uniform|plus|minus], gaussian:SIGMA, laplace:B, proportional:C or none");
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

static int is_short(const fmpz_t exponent)
{
    return fmpz_cmp_si(exponent, LL_EXACT_FIVES) <= 0 && fmpz_cmp_si(exponent, -LL_EXACT_FIVES) >= 0;
}

ll_status ll_release_set_mechanism(ll_release *r, const char *text, ll_error *error)
{
    static const char ladder[] = "ladder:", accepted[] = "ladder:STEP with a STEP above 0, or plain";
    r->has_ladder = strcmp(text, "plain") != 0;
    if (!r->has_ladder)
        return LL_OK;
    if (strncmp(text, ladder, strlen(ladder)) != 0)
        return ll_refuse(error, "release", text, "no such mechanism", accepted);
    const char *step = text + strlen(ladder);
    if (!read_positive(&r->ladder, step, strlen(step)))
        return ll_refuse(error, "release", text, "its step is not a number above 0", accepted);
    if (!is_short(r->ladder.two) || !is_short(r->ladder.five))
        return ll_refuse(error, "release", text, "its step is too long to compute with", accepted);
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

/* Scores are not negative (log-plus: but for 1e-7 or so); negated once, they have no root. */
static int has_root_of_negated(const ll_release *r)
{
    int negated = 0;
    for (int i = 0; i < r->step_count; i++) {
        if (r->steps[i]->needs_sign && negated)
            return 1;
        negated ^= r->steps[i]->turns;
    }
    return 0;
}

ll_status ll_release_check(const ll_release *r, ll_error *error)
{
    if (has_root_of_negated(r))
        return ll_fail(error, LL_DOMAIN, "transform: a score that was negated has no root; take the root first");
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
