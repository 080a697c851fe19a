/* The gap of metrics of counts and ranks. Two rows of one group that change labels leave the score as it is, in every
 * arithmetic: then the gap is 0. Without such rows there are few labellings, or AUC, where ranks 1 and 4 have the sum
 * of ranks 2 and 3; what is left is searched as far as it goes, from the highest prediction down. */
#include "separate/separate_views.h"

#include "metric/ranks/auc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = LL_WORK_PREC, BITS = 256, MOST_SCORED = 1 << 16, MOST_ENTRIES = 1 << 20, FILLS = 8 };

/* ---- groups ---- */

typedef struct {
    ll_exact *all; /* [row * columns + column] */
    long columns;
} values;

/* The higher one first: by the first column in which they differ. */
static int compare_values(const values *x, long i, long j)
{
    int order = 0;
    for (long c = 0; c < x->columns && order == 0; c++)
        order = ll_exact_cmp(x->all + j * x->columns + c, x->all + i * x->columns + c);
    return order;
}

static int compare_rows(const void *a, const void *b, void *x)
{
    long i = *(const long *)a, j = *(const long *)b;
    int order = compare_values(x, i, j);
    return order != 0 ? order : (i > j) - (i < j);
}

/* Predictions as the program compares them: of single precision, rounded to it. */
static ll_status read_values(const ll_views *v, ll_exact *out, ll_error *error)
{
    const ll_terms *terms = &v->work->terms;
    const ll_computation *how = terms->scoring->how;
    int single = how->kind != LL_KIND_EXACT && how->rows.format.fraction_bits == 23;
    ll_status status = LL_OK;
    for (long i = 0; i < v->rows * terms->block.columns && status == LL_OK; i++) {
        const ll_exact *x = ll_rows_exact(&out[i], &terms->block, i);
        status = ll_rows_check(terms->scoring, terms->predictions, x, i / terms->block.columns, error);
        if (status != LL_OK)
            break;
        if (single)
            ll_exact_set_d(&out[i], (double)(float)ll_exact_get_d(x));
        else if (how->kind != LL_KIND_EXACT)
            ll_exact_set_d(&out[i], ll_exact_get_d(x));
        else if (x != &out[i])
            ll_exact_set(&out[i], x);
    }
    return status;
}

static void set_groups(ll_views *v, values *x)
{
    for (long i = 0; i < v->rows; i++)
        v->order[i] = i;
    qsort_r(v->order, (size_t)v->rows, sizeof *v->order, compare_rows, x);
    for (long i = 0; i < v->rows; i++) {
        v->groups += i == 0 || compare_values(x, v->order[i - 1], v->order[i]) != 0;
        v->group[v->order[i]] = v->groups - 1;
        v->sizes[v->groups - 1]++;
    }
    v->has_one = ll_exact_sgn(x->all + v->order[0] * x->columns) > 0;
}

static ll_status init_views(ll_views *v, ll_separation_work *w, double max_memory, ll_error *error)
{
    long rows = w->terms.rows;
    *v = (ll_views){.work = w, .rows = rows, .classes = w->terms.classes, .max_memory = max_memory};
    v->is_ranks = !ll_metric_is_counts(w->scoring.how->metric);
    v->known_counts = w->scorer->counts;
    v->order = calloc((size_t)rows, sizeof *v->order);
    v->group = calloc((size_t)rows, sizeof *v->group);
    v->sizes = calloc((size_t)rows, sizeof *v->sizes);
    values x = {.columns = w->terms.block.columns};
    x.all = calloc((size_t)(rows * x.columns), sizeof *x.all); /* all-zero is an initialised ll_exact */
    ll_status status = v->order && v->group && v->sizes && x.all
                           ? read_values(v, x.all, error)
                           : ll_fail(error, LL_MEMORY, "no memory for %ld rows", rows);
    if (status == LL_OK)
        set_groups(v, &x);
    ll_exact_free(x.all, rows * x.columns);
    return status;
}

static void clear_views(ll_views *v)
{
    free(v->order);
    free(v->group);
    free(v->sizes);
}

