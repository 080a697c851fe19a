/* Two pictures of a release by levels: what one account sees, and what a promise costs for more and for fewer answers. */
#include "report/audit_figures.h"

#include <math.h>
#include <string.h>

enum { SHOWN = 60, PROMISES = 4, ANSWERS = 12, MOST_LEVELS = 4096, TEXT = 100 };

/* The first release by levels that the audit found; NULL: there is none. */
static const ll_defence *find_levels(const ll_audit *a)
{
    for (long i = 0; i < a->defence_count; i++)
        if (strstr(ll_audit_get_defence(a, i)->settings, "release=levels:") != NULL &&
            !isnan(ll_audit_get_defence(a, i)->setting))
            return ll_audit_get_defence(a, i);
    return NULL;
}

/* ---- what one account sees ---- */

/* Numbers in (0, 1), the same in every report. */
static double draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return ((double)(*state >> 8) + 0.5) / (1 << 24);
}

/* A team that gets better, quickly at first: its score in levels above the baseline. */
static double score_of(int submission, double levels, unsigned *state)
{
    double quality = 0.85 - 0.65 * exp(-(double)submission / 25), chance = draw(state) + draw(state) - 1;
    return levels * (quality + 0.12 * chance);
}

static int draw_shown(ll_plot *f, double levels, int count)
{
    unsigned state = 7;
    double best = 0;
    int improved = 0;
    ll_curve *own = ll_plot_add(f, "its scores, as computed", LL_CURVE_POINTS, 1);
    ll_curve *seen = ll_plot_add(f, "what the account is shown", LL_CURVE_STEPS, 0);
    for (int i = 1; i <= count; i++) {
        double score = fmax(0, score_of(i, levels, &state));
        improved += floor(score) > best;
        best = fmax(best, fmin(levels, floor(score)));
        ll_curve_add(own, i, score);
        ll_curve_add(seen, i, best);
    }
    return improved;
}

void ll_figure_stairs(ll_plot *f, const ll_audit *a)
{
    const ll_defence *d = find_levels(a);
    *f = (ll_plot){.name = "stairs",
                   .title = "What one account sees with levels",
                   .x_label = "submission of the account",
                   .y_label = "levels above the baseline",
                   .low = 0};
    if (d == NULL)
        return;
    int count = d->queries < SHOWN ? (int)d->queries : SHOWN;
    f->high = d->setting;
    int improved = draw_shown(f, d->setting, count);
    (void)snprintf(f->alt, sizeof f->alt,
                   "An example with %.0f levels: %d submissions of a team that gets better. A new level is shown where "
                   "a score reaches it for the first time, %d times here; every other answer repeats the best one, so "
                   "that a worse submission and a failed one look alike.",
                   d->setting, count, improved);
}

/* ---- promise against cost ---- */

/* "levels:BASE:BEST:" of the settings, without its number of levels. */
static void copy_list(char *out, size_t size, const ll_defence *d)
{
    const char *begin = strstr(d->settings, "release=") + strlen("release=");
    size_t length = strcspn(begin, " ");
    while (length > 0 && begin[length - 1] != ':')
        length--;
    (void)snprintf(out, size, "%.*s", (int)length, begin);
}

static ll_status limit_with(double *share, const ll_scorer *scorer, const ll_defence *d, double levels, double answers,
                            ll_error *error)
{
    ll_audit_bound bound;
    ll_scorer *varied = NULL;
    char list[TEXT], release[TEXT + 24];
    copy_list(list, sizeof list, d);
    (void)snprintf(release, sizeof release, "%s%.0f", list, levels);
    int is_record = strstr(d->settings, "scope=leaderboard") != NULL;
    ll_status status = ll_scorer_vary(&varied, scorer, error, "release", release, "scope",
                                      is_record ? "leaderboard" : "account", "start", (char *)NULL, "noise", "none",
                                      "decimals", "none", "digits", (char *)NULL, "truncate", "no", (char *)NULL);
    if (status == LL_OK)
        status = ll_audit_limit(&bound, varied, answers, error);
    if (status == LL_OK)
        *share = bound.max_share;
    ll_scorer_destroy(varied);
    return status;
}

/* The most levels that keep the promise. */
static ll_status count_levels(double *out, const ll_scorer *scorer, const ll_defence *d, double promise, double answers,
                              ll_error *error)
{
    double fits = 0, fails = MOST_LEVELS + 1;
    ll_status status = LL_OK;
    while (fails - fits > 1 && status == LL_OK) {
        double middle = floor((fits + fails) / 2), share = 1;
        status = limit_with(&share, scorer, d, middle, answers, error);
        *(share <= promise ? &fits : &fails) = middle;
    }
    *out = fits;
    return status;
}

static ll_status add_promise(ll_plot *f, const ll_audit *a, const ll_scorer *scorer, const ll_defence *d, int index,
                             ll_error *error)
{
    char name[48];
    double promise = a->guess + 0.05 * (index + 1), range = d->noise_over_sampling_error * d->setting;
    ll_status status = LL_OK;
    (void)snprintf(name, sizeof name, "at most %.0f percent right", 100 * promise);
    ll_curve *curve = promise < 1 ? ll_plot_add(f, name, LL_CURVE_LINE, index) : NULL;
    for (int i = 0; i < ANSWERS && curve != NULL && status == LL_OK; i++) {
        double answers = floor(50 * pow(100, (double)i / (ANSWERS - 1))), levels = 0;
        status = count_levels(&levels, scorer, d, promise, answers, error);
        if (status == LL_OK && levels >= 1) {
            ll_curve_add(curve, answers, range / levels);
            f->low = fmin(f->low, range / levels / 1.5);
            f->high = fmax(f->high, range / levels * 1.5);
        }
    }
    return status;
}

ll_status ll_figure_promises(ll_plot *f, const ll_audit *a, const ll_scorer *scorer, ll_error *error)
{
    const ll_defence *d = find_levels(a);
    *f = (ll_plot){.name = "promises",
                   .title = "What levels cost, for every promise and number of answers",
                   .x_label = "answers in total",
                   .y_label = "cost, in sampling errors",
                   .log_x = 1,
                   .log_y = 1,
                   .low = 1,
                   .high = 1};
    ll_status status = LL_OK;
    for (int i = 0; i < PROMISES && d != NULL && d->noise_over_sampling_error > 0 && status == LL_OK; i++)
        status = add_promise(f, a, scorer, d, i, error);
    (void)snprintf(f->alt, sizeof f->alt,
                   "Levels over the same range of scores, as many as each promise allows. The cost grows slowly with "
                   "the number of answers and falls quickly with a weaker promise. At 1 a step is felt as much as the "
                   "error that a score has anyway. Where no line is drawn, no level is left.");
    return status;
}
