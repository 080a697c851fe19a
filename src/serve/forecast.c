/* What the best known attack gets with as many submissions and accounts as the ledger has: an audit of the policy's release, on
 * simulated labels. It takes about half a second of a worker, so it is kept until a tenth more was submitted, and for CALM times
 * as long as it took, and only one worker at a time makes it. */
#include "report/guard_json.h"
#include "report/progress.h"
#include "serve/resources.h"

#include <math.h>
#include <stdio.h>

enum { LONGEST = 10, CALM = 20 }; /* LONGEST: seconds */

static ll_status set_count(ll_scorer *scorer, const char *name, long count, ll_error *error)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%ld", count);
    return ll_scorer_set(scorer, name, text, error);
}

/* Submissions are spread evenly over the accounts. */
static ll_status restrict_scorer(ll_scorer *scorer, long submissions, long accounts, ll_error *error)
{
    ll_status status = set_count(scorer, "accounts", accounts, error);
    if (status == LL_OK)
        status = set_count(scorer, "queries", (submissions + accounts - 1) / accounts, error);
    return status == LL_OK ? ll_scorer_resolve(scorer, NULL, error) : status;
}

/* NaN where there is none. */
static double find_share(const ll_scorer *scorer, ll_error *error)
{
    ll_audit audit;
    ll_audit_request request;
    ll_audit_init(&audit);
    ll_audit_request_init(&request);
    request.without_defences = 1;
    request.budget = LL_BUDGET(.seconds = LONGEST, .threads = 1);
    ll_status status = ll_audit_run(&audit, scorer, &request, error);
    double share = status == LL_OK ? audit.share : (double)NAN;
    ll_audit_clear(&audit);
    return share;
}

static ll_forecast make_forecast(const ll_policy *policy, long submissions, long accounts)
{
    ll_forecast made = {.submissions = submissions, .accounts = accounts, .share = (double)NAN};
    ll_scorer *scorer = NULL;
    ll_error unsaid;
    double begun = ll_report_clock();
    ll_status status = ll_scorer_copy(&scorer, ll_policy_get_scorer(policy), &unsaid);
    if (status == LL_OK)
        status = restrict_scorer(scorer, submissions, accounts, &unsaid);
    if (status == LL_OK)
        made.share = find_share(scorer, &unsaid);
    ll_scorer_destroy(scorer);
    made.due = ll_report_clock() + CALM * (ll_report_clock() - begun);
    return made;
}

/* Under the lock: the caller is the one that makes the next forecast. */
static int begin(ll_server *server, long submissions, long accounts)
{
    const ll_forecast *f = &server->forecast;
    int is_old = accounts != f->accounts || 10 * submissions >= 11 * f->submissions;
    int is_mine = accounts >= 1 && is_old && !server->is_forecasting && ll_report_clock() >= f->due;
    server->is_forecasting |= is_mine;
    return is_mine;
}

/* What was shown bounds every attack that was shown no more, however many submissions it made. */
static json_t *write_forecast(const ll_forecast *f, const ll_guard_status *s)
{
    if (f->submissions == 0 || !isfinite(f->share))
        return json_null();
    return json_pack("{s:f, s:I, s:I}", "share", fmin(f->share, s->share_spent), "submissions",
                     (json_int_t)f->submissions, "accounts", (json_int_t)f->accounts);
}

json_t *ll_serve_forecast(ll_server *server, const ll_guard_status *s, const ll_policy *policy)
{
    long submissions = s->submissions - s->invalid, accounts = s->accounts < submissions ? s->accounts : submissions;
    if (server->has_own_metric)
        return json_null();
    pthread_mutex_lock(&server->queue.lock);
    int is_mine = begin(server, submissions, accounts);
    ll_forecast now = server->forecast;
    pthread_mutex_unlock(&server->queue.lock);
    if (is_mine) {
        now = make_forecast(policy, submissions, accounts);
        pthread_mutex_lock(&server->queue.lock);
        server->forecast = now;
        server->is_forecasting = 0;
        pthread_mutex_unlock(&server->queue.lock);
    }
    return write_forecast(&now, s);
}
