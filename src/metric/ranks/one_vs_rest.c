/* One column a class, each ranked by itself: column k against [label = k], and the mean over all classes, as
 * scikit-learn's roc_auc_score(multi_class="ovr", average="macro") has it. That function takes rows that sum to 1, as
 * numpy.allclose sees it, and labels of every class. */
#include "metric/ranks/auc.h"

#include <math.h>
#include <stdlib.h>

/* ---- what it takes ---- */

static ll_status check_labels(const ll_scoring *s, ll_error *error)
{
    unsigned char *seen = calloc((size_t)s->classes, 1);
    long missing = 0;
    if (seen == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld classes", s->classes);
    for (long i = 0; i < s->rows; i++)
        seen[s->labels[i]] = 1;
    while (missing < s->classes && seen[missing])
        missing++;
    free(seen);
    return missing == s->classes ? LL_OK
                                 : ll_fail(error, LL_DOMAIN, "no row has label %ld: %s has no value", missing,
                                           ll_metric_row(s->how->metric)->name);
}

typedef struct {
    const ll_predictions *predictions;
    ll_exact scratch;
} sums;

/* The sum of a row; NaN where an entry is not finite. */
static double sum_row(sums *s, const ll_block *block, long row)
{
    double sum = 0;
    for (long c = 0; c < block->columns; c++) {
        const ll_exact *x = ll_rows_exact(&s->scratch, block, row * block->columns + c);
        sum += x != NULL ? ll_exact_get_d(x) : (double)NAN;
    }
    return sum;
}

static ll_status visit(void *state, const ll_block *block, long first, ll_error *error)
{
    sums *s = state;
    for (long i = 0; i < block->rows; i++) {
        double sum = sum_row(s, block, i);
        if (!isfinite(sum))
            return ll_rows_fail(s->predictions, first + i, error, LL_DOMAIN, "an entry is not finite");
        if (!(fabs(sum - 1) <= 1e-8 + 1e-5 * fabs(sum)))
            return ll_rows_fail(s->predictions, first + i, error, LL_DOMAIN, "the row sums to %.9g, not to 1", sum);
    }
    return LL_OK;
}

static ll_status check_rows(const ll_predictions *predictions, ll_error *error)
{
    sums s = {.predictions = predictions};
    ll_exact_init(&s.scratch);
    ll_status status = ll_rows_each(predictions, visit, &s, error);
    ll_exact_clear(&s.scratch);
    return status;
}

/* ---- the number ---- */

static ll_status work_class(const ll_scoring *s, const ll_work *work, ll_worked *out, const ll_predictions *predictions,
                            long label, ll_error *error)
{
    ll_ranking ranking;
    ll_status status = ll_ranking_init(s, &ranking, predictions, label, error);
    if (status != LL_OK)
        return status;
    status = ll_ranking_work(s->how, work, out, &ranking, error);
    ll_ranking_clear(&ranking);
    return status;
}

/* numpy.average: the sum, then one quotient. */
static void take_mean(const ll_work *work, ll_worked *out, const ll_worked *each, long classes)
{
    ll_worked count;
    ll_worked_init(&count);
    ll_worked_set(work, &count, classes);
    ll_worked_sum(work, out, each, classes);
    ll_worked_div(work, out, out, &count);
    ll_worked_clear(&count);
}

static ll_status work_all(const ll_scoring *s, const ll_work *work, ll_worked *out, const ll_predictions *predictions,
                          ll_error *error)
{
    ll_worked *each = malloc(sizeof *each * (size_t)s->classes);
    ll_status status = each != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for %ld classes", s->classes);
    for (long k = 0; each != NULL && k < s->classes; k++)
        ll_worked_init(&each[k]);
    for (long k = 0; k < s->classes && status == LL_OK; k++)
        status = work_class(s, work, &each[k], predictions, k, error);
    if (status == LL_OK)
        take_mean(work, out, each, s->classes);
    for (long k = 0; each != NULL && k < s->classes; k++)
        ll_worked_clear(&each[k]);
    free(each);
    return status;
}

ll_status ll_score_one_vs_rest(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                               slong bits, ll_error *error)
{
    ll_work work = ll_view_work(scoring->how, bits);
    ll_worked number;
    ll_status status = check_labels(scoring, error);
    if (status == LL_OK)
        status = check_rows(predictions, error);
    ll_worked_init(&number);
    if (status == LL_OK)
        status = work_all(scoring, &work, &number, predictions, error);
    if (status == LL_OK)
        ll_view_finish(scoring->how, out, &number);
    ll_worked_clear(&number);
    return status;
}
