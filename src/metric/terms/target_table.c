/* Rows of the table of metrics: numeric targets on a grid (the setting targets). */
#include "metric/terms/terms.h"

static int is_share(const ll_exact *q)
{
    static const ll_exact one = {{1}, {0}, {0}};
    return ll_exact_sgn(q) > 0 && ll_exact_cmp(q, &one) < 0;
}

static int is_bend(const ll_exact *d)
{
    static const ll_exact most = {{1}, {300}, {0}}, least = {{1}, {-300}, {0}};
    return ll_exact_cmp(d, &least) >= 0 && ll_exact_cmp(d, &most) <= 0;
}

#define TARGET(n, text, about)                                                                                         \
    .info = {.name = (n),                                                                                              \
             .input = "number",                                                                                        \
             .when_one = (text),                                                                                       \
             .when_zero = (text),                                                                                      \
             .weight = "s(y_k, x) - s(y_0, x)",                                                                        \
             .reach = "as the targets allow",                                                                          \
             .classes = "2 or more",                                                                                   \
             .summary = (about),                                                                                       \
             .link = "mean"},                                                                                          \
    .family = &ll_family_terms, .input = LL_INPUT_NUMBER, .form = LL_FORM_TARGET

const ll_metric_row_kind ll_metric_target_rows[] = {
    {
        TARGET("mse", "(y - x)^2", "mean squared error of a number y of the grid targets (its root: rmse)"),
        .own = &(const ll_term_kind){.term = ll_metric_term_squared,
                                     .is_square = 1,
                                     .is_rough = 1,
                                     .is_unlimited = 1,
                                     .invert = ll_metric_invert_squares},
    },
    {
        TARGET("mae", "|y - x|", "mean absolute error of a number y of the grid targets"),
        .own = &(const ll_term_kind){.term = ll_metric_term_absolute, .is_lines = 1, .invert = ll_metric_invert_lines},
    },
    {
        TARGET("mape", "|y - x| / max(|y|, 2^-52)", "mean absolute error in shares of the target"),
        .own = &(const ll_term_kind){.term = ll_metric_term_relative, .is_unlimited = 1, .from_zero = 1},
    },
    {
        TARGET("smape", "2 |y - x| / (|y| + |x|), 0 where both are 0",
               "mean absolute error in shares of the mean size of target and prediction, from 0 to 2"),
        .own = &(const ll_term_kind){.term = ll_metric_term_symmetric, .most = 2, .from_zero = 1},
    },
    {
        TARGET("msle", "(log1p(y) - log1p(x))^2", "mean squared error of logarithms, x >= 0 (its root: rmsle)"),
        .own =
            &(const ll_term_kind){
                .term = ll_metric_term_log, .is_unlimited = 1, .needs_positive = 1, .from_zero = 1, .is_rough = 1},
    },
    {
        TARGET("quantile:Q", "Q (y - x) for x < y, (1 - Q) (x - y) above", "pinball loss of the quantile Q, 0 < Q < 1"),
        .parameter = {LL_PARAMETER_NUMBER, is_share, "a number between 0 and 1"},
        .own = &(const ll_term_kind){.term = ll_metric_term_quantile},
    },
    {
        TARGET("huber:D", "d^2/2 up to d = |y - x| = D, D (d - D/2) beyond", "Huber's loss, linear beyond D"),
        .parameter = {LL_PARAMETER_NUMBER, is_bend, "a number above 0"},
        .own = &(const ll_term_kind){.term = ll_metric_term_huber, .is_lines = 1, .invert = ll_metric_invert_lines},
    },
};

const long ll_metric_target_row_count = sizeof ll_metric_target_rows / sizeof ll_metric_target_rows[0];

void ll_metric_get_lines(const ll_metric *metric, arb_t slope, arb_t margin, slong prec)
{
    arb_one(slope);
    arb_zero(margin);
    if (metric->row->parameter.takes == LL_PARAMETER_NUMBER) { /* Huber's */
        ll_exact_get_ball(slope, &metric->parameter, prec);
        arb_set(margin, slope);
    }
}

/* ---- predictions of a wanted weight, s(y_1, x) - s(y_0, x) ---- */

/* (y_1 - x)^2 - (y_0 - x)^2 = (y_1 - y_0) (y_0 + y_1 - 2 x). */
ll_status ll_metric_invert_squares(const ll_metric *metric, arb_t x, arb_t mirror, const arb_t w, slong prec)
{
    arb_t low, high;
    arb_init(low);
    arb_init(high);
    ll_metric_target_ball(metric, low, 0, prec);
    ll_metric_target_ball(metric, high, 1, prec);
    arb_sub(mirror, high, low, prec);
    arb_div(mirror, w, mirror, prec);
    arb_add(x, low, high, prec);
    arb_sub(x, x, mirror, prec);
    arb_mul_2exp_si(x, x, -1);
    arb_neg(mirror, x);
    arb_clear(low);
    arb_clear(high);
    return LL_OK;
}

/* Below all targets where the weight is positive, above them where it is negative. */
ll_status ll_metric_invert_lines(const ll_metric *metric, arb_t x, arb_t mirror, const arb_t w, slong prec)
{
    int below = arb_is_positive(w);
    if (!below && !arb_is_negative(w))
        return LL_DOMAIN;
    ll_metric_get_lines(metric, x, mirror, prec);
    ll_metric_target_ball(metric, x, below ? 0 : metric->grid.count - 1, prec);
    if (below)
        arb_sub(x, x, mirror, prec);
    else
        arb_add(x, x, mirror, prec);
    arb_neg(mirror, x);
    return LL_OK;
}
