/* An attack on R^2 whose grid is too long for a plan: the mean and the spread of the targets are found first, by three
 * constant submissions, and then one row per submission is moved. Of a constant c, 1 - R^2 is 1 + N (m - c)^2 / T, with
 * m the mean and T the sum of squares about it; two constants on either side of all targets give both. With row i
 * moved by D from the lowest target, T times what 1 - R^2 grows by is D^2 - 2 D (y_i - LO). Nothing is proved of it:
 * runs show what it reads (docs/proofs/fit.md). */
#include "audit/trial.h"
#include "curator/curator.h"

#include <math.h>
#include <stdlib.h>

enum { CONSTANTS = 3, MOST_RUNS = 16, FARTHEST = 36, PREC = 128 };
#define FAILURE 1e-6 /* of the bound on random noise, an answer */

typedef struct {
    const ll_trial *trial;
    double low, width, step; /* of the grid */
    double far, moved;       /* how far beyond the grid constants lie, and how far rows are moved */
    double bound;            /* on random noise */
    long query;
} attack;

/* ---- places ---- */

/* Half of what an answer hides of a number of that size. */
static double hidden(const attack *a, double size)
{
    const ll_scorer *scorer = a->trial->scorer;
    arb_t half, number;
    arb_init(half);
    arb_init(number);
    arb_set_d(number, size);
    ll_release_get_bound(&scorer->release, half, number, a->bound, LL_STATED_AND_OWN);
    double x = arf_get_d(arb_midref(half), ARF_RND_CEIL);
    arb_clear(half);
    arb_clear(number);
    return x;
}

/* With n the number of 1 - R^2 and h(n) what is hidden of it, T is known to 3 h(n) / n of itself, and a row that is
 * moved by D to T h(n) / D, D times what T is off, and D N u, the scorer's own rounding. */
static double error_of(const attack *a, double far, double moved)
{
    double rows = (double)a->trial->channel->rows, spread = rows * a->width * a->width / 12;
    double constant = 1 + rows * far * far / spread, row = 4 + moved * moved / spread;
    return spread * hidden(a, row) / moved + (moved + a->width) * 3 * hidden(a, constant) / constant +
           4 * rows * 0x1p-53 * moved;
}

/* Of a clip, none beyond the grid. */
static void choose_places(attack *a)
{
    const int most = a->trial->scorer->computation.clip_mode != LL_CLIP_NONE ? 0 : FARTHEST;
    double best = INFINITY;
    a->far = a->moved = a->width;
    for (int far = 0; far <= most; far++)
        for (int moved = 0; moved <= most; moved++) {
            double error = error_of(a, ldexp(a->width, far), ldexp(a->width, moved));
            if (error < best) {
                best = error;
                a->far = ldexp(a->width, far);
                a->moved = ldexp(a->width, moved);
            }
        }
    a->far = most == 0 ? 0 : a->far;
}

/* ---- submissions ---- */

static double constant_of(const attack *a, long query)
{
    return query == 1 ? a->low - a->far : query == 2 ? a->low + a->width + a->far : a->low;
}

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const attack *a = self;
    double *x = ll_block_reserve_doubles(out, count, 1);
    if (x == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a submission");
    for (long i = 0; i < count; i++)
        x[i] = constant_of(a, a->query) + (first + i == a->query - CONSTANTS ? a->moved : 0);
    return LL_OK;
}

/* 1 less the metric's number; NAN where the text shows none. */
static ll_status ask(attack *a, ll_curator *curator, double *errors, ll_error *error)
{
    const ll_scorer *scorer = a->trial->scorer;
    const ll_predictions predictions = {
        .self = a, .rows = scorer->rows, .columns = 1, .entries = LL_ENTRIES_DOUBLE, .get = get};
    char *text = NULL;
    arb_t number;
    arb_init(number);
    *errors = (double)NAN;
    ll_status status = ll_trial_ask(curator, &text, &predictions, error);
    if (status == LL_OK &&
        ll_release_read(&scorer->release, number, text, NULL, LL_STATED_AND_OWN, PREC, NULL) == LL_OK &&
        ll_release_undo(&scorer->release, number, a->bound, LL_STATED_AND_OWN, PREC) == LL_OK)
        *errors = 1 - arf_get_d(arb_midref(number), ARF_RND_NEAR);
    arb_clear(number);
    free(text);
    return status;
}

