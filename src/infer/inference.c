/* Which method, and from what it finds to a verdict. */
#include "infer/blocks.h"
#include "number/budget.h"
#include "number/value.h"
#include "search/isolate.h"
#include "search/lattice.h"
#include "search/meet.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Patterns that are listed and decided one by one; labellings handed out as examples. */
enum { LISTED = 1 << 16, SHOWN = 16 };
/* Up to so many bits of labellings, and so many seconds, meet in the middle comes before the lattice: it proves. */
#define MEET_FIRST_BITS 50.0
#define MEET_FIRST_SECONDS 20.0
/* Up to so many bits of labellings nothing is gained by taking them apart. */
#define WHOLE_BITS 24.0
/* A labelling is called likely where fewer wrong ones than this are expected to fit. */
#define LIKELY_BITS (-1.0)
/* Beyond this one score is not worth a lattice. */
#define HOPELESS_BITS (-4.0)

typedef struct {
    const ll_evidence *evidence;
    ll_linear system;
    ll_groups groups;
    double memory, until; /* bytes; when its seconds end, by ll_clock */
    int threads;
    const ll_budget *budget;
    int is_quick, is_block; /* meet in the middle only, where it is quick; not to be taken apart */
    double cost;            /* seconds that were predicted for meet in the middle */
    ll_inference *out;
    ll_error *error;
} job;

static double seconds_left(const job *j)
{
    return fmax(0, j->until - ll_clock());
}

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

/* ---- the verdict ---- */

/* x / N: what it is in units of the score */
static ll_number get_margin(const ll_evidence *e, const arb_t x)
{
    arb_t scaled;
    arb_init(scaled);
    arb_div_si(scaled, x, e->rows, 64);
    ll_number margin = ll_release_margin(&e->scorer->release, scaled);
    arb_clear(scaled);
    return margin;
}

static ll_status set_margins(const job *j, const int32_t *labels)
{
    ll_verdict *v = j->out->verdict;
    arb_t noise, rounding, residual;
    arb_init(noise);
    arb_init(rounding);
    arb_init(residual);
    ll_evidence_margins(j->evidence, noise, rounding, residual, labels);
    v->noise = get_margin(j->evidence, noise);
    v->rounding = get_margin(j->evidence, rounding);
    v->residual = get_margin(j->evidence, residual);
    arb_clear(noise);
    arb_clear(rounding);
    arb_clear(residual);
    return v->noise.text && v->rounding.text && v->residual.text ? LL_OK : LL_MEMORY;
}

static ll_status set_count(const job *j, const fmpz_t count)
{
    char *text = fmpz_get_str(NULL, 10, count);
    j->out->count = text != NULL ? strdup(text) : NULL;
    flint_free(text);
    return j->out->count != NULL ? LL_OK : LL_MEMORY;
}

static ll_status set_zero(const job *j)
{
    fmpz zero = 0;
    return set_count(j, &zero);
}

static ll_status keep_examples(const job *j, const int32_t *labellings, long count)
{
    long rows = j->system.rows, kept = count < SHOWN ? count : SHOWN;
    size_t size = sizeof *labellings * (size_t)rows * (size_t)kept;
    j->out->labellings = malloc(size > 0 ? size : 1);
    if (j->out->labellings == NULL)
        return LL_MEMORY;
    if (size > 0)
        memcpy(j->out->labellings, labellings, size);
    j->out->kept = kept;
    return LL_OK;
}

/* Rows with one candidate get their label. */
static long label_rows(ll_verdict *v)
{
    long given = 0;
    for (long i = 0; i < v->rows; i++) {
        long left = 0;
        for (int32_t k = 0; k < v->classes; k++)
            if (v->candidates[i * v->classes + k]) {
                v->labels[i] = k;
                left++;
            }
        if (left != 1)
            v->labels[i] = -1;
        given += left == 1;
    }
    return given;
}

/* The set of all labellings that fit is known, by its candidates: which rows are certain. */
static void prove(const job *j, int any)
{
    ll_verdict *v = j->out->verdict;
    v->certain = any ? label_rows(v) : 0;
    v->kind = !any ? LL_NONE : v->certain == v->rows ? LL_UNIQUE : LL_AMBIGUOUS;
    j->out->probability = any ? 1 : 0;
}

/* Nothing is known. */
static void leave_open(const job *j)
{
    ll_verdict *v = j->out->verdict;
    memcpy(v->candidates, j->system.allowed, (size_t)v->rows * (size_t)v->classes);
    v->certain = label_rows(v);
    v->kind = v->certain == v->rows ? LL_UNIQUE : LL_AMBIGUOUS;
    j->out->probability = 1;
}

