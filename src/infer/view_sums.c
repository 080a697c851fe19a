/* Metrics of counts and ranks, and R^2, as sums of labels. Of two classes such a number is a function of P, the rows of
 * class 1, and of one further sum over them; for every P the sums that the score allows are an interval, because the
 * number rises or falls with the sum. */
#include "infer/view_sums.h"

#include "infer/joint.h"
#include "metric/ranks/auc.h"

#include <math.h>
#include <stdlib.h>

enum { PREC = 320 };

/* ---- counts ---- */

/* The least count of true positives from `low` on whose number is not below the score (or, strict, is above it), up to
 * high + 1. sign: 1 where numbers rise with true positives, -1 where they fall. */
static int64_t find_tp(const ll_joint_number *n, int64_t positives, int64_t low, int64_t high, int sign, int strict)
{
    int64_t end = high + 1;
    while (low < end) {
        int64_t middle = low + (end - low) / 2;
        int order = sign * ll_joint_compare_tp(n, positives, middle);
        if (order > 0 || (order == 0 && !strict))
            end = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Where a number is missing, or where both ends compare alike, nothing is bisected: every count is looked at. */
static void scan_tp(const ll_joint_number *n, int64_t positives, int64_t least, int64_t most, int64_t *low,
                    int64_t *high)
{
    *low = 1;
    *high = 0;
    for (int64_t tp = least; tp <= most; tp++)
        if (ll_joint_compare_tp(n, positives, tp) == 0) {
            *low = *low > *high ? tp : *low;
            *high = tp;
        }
}

static void find_hit_range(const ll_joint_number *n, int64_t positives, int64_t *low, int64_t *high)
{
    int64_t rows = n->evidence->rows, least = positives + n->guessed - rows, most = n->guessed;
    least = least > 0 ? least : 0;
    most = most < positives ? most : positives;
    int first = ll_joint_compare_tp(n, positives, least), last = ll_joint_compare_tp(n, positives, most);
    *low = 1;
    *high = 0;
    if (first == 2 || last == 2 || most - least < 4) {
        scan_tp(n, positives, least, most, low, high);
    } else if (first != last) {
        int sign = first < last ? 1 : -1;
        *low = find_tp(n, positives, least, most, sign, 0);
        *high = find_tp(n, positives, least, most, sign, 1) - 1;
    } else if (first == 0) {
        *low = least;
        *high = most;
    }
}

static void find_counts(const ll_joint_number *n, ll_view_sums *out)
{
    for (long p = 0; p <= n->evidence->rows; p++)
        find_hit_range(n, p, &out->low[p], &out->high[p]);
}

/* ---- integers in a ball ---- */

/* No sum of features is beyond 2^61. */
static int64_t clamp(const arf_t end, arf_rnd_t round)
{
    fmpz_t whole;
    fmpz_init(whole);
    if (arf_cmpabs_2exp_si(end, 61) < 0)
        arf_get_fmpz(whole, end, round);
    else
        fmpz_set_si(whole, arf_sgn(end) * ((int64_t)1 << 61));
    int64_t out = fmpz_get_si(whole);
    fmpz_clear(whole);
    return out;
}

static void find_integers(const arb_t sum, int64_t *low, int64_t *high)
{
    arf_t end;
    arf_init(end);
    arb_get_lbound_arf(end, sum, PREC);
    *low = clamp(end, ARF_RND_CEIL);
    arb_get_ubound_arf(end, sum, PREC);
    *high = clamp(end, ARF_RND_FLOOR);
    arf_clear(end);
}

/* ---- AUC: rows below, twice, and those of the same tie, once ---- */

/* The integers in [area] * 2 P (N - P) + P (P - 1): positives are rows below positives, too. */
static void find_rank_range(const arb_t auc, int64_t positives, int64_t rows, int64_t *low, int64_t *high)
{
    arb_t sum;
    arb_init(sum);
    arb_mul_si(sum, auc, 2 * positives * (rows - positives), PREC);
    arb_add_si(sum, sum, positives * (positives - 1), PREC);
    find_integers(sum, low, high);
    arb_clear(sum);
}

static void find_ranks(const ll_joint_number *n, ll_view_sums *out)
{
    long rows = n->evidence->rows;
    arb_t auc;
    arb_init(auc);
    ll_auc_of_number(n->evidence->scoring.how, auc, n->observation->sum, n->ties, 2, PREC);
    out->low[0] = out->low[rows] = 1;
    out->high[0] = out->high[rows] = 0;
    for (long p = 1; p < rows; p++)
        find_rank_range(auc, p, rows, &out->low[p], &out->high[p]);
    arb_clear(auc);
}

/* ---- R^2 of two targets: squared errors, of which label 1 adds what is linear in the prediction ---- */

/* With targets y0 < y1 of distance s and predictions x, a row of label 1 adds s (y0 + y1 - 2 x) to the squared errors,
 * and P (N - P) s^2 / N is the sum of squares about the mean. Features are m - x in units of a power of two, with m the
 * largest x; where x has more bits they are rounded, by half a unit each. */
enum { MOST_BITS = 44, MOST_FIT_ROWS = 1 << 14 };

typedef struct {
    double low, high, largest; /* the targets; m */
    int unit;                  /* its exponent */
    int is_rounded;
} fit_scale;

static int applies_fit(const ll_computation *how)
{
    return ll_metric_is_determination(how->metric) && how->kind == LL_KIND_NATIVE && !how->is_weighted &&
           how->clip_mode == LL_CLIP_NONE;
}

static fit_scale scale_of(const ll_joint_number *n)
{
    const ll_metric *metric = n->evidence->scoring.how->metric;
    const double *x = n->observation->values;
    fit_scale s = {.low = ll_metric_target_double(metric, 0), .high = ll_metric_target_double(metric, 1)};
    double size = 0;
    s.largest = x[0];
    for (long i = 0; i < n->evidence->rows; i++) {
        s.largest = fmax(s.largest, x[i]);
        size = fmax(size, fabs(x[i]));
    }
    s.unit = size > 0 ? ilogb(size) + 1 - MOST_BITS : 0;
    for (long i = 0; i < n->evidence->rows; i++)
        s.is_rounded |= ldexp(x[i], -s.unit) != rint(ldexp(x[i], -s.unit));
    return s;
}

static ll_status set_fit(ll_joint_number *n, long *feature)
{
    if (n->evidence->rows >= MOST_FIT_ROWS)
        return LL_DOMAIN;
    fit_scale s = scale_of(n);
    for (long i = 0; i < n->evidence->rows; i++)
        feature[i] = lrint(ldexp(s.largest, -s.unit)) - lrint(ldexp(n->observation->values[i], -s.unit));
    return LL_OK;
}

/* Of 1 less the program's number: the quotient that it computed, between the sums that it stands for, by how much that
 * may be off (docs/proofs/fit.md). */
static void find_quotient(const ll_joint_number *n, const fit_scale *s, arb_t out)
{
    double rows = (double)n->evidence->rows;
    double mean = (rows + 2) * 0x1p-53 * fmax(fabs(s->low), fabs(s->high)) / (s->high - s->low);
    double error = ((2 * rows + 16) * 0x1p-53 + 2 * rows * mean * mean) * (1 + 0x1p-6);
    mag_t off;
    arb_t one;
    mag_init(off);
    arb_init(one);
    arb_set(out, n->observation->sum);
    arb_get_mag(off, out);
    mag_mul_2exp_si(off, off, -52);
    arb_add_error_mag(out, off);
    arb_sub_si(out, out, 1, PREC);
    arb_neg(out, out);
    arb_one(one);
    mag_set_d(arb_radref(one), 2 * error);
    arb_mul(out, out, one, PREC);
    mag_clear(off);
    arb_clear(one);
}

/* The integers in ((quotient P (N - P) s^2 / N - base) / s - P (y0 + y1 - 2 m)) / (2 unit), and as many more as the
 * features of P rows, and m, may be off. */
static void find_fit_range(const arb_t quotient, const arb_t base, const fit_scale *s, int64_t positives, int64_t rows,
                           int64_t *low, int64_t *high)
{
    arb_t sum, step;
    arb_init(sum);
    arb_init(step);
    arb_set_d(step, s->high);
    arb_set_d(sum, s->low);
    arb_sub(step, step, sum, PREC);
    arb_mul_si(sum, quotient, positives * (rows - positives), PREC);
    arb_div_si(sum, sum, rows, PREC);
    arb_mul(sum, sum, step, PREC);
    arb_mul(sum, sum, step, PREC);
    arb_sub(sum, sum, base, PREC);
    arb_div(sum, sum, step, PREC);
    arb_set_d(step, s->low);
    arb_submul_si(sum, step, positives, PREC);
    arb_set_d(step, s->high);
    arb_submul_si(sum, step, positives, PREC);
    arb_set_d(step, s->largest);
    arb_addmul_si(sum, step, 2 * positives, PREC);
    arb_mul_2exp_si(sum, sum, -s->unit - 1);
    find_integers(sum, low, high);
    if (s->is_rounded) {
        *low -= positives;
        *high += positives;
    }
    arb_clear(sum);
    arb_clear(step);
}

/* Labels that are all the same are one labelling. */
static void try_flat(const ll_joint_number *n, ll_view_sums *out, int32_t label)
{
    const long rows = n->evidence->rows, positives = label * rows;
    int fits = 1;
    int64_t sum = 0;
    int32_t *labels = malloc(sizeof *labels * (size_t)rows);
    for (long i = 0; i < rows; i++) {
        sum += label * out->features[i];
        if (labels != NULL)
            labels[i] = label;
    }
    if (labels == NULL || ll_evidence_explains_view(n->evidence, n->observation, labels, &fits, NULL) != LL_OK)
        fits = 1;
    out->low[positives] = fits ? sum : 1;
    out->high[positives] = fits ? sum : 0;
    free(labels);
}

static void find_fits(const ll_joint_number *n, ll_view_sums *out)
{
    fit_scale s = scale_of(n);
    arb_t quotient, base, error, target;
    arb_init(target);
    arb_init(quotient);
    arb_init(base);
    arb_init(error);
    find_quotient(n, &s, quotient);
    for (long i = 0; i < n->evidence->rows; i++) {
        arb_set_d(error, n->observation->values[i]);
        arb_set_d(target, s.low);
        arb_sub(error, error, target, PREC);
        arb_addmul(base, error, error, PREC);
    }
    for (long p = 1; p < n->evidence->rows; p++)
        find_fit_range(quotient, base, &s, p, n->evidence->rows, &out->low[p], &out->high[p]);
    try_flat(n, out, 0);
    try_flat(n, out, 1);
    arb_clear(target);
    arb_clear(quotient);
    arb_clear(base);
    arb_clear(error);
}

static const ll_joint_kind fit = {applies_fit, set_fit, NULL};

/* ---- any of them ---- */

static const struct {
    const ll_joint_kind *kind;
    void (*find)(const ll_joint_number *number, ll_view_sums *out);
} kinds[] = {{&ll_joint_tp, find_counts}, {&ll_joint_ranks, find_ranks}, {&fit, find_fits}};

void ll_view_sums_clear(ll_view_sums *sums)
{
    free(sums->features);
    free(sums->low);
    free(sums->high);
    *sums = (ll_view_sums){0};
}

ll_status ll_evidence_view_sums(const ll_evidence *e, long score, ll_view_sums *out, ll_error *error)
{
    size_t kind = 0;
    const size_t all = sizeof kinds / sizeof *kinds;
    *out = (ll_view_sums){0};
    while (kind < all && !kinds[kind].kind->applies(e->scoring.how))
        kind++;
    if (kind == all || e->classes != 2)
        return ll_fail(error, LL_DOMAIN, "this metric is no function of a sum of labels");
    out->features = malloc(sizeof *out->features * (size_t)e->rows);
    out->low = malloc(sizeof *out->low * (size_t)(e->rows + 1));
    out->high = malloc(sizeof *out->high * (size_t)(e->rows + 1));
    ll_status status = out->features && out->low && out->high ? LL_OK : LL_MEMORY;
    ll_joint_number number = {.evidence = e, .observation = e->observations + score};
    if (status == LL_OK)
        status = kinds[kind].kind->set_feature(&number, out->features);
    if (status == LL_OK) {
        kinds[kind].find(&number, out);
        return LL_OK;
    }
    ll_view_sums_clear(out);
    return ll_fail(error, status, status == LL_MEMORY ? "no memory for the sums of %ld rows" : "%ld rows are too many",
                   e->rows);
}
