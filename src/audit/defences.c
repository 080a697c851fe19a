/* Defences: for each kind the setting that brings the best known attack below the target, its price, and a trial of it.
 *
 * Noise is set by differential privacy, which holds against every attack; rounding, query limit and Ladder by the best
 * attack known here, which is all that can be said of them: what is said is what an audit of the scorer with that
 * setting finds, and a host who runs that audit finds the same. */
#include "audit/climb.h"
#include "audit/defence_kinds.h"
#include "audit/keeps_target.h"
#include "audit/trial.h"
#include "code/code.h"
#include "number/budget.h"
#include "number/text_number.h"
#include "planner/planner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENT 2.7718 /* 1.96 sqrt 2: two scores of one error each differ by more 1 time in 20 */

typedef ll_defence_search search;
typedef ll_defence_kind kind;

static void begin(const search *s, const kind *k, ll_defence *d)
{
    d->note[0] = d->settings[0] = '\0';
    *d = (ll_defence){.kind = k->name,
                      .note = d->note,
                      .settings = d->settings,
                      .unit = k->unit,
                      .setting = (double)NAN,
                      .queries = s->queries,
                      .target = s->goal,
                      .leaks = LL_UNKNOWN,
                      .sensitivity = (double)NAN,
                      .epsilon = INFINITY,
                      .share = s->audit->share,
                      .bound = 1,
                      .error = (double)NAN,
                      .noise_over_sampling_error = (double)NAN,
                      .distance = (double)NAN};
}

void ll_defence_set_price(ll_defence *d, double error, double sampling_error)
{
    d->error = error;
    d->noise_over_sampling_error = error / sampling_error;
    d->distance = CONFIDENT * error;
}

/* ---- what attacks get against a change ---- */

/* Labels of the strongest codes; *best is the one that gives most, its status not LL_OK where none serves. */
static ll_status code_share(const search *s, double *share, ll_plan_choice *best, const ll_channel *c,
                            const ll_scorer *scorer, ll_error *error)
{
    ll_plan_request request;
    ll_scorer *asked = NULL;
    *share = c->guess;
    *best = (ll_plan_choice){.status = LL_UNABLE};
    ll_audit_plan_request(&request, s->request, scorer);
    ll_status status = ll_average_drop_rounding(&asked, scorer, c, error);
    for (int i = 0; i < LL_STRONGEST && s->strongest[i] != NULL && status == LL_OK; i++) {
        ll_plan_choice choice;
        status = ll_plan_compare_code(&choice, s->strongest[i], asked, &request);
        if (status != LL_OK)
            (void)ll_fail(error, status, "no memory for a plan");
        if (status != LL_OK || choice.status != LL_OK || (best->status == LL_OK && choice.recovered <= best->recovered))
            continue;
        *best = choice;
        *share = fmax(*share, ll_audit_share_of_labels(c, (double)choice.recovered));
    }
    ll_scorer_destroy(asked);
    return status;
}

/* A scorer with its limit, as attacks see it. */
typedef struct {
    ll_channel channel;
    ll_scorer *scorer;
    ll_plan_choice code;
} setting;

/* What nobody can exceed after a change, at d->queries answers. */
static ll_status limit_change(ll_defence *d, const ll_scorer *scorer, ll_error *error)
{
    ll_channel channel;
    ll_status status = ll_channel_init(&channel, scorer, error);
    if (status == LL_OK)
        d->share = d->bound = ll_limit_share(&channel, d->queries);
    return status;
}

/* Plans and forecasts against a change, at d->queries answers: d->share and d->bound. out->scorer is the caller's to
 * destroy in any case. */
