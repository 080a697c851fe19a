/* Predictions of two classes, 0 and one other, seen by a metric that looks at true positives and counts alone: of the
 * other classes' rows it sees how many classes they are, and their sum. */
#include "metric/counts/counting.h"

static int is_possible(const ll_contrast *c, long others, int64_t rest)
{
    int64_t from_rest = c->guessed - c->from_zeros - c->tp;
    return c->from_zeros >= 0 && c->from_zeros <= c->zeros && c->tp >= 0 && c->tp <= c->others && from_rest >= 0 &&
           from_rest <= rest && others >= 0 && others <= c->classes - 2 && (others == 0) == (rest == 0) &&
           rest >= others;
}

/* One row for each of so many other classes, the first of them has what is left. */
static void share_rest(ll_confusion *counts, const ll_contrast *c, long others, int64_t rest)
{
    for (long k = 1, met = 0; k < c->classes && met < others; k++)
        if (k != c->other)
            counts->support[k] = met++ == 0 ? rest - (others - 1) : 1;
}

/* Misses are one sum to these metrics: they stand in any row of another class than the one predicted. */
static void set_misses(ll_confusion *counts, const ll_contrast *c)
{
    int64_t misses = c->rows - (c->zeros - c->from_zeros) - c->tp;
    long label = 0;
    while (label < c->classes - 1 && (label == c->other || counts->support[label] + counts->predicted[label] == 0))
        label++;
    if (label != c->other)
        counts->cells[label * c->classes + c->other] += misses;
}

ll_status ll_counts_score_contrast(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_contrast *c)
{
    ll_confusion counts;
    int64_t rest = c->rows - c->zeros - c->others;
    long others = c->present - (c->zeros > 0) - (c->others > 0);
    if (!is_possible(c, others, rest))
        return LL_DOMAIN;
    ll_status status = ll_confusion_init(&counts, c->classes, NULL);
    if (status != LL_OK)
        return status;
    counts.rows = c->rows;
    counts.support[0] = c->zeros;
    counts.support[c->other] = c->others;
    share_rest(&counts, c, others, rest);
    counts.predicted[0] = c->rows - c->guessed;
    counts.predicted[c->other] = c->guessed;
    counts.cells[0] = c->zeros - c->from_zeros;
    counts.cells[c->other * (c->classes + 1)] = c->tp;
    set_misses(&counts, c);
    status = ll_confusion_work(how, work, out, &counts, NULL);
    ll_confusion_clear(&counts);
    return status;
}
