/* From what a search finds to a verdict. */
#include "infer/infer_job.h"

#include "infer/blocks.h"
#include "number/budget.h"
#include "search/lattice.h"
#include "search/meet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Patterns that are listed and decided one by one; labellings handed out as examples. */
enum { LISTED = 1 << 16, SHOWN = 16 };
/* A labelling is called likely where fewer wrong ones than this are expected to fit. */
#define LIKELY_BITS (-1.0)

double ll_infer_seconds_left(const ll_infer_job *j)
{
    return fmax(0, j->until - ll_clock());
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

static ll_status set_margins(const ll_infer_job *j, const int32_t *labels)
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

static ll_status set_count(const ll_infer_job *j, const fmpz_t count)
{
    char *text = fmpz_get_str(NULL, 10, count);
    j->out->count = text != NULL ? strdup(text) : NULL;
    flint_free(text);
    return j->out->count != NULL ? LL_OK : LL_MEMORY;
}

ll_status ll_infer_count_none(const ll_infer_job *j)
{
    fmpz zero = 0;
    return set_count(j, &zero);
}

static ll_status keep_examples(const ll_infer_job *j, const int32_t *labellings, long count)
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

void ll_infer_prove(const ll_infer_job *j, int any)
{
    ll_verdict *v = j->out->verdict;
    v->certain = any ? label_rows(v) : 0;
    v->kind = !any ? LL_NONE : v->certain == v->rows ? LL_UNIQUE : LL_AMBIGUOUS;
    j->out->probability = any ? 1 : 0;
}

void ll_infer_leave_open(const ll_infer_job *j)
{
    ll_verdict *v = j->out->verdict;
    memcpy(v->candidates, j->system.allowed, (size_t)v->rows * (size_t)v->classes);
    v->certain = label_rows(v);
    v->kind = v->certain == v->rows ? LL_UNIQUE : LL_AMBIGUOUS;
    j->out->probability = 1;
}

/* Every label that a pattern leaves to a row of a group: rows of a group can be swapped. */
static void mark_candidates(const ll_infer_job *j, unsigned char *candidates, const int32_t *labels)
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
static void refine(const ll_infer_job *j, ll_search_set *set)
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

static ll_status read_set(const ll_infer_job *j, ll_search_set *set)
{
    ll_verdict *v = j->out->verdict;
    if (set->complete)
        refine(j, set);
    j->out->is_most = !set->complete;
    memcpy(v->candidates, set->possible, (size_t)v->rows * (size_t)v->classes);
    ll_infer_prove(j, !fmpz_is_zero(set->count));
    ll_status status = set_count(j, set->count);
    if (status == LL_OK)
        status = keep_examples(j, set->labellings, set->kept);
    if (status == LL_OK && set->kept > 0)
        status = set_margins(j, set->labellings);
    return status;
}

ll_status ll_infer_set(const ll_infer_job *j, ll_method method, double share)
{
    const double seconds = share * ll_infer_seconds_left(j);
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
static ll_status accept_likely(const ll_infer_job *j, const ll_search_set *set)
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

ll_status ll_infer_near_vectors(const ll_infer_job *j, int *found)
{
    enum { LIMIT = 1000 };
    ll_search_set set;
    int proved = 0;
    if (ll_search_set_init(&set, j->system.rows, j->system.classes, LIMIT) != LL_OK)
        return ll_fail(j->error, LL_MEMORY, "no memory for %ld labels", j->system.rows);
    ll_status read = LL_OK, status = ll_search_lattice(&set, &proved, &j->system, LIMIT, LL_LATTICE_PASSES,
                                                       ll_infer_seconds_left(j), j->error);
    if (status == LL_OK && !proved)
        refine(j, &set);
    *found = status == LL_OK && (proved || set.kept > 0);
    if (*found)
        read = proved ? read_set(j, &set) : accept_likely(j, &set);
    else if (status == LL_OK)
        ll_infer_leave_open(j);
    j->out->method = LL_METHOD_LATTICE;
    ll_search_set_clear(&set);
    return read == LL_OK ? status : ll_fail(j->error, LL_MEMORY, "no memory for a verdict");
}

/* ---- linear algebra ---- */

/* The labels found are all there is. */
static ll_status accept_unique(const ll_infer_job *j, const int32_t *labels)
{
    fmpz_t count;
    fmpz_init(count);
    int explains = ll_evidence_explains(j->evidence, labels);
    fmpz_set_si(count, explains);
    ll_infer_prove(j, explains);
    ll_status status = set_count(j, count);
    fmpz_clear(count);
    if (status == LL_OK)
        status = keep_examples(j, labels, explains);
    return status == LL_OK ? set_margins(j, labels) : status;
}

/* Every row has one candidate, or some have none. */
static ll_status read_pinned(const ll_infer_job *j)
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
    ll_infer_prove(j, 0);
    return ll_infer_count_none(j);
}

ll_status ll_infer_solve(const ll_infer_job *j, int *pinned)
{
    ll_verdict *v = j->out->verdict;
    ll_status status = ll_linear_solve(&j->system, v->candidates, pinned, ll_infer_seconds_left(j), j->error);
    j->out->method = LL_METHOD_LINEAR;
    if (status != LL_OK)
        return status;
    if (*pinned)
        return read_pinned(j) == LL_OK ? LL_OK : ll_fail(j->error, LL_MEMORY, "no memory for a verdict");
    ll_infer_prove(j, 1);
    return LL_OK;
}

/* ---- block by block ---- */

static ll_status read_blocks(const ll_infer_job *j, const ll_blocks *b)
{
    ll_verdict *v = j->out->verdict;
    size_t cells = (size_t)v->rows * (size_t)v->classes;
    memcpy(v->candidates, b->candidates, cells);
    ll_infer_prove(j, !b->is_none);
    j->out->method = b->method;
    j->out->is_most = 1;
    if (b->is_none)
        return ll_infer_count_none(j);
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

ll_status ll_infer_blocks(const ll_infer_job *j, int quick, int *done)
{
    ll_blocks blocks;
    ll_status status =
        ll_blocks_find(&blocks, j->evidence, &j->system, quick, ll_infer_seconds_left(j), j->budget, j->error);
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
