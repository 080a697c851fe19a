/* Plans of the code hadamard: kinds of rows, and the choice of weight and number of queries. */
#ifndef LL_STRATEGY_AVERAGES_SIGNS_H
#define LL_STRATEGY_AVERAGES_SIGNS_H

#include "plan/strategy.h"
#include "posterior/posterior.h"

/* All rows of one kind (ll_hadamard_kind) are the same numbers. */
typedef struct {
    ll_block row;
    arb_ptr terms;   /* what the scorer makes of it, one a class */
    arb_t low, high; /* least and greatest deviation of a label from label 0 */
    mag_t magnitude; /* of its largest term */
} ll_sign_kind;

typedef struct {
    int count;
    ll_sign_kind *kinds;
} ll_signs;

/* The kinds for a wanted weight, which may be plan->state->unit; sets plan->state->unit to the weight that the stored
 * numbers really have. LL_DOMAIN where they cannot be written. */
LL_CHECK ll_status ll_signs_create(ll_signs **out, ll_plan *plan, const arb_t weight, ll_error *error);
void ll_signs_destroy(ll_signs *signs, const ll_plan *plan);
/* How much the weights of labels of one kind differ from one unit and none, in units. */
double ll_signs_blur(const ll_signs *signs, const ll_plan *plan);
/* The score of rows whose labels are heavy and light by halves. */
double ll_signs_mean(const ll_signs *signs, const ll_plan *plan);

/* The channel of plan->state->unit: what a score tells of a sum of signs, for so many queries. mean: the score at z =
 * 0. */
void ll_signs_channel(const ll_plan *plan, ll_posterior_channel *out, double mean, long queries);

/* The signs of a plan's code: random ones, or a Sylvester matrix where it will prove the labels. */
void ll_signs_set_seed(const ll_plan *plan, ll_code *code);

/* Choose plan->state->unit (what a sign is to weigh), plan->columns and plan->state->levels (the number of queries).
 * LL_DOMAIN where the scorer has no place for such rows, or the answer would not be as sure as was asked for. */
LL_CHECK ll_status ll_plan_find_signs(ll_plan *plan, const ll_question *q, ll_error *error);

#endif
