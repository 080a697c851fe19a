/* The labels of honest predictions, or of one query of a plan, searched again under another description. */
#include "infer/evidence.h"
#include "number/budget.h"
#include "refit/refit.h"

#include <math.h>
#include <stdlib.h>

/* Seconds that one search may take: a rewrite is a suggestion, and there are many. */
#define ONE_SEARCH 5.0

static ll_status add_all(const ll_refit_case *c, ll_evidence *evidence)
{
    ll_predictions own;
    ll_status status = LL_OK;
    long count = c->plan != NULL ? 1 : c->count; /* its first query is about a full block */
    for (long q = 0; q < count && status == LL_OK; q++) {
        if (c->plan != NULL)
            status = ll_plan_predictions(c->plan, &own, q, NULL);
        else
            own = c->predictions[q];
        if (status == LL_OK)
            status = ll_evidence_add(evidence, &own, c->scores[q], NULL);
    }
    return status;
}

static ll_status search(const ll_refit_case *c, const ll_evidence *evidence, ll_inference *out)
{
    ll_budget budget;
    ll_budget_init(&budget);
    budget.memory = c->memory;
    budget.threads = c->threads;
    budget.seconds = fmin(ONE_SEARCH, fmax(0.1, c->until - ll_clock()));
    return ll_evidence_infer(evidence, out, LL_METHOD_AUTO, &budget, NULL);
}

ll_status ll_refit_infer(ll_refit_trial *out, const ll_refit_case *c, const ll_scorer *other)
{
    ll_evidence *evidence = NULL;
    ll_inference inference;
    *out = (ll_refit_trial){.answer = LL_REFIT_NO};
    if (ll_clock() > c->until)
        return LL_UNABLE;
    ll_inference_init(&inference);
    ll_status status = ll_evidence_create(&evidence, other, NULL);
    if (status == LL_OK)
        status = add_all(c, evidence);
    if (status == LL_OK)
        status = search(c, evidence, &inference);
    if (status == LL_OK && inference.verdict->kind != LL_NONE) {
        int found = inference.kept > 0 || inference.count != NULL;
        out->answer = found ? LL_REFIT_YES : LL_REFIT_OPEN;
        out->proved = found;
        out->certain = inference.verdict->certain;
        if (c->plan != NULL) /* so many labellings of its block, so many scores that can be told apart */
            out->chance = fmin(1, exp2((double)c->plan->block * log2((double)c->plan->classes) - inference.score_bits));
    }
    if (status == LL_UNABLE)
        out->answer = LL_REFIT_OPEN;
    ll_inference_clear(&inference);
    ll_evidence_destroy(evidence);
    return status == LL_MEMORY ? status : LL_OK;
}
