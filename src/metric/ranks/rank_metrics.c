/* The numbers that programs make of a ranking: exactly, as one fraction of counts; in doubles, as scikit-learn and
 * SciPy add them up; and how far such a program can be off (docs/proofs/counts.md), u = 2^-53. */
#include "metric/ranks/auc.h"

#include "number/sum.h"

#include <math.h>

static int goes(const ll_work *work, ll_ways way)
{
    return (work->ways & way) != 0;
}

static ll_status need_both(const ll_computation *how, const ll_ranking *r, ll_error *error)
{
    if (r->positives > 0 && r->positives < r->rows)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "the labels are all of one class: %s has no value",
                   ll_metric_row(how->metric)->name);
}

/* fraction and ball of numerator / denominator, the ball widened by `units` of u. */
static void set_number(const ll_work *work, ll_worked *out, const fmpq_t value, double units)
{
    mag_t error;
    out->is_fraction = 1;
    if (goes(work, LL_WORK_FRACTIONS))
        fmpq_set(out->fraction, value);
    if (!goes(work, LL_WORK_BALLS))
        return;
    arb_set_fmpq(out->ball, value, work->prec);
    if (!goes(work, LL_WORK_ROUNDED))
        return;
    mag_init(error);
    mag_set_d(error, units * (1 + 0x1p-20));
    mag_mul_2exp_si(error, error, -53);
    arb_add_error_mag(out->ball, error);
    mag_clear(error);
}

/* Terms of 0 or more whose exact sum is 1 at most, added in NumPy's order: so many, or fewer, as scikit-learn drops
 * points of a curve that lie on a line. */
static double sum_units(long terms)
{
    return (double)ll_sum_depth_upto(terms > 1 ? terms : 1) + 1;
}

static int64_t zeros_above(const ll_ranking *r, long t)
{
    return t < 0 ? 0 : r->above[2 * t];
}

static int64_t ones_above(const ll_ranking *r, long t)
{
    return t < 0 ? 0 : r->above[2 * t + 1];
}

/* ---- the area under the curve ---- */

/* 2 U: pairs of label 0 and 1 in the right order count twice, ties once. */
static void count_pairs(fmpz_t out, const ll_ranking *r)
{
    unsigned __int128 sum = 0;
    for (long t = 0; t < r->ties; t++) {
        int64_t width = zeros_above(r, t) - zeros_above(r, t - 1);
        sum += (unsigned __int128)width * (unsigned __int128)(ones_above(r, t) + ones_above(r, t - 1));
    }
    fmpz_set_uiui(out, (ulong)(sum >> 64), (ulong)sum);
}

/* The trapezoids of the curve, as numpy.trapz. */
static double add_trapezoids(const ll_ranking *r)
{
    double ones = (double)r->positives, zeros = (double)(r->rows - r->positives);
    long double auc = 0; /* no order of its own */
    for (long t = 0; t < r->ties; t++) {
        double width = (double)zeros_above(r, t) / zeros - (double)zeros_above(r, t - 1) / zeros;
        auc += width * ((double)ones_above(r, t) / ones + (double)ones_above(r, t - 1) / ones) / 2;
    }
    return (double)auc;
}

/* |program - AUC| <= u (1 + 4 AUC) + error of the sum: by Abel's summation the roundings of the rates at the ends of
 * the trapezoids add up to 1 u, not to one a trapezoid. */
static double auc_units(long ties)
{
    return 5 + sum_units(ties + 1);
}

static double gini_units(long ties)
{
    return 2 * auc_units(ties) + 1;
}

