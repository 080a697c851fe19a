/* How far one label can move a metric that is linear in AUC. */
#include "metric/ranks/rank_spread.h"

#include "metric/ranks/auc_noise.h"

#include <math.h>

#define UP LL_ASKED_UP

/* Of midranks about their mean, the mean square. Ties are counted from the top. */
static double rank_square(const ll_ranking *r)
{
    double rows = (double)r->rows, sum = 0, above = 0;
    for (long t = 0; t < r->ties; t++) {
        double upto = (double)(r->above[2 * t] + r->above[2 * t + 1]), off = (above + upto - rows) / 2;
        sum += (upto - above) * off * off;
        above = upto;
    }
    return sum / rows * UP;
}

/* The two computed numbers are each within the error of theirs. */
static double spread_of(const ll_asked *asked, const ll_ranking *r)
{
    double slope = ll_auc_slope(asked->how);
    mag_t off;
    mag_init(off);
    ll_auc_error(asked->how, off, r->ties, 2);
    double each = slope * ll_auc_moves(rank_square(r), r->rows, r->positives) / 2, rows = (double)r->rows;
    double spread = asked->scale * (each + sqrt(rows) * mag_get_d(off)) * UP;
    mag_clear(off);
    return spread;
}

ll_status ll_ranks_spread(const ll_asked *asked, const ll_scoring *s, double *out, const ll_predictions *predictions,
                          ll_error *error)
{
    ll_ranking ranking;
    ll_status status = ll_ranking_init(s, &ranking, predictions, 0, error);
    if (status != LL_OK)
        return status;
    if (ranking.positives > 0 && ranking.positives < ranking.rows)
        *out = spread_of(asked, &ranking);
    else
        status = ll_fail(error, LL_DOMAIN, "the labels are all of one class: there is no spread");
    ll_ranking_clear(&ranking);
    return status;
}

ll_status ll_ranks_check_spread(const ll_asked *asked, ll_error *error)
{
    const char *name = ll_metric_row(asked->how->metric)->name;
    if (ll_auc_slope(asked->how) == 0)
        return ll_fail(error, LL_DOMAIN, "noise in proportion: what a label can move %s is not known", name);
    if (asked->classes > 2 || asked->power != 1)
        return ll_fail(error, LL_DOMAIN,
                       "noise in proportion: what a label can move %s is known for two classes, up to 8192 rows and "
                       "without a root",
                       name);
    return LL_OK;
}

double ll_ranks_size_revealed(const ll_asked *asked)
{
    return ll_auc_slope(asked->how) != 0 ? ll_auc_revealed(asked->rows, asked->ones, ll_label_entropy(asked->ones)) : 0;
}

/* ---- a middling submission ---- */

/* Predictions of positives have density 2x, of negatives 2 (1 - x): AUC is 5/6, and two positives are both above a
 * negative, or one above two, with probability 11/15 (Hanley and McNeil 1982). */
static double auc_error(double rows)
{
    double auc = 5.0 / 6, both = 11.0 / 15, ones = rows / 2;
    return sqrt((auc * (1 - auc) + (rows - 2) * (both - auc * auc)) / (ones * (rows - ones)));
}

double ll_ranks_middling_spread(const ll_asked *asked)
{
    long rows = asked->rows;
    double n = (double)rows, slope = asked->scale * ll_auc_slope(asked->how);
    return rows > 1 ? slope * ll_auc_moves((n * n - 1) / 12, rows, rows / 2) / 2 : (double)NAN;
}

/* A model whose answers owe nothing to the labels has an AUC of 1/2. */
void ll_ranks_reference(const ll_asked *asked, ll_reference *out)
{
    double slope = asked->scale * ll_auc_slope(asked->how);
    *out = (ll_reference){slope * auc_error((double)asked->rows), slope / 2};
}

/* ---- what an answer can show ---- */

/* AUC and Kolmogorov-Smirnov: at most 2 P (N - P) + 1 values for each P, N^3/3 + N in all; of K rankings a mean has no
 * more values than they have together. With the class counts known, the size of the noise and whether there is a number
 * at all are known beforehand. */
void ll_ranks_expose(const ll_asked *asked, ll_exposure *out)
{
    double n = (double)asked->rows;
    double rankings = ll_metric_is_one_vs_rest(asked->how->metric) ? (double)asked->classes : 1;
    if (!ll_metric_counts_pairs(asked->how->metric))
        return;
    out->value_bits = rankings * log2(n * n * n / 3 + n + 1);
    out->is_settled = asked->counts != NULL;
    if (out->is_settled && asked->classes == 2 && ll_asked_check_spread(asked, NULL) == LL_OK)
        out->swing = ll_auc_swap(asked->rows, (long)asked->counts[1]);
}

ll_failure_kind ll_ranks_fails(const ll_asked *asked)
{
    return ll_counts_fail(asked, 0);
}
