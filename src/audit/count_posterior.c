/* A row's label y is 1 with probability s. The number of right labels of a submission has the covariance s(1-s)(N - 2d)
 * with that of another one that differs in d rows, and s(1-s) or -s(1-s) with y. An update by one interval is the
 * rank-one update of a Gaussian process. */
#include "audit/count_posterior.h"

#include "number/text_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ll_status ll_count_posterior_init(ll_count_posterior *p, long rows, long most, double share, ll_error *error)
{
    size_t room = (size_t)most;
    *p = (ll_count_posterior){.rows = rows, .words = (rows + 63) / 64, .most = most, .share = share};
    p->predicted = calloc(room * (size_t)p->words, sizeof *p->predicted);
    p->weights = calloc(room, sizeof *p->weights);
    p->precision = calloc(room * room, sizeof *p->precision);
    p->links = calloc(room, sizeof *p->links);
    p->directions = calloc(room, sizeof *p->directions);
    if (p->predicted == NULL || p->weights == NULL || p->precision == NULL || p->links == NULL || p->directions == NULL)
        return ll_fail(error, LL_MEMORY, "no memory to weigh %ld rows", rows);
    return LL_OK;
}

void ll_count_posterior_clear(ll_count_posterior *p)
{
    free(p->predicted);
    free(p->weights);
    free(p->precision);
    free(p->links);
    free(p->directions);
}

static double variance_of_label(const ll_count_posterior *p)
{
    return p->share * (1 - p->share);
}

static double expect(const ll_count_posterior *p, const uint64_t *predicted)
{
    long ones = 0;
    for (long w = 0; w < p->words; w++)
        ones += __builtin_popcountll(predicted[w]);
    return p->share * (double)ones + (1 - p->share) * (double)(p->rows - ones);
}

static double covariance(const ll_count_posterior *p, const uint64_t *a, const uint64_t *b)
{
    long different = 0;
    for (long w = 0; w < p->words; w++)
        different += __builtin_popcountll(a[w] ^ b[w]);
    return variance_of_label(p) * (double)(p->rows - 2 * different);
}

/* directions = -precision links; what is returned is links' precision links. */
static double turn(ll_count_posterior *p)
{
    double known = 0;
    for (long i = 0; i < p->count; i++) {
        double sum = 0;
        for (long j = 0; j < p->count; j++)
            sum += p->precision[i * p->most + j] * p->links[j];
        p->directions[i] = -sum;
        known += sum * p->links[i];
    }
    return known;
}

void ll_count_posterior_look(ll_count_posterior *p, const uint64_t *predicted, double *mean, double *variance)
{
    *mean = expect(p, predicted);
    for (long i = 0; i < p->count; i++) {
        p->links[i] = covariance(p, predicted, p->predicted + i * p->words);
        *mean += p->links[i] * p->weights[i];
    }
    *variance = fmax(variance_of_label(p) * (double)p->rows - turn(p), 1e-6);
}

static double density(double z)
{
    return isinf(z) ? 0 : exp(-z * z / 2) / sqrt(2 * M_PI);
}

double ll_gaussian_above(double mean, double variance, double x)
{
    return erfc((x - mean) / sqrt(2 * variance)) / 2;
}

/* The mean and the variance of a standard Gaussian within [a, b]. */
static void truncate_gaussian(double *mean, double *variance, double a, double b)
{
    static const double hopeless = 1e-9; /* then it sits at the nearer end */
    double part = a > 0 ? ll_gaussian_above(0, 1, a) - ll_gaussian_above(0, 1, b)
                        : ll_gaussian_above(0, 1, -b) - ll_gaussian_above(0, 1, -a);
    *variance = 1e-3;
    *mean = a > 0 ? a : fmin(b, 0);
    if (!(part > hopeless))
        return;
    double ends = (isinf(a) ? 0 : a * density(a)) - (isinf(b) ? 0 : b * density(b));
    *mean = (density(a) - density(b)) / part;
    *variance = fmin(1, fmax(1e-3, 1 + ends / part - *mean * *mean));
}

void ll_count_posterior_learn(ll_count_posterior *p, const uint64_t *predicted, double low, double high)
{
    double mean, variance, moved, left;
    ll_count_posterior_look(p, predicted, &mean, &variance);
    double width = sqrt(variance);
    truncate_gaussian(&moved, &left, (low - mean) / width, (high - mean) / width);
    p->directions[p->count] = 1;
    memcpy(p->predicted + p->count * p->words, predicted, (size_t)p->words * sizeof *predicted);
    p->count++;
    for (long i = 0; i < p->count; i++) {
        p->weights[i] += p->directions[i] * moved / width;
        for (long j = 0; j < p->count; j++)
            p->precision[i * p->most + j] += p->directions[i] * p->directions[j] * (1 - left) / variance;
    }
}

void ll_count_posterior_rows(const ll_count_posterior *p, double *out)
{
    double sum = 0, size = 2 * variance_of_label(p);
    for (long t = 0; t < p->count; t++)
        sum += p->weights[t];
    for (long i = 0; i < p->rows; i++)
        out[i] = p->share - size / 2 * sum;
    for (long t = 0; t < p->count; t++) {
        const uint64_t *predicted = p->predicted + t * p->words;
        double step = size * p->weights[t];
        for (long i = 0; i < p->rows; i++)
            out[i] += (double)(predicted[i / 64] >> (i % 64) & 1) * step;
    }
}
