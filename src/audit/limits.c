/* Bits, queries and shares. */
#include "audit/limits.h"

#include "metric/asked.h"

#include <math.h>

#define MORE LL_UP
#define TWO_PI_E 17.079468445347132

static double normal_chance(double x)
{
    return 0.5 * erfc(-x / M_SQRT2);
}

/* ---- bits of one answer ---- */

/* How many different answers there are: counts, points of a grid, decimals of some digits, floats. An error is an
 * answer, too; a Ladder may also give its old one. Noise that does not depend on the labels adds none: knowing it would
 * only help. */
static double answer_bits(const ll_channel *c)
{
    double bits = fmin(c->float_bits, c->fails ? log2(exp2(c->value_bits) + 1) : c->value_bits), old = c->old_answers;
    if (c->is_count)
        bits = fmin(bits, log2((double)c->rows + 1));
    if (c->grid > 0 && isfinite(c->range))
        bits = fmin(bits, log2(ceil(c->range / c->grid * MORE) + 2));
    if (c->digits > 0) { /* a sign, 9 10^(S-1) mantissas and the decades that doubles have */
        double decades = isfinite(c->float_bits) ? 640 : INFINITY;
        bits = fmin(bits, 1 + log2(9) + (c->digits - 1) * log2(10) + log2(decades));
    }
    bits = old > 0 ? log2(exp2(bits) + old) : bits;
    if (c->stairs.own > 0) /* an answer has two parts */
        return log2((c->stairs.levels + 1) * (c->stairs.own + 1) + c->fails);
    return c->stairs.levels > 0 ? fmin(bits, log2(c->stairs.levels + 1 + c->fails)) : bits;
}

static double square(double x)
{
    return x * x;
}

/* Counts told: does the size of noise in proportion follow the labels themselves? */
static int known_sizes_reveal(const ll_channel *c)
{
    return c->size_bits > 0 && ll_limit_follows_labels(c, c->proportion);
}

/* The signal's variance is at most `variance`. Of bounded noise nothing is known but its bound: it may be a constant,
 * which takes nothing away. */
static double noise_bits(const ll_channel *c, double variance)
{
    double size = c->noise_size;
    return size > 0 && c->noise->bits != NULL ? c->noise->bits(variance, size) : INFINITY;
}

/* Noise of c times the submission's spread: N/2 ln(1 + 1/(N c^2)) nats for N independent labels, whatever is asked, and
 * what its size tells (docs/proofs/proportional.md). Labels that are not independent: the number lies in an interval no
 * longer than sqrt(N) times the root of the squares that the noise counts with; of sizes that follow labels nothing is
 * known (docs/proofs/told-counts.md). */
static double proportional_bits(const ll_channel *c)
{
    if (!(c->proportion > 0))
        return INFINITY;
    if (c->is_known)
        return known_sizes_reveal(c) ? INFINITY : 0.5 * log2(1 + (double)c->rows * square(c->swing / c->proportion));
    return ll_proportion_revealed(c->rows, c->proportion) +
           (ll_limit_follows_labels(c, c->proportion) ? c->size_bits : 0);
}

int ll_limit_follows_labels(const ll_channel *c, double proportion)
{
    return !c->may_ignore || ll_noise_follows(c->size_bits, c->rows, proportion);
}

/* A signal in an interval of length range has at most the variance of its two ends. */
static double ranged_noise_bits(const ll_channel *c)
{
    double bits = fmin(noise_bits(c, c->range * c->range / 4), proportional_bits(c));
    int knows_range = c->noise_size > 0 && c->noise->ranged_bits != NULL;
    return knows_range ? fmin(bits, c->noise->ranged_bits(c->range, c->noise_size)) : bits;
}

int ll_limit_fails(const ll_channel *c, int follows)
{
    return c->fails && !(follows && c->size_bits > 0);
}

double ll_limit_bits_alone(const ll_channel *c)
{
    if (c->numbers > 0)
        return c->alone_bits;
    double bits = fmin(answer_bits(c), c->table_alone);
    if (!ll_limit_fails(c, c->proportion > 0)) /* what noise hides, failing does not */
        bits = fmin(bits, ranged_noise_bits(c));
    return bits * MORE;
}

double ll_limit_bits(const ll_channel *c)
{
    return c->numbers > 0 ? c->joint_bits : fmin(ll_limit_bits_alone(c), c->table_bits * MORE);
}

/* Entropy of an integer with standard deviation sd + blur, blur what rounding to integers may add. */
static double entropy_of_spread(double sd, double blur)
{
    return 0.5 * log2(TWO_PI_E * ((sd + blur) * (sd + blur) + 1.0 / 12));
}

