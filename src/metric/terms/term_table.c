/* The losses of the paper and their kin: sums of one term per row, each term an expression of the prediction. */
#include "metric/terms/terms.h"

/* alpha = 10^300000 would be 10^6 bits in every step. */
static int is_norm(const ll_exact *alpha)
{
    ll_exact bound;
    int yes;
    ll_exact_init(&bound);
    ll_exact_set_si(&bound, 2);
    yes = ll_exact_cmp(alpha, &bound) >= 0;
    ll_exact_set_d(&bound, 1e300);
    yes = yes && ll_exact_cmp(alpha, &bound) <= 0;
    ll_exact_clear(&bound);
    return yes;
}

static int above_zero(const ll_exact *p)
{
    return ll_exact_sgn(p) > 0;
}

static int is_focus(const ll_exact *gamma)
{
    ll_exact most;
    ll_exact_init(&most);
    ll_exact_set_si(&most, 100);
    int yes = ll_exact_sgn(gamma) > 0 && ll_exact_cmp(gamma, &most) <= 0;
    ll_exact_clear(&most);
    return yes;
}

/* -ln x, or -ln(1-x) without losing a small x in 1 - x. */
static void score_log(arb_t out, const arb_t x, long label, slong prec)
{
    if (label) {
        arb_log(out, x, prec);
    } else if (arf_cmpabs_2exp_si(arb_midref(x), -2) < 0) {
        arb_neg(out, x);
        arb_log1p(out, out, prec);
    } else {
        ll_metric_complement(out, x, prec);
        arb_log(out, out, prec);
    }
    arb_neg(out, out);
}

/* The softmax loss of the logits 0 and z: max(0, -+z) + log1p(exp(-|z|)). */
static void score_logit(arb_t out, const arb_t x, long label, slong prec)
{
    arb_struct z[2];
    arb_init(&z[0]);
    z[1] = *x; /* borrowed */
    ll_metric_log_sum_exp(out, z, 2, label, prec);
    arb_clear(&z[0]);
}

