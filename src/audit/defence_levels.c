/* A release by levels, as a defence: as many levels as the promise allows, placed where honest models are expected
 * (docs/proofs/levels.md). Its price is that of rounding to a step: step/sqrt(12). */
#include "audit/defence_kinds.h"
#include "audit/limits.h"
#include "number/text_number.h"
#include "scorer/baseline.h"
#include "scorer/groups.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEWEST_LEVELS = 4, MOST_LEVELS = 100000 }; /* fewer show nothing of a model */
enum { MOST_OWN = 50 };

/* From where honest models begin to where they end: as told, else from the best constant's score to the best score that
 * there is. A list that ends earlier shows good models as equal: docs/results/levels.md. */
static void find_ends(const ll_defence_search *s, double *base, double *best)
{
    const ll_scorer *scorer = s->scorer;
    int is_high = ll_release_is_better_high(&scorer->release), is_known = !isnan(scorer->honest_low);
    *base = is_known ? (is_high ? scorer->honest_low : scorer->honest_high) : ll_scorer_baseline(scorer);
    *best = is_known ? (is_high ? scorer->honest_high : scorer->honest_low) : ll_scorer_best(scorer);
}

/* Are the ends apart by more than the digits that are printed of them? A constant may have the best score there is. */
static int has_ends(const ll_defence_search *s)
{
    double base, best;
    find_ends(s, &base, &best);
    return fabs(best - base) > 1e-3 * fmax(fabs(base), fabs(best));
}

int ll_defence_has_levels(const ll_defence_search *s, const ll_defence_kind *k)
{
    (void)k;
    int is_promised = s->request->target_share > 0 || s->request->target_bits > 0 || !isnan(s->scorer->honest_low);
    int is_several = s->channel->numbers > 0 && ll_scorer_text(s->scorer, LL_SET_GROUPS) == NULL;
    /* A report of an attack names what needs no memory of accounts. */
    if (s->request->proofs_only || !is_promised || is_several)
        return 0;
    return has_ends(s);
}

int ll_defence_has_records(const ll_defence_search *s, const ll_defence_kind *k)
{
    return s->scorer->accounts > 1 && ll_defence_has_levels(s, k);
}

/* The limit with such staircases. */
static double share_with(const ll_defence_search *s, const ll_staircases *stairs)
{
    ll_channel c = *s->channel;
    c.stairs = *stairs;
    c.fails = 0;
    return ll_limit_share_of_bits(&c, ll_limit_staircase_bits(&c, s->queries) / (double)c.rows);
}

/* stairs->levels becomes the most that keeps the promise. */
static void find_levels(const ll_defence_search *s, ll_staircases *stairs)
{
    double fits = 0, fails = MOST_LEVELS + 1;
    while (fails - fits > 1) {
        double middle = floor((fits + fails) / 2);
        stairs->levels = middle;
        *(share_with(s, stairs) <= s->goal ? &fits : &fails) = middle;
    }
    stairs->levels = fits;
}

/* As many levels of an account's own as leave the records a quarter of their levels or more, and never more of them than
 * of records; stairs->own stays 0 where there are none. */
static void find_own(const ll_defence_search *s, ll_staircases *stairs)
{
    double alone = stairs->levels, own = 0;
    for (int more = 1; more && own < MOST_OWN;) {
        ll_staircases tried = *stairs;
        tried.own = own + 1;
        find_levels(s, &tried);
        more = tried.levels >= alone / 4 && tried.levels >= FEWEST_LEVELS && tried.levels >= tried.own;
        if (more) {
            own = tried.own;
            stairs->levels = tried.levels;
        }
        stairs->own = 0;
    }
    stairs->own = own;
}

/* Of a group, its own scores and those of all rows tell, and nothing else does (docs/proofs/levels.md): the limit for
 * the smallest one. */
static void note_groups(const ll_defence_search *s, ll_defence *d, const ll_staircases *stairs)
{
    ll_channel c = *s->channel;
    const ll_row_groups *groups = s->scorer->groups;
    long least = groups->sizes[0];
    for (long g = 1; g < groups->count; g++)
        least = groups->sizes[g] < least ? groups->sizes[g] : least;
    c.stairs = *stairs;
    c.fails = 0;
    c.numbers = 2;
    double share = c.is_known ? 1 : ll_limit_share_of_bits(&c, ll_limit_staircase_bits(&c, s->queries) / (double)least);
    (void)ll_print(
        d->note, LL_NOTE_SIZE,
        "the same levels for all rows and for each of %ld groups; the limit is for all rows together: of the "
        "smallest group, of %ld rows, up to %.1f%% may be read",
        groups->count, least, 100 * share);
}

