/* The codes whose weights a sum carries, as candidates. A new one is a row here, beside its file in src/code. */
#include "code/rows.h"
#include "strategy/matches/matches.h"
#include "strategy/sums/sums.h"

/* Predictions that are labels have no weights of one's own choice. */
static const ll_strategy *pick(const ll_plan *plan)
{
    const ll_strategy *labels = ll_matches_pick(plan);
    const ll_strategy *numbers = plan->candidate->code->bounded.level != NULL ? &ll_strategy_levels : &ll_strategy_sums;
    return labels != NULL ? labels : numbers;
}

static int claims_any(const ll_scorer *scorer)
{
    (void)scorer;
    return 1;
}

static int claims_classes(const ll_scorer *scorer)
{
    return scorer->classes > 2;
}

static int claims_labels(const ll_scorer *scorer)
{
    return ll_metric_takes_labels(scorer->computation.metric);
}

const ll_candidate ll_candidate_powers = {.code = &ll_code_powers, .rank = 1, .claims = claims_any, .pick = pick};
const ll_candidate ll_candidate_primes = {.code = &ll_code_primes, .rank = 2, .variant = "c=sqrt", .pick = pick};
const ll_candidate ll_candidate_paper_multiclass = {
    .code = &ll_code_paper_multiclass, .rank = 1, .claims = claims_classes, .pick = pick};
const ll_candidate ll_candidate_prime_rows = {.code = &ll_code_prime_rows, .rank = 2, .pick = pick};
const ll_candidate ll_candidate_icml21 = {.code = &ll_code_icml21, .pick = pick};
const ll_candidate ll_candidate_radix = {.code = &ll_code_radix, .rank = 1, .pick = pick};
const ll_candidate ll_candidate_sum_distinct = {.code = &ll_code_sum_distinct, .rank = 1, .pick = pick};
const ll_candidate ll_candidate_detecting = {
    .code = &ll_code_detecting, .labels = &ll_code_detecting_labels, .rank = 1, .claims = claims_labels, .pick = pick};
