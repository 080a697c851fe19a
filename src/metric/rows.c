/* Rows of predictions: asked for block by block, checked entry by entry, and named in messages. */
#include "metric/scoring.h"
#include "number/text_number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* A block of floats stays in the cache; a block of exact numbers, whose exponents may have 30,000 bytes each, is cut
 * by what the last one weighed. */
#define FLOATS_A_BLOCK (1L << 15)
#define BYTES_A_BLOCK (1L << 21)

static long bytes_of(const fmpz_t x)
{
    return (long)sizeof(fmpz) + (COEFF_IS_MPZ(*x) ? 16 + (long)fmpz_size(x) * (long)sizeof(ulong) : 0);
}

static long first_count(const ll_predictions *predictions)
{
    long count = predictions->entries == LL_ENTRIES_EXACT ? 8 : FLOATS_A_BLOCK / predictions->columns;
    return count < 1 ? 1 : count;
}

static long next_count(const ll_block *block, long count)
{
    long bytes = 1, entries = block->rows * block->columns;
    if (block->entries != LL_ENTRIES_EXACT)
        return count;
    for (long i = 0; i < entries; ++i)
        bytes += bytes_of(block->exacts[i].mantissa) + bytes_of(block->exacts[i].two) + bytes_of(block->exacts[i].five);
    long fit = (long)((double)BYTES_A_BLOCK * (double)block->rows / (double)bytes);
    if (fit > 2 * count)
        fit = 2 * count;
    return fit < 1 ? 1 : fit;
}

static ll_status check_block(const ll_predictions *predictions, const ll_block *block, long count, ll_error *error)
{
    if (block->rows != count || block->columns != predictions->columns || block->entries != predictions->entries)
        return ll_fail(error, LL_DOMAIN, "the source of predictions gave a block of another shape than asked for");
    return LL_OK;
}

void ll_rows_slice(ll_block *out, const ll_block *block, long first, long count)
{
    long at = first * block->columns;
    out->rows = count;
    out->columns = block->columns;
    out->entries = block->entries;
    out->doubles = block->doubles != NULL ? block->doubles + at : NULL;
    out->floats = block->floats != NULL ? block->floats + at : NULL;
    out->exacts = block->exacts != NULL ? block->exacts + at : NULL;
}

ll_status ll_rows_each(const ll_predictions *predictions, ll_rows_visit visit, void *state, ll_error *error)
{
    ll_block block;
    ll_status status = LL_OK;
    long count = first_count(predictions);
    ll_block_init(&block);
    for (long first = 0; first < predictions->rows && status == LL_OK; first += count) {
        if (first)
            count = next_count(&block, count);
        if (count > predictions->rows - first)
            count = predictions->rows - first;
        status = predictions->get(predictions->self, &block, first, count, error);
        if (status == LL_OK)
            status = check_block(predictions, &block, count, error);
        if (status == LL_OK)
            status = visit(state, &block, first, error);
    }
    ll_block_clear(&block);
    return status;
}

ll_status ll_rows_fail(const ll_predictions *predictions, long row, ll_error *error, ll_status status,
                       const char *format, ...)
{
    char where[200], text[260];
    va_list arguments;
    va_start(arguments, format);
    (void)ll_print_list(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)snprintf(where, sizeof where, "row %ld", row);
    if (predictions->where)
        predictions->where(predictions->self, where, sizeof where, row);
    return ll_fail(error, status, "%s: %s", where, text);
}

const ll_exact *ll_rows_exact(ll_exact *scratch, const ll_block *block, long index)
{
    if (block->entries == LL_ENTRIES_EXACT)
        return &block->exacts[index];
    double x = block->entries == LL_ENTRIES_DOUBLE ? block->doubles[index] : (double)block->floats[index];
    if (!isfinite(x))
        return NULL;
    ll_exact_set_d(scratch, x);
    return scratch;
}

/* Below 2^-(2^38) at once, by the lengths alone: m < 2^(2^32), 5^five < 2^(3*2^32), 2^two <= 2^-(2^39). */
static int is_tiny(const ll_exact *x)
{
    return fmpz_sgn(x->two) < 0 && fmpz_bits(x->two) > 39 && fmpz_bits(x->five) <= 32 &&
           fmpz_size(x->mantissa) < (slong)1 << 26;
}

static ll_status fail_entry(const ll_predictions *predictions, const ll_exact *x, long row, const char *why,
                            const char *hint, ll_error *error)
{
    char *text = ll_exact_get_text(x);
    double near = ll_exact_get_d(x);
    ll_status status;
    if (isfinite(near) && near != 0)
        status = ll_rows_fail(predictions, row, error, LL_DOMAIN, "%.17g %s%s", near, why, hint);
    else
        status = ll_rows_fail(predictions, row, error, LL_DOMAIN, "%.60s %s%s", text ? text : "an entry", why, hint);
    free(text);
    return status;
}

static int is_label(const ll_exact *x, long classes)
{
    double near = ll_exact_get_d(x);
    ll_exact whole;
    if (!(near >= 0 && near < (double)classes) || near != floor(near))
        return 0;
    ll_exact_init(&whole);
    ll_exact_set_si(&whole, (slong)near);
    int same = ll_exact_cmp(&whole, x) == 0;
    ll_exact_clear(&whole);
    return same;
}

ll_status ll_rows_check(const ll_scoring *scoring, const ll_predictions *predictions, const ll_exact *x, long row,
                        ll_error *error)
{
    static const ll_exact one = {{1}, {0}, {0}};
    if (!x)
        return ll_rows_fail(predictions, row, error, LL_DOMAIN, "an entry is not finite");
    const ll_metric *metric = scoring->how->metric;
    if (ll_metric_reads_probabilities(metric) && (ll_exact_sgn(x) < 0 || (!is_tiny(x) && ll_exact_cmp(x, &one) > 0)))
        return fail_entry(predictions, x, row, "is outside [0,1]", ll_rows_look_like(predictions), error);
    if (ll_metric_reads_labels(metric) && !is_label(x, scoring->classes))
        return fail_entry(predictions, x, row, "is not a label", "", error);
    return LL_OK;
}

int ll_rows_must_sum(const ll_scoring *scoring, long columns)
{
    return columns > 1 && scoring->how->clip_mode == LL_CLIP_NONE && ll_metric_is_log(scoring->how->metric);
}

ll_status ll_rows_check_sum(const ll_scoring *scoring, const ll_predictions *predictions, double sum, long row,
                            ll_error *error)
{
    long fraction = scoring->how->kind == LL_KIND_EXACT ? 52 : scoring->how->rows.format.fraction_bits;
    double tolerance = exp2(-(double)(fraction > 52 ? 52 : fraction) / 2);
    if (fabs(sum - 1) <= tolerance)
        return LL_OK;
    return ll_rows_fail(predictions, row, error, LL_DOMAIN, "the row sums to %.9g, not to 1", sum);
}

double ll_rows_sum(const ll_exact *const *row, long columns)
{
    arb_t sum, x;
    arb_init(sum);
    arb_init(x);
    for (long j = 0; j < columns; ++j)
        if (!is_tiny(row[j])) {
            ll_exact_get_ball(x, row[j], 64);
            arb_add(sum, sum, x, 64);
        }
    double result = arf_get_d(arb_midref(sum), ARF_RND_NEAR);
    arb_clear(sum);
    arb_clear(x);
    return result;
}
