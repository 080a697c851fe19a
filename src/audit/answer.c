/* The first sentences of an audit, for somebody who is no mathematician: what the host's own numbers mean. */
#include "audit/audit_private.h"
#include "audit/settings_text.h"
#include "number/text_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 700 };

typedef struct {
    const ll_audit *audit;
    const ll_scorer *scorer;
    char text[TEXT];
} draft;

static const char *plural(double count)
{
    return count == 1 ? "" : "s";
}

/* ---- what is said of guessing, and of the limit ---- */

/* "guessing gets 50.0% if the classes are balanced": nobody said what shares the classes have. */
static void add_guess(draft *d, const char *begin)
{
    const ll_audit *a = d->audit;
    int is_known = d->scorer->prior != NULL || d->scorer->counts != NULL;
    int is_skewed = is_known && a->guess * (double)a->classes > 1 + 1e-9;
    const char *what = !is_skewed                               ? ""
                       : ll_scorer_count_targets(d->scorer) > 0 ? " the most frequent target"
                                                                : " the most frequent class";
    const char *unless = is_known                                 ? ""
                         : ll_scorer_count_targets(d->scorer) > 0 ? " if all targets are equally frequent"
                                                                  : " if the classes are balanced";
    ll_print_more(d->text, TEXT, "%sguessing%s gets %.1f%%%s.", begin, what, 100 * a->guess, unless);
}

/* " You allow 150." */
static void add_limit(draft *d)
{
    if (isinf(d->audit->queries))
        ll_print_more(d->text, TEXT, " You set no limit.");
    else
        ll_print_more(d->text, TEXT, " You allow %.0f.", d->audit->queries);
}

/* "in the 20 submissions that you allow", or "however many submissions are made" */
static void add_within(draft *d)
{
    double queries = d->audit->queries;
    if (isinf(queries))
        ll_print_more(d->text, TEXT, "however many submissions are made");
    else
        ll_print_more(d->text, TEXT, "in the %.0f submission%s that you allow", queries, plural(queries));
}

/* ---- the answer ---- */

static void write_proved(draft *d)
{
    ll_print_more(d->text, TEXT, "No attack gets more than %.1f%% of your %ld hidden labels right on average, where",
                  100 * d->audit->bound->max_share, d->audit->rows);
    add_guess(d, " ");
    ll_print_more(d->text, TEXT, " That is proved for any attack, ");
    add_within(d);
    ll_print_more(d->text, TEXT, ".");
}

static void write_open(draft *d)
{
    const ll_audit *a = d->audit;
    if (a->leaks == LL_UNKNOWN && a->tried_count == 0)
        ll_print_more(d->text, TEXT, "It is not known whether your %ld hidden labels can be read.", a->rows);
    else {
        ll_print_more(d->text, TEXT, "%s %.1f%% of your %ld hidden labels right, where",
                      a->leaks == LL_UNKNOWN ? "The best attack known here gets"
                                             : "No attack known here gets more than",
                      100 * a->share, a->rows);
        add_guess(d, " ");
    }
    if (a->leaks == LL_UNKNOWN && a->tried_count > 0)
        ll_print_more(d->text, TEXT, " It is not known whether more than %.1f%% can be had.", 100 * a->target_share);
    ll_print_more(d->text, TEXT, " What is proved is only that no attack gets more than %.1f%% right on average ",
                  100 * a->bound->max_share);
    add_within(d);
    ll_print_more(d->text, TEXT, ".");
}

/* Labels that the best code reads within the limit, if its share is what the audit says. */
static long labels_read(const ll_audit *a)
{
    const ll_plan_choice *best = a->best >= 0 ? a->choices + a->best : NULL;
    if (best == NULL)
        return 0;
    double read = (double)best->recovered / (double)a->rows;
    return a->share > read + (1 - read) * a->guess + 1e-9 ? 0 : best->recovered;
}

const ll_plan_choice *ll_audit_reads_all(const ll_audit *a)
{
    const ll_plan_choice *fewest = NULL;
    for (long i = 0; i < a->choice_count && a->best >= 0; i++) {
        const ll_plan_choice *choice = a->choices + i;
        int is_sure = choice->status == LL_OK && choice->guarantee <= a->choices[a->best].guarantee;
        if (is_sure && lround(choice->labels_per_query * (double)choice->queries) >= a->rows &&
            (fewest == NULL || choice->queries < fewest->queries))
            fewest = choice;
    }
    return fewest;
}

