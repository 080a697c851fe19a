/* What can be looked at. All of it was shown or is the host's to see. */
#include "serve/resources.h"
#include "io/files/json_text.h"

#include <stdlib.h>
#include <string.h>

/* Takes the text, which was allocated. */
static void reply_text(ll_request *r, unsigned status, char *text, const char *type)
{
    free(r->reply.text);
    r->reply.status = status;
    r->reply.text = text;
    r->reply.size = strlen(text);
    r->reply.type = type;
}

ll_status ll_serve_reply_json(ll_request *r, unsigned status, ll_json *json, ll_error *error)
{
    char *text = json->failed ? NULL : ll_io_json_text(json->object, JSON_COMPACT);
    json_decref(json->object);
    if (text == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a reply");
    reply_text(r, status, text, "application/json");
    return LL_OK;
}

/* ---- the leaderboard ---- */

ll_status ll_serve_leaderboard(ll_request *r, ll_guard *guard, ll_error *error)
{
    ll_json json;
    json_t *places = json_array();
    ll_status status = ll_guard_leaderboard(guard, ll_report_guard_place, places, error);
    if (status != LL_OK) {
        json_decref(places);
        return status;
    }
    ll_report_json_begin(&json, "serve");
    ll_report_json_add(&json, "leaderboard", places);
    return ll_serve_reply_json(r, MHD_HTTP_OK, &json, error);
}

/* ---- the ledger ---- */

enum { ENTRIES = 1000 }; /* of one reply */

typedef struct {
    json_t *entries;
    long count, last;
    int has_more;
} page;

static int add_entry(void *self, const ll_guard_entry *e)
{
    page *p = self;
    p->has_more = p->count == ENTRIES;
    if (p->has_more)
        return 1;
    p->count++;
    p->last = e->submission;
    json_t *entry =
        json_pack("{s:I, s:s, s:s, s:o, s:s, s:f, s:f, s:s}", "submission", (json_int_t)e->submission, "account",
                  e->account, "outcome", ll_guard_outcome_name(e->outcome), "score", ll_report_json_string(e->shown),
                  "digest", e->digest, "charged", e->charged, "time", e->time, "chain", e->chain);
    return json_array_append_new(p->entries, entry) != 0;
}

ll_status ll_serve_ledger(ll_request *r, ll_guard *guard, ll_error *error)
{
    ll_json json;
    ll_guard_status s;
    page p = {.entries = json_array()};
    ll_status status = ll_guard_get_status(guard, &s, error);
    if (status == LL_OK)
        status = ll_guard_entries(guard, r->after, add_entry, &p, error);
    if (status != LL_OK) {
        json_decref(p.entries);
        return status;
    }
    ll_report_json_begin(&json, "serve");
    ll_report_guard_status(&json, &s, ll_guard_get_policy(guard));
    ll_report_json_add(&json, "attack", ll_serve_forecast(r->server, &s, ll_guard_get_policy(guard)));
    ll_report_json_add(&json, "entries", p.entries);
    ll_report_json_add(&json, "more_after", p.has_more ? json_integer(p.last) : json_null());
    return ll_serve_reply_json(r, MHD_HTTP_OK, &json, error);
}

/* ---- one's own account ---- */

static const char *const roles[] = {
    [LL_ROLE_NONE] = "none", [LL_ROLE_PARTICIPANT] = "participant", [LL_ROLE_HOST] = "host"};

ll_status ll_serve_account(ll_request *r, ll_guard *guard, ll_error *error)
{
    ll_json json;
    ll_guard_answer left;
    ll_guard_answer_init(&left);
    ll_status status = ll_guard_get_account(guard, &left, r->account, error);
    if (status == LL_OK) {
        ll_report_json_begin(&json, "serve");
        ll_report_json_add(&json, "account", json_string(r->account));
        ll_report_json_add(&json, "role", json_string(roles[r->role]));
        ll_report_json_add(&json, "score", ll_report_json_string(left.shown));
        ll_report_guard_left(&json, &left);
        status = ll_serve_reply_json(r, MHD_HTTP_OK, &json, error);
    }
    ll_guard_answer_clear(&left);
    return status;
}

/* ---- the policy ---- */

ll_status ll_serve_policy(ll_request *r, ll_guard *guard, ll_error *error)
{
    const ll_policy *policy = ll_guard_get_policy(guard);
    const char *text = ll_policy_get_json(policy);
    ll_json json;
    ll_report_json_begin(&json, "serve");
    ll_report_json_add(&json, "policy", json_loadb(text, strlen(text), 0, NULL));
    ll_report_json_add(&json, "digest", json_string(ll_policy_get_digest(policy)));
    ll_report_json_add(&json, "max_body", json_integer((json_int_t)r->server->max_body));
    return ll_serve_reply_json(r, MHD_HTTP_OK, &json, error);
}

/* ---- for machines ---- */

ll_status ll_serve_health(ll_request *r, ll_guard *guard, ll_error *error)
{
    ll_guard_status s;
    ll_json json;
    ll_status status = ll_guard_get_status(guard, &s, error);
    if (status != LL_OK)
        return status;
    ll_report_json_begin(&json, "serve");
    ll_report_json_add(&json, "healthy", json_true());
    ll_report_json_add(&json, "version", json_string(ll_version()));
    return ll_serve_reply_json(r, MHD_HTTP_OK, &json, error);
}

ll_status ll_serve_metrics(ll_request *r, ll_guard *guard, ll_error *error)
{
    ll_guard_status s;
    ll_status status = ll_guard_get_status(guard, &s, error);
    char *text = status == LL_OK ? ll_serve_metrics_text(r->server, &s) : NULL;
    if (status == LL_OK && text == NULL)
        status = ll_fail(error, LL_MEMORY, "no memory for a reply");
    if (status == LL_OK)
        reply_text(r, MHD_HTTP_OK, text, "text/plain; version=0.0.4; charset=utf-8");
    return status;
}