static ll_status foresee(const search *s, ll_defence *d, setting *out, const ll_scorer *scorer, ll_error *error)
{
    double certain = 0, averaged = 0, climbed = 0;
    char limit[32];
    const ll_channel *c = &out->channel;
    out->scorer = NULL;
    (void)ll_print(limit, sizeof limit, "%.0f", ceil(d->queries / (double)scorer->accounts));
    ll_status status = ll_scorer_vary(&out->scorer, scorer, error, "queries", limit, (char *)NULL);
    if (status == LL_OK)
        status = ll_channel_init(&out->channel, out->scorer, error);
    if (status == LL_OK)
        status = code_share(s, &certain, &out->code, c, out->scorer, error);
    if (status == LL_OK)
        status = ll_average_share(&averaged, c, out->scorer, d->queries, error);
    if (status == LL_OK)
        status = ll_climb_share(&climbed, c, scorer, s->request->seed, error);
    if (status == LL_OK) {
        d->bound = ll_limit_share(c, d->queries);
        d->share =
            fmin(fmax(certain, fmax(averaged, climbed)), d->bound); /* what is simulated may be above by chance */
    }
    return status;
}

static void take(ll_defence *d, const ll_audit *found)
{
    d->share = found->share;
    d->bound = found->bound->max_share;
    d->leaks = found->leaks;
    d->tried_count = found->tried_count;
    for (long i = 0; i < found->tried_count; i++)
        d->tried[i] = found->tried[i];
}

ll_status ll_defence_judge(const ll_defence_search *s, ll_defence *d, const ll_scorer *scorer, ll_error *error)
{
    ll_audit own;
    ll_channel channel;
    char limit[32];
    ll_scorer *limited = NULL;
    ll_audit_init(&own);
    own.target_share = s->goal;
    own.delta = s->audit->delta;
    (void)ll_print(limit, sizeof limit, "%.0f", ceil(d->queries / (double)scorer->accounts));
    ll_status status = ll_audit_reserve(&own, error);
    if (status == LL_OK)
        status = ll_scorer_vary(&limited, scorer, error, "queries", limit, (char *)NULL);
    if (status == LL_OK)
        status = ll_channel_init(&channel, limited, error);
    if (status == LL_OK)
        status = ll_audit_judge(&own, &channel, limited, s->request, d, error);
    if (status == LL_OK)
        take(d, &own);
    ll_scorer_destroy(limited);
    ll_audit_clear(&own);
    return status;
}

static int always(const search *s, const kind *k)
{
    (void)s;
    (void)k;
    return 1;
}

/* Where a defence is as good as the attacks that are known: those on counts and ranks are too few to go by. */
static int is_sum(const ll_defence_search *s, const ll_defence_kind *k)
{
    (void)k;
    return s->channel->is_sum;
}

int ll_defence_is_unknown(const ll_defence_search *s, ll_defence *d)
{
    if (s->audit->leaks == LL_UNKNOWN)
        (void)snprintf(d->note, LL_NOTE_SIZE, "not known: attacks do not settle what this release gives away");
    return s->audit->leaks == LL_UNKNOWN;
}

/* ---- decimals ---- */

static void note_decimals(ll_defence *d, int tried)
{
    if (isnan(d->setting) && tried < 0)
        (void)snprintf(d->note, LL_NOTE_SIZE, "does nothing here: there are none to leave out");
    else if (isnan(d->setting))
        (void)ll_print(d->note, LL_NOTE_SIZE,
                       "does nothing here: even rounded to multiples of %g, %.0f answers give %.1f%% of the labels",
                       pow(10, -tried), d->queries, 100 * d->share);
    else if (d->noise_over_sampling_error > 1)
        (void)snprintf(d->note, LL_NOTE_SIZE,
                       "does it only by hiding the score itself; no proof, and more answers undo it");
    else
        (void)snprintf(d->note, LL_NOTE_SIZE, "by the best attack known here; no proof, and more answers undo it");
}

const char *ll_defence_no_ladder(const ll_defence_search *s)
{
    const ll_release *r = &s->scorer->release;
    return ll_release_has_levels(r) || ll_release_takes_start(r) ? " release=plain" : "";
}