int ll_views_may_have(const ll_views *v, long positives)
{
    return v->known_counts == NULL || v->known_counts[1] == positives;
}

/* ---- two rows that change labels ---- */

/* Labels 1 and 0 for the pair, the others as counts that were told allow: in the order of rows, begun at `shift`. */
static int fill(const ll_views *v, int32_t *labels, long one, long other, long shift)
{
    int64_t used = 0; /* of class k */
    int32_t k = 0;
    if (v->known_counts != NULL && (v->known_counts[0] < 1 || v->known_counts[1] < 1))
        return 0;
    for (long i = 0; i < v->rows; i++) {
        long row = (i + shift) % v->rows;
        if (row == one || row == other)
            continue;
        k = v->known_counts == NULL ? (int32_t)((i * FILLS / v->rows + shift) % v->classes) : k;
        while (v->known_counts != NULL && used >= v->known_counts[k] - (k < 2)) {
            k++;
            used = 0;
        }
        labels[row] = k;
        used++;
    }
    labels[one] = 1;
    labels[other] = 0;
    return 1;
}

static int find_twins(const ll_views *v, long *one, long *other)
{
    for (long i = 1; i < v->rows; i++)
        if (v->group[v->order[i]] == v->group[v->order[i - 1]] && v->sizes[v->group[v->order[i]]] > 1) {
            *one = v->order[i - 1];
            *other = v->order[i];
            return 1;
        }
    return 0;
}

static void swap_labels(const ll_views *v, long one, long other)
{
    int32_t *first = v->work->pair, *second = first + v->rows;
    memcpy(second, first, sizeof *first * (size_t)v->rows);
    second[one] = first[other];
    second[other] = first[one];
}

/* Is there a labelling with a score in which two rows of one group differ? */
static int find_swap(const ll_views *v)
{
    ll_separation_work *w = v->work;
    long one, other;
    if (!find_twins(v, &one, &other))
        return 0;
    for (long shift = 0; shift < v->rows && shift < FILLS; shift++) {
        if (!fill(v, w->pair, one, other, shift) || ll_terms_score(&w->terms, &w->first, w->pair, BITS, NULL) != LL_OK)
            continue;
        swap_labels(v, one, other);
        w->method = "two rows of one prediction change labels";
        return 1;
    }
    return 0;
}

/* ---- ranks 1 and 4 against 2 and 3 ---- */

static int find_ranks(const ll_views *v)
{
    long positives = v->known_counts != NULL ? (long)v->known_counts[1] : 2;
    int32_t *first = v->work->pair, *second = first + v->rows;
    if (ll_auc_slope(v->work->scoring.how) == 0 || v->groups < v->rows || positives < 2 || positives > v->rows - 2)
        return 0;
    for (long i = 0; i < v->rows; i++)
        first[v->order[i]] = second[v->order[i]] = i >= 4 && i < 2 + positives;
    first[v->order[0]] = first[v->order[3]] = 1;
    second[v->order[1]] = second[v->order[2]] = 1;
    v->work->method = "two positives, one rank up and one down";
    return 1;
}

/* ---- labellings one by one, from the highest prediction down ---- */

typedef struct {
    const ll_views *views;
    int32_t *labels; /* [labelling * rows + row] */
    long limit;
    ll_scores scores;
    int complete;
} listing;

/* The next labelling in the order of predictions; 0 after the last. */
static int advance(const ll_views *v, int32_t *labels)
{
    for (long i = 0; i < v->rows; i++) {
        if (++labels[v->order[i]] < v->classes)
            return 1;
        labels[v->order[i]] = 0;
    }
    return 0;
}

static int has_counts(const ll_views *v, const int32_t *labels)
{
    for (long k = 0; v->known_counts != NULL && k < v->classes; k++) {
        int64_t count = 0;
        for (long i = 0; i < v->rows; i++)
            count += labels[i] == k;
        if (count != v->known_counts[k])
            return 0;
    }
    return 1;
}

