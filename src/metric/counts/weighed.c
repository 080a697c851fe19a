#include "metric/counts/weighed.h"

#include "number/roundoff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLASSES = 512 }; /* 80 MB of weights */

static const ll_format fp64 = {11, 52};

static ll_worked *make(long n)
{
    ll_worked *list = malloc((size_t)n * sizeof *list);
    for (long i = 0; list != NULL && i < n; i++)
        ll_worked_init(&list[i]);
    return list;
}

static void drop(ll_worked *list, long n)
{
    for (long i = 0; list != NULL && i < n; i++)
        ll_worked_clear(&list[i]);
    free(list);
}

ll_status ll_weighed_init(ll_weighed *w, long classes, int is_exact, ll_error *error)
{
    *w = (ll_weighed){.classes = classes, .is_exact = is_exact};
    if (classes > MOST_CLASSES)
        return ll_fail(error, LL_DOMAIN, "%ld classes: weights of pairs are kept for %d at most", classes,
                       MOST_CLASSES);
    w->cells = make(classes * classes);
    w->parts = make(classes * LL_AMOUNTS);
    w->sums = make(classes * LL_AMOUNTS);
    w->scratch = make(classes * classes + 1);
    w->support = calloc((size_t)classes * 2, sizeof *w->support);
    w->predicted = w->support + classes;
    w->seen = calloc((size_t)classes, 1);
    for (int i = 0; i < LL_AMOUNTS; i++)
        ll_worked_init(&w->all[i]);
    for (long i = 0; w->parts && w->sums && i < classes; i++) {
        arb_indeterminate(w->parts[i * LL_AMOUNTS + LL_RECALL].ball);
        arb_indeterminate(w->sums[i * LL_AMOUNTS + LL_RECALL].ball);
    }
    arb_indeterminate(w->all[LL_RECALL].ball);
    if (w->cells && w->parts && w->sums && w->scratch && w->support && w->seen)
        return LL_OK;
    ll_weighed_clear(w);
    return ll_fail(error, LL_MEMORY, "no memory for the weights of %ld classes", classes);
}

void ll_weighed_clear(ll_weighed *w)
{
    drop(w->cells, w->classes * w->classes);
    drop(w->parts, w->classes * LL_AMOUNTS);
    drop(w->sums, w->classes * LL_AMOUNTS);
    drop(w->scratch, w->classes * w->classes + 1);
    for (int i = 0; i < LL_AMOUNTS; i++)
        ll_worked_clear(&w->all[i]);
    free(w->support);
    free(w->seen);
    *w = (ll_weighed){0};
}

void ll_weighed_add(ll_weighed *w, long label, long predicted, double weight)
{
    ll_worked *cell = &w->cells[label * w->classes + predicted];
    w->seen[label] = w->seen[predicted] = 1;
    cell->native += weight;
    w->support[label] += weight;
    w->predicted[predicted] += weight;
    if (w->is_exact) {
        arb_t one;
        arb_init(one);
        arb_set_d(one, weight);
        arb_add(cell->ball, cell->ball, one, ARF_PREC_EXACT);
        arb_clear(one);
    }
}

/* ---- from cells to classes ---- */

/* A double that a program has, or an exact number that is the middle of x's ball. */
static void fix(const ll_weighed *w, ll_worked *x)
{
    x->is_fraction = w->is_exact;
    if (w->is_exact)
        arf_get_fmpq(x->fraction, arb_midref(x->ball));
    else
        arb_set_d(x->ball, x->native);
}

static void set_double(ll_worked *out, double x)
{
    out->native = x;
    out->is_fraction = 0;
    arb_set_d(out->ball, x);
}

/* As precision_recall_fscore_support and jaccard_score have them: every step in doubles that are known. */
static void set_parts(const ll_weighed *w, long k)
{
    ll_worked *part = &w->parts[k * LL_AMOUNTS];
    double tp = w->cells[k * w->classes + k].native, others = w->predicted[k] - tp, missed = w->support[k] - tp;
    set_double(&part[LL_TP], tp);
    set_double(&part[LL_PREDICTED], tp + others);
    set_double(&part[LL_SUPPORT], tp + missed);
    set_double(&part[LL_JOINT], tp + others + missed);
}

static void set_exact_parts(const ll_work *work, const ll_weighed *w, long k)
{
    ll_worked *part = &w->parts[k * LL_AMOUNTS], *sum = &w->sums[k * LL_AMOUNTS];
    for (int i = 0; i <= LL_SUPPORT; i++)
        ll_worked_copy(&part[i], &sum[i]);
    ll_worked_add(work, &part[LL_JOINT], &part[LL_PREDICTED], &part[LL_SUPPORT]);
    ll_worked_sub(work, &part[LL_JOINT], &part[LL_JOINT], &part[LL_TP]);
}