/* Every label that a pattern leaves to a row of a group: rows of a group can be swapped. */
static void mark_candidates(const job *j, unsigned char *candidates, const int32_t *labels)
{
    const ll_groups *g = &j->groups;
    long classes = j->system.classes;
    for (long i = 0; i < g->count; i++) {
        const long *rows = g->order + g->first[i];
        long size = g->first[i + 1] - g->first[i];
        for (long a = 0; a < size; a++)
            if (!candidates[rows[0] * classes + labels[rows[a]]])
                for (long b = 0; b < size; b++)
                    candidates[rows[b] * classes + labels[rows[a]]] = 1;
    }
}

/* ---- the set of labellings that fit ---- */

/* Keep the patterns whose own terms explain the scores. */
static void refine(const job *j, ll_search_set *set)
{
    long kept = 0, rows = j->system.rows;
    fmpz_zero(set->count);
    memset(set->possible, 0, (size_t)rows * (size_t)set->classes);
    for (long i = 0; i < set->kept; i++) {
        const int32_t *labels = set->labellings + i * rows;
        if (!ll_evidence_explains(j->evidence, labels))
            continue;
        mark_candidates(j, set->possible, labels);
        fmpz_add(set->count, set->count, set->arrangements + i);
        memmove(set->labellings + kept * rows, labels, sizeof *labels * (size_t)rows);
        fmpz_swap(set->arrangements + kept++, set->arrangements + i);
    }
    for (long i = kept; i < set->kept; i++)
        fmpz_clear(set->arrangements + i);
    set->kept = kept;
}

static ll_status read_set(const job *j, ll_search_set *set)
{
    ll_verdict *v = j->out->verdict;
    if (set->complete)
        refine(j, set);
    j->out->is_most = !set->complete;
    memcpy(v->candidates, set->possible, (size_t)v->rows * (size_t)v->classes);
    prove(j, !fmpz_is_zero(set->count));
    ll_status status = set_count(j, set->count);
    if (status == LL_OK)
        status = keep_examples(j, set->labellings, set->kept);
    if (status == LL_OK && set->kept > 0)
        status = set_margins(j, set->labellings);
    return status;
}

/* In a share of the time that is left. */
static ll_status find_set(const job *j, ll_method method, double share)
{
    const double seconds = share * seconds_left(j);
    ll_search_set set;
    long rows = j->system.rows, limit = (1L << 26) / rows;
    limit = limit > LISTED ? LISTED : limit < 1 ? 1 : limit;
    if (ll_search_set_init(&set, rows, j->system.classes, limit) != LL_OK)
        return ll_fail(j->error, LL_MEMORY, "no memory for %ld labellings", limit);
    ll_status status = method == LL_METHOD_MEET
                           ? ll_search_meet(&set, &j->system, limit, j->memory, seconds, j->threads, -1, j->error)
                           : ll_search_all(&set, &j->system, limit, seconds, j->threads, j->error);
    if (status == LL_OK && read_set(j, &set) != LL_OK)
        status = ll_fail(j->error, LL_MEMORY, "no memory for a verdict");
    j->out->method = method;
    ll_search_set_clear(&set);
    return status;
}

/* ---- labellings that were found, though perhaps not all ---- */

/* Rows that another labelling found, or a neighbour, labels otherwise stay open; so does everything where many wrong
 * labellings are expected. */
static ll_status accept_likely(const job *j, const ll_search_set *set)
{
    ll_verdict *v = j->out->verdict;
    long others;
    memcpy(v->candidates, set->possible, (size_t)v->rows * (size_t)v->classes);
    if (ll_linear_near(&j->system, v->candidates, &others, set->labellings) == LL_MEMORY)
        return LL_MEMORY;
    j->out->is_likely = 1;
    j->out->probability = 1 / (1 + exp2(j->out->spurious_bits));
    if (j->out->spurious_bits > LIKELY_BITS)
        memcpy(v->candidates, j->system.allowed, (size_t)v->rows * (size_t)v->classes);
    (void)label_rows(v);
    v->certain = 0;
    v->kind = LL_AMBIGUOUS;
    ll_status status = keep_examples(j, set->labellings, set->kept);
    return status == LL_OK ? set_margins(j, set->labellings) : status;
}

/* *found 0: no labelling, and nothing said. */
static ll_status find_near_vectors(const job *j, int *found)
{
    enum { LIMIT = 1000 };
    ll_search_set set;
    int proved = 0;
    if (ll_search_set_init(&set, j->system.rows, j->system.classes, LIMIT) != LL_OK)
        return ll_fail(j->error, LL_MEMORY, "no memory for %ld labels", j->system.rows);
    ll_status read = LL_OK, status = ll_search_lattice(&set, &proved, &j->system, LIMIT, LL_LATTICE_PASSES,
                                                       seconds_left(j), j->error);
    if (status == LL_OK && !proved)
        refine(j, &set);
    *found = status == LL_OK && (proved || set.kept > 0);
    if (*found)
        read = proved ? read_set(j, &set) : accept_likely(j, &set);
    else if (status == LL_OK)
        leave_open(j);
    j->out->method = LL_METHOD_LATTICE;
    ll_search_set_clear(&set);
    return read == LL_OK ? status : ll_fail(j->error, LL_MEMORY, "no memory for a verdict");
}

