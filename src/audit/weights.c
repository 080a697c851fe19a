/* Terms by the room metric, and what follows from them. */
#include "audit/weights.h"

#include "audit/label_law.h"
#include "scorer/several.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---- shape ---- */

ll_status ll_inspection_scoring(ll_scoring *out, const ll_scorer *scorer, const ll_predictions *predictions,
                                ll_error *error)
{
    long rows = predictions->rows, columns = predictions->columns;
    ll_status status = ll_scorer_need(scorer, error);
    if (status == LL_OK)
        status = ll_scorer_need_plain(scorer, "an inspection", error);
    if (status == LL_OK)
        status = ll_scorer_need_one(scorer, "an inspection", error);
    if (status == LL_OK)
        status = ll_scorer_need_list(scorer, "an inspection", error);
    if (status != LL_OK)
        return status;
    *out = (ll_scoring){.how = &scorer->computation,
                        .rows = rows,
                        .classes = scorer->classes ? scorer->classes
                                   : columns > 1   ? columns
                                                   : 2};
    if (rows < 1)
        return ll_fail(error, LL_DOMAIN, "there are no predictions");
    if (scorer->rows != 0 && scorer->rows != rows)
        return ll_fail(error, LL_DOMAIN, "the scorer has %ld rows, but there are %ld predictions", scorer->rows, rows);
    return ll_computation_check_shape(out->how, columns, out->classes, error);
}

