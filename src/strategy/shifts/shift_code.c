/* shifts: query 0 keeps every row at the low end of the grid; each later one moves the next `levels` rows beyond its
 * high end (docs/proofs/shifts.md). The weights follow from the metric: find_shifts.c says where the rows lie. */
#include "strategy/shifts/shifts.h"

static ll_status create(ll_code *code, ll_error *error)
{
    (void)error;
    code->levels = code->levels < 1 ? 1 : code->levels;
    code->queries = 1 + (code->rows + (long)code->levels - 1) / (long)code->levels;
    return LL_OK;
}

static void get_span(const ll_code *code, arb_t out, slong prec)
{
    arb_set_si(out, code->classes);
    arb_pow_ui(out, out, (ulong)code->levels, prec);
}

static long labels_in(const ll_code *code, long queries)
{
    double read = (double)(queries - 1) * (double)code->levels;
    return read < (double)code->rows ? (long)read : code->rows;
}

const ll_code_row ll_code_shifts = {
    .info = {.name = "shifts",
             .variants = "several " LL_SHIFTS_EACH,
             .result = "",
             .guarantee = "proved",
             .weights = "what the metric's terms make of a row beyond the grid: the next rows of a query, each farther",
             .gap = "more than what two scores leave open",
             .bits = "log2 K a row",
             .cost = "some log2 K terms a row",
             .classes = "2 or more numbers of a grid, any number of them"},
    .create = create,
    .get_span = get_span,
    .labels_in = labels_in,
};
