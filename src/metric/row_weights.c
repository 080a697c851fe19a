/* Weights of rows, or of classes: what a row's term counts for in a mean, sum of w t / sum of w
 * (docs/proofs/changes.md).
 *
 * A class's weight is that of every row with its label, so what the sum is divided by is known where the class counts
 * are. `balanced` is scikit-learn's N / (K n_c), K the classes that occur. */
#include "metric/metric_private.h"

#include "number/roundoff.h"
#include "number/text_number.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = 192 };

static const char balanced[] = "balanced";

/* ---- reading ---- */

static ll_status fail_entry(const char *what, long index, ll_error *error)
{
    return ll_fail(error, LL_DOMAIN,
                   "%s: entry %ld is no weight; they are numbers from 0 to 1e100, separated by commas", what, index);
}

/* `count` of them, one at least above 0. */
static ll_status read_list(double **out, const char *what, const char *text, long count, ll_error *error)
{
    double *list = malloc(sizeof *list * (size_t)count), most = 0;
    if (list == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld weights", count);
    for (long i = 0; i < count; i++) {
        char *end;
        list[i] = ll_read_double(text, &end);
        if (end == text || (*end != ',' && *end != '\0') || !(list[i] >= 0 && list[i] <= 1e100) ||
            (list[i] > 0 && list[i] < 1e-100)) {
            free(list);
            return fail_entry(what, i, error);
        }
        most = fmax(most, list[i]);
        text = *end != '\0' ? end + 1 : end;
    }
    if (most > 0) {
        *out = list;
        return LL_OK;
    }
    free(list);
    return ll_fail(error, LL_DOMAIN, "%s: all weights are 0, and nothing is left to divide by", what);
}

long ll_weights_count(const char *text)
{
    long count = 1;
    for (; *text != '\0'; text++)
        count += *text == ',';
    return count;
}

ll_status ll_weights_check(const char *what, const char *text, int may_balance, ll_error *error)
{
    double *list = NULL;
    if (may_balance && strcmp(text, balanced) == 0)
        return LL_OK;
    ll_status status = read_list(&list, what, text, ll_weights_count(text), error);
    free(list);
    return status;
}

/* N / (K n_c) as scikit-learn divides; a class that does not occur has none. */
static void balance(double *out, const int64_t *counts, long classes)
{
    double rows = 0, present = 0;
    for (long k = 0; k < classes; k++) {
        rows += (double)counts[k];
        present += counts[k] > 0;
    }
    for (long k = 0; k < classes; k++)
        out[k] = counts[k] > 0 ? rows / (present * (double)counts[k]) : 0;
}

/* ---- in a computation ---- */

/* A mean of terms, or one number between -1 and 1 of a confusion matrix. */
static int is_weighable(const ll_metric *metric)
{
    return metric->row->family->takes_weights != NULL && metric->row->family->takes_weights(metric);
}

static ll_status check(const ll_computation *how, const ll_weight_texts *texts, ll_error *error)
{
    const char *name = ll_metric_row(how->metric)->name;
    if (texts->weights != NULL && texts->class_weights != NULL)
        return ll_fail(error, LL_DOMAIN, "weights and class-weights: give one of them");
    if (!is_weighable(how->metric))
        return ll_fail(
            error, LL_DOMAIN,
            "weights are known for means of one term per row (log-loss, squared, accuracy, mse) and for shares "
            "of counts (f1, mcc, kappa), not for %s; that does not mean it is safe",
            name);
    if (how->kind == LL_KIND_FORMAT || (how->kind == LL_KIND_NATIVE && how->total.format.fraction_bits != 52))
        return ll_fail(error, LL_DOMAIN, "weights are known where sums are exact or fp64, not in %s",
                       how->sum_arithmetic);
    return LL_OK;
}

static ll_status set_rows(ll_computation *how, const ll_weight_texts *texts, ll_error *error)
{
    long count = ll_weights_count(texts->weights);
    if (texts->rows > 0 && count != texts->rows)
        return ll_fail(error, LL_DOMAIN, "weights: %ld of them for %ld rows", count, texts->rows);
    how->weight_count = count;
    ll_status status = read_list(&how->weights, "weights", texts->weights, count, error);
    for (long i = 0; i < count && status == LL_OK; i++) {
        arb_t one;
        arb_init(one);
        arb_set_d(one, how->weights[i]);
        arb_add(how->weight_total, how->weight_total, one, PREC);
        arb_clear(one);
    }
    how->knows_total = status == LL_OK;
    return status;
}

static void set_total(ll_computation *how, const ll_weight_texts *texts)
{
    for (long k = 0; k < texts->classes; k++) {
        arb_t one;
        arb_init(one);
        arb_set_d(one, how->class_weights[k]);
        arb_addmul_si(how->weight_total, one, texts->counts[k], PREC);
        arb_clear(one);
    }
    how->knows_total = arb_is_positive(how->weight_total);
}

static ll_status set_classes(ll_computation *how, const ll_weight_texts *texts, ll_error *error)
{
    how->is_balanced = strcmp(texts->class_weights, balanced) == 0;
    long count = how->is_balanced ? texts->classes : ll_weights_count(texts->class_weights);
    if (texts->classes > 0 && count != texts->classes)
        return ll_fail(error, LL_DOMAIN, "class-weights: %ld of them for %ld classes", count, texts->classes);
    how->weight_count = count;
    if (!how->is_balanced) {
        ll_status status = read_list(&how->class_weights, "class-weights", texts->class_weights, count, error);
        if (status == LL_OK && texts->counts != NULL)
            set_total(how, texts);
        return status;
    }
    if (texts->counts == NULL)
        return LL_OK;
    how->class_weights = malloc(sizeof *how->class_weights * (size_t)count);
    if (how->class_weights == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld weights", count);
    balance(how->class_weights, texts->counts, count);
    set_total(how, texts);
    return LL_OK;
}

ll_status ll_computation_set_weights(ll_computation *how, const ll_weight_texts *texts, ll_error *error)
{
    if (texts->weights == NULL && texts->class_weights == NULL)
        return LL_OK;
    how->is_weighted = 1;
    ll_status status = check(how, texts, error);
    if (status != LL_OK)
        return status;
    return texts->weights != NULL ? set_rows(how, texts, error) : set_classes(how, texts, error);
}

void ll_computation_clear_weights(ll_computation *how)
{
    free(how->weights);
    free(how->class_weights);
    arb_clear(how->weight_total);
}

/* ---- asked ---- */

void ll_computation_get_weight(const ll_computation *how, arb_t out, long row, long label)
{
    arb_one(out);
    if (how->weights != NULL)
        arb_set_d(out, how->weights[row]);
    else if (how->class_weights != NULL)
        arb_set_d(out, how->class_weights[label]);
}

void ll_computation_weigh(const ll_computation *how, arb_t term, long row, long label, slong prec)
{
    arb_t weight;
    if (!how->is_weighted)
        return;
    arb_init(weight);
    ll_computation_get_weight(how, weight, row, label);
    arb_mul(term, term, weight, prec);
    arb_clear(weight);
}

double ll_computation_heaviest(const ll_computation *how)
{
    const double *list = how->weights != NULL ? how->weights : how->class_weights;
    double most = list == NULL;
    for (long i = 0; list != NULL && i < how->weight_count; i++)
        most = fmax(most, list[i]);
    return most;
}

double ll_computation_lightest(const ll_computation *how)
{
    double least = INFINITY;
    if (how->weights == NULL)
        return 0;
    for (long i = 0; i < how->weight_count; i++)
        least = how->weights[i] > 0 ? fmin(least, how->weights[i]) : least;
    return least / arf_get_d(arb_midref(how->weight_total), ARF_RND_CEIL);
}

ll_status ll_computation_label_weights(const ll_computation *how, double *out, const int32_t *labels, long rows,
                                       long classes, ll_error *error)
{
    if (how->class_weights != NULL && classes != how->weight_count)
        return ll_fail(error, LL_DOMAIN, "class-weights: %ld of them for %ld classes", how->weight_count, classes);
    if (how->weights != NULL && rows != how->weight_count)
        return ll_fail(error, LL_DOMAIN, "weights: %ld of them for %ld rows", how->weight_count, rows);
    if (how->weights != NULL) {
        memcpy(out, how->weights, sizeof *out * (size_t)rows);
        return LL_OK;
    }
    double *own = malloc(sizeof *own * (size_t)classes);
    int64_t *counts = calloc((size_t)classes, sizeof *counts);
    if (own == NULL || counts == NULL) {
        free(own);
        free(counts);
        return ll_fail(error, LL_MEMORY, "no memory for %ld weights", classes);
    }
    for (long i = 0; i < rows; i++)
        counts[labels[i]]++;
    if (how->is_balanced)
        balance(own, counts, classes);
    const double *each = how->is_balanced ? own : how->class_weights;
    assert(each != NULL);
    for (long i = 0; i < rows; i++)
        out[i] = each[labels[i]];
    free(own);
    free(counts);
    return LL_OK;
}

double ll_computation_total_units(const ll_computation *how, long rows)
{
    mag_t one, part;
    if (!how->is_weighted || how->kind == LL_KIND_EXACT)
        return 0;
    mag_init(one);
    mag_init(part);
    mag_one(one);
    ll_sum_bound(part, how->order, rows, how->total.format.fraction_bits, one);
    double units = ldexp(mag_get_d(part), (int)how->total.format.fraction_bits + 1) * (1 + 0x1p-8);
    mag_clear(one);
    mag_clear(part);
    return units;
}
