/* Noise as a defence, alone or behind a clip. How much follows from the share asked for: Laplace noise by epsilon,
 * Gaussian noise of one size by the trade-off of two normal laws, noise in proportion to a submission's spread by the
 * bits of all answers together (docs/proofs/audit.md, docs/proofs/proportional.md). All three hold against any attack.
 */
#include "audit/defence_kinds.h"
#include "number/text_number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ll_status ll_defence_take_probabilities(const ll_defence_search *s, ll_scorer **out, ll_error *error)
{
    if (s->channel->is_logit)
        return ll_scorer_vary(out, s->scorer, error, "metric", LL_PROBABILITIES, "columns", "either", (char *)NULL);
    return ll_scorer_vary(out, s->scorer, error, (char *)NULL);
}

/* The scorer that noise is added to. */
typedef struct {
    ll_scorer *scorer;
    ll_channel channel;
    double sampling_error, spread; /* of a middling model */
} frame;

/* With this clip, and neither noise nor levels. */
static ll_status clip_scorer(const ll_defence_search *s, const ll_defence_kind *k, ll_scorer **out, ll_error *error)
{
    char clip[40];
    ll_scorer *sure = NULL;
    if (s->channel->is_numeric) /* numbers stay within the targets */
        return ll_scorer_vary(out, s->scorer, error, "clip-targets", "yes", "release", "plain", "noise", "none",
                              (char *)NULL);
    (void)ll_print(clip, sizeof clip, "%g", k->clip);
    ll_status status = ll_defence_take_probabilities(s, &sure, error);
    if (status == LL_OK)
        status = ll_scorer_vary(out, sure, error, "clip", clip, "clip-mode", "clip", "release", "plain", "noise",
                                "none", (char *)NULL);
    ll_scorer_destroy(sure);
    return status;
}

/* f->scorer is the caller's to destroy in any case. */
static ll_status make_frame(const ll_defence_search *s, const ll_defence_kind *k, frame *f, ll_error *error)
{
    *f = (frame){.scorer = NULL};
    ll_status status =
        k->clip > 0 ? clip_scorer(s, k, &f->scorer, error)
                    : ll_scorer_vary(&f->scorer, s->scorer, error, "noise", "none", "release", "plain", (char *)NULL);
    if (status == LL_OK)
        status = ll_channel_init(&f->channel, f->scorer, error);
    if (status == LL_OK)
        status = ll_sampling_error(&f->sampling_error, &f->channel, f->scorer, error);
    return status;
}

/* ---- laws ---- */

/* The size that keeps the goal over s->queries answers; sets d->epsilon and d->delta where it has them. */
static double size_of_odds(const ll_defence_search *s, const ll_channel *c, ll_defence *d)
{
    d->epsilon = s->audit->epsilon;
    return ll_limit_laplace(c, s->queries, d->epsilon);
}

/* An epsilon where one was asked for; else what keeps the share itself, which takes less. */
static double normal_size(const ll_defence_search *s, const ll_channel *c, const ll_law *law, ll_defence *d)
{
    double size = ll_limit_size_of_share(c, law, s->queries, s->goal);
    d->delta = s->audit->delta;
    if (s->request->epsilon > 0)
        size = ll_limit_gaussian(c, s->queries, s->audit->epsilon, d->delta);
    ll_channel noisy = *c;
    noisy.noise = law;
    noisy.noise_size = size;
    d->epsilon = s->request->epsilon > 0 ? s->audit->epsilon : ll_limit_epsilon(&noisy, s->queries, d->delta);
    return size;
}

static double find_size(const ll_defence_search *s, const ll_channel *c, const ll_law *law, ll_defence *d)
{
    if (law->of_spread != NULL)
        return ll_limit_proportional(c, s->queries, s->goal);
    return law->bounds_odds ? size_of_odds(s, c, d) : normal_size(s, c, law, d);
}

/* Of a middling model's score. */
static double deviation_of(const frame *f, const ll_law *law, double size)
{
    return law->of_spread != NULL ? size * f->spread : sqrt(law->variance) * size;
}

/* Of noise of that size. */
static ll_status find_spread(frame *f, const ll_law *l, double size, ll_error *error)
{
    ll_channel noisy = f->channel;
    if (l->of_spread == NULL)
        return LL_OK;
    noisy.proportion = size;
    return ll_middling_spread(&f->spread, &noisy, f->scorer, error);
}

static const ll_law *law_of(const ll_defence_kind *k)
{
    return ll_law_find(k->noise, strlen(k->noise));
}

/* ---- notes ---- */

/* Is the target out of reach of any size? The trade-off need not end at what guessing gets, of unequal shares of three
 * classes or more. */
static int has_no_size(const ll_defence_search *s, const ll_law *law, const ll_channel *c)
{
    ll_defence scratch = {0};
    return law->of_spread == NULL && isinf(find_size(s, c, law, &scratch));
}

