/* Reduce, enumerate, and where that is too much, reduce better.
 *
 * Scores are first taken with their last bits dropped, then with more and more of them: a reduction of few bits is
 * quick, the next one starts from it, and as soon as the enumeration comes to its end all is done. When all bits are in
 * and it still does not, block reduction follows, pass by pass. */
#include "search/lattice.h"

#include "search/lattice_private.h"
#include "search/meet_private.h"

#include <flint/fmpz_lll.h>
#include <flint/fmpz_vec.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 6, FIRST_BLOCK = 20, LAST_BLOCK = 28 };

/* Nodes of an enumeration that is only a try, of one block, and a second. */
#define TRY_NODES 4000000UL
#define BLOCK_NODES 400000UL
#define NODES_A_SECOND 2e7
#define PROOF_SECONDS 5.0

typedef struct {
    ll_lattice lattice;
    ll_search_set *out;
    long limit, passes;
    double *mu, *squares, *offsets;
    double start, deadline;
    int is_known;
    int32_t *known; /* a labelling that fits */
} run;

/* ---- labellings found ---- */

static void reset(ll_search_set *out)
{
    for (long i = 0; i < out->kept; i++)
        fmpz_zero(out->arrangements + i);
    fmpz_zero(out->count);
    out->kept = 0;
    out->complete = 1;
    memset(out->possible, 0, (size_t)out->rows * (size_t)out->classes);
}

/* Every label of a group is possible for every row of it. */
static void mark_possible(run *r, const int32_t *labels)
{
    const ll_groups *g = &r->lattice.groups;
    for (long i = 0; i < g->count; i++) {
        const long *rows = g->order + g->first[i];
        long size = g->first[i + 1] - g->first[i];
        for (long a = 0; a < size; a++) {
            unsigned char *possible = r->out->possible + labels[rows[a]];
            if (possible[rows[0] * r->out->classes]) /* then for all rows of the group */
                continue;
            for (long b = 0; b < size; b++)
                possible[rows[b] * r->out->classes] = 1;
        }
    }
}

/* Once a labelling is known, its proof may take as long again, and some seconds. */
static void limit_proof(run *r)
{
    double now = ll_clock(), spent = now - r->start, more = now + (spent > PROOF_SECONDS ? spent : PROOF_SECONDS);
    r->deadline = more < r->deadline ? more : r->deadline;
}

/* A labelling that fits. */
static void found(run *r, const int32_t *labels)
{
    ll_search_set *out = r->out;
    mark_possible(r, labels);
    fmpz_t ways;
    fmpz_init(ways);
    ll_groups_arrangements(ways, &r->lattice.groups, r->lattice.system, labels);
    fmpz_add(out->count, out->count, ways);
    if (out->kept < r->limit) {
        memcpy(out->labellings + out->kept * out->rows, labels, sizeof *labels * (size_t)out->rows);
        fmpz_set(out->arrangements + out->kept++, ways);
    } else {
        out->complete = 0;
    }
    fmpz_clear(ways);
}

static int visit(void *self, const long *w, double norm)
{
    run *r = self;
    const int32_t *labels = r->lattice.labels;
    (void)norm;
    if (!ll_lattice_read(&r->lattice, w) || !ll_linear_fits(r->lattice.system, labels))
        return 1;
    found(r, labels);
    if (!r->is_known) {
        r->is_known = 1;
        memcpy(r->known, labels, sizeof *labels * (size_t)r->out->rows);
        limit_proof(r);
    }
    return 1;
}

/* ---- steps ---- */

/* Not fmpz_lll: that also proves that its result is reduced, in rational numbers where floats cannot tell, and takes
 * minutes over it from 200 rows on. Nothing here needs the proof. Each of these leaves a basis of the same lattice, and
 * says -1 where its floats were too short to go on. */
static void reduce(run *r)
{
    fmpz_lll_t context;
    fmpz_lll_context_init_default(context);
    if (fmpz_lll_d(r->lattice.basis, NULL, context) == -1 &&
        fmpz_lll_d_heuristic(r->lattice.basis, NULL, context) == -1)
        (void)fmpz_lll_mpf(r->lattice.basis, NULL, context);
}

/* All labellings that fit: 1; some of them, or none though there may be: 0. Then one that an earlier try found stays.
 */
