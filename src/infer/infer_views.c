/* Scores that are no sums of terms, of counts or ranks: every labelling is scored, and those that explain all scores
 * are what is left. */
#include "infer/evidence.h"

#include "number/budget.h"
#include "number/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = 320, SHOWN_LABELLINGS = 16 };
static const double a_second = 2e5; /* scores of a few rows */

/* ---- one score ---- */

typedef struct {
    const ll_evidence *evidence;
    const ll_predictions *predictions;
    double *values;
} reading;

static ll_status visit(void *state, const ll_block *block, long first, ll_error *error)
{
    reading *r = state;
    ll_exact scratch, back;
    ll_status status = LL_OK;
    int exact = r->evidence->scoring.how->kind == LL_KIND_EXACT;
    ll_exact_init(&scratch);
    ll_exact_init(&back);
    for (long i = 0; i < block->rows && status == LL_OK; i++) {
        const ll_exact *x = ll_rows_exact(&scratch, block, i);
        status = ll_rows_check(&r->evidence->scoring, r->predictions, x, first + i, error);
        if (status != LL_OK)
            break;
        r->values[first + i] = ll_exact_get_d(x);
        if (isfinite(r->values[first + i]))
            ll_exact_set_d(&back, r->values[first + i]);
        if (!isfinite(r->values[first + i]) || (exact && ll_exact_cmp(&back, x) != 0))
            status = ll_rows_fail(r->predictions, first + i, error, LL_DOMAIN,
                                  "a prediction that no double holds: give an arithmetic of floats");
    }
    ll_exact_clear(&scratch);
    ll_exact_clear(&back);
    return status;
}

ll_status ll_evidence_read_view(const ll_evidence *e, ll_observation *out, const ll_predictions *predictions,
                                const char *score, ll_error *error)
{
    const ll_release *release = &e->scorer->release;
    reading r = {e, predictions, malloc(sizeof(double) * (size_t)e->rows)};
    slong prec = PREC + e->scorer->computation.precision;
    out->values = r.values;
    if (r.values == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", e->rows);
    ll_status status = ll_release_read(release, out->sum, score, &e->texts, LL_STATED_AND_OWN, prec, error);
    if (status == LL_OK && ll_release_undo(release, out->sum, 0, LL_STATED_AND_OWN, prec) != LL_OK)
        status = ll_fail(error, LL_DOMAIN, "the score '%.40s' is below 0, and no root is", score);
    return status == LL_OK ? ll_rows_each(predictions, visit, &r, error) : status;
}

/* ---- every labelling ---- */

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    (void)error;
    out->rows = count;
    out->columns = 1;
    out->entries = LL_ENTRIES_DOUBLE;
    out->doubles = (const double *)self + first;
    out->floats = NULL;
    out->exacts = NULL;
    return LL_OK;
}

/* Can the program's number of these labels be the one that was read? Labels without a number cannot. */
static ll_status explains(const ll_evidence *e, const ll_observation *o, const int32_t *labels, int *fits,
                          ll_error *error)
{
    ll_scoring scoring = e->scoring;
    ll_predictions predictions = {
        .self = o->values, .rows = e->rows, .columns = 1, .entries = LL_ENTRIES_DOUBLE, .get = get};
    ll_raw raw;
    arb_t number;
    scoring.labels = labels;
    ll_raw_init(&raw);
    arb_init(number);
    ll_status status = ll_score_any(&scoring, &raw, &predictions, e->scorer->computation.precision + 64, error);
    *fits = status == LL_OK;
    if (*fits) {
        arb_set_interval_arf(number, raw.lower, raw.upper, PREC + e->scorer->computation.precision);
        *fits = arb_overlaps(number, o->sum);
    }
    arb_clear(number);
    ll_raw_clear(&raw);
    return status == LL_DOMAIN ? LL_OK : status;
}

