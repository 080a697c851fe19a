/* The labels behind several numbers, or behind metrics of counts and ranks. Two classes: what numbers are functions of
 * a few sums keep the labellings with some sums, which are counted without being listed; where other numbers are left,
 * those labellings are tried one by one. More classes: every labelling is tried. */
#include "infer/joint.h"

#include "number/budget.h"
#include "number/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_LABELLINGS = 16 };
/* Labellings that are tried in a second: scored, or added up. */
static const double scored_a_second = 2e5, added_a_second = 2e6;

typedef struct {
    ll_joint joint;
    ll_inference *out;
    fmpz_t count;
    double seconds, memory;
    ll_error *error;
} job;

ll_status ll_joint_explains(const ll_joint *j, const int32_t *labels, int all, int *fits, ll_error *error)
{
    *fits = 1;
    for (long i = 0; i < j->count && *fits; i++) {
        const ll_joint_number *n = &j->numbers[i];
        ll_status status = LL_OK;
        if (n->kind != NULL && !all)
            continue;
        if (n->evidence->has_terms)
            *fits = ll_evidence_explains_one(n->evidence, n->observation, labels);
        else
            status = ll_evidence_explains_view(n->evidence, n->observation, labels, fits, error);
        if (status != LL_OK)
            return status;
    }
    return LL_OK;
}

/* ---- the verdict ---- */

static ll_status reserve(job *b, const ll_evidence *e)
{
    ll_verdict *v = malloc(sizeof *v);
    b->out->verdict = v;
    if (v == NULL)
        return ll_fail(b->error, LL_MEMORY, "no memory for a verdict");
    ll_verdict_init(v);
    v->gap.value = v->noise.value = v->rounding.value = v->residual.value = v->explains.value = (double)NAN;
    v->wrong_description = (double)NAN; /* nothing models what wrong counts and ranks would be */
    v->rows = e->rows;
    v->classes = e->classes;
    v->queries = e->part_count > 0 ? e->parts[0]->count : e->count;
    v->labels = malloc(sizeof *v->labels * (size_t)v->rows);
    v->candidates = calloc((size_t)v->rows * (size_t)v->classes, 1);
    b->out->labellings = malloc(sizeof *b->out->labellings * (size_t)v->rows * SHOWN_LABELLINGS);
    return v->labels && v->candidates && b->out->labellings
               ? LL_OK
               : ll_fail(b->error, LL_MEMORY, "no memory for %ld rows", e->rows);
}

static void show(ll_inference *out, const int32_t *labels)
{
    long rows = out->verdict->rows;
    if (out->kept < SHOWN_LABELLINGS)
        memcpy(out->labellings + out->kept++ * rows, labels, sizeof *labels * (size_t)rows);
}

static void take(job *b, const int32_t *labels)
{
    ll_verdict *v = b->out->verdict;
    for (long i = 0; i < v->rows; i++)
        v->candidates[i * v->classes + labels[i]] = 1;
    fmpz_add_ui(b->count, b->count, 1);
    show(b->out, labels);
}

static void label_rows(ll_verdict *v)
{
    for (long i = 0; i < v->rows; i++) {
        long left = 0;
        v->labels[i] = -1;
        for (int32_t k = 0; k < v->classes; k++)
            left += v->candidates[i * v->classes + k];
        for (int32_t k = 0; left == 1 && k < v->classes; k++)
            v->labels[i] = v->candidates[i * v->classes + k] ? k : v->labels[i];
        v->certain += left == 1;
    }
}

static double log2_of(const fmpz_t x)
{
    return fmpz_is_zero(x) ? 0 : fmpz_dlog(x) / log(2);
}

static ll_status conclude(job *b, const ll_evidence *e)
{
    ll_verdict *v = b->out->verdict;
    int any = !fmpz_is_zero(b->count);
    char *text = fmpz_get_str(NULL, 10, b->count);
    if (any)
        label_rows(v);
    else
        memset(v->labels, -1, sizeof *v->labels * (size_t)v->rows);
    v->kind = !any ? LL_NONE : v->certain == v->rows ? LL_UNIQUE : LL_AMBIGUOUS;
    v->guarantee = LL_CERTIFIED;
    v->probability = b->out->probability = any ? 1 : 0;
    b->out->score_bits = (double)e->rows * log2((double)e->classes) - log2_of(b->count);
    b->out->count = text != NULL ? strdup(text) : NULL;
    flint_free(text);
    fmpz_sub_ui(b->count, b->count, 1);
    b->out->spurious_bits = fmpz_sgn(b->count) > 0 ? log2_of(b->count) : -1000;
    return b->out->count != NULL ? LL_OK : ll_fail(b->error, LL_MEMORY, "no memory for a verdict");
}