/* A float that is the sum of nonnegative terms, each of two values at even odds: its fraction, and its exponent, which
 * the largest term that came out large fixes up to log2(N + 1) + 3 values. */
static double float_entropy(const ll_channel *c)
{
    return c->fraction_bits + 2 + log2(log2((double)c->rows + 1) + 3);
}

double ll_limit_bits_alone_fixed(const ll_channel *c)
{
    double bits = ll_limit_bits_alone(c);
    if (c->numbers > 0)
        return fmin(bits, c->once_bits + c->joint_fixed);
    bits = fmin(bits, (c->once_bits + c->table_fixed) * MORE);
    int is_even = c->classes == 2 && c->guess == 0.5 && !c->is_known;
    if (isfinite(c->float_bits) && c->is_linear && is_even && !c->old_answers)
        bits = fmin(bits, float_entropy(c) * MORE);
    if (!isfinite(c->spread) || c->old_answers)
        return bits;
    bits = fmin(bits, noise_bits(c, c->spread * c->spread) * MORE);
    if (c->is_count)
        bits = fmin(bits, entropy_of_spread(c->spread / c->scale * (double)c->rows, 0) * MORE);
    if (c->grid > 0)
        bits = fmin(bits, entropy_of_spread(c->spread / c->grid, 0.5) * MORE);
    return bits;
}

double ll_limit_bits_fixed(const ll_channel *c)
{
    return c->numbers > 0 ? c->joint_fixed : fmin(ll_limit_bits_alone_fixed(c), c->table_fixed * MORE);
}

/* A submission that fails in a way that is seen is one more answer to each. Each of several numbers has staircases of its
 * own. */
double ll_limit_staircase_bits(const ll_channel *c, double queries)
{
    double each = ll_staircases_bits(&c->stairs, queries) + (c->fails ? queries : 0);
    return (c->numbers > 0 ? (double)c->numbers : 1) * each * MORE;
}

static double bits_of_all(const ll_channel *c, double queries)
{
    if (queries <= 0)
        return 0;
    double each = fmin(c->once_bits + queries * ll_limit_bits(c), queries * ll_limit_bits_alone(c));
    return fmin(each, ll_limit_staircase_bits(c, queries));
}

double ll_limit_queries(const ll_channel *c, double bits, double alone)
{
    double all = (double)c->rows * c->label_bits;
    if (all <= 0)
        return 0;
    if (!(bits > 0 && alone > 0))
        return INFINITY;
    return fmax(1, ceil(fmax((all - c->once_bits) / bits, all / alone) / MORE));
}

/* ---- shares ---- */

/* h(d) + d log2(K - 1): what is left open of a label that is wrong with probability d */
static double open_bits(double d, long classes)
{
    double h = d <= 0 || d >= 1 ? 0 : -d * log2(d) - (1 - d) * log2(1 - d);
    return h + d * log2((double)classes - 1);
}

/* Fano's inequality for all labels: also where they are not independent, label_bits being their entropy over rows. */
static double fano_share(const ll_channel *c, double bits)
{
    double missing = c->label_bits - bits, low = 0, high = 1 - 1 / (double)c->classes;
    if (!(missing > 0))
        return 1;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (open_bits(middle, c->classes) < missing * (1 - 0x1p-40))
            low = middle;
        else
            high = middle;
    }
    return fmax(c->guess, fmin(1, 1 - low));
}

double ll_limit_share_of_bits(const ll_channel *c, double bits)
{
    double share = fano_share(c, bits);
    for (int way = 0; way < LL_CYCLE_WAYS && c->is_known; way++)
        share = fmin(share, ll_cycles_share_of_bits(&c->cycles[way], bits * (double)c->rows));
    return share;
}

/* Noise in proportion, known counts: G cycles of m rows or fewer, each of which moves the number by no more than its
 * rows do together. */
static double cycles_share(const ll_channel *c, double queries)
{
    double share = 1;
    if (!(c->proportion > 0) || known_sizes_reveal(c) || ll_limit_fails(c, 1))
        return 1;
    for (int way = 0; way < LL_CYCLE_WAYS; way++) {
        const ll_cycles *cycles = &c->cycles[way];
        double open = ll_cycles_open(cycles), each = c->proportion / c->swing / sqrt(cycles->longest);
        double bits = open > 0 ? queries * open / 2 * log2(1 + 1 / (open * each * each)) * MORE : 0;
        share = fmin(share, ll_cycles_share_of_bits(cycles, bits));
    }
    return share;
}

