/* --code, --block, --guarantee and --failure: the plan, for every command that makes one. */
#ifndef LL_CLI_PLAN_OPTIONS_H
#define LL_CLI_PLAN_OPTIONS_H

#include "cli/options/common_options.h"
#include "cli/options/syntax.h"
#include "lossleak.h"
#include "report/defence.h"

typedef struct {
    const char *code, *block, *guarantee, *failure; /* as given; NULL: not */
} ll_plan_options;

/* Its argp's input is an ll_plan_options. */
extern const ll_option_group ll_cli_plan_group;

/* scorer->rows and scorer->classes must be set. Without --code or with auto: the first code of a fixed order that the
 * library accepts; where it accepts none, what it said of the first. */
LL_CHECK ll_status ll_cli_plan_create(ll_plan **out, const ll_plan_options *options, const ll_scorer *scorer,
                                      const ll_budget *budget, ll_error *error);

/* Queries of the plan that the scorer answers. */
long ll_cli_plan_asked(const ll_plan_info *info, const ll_scorer *scorer);

/* Is every label there, proved or as likely as the plan was asked to make it? */
int ll_cli_plan_is_done(const ll_plan_info *info, const ll_verdict *verdict);

/* The defence for the report, within what is left of --max-seconds, which ends here: the rest is printing. LL_UNABLE:
 * interrupted; LL_MEMORY. Clear it in any case. */
LL_CHECK ll_status ll_cli_plan_defend(ll_chosen_defence *out, const ll_scorer *scorer, const ll_plan_info *info,
                                      const ll_common_options *common, ll_error *error);

#endif
