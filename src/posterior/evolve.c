/* Message passing with random signs in the limit of many rows: its two precisions follow a recursion of two numbers
 * (state evolution), in which every z is Gaussian around p with variance 1/tau, p with what is left of rows/4, and
 * every x is seen through Gaussian noise of precision gamma. Where the recursion comes to rest, gamma tells the share
 * of right labels.
 *
 * Averages over p are sums over equal steps, which is as good as exact for Gaussians; over the interval in which a
 * score falls, sums of what the intervals near p contribute; over labels and noise of more than two classes, sums over
 * draws that are the same in every round. */
#include "number/random.h"
#include "posterior/posterior.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 400, STEPS = 30, DRAWS = 1500 };

typedef struct {
    const ll_posterior_channel *channel;
    ll_quadrature rule;
    int label_bits, groups;
    double lines; /* queries that ask about one bit of a row */
    double *log_prior, *shares, *means, *evidence, *normals;
} work;

static double normal_tail(double x)
{
    return erfc(x * M_SQRT1_2) / 2;
}

/* ---- scores ---- */

/* Average over the intervals in which z + noise may fall of the variance of z, z ~ N(p, deviation^2). place: where 0
 * stands in its interval. */
static double average_intervals(const work *w, double p, double deviation, double grid, double place)
{
    const ll_posterior_noise *noise = &w->channel->noise;
    int is_normal = noise->law != NULL && noise->law->is_normal;
    double tail = noise->law != NULL ? noise->law->far * noise->size : 0;
    double wide = is_normal ? hypot(deviation, noise->size) : deviation;
    double first = floor((p - 7 * wide - tail) / grid + place - 0.5);
    long count = lrint(ceil((p + 7 * wide + tail) / grid + place) - first) + 1;
    double sum = 0, mass = 0;
    for (long i = 0; i < count; i++) {
        ll_observed about;
        double low = (first + (double)i - 0.5 - place) * grid;
        ll_law_observe(noise->law, &w->rule, &about, noise->size, low, low + grid, p, deviation);
        double probability = exp(about.log_mass);
        if (!(probability > 1e-14))
            continue;
        sum += probability * about.variance;
        mass += probability;
    }
    return mass > 0 ? sum / mass : deviation * deviation;
}

/* The variance that is left where the prior of z is flat: noise and interval alone. */
static double flat_variance(const ll_posterior_channel *c)
{
    double variance = c->noise.law != NULL ? c->noise.law->variance : 0, size = c->noise.size;
    return c->grid * c->grid / 12 + variance * size * size;
}

/* Average variance of z once its score is known. */
static double score_variance(const work *w, double tau)
{
    const ll_posterior_channel *c = w->channel;
    double deviation = 1 / sqrt(tau), spread = sqrt(fmax((double)c->rows / 4 - 1 / tau, 0)), flat = flat_variance(c);
    double grid = c->grid;
    if (deviation > (c->noise.law == NULL ? 10 : 30) * sqrt(flat))
        return flat;
    /* A grid no wider than Gaussian noise is as good as noise of its variance: what is left out are harmonics of the
     * density, exp(-2 pi^2) of it at most. Sums over a grid far finer than the noise would take as long as it is fine.
     */
    int is_fine = c->noise.law != NULL && grid <= c->noise.size / c->noise.law->fine;
    if (is_fine && c->noise.law->is_normal)
        return flat / (1 + flat * tau);
    if (is_fine) /* read finely: the same wherever z stands */
        return average_intervals(w, 0, deviation, c->noise.size / c->noise.law->fine, 0);
    double sum = 0, mass = 0;
    for (int i = -STEPS; i <= STEPS; i++) {
        double u = 5.0 * i / STEPS, weight = exp(-u * u / 2);
        double place = isnan(c->place) ? (i + STEPS) * 0.6180339887498949 : c->place;
        sum += weight * average_intervals(w, spread * u, deviation, grid, place - floor(place));
        mass += weight;
    }
    return sum / mass;
}

/* ---- labels ---- */

/* Two classes alike: x = +-1/2 through noise of precision gamma; mean of the variance that is left. */
static double two_classes(double gamma)
{
    double h = sqrt(gamma) / 2, sum = 0, mass = 0;
    for (int i = -STEPS; i <= STEPS; i++) {
        double u = 8.0 * i / STEPS, weight = exp(-u * u / 2);
        sum += weight * 2 / (1 + exp(fmin(2 * (h * h + h * u), 700))); /* 1 - tanh */
        mass += weight;
    }
    return fmin(sum / mass, 1) / 4;
}

static long draw_label(const ll_posterior_channel *c, double u)
{
    long k = 0;
    for (double sum = 0; k < c->classes - 1; k++) {
        sum += c->prior != NULL ? c->prior[k] : 1 / (double)c->classes;
        if (u < sum)
            break;
    }
    return k;
}

