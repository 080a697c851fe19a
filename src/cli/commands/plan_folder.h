/* The files of a plan, in a new folder. */
#ifndef LL_CLI_PLAN_FOLDER_H
#define LL_CLI_PLAN_FOLDER_H

#include "io/files/new_folder.h"
#include "io/formats/plan_file.h"

/* plan.json. */
LL_CHECK ll_status ll_cli_write_plan(const ll_io_folder *folder, const ll_plan *plan, const ll_scorer *scorer,
                                     ll_io_predictions_form form, ll_error *error);
/* The predictions of one query. */
LL_CHECK ll_status ll_cli_write_query(const ll_io_folder *folder, const ll_predictions *predictions, long query,
                                      ll_io_predictions_form form, ll_error *error);

#endif