/* cells[start], cells[start + step], ... in the order that NumPy adds them up. */
static void add_cells(const ll_work *work, const ll_weighed *w, ll_worked *out, long start, long step)
{
    for (long i = 0; i < w->classes; i++)
        ll_worked_copy(&w->scratch[i], &w->cells[start + i * step]);
    ll_worked_sum(work, out, w->scratch, w->classes);
}

static void set_sums(const ll_work *work, const ll_weighed *w, long k)
{
    ll_worked *sum = &w->sums[k * LL_AMOUNTS];
    ll_worked_copy(&sum[LL_TP], &w->cells[k * w->classes + k]);
    add_cells(work, w, &sum[LL_PREDICTED], k, w->classes);
    add_cells(work, w, &sum[LL_SUPPORT], k * w->classes, 1);
}

/* terms[0], terms[LL_AMOUNTS], ...: one a class. */
static void add_classes(const ll_work *work, const ll_weighed *w, ll_worked *out, const ll_worked *terms)
{
    for (long k = 0; k < w->classes; k++)
        ll_worked_copy(&w->scratch[k], &terms[k * LL_AMOUNTS]);
    ll_worked_sum(work, out, w->scratch, w->classes);
}

static void set_all(const ll_work *work, ll_weighed *w)
{
    for (int i = 0; i <= LL_JOINT; i++)
        add_classes(work, w, &w->all[i], w->parts + i);
}

void ll_weighed_close(const ll_work *work, ll_weighed *w)
{
    for (long i = 0; i < w->classes * w->classes; i++)
        fix(w, &w->cells[i]);
    for (long k = 0; k < w->classes; k++) {
        set_sums(work, w, k);
        if (w->is_exact)
            set_exact_parts(work, w, k);
        else
            set_parts(w, k);
    }
    set_all(work, w);
}

/* ---- supposed ---- */

void ll_weighed_two_init(ll_weighed_two *two, long rows)
{
    *two = (ll_weighed_two){.rows = rows};
    for (int i = 0; i < 4; i++)
        arb_init(&two->cells[i]);
    for (int i = 0; i < 2; i++)
        arb_init(&two->predicted[i]);
    arb_init(&two->total);
}

void ll_weighed_two_clear(ll_weighed_two *two)
{
    for (int i = 0; i < 4; i++)
        arb_clear(&two->cells[i]);
    for (int i = 0; i < 2; i++)
        arb_clear(&two->predicted[i]);
    arb_clear(&two->total);
}

static int is_rounded(const ll_work *work)
{
    return (work->ways & LL_WORK_ROUNDED) != 0;
}

/* At most three sums of so many doubles in any order, each no more than x, and some steps: those that take true
 * positives away and add them again. */
static void blur(const ll_work *work, ll_worked *out, const arb_t x, const ll_weighed_two *two)
{
    arb_set(out->ball, x);
    out->is_fraction = 0;
    if (is_rounded(work))
        ll_roundoff_add(out->ball, &fp64, 3 * (double)two->rows + 12);
}

/* true positives / (true positives + missed) = 1 / (1 + missed / true positives): each stands there once. */
static void set_recall(const ll_work *work, ll_worked *out, const ll_weighed_two *two, long k)
{
    arb_indeterminate(out->ball);
    if (!two->is_some[3 * k] || !arb_is_positive(&two->cells[3 * k]))
        return;
    arb_div(out->ball, &two->cells[2 * k + 1 - k], &two->cells[3 * k], work->prec);
    arb_add_ui(out->ball, out->ball, 1, work->prec);
    arb_inv(out->ball, out->ball, work->prec);
    if (is_rounded(work))
        ll_roundoff_add(out->ball, &fp64, 4 * (double)two->rows + 12);
}

static void suppose_class(const ll_work *work, ll_weighed *w, const ll_weighed_two *two, long k)
{
    ll_worked *part = &w->parts[k * LL_AMOUNTS];
    const arb_struct *missed = &two->cells[2 * k + 1 - k];
    arb_t whole;
    arb_init(whole);
    blur(work, &part[LL_TP], &two->cells[3 * k], two);
    blur(work, &part[LL_PREDICTED], &two->predicted[k], two);
    arb_add(whole, &two->cells[3 * k], missed, work->prec);
    blur(work, &part[LL_SUPPORT], whole, two);
    arb_add(whole, &two->predicted[k], missed, work->prec);
    blur(work, &part[LL_JOINT], whole, two);
    set_recall(work, &part[LL_RECALL], two, k);
    for (int i = 0; i < LL_AMOUNTS; i++)
        ll_worked_copy(&w->sums[k * LL_AMOUNTS + i], &part[i]);
    arb_clear(whole);
}

