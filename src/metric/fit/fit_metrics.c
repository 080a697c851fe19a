/* R^2, explained variance and the correlations of Pearson and Spearman, step by step as scikit-learn 1.2 and SciPy take
 * them: every step over balls, widened by its rounding, sums by that of any order (docs/proofs/fit.md). */
#include "metric/metric_private.h"

#include "metric/fit/fit.h"

#include <math.h>
#include <stdlib.h>

static void widen(const ll_fit *fit, arb_t x, double units)
{
    ll_computation_add_roundoff(fit->scoring->how, x, units);
}

/* ---- sums ---- */

/* sum += rounding of n terms whose sizes add up to `size`, added up in any order: (n - 1) u (1 + u)^n of it. */
static void add_order(const ll_fit *fit, arb_t sum, const arb_t size)
{
    mag_t error;
    mag_init(error);
    arb_get_mag(error, size);
    mag_mul_ui(error, error, (ulong)fit->rows);
    mag_mul_2exp_si(error, error, -53);
    mag_mul_ui(error, error, 1025);
    mag_mul_2exp_si(error, error, -10);
    if (fit->scoring->how->kind != LL_KIND_EXACT)
        arb_add_error_mag(sum, error);
    mag_clear(error);
}

/* A ball around what the program takes for the mean of x. */
static void find_mean(const ll_fit *fit, arb_t out, arb_srcptr x)
{
    arb_t size, one;
    arb_init(size);
    arb_init(one);
    arb_zero(out);
    for (long i = 0; i < fit->rows; i++) {
        arb_add(out, out, x + i, fit->prec);
        arb_abs(one, x + i);
        arb_add(size, size, one, fit->prec);
    }
    add_order(fit, out, size);
    arb_div_si(out, out, fit->rows, fit->prec);
    widen(fit, out, 2);
    arb_clear(size);
    arb_clear(one);
}

/* out_i = x_i - mean of x; x and out may be the same. */
static void centre(const ll_fit *fit, arb_ptr out, arb_srcptr x)
{
    arb_t mean;
    arb_init(mean);
    find_mean(fit, mean, x);
    for (long i = 0; i < fit->rows; i++) {
        arb_sub(out + i, x + i, mean, fit->prec);
        widen(fit, out + i, 1);
    }
    arb_clear(mean);
}

static void sum_squares(const ll_fit *fit, arb_t out, arb_srcptr x)
{
    arb_t square;
    arb_init(square);
    arb_zero(out);
    for (long i = 0; i < fit->rows; i++) {
        arb_sqr(square, x + i, fit->prec);
        widen(fit, square, 2);
        arb_add(out, out, square, fit->prec);
    }
    add_order(fit, out, out);
    arb_clear(square);
}

/* The sum of squares about the mean of x. Whatever number m + d, |d| <= r, the program takes for the mean,
 * sum (x_i - m - d)^2 = sum (x_i - m)^2 - 2 d sum (x_i - m) + n d^2, with m in the middle of its ball: nothing to first
 * order. Differences and squares are off by four units together. */
static void sum_squares_about_mean(const ll_fit *fit, arb_t out, arb_srcptr x)
{
    arb_t mean, off, all;
    mag_t radius, part;
    arb_init(mean);
    arb_init(off);
    arb_init(all);
    mag_init(radius);
    mag_init(part);
    find_mean(fit, mean, x);
    mag_swap(radius, arb_radref(mean));
    arb_zero(out);
    for (long i = 0; i < fit->rows; i++) {
        arb_sub(off, x + i, mean, fit->prec);
        arb_add(all, all, off, fit->prec);
        arb_addmul(out, off, off, fit->prec);
    }
    arb_get_mag(part, all);
    mag_mul_2exp_si(part, part, 1);
    mag_mul(part, part, radius); /* 2 r |sum (x_i - m)| */
    mag_mul(radius, radius, radius);
    mag_mul_ui(radius, radius, (ulong)fit->rows);
    mag_add(part, part, radius); /* + n r^2 */
    arb_add_error_mag(out, part);
    widen(fit, out, 4);
    add_order(fit, out, out);
    arb_clear(mean);
    arb_clear(off);
    arb_clear(all);
    mag_clear(radius);
    mag_clear(part);
}

