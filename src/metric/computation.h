/* How a program computes its number: metric, arithmetic, clip, order of the sum. The module `release` has
 * what happens to the number afterwards. */
#ifndef LL_METRIC_COMPUTATION_H
#define LL_METRIC_COMPUTATION_H

#include "metric/metric.h"
#include "number/sum.h"

typedef enum { LL_KIND_EXACT, LL_KIND_FORMAT, LL_KIND_NATIVE } ll_kind;

typedef enum {
    LL_CLIP_NONE,
    LL_CLIP,             /* p into [eps, 1-eps], then 1-p; a number into the range of the targets */
    LL_CLIP_RENORMALISE, /* the same, then each row is divided by its sum */
    LL_LOG_CLAMP,        /* ln is at least -clip_value (PyTorch's BCELoss: 100) */
    LL_LOG_PLUS,         /* clip, and eps added again inside the logarithm (Keras 2) */
    LL_FLOOR,            /* max(p, eps) and max(1-p, eps) apart (XGBoost, LightGBM) */
    LL_LOG_SHIFT         /* eps added inside the logarithm, nothing clipped: log(p + eps), log(1-p + eps) */
} ll_clip_mode;

/* What the program reads of two classes. */
typedef enum {
    LL_COLUMNS_EITHER, /* one column or two, as the submission has them */
    LL_COLUMNS_ONE,    /* class 1 alone; 1 - p is the program's own */
    LL_COLUMNS_ALL     /* one a class */
} ll_columns;

enum { LL_ZERO_RAISE = 2 }; /* no number: the program fails */

typedef struct {
    ll_metric *metric;
    ll_kind kind;
    const char *arithmetic, *sum_arithmetic; /* their names, for messages */
    ll_arithmetic rows, term, total;         /* of the stored predictions and the clip; of the loss; of sum and mean */
    ll_order order;
    double log_ulps; /* of term's logarithm */
    ll_clip_mode clip_mode;
    int adds_clip;                /* LL_LOG_PLUS or LL_LOG_SHIFT: logarithms may be above 0 */
    ll_exact low, high;           /* eps and 1-eps; with LL_LOG_CLAMP low is the bound on -ln */
    double float_low, float_high; /* the same, rounded to the format of the rows, 1-eps computed there */
    ll_columns columns;
    int zero_division;     /* the value of 0/0 in a metric of counts: 0, 1 or LL_ZERO_RAISE */
    int has_undefined;     /* does it have a number if all targets are the same? */
    double undefined;      /* then: the number, unless predictions have no error */
    long precision;        /* an exact number is right to 2^-precision */
    int is_weighted;       /* rows or classes count for more or less than 1 (row_weights.c) */
    double *weights;       /* one a row; NULL: all alike */
    double *class_weights; /* one a class; NULL: all alike, or balanced by counts that are not known */
    int is_balanced;
    long weight_count;  /* of either list */
    arb_t weight_total; /* what the sum is divided by, where that is known */
    int knows_total;
} ll_computation;

/* Texts of a computation; NULL: not set. */
typedef struct {
    const char *metric, *arithmetic, *sum_arithmetic, *loss_arithmetic, *clip;
    const char *targets; /* LO:HI:STEP */
    int clip_targets;    /* predictions are clipped to LO .. HI */
    ll_clip_mode clip_mode;
    ll_order order;
    ll_columns columns;
    int zero_division;
    const char *undefined; /* a number, or fails; NULL: as the metric's programs have it */
    long classes;          /* 0: not known */
    double log_ulps;
} ll_computation_texts;

/* Every text parsed, every contradiction refused: LL_DOMAIN with the reason, and *out is cleared. The texts
 * `arithmetic` and `sum_arithmetic` must outlive it. precision is the caller's to set. */
LL_CHECK ll_status ll_computation_init(ll_computation *out, const ll_computation_texts *texts, ll_error *error);
void ll_computation_clear(ll_computation *computation);
/* Does it fit that number of classes (0: not known) and these targets? LL_DOMAIN as in ll_computation_init. */
LL_CHECK ll_status ll_computation_check_classes(const ll_computation *how, const char *targets, long classes,
                                                ll_error *error);

/* LL_DOMAIN: the number of columns does not fit the metric, the number of classes, and what the program reads. */
LL_CHECK ll_status ll_computation_check_shape(const ll_computation *how, long columns, long classes, ll_error *error);

