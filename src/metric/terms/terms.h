/* What the files of this family share: a metric that is a sum of terms, and the tools behind the certified inverse. */
#ifndef LL_METRIC_TERMS_H
#define LL_METRIC_TERMS_H

#include "metric/metric_private.h"
#include "metric/terms/native.h"

/* The mirror of x is 1 - x, and -x for a logit. */
typedef struct {
    const ll_native_kernel *kernel; /* NULL: the expression is followed operation by operation */
    int counts;                     /* 1: a match adds 1, -1: a miss does; 0: no count */
    int has_closed_powers;
    int is_norm;
    int is_sum;
    int is_square;      /* of numeric targets: (y - x)^2 */
    int is_lines;       /* of numeric targets: outside the grid linear in y, of one slope on both sides */
    int is_unlimited;   /* of numeric targets: no limit to what one label can change */
    int needs_positive; /* of numeric targets: no target is below 0 */
    int from_zero;      /* of numeric targets from 0 on: the term of the prediction 0 tells least of them */
    int is_rough; /* of numeric targets: computed terms keep their order but for errors, none above that at the ends */
    int most; /* of numeric targets and gains: no term is above this, whatever the prediction; 0: there is no such limit */

    /* Extras in balls. score: one column, label 0 or 1, where it is more stable than the expression. weight: from x
     * and its mirror, each as accurate as is known. reach: the whole domain, low <= high. */
    void (*score)(arb_t out, const arb_t x, long label, slong prec);
    void (*weight)(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror, slong prec);
    ll_status (*invert)(const ll_metric *metric, arb_t x, arb_t mirror, const arb_t w, slong prec);
    ll_status (*reach)(const ll_metric *metric, arb_t low, arb_t high, slong prec);

    /* Where there are no expressions: s(label, row) in any arithmetic; of numeric targets, s(y, x) for the target that
     * the label stands for. */
    ll_status (*gain)(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *row, long columns,
                      long label);
    ll_status (*term)(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x, long label);
    int (*match_side)(const ll_metric *metric, long classes); /* ll_metric_match_side; NULL: 0 */
} ll_term_kind;

/* What `gains` shares of this family. */
double ll_terms_most(const ll_computation *how, long rows);
LL_CHECK ll_status ll_score_terms(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                                  slong bits, ll_error *error);
LL_CHECK ll_status ll_terms_spread(const ll_asked *asked, const ll_scoring *scoring, double *out,
                                   const ll_predictions *predictions, ll_error *error);
LL_CHECK ll_status ll_terms_moves(const ll_asked *asked, const ll_scoring *scoring, double *out,
                                  const ll_predictions *predictions, ll_error *error);
ll_failure_kind ll_terms_fail(const ll_asked *asked);
int ll_terms_take_weights(const ll_metric *metric); /* the P-th root of a count has none */

/* Of a metric of another family: all zeros. */
const ll_term_kind *ll_terms_of(const ll_metric *metric);

/* ---- balls (balls.c) ---- */

/* e^x for any x up to |x| < 2^(2^24), where arb_exp gives up near 2^128; indeterminate beyond. */
void ll_metric_exp(arb_t out, const arb_t x, slong prec);
/* ln(sum of exp z_j - z_k), relative to the larger of itself and 2^-(2^30). */
void ll_metric_log_sum_exp(arb_t out, arb_srcptr z, long n, long k, slong prec);
/* 1 - x, exact for exact x >= 1/4, so that no bit of x near 1 (or of x - 1/2) is lost. */
void ll_metric_complement(arb_t out, const arb_t x, slong prec);
/* 1/(1+e^u) and 1/(1+e^-u), both with the relative error of e^u. */
void ll_metric_sigmoid(arb_t x, arb_t mirror, const arb_t u, slong prec);
/* x^y for x >= 0, y > 0; x may contain 0 (its negative part is ignored). */
void ll_metric_power(arb_t out, const arb_t x, const arb_t y, slong prec);
/* exponent of an upper bound of |x|: |x| < 2^result, at least 0, at most limit. */
slong ll_metric_magnitude(const arb_t x, slong limit);

/* ---- weights of rows (weight.c) ---- */

