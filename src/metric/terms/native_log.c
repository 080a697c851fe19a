/* The logarithmic losses of real scorers: which stored number q goes into the logarithm.
 *
 * Every step up to q (clip, 1-p, row sum in the order given, division) is a single IEEE operation, so q is the real
 * program's, bit for bit. Its logarithm is not: that is bounded. In fp32 an operation is done in double and
 * rounded to float, which is the correctly rounded one (53 >= 2*24 + 2). */
#include "metric/terms/native.h"

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* q of a row with one column. mode and single are constants where this is called. Renormalising changes nothing here:
 * fl(1-x) is off by at most u/2, so x + fl(1-x) lies within u/2 of 1 and rounds to 1. */
static inline __attribute__((always_inline)) double one_column(double x, int label, ll_clip_mode mode, double low,
                                                               double high, int single)
{
    if (mode == LL_CLIP || mode == LL_LOG_PLUS)
        x = smaller(larger(x, low), high);
    /* 0 + x or 1 - x: signs and constants are chosen without a branch, which half of the labels would mispredict. */
    double q = ll_native_round((label ? 0.0 : 1.0) + (label ? x : -x), single);
    if (mode == LL_LOG_PLUS || mode == LL_LOG_SHIFT)
        q = ll_native_round(q + low, single);
    return mode == LL_FLOOR ? larger(q, low) : q;
}

#define COLUMN(name, mode)                                                                                             \
    LL_NATIVE_FAST static void name(double *restrict q, const double *restrict x, const int32_t *restrict labels,      \
                                    long n, double low, double high, int single)                                       \
    {                                                                                                                  \
        if (single)                                                                                                    \
            for (long i = 0; i < n; ++i)                                                                               \
                q[i] = one_column(x[i], labels[i], mode, low, high, 1);                                                \
        else                                                                                                           \
            for (long i = 0; i < n; ++i)                                                                               \
                q[i] = one_column(x[i], labels[i], mode, low, high, 0);                                                \
    }

COLUMN(column_plain, LL_CLIP_NONE)
COLUMN(column_clip, LL_CLIP)
COLUMN(column_plus, LL_LOG_PLUS)
COLUMN(column_floor, LL_FLOOR)
COLUMN(column_shift, LL_LOG_SHIFT)

static void fill_column(ll_native *pass, const double *x, const int32_t *labels, long n)
{
    const ll_computation *r = pass->scoring->how;
    switch (pass->scoring->how->clip_mode) {
    case LL_CLIP:
    case LL_CLIP_RENORMALISE:
        column_clip(pass->q, x, labels, n, r->float_low, r->float_high, pass->single);
        break;
    case LL_LOG_PLUS:
        column_plus(pass->q, x, labels, n, r->float_low, r->float_high, pass->single);
        break;
    case LL_LOG_SHIFT:
        column_shift(pass->q, x, labels, n, r->float_low, r->float_high, pass->single);
        break;
    case LL_FLOOR:
        column_floor(pass->q, x, labels, n, r->float_low, r->float_high, pass->single);
        break;
    default: /* LL_CLIP_NONE, LL_LOG_CLAMP */
        column_plain(pass->q, x, labels, n, 0, 1, pass->single);
    }
}

/* ---- a column a class ---- */

static double clip_row(ll_native *pass, const double *row, long label)
{
    const ll_computation *r = pass->scoring->how;
    for (long j = 0; j < pass->columns; ++j)
        pass->scratch[j] = smaller(larger(row[j], r->float_low), r->float_high);
    double q = pass->scratch[label];
    if (pass->scoring->how->clip_mode != LL_CLIP_RENORMALISE)
        return q;
    return ll_native_round(q / ll_native_sum_row(pass, pass->scratch, pass->single), pass->single);
}

/* q of a row of two, whose sum is the same in every order. */
static inline __attribute__((always_inline)) double one_pair(const double *row, int label, int renormalise, double low,
                                                             double high, int single)
{
    double a = smaller(larger(row[0], low), high), b = smaller(larger(row[1], low), high), q = label ? b : a;
    return renormalise ? ll_native_round(q / ll_native_round(a + b, single), single) : q;
}

