/* Metrics of counts and ranks as sums of labels. Of two classes such a number is a function of P, the rows of class 1,
 * and of one further sum over them; for every P the sums that the score allows are an interval, because the number
 * rises with the sum. */
#include "infer/evidence.h"

#include "infer/view_sums.h"
#include "metric/ranks/auc.h"
#include "metric/view.h"

#include <stdlib.h>
#include <string.h>

enum { PREC = 320 };

/* ---- counts ---- */

typedef struct {
    const ll_evidence *evidence;
    const ll_observation *observation;
    ll_work work;
    int64_t guessed;
} count_question;

/* The number of so many true positives, against the score: -1 below, 0 it may be the one, 1 above; 2: there is no
 * number. */
static int compare_tp(const count_question *c, int64_t positives, int64_t tp)
{
    const ll_computation *how = c->evidence->scoring.how;
    ll_two two = {tp, c->guessed, positives, c->evidence->rows};
    ll_worked number;
    ll_unreleased unreleased;
    arb_t value;
    int order = 2;
    ll_worked_init(&number);
    ll_unreleased_init(&unreleased);
    arb_init(value);
    if (ll_score_two(how, &c->work, &number, &two) == LL_OK) {
        ll_view_finish(how, &unreleased, &number);
        arb_set_interval_arf(value, unreleased.lower, unreleased.upper, PREC + how->precision);
        order = arb_overlaps(value, c->observation->sum) ? 0 : arb_lt(value, c->observation->sum) ? -1 : 1;
    }
    arb_clear(value);
    ll_unreleased_clear(&unreleased);
    ll_worked_clear(&number);
    return order;
}

/* The least count of true positives from `low` on whose number is not below the score (or, strict, is above it), up to
 * high + 1. sign: 1 where numbers rise with true positives, -1 where they fall. */