void ll_weighed_suppose(const ll_work *work, ll_weighed *w, const ll_weighed_two *two)
{
    w->supposed = two;
    for (long k = 0; k < 2; k++) {
        w->seen[k] = (unsigned char)two->seen[k];
        suppose_class(work, w, two, k);
    }
    set_all(work, w);
    blur(work, &w->all[LL_PREDICTED], &two->total, two);
    blur(work, &w->all[LL_SUPPORT], &two->total, two);
}

/* out = TP TN - FP FN, where the labels' or the predictions' weights are of both classes. */
static void cross(const ll_work *work, arb_t out, const ll_weighed_two *two)
{
    const arb_struct *c = two->cells;
    arb_mul(out, &c[1], &c[2], work->prec);
    arb_neg(out, out);
    arb_addmul(out, &c[0], &c[3], work->prec);
}

/* x +- units roundings of n^2. */
static void blur_square(const ll_work *work, arb_t x, const ll_weighed_two *two)
{
    mag_t size;
    if (!is_rounded(work))
        return;
    mag_init(size);
    arb_get_mag(size, &two->total);
    mag_mul(size, size, size);
    mag_mul_ui(size, size, 8 * (ulong)two->rows + 64);
    mag_mul_2exp_si(size, size, -53);
    arb_add_error_mag(x, size);
    mag_clear(size);
}

/* Far from 0 and from what doubles hold: then a step is wrong by no more than its rounding, and 0 is not met. */
static int is_safe(const ll_work *work, const arb_t x)
{
    arb_t range;
    arb_init(range);
    arb_set_d(range, 1e-280);
    int safe = is_rounded(work) ? arb_gt(x, range) : arb_is_positive(x);
    arb_set_d(range, 1e280);
    safe = safe && (!is_rounded(work) || arb_lt(x, range));
    arb_clear(range);
    return safe;
}

/* n^2 - sum of squares is 2 t0 t1, and true positives n - sum of products 2 (TP TN - FP FN); each is off by roundings
 * of n^2. */
static ll_status suppose_mcc(const ll_work *work, ll_worked *out, const ll_weighed *w)
{
    const ll_weighed_two *two = w->supposed;
    const arb_struct *c = two->cells;
    arb_t one, own;
    arb_init(one);
    arb_init(own);
    arb_add(own, &c[0], &c[1], work->prec);
    arb_add(one, &c[2], &c[3], work->prec);
    arb_mul(own, own, one, work->prec);
    blur_square(work, own, two);
    arb_mul(one, &two->predicted[0], &two->predicted[1], work->prec);
    blur_square(work, one, two);
    int safe = arb_is_positive(own) && arb_is_positive(one);
    arb_mul(own, own, one, work->prec);
    safe = safe && is_safe(work, own);
    arb_sqrt(own, own, work->prec);
    cross(work, out->ball, two);
    blur_square(work, out->ball, two);
    arb_div(out->ball, out->ball, own, work->prec);
    if (is_rounded(work))
        ll_roundoff_add(out->ball, &fp64, 8);
    out->is_fraction = 0;
    arb_clear(one);
    arb_clear(own);
    return safe && arb_is_finite(out->ball) ? LL_OK : LL_UNABLE;
}

/* 1 - n misses / (t0 g1 + t1 g0) = 2 (TP TN - FP FN) / the same; the quotient is at most 2, each sum of it off by
 * roundings of its own size. */
static void suppose_kappa(const ll_work *work, ll_worked *out, const ll_weighed *w)
{
    const ll_weighed_two *two = w->supposed;
    const arb_struct *c = two->cells;
    mag_t lost;
    arb_t below, one;
    arb_init(below);
    arb_init(one);
    arb_add(one, &c[0], &c[1], work->prec);
    arb_mul(below, one, &two->predicted[1], work->prec);
    arb_add(one, &c[2], &c[3], work->prec);
    arb_addmul(below, one, &two->predicted[0], work->prec);
    cross(work, out->ball, two);
    arb_mul_2exp_si(out->ball, out->ball, 1);
    arb_div(out->ball, out->ball, below, work->prec);
    out->is_fraction = 0;
    if (is_rounded(work)) {
        mag_init(lost);
        mag_set_ui_2exp_si(lost, 16 * (ulong)two->rows + 64, -53);
        arb_add_error_mag(out->ball, lost);
        mag_clear(lost);
    }
    arb_clear(below);
    arb_clear(one);
}

