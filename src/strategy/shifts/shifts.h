/* Numeric targets on a grid of any number of values: a few rows a query lie beyond its high end, all others at its low
 * end (docs/proofs/shifts.md). */
#ifndef LL_STRATEGY_SHIFTS_SHIFTS_H
#define LL_STRATEGY_SHIFTS_SHIFTS_H

#include "plan/strategy.h"
#include "strategy/common/sum_span.h"

extern const ll_candidate ll_candidate_shifts;

/* ---- within this folder ---- */

enum { LL_SHIFTS_MOST = 32 };
#define LL_SHIFTS_EACH "each" /* the variant that asks about one row per query */

/* The state of a plan. */
typedef struct {
    ll_plan_state common;
    long together;                /* rows that a query asks about */
    double kept;                  /* the prediction of all others */
    double moved[LL_SHIFTS_MOST]; /* those of the rows asked about, ascending */
    double radius;                /* at least how far a term of a query is off its middle */
} ll_shifts;

extern const ll_code_row ll_code_shifts;

/* What a row adds with that label where it is kept. */
LL_CHECK ll_status ll_shifts_kept(const ll_plan *plan, arb_t out, long label);
/* What a row adds with that label where it lies at x, less what it adds where it is kept. */
LL_CHECK ll_status ll_shifts_step(const ll_plan *plan, arb_t out, double x, long label);
/* By how much a computed step may leave the order that the steps of all labels have. */
LL_CHECK ll_status ll_shifts_disorder(const ll_plan *plan, double *out, double x);

LL_CHECK ll_status ll_shifts_plan(ll_plan *plan, const ll_question *q, ll_error *error);
LL_CHECK ll_status ll_shifts_prepare(ll_plan *plan, const ll_question *q, ll_error *error);
extern const ll_writer ll_writer_shifts;

#endif
