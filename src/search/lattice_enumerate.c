/* Enumeration of lattice vectors, nearest first (Schnorr and Euchner), with a bound that rounding cannot break: every
 * summand is taken too small, never too large. */
#include "search/lattice_private.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    double *partial; /* partial[k * (n+1) + j] = offset_k - sum over l >= j of w_l mu_lk */
    double *rest;    /* norm of the levels above */
    double *centre;
    long *w, *step; /* step: to the next nearest integer */
    long *stale;    /* highest level whose w changed since partial of this level was made */
} state;

double ll_enumerate_slack(long n)
{
    /* n products and sums of numbers up to 2 * LARGEST and their partial sums up to n times that: each is off by at
     * most 2^-52 of 2 n LARGEST, and so are mu and offset themselves. */
    return 0x1p-52 * (double)(2 * n + 4) * (2.0 * (double)n * LL_ENUMERATE_LARGEST + 1);
}

static int state_init(state *s, long n)
{
    size_t m = (size_t)n + 2;
    s->partial = calloc(m * m, sizeof(double));
    s->rest = calloc(2 * m, sizeof(double));
    s->w = calloc(3 * m, sizeof(long));
    if (!s->partial || !s->rest || !s->w)
        return 0;
    s->centre = s->rest + m;
    s->step = s->w + m;
    s->stale = s->step + m;
    return 1;
}

static void state_clear(state *s)
{
    free(s->partial);
    free(s->rest);
    free(s->w);
}

/* The least that level k adds with its present w. */
static double level_norm(const ll_enumeration *e, const state *s, long k)
{
    double x = fabs(s->centre[k] - (double)s->w[k]) - e->slack;
    return x > 0 ? x * x * e->squares[k] * (1 - 0x1p-50) : 0;
}

/* Begin level k at the integer nearest to its centre. */
static void enter(const ll_enumeration *e, state *s, long k)
{
    long n = e->n;
    double *partial = s->partial + k * (n + 1);
    for (long j = s->stale[k]; j > k; j--)
        partial[j] = partial[j + 1] - (double)s->w[j] * e->mu[j * n + k];
    if (k > 0 && s->stale[k - 1] < s->stale[k])
        s->stale[k - 1] = s->stale[k];
    s->stale[k] = k;
    s->centre[k] = partial[k + 1];
    s->w[k] = lround(s->centre[k]);
    s->step[k] = s->centre[k] >= (double)s->w[k] ? 1 : -1;
}

/* The next nearest integer: w, w+1, w-1, w+2, ... or the mirror of it. */
static void advance(state *s, long k)
{
    s->w[k] += s->step[k];
    s->step[k] = -s->step[k] + (s->step[k] > 0 ? -1 : 1);
}

static void start(const ll_enumeration *e, state *s)
{
    long n = e->n;
    for (long k = 0; k < n; k++) {
        s->partial[k * (n + 1) + n] = e->offsets != NULL ? e->offsets[k] : 0;
        s->stale[k] = n - 1;
    }
    s->rest[n] = 0;
    enter(e, s, n - 1);
}

/* Depth first: down where the norm so far is within the bound, else up and on to the next integer there. */
static int run(ll_enumeration *e, state *s)
{
    long n = e->n, k = n - 1;
    start(e, s);
    for (;;) {
        double norm = s->rest[k + 1] + level_norm(e, s, k);
        if (labs(s->w[k]) > LL_ENUMERATE_LARGEST || e->nodes == 0)
            return 0;
        e->nodes--;
        if (norm <= e->bound && k > 0) {
            s->rest[k] = norm;
            if (s->stale[k - 1] < k)
                s->stale[k - 1] = k;
            k--;
            enter(e, s, k);
            continue;
        }
        if (norm <= e->bound && !e->visit(e->self, s->w, norm))
            return 0;
        if (norm > e->bound && ++k == n)
            return 1;
        advance(s, k);
    }
}

int ll_enumerate(ll_enumeration *e)
{
    state s = {0};
    int result = state_init(&s, e->n) ? run(e, &s) : -1;
    state_clear(&s);
    return result;
}