double ll_limit_share(const ll_channel *c, double queries)
{
    if (isinf(queries))
        return 1;
    double bits = bits_of_all(c, queries) / (double)c->rows;
    double share = fmin(ll_limit_share_of_bits(c, bits), ll_limit_private_share(c, queries));
    return c->is_known && queries > 0 ? fmax(c->guess, fmin(share, cycles_share(c, queries))) : share;
}

/* ---- privacy ---- */

static int is_normal(const ll_channel *c)
{
    return c->noise != NULL && c->noise->is_normal;
}

static int bounds_odds(const ll_channel *c)
{
    return c->noise != NULL && c->noise->bounds_odds;
}

/* Gaussian: rho = queries sensitivity^2 / (2 sigma^2), epsilon = rho + 2 sqrt(rho ln(1/delta)). */
double ll_limit_epsilon(const ll_channel *c, double queries, double delta)
{
    if (queries <= 0)
        return 0;
    if (bounds_odds(c))
        return queries * c->sensitivity / c->noise_size;
    if (!is_normal(c))
        return INFINITY;
    double each = c->sensitivity / c->noise_size, rho = queries * each * each / 2;
    return rho + 2 * sqrt(rho * log(1 / delta));
}

/* A turn of a cycle changes so many labels, one after the other. */
static double turn_of_epsilon(const void *epsilon, int length)
{
    return 1 / (1 + (length - 1) * exp(-*(const double *)epsilon * length));
}

static double known_share_of_epsilon(const ll_channel *c, double epsilon)
{
    double share = 1;
    for (int way = 0; way < LL_CYCLE_WAYS; way++)
        share = fmin(share, ll_cycles_share(&c->cycles[way], turn_of_epsilon, &epsilon));
    return share;
}

double ll_limit_share_of_epsilon(const ll_channel *c, double epsilon)
{
    if (c->guess >= 1)
        return 1;
    if (c->is_known)
        return known_share_of_epsilon(c, epsilon);
    return 1 / (1 + (1 / c->guess - 1) * exp(-epsilon)) * MORE;
}

static double known_epsilon_of_share(const ll_channel *c, double share)
{
    double low = 0, high = 100;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        *(known_share_of_epsilon(c, middle) <= share ? &low : &high) = middle;
    }
    return low;
}

double ll_limit_epsilon_of_share(const ll_channel *c, double share)
{
    if (share <= c->guess)
        return 0;
    if (c->is_known && share < 1)
        return known_epsilon_of_share(c, share);
    return share < 1 ? log(share / (1 - share) * (1 / c->guess - 1)) : INFINITY;
}

/* The best test between two normal laws that are `distance` standard deviations apart, with prior odds. */
static double normal_share(double guess, double distance)
{
    if (distance <= 0)
        return guess;
    double odds = log(guess / (1 - guess)) / distance;
    return guess * normal_chance(distance / 2 + odds) + (1 - guess) * normal_chance(distance / 2 - odds);
}

