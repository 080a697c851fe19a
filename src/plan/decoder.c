/* From scores back to labels, with the proof (docs/proofs/separability.md).
 *
 * N * score = sum over rows of term(label) + e, where |e| is at most the noise plus the curator's own rounding. With
 * term(k) = term(base) + (weight(k) - weight(base)) * unit + deviation(k) for every stored row,
 *
 *     sum of weight(label) = (N * score - offset - e - deviations) / unit + sum of weight(base)
 *
 * lies in an interval that is known; the code gives all labellings whose sum lies in it. Just one: if any labelling
 * explains the score, it is that one; and it does explain it, or else the scorer is not what it was said to be. */
#include "plan/decoder.h"

#include <stdlib.h>
#include <string.h>

/* What is kept query by query; 0 where memory ended. */
static int create_queries(ll_decoder *d)
{
    const ll_plan *plan = d->plan;
    size_t queries = (size_t)ll_plan_distinct(plan);
    if (plan->repeats > 1) {
        d->heard = calloc(queries, sizeof *d->heard);
        if (d->heard == NULL)
            return 0;
        d->totals = _arb_vec_init((slong)queries);
    }
    if (plan->code->row->is_soft) {
        d->low = malloc(sizeof *d->low * queries);
        d->high = malloc(sizeof *d->high * queries);
        return d->low != NULL && d->high != NULL;
    }
    if (!ll_code_has_levels(plan->code))
        return 1;
    d->pending = calloc(queries, sizeof *d->pending);
    d->sums = calloc(queries, sizeof *d->sums);
    return d->pending != NULL && d->sums != NULL;
}

ll_status ll_decoder_create(ll_decoder **out, const ll_plan *plan, ll_error *error)
{
    ll_decoder *d = calloc(1, sizeof *d);
    if (d == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a decoder");
    d->plan = plan;
    d->query = -1;
    d->labels = malloc(sizeof *d->labels * (size_t)plan->rows);
    d->candidates = malloc((size_t)plan->rows * (size_t)plan->classes);
    d->answered = calloc((size_t)plan->queries, 1);
    d->complete = calloc((size_t)plan->queries, 1);
    arb_init(d->missing);
    ll_margins_init(&d->tightest);
    if (d->labels == NULL || d->candidates == NULL || d->answered == NULL || d->complete == NULL ||
        !create_queries(d) || ll_account_init(&d->account, plan) != LL_OK) {
        ll_decoder_destroy(d);
        return ll_fail(error, LL_MEMORY, "no memory for %ld labels", plan->rows);
    }
    memset(d->candidates, 1, (size_t)plan->rows * (size_t)plan->classes);
    for (long i = 0; i < plan->rows; i++)
        d->labels[i] = -1;
    *out = d;
    return LL_OK;
}

void ll_decoder_destroy(ll_decoder *d)
{
    if (d == NULL)
        return;
    ll_account_clear(&d->account, d->plan);
    ll_margins_clear(&d->tightest);
    arb_clear(d->missing);
    free(d->labels);
    free(d->candidates);
    if (d->totals != NULL)
        _arb_vec_clear(d->totals, ll_plan_distinct(d->plan));
    free(d->heard);
    free(d->complete);
    free(d->low);
    free(d->high);
    for (long q = 0; q < ll_plan_distinct(d->plan) && d->pending != NULL; q++) { /* zeros are initialised balls */
        arb_clear(d->pending[q].rest);
        arb_clear(d->pending[q].noise);
        arb_clear(d->pending[q].deviation);
        arb_clear(d->pending[q].rounding);
        arb_clear(d->pending[q].base);
    }
    free(d->pending);
    free(d->sums);
    free(d->answered);
    free(d);
}

/* ---- watching ---- */

static ll_status account_block(ll_decoder *d, const ll_block *block, long first, ll_error *error)
{
    const ll_code *code = ll_plan_code(d->plan, d->query);
    if (first != d->next_row)
        d->next_row = first == 0 ? 0 : -1;
    if (d->next_row < 0)
        return LL_OK;
    if (first == 0)
        ll_account_reset(&d->account);
    for (long i = 0; i < block->rows;) {
        ll_status status;
        long rows = 1, row = ll_plan_row(d->plan, d->query, first + i);
        if (row >= 0 && d->plan->writer->account_rows != NULL) {
            rows = code->rows - row < block->rows - i ? code->rows - row : block->rows - i;
            status = d->plan->writer->account_rows(d->plan, code, &d->account, block, i, row, rows, error);
        } else {
            status = d->plan->writer->account(d->plan, code, &d->account, block, i, row, error);
        }
        if (status != LL_OK)
            return status;
        i += rows;
    }
    d->next_row += block->rows;
    return LL_OK;
}

static ll_status watched_get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    ll_decoder *d = self;
    ll_status status = d->stored.get(d->stored.self, out, first, count, error);
    return status == LL_OK ? account_block(d, out, first, error) : status;
}

static void watched_where(void *self, char *text, size_t size, long row)
{
    ll_decoder *d = self;
    d->stored.where(d->stored.self, text, size, row);
}

ll_status ll_decoder_watch(ll_decoder *d, ll_predictions *out, const ll_predictions *stored, long query,
                           ll_error *error)
{
    const ll_plan *plan = d->plan;
    if (query < 0 || query >= plan->queries)
        return ll_fail(error, LL_DOMAIN, "there is no query %ld: the plan has %ld", query, plan->queries);
    if (stored->rows != plan->rows || stored->columns != plan->columns || stored->entries != plan->entries)
        return ll_fail(error, LL_DOMAIN, "query %ld: stored predictions are %ld x %ld, the plan's %ld x %ld", query,
                       stored->rows, stored->columns, plan->rows, plan->columns);
    d->stored = *stored;
    d->query = query;
    d->next_row = 0;
    *out = *stored;
    out->self = d;
    out->get = watched_get;
    out->where = stored->where != NULL ? watched_where : NULL;
    return LL_OK;
}

