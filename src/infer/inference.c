/* Which method infers labels, and in which order methods are tried. */
#include "infer/infer_job.h"

#include "infer/blocks.h"
#include "number/budget.h"
#include "number/value.h"
#include "search/isolate.h"
#include "search/meet.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many bits of labellings, and so many seconds, meet in the middle comes before the lattice: it proves. */
#define MEET_FIRST_BITS 50.0
#define MEET_FIRST_SECONDS 20.0
/* Up to so many bits of labellings nothing is gained by taking them apart. */
#define WHOLE_BITS 24.0
/* Beyond this one score is not worth a lattice. */
#define HOPELESS_BITS (-4.0)

static void drop_verdict(ll_verdict *verdict)
{
    ll_verdict_clear(verdict);
    free(verdict);
}

void ll_inference_clear(ll_inference *inference)
{
    ll_inference *all = ll_value_whole(inference, sizeof *all);
    if (all == NULL)
        return;
    drop_verdict(all->verdict);
    free(all->count);
    free(all->labellings);
    ll_value_reset(inference);
}

ll_status ll_inference_give(ll_inference *out, ll_inference *made, ll_status status, ll_error *error)
{
    if (status == LL_OK) {
        ll_inference_clear(out);
        status = ll_value_give(out, made, sizeof *made, error);
    }
    if (status != LL_OK)
        ll_inference_clear(made);
    return status;
}

/* ---- choosing ---- */

static int meets_first(const ll_infer_job *j, const ll_meet_cost *cost)
{
    return ll_groups_bits(&j->groups, &j->system) <= MEET_FIRST_BITS && cost->seconds <= MEET_FIRST_SECONDS &&
           cost->seconds <= ll_infer_seconds_left(j) && cost->bytes <= j->memory;
}

/* Meet in the middle while it is quick, then blocks of rows one by one; of one block linear algebra, then the lattice,
 * unless the scores tell too little for one labelling to stand out; where that finds nothing, meet in the middle if the
 * budget allows. With one score the refusal of that says what would be needed. */
static ll_status search(ll_infer_job *j)
{
    ll_meet_cost cost;
    int done = 0;
    if (ll_search_meet_cost(&cost, &j->system, j->memory, j->threads) != LL_OK)
        return ll_fail(j->error, LL_MEMORY, "no memory for %ld rows", j->system.rows);
    j->cost = cost.seconds;
    int quick = meets_first(j, &cost), is_small = ll_groups_bits(&j->groups, &j->system) <= WHOLE_BITS;
    if (j->is_quick && !quick)
        return LL_UNABLE;
    if (quick && (j->is_block || is_small))
        return ll_infer_set(j, LL_METHOD_MEET, 1);
    ll_status status = j->is_block ? LL_OK : ll_infer_blocks(j, quick, &done);
    if (status == LL_OK && !done && quick) {
        status = ll_infer_set(j, LL_METHOD_MEET, 0.5);
        if (status != LL_UNABLE)
            return status;
        status = ll_infer_blocks(j, 0, &done); /* it took longer than predicted: smaller systems may not */
    }
    if (status != LL_OK || done)
        return status;
    if (j->is_block && j->system.scores >= j->system.rows * (j->system.classes - 1))
        status = ll_infer_solve(j, &done);
    if (status == LL_OK && !done && (j->system.scores > 1 || j->out->spurious_bits < HOPELESS_BITS))
        status = ll_infer_near_vectors(j, &done);
    int fits_budget = cost.seconds <= ll_infer_seconds_left(j) && cost.bytes <= j->memory;
    if (status == LL_OK && !done && (j->system.scores == 1 || fits_budget))
        status = ll_infer_set(j, LL_METHOD_MEET, 1);
    return status;
}

/* What is possible becomes what is allowed. */
static ll_status allow(ll_infer_job *j, const unsigned char *possible)
{
    size_t cells = (size_t)j->system.rows * (size_t)j->system.classes;
    for (size_t i = 0; i < cells; i++)
        j->system.allowed[i] = j->system.allowed[i] && possible[i];
    ll_groups_clear(&j->groups);
    return ll_groups_init(&j->groups, &j->system);
}

