/* powers: label 1 of row j adds 2^j, label 0 adds nothing (thm:linear_separable, docs/proofs/powers.md).
 *
 * The paper's weights 2^i N tau (1 + delta), i = 1..N, are these with unit 2 N tau (1 + delta).
 * Variant `inverse`: the loss inverts each weight. Variant `closed`: the closed form of cor:IS for Itakura-Saito,
 * theta_i = 1 / (1 + 3^(2^i N tau)): its weights are G(u_i) = 2 sinh u_i - u_i at u_i = 2^i N tau ln 3, which
 * are no powers of two, but superincreasing with gap 2 N tau ln 3 (docs/proofs/powers.md). */
#include "code/greedy.h"
#include "code/positional.h"
#include "code/rows.h"
#include "number/ball_bits.h"

static int is_closed(const ll_code *code)
{
    return ll_code_is_variant(code, "closed");
}

/* 2^(row+1) * N tau * ln 3 */
static void closed_argument(const ll_code *code, arb_t out, long row, slong prec)
{
    arb_t step;
    arb_init(step);
    ll_exact_get_ball(step, &code->step, prec + 8);
    arb_log_ui(out, 3, prec + 8);
    arb_mul(out, out, step, prec);
    arb_clear(step);
    arb_mul_2exp_si(out, out, row + 1);
}

static void closed_weight(const ll_code *code, arb_t out, long row, slong prec)
{
    arb_t u;
    arb_init(u);
    closed_argument(code, u, row, 64);
    slong size = ll_ball_bits(u); /* sinh loses what u's size is above 1, 2 sinh u - u what is below */
    slong more = prec + 16 + (size > 0 ? size : -2 * size);
    closed_argument(code, u, row, more);
    arb_sinh(out, u, more);
    arb_mul_2exp_si(out, out, 1);
    arb_sub(out, out, u, prec + 4);
    arb_clear(u);
}

static ll_status create(ll_code *code, ll_error *error)
{
    if (!is_closed(code))
        return LL_OK;
    if (ll_exact_sgn(&code->step) <= 0)
        return ll_fail(error, LL_DOMAIN, "the closed form of Itakura-Saito needs noise above 0; use powers:inverse");
    arb_t u;
    arb_init(u);
    closed_argument(code, u, code->rows - 1, 64);
    int fits = arf_cmpabs_2exp_si(arb_midref(u), 30) < 0;
    arb_clear(u);
    if (!fits)
        return ll_fail(error, LL_UNABLE,
                       "the closed form of Itakura-Saito has weights of 3^(2^%ld N tau): over 2^30 bits; use "
                       "powers:inverse, or smaller blocks",
                       code->rows);
    return LL_OK;
}

static void weight(const ll_code *code, arb_t out, long row, long label, slong prec)
{
    if (label == 0) {
        arb_zero(out);
    } else if (is_closed(code)) {
        closed_weight(code, out, row, prec);
    } else {
        arb_one(out);
        arb_mul_2exp_si(out, out, row);
    }
}

static void get_gap(const ll_code *code, arb_t out, slong prec)
{
    arb_one(out);
    if (is_closed(code))
        closed_argument(code, out, 0, prec);
}

static void get_span(const ll_code *code, arb_t out, slong prec)
{
    if (!is_closed(code)) {
        ll_positional_span(code, out);
        return;
    }
    /* superincreasing: all the others together weigh less than the heaviest */
    closed_weight(code, out, code->rows - 1, prec);
    arb_mul_2exp_si(out, out, 1);
}

static ll_status decode_closed(const ll_code *code, ll_decoded *out, const arb_t sum, ll_error *error)
{
    arb_ptr weights = _arb_vec_init(code->rows * 2);
    arb_t span, gap;
    arb_init(span);
    arb_init(gap);
    get_span(code, span, 64);
    get_gap(code, gap, 64);
    arb_div(gap, span, gap, 64);
    slong prec = ll_ball_bits(gap) + 96;
    for (long row = 0; row < code->rows; row++)
        closed_weight(code, weights + 2 * row + 1, row, prec);
    ll_status status = ll_greedy_decode(out, weights, code->rows, 2, sum, 64, prec, error);
    arb_clear(span);
    arb_clear(gap);
    _arb_vec_clear(weights, code->rows * 2);
    return status;
}

static ll_status decode(const ll_code *code, ll_decoded *out, const arb_t sum, ll_error *error)
{
    if (is_closed(code))
        return decode_closed(code, out, sum, error);
    return ll_positional_decode(code, out, sum, error);
}

const ll_code_row ll_code_powers = {
    .info = {.name = "powers",
             .variants = "inverse closed",
             .result = "Theorem 1, Corollary 1",
             .guarantee = "proved",
             .weights = "2^j for label 1, j = 0..N-1 (closed: 2 sinh u - u, u = 2^(j+1) N tau ln 3)",
             .gap = "1 (closed: 2 N tau ln 3)",
             .bits = "N (closed: 2^N N tau log2 3)",
             .cost = "linear: the digits of one integer",
             .classes = "2"},
    .binary_only = 1,
    .digits = {LL_DIGITS_PLAIN, 1},
    .create = create,
    .weight = weight,
    .get_gap = get_gap,
    .get_span = get_span,
    .decode = decode,
};
