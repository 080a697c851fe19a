/* From scores back to labels, with the proof (docs/proofs/separability.md).
 *
 * N * score = sum over rows of term(label) + e, where |e| is at most the noise plus the curator's own rounding. With
 * term(k) = term(base) + (weight(k) - weight(base)) * unit + deviation(k) for every stored row,
 *
 *     sum of weight(label) = (N * score - offset - e - deviations) / unit + sum of weight(base)
 *
 * lies in an interval that is known; the code gives all labellings whose sum lies in it. Just one: if any labelling
 * explains the score, it is that one; and it does explain it, or else the scorer is not what it was said to be. */
#include "code/positional.h"
#include "plan/decode_soft.h"
#include "plan/labels.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    arb_t gap, noise, rounding, residual; /* of N * score */
} margins;

/* A query of a level code whose block is not complete: what is known of its sum. */
typedef struct {
    arb_t rest, deviation, rounding;
} pending;

struct ll_decoder {
    const ll_plan *plan;
    int32_t *labels;
    unsigned char *candidates;
    unsigned char *answered; /* one a query */
    long scores;             /* how many were read */
    int is_none;
    arb_t missing; /* LL_NONE: extra noise (of N * score) that would explain it; indeterminate where unknown */
    margins tightest;
    int has_margins;
    pending *pending;        /* [query] of a plan with a level code, else NULL */
    ll_sum_range *sums;      /* [query] of the same: what its sum may be */
    double *low, *high;      /* [query] of a plan with a soft code: where the sum of its signs must lie; else NULL */
    unsigned char *complete; /* [distinct query]: all its repeats are answered */
    long *heard;             /* [distinct query]: how many are; NULL without repeats */
    arb_ptr totals;          /* [distinct query]: of their scores; NULL without repeats */
    ll_account account;      /* of the watched query */
    ll_predictions stored;
    long query;    /* watched, or -1 */
    long next_row; /* of it, in order; -1 where the order was broken */
};

static void margins_init(margins *m)
{
    arb_init(m->gap);
    arb_init(m->noise);
    arb_init(m->rounding);
    arb_init(m->residual);
}

static void margins_clear(margins *m)
{
    arb_clear(m->gap);
    arb_clear(m->noise);
    arb_clear(m->rounding);
    arb_clear(m->residual);
}

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
    margins_init(&d->tightest);
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
    margins_clear(&d->tightest);
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
        arb_clear(d->pending[q].deviation);
        arb_clear(d->pending[q].rounding);
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

/* A float that is released with all its digits: the text reads back as the number, and is not the number. Noise makes a
 * double of a native score (docs/proofs/score-interval.md). */
static void read_back(const ll_plan *plan, arb_t out, const ll_exact *text)
{
    const ll_resolved *r = &plan->scoring.resolved;
    int is_double = r->kind == LL_KIND_NATIVE && plan->scoring.scorer.noise != LL_NOISE_NONE;
    ll_format format = is_double ? (ll_format){11, 52} : r->total.format;
    if (r->kind != LL_KIND_EXACT && plan->scoring.scorer.rounding == LL_ROUND_NONE &&
        ll_format_nearest(&format, arb_midref(out), text))
        mag_zero(arb_radref(out));
}

/* N * score with its transform undone, as a point as far as the text goes. */
static ll_status read_score(const ll_plan *plan, arb_t out, const char *text, ll_error *error)
{
    ll_exact score;
    ll_exact_init(&score);
    ll_status status = ll_exact_set_text(&score, text, strlen(text));
    if (status == LL_OK && (fmpz_bits(score.two) > 40 || fmpz_bits(score.five) > 40))
        status = LL_DOMAIN;
    if (status != LL_OK) {
        ll_exact_clear(&score);
        return ll_fail(error, LL_DOMAIN, "the score '%.40s' is not a finite decimal number", text);
    }
    ll_exact_get_ball(out, &score, plan->prec + 64);
    read_back(plan, out, &score);
    ll_exact_clear(&score);
    if (plan->scoring.scorer.transform == LL_NEGATE)
        arb_neg(out, out);
    if (plan->scoring.scorer.transform == LL_PERCENT)
        arb_div_ui(out, out, 100, plan->prec + 64);
    if (ll_plan_takes_labels(plan))
        ll_labels_count(plan, out);
    else
        arb_mul_si(out, out, plan->rows, plan->prec + 64);
    return LL_OK;
}

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

