/* A limit on submissions: the most answers after which no attack that is known here passes the target. */
#include "audit/defence_kinds.h"
#include "audit/trial.h"
#include "number/text_number.h"
#include "planner/planner.h"

#include <math.h>
#include <stdio.h>

typedef ll_defence_search search;

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
    if (a->best < 0 || rows > a->rows || ll_candidate_is_average(a->choices[a->best].code))
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

/* The limit, and smaller ones while the target is not kept; 0 where none is left. Each is judged by an audit: a few of
 * them near the limit, then far fewer answers at a time. */
static ll_status lower_limit(const search *s, ll_defence *d, const ll_scorer *scorer, ll_error *error)
{
    enum { NEAR = 3 };
    ll_status status = LL_OK;
    d->leaks = LL_UNKNOWN;
    for (int tries = 0; d->queries >= 1 && status == LL_OK; tries++) {
        status = ll_defence_judge(s, d, scorer, error);
        if (status != LL_OK || d->leaks == LL_FALSE)
            break;
        d->queries = floor((tries < NEAR ? 0.8 : 0.25) * d->queries);
    }
    return status;
}

static void note_limit(ll_defence *d)
{
    if (isinf(d->setting))
        (void)snprintf(d->note, LL_NOTE_SIZE, "no attack that is planned here passes the target, whatever the limit");
    else if (isnan(d->setting))
        (void)snprintf(d->note, LL_NOTE_SIZE, "a single answer gives away more than the target allows");
    else
        (void)ll_print(d->note, LL_NOTE_SIZE,
                       "tries x days x accounts, all together; by the best attack known here: the proved limit at that "
                       "many is %.1f%%",
                       100 * d->bound);
}

ll_status ll_defence_set_limit(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                               ll_error *error)
{
    const ll_channel *c = s->channel;
    double labels = floor((s->goal - c->guess) / (1 - c->guess) * (double)c->rows * (1 + 1e-12));
    double limit = 0, beyond;
    (void)k;
    (void)out;
    if (ll_defence_is_unknown(s, d))
        return LL_OK;
    ll_status status = queries_beyond(s, &beyond, fmax(labels, 0), error);
    if (status == LL_OK)
        status = averaging_limit(s, &limit, beyond - 1, error);
    if (status != LL_OK)
        return status;
    ll_defence_set_price(d, 0, s->audit->sampling_error);
    int is_run = c->ladder > 0 || s->audit->leaks == LL_TRUE; /* by an attack without a formula: it is run again */
    d->queries = limit < 1e12 || !is_run ? limit : s->queries;
    if (d->queries < 1e12)
        status = lower_limit(s, d, s->scorer, error);
    else
        d->queries = INFINITY;
    double accounts = (double)s->scorer->accounts; /* each gets its part */
    d->queries = isfinite(d->queries) ? accounts * floor(d->queries / accounts) : d->queries;
    d->setting = d->queries >= 1 ? d->queries : (double)NAN;
    if (isnan(d->setting))
        d->queries = s->queries;
    else if (isfinite(d->setting))
        (void)ll_print(d->settings, LL_SETTINGS_SIZE, "queries=%.0f", d->setting / (double)s->scorer->accounts);
    note_limit(d);
    return status;
}