/* ---- every labelling ---- */

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
    const int64_t *known_counts = e->scorer->counts;
    for (long k = 0; known_counts != NULL && k < e->classes; k++) {
        int64_t count = 0;
        for (long i = 0; i < e->rows; i++)
            count += labels[i] == k;
        if (count != known_counts[k])
            return 0;
    }
    return 1;
}

static ll_status try_labellings(job *b, const ll_evidence *e, int32_t *labels)
{
    do {
        int fits = has_counts(e, labels);
        ll_status status = fits ? ll_joint_explains(&b->joint, labels, 1, &fits, b->error) : LL_OK;
        if (status != LL_OK)
            return status;
        if (fits)
            take(b, labels);
    } while (advance(labels, e->rows, e->classes));
    return LL_OK;
}

static ll_status try_all(job *b, const ll_evidence *e)
{
    double bits = (double)e->rows * log2((double)e->classes) + log2((double)b->joint.count);
    if (bits > 60 || exp2(bits) / scored_a_second > b->seconds)
        return ll_fail(b->error, LL_UNABLE,
                       "counts and ranks are inferred from by trying every labelling: 2^%.0f of them are over the "
                       "budget of %.3g seconds",
                       bits, b->seconds);
    int32_t *labels = calloc((size_t)e->rows, sizeof *labels);
    ll_status status =
        labels != NULL ? try_labellings(b, e, labels) : ll_fail(b->error, LL_MEMORY, "no memory for %ld rows", e->rows);
    b->out->method = LL_METHOD_EXHAUSTIVE;
    free(labels);
    return status;
}

/* ---- states ---- */

static void set_candidates(job *b)
{
    const ll_joint *j = &b->joint;
    ll_verdict *v = b->out->verdict;
    for (long g = 0, at = 0; g < j->groups.groups; at += j->sizes[g++]) {
        int zero, one;
        ll_tally_candidates(&j->tally, g, &zero, &one);
        for (long i = at; i < at + j->sizes[g]; i++) {
            v->candidates[2 * j->order[i]] = (unsigned char)zero;
            v->candidates[2 * j->order[i] + 1] = (unsigned char)one;
        }
    }
}

static int show_some(void *state, const int32_t *labels)
{
    ll_inference *out = state;
    show(out, labels);
    return out->kept < SHOWN_LABELLINGS;
}

static int take_each(void *state, const int32_t *labels)
{
    take(state, labels);
    return 1;
}

/* Those that the sums allow, one by one. */
static ll_status try_kept(job *b)
{
    double tried = exp2(log2_of(b->count));
    const char *scored = NULL;
    for (long i = 0; i < b->joint.count; i++)
        if (b->joint.numbers[i].kind == NULL && !b->joint.numbers[i].evidence->has_terms)
            scored = ll_scorer_get(b->joint.numbers[i].evidence->scorer, "metric");
    if (tried / (scored != NULL ? scored_a_second : added_a_second) > b->seconds)
        return ll_fail(b->error, LL_UNABLE,
                       "%s%s2^%.1f labellings are left to be tried one by one: over the budget of %.3g seconds",
                       scored != NULL ? scored : "", scored != NULL ? " is inferred from without equations, and " : "",
                       log2_of(b->count), b->seconds);
    fmpz_zero(b->count);
    b->out->method = LL_METHOD_EXHAUSTIVE;
    return ll_joint_walk(&b->joint, take_each, b, b->error);
}

static ll_status find_states(job *b)
{
    double seconds = ll_tally_seconds(&b->joint.groups);
    if (ll_tally_cost(&b->joint.groups) <= b->memory && seconds > b->seconds)
        return ll_fail(b->error, LL_UNABLE, "all sums that labels can have take %.3g seconds, over the budget of %.3g",
                       seconds, b->seconds);
    ll_status status = ll_joint_find_states(&b->joint, b->memory, b->error);
    if (status == LL_OK && ll_tally_count(&b->joint.tally, b->count) != LL_OK)
        status = ll_fail(b->error, LL_MEMORY, "no memory to count labellings of %ld rows", b->joint.first->rows);
    if (status != LL_OK)
        return status;
    if (b->joint.tried > 0)
        return try_kept(b);
    b->out->method = LL_METHOD_STATES;
    set_candidates(b);
    return ll_joint_walk(&b->joint, show_some, b->out, b->error);
}

/* ---- equations ---- */

