#include "cli/watch.h"

#include "cli/signals.h"

static ll_status check(int is_late, ll_error *error)
{
    if (ll_cli_is_interrupted())
        return ll_fail(error, LL_UNABLE, "%s", ll_cli_interruption());
    return is_late ? ll_fail(error, LL_UNABLE, "over budget: the time of --max-seconds is up") : LL_OK;
}

ll_status ll_cli_watch_check(ll_error *error)
{
    return check(ll_cli_is_late(), error);
}

void ll_cli_watch_explain(ll_status status, ll_error *error)
{
    ll_error why = {0};
    if (status == LL_UNABLE && check(ll_cli_is_due(), &why) != LL_OK)
        *error = why;
}

static ll_status get_watched(void *self, ll_block *out, long first, long count, ll_error *error)
{
    ll_watch *watch = self;
    ll_status status = ll_cli_watch_check(error);
    if (status != LL_OK)
        return status;
    long rows = watch->inner->rows;
    ll_report_progress_step(&watch->progress, watch->query * rows + first, watch->queries * rows);
    return watch->inner->get(watch->inner->self, out, first, count, error);
}

static void where_watched(void *self, char *text, size_t size, long row)
{
    const ll_watch *watch = self;
    watch->inner->where(watch->inner->self, text, size, row);
}

void ll_cli_watch_queries(ll_watch *watch, const char *what, long queries)
{
    watch->queries = queries;
    ll_report_progress_begin(&watch->progress, what);
}

void ll_cli_watch_query(ll_watch *watch, ll_predictions *out, const ll_predictions *inner, long query)
{
    watch->inner = inner;
    watch->query = query;
    *out = *inner;
    out->self = watch;
    out->get = get_watched;
    out->where = inner->where ? where_watched : NULL;
}

void ll_cli_watch_begin(ll_watch *watch, ll_predictions *out, const ll_predictions *inner, const char *what)
{
    ll_cli_watch_queries(watch, what, 1);
    ll_cli_watch_query(watch, out, inner, 0);
}

void ll_cli_watch_end(ll_watch *watch)
{
    ll_report_progress_end(&watch->progress);
}
