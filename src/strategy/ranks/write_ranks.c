/* An order of the rows as predictions: place / 2^b, so that all lie in 0 .. 1, are exact in fp32 and short as text. Of
 * K classes the column of the one asked about has the same in 0 .. 2^-17, the others 1 / (K - 1) everywhere: a row sums
 * to 1 within 2^-17 and a few roundings, and scikit-learn allows 10^-5. */
#include "metric/view.h"
#include "strategy/common/writers.h"
#include "strategy/ranks/ranks.h"

#include <math.h>

enum { PREC = 192 };

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    (void)error;
    plan->columns = ll_computation_columns(plan->scoring.how, plan->classes);
    plan->entries = LL_ENTRIES_DOUBLE;
    plan->prec = PREC;
    arb_one(plan->state->unit);
    return LL_OK;
}

/* Predictions depend on the least step, which known counts change. */
static long get_bits(const ll_plan *plan)
{
    return (long)plan->state->levels;
}

/* One over the least power of two that is above every place of the query; over 2^17 more where there are columns. */
static double scale(const ll_plan *plan, const ll_code *code)
{
    int bits = 0;
    while (1L << bits < ll_ranks_query(code, code->query)->ties)
        bits++;
    return ldexp(1, plan->columns > 1 ? -bits - 17 : -bits);
}

static double get_entry(const ll_plan *plan, const ll_code *code, long row, long column)
{
    long label;
    (void)ll_ranks_own(code, code->query, &label);
    if (plan->columns > 1 && column != label)
        return 1 / (double)(plan->columns - 1);
    return ll_ranks_places(code, code->query)[row] * scale(plan, code);
}

const ll_writer ll_writer_ranks = {
    .name = "ranks",
    .prepare = prepare,
    .get_bits = get_bits,
    LL_WRITES_PLANNED(get_entry),
};