#define PAIRS(name, renormalise, single)                                                                               \
    LL_NATIVE_FAST static void name(double *restrict q, const double *restrict rows, const int32_t *restrict labels,   \
                                    long n, double low, double high)                                                   \
    {                                                                                                                  \
        for (long i = 0; i < n; ++i)                                                                                   \
            q[i] = one_pair(rows + 2 * i, labels[i], renormalise, low, high, single);                                  \
    }

PAIRS(pairs_clip, 0, 0)
PAIRS(pairs_renormalise, 1, 0)
PAIRS(pairs_renormalise_single, 1, 1)

static void fill_pairs(ll_native *pass, const double *rows, const int32_t *labels, long n)
{
    const ll_computation *r = pass->scoring->how;
    if (r->clip_mode == LL_CLIP)
        pairs_clip(pass->q, rows, labels, n, r->float_low, r->float_high);
    else if (pass->single)
        pairs_renormalise_single(pass->q, rows, labels, n, r->float_low, r->float_high);
    else
        pairs_renormalise(pass->q, rows, labels, n, r->float_low, r->float_high);
}

static void fill_rows(ll_native *pass, const double *rows, const int32_t *labels, long n)
{
    double low = pass->scoring->how->float_low;
    ll_clip_mode mode = pass->scoring->how->clip_mode;
    for (long i = 0; i < n; ++i) {
        const double *row = rows + i * pass->columns;
        if (mode == LL_CLIP_NONE || mode == LL_LOG_CLAMP || mode == LL_LOG_SHIFT)
            pass->q[i] = row[labels[i]];
        else if (mode == LL_FLOOR)
            pass->q[i] = larger(row[labels[i]], low);
        else
            pass->q[i] = clip_row(pass, row, labels[i]);
        if (pass->scoring->how->adds_clip)
            pass->q[i] = ll_native_round(pass->q[i] + low, pass->single);
    }
}

/* ---- the block ---- */

static ll_status check_sums(const ll_native *pass, const double *rows, long n, long first, ll_error *error)
{
    ll_status status = LL_OK;
    if (!ll_rows_must_sum(pass->scoring, pass->columns))
        return LL_OK;
    for (long i = 0; i < n && status == LL_OK; ++i) {
        const double *row = rows + i * pass->columns;
        double sum = pass->columns == 2 ? row[0] + row[1] : ll_sum_doubles(row, pass->columns, LL_SUM_PAIRWISE);
        status = ll_rows_check_sum(pass->scoring, pass->predictions, sum, first + i, error);
    }
    return status;
}

/* A clamped row leaves the product: its term is the bound, in the real program too. */
static void clamp(ll_native *pass, const int32_t *labels, long n)
{
    double bound = pass->scoring->how->float_low;
    for (long i = 0; i < n; ++i) {
        int clamped = pass->q[i] <= pass->threshold;
        pass->extra[i] = clamped ? bound : 0;
        pass->q[i] = clamped ? 1 : pass->q[i];
        pass->clamped += clamped;
        pass->from_complement += !clamped && labels[i] == 0;
    }
}

static ll_status fail_zero(const ll_native *pass, long n, long first, ll_error *error)
{
    for (long i = 0; i < n; ++i)
        if (!(pass->q[i] > 0))
            return ll_rows_fail(pass->predictions, first + i, error, LL_DOMAIN,
                                "the true class has probability 0 in %s: the score is infinite",
                                pass->scoring->how->arithmetic);
    return ll_fail(error, LL_UNABLE, "too many rows for one product");
}