/* ---- linear algebra ---- */

/* The labels found are all there is. */
static ll_status accept_unique(const job *j, const int32_t *labels)
{
    fmpz_t count;
    fmpz_init(count);
    int explains = ll_evidence_explains(j->evidence, labels);
    fmpz_set_si(count, explains);
    prove(j, explains);
    ll_status status = set_count(j, count);
    fmpz_clear(count);
    if (status == LL_OK)
        status = keep_examples(j, labels, explains);
    return status == LL_OK ? set_margins(j, labels) : status;
}

/* Every row has one candidate, or some have none. */
static ll_status read_pinned(const job *j)
{
    ll_verdict *v = j->out->verdict;
    if (label_rows(v) == v->rows && ll_linear_fits(&j->system, v->labels)) {
        int32_t *labels = malloc(sizeof *labels * (size_t)v->rows + 1);
        if (labels == NULL)
            return LL_MEMORY;
        memcpy(labels, v->labels, sizeof *labels * (size_t)v->rows);
        ll_status status = accept_unique(j, labels);
        free(labels);
        return status;
    }
    prove(j, 0);
    return set_zero(j);
}

static ll_status solve(const job *j, int *pinned)
{
    ll_verdict *v = j->out->verdict;
    ll_status status = ll_linear_solve(&j->system, v->candidates, pinned, seconds_left(j), j->error);
    j->out->method = LL_METHOD_LINEAR;
    if (status != LL_OK)
        return status;
    if (*pinned)
        return read_pinned(j) == LL_OK ? LL_OK : ll_fail(j->error, LL_MEMORY, "no memory for a verdict");
    prove(j, 1);
    return LL_OK;
}

/* ---- block by block ---- */

static ll_status read_blocks(const job *j, const ll_blocks *b)
{
    ll_verdict *v = j->out->verdict;
    size_t cells = (size_t)v->rows * (size_t)v->classes;
    memcpy(v->candidates, b->candidates, cells);
    prove(j, !b->is_none);
    j->out->method = b->method;
    j->out->is_most = 1;
    if (b->is_none)
        return set_zero(j);
    if (b->is_likely && b->probability > 0.5) {
        long certain = v->certain;
        memcpy(v->candidates, b->likely, cells);
        (void)label_rows(v);
        v->certain = certain;
        v->kind = LL_AMBIGUOUS;
        j->out->is_likely = 1;
        j->out->probability = b->probability;
        j->out->method = LL_METHOD_LATTICE;
    }
    if (!b->is_counted)
        return LL_OK;
    ll_status status = set_count(j, b->count);
    if (status == LL_OK)
        status = keep_examples(j, b->labellings, b->kept);
    return status == LL_OK ? set_margins(j, b->labellings) : status;
}

/* *done 0: one block, of which nothing became known. A refusal counts where nothing else is known. quick: one block is
 * decided by meeting in the middle afterwards. */
static ll_status take_apart(const job *j, int quick, int *done)
{
    ll_blocks blocks;
    ll_status status = ll_blocks_find(&blocks, j->evidence, &j->system, quick, seconds_left(j), j->budget, j->error);
    *done = status != LL_OK || !blocks.is_whole;
    if (status == LL_OK && *done && read_blocks(j, &blocks) != LL_OK)
        status = ll_fail(j->error, LL_MEMORY, "no memory for a verdict");
    const ll_verdict *v = j->out->verdict;
    if (status == LL_OK && *done && v->kind != LL_NONE && v->certain == 0 && j->out->count == NULL &&
        !j->out->is_likely && blocks.refusal.text[0] != '\0')
        status = ll_fail(j->error, LL_UNABLE, "%s", blocks.refusal.text);
    ll_blocks_clear(&blocks);
    return status;
}

/* ---- choosing ---- */

static int meets_first(const job *j, const ll_meet_cost *cost)
{
    return ll_groups_bits(&j->groups, &j->system) <= MEET_FIRST_BITS && cost->seconds <= MEET_FIRST_SECONDS &&
           cost->seconds <= seconds_left(j) && cost->bytes <= j->memory;
}

/* Meet in the middle while it is quick, then blocks of rows one by one; of one block linear algebra, then the lattice,
 * unless the scores tell too little for one labelling to stand out; where that finds nothing, meet in the middle if the
 * budget allows. With one score the refusal of that says what would be needed. */