static void write_leak(draft *d)
{
    const ll_audit *a = d->audit;
    long read = labels_read(a);
    const ll_plan_choice *best = a->best >= 0 ? a->choices + a->best : NULL;
    const char *sure = best && best->guarantee == LL_CERTIFIED ? "" : ", but for one chance in a million";
    if (best && read >= a->rows) {
        ll_print_more(d->text, TEXT, "Anyone with %ld submission%s can read all your %ld hidden labels%s.",
                      best->queries, plural((double)best->queries), a->rows, sure);
        add_limit(d);
    } else if (best && read > 0) {
        ll_print_more(d->text, TEXT, "Anyone can read %ld of your %ld hidden labels%s, ", read, a->rows, sure);
        add_within(d);
        const ll_plan_choice *all = ll_audit_reads_all(a);
        ll_print_more(d->text, TEXT, all ? ". All of them take %ld." : ". All that it can read take %ld.",
                      all ? all->queries : best->queries);
    } else if (isinf(a->queries)) {
        if (a->share > 1 - 1e-6)
            ll_print_more(d->text, TEXT, "Anyone who submits often enough gets all your %ld hidden labels right.",
                          a->rows);
        else
            ll_print_more(d->text, TEXT,
                          "Anyone who submits often enough gets about %.1f%% of your %ld hidden labels right, or more.",
                          100 * a->share, a->rows);
        add_limit(d);
    } else {
        ll_print_more(d->text, TEXT, "Anyone can get about %.1f%% of your %ld hidden labels right, ", 100 * a->share,
                      a->rows);
        add_within(d);
        ll_print_more(d->text, TEXT, ", while");
        add_guess(d, " ");
    }
}

/* Submissions that nobody counts. */
static void write_failures(draft *d)
{
    const ll_audit *a = d->audit;
    ll_print_more(d->text, TEXT,
                  "Anyone can read your hidden labels%s: %.0f submissions that fail tell them, and you do not count "
                  "those; %.0f more are counted.",
                  a->share < 1 ? ", though not all of them" : ", all of them", a->failed_submissions,
                  a->counted_submissions);
    add_limit(d);
}

/* ---- what noise does ---- */

static long rank(const ll_defence *d)
{
    return d->place > 0 ? d->place : LL_DEFENCES + 1;
}

/* The cheapest release with a proof whose noise is of that law, alone or not, and else one that hides every difference
 * between models; NULL: none. */
static const ll_defence *find_enough(const ll_audit *a, const ll_law *law, int alone)
{
    const ll_defence *found = NULL;
    for (long i = 0; i < a->defence_count; i++) {
        const ll_defence *d = a->defences + i;
        const char *noise = ll_settings_find(d->settings, "noise");
        int is_law = noise != NULL && ll_law_find(noise, strcspn(noise, ":")) == law;
        if (!is_law || !d->proved || (d->place == 0 && !ll_defence_hides_all(a, d)) ||
            (alone && noise != d->settings + strlen("noise=")))
            continue;
        found = found == NULL || rank(d) < rank(found) ? d : found;
    }
    return found;
}

/* "The noise gaussian:0.01 is too weak for that; gaussian:0.765 would be enough." */
static void add_own_noise(draft *d)
{
    const ll_audit *a = d->audit;
    const char *noise = ll_scorer_text(d->scorer, LL_SET_NOISE);
    const ll_law *law = d->scorer->release.noise;
    double share = 100 * a->target_share;
    if (a->proved || law == NULL)
        return;
    const ll_defence *alone = find_enough(a, law, 1), *any = find_enough(a, law, 0);
    const char *but = alone != NULL && alone->place == 0 ? ", but would hide every difference between models" : "";
    if (alone != NULL)
        ll_print_more(d->text, TEXT,
                      "The noise described, %s, is too weak to prove less than %.1f%%: %s would be enough%s.", noise,
                      share, ll_settings_find(alone->settings, "noise"), but);
    else
        ll_print_more(d->text, TEXT,
                      "The noise described, %s, does not prove less than %.1f%%, and no size of it is known here that "
                      "would.",
                      noise, share);
    if (alone != NULL || any == NULL)
        return;
    ll_print_more(d->text, TEXT, " It does with more than noise%s:",
                  any->place == 0 ? ", but hides every difference between models" : "");
    ll_settings_add_options(d->text, TEXT, any->settings);
    ll_print_more(d->text, TEXT, ".");
}

