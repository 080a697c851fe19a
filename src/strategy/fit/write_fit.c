/* Numeric targets of which all rows together make the number: predictions by their places, in half steps of the grid,
 * each of them a double. */
#include "strategy/common/writers.h"
#include "strategy/fit/fit.h"

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    (void)error;
    plan->entries = LL_ENTRIES_DOUBLE;
    return LL_OK;
}

static double number_of(const ll_plan *plan, const ll_code *code, long row)
{
    return ll_plan_fit_number(plan, ll_plan_fit_place(plan, code, row));
}

static ll_status write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    (void)error;
    *(double *)to = number_of(plan, code, row);
    return LL_OK;
}

static ll_status measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error, const ll_block *block,
                         long index, long row, ll_error *error)
{
    (void)stored_error;
    return block->doubles[index] == number_of(plan, code, row)
               ? LL_OK
               : ll_fail(error, LL_DOMAIN, "a stored prediction is not the one that was planned");
}

static long get_bits(const ll_plan *plan)
{
    return (long)plan->state->levels;
}

const ll_writer ll_writer_fit = {
    .name = "fit",
    .prepare = prepare,
    .get_bits = get_bits,
    .write = write_row,
    .measure = measure,
};
