/* Defences: for each kind the setting that brings the best known attack below the target, its price, and a trial of it.
 *
 * Noise is set by differential privacy, which holds against every attack; rounding, query limit and Ladder by the best
 * attack known here, which is all that can be said of them. */
#include "audit/audit_private.h"
#include "audit/simulate.h"
#include "plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CONFIDENT 2.7718 /* 1.96 sqrt 2: two scores of one error each differ by more 1 time in 20 */

typedef struct {
    ll_audit *audit;
    const ll_channel *channel;
    const ll_scorer *scorer;
    const ll_audit_request *request;
    double queries; /* priced for */
    double goal;    /* the share that a setting must stay at or below */
} search;

static void set_price(const search *s, ll_defence *d, double error)
{
    d->error = error;
    d->noise_over_sampling_error = error / s->audit->sampling_error;
    d->distance = CONFIDENT * error;
}

/* `sampled`: rows that the share was simulated from; it is off by as much as that of so many guesses. */
static void set_trial(const search *s, ll_defence *d, const ll_channel *c, double share, double sampled)
{
    d->bound = ll_limit_share(c, d->queries);
    d->share = fmin(share, d->bound); /* what is simulated may be above by chance */
    d->verified = d->share <= s->goal + 3 * sqrt(c->guess * (1 - c->guess) / sampled);
}

static ll_defence *add(const search *s, const char *kind, const char *unit)
{
    ll_defence *d = &s->audit->defences[s->audit->defence_count++];
    *d = (ll_defence){.kind = kind,
                      .unit = unit,
                      .setting = (double)NAN,
                      .queries = s->queries,
                      .epsilon = INFINITY,
                      .share = s->audit->share,
                      .bound = 1,
                      .error = (double)NAN,
                      .noise_over_sampling_error = (double)NAN,
                      .distance = (double)NAN};
    return d;
}

/* Labels of codes, certain or likely, against a changed scorer. Of the codes that the scorer as it is can carry, the
 * best two are tried: coarser answers do not change which code is good at using them, they only carry less. */
static ll_status code_share(const search *s, double *share, const ll_channel *c, const ll_scorer *scorer,
                            ll_error *error)
{
    static const char *const strongest[] = {"detecting", "sum-distinct"};
    ll_plan_request request;
    ll_scorer *asked = NULL;
    *share = c->guess;
    ll_status status = ll_average_drop_rounding(&asked, scorer, c, error);
    if (status != LL_OK)
        return status;
    ll_audit_plan_request(&request, s->request, scorer);
    for (int i = 0; i < 3; i++) {
        ll_plan_choice choice;
        const ll_audit *a = s->audit;
        const char *code = i < 2 ? strongest[i] : a->best >= 0 ? a->choices[a->best].code : "powers";
        if (i == 2 &&
            (strcmp(code, strongest[0]) == 0 || strcmp(code, strongest[1]) == 0 || ll_code_name_is_soft(code)))
            break;
        status = ll_plan_compare_code(&choice, code, asked, &request);
        if (status != LL_OK) {
            (void)ll_fail(error, status, "no memory for a plan");
            break;
        }
        if (choice.status == LL_OK)
            *share = fmax(*share, ll_audit_share_of_labels(c, (double)choice.recovered));
    }
    ll_scorer_destroy(asked);
    return status;
}

/* Every code at the full limit against a curator with this setting. */
static ll_status try_scorer(const search *s, ll_defence *d, const ll_scorer *scorer, ll_error *error)
{
    ll_channel c;
    ll_scorer *limited = NULL;
    char limit[32];
    double certain = 0, averaged = 0, expected = 0;
    (void)snprintf(limit, sizeof limit, "%ld", (long)d->queries);
    ll_status status = ll_scorer_vary(&limited, scorer, error, "queries", limit, (char *)NULL);
    if (status == LL_OK)
        status = ll_channel_init(&c, limited, error);
    if (status == LL_OK)
        status = code_share(s, &certain, &c, limited, error);
    if (status == LL_OK)
        status = ll_simulate_averaging(&c, &averaged, d->queries, s->request->seed, error);
    if (status == LL_OK)
        status = ll_average_share(&expected, &c, limited, d->queries, error);
    ll_scorer_destroy(limited);
    if (status == LL_OK)
        set_trial(s, d, &c, fmax(certain, fmax(averaged, expected)), fmin(4096, 4 * (double)c.rows));
    return status;
}