const ll_metric_row_kind ll_metric_term_rows[] = {
    {
        .info = {.name = "log-loss",
                 .input = "probability",
                 .when_one = "-log(x)",
                 .when_zero = "-log(1 - x)",
                 .weight = "log((1 - x)/x)",
                 .reach = "all real numbers",
                 .classes = "2 or more",
                 .summary = "cross-entropy of probabilities (binary: of class 1)",
                 .link = "mean"},
        .family = &ll_family_terms,
        .input = LL_INPUT_PROBABILITY,
        .form = LL_FORM_COORDINATE,
        .own = &(const ll_term_kind){.kernel = &ll_kernel_log,
                                     .score = score_log,
                                     .weight = ll_metric_weight_log,
                                     .invert = ll_metric_invert_log,
                                     .reach = ll_metric_reach_all},
    },
    {
        .info = {.name = "sigmoid-ce",
                 .input = "logit",
                 .when_one = "log(1 + exp(-x))",
                 .when_zero = "log(1 + exp(x))",
                 .weight = "-x",
                 .reach = "all real numbers",
                 .classes = "2",
                 .summary = "cross-entropy of one logit through a sigmoid",
                 .link = "mean"},
        .family = &ll_family_terms,
        .input = LL_INPUT_LOGIT,
        .form = LL_FORM_BINARY,
        .own = &(const ll_term_kind){.kernel = &ll_kernel_logit,
                                     .score = score_logit,
                                     .weight = ll_metric_weight_logit,
                                     .invert = ll_metric_invert_logit,
                                     .reach = ll_metric_reach_all},
    },
    {
        .info = {.name = "softmax-ce",
                 .input = "logit",
                 .when_one = "log(1 + exp(-x))",
                 .when_zero = "log(1 + exp(x))",
                 .weight = "x_0 - x_k",
                 .reach = "all real numbers",
                 .classes = "2 or more",
                 .summary = "cross-entropy of a row of logits through a softmax (one column: of class 1 against 0)",
                 .link = "mean"},
        .family = &ll_family_terms,
        .input = LL_INPUT_LOGIT,
        .form = LL_FORM_SOFTMAX,
        .own = &(const ll_term_kind){.kernel = &ll_kernel_logit,
                                     .score = score_logit,
                                     .weight = ll_metric_weight_logit,
                                     .invert = ll_metric_invert_logit,
                                     .reach = ll_metric_reach_all},
    },
    {
        .info = {.name = "itakura-saito",
                 .input = "probability",
                 .when_one = "1/x + log(x) - 1",
                 .when_zero = "1/(1 - x) + log(1 - x) - 1",
                 .weight = "1/x - 1/(1 - x) + log(x/(1 - x))",
                 .reach = "all real numbers",
                 .classes = "2",
                 .summary = "Itakura-Saito distance of 1 and the true class's probability",
                 .link = "mean"},
        .family = &ll_family_terms,
        .input = LL_INPUT_PROBABILITY,
        .form = LL_FORM_BINARY,
        .own = &(const ll_term_kind){.has_closed_powers = 1,
                                     .weight = ll_metric_weight_itakura_saito,
                                     .invert = ll_metric_invert_itakura_saito,
                                     .reach = ll_metric_reach_all},
    },
    {
        .info = {.name = "squared",
                 .input = "probability",
                 .when_one = "(1 - x)^2",
                 .when_zero = "x^2",
                 .weight = "1 - 2*x",
                 .reach = "[-1, 1]",
                 .classes = "2 or more",
                 .summary = "squared error, Brier score (K columns: the sum over the row)",
                 .link = "mean"},
        .family = &ll_family_terms,
        .input = LL_INPUT_PROBABILITY,
        .form = LL_FORM_BRIER,
        .own = &(const ll_term_kind){.kernel = &ll_kernel_squared,
                                     .weight = ll_metric_weight_squared,
                                     .invert = ll_metric_invert_squared,
                                     .reach = ll_metric_reach_one},
    },
    {
        .info = {.name = "norm:ALPHA",
                 .input = "probability",
                 .when_one = "1 + (alpha - 1)*x^alpha - alpha*x^(alpha - 1) + (alpha - 1)*(1 - x)^alpha",
                 .when_zero = "1 + (alpha - 1)*(1 - x)^alpha - alpha*(1 - x)^(alpha - 1) + (alpha - 1)*x^alpha",
                 .weight = "alpha*((1 - x)^(alpha - 1) - x^(alpha - 1))",
                 .reach = "[-alpha, alpha]",
                 .classes = "2",
                 .summary = "norm-like divergence, alpha >= 2",
                 .link = "mean"},
        .family = &ll_family_terms,
        .input = LL_INPUT_PROBABILITY,
        .form = LL_FORM_BINARY,
        .parameter = {LL_PARAMETER_NUMBER, is_norm, "a number, at least 2 and at most 1e300"},
        .own = &(const ll_term_kind){.is_norm = 1,
                                     .weight = ll_metric_weight_norm,
                                     .invert = ll_metric_invert_norm,
                                     .reach = ll_metric_reach_norm},
    },
    {
        .info = {.name = "focal:GAMMA",
                 .input = "probability",
                 .when_one = "-((1 - x)^alpha*log(x))",
                 .when_zero = "-((1 - (1 - x))^alpha*log(1 - x))", /* by p_t = 1 - x, as programs do it */
                 .weight = "x^gamma*log(1 - x) - (1 - x)^gamma*log(x)",
                 .reach = "all real numbers",
                 .classes = "2",
                 .summary = "focal loss, without weights of classes: log-loss that counts sure rows less",
                 .link = "mean"},
        .family = &ll_family_terms,
        .input = LL_INPUT_PROBABILITY,
        .form = LL_FORM_BINARY,
        .parameter = {LL_PARAMETER_NUMBER, is_focus, "a number above 0 and at most 100"},
        .own = &(const ll_term_kind){.weight = ll_metric_weight_focal,
                                     .invert = ll_metric_invert_focal,
                                     .reach = ll_metric_reach_all},
    },
    {
        .info = {.name = "bregman:EXPR",
                 .input = "probability",
                 .when_one = "phi(1) - phi(x) - phi'(x)*(1 - x)",
                 .when_zero = "phi(0) - phi(x) - phi'(x)*(0 - x)",
                 .weight = "phi(1) - phi(0) - phi'(x)",
                 .reach = "[phi(1) - phi(0) - phi'(1), phi(1) - phi(0) - phi'(0)]",
                 .classes = "2",
                 .summary = "Bregman divergence of a strictly convex phi(x) = EXPR, finite at 0 and 1",
                 .link = "mean"},
        .family = &ll_family_terms,
        .input = LL_INPUT_PROBABILITY,
        .form = LL_FORM_BINARY,
        .parameter = {.takes = LL_PARAMETER_PHI},
        .own = &(const ll_term_kind){.weight = ll_metric_weight_bregman,
                                     .invert = ll_metric_invert_bregman,
                                     .reach = ll_metric_reach_bregman},
    },
    {
        .info = {.name = "accuracy",
                 .input = "label",
                 .when_one = "x",
                 .when_zero = "1 - x",
                 .weight = "2*x - 1",
                 .reach = "-1 and 1",
                 .classes = "2 or more",
                 .summary = "share of rows whose predicted label is right",
                 .link = "mean"},
        .family = &ll_family_terms,
        .input = LL_INPUT_LABEL,
        .form = LL_FORM_MATCH,
        .is_gain = 1,
        .own = &(const ll_term_kind){.kernel = &ll_kernel_match,
                                     .counts = 1,
                                     .weight = ll_metric_weight_match,
                                     .invert = ll_metric_invert_match,
                                     .reach = ll_metric_reach_one},
    },
    {
        .info = {.name = "zero-one",
                 .input = "label",
                 .when_one = "1 - x",
                 .when_zero = "x",
                 .weight = "1 - 2*x",
                 .reach = "-1 and 1",
                 .classes = "2 or more",
                 .summary = "share of rows whose predicted label is wrong",
                 .link = "mean"},
        .family = &ll_family_terms,
        .input = LL_INPUT_LABEL,
        .form = LL_FORM_MATCH,
        .own = &(const ll_term_kind){.kernel = &ll_kernel_match,
                                     .counts = -1,
                                     .weight = ll_metric_weight_miss,
                                     .invert = ll_metric_invert_miss,
                                     .reach = ll_metric_reach_one},
    },
    {
        .info = {.name = "lp:P",
                 .input = "label",
                 .when_one = "1 - x",
                 .when_zero = "x",
                 .weight = "1 - 2*x",
                 .reach = "-1 and 1",
                 .classes = "2 or more",
                 .summary = "discrete L_P distance: the P-th root of the number of wrong labels, P > 0",
                 .link = "root"},
        .family = &ll_family_terms,
        .input = LL_INPUT_LABEL,
        .form = LL_FORM_MATCH,
        .parameter = {LL_PARAMETER_NUMBER, above_zero, "a number above 0"},
        .own = &(const ll_term_kind){.kernel = &ll_kernel_match,
                                     .counts = -1,
                                     .is_sum = 1,
                                     .weight = ll_metric_weight_miss,
                                     .invert = ll_metric_invert_miss,
                                     .reach = ll_metric_reach_one},
    },
};

const long ll_metric_term_row_count = sizeof ll_metric_term_rows / sizeof ll_metric_term_rows[0];
