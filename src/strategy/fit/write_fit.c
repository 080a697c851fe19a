/* Numeric targets of which all rows together make the number: predictions by their places, in half steps of the grid,
 * each of them a double. */
#include "strategy/common/writers.h"
#include "strategy/fit/fit.h"

static double get_entry(const ll_plan *plan, const ll_code *code, long row, long column)
{
    (void)column;
    return ll_plan_fit_number(plan, ll_plan_fit_place(plan, code, row));
}

static long get_bits(const ll_plan *plan)
{
    return (long)plan->state->levels;
}

const ll_writer ll_writer_fit = {
    .name = "fit",
    .prepare = ll_planned_prepare,
    .get_bits = get_bits,
    LL_WRITES_PLANNED(get_entry),
};
