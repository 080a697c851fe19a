/* The table of mechanisms: what is shown of a number after its noise. */
#include "release/release.h"

#include "number/refuse.h"

#include <string.h>

static const char accepted[] = "plain, ladder:STEP with a STEP above 0, levels:BASE:BEST:COUNT or levels:G0,G1,...";

static ll_status set_plain(ll_release *r, const char *text, const char *more, ll_error *error)
{
    r->has_ladder = 0;
    return *more == '\0' ? LL_OK : ll_refuse(error, "release", text, "plain has nothing behind it", accepted);
}

static int is_short(const fmpz_t exponent)
{
    return fmpz_cmp_si(exponent, LL_EXACT_FIVES) <= 0 && fmpz_cmp_si(exponent, -LL_EXACT_FIVES) >= 0;
}

static ll_status set_ladder(ll_release *r, const char *text, const char *more, ll_error *error)
{
    r->has_ladder = 1;
    if (ll_exact_set_text(&r->ladder, more, strlen(more)) != LL_OK || ll_exact_sgn(&r->ladder) <= 0)
        return ll_refuse(error, "release", text, "its step is not a number above 0", accepted);
    if (!is_short(r->ladder.two) || !is_short(r->ladder.five))
        return ll_refuse(error, "release", text, "its step is too long to compute with", accepted);
    return LL_OK;
}

static ll_status set_levels(ll_release *r, const char *text, const char *more, ll_error *error)
{
    (void)text;
    r->has_ladder = 1;
    return ll_levels_read(&r->levels, &r->ladder, more, error);
}

static const struct {
    const char *name;
    const char *advice; /* what a host is asked to do, % standing for what is behind the colon */
    ll_status (*set)(ll_release *r, const char *text, const char *more, ll_error *error); /* more: behind the colon */
} mechanisms[] = {
    {"plain", "show every score, not only the best so far", set_plain},
    {"ladder", "show a new score only where it beats the best by % (a Ladder)", set_ladder},
    {"levels", "show a new score only where it beats the best so far, on a fixed list: %", set_levels},
};

/* The row of a text "name:more"; past the last: there is none. */
static size_t find(const char *text)
{
    size_t i = 0, length = strcspn(text, ":");
    while (i < sizeof mechanisms / sizeof mechanisms[0] &&
           (strlen(mechanisms[i].name) != length || memcmp(mechanisms[i].name, text, length) != 0))
        i++;
    return i;
}

const char *ll_release_mechanism_advice(const char *text)
{
    size_t i = find(text);
    return i < sizeof mechanisms / sizeof mechanisms[0] ? mechanisms[i].advice : NULL;
}

ll_status ll_release_set_mechanism(ll_release *r, const char *text, ll_error *error)
{
    size_t i = find(text), length = strcspn(text, ":");
    ll_levels_clear(&r->levels);
    if (i < sizeof mechanisms / sizeof mechanisms[0])
        return mechanisms[i].set(r, text, text + length + (text[length] == ':'), error);
    return ll_refuse(error, "release", text, "no such mechanism", accepted);
}

int ll_release_has_levels(const ll_release *r)
{
    return r->has_ladder && r->levels.count > 0;
}

int ll_release_takes_start(const ll_release *r)
{
    return r->has_ladder && r->levels.count == 0;
}

ll_status ll_release_set_start(ll_release *r, double start, double best, ll_error *error)
{
    double sign = ll_release_is_better_high(r) ? -1 : 1;
    return ll_levels_of_ladder(&r->levels, ll_exact_get_d(&r->ladder), sign * start, sign * best, error);
}

ll_status ll_release_check_levels(const ll_release *r, ll_error *error)
{
    if (r->levels.at == NULL || r->levels.is_high == ll_release_is_better_high(r))
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "release levels: they %s, but a %s score is better",
                   r->levels.is_high ? "rise" : "fall", r->levels.is_high ? "lower" : "higher");
}
