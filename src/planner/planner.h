/* Plans by the name of a code, or by none: candidates are tried, and the best is taken. */
#ifndef LL_PLANNER_PLANNER_H
#define LL_PLANNER_PLANNER_H

#include "plan/strategy.h"

/* ---- candidates (candidates.c) ---- */

const ll_candidate *ll_candidate_get(long index); /* 0 .. ll_code_count() - 1 */
/* "powers" or "primes:c=sqrt"; the name must outlive *out. LL_DOMAIN: unknown name or variant, with the known ones. */
LL_CHECK ll_status ll_candidate_find(ll_named_code *out, const char *name, ll_error *error);
/* The row of the code and variant. */
const ll_code_row *ll_candidate_row(const ll_named_code *code);
/* The one that averages; and whether that is the one of this name. */
const ll_candidate *ll_candidate_averages(void);
int ll_candidate_is_average(const char *name);

/* ---- one code ---- */

/* What ll_plan_create does where the request names a code, not yet finished (make_plan.c). */
LL_CHECK ll_status ll_plan_make(ll_plan **out, const ll_question *q, ll_error *error);
/* About how long all its predictions take to write (make_plan.c). */
double ll_plan_seconds(const ll_plan *plan);
/* The same, of as many rows as the question's limit of queries is enough for; without a candidate: by the best code
 * (planner.c). */
LL_CHECK ll_status ll_plan_make_fitted(ll_plan **out, const ll_question *q, ll_error *error);
/* That question: what ll_plan_make is asked for. limit: queries that are answered; 0: no limit. */
ll_question ll_question_of(const ll_scorer *scorer, ll_named_code code, const ll_plan_request *request, long limit);
/* The same, treating random noise as bounded by `bound` (0: as the scorer says), asking each query `repeats` times, and
 * splitting the failure over `shared` queries. */
LL_CHECK ll_status ll_plan_make_bounded(ll_plan **out, const ll_question *q, double bound, long repeats, double shared,
                                        ll_error *error);
/* For scores with random noise (docs/proofs/noise.md): the noise of every query is taken as bounded by a quantile such
 * that all bounds hold with probability 1 - request->failure; queries are repeated where that takes fewer in all
 * (repeats.c). */
LL_CHECK ll_status ll_plan_make_likely(ll_plan **out, const ll_question *q, ll_error *error);
/* Where an answer has several numbers: the best plan for one of them (several_numbers.c). */
LL_CHECK ll_status ll_plan_make_several(ll_plan **out, const ll_question *q, ll_error *error);
/* The plan that reads one number of every answer. */
LL_CHECK ll_status ll_plan_make_number(ll_plan **out, const ll_question *q, long number, ll_error *error);

/* ---- the best ---- */

/* A caller's request: all fields known here, the failure set. LL_DOMAIN where it was not initialised. */
LL_CHECK ll_status ll_plan_read_request(ll_plan_request *out, const ll_plan_request *request, ll_error *error);
/* ll_plan_create with another limit of queries than the scorer's. */
LL_CHECK ll_status ll_plan_create_within(ll_plan **out, const ll_scorer *scorer, const ll_plan_request *request,
                                         long limit, ll_error *error);
/* The one rule by which codes are chosen: more labels within the limit, then fewer queries for all of them, then fewer
 * bits of score. b may be NULL. */
int ll_choice_is_better(const ll_plan_choice *a, const ll_plan_choice *b);
/* The same of plans. best may be NULL. */
int ll_plan_is_better(const ll_plan *plan, const ll_plan *best, long limit);
/* One code of ll_plan_compare. LL_OK also where it does not apply; LL_MEMORY. */
LL_CHECK ll_status ll_plan_compare_code(ll_plan_choice *out, const char *code, const ll_scorer *scorer,
                                        const ll_plan_request *request);

/* What averaging by the code hadamard with message passing is expected to reach with `queries` answers, without running
 * it. LL_DOMAIN if the code has no plan for the scorer (make_plan.c). */
LL_CHECK ll_status ll_predict_share(ll_forecast *out, const ll_scorer *scorer, long queries, ll_error *error);

/* What averaging by the code hadamard is expected to do with *queries answers; 0: with as few as leave a wrong label a
 * probability of at most `failure`, and *queries is set (make_plan.c). */
LL_CHECK ll_status ll_plan_forecast(ll_forecast *out, long *queries, const ll_scorer *scorer, double failure,
                                    ll_error *error);

#endif
