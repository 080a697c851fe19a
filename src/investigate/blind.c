/* Whose score is that of predictions that know nothing? If P positives were spread over the rows at random, the sum of
 * their features would have the mean P m and the variance P (N - P) / (N - 1) v, where m and v are the mean and the
 * variance of the features. A score is blind where the sum is within 3.5 standard deviations for some P that no score
 * excludes. Designs are, but for 5 of 10,000 files; so are bad models. */
#include "investigate/history.h"
#include "investigate/knowledge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_deviations = 3.5;

typedef struct {
    double mean, variance;
} moments;

static moments measure(const long *features, long rows)
{
    moments m = {0, 0};
    for (long i = 0; i < rows; i++)
        m.mean += (double)features[i] / (double)rows;
    for (long i = 0; i < rows; i++)
        m.variance += ((double)features[i] - m.mean) * ((double)features[i] - m.mean) / (double)rows;
    return m;
}

static int is_blind(const ll_view_sums *view, long rows, const unsigned char *may_be)
{
    moments m = measure(view->features, rows);
    for (long p = 1; p < rows; p++) {
        double chances = (double)p * (double)(rows - p) / fmax(1, (double)rows - 1);
        double room = most_deviations * sqrt(chances * m.variance), mean = (double)p * m.mean;
        if (may_be[p] && (double)view->low[p] <= mean + room && (double)view->high[p] >= mean - room)
            return 1;
    }
    return 0;
}

ll_status ll_history_find_blind(ll_history_marks *out, const ll_history *h)
{
    unsigned char *may_be = malloc((size_t)h->rows + 1);
    if (may_be == NULL)
        return LL_MEMORY;
    memset(may_be, 1, (size_t)h->rows + 1);
    for (long s = 0; s < h->count; s++)
        ll_score_sums_narrow(&h->revealed[s], h->rows, may_be);
    for (long s = 0; s < h->count; s++) {
        const ll_score_sums *revealed = &h->revealed[s];
        out->is_blind[s] = revealed->view_count > 0;
        for (long i = 0; i < revealed->view_count; i++)
            out->is_blind[s] &= (unsigned char)is_blind(&revealed->views[i], h->rows, may_be);
        out->blind += out->is_blind[s];
    }
    free(may_be);
    return LL_OK;
}
