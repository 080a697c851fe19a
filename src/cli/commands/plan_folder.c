#include "cli/commands/plan_folder.h"

#include "report/json.h"
#include "report/scorer_text.h"
#include <stdlib.h>

ll_status ll_cli_write_plan(const ll_io_folder *folder, const ll_plan *plan, const ll_scorer *scorer,
                            ll_io_predictions_form form, ll_error *error)
{
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    ll_io_plan file = {.scorer = ll_report_json_scorer(scorer),
                       .code = (char *)info.code,
                       .rows = info.rows,
                       .classes = info.classes,
                       .columns = info.columns,
                       .block = info.block,
                       .queries = info.queries,
                       .likely = info.guarantee == LL_LIKELY,
                       .failure = info.allowed,
                       .repeats = info.repeats,
                       .exact = info.entries == LL_ENTRIES_EXACT,
                       .form = form};
    ll_plan_digest(plan, file.digest, sizeof file.digest);
    char *path = ll_io_folder_file(folder, "plan.json");
    ll_status status = file.scorer && path ? ll_io_write_plan(path, &file, error)
                                           : ll_fail(error, LL_MEMORY, "no memory for plan.json");
    free(path);
    json_decref(file.scorer);
    return status;
}

ll_status ll_cli_write_query(const ll_io_folder *folder, const ll_predictions *predictions, long query,
                             ll_io_predictions_form form, ll_error *error)
{
    char name[64];
    ll_io_query_name(name, sizeof name, query, form);
    char *path = ll_io_folder_file(folder, name);
    ll_status status = path ? ll_io_write_predictions(path, form, predictions, error)
                            : ll_fail(error, LL_MEMORY, "no memory for a file name");
    free(path);
    return status;
}