static ll_status reserve(ll_weights *w, double max_memory, ll_error *error)
{
    /* what is here, and what sorting the rows by their sizes takes; measured: 63 bytes a row of two classes */
    double bytes = (double)w->rows * (8 * (double)w->classes + 56);
    if (bytes > max_memory)
        return ll_fail(error, LL_UNABLE, "%ld rows of %ld classes need %.3g bytes of memory, %.3g are allowed", w->rows,
                       w->classes, bytes, max_memory);
    w->terms = calloc((size_t)w->rows * (size_t)w->classes, sizeof *w->terms);
    w->errors = calloc((size_t)w->rows, sizeof *w->errors);
    w->is_saturated = calloc((size_t)w->rows, 1);
    w->is_beyond = calloc((size_t)w->rows, 1);
    if (w->terms == NULL || w->errors == NULL || w->is_saturated == NULL || w->is_beyond == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", w->rows);
    return LL_OK;
}

/* ---- marks ---- */

/* By Welford's recurrence; ratio_spread is a sum of squares until all rows are read. */
static void add_ratio(ll_weights *w, double ratio)
{
    double off = ratio - w->ratio;
    w->ratios++;
    w->ratio += off / (double)w->ratios;
    w->ratio_spread += off * (ratio - w->ratio);
}

static void add_ratios(ll_weights *w, const ll_exact *const *row, long columns)
{
    double largest = 0;
    long at = 0;
    for (long c = 0; c < columns; c++)
        if (ll_exact_get_d(row[c]) > largest) {
            largest = ll_exact_get_d(row[c]);
            at = c;
        }
    if (columns == 1)
        largest = fmax(largest, 1 - largest);
    for (long c = 0; c < columns; c++) {
        double x = columns == 1 ? 1 - largest : ll_exact_get_d(row[c]);
        int is_far = columns <= 2 || largest > M_E * x; /* of more, several may share the largest */
        if ((c != at || columns == 1) && x > 0 && isfinite(largest) && is_far)
            add_ratio(w, log(largest / x));
    }
}

/* Entries that no double holds, and entries at the ends of what the scorer looks at. */
static void mark_row(ll_weights *w, const ll_exact *const *row, long columns, long index)
{
    const ll_computation *r = w->scoring.how;
    int probability = ll_metric_reads_probabilities(r->metric);
    ll_clip_mode mode = r->clip_mode;
    double low = mode == LL_CLIP_NONE ? 0 : mode == LL_LOG_CLAMP ? exp(-r->float_low) : ll_exact_get_d(&r->low);
    for (long c = 0; c < columns; c++) {
        double x = ll_exact_get_d(row[c]);
        if (!isfinite(x) || (x == 0 && !fmpz_is_zero(row[c]->mantissa)))
            w->is_beyond[index] = 1;
        double small = columns == 1 ? fmin(x, 1 - x) : x;
        if (probability && small <= low)
            w->is_saturated[index] = 1;
        if (probability && small < w->smallest)
            w->smallest = small;
    }
    if (probability)
        add_ratios(w, row, columns);
}

static ll_status visit_marks(void *state, const ll_block *block, long first, ll_error *error)
{
    ll_weights *w = state;
    ll_exact *scratch = malloc(sizeof *scratch * (size_t)block->columns);
    const ll_exact **row = malloc(sizeof(const ll_exact *) * (size_t)block->columns);
    if (scratch == NULL || row == NULL) {
        free(scratch);
        free(row);
        return ll_fail(error, LL_MEMORY, "no memory for a row");
    }
    for (long c = 0; c < block->columns; c++)
        ll_exact_init(scratch + c);
    for (long i = 0; i < block->rows; i++) {
        int finite = 1;
        for (long c = 0; c < block->columns; c++)
            finite = (row[c] = ll_rows_exact(scratch + c, block, i * block->columns + c)) != NULL && finite;
        if (finite)
            mark_row(w, row, block->columns, first + i);
    }
    for (long c = 0; c < block->columns; c++)
        ll_exact_clear(scratch + c);
    free(scratch);
    free(row);
    return LL_OK;
}

/* ---- what follows from them ---- */

double ll_weights_get(const ll_weights *w, long row, long label)
{
    return w->terms[row * w->classes + label] - w->terms[row * w->classes];
}

double ll_weights_loudest(const ll_weights *w, long row)
{
    double most = 0;
    for (long k = 1; k < w->classes && !w->is_beyond[row]; k++)
        most = fmax(most, fabs(ll_weights_get(w, row, k)));
    return w->is_beyond[row] ? DBL_MAX : most;
}

int ll_weights_is_neutral(const ll_weights *w, long row)
{
    for (long k = 1; k < w->classes; k++)
        if (!(fabs(ll_weights_get(w, row, k)) <= w->errors[row]))
            return 0;
    return 1;
}

/* Terms are good to some units of their format. Where 1 - p was formed from one column, an error of half a unit of 1 is
 * one of e^term / 2 units in -ln(1 - p). */
static void set_error(ll_weights *w, long row)
{
    const ll_computation *r = w->scoring.how;
    long fraction = r->kind == LL_KIND_EXACT ? 52 : r->rows.format.fraction_bits;
    double unit = ldexp(1, (int)-(fraction < 52 ? fraction : 52)), size = 0, most = 0;
    for (long k = 0; k < w->classes; k++) {
        double term = w->terms[row * w->classes + k];
        size += fabs(term);
        most = fmax(most, term);
    }
    int formed = w->columns == 1 && ll_metric_is_log(r->metric) && r->kind != LL_KIND_EXACT;
    w->errors[row] = unit * (2 * size + (formed ? exp(fmin(w->terms[row * w->classes], 700)) : 0));
}

double ll_weights_share(const ll_weights *w, long label)
{
    return ll_label_share(w->scorer, w->classes, label);
}

static void add_row(ll_weights *w, long row)
{
    const double *term = w->terms + row * w->classes;
    double least = term[0], greatest = term[0], mean = 0, square = 0;
    for (long k = 0; k < w->classes; k++) {
        least = fmin(least, term[k]);
        greatest = fmax(greatest, term[k]);
        mean += ll_weights_share(w, k) * term[k];
    }
    for (long k = 0; k < w->classes; k++)
        square += ll_weights_share(w, k) * (term[k] - mean) * (term[k] - mean);
    w->least += least;
    w->greatest += greatest;
    w->mean += mean;
    w->variance += square;
    if (!isfinite(greatest) || fabs(greatest) > 0x1p1000 || fabs(least) > 0x1p1000)
        w->is_beyond[row] = 1;
    w->beyond += w->is_beyond[row];
    w->saturated += w->is_saturated[row];
}

ll_status ll_weights_init(ll_weights *w, const ll_scorer *scorer, const ll_predictions *predictions, double max_memory,
                          ll_error *error)
{
    *w = (ll_weights){.scorer = scorer, .smallest = 1};
    ll_status status = ll_inspection_scoring(&w->scoring, scorer, predictions, error);
    w->rows = w->scoring.rows;
    w->classes = w->scoring.classes;
    w->columns = predictions->columns;
    if (status == LL_OK)
        status = ll_metric_need_terms(scorer->computation.metric, "an inspection", error);
    if (status == LL_OK)
        status = reserve(w, max_memory, error);
    if (status == LL_OK)
        status = ll_score_all_terms(&w->scoring, w->terms, predictions, error);
    if (status == LL_OK)
        status = ll_rows_each(predictions, visit_marks, w, error);
    for (long i = 0; i < w->rows && status == LL_OK; i++) {
        set_error(w, i);
        add_row(w, i);
    }
    if (scorer->counts != NULL && w->rows > 1) /* labels are not independent: no more than so much (told-counts.md) */
        w->variance *= (double)w->rows / (double)(w->rows - 1);
    w->ratio_spread = w->ratios > 1 ? sqrt(w->ratio_spread / (double)(w->ratios - 1)) : 0;
    return status;
}

void ll_weights_clear(ll_weights *w)
{
    free(w->terms);
    free(w->errors);
    free(w->is_saturated);
    free(w->is_beyond);
    *w = (ll_weights){0};
}