/* First what is proved in little time and stays proved: labels that combinations of scores exclude, and linear algebra
 * where there are as many scores as unknowns. *done: that was all. */
static ll_status narrow(ll_infer_job *j, int *done)
{
    const ll_verdict *v = j->out->verdict;
    int fits = 1;
    ll_status status = ll_linear_isolate(&j->system, j->system.allowed, &fits, ll_infer_seconds_left(j) / 4);
    if (status == LL_OK)
        status = allow(j, j->system.allowed);
    *done = status == LL_OK && !fits;
    if (*done) {
        j->out->method = LL_METHOD_LINEAR;
        ll_infer_prove(j, 0);
        status = ll_infer_count_none(j);
    }
    if (status == LL_OK && fits && j->system.scores >= j->system.rows * (j->system.classes - 1) &&
        ll_groups_bits(&j->groups, &j->system) > 0 && ll_infer_solve(j, done) == LL_OK && !*done)
        status = allow(j, v->candidates);
    return status == LL_OK ? LL_OK : ll_fail(j->error, LL_MEMORY, "no memory for %ld rows", j->system.rows);
}

/* Did the search add nothing to what was proved before? */
static int is_open(const ll_infer_job *j)
{
    const ll_verdict *v = j->out->verdict;
    return j->out->count == NULL && !j->out->is_likely &&
           memcmp(v->candidates, j->system.allowed, (size_t)v->rows * (size_t)v->classes) == 0;
}

/* What is left is searched; where that is too much, what is proved already is the answer. */
static ll_status choose(ll_infer_job *j)
{
    int done = 0;
    if (j->is_block || ll_groups_bits(&j->groups, &j->system) <= WHOLE_BITS)
        return search(j);
    ll_status status = narrow(j, &done);
    if (status != LL_OK || done)
        return status;
    status = search(j);
    if (status == LL_UNABLE)
        ll_infer_leave_open(j);
    if ((status != LL_OK && status != LL_UNABLE) || j->out->verdict->certain == 0 || !is_open(j))
        return status;
    j->out->method = LL_METHOD_LINEAR;
    return LL_OK;
}

static ll_status run(ll_infer_job *j, ll_method method)
{
    int done;
    switch (method) {
    case LL_METHOD_LATTICE:
        return ll_infer_near_vectors(j, &done);
    case LL_METHOD_LINEAR:
        return ll_infer_solve(j, &done);
    case LL_METHOD_AUTO:
        return choose(j);
    default:
        return ll_infer_set(j, method, 1);
    }
}

/* Are all terms 0 or 1? Then a wrong description gives counts, too: the digits of such a score speak for nothing. */
static int is_count(const ll_evidence *e, const ll_observation *o)
{
    for (long i = 0; i < e->rows * e->classes; i++)
        if (!arb_is_exact(o->terms + i) || !(arb_is_zero(o->terms + i) || arb_is_one(o->terms + i)))
            return 0;
    return 1;
}

static ll_status begin(ll_infer_job *j)
{
    ll_verdict *v = malloc(sizeof *v);
    if (v == NULL)
        return ll_fail(j->error, LL_MEMORY, "no memory for a verdict");
    j->out->verdict = v;
    ll_verdict_init(v);
    v->gap.value = v->noise.value = v->rounding.value = v->residual.value = v->explains.value = (double)NAN;
    v->rows = j->system.rows;
    v->classes = j->system.classes;
    v->queries = j->system.scores;
    v->labels = malloc(sizeof *v->labels * (size_t)v->rows);
    v->candidates = calloc((size_t)v->rows * (size_t)v->classes, 1);
    if (!v->labels || !v->candidates || ll_groups_init(&j->groups, &j->system) != LL_OK)
        return ll_fail(j->error, LL_MEMORY, "no memory for %ld rows", j->system.rows);
    for (long i = 0; i < v->rows; i++)
        v->labels[i] = -1;
    double counted = 0;
    for (long q = 0; q < j->system.scores; q++) {
        double bits = ll_linear_score_bits(&j->system, q);
        j->out->score_bits += bits;
        counted += is_count(j->evidence, j->evidence->observations + q) ? bits : 0;
    }
    j->out->spurious_bits = ll_linear_spurious_bits(&j->system);
    v->wrong_description = fmin(1, exp2(j->out->spurious_bits + counted));
    return LL_OK;
}

