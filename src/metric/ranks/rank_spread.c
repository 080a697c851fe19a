/* How far one label can move a metric that is linear in AUC. */
#include "metric/asked.h"
#include "metric/ranks/auc.h"
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

static ll_status spread(const ll_asked *asked, const ll_scoring *s, double *out, const ll_predictions *predictions,
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

static ll_status check_spread(const ll_asked *asked, ll_error *error)
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

static double size_revealed(const ll_asked *asked)
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

static double middling_spread(const ll_asked *asked)
{
    long rows = asked->rows;
    double n = (double)rows, slope = asked->scale * ll_auc_slope(asked->how);
    return rows > 1 ? slope * ll_auc_moves((n * n - 1) / 12, rows, rows / 2) / 2 : (double)NAN;
}

/* A model whose answers owe nothing to the labels has an AUC of 1/2. */
static void reference(const ll_asked *asked, ll_reference *out)
{
    double slope = asked->scale * ll_auc_slope(asked->how);
    *out = (ll_reference){slope * auc_error((double)asked->rows), slope / 2};
}

/* ---- what an answer can show ---- */

/* AUC and Kolmogorov-Smirnov: at most 2 P (N - P) + 1 values for each P, N^3/3 + N in all; of K rankings a mean has no
 * more values than they have together. With the class counts known, the size of the noise and whether there is a number
 * at all are known beforehand. */
static void expose(const ll_asked *asked, ll_exposure *out)
{
    double n = (double)asked->rows;
    double rankings = ll_ranks_of(asked->how->metric)->of_classes ? (double)asked->classes : 1;
    if (!ll_ranks_of(asked->how->metric)->counts_pairs)
        return;
    out->value_bits = rankings * log2(n * n * n / 3 + n + 1);
    out->is_settled = asked->counts != NULL;
    if (out->is_settled && asked->classes == 2 && ll_asked_check_spread(asked, NULL) == LL_OK)
        out->swing = ll_auc_swap(asked->rows, (long)asked->counts[1]);
}

static ll_failure_kind fails(const ll_asked *asked)
{
    return ll_counts_fail(asked, 0);
}

/* ---- the family ---- */

/* Two ties, or one where all predictions are the same. */
static ll_status score_two(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_two *two)
{
    int64_t zeros = two->rows - two->positives;
    int64_t above[] = {two->guessed - two->tp, two->tp, zeros, two->positives};
    int one = two->guessed == 0 || two->guessed == two->rows;
    ll_ranking ranking = {two->rows, two->positives, one ? 1 : 2, one ? above + 2 : above};
    return ll_ranking_work(how, work, out, &ranking, NULL);
}

/* Where predictions are labels, their order is the table. */
static int is_of_table(const ll_metric *metric, int labels)
{
    (void)metric;
    return labels;
}

/* Predictions may be anything: labels are two ties, where there is one column. */
static int takes_labels(const ll_metric *metric)
{
    return !ll_ranks_of(metric)->of_classes;
}

const ll_metric_family ll_family_ranks = {.score = ll_score_ranks,
                                          .score_two = score_two,
                                          .resolve = ll_view_resolve,
                                          .is_of_table = is_of_table,
                                          .takes_labels = takes_labels,
                                          .check_spread = check_spread,
                                          .spread = spread,
                                          .size_revealed = size_revealed,
                                          .reference = reference,
                                          .middling_spread = middling_spread,
                                          .expose = expose,
                                          .fails = fails};