/* ---- noise ---- */

/* The noise grows with the number of answers, or its root: with how few is it as small as the sampling error? */
static void note_noise(const search *s, ll_defence *d)
{
    double afford = s->audit->sampling_error / d->error;
    double answers = floor(d->queries * (d->delta > 0 ? afford * afford : afford));
    if (answers >= 1)
        (void)snprintf(d->note, sizeof d->note,
                       "drawn anew for every score; holds against any attack. For up to %.0f answers it would be no "
                       "larger than the sampling error",
                       answers);
    else
        (void)snprintf(
            d->note, sizeof d->note,
            "drawn anew for every score; holds against any attack. Even for a single answer it would be larger "
            "than the sampling error");
}

static ll_status add_noise(search *s, ll_noise noise, ll_error *error)
{
    const ll_channel *c = s->channel;
    int laplace = noise == LL_NOISE_LAPLACE;
    ll_defence *d = add(s, laplace ? "laplace" : "gaussian", laplace ? "scale" : "sigma");
    if (!isfinite(c->sensitivity)) {
        (void)snprintf(d->note, sizeof d->note, "nothing bounds the loss of a row, so no noise is enough: clip first");
        return LL_OK;
    }
    double epsilon = s->audit->epsilon, delta = laplace ? 0 : s->audit->delta;
    if (epsilon <= 0) {
        (void)snprintf(d->note, sizeof d->note, "the target is what guessing gets: only silence reaches it");
        return LL_OK;
    }
    char size[40];
    d->setting = laplace ? ll_limit_laplace(c, s->queries, epsilon) : ll_limit_gaussian(c, s->queries, epsilon, delta);
    d->scale = d->setting;
    d->epsilon = epsilon;
    d->delta = delta;
    set_price(s, d, laplace ? M_SQRT2 * d->setting : d->setting);
    ll_scorer *noisy = NULL;
    (void)snprintf(size, sizeof size, "%s:%.17g", laplace ? "laplace" : "gaussian", d->setting);
    note_noise(s, d);
    ll_status status = ll_scorer_vary(&noisy, s->scorer, error, "noise", size, "release", "plain", (char *)NULL);
    if (status == LL_OK)
        status = try_scorer(s, d, noisy, error);
    ll_scorer_destroy(noisy);
    return status;
}

/* ---- clip ---- */

/* Would a clip bound what one label moves? Where it is a probability or becomes one, and nothing bounds it so far. */
static int has_clip(const ll_scorer *scorer)
{
    ll_kernel kernel = ll_metric_kernel(scorer->computation.metric);
    return kernel == LL_KERNEL_LOG || kernel == LL_KERNEL_SIGMOID || kernel == LL_KERNEL_SOFTMAX ||
           ll_metric_has_closed_powers(scorer->computation.metric);
}

/* The scorer with this clip and noise; logits first become probabilities. */
static ll_status clip_scorer(const search *s, ll_scorer **out, const char *noise, ll_error *error)
{
    int is_logit = ll_metric_input(s->scorer->computation.metric) == LL_INPUT_LOGIT;
    return ll_scorer_vary(out, s->scorer, error, "metric",
                          is_logit ? "log-loss" : ll_scorer_text(s->scorer, LL_SET_METRIC), "clip", "0.01", "clip-mode",
                          "clip", "columns", "either", "release", "plain", "noise", noise, (char *)NULL);
}

