/* Which rewrites fit: those of the release first, the ones that change least; then what computes the number. */
#include "decode/decoder.h"
#include "number/budget.h"
#include "number/text_number.h"
#include "number/value.h"
#include "refit/refit.h"
#include "scorer/several.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FITS = 3 };
#define TEXT_BITS 6.0     /* at which digits alone speak for a rewrite that excludes nothing */
#define CLEARLY_SHORT 20. /* and against a description that explains the scores */
#define NEARLY 3.0        /* nats between rewrites that cannot be told apart */
#define BY_CHANCE 0.02    /* a fit that may be one by chance is none, where there are many to choose from */
#define SHARE_OF_TIME 0.25
#define MOST_SECONDS 20.0

/* What a result owns, in one piece. */
typedef struct {
    ll_redescription fits[MOST_FITS];
    struct {
        char settings[120], why[240];
    } words[MOST_FITS];
    char note[320];
} kept;

typedef struct {
    const ll_refit_case *c;
    ll_refit_texts texts;
    double text_bits; /* that texts speak for other digits */
    int explained;    /* some labelling explains the scores: only digits are looked at */
    kept *kept;
    double surplus[MOST_FITS];
    long count;
    int changes; /* of those that fit */
    double chance;
} finding;

/* ---- one fit ---- */

static void write_settings(char *text, size_t size, const ll_rewrite *r)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < r->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s=%s", i ? " " : "", r->names[i], r->values[i]);
}

static void keep(finding *f, const ll_rewrite *r, const ll_refit_trial *trial)
{
    const char *how = trial->by_size ? ": by the size of the scores, not proved" : "";
    if (f->count == MOST_FITS)
        return;
    ll_redescription *fit = &f->kept->fits[f->count];
    fit->settings = f->kept->words[f->count].settings;
    fit->why = f->kept->words[f->count].why;
    f->surplus[f->count++] = trial->surplus;
    f->changes = r->count;
    write_settings(fit->settings, sizeof f->kept->words->settings, r);
    if (trial->certain > 0)
        (void)snprintf(fit->why, sizeof f->kept->words->why, "%s; %ld labels would be certain", r->words,
                       trial->certain);
    else
        (void)snprintf(fit->why, sizeof f->kept->words->why, "%s%s", r->words, how);
    fit->proved = trial->proved;
}

/* Can this scorer release such numbers at all? */
static int is_in_range(const ll_refit_case *c, const ll_scorer *scorer)
{
    double low, high;
    ll_scorer_get_range(scorer, &low, &high);
    for (long i = 0; i < c->count; i++) {
        double score = ll_read_double(c->scores[i], NULL);
        if (score < low || score > high)
            return 0;
    }
    return 1;
}

/* The size of the scores speaks for a scorer, and against the one that was described. */
static ll_status weigh(ll_refit_trial *out, const finding *f, const ll_scorer *other)
{
    ll_refit_trial stated, own;
    ll_status status = ll_refit_moments(&own, f->c, other);
    if (status == LL_OK)
        status = ll_refit_moments(&stated, f->c, f->c->scorer);
    if (status != LL_OK)
        return status;
    int refuted = stated.answer == LL_REFIT_NO || !is_in_range(f->c, f->c->scorer);
    if (refuted && own.answer != LL_REFIT_NO)
        *out = (ll_refit_trial){.answer = LL_REFIT_YES, .by_size = 1};
    return LL_OK;
}

/* A rewrite that excludes nothing needs something that speaks for it: digits, or the size of the scores. */
static ll_status judge(ll_refit_trial *out, const finding *f, const ll_scorer *other, const ll_rewrite *r)
{
    ll_status status =
        f->c->plan != NULL ? ll_refit_decode(out, f->c, other, r->way, 0) : ll_refit_infer(out, f->c, other);
    if (status != LL_OK || out->answer != LL_REFIT_OPEN)
        return status;
    if (r->text_bits >= TEXT_BITS)
        out->answer = LL_REFIT_YES;
    else if (f->c->plan != NULL && r->way == LL_REFIT_RELEASE && !f->explained)
        status = weigh(out, f, other);
    else if (f->c->plan != NULL && r->way == LL_REFIT_COMPUTATION && !ll_plan_is_joint(f->c->plan))
        status = ll_refit_infer(out, f->c, other);
    return status;
}

static ll_status try_release(ll_refit_trial *out, const finding *f, const ll_rewrite *r)
{
    ll_scorer *other;
    *out = (ll_refit_trial){.answer = LL_REFIT_NO};
    ll_status status = ll_refit_vary(&other, f->c, r);
    if (status != LL_OK)
        return status == LL_MEMORY ? status : LL_OK;
    if (is_in_range(f->c, other))
        status = judge(out, f, other, r);
    ll_scorer_destroy(other);
    return status;
}