/* Why there is no such noise; 0 where there is. */
static int is_hopeless(const ll_defence_search *s, const ll_defence_kind *k, const frame *f, ll_defence *d)
{
    int follows = law_of(k)->of_spread != NULL;
    if (s->goal <= s->channel->guess)
        (void)snprintf(d->note, LL_NOTE_SIZE, "the target is what guessing gets: only silence reaches it");
    else if (ll_limit_fails(s->channel, follows))
        (void)snprintf(d->note, LL_NOTE_SIZE,
                       "there are labels for which the program fails, and failing is an answer without noise: give "
                       "those a value first");
    else if (!follows && !isfinite(f->channel.sensitivity))
        (void)snprintf(d->note, LL_NOTE_SIZE, "nothing bounds the loss of a row, so no noise is enough: clip first");
    else if (s->request->epsilon <= 0 && ll_limit_share(&f->channel, s->queries) <= s->goal)
        (void)snprintf(d->note, LL_NOTE_SIZE, "no noise is needed: the limit holds without");
    else if (has_no_size(s, law_of(k), &f->channel))
        (void)snprintf(d->note, LL_NOTE_SIZE, "no size of it is proved to keep the target with these class shares");
    else if (follows && isinf(ll_limit_proportional(&f->channel, s->queries, s->goal)))
        (void)ll_print(d->note, LL_NOTE_SIZE,
                       "how large the noise is follows the number of positives, and over %.0f answers that alone may "
                       "tell too much",
                       s->queries);
    else if (k->clip > 0 && !(f->channel.sensitivity < s->channel->sensitivity))
        (void)snprintf(d->note, LL_NOTE_SIZE, "this score is clipped as far already");
    return d->note[0] != '\0';
}

/* With how many answers is the noise as small as the sampling error? */
static void note_answers(const frame *f, const ll_law *l, ll_defence *d)
{
    double answers = floor(d->queries * pow(f->sampling_error / d->error, 1 / l->growth));
    int local = d->follows_labels;
    const char *drawn = l->of_spread == NULL ? "drawn anew for every score; holds against any attack"
                        : local ? "in proportion to what each label moves with the others as they are, drawn anew for "
                                  "every score; holds against any attack on the labels as a whole, not for one label "
                                  "that is singled out"
                                : "in proportion to what the submission could read, drawn anew for every score; holds "
                                  "against any attack on the labels as a whole, not for one label that is singled out";
    int changes = f->channel.may_ignore && !local; /* for fewer answers it would follow the labels, and be smaller */
    if (answers >= d->queries || isnan(f->sampling_error) || (changes && l->of_spread != NULL))
        (void)snprintf(d->note, LL_NOTE_SIZE, "%s", drawn);
    else if (answers >= 1)
        (void)ll_print(d->note, LL_NOTE_SIZE,
                       "%s. For up to %.0f answers it would be no larger than the sampling error", drawn, answers);
    else
        (void)snprintf(d->note, LL_NOTE_SIZE, "%s. Even for a single answer it would be larger than the sampling error",
                       drawn);
}

static void note_clip(const ll_defence_search *s, const frame *f, const ll_law *l, ll_defence *d)
{
    (void)ll_print(d->note, LL_NOTE_SIZE,
                   "%swith %s noise of size %.3g; alone a clip stops nothing, but one label then moves the score by "
                   "%.3g instead of %.3g",
                   s->channel->is_numeric ? "predictions clipped to the range of the targets (clip-targets), " : "",
                   l->name, d->scale, f->channel.sensitivity, s->channel->sensitivity);
}

/* ---- the kind ---- */

int ll_defence_has_noise(const ll_defence_search *s, const ll_defence_kind *k)
{
    static const double plain_clip = 0.01; /* targets have one clip: harder ones are the same again */
    int again = k->clip > plain_clip && s->channel->is_numeric;
    if (law_of(k)->of_spread != NULL && !s->channel->can_follow)
        return 0;
    return k->clip == 0 || (s->channel->has_clip && s->audit->epsilon > 0 && !again);
}

/* Up to three digits: as reports show it, and hosts will type it. */
static double round_up(double size)
{
    double places = 2 - floor(log10(size)), power = pow(10, fabs(places));
    if (fabs(places) > 300) /* no noise is so small or large; it is refused */
        return size;
    if (places < 0)
        return ceil(size / power * (1 - 0x1p-40)) * power;
    return ceil(size * power * (1 - 0x1p-40)) / power; /* of whole numbers: the double that is nearest to the text */
}

static ll_status set(const ll_defence_search *s, const ll_defence_kind *k, frame *f, const ll_law *l, ll_defence *d,
                     ll_error *error)
{
    d->scale = round_up(find_size(s, &f->channel, l, d));
    ll_status status = find_spread(f, l, d->scale, error);
    d->setting = k->clip > 0 ? k->clip : d->scale;
    d->sensitivity = f->channel.sensitivity;
    d->follows_labels =
        law_of(k)->of_spread != NULL && f->channel.may_ignore && ll_limit_follows_labels(&f->channel, d->scale);
    ll_defence_set_price(d, deviation_of(f, l, d->scale), f->sampling_error);
    if (k->clip > 0) {
        char clip[60] = "clip-targets=yes";
        if (!s->channel->is_numeric)
            (void)ll_print(clip, sizeof clip, "clip=%g clip-mode=clip", k->clip);
        (void)ll_print(d->settings, LL_SETTINGS_SIZE, "%s%s noise=%s:%.3g%s",
                       s->channel->is_logit ? "metric=" LL_PROBABILITIES " columns=either " : "", clip, l->name,
                       d->scale, ll_defence_no_ladder(s));
        note_clip(s, f, l, d);
    } else {
        (void)ll_print(d->settings, LL_SETTINGS_SIZE, "noise=%s:%.3g%s", l->name, d->scale, ll_defence_no_ladder(s));
        note_answers(f, l, d);
    }
    return status;
}

ll_status ll_defence_set_noise(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                               ll_error *error)
{
    frame f;
    char noise[64];
    const ll_law *l = law_of(k);
    ll_status status = make_frame(s, k, &f, error);
    if (status == LL_OK && !is_hopeless(s, k, &f, d)) {
        status = set(s, k, &f, l, d, error);
        (void)ll_print(noise, sizeof noise, "%s:%.3g", l->name, d->scale);
        if (status == LL_OK)
            status = ll_scorer_vary(out, f.scorer, error, "noise", noise, (char *)NULL);
    }
    ll_scorer_destroy(f.scorer);
    return status;
}
