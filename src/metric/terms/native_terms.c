/* Terms that are not logarithms: squares, whose every step is one IEEE operation, and matches, which are counted. */
#include "metric/terms/native.h"

LL_NATIVE_FAST static void check_loop(int *bad, const double *x, long n)
{
    int any = 0;
    for (long i = 0; i < n; ++i)
        any |= !(x[i] >= 0) | !(x[i] <= 1);
    *bad = any;
}

ll_status ll_native_check(const ll_native *pass, const double *rows, long n, long first, ll_error *error)
{
    int bad;
    check_loop(&bad, rows, n * pass->columns);
    for (long i = 0; bad && i < n * pass->columns; ++i)
        if (!(rows[i] >= 0 && rows[i] <= 1))
            return ll_rows_fail(pass->predictions, first + i / pass->columns, error, LL_DOMAIN,
                                "%.17g is outside [0,1]%s", rows[i], ll_rows_look_like(pass->predictions));
    return LL_OK;
}

double ll_native_sum_row(ll_native *pass, const double *row, int single)
{
    if (!single)
        return ll_sum_doubles(row, pass->columns, pass->scoring->how->order);
    for (long j = 0; j < pass->columns; ++j)
        pass->floats[j] = (float)row[j];
    return (double)ll_sum_floats(pass->floats, pass->columns, pass->scoring->how->order);
}

/* ---- squares ---- */

static inline double square(double y, double x, int single)
{
    double difference = ll_native_round(y - x, single);
    return ll_native_round(difference * difference, single);
}

static inline double clip(const ll_computation *r, double x)
{
    return x < r->float_low ? r->float_low : x > r->float_high ? r->float_high : x;
}

static double square_row(ll_native *pass, const double *row, long label)
{
    int clipped = pass->scoring->how->clip_mode == LL_CLIP;
    for (long j = 0; j < pass->columns; ++j) {
        double x = clipped ? clip(pass->scoring->how, row[j]) : row[j];
        double y = pass->columns == 1 ? label == 1 : label == j;
        pass->scratch[j] = square(y, x, pass->single_term);
    }
    return pass->columns == 1 ? pass->scratch[0] : ll_native_sum_row(pass, pass->scratch, pass->single_term);
}

static void square_column(double *restrict terms, const double *restrict x, const int32_t *restrict labels, long n)
{
    for (long i = 0; i < n; ++i)
        terms[i] = square(labels[i], x[i], 0);
}

static ll_status add_squared(ll_native *pass, const double *rows, const int32_t *labels, long n, long first,
                             ll_error *error)
{
    ll_status status = ll_native_check(pass, rows, n, first, error);
    if (status != LL_OK)
        return status;
    if (pass->columns == 1 && pass->scoring->how->clip_mode == LL_CLIP_NONE && !pass->single_term)
        square_column(pass->terms, rows, labels, n);
    else
        for (long i = 0; i < n; ++i)
            pass->terms[i] = square_row(pass, rows + i * pass->columns, labels[i]);
    ll_sum_add_doubles(pass->exact, pass->terms, n);
    return LL_OK;
}

static void finish_squared(ll_native *pass)
{
    ll_value sum;
    mag_t part;
    mag_init(part);
    ll_sum_get(pass->exact, &sum);
    arb_set_d(pass->ideal, sum.native);
    arb_get_mag(pass->magnitude, pass->ideal);
    ll_native_units(part, 1, 52); /* it is rounded once */
    mag_mul(part, part, pass->magnitude);
    arb_add_error_mag(pass->ideal, part);
    arb_get_mag(pass->magnitude, pass->ideal);
    if (pass->columns > 1 && pass->scoring->how->order == LL_SUM_CASCADE) {
        ll_native_units(part, 2.5 * (double)ll_sum_depth(LL_SUM_CASCADE, pass->columns),
                        pass->scoring->how->term.format.fraction_bits);
        mag_mul(pass->error, part, pass->magnitude);
    }
    mag_clear(part);
}

/* ---- matches ---- */

static ll_status add_match(ll_native *pass, const double *rows, const int32_t *labels, long n, long first,
                           ll_error *error)
{
    for (long i = 0; i < n; ++i) {
        if (!(rows[i] >= 0 && rows[i] < (double)pass->scoring->classes) || rows[i] != (double)(int32_t)rows[i])
            return ll_rows_fail(pass->predictions, first + i, error, LL_DOMAIN, "%.17g is not a label", rows[i]);
        int counts = ((int32_t)rows[i] == labels[i]) == pass->counts_matches;
        pass->terms[i] = counts;
        pass->matches += counts;
    }
    return LL_OK;
}

static void finish_match(ll_native *pass)
{
    arb_set_si(pass->ideal, pass->matches);
    arb_get_mag(pass->magnitude, pass->ideal);
}

const ll_native_kernel ll_kernel_squared = {add_squared, finish_squared};

const ll_native_kernel ll_kernel_match = {add_match, finish_match};