/* Two classes with a count that was told: the first labelling, and the next with the same one. */
static void set_first(const ll_views *v, int32_t *labels)
{
    memset(labels, 0, sizeof *labels * (size_t)v->rows);
    for (long i = 0; v->known_counts != NULL && v->classes == 2 && i < v->known_counts[1]; i++)
        labels[v->order[i]] = 1;
}

static int advance_counted(const ll_views *v, int32_t *labels)
{
    long ones = 0, i = 0;
    while (i + 1 < v->rows && !(labels[v->order[i]] == 1 && labels[v->order[i + 1]] == 0)) {
        ones += labels[v->order[i]];
        i++;
    }
    if (i + 1 >= v->rows)
        return 0;
    labels[v->order[i]] = 0;
    labels[v->order[i + 1]] = 1;
    for (long j = 0; j < i; j++)
        labels[v->order[j]] = j < ones;
    return 1;
}

static int go_on(const ll_views *v, int32_t *labels)
{
    return v->known_counts != NULL && v->classes == 2 ? advance_counted(v, labels) : advance(v, labels);
}

static ll_status take(listing *l, ll_unreleased *unreleased, const int32_t *labels, ll_error *error)
{
    const ll_views *v = l->views;
    ll_scores *s = &l->scores;
    ll_status status = ll_terms_score(&v->work->terms, unreleased, labels, BITS, error);
    if (status == LL_DOMAIN)
        return LL_OK; /* no score: told from all others */
    if (status == LL_OK)
        status = ll_release_transform(v->work->terms.release, unreleased, BITS, error);
    if (status != LL_OK)
        return status;
    arf_set(s->lower + s->count, unreleased->lower);
    arf_set(s->upper + s->count, unreleased->upper);
    arf_set(s->number + s->count, arb_midref(unreleased->number));
    memcpy(l->labels + (long)s->count * v->rows, labels, sizeof *labels * (size_t)v->rows);
    s->count++;
    return LL_OK;
}

static ll_status score_some(listing *l, int32_t *labels, ll_error *error)
{
    const ll_views *v = l->views;
    ll_status status = LL_OK;
    ll_unreleased unreleased;
    ll_unreleased_init(&unreleased);
    int more = 1;
    set_first(v, labels);
    for (long tried = 0; more && status == LL_OK && tried < 4 * l->limit && (long)l->scores.count < l->limit; tried++) {
        if (has_counts(v, labels))
            status = take(l, &unreleased, labels, error);
        more = go_on(v, labels);
    }
    l->complete = !more;
    ll_unreleased_clear(&unreleased);
    return status;
}

static int make_listing(listing *l, const ll_views *v)
{
    long most = MOST_ENTRIES / v->rows + 2;
    *l = (listing){.views = v, .limit = most < MOST_SCORED ? most : MOST_SCORED};
    l->labels = malloc(sizeof *l->labels * (size_t)v->rows * (size_t)l->limit);
    return ll_scores_reserve(&l->scores, (uint64_t)l->limit) && l->labels != NULL;
}

static ll_status find_listed(listing *l, ll_error *error)
{
    ll_separation_work *w = l->views->work;
    ll_scores_gap gap;
    size_t bytes = sizeof *w->pair * (size_t)l->views->rows;
    if (l->scores.count < 2)
        return ll_fail(error, LL_DOMAIN,
                       "fewer than two labellings of these predictions have a score: there is no gap");
    ll_scores_gap_init(&gap);
    ll_status status = ll_scores_find(&l->scores, &gap) == LL_OK
                           ? LL_OK
                           : ll_fail(error, LL_MEMORY, "no memory for the scores of all labellings");
    if (status == LL_OK) {
        if (l->complete)
            arf_set(w->lower, gap.lower);
        arf_set(w->upper, gap.upper);
        memcpy(w->pair, l->labels + (long)gap.first * l->views->rows, bytes);
        memcpy(w->pair + l->views->rows, l->labels + (long)gap.second * l->views->rows, bytes);
        w->method = l->complete ? "every labelling scored" : "some labellings scored";
    }
    ll_scores_gap_clear(&gap);
    return status;
}

