#include "report/advice.h"

#include "report/releases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char ll_report_always[] =
    "Rank the end on rows that were never scored before. Refuse submissions that score worse than a constant: honest "
    "models do not, codes often do. Count submissions over all accounts together.";

/* ---- two sentences ---- */

static const char *plural(double count)
{
    return count == 1 ? "" : "s";
}

/* " You allow 150." */
static void add_limit(char *text, size_t size, const ll_audit *a)
{
    if (isinf(a->queries))
        ll_report_append(text, size, " You set no limit.");
    else
        ll_report_append(text, size, " You allow %.0f.", a->queries);
}

/* "in the 20 submissions that you allow", or "however many submissions there are" */
static void add_within(char *text, size_t size, const ll_audit *a)
{
    if (isinf(a->queries))
        ll_report_append(text, size, "however many submissions are made");
    else
        ll_report_append(text, size, "in the %.0f submission%s that you allow", a->queries, plural(a->queries));
}

static void write_proved(char *text, size_t size, const ll_audit *a)
{
    ll_report_append(text, size,
                     "Nobody can expect to get more than %.1f%% of your %ld hidden labels right, where guessing gets "
                     "%.1f%%. That is proved for any attack, ",
                     100 * a->bound->max_share, a->rows, 100 * a->guess);
    add_within(text, size, a);
    ll_report_append(text, size, ".");
}

static void write_open(char *text, size_t size, const ll_audit *a)
{
    if (a->leaks == LL_UNKNOWN)
        ll_report_append(text, size, "It is not known whether your %ld hidden labels can be read.", a->rows);
    else
        ll_report_append(text, size,
                         "No attack known here gets more than %.1f%% of your %ld hidden labels right, where guessing "
                         "gets %.1f%%.",
                         100 * a->share, a->rows, 100 * a->guess);
    ll_report_append(text, size, " What is proved is only that nobody can expect more than %.1f%% ",
                     100 * a->bound->max_share);
    add_within(text, size, a);
    ll_report_append(text, size, ".");
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

static void write_leak(char *text, size_t size, const ll_audit *a)
{
    long read = labels_read(a);
    const ll_plan_choice *best = a->best >= 0 ? a->choices + a->best : NULL;
    const char *sure = best && best->guarantee == LL_CERTIFIED ? "" : ", but for one chance in a million";
    if (best && read >= a->rows) {
        ll_report_append(text, size, "Anyone with %ld submission%s can read all your %ld hidden labels%s.",
                         best->queries, plural((double)best->queries), a->rows, sure);
        add_limit(text, size, a);
    } else if (best && read > 0) {
        ll_report_append(text, size, "Anyone can read %ld of your %ld hidden labels%s, ", read, a->rows, sure);
        add_within(text, size, a);
        ll_report_append(text, size, ". All of them take %ld.", best->queries);
    } else if (isinf(a->queries)) {
        ll_report_append(text, size, "Anyone who submits often enough gets all your %ld hidden labels right.", a->rows);
        add_limit(text, size, a);
    } else {
        ll_report_append(text, size, "Anyone can get about %.1f%% of your %ld hidden labels right, ", 100 * a->share,
                         a->rows);
        add_within(text, size, a);
        ll_report_append(text, size, ". Guessing gets %.1f%%.", 100 * a->guess);
    }
}

/* Submissions that nobody counts. */
static void write_failures(char *text, size_t size, const ll_audit *a)
{
    ll_report_append(text, size,
                     "Anyone can read your hidden labels%s: %.0f submissions that fail tell them, and you do not count "
                     "those; %.0f more are counted.",
                     a->share < 1 ? ", though not all of them" : ", all of them", a->failed_submissions,
                     a->counted_submissions);
    add_limit(text, size, a);
}

void ll_report_write_plain(char *text, size_t size, const ll_audit *a)
{
    text[0] = '\0';
    if (a->failures_tell == LL_TRUE && a->leaks == LL_TRUE)
        write_failures(text, size, a);
    else
        (a->proved ? write_proved : a->leaks == LL_TRUE ? write_leak : write_open)(text, size, a);
}

/* ---- noise that is there ---- */

/* The cheapest release with a proof whose noise is of that law ("gaussian:", so long), alone or not; NULL: none. */
static const ll_defence *find_enough(const ll_releases *all, const char *law, size_t length, int alone)
{
    for (long i = 0; i < all->proved; i++)
        for (const char *at = all->rows[i]->settings; (at = strstr(at, "noise=")) != NULL; at++) {
            int is_first = at == all->rows[i]->settings;
            if ((is_first || (!alone && at[-1] == ' ')) && strncmp(strchr(at, '=') + 1, law, length) == 0)
                return all->rows[i];
        }
    return NULL;
}

void ll_report_write_enough(char *text, size_t size, const ll_audit_report *r)
{
    char options[LL_ADVICE_TEXT] = "";
    const char *noise = ll_scorer_get(r->scorer, "noise");
    size_t law = noise ? strcspn(noise, ":") : 0;
    ll_releases all = ll_report_sort_releases(r->audit, INFINITY);
    text[0] = '\0';
    if (r->audit->proved || law == 0 || noise[law] != ':')
        return;
    const ll_defence *alone = find_enough(&all, noise, law + 1, 1), *any = find_enough(&all, noise, law + 1, 0);
    double share = 100 * r->audit->target_share;
    if (alone != NULL)
        ll_report_append(text, size,
                         "The noise described, %s, is too weak to prove less than %.1f%%: %s would be enough.", noise,
                         share, strchr(alone->settings, '=') + 1);
    else
        ll_report_append(
            text, size,
            "The noise described, %s, does not prove less than %.1f%%, and no size of it is known here that would.",
            noise, share);
    if (alone != NULL || any == NULL)
        return;
    ll_report_write_options(options, sizeof options, any->settings);
    ll_report_append(text, size, " It does with more than noise: %s.", options);
}

/* ---- what to do ---- */

/* What a setting asks of a host; NULL: what another one says already. */
static const struct {
    const char *setting, *words;
} phrases[] = {
    {"metric", "score probabilities (%.*s), not logits"},
    {"columns", NULL},
    {"clip", "clip predictions at %.*s"},
    {"clip-mode", NULL},
    {"noise=proportional:",
     "add to every score Gaussian noise in proportion to what the submission could read: %.*s times "
     "its spread"},
    {"noise=gaussian:", "add Gaussian noise of size %.*s to every score"},
    {"noise=laplace:", "add Laplace noise of scale %.*s to every score"},
    {"decimals", "show %.*s decimals"},
    {"release=ladder:", "show a new score only where it beats the best by %.*s (a Ladder)"},
    {"queries", "answer %.*s submissions in all"},
    {"failures=counted", "count submissions that fail, too%.*s"},
};

/* "clip predictions at 0.05, and add ..." */
static void add_phrase(char *text, size_t size, const char *at, size_t length)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        size_t named = strlen(phrases[i].setting);
        int is_whole = at[named] == '=' || phrases[i].setting[named - 1] == ':';
        if (strncmp(at, phrases[i].setting, named) != 0 || !is_whole || phrases[i].words == NULL)
            continue;
        size_t from = named + (at[named] == '=');
        char words[160];
        (void)snprintf(words, sizeof words, phrases[i].words, (int)(length - from), at + from);
        ll_report_append(text, size, "%s%s", text[0] ? ", and " : "", words);
        return;
    }
}

