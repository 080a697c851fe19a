/* Predictions that one row may have, for the code changes: labels, orders of the classes, numbers in and outside the
 * grid of targets, or probabilities and logits whose weights fall by halves. */
#include "strategy/changes/change_plan.h"
#include "strategy/common/floats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = LL_FLOATS_PREC, MOST = 2400, FINEST = 48 };

/* ---- entries ---- */

/* As the scorer's format holds it. */
static double round_entry(const ll_plan *plan, double x)
{
    return plan->scoring.how->rows.format.fraction_bits == 23 ? (double)(float)x : x;
}

/* Room for one row more; NULL: no memory, or there are enough. */
static double *add_row(ll_change_menu *m)
{
    return m->count < MOST ? m->entries + m->columns * m->count++ : NULL;
}

static void add_number(const ll_plan *plan, ll_change_menu *m, double x)
{
    double *to = isfinite(round_entry(plan, x)) ? add_row(m) : NULL;
    if (to != NULL)
        *to = round_entry(plan, x);
}

static void add_labels(ll_change_menu *m)
{
    for (long k = 0; k < m->classes && k < MOST; k++)
        *add_row(m) = (double)k;
}

/* The order of the classes, turned by one at a time: every class has another rank. */
static void add_orders(ll_change_menu *m)
{
    for (long turn = 0; turn < m->classes; turn++) {
        double *to = add_row(m);
        for (long k = 0; to != NULL && k < m->classes; k++)
            to[k] = (double)(m->classes - 1 - (k + turn) % m->classes);
    }
}

/* The first target is kept; then what lies on the grid and between, and ever farther outside. */
static void add_targets(const ll_plan *plan, ll_change_menu *m)
{
    const ll_metric *metric = plan->scoring.how->metric;
    long last = m->classes - 1, most = m->classes < 256 ? last : 255;
    double low = ll_metric_target_double(metric, 0), high = ll_metric_target_double(metric, last);
    add_number(plan, m, low);
    for (long k = 0; k < most; k++) {
        double here = ll_metric_target_double(metric, k), next = ll_metric_target_double(metric, k + 1);
        add_number(plan, m, here + (next - here) / 2);
        add_number(plan, m, next);
    }
    for (int e = -52; e < 1000; e += e < 40 ? 1 : 6) {
        add_number(plan, m, high + ldexp(high - low, e));
        add_number(plan, m, low - ldexp(high - low, e));
        if (low == 0)
            add_number(plan, m, ldexp(high, e - 52));
    }
}

/* ---- weights that fall by halves ---- */

static ll_status invert(const ll_plan *plan, ll_change_menu *m, arb_ptr x, arb_srcptr weight)
{
    const ll_metric *metric = plan->scoring.how->metric;
    if (m->columns == 1)
        return ll_metric_invert(metric, x, NULL, weight, PREC);
    arb_ptr w = _arb_vec_init(m->classes);
    for (long k = 0; k < m->classes; k++) {
        arb_mul_si(w + k, weight, k, PREC);
        arb_div_si(w + k, w + k, m->classes - 1, PREC);
    }
    ll_status status = ll_metric_invert_row(metric, x, w, m->classes, PREC);
    _arb_vec_clear(w, m->classes);
    return status;
}

static void add_weight(const ll_plan *plan, ll_change_menu *m, const arb_t weight)
{
    arb_ptr x = _arb_vec_init(m->columns);
    double *to = invert(plan, m, x, weight) == LL_OK ? add_row(m) : NULL;
    for (long c = 0; to != NULL && c < m->columns; c++)
        to[c] = round_entry(plan, arf_get_d(arb_midref(x + c), ARF_RND_NEAR));
    _arb_vec_clear(x, m->columns);
}