/* widen `ball` by the upper bound of `by` */
static void widen(arb_t ball, const arb_t by)
{
    arb_t most;
    arb_init(most);
    arb_get_abs_ubound_arf(arb_midref(most), by, 64);
    arb_add_error(ball, most);
    arb_clear(most);
}

/* The sum of the code's weights that the score allows: rest = N * score - offset, an interval. The middle is divided at
 * full precision and the half width apart, so that rounding widens it by parts in 2^29 only. */
static ll_status allowed_sum(const ll_plan *plan, const ll_code *code, arb_t out, const arb_t rest,
                             const arb_t deviation, const arb_t rounding)
{
    arb_t base, blur;
    arb_init(base);
    arb_init(blur);
    arb_sub(out, rest, deviation, plan->prec);
    arb_get_rad_arb(blur, out);
    mag_zero(arb_radref(out));
    arb_add(blur, blur, plan->noise, 64);
    arb_add(blur, blur, rounding, 64);
    arb_div(blur, blur, plan->unit, 64);
    arb_div(out, out, plan->unit, plan->prec);
    widen(out, blur);
    ll_status status = ll_code_sum_label(code, base, plan->base, plan->prec);
    arb_add(out, out, base, plan->prec);
    arb_clear(base);
    arb_clear(blur);
    return status;
}

/* residual = |rest - (sum of weights - that of the base) * unit - deviation| */
static ll_status residual_of(const ll_plan *plan, const ll_code *code, arb_t out, const arb_t rest,
                             const arb_t deviation, const arb_t weights)
{
    arb_t sum;
    arb_init(sum);
    ll_status status = ll_code_sum_label(code, sum, plan->base, plan->prec);
    arb_sub(sum, weights, sum, plan->prec);
    arb_mul(sum, sum, plan->unit, plan->prec);
    arb_sub(out, rest, sum, plan->prec);
    arb_sub(out, out, deviation, plan->prec);
    arb_abs(out, out);
    arb_clear(sum);
    return status;
}

/* Keep the query that leaves the least of its gap. */
static void keep_margins(ll_decoder *d, const ll_code *code, const arb_t rounding, const arb_t deviation,
                         const arb_t residual)
{
    const ll_plan *plan = d->plan;
    margins m;
    margins_init(&m);
    ll_code_gap(code, m.gap, 64);
    arb_mul(m.gap, m.gap, plan->unit, 64);
    arb_set(m.noise, plan->noise);
    arb_get_rad_arb(m.rounding, deviation);
    arb_add(m.rounding, m.rounding, rounding, 64);
    arb_set_round(m.residual, residual, 64);
    if (!d->has_margins || arf_cmp(arb_midref(m.residual), arb_midref(d->tightest.residual)) > 0) {
        margins swap = d->tightest;
        d->tightest = m;
        m = swap;
        d->has_margins = 1;
    }
    margins_clear(&m);
}

static void store_labels(ll_decoder *d, const ll_decoded *decoded)
{
    const ll_plan *plan = d->plan;
    long first = ll_plan_block(plan, d->query) * plan->block, rows = ll_plan_code(plan, d->query)->rows;
    memcpy(d->labels + first, decoded->labels, sizeof *d->labels * (size_t)rows);
    memcpy(d->candidates + first * plan->classes, decoded->candidates, (size_t)rows * (size_t)plan->classes);
}

/* Does the only labelling that may fit really fit? Its residual must not be surely larger than what is allowed. */
static int explains(const ll_plan *plan, const arb_t residual, const arb_t rounding)
{
    arb_t allowed;
    arb_init(allowed);
    arb_add(allowed, plan->noise, rounding, 64);
    int fits = !arb_gt(residual, allowed);
    arb_clear(allowed);
    return fits;
}

