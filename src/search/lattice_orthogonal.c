/* Gram-Schmidt in balls, handed out as doubles: the Gram matrix is exact, its LDL^T decomposition is not. */
#include "search/lattice_private.h"

#include <arb_mat.h>
#include <stdlib.h>

typedef struct {
    long n;
    slong prec;
    fmpz_mat_t gram;
    arb_mat_t l; /* mu below the diagonal, squares on it */
} state;

static long widest(const fmpz_mat_t m)
{
    long bits = labs((long)fmpz_mat_max_bits(m));
    return bits;
}

static void gram_of(fmpz_mat_t out, const fmpz_mat_t rows)
{
    fmpz_mat_t transposed;
    fmpz_mat_init(transposed, fmpz_mat_ncols(rows), fmpz_mat_nrows(rows));
    fmpz_mat_transpose(transposed, rows);
    fmpz_mat_mul(out, rows, transposed);
    fmpz_mat_clear(transposed);
}

/* L D L^T = Gram, row by row: r_ij = gram_ij - sum over k < j of mu_jk r_ik; mu_ij = r_ij / r_jj. 0 where a square is
 * not surely positive. */
static int decompose(state *s)
{
    arb_ptr r = _arb_vec_init(s->n);
    int good = 1;
    for (long i = 0; i < s->n && good; i++) {
        for (long j = 0; j <= i; j++) {
            arb_set_fmpz(r + j, fmpz_mat_entry(s->gram, i, j));
            arb_dot(r + j, r + j, 1, j == i ? s->l->rows[i] : s->l->rows[j], 1, r, 1, j, s->prec);
            if (j < i)
                arb_div(arb_mat_entry(s->l, i, j), r + j, arb_mat_entry(s->l, j, j), s->prec);
        }
        arb_set(arb_mat_entry(s->l, i, i), r + i);
        good = arb_is_positive(r + i);
    }
    _arb_vec_clear(r, s->n);
    return good;
}

/* A lower bound of x * 2^-(2 shift) */
static double low_square(const arb_t x, long shift)
{
    arf_t low;
    arf_init(low);
    arb_get_lbound_arf(low, x, 64);
    arf_mul_2exp_si(low, low, -2 * shift);
    double value = arf_get_d(low, ARF_RND_DOWN);
    arf_clear(low);
    return value > 0 ? value : 0;
}

/* Doubles of mu; 0 where one is over 2 or not known to 2^-52. */
static int hand_out(const state *s, double *mu, double *squares, long shift)
{
    for (long i = 0; i < s->n; i++) {
        squares[i] = low_square(arb_mat_entry(s->l, i, i), shift);
        for (long j = 0; j < i; j++) {
            arb_srcptr x = arb_mat_entry(s->l, i, j);
            mu[i * s->n + j] = arf_get_d(arb_midref(x), ARF_RND_NEAR);
            if (!(mu[i * s->n + j] <= 2 && mu[i * s->n + j] >= -2) || mag_cmp_2exp_si(arb_radref(x), -54) > 0)
                return 0;
        }
    }
    return 1;
}

/* The coefficients of the target along the orthogonal rows, c; then, from the last row on, subtract the nearest
 * multiple of each row. */
static int reduce_target(const state *s, double *offsets, double *height, const fmpz_mat_t rows, fmpz *target,
                         long shift)
{
    long n = s->n, columns = fmpz_mat_ncols(rows);
    arb_ptr c = _arb_vec_init(n + 1);
    arb_t factor;
    fmpz_t dot, multiple;
    arb_init(factor);
    fmpz_init(dot);
    fmpz_init(multiple);
    fmpz_zero(dot);
    for (long k = 0; k < columns; k++)
        fmpz_addmul(dot, target + k, target + k);
    arb_set_fmpz(c + n, dot);
    for (long i = 0; i < n; i++) { /* <target, row i*> */
        fmpz_zero(dot);
        for (long k = 0; k < columns; k++)
            fmpz_addmul(dot, target + k, fmpz_mat_entry(rows, i, k));
        arb_set_fmpz(c + i, dot);
        arb_dot(c + i, c + i, 1, s->l->rows[i], 1, c, 1, i, s->prec);
    }
    for (long i = 0; i < n; i++) {
        arb_div(factor, c + i, arb_mat_entry(s->l, i, i), s->prec);
        arb_submul(c + n, factor, c + i, s->prec);
        arb_set(c + i, factor);
    }
    *height = low_square(c + n, shift);
    int good = 1;
    for (long i = n - 1; i >= 0 && good; i--) {
        arf_get_fmpz(multiple, arb_midref(c + i), ARF_RND_NEAR);
        arb_sub_fmpz(c + i, c + i, multiple, s->prec);
        fmpz_neg(multiple, multiple);
        for (long j = 0; j < i; j++)
            arb_addmul_fmpz(c + j, arb_mat_entry(s->l, i, j), multiple, s->prec);
        for (long k = 0; k < columns; k++)
            fmpz_addmul(target + k, fmpz_mat_entry(rows, i, k), multiple);
        offsets[i] = arf_get_d(arb_midref(c + i), ARF_RND_NEAR);
        good = mag_cmp_2exp_si(arb_radref(c + i), -54) <= 0;
    }
    _arb_vec_clear(c, n + 1);
    arb_clear(factor);
    fmpz_clear(dot);
    fmpz_clear(multiple);
    return good;
}

static long target_bits(const fmpz *target, long columns)
{
    long bits = 0;
    for (long k = 0; target != NULL && k < columns; k++) {
        long b = (long)fmpz_bits(target + k);
        bits = b > bits ? b : bits;
    }
    return bits;
}

int ll_lattice_orthogonalise(double *mu, double *squares, double *offsets, double *height, const fmpz_mat_t rows,
                             fmpz *target, long shift)
{
    state s = {.n = fmpz_mat_nrows(rows)};
    s.prec = 160 + 3 * s.n / 2 + 2 * widest(rows) + 2 * target_bits(target, fmpz_mat_ncols(rows)) - 4 * shift;
    s.prec = s.prec < 192 ? 192 : s.prec;
    fmpz_mat_init(s.gram, s.n, s.n);
    arb_mat_init(s.l, s.n, s.n);
    gram_of(s.gram, rows);
    int good = decompose(&s) && hand_out(&s, mu, squares, shift);
    if (good && target != NULL)
        good = reduce_target(&s, offsets, height, rows, target, shift);
    fmpz_mat_clear(s.gram);
    arb_mat_clear(s.l);
    return good;
}
