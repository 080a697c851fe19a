/* Is the difference of two labellings exactly 0?
 *
 * No number of bits proves that a real number is 0. Here it is decided by what the terms are. First rows that hold the
 * same entries cancel. What is left is written, up to what all labels of a row share, as R + ln Q with rational R and
 * Q > 0:
 *
 *   log-loss        ln(1/q), q the (clipped) probability of the true class; a clamped row: R
 *   logits          -z_k
 *   itakura-saito   1/q + ln q
 *   squared, 0/1    rational
 *   norm:ALPHA      alpha ((1-x)^(alpha-1) - x^(alpha-1)) for label 1, where alpha is an integer; of any other
 *                   alpha the term is still one function of the true class's probability, so that equal ones cancel
 *
 * and R + ln Q = 0 just if R = 0 and Q = 1: otherwise ln Q would be rational, but the logarithm of a rational number
 * other than 1 is transcendental (Lindemann). Any other loss, and numbers too long to write out, leave it open. */
#include "separate/separate_private.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_PRODUCT = 1 << 20, HIGHEST_POWER = 64 };

/* ---- fractions ---- */

static void complement(fmpq_t x)
{
    fmpq_neg(x, x);
    fmpz_add(fmpq_numref(x), fmpq_numref(x), fmpq_denref(x)); /* still in lowest terms */
}

/* ---- one term ---- */

typedef struct {
    const ll_terms *terms;
    fmpq_t sum, product; /* R and Q so far */
    fmpq_t q, part;
    ll_exact scratch;
} work;

static const ll_exact *entry(work *w, long row, long column)
{
    const ll_block *block = &w->terms->block;
    return ll_rows_exact(&w->scratch, block, row * block->columns + column);
}

/* w->q = the probability that the scorer gives to `label`. 0 where it is too long. */
static int find_probability(work *w, long row, long label)
{
    const ll_scoring *scoring = w->terms->scoring;
    ll_clip_mode mode = scoring->how->clip_mode;
    int one_column = w->terms->block.columns == 1;
    const ll_exact *x = entry(w, row, one_column ? 0 : label);
    if (mode == LL_CLIP || mode == LL_CLIP_RENORMALISE || mode == LL_LOG_PLUS)
        x = ll_computation_clip(scoring->how, x);
    if (!ll_exact_get_fmpq(w->q, x))
        return 0;
    if (one_column && label == 0)
        complement(w->q);
    if (!scoring->how->adds_clip && mode != LL_FLOOR)
        return 1;
    if (!ll_exact_get_fmpq(w->part, &scoring->how->low))
        return 0;
    if (scoring->how->adds_clip)
        fmpq_add(w->q, w->q, w->part);
    else if (fmpq_cmp(w->q, w->part) < 0)
        fmpq_set(w->q, w->part);
    return 1;
}

/* Is -ln q above the clamp? */
static ll_truth is_clamped(work *w)
{
    if (fmpq_is_zero(w->q))
        return LL_TRUE;
    arb_t log, bound;
    arb_init(log);
    arb_init(bound);
    arb_set_fmpq(log, w->q, 1024);
    arb_log(log, log, 1024);
    arb_neg(log, log);
    ll_exact_get_ball(bound, &w->terms->scoring->how->low, 1024);
    ll_truth clamped = arb_gt(log, bound) ? LL_TRUE : arb_lt(log, bound) ? LL_FALSE : LL_UNKNOWN;
    arb_clear(log);
    arb_clear(bound);
    return clamped;
}

static void add(work *w, const fmpq_t x, int sign)
{
    if (sign > 0)
        fmpq_add(w->sum, w->sum, x);
    else
        fmpq_sub(w->sum, w->sum, x);
}

static void multiply(work *w, const fmpq_t x, int sign)
{
    if (sign > 0)
        fmpq_mul(w->product, w->product, x);
    else
        fmpq_div(w->product, w->product, x);
}

static int add_log(work *w, long row, long label, int sign)
{
    if (!find_probability(w, row, label))
        return 0;
    if (w->terms->scoring->how->clip_mode == LL_LOG_CLAMP) {
        ll_truth clamped = is_clamped(w);
        if (clamped == LL_UNKNOWN)
            return 0;
        if (clamped == LL_TRUE) {
            if (!ll_exact_get_fmpq(w->part, &w->terms->scoring->how->low))
                return 0;
            add(w, w->part, sign);
            return 1;
        }
    }
    multiply(w, w->q, -sign);
    return 1;
}

