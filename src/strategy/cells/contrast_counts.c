/* How many rows each class may have, found from the numbers: docs/proofs/contrast.md.
 *
 * Where all rows predicted one class tell its rows, that is a list for each class. Else every number of rows of class 0
 * is tried; for each, set after set, the small ones first, every way to have rows of each class in it that explains its
 * numbers narrows the range of the rows of each class, until few are left. */
#include "metric/counts/counting.h"
#include "number/whole.h"
#include "strategy/cells/contrast.h"

enum { FEW = 4, MOST_SEEN = 1 << 14, MOST_STEPS = 1 << 22, LARGE_SETS = 8 };

typedef struct {
    const ll_contrast_view *view;
    ll_see_counts *see;
    void *self;
    ll_error *error;
    ll_supposed labels;
    long seen, steps;
} search;

typedef struct {
    int64_t from[LL_CONTRAST_CLASSES], to[LL_CONTRAST_CLASSES]; /* of class 1 on */
} box;

static ll_status fail_many(search *s)
{
    return ll_fail(s->error, LL_UNABLE, "the numbers leave too many class counts to list");
}

/* ---- what is left of a box ---- */

/* All classes together are all rows: 0 where they cannot be. */
static int add_up(const search *s, box *b)
{
    int64_t rest = s->view->plan->rows - s->labels.zeros, low = 0, high = 0;
    for (long c = 1; c < s->view->classes; c++) {
        if (b->from[c] > b->to[c])
            return 0;
        low += b->from[c];
        high += b->to[c];
    }
    for (long c = 1; c < s->view->classes; c++) {
        int64_t from = b->from[c], to = b->to[c];
        b->from[c] = ll_most(from, rest - (high - to));
        b->to[c] = ll_least(to, rest - (low - from));
    }
    return low <= rest && rest <= high;
}

static int is_small(const search *s, const box *b)
{
    double points = 1;
    for (long c = 2; c < s->view->classes; c++)
        points *= (double)(b->to[c] - b->from[c] + 1);
    return points <= FEW;
}

static ll_status show(search *s, const int64_t *rows)
{
    long present = 0;
    for (long c = 0; c < s->view->classes; c++)
        present += rows[c] > 0;
    if (s->labels.present > 0 && present != s->labels.present)
        return LL_OK;
    return ++s->seen > MOST_SEEN ? fail_many(s) : s->see(s->self, rows, s->error);
}

/* Every point of the box from class c on, where `left` rows are to be shared out. */
static ll_status show_from(search *s, const box *b, int64_t *rows, long c, int64_t left)
{
    long last = s->view->classes - 1;
    if (++s->steps > MOST_STEPS)
        return fail_many(s);
    if (c == last) {
        rows[c] = left;
        return left >= b->from[c] && left <= b->to[c] ? show(s, rows) : LL_OK;
    }
    ll_status status = LL_OK;
    for (rows[c] = b->from[c]; rows[c] <= b->to[c] && rows[c] <= left && status == LL_OK; rows[c]++)
        status = show_from(s, b, rows, c + 1, left - rows[c]);
    return status;
}

static ll_status show_box(search *s, const box *b)
{
    int64_t rows[LL_CONTRAST_CLASSES] = {s->labels.zeros};
    return show_from(s, b, rows, 1, s->view->plan->rows - s->labels.zeros);
}

/* ---- one set ---- */

typedef struct {
    long set;
    int64_t from_zeros;
    int64_t first[LL_CONTRAST_CLASSES], last[LL_CONTRAST_CLASSES]; /* true positives that may be */
} set_search;

/* The rows of class c in the box that so many true positives leave possible at all. */
static void get_rows(const search *s, const set_search *q, const box *b, long c, int64_t tp, int64_t *from, int64_t *to)
{
    int64_t rest = s->view->plan->rows - s->labels.zeros, beside = s->view->sizes[q->set] - q->from_zeros - tp;
    *from = ll_most(b->from[c], tp);
    *to = ll_least(b->to[c], rest - beside);
    if (s->labels.present > 0) { /* classes beside 0 and c, each with a row, or none of them */
        long here = s->labels.present - (s->labels.zeros > 0);
        if (here == 1 && b->from[c] >= 1)
            *from = ll_most(*from, rest);
        if (b->from[c] >= 1)
            *to = ll_least(*to, rest - (here - 1));
    }
}

