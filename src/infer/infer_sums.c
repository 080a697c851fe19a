/* Scores of counts and ranks as equations, for every number of positives: the labels that are left for some number of
 * them (docs/proofs/isolate.md). Of two classes each such score is an interval of one sum of labels once the positives
 * are known; a score that is a sum of terms is an equation whatever they are. */
#include "infer/joint.h"
#include "infer/view_sums.h"
#include "number/budget.h"
#include "search/isolate.h"

#include <flint/fmpz_vec.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const ll_evidence *first;
    ll_view_sums *views; /* of counts and ranks */
    long view_count;
    ll_linear system; /* positives, then views, then sums of terms; views and positives count twice */
    unsigned char *candidates;
} sums;

static long count_scores(const ll_evidence *e)
{
    long count = e->count;
    for (long p = 0; p < e->part_count; p++)
        count += count_scores(e->parts[p]);
    return count;
}

/* ---- the system ---- */

/* What equations do not cover is left out, which excludes less. */
static ll_status add_views(sums *s, const ll_evidence *e)
{
    ll_status status = LL_OK;
    for (long p = 0; p < e->part_count && status == LL_OK; p++)
        status = add_views(s, e->parts[p]);
    for (long q = 0; q < e->count && status == LL_OK && !e->has_terms; q++) {
        status = ll_evidence_view_sums(e, q, &s->views[s->view_count], NULL);
        s->view_count += status == LL_OK;
        status = status == LL_DOMAIN ? LL_OK : status;
    }
    return status;
}

static ll_status add_terms(sums *s, const ll_evidence *e)
{
    ll_linear more;
    ll_status status = LL_OK;
    for (long p = 0; p < e->part_count && status == LL_OK; p++)
        status = add_terms(s, e->parts[p]);
    if (status != LL_OK || !e->has_terms || e->count == 0)
        return status;
    status = ll_evidence_equations(e, &more, NULL);
    if (status != LL_OK)
        return status == LL_MEMORY ? status : LL_OK;
    long at = s->system.scores, cells = more.rows * more.classes;
    _fmpz_vec_swap(ll_linear_weight(&s->system, at, 0, 0), more.weights, cells * more.scores);
    _fmpz_vec_swap(s->system.targets + at, more.targets, more.scores);
    _fmpz_vec_swap(s->system.tolerances + at, more.tolerances, more.scores);
    for (long i = 0; i < cells; i++)
        s->system.allowed[i] = s->system.allowed[i] && more.allowed[i];
    s->system.scores += more.scores;
    ll_linear_clear(&more);
    return LL_OK;
}

static ll_status init(sums *s, const ll_evidence *e)
{
    long scores = count_scores(e);
    *s = (sums){.first = e, .views = calloc((size_t)scores + 1, sizeof *s->views)};
    s->candidates = malloc((size_t)e->rows * 2);
    if (s->views == NULL || s->candidates == NULL || ll_linear_init(&s->system, e->rows, 2, scores + 1) != LL_OK)
        return LL_MEMORY;
    ll_status status = add_views(s, e);
    for (long i = 0; i < e->rows; i++)
        fmpz_set_ui(ll_linear_weight(&s->system, 0, i, 1), 2);
    for (long v = 0; v < s->view_count; v++)
        for (long i = 0; i < e->rows; i++)
            fmpz_set_si(ll_linear_weight(&s->system, v + 1, i, 1), 2 * s->views[v].features[i]);
    s->system.scores = s->view_count + 1;
    return status == LL_OK ? add_terms(s, e) : status;
}

static void clear(sums *s, long scores)
{
    for (long v = 0; v < s->view_count; v++)
        ll_view_sums_clear(&s->views[v]);
    s->system.scores = scores;
    ll_linear_clear(&s->system);
    free(s->views);
    free(s->candidates);
}

/* ---- every number of positives ---- */

/* 0: some score has no such labels. */
static int set_positives(sums *s, long positives)
{
    const int64_t *known = s->first->scorer->counts;
    if (known != NULL && known[1] != positives)
        return 0;
    fmpz_set_si(s->system.targets, 2 * positives);
    for (long v = 0; v < s->view_count; v++) {
        int64_t low = s->views[v].low[positives], high = s->views[v].high[positives];
        if (low > high)
            return 0;
        fmpz_set_si(s->system.targets + v + 1, low + high);
        fmpz_set_si(s->system.tolerances + v + 1, high - low);
    }
    return 1;
}

ll_status ll_joint_isolate(const ll_evidence *e, unsigned char *candidates, double seconds)
{
    sums s;
    const size_t cells = (size_t)e->rows * 2;
    const double until = ll_clock() + seconds;
    unsigned char *joined = calloc(cells, 1);
    ll_status status = init(&s, e);
    long left = 0;
    status = joined != NULL ? status : LL_MEMORY;
    for (long positives = 0; positives <= e->rows && status == LL_OK; positives++)
        left += set_positives(&s, positives);
    for (long positives = 0; positives <= e->rows && status == LL_OK; positives++) {
        int fits = 0;
        if (!set_positives(&s, positives))
            continue;
        memcpy(s.candidates, candidates, cells);
        status = ll_linear_isolate(&s.system, s.candidates, &fits, (until - ll_clock()) / (double)left--);
        for (size_t i = 0; i < cells && fits; i++)
            joined[i] |= s.candidates[i];
    }
    if (status == LL_OK)
        memcpy(candidates, joined, cells);
    clear(&s, count_scores(e) + 1);
    free(joined);
    return status;
}