static int64_t find_tp(const count_question *c, int64_t positives, int64_t low, int64_t high, int sign, int strict)
{
    int64_t end = high + 1;
    while (low < end) {
        int64_t middle = low + (end - low) / 2;
        int order = sign * compare_tp(c, positives, middle);
        if (order > 0 || (order == 0 && !strict))
            end = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Where a number is missing, or where both ends compare alike, nothing is bisected: every count is looked at. */
static void scan_tp(const count_question *c, int64_t positives, int64_t least, int64_t most, int64_t *low,
                    int64_t *high)
{
    *low = 1;
    *high = 0;
    for (int64_t tp = least; tp <= most; tp++)
        if (compare_tp(c, positives, tp) == 0) {
            *low = *low > *high ? tp : *low;
            *high = tp;
        }
}

static void find_hit_range(const count_question *c, int64_t positives, int64_t *low, int64_t *high)
{
    int64_t rows = c->evidence->rows, least = positives + c->guessed - rows, most = c->guessed;
    least = least > 0 ? least : 0;
    most = most < positives ? most : positives;
    int first = compare_tp(c, positives, least), last = compare_tp(c, positives, most);
    *low = 1;
    *high = 0;
    if (first == 2 || last == 2 || most - least < 4) {
        scan_tp(c, positives, least, most, low, high);
    } else if (first != last) {
        int sign = first < last ? 1 : -1;
        *low = find_tp(c, positives, least, most, sign, 0);
        *high = find_tp(c, positives, least, most, sign, 1) - 1;
    } else if (first == 0) {
        *low = least;
        *high = most;
    }
}

static ll_status find_counts(const ll_evidence *e, const ll_observation *o, ll_view_sums *out)
{
    count_question c = {.evidence = e, .observation = o,
                        .work = ll_view_work(e->scoring.how, e->scorer->computation.precision + 64)};
    for (long i = 0; i < e->rows; i++) {
        out->features[i] = o->values[i] != 0;
        c.guessed += out->features[i];
    }
    for (long p = 0; p <= e->rows; p++)
        find_hit_range(&c, p, &out->low[p], &out->high[p]);
    return LL_OK;
}

static int is_counts(const ll_computation *how)
{
    return ll_metric_is_counts(how->metric) && !how->is_weighted;
}

/* ---- AUC: rows below, twice, and those of the same tie, once ---- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static long count_until(const double *sorted, long n, double x, int or_equal)
{
    long low = 0, high = n;
    while (low < high) {
        long middle = (low + high) / 2;
        if (sorted[middle] < x || (or_equal && sorted[middle] == x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Sets the features; returns the number of different predictions, 0 without memory. */
static long rank_rows(const ll_evidence *e, const ll_observation *o, int64_t *features)
{
    long ties = 0;
    double *sorted = malloc(sizeof *sorted * (size_t)e->rows);
    if (sorted == NULL)
        return 0;
    memcpy(sorted, o->values, sizeof *sorted * (size_t)e->rows);
    qsort(sorted, (size_t)e->rows, sizeof *sorted, compare_doubles);
    for (long i = 0; i < e->rows; i++) {
        features[i] = count_until(sorted, e->rows, o->values[i], 0) + count_until(sorted, e->rows, o->values[i], 1) - 1;
        ties += i == 0 || sorted[i] != sorted[i - 1];
    }
    free(sorted);
    return ties;
}

/* The integers in [area] * 2 P (N - P) + P (P - 1): positives are rows below positives, too. */
static void find_rank_range(const arb_t auc, int64_t positives, int64_t rows, int64_t *low, int64_t *high)
{
    arb_t sum;
    arf_t end;
    fmpz_t whole;
    arb_init(sum);
    arf_init(end);
    fmpz_init(whole);
    arb_mul_si(sum, auc, 2 * positives * (rows - positives), PREC);
    arb_add_si(sum, sum, positives * (positives - 1), PREC);
    arb_get_lbound_arf(end, sum, PREC);
    arf_get_fmpz(whole, end, ARF_RND_CEIL);
    *low = fmpz_get_si(whole);
    arb_get_ubound_arf(end, sum, PREC);
    arf_get_fmpz(whole, end, ARF_RND_FLOOR);
    *high = fmpz_get_si(whole);
    arb_clear(sum);
    arf_clear(end);
    fmpz_clear(whole);
}

static ll_status find_ranks(const ll_evidence *e, const ll_observation *o, ll_view_sums *out)
{
    arb_t auc;
    long ties = rank_rows(e, o, out->features);
    if (ties == 0)
        return LL_MEMORY;
    arb_init(auc);
    ll_auc_of_number(e->scoring.how, auc, o->sum, ties, 2, PREC);
    out->low[0] = out->low[e->rows] = 1;
    out->high[0] = out->high[e->rows] = 0;
    for (long p = 1; p < e->rows; p++)
        find_rank_range(auc, p, e->rows, &out->low[p], &out->high[p]);
    arb_clear(auc);
    return LL_OK;
}

static int is_auc(const ll_computation *how)
{
    return ll_auc_slope(how) != 0;
}

/* ---- either ---- */

static const struct {
    int (*applies)(const ll_computation *how);
    ll_status (*find)(const ll_evidence *evidence, const ll_observation *observation, ll_view_sums *out);
} kinds[] = {{is_counts, find_counts}, {is_auc, find_ranks}};

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
    while (kind < all && !kinds[kind].applies(e->scoring.how))
        kind++;
    if (kind == all || e->classes != 2)
        return ll_fail(error, LL_DOMAIN, "this metric is no function of a sum of labels");
    out->features = malloc(sizeof *out->features * (size_t)e->rows);
    out->low = malloc(sizeof *out->low * (size_t)(e->rows + 1));
    out->high = malloc(sizeof *out->high * (size_t)(e->rows + 1));
    ll_status status = out->features && out->low && out->high ? LL_OK : LL_MEMORY;
    if (status == LL_OK)
        status = kinds[kind].find(e, e->observations + score, out);
    if (status == LL_OK)
        return LL_OK;
    ll_view_sums_clear(out);
    return ll_fail(error, status, "no memory for the sums of %ld rows", e->rows);
}