static void destroy_prefix(ll_evidence *prefix)
{
    for (long p = 0; prefix != NULL && prefix->parts != NULL && p < prefix->part_count; p++)
        destroy_prefix(prefix->parts[p]);
    if (prefix != NULL)
        free(prefix->parts);
    free(prefix);
}

/* The first answers only. */
static ll_evidence *create_prefix(const ll_evidence *e, long answers)
{
    ll_evidence *prefix = malloc(sizeof *prefix);
    if (prefix == NULL)
        return NULL;
    *prefix = *e;
    prefix->count = e->part_count > 0 ? 0 : answers;
    prefix->parts = calloc((size_t)e->part_count + 1, sizeof(ll_evidence *));
    int complete = prefix->parts != NULL;
    for (long p = 0; p < e->part_count && complete; p++)
        complete = (prefix->parts[p] = create_prefix(e->parts[p], answers)) != NULL;
    if (complete)
        return prefix;
    destroy_prefix(prefix);
    return NULL;
}

static int is_affordable(const job *b, const ll_joint *j)
{
    return j->tried == 0 && ll_tally_cost(&j->groups) <= b->memory && ll_tally_seconds(&j->groups) <= b->seconds / 4;
}

/* *done: as many answers as can be were counted state by state, and exclude some candidates. */
static ll_status narrow_by_prefix(job *b, const ll_evidence *e, long answers, int *done)
{
    ll_evidence *prefix = create_prefix(e, answers);
    ll_joint all = b->joint, joint;
    ll_status status = prefix != NULL ? ll_joint_init(&joint, prefix, b->error) : LL_MEMORY;
    if (status == LL_OK) {
        *done = is_affordable(b, &joint);
        status = *done ? ll_joint_find_states(&joint, b->memory, b->error) : LL_OK;
        b->joint = joint;
        if (*done && status == LL_OK)
            set_candidates(b);
        b->joint = all;
        ll_joint_clear(&joint);
    }
    destroy_prefix(prefix);
    return status;
}

/* Where all labellings cannot be counted: what equations exclude. What is left is counted row by row. */
static ll_status isolate(job *b, const ll_evidence *e)
{
    ll_verdict *v = b->out->verdict;
    int done = 0;
    ll_status status = LL_OK;
    memset(v->candidates, 1, (size_t)v->rows * (size_t)v->classes);
    for (long answers = v->queries - 1; answers > 0 && !done && status == LL_OK; answers--)
        status = narrow_by_prefix(b, e, answers, &done);
    if (status == LL_OK)
        status = ll_joint_isolate(e, v->candidates, b->seconds / 2);
    fmpz_one(b->count);
    long certain = 0;
    for (long i = 0; i < v->rows; i++) {
        int left = v->candidates[2 * i] + v->candidates[2 * i + 1];
        fmpz_mul_si(b->count, b->count, left);
        certain += left < 2;
    }
    b->out->is_most = 1;
    b->out->method = LL_METHOD_MEET;
    if (status != LL_OK)
        return status;
    return certain > 0 ? LL_OK : LL_UNABLE;
}

/* ---- all together ---- */

static ll_status run(job *b, const ll_evidence *e, ll_method method)
{
    ll_status status = reserve(b, e);
    if (status != LL_OK)
        return status;
    if (method != LL_METHOD_AUTO && method != LL_METHOD_EXHAUSTIVE && method != LL_METHOD_STATES)
        return ll_fail(b->error, LL_DOMAIN,
                       "counts and ranks, and several numbers, are not linear equations: use the method states or "
                       "exhaustive");
    if (method == LL_METHOD_STATES && e->classes > 2)
        return ll_fail(b->error, LL_DOMAIN, "the method states is for two classes: use exhaustive");
    status = method == LL_METHOD_EXHAUSTIVE || e->classes > 2 ? try_all(b, e) : find_states(b);
    if (status == LL_UNABLE && method == LL_METHOD_AUTO && e->classes == 2)
        status = isolate(b, e);
    return status == LL_OK ? conclude(b, e) : status;
}

ll_status ll_evidence_infer_joint(const ll_evidence *e, ll_inference *out, ll_method method, const ll_budget *budget,
                                  ll_error *error)
{
    ll_inference made;
    job b = {.out = &made, .seconds = ll_budget_seconds(budget), .memory = ll_budget_memory(budget), .error = error};
    ll_status status = ll_joint_init(&b.joint, e, error);
    if (status != LL_OK)
        return status;
    fmpz_init(b.count);
    ll_inference_init(&made);
    status = run(&b, e, method);
    ll_joint_clear(&b.joint);
    fmpz_clear(b.count);
    return ll_inference_give(out, &made, status, error);
}
