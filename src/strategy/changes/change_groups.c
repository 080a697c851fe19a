/* Which rows change together, and how: rows join a group in order, as long as every sum that their labels can have is
 * told from every other by what two scores leave of it. A row whose labels one change does not tell apart is asked
 * again in a further stage. What is chosen here is a plan; what scores prove is the decoder's. */
#include "strategy/changes/change_code.h"

#include "strategy/changes/change_plan.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIED = 12 };
#define OWN LL_PLAN_OWN

/* What one query of a group keeps apart. */
typedef struct {
    double *sums; /* sorted */
    long count;
    double blur; /* how far the terms themselves may be off, all together */
} stage;

typedef struct {
    ll_plan *plan;
    ll_changes *changes;
    stage stages[LL_CHANGES_STAGES];
    double *merged;          /* [LL_CHANGES_SUMS] scratch */
    long *splits;            /* [menu]: pairs of labels that a choice tells apart, of those that are still together */
    double *values;          /* [classes] scratch: what the row would add */
    int32_t *places;         /* [classes] scratch: which of the values a label has */
    double *weights;         /* [classes] of the row */
    unsigned char *is_known; /* [row]: every label of it is told */
    int32_t *known;          /* [classes] of the row: which labels the stages so far leave together */
    double kept;             /* at least the sum of all terms of query 0 */
    double half;             /* what a score leaves of the sum of query 0, half of it */
} work;

/* ---- what a score leaves open ---- */

/* Are neighbours that far apart? Where a larger sum is known less well, each pair is looked at by itself. */
static int are_apart(work *w, const double *sums, long count, double blur)
{
    double most = fmax(fabs(sums[0]), fabs(sums[count - 1]));
    double wide = ll_plan_half(w->plan, w->kept + most) + most * OWN, need = 2 * (w->half + wide) + 2 * blur;
    int is_even = wide <= 1.1 * w->half + DBL_MIN, apart = 1;
    for (long i = 1; i < count && apart; i++) {
        double distance = sums[i] - sums[i - 1];
        if (!is_even && distance <= need) {
            double size = w->kept + fmax(fabs(sums[i - 1]), fabs(sums[i]));
            apart = count <= 64 && distance > 2 * (w->half + ll_plan_half(w->plan, size) + size * OWN + blur);
        } else {
            apart = distance > need;
        }
    }
    return apart;
}

/* ---- one row in one stage ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static long place_of(const double *values, long count, double value)
{
    long low = 0, high = count;
    while (high - low > 1) {
        long middle = low + (high - low) / 2;
        if (values[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Equal ones once, with w->places; how many are left of w->values, sorted. */
static long set_values(work *w, long choice, double *blur)
{
    const ll_change_menu *m = &w->changes->menu;
    const double *steps = m->steps + choice * m->classes, *radii = m->radii + choice * m->classes;
    long count = 0;
    *blur = 0;
    for (long k = 0; k < m->classes; k++) {
        w->values[k] = w->weights[k] * steps[k];
        *blur = fmax(*blur, w->weights[k] * fmax(0, radii[k] - fabs(steps[k]) * OWN));
    }
    qsort(w->values, (size_t)m->classes, sizeof *w->values, compare);
    for (long k = 0; k < m->classes; k++)
        if (count == 0 || w->values[k] - w->values[count - 1] > 4 * (*blur + fabs(w->values[k]) * OWN))
            w->values[count++] = w->values[k];
    for (long k = 0; k < m->classes; k++)
        w->places[k] = (int32_t)place_of(w->values, count, w->weights[k] * steps[k]);
    return count;
}

