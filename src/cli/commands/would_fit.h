/* Scores as they were heard, and what else would explain them where the description does not. */
#ifndef LL_CLI_WOULD_FIT_H
#define LL_CLI_WOULD_FIT_H

#include "lossleak.h"

typedef struct {
    char **texts;
    long count, room;
    ll_refit refit;
    int is_looked; /* refit is an answer */
} ll_would_fit;

void ll_cli_would_fit_init(ll_would_fit *w);
void ll_cli_would_fit_clear(ll_would_fit *w);
/* LL_MEMORY. */
LL_CHECK ll_status ll_cli_would_fit_hear(ll_would_fit *w, const char *score, ll_error *error);
/* Look for other descriptions: of the queries of a plan, or of predictions (plan NULL). kind: the verdict's; verdict:
 * of the plan's decoder, or NULL. */
LL_CHECK ll_status ll_cli_would_fit_find(ll_would_fit *w, const ll_scorer *scorer, const ll_plan *plan,
                                         const ll_predictions *predictions, ll_verdict_kind kind,
                                         const ll_verdict *verdict, const ll_budget *budget, ll_error *error);
/* For a report: NULL where nothing was looked for. */
const ll_refit *ll_cli_would_fit_get(const ll_would_fit *w);

#endif
