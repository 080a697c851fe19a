/* What was answered so far, as Prometheus reads it. Nothing here depends on a label beyond what was shown. */
#include "report/progress.h"
#include "serve/server.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double bounds[LL_SERVE_BUCKETS] = {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10};

/* Status 0: the connection ended before its answer. */
void ll_counters_request(ll_counters *c, unsigned status)
{
    pthread_mutex_lock(&c->lock);
    c->aborted += status == 0;
    for (int i = 0; i < LL_SERVE_STATUSES && status != 0; i++)
        if (c->statuses[i] == status || c->statuses[i] == 0) {
            c->statuses[i] = status;
            c->requests[i]++;
            break;
        }
    pthread_mutex_unlock(&c->lock);
}

void ll_counters_submission(ll_counters *c, ll_guard_outcome outcome, double seconds)
{
    int bucket = 0;
    while (bucket < LL_SERVE_BUCKETS && seconds > bounds[bucket])
        bucket++;
    pthread_mutex_lock(&c->lock);
    c->outcomes[outcome]++;
    c->seconds[bucket]++;
    c->seconds_sum += seconds;
    pthread_mutex_unlock(&c->lock);
}

static void print_gauge(FILE *out, const char *name, const char *help, double value)
{
    (void)fprintf(out, "# HELP lossleak_%s %s\n# TYPE lossleak_%s gauge\n", name, help, name);
    if (isinf(value))
        (void)fprintf(out, "lossleak_%s +Inf\n", name);
    else
        (void)fprintf(out, "lossleak_%s %.17g\n", name, value);
}

static void print_seconds(FILE *out, const ll_counters *c)
{
    long sum = 0;
    (void)fputs("# HELP lossleak_submission_seconds From a submission's head to its answer\n"
                "# TYPE lossleak_submission_seconds histogram\n",
                out);
    for (int i = 0; i < LL_SERVE_BUCKETS; i++) {
        sum += c->seconds[i];
        (void)fprintf(out, "lossleak_submission_seconds_bucket{le=\"%g\"} %ld\n", bounds[i], sum);
    }
    sum += c->seconds[LL_SERVE_BUCKETS];
    (void)fprintf(out,
                  "lossleak_submission_seconds_bucket{le=\"+Inf\"} %ld\nlossleak_submission_seconds_sum %.9g\n"
                  "lossleak_submission_seconds_count %ld\n",
                  sum, c->seconds_sum, sum);
}

static void print_counters(FILE *out, ll_counters *c)
{
    pthread_mutex_lock(&c->lock);
    (void)fputs("# HELP lossleak_requests_total Requests that were answered, by status\n"
                "# TYPE lossleak_requests_total counter\n",
                out);
    for (int i = 0; i < LL_SERVE_STATUSES && c->statuses[i] != 0; i++)
        (void)fprintf(out, "lossleak_requests_total{status=\"%u\"} %ld\n", c->statuses[i], c->requests[i]);
    (void)fprintf(out,
                  "# HELP lossleak_requests_aborted_total Requests whose connection ended before the answer\n"
                  "# TYPE lossleak_requests_aborted_total counter\nlossleak_requests_aborted_total %ld\n"
                  "# HELP lossleak_submissions_total Submissions by outcome\n"
                  "# TYPE lossleak_submissions_total counter\n",
                  c->aborted);
    for (int i = 0; i < 4; i++)
        (void)fprintf(out, "lossleak_submissions_total{outcome=\"%s\"} %ld\n",
                      ll_guard_outcome_name((ll_guard_outcome)i), c->outcomes[i]);
    print_seconds(out, c);
    pthread_mutex_unlock(&c->lock);
}

static void print_server(FILE *out, ll_server *server)
{
    pthread_mutex_lock(&server->queue.lock);
    double reserved = (double)server->reserved, waiting = (double)server->queue.waiting;
    pthread_mutex_unlock(&server->queue.lock);
    print_gauge(out, "body_bytes", "Memory reserved for bodies", reserved);
    print_gauge(out, "requests_waiting", "Requests that wait for a worker", waiting);
    print_gauge(out, "uptime_seconds", "Since the server started", ll_report_clock() - server->started);
}

static void print_ledger(FILE *out, const ll_guard_status *s)
{
    print_gauge(out, "bits_spent", "Bits that all answers of the ledger cost", s->spent);
    print_gauge(out, "bits_budget", "Bits that they may cost", s->budget);
    print_gauge(out, "share_spent", "Share of right labels that a promise of the bits spent would be", s->share_spent);
    print_gauge(out, "ledger_entries", "Entries of the ledger", (double)s->submissions);
    print_gauge(out, "accounts", "Accounts of participants", (double)s->accounts);
}

char *ll_serve_metrics_text(ll_server *server, const ll_guard_status *status)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    print_counters(out, &server->counters);
    print_server(out, server);
    print_ledger(out, status);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
