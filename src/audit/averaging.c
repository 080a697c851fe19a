/* What averaging gets out of many answers: the forecast of the code hadamard (docs/proofs/hadamard.md), as an auditor
 * reads it. */
#include "audit/audit_private.h"
#include "audit/label_law.h"
#include "planner/planner.h"

#include <math.h>
#include <stdio.h>

#define MOST_ANSWERS 0x1p40

static int is_random(const ll_channel *c)
{
    return ll_law_is_random(c->noise) && c->noise->of_spread == NULL;
}

ll_status ll_average_drop_rounding(ll_scorer **out, const ll_scorer *scorer, const ll_channel *c, ll_error *error)
{
    int fine = is_random(c) && c->grid > 0 && c->grid < c->noise_size / 4;
    ll_scorer *shared = NULL;
    ll_status status = ll_labels_vary(fine ? &shared : out, scorer, error);
    if (status == LL_OK && fine)
        status = ll_scorer_vary(out, shared, error, "decimals", "none", "truncate", "no", (char *)NULL);
    ll_scorer_destroy(shared);
    return status;
}

/* Predictions that are labels count matches: squared error of the same labels, which are allowed to be probabilities.
 */
static ll_status forecast(double *out, const ll_channel *c, const ll_scorer *scorer, double queries, ll_error *error)
{
    ll_forecast seen = {0};
    ll_scorer *same = NULL, *counted = NULL;
    ll_status status = ll_average_drop_rounding(&same, scorer, c, error);
    if (status == LL_OK && c->is_count)
        status = ll_scorer_vary(&counted, same, error, "scorer", (char *)NULL, "metric", "squared", "arithmetic",
                                ll_scorer_text(scorer, LL_SET_ARITHMETIC), (char *)NULL);
    if (status == LL_OK)
        status = ll_predict_share(&seen, counted != NULL ? counted : same, (long)fmin(queries, MOST_ANSWERS), NULL);
    ll_scorer_destroy(counted);
    ll_scorer_destroy(same);
    *out = status == LL_OK ? fmax(c->guess, seen.share) : c->guess;
    return status == LL_MEMORY ? ll_fail(error, status, "no memory for a forecast") : LL_OK;
}

ll_status ll_average_share(double *out, const ll_channel *c, const ll_scorer *scorer, double queries, ll_error *error)
{
    *out = c->guess;
    if ((c->rows < LL_AVERAGE_ROWS && isfinite(queries)) || !c->is_linear || !(queries >= 1) || !(c->sensitivity > 0) ||
        !isfinite(c->sensitivity) || ll_release_is_history(&scorer->release))
        return LL_OK;
    ll_status status = LL_OK;
    if (is_random(c) && isinf(queries))
        *out = 1;
    else
        status = forecast(out, c, scorer, queries, error);
    *out = fmin(*out, ll_limit_share(c, queries));
    return status;
}

ll_status ll_average_choice(ll_plan_choice *out, const ll_channel *c, const ll_scorer *scorer, const char *code,
                            double failure)
{
    ll_forecast seen;
    ll_error why = {0};
    ll_scorer *asked = NULL;
    long queries = 0;
    double share;
    *out = (ll_plan_choice){.code = code, .guarantee = LL_LIKELY, .block = c->rows, .limit_block = c->rows};
    out->status = ll_average_drop_rounding(&asked, scorer, c, &why);
    if (out->status == LL_OK)
        out->status = ll_plan_forecast(&seen, &queries, asked, failure, &why);
    ll_scorer_destroy(asked);
    if (out->status != LL_OK) {
        (void)snprintf(out->why, sizeof out->why, "%s", why.text);
        return out->status == LL_MEMORY ? LL_MEMORY : LL_OK;
    }
    ll_status status = ll_average_share(&share, c, scorer, c->queries, NULL);
    out->queries = queries;
    out->labels_per_query = (double)c->rows / (double)queries;
    out->score_bits = (double)queries * fmax(1, ll_limit_bits_fixed(c));
    out->recovered = (long)fmax(0, (share - c->guess) / (1 - c->guess) * (double)c->rows);
    return status;
}