static void write_what(char *text, size_t size, const char *settings)
{
    text[0] = '\0';
    for (const char *at = settings; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
        add_phrase(text, size, at, strcspn(at, " "));
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
    ll_report_append(text, size, ".");
}

static void write_gives(char *text, size_t size, const ll_audit *a, const ll_defence *d)
{
    text[0] = '\0';
    if (d->proved)
        ll_report_append(text, size, "Proved: nobody can expect more than %.1f%% of the labels right.", 100 * d->bound);
    else if (d->share <= a->target_share)
        ll_report_append(text, size,
                         "Not proved: no attack known here gets more than %.1f%%, but up to %.1f%% may be "
                         "possible.",
                         100 * ll_report_best_known(d), 100 * d->bound);
    else
        ll_report_append(text, size, "It helps and does not stop it: the best attack known here still gets %.1f%%.",
                         100 * ll_report_best_known(d));
}

static void write_advice(ll_advice *out, const ll_audit_report *r, const ll_defence *d)
{
    *out = (ll_advice){.defence = d, .proved = d->proved};
    write_what(out->what, sizeof out->what, d->settings);
    write_gives(out->gives, sizeof out->gives, r->audit, d);
    ll_report_write_cost(out->cost, sizeof out->cost, r->audit, d);
    ll_report_write_check(out->check, sizeof out->check, r, d);
}

/* The cheapest that is proved, the cheapest that is proved without noise, and then what is not proved. */
int ll_report_advise(ll_advice *out, const ll_audit_report *r)
{
    ll_releases all = ll_report_sort_releases(r->audit, INFINITY);
    int count = 0;
    long quiet = 1;
    if (r->audit->proved)
        return 0;
    if (all.proved > 0)
        write_advice(&out[count++], r, all.rows[0]);
    while (quiet < all.proved && all.rows[quiet]->error > 0)
        quiet++;
    if (quiet < all.proved)
        write_advice(&out[count++], r, all.rows[quiet]);
    for (long i = all.proved; i < all.count && count < LL_ADVICE; i++)
        write_advice(&out[count++], r, all.rows[i]);
    return count;
}
