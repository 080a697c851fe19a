/* Several numbers of one answer as one channel (docs/proofs/several.md). Numbers that are functions of the confusion
 * matrix tell together no more than the matrix: the class counts once, and in each answer a table with these sums. All
 * others tell at most what each of them does. */
#include "audit/joint_channel.h"

#include "audit/limits.h"
#include "scorer/reading.h"

#include <math.h>

#define TWO_PI_E 17.079468445347132

/* Is the number a function of label and predicted label, given what is predicted? Ranks are, where predictions are
 * labels.
 */
static int is_of_some_table(const ll_scorer *scorer, const ll_scorer *number)
{
    /* Each number of other rows; or rows that do not count alike. */
    if (scorer->groups != NULL || number->computation.is_weighted)
        return 0;
    return ll_metric_is_of_table(number->computation.metric, ll_metric_reads_labels(scorer->computation.metric));
}

/* Is it a function of the same table as the first that is one of any? Another threshold makes another table of the same
 * submission, which adds to what the first one tells. */
static int is_of_table(const ll_scorer *scorer, const ll_scorer *number)
{
    long first = 0;
    if (!is_of_some_table(scorer, number))
        return 0;
    while (!is_of_some_table(scorer, ll_scorer_get_number(scorer, first)))
        first++;
    return ll_reading_is_shared(number, ll_scorer_get_number(scorer, first));
}

/* log2 of C(n + k - 1, k - 1): ways to share n rows out over k classes. */
static double shared_out(double n, double k)
{
    return (lgamma(n + k) - lgamma(n + 1) - lgamma(k)) / M_LN2 * LL_UP + 1e-9;
}

/* The class counts are the same in all answers; beside them a table has K - 1 columns, the widest follows. One table
 * alone has K columns, each of which tells how its rows are shared out. */
static void set_table(ll_channel *c, const ll_scorer *scorer)
{
    double n = (double)c->rows, k = (double)c->classes;
    c->once_bits = c->is_known ? 0 : shared_out(n, k);
    c->table_bits = c->table_fixed = (k - 1) * shared_out(n / k, k);
    c->table_alone = fmin(c->once_bits + c->table_bits, k * shared_out(n / k, k));
    if (scorer->prior != NULL || c->is_known || c->rows < 2)
        return;
    double variance = n * n * (k - 1) * (k - 1) / (k * k * k * k * (n - 1));
    double cells = (k - 1) * (k - 1) * 0.5 * log2(TWO_PI_E * (variance + 1.0 / 12)) * LL_UP;
    c->table_fixed = fmin(c->table_bits, fmax(cells, 1));
}

void ll_channel_set_table(ll_channel *c, const ll_scorer *scorer)
{
    if (!is_of_some_table(scorer, scorer) || (c->is_sum && !c->is_count))
        return;
    set_table(c, scorer);
    c->table_bits += c->fails;
    c->table_fixed += c->fails;
    c->table_alone += c->fails;
}

/* Means over groups, each shown to a step of a grid, leave the mean of all rows an interval no longer than that step
 * and roundings, so its own text is one of three. */
static double bits_of_whole(const ll_scorer *scorer, double bits)
{
    const ll_release *r = &scorer->release;
    double boundary = 0, grid = ll_release_grid(r, &boundary), scale = 1, power = 1, roundings = 1e-9;
    ll_release_add_steps(r, &scale, &power);
    int is_mean = ll_metric_is_mean(scorer->computation.metric) && power == 1;
    return is_mean && ll_release_has_no_noise(r) && grid > roundings * fabs(scale) ? fmin(bits, log2(3) * LL_UP) : bits;
}

/* How well a label hides behind the noise of one number. Noise is drawn for each apart, so logarithms of odds add up,
 * and squares of distances in standard deviations do. */
