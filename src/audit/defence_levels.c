/* A release by levels, as a defence: as many levels as the promise allows, placed where honest models are expected
 * (docs/proofs/levels.md). Its price is that of rounding to a step: step/sqrt(12). */
#include "audit/defence_kinds.h"
#include "audit/limits.h"
#include "number/text_number.h"
#include "scorer/baseline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEWEST_LEVELS = 4, MOST_LEVELS = 100000 }; /* fewer show nothing of a model */

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
    if (s->request->proofs_only || !is_promised) /* a report of an attack names what needs no memory of accounts */
        return 0;
    return has_ends(s);
}

int ll_defence_has_records(const ll_defence_search *s, const ll_defence_kind *k)
{
    return s->scorer->accounts > 1 && ll_defence_has_levels(s, k);
}

/* The limit with so many levels. */
static double share_with(const ll_defence_search *s, double levels, int is_leaderboard)
{
    ll_channel c = *s->channel;
    c.stairs = (ll_staircases){levels, INFINITY, (double)s->scorer->accounts, is_leaderboard};
    c.fails = 0;
    return ll_limit_share_of_bits(&c, ll_limit_staircase_bits(&c, s->queries) / (double)c.rows);
}

static double most_levels(const ll_defence_search *s, int is_leaderboard)
{
    double fits = 0, fails = MOST_LEVELS + 1;
    while (fails - fits > 1) {
        double middle = floor((fits + fails) / 2);
        *(share_with(s, middle, is_leaderboard) <= s->goal ? &fits : &fails) = middle;
    }
    return fits;
}

static void write_note(const ll_defence_search *s, ll_defence *d, double step, int is_leaderboard)
{
    (void)ll_print(d->note, LL_NOTE_SIZE,
                   "%s, in steps of %.3g%s; holds against any attack on the labels as a whole, not for one label that "
                   "is singled out",
                   is_leaderboard ? "only a new record of all accounts is shown"
                                  : "only what beats the account's best is shown",
                   step, isnan(s->scorer->honest_low) ? " (honest LO:HI places them)" : "");
}

static ll_status set_levels(const ll_defence_search *s, ll_defence *d, ll_scorer **out, int is_leaderboard,
                            ll_error *error)
{
    double base, best, count = most_levels(s, is_leaderboard);
    char release[72];
    find_ends(s, &base, &best);
    if (count < FEWEST_LEVELS) {
        (void)ll_print(d->note, LL_NOTE_SIZE, "only %.0f level%s would keep the promise over this number of answers%s",
                       count, count == 1 ? "" : "s",
                       s->scorer->accounts > 1 && !is_leaderboard ? " of accounts that pool what they see" : "");
        return LL_OK;
    }
    (void)ll_print(release, sizeof release, "levels:%.4g:%.4g:%.0f", base, best, count);
    d->setting = count;
    (void)ll_print(d->settings, LL_SETTINGS_SIZE, "release=%s%s%s%s", release,
                   is_leaderboard ? " scope=leaderboard" : "", s->channel->noise == NULL ? "" : " noise=none",
                   ll_release_is_rounded(&s->scorer->release) ? " decimals=none" : "");
    ll_defence_set_price(d, fabs(best - base) / count / sqrt(12), s->audit->sampling_error);
    write_note(s, d, fabs(best - base) / count, is_leaderboard);
    return ll_scorer_vary(out, s->scorer, error, "release", release, "scope",
                          is_leaderboard ? "leaderboard" : "account", "start", (char *)NULL, "noise", "none",
                          "decimals", "none", "digits", (char *)NULL, "truncate", "no", (char *)NULL);
}

ll_status ll_defence_set_levels(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                                ll_error *error)
{
    (void)k;
    return set_levels(s, d, out, 0, error);
}

ll_status ll_defence_set_records(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                                 ll_error *error)
{
    (void)k;
    return set_levels(s, d, out, 1, error);
}