/* ---- a run ---- */

/* T, from the constants below and above all targets. */
static double find_spread(const attack *a, double below, double above)
{
    double ratio = sqrt((below - 1) / (above - 1)), from = constant_of(a, 1), to = constant_of(a, 2);
    double mean = (from + ratio * to) / (1 + ratio);
    return (double)a->trial->channel->rows * (mean - from) * (mean - from) / (below - 1);
}

static ll_status read_rows(attack *a, ll_curator *curator, long *right, const int32_t *truth, ll_error *error)
{
    const ll_channel *c = a->trial->channel;
    const long rows = (long)fmin((double)c->rows, c->queries - CONSTANTS);
    double constants[CONSTANTS] = {0}, errors;
    ll_status status = LL_OK;
    for (a->query = 0; a->query < CONSTANTS && status == LL_OK; a->query++)
        status = ask(a, curator, &constants[a->query], error);
    double spread = status == LL_OK ? find_spread(a, constants[1], constants[2]) : 0;
    if (status == LL_OK && !(spread > 0 && isfinite(spread))) /* constants tell nothing of this metric */
        return LL_UNABLE;
    for (long row = 0; row < c->rows && status == LL_OK; row++) {
        a->query = CONSTANTS + row;
        errors = constants[0];
        if (row < rows)
            status = ask(a, curator, &errors, error);
        double label = rint((a->moved - spread * (errors - constants[0]) / a->moved) / 2 / a->step);
        *right += row < rows && isfinite(label) ? label == truth[row] : truth[row] == c->guess_class;
    }
    return status;
}

static ll_status run_once(attack *a, double *share, int32_t *truth, uint64_t run, ll_error *error)
{
    ll_curator *curator = NULL;
    long rows = a->trial->channel->rows, right = 0;
    ll_trial_labels(a->trial, truth, run);
    ll_status status = ll_curator_create_seeded(&curator, a->trial->scorer, truth, rows, a->trial->seed + run, error);
    if (status == LL_OK)
        status = read_rows(a, curator, &right, truth, error);
    *share = (double)right / (double)rows;
    ll_curator_destroy(curator);
    return status;
}

/* ---- the kind ---- */

double ll_moved_rows_work(const ll_trial *t)
{
    const ll_channel *c = t->channel;
    if (!ll_metric_is_fit(t->scorer->computation.metric) || !c->is_numeric || c->ladder > 0 || c->proportion > 0 ||
        c->queries <= CONSTANTS || !ll_trial_rows_alike(t) || ll_release_is_history(&t->scorer->release))
        return 0;
    return ll_trial_work(c, fmin(c->queries, (double)c->rows + CONSTANTS), c->cost);
}

ll_status ll_moved_rows_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    const ll_channel *c = t->channel;
    const ll_metric *metric = t->scorer->computation.metric;
    double shares[MOST_RUNS];
    attack a = {.trial = t, .low = ll_metric_target_double(metric, 0), .width = ll_metric_target_width(metric)};
    a.step = a.width / (double)(c->classes - 1);
    a.bound = ll_release_quantile(&t->scorer->release, 1, FAILURE);
    choose_places(&a);
    int32_t *truth = malloc(sizeof *truth * (size_t)c->rows);
    ll_status status = truth != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for %ld labels", c->rows);
    long runs = ll_trial_runs(t, ll_moved_rows_work(t), 1, MOST_RUNS);
    for (long run = 0; run < runs && status == LL_OK; run++)
        status = ll_trial_is_stopped(t) ? LL_UNABLE : run_once(&a, &shares[run], truth, (uint64_t)run, error);
    if (status == LL_OK)
        ll_tried_set(out, "moved rows", shares, runs, c->rows);
    free(truth);
    return status == LL_OK || status == LL_MEMORY ? status : LL_UNABLE;
}
