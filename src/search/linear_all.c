/* LabelInf on a system of equations: one score in doubles, its rounding inside a wider tolerance; then every one that
 * is near is decided in integers, all scores. */
#include "search/exhaustive.h"
#include "search/meet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weights as doubles times 2^-shift; returns how far a sum less its target can be off by that. */
static double set_doubles(double *weights, double *target, const ll_linear *s, long q, long shift)
{
    double off = 0, most;
    for (long i = 0; i < s->rows; i++) {
        most = 0;
        for (long k = 0; k < s->classes; k++) {
            long exponent;
            double mantissa = fmpz_get_d_2exp(&exponent, ll_linear_weight(s, q, i, k));
            weights[i * s->classes + k] = ldexp(mantissa, (int)(exponent - shift));
            most = fmax(most, fabs(weights[i * s->classes + k]));
        }
        off += most;
    }
    long exponent;
    *target = fmpz_get_d_2exp(&exponent, s->targets + q);
    *target = ldexp(*target, (int)(exponent - shift));
    return (off + fabs(*target)) * 0x1p-51; /* fmpz_get_d_2exp may cut: one unit of 2^-52, doubled for the sum here */
}

/* A shift with which the largest number of the score is below 2^100. */
static long choose_shift(const ll_linear *s, long q)
{
    long bits = (long)fmpz_bits(s->targets + q);
    for (long i = 0; i < s->rows * s->classes; i++) {
        long b = (long)fmpz_bits(s->weights + q * s->rows * s->classes + i);
        bits = b > bits ? b : bits;
    }
    return bits > 100 ? bits - 100 : 0;
}

static void keep_fitting(ll_search_set *out, const ll_linear *s, const ll_search_result *near)
{
    fmpz_zero(out->count);
    out->kept = 0;
    out->complete = 1;
    memset(out->possible, 0, (size_t)s->rows * (size_t)s->classes);
    for (long i = 0; i < near->kept; i++) {
        const int32_t *labels = near->labellings + i * s->rows;
        if (!ll_linear_fits(s, labels))
            continue;
        memcpy(out->labellings + out->kept * s->rows, labels, sizeof *labels * (size_t)s->rows);
        fmpz_one(out->arrangements + out->kept++);
        fmpz_add_ui(out->count, out->count, 1);
        for (long row = 0; row < s->rows; row++)
            out->possible[row * s->classes + labels[row]] = 1;
    }
}

static ll_status search(ll_search_set *out, const ll_linear *s, double *weights, long limit, double seconds,
                        int threads, ll_error *error)
{
    double target;
    long key = 0, shift, exponent;
    for (long q = 1; q < s->scores; q++)
        key = ll_linear_spurious_bits_of(s, q) < ll_linear_spurious_bits_of(s, key) ? q : key;
    shift = choose_shift(s, key);
    double off = set_doubles(weights, &target, s, key, shift);
    double tolerance = fmpz_get_d_2exp(&exponent, s->tolerances + key);
    tolerance = ldexp(tolerance, (int)(exponent - shift)) * (1 + 0x1p-50) + off;
    ll_search_result near;
    if (ll_search_result_init(&near, s->rows, limit) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for %ld labellings", limit);
    ll_status status =
        ll_search_exhaustive(&near, weights, s->rows, s->classes, target, tolerance, limit, seconds, threads, error);
    if (status == LL_OK && near.count > (uint64_t)near.kept)
        status = ll_fail(error, LL_UNABLE,
                         "%llu labellings fit, more than the %ld that an exhaustive search lists: use the method meet",
                         (unsigned long long)near.count, limit);
    if (status == LL_OK)
        keep_fitting(out, s, &near);
    ll_search_result_clear(&near);
    return status;
}

ll_status ll_search_all(ll_search_set *out, const ll_linear *s, long limit, double seconds, int threads,
                        ll_error *error)
{
    double *weights = malloc(sizeof *weights * (size_t)s->rows * (size_t)s->classes);
    if (weights == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", s->rows);
    ll_status status = search(out, s, weights, limit, seconds, threads, error);
    free(weights);
    return status;
}
