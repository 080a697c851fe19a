#include "report/guard_json.h"

#include <math.h>

/* A number, or null where it is not finite; a count, or null where there is no limit. */
static json_t *real_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *count_or_null(double x)
{
    return isfinite(x) ? json_integer((json_int_t)x) : json_null();
}

void ll_report_guard_left(ll_json *json, const ll_guard_answer *a)
{
    ll_report_json_add(
        json, "spent",
        json_pack("{s:f, s:f, s:o}", "answer", a->charged, "bits", a->spent, "budget", real_or_null(a->budget)));
    ll_report_json_add(json, "left",
                       json_pack("{s:o, s:o, s:o}", "today", count_or_null(a->left_today), "account",
                                 count_or_null(a->left_account), "all", count_or_null(a->left_all)));
}

void ll_report_guard_answer(ll_json *json, const ll_guard_answer *a)
{
    ll_report_json_add(json, "outcome", json_string(ll_guard_outcome_name(a->outcome)));
    ll_report_json_add(json, "text", ll_report_json_string(a->text));
    ll_report_json_add(json, "score", ll_report_json_string(a->shown));
    ll_report_json_add(json, "improved", json_boolean(a->improved));
    ll_report_json_add(json, "submission", a->submission > 0 ? json_integer(a->submission) : json_null());
    ll_report_json_add(json, "receipt", ll_report_json_string(a->receipt[0] ? a->receipt : NULL));
    ll_report_guard_left(json, a);
}

void ll_report_guard_status(ll_json *json, const ll_guard_status *s, const ll_policy *policy)
{
    ll_report_json_add(json, "rows", json_integer(s->rows));
    ll_report_json_add(json, "levels", json_integer(s->levels));
    ll_report_json_add(json, "submissions", json_integer(s->submissions));
    ll_report_json_add(json, "invalid", json_integer(s->invalid));
    ll_report_json_add(json, "improvements", json_integer(s->improvements));
    ll_report_json_add(json, "accounts", json_integer(s->accounts));
    ll_report_json_add(json, "spent", json_pack("{s:f, s:o}", "bits", s->spent, "budget", real_or_null(s->budget)));
    ll_report_json_add(
        json, "share",
        json_pack("{s:f, s:f, s:f}", "spent", s->share_spent, "promised", s->share_promised, "guess", s->share_guess));
    ll_report_json_add(json, "row_share",
                       isnan(s->row_spent)
                           ? json_null()
                           : json_pack("{s:f, s:f}", "spent", s->row_spent, "promised", s->row_promised));
    ll_report_json_add(json, "next", json_pack("{s:f, s:f}", "least", s->least, "most", s->most));
    ll_report_json_add(json, "left", json_pack("{s:o}", "all", count_or_null(s->left_all)));
    ll_report_json_add(json, "encrypted", json_boolean(s->is_encrypted));
    ll_report_json_add(json, "head", json_string(s->head));
    ll_report_json_add(json, "digest", json_string(ll_policy_get_digest(policy)));
}

int ll_report_guard_place(void *self, const ll_guard_place *p)
{
    json_t *place =
        json_pack("{s:I, s:s, s:s, s:I, s:o}", "place", (json_int_t)p->place, "account", p->account, "score", p->shown,
                  "submissions", (json_int_t)p->submissions, "time", real_or_null(p->time));
    return json_array_append_new(self, place) != 0;
}