/* Are there scores, and were they released as the scorer says? */
static ll_status check(const ll_evidence *e, ll_error *error)
{
    ll_status status = LL_OK;
    for (long p = 0; p < e->part_count && status == LL_OK; p++)
        status = check(e->parts[p], error);
    if (e->part_count > 0)
        return status;
    if (e->count == 0)
        return ll_fail(error, LL_DOMAIN, "%s: there is nothing to infer from",
                       ll_release_has_levels(&e->scorer->release)
                           ? "no score, or no answer on levels that tells anything of its score"
                           : "no score");
    return ll_release_check_texts(&e->scorer->release, &e->texts, error);
}

/* Is every number a sum of terms? */
static int is_equations(const ll_evidence *e)
{
    for (long p = 0; p < e->part_count; p++)
        if (!is_equations(e->parts[p]))
            return 0;
    return e->part_count > 0 || e->has_terms;
}

/* Equations know nothing of told class counts: of a few rows, labellings are walked through instead. */
static int is_joint(const ll_evidence *e, ll_method method)
{
    enum { FEW = 24 };
    int open = method == LL_METHOD_AUTO || method == LL_METHOD_STATES;
    return !is_equations(e) || (e->scorer->counts != NULL && e->rows <= FEW && open);
}

/* The scores of all parts as those of one. */
static ll_status infer_flat(const ll_evidence *e, ll_inference *out, ll_method method, const ll_budget *budget,
                            ll_error *error)
{
    ll_evidence flat = *e->parts[0];
    for (long p = 1; p < e->part_count; p++)
        flat.count += e->parts[p]->count;
    flat.observations = malloc(sizeof *flat.observations * (size_t)flat.count);
    if (flat.observations == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld scores", flat.count);
    for (long p = 0, at = 0; p < e->part_count; at += e->parts[p++]->count)
        memcpy(flat.observations + at, e->parts[p]->observations,
               sizeof *flat.observations * (size_t)e->parts[p]->count);
    ll_status status = ll_evidence_infer_way(&flat, out, method, budget, error);
    free(flat.observations);
    return status;
}

/* *j has evidence, budget and out. */
static ll_status infer_equations(ll_infer_job *j, ll_method method)
{
    ll_inference inference, *out = j->out;
    ll_status status = ll_evidence_equations(j->evidence, &j->system, j->error);
    if (status != LL_OK)
        return status;
    j->memory = ll_budget_memory(j->budget);
    j->until = ll_clock() + ll_budget_seconds(j->budget);
    j->threads = ll_budget_threads(j->budget) > 0 ? ll_budget_threads(j->budget) : omp_get_max_threads();
    j->out = &inference;
    ll_inference_init(&inference);
    status = begin(j);
    if (status == LL_OK)
        status = run(j, method);
    ll_groups_clear(&j->groups);
    ll_linear_clear(&j->system);
    j->out = out;
    return ll_inference_give(out, &inference, status, j->error);
}

ll_status ll_evidence_infer_block(const ll_evidence *evidence, ll_inference *out, int quick, double *cost,
                                  const ll_budget *budget, ll_error *error)
{
    ll_infer_job j = {
        .evidence = evidence, .budget = budget, .is_quick = quick, .is_block = 1, .out = out, .error = error};
    ll_status status = infer_equations(&j, LL_METHOD_AUTO);
    *cost = j.cost;
    return status;
}

ll_status ll_evidence_infer_way(const ll_evidence *evidence, ll_inference *out, ll_method method,
                                const ll_budget *budget, ll_error *error)
{
    ll_infer_job j = {.evidence = evidence, .budget = budget, .out = out, .error = error};
    ll_status status = check(evidence, error);
    if (status == LL_OK && is_joint(evidence, method))
        return ll_evidence_infer_joint(evidence, out, method, budget, error);
    if (status == LL_OK && evidence->part_count > 0)
        return infer_flat(evidence, out, method, budget, error);
    return status == LL_OK ? infer_equations(&j, method) : status;
}