/* The sum of x_i y_i. */
static void sum_products(const ll_fit *fit, arb_t out, arb_srcptr x, arb_srcptr y)
{
    arb_t product, size;
    arb_init(product);
    arb_init(size);
    arb_zero(out);
    for (long i = 0; i < fit->rows; i++) {
        arb_mul(product, x + i, y + i, fit->prec);
        widen(fit, product, 1);
        arb_add(out, out, product, fit->prec);
        arb_abs(product, product);
        arb_add(size, size, product, fit->prec);
    }
    add_order(fit, out, size);
    arb_clear(product);
    arb_clear(size);
}

/* ---- doubles ---- */

static double native_mean(const double *x, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

/* The sum of (x_i - a) (y_i - b). */
static double native_products(const double *x, double a, const double *y, double b, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += (x[i] - a) * (y[i] - b);
    return sum;
}

/* ---- 1 - a sum of squares / another ---- */

/* What a program makes of its two sums: 1 without errors, `undefined` where the targets have no spread. */
static double native_quotient(const ll_fit *fit, double errors, double spread)
{
    return errors == 0 ? 1 : spread == 0 ? fit->scoring->how->undefined : 1 - errors / spread;
}

static double native_share(const ll_fit *fit, int is_centred)
{
    double mean = native_mean(fit->native_y, fit->rows), shift = 0, errors = 0;
    for (long i = 0; i < fit->rows && is_centred; i++)
        shift += fit->native_y[i] - fit->native_x[i];
    shift /= (double)fit->rows;
    for (long i = 0; i < fit->rows; i++) {
        double d = fit->native_y[i] - fit->native_x[i] - shift;
        errors += d * d;
    }
    return native_quotient(fit, errors, native_products(fit->native_y, mean, fit->native_y, mean, fit->rows));
}

/* The sum of squared errors, for explained variance of errors less their mean. */
static void sum_errors(const ll_fit *fit, arb_t out, int is_centred)
{
    arb_ptr d = _arb_vec_init(fit->rows);
    for (long i = 0; i < fit->rows; i++) {
        arb_sub(d + i, fit->y + i, fit->x + i, fit->prec);
        widen(fit, d + i, 1);
    }
    if (is_centred)
        centre(fit, d, d);
    sum_squares(fit, out, d);
    _arb_vec_clear(d, fit->rows);
}

static ll_status work_share(const ll_fit *fit, arb_t out, double *native, int is_centred)
{
    arb_t below;
    arb_init(below);
    sum_errors(fit, out, is_centred);
    sum_squares_about_mean(fit, below, fit->y);
    arb_div(out, out, below, fit->prec);
    widen(fit, out, is_centred ? 4 : 1);
    arb_sub_si(out, out, 1, fit->prec);
    arb_neg(out, out);
    widen(fit, out, 1);
    *native = native_share(fit, is_centred);
    arb_clear(below);
    return LL_OK;
}

static ll_status work_r2(const ll_fit *fit, arb_t out, double *native, ll_error *error)
{
    (void)error;
    return work_share(fit, out, native, 0);
}

static ll_status work_explained(const ll_fit *fit, arb_t out, double *native, ll_error *error)
{
    (void)error;
    return work_share(fit, out, native, 1);
}

/* ---- the same, of targets that are all the same ---- */

/* Is the mean of n numbers c the double c, in whatever order they are added? Of two it is; where n times the odd part
 * of c has at most 53 bits, every partial sum is a double. */
static int has_exact_mean(double c, long n)
{
    int exponent;
    double part = ldexp(frexp(fabs(c), &exponent), 53);
    while (part > 0 && fmod(part, 2) == 0)
        part /= 2;
    return n <= 2 || part * (double)n <= 0x1p53;
}

/* Errors that are 0 for certain, in exact arithmetic where there is one. */
static int has_no_errors(const ll_fit *fit, int is_centred)
{
    const ll_metric *metric = fit->scoring->how->metric;
    if (is_centred)
        return fit->is_flat_prediction &&
               (fit->exacts != NULL || has_exact_mean(fit->native_y[0] - fit->native_x[0], fit->rows));
    ll_exact target;
    int none = 1;
    ll_exact_init(&target);
    for (long i = 0; i < fit->rows && none; i++) {
        ll_metric_get_target(metric, &target, fit->scoring->labels[i]);
        none = fit->exacts != NULL ? ll_exact_cmp(&fit->exacts[i], &target) == 0 : fit->native_x[i] == fit->native_y[i];
    }
    ll_exact_clear(&target);
    return none;
}

/* 1 - errors / n d^2. */
static void divide_by(const ll_fit *fit, arb_t out, const arb_t errors, double d)
{
    arb_t spread;
    arb_init(spread);
    arb_set_d(spread, d);
    arb_sqr(spread, spread, fit->prec);
    arb_mul_si(spread, spread, fit->rows, fit->prec);
    widen(fit, spread, (double)fit->rows + 8);
    arb_div(out, errors, spread, fit->prec);
    widen(fit, out, 8);
    arb_sub_si(out, out, 1, fit->prec);
    arb_neg(out, out);
    widen(fit, out, 1);
    arb_clear(spread);
}

/* Where the program takes c + d for the mean of numbers c: another double, no nearer than half a unit of the last place
 * and no farther than (n + 2) units. */
static void divide_by_noise(const ll_fit *fit, arb_t out, const arb_t errors)
{
    double c = fabs(fit->native_y[0]);
    arb_t other;
    arb_init(other);
    divide_by(fit, out, errors, ldexp(c, -54));
    divide_by(fit, other, errors, ldexp(c, -53) * (double)(fit->rows + 3));
    arb_union(out, out, other, fit->prec);
    arb_clear(other);
}

/* `undefined`, 1 where there are no errors, either where rounding decides that; and what a mean that is off makes of
 * 0/0 (docs/proofs/fit.md). */
ll_status ll_fit_work_flat(const ll_fit *fit, arb_t out, double *native, int is_centred)
{
    arb_t errors, other;
    arb_init(errors);
    arb_init(other);
    sum_errors(fit, errors, is_centred);
    int none = has_no_errors(fit, is_centred), some = !none && arb_is_positive(errors);
    arb_set_d(out, none ? 1 : fit->scoring->how->undefined);
    arb_one(other);
    if (!none && !some && fit->exacts == NULL)
        arb_union(out, out, other, fit->prec);
    if (!none && fit->exacts == NULL && !has_exact_mean(fit->native_y[0], fit->rows)) {
        divide_by_noise(fit, other, errors);
        arb_union(out, out, other, fit->prec);
    }
    *native = native_share(fit, is_centred);
    arb_clear(errors);
    arb_clear(other);
    return LL_OK;
}

/* ---- correlations ---- */

static void divide_all(const ll_fit *fit, arb_ptr x, const arb_t by)
{
    for (long i = 0; i < fit->rows; i++) {
        arb_div(x + i, x + i, by, fit->prec);
        widen(fit, x + i, 1);
    }
}

/* x - its mean, of length 1. */
static void normalise(const ll_fit *fit, arb_ptr out, arb_srcptr x)
{
    arb_t length;
    arb_init(length);
    centre(fit, out, x);
    sum_squares(fit, length, out);
    widen(fit, length, 8); /* BLAS scales what it squares */
    arb_sqrt(length, length, fit->prec);
    widen(fit, length, 2);
    divide_all(fit, out, length);
    arb_clear(length);
}

static void clip_one(arb_t x, slong prec)
{
    arb_t all;
    arb_init(all);
    mag_one(arb_radref(all));
    if (!arb_is_finite(x))
        arb_set(x, all); /* the bounds are too wide to say more */
    else if (arb_overlaps(x, all))
        (void)arb_intersection(x, x, all, prec);
    arb_clear(all);
}

/* The length of x - its mean; squares may be too small or too large for a double. */
static double native_length(const double *x, double mean, long n)
{
    double most = 0, sum = 0;
    for (long i = 0; i < n; i++)
        most = fmax(most, fabs(x[i] - mean));
    for (long i = 0; i < n && most > 0; i++)
        sum += (x[i] - mean) / most * ((x[i] - mean) / most);
    return most * sqrt(sum);
}

static double native_correlation(const double *x, const double *y, long n)
{
    double a = native_mean(x, n), b = native_mean(y, n), sum = 0;
    double p = native_length(x, a, n), q = native_length(y, b, n);
    for (long i = 0; i < n; i++)
        sum += (x[i] - a) / p * ((y[i] - b) / q);
    return fmax(-1, fmin(1, sum));
}

static void work_correlation(const ll_fit *fit, arb_t out, arb_srcptr x, arb_srcptr y)
{
    arb_ptr a = _arb_vec_init(fit->rows), b = _arb_vec_init(fit->rows);
    normalise(fit, a, x);
    normalise(fit, b, y);
    sum_products(fit, out, a, b);
    widen(fit, out, 8);
    clip_one(out, fit->prec);
    _arb_vec_clear(a, fit->rows);
    _arb_vec_clear(b, fit->rows);
}

static ll_status work_pearson(const ll_fit *fit, arb_t out, double *native, ll_error *error)
{
    (void)error;
    *native = native_correlation(fit->native_x, fit->native_y, fit->rows);
    work_correlation(fit, out, fit->x, fit->y);
    return LL_OK;
}

/* ---- ranks ---- */

typedef struct {
    const ll_fit *fit;
    long row;
} place;

static int compare_places(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->fit->exacts != NULL)
        return ll_exact_cmp(&p->fit->exacts[p->row], &p->fit->exacts[q->row]);
    double x = p->fit->native_x[p->row], y = p->fit->native_x[q->row];
    return (x > y) - (x < y);
}

