/* LabelInf without looking at every labelling, and with the same answer, rounding errors and ties included.
 *
 * A rounded addition is monotone: a <= b gives fl(a + t) <= fl(b + t); so is a rounded division by a positive number.
 * Let the labels of rows k .. N-1 be fixed. The sum of rows 0 .. k-1, added from the left, is least where every row has
 * its least term and greatest where every row has its greatest, and the score is a monotone function of it. So the
 * scores of all labellings with these last labels lie between two that can be computed, and so do their rounded
 * distances to the target. Branches are taken from the last row (the paper's greatest weight) to the first, the nearest
 * first; one whose least distance is above the best found, or equal with a larger labelling, holds nothing better.
 * Where both ends are one number all labellings of the branch have this score, and the first of them stands for all:
 * so rows that the mantissa no longer sees cost nothing. Labels whose term is infinite or NaN make the score so, and
 * are left out. */
#include "experiment/experiment.h"

#include <math.h>

typedef struct {
    const ll_weighing *w;
    double target;
    double low[LL_EXPERIMENT_ROWS + 1], high[LL_EXPERIMENT_ROWS + 1]; /* sums of rows 0 .. k-1 */
    int32_t first[LL_EXPERIMENT_ROWS];                                /* the first label with a finite term */
    int32_t labels[LL_EXPERIMENT_ROWS];                               /* of rows k .. N-1 at depth k; below, `first` */
    int found;
    double distance;
    int32_t *best;
} search;

static int is_allowed(const search *s, long row, long label)
{
    return isfinite(s->w->terms[row * s->w->classes + label]);
}

/* 0: some row has no label with a finite term. */
static int bound_sums(search *s)
{
    const ll_weighing *w = s->w;
    s->low[0] = s->high[0] = w->before;
    for (long i = 0; i < w->rows; i++) {
        double least = INFINITY, most = -INFINITY;
        s->first[i] = -1;
        for (long k = 0; k < w->classes; k++)
            if (is_allowed(s, i, k)) {
                least = fmin(least, w->terms[i * w->classes + k]);
                most = fmax(most, w->terms[i * w->classes + k]);
                s->first[i] = s->first[i] < 0 ? (int32_t)k : s->first[i];
            }
        if (s->first[i] < 0)
            return 0;
        s->low[i + 1] = s->low[i] + least;
        s->high[i + 1] = s->high[i] + most;
    }
    return 1;
}

/* Is the branch's first labelling before the best one? */
static int is_earlier(const search *s)
{
    for (long i = s->w->rows - 1; i >= 0; i--)
        if (s->labels[i] != s->best[i])
            return s->labels[i] < s->best[i];
    return 0;
}

static int is_better(const search *s, double distance)
{
    if (!s->found)
        return distance < INFINITY;
    return distance < s->distance || (distance == s->distance && is_earlier(s));
}

static void keep(search *s, double distance)
{
    s->found = 1;
    s->distance = distance;
    for (long i = 0; i < s->w->rows; i++)
        s->best[i] = s->labels[i];
}

typedef struct {
    int32_t label;
    int is_single;   /* all its labellings have one score */
    double distance; /* of the nearest that it may hold */
} branch;

/* Rows k .. N-1 are fixed. */
static branch look(const search *s, long k)
{
    double low = ll_weighing_finish(s->w, s->labels, s->low[k], k);
    double high = s->low[k] == s->high[k] ? low : ll_weighing_finish(s->w, s->labels, s->high[k], k);
    double distance = s->target < low ? fabs(low - s->target) : s->target > high ? fabs(high - s->target) : 0;
    return (branch){.label = s->labels[k], .is_single = low == high, .distance = distance};
}

static void insert(branch *sorted, long count, branch b)
{
    long i = count;
    while (i > 0 && sorted[i - 1].distance > b.distance) {
        sorted[i] = sorted[i - 1];
        i--;
    }
    sorted[i] = b;
}

static void descend(search *s, long k)
{
    branch branches[LL_EXPERIMENT_CLASSES];
    long count = 0, row = k - 1;
    for (long label = 0; label < s->w->classes; label++)
        if (is_allowed(s, row, label)) {
            s->labels[row] = (int32_t)label;
            insert(branches, count++, look(s, row));
        }
    for (long i = 0; i < count; i++) {
        s->labels[row] = branches[i].label;
        if (!is_better(s, branches[i].distance))
            continue;
        if (branches[i].is_single)
            keep(s, branches[i].distance);
        else
            descend(s, row);
    }
    s->labels[row] = s->first[row];
}

int ll_label_inference(const ll_weighing *w, int32_t *labels, double *distance, double score)
{
    search s = {.w = w, .target = score, .best = labels};
    if (!isfinite(score) || !bound_sums(&s))
        return 0;
    for (long i = 0; i < w->rows; i++)
        s.labels[i] = s.first[i];
    descend(&s, w->rows);
    *distance = s.distance;
    return s.found;
}
