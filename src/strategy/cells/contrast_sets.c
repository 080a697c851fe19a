/* One set, the rows of each class known: how many of each class are in it. The number of class c against 0 rises with
 * the true positives and falls with the rows of class 0 that are in the set, so for so many of those the true positives
 * of every class lie in a range, which rises with them; and all rows together are the set. */
#include "number/whole.h"
#include "strategy/cells/contrast.h"

#include <string.h>

typedef struct {
    const ll_contrast_view *view;
    const int64_t *rows;
    ll_supposed labels;
    long set;
    int64_t *out;
    long found, most;
    int64_t first[LL_CONTRAST_CLASSES], last[LL_CONTRAST_CLASSES]; /* of true positives */
} search;

/* The first true positives from .. to whose number is at least `low` or, where strict, above it; to + 1: none. */
static int64_t find_first(const search *s, long other, int64_t from_zeros, int64_t from, int64_t to, double low,
                          int strict)
{
    int64_t end = to + 1;
    while (from < end) {
        int64_t middle = from + (end - from) / 2;
        double x = ll_contrast_number(s->view, &s->labels, other, s->rows[other], s->set, from_zeros, middle);
        if (strict ? x > low : x >= low)
            end = middle;
        else
            from = middle + 1;
    }
    return end;
}

/* Hits of every class with so many rows of class 0. -1: none, and fewer rows would not do; 1: none, and more would not;
 * else 0. */
static int find_ranges(search *s, int64_t from_zeros)
{
    int64_t all = s->view->plan->rows, size = s->view->sizes[s->set], least_sum = from_zeros, most_sum = from_zeros;
    int too_few = 0, too_many = 0;
    for (long c = 1; c < s->view->classes && !too_few; c++) {
        long at = (c - 1) * s->view->sets + s->set;
        int64_t beside = all - s->rows[0] - s->rows[c];
        int64_t from = ll_most(0, size - from_zeros - beside), to = ll_least(s->rows[c], size - from_zeros);
        s->first[c] = find_first(s, c, from_zeros, from, to, s->view->lows[at], 0);
        s->last[c] = find_first(s, c, from_zeros, from, to, s->view->highs[at], 1) - 1;
        least_sum += s->first[c];
        most_sum += s->last[c];
        too_few = s->last[c] < from;
        too_many |= s->first[c] > to;
    }
    if (too_few || (!too_many && most_sum < size))
        return -1;
    return too_many || least_sum > size;
}

/* Hits of the classes from c on, `left` rows in all. */
static void list_from(search *s, int64_t *vector, long c, int64_t left)
{
    if (c == s->view->classes) {
        if (left != 0 || s->found > s->most)
            return;
        if (s->found < s->most)
            memcpy(s->out + s->found * s->view->classes, vector, sizeof *vector * (size_t)s->view->classes);
        s->found++;
        return;
    }
    for (int64_t tp = s->first[c]; tp <= s->last[c] && tp <= left && s->found <= s->most; tp++) {
        vector[c] = tp;
        list_from(s, vector, c + 1, left - tp);
    }
}

/* The first number of rows of class 0, from .. to, that is not too small. */
static int64_t find_zeros(search *s, int64_t from, int64_t to)
{
    int64_t end = to + 1;
    while (from < end) {
        int64_t middle = from + (end - from) / 2;
        if (find_ranges(s, middle) >= 0)
            end = middle;
        else
            from = middle + 1;
    }
    return end;
}

long ll_contrast_solve(const ll_contrast_view *view, int64_t *out, const int64_t *rows, long present, long set,
                       long most)
{
    search s = {.view = view, .rows = rows, .labels = {rows[0], present}, .set = set, .out = out, .most = most};
    int64_t vector[LL_CONTRAST_CLASSES], size = view->sizes[set];
    int64_t from = ll_most(0, size + rows[0] - view->plan->rows), to = ll_least(size, rows[0]);
    for (int64_t zeros = find_zeros(&s, from, to); zeros <= to && s.found <= most; zeros++) {
        int side = find_ranges(&s, zeros);
        vector[0] = zeros;
        if (side == 0)
            list_from(&s, vector, 1, size - zeros);
        else
            break;
    }
    return s.found;
}
