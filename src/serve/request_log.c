/* One JSON object per line on stderr. Requests are named by the table of routes and accounts by their names, so nothing
 * that a client wrote gets here as it is. Labels, scores, tokens and bodies never do. */
#include "io/files/json_text.h"
#include "report/json.h"
#include "report/progress.h"
#include "serve/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void begin(ll_json *json, const char *event)
{
    struct timespec now;
    struct tm utc;
    char date[32], text[48];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    (void)strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    (void)snprintf(text, sizeof text, "%s.%03ldZ", date, now.tv_nsec / 1000000);
    *json = (ll_json){.object = json_object()};
    ll_report_json_add(json, "time", json_string(text));
    ll_report_json_add(json, "event", json_string(event));
}

/* A line is written by one call, so lines of several threads do not mix. A log that cannot be written is lost. */
static void end(ll_json *json)
{
    char *text = json->failed ? NULL : ll_io_json_text(json->object, JSON_COMPACT);
    size_t length = text != NULL ? strlen(text) : 0;
    json_decref(json->object);
    if (text == NULL)
        return;
    text[length] = '\n'; /* in place of the end */
    ssize_t written = write(STDERR_FILENO, text, length + 1);
    (void)written;
    free(text);
}

void ll_serve_log_event(const char *event, const char *key, const char *text)
{
    ll_json json;
    begin(&json, event);
    ll_report_json_add(&json, key, ll_report_json_string(text));
    end(&json);
}

void ll_serve_log_start(const ll_server *server, const char *address)
{
    const ll_serve_settings *s = server->settings;
    double most = (double)s->max_bodies + (6. * (double)s->workers + LL_SERVE_SPARES) * (double)server->max_body +
                  (double)s->max_connections * 56e3;
    ll_json json;
    begin(&json, "start");
    ll_report_json_add(&json, "address", ll_report_json_string(address));
    ll_report_json_add(&json, "workers", json_integer(server->queue.count));
    ll_report_json_add(&json, "max_connections", json_integer(s->max_connections));
    ll_report_json_add(&json, "max_body", json_integer((json_int_t)server->max_body));
    ll_report_json_add(&json, "max_bodies", json_integer((json_int_t)s->max_bodies));
    ll_report_json_add(&json, "memory_bound", json_integer((json_int_t)most));
    end(&json);
}

void ll_serve_log_request(const ll_request *r, const char *from, int is_complete)
{
    ll_json json;
    if (r->server->settings->is_quiet)
        return;
    begin(&json, is_complete ? "request" : "aborted");
    ll_report_json_add(&json, "from", json_string(from));
    ll_report_json_add(&json, "method", ll_report_json_string(r->route != NULL ? r->route->method : NULL));
    ll_report_json_add(&json, "path", ll_report_json_string(r->route != NULL ? r->route->path : NULL));
    ll_report_json_add(&json, "status", json_integer(r->reply.status));
    ll_report_json_add(&json, "received", json_integer((json_int_t)r->received));
    ll_report_json_add(&json, "sent", json_integer((json_int_t)r->reply.size));
    ll_report_json_add(&json, "milliseconds", json_integer((json_int_t)(1e3 * (ll_report_clock() - r->begun))));
    ll_report_json_add(&json, "account", ll_report_json_string(r->account[0] ? r->account : NULL));
    ll_report_json_add(&json, "submission", r->submission > 0 ? json_integer(r->submission) : json_null());
    ll_report_json_add(&json, "outcome", ll_report_json_string(r->outcome));
    end(&json);
}