void ll_metric_weight_log(const ll_metric *, arb_t, const arb_t, const arb_t, slong);
void ll_metric_weight_logit(const ll_metric *, arb_t, const arb_t, const arb_t, slong);
void ll_metric_weight_itakura_saito(const ll_metric *, arb_t, const arb_t, const arb_t, slong);
void ll_metric_weight_squared(const ll_metric *, arb_t, const arb_t, const arb_t, slong);
void ll_metric_weight_norm(const ll_metric *, arb_t, const arb_t, const arb_t, slong);
void ll_metric_weight_focal(const ll_metric *, arb_t, const arb_t, const arb_t, slong);
void ll_metric_weight_bregman(const ll_metric *, arb_t, const arb_t, const arb_t, slong);
void ll_metric_weight_match(const ll_metric *, arb_t, const arb_t, const arb_t, slong);
void ll_metric_weight_miss(const ll_metric *, arb_t, const arb_t, const arb_t, slong);

/* phi(1) - phi(0). */
void ll_metric_phi_rise(const ll_metric *metric, arb_t out, slong prec);

/* ---- the focal loss (focal.c) ---- */

/* The weight from x, its mirror and their logarithms without sign. */
void ll_metric_focal_curve(const ll_metric *metric, arb_t value, arb_t derivative, const arb_t u, slong prec);

/* ---- numeric targets (target_terms.c, target_table.c) ---- */

ll_status ll_metric_term_squared(const ll_metric *, const ll_arithmetic *, ll_value *, const ll_value *, long);
ll_status ll_metric_term_absolute(const ll_metric *, const ll_arithmetic *, ll_value *, const ll_value *, long);
ll_status ll_metric_term_relative(const ll_metric *, const ll_arithmetic *, ll_value *, const ll_value *, long);
ll_status ll_metric_term_symmetric(const ll_metric *, const ll_arithmetic *, ll_value *, const ll_value *, long);
ll_status ll_metric_term_log(const ll_metric *, const ll_arithmetic *, ll_value *, const ll_value *, long);
ll_status ll_metric_term_quantile(const ll_metric *, const ll_arithmetic *, ll_value *, const ll_value *, long);
ll_status ll_metric_term_huber(const ll_metric *, const ll_arithmetic *, ll_value *, const ll_value *, long);
ll_status ll_metric_invert_squares(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_lines(const ll_metric *, arb_t, arb_t, const arb_t, slong);

/* ---- inverses of rows (invert.c) ---- */

ll_status ll_metric_invert_log(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_logit(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_squared(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_itakura_saito(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_norm(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_focal(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_bregman(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_match(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_miss(const ll_metric *, arb_t, arb_t, const arb_t, slong);

/* ---- reaches of rows (reach.c) ---- */

ll_status ll_metric_reach_all(const ll_metric *, arb_t, arb_t, slong);
ll_status ll_metric_reach_one(const ll_metric *, arb_t, arb_t, slong);
ll_status ll_metric_reach_norm(const ll_metric *, arb_t, arb_t, slong);
ll_status ll_metric_reach_bregman(const ll_metric *, arb_t, arb_t, slong);

/* ---- a root of an increasing function (solve.c) ---- */

/* The weight as a function of u = ln((1-x)/x), increasing: value and derivative (either may be NULL) over
 * the ball u, with about prec bits of absolute accuracy where u is a point. */
typedef void (*ll_metric_curve)(const ll_metric *metric, arb_t value, arb_t derivative, const arb_t u, slong prec);

/* u with curve(u) = w, radius at most 2^-prec, given lo < u < hi. LL_UNABLE at the cap. */
LL_CHECK ll_status ll_metric_refine(const ll_metric *metric, ll_metric_curve curve, arb_t u, arf_t lo, arf_t hi,
                                    const arf_t w, slong prec);
/* The same, the bracket found by doubling. */
LL_CHECK ll_status ll_metric_solve(const ll_metric *metric, ll_metric_curve curve, arb_t u, const arf_t w, slong prec);

/* ---- phi (bregman.c) and its behaviour beside a point (beside_point.c) ---- */

/* Refuse phi with the reason, or set loss->convex. */
LL_CHECK ll_status ll_metric_check_phi(ll_metric *metric, ll_error *error);

/* Is the second derivative > 0 at every x = point + side*s, 0 < s <= 2^-k, point dyadic, side +-1, k >= 2?
 * LL_TRUE is proved; LL_UNKNOWN is all else. */
ll_truth ll_metric_is_convex_beside(const ll_expression *phi, double point, int side, long k, slong prec);
/* The limit of phi' at the point from that side: a ball, or an infinity; indeterminate where it is not proved. */
void ll_metric_slope_beside(arb_t out, const ll_expression *phi, double point, int side, slong prec);

/* The weighted mean of the terms of all rows: ll_score_any, if the computation is weighted. */
LL_CHECK ll_status ll_score_weighted(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                                     slong bits, ll_error *error);

#endif