static void write_note(const ll_defence_search *s, ll_defence *d, double step, const ll_staircases *stairs)
{
    if (s->scorer->groups != NULL) {
        note_groups(s, d, stairs);
        return;
    }
    (void)ll_print(d->note, LL_NOTE_SIZE,
                   "%s, in steps of %.3g%s; holds against any attack on the labels as a whole, not for one label that "
                   "is singled out",
                   stairs->is_leaderboard ? "only a new record of all accounts is shown"
                                          : "only what beats the account's best is shown",
                   step, isnan(s->scorer->honest_low) ? " (honest LO:HI places them)" : "");
}

static ll_status note_none(ll_defence *d, const ll_staircases *stairs, int is_shared)
{
    if (is_shared)
        (void)ll_print(d->note, LL_NOTE_SIZE,
                       "the promise leaves no level for each account beside records of the leaderboard");
    else
        (void)ll_print(d->note, LL_NOTE_SIZE, "only %.0f level%s would keep the promise over this number of answers%s",
                       stairs->levels, stairs->levels == 1 ? "" : "s",
                       stairs->accounts > 1 && !stairs->is_leaderboard ? " of accounts that pool what they see" : "");
    return LL_OK;
}

static void write_settings(const ll_defence_search *s, ll_defence *d, const char *release, const ll_staircases *stairs)
{
    (void)ll_print(d->settings, LL_SETTINGS_SIZE, "release=%s%s", release,
                   stairs->is_leaderboard ? " scope=leaderboard" : "");
    if (stairs->own > 0)
        ll_print_more(d->settings, LL_SETTINGS_SIZE, " own-levels=%.0f", stairs->own);
    ll_print_more(d->settings, LL_SETTINGS_SIZE, "%s%s", s->channel->noise == NULL ? "" : " noise=none",
                  ll_release_is_rounded(&s->scorer->release) ? " decimals=none" : "");
}

static ll_status set_levels(const ll_defence_search *s, ll_defence *d, ll_scorer **out, int is_leaderboard,
                            int is_shared, ll_error *error)
{
    double base, best;
    char release[72], own[16];
    ll_staircases stairs = {
        .improvements = INFINITY, .accounts = (double)s->scorer->accounts, .is_leaderboard = is_leaderboard};
    find_ends(s, &base, &best);
    find_levels(s, &stairs);
    if (is_shared)
        find_own(s, &stairs);
    if (stairs.levels < FEWEST_LEVELS || (is_shared && !(stairs.own > 0)))
        return note_none(d, &stairs, is_shared);
    double step = fabs(best - base) / stairs.levels;
    (void)ll_print(release, sizeof release, "levels:%.4g:%.4g:%.0f", base, best, stairs.levels);
    (void)ll_print(own, sizeof own, "%.0f", stairs.own);
    d->setting = stairs.levels;
    write_settings(s, d, release, &stairs);
    ll_defence_set_price(d, step / sqrt(12), s->audit->sampling_error);
    if (is_leaderboard) /* below the record no two models are told apart */
        d->distance = (double)NAN;
    write_note(s, d, step, &stairs);
    return ll_scorer_vary(out, s->scorer, error, "release", release, "scope",
                          is_leaderboard ? "leaderboard" : "account", "own-levels", stairs.own > 0 ? own : NULL,
                          "start", (char *)NULL, "noise", "none", "decimals", "none", "digits", (char *)NULL,
                          "truncate", "no", (char *)NULL);
}

ll_status ll_defence_set_levels(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                                ll_error *error)
{
    (void)k;
    return set_levels(s, d, out, 0, 0, error);
}

ll_status ll_defence_set_records(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                                 ll_error *error)
{
    (void)k;
    return set_levels(s, d, out, 1, 0, error);
}

ll_status ll_defence_set_shared(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                                ll_error *error)
{
    (void)k;
    return set_levels(s, d, out, 1, 1, error);
}
