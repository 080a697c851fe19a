#include "cli/commands/would_fit.h"

#include <stdlib.h>
#include <string.h>

void ll_cli_would_fit_init(ll_would_fit *w)
{
    *w = (ll_would_fit){0};
    ll_refit_init(&w->refit);
}

void ll_cli_would_fit_clear(ll_would_fit *w)
{
    for (long i = 0; i < w->count; i++)
        free(w->texts[i]);
    free(w->texts);
    ll_refit_clear(&w->refit);
    ll_cli_would_fit_init(w);
}

ll_status ll_cli_would_fit_hear(ll_would_fit *w, const char *score, ll_error *error)
{
    if (w->count == w->room) {
        long room = 2 * w->room + 64;
        char **grown = realloc(w->texts, sizeof *grown * (size_t)room);
        if (grown == NULL)
            return ll_fail(error, LL_MEMORY, "no memory for scores");
        w->texts = grown;
        w->room = room;
    }
    w->texts[w->count] = strdup(score);
    if (w->texts[w->count] == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a score");
    w->count++;
    return LL_OK;
}

ll_status ll_cli_would_fit_find(ll_would_fit *w, const ll_scorer *scorer, const ll_plan *plan,
                                const ll_predictions *predictions, ll_verdict_kind kind, const ll_verdict *verdict,
                                const ll_budget *budget, ll_error *error)
{
    ll_refit_request request;
    if (w->count == 0 || ll_scorer_count_numbers(scorer) > 1)
        return LL_OK;
    ll_refit_request_init(&request);
    request.plan = plan;
    request.predictions = predictions;
    request.scores = (const char *const *)w->texts;
    request.count = w->count;
    request.explained = kind != LL_NONE;
    request.budget = budget;
    request.verdict = verdict;
    ll_status status = ll_refit_find(&w->refit, scorer, &request, error);
    w->is_looked = status == LL_OK;
    return status;
}

const ll_refit *ll_cli_would_fit_get(const ll_would_fit *w)
{
    return w->is_looked ? &w->refit : NULL;
}
