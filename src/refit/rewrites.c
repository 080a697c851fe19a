/* The table of other descriptions: settings that change, and why one would think so. The order is that in which they
 * are tried: those that change one part of the release, then two, then what computes the number. */
#include "refit/refit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LOG2_TEN 3.3219280948873623

/* ---- the release: steps x digits ---- */

typedef struct {
    const char *value, *words;
} step;

static const step steps[] = {
    {NULL, ""}, /* as described */
    {"identity", "the number as it is"},
    {"percent", "a percentage"},
    {"negate", "negated"},
    {"negate,percent", "a negated percentage"},
    {"negate,offset:1", "one minus the number, as of an error rate"},
    {"root", "the root of the number"},
    {"root,percent", "the root as a percentage"},
};

/* Digits: as described, as the texts have them, and both cut instead of rounded. */
enum { KEPT, SEEN, KEPT_CUT, SEEN_CUT, ROUNDINGS };
enum { STEPS = sizeof steps / sizeof *steps };

/* ---- what computes it ---- */

typedef struct {
    ll_refit_way way;
    const char *name, *value, *words;
} computed;

static const computed others[] = {
    {LL_REFIT_COMPUTATION, "columns", "1", "one column is read, and 1-p is the scorer's own"},
    {LL_REFIT_COMPUTATION, "arithmetic", "fp32", "predictions are rounded to single precision"},
    {LL_REFIT_COMPUTATION, "arithmetic", "fp64", "predictions are read in double precision"},
    {LL_REFIT_ROWS, "rows", NULL, "the last rows do not count"},
    {LL_REFIT_CLIP, "clip", "0.05", "another clip"},
    {LL_REFIT_CLIP, "clip", "0.02", "another clip"},
    {LL_REFIT_CLIP, "clip", "0.01", "another clip"},
    {LL_REFIT_CLIP, "clip", "0.005", "another clip"},
    {LL_REFIT_CLIP, "clip", "1e-3", "another clip"},
    {LL_REFIT_CLIP, "clip", "1e-4", "another clip"},
    {LL_REFIT_CLIP, "clip", "1e-5", "another clip"},
    {LL_REFIT_CLIP, "clip", "1e-6", "another clip"},
    {LL_REFIT_CLIP, "clip", "0x1p-23", "another clip, the epsilon of floats"},
    {LL_REFIT_CLIP, "clip", "1e-7", "another clip"},
    {LL_REFIT_CLIP, "clip", "1e-8", "another clip"},
    {LL_REFIT_CLIP, "clip", "1e-9", "another clip"},
    {LL_REFIT_CLIP, "clip", "1e-10", "another clip"},
    {LL_REFIT_CLIP, "clip", "1e-12", "another clip"},
    {LL_REFIT_CLIP, "clip", "0x1p-52", "another clip, the epsilon of doubles"},
    {LL_REFIT_CLIP, "clip", "1e-15", "another clip"},
};

enum { OTHERS = sizeof others / sizeof *others };

/* ---- parts ---- */

static void add(ll_rewrite *r, const char *name, const char *value)
{
    r->names[r->count] = name;
    (void)snprintf(r->values[r->count++], LL_REFIT_TEXT, "%s", value);
}

static int is_set(const ll_refit_case *c, const char *name, const char *value)
{
    const char *text = ll_scorer_get(c->scorer, name);
    return text != NULL && strcmp(text, value) == 0;
}

/* What is stated of digits: the setting, or NULL; and how many. */
static const char *stated_places(const ll_refit_case *c, long *places)
{
    static const char *const names[] = {"decimals", "digits"};
    for (int i = 0; i < 2; i++)
        if (ll_scorer_get(c->scorer, names[i]) != NULL && !is_set(c, names[i], "none")) {
            *places = ll_scorer_get_count(c->scorer, names[i]);
            return names[i];
        }
    return NULL;
}

/* Each digit less is one chance in ten; numbers of few values have few digits of their own. */
static double text_bits(const ll_refit_case *c, long seen, long missing)
{
    double known = c->scorer->release.value_bits - (double)seen * LOG2_TEN;
    return (double)c->count * fmax(0, fmin((double)missing * LOG2_TEN, known));
}

