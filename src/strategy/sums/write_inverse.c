/* Exact arithmetic, any loss and any code: the loss inverts the weights of a row (two classes: in one column), and the
 * answer is rounded to a number of bits. What the rounding costs is a deviation, found from the stored number.
 *
 * Bits. An x with relative error 2^-b is off in weight by |x w'(x)| 2^-b. For log-loss |x w'| = 1/(1-x) <= 2; for the
 * others at most about their heaviest weight (Itakura-Saito: 1/x) or a constant. With b above
 * log2(that / (gap unit)) + log2 N + 40 the deviations of all rows together stay below 2^-36 of the gap. Where weights
 * are negative, x is next to 1, and of a loss like the focal one 1 - x falls exponentially with the weight: as many more
 * bits as the heaviest row has zeros in 1 - x.
 *
 * Log-loss in one column: x = 1/(1 + 2^t), t = w / ln 2. Under noise t is some ten thousand bits long, of which x keeps
 * the integer as its exponent and a few dozen bits of the fraction: the state has unit / ln 2, so that a row costs one
 * long multiplication to write and one (exponent times ln 2) to account for. */
#include "number/ball_bits.h"
#include "strategy/common/writers.h"
#include "strategy/sums/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ZEROS (1L << 19)

typedef struct {
    long bits;         /* of a written mantissa */
    ll_exact *neutral; /* the row of weight 0 */
    int has_twos;
    arb_t twos; /* unit / ln 2, where that is the way to x */
} state;

static int suits(const ll_plan *plan)
{
    int has_form = ll_metric_takes_classes(plan->scoring.how->metric, plan->classes);
    return plan->scoring.how->kind == LL_KIND_EXACT && has_form && plan->scoring.how->clip_mode == LL_CLIP_NONE &&
           !plan->state->code->row->fixed_unit && !ll_plan_is_foreign_closed(plan) && !ll_plan_takes_labels(plan);
}

/* min(needed or 1, what the loss reaches); LL_DOMAIN where it does not reach what the noise needs. */
static ll_status choose_unit(ll_plan *plan, const arb_t heaviest, ll_error *error)
{
    arb_t low, high, most;
    arb_init(low);
    arb_init(high);
    arb_init(most);
    ll_plan_needed_unit(plan, plan->state->unit);
    if (ll_code_has_fixed_unit(plan->state->code))
        arb_one(plan->state->unit);
    ll_status status = ll_metric_reach(plan->scoring.how->metric, low, high, NULL, 64);
    if (status == LL_OK && arb_is_finite(high)) {
        arb_div(most, high, heaviest, 64);
        arb_mul_ui(most, most, 1023, 64);
        arb_mul_2exp_si(most, most, -10);
        if (!arb_lt(plan->state->unit, most))
            status = LL_DOMAIN;
        else if (!ll_code_has_fixed_unit(plan->state->code))
            arb_set(plan->state->unit, most);
    } else if (status == LL_OK) {
        arb_one(most);
        if (arb_lt(plan->state->unit, most))
            arb_one(plan->state->unit);
    }
    if (status != LL_OK)
        (void)ll_plan_fail_reach(plan, heaviest, high, error);
    arb_clear(low);
    arb_clear(high);
    arb_clear(most);
    return status;
}

/* unit as a number of 32 bits, rounded up where it may be */
static void shorten_unit(ll_plan *plan)
{
    arf_t unit;
    arf_init(unit);
    arb_get_lbound_arf(unit, plan->state->unit, 64);
    arf_set_round(unit, unit, 32, ARF_RND_DOWN);
    arb_set_arf(plan->state->unit, unit);
    arf_clear(unit);
}

static slong log2_ceil(const arb_t x)
{
    return ll_ball_bits(x) + 1;
}

/* 1/(1 + 2^t), exactly 1/2 for t = 0. */
static void sigmoid_twos(arb_t x, const arb_t t, slong prec)
{
    arb_t ln2;
    arf_t floor;
    fmpz_t n;
    arb_init(ln2);
    arf_init(floor);
    fmpz_init(n);
    arf_floor(floor, arb_midref(t));
    arf_get_fmpz(n, floor, ARF_RND_DOWN);
    arb_sub_fmpz(x, t, n, prec + 8);
    arb_const_log2(ln2, prec + 8);
    arb_mul(x, x, ln2, prec + 8);
    arb_exp(x, x, prec + 8);
    arb_mul_2exp_fmpz(x, x, n);
    arb_add_ui(x, x, 1, prec + 8);
    arb_inv(x, x, prec);
    arb_clear(ln2);
    arf_clear(floor);
    fmpz_clear(n);
}

/* The column's x, from the difference of the code's weights, which is spoilt. */
static ll_status invert_column(const ll_plan *plan, arb_t x, arb_t w)
{
    const state *s = plan->state->data;
    arb_mul(w, w, s->has_twos ? s->twos : plan->state->unit, plan->prec);
    if (!s->has_twos)
        return ll_metric_invert(plan->scoring.how->metric, x, NULL, w, s->bits + 16);
    sigmoid_twos(x, w, s->bits + 16);
    return LL_OK;
}