/* The least extra noise (of N * score) with which some labelling would explain it, to about one part in a hundred: the
 * interval is widened until one fits, then halved back. Indeterminate where even the whole span does not do. */
static void least_extra(const ll_plan *plan, const ll_code *code, arb_t out, const arb_t sum, ll_decoded *scratch)
{
    arb_t wide, extra, step, span;
    arb_init(wide);
    arb_init(extra);
    arb_init(step);
    arb_init(span);
    ll_code_gap(code, step, 64);
    arb_mul_2exp_si(step, step, -8);
    ll_code_span(code, span, 64);
    arb_mul_2exp_si(span, span, 4);
    int found = 0;
    for (int halving = 0; halving < 8;) {
        arb_add(extra, extra, step, 64);
        arb_set(wide, sum);
        arb_add_error(wide, extra);
        found = ll_code_decode(code, scratch, wide, NULL) == LL_OK && scratch->count > 0;
        if (!found && halving == 0 && arb_gt(extra, span))
            break;
        if (found) {
            arb_sub(extra, extra, step, 64);
            halving++;
        }
        arb_mul_2exp_si(step, step, found || halving > 0 ? -1 : 1);
    }
    arb_add(extra, extra, step, 64);
    arb_mul(out, extra, plan->unit, 64);
    if (!arb_is_finite(out) || arb_gt(extra, span))
        arb_indeterminate(out);
    arb_clear(wide);
    arb_clear(extra);
    arb_clear(step);
    arb_clear(span);
}