/* Is it worth a trial though the scores are explained? Digits that were not promised, or far too few. */
static int contradicts(const finding *f, const ll_rewrite *r)
{
    return r->way == LL_REFIT_RELEASE && r->count == 1 && strcmp(r->names[0], "transform") != 0 &&
           strcmp(r->names[0], "truncate") != 0 && (r->text_bits > CLEARLY_SHORT || r->text_bits == 0) && f->count == 0;
}

/* Where the texts are clearly shorter than was said, a rewrite that says nothing of it is none. */
static int ignores_texts(const finding *f, const ll_rewrite *r)
{
    return f->text_bits >= TEXT_BITS && r->text_bits < f->text_bits;
}

/* The most that texts speak for other digits. */
static double find_text_bits(const finding *f)
{
    ll_rewrite r;
    double most = 0;
    for (long i = 0; ll_refit_propose(&r, f->c, &f->texts, i) && r.way == LL_REFIT_RELEASE; i++)
        most = fmax(most, r.text_bits);
    return most;
}

/* ---- rows ---- */

/* Fewer rows than were said: from the end, the nearest number first. */
static ll_status try_rows(finding *f, ll_rewrite *r)
{
    ll_refit_trial trial;
    ll_status status = LL_OK;
    if (f->c->plan == NULL || !ll_link_is_linear(&f->c->scorer->computation) ||
        !ll_metric_has_terms(f->c->scorer->computation.metric))
        return LL_OK;
    for (long dropped = 1; dropped < f->c->plan->rows && status == LL_OK && f->count == 0; dropped++) {
        status = ll_refit_decode(&trial, f->c, f->c->scorer, LL_REFIT_ROWS, dropped);
        if (status != LL_OK || trial.answer != LL_REFIT_YES || trial.chance * (double)dropped > BY_CHANCE)
            continue;
        (void)snprintf(r->values[0], LL_REFIT_TEXT, "%ld", f->c->plan->rows - dropped);
        trial.certain = 0; /* labels of rows that do not count are none */
        keep(f, r, &trial);
    }
    return status;
}

/* ---- clips ---- */

typedef struct {
    ll_rewrite rewrites[32];
    ll_refit_trial trials[32];
    long count, fits;
} clips;

static ll_status try_clip(clips *all, const finding *f, const ll_rewrite *r,
                          ll_status (*way)(ll_refit_trial *, const ll_refit_case *, const ll_scorer *))
{
    ll_scorer *other;
    ll_refit_trial *trial = &all->trials[all->count];
    ll_status status = ll_refit_vary(&other, f->c, r);
    if (status != LL_OK)
        return status == LL_MEMORY ? status : LL_OK;
    status = way(trial, f->c, other);
    ll_scorer_destroy(other);
    if (status != LL_OK)
        return status;
    all->fits += trial->answer == LL_REFIT_YES;
    all->rewrites[all->count++] = *r;
    return LL_OK;
}

static ll_status try_clips(clips *all, const finding *f, const ll_rewrite *list, long count,
                           ll_status (*way)(ll_refit_trial *, const ll_refit_case *, const ll_scorer *))
{
    ll_status status = LL_OK;
    all->count = all->fits = 0;
    for (long i = 0; i < count && status == LL_OK; i++)
        status = try_clip(all, f, &list[i], way);
    return status == LL_UNABLE && all->count > 0 ? LL_OK : status; /* out of time: those that were tried */
}

static void keep_clips(finding *f, const clips *all)
{
    double least = INFINITY;
    for (long i = 0; i < all->count; i++)
        if (all->trials[i].answer == LL_REFIT_YES)
            least = fmin(least, all->trials[i].surplus);
    for (long i = 0; i < all->count; i++)
        if (all->trials[i].answer == LL_REFIT_YES && all->trials[i].surplus <= least + NEARLY)
            keep(f, &all->rewrites[i], &all->trials[i]);
}

/* A search that leaves one or two clips has told them from the others; else their likelihood does. */
static ll_status find_clip(finding *f, const ll_rewrite *list, long count)
{
    enum { FEW = 2 };
    clips *all = calloc(1, sizeof *all);
    ll_status status = all != NULL ? LL_OK : LL_MEMORY;
    int searches = f->c->plan == NULL || !ll_plan_is_joint(f->c->plan);
    if (status == LL_OK && searches)
        status = try_clips(all, f, list, count, ll_refit_infer);
    if (status == LL_OK && searches && all->fits >= 1 && all->fits <= FEW) {
        keep_clips(f, all);
    } else if (status == LL_OK && f->c->plan != NULL) {
        ll_refit_trial stated;
        status = ll_refit_moments(&stated, f->c, f->c->scorer);
        if (status == LL_OK && stated.answer == LL_REFIT_NO)
            status = try_clips(all, f, list, count, ll_refit_moments);
        if (status == LL_OK && stated.answer == LL_REFIT_NO)
            keep_clips(f, all);
    }
    free(all);
    return status;
}