/* Labels are in the order of their targets. */
static int compare_labels(const void *a, const void *b)
{
    const place *x = a, *y = b;
    int32_t one = x->fit->scoring->labels[x->row], other = y->fit->scoring->labels[y->row];
    return (one > other) - (one < other);
}

/* Midranks in that order. 0: no memory. */
static int rank_rows(const ll_fit *fit, double *out, int (*compare)(const void *, const void *))
{
    place *all = malloc((size_t)fit->rows * sizeof *all);
    if (all == NULL)
        return 0;
    for (long i = 0; i < fit->rows; i++)
        all[i] = (place){fit, i};
    qsort(all, (size_t)fit->rows, sizeof *all, compare);
    for (long i = 0, end; i < fit->rows; i = end) {
        for (end = i + 1; end < fit->rows && compare(&all[i], &all[end]) == 0;)
            end++;
        for (long j = i; j < end; j++)
            out[all[j].row] = (double)(i + end + 1) / 2;
    }
    free(all);
    return 1;
}

static ll_status work_spearman(const ll_fit *fit, arb_t out, double *native, ll_error *error)
{
    double *x = calloc((size_t)fit->rows, sizeof *x), *y = calloc((size_t)fit->rows, sizeof *y);
    arb_ptr a = _arb_vec_init(fit->rows), b = _arb_vec_init(fit->rows);
    ll_status status = x != NULL && y != NULL && rank_rows(fit, x, compare_places) && rank_rows(fit, y, compare_labels)
                           ? LL_OK
                           : LL_MEMORY;
    for (long i = 0; status == LL_OK && i < fit->rows; i++) {
        arb_set_d(a + i, x[i]);
        arb_set_d(b + i, y[i]);
    }
    if (status == LL_OK) {
        *native = native_correlation(x, y, fit->rows);
        work_correlation(fit, out, a, b);
    } else {
        (void)ll_fail(error, status, "no memory for the ranks of %ld rows", fit->rows);
    }
    free(x);
    free(y);
    _arb_vec_clear(a, fit->rows);
    _arb_vec_clear(b, fit->rows);
    return status;
}