static ll_status init_decoded(const ll_decoder *d, ll_decoded *out, ll_error *error)
{
    if (ll_decoded_init(out, ll_plan_code(d->plan, d->query)->rows, d->plan->classes) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for a block's labels");
    return LL_OK;
}

static ll_status decode_sum(ll_decoder *d, const arb_t score, const arb_t offset, const arb_t deviation,
                            const arb_t rounding, ll_decoded *decoded, ll_error *error)
{
    const ll_plan *plan = d->plan;
    const ll_code *code = ll_plan_code(plan, d->query);
    arb_t rest, sum, residual;
    arb_init(rest);
    arb_init(sum);
    arb_init(residual);
    arb_sub(rest, score, offset, plan->prec);
    ll_status status = allowed_sum(plan, code, sum, rest, deviation, rounding);
    if (status == LL_OK)
        status = ll_code_decode(code, decoded, sum, error);
    if (status == LL_OK && decoded->count == 1) {
        ll_code_sum_labelling(code, sum, decoded->labels, plan->prec);
        status = residual_of(plan, code, residual, rest, deviation, sum);
    }
    if (status == LL_MEMORY)
        (void)ll_fail(error, status, "no memory for %ld labels", code->rows);
    if (status == LL_OK && decoded->count == 1 && explains(plan, residual, rounding)) {
        keep_margins(d, code, rounding, deviation, residual);
    } else if (status == LL_OK && decoded->count == 1) {
        arb_sub(d->missing, residual, plan->noise, 64);
        ll_decoded_set_none(decoded, code->rows, plan->classes);
    } else if (status == LL_OK && decoded->count == 0) {
        least_extra(plan, code, d->missing, sum, decoded);
        ll_decoded_set_none(decoded, code->rows, plan->classes);
    }
    arb_clear(rest);
    arb_clear(sum);
    arb_clear(residual);
    return status;
}

/* ---- level codes: a query gives an integer, a block's integers give its labels ---- */

static ll_status keep_sum(ll_decoder *d, const arb_t score, const arb_t offset, const arb_t deviation,
                          const arb_t rounding)
{
    const ll_plan *plan = d->plan;
    pending *p = &d->pending[d->query / plan->repeats];
    arb_t sum;
    fmpz_t low, high;
    arb_init(sum);
    fmpz_init(low);
    fmpz_init(high);
    arb_sub(p->rest, score, offset, plan->prec);
    arb_set(p->deviation, deviation);
    arb_set(p->rounding, rounding);
    ll_status status = allowed_sum(plan, ll_plan_code(plan, d->query), sum, p->rest, deviation, rounding);
    if (status == LL_OK && ll_code_integers(low, high, sum) == LL_OK) {
        ll_sum_range *range = &d->sums[d->query / plan->repeats];
        fmpz_sub(high, high, low);
        range->count = fmpz_sgn(high) < 0 || !fmpz_fits_si(low) ? 0
                       : fmpz_cmp_si(high, 2) < 0               ? (int)fmpz_get_si(high) + 1
                                                                : 3;
        range->low = range->count > 0 ? fmpz_get_si(low) : 0;
    }
    arb_clear(sum);
    fmpz_clear(low);
    fmpz_clear(high);
    return status;
}

/* Are all queries of the block answered (this one is now)? *worst: 0 where no sum fits some query, else the most sums
 * that fit one. */
static int is_complete(const ll_decoder *d, long first, long queries, int *worst)
{
    *worst = 1;
    for (long q = first + queries - 1; q >= first; q--) { /* in this order the first that lacks is found at once */
        int count = d->sums[q].count;
        if (!d->complete[q] && q != d->query / d->plan->repeats)
            return 0;
        if (count == 0 || (count > *worst && *worst != 0))
            *worst = count;
    }
    return 1;
}

/* The labels must explain every score of the block. Where just one sum fitted a query, it is the labels' own. */
static ll_status check_residuals(ll_decoder *d, long first, long queries, ll_decoded *decoded)
{
    const ll_plan *plan = d->plan;
    arb_t residual, sum;
    arb_init(residual);
    arb_init(sum);
    ll_status status = LL_OK;
    for (long q = first; q < first + queries && status == LL_OK && decoded->count == 1; q++) {
        pending *p = &d->pending[q];
        const ll_code *code = ll_plan_code(plan, q * plan->repeats);
        if (d->sums[q].count == 1)
            arb_set_si(sum, d->sums[q].low);
        else
            ll_code_sum_labelling(code, sum, decoded->labels, plan->prec);
        status = residual_of(plan, code, residual, p->rest, p->deviation, sum);
        if (status != LL_OK)
            break;
        if (explains(plan, residual, p->rounding))
            keep_margins(d, code, p->rounding, p->deviation, residual);
        else {
            arb_sub(d->missing, residual, plan->noise, 64);
            ll_decoded_set_none(decoded, code->rows, plan->classes);
        }
    }
    arb_clear(residual);
    arb_clear(sum);
    return status;
}

/* Every sum is known. */
static ll_status decode_sums(const ll_code *code, ll_decoded *decoded, const ll_sum_range *ranges, long queries,
                             ll_error *error)
{
    int64_t *sums = malloc(sizeof *sums * (size_t)queries);
    if (sums == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld sums", queries);
    for (long q = 0; q < queries; q++)
        sums[q] = ranges[q].low;
    ll_status status = ll_code_decode_levels(code, decoded, sums, error);
    free(sums);
    return status;
}

/* decoded->count is -1 while the block is not complete. */
static ll_status decode_block(ll_decoder *d, ll_decoded *decoded, ll_error *error)
{
    const ll_code *code = ll_plan_code(d->plan, d->query);
    long first = ll_plan_first_query(d->plan, ll_plan_block(d->plan, d->query)), queries = code->queries;
    int worst;
    ll_status status = LL_OK;
    decoded->count = -1;
    if (!is_complete(d, first, queries, &worst))
        return LL_OK;
    if (init_decoded(d, decoded, error) != LL_OK)
        return LL_MEMORY;
    if (worst == 0)
        ll_decoded_set_none(decoded, code->rows, code->classes);
    else if (worst == 1)
        status = decode_sums(code, decoded, d->sums + first, queries, error);
    else if (ll_code_parity(code) >= 0)
        status =
            ll_parity_decode(ll_plan_code(d->plan, first * d->plan->repeats), decoded, d->sums + first, queries, error);
    else
        ll_decoded_set_open(decoded, code->rows, code->classes);
    if (status == LL_OK && decoded->count != 1)
        arb_indeterminate(d->missing);
    return status == LL_OK && decoded->count == 1 ? check_residuals(d, first, queries, decoded) : status;
}

/* ---- soft codes: a query gives an interval, all intervals together give labels ---- */

/* Digits that are cut off leave a score half a grid further from 0 than it reads, give or take half a grid; nobody
 * knows on which side where it reads 0. */
static void undo_cut(const ll_plan *plan, arb_t rest, const arb_t score)
{
    arb_t half;
    arb_init(half);
    arb_set(half, plan->noise);
    if (plan->scoring.scorer.noise == LL_NOISE_BOUNDED) {
        ll_exact_get_ball(half, &plan->scoring.resolved.noise, 128);
        arb_mul_si(half, half, -plan->rows, 128);
        if (plan->scoring.scorer.transform == LL_PERCENT)
            arb_div_ui(half, half, 100, 128);
        arb_add(half, half, plan->noise, 128);
    }
    if (arb_is_zero(score))
        arb_add_error(rest, half);
    else if (arb_is_positive(score))
        arb_add(rest, rest, half, plan->prec);
    else
        arb_sub(rest, rest, half, plan->prec);
    arb_clear(half);
}

static ll_status keep_interval(ll_decoder *d, const arb_t score, const arb_t offset, const arb_t deviation,
                               const arb_t rounding)
{
    const ll_plan *plan = d->plan;
    arb_t sum, half;
    arf_t end;
    arb_init(sum);
    arb_init(half);
    arf_init(end);
    arb_sub(sum, score, offset, plan->prec);
    if (plan->scoring.scorer.rounding == LL_ROUND_DECIMALS && plan->scoring.scorer.truncate)
        undo_cut(plan, sum, score);
    ll_status status = allowed_sum(plan, ll_plan_code(plan, d->query), sum, sum, deviation, rounding);
    arb_set_si(half, plan->rows);
    arb_mul_2exp_si(half, half, -1);
    arb_sub(sum, sum, half, plan->prec);
    arb_get_lbound_arf(end, sum, 53);
    d->low[d->query / plan->repeats] = arf_get_d(end, ARF_RND_FLOOR);
    arb_get_ubound_arf(end, sum, 53);
    d->high[d->query / plan->repeats] = arf_get_d(end, ARF_RND_CEIL);
    arb_clear(sum);
    arb_clear(half);
    arf_clear(end);
    return status;
}

static ll_status decode_score(ll_decoder *d, const arb_t score, ll_decoded *decoded, ll_error *error)
{
    arb_t offset, deviation, rounding;
    arb_init(offset);
    arb_init(deviation);
    arb_init(rounding);
    close_account(d->plan, &d->account, offset, deviation);
    ll_plan_rounding(d->plan, &d->account, rounding);
    ll_status status = LL_OK;
    if (d->low != NULL) {
        status = keep_interval(d, score, offset, deviation, rounding);
        decoded->count = -1;
    } else if (d->pending == NULL) {
        status = init_decoded(d, decoded, error);
        if (status == LL_OK)
            status = decode_sum(d, score, offset, deviation, rounding, decoded, error);
    } else {
        status = keep_sum(d, score, offset, deviation, rounding);
        if (status == LL_OK)
            status = decode_block(d, decoded, error);
    }
    arb_clear(offset);
    arb_clear(deviation);
    arb_clear(rounding);
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
    ll_status status = read_score(plan, score, text, error);
    if (status == LL_OK && d->next_row != plan->rows)
        status = account_all(d, error);
    if (status == LL_OK && is_last_repeat(d, score))
        status = decode_query(d, score, error);
    if (status == LL_OK) {
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

/* ---- verdict ---- */

void ll_verdict_init(ll_verdict *verdict)
{
    memset(verdict, 0, sizeof *verdict);
}

void ll_verdict_clear(ll_verdict *verdict)
{
    if (verdict == NULL)
        return;
    free(verdict->labels);
    free(verdict->candidates);
    free(verdict->shares);
    free(verdict->gap);
    free(verdict->noise);
    free(verdict->rounding);
    free(verdict->residual);
    free(verdict->explains);
    ll_verdict_init(verdict);
}

/* x / N as text of a few digits: what it is in units of the score */
static char *score_text(const ll_plan *plan, const arb_t x)
{
    arb_t scaled;
    arb_init(scaled);
    arb_div_si(scaled, x, plan->rows, 64);
    if (ll_plan_takes_labels(plan)) {
        ll_labels_unit(plan, scaled);
        arb_mul(scaled, scaled, x, 64);
    }
    if (plan->scoring.scorer.transform == LL_PERCENT)
        arb_mul_ui(scaled, scaled, 100, 64);
    mag_zero(arb_radref(scaled));
    char *text = arb_get_str(scaled, 6, ARB_STR_NO_RADIUS);
    char *copy = text != NULL ? strdup(text) : NULL;
    flint_free(text);
    arb_clear(scaled);
    return copy;
}

static int set_texts(const ll_decoder *d, ll_verdict *out)
{
    if (d->is_none && arb_is_finite(d->missing) && !(out->explains = score_text(d->plan, d->missing)))
        return 0;
    if (!d->has_margins)
        return 1;
    out->gap = score_text(d->plan, d->tightest.gap);
    out->noise = score_text(d->plan, d->tightest.noise);
    out->rounding = score_text(d->plan, d->tightest.rounding);
    out->residual = score_text(d->plan, d->tightest.residual);
    return out->gap != NULL && out->noise != NULL && out->rounding != NULL && out->residual != NULL;
}

/* Bounds that hold with a probability prove nothing: what would be certain is only likely. */
static ll_status set_likely(const ll_plan *plan, ll_verdict *v)
{
    if (plan->guarantee != LL_LIKELY || v->kind == LL_NONE)
        return LL_OK;
    v->guarantee = LL_LIKELY;
    v->probability = 1 - plan->failure;
    v->certain = 0;
    v->shares = malloc(sizeof *v->shares * (size_t)v->rows * (size_t)v->classes);
    if (v->shares == NULL)
        return LL_MEMORY;
    for (long i = 0; i < v->rows; i++)
        for (long k = 0; k < v->classes; k++) {
            double open = 1 / (double)v->classes, other = plan->failure / (double)(v->classes - 1);
            v->shares[i * v->classes + k] = v->labels[i] < 0 ? open : v->labels[i] == k ? v->probability : other;
        }
    return LL_OK;
}

ll_status ll_decoder_verdict(const ll_decoder *d, ll_verdict *out, ll_error *error)
{
    const ll_plan *plan = d->plan;
    ll_verdict v;
    ll_verdict_init(&v);
    v.rows = plan->rows;
    v.classes = plan->classes;
    v.queries = d->scores;
    v.labels = malloc(sizeof *v.labels * (size_t)plan->rows);
    v.candidates = malloc((size_t)plan->rows * (size_t)plan->classes);
    if (v.labels == NULL || v.candidates == NULL || !set_texts(d, &v)) {
        ll_verdict_clear(&v);
        return ll_fail(error, LL_MEMORY, "no memory for a verdict");
    }
    memcpy(v.labels, d->labels, sizeof *v.labels * (size_t)plan->rows);
    memcpy(v.candidates, d->candidates, (size_t)plan->rows * (size_t)plan->classes);
    for (long i = 0; i < plan->rows; i++) {
        if (d->is_none)
            v.labels[i] = -1;
        v.certain += v.labels[i] >= 0;
    }
    v.guarantee = LL_CERTIFIED;
    v.probability = 1;
    v.kind = d->is_none ? LL_NONE : v.certain == plan->rows ? LL_UNIQUE : LL_AMBIGUOUS;
    if ((d->low != NULL ? ll_plan_soft_verdict(plan, &v, d->low, d->high, d->complete) : set_likely(plan, &v)) !=
        LL_OK) {
        ll_verdict_clear(&v);
        return ll_fail(error, LL_MEMORY, "no memory for a verdict");
    }
    ll_verdict_clear(out);
    *out = v;
    return LL_OK;
}
