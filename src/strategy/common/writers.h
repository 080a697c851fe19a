/* Writers that several strategies share. */
#ifndef LL_STRATEGY_COMMON_WRITERS_H
#define LL_STRATEGY_COMMON_WRITERS_H

#include "plan/strategy.h"

/* Predictions that are labels (write_labels.c); rows by their kinds (write_levels.c); numbers rounded to the scorer's
 * format (write_floats.c). */
extern const ll_writer ll_writer_labels, ll_writer_levels, ll_writer_floats;

/* ---- doubles that are stored just as they were planned (write_planned.c) ---- */

/* Sets plan->entries, for a writer that has no more to prepare. */
LL_CHECK ll_status ll_planned_prepare(ll_plan *plan, ll_error *error);
LL_CHECK ll_status ll_planned_write(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error);
LL_CHECK ll_status ll_planned_measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error,
                                      const ll_block *block, long index, long row, ll_error *error);
#define LL_WRITES_PLANNED(get) .entry = (get), .write = ll_planned_write, .measure = ll_planned_measure

/* ---- can a release carry it? ---- */

/* Takes the variant of the code whose predictions are labels. LL_DOMAIN where it has none, or another one was named. */
LL_CHECK ll_status ll_plan_take_labels(ll_plan *plan, const ll_question *q, ll_error *error);

/* LL_DOMAIN where the numbers of a metric of counts or ranks tell too little of the labels to be planned for; where an
 * answer has several, all together (count_steps.c). */
LL_CHECK ll_status ll_counts_check(const ll_plan *plan, ll_error *error);
LL_CHECK ll_status ll_counts_check_joint(const ll_plan *plan, ll_error *error);
/* Labels that so many scores tell: none where a part of the rows is asked about, and many numbers of positive rows
 * explain the scores with other labels. */
long ll_counts_rows_within(const ll_plan *plan, long queries);

/* The largest number of levels (an integer weight of 1 is worth reach / levels) at which every sum of weights can be
 * told from its neighbours whatever the rows' levels are; LL_DOMAIN where there is none. Sets plan->state->unit and
 * plan->columns (find_levels.c). */
LL_CHECK ll_status ll_plan_find_levels(ll_plan *plan, ll_error *error);

/* ---- units (weight_units.c) ---- */

/* 2 * noise / gap * (1 + 2^-20): the unit that the noise demands, rounded up to 32 bits. */
void ll_plan_needed_unit(const ll_plan *plan, arb_t out);
/* Bits of the largest sum of the code's weights. */
slong ll_plan_sum_bits(const ll_plan *plan);
/* The largest difference between the weights of two labels of one row. */
void ll_plan_heaviest(const ll_plan *plan, arb_t out);
/* LL_DOMAIN: the loss reaches weights up to `reach`, and the text says what noise and how many rows that is enough for.
 */
ll_status ll_plan_fail_reach(const ll_plan *plan, const arb_t heaviest, const arb_t reach, ll_error *error);
/* The closed form of powers is Itakura-Saito's: is it asked for with another loss? */
int ll_plan_is_foreign_closed(const ll_plan *plan);

#endif
