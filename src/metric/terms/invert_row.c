/* A row of predictions from a row of weights, for the losses that have a form with K columns. */
#include "metric/terms/terms.h"

/* Bits of a weight before the point, beyond which ll_metric_exp gives up. */
#define LARGEST (1L << 24)

/* exp(w_m - w_k) / sum over j of exp(w_m - w_j), w_m the least: every term is at most about 1, one is 1. */
static ll_status softmax_row(arb_ptr row, arb_srcptr w, long n, slong prec)
{
    slong wp = prec + 20 + FLINT_BIT_COUNT(n);
    long m = 0;
    int finite = 1;
    arb_t sum;
    arb_init(sum);
    for (long k = 1; k < n; k++)
        if (arf_cmp(arb_midref(w + k), arb_midref(w + m)) < 0)
            m = k;
    for (long k = 0; k < n; k++) {
        /* The difference to 2^-wp, since its absolute error is the relative error of the entry. */
        arb_sub(row + k, w + m, w + k,
                wp + 1 + ll_metric_magnitude(w + m, LARGEST) + ll_metric_magnitude(w + k, LARGEST));
        ll_metric_exp(row + k, row + k, wp);
        arb_add(sum, sum, row + k, wp);
    }
    for (long k = 0; k < n; k++) {
        arb_div(row + k, row + k, sum, prec);
        finite &= arb_is_finite(row + k);
    }
    arb_clear(sum);
    return finite ? LL_OK : LL_UNABLE;
}

/* s(k) - s(0) = 2(x_0 - x_k) and the row sums to 1: x_0 = (1 + sum w/2)/K, x_k = x_0 - w_k/2. */
static ll_status brier_row(arb_ptr row, arb_srcptr w, long n, slong prec)
{
    slong wp = prec + 20 + FLINT_BIT_COUNT(n);
    int inside = 1;
    arb_t base, half;
    arb_init(base);
    arb_init(half);
    for (long k = 0; k < n; k++) {
        arb_sub(half, w + k, w, wp);
        arb_add(base, base, half, wp);
    }
    arb_mul_2exp_si(base, base, -1);
    arb_add_ui(base, base, 1, wp);
    arb_div_si(base, base, n, wp);
    for (long k = 0; k < n; k++) {
        arb_sub(half, w + k, w, wp);
        arb_mul_2exp_si(half, half, -1);
        arb_sub(row + k, base, half, prec);
        inside &= !arb_is_negative(row + k);
    }
    arb_clear(base);
    arb_clear(half);
    return inside ? LL_OK : LL_DOMAIN;
}

ll_status ll_metric_invert_row(const ll_metric *metric, arb_ptr row, arb_srcptr w, long classes, slong prec)
{
    ll_status status = LL_OK;
    arb_ptr out;
    for (long k = 0; k < classes; k++)
        if (!arb_is_finite(w + k))
            status = LL_DOMAIN;
    if (classes < 2 || status != LL_OK)
        return LL_DOMAIN;
    out = _arb_vec_init(classes);
    if (metric->row->form == LL_FORM_COORDINATE)
        status = softmax_row(out, w, classes, prec);
    else if (metric->row->form == LL_FORM_SOFTMAX)
        _arb_vec_neg(out, w, classes);
    else if (metric->row->form == LL_FORM_BRIER)
        status = brier_row(out, w, classes, prec);
    else
        status = LL_DOMAIN;
    if (status == LL_OK)
        for (long k = 0; k < classes; k++)
            arb_swap(row + k, out + k);
    _arb_vec_clear(out, classes);
    return status;
}
