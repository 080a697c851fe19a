/* How a program computes its number: metric, arithmetic, clip, order of the sum. What happens to the number afterwards
 * is the room release's. */
#ifndef LL_METRIC_COMPUTATION_H
#define LL_METRIC_COMPUTATION_H

#include "metric/metric.h"
#include "number/sum.h"

typedef enum { LL_KIND_EXACT, LL_KIND_FORMAT, LL_KIND_NATIVE } ll_kind;

typedef enum {
    LL_CLIP_NONE,
    LL_CLIP,             /* p into [eps, 1-eps], then 1-p; a number into the range of the targets */
    LL_CLIP_RENORMALISE, /* the same, then every row divided by its sum */
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
    int zero_division;     /* what a metric of counts makes of 0/0: 0, 1 or LL_ZERO_RAISE */
    int has_undefined;     /* has it a number where targets are all the same? */
    double undefined;      /* then: which, unless predictions have no error */
    long precision;        /* an exact number is right to 2^-precision */
    int is_weighted;       /* rows or classes count for more or less than 1 (row_weights.c) */
    double *weights;       /* one a row; NULL: all alike */
    double *class_weights; /* one a class; NULL: all alike, or balanced by counts that are not known */
    int is_balanced;
    long weight_count;  /* of either list */
    arb_t weight_total; /* what the sum is divided by, where that is known */
    int knows_total;
} ll_computation;

/* Texts of a computation; NULL where there is none. */
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
/* Does it fit so many classes (0: not known), its targets being these? LL_DOMAIN as ll_computation_init has it. */
LL_CHECK ll_status ll_computation_check_classes(const ll_computation *how, const char *targets, long classes,
                                                ll_error *error);

/* LL_DOMAIN where predictions of so many columns do not fit the metric, so many classes, and what the program reads. */
LL_CHECK ll_status ll_computation_check_shape(const ll_computation *how, long columns, long classes, ll_error *error);

/* Columns to write for so many classes: two for two classes where the program reads them, since 1 - p has few bits left
 * where p is near 1. */
long ll_computation_columns(const ll_computation *how, long classes);
/* The fewest that it reads. */
long ll_computation_fewest_columns(const ll_computation *how, long classes);
/* Are there labels for which it has no number, and `undefined` gives it none? */
int ll_computation_may_fail(const ll_computation *how);
/* The most that its number can be, roundings apart, of so many rows (0: not known); infinite where there is no limit.
 */
double ll_computation_most(const ll_computation *how, long rows);
/* x, or low or high where it is beyond. */
const ll_exact *ll_computation_clip(const ll_computation *how, const ll_exact *x);

/* ---- weights (row_weights.c) ---- */

/* Texts of weights; NULL where there are none. */
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
/* The weight of every row whose labels are these. */
LL_CHECK ll_status ll_computation_label_weights(const ll_computation *how, double *out, const int32_t *labels,
                                                long rows, long classes, ll_error *error);
double ll_computation_heaviest(const ll_computation *how); /* 1 where nothing is weighted */
/* The least weight above 0 of a row, as a share of all; 0 where it is not known. */
double ll_computation_lightest(const ll_computation *how);
/* By how many roundings of its own size the program's sum of weights may be off. */
double ll_computation_total_units(const ll_computation *how, long rows);

/* What the term of a row with that label is multiplied by in the sum: 1 where nothing is weighted. */
void ll_computation_get_weight(const ll_computation *how, arb_t out, long row, long label);
/* The term, so multiplied. */
void ll_computation_weigh(const ll_computation *how, arb_t term, long row, long label, slong prec);
/* The questions of metric.h, of rows that all count 1: 0 where they have weights. */
int ll_computation_is_counts(const ll_computation *how);
int ll_computation_counts(const ll_computation *how);

/* ---- the link between number and sum (link.c, docs/proofs/release.md) ---- */

/* number = G(sum of terms): the mean, or for lp the P-th root of the sum. Is it the sum times a constant? */
int ll_link_is_linear(const ll_computation *how);
/* The number of a sum, without any rounding. sum >= 0 where the link is a root. */
void ll_link_get_number(const ll_computation *how, arb_t number, const arb_t sum, long rows, slong prec);
/* A number off by the roundings of the link, one way or the other. */
void ll_link_add_roundoff(const ll_computation *how, arb_t x, long rows);
/* An interval that holds every sum, as the program has it before mean or root, that can have led to a number in this
 * interval. exact_mean: leave the rounding of the mean to the caller. */
void ll_link_get_sum(const ll_computation *how, arb_t sum, const arb_t number, long rows, int exact_mean, slong prec);
/* The half width, at most, of that interval, for numbers known to within `half` and sums of at most `most` in size: an
 * upper bound as a point. */
void ll_link_get_bound(const ll_computation *how, arb_t out, const arb_t half, const arb_t most, long rows,
                       int exact_mean);
/* The least difference of the numbers of two sums in 0 .. rows that are 1 apart. */
void ll_link_get_step(const ll_computation *how, arb_t out, long rows);

/* At least |sum as the program adds it up - sum of its terms|, for terms whose sizes sum to `magnitude`; 0 for counts
 * that its format holds. */
void ll_computation_sum_error(const ll_computation *how, mag_t out, long rows, const mag_t magnitude);

/* x gets `units` roundings of its own size more, and as many of the least subnormal; nothing in exact arithmetic. */
void ll_computation_add_roundoff(const ll_computation *how, arb_t x, double units);

#endif
