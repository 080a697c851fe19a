/* The loop: for every query of a plan, predictions go out and a score comes back. Only predictions and scores pass
 * between the two sides; the decoder sees what was sent, the oracle never sees the plan. */
#include "curator/curator.h"
#include "decode/decoder.h"
#include "number/budget.h"

#include <string.h>

static ll_status ask_curator(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    (void)query;
    return ll_curator_answer(self, score, predictions, error);
}

ll_oracle ll_curator_oracle(ll_curator *curator)
{
    return (ll_oracle){.self = curator, .ask = ask_curator};
}

static ll_status ask_one(ll_decoder *decoder, const ll_plan *plan, const ll_oracle *oracle, long query, ll_error *error)
{
    ll_predictions own, watched;
    char *score = NULL;
    ll_status status = ll_plan_predictions(plan, &own, query, error);
    if (status == LL_OK)
        status = ll_decoder_watch(decoder, &watched, &own, query, error);
    if (status == LL_OK)
        status = oracle->ask(oracle->self, &score, &watched, query, error);
    if (status == LL_OK)
        status = ll_decoder_score(decoder, score, error);
    ll_free(score);
    return status;
}

ll_status ll_attack_run(const ll_plan *plan, ll_verdict *out, const ll_oracle *oracle, const ll_budget *budget,
                        ll_error *error)
{
    ll_decoder *decoder;
    long limit = plan->scorer->queries, queries = limit > 0 && limit < plan->queries ? limit : plan->queries;
    ll_status status = ll_decoder_create(&decoder, plan, error);
    if (status != LL_OK)
        return status;
    for (long query = 0; query < queries && status == LL_OK && !ll_decoder_is_none(decoder); query++) {
        status = ask_one(decoder, plan, oracle, query, error);
        ll_budget_progress(budget, query + 1, queries);
        if (status == LL_OK && ll_budget_is_stopped(budget))
            status = ll_fail(error, LL_UNABLE, "stopped after %ld of %ld queries", query + 1, queries);
    }
    if (status == LL_OK)
        status = ll_decoder_verdict(decoder, out, error);
    ll_decoder_destroy(decoder);
    return status;
}