static ll_status add_clip(search *s, ll_error *error)
{
    char size[40];
    ll_channel c;
    ll_scorer *clipped = NULL, *noisy = NULL;
    if (!has_clip(s->scorer) || s->audit->epsilon <= 0)
        return LL_OK;
    ll_status status = clip_scorer(s, &clipped, "none", error);
    if (status == LL_OK)
        status = ll_channel_init(&c, clipped, error);
    ll_scorer_destroy(clipped);
    if (status != LL_OK || !(c.sensitivity < s->channel->sensitivity))
        return status;
    ll_defence *d = add(s, "clip", "clip");
    d->setting = 0.01;
    d->epsilon = s->audit->epsilon;
    d->scale = ll_limit_laplace(&c, s->queries, d->epsilon);
    set_price(s, d, M_SQRT2 * d->scale);
    (void)snprintf(size, sizeof size, "laplace:%.17g", d->scale);
    (void)snprintf(
        d->note, sizeof d->note,
        "with Laplace noise of scale %.3g; alone a clip stops nothing, but one label then moves the score by "
        "%.3g instead of %.3g",
        d->scale, c.sensitivity, s->channel->sensitivity);
    status = clip_scorer(s, &noisy, size, error);
    if (status == LL_OK)
        status = try_scorer(s, d, noisy, error);
    ll_scorer_destroy(noisy);
    return status;
}

/* ---- decimals ---- */

static void note_decimals(ll_defence *d, const search *s, int tried)
{
    if (isnan(d->setting) && tried < 0)
        (void)snprintf(d->note, sizeof d->note, "does nothing here: there are none to leave out");
    else if (isnan(d->setting))
        (void)snprintf(d->note, sizeof d->note,
                       "does nothing here: even rounded to multiples of %g, %.0f answers give %.1f%% of the labels",
                       pow(10, -tried), d->queries, 100 * d->share);
    else if (d->noise_over_sampling_error > 1)
        (void)snprintf(d->note, sizeof d->note,
                       "does it only by hiding the score itself; no proof, and more answers undo it");
    else
        (void)snprintf(d->note, sizeof d->note, "by the best attack known here; no proof, and more answers undo it");
    (void)s;
}

static ll_status add_decimals(search *s, ll_error *error)
{
    const int fewest = 0;
    const ll_release *r = &s->scorer->release;
    ll_defence *d = add(s, "decimals", "decimals");
    int from = r->rounding == LL_ROUND_DECIMALS ? r->places - 1 : 8, tried = from;
    for (int places = from < 8 ? from : 8; places >= fewest; places--) {
        char text[16];
        ll_scorer *rounded = NULL;
        tried = places;
        (void)snprintf(text, sizeof text, "%d", places);
        ll_status status = ll_scorer_vary(&rounded, s->scorer, error, "decimals", text, "digits", (char *)NULL,
                                          "release", "plain", (char *)NULL);
        if (status == LL_OK)
            status = try_scorer(s, d, rounded, error);
        ll_scorer_destroy(rounded);
        if (status != LL_OK)
            return status;
        if (d->share <= s->goal) {
            d->setting = places;
            set_price(s, d, pow(10, -places) / sqrt(12));
            break;
        }
    }
    note_decimals(d, s, tried);
    return LL_OK;
}

/* ---- query limit ---- */

/* *least: queries with which the best code gets more than `labels` labels; infinity where it does not. LL_MEMORY. */
static ll_status queries_beyond(const search *s, double *least, double labels, ll_error *error)
{
    const ll_audit *a = s->audit;
    long rows = (long)labels + 1, queries = 0;
    *least = INFINITY;
    for (long i = 0; i < a->choice_count && rows <= a->rows; i++) {
        const ll_plan_choice *choice = a->choices + i;
        long blocks = choice->status == LL_OK ? (rows + choice->block - 1) / choice->block : 0;
        if (choice->status == LL_OK && (choice->block < a->rows || choice->queries == 1))
            *least = fmin(*least, (double)blocks);
    }
    if (a->best < 0 || rows > a->rows || ll_code_name_is_soft(a->choices[a->best].code))
        return LL_OK;
    ll_plan_request request;
    ll_audit_plan_request(&request, s->request, s->scorer);
    request.code = a->choices[a->best].code;
    ll_status status = ll_plan_count(&queries, &rows, 1, s->scorer, &request, error);
    if (status == LL_OK)
        *least = fmin(*least, (double)queries);
    return status == LL_MEMORY ? status : LL_OK;
}

/* Is averaging at or below the goal after so many answers? *failed where memory ended: then no. */
static int stays_below(const search *s, double queries, ll_status *failed, ll_error *error)
{
    double share = 1;
    if (*failed == LL_OK)
        *failed = ll_average_share(&share, s->channel, s->scorer, queries, error);
    return *failed == LL_OK && share <= s->goal;
}