/* ---- of the whole matrix ---- */

/* sum of sums[LL_..] products, one a class. */
static void dot(const ll_work *work, const ll_weighed *w, ll_worked *out, int one, int other)
{
    for (long k = 0; k < w->classes; k++)
        ll_worked_mul(work, &w->scratch[k], &w->sums[k * LL_AMOUNTS + one], &w->sums[k * LL_AMOUNTS + other]);
    ll_worked_sum(work, out, w->scratch, w->classes);
}

/* x^2 by pow, whose error is below one unit: two roundings. */
static void square(const ll_work *work, ll_worked *out, const ll_worked *x)
{
    double native = pow(x->native, 2);
    ll_worked_mul(work, out, x, x);
    out->native = native;
    if (is_rounded(work))
        ll_roundoff_add(out->ball, &fp64, 1);
}

ll_status ll_weighed_mcc(const ll_work *work, ll_worked *out, const ll_weighed *w, ll_error *error)
{
    ll_worked n, own, others;
    if (w->supposed != NULL)
        return suppose_mcc(work, out, w);
    ll_worked_init(&n);
    ll_worked_init(&own);
    ll_worked_init(&others);
    add_classes(work, w, &n, w->sums + LL_PREDICTED);
    dot(work, w, &own, LL_SUPPORT, LL_SUPPORT);
    dot(work, w, &others, LL_PREDICTED, LL_PREDICTED);
    square(work, out, &n);
    ll_worked_sub(work, &own, out, &own);
    ll_worked_sub(work, &others, out, &others);
    int safe = is_safe(work, own.ball) && is_safe(work, others.ball);
    ll_worked_mul(work, &own, &own, &others);
    safe = safe && is_safe(work, own.ball);
    if (safe) {
        add_classes(work, w, out, w->sums + LL_TP);
        ll_worked_mul(work, out, out, &n);
        dot(work, w, &others, LL_SUPPORT, LL_PREDICTED);
        ll_worked_sub(work, out, out, &others);
        ll_worked_sqrt(work, &own, &own);
        ll_worked_div(work, out, out, &own);
    }
    ll_worked_clear(&n);
    ll_worked_clear(&own);
    ll_worked_clear(&others);
    return safe ? LL_OK
                : ll_fail(error, LL_UNABLE,
                          "the weights of labels or predictions are nearly all of one class, or too large or small: "
                          "rounding leaves nothing of the coefficient");
}

/* The weights of pairs that cost, times their cost: what there is, and by chance, truth * guesses / n. */
static void add_costs(const ll_work *work, const ll_weighed *w, ll_worked *observed, ll_worked *chance,
                      const ll_worked *n, int64_t (*of)(int64_t))
{
    long size = w->classes, count = 0, place = 0;
    ll_worked *each = &w->scratch[size * size];
    for (int pass = 0; pass < 2; pass++, count = place = 0) {
        for (long i = 0; i < size; i++) {
            for (long j = 0, other = 0; w->seen[i] && j < size; other += w->seen[j++]) {
                ll_worked *term = &w->scratch[count];
                if (!w->seen[j] || of(place - other) == 0)
                    continue;
                ll_worked_copy(term, &w->cells[i * size + j]);
                if (pass == 1) {
                    ll_worked_mul(work, term, &w->sums[i * LL_AMOUNTS + LL_SUPPORT],
                                  &w->sums[j * LL_AMOUNTS + LL_PREDICTED]);
                    ll_worked_div(work, term, term, n);
                }
                ll_worked_set(work, each, of(place - other));
                ll_worked_mul(work, term, term, each);
                count++;
            }
            place += w->seen[i];
        }
        ll_worked_sum(work, pass == 0 ? observed : chance, w->scratch, count);
    }
}

void ll_weighed_kappa(const ll_work *work, ll_worked *out, const ll_weighed *w, int64_t (*of)(int64_t))
{
    ll_worked n, chance;
    if (w->supposed != NULL) {
        suppose_kappa(work, out, w);
        return;
    }
    ll_worked_init(&n);
    ll_worked_init(&chance);
    add_classes(work, w, &n, w->sums + LL_PREDICTED);
    add_costs(work, w, out, &chance, &n, of);
    ll_worked_div(work, &chance, out, &chance);
    ll_worked_set(work, out, 1);
    ll_worked_sub(work, out, out, &chance);
    ll_worked_clear(&n);
    ll_worked_clear(&chance);
}