/* Columns to write for that number of classes. It is two for two classes if the program reads both, because 1 - p has
 * few bits if p is near 1. */
long ll_computation_columns(const ll_computation *how, long classes);
/* The fewest columns that it reads. */
long ll_computation_fewest_columns(const ll_computation *how, long classes);
/* Are there labels for which it has no number, even with `undefined`? */
int ll_computation_may_fail(const ll_computation *how);
/* The largest possible number for that many rows (0: not known), without roundings; infinity: no limit. */
double ll_computation_most(const ll_computation *how, long rows);
/* x, clipped to low .. high. */
const ll_exact *ll_computation_clip(const ll_computation *how, const ll_exact *x);

/* ---- weights (row_weights.c) ---- */

/* Texts of weights; NULL: none. */
typedef struct {
    const char *weights;       /* "1,0.5,2": one a row */
    const char *class_weights; /* the same, one a class; or balanced */
    long rows, classes;        /* 0: not known */
    const int64_t *counts;     /* of every class; NULL: not known */
} ll_weight_texts;

long ll_weights_count(const char *text); /* of a list */
/* LL_DOMAIN where the text is no list of weights. */
LL_CHECK ll_status ll_weights_check(const char *what, const char *text, int may_balance, ll_error *error);
/* After ll_computation_init. LL_DOMAIN where the metric has no weighted form, or the numbers do not fit. */
LL_CHECK ll_status ll_computation_set_weights(ll_computation *how, const ll_weight_texts *texts, ll_error *error);
void ll_computation_clear_weights(ll_computation *how);
/* The weight of every row, if these are the labels. */
LL_CHECK ll_status ll_computation_label_weights(const ll_computation *how, double *out, const int32_t *labels,
                                                long rows, long classes, ll_error *error);
double ll_computation_heaviest(const ll_computation *how); /* 1 without weights */
/* The least weight above 0 of a row, as a share of all weights; 0: not known. */
double ll_computation_lightest(const ll_computation *how);
/* The error of the program's sum of weights, in roundings of its own size. */
double ll_computation_total_units(const ll_computation *how, long rows);

/* The factor of the term of a row with that label in the sum: 1 without weights. */
void ll_computation_get_weight(const ll_computation *how, arb_t out, long row, long label);
/* Multiply the term by it. */
void ll_computation_weigh(const ll_computation *how, arb_t term, long row, long label, slong prec);
/* As in metric.h; 0 if rows have weights. */
int ll_computation_is_counts(const ll_computation *how);
int ll_computation_counts(const ll_computation *how);

/* ---- the link between number and sum (link.c, docs/proofs/release.md) ---- */

/* number = G(sum of terms): the mean, or for lp the P-th root of the sum. Is it the sum times a constant? */
int ll_link_is_linear(const ll_computation *how);
/* The number of a sum, without any rounding. sum >= 0 where the link is a root. */
void ll_link_get_number(const ll_computation *how, arb_t number, const arb_t sum, long rows, slong prec);
/* Widen x by the roundings of the link. */
void ll_link_add_roundoff(const ll_computation *how, arb_t x, long rows);
/* An interval that holds every sum, as the program has it before mean or root, that can have led to a number in this
 * interval. exact_mean: leave the rounding of the mean to the caller. */
void ll_link_get_sum(const ll_computation *how, arb_t sum, const arb_t number, long rows, int exact_mean, slong prec);
/* An upper bound on half the width of that interval, for numbers known to within `half` and sums of at most `most` in
 * size. */
void ll_link_get_bound(const ll_computation *how, arb_t out, const arb_t half, const arb_t most, long rows,
                       int exact_mean);
/* The least difference between the numbers of two sums in 0 .. rows that differ by 1. */
void ll_link_get_step(const ll_computation *how, arb_t out, long rows);

/* An upper bound on |sum as the program computes it - sum of its terms|, for terms whose sizes sum to `magnitude`; 0
 * for counts that the format holds exactly. */
void ll_computation_sum_error(const ll_computation *how, mag_t out, long rows, const mag_t magnitude);

/* Widen x by `units` roundings of its own size, and as many of the least subnormal; in exact arithmetic not at all. */
void ll_computation_add_roundoff(const ll_computation *how, arb_t x, double units);

#endif