/* The x with normal(x) = share. */
static double normal_quantile(double share)
{
    double low = -40, high = 40;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (normal_chance(middle) < share)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* K labels alike: the answers that mean label k have, under label 0, probabilities that sum to 1; under label k at most
 * what a test of that size reaches. That is concave, so equal probabilities are the best. */
static double normal_share_many(double classes, double distance)
{
    return normal_chance(normal_quantile(1 / classes) + distance);
}

/* Of so many standard deviations between two labels. */
static double gaussian_share(const ll_channel *c, double distance)
{
    if (c->classes == 2)
        return fmin(1, normal_share(c->guess, distance) * MORE);
    return c->guess * (double)c->classes == 1 ? fmin(1, normal_share_many((double)c->classes, distance) * MORE) : 1;
}

static double joint_private_share(const ll_channel *c, double queries)
{
    double laplace = fmin(1, ll_limit_share_of_epsilon(c, queries * c->joint_epsilon));
    if (!isfinite(queries) || !isfinite(c->joint_distance))
        return laplace;
    return fmin(laplace, gaussian_share(c, sqrt(queries) * c->joint_distance));
}

/* What all answers may do to the odds of a turn, and how far they set two turns apart: labels change one after the
 * other, and no number moves by more than its range. */
typedef struct {
    const ll_channel *channel;
    double queries;
} turns;

static double turn_of_noise(const void *state, int length)
{
    const turns *t = state;
    const ll_channel *c = t->channel;
    double epsilon = INFINITY, distance = INFINITY;
    if (c->numbers > 0) {
        epsilon = length * c->joint_epsilon;
        distance = length * c->joint_distance;
    } else if (c->noise_size > 0) {
        double most = isfinite(c->sensitivity) ? c->range : INFINITY;
        double moves = fmin(length * c->sensitivity, most) / c->noise_size;
        epsilon = bounds_odds(c) ? moves : INFINITY;
        distance = is_normal(c) ? moves : INFINITY;
    }
    double laplace = 1 / (1 + (length - 1) * exp(-t->queries * epsilon));
    return fmin(1, fmin(laplace, normal_share_many(length, sqrt(t->queries) * distance)) * MORE);
}

static double known_private_share(const ll_channel *c, double queries)
{
    double share = 1;
    const turns t = {c, queries};
    for (int way = 0; way < LL_CYCLE_WAYS && isfinite(queries); way++)
        share = fmin(share, ll_cycles_share(&c->cycles[way], turn_of_noise, &t));
    return fmax(c->guess, share);
}

double ll_limit_private_share(const ll_channel *c, double queries)
{
    if (queries <= 0)
        return c->guess;
    if (c->is_known)
        return known_private_share(c, queries);
    if (c->numbers > 0)
        return joint_private_share(c, queries);
    int is_alike = c->classes == 2 || c->guess * (double)c->classes == 1;
    if (is_normal(c) && is_alike && isfinite(queries))
        return gaussian_share(c, sqrt(queries) * c->sensitivity / c->noise_size);
    double epsilon = bounds_odds(c) ? ll_limit_epsilon(c, queries, 0) : INFINITY;
    return fmin(1, ll_limit_share_of_epsilon(c, epsilon));
}

/* Bits for each label that keep the share of right labels at or below `share`: Fano's inequality again; 0 where
 * guessing does as well. */
static double bits_of_share(const ll_channel *c, double share)
{
    if (share >= 1)
        return c->label_bits;
    double wrong = fmin(1 - share, 1 - 1 / (double)c->classes);
    return fmax(0, c->label_bits - open_bits(wrong, c->classes)) * (1 - 0x1p-30);
}

/* m/(2 c^2 ln 2) bits an answer for cycles of up to m rows; and large enough not to follow labels where it may. */
static double known_proportional(const ll_channel *c, double queries, double share)
{
    double least = INFINITY, ignores = c->may_ignore ? 1 / sqrt(2 * M_LN2 * c->size_bits * (1 - 1e-6)) : 0;
    if (!c->may_ignore && c->size_bits > 0)
        return INFINITY;
    for (int way = 0; way < LL_CYCLE_WAYS; way++) {
        double bits = ll_cycles_bits_of_share(&c->cycles[way], share), length = c->cycles[way].longest;
        if (bits > 0)
            least = fmin(least, c->swing * sqrt(queries * length / (2 * M_LN2 * bits)) * MORE);
    }
    return fmax(least, ignores);
}

/* 1/(2 c^2 ln 2) bits an answer is at least what proportional_bits says. Noise that may ignore the labels does so from
 * where the rest tells less than its size would. */
double ll_limit_proportional(const ll_channel *c, double queries, double share)
{
    if (c->is_known)
        return known_proportional(c, queries, share);
    double all = (double)c->rows * bits_of_share(c, share), size = queries * c->size_bits * MORE;
    int ignores = c->may_ignore && all < 2 * size;
    double bits = ignores ? fmin(all, size * (1 - 1e-6)) : all - size;
    return bits > 0 ? sqrt(queries / (2 * M_LN2 * bits)) * MORE : INFINITY;
}

double ll_limit_size_of_share(const ll_channel *c, const ll_law *law, double queries, double share)
{
    ll_channel noisy = *c;
    double low = 0, high = c->sensitivity;
    noisy.noise = law;
    noisy.noise_size = high;
    while (ll_limit_share(&noisy, queries) > share && isfinite(high))
        noisy.noise_size = high *= 2;
    for (int i = 0; i < 100 && isfinite(high); i++) {
        noisy.noise_size = (low + high) / 2;
        if (ll_limit_share(&noisy, queries) > share)
            low = noisy.noise_size;
        else
            high = noisy.noise_size;
    }
    return high;
}

double ll_limit_laplace(const ll_channel *c, double queries, double epsilon)
{
    return queries * c->sensitivity / epsilon;
}

double ll_limit_gaussian(const ll_channel *c, double queries, double epsilon, double delta)
{
    double open = log(1 / delta), root = epsilon / (sqrt(open + epsilon) + sqrt(open)); /* of rho */
    return c->sensitivity * sqrt(queries / 2) / root;
}