static ll_status search(job *j)
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
        return find_set(j, LL_METHOD_MEET, 1);
    ll_status status = j->is_block ? LL_OK : take_apart(j, quick, &done);
    if (status == LL_OK && !done && quick) {
        status = find_set(j, LL_METHOD_MEET, 0.5);
        if (status != LL_UNABLE)
            return status;
        status = take_apart(j, 0, &done); /* it took longer than predicted: smaller systems may not */
    }
    if (status != LL_OK || done)
        return status;
    if (j->is_block && j->system.scores >= j->system.rows * (j->system.classes - 1))
        status = solve(j, &done);
    if (status == LL_OK && !done && (j->system.scores > 1 || j->out->spurious_bits < HOPELESS_BITS))
        status = find_near_vectors(j, &done);
    int fits_budget = cost.seconds <= seconds_left(j) && cost.bytes <= j->memory;
    if (status == LL_OK && !done && (j->system.scores == 1 || fits_budget))
        status = find_set(j, LL_METHOD_MEET, 1);
    return status;
}

/* What is possible becomes what is allowed. */
static ll_status allow(job *j, const unsigned char *possible)
{
    size_t cells = (size_t)j->system.rows * (size_t)j->system.classes;
    for (size_t i = 0; i < cells; i++)
        j->system.allowed[i] = j->system.allowed[i] && possible[i];
    ll_groups_clear(&j->groups);
    return ll_groups_init(&j->groups, &j->system);
}

/* First what is proved in little time and stays proved: labels that combinations of scores exclude, and linear algebra
 * where there are as many scores as unknowns. *done: that was all. */
static ll_status narrow(job *j, int *done)
{
    const ll_verdict *v = j->out->verdict;
    int fits = 1;
    ll_status status = ll_linear_isolate(&j->system, j->system.allowed, &fits, seconds_left(j) / 4);
    if (status == LL_OK)
        status = allow(j, j->system.allowed);
    *done = status == LL_OK && !fits;
    if (*done) {
        prove(j, 0);
        status = set_zero(j);
    }
    if (status == LL_OK && fits && j->system.scores >= j->system.rows * (j->system.classes - 1) &&
        ll_groups_bits(&j->groups, &j->system) > 0 && solve(j, done) == LL_OK && !*done)
        status = allow(j, v->candidates);
    return status == LL_OK ? LL_OK : ll_fail(j->error, LL_MEMORY, "no memory for %ld rows", j->system.rows);
}

/* What is left is searched; where that is too much, what is proved already is the answer. */
static ll_status choose(job *j)
{
    int done = 0;
    if (j->is_block || ll_groups_bits(&j->groups, &j->system) <= WHOLE_BITS)
        return search(j);
    ll_status status = narrow(j, &done);
    if (status != LL_OK || done)
        return status;
    status = search(j);
    if (status == LL_UNABLE)
        leave_open(j);
    if (status == LL_UNABLE && j->out->verdict->certain > 0) {
        j->out->method = LL_METHOD_MEET;
        return LL_OK;
    }
    return status;
}

static ll_status run(job *j, ll_method method)
{
    int done;
    switch (method) {
    case LL_METHOD_LATTICE:
        return find_near_vectors(j, &done);
    case LL_METHOD_LINEAR:
        return solve(j, &done);
    case LL_METHOD_AUTO:
        return choose(j);
    default:
        return find_set(j, method, 1);
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

static ll_status begin(job *j)
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
static ll_status infer_equations(job *j, ll_method method)
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
    if (status == LL_OK) {
        ll_inference_clear(out);
        status = ll_value_give(out, &inference, sizeof inference, j->error);
    }
    if (status != LL_OK)
        ll_inference_clear(&inference);
    j->out = out;
    return status;
}

ll_status ll_evidence_infer_block(const ll_evidence *evidence, ll_inference *out, int quick, double *cost,
                                  const ll_budget *budget, ll_error *error)
{
    job j = {.evidence = evidence, .budget = budget, .is_quick = quick, .is_block = 1, .out = out, .error = error};
    ll_status status = infer_equations(&j, LL_METHOD_AUTO);
    *cost = j.cost;
    return status;
}

ll_status ll_evidence_infer_way(const ll_evidence *evidence, ll_inference *out, ll_method method,
                                const ll_budget *budget, ll_error *error)
{
    job j = {.evidence = evidence, .budget = budget, .out = out, .error = error};
    ll_status status = check(evidence, error);
    if (status == LL_OK && is_joint(evidence, method))
        return ll_evidence_infer_joint(evidence, out, method, budget, error);
    if (status == LL_OK && evidence->part_count > 0)
        return infer_flat(evidence, out, method, budget, error);
    return status == LL_OK ? infer_equations(&j, method) : status;
}