static ll_status work_pairs(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_ranking *r,
                            int is_gini, ll_error *error)
{
    ll_status status = need_both(how, r, error);
    fmpq_t auc, one;
    if (status != LL_OK)
        return status;
    fmpq_init(auc);
    fmpq_init(one);
    count_pairs(fmpq_numref(auc), r);
    fmpz_set_si(fmpq_denref(auc), r->positives);
    fmpz_mul_si(fmpq_denref(auc), fmpq_denref(auc), 2 * (r->rows - r->positives));
    fmpq_canonicalise(auc);
    if (is_gini) {
        fmpq_one(one);
        fmpq_mul_2exp(auc, auc, 1);
        fmpq_sub(auc, auc, one);
    }
    set_number(work, out, auc, is_gini ? gini_units(r->ties) : auc_units(r->ties));
    if (goes(work, LL_WORK_DOUBLES))
        out->native = is_gini ? 2 * add_trapezoids(r) - 1 : add_trapezoids(r);
    fmpq_clear(auc);
    fmpq_clear(one);
    return LL_OK;
}

static ll_status work_auc(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_ranking *r,
                          ll_error *error)
{
    return work_pairs(how, work, out, r, 0, error);
}

static ll_status work_gini(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_ranking *r,
                           ll_error *error)
{
    return work_pairs(how, work, out, r, 1, error);
}

static const ll_rank_kind auc_kind = {work_auc, 1, 1, 0, auc_units, 0},
                          gini_kind = {work_gini, 1, 2, -1, gini_units, 0},
                          macro_auc_kind = {work_auc, 1, 1, 0, auc_units, 1};

/* ---- average precision ---- */

/* Sum over ties of (rise of recall) * precision there. Ties without a positive add 0, in every program. */
static double add_precisions(const ll_ranking *r)
{
    double ones = (double)r->positives;
    long double sum = 0;
    for (long t = 0; t < r->ties; t++) {
        double rise = (double)ones_above(r, t) / ones - (double)ones_above(r, t - 1) / ones;
        sum += rise * ((double)ones_above(r, t) / (double)(ones_above(r, t) + zeros_above(r, t)));
    }
    return (double)sum;
}

/* The same as balls, or, while that is short, as a fraction. */
static void add_precision_balls(const ll_work *work, arb_t out, const ll_ranking *r)
{
    arb_t term;
    arb_init(term);
    arb_zero(out);
    for (long t = 0; t < r->ties; t++) {
        int64_t rise = ones_above(r, t) - ones_above(r, t - 1);
        if (rise == 0)
            continue;
        arb_set_si(term, ones_above(r, t));
        arb_mul_si(term, term, rise, work->prec);
        arb_div_si(term, term, ones_above(r, t) + zeros_above(r, t), work->prec);
        arb_add(out, out, term, work->prec);
    }
    arb_div_si(out, out, r->positives, work->prec);
    arb_clear(term);
}

enum { SHORT = 64 }; /* ties: a fraction's denominator is a product of so many counts at most */

static int set_precision_fraction(fmpq_t out, const ll_ranking *r)
{
    fmpq_t term;
    if (r->ties > SHORT)
        return 0;
    fmpq_init(term);
    fmpq_zero(out);
    for (long t = 0; t < r->ties; t++) {
        fmpq_set_si(term, ones_above(r, t) - ones_above(r, t - 1), (ulong)(ones_above(r, t) + zeros_above(r, t)));
        fmpz_t count;
        fmpz_init_set_si(count, ones_above(r, t));
        fmpq_mul_fmpz(term, term, count);
        fmpz_set_si(count, r->positives);
        fmpq_div_fmpz(term, term, count);
        fmpq_add(out, out, term);
        fmpz_clear(count);
    }
    fmpq_clear(term);
    return 1;
}

/* Each rise is off by 2u at most, at most min(ties, positives) of them are not 0; three roundings and the sum beside.
 */
static double precision_units(const ll_ranking *r)
{
    double rises = (double)(r->ties < r->positives ? r->ties : r->positives);
    return 2 * rises + 4 + sum_units(r->ties + 1);
}

