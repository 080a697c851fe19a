/* Defences of an answer that has several numbers: settings by which the proved limit of all of them together stays at
 * the target (docs/proofs/several.md). What attacks would leave is not measured. */
#include "audit/defence_kinds.h"
#include "audit/limits.h"
#include "number/text_number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char own_ways[] = "; a number that has a setting of its own for it keeps that";

/* What nobody can exceed where one setting of all numbers is another; 1 where there is no such scorer. */
static ll_status limit_with(const ll_defence_search *s, double *share, const char *name, const char *value,
                            ll_error *error)
{
    ll_scorer *changed = NULL;
    ll_channel channel;
    ll_status status = ll_scorer_vary(&changed, s->scorer, NULL, name, value, (char *)NULL);
    *share = 1;
    if (status == LL_OK)
        status = ll_channel_init(&channel, changed, NULL);
    if (status == LL_OK)
        *share = ll_limit_share(&channel, s->queries);
    ll_scorer_destroy(changed);
    return status == LL_MEMORY ? ll_fail(error, status, "no memory for a scorer") : LL_OK;
}

/* ---- noise on each number ---- */

static void write_noise(char *text, size_t size, const ll_defence_kind *k, double noise)
{
    (void)ll_print(text, size, "%s:%.3g", k->name, noise);
}

/* At three digits, as hosts will type it. */
static ll_status is_enough(const ll_defence_search *s, const ll_defence_kind *k, double noise, int *enough,
                           ll_error *error)
{
    char text[64];
    double share = 1;
    write_noise(text, sizeof text, k, noise);
    ll_status status = limit_with(s, &share, "noise", text, error);
    *enough = share <= s->goal;
    return status;
}

ll_status ll_defence_several_noise(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                                   ll_error *error)
{
    enum { STEPS = 24 };
    double low = 1e-6, high = 1e-6;
    int enough = 0;
    ll_status status = LL_OK;
    (void)out;
    for (int i = 0; i < STEPS && !enough && status == LL_OK; i++) {
        low = high;
        high *= 4;
        status = is_enough(s, k, high, &enough, error);
    }
    if (status != LL_OK || !enough) {
        (void)snprintf(d->note, LL_NOTE_SIZE,
                       "none of the sizes that were looked at brings the proved limit of all numbers to the target");
        return status;
    }
    for (int i = 0; i < STEPS && status == LL_OK && high > low * 1.002; i++) {
        double middle = sqrt(low * high);
        status = is_enough(s, k, middle, &enough, error);
        *(enough ? &high : &low) = middle;
    }
    char text[64];
    write_noise(text, sizeof text, k, high);
    d->setting = d->scale = high;
    (void)snprintf(d->settings, LL_SETTINGS_SIZE, "noise=%s", text);
    (void)snprintf(d->note, LL_NOTE_SIZE,
                   "on every number, drawn anew for each of them and for every answer; holds against any attack%s",
                   own_ways);
    ll_defence_set_price(d, sqrt(ll_law_find(k->noise, strlen(k->noise))->variance) * high, s->audit->sampling_error);
    return status == LL_OK ? limit_with(s, &d->bound, "noise", text, error) : status;
}

/* ---- decimals of every number ---- */

ll_status ll_defence_several_decimals(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d,
                                      ll_scorer **out, ll_error *error)
{
    double grid = ll_release_get_figures(&s->scorer->release).grid, share = 1;
    int from = grid > 0 ? (int)lround(-log10(grid)) - 1 : 8;
    char text[16] = "";
    ll_status status = LL_OK;
    (void)k;
    (void)out;
    for (int places = from < 8 ? from : 8; places >= 0 && isnan(d->setting) && status == LL_OK; places--) {
        (void)snprintf(text, sizeof text, "%d", places);
        status = limit_with(s, &share, "decimals", text, error);
        if (status == LL_OK && share <= s->goal)
            d->setting = places;
    }
    if (status != LL_OK || isnan(d->setting)) {
        (void)ll_print(d->note, LL_NOTE_SIZE,
                       "does nothing that is proved: even without decimals all numbers together may tell more than the "
                       "target allows in %.0f answers",
                       d->queries);
        return status;
    }
    d->bound = share;
    (void)snprintf(d->settings, LL_SETTINGS_SIZE, "decimals=%s", text);
    (void)snprintf(d->note, LL_NOTE_SIZE, "of every number; holds against any attack%s", own_ways);
    ll_defence_set_price(d, pow(10, -d->setting) / sqrt(12), s->audit->sampling_error);
    return LL_OK;
}