/* Rounded to so many decimals: d->share, and d->leaks where forecasts stay within the goal. */
static ll_status try_decimals(const search *s, ll_defence *d, int places, ll_error *error)
{
    char text[16];
    setting own = {.scorer = NULL};
    ll_scorer *rounded = NULL;
    (void)snprintf(text, sizeof text, "%d", places);
    ll_status status = ll_scorer_vary(&rounded, s->scorer, error, "decimals", text, "digits", (char *)NULL, "release",
                                      "plain", (char *)NULL);
    if (status == LL_OK)
        status = foresee(s, d, &own, rounded, error);
    if (status == LL_OK && d->share <= s->goal)
        status = ll_defence_judge(s, d, rounded, error);
    ll_scorer_destroy(own.scorer);
    ll_scorer_destroy(rounded);
    return status;
}

/* Down from 8, or from one less than there are, until plans and then attacks stay within the goal. */
static ll_status set_decimals(const search *s, const kind *k, ll_defence *d, ll_scorer **out, ll_error *error)
{
    const ll_release *r = &s->scorer->release;
    double grid = ll_release_get_figures(r).grid;
    int from = grid > 0 ? (int)lround(-log10(grid)) - 1 : 8, tried = from;
    ll_status status = LL_OK;
    (void)k;
    (void)out;
    if (ll_defence_is_unknown(s, d))
        return LL_OK;
    for (int places = from < 8 ? from : 8; places >= 0 && isnan(d->setting) && status == LL_OK; places--) {
        tried = places;
        status = try_decimals(s, d, places, error);
        if (status == LL_OK && d->leaks == LL_FALSE) {
            d->setting = places;
            (void)snprintf(d->settings, LL_SETTINGS_SIZE, "decimals=%d%s", places, ll_defence_no_ladder(s));
            ll_defence_set_price(d, pow(10, -places) / sqrt(12), s->audit->sampling_error);
        }
    }
    note_decimals(d, tried);
    return status;
}

/* ---- for nothing ---- */

#define HARD_CLIP 0.05

static int can_clip(const search *s, const kind *k)
{
    return s->channel->has_clip && k->clip > 0 && s->audit->sampling_error > 0 && !s->channel->is_numeric;
}

/* Digits and decimals contradict each other: a host who shows digits is not told to show decimals beside them. */
static int can_round(const search *s, const kind *k)
{
    return s->scorer->given[LL_SET_DIGITS] == NULL && (k->clip > 0 ? can_clip : is_sum)(s, k);
}

/* A clip that no sensible model feels, and decimals that are a third of the sampling error: they cost nothing to speak
 * of and stop nobody for good, but fewer labels pass in an answer. */
static ll_status set_free(const search *s, const kind *k, ll_defence *d, ll_scorer **out, ll_error *error)
{
    char clip[40], places[16];
    setting own = {.scorer = NULL};
    ll_scorer *sure = NULL;
    int decimals = (int)fmin(8, fmax(0, ceil(-log10(s->audit->sampling_error / 3))));
    (void)ll_print(clip, sizeof clip, "%g", k->clip);
    (void)snprintf(places, sizeof places, "%d", decimals);
    ll_status status = ll_defence_take_probabilities(s, &sure, error);
    if (status == LL_OK)
        status = ll_scorer_vary(out, sure, error, "clip", clip, "clip-mode", "clip", "decimals", places, "digits",
                                (char *)NULL, (char *)NULL);
    if (status == LL_OK)
        status = foresee(s, d, &own, *out, error);
    d->setting = decimals;
    ll_defence_set_price(d, pow(10, -decimals) / sqrt(12), s->audit->sampling_error);
    (void)ll_print(d->settings, LL_SETTINGS_SIZE, "%sclip=%g clip-mode=clip decimals=%d",
                   s->channel->is_logit ? "metric=" LL_PROBABILITIES " columns=either " : "", k->clip, decimals);
    if (status == LL_OK && own.code.status == LL_OK && s->audit->best >= 0)
        (void)snprintf(d->note, LL_NOTE_SIZE,
                       "costs nothing to speak of and stops nobody for good: the best code reads all labels in %ld "
                       "submission%s instead of %ld",
                       own.code.queries, own.code.queries == 1 ? "" : "s", s->audit->choices[s->audit->best].queries);
    ll_scorer_destroy(own.scorer);
    ll_scorer_destroy(sure);
    return status;
}

