/* An attack on predictions that nothing bounds: numbers far outside the targets, logits, margins. A few rows of a
 * submission are predicted so far off that the label of each moves the sum of terms by more than the noise, the
 * rounding of floats and all smaller ones of them together; the other rows stay where labels move it least. The answer
 * is then read from the farthest row down. Noise of any fixed size only moves the predictions out: what ends them is
 * the precision of floats (docs/proofs/targets.md). */
#include "audit/label_law.h"
#include "audit/row_terms.h"
#include "audit/trial.h"
#include "curator/curator.h"
#include "number/order.h"
#include "scorer/sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAR = 64, MOST_RUNS = 32, IDLE_PLACES = 17, FEW_BITS = 7, STALE = 4, PREC = 128 };
#define FAILURE 1e-6 /* of the bound on random noise, an answer */
#define FARTHEST 0x1p1000

/* ---- what an answer hides ---- */

/* At most half the width of the sums of terms that an answer leaves open, for sums of at most `most` in size. */
static double blur(const ll_scorer *scorer, double bound, double most)
{
    const ll_computation *how = &scorer->computation;
    const ll_shape shape = ll_scorer_shape(scorer, scorer->rows);
    if (ll_shape_overflows(&shape, how, most))
        return INFINITY;
    arb_t half, number, sum;
    mag_t size, error;
    arb_init(half);
    arb_init(number);
    arb_init(sum);
    mag_init(size);
    mag_init(error);
    arb_set_d(sum, most);
    ll_link_get_number(how, number, sum, scorer->rows, PREC);
    ll_release_get_bound(&scorer->release, half, number, bound, LL_STATED_AND_OWN);
    ll_link_get_bound(how, number, half, sum, scorer->rows, 0);
    mag_set_d(size, most);
    if (how->kind != LL_KIND_EXACT)
        ll_computation_sum_error(how, error, scorer->rows, size);
    double bits = how->kind == LL_KIND_EXACT ? 51 : fmin((double)how->term.format.fraction_bits, 51);
    double terms = ldexp(most, 3 - (int)bits); /* and doubles, read here */
    double hidden = arf_get_d(arb_midref(number), ARF_RND_CEIL) + mag_get_d(error) + terms;
    arb_clear(half);
    arb_clear(number);
    arb_clear(sum);
    mag_clear(size);
    mag_clear(error);
    return isnan(hidden) ? INFINITY : hidden;
}

/* ---- rows ---- */

typedef struct {
    double x, least, most, gap; /* the prediction; its terms, and the least distance of two of them */
    double *terms;              /* [label] */
} row;

/* The gap is negative where the prediction or a term is no number. scratch[classes]. */
static ll_status place(const ll_trial *t, row *r, double x, double *scratch)
{
    const ll_scoring s = {.how = &t->scorer->computation, .rows = 1, .classes = t->channel->classes};
    size_t classes = (size_t)s.classes;
    r->x = x;
    r->gap = -1;
    ll_status status = isfinite(x) ? ll_row_terms(&s, r->terms, &x, 1, NULL, s.classes) : LL_DOMAIN;
    if (status != LL_OK)
        return status == LL_MEMORY ? status : LL_OK;
    memcpy(scratch, r->terms, classes * sizeof *scratch);
    qsort(scratch, classes, sizeof *scratch, ll_compare_doubles);
    r->least = scratch[0];
    r->most = scratch[classes - 1];
    r->gap = isfinite(r->most) && isfinite(r->least) ? INFINITY : -1;
    for (size_t k = 1; k < classes; k++)
        r->gap = fmin(r->gap, scratch[k] - scratch[k - 1]);
    return LL_OK;
}

/* ---- the design ---- */

typedef struct {
    const ll_trial *trial;
    double low, width; /* where predictions are honest */
    double bound;      /* on random noise */
    row idle, far[MOST_FAR];
    long count; /* of far rows */
    double *store, *scratch;
} design;

