/* Releases that an audit proposes, in words: what to change, what that is good for, what it costs, the command that
 * checks it, and the release as code. */
#include "audit/audit_private.h"
#include "audit/settings_text.h"
#include "number/text_number.h"
#include "number/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 700, VALUE = 120, RECOMMENDED = 4 };

/* ---- what to change ---- */

/* What a setting asks of a host, % standing for its value; a setting without words is said by another one. Noise is
 * said by its law. */
static const struct {
    ll_setting setting;
    const char *words, *one, *many; /* what the value counts */
} phrases[] = {
    {LL_SET_METRIC, "score probabilities (%), not logits", "", ""},
    {LL_SET_CLIP, "clip predictions at %", "", ""},
    {LL_SET_CLIP_TARGETS, "clip predictions to the range of the targets", "", ""},
    {LL_SET_DECIMALS, "show %", " decimal", " decimals"},
    {LL_SET_SCOPE, "let only a new record of all accounts count", "", ""},
    {LL_SET_OWN_LEVELS, "show each account which of % of its own it has reached", " level", " levels"},
    {LL_SET_QUERIES, "score at most %", " submission", " submissions"},
    {LL_SET_FAILURES, "count submissions that fail as well", "", ""},
};

static void add_words(char *text, size_t size, const char *words, const char *value, const char *unit)
{
    size_t before = strcspn(words, "%");
    ll_print_more(text, size, "%s%.*s", text[0] != '\0' ? ", and " : "", (int)before, words);
    if (words[before] == '%')
        ll_print_more(text, size, "%s%s%s", value, unit, words + before + 1);
}

/* Of a value "kind:size". */
static void add_kind(char *text, size_t size, const char *words, const char *value)
{
    add_words(text, size, words, value + strcspn(value, ":") + (strchr(value, ':') != NULL), "");
}

/* "levels:0.5:0.4:43" becomes "levels:43 levels from 0.5 to 0.4"; another value stays as it is. */
static void say_list(char *out, size_t size, const char *value)
{
    const char *base = strchr(value, ':'), *best = base != NULL ? strchr(base + 1, ':') : NULL;
    const char *count = best != NULL ? strchr(best + 1, ':') : NULL;
    if (count == NULL)
        (void)snprintf(out, size, "%s", value);
    else
        (void)snprintf(out, size, "%.*s:%s levels from %.*s to %.*s", (int)(base - value), value, count + 1,
                       (int)(best - base - 1), base + 1, (int)(count - best - 1), best + 1);
}

static void add_setting(char *text, size_t size, ll_setting setting, const char *value)
{
    char list[2 * VALUE];
    if (setting == LL_SET_DECIMALS && strcmp(value, "none") == 0) /* the levels say how many there are */
        return;
    const ll_law *law = setting == LL_SET_NOISE ? ll_law_find(value, strcspn(value, ":")) : NULL;
    if (law != NULL && law->advice != NULL)
        add_kind(text, size, law->advice, value);
    const char *release = setting == LL_SET_RELEASE ? ll_release_mechanism_advice(value) : NULL;
    say_list(list, sizeof list, value);
    if (release != NULL)
        add_kind(text, size, release, list);
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (phrases[i].setting == setting)
            add_words(text, size, phrases[i].words, value, strcmp(value, "1") == 0 ? phrases[i].one : phrases[i].many);
}

/* "Clip predictions at 0.05, and add ..." */
static void write_change(char *text, size_t size, const char *settings, const ll_scorer *scorer)
{
    char name[VALUE], value[VALUE];
    text[0] = '\0';
    for (const char *at = settings; *at != '\0'; at = ll_settings_next(at)) {
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "="), at);
        ll_settings_get(value, sizeof value, settings, name);
        add_setting(text, size, (ll_setting)ll_setting_find(name), value);
        if (ll_setting_find(name) == LL_SET_QUERIES)
            ll_print_more(text, size, "%s", scorer->accounts > 1 ? " per account" : " in total");
    }
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
    ll_print_more(text, size, ".");
}

/* ---- what that is good for, and what it costs ---- */

static void write_effect(char *text, size_t size, const ll_defence *d)
{
    text[0] = '\0';
    if (d->proved)
        ll_print_more(text, size, "Proved: no attack gets more than %.1f%% of the labels right on average.",
                      100 * d->bound);
    else if (d->leaks == LL_FALSE)
        ll_print_more(text, size,
                      "Not proved: every attack that is known here stays at or below %.1f%%, but up to %.1f%% may be "
                      "possible.",
                      100 * d->target, 100 * d->bound);
    else if (d->leaks == LL_TRUE)
        ll_print_more(text, size, "It helps but does not stop it: the best attack known here still gets %.1f%%.",
                      100 * d->share);
    else
        ll_print_more(text, size,
                      "Not proved: the best attack known here gets about %.1f%%, which does not settle whether more "
                      "than %.1f%% is reachable; up to %.1f%% may be possible.",
                      100 * d->share, 100 * d->target, 100 * d->bound);
}