static ll_status fail_heavy(const ll_plan *plan, ll_error *error)
{
    return ll_fail(error, LL_DOMAIN,
                   "%ld rows a query of the code %s: a weight of them is too large for %s; use smaller blocks",
                   plan->block, plan->name, ll_plan_metric_name(plan));
}

/* Entries from the code's weights w[0..classes-1], which are spoilt. */
static ll_status invert(const ll_plan *plan, ll_exact *out, arb_ptr w, ll_error *error)
{
    const state *s = plan->state->data;
    arb_ptr x = _arb_vec_init(plan->columns);
    ll_status status;
    if (plan->columns > 1) {
        for (long k = 0; k < plan->classes; k++)
            arb_mul(w + k, w + k, plan->state->unit, plan->prec);
        status = ll_metric_invert_row(plan->scoring.how->metric, x, w, plan->classes, s->bits + 16);
    } else {
        arb_sub(w + 1, w + 1, w, plan->prec);
        status = invert_column(plan, x, w + 1);
    }
    for (long c = 0; c < plan->columns && status == LL_OK; c++) {
        arf_set_round(arb_midref(x + c), arb_midref(x + c), s->bits, ARF_RND_NEAR);
        status = ll_exact_set_arf(out + c, arb_midref(x + c));
    }
    _arb_vec_clear(x, plan->columns);
    return status == LL_UNABLE || status == LL_DOMAIN ? fail_heavy(plan, error) : status;
}

static ll_status write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    const state *s = plan->state->data;
    ll_exact *entry = to;
    if (row < 0) {
        for (long c = 0; c < plan->columns; c++)
            ll_exact_set(entry + c, s->neutral + c);
        return LL_OK;
    }
    arb_ptr w = _arb_vec_init(plan->classes);
    ll_code_weights(code, w, row, plan->prec);
    ll_status status = invert(plan, entry, w, error);
    _arb_vec_clear(w, plan->classes);
    return status;
}

/* The zeros of 1 - x after the point, for the heaviest row's x in one column. */
static ll_status count_zeros_below_one(const ll_plan *plan, slong *zeros)
{
    arb_ptr w = _arb_vec_init(plan->classes);
    arb_t x, mirror;
    arb_init(x);
    arb_init(mirror);
    ll_code_weights(plan->state->code, w, plan->block - 1, plan->prec);
    arb_sub(w + 1, w + 1, w, plan->prec);
    arb_mul(w + 1, w + 1, plan->state->unit, plan->prec);
    ll_status status = ll_metric_invert(plan->scoring.how->metric, x, mirror, w + 1, 64);
    if (status == LL_OK && arb_is_positive(mirror) && arf_cmpabs_2exp_si(arb_midref(mirror), -1) < 0)
        *zeros = arf_cmpabs_2exp_si(arb_midref(mirror), -MOST_ZEROS) < 0 ? MOST_ZEROS : -ll_ball_bits(mirror);
    arb_clear(x);
    arb_clear(mirror);
    _arb_vec_clear(w, plan->classes);
    return status == LL_UNABLE || *zeros == MOST_ZEROS ? LL_DOMAIN : status;
}

/* The row of weight 0. A loss that cannot reach the heaviest row's weights says so here too; log-loss in one column
 * reaches all, and the heaviest row is not worked out: a plan that is only compared would pay for every row of it. */
static ll_status find_neutral(const ll_plan *plan, state *s, ll_error *error)
{
    arb_ptr w = _arb_vec_init(plan->classes);
    ll_status status = LL_OK;
    if (!s->has_twos)
        status = write_row(plan, plan->state->code, s->neutral, plan->block - 1, error);
    if (status == LL_OK)
        status = invert(plan, s->neutral, w, error);
    _arb_vec_clear(w, plan->classes);
    return status;
}

static void clear(ll_plan *plan)
{
    state *s = plan->state->data;
    if (s == NULL)
        return;
    for (long c = 0; c < plan->columns && s->neutral != NULL; c++)
        ll_exact_clear(s->neutral + c);
    free(s->neutral);
    arb_clear(s->twos);
    free(s);
    plan->state->data = NULL;
}

static void set_twos(const ll_plan *plan, state *s)
{
    s->has_twos = plan->columns == 1 && ll_metric_is_log(plan->scoring.how->metric);
    if (s->has_twos) {
        arb_const_log2(s->twos, plan->prec + 16);
        arb_div(s->twos, plan->state->unit, s->twos, plan->prec + 16);
    }
}

static ll_status create_state(ll_plan *plan, state **out, ll_error *error)
{
    state *s = *out = plan->state->data = calloc(1, sizeof *s); /* zeros are initialised numbers */
    if (s != NULL)
        s->neutral = calloc((size_t)plan->columns, sizeof *s->neutral);
    return s != NULL && s->neutral != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a row");
}