static double size_of(const row *r)
{
    return fmax(fabs(r->least), fabs(r->most));
}

/* What the rows that stay may be off their mean, all together: the whole of it, or five standard deviations. */
static double idle_blur(const design *d)
{
    double rows = (double)d->trial->channel->rows, span = d->idle.most - d->idle.least;
    return fmin(rows * span, 2.5 * sqrt(rows) * span);
}

static ll_status find_idle(design *d)
{
    row *best = &d->idle, *other = &d->far[0];
    ll_status status = place(d->trial, best, d->low, d->scratch);
    for (int i = 1; i < IDLE_PLACES && status == LL_OK; i++) {
        status = place(d->trial, other, d->low + d->width * i / (IDLE_PLACES - 1), d->scratch);
        if (other->gap >= 0 && (best->gap < 0 || other->most - other->least < best->most - best->least)) {
            row kept = *best;
            *best = *other;
            *other = kept;
        }
    }
    return status == LL_OK && best->gap < 0 ? LL_UNABLE : status;
}

/* So many widths off, as a number that every format holds and whose square most do. */
static ll_status place_far(const design *d, row *r, double scale)
{
    int exponent;
    double part = frexp(d->low + scale * d->width, &exponent);
    return place(d->trial, r, ldexp(ceil(ldexp(part, FEW_BITS)), exponent - FEW_BITS), d->scratch);
}

/* The nearest place, by a few percent, whose labels are `gap` apart; LL_DOMAIN: there is none with terms of at most
 * `most`. *scale: where to begin, in widths, and where it was found. */
static ll_status find_far(const design *d, row *r, double *scale, double gap, double most)
{
    double fails = *scale / 2, fits = *scale;
    ll_status status = place_far(d, r, fits);
    while (status == LL_OK && r->gap < gap) {
        if (r->gap < 0 || size_of(r) > most || !(fabs(r->x) < FARTHEST))
            return LL_DOMAIN;
        fails = fits;
        fits *= 2;
        status = place_far(d, r, fits);
    }
    for (int i = 0; i < 4 && status == LL_OK; i++) {
        double middle = sqrt(fails * fits);
        status = place_far(d, r, middle);
        *(r->gap >= gap ? &fits : &fails) = middle;
    }
    *scale = fits;
    return status == LL_OK ? place_far(d, r, fits) : status;
}

/* A size of sums, within a factor of 2, beyond which an answer hides more than that. */
static double largest(const design *d, double allowed)
{
    double most = fmax(1, allowed);
    while (most < 0x1p1020 && blur(d->trial->scorer, d->bound, most) <= allowed)
        most *= 2;
    return most;
}

/* As many rows as an answer carries where `allowed` may be hidden of the sum. */
static ll_status fill(design *d, double allowed)
{
    const ll_channel *c = d->trial->channel;
    double size = (double)c->rows * size_of(&d->idle), spans = 0, scale = 1, most = largest(d, allowed);
    ll_status status = LL_OK;
    for (d->count = 0; d->count < MOST_FAR && d->count < c->rows && status == LL_OK;) {
        row *r = &d->far[d->count];
        status = find_far(d, r, &scale, 2 * (allowed + spans) * (1 + 0x1p-10), most);
        size += size_of(r);
        if (status == LL_OK && blur(d->trial->scorer, d->bound, size) + idle_blur(d) > allowed)
            status = LL_DOMAIN;
        spans += (r->most - r->least) / 2;
        d->count += status == LL_OK;
    }
    return status == LL_DOMAIN ? LL_OK : status;
}