/* Can the stage take the row with that choice? Then the new sums are w->merged[0 .. *count - 1]. */
static int fits(work *w, const stage *s, long choice, long *count, double *blur)
{
    long values = set_values(w, choice, blur), before = s->count > 0 ? s->count : 1;
    *count = before * values;
    *blur += s->blur;
    if (values < 2 || *count > LL_CHANGES_SUMS)
        return 0;
    double least = 2 * (2 * w->half + *blur); /* no sums are nearer */
    for (long i = 1; i < values; i++)
        if (w->values[i] - w->values[i - 1] <= least)
            return 0;
    for (long i = 0; i < before; i++)
        for (long v = 0; v < values; v++)
            w->merged[i * values + v] = (s->count > 0 ? s->sums[i] : 0) + w->values[v];
    qsort(w->merged, (size_t)*count, sizeof *w->merged, compare);
    return are_apart(w, w->merged, *count, *blur);
}

static ll_status take(work *w, stage *s, long count, double blur, ll_error *error)
{
    double *sums = realloc(s->sums, sizeof *sums * (size_t)count);
    if (sums == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for sums");
    memcpy(sums, w->merged, sizeof *sums * (size_t)count);
    s->sums = sums;
    s->count = count;
    s->blur = blur;
    return LL_OK;
}

/* How many pairs of labels that are still together a choice tells apart, as set_values left it. */
static long count_splits(const work *w)
{
    long splits = 0;
    for (long k = 1; k < w->changes->menu.classes; k++)
        for (long l = 0; l < k; l++)
            splits += w->known[k] == w->known[l] && w->places[k] != w->places[l];
    return splits;
}

/* How far apart the row's nearest values are with that choice. */
static double nearest_of(work *w, long choice, double *blur)
{
    long values = set_values(w, choice, blur);
    double nearest = values > 1 ? INFINITY : 0;
    for (long i = 1; i < values; i++)
        nearest = fmin(nearest, w->values[i] - w->values[i - 1]);
    return nearest;
}

/* The first choice that tells so many pairs apart, from `first` on, and fits; no more than TRIED are tried. 0: none. */
static long first_fitting(work *w, const stage *s, long splits, long first)
{
    double blur;
    long count;
    for (long c = first, tried = 0; c < w->changes->menu.count && tried < TRIED; c++) {
        if (w->splits[c] != splits)
            continue;
        if (fits(w, s, c, &count, &blur))
            return c;
        tried++;
    }
    return 0;
}

/* Choices stand by ascending spread. Where one's values are farther apart than all sums so far it surely fits; a few
 * below it may, since sums have gaps. */
static long where_to_begin(work *w, const stage *s, long splits)
{
    double room = s->count > 0 ? s->sums[s->count - 1] - s->sums[0] : 0, blur;
    long recent[TRIED / 2] = {0}, seen = 0;
    for (long c = 1; c < w->changes->menu.count; c++) {
        if (w->splits[c] != splits)
            continue;
        double nearest = nearest_of(w, c, &blur);
        if (nearest > room + 2 * (2 * w->half + s->blur + blur))
            break;
        recent[seen++ % (TRIED / 2)] = c;
    }
    long begin = seen > TRIED / 2 ? recent[seen % (TRIED / 2)] : 1;
    return begin;
}

/* Splits of every choice, and the most of one whose values can be told apart at all. */
static long most_splits(work *w)
{
    const ll_change_menu *m = &w->changes->menu;
    long most = 0;
    for (long c = 1; c < m->count; c++) {
        double blur, nearest = nearest_of(w, c, &blur);
        w->splits[c] = nearest > 2 * (2 * w->half + blur) ? count_splits(w) : 0;
        most = w->splits[c] > most ? w->splits[c] : most;
    }
    return most;
}

/* The choice that tells most labels apart, and of those one that takes little room; where the stage is empty also one
 * that tells fewer. 0: none. */
static long choose(work *w, const stage *s)
{
    for (long splits = most_splits(w); splits > 0; splits--) {
        long choice = first_fitting(w, s, splits, where_to_begin(w, s, splits));
        if (choice > 0 || s->count > 0)
            return choice;
    }
    return 0;
}

/* ---- one row ---- */

/* Labels that were together stay so where they have the same value: each has the first of them. */
static void split(work *w, long choice)
{
    double blur;
    (void)set_values(w, choice, &blur);
    for (long k = w->changes->menu.classes - 1; k > 0; k--) {
        int32_t first = 0;
        while (w->known[first] != w->known[k] || w->places[first] != w->places[k])
            first++;
        w->known[k] = first;
    }
    w->known[0] = 0;
}

static int tells_all(const work *w)
{
    for (long k = 1; k < w->changes->menu.classes; k++)
        for (long l = 0; l < k; l++)
            if (w->known[k] == w->known[l])
                return 0;
    return 1;
}

static void set_weights(work *w, long row)
{
    arb_t weight;
    arb_init(weight);
    for (long k = 0; k < w->changes->menu.classes; k++) {
        ll_plan_row_weight(w->plan, weight, row, k);
        w->weights[k] = arf_get_d(arb_midref(weight), ARF_RND_NEAR);
        w->known[k] = 0;
    }
    arb_clear(weight);
}

/* The row's choices in the group as it stands; *found: its stages. Nothing of the group is changed. */
static ll_status try_row(work *w, long row, long *found, int *known)
{
    int32_t *choices = w->changes->choices + row * LL_CHANGES_STAGES;
    *found = 0;
    *known = 0;
    set_weights(w, row);
    memset(choices, 0, sizeof *choices * LL_CHANGES_STAGES);
    while (*found < LL_CHANGES_STAGES && !*known) {
        long choice = choose(w, &w->stages[*found]);
        if (choice == 0)
            break;
        choices[(*found)++] = (int32_t)choice;
        split(w, choice);
        *known = tells_all(w);
    }
    return LL_OK;
}

static ll_status join(work *w, long row, long found, ll_error *error)
{
    const int32_t *choices = w->changes->choices + row * LL_CHANGES_STAGES;
    ll_status status = LL_OK;
    for (long s = 0; s < found && status == LL_OK; s++) {
        long count;
        double blur;
        (void)fits(w, &w->stages[s], choices[s], &count, &blur);
        status = take(w, &w->stages[s], count, blur, error);
        if (count > w->changes->most_sums)
            w->changes->most_sums = count;
    }
    return status;
}

/* ---- groups ---- */

static void empty_stages(work *w)
{
    for (int s = 0; s < LL_CHANGES_STAGES; s++)
        w->stages[s].count = 0, w->stages[s].blur = 0;
}

static long count_stages(const work *w)
{
    long count = 0;
    while (count < LL_CHANGES_STAGES && w->stages[count].count > 0)
        count++;
    return count;
}

/* The group ends before `row`; one without queries is none: its rows stay open and go to the next. */
static void end_group(work *w, long row)
{
    ll_changes *c = w->changes;
    long stages = count_stages(w);
    if (stages > 0) {
        c->first_query[c->groups + 1] = c->first_query[c->groups] + stages;
        c->first_row[++c->groups] = row;
    }
    empty_stages(w);
}

/* Rows that all weigh alike: the groups are copies of the first. */
static int is_like(const work *w, long row)
{
    const ll_changes *c = w->changes;
    return w->plan->scoring.how->weights == NULL && c->groups > 0 && row >= c->first_row[1];
}

static void copy_choices(work *w, long row)
{
    ll_changes *c = w->changes;
    long size = c->first_row[1], stages = c->first_query[1] - 1;
    assert(size > 0);
    memcpy(c->choices + row * LL_CHANGES_STAGES, c->choices + row % size * LL_CHANGES_STAGES,
           sizeof *c->choices * LL_CHANGES_STAGES);
    c->known += w->is_known[row % size];
    w->is_known[row] = w->is_known[row % size];
    if (row % size == size - 1 || row == w->plan->rows - 1) {
        c->first_query[c->groups + 1] = c->first_query[c->groups] + stages;
        c->first_row[++c->groups] = row + 1;
    }
}

static ll_status add_row(work *w, long row, ll_error *error)
{
    long found;
    int known;
    set_weights(w, row);
    if (w->weights[0] == 0) /* it tells nothing */
        return LL_OK;
    ll_status status = try_row(w, row, &found, &known);
    if (status == LL_OK && !known && count_stages(w) > 0) {
        end_group(w, row);
        if (is_like(w, row)) {
            copy_choices(w, row);
            return LL_OK;
        }
        status = try_row(w, row, &found, &known);
    }
    if (status == LL_OK)
        status = join(w, row, found, error);
    w->changes->known += known;
    w->is_known[row] = (unsigned char)known;
    return status;
}

static int start(work *w)
{
    ll_changes *c = w->changes;
    size_t rows = (size_t)w->plan->rows, classes = (size_t)c->menu.classes;
    c->first_row = calloc(rows + 1, sizeof *c->first_row);
    c->first_query = calloc(rows + 1, sizeof *c->first_query);
    c->choices = calloc(rows * LL_CHANGES_STAGES, sizeof *c->choices);
    w->merged = malloc(sizeof *w->merged * LL_CHANGES_SUMS);
    w->values = calloc(classes, sizeof *w->values);
    w->places = calloc(classes, sizeof *w->places);
    w->weights = calloc(classes, sizeof *w->weights);
    w->known = calloc(classes, sizeof *w->known);
    w->is_known = calloc(rows, 1);
    w->splits = calloc((size_t)c->menu.count, sizeof *w->splits);
    return c->first_row && c->first_query && c->choices && w->merged && w->values && w->places && w->weights &&
           w->known && w->is_known && w->splits;
}

static void finish(work *w)
{
    for (int s = 0; s < LL_CHANGES_STAGES; s++)
        free(w->stages[s].sums);
    free(w->merged);
    free(w->values);
    free(w->places);
    free(w->weights);
    free(w->known);
    free(w->is_known);
    free(w->splits);
}

/* What the first so many queries tell: rows of whole groups. */
static ll_status tell_code(work *w, ll_error *error)
{
    const ll_changes *c = w->changes;
    long queries = c->first_query[c->groups];
    long *read = calloc((size_t)queries + 1, sizeof *read);
    if (read == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    for (long g = 0, known = 0; g < c->groups; g++) {
        for (long q = c->first_query[g]; q < c->first_query[g + 1]; q++)
            read[q] = known;
        for (long row = c->first_row[g]; row < c->first_row[g + 1]; row++)
            known += w->is_known[row];
    }
    read[queries] = c->known;
    ll_changes_set(w->plan->state->code, read, queries, c->most_sums);
    return LL_OK;
}

ll_status ll_changes_arrange(ll_plan *plan, ll_changes *changes, ll_error *error)
{
    work w = {.plan = plan, .changes = changes};
    ll_status status = start(&w) ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for %ld rows", plan->rows);
    if (status == LL_OK) {
        mag_t kept;
        mag_init(kept);
        changes->first_query[0] = 1;
        ll_changes_magnitude(plan, kept, 0);
        w.kept = mag_get_d(kept);
        w.half = ll_plan_half(plan, w.kept);
        mag_clear(kept);
    }
    for (long row = 0; row < plan->rows && status == LL_OK; row++) {
        if (is_like(&w, row))
            copy_choices(&w, row);
        else
            status = add_row(&w, row, error);
    }
    if (status == LL_OK && count_stages(&w) > 0)
        end_group(&w, plan->rows);
    if (status == LL_OK && changes->groups > 0)
        changes->first_row[changes->groups] = plan->rows;
    if (status == LL_OK && changes->known == 0)
        status = ll_fail(error, LL_DOMAIN,
                         "no attack is planned: no change of one row's prediction moves %s by more than noise and "
                         "rounding leave open; that does not mean it is safe",
                         ll_plan_metric_name(plan));
    if (status == LL_OK)
        status = tell_code(&w, error);
    (void)ll_plan_half(plan, w.kept);
    finish(&w);
    return status;
}