/* Is every noise with a proof larger than what honest models differ by? */
static int is_noise_hopeless(const ll_audit *a)
{
    long useless = 0, useful = 0;
    for (long i = 0; i < a->defence_count; i++) {
        const ll_defence *d = a->defences + i;
        int is_noise = d->proved && ll_settings_find(d->settings, "noise") != NULL;
        useful += is_noise && d->place > 0;
        useless += is_noise && d->place == 0 && ll_defence_hides_all(a, d);
    }
    return useless > 0 && useful == 0;
}

static void add_hopeless(draft *d)
{
    const ll_audit *a = d->audit;
    double queries = isfinite(a->queries) ? a->queries : a->defences[0].queries;
    const char *between = isnan(d->scorer->honest_low) ? "a perfect model and one that knows nothing"
                                                       : "the best and the worst honest model";
    ll_print_more(d->text, TEXT,
                  "%sNoise cannot do it at this size: noise that keeps every attack at %.1f%% over %.0f submission%s "
                  "would hide even the difference between %s (%.3g). Score "
                  "fewer submissions, show levels instead of scores, use more rows, and base the final ranking on rows "
                  "that were never scored.",
                  d->text[0] ? " " : "", 100 * a->target_share, queries, plural(queries), between, a->honest_range);
}

/* Were releases looked for, and none was found that could be proposed? */
static int is_without_release(const ll_audit *a)
{
    long proposed = 0;
    for (long i = 0; i < a->defence_count; i++)
        proposed += a->defences[i].place > 0;
    return a->defence_count > 0 && proposed == 0 && !a->proved;
}

static void add_without_release(draft *d)
{
    ll_print_more(
        d->text, TEXT,
        "%sNo release is known here that keeps every attack at %.1f%%. Score fewer submissions, use more rows, "
        "and base the final ranking on rows that were never scored.",
        d->text[0] ? " " : "", 100 * d->audit->target_share);
}

/* ---- all of it ---- */

static ll_status keep(char **out, const char *text, ll_error *error)
{
    *out = strdup(text);
    return *out != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for an audit");
}

/* What is assumed of arithmetic and labels, as settings would say it. */
static ll_status keep_assumed(ll_audit *a, const ll_scorer *scorer, ll_error *error)
{
    char text[TEXT] = "balanced";
    const char *prior = ll_scorer_text(scorer, LL_SET_PRIOR), *counts = ll_scorer_text(scorer, LL_SET_COUNTS);
    if (counts != NULL)
        (void)snprintf(text, sizeof text, "counts %s", counts);
    else if (prior != NULL)
        (void)snprintf(text, sizeof text, "%s", prior);
    ll_status status = keep(&a->assumed_arithmetic, ll_scorer_text(scorer, LL_SET_ARITHMETIC), error);
    return status == LL_OK ? keep(&a->assumed_prior, text, error) : status;
}

ll_status ll_audit_write_answer(ll_audit *a, const ll_scorer *scorer, ll_error *error)
{
    draft d = {.audit = a, .scorer = scorer};
    if (a->failures_tell == LL_TRUE && a->leaks == LL_TRUE)
        write_failures(&d);
    else
        (a->proved ? write_proved : a->leaks == LL_TRUE ? write_leak : write_open)(&d);
    ll_status status = keep(&a->answer, d.text, error);
    if (status == LL_OK)
        status = keep_assumed(a, scorer, error);
    if (status != LL_OK)
        return status;
    d.text[0] = '\0';
    add_own_noise(&d);
    if (!a->proved && is_noise_hopeless(a))
        add_hopeless(&d);
    else if (is_without_release(a))
        add_without_release(&d);
    return keep(&a->noise, d.text, error);
}