static ll_status reserve(const ll_evidence *e, ll_inference *out, ll_error *error)
{
    ll_verdict *v = malloc(sizeof *v);
    out->verdict = v;
    if (v == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a verdict");
    ll_verdict_init(v);
    v->gap.value = v->noise.value = v->rounding.value = v->residual.value = v->explains.value = (double)NAN;
    v->rows = e->rows;
    v->classes = e->classes;
    v->queries = e->count;
    v->labels = malloc(sizeof *v->labels * (size_t)v->rows);
    v->candidates = calloc((size_t)v->rows * (size_t)v->classes, 1);
    out->labellings = malloc(sizeof *out->labellings * (size_t)v->rows * SHOWN_LABELLINGS);
    out->count = malloc(32);
    return v->labels && v->candidates && out->labellings && out->count
               ? LL_OK
               : ll_fail(error, LL_MEMORY, "no memory for %ld rows", e->rows);
}

static void add(ll_inference *out, const int32_t *labels)
{
    ll_verdict *v = out->verdict;
    for (long i = 0; i < v->rows; i++)
        v->candidates[i * v->classes + labels[i]] = 1;
    if (out->kept < SHOWN_LABELLINGS)
        memcpy(out->labellings + out->kept++ * v->rows, labels, sizeof *labels * (size_t)v->rows);
}

/* The next labelling, as a number in base K; 0 after the last. */
static int advance(int32_t *labels, long rows, long classes)
{
    for (long i = 0; i < rows; i++) {
        if (++labels[i] < classes)
            return 1;
        labels[i] = 0;
    }
    return 0;
}

/* Told class counts rule out labels that have others. */
static int has_counts(const ll_evidence *e, const int32_t *labels)
{
    const int64_t *told = e->scorer->counts;
    for (long k = 0; told != NULL && k < e->classes; k++) {
        int64_t count = 0;
        for (long i = 0; i < e->rows; i++)
            count += labels[i] == k;
        if (count != told[k])
            return 0;
    }
    return 1;
}

static ll_status try_all(const ll_evidence *e, ll_inference *out, int32_t *labels, long *count, ll_error *error)
{
    do {
        int fits = has_counts(e, labels);
        for (long q = 0; q < e->count && fits; q++) {
            ll_status status = explains(e, &e->observations[q], labels, &fits, error);
            if (status != LL_OK)
                return status;
        }
        *count += fits;
        if (fits)
            add(out, labels);
    } while (advance(labels, e->rows, e->classes));
    return LL_OK;
}

static void conclude(const ll_evidence *e, ll_inference *out, long count)
{
    ll_verdict *v = out->verdict;
    for (long i = 0; i < v->rows; i++) {
        long left = 0;
        v->labels[i] = -1;
        for (int32_t k = 0; k < v->classes; k++)
            left += v->candidates[i * v->classes + k];
        for (int32_t k = 0; left == 1 && k < v->classes; k++)
            v->labels[i] = v->candidates[i * v->classes + k] ? k : v->labels[i];
        v->certain += left == 1;
    }
    v->kind = count == 0 ? LL_NONE : v->certain == v->rows ? LL_UNIQUE : LL_AMBIGUOUS;
    v->guarantee = LL_CERTIFIED;
    v->probability = out->probability = count > 0 ? 1 : 0;
    out->method = LL_METHOD_EXHAUSTIVE;
    out->score_bits = (double)e->rows * log2((double)e->classes) - log2((double)(count > 0 ? count : 1));
    out->spurious_bits = count > 1 ? log2((double)(count - 1)) : -1000;
    (void)snprintf(out->count, 32, "%ld", count);
}

static ll_status check(const ll_evidence *e, ll_method method, double seconds, ll_error *error)
{
    double bits = (double)e->rows * log2((double)e->classes) + log2((double)e->count);
    if (method != LL_METHOD_AUTO && method != LL_METHOD_EXHAUSTIVE)
        return ll_fail(error, LL_DOMAIN, "counts and ranks are no equations: the method exhaustive serves");
    if (bits > 60 || exp2(bits) / a_second > seconds)
        return ll_fail(
            error, LL_UNABLE,
            "counts and ranks are inferred from by trying every labelling: 2^%.0f of them are over the budget "
            "of %.3g seconds",
            bits, seconds);
    return LL_OK;
}

ll_status ll_evidence_infer_views(const ll_evidence *e, ll_inference *out, ll_method method, const ll_budget *budget,
                                  ll_error *error)
{
    long count = 0;
    ll_inference made;
    ll_status status = check(e, method, ll_budget_seconds(budget), error);
    if (status != LL_OK)
        return status;
    ll_inference_init(&made);
    int32_t *labels = calloc((size_t)e->rows, sizeof *labels);
    status = labels != NULL ? reserve(e, &made, error) : ll_fail(error, LL_MEMORY, "no memory for %ld rows", e->rows);
    if (status == LL_OK)
        status = try_all(e, &made, labels, &count, error);
    free(labels);
    if (status == LL_OK) {
        conclude(e, &made, count);
        ll_inference_clear(out);
        status = ll_value_give(out, &made, sizeof made, error);
    }
    if (status != LL_OK)
        ll_inference_clear(&made);
    return status;
}
