/* inspect, for predictions: the leak meter over a file. */
#include "cli/commands/inspect.h"
#include "cli/options/parse.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "io/files/io_fail.h"
#include "io/formats/predictions.h"
#include "report/inspection_report.h"
#include "report/message.h"

/* A column is in the file's row, in its header, as a double and, in the library, as a ball; measured: 150 bytes. */
static ll_status check_columns(const ll_inspect_options *o, const ll_predictions *predictions, ll_error *error)
{
    enum { A_COLUMN = 180 };
    size_t needed = (size_t)predictions->columns * A_COLUMN;
    return needed <= o->common.max_memory ? LL_OK : ll_io_fail_need(error, o->file, needed, o->common.max_memory);
}

static ll_status compute(ll_inspect_options *o, ll_inspection *out, ll_error *error)
{
    ll_io_predictions *file = NULL;
    ll_predictions predictions, watched;
    ll_watch watch;
    const ll_budget budget = ll_cli_budget(&o->common);
    ll_status status = ll_cli_scorer_finish(&o->scorer, o->common.seed, o->common.max_memory, error);
    if (status == LL_OK)
        status = ll_cli_scorer_need_whole(&o->scorer, "inspect", error);
    if (status == LL_OK)
        status = ll_cli_scorer_resolve(&o->scorer, 0, 0, error);
    const ll_scorer *scorer = o->scorer.scorer;
    if (status == LL_OK)
        status = ll_io_open_predictions(&file, &predictions, o->file, ll_scorer_get_count(scorer, "rows"),
                                        ll_cli_scorer_needs_exact(scorer), o->common.max_memory, error);
    if (status == LL_OK)
        status = check_columns(o, &predictions, error);
    if (status == LL_OK) {
        ll_cli_watch_begin(&watch, &watched, &predictions, "read");
        status = ll_inspect_predictions(out, scorer, &watched, &budget, error);
        ll_cli_watch_end(&watch);
        if (status != LL_OK)
            ll_io_name_file(error, o->file);
    }
    ll_io_close_predictions(file);
    return status == LL_OK ? ll_cli_watch_check(error) : status;
}

static ll_exit print(const ll_inspect_options *o, const ll_inspection *inspection, ll_error *error)
{
    ll_cli_unlimit_seconds();
    if (o->scorer.warning[0])
        ll_report_warning(o->scorer.warning);
    if (!o->common.json)
        ll_report_inspection_text(inspection, o->scorer.scorer, o->file);
    else if (ll_report_inspection_json(inspection, o->scorer.scorer, o->file, error) != LL_OK)
        return ll_cli_fail(error);
    return inspection->finding == LL_FINDING_CODED ? LL_EXIT_BAD_ANSWER : LL_EXIT_DONE;
}

ll_exit ll_cli_inspect_submission(ll_inspect_options *o)
{
    ll_error error = {0};
    ll_inspection inspection;
    ll_inspection_init(&inspection);
    ll_exit status = compute(o, &inspection, &error) == LL_OK ? print(o, &inspection, &error) : ll_cli_fail(&error);
    ll_inspection_clear(&inspection);
    return status;
}