/* ---- all ---- */

static ll_status find_release(finding *f, long *index)
{
    ll_rewrite r;
    ll_refit_trial trial;
    ll_status status = LL_OK;
    for (; status == LL_OK && ll_refit_propose(&r, f->c, &f->texts, *index) && r.way == LL_REFIT_RELEASE; ++*index) {
        if ((f->count > 0 && r.count > f->changes) || (f->explained && !contradicts(f, &r)) || ignores_texts(f, &r))
            continue;
        status = try_release(&trial, f, &r);
        if (status == LL_OK && trial.answer == LL_REFIT_YES)
            keep(f, &r, &trial);
    }
    return status;
}

static ll_status find_computed(finding *f, long index)
{
    ll_rewrite r, list[32];
    ll_refit_trial trial;
    long count = 0;
    ll_status status = LL_OK;
    for (; status == LL_OK && ll_refit_propose(&r, f->c, &f->texts, index); index++) {
        if (r.way == LL_REFIT_CLIP) {
            list[count++] = r;
        } else if (f->count == 0 && r.way == LL_REFIT_ROWS) {
            status = try_rows(f, &r);
        } else if (f->count == 0) {
            status = try_release(&trial, f, &r);
            if (status == LL_OK && trial.answer == LL_REFIT_YES && trial.chance <= BY_CHANCE)
                keep(f, &r, &trial);
        }
    }
    return status == LL_OK && f->count == 0 && count > 0 ? find_clip(f, list, count) : status;
}

static ll_status find_all(finding *f)
{
    long index = 0;
    if (f->c->scorer->is_part || (f->c->plan != NULL && f->c->plan->bounds.guarantee != LL_CERTIFIED))
        return LL_OK; /* other parts are tried by the decoder itself; else nothing is excluded */
    ll_status status = find_release(f, &index);
    if (status == LL_OK && f->count == 0 && !f->explained)
        status = find_computed(f, index);
    return status;
}

void ll_refit_clear(ll_refit *refit)
{
    ll_refit *all = ll_value_whole(refit, sizeof *all);
    if (all == NULL)
        return;
    free(all->fits);
    ll_value_reset(refit);
}

const ll_redescription *ll_refit_get_fit(const ll_refit *refit, long index)
{
    return index >= 0 && index < refit->fit_count ? &((const kept *)refit->fits)->fits[index] : NULL;
}

static ll_status give(ll_refit *out, const finding *f, ll_error *error)
{
    ll_refit made;
    ll_refit_init(&made);
    made.fits = f->kept;
    made.fit_count = f->count;
    made.note = f->kept->note[0] != '\0' ? f->kept->note : NULL;
    made.chance = f->chance;
    ll_refit_clear(out);
    ll_status status = ll_value_give(out, &made, sizeof made, error);
    if (status != LL_OK)
        ll_refit_clear(&made);
    return status;
}

ll_status ll_refit_find(ll_refit *out, const ll_scorer *scorer, const ll_refit_request *request, ll_error *error)
{
    ll_refit_request asked;
    ll_status status = ll_scorer_need(scorer, error);
    if (status == LL_OK)
        status = ll_scorer_need_one(scorer, "a search for other descriptions", error);
    if (status == LL_OK)
        status = ll_value_read(&asked, sizeof asked, request, "refit_request", error);
    if (status != LL_OK)
        return status;
    if (asked.count < 1 || (asked.plan == NULL && asked.predictions == NULL))
        return ll_fail(error, LL_DOMAIN, "no score, or no predictions: there is nothing to look at");
    const ll_refit_case c = {.scorer = scorer,
                             .plan = asked.plan,
                             .predictions = asked.predictions,
                             .scores = asked.scores,
                             .count = asked.count,
                             .until = ll_clock() + fmin(MOST_SECONDS, SHARE_OF_TIME * ll_budget_seconds(asked.budget)),
                             .memory = ll_budget_memory(asked.budget),
                             .threads = ll_budget_threads(asked.budget)};
    finding f = {.c = &c, .kept = calloc(1, sizeof *f.kept), .explained = asked.explained, .chance = (double)NAN};
    if (f.kept == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for other descriptions");
    if (asked.plan != NULL && asked.verdict != NULL)
        f.chance = ll_verdict_chance(asked.plan, asked.verdict);
    ll_refit_look(&f.texts, asked.scores, asked.count);
    if (!asked.explained)
        ll_refit_say_repeats(f.kept->note, sizeof f.kept->note, &f.texts, asked.scores, asked.count);
    f.text_bits = find_text_bits(&f);
    status = find_all(&f);
    if (status == LL_MEMORY) {
        free(f.kept);
        return ll_fail(error, status, "no memory to look for another description");
    }
    return give(out, &f, error);
}