/* The most answers, up to `most`, after which averaging is still at or below the goal. */
static ll_status averaging_limit(const search *s, double *out, double most, ll_error *error)
{
    double fits = 0, fails = 1;
    ll_status status = LL_OK;
    if (stays_below(s, fmin(most, 1e9), &status, error)) {
        *out = most;
        return LL_OK;
    }
    while (fails < most && stays_below(s, fails, &status, error)) {
        fits = fails;
        fails *= 4;
    }
    fails = fmin(fails, most);
    while (fails - fits > 1 + fits / 256) {
        double middle = floor((fits + fails) / 2);
        if (stays_below(s, middle, &status, error))
            fits = middle;
        else
            fails = middle;
    }
    *out = fits;
    return status;
}

static ll_status add_query_limit(search *s, ll_error *error)
{
    ll_defence *d = add(s, "query-limit", "queries");
    const ll_channel *c = s->channel;
    double labels = floor((s->goal - c->guess) / (1 - c->guess) * (double)c->rows * (1 + 1e-12));
    double limit = 0, beyond;
    ll_status status = queries_beyond(s, &beyond, fmax(labels, 0), error);
    if (status == LL_OK)
        status = averaging_limit(s, &limit, beyond - 1, error);
    if (status != LL_OK)
        return status;
    set_price(s, d, 0);
    if (limit >= 1e12) {
        (void)snprintf(d->note, sizeof d->note, "no attack known here needs one");
        d->setting = INFINITY;
        d->queries = INFINITY;
        d->share = c->guess;
        d->verified = 1;
        return LL_OK;
    }
    d->setting = d->queries = limit;
    if (limit < 1) {
        (void)snprintf(d->note, sizeof d->note, "a single answer gives away more than the target allows");
        d->setting = (double)NAN;
        return LL_OK;
    }
    (void)snprintf(d->note, sizeof d->note,
                   "tries x days x accounts, all together; by the best attack known here: the proved limit at that "
                   "many is %.1f%%",
                   100 * ll_limit_share(c, limit));
    set_trial(s, d, c, s->goal, INFINITY);
    return LL_OK;
}

/* ---- the Ladder ---- */

static ll_status add_ladder(search *s, ll_error *error)
{
    ll_defence *d = add(s, "ladder", "step");
    double step = s->audit->sampling_error, share = 0;
    if (!(step > 0) || !isfinite(s->channel->sensitivity) || !s->channel->is_linear) {
        (void)snprintf(d->note, sizeof d->note, "not priced for this score");
        return LL_OK;
    }
    d->setting = step;
    set_price(s, d, step / sqrt(12));
    ll_status status = ll_simulate_ladder(s->channel, &share, step, d->queries, s->request->seed, error);
    ll_channel c = *s->channel;
    c.grid = step;
    if (status == LL_OK)
        set_trial(s, d, &c, share, (double)c.rows);
    (void)snprintf(d->note, sizeof d->note,
                   "promises that the best score shown stays honest, not that labels stay hidden: %s",
                   step <= s->channel->sensitivity
                       ? "one label moves the score by more than the step, so answers tell labels one by one"
                       : "answers still tell which of two submissions is better");
    return status;
}

ll_status ll_defences_find(ll_audit *audit, const ll_channel *channel, const ll_scorer *scorer,
                           const ll_audit_request *request, ll_error *error)
{
    search s = {.audit = audit, .channel = channel, .scorer = scorer, .request = request};
    double usual = request->default_queries > 0 ? (double)request->default_queries : 1000;
    s.queries = isfinite(channel->queries) ? channel->queries : usual;
    s.goal = audit->target_share;
    if (request->epsilon > 0 && request->target_share <= 0)
        s.goal = fmin(1, ll_limit_share_of_epsilon(channel, request->epsilon));
    audit->defence_count = 0;
    ll_status status = add_noise(&s, LL_NOISE_LAPLACE, error);
    if (status == LL_OK)
        status = add_noise(&s, LL_NOISE_GAUSSIAN, error);
    if (status == LL_OK)
        status = add_clip(&s, error);
    if (status == LL_OK)
        status = add_decimals(&s, error);
    if (status == LL_OK)
        status = add_query_limit(&s, error);
    if (status == LL_OK)
        status = add_ladder(&s, error);
    return status;
}