static double number_at(const search *s, const set_search *q, long c, int64_t rows, int64_t tp)
{
    return ll_contrast_number(s->view, &s->labels, c, rows, q->set, q->from_zeros, tp);
}

static double low_of(const search *s, const set_search *q, long c)
{
    return s->view->lows[(c - 1) * s->view->sets + q->set];
}

static double high_of(const search *s, const set_search *q, long c)
{
    return s->view->highs[(c - 1) * s->view->sets + q->set];
}

/* The number falls with the rows of the class: those that leave it in its interval. 0: none. */
static int narrow(const search *s, const set_search *q, const box *b, long c, int64_t tp, int64_t *from, int64_t *to)
{
    get_rows(s, q, b, c, tp, from, to);
    int64_t low = *from, high = *to + 1;
    while (low < high) { /* the first whose number is not above the interval */
        int64_t middle = low + (high - low) / 2;
        if (number_at(s, q, c, middle, tp) > high_of(s, q, c))
            low = middle + 1;
        else
            high = middle;
    }
    *from = low;
    low--, high = *to;
    while (low < high) { /* the last whose number is not below it */
        int64_t middle = high - (high - low - 1) / 2;
        if (number_at(s, q, c, middle, tp) < low_of(s, q, c))
            high = middle - 1;
        else
            low = middle;
    }
    *to = low;
    return *from <= *to;
}

/* Numbers rise with the true positives, whatever rows the class has: a range of true positives. */
static void find_tp(const search *s, set_search *q, const box *b, long c)
{
    int64_t most_tp = ll_least(b->to[c], s->view->sizes[q->set] - q->from_zeros), from, to, low = 0, high;
    get_rows(s, q, b, c, 0, &from, &to);
    low = to < b->from[c] ? b->from[c] - to : 0; /* the others are not so many */
    high = most_tp + 1;
    while (low < high) { /* the first whose largest number reaches the interval */
        int64_t middle = low + (high - low) / 2;
        get_rows(s, q, b, c, middle, &from, &to);
        if (from <= to && number_at(s, q, c, from, middle) < low_of(s, q, c))
            low = middle + 1;
        else
            high = middle;
    }
    q->first[c] = low;
    low--, high = most_tp;
    while (low < high) { /* the last whose least number does not pass it */
        int64_t middle = high - (high - low - 1) / 2;
        get_rows(s, q, b, c, middle, &from, &to);
        if (from <= to && number_at(s, q, c, to, middle) > high_of(s, q, c))
            high = middle - 1;
        else
            low = middle;
    }
    q->last[c] = low;
}

static ll_status try_sets(search *s, const box *b, long number);

/* Hits of the classes from c on, `left` rows of the set; `next` is narrowed as far as classes before c say. */
static ll_status try_tp(search *s, const set_search *q, const box *b, const box *next, long c, int64_t left,
                        long number)
{
    ll_status status = LL_OK;
    box narrowed = *next;
    if (++s->steps > MOST_STEPS)
        return fail_many(s);
    if (c == s->view->classes)
        return left == 0 && add_up(s, &narrowed) ? try_sets(s, &narrowed, number + 1) : LL_OK;
    int last = c == s->view->classes - 1;
    for (int64_t tp = last ? ll_most(q->first[c], left) : q->first[c];
         tp <= q->last[c] && tp <= left && status == LL_OK; tp++)
        if (narrow(s, q, b, c, tp, &narrowed.from[c], &narrowed.to[c]))
            status = try_tp(s, q, b, &narrowed, c + 1, left - tp, number);
    return status;
}

