/* What the files of this room share: the row of the table, the loss, and the tools behind the certified
 * inverse. */
#ifndef LL_METRIC_METRIC_PRIVATE_H
#define LL_METRIC_METRIC_PRIVATE_H

#include "metric/class_shares.h"
#include "metric/confusion.h"
#include "metric/fit.h"
#include "metric/metric.h"
#include "metric/ranks.h"
#include "metric/view.h"

typedef struct ll_place ll_place; /* gains.c */
typedef enum { LL_PARAMETER_NONE, LL_PARAMETER_NUMBER, LL_PARAMETER_PHI } ll_metric_takes;

/* The number of a metric that is no sum of terms: from the counts of its confusion matrix, or from the labels in the
 * order of the predictions. LL_DOMAIN with the reason where there is none. */
typedef struct {
    ll_status (*work)(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *counts,
                      ll_error *error);
    ll_needs needs;
    int (*is_zero_division)(const ll_confusion *counts); /* does a program that does not look out for 0/0 fail? */
    ll_costs costs;
    ll_tells tells;
    int cancels; /* rows that weigh: does it divide by a difference of squares? */
} ll_count_kind;

typedef struct {
    ll_status (*work)(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_ranking *ranking,
                      ll_error *error);
    int counts_pairs;
    int slope, offset;          /* the number is slope * AUC + offset; 0: it is not */
    double (*units)(long ties); /* then: how far a program's number may be off, in 2^-53 */
    int of_classes; /* the number is the mean over classes k of this, of column k against [label = k] (one_vs_rest.c) */
} ll_rank_kind;

/* The mirror of x is 1 - x, and -x for a logit. */
typedef struct {
    ll_metric_info info;
    ll_input input;
    ll_form form;
    ll_kernel kernel;
    int counts; /* 1: a match adds 1, -1: a miss does; 0: no count */
    int is_gain;
    int has_closed_powers;
    int is_norm;
    int is_sum;
    int is_square;      /* of numeric targets: (y - x)^2 */
    int is_lines;       /* the same: outside the grid linear in y, of one slope on both sides */
    int is_unlimited;   /* the same: no limit to what one label can change */
    int needs_positive; /* the same: no target is below 0 */
    ll_metric_takes takes;
    int (*allows)(const ll_exact *parameter); /* of a number */
    const char *range;                        /* the same for people */

    /* Where the number is no sum of terms: what it is a function of, and the least and most that it can be. */
    const ll_count_kind *count;
    const ll_rank_kind *rank;
    const ll_fit_kind *fit;
    double least, most;
    const char *of_two;                        /* what two classes have in its place; NULL: it is for two as well */
    int may_fail;                              /* has it no value for some labels? */
    const char *undefined;                     /* of targets that are all the same: a number, or "fails" */
    int is_whole;                              /* is it a count itself, no share? */
    int is_overlap;                            /* is it 2 hits / (rows predicted 1 + rows of class 1)? */
    int is_cell;                               /* of one cell of the matrix, by its parameter */
    int (*is_none)(const ll_class_part *part); /* of one class: is it 0/0? NULL: never */
    ll_share of_class; /* of one class, by its parameter, and what it makes of its rows; NULL: it is not */
    /* It is many numbers for so many classes, and this is what part `index` is called; NULL: it is one. */
    long (*count_parts)(long classes);
    void (*write_part)(char *text, size_t size, long index, long classes);

    /* Extras in balls. score: one column, label 0 or 1, where it is more stable than the expression. weight: from x
     * and its mirror, each as accurate as is known. reach: the whole domain, low <= high. */
    void (*score)(arb_t out, const arb_t x, long label, slong prec);
    void (*weight)(const ll_metric *loss, arb_t out, const arb_t x, const arb_t mirror, slong prec);
    ll_status (*invert)(const ll_metric *loss, arb_t x, arb_t mirror, const arb_t w, slong prec);
    ll_status (*reach)(const ll_metric *loss, arb_t low, arb_t high, slong prec);

    /* Gains of ranks, and the hinge: s(label, row) in any arithmetic; then there are no expressions. */
    ll_status (*gain)(const ll_metric *loss, const ll_arithmetic *a, ll_value *out, const ll_value *row, long columns,
                      long label);
    /* The same of ranks: of the place of the label's score among all, which `gain` has found. */
    void (*place_gain)(const ll_metric *loss, const ll_arithmetic *a, ll_value *out, const ll_place *p, long columns);
    int (*match_side)(const ll_metric *loss, long classes); /* ll_metric_match_side; NULL: 0 */
    /* Numeric targets: s(y, x) for the target of that label, in any arithmetic; then there are no expressions. */
    ll_status (*term)(const ll_metric *loss, const ll_arithmetic *a, ll_value *out, const ll_value *x, long label);
} ll_metric_row_kind;