static ll_status add_zeros(ll_plan *plan, state *s, ll_error *error)
{
    slong zeros = 0;
    ll_status status = plan->columns == 1 && !s->has_twos ? count_zeros_below_one(plan, &zeros) : LL_OK;
    s->bits += zeros;
    plan->prec += zeros;
    return status == LL_DOMAIN ? fail_heavy(plan, error) : status;
}

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    state *s = NULL;
    arb_t heaviest, gap;
    arb_init(heaviest);
    arb_init(gap);
    ll_plan_heaviest(plan, heaviest);
    plan->columns = plan->classes > 2 || plan->scoring.how->columns == LL_COLUMNS_ALL ? plan->classes : 1;
    ll_status status = create_state(plan, &s, error);
    if (status == LL_OK)
        status = choose_unit(plan, heaviest, error);
    if (status == LL_OK) {
        shorten_unit(plan);
        ll_code_gap(plan->state->code, gap, 64);
        arb_mul(gap, gap, plan->state->unit, 64);
        arb_mul(heaviest, heaviest, plan->state->unit, 64);
        slong rows = FLINT_BIT_COUNT(plan->rows), fine = -log2_ceil(gap) + 2, coarse = log2_ceil(heaviest);
        slong condition = ll_metric_is_log(plan->scoring.how->metric) ? 2 : coarse > 8 ? coarse + 8 : 16;
        s->bits = rows + 40 + (condition + fine > 0 ? condition + fine : 0);
        plan->prec = rows + 64 + (coarse > 0 ? coarse : 0) + (fine > 0 ? fine : 0);
        set_twos(plan, s);
        status = add_zeros(plan, s, error);
    }
    if (status == LL_OK)
        status = find_neutral(plan, s, error);
    /* A row of several entries that sum to 1 may reach less than one entry alone: a smaller unit, while the noise
     * allows. */
    ll_plan_needed_unit(plan, gap);
    while (status == LL_DOMAIN && plan->columns > 1 && !ll_code_has_fixed_unit(plan->state->code)) {
        arb_mul_ui(plan->state->unit, plan->state->unit, 3, 64);
        arb_mul_2exp_si(plan->state->unit, plan->state->unit, -2);
        shorten_unit(plan);
        if (!arb_gt(plan->state->unit, gap))
            break;
        status = find_neutral(plan, s, error);
    }
    arb_clear(heaviest);
    arb_clear(gap);
    return status;
}

/* term(1) of one column: -ln x, or term(0) + weight, which needs no formula of the loss. */
static ll_status measure_column(const ll_plan *plan, arb_t out, const arb_t zero, const ll_exact *x)
{
    if (((const state *)plan->state->data)->has_twos) {
        ll_exact_get_log(out, x, plan->prec);
        arb_neg(out, out);
        return arb_is_finite(out) ? LL_OK : LL_DOMAIN;
    }
    ll_status status = ll_metric_weight_exact(plan->scoring.how->metric, out, x, plan->prec);
    arb_add(out, out, zero, plan->prec);
    return status;
}

/* One column: term(0) and term(1), each to plan->prec bits. Else every term by itself. */
static ll_status measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error, const ll_block *block,
                         long index, long row, ll_error *error)
{
    const ll_exact *entry = block->exacts + index * plan->columns;
    const ll_metric *metric = plan->scoring.how->metric;
    ll_value *values = stored_error->values, *term = values + plan->columns;
    ll_arithmetic balls;
    ll_arithmetic_set_ball(&balls, plan->prec);
    for (long c = 0; c < plan->columns; c++)
        ll_exact_get_ball(values[c].ball, entry + c, plan->prec);
    ll_status status = LL_OK;
    for (long k = 0; k < (plan->columns > 1 ? plan->classes : 1) && status == LL_OK; k++) {
        status = ll_metric_score(metric, &balls, term, values, plan->columns, k);
        arb_set(stored_error->terms + k, term->ball);
    }
    if (status == LL_OK && plan->columns == 1)
        status = measure_column(plan, stored_error->terms + 1, stored_error->terms, entry);
    if (status != LL_OK)
        return ll_fail(error, LL_DOMAIN, "a stored prediction has no finite score for some label");
    ll_stored_error_add_terms(plan, code, stored_error, row);
    return LL_OK;
}

static long get_bits(const ll_plan *plan)
{
    return ((const state *)plan->state->data)->bits;
}

/* An inverse, a weight and a score a row: some multiplications of that size. */
static double get_seconds(const ll_plan *plan)
{
    double bits = (double)plan->prec;
    double each = ll_metric_is_log(plan->scoring.how->metric) ? 1e-9 : 1e-8;
    return (double)plan->queries * (double)plan->block * (2e-5 + bits * log2(bits + 2) * each);
}

const ll_writer ll_writer_inverse = {
    .name = "inverse of the weight",
    .suits = suits,
    .prepare = prepare,
    .clear = clear,
    .get_bits = get_bits,
    .get_seconds = get_seconds,
    .write = write_row,
    .measure = measure,
};