static int add_logit(work *w, long row, long label, int sign)
{
    int one_column = w->terms->block.columns == 1;
    if (one_column && label == 0)
        return 1;
    if (!ll_exact_get_fmpq(w->q, entry(w, row, one_column ? 0 : label)))
        return 0;
    add(w, w->q, -sign);
    return 1;
}

/* sum over j of ([j = label] - x_j)^2, or (label - x)^2, less the sum of x_j^2: 1 - 2 x_label. */
static int add_squared(work *w, long row, long label, int sign)
{
    int one_column = w->terms->block.columns == 1;
    if (one_column && label == 0)
        return 1;
    if (!find_probability(w, row, label))
        return 0;
    fmpq_add(w->q, w->q, w->q);
    complement(w->q);
    add(w, w->q, sign);
    return 1;
}

static int add_match(work *w, long row, long label, int sign)
{
    if (!ll_exact_get_fmpq(w->q, entry(w, row, 0)))
        return 0;
    int same = fmpz_is_one(fmpq_denref(w->q)) && fmpz_equal_si(fmpq_numref(w->q), label);
    fmpq_set_si(w->q, ll_metric_counts(w->terms->scoring->how->metric) > 0 ? same : !same, 1);
    add(w, w->q, sign);
    return 1;
}

static int add_itakura_saito(work *w, long row, long label, int sign)
{
    if (!find_probability(w, row, label) || fmpq_is_zero(w->q))
        return 0;
    multiply(w, w->q, sign);
    fmpq_inv(w->q, w->q);
    add(w, w->q, sign);
    return 1;
}

static int add_norm(work *w, long row, long label, int sign)
{
    fmpq_t alpha, power;
    if (label == 0)
        return 1;
    fmpq_init(alpha);
    fmpq_init(power);
    int known = ll_exact_get_fmpq(alpha, ll_metric_parameter(w->terms->scoring->how->metric)) &&
                fmpz_is_one(fmpq_denref(alpha)) && fmpz_cmp_si(fmpq_numref(alpha), HIGHEST_POWER) <= 0 &&
                find_probability(w, row, label);
    if (known) {
        slong less = fmpz_get_si(fmpq_numref(alpha)) - 1;
        fmpq_pow_si(power, w->q, less);
        complement(w->q);
        fmpq_pow_si(w->q, w->q, less);
        fmpq_sub(w->q, w->q, power);
        fmpq_mul(w->q, w->q, alpha);
        add(w, w->q, sign);
    }
    fmpq_clear(alpha);
    fmpq_clear(power);
    return known;
}

static int add_term(work *w, long row, long label, int sign)
{
    const ll_computation *resolved = w->terms->scoring->how;
    if (fmpq_height_bits(w->product) > LONGEST_PRODUCT || fmpq_height_bits(w->sum) > LONGEST_PRODUCT)
        return 0;
    if (ll_metric_is_log(resolved->metric))
        return add_log(w, row, label, sign);
    if (ll_metric_reads_logits(resolved->metric))
        return add_logit(w, row, label, sign);
    if (ll_metric_is_brier(resolved->metric))
        return add_squared(w, row, label, sign);
    if (ll_metric_counts(resolved->metric) != 0)
        return add_match(w, row, label, sign);
    if (ll_metric_has_closed_powers(resolved->metric))
        return add_itakura_saito(w, row, label, sign);
    return ll_metric_is_norm(resolved->metric) && add_norm(w, row, label, sign);
}

/* ---- cancelling row by row ---- */

/* Rows where the labels differ; a row is done where its twin has the labels the other way round. */
typedef struct {
    const ll_terms *terms;
    const int32_t *first, *second;
    long *rows;
    long count;
} open_rows;