/* Read what nobody asked for. */
static ll_status account_all(ll_decoder *d, ll_error *error)
{
    enum { ROWS = 16 };
    ll_block block;
    ll_block_init(&block);
    ll_status status = LL_OK;
    d->next_row = 0;
    for (long first = 0; first < d->plan->rows && status == LL_OK; first += ROWS) {
        long count = d->plan->rows - first < ROWS ? d->plan->rows - first : ROWS;
        status = watched_get(d, &block, first, count, error);
    }
    ll_block_clear(&block);
    return status;
}

/* ---- one score ---- */

/* offset, and low .. high as one ball `deviation` */
static void close_account(const ll_plan *plan, ll_account *account, arb_t offset, arb_t deviation)
{
    arb_t logs;
    arb_init(logs);
    if (plan->writer->close != NULL)
        plan->writer->close(plan, account);
    ll_product_log(logs, account->product, plan->prec);
    arb_sub(offset, account->offset, logs, plan->prec);
    arb_union(deviation, account->low, account->high, plan->prec);
    arb_clear(logs);
}

static void store_labels(ll_decoder *d, const ll_decoded *decoded)
{
    const ll_plan *plan = d->plan;
    long first = ll_plan_block(plan, d->query) * plan->block, rows = ll_plan_code(plan, d->query)->rows;
    memcpy(d->labels + first, decoded->labels, sizeof *d->labels * (size_t)rows);
    memcpy(d->candidates + first * plan->classes, decoded->candidates, (size_t)rows * (size_t)plan->classes);
}

static void reading_init(ll_reading *r)
{
    arb_init(r->score);
    arb_init(r->noise);
    arb_init(r->offset);
    arb_init(r->deviation);
    arb_init(r->rounding);
}

static void reading_clear(ll_reading *r)
{
    arb_clear(r->score);
    arb_clear(r->noise);
    arb_clear(r->offset);
    arb_clear(r->deviation);
    arb_clear(r->rounding);
}

static ll_status decode_reading(ll_decoder *d, const ll_reading *reading, ll_decoded *decoded, ll_error *error)
{
    if (d->low != NULL) {
        decoded->count = -1;
        return ll_decoder_keep_interval(d, reading);
    }
    if (d->pending == NULL) {
        ll_status status = ll_decoder_init_decoded(d, decoded, error);
        return status == LL_OK ? ll_decoder_decode_sum(d, reading, decoded, error) : status;
    }
    ll_status status = ll_decoder_keep_sum(d, reading);
    return status == LL_OK ? ll_decoder_decode_block(d, decoded, error) : status;
}

/* released: the interval of the score with its noise. One that no number can have is explained by no labelling. */
static ll_status decode_score(ll_decoder *d, const arb_t released, ll_decoded *decoded, ll_error *error)
{
    ll_reading r;
    reading_init(&r);
    close_account(d->plan, &d->account, r.offset, r.deviation);
    ll_plan_sum_rounding(d->plan, &d->account, r.rounding);
    ll_status status = ll_plan_read_sum(d->plan, r.score, r.noise, released);
    if (status == LL_OK) {
        status = decode_reading(d, &r, decoded, error);
    } else {
        d->is_none = 1;
        arb_indeterminate(d->missing);
        decoded->count = -1;
        status = LL_OK;
    }
    reading_clear(&r);
    return status;
}

/* Add a score to those of its query; 1 where it was the last of the repeats, and *score is their mean. */
static int is_last_repeat(ll_decoder *d, arb_t score)
{
    const ll_plan *plan = d->plan;
    long query = d->query / plan->repeats;
    if (d->heard == NULL)
        return 1;
    arb_add(d->totals + query, d->totals + query, score, plan->prec + 64);
    if (++d->heard[query] < plan->repeats)
        return 0;
    arb_div_si(score, d->totals + query, plan->repeats, plan->prec + 64);
    return 1;
}

/* All scores of the watched query are there. */
static ll_status decode_query(ll_decoder *d, const arb_t score, ll_error *error)
{
    const ll_plan *plan = d->plan;
    ll_decoded decoded = {.count = -1};
    ll_status status = decode_score(d, score, &decoded, error);
    if (status == LL_OK) {
        if (decoded.count >= 0)
            store_labels(d, &decoded);
        d->is_none = d->is_none || decoded.count == 0;
        d->complete[d->query / plan->repeats] = 1;
    }
    ll_decoded_clear(&decoded);
    return status;
}

ll_status ll_decoder_score(ll_decoder *d, const char *text, ll_error *error)
{
    const ll_plan *plan = d->plan;
    long query = d->query;
    if (query < 0 || d->answered[query])
        return ll_fail(error, LL_DOMAIN, "a score without predictions: watch a query first");
    arb_t score;
    arb_init(score);
    ll_status status =
        ll_release_read(&plan->scorer->release, score, text, &d->texts, LL_STATED_AND_OWN, plan->prec + 64, error);
    if (status == LL_OK && d->next_row != plan->rows)
        status = account_all(d, error);
    if (status == LL_OK && is_last_repeat(d, score))
        status = decode_query(d, score, error);
    if (status == LL_OK) {
        ll_release_note(&plan->scorer->release, &d->texts, text);
        d->answered[query] = 1;
        d->scores++;
        d->query = -1;
    }
    arb_clear(score);
    return status;
}

int ll_decoder_is_none(const ll_decoder *d)
{
    return d->is_none;
}
