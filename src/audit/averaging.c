/* What averaging gets out of many answers (docs/proofs/hadamard.md). Where noise does not drown the score itself, that
 * is the forecast of message passing. Under wider noise every row is read by itself: an answer moves by W/N with a
 * label, and has the error of the noise and of the other rows; over Q answers that is a distance of sqrt(Q) W/N between
 * two labels. */
#include "audit/audit_private.h"

#include <math.h>
#include <stdio.h>

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

void ll_average_drop_rounding(ll_scorer *scorer, const ll_channel *c)
{
    int random = c->noise == LL_NOISE_GAUSSIAN || c->noise == LL_NOISE_LAPLACE;
    if (random && c->grid > 0 && c->grid < c->noise_size / 4)
        scorer->rounding = LL_ROUND_NONE;
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
    ll_average_drop_rounding(&same, c);
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
    double share = random ? wide_noise_share(c, queries) : c->guess;
    if (!random || !(c->noise_size > c->spread))
        share = fmax(share, forecast(c, scorer, queries));
    return fmin(share, ll_limit_share(c, queries));
}

/* Answers for all labels: a wrong one has probability normal(-distance / 2), with as many answers as rows at least, so
 * that rows do not disturb each other. */
static double queries_for_all(const ll_channel *c, double failure)
{
    double apart = 0;
    while ((double)c->rows * ((double)c->classes - 1) * ll_limit_normal(-apart / 2) > failure && apart < 80)
        apart += 0.01;
    apart *= c->classes > 2 ? M_SQRT2 : 1;
    double each = noise_against_one(c, INFINITY) / c->sensitivity;
    return fmax((double)c->rows + 1, ceil(apart * apart * each * each));
}

void ll_average_choice(ll_plan_choice *out, const ll_channel *c, const ll_scorer *scorer, const char *code,
                       double failure)
{
    double queries = queries_for_all(c, failure), rows = (double)c->rows;
    *out = (ll_plan_choice){.code = code, .guarantee = LL_LIKELY, .block = c->rows, .limit_block = c->rows};
    if (!c->is_linear || c->is_count || !(queries < 1e15)) {
        out->status = LL_DOMAIN;
        (void)snprintf(out->why, sizeof out->why, "no number of answers below 1e15 is enough under this noise");
        return;
    }
    double share = isinf(c->queries) ? 1 : ll_average_share(c, scorer, c->queries);
    out->queries = (long)queries;
    out->labels_per_query = rows / queries;
    out->score_bits = queries * fmax(1, ll_limit_bits_fixed(c));
    out->recovered = (long)fmax(0, (share - c->guess) / (1 - c->guess) * rows);
}