/* The same for any classes and prior; *share: of right labels. */
static double many_classes(const work *w, double gamma, double *share)
{
    const ll_posterior_channel *c = w->channel;
    double variance = 0, right = 0;
    for (long d = 0; d < DRAWS; d++) {
        long label = draw_label(c, ((double)d + 0.5) / DRAWS);
        double most = 0;
        for (int t = 1; t <= w->groups; t++) {
            double x = __builtin_parityl((unsigned long)label & (unsigned long)t) ? 0.5 : -0.5;
            w->evidence[t] = gamma * x + sqrt(gamma) * w->normals[d * w->groups + t - 1];
        }
        ll_posterior_row(w->shares, w->means, w->evidence, w->log_prior, c->classes, w->label_bits);
        for (int t = 1; t <= w->groups; t++)
            variance += 0.25 - w->means[t] * w->means[t];
        for (long k = 0; k < c->classes; k++)
            most = fmax(most, w->shares[k]);
        right += most;
    }
    *share = right / DRAWS;
    return fmax(variance / (DRAWS * (double)w->groups), 0);
}

static double label_variance(const work *w, double gamma, double *share)
{
    if (w->channel->classes > 2 || w->channel->prior != NULL)
        return many_classes(w, gamma, share);
    *share = normal_tail(-sqrt(gamma) / 2);
    return two_classes(gamma);
}

/* ---- failure ---- */

/* Probability that a query whose z moves by 1 still falls into the same interval. */
static double stays(const ll_posterior_channel *c)
{
    double deviation = sqrt((double)c->rows) / 2, place = isnan(c->place) ? 0.25 : c->place, moved = 0;
    if (c->noise.law != NULL || c->grid <= 1)
        return 0;
    double reach = ceil(9 * deviation / c->grid) + 1;
    if (reach > 64)
        return 1 - 1 / c->grid;
    for (long i = -lrint(reach); i <= lrint(reach); i++) {
        double end = ((double)i + 0.5 - place) * c->grid;
        moved += normal_tail((end - 1) / deviation) - normal_tail(end / deviation);
    }
    return fmax(1 - moved, 0);
}

/* Another label of one row differs in half of 2^m bits, each seen by `lines` queries. */
static double failure_of(const work *w, double gamma)
{
    const ll_posterior_channel *c = w->channel;
    double bits = (double)(1L << w->label_bits) / 2, others = (double)c->rows * (double)(c->classes - 1);
    double unseen = stays(c);
    double blind = unseen > 0 ? exp(bits * w->lines * log(unseen)) : 0;
    return others * (normal_tail(sqrt(bits * gamma) / 2) + blind);
}

/* ---- the recursion ---- */

static int prepare(work *w)
{
    const ll_posterior_channel *c = w->channel;
    size_t places = (size_t)1 << w->label_bits, normals = (size_t)DRAWS * (size_t)w->groups;
    if (c->classes == 2 && c->prior == NULL)
        return 1;
    w->shares = malloc(sizeof *w->shares * (size_t)c->classes);
    w->means = malloc(sizeof *w->means * places);
    w->evidence = malloc(sizeof *w->evidence * places);
    w->normals = malloc(sizeof *w->normals * normals);
    w->log_prior = c->prior != NULL ? malloc(sizeof *w->log_prior * (size_t)c->classes) : NULL;
    if (w->shares == NULL || w->means == NULL || w->evidence == NULL || w->normals == NULL ||
        (c->prior != NULL && w->log_prior == NULL))
        return 0;
    for (size_t i = 0; i < normals; i++)
        w->normals[i] = ll_random_gaussian(0x50F7, 0, i);
    for (long k = 0; c->prior != NULL && k < c->classes; k++)
        w->log_prior[k] = log(fmax(c->prior[k], 1e-300));
    return 1;
}

static void clear(work *w)
{
    free(w->shares);
    free(w->means);
    free(w->evidence);
    free(w->normals);
    free(w->log_prior);
}

static void recur(ll_posterior_forecast *out, const work *w)
{
    const ll_posterior_channel *c = w->channel;
    double tau = 4 / (double)c->rows, gamma = 0, share = 0;
    for (int round = 0; round < ROUNDS; round++) {
        gamma = w->lines * tau * fmax(1 - score_variance(w, tau) * tau, 1e-14);
        double left = label_variance(w, gamma, &share), next = 1 / ((double)c->rows * fmax(left, 1e-14));
        if (fabs(next / tau - 1) < 1e-5 || left < 1e-9)
            break;
        tau = next;
    }
    *out = (ll_posterior_forecast){share, failure_of(w, gamma)};
}

ll_status ll_posterior_evolve(ll_posterior_forecast *out, const ll_posterior_channel *channel)
{
    work w = {.channel = channel, .label_bits = ll_posterior_bits(channel->classes)};
    w.groups = (1 << w.label_bits) - 1;
    w.lines = (double)channel->queries / w.groups;
    double odds = 0;
    ll_status status = prepare(&w) ? LL_OK : LL_MEMORY;
    if (status == LL_OK) {
        ll_quadrature_init(&w.rule);
        recur(out, &w);
        if (out->failure < 1) /* else it is no matter how much more */
            status = ll_posterior_forecast_odds(channel, &odds);
        out->failure += odds;
    }
    clear(&w);
    return status;
}