/* ---- the rows ---- */

static const ll_fit_kind r2_kind = {work_r2, 1, 0}, explained_kind = {work_explained, 1, 1},
                         pearson_kind = {work_pearson, 0, 0}, spearman_kind = {work_spearman, 0, 0};

#define FIT(name_, kind_, least_, formula_, summary_)                                                                  \
    {                                                                                                                  \
        LL_INFO_OF_ALL(name_, "number", (least_) < -1 ? "1 and below" : "[-1, 1]", "2 or more",                        \
                       "all targets together", formula_, summary_),                                                    \
            .family = &ll_family_fit, .input = LL_INPUT_NUMBER, .form = LL_FORM_TARGET, .is_gain = 1, .own = &(kind_), \
            .least = (least_), .most = 1, .may_fail = 1, .undefined = (least_) < -1 ? "0" : "fails"                    \
    }

const ll_metric_row_kind ll_metric_fit_rows[] = {
    FIT("r2", r2_kind, (double)-INFINITY, "1 - sum (y - x)^2 / sum (y - mean)^2",
        "coefficient of determination of numbers of the grid targets"),
    FIT("explained-variance", explained_kind, (double)-INFINITY, "1 - var(y - x) / var(y)",
        "share of the targets' variance that predictions explain"),
    FIT("pearson", pearson_kind, -1, "cov(x, y) / sqrt(var(x) var(y))", "Pearson's correlation coefficient"),
    FIT("spearman", spearman_kind, -1, "Pearson's coefficient of the midranks", "Spearman's rank correlation"),
};

const long ll_metric_fit_row_count = sizeof ll_metric_fit_rows / sizeof ll_metric_fit_rows[0];