/* Digits as the texts have them: 0 where that is what is stated, or where they are all of a float's. */
static int add_seen(ll_rewrite *r, const ll_refit_case *c, const ll_refit_texts *t)
{
    enum { WHOLE = 14 }; /* digits from which a text may be a double written out */
    char value[LL_REFIT_TEXT];
    long places = 0;
    const char *name = stated_places(c, &places);
    int in_digits = name != NULL && strcmp(name, "digits") == 0;
    long seen = in_digits ? t->digits : t->decimals;
    if ((name != NULL && seen == places) || (name == NULL && t->digits >= WHOLE))
        return 0;
    (void)snprintf(value, sizeof value, "%ld", seen);
    add(r, in_digits ? "digits" : "decimals", t->digits >= WHOLE ? "none" : value);
    long missing = name == NULL ? WHOLE - t->digits : places - seen;
    r->text_bits = text_bits(c, seen, missing);
    (void)snprintf(r->words, sizeof r->words, "no score has more than %ld %s", seen, in_digits ? "digits" : "decimals");
    if (missing < 0)
        (void)snprintf(r->words, sizeof r->words, "scores have up to %ld %s", seen, in_digits ? "digits" : "decimals");
    return 1;
}

static int add_rounding(ll_rewrite *r, const ll_refit_case *c, const ll_refit_texts *t, int rounding)
{
    int is_cut = is_set(c, "truncate", "yes");
    long places;
    if ((rounding == SEEN || rounding == SEEN_CUT) && !add_seen(r, c, t))
        return 0;
    if (rounding != KEPT_CUT && rounding != SEEN_CUT)
        return 1;
    if (rounding == KEPT_CUT && stated_places(c, &places) == NULL)
        return 0;
    add(r, "truncate", is_cut ? "no" : "yes");
    (void)snprintf(r->words + strlen(r->words), sizeof r->words - strlen(r->words), "%sscores are %s",
                   r->words[0] ? ", " : "", is_cut ? "rounded, not cut" : "cut, not rounded");
    return 1;
}

static int make_release(ll_rewrite *r, const ll_refit_case *c, const ll_refit_texts *t, const step *change,
                        int rounding)
{
    *r = (ll_rewrite){.way = LL_REFIT_RELEASE};
    if (!add_rounding(r, c, t, rounding))
        return 0;
    if (change->value != NULL) {
        if (is_set(c, "transform", change->value))
            return 0;
        add(r, "transform", change->value);
        (void)snprintf(r->words + strlen(r->words), sizeof r->words - strlen(r->words), "%s%s", r->words[0] ? "; " : "",
                       change->words);
    }
    return r->count > 0;
}

/* A computation that differs in what is described. */
static int make_other(ll_rewrite *r, const ll_refit_case *c, const computed *row)
{
    *r = (ll_rewrite){.way = row->way};
    if (row->value != NULL && is_set(c, row->name, row->value))
        return 0;
    if (row->way == LL_REFIT_CLIP && !ll_metric_has_terms(c->scorer->computation.metric))
        return 0;
    if (row->way == LL_REFIT_COMPUTATION &&
        (is_set(c, "arithmetic", "exact") || c->scorer->computation.kind != LL_KIND_NATIVE))
        return 0;
    add(r, row->name, row->value != NULL ? row->value : "");
    (void)snprintf(r->words, sizeof r->words, "%s", row->words);
    return 1;
}

int ll_refit_propose(ll_rewrite *out, const ll_refit_case *c, const ll_refit_texts *t, long index)
{
    /* one change: every step, every rounding; then both together; then the rest */
    for (int changes = 1; changes <= 3; changes++)
        for (int i = 0; i < STEPS; i++)
            for (int rounding = 0; rounding < ROUNDINGS; rounding++)
                if (make_release(out, c, t, &steps[i], rounding) && out->count == changes && index-- == 0)
                    return 1;
    for (int i = 0; i < OTHERS; i++)
        if (make_other(out, c, &others[i]) && index-- == 0)
            return 1;
    return 0;
}

ll_status ll_refit_vary(ll_scorer **out, const ll_refit_case *c, const ll_rewrite *r)
{
    ll_scorer *varied = NULL;
    ll_status status = ll_scorer_copy(&varied, c->scorer, NULL);
    for (int i = 0; i < r->count && status == LL_OK; i++)
        status = ll_scorer_set(varied, r->names[i], r->values[i], NULL);
    if (status == LL_OK)
        status = ll_scorer_resolve(varied, NULL, NULL);
    if (status == LL_OK)
        *out = varied;
    else
        ll_scorer_destroy(varied);
    return status;
}
