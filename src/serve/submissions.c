/* POST /v1/submissions. A body that cannot be read is a submission, too: the guard is given one that fails in the same
 * way, and counts it where its policy says so. */
#include "io/formats/predictions.h"
#include "report/progress.h"
#include "serve/resources.h"
#include "serve/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source_name[] = "submission";

typedef struct {
    ll_predictions inner;
    const ll_error *failed; /* why the body cannot be read; NULL: it can */
    long row;               /* the row that a message names; -1: none */
} submission;

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const submission *s = self;
    if (s->failed != NULL) {
        *error = *s->failed;
        error->status = LL_DOMAIN;
        return LL_DOMAIN;
    }
    return s->inner.get(s->inner.self, out, first, count, error);
}

static void where(void *self, char *text, size_t size, long row)
{
    submission *s = self;
    s->row = row;
    if (s->inner.where != NULL)
        s->inner.where(s->inner.self, text, size, row);
}

/* Messages of files begin with "submission:LINE". */
static long line_of(const char *text)
{
    size_t length = sizeof source_name - 1;
    int is_ours = strncmp(text, source_name, length) == 0 && text[length] == ':';
    return is_ours ? strtol(text + length + 1, NULL, 10) : 0;
}

static const unsigned statuses[] = {[LL_GUARD_ACCEPTED] = MHD_HTTP_OK,
                                    [LL_GUARD_REPEATED] = MHD_HTTP_OK,
                                    [LL_GUARD_REFUSED] = MHD_HTTP_TOO_MANY_REQUESTS,
                                    [LL_GUARD_INVALID] = MHD_HTTP_BAD_REQUEST};

/* What is invalid stays so when it is repeated: then nothing was shown. */
static unsigned status_of(const ll_guard_answer *answer)
{
    int is_invalid = answer->outcome == LL_GUARD_REPEATED && answer->shown == NULL;
    return statuses[is_invalid ? LL_GUARD_INVALID : answer->outcome];
}

static ll_status answer_json(ll_request *r, const ll_guard_answer *answer, const submission *s, ll_error *error)
{
    unsigned status = status_of(answer);
    ll_json json;
    ll_report_json_begin(&json, "serve");
    if (status != MHD_HTTP_OK)
        ll_report_json_add(&json, "error", ll_report_json_string(answer->text));
    if (status == MHD_HTTP_BAD_REQUEST) {
        long line = line_of(answer->text);
        ll_report_json_add(&json, "row", s->row >= 0 ? json_integer(s->row) : json_null());
        ll_report_json_add(&json, "line", line > 0 ? json_integer(line) : json_null());
    }
    ll_report_guard_answer(&json, answer);
    return ll_serve_reply_json(r, status, &json, error);
}

static ll_status submit(ll_request *r, ll_guard *guard, submission *s, ll_error *error)
{
    ll_guard_answer answer;
    ll_predictions predictions = s->inner;
    predictions.self = s;
    predictions.get = get;
    predictions.where = where;
    ll_guard_answer_init(&answer);
    ll_status status = ll_guard_submit(guard, &answer, r->account, &predictions, error);
    if (status == LL_OK) {
        r->submission = answer.submission;
        r->outcome = ll_guard_outcome_name(answer.outcome);
        ll_serve_keep(r, &answer);
        ll_counters_submission(&r->server->counters, answer.outcome, ll_report_clock() - r->begun);
        status = answer_json(r, &answer, s, error);
    }
    ll_guard_answer_clear(&answer);
    return status;
}

/* A body that inflates to more than a body may have is refused as one that is too large, and not counted. */
ll_status ll_serve_submit(ll_request *r, ll_guard *guard, ll_error *error)
{
    long rows = ll_scorer_get_count(ll_policy_get_scorer(ll_guard_get_policy(guard)), "rows");
    size_t most = r->server->max_body;
    ll_error why = {0};
    ll_io_predictions *file = NULL;
    submission s = {.inner = {.rows = rows, .columns = 1, .entries = LL_ENTRIES_DOUBLE}, .row = -1};
    ll_status status =
        ll_io_read_predictions(&file, &s.inner, source_name, r->body, r->body_size, most, 4 * most, &why);
    if (status == LL_UNABLE) {
        ll_serve_refuse(r, MHD_HTTP_CONTENT_TOO_LARGE, "%s", why.text);
        return LL_OK;
    }
    if (status != LL_OK && status != LL_DOMAIN) {
        *error = why;
        return status;
    }
    s.failed = status == LL_DOMAIN ? &why : NULL;
    status = submit(r, guard, &s, error);
    ll_io_close_predictions(file);
    return status;
}
