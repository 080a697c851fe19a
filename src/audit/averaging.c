/* What averaging gets out of many answers (docs/proofs/hadamard.md). Where noise does not drown the score itself, that
 * is the forecast of message passing. Under wider noise every row is read by itself: an answer moves by W/N with a
 * label, and has the error of the noise and of the other rows; over Q answers that is a distance of sqrt(Q) W/N between
 * two labels. */
#include "audit/audit_private.h"

#include <math.h>

/* Per answer, what counts against a small shift: for Laplace noise its median is known as well as a normal mean of
 * standard deviation b. The other rows count as noise too, as far as the answers are too few to tell them apart. */
static double noise_against_one(const ll_channel *c, double queries)
{
    double noise = c->noise == LL_NOISE_BOUNDED ? c->noise_size / sqrt(3) : c->noise_size;
    double others = isfinite(c->spread) ? c->spread : 0;
    return sqrt(noise * noise + c->grid * c->grid / 12 + others * others * fmax(0, 1 - queries / (double)c->rows));
}

/* Two labels `distance` apart, with prior odds. */
static double share_of_two(double guess, double distance)
{
    if (distance < 1e-9)
        return guess;
    double odds = log(guess / (1 - guess)) / distance;
    return guess * ll_limit_normal(distance / 2 + odds) + (1 - guess) * ll_limit_normal(distance / 2 - odds);
}

/* The largest of K normal numbers, one of them raised so that any two means are `distance` apart: the integral of phi(x
 * - distance / sqrt 2) Phi(x)^(K-1). */
static double share_of_many(double classes, double distance)
{
    const int steps = 400;
    double raised = distance / M_SQRT2, sum = 0, width = 16.0 / steps;
    for (int i = 0; i < steps; i++) {
        double x = raised - 8 + (i + 0.5) * width, off = x - raised;
        sum += exp(-off * off / 2) * pow(ll_limit_normal(x), classes - 1);
    }
    return sum * width / sqrt(2 * M_PI);
}

static double wide_noise_share(const ll_channel *c, double queries)
{
    double distance = sqrt(queries) * c->sensitivity / noise_against_one(c, queries);
    if (c->classes == 2)
        return share_of_two(c->guess, distance);
    return fmax(c->guess,
                share_of_many((double)c->classes, distance / M_SQRT2)); /* two labels differ in half of them */
}

/* Predictions that are labels count matches: squared error of the same labels, which are allowed to be probabilities.
 */
static double forecast(const ll_channel *c, const ll_scorer *scorer, double queries)
{
    ll_forecast out;
    ll_scorer same = *scorer;
    if (c->is_count) {
        same.loss = "squared";
        same.profile = NULL;
    }
    same.queries = 0;
    return ll_predict_share(&out, &same, (long)fmin(queries, 1e6), NULL) == LL_OK ? fmax(c->guess, out.share)
                                                                                  : c->guess;
}

double ll_average_share(const ll_channel *c, const ll_scorer *scorer, double queries)
{
    int random = c->noise == LL_NOISE_GAUSSIAN || c->noise == LL_NOISE_LAPLACE;
    if (!c->is_linear || !(queries >= 1) || !(c->sensitivity > 0) || !isfinite(c->sensitivity) ||
        scorer->ladder != NULL)
        return c->guess;
    if (random && isinf(queries))
        return 1;
    if (random && isfinite(c->spread) && c->noise_size > c->spread)
        return fmin(wide_noise_share(c, queries), ll_limit_share(c, queries));
    return forecast(c, scorer, queries);
}