static void add_noise(ll_joint *j, const ll_channel *c, int is_group)
{
    double ratio = c->noise_size > 0 ? c->sensitivity / c->noise_size : INFINITY;
    double epsilon = c->noise != NULL && c->noise->bounds_odds ? ratio : INFINITY;
    double square = c->noise != NULL && c->noise->is_normal ? ratio * ratio : INFINITY;
    if (is_group) {
        j->group_epsilon = fmax(j->group_epsilon, epsilon);
        j->group_square = fmax(j->group_square, square);
        return;
    }
    j->epsilon += epsilon;
    j->square += square;
}

static ll_status add_numbers(ll_joint *j, ll_channel *first, const ll_scorer *scorer, ll_error *error)
{
    ll_status status = LL_OK;
    for (long i = 0; i < ll_scorer_count_numbers(scorer) && status == LL_OK; i++) {
        const ll_scorer *number = ll_scorer_get_number(scorer, i);
        ll_channel c;
        status = ll_channel_init(&c, number, error);
        if (status != LL_OK)
            break;
        if (scorer->counts != NULL &&
            !c.is_known) { /* a group's rows: what is told of all says something of them, too */
            c.is_known = 1;
            c.share_variance = c.spread = INFINITY;
        }
        double bits = ll_limit_bits_alone(&c), fixed = ll_limit_bits_alone_fixed(&c);
        if (scorer->groups != NULL && i == 0) {
            bits = bits_of_whole(scorer, bits);
            fixed = fmin(fixed, bits);
        }
        *(is_of_table(scorer, number) ? &j->parts_bits : &j->other_bits) += bits;
        *(is_of_table(scorer, number) ? &j->parts_fixed : &j->other_fixed) += fixed;
        j->of_table += is_of_table(scorer, number);
        j->all_sums &= c.is_sum || number->reading != LL_READ_ALL;
        j->fails |= c.fails;
        j->fails_free |= c.fails_free;
        j->cost = fmax(j->cost, c.cost);
        add_noise(j, &c, scorer->groups != NULL && i > 0);
        if (i == 0)
            *first = c;
    }
    return status;
}

/* What is left of the first number's channel: its size and shape. Noise of one number says nothing of the others. */
static void join(ll_channel *c, const ll_joint *j)
{
    int as_table = j->of_table > 0 && c->table_bits < j->parts_bits;
    double fails = j->fails ? 1 : 0; /* failing is an answer more, which a table does not count: at most a bit */
    c->numbers = j->numbers;
    c->of_table = j->of_table;
    c->sum_bits = j->parts_bits + j->other_bits;
    c->once_bits = as_table ? c->once_bits : 0;
    c->joint_bits = (as_table ? c->table_bits + fails : j->parts_bits) + j->other_bits;
    double fixed = as_table ? fmin(c->table_fixed + fails, j->parts_fixed) : j->parts_fixed;
    c->joint_fixed = fmin(c->joint_bits, fixed + j->other_fixed);
    c->alone_bits = (as_table ? fmin(c->table_alone + fails, j->parts_bits) : j->parts_bits) + j->other_bits;
    c->joint_epsilon = j->fails ? INFINITY : j->epsilon + j->group_epsilon;
    c->joint_distance = j->fails ? INFINITY : sqrt(j->square + j->group_square);
    c->is_sum = j->all_sums;
    c->is_linear = c->is_count = c->old_answers = 0;
    c->fails = j->fails;
    c->fails_free = j->fails_free;
    c->noise = NULL;
    c->noise_size = c->proportion = 0;
    c->sensitivity = c->spread = INFINITY;
    c->cost = j->cost;
}

ll_status ll_channel_join(ll_channel *out, const ll_scorer *scorer, ll_error *error)
{
    ll_joint j = {.numbers = ll_scorer_count_numbers(scorer), .all_sums = 1};
    ll_status status = add_numbers(&j, out, scorer, error);
    if (status != LL_OK)
        return status;
    set_table(out, scorer);
    join(out, &j);
    return LL_OK;
}