/* ---- a proved limit ---- */

/* The most answers that cannot tell more than the goal, whoever asks. */
static ll_status set_proved_limit(const search *s, const kind *k, ll_defence *d, ll_scorer **out, ll_error *error)
{
    double accounts = (double)s->scorer->accounts, fits = 0, fails = floor(s->queries / accounts) + 1;
    (void)k;
    while (fails - fits > 1) { /* answers per account */
        double middle = floor((fits + fails) / 2);
        if (ll_limit_share(s->channel, accounts * middle) <= s->goal)
            fits = middle;
        else
            fails = middle;
    }
    if (fits < 1) {
        (void)snprintf(d->note, LL_NOTE_SIZE, "one answer alone could tell more than the target allows");
        return LL_OK;
    }
    d->setting = d->queries = accounts * fits;
    (void)ll_print(d->settings, LL_SETTINGS_SIZE, "queries=%.0f", fits);
    (void)snprintf(d->note, LL_NOTE_SIZE, "tries x days x accounts, all together; holds against any attack");
    ll_defence_set_price(d, 0, s->audit->sampling_error);
    return ll_scorer_vary(out, s->scorer, error, (char *)NULL);
}

/* ---- the Ladder ---- */

static ll_status set_ladder(const search *s, const kind *k, ll_defence *d, ll_scorer **out, ll_error *error)
{
    double step = s->audit->sampling_error;
    char ladder[64];
    (void)k;
    if (!(step > 0) || !isfinite(s->channel->sensitivity) || !s->channel->is_linear) {
        (void)snprintf(d->note, LL_NOTE_SIZE, "not priced for this score");
        return LL_OK;
    }
    (void)ll_print(ladder, sizeof ladder, "ladder:%.3g", step); /* as reports show it, and hosts will type it */
    d->setting = ll_read_double(strchr(ladder, ':') + 1, NULL);
    (void)snprintf(d->settings, LL_SETTINGS_SIZE, "release=%s%s", ladder,
                   s->channel->noise == NULL ? "" : " noise=none");
    ll_defence_set_price(d, d->setting / sqrt(12), s->audit->sampling_error);
    (void)snprintf(d->note, LL_NOTE_SIZE,
                   "promises that the best score shown stays honest, not that labels stay hidden: %s",
                   step <= s->channel->sensitivity
                       ? "one label moves the score by more than the step, so answers tell labels one by one"
                       : "answers still tell which of two submissions is better");
    return ll_scorer_vary(out, s->scorer, error, "release", ladder, "noise", "none", (char *)NULL);
}

/* ---- the table ---- */