static void write_cost(char *text, size_t size, const ll_audit *a, const ll_defence *d)
{
    const char *plural = d->queries == 1 ? "" : "s";
    text[0] = '\0';
    if (d->error > 0 && isnan(d->noise_over_sampling_error) && !isnan(d->distance))
        ll_print_more(text, size,
                      "Cost: an error of %.2g in the score, whose sampling error is not known here; two models must "
                      "differ by %.2g to be told apart.",
                      d->error, d->distance);
    else if (d->error > 0 && isnan(d->distance)) /* records */
        ll_print_more(text, size,
                      "Cost: a step between records is worth %.3g sampling errors; a score below the record shows %s.",
                      d->noise_over_sampling_error,
                      ll_settings_find(d->settings, "own-levels") != NULL
                          ? "only which of its own levels the account has reached"
                          : "nothing, so two models below it are never told apart");
    else if (d->error > 0)
        ll_print_more(text, size, "Cost: %.3g sampling errors; two models must differ by %.2g to be told apart.",
                      d->noise_over_sampling_error, d->distance);
    else
        ll_print_more(text, size, "Cost: no noise.");
    if (isinf(a->queries))
        ll_print_more(text, size, " For %.0f submission%s in total.", d->queries, plural);
    else if (d->queries < a->queries)
        ll_print_more(text, size, " It gives up submissions: %.0f %s scored in total.", d->queries,
                      d->queries == 1 ? "is" : "are");
}

/* ---- one of them ---- */

static ll_status keep(const char **out, const char *text, ll_error *error)
{
    *out = strdup(text);
    return *out != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for an audit");
}

static void forget(ll_proposal *p)
{
    const char *texts[] = {p->change, p->effect, p->cost, p->check, p->python, p->notice, p->no_python};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free((char *)texts[i]);
}

/* What participants notice, and the release as code. */
static ll_status write_release(ll_proposal *p, const ll_audit *a, const ll_scorer *scorer,
                               const ll_audit_request *request, ll_error *error)
{
    char notice[TEXT] = "", code[LL_PYTHON_SIZE] = "", groups[VALUE];
    const char *why = "There is no Python for this release.";
    const ll_defence *d = a->defences + p->defence;
    ll_scorer *made = NULL;
    ll_settings_get_file(groups, sizeof groups, request->files, "groups");
    if (ll_settings_apply(&made, scorer, d->settings) == LL_OK) {
        ll_audit_write_notice(notice, sizeof notice, made, d);
        why = ll_audit_write_python(code, sizeof code, made, a->classes, d, groups);
    }
    ll_scorer_destroy(made);
    ll_status status = keep(&p->notice, notice, error);
    if (status == LL_OK)
        status = keep(&p->no_python, why, error);
    return status == LL_OK ? keep(&p->python, code, error) : status;
}

static ll_status write_proposal(ll_proposal *p, const ll_audit *a, const ll_scorer *scorer,
                                const ll_audit_request *request, ll_error *error)
{
    char text[TEXT], check[LL_CHECK_SIZE];
    const ll_defence *d = a->defences + p->defence;
    p->proved = d->proved;
    write_change(text, sizeof text, d->settings, scorer);
    ll_status status = keep(&p->change, text, error);
    write_effect(text, sizeof text, d);
    if (status == LL_OK)
        status = keep(&p->effect, text, error);
    write_cost(text, sizeof text, a, d);
    if (status == LL_OK)
        status = keep(&p->cost, text, error);
    if (status == LL_OK &&
        ll_settings_write_check(check, sizeof check, scorer, request->seed, request->files, d) != LL_OK)
        status = ll_fail(error, LL_MEMORY, "no memory for an audit");
    if (status == LL_OK)
        status = keep(&p->check, check, error);
    if (status == LL_OK)
        status = write_release(p, a, scorer, request, error);
    return status;
}

/* ---- the list ---- */

static void set_order(ll_audit *a)
{
    a->proposal_count = 0;
    for (long place = 1; place <= a->defence_count; place++)
        for (long i = 0; i < a->defence_count; i++)
            if (a->defences[i].place == place)
                a->proposals[a->proposal_count++] = (ll_proposal){.defence = i};
}

/* Does it take anything from the best attack? */
static int helps(const ll_audit *a, const ll_defence *d)
{
    return d->leaks == LL_FALSE || d->share < a->share - 0.005;
}

/* The cheapest that is proved, the cheapest that is proved without noise, and then what is not proved but helps. */
static void recommend(ll_audit *a)
{
    int with_noise = 0, without = 0, count = 0;
    for (long i = 0; i < a->proposal_count && !a->proved; i++) {
        ll_proposal *p = &a->proposals[i];
        const ll_defence *d = &a->defences[p->defence];
        int *taken = d->error > 0 ? &with_noise : &without;
        p->recommended = count < RECOMMENDED && (d->proved ? !*taken && (i == 0 || !(d->error > 0)) : helps(a, d));
        *taken |= d->proved;
        count += p->recommended;
    }
}

ll_status ll_audit_propose(ll_audit *a, const ll_scorer *scorer, const ll_audit_request *request, ll_error *error)
{
    ll_status status = LL_OK;
    a->proposals = calloc((size_t)a->defence_count + 1, sizeof *a->proposals);
    if (a->proposals == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for an audit");
    set_order(a);
    for (long i = 0; i < a->proposal_count && status == LL_OK; i++)
        status = write_proposal(&a->proposals[i], a, scorer, request, error);
    recommend(a);
    return status;
}

void ll_audit_forget_proposals(ll_audit *a)
{
    for (long i = 0; i < a->proposal_count; i++)
        forget(&a->proposals[i]);
    free(a->proposals);
}

const ll_proposal *ll_audit_get_proposal(const ll_audit *audit, long index)
{
    const ll_audit *all = ll_value_whole((ll_audit *)audit, sizeof *all);
    return all != NULL && index >= 0 && index < all->proposal_count ? &all->proposals[index] : NULL;
}