static ll_status work_average_precision(const ll_computation *how, const ll_work *work, ll_worked *out,
                                        const ll_ranking *r, ll_error *error)
{
    mag_t off;
    (void)how;
    (void)error;
    if (r->positives == 0) { /* scikit-learn: 0, with a warning */
        ll_worked_set(work, out, 0);
        return LL_OK;
    }
    out->native = add_precisions(r);
    out->is_fraction = goes(work, LL_WORK_FRACTIONS) && set_precision_fraction(out->fraction, r);
    if (!goes(work, LL_WORK_BALLS))
        return LL_OK;
    add_precision_balls(work, out->ball, r);
    if (!goes(work, LL_WORK_ROUNDED))
        return LL_OK;
    mag_init(off);
    mag_set_d(off, precision_units(r) * (1 + 0x1p-20));
    mag_mul_2exp_si(off, off, -53);
    arb_add_error_mag(out->ball, off);
    mag_clear(off);
    return LL_OK;
}

static const ll_rank_kind average_precision_kind = {.work = work_average_precision};

/* ---- Kolmogorov and Smirnov ---- */

/* The largest |share of label 1 above - share of label 0 above|, times both counts. */
static int64_t find_distance(const ll_ranking *r, long *at)
{
    int64_t best = -1, zeros = r->rows - r->positives;
    for (long t = 0; t < r->ties; t++) {
        int64_t d = ones_above(r, t) * zeros - zeros_above(r, t) * r->positives;
        d = d < 0 ? -d : d;
        if (d > best) {
            best = d;
            *at = t;
        }
    }
    return best;
}

/* Two shares and their difference: 3u; a maximum of numbers each 3u off is 3u off. */
static ll_status work_ks(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_ranking *r,
                         ll_error *error)
{
    ll_status status = need_both(how, r, error);
    long at = 0;
    fmpq_t value;
    if (status != LL_OK)
        return status;
    fmpq_init(value);
    fmpz_set_si(fmpq_numref(value), find_distance(r, &at));
    fmpz_set_si(fmpq_denref(value), r->positives);
    fmpz_mul_si(fmpq_denref(value), fmpq_denref(value), r->rows - r->positives);
    fmpq_canonicalise(value);
    set_number(work, out, value, 4);
    out->native = fabs((double)ones_above(r, at) / (double)r->positives -
                       (double)zeros_above(r, at) / (double)(r->rows - r->positives));
    fmpq_clear(value);
    return LL_OK;
}

static const ll_rank_kind ks_kind = {.work = work_ks, .counts_pairs = 1};

/* ---- the rows ---- */

#define INFO(name_, classes_, least_, formula_, summary_)                                                              \
    LL_INFO_OF_ALL(name_, "number", (least_) < 0 ? "[-1, 1]" : "[0, 1]", classes_, "ranks", formula_, summary_),       \
        .family = &ll_family_ranks, .input = LL_INPUT_NUMBER, .is_gain = 1, .least = (least_), .most = 1
#define RANKS(name_, kind_, least_, fails_, formula_, summary_)                                                        \
    {                                                                                                                  \
        INFO(name_, "2", least_, formula_, summary_), .form = LL_FORM_BINARY, .own = &(kind_), .may_fail = (fails_)    \
    }

const ll_metric_row_kind ll_metric_rank_rows[] = {
    RANKS("auc", auc_kind, 0, 1, "(sum of the positives' midranks - P (P+1)/2) / (P (N-P))",
          "area under the ROC curve, the chance that a positive is above a negative"),
    RANKS("gini", gini_kind, -1, 1, "2 AUC - 1", "Gini coefficient, Somers' D"),
    RANKS("average-precision", average_precision_kind, 0, 0, "sum of (rise of recall) * precision",
          "average precision, the area under precision and recall by steps"),
    RANKS("ks", ks_kind, 0, 1, "largest |TPR - FPR|", "Kolmogorov-Smirnov distance of the two classes' predictions"),
    {INFO("macro-auc", "3 or more", 0, "mean over classes of the AUC of column k against [label = k]",
          "one-vs-rest AUC, every class counting alike; rows sum to 1"),
     .form = LL_FORM_RANK, .own = &macro_auc_kind, .may_fail = 1, .of_two = "auc"},
};

const long ll_metric_rank_row_count = sizeof ll_metric_rank_rows / sizeof ll_metric_rank_rows[0];