static ll_status try_set(search *s, const box *b, long set, long number)
{
    int64_t size = s->view->sizes[set], all = s->view->plan->rows;
    ll_status status = LL_OK;
    set_search q = {.set = set};
    for (q.from_zeros = ll_most(0, size + s->labels.zeros - all);
         q.from_zeros <= ll_least(size, s->labels.zeros) && status == LL_OK; q.from_zeros++) {
        int64_t low = q.from_zeros, high = low;
        int some = 1;
        for (long c = 1; c < s->view->classes && some; c++) {
            find_tp(s, &q, b, c);
            some = q.first[c] <= q.last[c];
            low += q.first[c];
            high += q.last[c];
        }
        if (some && low <= size && size <= high)
            status = try_tp(s, &q, b, b, 1, size - q.from_zeros, number);
    }
    return status;
}

/* Small sets, then a few of the others; the first of those has all rows, and tells nothing. */
static ll_status try_sets(search *s, const box *b, long number)
{
    long large = s->view->sets - s->view->samples, further = number - s->view->samples;
    long set = further < 0 ? large + number : 1 + further;
    if (is_small(s, b) || further >= LARGE_SETS || (further >= 0 && set >= large))
        return show_box(s, b);
    return try_set(s, b, set, number);
}

/* ---- all of them ---- */

/* Rows of class c as the query of all rows allows them: none, some, or both, where the metric does not tell. */
static ll_status find_range(search *s, box *b, long c)
{
    int64_t rows = s->view->plan->rows;
    long present = s->labels.present;
    int some = ll_contrast_allows(s->view, c, 0, ll_contrast_total(s->view, c, present == 1 ? rows : 1, present));
    int none = ll_contrast_allows(s->view, c, 0, ll_contrast_total(s->view, c, 0, present));
    if (some && none && present > 0)
        return fail_many(s); /* with such coarse numbers; none and some do not follow one another here */
    b->from[c] = none ? 0 : 1;
    b->to[c] = some ? rows : 0;
    return LL_OK;
}

/* Are there as many classes as supposed, with these rows of class 0? */
static int is_present(const search *s, const box *b)
{
    long present = s->labels.zeros > 0;
    for (long c = 1; c < s->view->classes; c++)
        present += b->from[c] > 0;
    return s->labels.present == 0 || s->labels.present == present;
}

static ll_status count_by_sets(search *s)
{
    box whole = {0}, b;
    ll_status status = LL_OK;
    for (long c = 1; c < s->view->classes && status == LL_OK; c++)
        status = find_range(s, &whole, c);
    for (s->labels.zeros = 0; s->labels.zeros <= s->view->plan->rows && status == LL_OK; s->labels.zeros++) {
        b = whole;
        if (is_present(s, &b) && add_up(s, &b))
            status = try_sets(s, &b, 0);
    }
    return status;
}

static ll_status list_totals(search *s, int64_t *rows, long c, int64_t left)
{
    ll_status status = LL_OK;
    if (c == s->view->classes) {
        rows[0] = left;
        return show(s, rows);
    }
    for (rows[c] = 0; rows[c] <= left && status == LL_OK; rows[c]++) {
        if (!ll_contrast_allows(s->view, c, 0, ll_contrast_total(s->view, c, rows[c], s->labels.present)))
            continue;
        status = ++s->steps > MOST_STEPS ? fail_many(s) : list_totals(s, rows, c + 1, left - rows[c]);
    }
    return status;
}

ll_status ll_contrast_counts(const ll_contrast_view *view, ll_see_counts *see, void *self, ll_error *error)
{
    const ll_computation *how = view->plan->scoring.how;
    search s = {.view = view, .see = see, .self = self, .error = error};
    int64_t rows[LL_CONTRAST_CLASSES];
    int counts_classes = ll_counts_needs(how) == LL_NEEDS_TP;
    ll_status status = LL_OK;
    if (view->plan->scorer->counts != NULL)
        return see(self, view->plan->scorer->counts, error);
    for (s.labels.present = counts_classes; s.labels.present <= (counts_classes ? view->classes : 0) && status == LL_OK;
         s.labels.present++)
        status =
            ll_counts_tells(how) == LL_TELLS_TOTALS ? list_totals(&s, rows, 1, view->plan->rows) : count_by_sets(&s);
    return status;
}