static const kind kinds[] = {
    {"laplace", "scale", 0, 1, "laplace", 0, ll_defence_has_noise, ll_defence_set_noise},
    {"gaussian", "sigma", 0, 1, "gaussian", 0, ll_defence_has_noise, ll_defence_set_noise},
    {"proportional", "c", 0, 1, "proportional", 0, ll_defence_has_noise, ll_defence_set_noise},
    {"clip", "clip", 0, 1, "laplace", 0.01, ll_defence_has_noise, ll_defence_set_noise},
    {"decimals", "decimals", 0, 0, NULL, 0, can_round, set_decimals},
    {"query-limit", "queries", 0, 0, NULL, 0, is_sum, ll_defence_set_limit},
    {"ladder", "step", 0, 0, NULL, 0, is_sum, set_ladder},
    {"clip+proportional", "clip", 1, 1, "proportional", 0.01, ll_defence_has_noise, ll_defence_set_noise},
    {"clip+gaussian", "clip", 1, 1, "gaussian", 0.01, ll_defence_has_noise, ll_defence_set_noise},
    {"hard-clip+proportional", "clip", 1, 1, "proportional", HARD_CLIP, ll_defence_has_noise, ll_defence_set_noise},
    {"hard-clip+gaussian", "clip", 1, 1, "gaussian", HARD_CLIP, ll_defence_has_noise, ll_defence_set_noise},
    {"hard-clip+decimals", "decimals", 1, 0, NULL, HARD_CLIP, can_round, set_free},
    {"proved-limit", "queries", 1, 1, NULL, 0, always, set_proved_limit},
    {"levels", "levels", 1, 1, NULL, 0, ll_defence_has_levels, ll_defence_set_levels},
    {"records", "levels", 1, 1, NULL, 0, ll_defence_has_records, ll_defence_set_records},
    {"records+levels", "levels", 1, 1, NULL, 0, ll_defence_has_records, ll_defence_set_shared},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };
_Static_assert((int)KINDS <= (int)LL_DEFENCES, "a place for each kind");

/* Where an answer has several numbers. */
static const kind several_kinds[] = {
    {"laplace", "scale", 0, 1, "laplace", 0, always, ll_defence_several_noise},
    {"gaussian", "sigma", 0, 1, "gaussian", 0, always, ll_defence_several_noise},
    {"decimals", "decimals", 0, 1, NULL, 0, always, ll_defence_several_decimals},
    {"proved-limit", "queries", 0, 1, NULL, 0, always, set_proved_limit},
    {"levels", "levels", 0, 1, NULL, 0, ll_defence_has_levels, ll_defence_set_levels},
    {"records", "levels", 0, 1, NULL, 0, ll_defence_has_records, ll_defence_set_records},
};
enum { SEVERAL_KINDS = sizeof several_kinds / sizeof several_kinds[0] };

static ll_status add(const search *s, const kind *k, ll_error *error)
{
    ll_scorer *changed = NULL;
    ll_defence *d = &s->audit->defences[s->audit->defence_count];
    if (!k->applies(s, k) || (k->is_combined && !s->request->combinations) ||
        (s->request->proofs_only && !k->is_proved))
        return LL_OK;
    begin(s, k, d);
    s->audit->defence_count++;
    ll_status status = k->set(s, k, d, &changed, error);
    if (status == LL_OK && changed != NULL)
        status = s->request->proofs_only || s->channel->numbers > 0 ? limit_change(d, changed, error)
                                                                    : ll_defence_judge(s, d, changed, error);
    d->share = fmin(d->share, d->bound);
    d->proved = !isnan(d->setting) && d->bound <= s->goal;
    d->verified = !isnan(d->setting) && d->leaks == LL_FALSE && d->tried_count > 0;
    ll_scorer_destroy(changed);
    return status;
}

/* The codes that give most labels where scores have four decimals: coarser answers do not change which code is good at
 * using them, they only carry less. */
static ll_status find_strongest(search *s, ll_error *error)
{
    ll_plan_request request;
    ll_scorer *rounded = NULL;
    long count = ll_code_count();
    ll_plan_choice *choices = calloc((size_t)count, sizeof *choices);
    if (choices == NULL)
        return ll_fail(error, LL_MEMORY, "no memory to compare codes");
    ll_status status = ll_scorer_vary(&rounded, s->scorer, error, "decimals", "4", "digits", (char *)NULL, "noise",
                                      "none", "transform", "identity", "release", "plain", (char *)NULL);
    if (status == LL_OK)
        ll_audit_plan_request(&request, s->request, rounded);
    for (long i = 0; i < count && status == LL_OK; i++) {
        choices[i].status = LL_UNABLE;
        if (!ll_candidate_is_average(ll_code_get_info(i)->name))
            status = ll_plan_compare_code(choices + i, ll_code_get_info(i)->name, rounded, &request);
    }
    for (int i = 0; i < LL_STRONGEST && status == LL_OK; i++) {
        long best = ll_plan_choose(choices, count);
        s->strongest[i] = best >= 0 ? choices[best].code : NULL;
        if (best >= 0)
            choices[best].status = LL_UNABLE;
    }
    free(choices);
    ll_scorer_destroy(rounded);
    return status == LL_MEMORY ? ll_fail(error, status, "no memory to compare codes") : status;
}