static void fill_terms(ll_native *pass, long n)
{
    ll_native_minus_log(pass->terms, pass->q, n);
    if (pass->single_term)
        for (long i = 0; i < n; ++i)
            pass->terms[i] = (double)(float)pass->terms[i];
    if (pass->scoring->how->clip_mode == LL_LOG_CLAMP)
        for (long i = 0; i < n; ++i)
            pass->terms[i] = smaller(pass->terms[i], pass->scoring->how->float_low) + pass->extra[i];
    if (pass->scoring->how->adds_clip)
        for (long i = 0; i < n; ++i)
            pass->above_one += pass->q[i] > 1;
}

static ll_status add_log(ll_native *pass, const double *rows, const int32_t *labels, long n, long first,
                         ll_error *error)
{
    ll_clip_mode mode = pass->scoring->how->clip_mode;
    ll_status status = ll_native_check(pass, rows, n, first, error);
    if (status == LL_OK)
        status = check_sums(pass, rows, n, first, error);
    if (status != LL_OK)
        return status;
    if (pass->columns == 1)
        fill_column(pass, rows, labels, n);
    else if (pass->columns == 2 && (mode == LL_CLIP || mode == LL_CLIP_RENORMALISE))
        fill_pairs(pass, rows, labels, n);
    else
        fill_rows(pass, rows, labels, n);
    if (mode == LL_LOG_CLAMP)
        clamp(pass, labels, n);
    if (ll_log_product_add(&pass->product, pass->q, n) != LL_OK)
        return fail_zero(pass, n, first, error);
    fill_terms(pass, n);
    return LL_OK;
}

/* ---- after the pass ---- */

/* error += count * c * u of the rows. */
static void add_row_units(ll_native *pass, double c, long count)
{
    mag_t part;
    mag_init(part);
    ll_native_units(part, c, pass->scoring->how->rows.format.fraction_bits);
    mag_mul_ui(part, part, (ulong)count);
    mag_add(pass->error, pass->error, part);
    mag_clear(part);
}

static void add_clamped(ll_native *pass)
{
    mag_t part;
    mag_init(part);
    arf_t bound;
    arf_init(bound);
    arf_set_d(bound, pass->scoring->how->float_low);
    arf_mul_ui(bound, bound, (ulong)pass->clamped, 128, ARF_RND_DOWN); /* exact: 53 + 64 bits */
    arb_add_arf(pass->ideal, pass->ideal, bound, 192);
    arf_get_mag(part, bound);
    mag_add(pass->magnitude, pass->magnitude, part);
    arf_clear(bound);
    mag_clear(part);
    /* A program that takes log1p(-p) where another takes log(1-p) is off by ln(fl(1-p)/(1-p)), at most 2u. */
    if (pass->columns == 1)
        add_row_units(pass, 2, pass->from_complement);
}

static void finish_log(ll_native *pass)
{
    const ll_computation *r = pass->scoring->how;
    mag_t part;
    mag_init(part);
    ll_log_product_get(pass->ideal, &pass->product, 128);
    arb_neg(pass->ideal, pass->ideal);
    arb_get_mag(pass->magnitude, pass->ideal);
    /* Sum |ln q| = sum -ln q + 2 sum over q > 1 of ln q, and there ln q <= q - 1 <= 2 eps. */
    mag_set_d(part, 4 * r->float_low);
    mag_mul_ui(part, part, (ulong)pass->above_one);
    mag_add(pass->magnitude, pass->magnitude, part);
    ll_native_units(part, 2 * r->log_ulps, r->term.format.fraction_bits);
    mag_mul(pass->error, pass->magnitude, part);
    mag_clear(part);
    if (pass->scoring->how->clip_mode == LL_LOG_CLAMP)
        add_clamped(pass);
    /* The order of a cascade is not known: the row's sum is off by up to depth*u each way. */
    if (pass->scoring->how->clip_mode == LL_CLIP_RENORMALISE && pass->scoring->how->order == LL_SUM_CASCADE &&
        pass->columns > 1)
        add_row_units(pass, 2.5 * (double)ll_sum_depth(LL_SUM_CASCADE, pass->columns), pass->scoring->rows);
}

const ll_native_kernel ll_kernel_log = {add_log, finish_log};
