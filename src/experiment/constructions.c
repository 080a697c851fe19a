/* The paper's prediction vectors in doubles, each as its formula is printed (corrected only where the name says so),
 * with `scale` for N tau. Labels 0 .. K-1 stand for the paper's k = 1 .. K (docs/errata.md says why they must). */
#include "experiment/experiment.h"

#include <math.h>
#include <string.h>

/* x*(2^i scale), the nearest double (thm:linear_separable). */
static ll_status invert(double *x, double (*inverse)(double), const char *name, long i, double scale, ll_error *error)
{
    double weight = ldexp(scale, (int)i);
    if (!(weight >= 0 && weight < INFINITY))
        return ll_fail(error, LL_DOMAIN, "%s: no prediction has the weight 2^%ld * %g", name, i, scale);
    *x = inverse(weight);
    return LL_OK;
}

static ll_status fill_is_inverse(double *row, long classes, long i, double scale, ll_error *error)
{
    (void)classes;
    return invert(row, ll_inverse_itakura_saito, "itakura-saito", i, scale, error);
}

static ll_status fill_ce_inverse(double *row, long classes, long i, double scale, ll_error *error)
{
    (void)classes;
    return invert(row, ll_inverse_log_loss, "log-loss", i, scale, error);
}

/* cor:IS: (1 + 3^(2^i N tau))^-1 */
static ll_status fill_is_closed(double *row, long classes, long i, double scale, ll_error *error)
{
    (void)classes;
    (void)error;
    row[0] = 1 / (1 + pow(3, ldexp(scale, (int)i)));
    return LL_OK;
}

/* thm:multi_class_proof: 3^(2^((n-1)K+k) N tau), divided by the sum of the row */
static ll_status fill_ce(double *row, long classes, long i, double scale, ll_error *error)
{
    (void)error;
    double sum = 0;
    for (long k = 0; k < classes; k++) {
        row[k] = pow(3, ldexp(scale, (int)((i - 1) * classes + k + 1)));
        sum += row[k];
    }
    for (long k = 0; k < classes; k++)
        row[k] /= sum;
    return LL_OK;
}

/* thm:from_icml with the exponent that its separation needs */
static ll_status fill_icml21(double *row, long classes, long i, double scale, ll_error *error)
{
    (void)classes;
    (void)error;
    double t = pow(3, ldexp(scale, (int)i));
    row[0] = t / (1 + t);
    return LL_OK;
}

/* thm:from_icml as printed: 3^(2^i) N tau */
static ll_status fill_icml21_printed(double *row, long classes, long i, double scale, ll_error *error)
{
    (void)classes;
    (void)error;
    double t = pow(3, ldexp(1, (int)i)) * scale;
    row[0] = t / (1 + t);
    return LL_OK;
}

/* softmax(z) = theta has the solution z = ln theta. */
static ll_status fill_softmax(double *row, long classes, long i, double scale, ll_error *error)
{
    ll_status status = fill_ce(row, classes, i, scale, error);
    for (long k = 0; k < classes; k++)
        row[k] = log(row[k]);
    return status;
}

/* The same logits but for a constant, without the way through theta. */
static ll_status fill_softmax_direct(double *row, long classes, long i, double scale, ll_error *error)
{
    (void)error;
    for (long k = 0; k < classes; k++)
        row[k] = ldexp(scale, (int)((i - 1) * classes + k + 1)) * log(3);
    return LL_OK;
}

static void fill_sigmoid_of(double *row, long i, double scale, long entry)
{
    double theta[2];
    (void)fill_ce(theta, 2, i, scale, NULL);
    row[0] = log(theta[entry] / (1 - theta[entry]));
}

/* app:sigmoid: theta' = ln(theta_1 / (1 - theta_1)); Sigmoid is theta_1, the first entry of the row. */
static ll_status fill_sigmoid(double *row, long classes, long i, double scale, ll_error *error)
{
    (void)classes;
    (void)error;
    fill_sigmoid_of(row, i, scale, 0);
    return LL_OK;
}

/* The other reading: theta_{i,1} is the prediction of label 1, the second entry. */
static ll_status fill_sigmoid_second(double *row, long classes, long i, double scale, ll_error *error)
{
    (void)classes;
    (void)error;
    fill_sigmoid_of(row, i, scale, 1);
    return LL_OK;
}

static void neutral_half(double *row, long classes)
{
    (void)classes;
    row[0] = 0.5;
}

static void neutral_shares(double *row, long classes)
{
    for (long k = 0; k < classes; k++)
        row[k] = 1 / (double)classes;
}

static void neutral_zero(double *row, long classes)
{
    for (long k = 0; k < classes; k++)
        row[k] = 0;
}

static const ll_construction table[] = {
    {{"is-inverse", "itakura-saito", "Theorem 1", "theta_i = x*(2^i N tau)"},
     2,
     fill_is_inverse,
     neutral_half,
     ll_paper_itakura_saito},
    {{"is-closed", "itakura-saito", "Corollary 1", "theta_i = 1/(1 + 3^(2^i N tau))"},
     2,
     fill_is_closed,
     neutral_half,
     ll_paper_itakura_saito},
    {{"ce", "log-loss", "Theorem 3", "theta_ik = 3^(2^((i-1)K+k) N tau) / sum of the row"},
     0,
     fill_ce,
     neutral_shares,
     ll_paper_cross_entropy},
    {{"ce-inverse", "log-loss", "Theorem 1", "theta_i = x*(2^i N tau)"},
     2,
     fill_ce_inverse,
     neutral_half,
     ll_paper_binary_entropy},
    {{"icml21", "log-loss", "Theorem 10, corrected", "theta_i = t/(1 + t), t = 3^(2^i N tau)"},
     2,
     fill_icml21,
     neutral_half,
     ll_paper_binary_entropy},
    {{"icml21-printed", "log-loss", "Theorem 10", "theta_i = t/(1 + t), t = 3^(2^i) N tau"},
     2,
     fill_icml21_printed,
     neutral_half,
     ll_paper_binary_entropy},
    {{"softmax", "softmax-ce", "eq:softmax", "ln theta_ik of Theorem 3, softmax as printed"},
     0,
     fill_softmax,
     neutral_zero,
     ll_paper_softmax},
    {{"softmax-direct", "softmax-ce", "eq:softmax", "logits 2^((i-1)K+k) N tau ln 3, log-sum-exp"},
     0,
     fill_softmax_direct,
     neutral_zero,
     ll_paper_log_sum_exp},
    {{"sigmoid", "sigmoid-ce", "app:sigmoid", "ln(theta_i1/(1 - theta_i1)), theta_i1 the first entry"},
     2,
     fill_sigmoid,
     neutral_zero,
     ll_paper_sigmoid},
    {{"sigmoid-second", "sigmoid-ce", "app:sigmoid", "ln(theta_i1/(1 - theta_i1)), theta_i1 the second entry"},
     2,
     fill_sigmoid_second,
     neutral_zero,
     ll_paper_sigmoid},
};

enum { COUNT = sizeof table / sizeof *table };

long ll_construction_count(void)
{
    return COUNT;
}

const ll_construction_info *ll_construction_get_info(long index)
{
    return index >= 0 && index < COUNT ? &table[index].info : NULL;
}

const ll_construction *ll_construction_find(const char *name)
{
    for (long i = 0; i < COUNT; i++)
        if (strcmp(table[i].info.name, name) == 0)
            return &table[i];
    return NULL;
}
