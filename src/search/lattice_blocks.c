/* Block reduction (Schnorr and Euchner 1994), in passes: where LLL's vectors are not short enough, look for a shorter
 * one in the projection of some consecutive rows; LLL then takes it in. */
#include "search/lattice_private.h"

#include <flint/fmpz_vec.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_enumeration enumeration;
    long *best;
    int found;
} search;

static int visit(void *self, const long *w, double norm)
{
    search *s = self;
    int zero = 1;
    for (long i = 0; i < s->enumeration.n; i++)
        zero &= w[i] == 0;
    if (zero)
        return 1;
    memcpy(s->best, w, sizeof *w * (size_t)s->enumeration.n);
    s->enumeration.bound = norm * 0.999;
    s->found = 1;
    return 1;
}

/* A vector of the block shorter than its first row, as a combination of the block's rows. */
static int shorten(search *s, double *mu, const double *all, const double *squares, long n, long first, long size)
{
    for (long j = 0; j < size; j++)
        for (long i = 0; i < j; i++)
            mu[j * size + i] = all[(first + j) * n + first + i];
    s->enumeration.n = size;
    s->enumeration.mu = mu;
    s->enumeration.squares = squares + first;
    s->enumeration.bound = 0.98 * squares[first];
    s->enumeration.slack = ll_enumerate_slack(size);
    s->found = 0;
    (void)ll_enumerate(&s->enumeration);
    return s->found;
}

/* The combination takes the place of its last row, whose coefficient must be 1 or -1, and moves in front of the block.
 * The rows from the block's first to that one change places only: what they span is the same. Returns the last row's
 * place, or -1. */
static long insert(fmpz_mat_t basis, const long *w, long first, long size)
{
    long last = size - 1, columns = fmpz_mat_ncols(basis);
    while (last >= 0 && w[last] == 0)
        last--;
    if (last < 1 || labs(w[last]) != 1)
        return -1;
    fmpz *moved = basis->rows[first + last];
    if (w[last] < 0)
        _fmpz_vec_neg(moved, moved, columns);
    for (long i = 0; i < last; i++)
        if (w[i] != 0)
            _fmpz_vec_scalar_addmul_si(moved, basis->rows[first + i], columns, w[i]);
    memmove(basis->rows + first + 1, basis->rows + first, sizeof *basis->rows * (size_t)last);
    basis->rows[first] = moved;
    return first + last;
}

long ll_lattice_improve(fmpz_mat_t basis, const double *mu, const double *squares, long size, uint64_t nodes)
{
    long n = fmpz_mat_nrows(basis), found = 0;
    search s = {.best = malloc(sizeof(long) * (size_t)size)};
    double *block = malloc(sizeof *block * (size_t)size * (size_t)size);
    for (long first = 0; s.best && block && first + 2 <= n;) {
        long length = n - first < size ? n - first : size, last = -1;
        s.enumeration = (ll_enumeration){.nodes = nodes, .self = &s, .visit = visit};
        if (shorten(&s, block, mu, squares, n, first, length))
            last = insert(basis, s.best, first, length);
        found += last >= 0;
        first = last >= 0 ? last + 1 : first + 1;
    }
    free(s.best);
    free(block);
    return found;
}