/* ---- which to propose ---- */

/* In sampling errors; in units of the score where those are not known, which is so for all defences of a scorer. */
static double price_of(const ll_defence *d)
{
    return isnan(d->noise_over_sampling_error) ? d->error : d->noise_over_sampling_error;
}

/* Proofs first; answers given up come after noise. */
static int by_price(const void *x, const void *y)
{
    const ll_defence *a = *(const ll_defence *const *)x, *b = *(const ll_defence *const *)y;
    if (a->proved != b->proved)
        return b->proved - a->proved;
    if (a->queries != b->queries) /* fewer answers are a price, too */
        return a->queries > b->queries ? -1 : 1;
    return price_of(a) < price_of(b) ? -1 : 1;
}

/* Two models must differ by more than a perfect one differs from one that knows nothing. */
int ll_defence_hides_all(const ll_audit *audit, const ll_defence *d)
{
    return d->distance > audit->honest_range;
}

/* Not those that were not found or have no price, nor a limit above the answers that are given anyway, nor those that
 * leave nothing of the score. */
static int is_release(const ll_audit *audit, const ll_defence *d)
{
    return d->settings[0] != '\0' && !isnan(d->setting) && !isnan(d->error) && d->queries <= audit->queries &&
           !ll_defence_hides_all(audit, d);
}

static void set_places(ll_audit *audit)
{
    ll_defence *found[LL_DEFENCES] = {NULL};
    long count = 0;
    for (long i = 0; i < audit->defence_count; i++)
        if (is_release(audit, &audit->defences[i]))
            found[count++] = &audit->defences[i];
    qsort(found, (size_t)count, sizeof(ll_defence *), by_price);
    for (long i = 0; i < count; i++)
        found[i]->place = i + 1;
}

static ll_status find(search *s, ll_error *error)
{
    int several = s->channel->numbers > 0, count = several ? SEVERAL_KINDS : KINDS;
    ll_status status = s->request->proofs_only || several ? LL_OK : find_strongest(s, error);
    for (int i = 0; i < count && status == LL_OK && !ll_budget_is_stopped(s->request->budget); i++)
        status = add(s, several ? &several_kinds[i] : &kinds[i], error);
    set_places(s->audit);
    return status;
}

ll_status ll_defences_find(ll_audit *audit, const ll_channel *channel, const ll_scorer *scorer,
                           const ll_audit_request *request, ll_error *error)
{
    ll_channel counted = *channel;
    ll_scorer *own = NULL;
    search s = {.audit = audit, .channel = channel, .scorer = scorer, .request = request};
    double usual = request->default_queries > 0 ? (double)request->default_queries : 1000;
    ll_status status = LL_OK;
    s.queries = isfinite(channel->queries) ? channel->queries : usual;
    s.goal = audit->target_share;
    if (request->epsilon > 0 && request->target_share <= 0)
        s.goal = fmin(1, ll_limit_share_of_epsilon(channel, request->epsilon));
    audit->defence_count = 0;
    if (channel->fails_free) { /* no defence holds unless failures are counted, which is then a part of each */
        status = ll_scorer_vary(&own, scorer, error, "failures", "counted", (char *)NULL);
        if (status == LL_OK)
            status = ll_channel_init(&counted, own, error);
        s.scorer = own;
        s.channel = &counted;
    }
    status = status == LL_OK ? find(&s, error) : status;
    ll_scorer_destroy(own);
    return status;
}