static ll_status list_labellings(const ll_views *v, ll_error *error)
{
    listing l;
    int32_t *labels = calloc((size_t)v->rows, sizeof *labels);
    ll_status status = make_listing(&l, v) && labels != NULL
                           ? score_some(&l, labels, error)
                           : ll_fail(error, LL_MEMORY, "no memory for the scores of %ld labellings", l.limit);
    if (status == LL_OK)
        status = find_listed(&l, error);
    free(labels);
    free(l.labels);
    l.scores.count = (uint64_t)l.limit;
    ll_scores_clear(&l.scores);
    return status;
}

/* ---- the gap ---- */

/* Equal fractions: exact numbers that are one. */
static int is_same(const ll_separation_work *w)
{
    return w->scoring.how->kind == LL_KIND_EXACT && w->first.is_rational && w->second.is_rational &&
           w->first.divisor == w->second.divisor && ll_exact_cmp(&w->first.sum, &w->second.sum) == 0;
}

/* Scores of the pair, before and after the steps; *same: the very same number, proved. */
static ll_status score_pair(ll_separation_work *w, int *same, ll_error *error)
{
    const ll_release *release = &w->scorer->release;
    ll_status status = ll_terms_score(&w->terms, &w->first, w->pair, BITS, error);
    if (status == LL_OK)
        status = ll_terms_score(&w->terms, &w->second, w->pair + w->terms.rows, BITS, error);
    *same = status == LL_OK && is_same(w);
    if (status == LL_OK)
        status = ll_release_transform(release, &w->first, BITS, error);
    if (status == LL_OK)
        status = ll_release_transform(release, &w->second, BITS, error);
    if (status != LL_OK)
        return status;
    arf_sub(w->gap, arb_midref(w->first.number), arb_midref(w->second.number), LL_SEPARATE_PREC, ARF_RND_NEAR);
    arf_abs(w->gap, w->gap);
    return LL_OK;
}

static void set_nothing(ll_separation_work *w)
{
    arf_zero(w->lower);
    arf_zero(w->upper);
    arf_zero(w->gap);
}

/* Range of the metric, where the states were not counted. */
static ll_status set_range(ll_separation_work *w, ll_error *error)
{
    double least, most;
    ll_unreleased unreleased;
    arb_ptr ends[] = {w->least, w->greatest};
    ll_metric_range(w->scoring.how->metric, &least, &most);
    ll_unreleased_init(&unreleased);
    ll_status status = LL_OK;
    for (int i = 0; i < 2 && status == LL_OK; i++) {
        arb_set_d(unreleased.number, i == 0 ? least : most);
        ll_unreleased_ends(unreleased.lower, unreleased.upper, unreleased.number);
        status = ll_release_transform(&w->scorer->release, &unreleased, PREC, error);
        arb_set(ends[i], unreleased.number);
    }
    if (arb_gt(w->least, w->greatest))
        arb_swap(w->least, w->greatest);
    ll_unreleased_clear(&unreleased);
    return status;
}

static ll_status find_gap(const ll_views *v, ll_error *error)
{
    ll_separation_work *w = v->work;
    int swapped = find_swap(v), same, paired = swapped || find_ranks(v);
    ll_status status = paired ? LL_OK : list_labellings(v, error);
    if (status == LL_OK)
        status = score_pair(w, &same, error);
    if (status != LL_OK)
        return status;
    if (swapped || same)
        set_nothing(w);
    else if (paired)
        ll_work_pair_upper(w, w->upper);
    return LL_OK;
}

ll_status ll_work_find_views(ll_separation_work *w, double max_memory, ll_error *error)
{
    ll_views views;
    w->is_view = 1;
    w->terms.prec = BITS;
    w->core.reaches = LL_UNKNOWN;
    ll_status status = init_views(&views, w, max_memory, error);
    if (status == LL_OK)
        status = set_range(w, error);
    if (status == LL_OK)
        status = find_gap(&views, error);
    if (status == LL_OK)
        status = ll_views_count(&views, &w->different, w->step, error);
    clear_views(&views);
    return status;
}
