/* Metrics of counts and ranks as sums of labels. Of two classes such a number is a function of P, the rows of class 1,
 * and of one further sum over them; for every P the sums that the score allows are an interval, because the number
 * rises with the sum. */
#include "infer/view_sums.h"

#include "infer/joint.h"
#include "metric/ranks/auc.h"

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

/* ---- AUC: rows below, twice, and those of the same tie, once ---- */

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

/* ---- either ---- */

static const struct {
    const ll_joint_kind *kind;
    void (*find)(const ll_joint_number *number, ll_view_sums *out);
} kinds[] = {{&ll_joint_tp, find_counts}, {&ll_joint_ranks, find_ranks}};

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
    return ll_fail(error, status, "no memory for the sums of %ld rows", e->rows);
}