static int enumerate(run *r, uint64_t nodes)
{
    ll_lattice *l = &r->lattice;
    double height;
    if (!ll_lattice_set_exact(l) ||
        !ll_lattice_orthogonalise(r->mu, r->squares, r->offsets, &height, l->exact, l->target, l->exact_unit))
        return 0;
    ll_enumeration e = {.n = l->count,
                        .mu = r->mu,
                        .offsets = r->offsets,
                        .squares = r->squares,
                        .bound = ll_lattice_radius(l) - height,
                        .slack = ll_enumerate_slack(l->count),
                        .nodes = nodes,
                        .self = r,
                        .visit = visit};
    reset(r->out);
    int done = e.bound < 0 || ll_enumerate(&e) == 1;
    if (!done && r->out->kept == 0 && r->is_known)
        found(r, r->known);
    return done;
}

static double seconds_left(const run *r)
{
    double left = r->deadline - ll_clock();
    return left > 0 ? left : 0;
}

/* How many bits of each score may be dropped to begin with: those that leave about N bits beyond what tells all
 * labellings apart, and no more than the scores have (far from what labels make, the model's bits have no end). */
static long first_drop(const ll_linear *s)
{
    double spare = -ll_linear_spurious_bits(s) - (double)s->rows;
    double drop = floor(spare / (double)s->scores), most = labs((long)_fmpz_vec_max_bits(s->targets, s->scores));
    return drop > 0 ? (long)fmin(drop, most) : 0;
}

static int add_bits(run *r)
{
    r->lattice.dropped = first_drop(r->lattice.system);
    ll_lattice_start(&r->lattice);
    for (;;) {
        reduce(r);
        if (enumerate(r, TRY_NODES))
            return 1;
        if (r->lattice.dropped == 0 || seconds_left(r) == 0)
            return 0;
        ll_lattice_rescale(&r->lattice, r->lattice.dropped > STEP ? r->lattice.dropped - STEP : 0);
    }
}

/* Blocks grow when they no longer find anything. */
static int improve(run *r)
{
    long size = FIRST_BLOCK;
    double height;
    ll_lattice *l = &r->lattice;
    for (long pass = 1; pass <= r->passes && size <= LAST_BLOCK && seconds_left(r) > 0; pass++) {
        if (!ll_lattice_orthogonalise(r->mu, r->squares, r->offsets, &height, l->basis, NULL, l->unit))
            return 0;
        if (ll_lattice_improve(l->basis, r->mu, r->squares, size, BLOCK_NODES) == 0)
            size += 4;
        reduce(r);
        if (pass % 2 == 0 && enumerate(r, r->is_known ? 10 * TRY_NODES : TRY_NODES))
            return 1;
    }
    return 0;
}

static int search(run *r)
{
    if (r->lattice.count == 0) { /* every row has one label only */
        reset(r->out);
        (void)visit(r, NULL, 0);
        return 1;
    }
    if (add_bits(r) || improve(r))
        return 1;
    double left = r->passes > 0 ? seconds_left(r) : 0;
    return left > 0 && enumerate(r, (uint64_t)(NODES_A_SECOND * (left < 60 ? left : 60)));
}

/* ---- all of it ---- */

/* About how long it takes at least. */
static double predict_seconds(const ll_linear *s)
{
    double n = (double)(s->rows * (s->classes - 1));
    return 5e-10 * n * n * n * n;
}

ll_status ll_search_lattice(ll_search_set *out, int *proved, const ll_linear *s, long limit, long passes,
                            double seconds, ll_error *error)
{
    double predicted = predict_seconds(s);
    if (predicted > seconds)
        return ll_fail(
            error, LL_UNABLE,
            "a lattice of %ld rows would take at least about %.3g s, over the budget of %.3g s: use fewer rows",
            s->rows * (s->classes - 1), predicted, seconds);
    double now = ll_clock();
    run r = {.out = out, .limit = limit, .passes = passes, .start = now, .deadline = now + 0.85 * seconds};
    if (ll_lattice_init(&r.lattice, s) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for a lattice of %ld rows", s->rows);
    size_t n = (size_t)r.lattice.count;
    r.mu = malloc(sizeof *r.mu * (n * n + 1));
    r.squares = malloc(sizeof *r.squares * (n + 1));
    r.offsets = malloc(sizeof *r.offsets * (n + 1));
    r.known = malloc(sizeof *r.known * (size_t)s->rows);
    ll_status status = LL_OK;
    if (r.mu && r.squares && r.offsets && r.known)
        *proved = search(&r);
    else
        status = ll_fail(error, LL_MEMORY, "no memory for a lattice of %ld rows", s->rows);
    free(r.mu);
    free(r.squares);
    free(r.offsets);
    free(r.known);
    ll_lattice_clear(&r.lattice);
    return status;
}
