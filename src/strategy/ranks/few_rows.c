/* Of few rows every labelling can be looked at: does some query tell any two of them apart? What steps promise holds for
 * one number of positives only; where scores are coarse, labels with another number may explain them all. */
#include "strategy/ranks/ranks.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_LABELLINGS = 1024 };

/* The differences that doubles take for none. */
static const double spare = 1e-12;

typedef struct {
    const ll_code *code;
    long count;      /* labellings in which every class has a row */
    int32_t *labels; /* [labelling * rows + row] */
    double *numbers; /* [labelling * queries + query]: AUC of the class that is asked about */
} worlds;

int ll_ranks_are_few(long rows, long classes)
{
    return pow((double)classes, (double)rows) <= MOST_LABELLINGS;
}

/* 0: a class has no row, and there is no number. */
static int write_labels(const ll_code *code, int32_t *labels, long which)
{
    unsigned seen = 0;
    for (long i = 0; i < code->rows; i++, which /= code->classes) {
        labels[i] = (int32_t)(which % code->classes);
        seen |= 1U << labels[i];
    }
    return seen == (1U << code->classes) - 1;
}

/* The number of the query, of every labelling. */
static void set_numbers(worlds *w, long query, int64_t *ranks)
{
    const ll_code *code = w->code;
    const uint16_t *places = ll_ranks_places(code, query);
    long asked;
    (void)ll_ranks_own(code, query, &asked);
    ll_rank_double(ranks, ll_ranks_query(code, query)->ties, places, code->rows);
    for (long k = 0; k < w->count; k++) {
        int64_t sum = 0, positives = 0;
        for (long i = 0; i < code->rows; i++)
            if (w->labels[k * code->rows + i] == asked) {
                sum += ranks[places[i]];
                positives++;
            }
        w->numbers[k * code->queries + query] =
            (double)(sum - positives * (positives + 1)) / (double)(2 * positives * (code->rows - positives));
    }
}

static int differ(const worlds *w, long k, long l, long read)
{
    for (long i = 0; i < read; i++)
        if (w->labels[k * w->code->rows + i] != w->labels[l * w->code->rows + i])
            return 1;
    return 0;
}

static int is_told(const worlds *w, long k, long l, double open)
{
    const long queries = w->code->queries;
    for (long q = 0; q < queries; q++)
        if (fabs(w->numbers[k * queries + q] - w->numbers[l * queries + q]) > open + spare)
            return 1;
    return 0;
}

static int are_told(const worlds *w, long read, double open)
{
    for (long k = 1; k < w->count; k++)
        for (long l = 0; l < k; l++)
            if (differ(w, k, l, read) && !is_told(w, k, l, open))
                return 0;
    return 1;
}

ll_status ll_ranks_look(const ll_code *code, long read, double open, int *are_apart)
{
    const long all = (long)pow((double)code->classes, (double)code->rows);
    worlds w = {.code = code};
    *are_apart = 1;
    w.labels = malloc(sizeof *w.labels * (size_t)(all * code->rows));
    w.numbers = malloc(sizeof *w.numbers * (size_t)(all * code->queries));
    int64_t *ranks = malloc(sizeof *ranks * (size_t)(code->rows + 2));
    int made = w.labels != NULL && w.numbers != NULL && ranks != NULL;
    for (long which = 0; which < all && made; which++)
        w.count += write_labels(code, w.labels + w.count * code->rows, which);
    for (long q = 0; q < code->queries && made; q++)
        set_numbers(&w, q, ranks);
    if (made)
        *are_apart = are_told(&w, read, open);
    free(w.labels);
    free(w.numbers);
    free(ranks);
    return made ? LL_OK : LL_MEMORY;
}
