/* Plans whose state is a code that is cut into blocks: which query asks about which rows, and how rows are written. */
#include "number/ball_bits.h"
#include "plan/strategy.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- geometry ---- */

const ll_code *ll_plan_code(const ll_plan *plan, long query)
{
    return plan->state->views + query / plan->bounds.repeats;
}

long ll_plan_block(const ll_plan *plan, long query)
{
    long block = query / plan->bounds.repeats / plan->state->code->queries, last = (plan->rows - 1) / plan->block;
    return block < last ? block : last;
}

long ll_plan_first_query(const ll_plan *plan, long block)
{
    return block * plan->state->code->queries;
}

long ll_plan_row(const ll_plan *plan, long query, long row)
{
    long first = ll_plan_block(plan, query) * plan->block;
    return row >= first && row < first + ll_plan_code(plan, query)->rows ? row - first : -1;
}

long ll_blocks_rows_within(const ll_plan *plan, long queries)
{
    const ll_code *code = plan->state->code;
    if (queries == plan->queries)
        return plan->block < plan->rows ? plan->rows : ll_code_labels_in(code, code->queries);
    long distinct = queries / plan->bounds.repeats, rows = distinct / code->queries * plan->block;
    return rows >= plan->rows ? plan->rows : rows + ll_code_labels_in(code, distinct % code->queries);
}

/* ---- the plan as a whole ---- */

ll_status ll_blocks_finish(ll_plan *plan, ll_error *error)
{
    const ll_writer *writer = plan->state->writer;
    ll_code_prepare(plan->state->code, plan->prec);
    if (plan->state->last_code != NULL)
        ll_code_prepare(plan->state->last_code, plan->prec);
    return writer->finish != NULL ? writer->finish(plan, error) : LL_OK;
}

void ll_blocks_forget(ll_plan *plan)
{
    ll_plan_drop_code(plan);
    ll_code_destroy(plan->state->last_code);
    arb_clear(plan->state->noise);
    arb_clear(plan->state->unit);
    free(plan->state->views);
}

/* Bits of one score. */
static double score_bits(const ll_plan *plan)
{
    arb_t span, gap;
    arb_init(span);
    arb_init(gap);
    ll_code_span(plan->state->code, span, 64);
    ll_code_gap(plan->state->code, gap, 64);
    arb_div(span, span, gap, 64);
    slong bits = ll_ball_bits(span);
    arb_clear(span);
    arb_clear(gap);
    return (double)bits;
}

void ll_blocks_describe(const ll_plan *plan, ll_plan_info *info)
{
    arf_t unit;
    fmpz_t exponent;
    arf_init(unit);
    fmpz_init(exponent);
    arb_get_abs_ubound_arf(unit, plan->state->unit, 53);
    arf_frexp(unit, exponent, unit);
    info->writer = plan->state->writer->name;
    info->score_bits = score_bits(plan);
    info->unit_bits = log2(arf_get_d(unit, ARF_RND_NEAR)) + fmpz_get_d(exponent);
    fmpz_clear(exponent);
    arf_clear(unit);
}

void ll_blocks_words(const ll_plan *plan, ll_words *words)
{
    const ll_writer *writer = plan->state->writer;
    ll_words_add_text(words, "code", plan->name);
    ll_words_add_text(words, "writer", writer->name);
    ll_words_add_number(words, "block", plan->block);
    ll_words_add_number(words, "columns", plan->columns);
    ll_words_add_number(words, "bits", writer->get_bits != NULL ? writer->get_bits(plan) : 0);
    if (plan->candidate->averages) {
        char seed[32];
        (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)plan->scorer->seed);
        ll_words_add_text(words, "seed", seed);
        ll_words_add_number(words, "queries", plan->queries);
    }
    if (plan->state->code->counted > 0)
        ll_words_add_number(words, "counted", plan->state->code->counted);
    if (plan->bounds.repeats > 1)
        ll_words_add_number(words, "repeats", plan->bounds.repeats);
    char *unit = arf_dump_str(arb_midref(plan->state->unit));
    ll_words_add_text(words, "unit", unit);
    flint_free(unit);
}

/* ---- rows: written when they are asked for ---- */

ll_status ll_plan_write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    const ll_writer *w = plan->state->writer;
    assert(w->write != NULL || w->write_rows != NULL);
    return w->write != NULL ? w->write(plan, code, to, row, error) : w->write_rows(plan, code, to, row, 1, error);
}

static ll_status get_rows(const ll_plan *plan, long query, char *entry, long first, long count, ll_error *error)
{
    const ll_code *code = ll_plan_code(plan, query);
    const size_t size = plan->entries == LL_ENTRIES_EXACT ? sizeof(ll_exact) : sizeof(double);
    for (long i = 0; i < count;) {
        ll_status status;
        long rows = 1, row = ll_plan_row(plan, query, first + i);
        if (row >= 0 && plan->state->writer->write_rows != NULL) {
            rows = code->rows - row < count - i ? code->rows - row : count - i;
            status = plan->state->writer->write_rows(plan, code, entry, row, rows, error);
        } else {
            status = ll_plan_write_row(plan, code, entry, row, error);
        }
        if (status != LL_OK)
            return status;
        i += rows;
        entry += size * (size_t)(rows * plan->columns);
    }
    return LL_OK;
}

ll_status ll_blocks_get(const ll_plan *plan, long query, ll_block *out, long first, long count, ll_error *error)
{
    void *entries = ll_plan_reserve(plan, out, count);
    if (entries == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows of predictions", count);
    return get_rows(plan, query, entries, first, count, error);
}
