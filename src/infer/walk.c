/* Labellings that have states that are kept, one by one: row after row, a label only where a way on is left, by the
 * tally and by every sum of terms, whose least and greatest rest are known. */
#include "infer/joint.h"

#include <math.h>
#include <stdlib.h>

/* One sum of terms on the way. */
typedef struct {
    const ll_joint_number *number;
    double low, high;     /* where the sum must end, with more than the errors of all that is added here */
    double *terms;        /* [place * 2 + label] */
    double *least, *most; /* [place]: of the places from there on */
    double sum;
} running;

typedef struct {
    const ll_joint *joint;
    running *sums;
    long sum_count;
    int32_t *labels;
    ll_joint_visit visit;
    void *state;
    ll_error *error;
    ll_status status;
    int stopped;
} walker;

/* ---- sums of terms ---- */

static int is_running(const ll_joint_number *n)
{
    return n->kind == NULL && n->evidence->has_terms;
}

static double top(const arb_t x)
{
    mag_t size;
    mag_init(size);
    arb_get_mag(size, x);
    double most = mag_get_d(size);
    mag_clear(size);
    return most;
}

/* The ends of the sum, moved out by the radii of the terms, what the program's sum loses, and what doubles lose here:
 * 2^-53 of all sizes a step, so 1e-12 of them for thousands of rows. */
static void set_ends(running *r, const ll_joint *j, double sizes, double radii)
{
    arf_t end;
    double slope = mag_get_d(r->number->observation->slope);
    double margin = radii + sizes * (slope + 1e-15 * (double)(j->first->rows + 16));
    arf_init(end);
    arb_get_lbound_arf(end, r->number->observation->sum, 64);
    r->low = arf_get_d(end, ARF_RND_FLOOR) - margin;
    arb_get_ubound_arf(end, r->number->observation->sum, 64);
    r->high = arf_get_d(end, ARF_RND_CEIL) + margin;
    arf_clear(end);
}

/* A label without a finite loss has the term NaN: no comparison holds, and it is not taken. */
static int set_running(running *r, const ll_joint *j, const ll_joint_number *n)
{
    long rows = j->first->rows;
    double sizes = fabs(top(n->observation->sum)), radii = 0;
    *r = (running){.number = n, .terms = calloc((size_t)rows * 4 + 2, sizeof *r->terms)};
    if (r->terms == NULL)
        return 0;
    r->least = r->terms + 2 * rows;
    r->most = r->least + rows + 1;
    for (long i = rows - 1; i >= 0; i--) {
        double low = INFINITY, high = -INFINITY, size = 0, radius = 0;
        for (long k = 0; k < 2; k++) {
            arb_srcptr term = n->observation->terms + 2 * j->order[i] + k;
            int allowed = n->observation->allowed[2 * j->order[i] + k];
            double x = allowed ? arf_get_d(arb_midref(term), ARF_RND_NEAR) : (double)NAN;
            r->terms[2 * i + k] = x;
            low = fmin(low, x);
            high = fmax(high, x);
            size = allowed ? fmax(size, top(term)) : size;
            radius = allowed ? fmax(radius, mag_get_d(arb_radref(term))) : radius;
        }
        r->least[i] = r->least[i + 1] + low;
        r->most[i] = r->most[i + 1] + high;
        sizes += size;
        radii += radius;
    }
    set_ends(r, j, sizes, radii);
    return 1;
}

static int may_end_well(const walker *w, long place, int32_t label)
{
    for (long i = 0; i < w->sum_count; i++) {
        const running *r = &w->sums[i];
        double sum = r->sum + r->terms[2 * place + label];
        if (!(sum + r->least[place + 1] <= r->high && sum + r->most[place + 1] >= r->low))
            return 0;
    }
    return 1;
}

static void add_terms(walker *w, double *before, long place, int32_t label)
{
    for (long i = 0; i < w->sum_count; i++) {
        before[i] = w->sums[i].sum;
        w->sums[i].sum += w->sums[i].terms[2 * place + label];
    }
}

static void take_back(walker *w, const double *before)
{
    for (long i = 0; i < w->sum_count; i++)
        w->sums[i].sum = before[i];
}

/* ---- row after row ---- */

static void finish(walker *w)
{
    int fits = 0;
    w->status = ll_joint_explains(w->joint, w->labels, 0, &fits, w->error);
    w->stopped = w->status != LL_OK || (fits && !w->visit(w->state, w->labels));
}

/* Is there a way on with `ones` of this group so far, and `left` of its rows to come? */
static int leads_on(const ll_tally *t, long group, long state, long ones, long left)
{
    for (long j = ones; j <= ones + left; j++)
        if (ll_tally_has(t, group + 1, state + j * t->offset[group]))
            return 1;
    return 0;
}

/* place: in the order of groups; `done` rows of this one have a label, `ones` of them 1; state: that of the groups
 * before. */
static void walk(walker *w, long group, long place, long done, long ones, long state)
{
    const ll_tally *t = &w->joint->tally;
    double before[LL_TALLY_DIMENSIONS] = {0};
    if (group == t->rows.groups) {
        finish(w);
        return;
    }
    if (done == t->rows.sizes[group]) {
        walk(w, group + 1, place, 0, 0, state + ones * t->offset[group]);
        return;
    }
    for (int32_t label = 0; label < 2 && !w->stopped; label++) {
        if (!leads_on(t, group, state, ones + label, t->rows.sizes[group] - done - 1) || !may_end_well(w, place, label))
            continue;
        add_terms(w, before, place, label);
        w->labels[w->joint->order[place]] = label;
        walk(w, group, place + 1, done + 1, ones + label, state);
        take_back(w, before);
    }
}

ll_status ll_joint_walk(const ll_joint *j, ll_joint_visit visit, void *state, ll_error *error)
{
    walker w = {.joint = j, .visit = visit, .state = state, .error = error};
    w.labels = calloc((size_t)j->first->rows, sizeof *w.labels);
    w.sums = calloc((size_t)j->count + 1, sizeof *w.sums);
    int complete = w.labels != NULL && w.sums != NULL;
    for (long i = 0; complete && i < j->count && w.sum_count < LL_TALLY_DIMENSIONS; i++)
        if (is_running(&j->numbers[i]))
            complete = set_running(&w.sums[w.sum_count++], j, &j->numbers[i]);
    w.status = complete ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for %ld rows", j->first->rows);
    if (complete && ll_tally_has(&j->tally, 0, 0))
        walk(&w, 0, 0, 0, 0, 0);
    for (long i = 0; w.sums != NULL && i < w.sum_count; i++)
        free(w.sums[i].terms);
    free(w.sums);
    free(w.labels);
    return w.status;
}