/* What weights there are: a program's numbers say so, or in exact arithmetic 2^-200. */
static ll_status find_reach(const ll_plan *plan, arb_t out)
{
    const ll_computation *how = plan->scoring.how;
    ll_exact least;
    arb_t low;
    arb_init(low);
    ll_exact_init(&least);
    fmpz_one(least.mantissa);
    fmpz_set_si(least.two, -200);
    if (how->clip_mode == LL_CLIP || how->clip_mode == LL_CLIP_RENORMALISE || how->clip_mode == LL_FLOOR ||
        how->adds_clip)
        ll_exact_set(&least, &how->low);
    ll_status status = how->kind == LL_KIND_NATIVE ? ll_floats_reach(plan, low, out)
                                                   : ll_metric_reach(how->metric, low, out, &least, 64);
    if (status == LL_OK && (!arb_is_finite(out) || arf_cmpabs_2exp_si(arb_midref(out), 40) > 0)) {
        arb_one(out);
        arb_mul_2exp_si(out, out, 40);
    }
    ll_exact_clear(&least);
    arb_clear(low);
    return status;
}

static ll_status add_weights(const ll_plan *plan, ll_change_menu *m, ll_error *error)
{
    arb_t reach, weight;
    arb_init(reach);
    arb_init(weight);
    ll_status status = find_reach(plan, reach);
    add_weight(plan, m, weight); /* 0: the row that is kept */
    arb_mul_ui(reach, reach, 4095, 64);
    arb_mul_2exp_si(reach, reach, -12);
    mag_zero(arb_radref(reach));
    for (int i = 0; status == LL_OK && i < 4 * FINEST; i++) {
        arb_mul_2exp_si(weight, reach, -(i / 4));
        arb_mul_ui(weight, weight, (ulong)(8 - i % 4), 64); /* 8, 7, 6, 5 eighths */
        arb_mul_2exp_si(weight, weight, -3);
        add_weight(plan, m, weight);
    }
    arb_clear(reach);
    arb_clear(weight);
    return status == LL_OK && m->count > 1
               ? LL_OK
               : ll_fail(error, LL_DOMAIN, "what a row of %s can add is not known", ll_plan_metric_name(plan));
}

/* ---- terms ---- */

static ll_status add_terms(const ll_plan *plan, ll_change_menu *m, long choice, ll_error *error)
{
    ll_block block;
    ll_block_init(&block);
    double *to = ll_block_reserve_doubles(&block, 1, m->columns);
    ll_status status = to != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a row");
    if (status == LL_OK)
        memcpy(to, m->entries + choice * m->columns, sizeof *to * (size_t)m->columns);
    for (long k = 0; k < m->classes && status == LL_OK; k++)
        status = ll_scoring_term(&plan->scoring, m->terms + choice * m->classes + k, &block, 0, k, error);
    ll_block_clear(&block);
    return status;
}

static void set_step(ll_change_menu *m, long choice, long label)
{
    long at = choice * m->classes + label;
    arb_t step, rad;
    arf_t low;
    arb_init(step);
    arb_init(rad);
    arf_init(low);
    arb_sub(step, m->terms + at, m->terms + label, PREC);
    if (choice == 0)
        arb_zero(step);
    arb_get_rad_arb(rad, step);
    m->steps[at] = arf_get_d(arb_midref(step), ARF_RND_NEAR);
    m->radii[at] = arf_get_d(arb_midref(rad), ARF_RND_CEIL) + fabs(m->steps[at]) * 0x1p-52;
    arb_get_lbound_arf(low, m->terms + at, 64);
    m->is_positive = m->is_positive && arf_cmp_d(low, -0x1p-1000) >= 0;
    arb_clear(step);
    arb_clear(rad);
    arf_clear(low);
}

/* A prediction of which the program makes no number, or none that a double holds, is left out. */
static ll_status keep_finite(const ll_plan *plan, ll_change_menu *m, ll_error *error)
{
    long kept = 0;
    for (long c = 0; c < m->count; c++) {
        if (kept < c)
            memmove(m->entries + kept * m->columns, m->entries + c * m->columns, sizeof(double) * (size_t)m->columns);
        ll_status status = add_terms(plan, m, kept, NULL);
        int fits = status == LL_OK;
        for (long k = 0; k < m->classes && fits; k++) {
            set_step(m, kept, k);
            fits = isfinite(m->steps[kept * m->classes + k]) && fabs(m->steps[kept * m->classes + k]) < 0x1p900;
        }
        if (status == LL_MEMORY || (c == 0 && !fits))
            return status == LL_MEMORY ? ll_fail(error, status, "no memory for a row")
                                       : ll_fail(error, LL_DOMAIN, "%s has no number for a row that tells nothing",
                                                 ll_plan_metric_name(plan));
        kept += fits;
    }
    m->count = kept;
    return LL_OK;
}