static int same_entries(const ll_terms *terms, long i, long j)
{
    const ll_block *block = &terms->block;
    ll_exact x, y;
    int same = 1;
    ll_exact_init(&x);
    ll_exact_init(&y);
    for (long c = 0; c < block->columns && same; c++)
        same = ll_exact_cmp(ll_rows_exact(&x, block, i * block->columns + c),
                            ll_rows_exact(&y, block, j * block->columns + c)) == 0;
    ll_exact_clear(&x);
    ll_exact_clear(&y);
    return same;
}

static int is_twin(const open_rows *o, long i, long j)
{
    return o->first[i] == o->second[j] && o->second[i] == o->first[j] && same_entries(o->terms, i, j);
}

/* Only where a short list is left to be compared pair by pair. */
static void cancel(open_rows *o)
{
    enum { MOST = 256 };
    for (long a = 0; a < o->count && o->count <= MOST; a++)
        for (long b = a + 1; b < o->count; b++)
            if (is_twin(o, o->rows[a], o->rows[b])) {
                o->rows[b] = o->rows[--o->count];
                o->rows[a] = o->rows[--o->count];
                a--;
                break;
            }
}

/* ---- terms that are some function of the true class's probability ---- */

/* Probabilities of the first labelling, then of the second. 0 where one is too long. */
static int find_probabilities(work *w, const open_rows *o, fmpq *out)
{
    for (long n = 0; n < 2 * o->count; n++) {
        long row = o->rows[n % o->count];
        if (!find_probability(w, row, n < o->count ? o->first[row] : o->second[row]))
            return 0;
        fmpq_set(out + n, w->q);
    }
    return 1;
}

static int by_fraction(const void *a, const void *b)
{
    return fmpq_cmp(a, b);
}

/* LL_TRUE where both labellings have the same probabilities in some order. */
static ll_truth same_probabilities(work *w, const open_rows *o)
{
    long count = o->count;
    fmpq *all = calloc(2 * (size_t)count + 1, sizeof *all);
    if (all == NULL)
        return LL_UNKNOWN;
    for (long n = 0; n < 2 * count; n++)
        fmpq_init(all + n);
    int same = find_probabilities(w, o, all);
    if (same) {
        qsort(all, (size_t)count, sizeof *all, by_fraction);
        qsort(all + count, (size_t)count, sizeof *all, by_fraction);
    }
    for (long n = 0; n < count && same; n++)
        same = fmpq_equal(all + n, all + count + n);
    for (long n = 0; n < 2 * count; n++)
        fmpq_clear(all + n);
    free(all);
    return same ? LL_TRUE : LL_UNKNOWN;
}

/* ---- all rows ---- */

static ll_truth decide(work *w, const open_rows *o, const fmpq_t offset)
{
    int is_norm = ll_metric_is_norm(w->terms->scoring->how->metric);
    if (is_norm && offset == NULL && same_probabilities(w, o) == LL_TRUE)
        return LL_TRUE;
    for (long n = 0; n < o->count; n++) {
        long i = o->rows[n];
        if (!add_term(w, i, o->first[i], 1) || !add_term(w, i, o->second[i], -1))
            return LL_UNKNOWN;
    }
    if (offset != NULL)
        fmpq_sub(w->sum, w->sum, offset);
    return fmpq_is_zero(w->sum) && fmpq_is_one(w->product) ? LL_TRUE : LL_FALSE;
}

ll_truth ll_terms_is_zero(const ll_terms *terms, const int32_t *first, const int32_t *second, const fmpq_t offset)
{
    open_rows o = {.terms = terms, .first = first, .second = second};
    o.rows = malloc((size_t)terms->rows * sizeof *o.rows);
    if (o.rows == NULL)
        return LL_UNKNOWN;
    for (long i = 0; i < terms->rows; i++)
        if (first[i] != second[i])
            o.rows[o.count++] = i;
    cancel(&o);
    work w = {.terms = terms};
    fmpq_init(w.sum);
    fmpq_init(w.product);
    fmpq_init(w.q);
    fmpq_init(w.part);
    ll_exact_init(&w.scratch);
    fmpq_one(w.product);
    ll_truth zero = decide(&w, &o, offset);
    fmpq_clear(w.sum);
    fmpq_clear(w.product);
    fmpq_clear(w.q);
    fmpq_clear(w.part);
    ll_exact_clear(&w.scratch);
    free(o.rows);
    return zero;
}