/* The more may be hidden, the farther out rows begin and the larger sums may be: try more until that carries less. */
static ll_status find_design(design *d)
{
    double least = blur(d->trial->scorer, d->bound, (double)d->trial->channel->rows * size_of(&d->idle)) + idle_blur(d);
    double best = 0;
    long most = 0;
    ll_status status = isfinite(least) ? LL_OK : LL_UNABLE;
    for (int stale = 0, i = 1; stale < STALE && status == LL_OK; stale++, i++) {
        status = fill(d, ldexp(least, i));
        if (d->count > most) {
            most = d->count;
            best = ldexp(least, i);
            stale = 0;
        }
    }
    if (status != LL_OK)
        return status;
    return most > 0 ? fill(d, best) : LL_UNABLE;
}

static void clear(design *d)
{
    free(d->store);
}

static ll_status init(design *d, const ll_trial *t, ll_error *error)
{
    size_t classes = (size_t)t->channel->classes;
    const ll_metric *metric = t->scorer->computation.metric;
    *d = (design){.trial = t, .low = -1, .width = 2};
    if (t->channel->is_numeric) {
        d->low = ll_metric_target_double(metric, 0);
        d->width = ll_metric_target_width(metric);
    }
    d->bound = ll_release_quantile(&t->scorer->release, 1, FAILURE);
    d->store = calloc(classes * (MOST_FAR + 2), sizeof *d->store);
    if (d->store == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for far predictions");
    d->scratch = d->store;
    d->idle.terms = d->store + classes;
    for (size_t i = 0; i < MOST_FAR; i++)
        d->far[i].terms = d->store + classes * (i + 2);
    ll_status status = find_idle(d);
    return status == LL_OK ? find_design(d) : status;
}

/* ---- answers ---- */

typedef struct {
    const design *plan;
    long first; /* of the rows that are far off */
} submission;

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const submission *s = self;
    double *x = ll_block_reserve_doubles(out, count, 1);
    if (x == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a submission");
    for (long i = 0; i < count; i++) {
        long at = first + i - s->first;
        x[i] = at >= 0 && at < s->plan->count ? s->plan->far[at].x : s->plan->idle.x;
    }
    return LL_OK;
}

static double mean_idle(const design *d)
{
    long classes = d->trial->channel->classes;
    double mean = 0;
    for (long k = 0; k < classes; k++)
        mean += d->idle.terms[k] * ll_label_share(d->trial->scorer, classes, k);
    return mean;
}

/* The sum of terms that the text shows; NAN where it shows none. */
static double read_sum(const ll_scorer *scorer, double bound, const char *text)
{
    arb_t number, sum;
    arb_init(number);
    arb_init(sum);
    ll_status status = ll_release_read(&scorer->release, number, text, NULL, LL_STATED_AND_OWN, PREC, NULL);
    if (status == LL_OK)
        status = ll_release_undo(&scorer->release, number, bound, LL_STATED_AND_OWN, PREC);
    if (status == LL_OK)
        ll_link_get_sum(&scorer->computation, sum, number, scorer->rows, 0, PREC);
    double x = status == LL_OK ? arf_get_d(arb_midref(sum), ARF_RND_NEAR) : (double)NAN;
    arb_clear(number);
    arb_clear(sum);
    return x;
}

/* From the farthest row down: the label that leaves least, those below it being halfway. How many are right? */
static long count_right(const design *d, double left, const int32_t *truth, long used)
{
    long right = 0;
    for (long i = 0; i < used; i++)
        left -= (d->far[i].least + d->far[i].most) / 2;
    for (long i = used - 1; i >= 0; i--) {
        const row *r = &d->far[i];
        long best = 0;
        left += (r->least + r->most) / 2;
        for (long k = 1; k < d->trial->channel->classes; k++)
            best = fabs(left - r->terms[k]) < fabs(left - r->terms[best]) ? k : best;
        left -= r->terms[best];
        right += best == truth[i];
    }
    return right;
}

/* Block after block, within the answers that are given; other rows are guessed. LL_UNABLE: an answer is no number. */
static ll_status read_blocks(const design *d, ll_curator *curator, double *share, const int32_t *truth, ll_error *error)
{
    const ll_channel *c = d->trial->channel;
    submission s = {d, 0};
    const ll_predictions predictions = {
        .self = &s, .rows = c->rows, .columns = 1, .entries = LL_ENTRIES_DOUBLE, .get = get};
    long right = 0, asked = 0;
    ll_status status = LL_OK;
    for (; s.first < c->rows && (double)asked < c->queries && status == LL_OK; s.first += d->count, asked++) {
        char *text = NULL;
        long used = s.first + d->count <= c->rows ? d->count : c->rows - s.first;
        status = ll_trial_ask(curator, &text, &predictions, error);
        double sum = status == LL_OK ? read_sum(d->trial->scorer, d->bound, text) : (double)NAN;
        if (status == LL_OK && isnan(sum))
            status = LL_UNABLE;
        if (status == LL_OK)
            right += count_right(d, sum - (double)(c->rows - used) * mean_idle(d), truth + s.first, used);
        free(text);
    }
    for (long i = s.first; i < c->rows; i++)
        right += truth[i] == c->guess_class;
    *share = (double)right / (double)c->rows;
    return status;
}

static ll_status run_once(const design *d, double *share, int32_t *truth, uint64_t run, ll_error *error)
{
    ll_curator *curator = NULL;
    long rows = d->trial->channel->rows;
    ll_trial_labels(d->trial, truth, run);
    ll_status status = ll_curator_create_seeded(&curator, d->trial->scorer, truth, rows, d->trial->seed + run, error);
    if (status == LL_OK)
        status = read_blocks(d, curator, share, truth, error);
    ll_curator_destroy(curator);
    return status;
}

/* ---- the kind ---- */

/* Numbers of one column: targets, margins, logits. */
static int applies(const ll_trial *t)
{
    const ll_channel *c = t->channel;
    const ll_computation *how = &t->scorer->computation;
    return c->is_sum && ll_metric_is_free(how->metric) && ll_computation_columns(how, c->classes) == 1 &&
           c->ladder == 0 && c->proportion == 0 && !how->is_weighted;
}

/* Of one row: every label that it may have is looked at where the answer is read. */
static double far_cost(const ll_channel *c)
{
    return c->cost * (1 + (double)c->classes / 4);
}

double ll_far_work(const ll_trial *t)
{
    const ll_channel *c = t->channel;
    design d;
    double most = applies(t) ? ll_trial_work(c, fmin(c->queries, (double)c->rows), far_cost(c)) : 0;
    if (most <= LL_TRIAL_WORK)
        return most;
    ll_status status = init(&d, t, NULL);
    long count = status == LL_OK ? d.count : 0;
    clear(&d);
    if (status == LL_MEMORY) /* which the run will say */
        return LL_TRIAL_WORK;
    return count == 0 ? 0 : ll_trial_work(c, fmin(c->queries, ceil((double)c->rows / (double)count)), far_cost(c));
}

ll_status ll_far_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    design d;
    const ll_channel *c = t->channel;
    double shares[MOST_RUNS];
    int32_t *truth = malloc(sizeof *truth * (size_t)c->rows);
    ll_status status = init(&d, t, error);
    if (status == LL_OK && truth == NULL)
        status = ll_fail(error, LL_MEMORY, "no memory for %ld labels", c->rows);
    double queries = status == LL_OK ? fmin(c->queries, ceil((double)c->rows / (double)d.count)) : 1;
    long runs = ll_trial_runs(t, ll_trial_work(c, queries, far_cost(c)), 1, MOST_RUNS);
    for (long run = 0; run < runs && status == LL_OK; run++)
        status = ll_trial_is_stopped(t) ? LL_UNABLE : run_once(&d, &shares[run], truth, (uint64_t)run, error);
    if (status == LL_OK)
        ll_tried_set(out, "far predictions", shares, runs, c->rows);
    free(truth);
    clear(&d);
    return status == LL_OK || status == LL_MEMORY ? status : LL_UNABLE;
}
