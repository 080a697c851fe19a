/* Does what an account submitted know the labels? Each submission becomes a score of every class, with mean 0 in every
 * class and length 1; their sum is what the account predicts. For predictions that owe nothing to the labels the
 * agreement with them is a sum of terms of mean 0 over its own length: about standard normal, however many submissions
 * there are and however alike. */
#include "investigate/suspicion.h"

#include <math.h>
#include <stdlib.h>

/* One column is a number that grows with class 1, or of more classes a label. */
static double class_score(const ll_history *h, const ll_history_item *item, long row, long k)
{
    double x = item->values[row * item->columns + (item->columns > 1 ? k : 0)];
    double one = h->classes == 2 ? (k == 1 ? x : -x) : (double)(x == (double)k);
    return item->columns > 1 ? x : one;
}

/* Adds the standardised scores of class k. */
static double add_class(const ll_history *h, const ll_history_item *item, const int32_t *labels, long k, double *out)
{
    double mean = 0, square = 0;
    long count = 0;
    for (long i = 0; i < h->rows; i++)
        if (labels[i] >= 0) {
            mean += class_score(h, item, i, k);
            count++;
        }
    mean /= (double)(count > 0 ? count : 1);
    for (long i = 0; i < h->rows; i++)
        if (labels[i] >= 0) {
            out[i * h->classes + k] = class_score(h, item, i, k) - mean;
            square += out[i * h->classes + k] * out[i * h->classes + k];
        }
    return square;
}

static void add_item(const ll_history *h, const ll_history_item *item, const int32_t *labels, double *one, double *sum)
{
    double square = 0;
    for (long k = 0; k < h->classes; k++)
        square += add_class(h, item, labels, k, one);
    if (!(square > 0) || !isfinite(square))
        return;
    for (long i = 0; i < h->rows * h->classes; i++)
        sum[i] += labels[i / h->classes] >= 0 ? one[i] / sqrt(square) : 0;
}

double ll_history_agreement(const ll_history *h, long account, const int32_t *labels)
{
    size_t cells = (size_t)h->rows * (size_t)h->classes;
    double *sum = calloc(cells, sizeof *sum), *one = calloc(cells, sizeof *one), total = 0, square = 0;
    for (long s = 0; s < h->count && sum != NULL && one != NULL; s++)
        if (h->items[s].account == account && (h->items[s].columns == 1 || h->items[s].columns == h->classes))
            add_item(h, &h->items[s], labels, one, sum);
    for (long i = 0; i < h->rows && sum != NULL && one != NULL; i++)
        if (labels[i] >= 0) {
            total += sum[i * h->classes + labels[i]];
            square += sum[i * h->classes + labels[i]] * sum[i * h->classes + labels[i]];
        }
    free(sum);
    free(one);
    return square > 0 ? total / sqrt(square) : 0;
}