/* ---- by how far labels are apart ---- */

static double spread_of(const ll_change_menu *m, long choice)
{
    const double *x = m->steps + choice * m->classes;
    double low = x[0], high = x[0];
    for (long k = 1; k < m->classes; k++) {
        low = fmin(low, x[k]);
        high = fmax(high, x[k]);
    }
    return high - low;
}

typedef struct {
    double spread;
    long choice;
} place;

static int compare(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->spread != y->spread ? (x->spread < y->spread ? -1 : 1) : (x->choice < y->choice ? -1 : 1);
}

static int copy_choice(ll_change_menu *to, const ll_change_menu *m, long choice)
{
    size_t columns = (size_t)m->columns, classes = (size_t)m->classes, at = (size_t)to->count++;
    memcpy(to->entries + at * columns, m->entries + (size_t)choice * columns, sizeof(double) * columns);
    memcpy(to->steps + at * classes, m->steps + (size_t)choice * classes, sizeof(double) * classes);
    memcpy(to->radii + at * classes, m->radii + (size_t)choice * classes, sizeof(double) * classes);
    _arb_vec_set(to->terms + at * classes, m->terms + (size_t)choice * classes, m->classes);
    return 1;
}

static int allocate(ll_change_menu *m)
{
    m->entries = calloc((size_t)(MOST * m->columns), sizeof(double));
    m->steps = calloc((size_t)(MOST * m->classes), sizeof(double));
    m->radii = calloc((size_t)(MOST * m->classes), sizeof(double));
    m->terms = _arb_vec_init(MOST * m->classes);
    m->is_positive = 1;
    return m->entries && m->steps && m->radii;
}

/* By ascending spread, those left out that tell nothing. */
static ll_status sort(ll_change_menu *m, ll_error *error)
{
    ll_change_menu sorted = {.columns = m->columns, .classes = m->classes};
    place *places = malloc(sizeof *places * (size_t)m->count);
    int made = allocate(&sorted);
    sorted.is_positive = m->is_positive;
    long count = 0;
    for (long c = 1; places != NULL && c < m->count; c++)
        if (spread_of(m, c) > 0)
            places[count++] = (place){spread_of(m, c), c};
    if (places == NULL || !made) {
        free(places);
        ll_change_menu_clear(&sorted);
        return ll_fail(error, LL_MEMORY, "no memory for predictions");
    }
    qsort(places, (size_t)count, sizeof *places, compare);
    copy_choice(&sorted, m, 0);
    for (long i = 0; i < count; i++)
        copy_choice(&sorted, m, places[i].choice);
    free(places);
    ll_change_menu_clear(m);
    *m = sorted;
    return LL_OK;
}

void ll_change_menu_clear(ll_change_menu *m)
{
    free(m->entries);
    free(m->steps);
    free(m->radii);
    if (m->terms != NULL)
        _arb_vec_clear(m->terms, MOST * m->classes);
    *m = (ll_change_menu){0};
}

ll_status ll_change_menu_check(const ll_plan *plan, double memory, ll_error *error)
{
    if ((double)plan->classes * (double)MOST * 256 > memory)
        return ll_fail(error, LL_UNABLE, "%ld classes are over the budget of %.3g bytes", plan->classes, memory);
    return LL_OK;
}

ll_status ll_change_menu_init(ll_change_menu *m, ll_plan *plan, ll_error *error)
{
    const ll_computation *how = plan->scoring.how;
    *m = (ll_change_menu){.columns = ll_computation_fewest_columns(how, plan->classes), .classes = plan->classes};
    if (!allocate(m))
        return ll_fail(error, LL_MEMORY, "no memory for predictions");
    ll_status status = LL_OK;
    if (ll_metric_reads_labels(how->metric))
        add_labels(m);
    else if (ll_metric_reads_order(how->metric))
        add_orders(m);
    else if (ll_metric_takes_targets(how->metric))
        add_targets(plan, m);
    else
        status = add_weights(plan, m, error);
    plan->columns = m->columns;
    if (status == LL_OK)
        status = keep_finite(plan, m, error);
    return status == LL_OK ? sort(m, error) : status;
}