struct ll_metric {
    const ll_metric_row_kind *row;
    ll_expression *when_one, *when_zero; /* of every row but bregman */
    ll_expression *phi;                  /* of bregman */
    ll_exact parameter;
    ll_truth convex;
    ll_exact *targets; /* what label k stands for; NULL: not set */
    long target_count;
};

/* ---- parts of the table ---- */

/* The texts of a metric that is a function of all rows together, no sum of terms. */
#define LL_INFO_OF_ALL(name_, input_, reach_, classes_, link_, formula_, summary_)                                     \
    .info = {.name = name_,                                                                                            \
             .input = input_,                                                                                          \
             .when_one = "",                                                                                           \
             .when_zero = "",                                                                                          \
             .weight = "",                                                                                             \
             .reach = reach_,                                                                                          \
             .classes = classes_,                                                                                      \
             .summary = summary_,                                                                                      \
             .link = link_,                                                                                            \
             .formula = formula_}

extern const ll_metric_row_kind ll_metric_count_rows[]; /* count_metrics.c */
extern const long ll_metric_count_row_count;
extern const ll_metric_row_kind ll_metric_class_rows[]; /* class_metrics.c */
extern const long ll_metric_class_row_count;
extern const ll_metric_row_kind ll_metric_rank_rows[]; /* rank_metrics.c */
extern const long ll_metric_rank_row_count;
extern const ll_metric_row_kind ll_metric_fit_rows[]; /* fit_metrics.c */
extern const long ll_metric_fit_row_count;
extern const ll_metric_row_kind ll_metric_gain_rows[]; /* gains.c */
extern const long ll_metric_gain_row_count;
extern const ll_metric_row_kind ll_metric_target_rows[]; /* target_table.c */
extern const long ll_metric_target_row_count;

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
void ll_metric_weight_bregman(const ll_metric *, arb_t, const arb_t, const arb_t, slong);
void ll_metric_weight_match(const ll_metric *, arb_t, const arb_t, const arb_t, slong);
void ll_metric_weight_miss(const ll_metric *, arb_t, const arb_t, const arb_t, slong);

/* phi(1) - phi(0). */
void ll_metric_phi_rise(const ll_metric *loss, arb_t out, slong prec);

/* ---- numeric targets (target_terms.c, target_table.c) ---- */

ll_status ll_metric_term_squared(const ll_metric *, const ll_arithmetic *, ll_value *, const ll_value *, long);
ll_status ll_metric_term_absolute(const ll_metric *, const ll_arithmetic *, ll_value *, const ll_value *, long);
ll_status ll_metric_term_relative(const ll_metric *, const ll_arithmetic *, ll_value *, const ll_value *, long);
ll_status ll_metric_term_log(const ll_metric *, const ll_arithmetic *, ll_value *, const ll_value *, long);
ll_status ll_metric_term_quantile(const ll_metric *, const ll_arithmetic *, ll_value *, const ll_value *, long);
ll_status ll_metric_term_huber(const ll_metric *, const ll_arithmetic *, ll_value *, const ll_value *, long);
ll_status ll_metric_invert_squares(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_lines(const ll_metric *, arb_t, arb_t, const arb_t, slong);
void ll_metric_clear_targets(ll_metric *loss);

/* ---- inverses of rows (invert.c) ---- */

ll_status ll_metric_invert_log(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_logit(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_squared(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_itakura_saito(const ll_metric *, arb_t, arb_t, const arb_t, slong);
ll_status ll_metric_invert_norm(const ll_metric *, arb_t, arb_t, const arb_t, slong);
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
typedef void (*ll_metric_curve)(const ll_metric *loss, arb_t value, arb_t derivative, const arb_t u, slong prec);

/* u with curve(u) = w, radius at most 2^-prec, given lo < u < hi. LL_UNABLE at the cap. */
LL_CHECK ll_status ll_metric_refine(const ll_metric *loss, ll_metric_curve curve, arb_t u, arf_t lo, arf_t hi,
                                    const arf_t w, slong prec);
/* The same, the bracket found by doubling. */
LL_CHECK ll_status ll_metric_solve(const ll_metric *loss, ll_metric_curve curve, arb_t u, const arf_t w, slong prec);

/* ---- phi (bregman.c) and its behaviour beside a point (beside_point.c) ---- */

/* Refuse phi with the reason, or set loss->convex. */
LL_CHECK ll_status ll_metric_check_phi(ll_metric *loss, ll_error *error);

/* Is the second derivative > 0 at every x = point + side*s, 0 < s <= 2^-k, point dyadic, side +-1, k >= 2?
 * LL_TRUE is proved; LL_UNKNOWN is all else. */
ll_truth ll_metric_is_convex_beside(const ll_expression *phi, double point, int side, long k, slong prec);
/* The limit of phi' at the point from that side: a ball, or an infinity; indeterminate where it is not proved. */
void ll_metric_slope_beside(arb_t out, const ll_expression *phi, double point, int side, slong prec);

#endif
