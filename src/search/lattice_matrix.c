/* The lattice of differences, and what a vector near the target says.
 *
 * A variable is the number of rows of a group that have a label other than the group's first one: x in 0..m; for single
 * rows and two labels just the label. In units of 2^-unit the rows of the matrix and the target are
 *
 *     variable v   2 at place v | d_1v .. d_Qv       d_qv: what one more of it adds to sum q, scaled
 *     target       m_v ...      | T_1  .. T_Q        T_q: target less what the first labels add, scaled
 *
 * so that target - sum of x_v (row v) = (m_v - 2x_v ... | residuals). A group of n > 2 labels has a place for each
 * label, the base's too: a variable has L at its own place and -L at the base's, L about sqrt(2) and a multiple of n,
 * and the target is in the middle of all labels: (L (m/n - x_k) ...), of length at most L m sqrt(1 - 1/n). Score q is
 * scaled by a power of two with which its tolerance is between 1/2 and 1. A labelling that fits is then within a known
 * distance of the target: enumerating all lattice vectors that near finds every one, or proves that there is none. */
#include "search/lattice_private.h"

#include <flint/nmod_mat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the matrix ---- */

static long group_size(const ll_lattice *p, long group)
{
    return p->groups.first[group + 1] - p->groups.first[group];
}

static long first_row(const ll_lattice *p, long group)
{
    return p->groups.order[p->groups.first[group]];
}

static long base_label(const ll_lattice *p, long group)
{
    const unsigned char *allowed = p->system->allowed + first_row(p, group) * p->system->classes;
    long base = 0;
    while (!allowed[base])
        base++;
    return base;
}

static void list_variables(ll_lattice *p)
{
    const ll_linear *s = p->system;
    long others = 0;
    for (long g = 0; g < p->groups.count; g++) {
        const unsigned char *allowed = s->allowed + first_row(p, g) * s->classes;
        long base = base_label(p, g), labels = 0;
        for (long k = 0; k < s->classes; k++)
            labels += allowed[k];
        for (long k = base + 1; k < s->classes; k++)
            if (allowed[k])
                p->variables[p->count++] =
                    (ll_variable){g, k, base, group_size(p, g), labels, labels > 2 ? others : -1};
        others += labels > 2;
    }
    for (long v = 0; v < p->count; v++)
        if (p->variables[v].other >= 0)
            p->variables[v].other += p->count;
    p->columns = p->count + others + s->scores;
}

/* What one more of a variable adds at its place: 2 for two labels, else L. */
static void step_of(fmpz_t out, const ll_variable *x, long unit)
{
    fmpz_one(out);
    if (x->labels == 2) {
        fmpz_mul_2exp(out, out, (ulong)unit + 1);
        return;
    }
    fmpz_mul_2exp(out, out, (ulong)unit);
    fmpz_mul_ui(out, out, 92682); /* sqrt(2) * 2^16 */
    fmpz_fdiv_q_2exp(out, out, 16);
    fmpz_fdiv_q_ui(out, out, (ulong)x->labels);
    fmpz_mul_ui(out, out, (ulong)x->labels);
}

/* Score q times 2^-tolerance bits, in units of 2^-unit, is a shift to the left by this. */
static long score_shift(const ll_lattice *p, long q, long unit)
{
    return unit - (long)fmpz_bits(p->system->tolerances + q) - p->dropped;
}

/* x * 2^shift, to nearest where shift < 0 */
static void scale(fmpz_t out, const fmpz_t x, long shift)
{
    if (shift >= 0) {
        fmpz_mul_2exp(out, x, (ulong)shift);
        return;
    }
    fmpz_t half;
    fmpz_init(half);
    fmpz_one(half);
    fmpz_mul_2exp(half, half, (ulong)(-shift - 1));
    fmpz_add(out, x, half);
    fmpz_fdiv_q_2exp(out, out, (ulong)-shift);
    fmpz_clear(half);
}

static long first_score(const ll_lattice *p)
{
    return p->columns - p->system->scores;
}

static void difference(fmpz_t out, const ll_lattice *p, long v, long q)
{
    const ll_variable *x = p->variables + v;
    long row = first_row(p, x->group);
    fmpz_sub(out, ll_linear_weight(p->system, q, row, x->label), ll_linear_weight(p->system, q, row, x->base));
}

static void fill_basis(const ll_lattice *p, fmpz_mat_t basis, long unit)
{
    fmpz_t weight;
    fmpz_init(weight);
    fmpz_mat_zero(basis);
    for (long v = 0; v < p->count; v++) {
        const ll_variable *x = p->variables + v;
        step_of(fmpz_mat_entry(basis, v, v), x, unit);
        if (x->other >= 0)
            fmpz_neg(fmpz_mat_entry(basis, v, x->other), fmpz_mat_entry(basis, v, v));
        for (long q = 0; q < p->system->scores; q++) {
            difference(weight, p, v, q);
            scale(fmpz_mat_entry(basis, v, first_score(p) + q), weight, score_shift(p, q, unit));
        }
    }
    fmpz_clear(weight);
}

static void fill_target(ll_lattice *p)
{
    const ll_linear *s = p->system;
    fmpz_t sum;
    fmpz_init(sum);
    for (long v = 0; v < p->count; v++) { /* step * m / labels: the middle */
        const ll_variable *x = p->variables + v;
        step_of(p->target + v, x, p->exact_unit);
        fmpz_mul_si(sum, p->target + v, x->size);
        fmpz_divexact_ui(p->target + v, sum, (ulong)x->labels);
        if (x->other >= 0)
            fmpz_sub(p->target + x->other, p->target + v, sum);
    }
    for (long q = 0; q < s->scores; q++) {
        fmpz_set(sum, s->targets + q);
        for (long g = 0; g < p->groups.count; g++)
            fmpz_submul_ui(sum, ll_linear_weight(s, q, first_row(p, g), base_label(p, g)), (ulong)group_size(p, g));
        scale(p->target + first_score(p) + q, sum, score_shift(p, q, p->exact_unit));
    }
    fmpz_clear(sum);
}

/* Is the determinant 1 or -1, so that the combinations are a basis of the whole lattice? It is, if every step of the
 * reduction was what it should be; the proof rests on it, so it is looked at again, modulo a prime. */
static int is_unimodular(const fmpz_mat_t combination)
{
    nmod_mat_t residues;
    const mp_limb_t prime = 0x1fffffffffffffffUL; /* 2^61 - 1 */
    nmod_mat_init(residues, fmpz_mat_nrows(combination), fmpz_mat_ncols(combination), prime);
    fmpz_mat_get_nmod_mat(residues, combination);
    mp_limb_t determinant = nmod_mat_det(residues);
    nmod_mat_clear(residues);
    return determinant == 1 || determinant == prime - 1;
}

/* out = the vectors of the basis made again with this unit and the present `dropped`: the first columns say which
 * combination of variables each row is. 0 where they are no basis. */
static int combine(const ll_lattice *p, fmpz_mat_t out, long unit)
{
    long n = p->count;
    fmpz_t step;
    fmpz_mat_t combination, variables;
    fmpz_init(step);
    fmpz_mat_init(combination, n, n);
    fmpz_mat_init(variables, n, p->columns);
    for (long v = 0; v < n; v++) {
        step_of(step, p->variables + v, p->unit);
        for (long i = 0; i < n; i++)
            fmpz_divexact(fmpz_mat_entry(combination, i, v), fmpz_mat_entry(p->basis, i, v), step);
    }
    fmpz_clear(step);
    fill_basis(p, variables, unit);
    fmpz_mat_mul(out, combination, variables);
    int good = is_unimodular(combination);
    fmpz_mat_clear(combination);
    fmpz_mat_clear(variables);
    return good;
}

void ll_lattice_start(ll_lattice *p)
{
    fill_basis(p, p->basis, p->unit);
}

void ll_lattice_rescale(ll_lattice *p, long dropped)
{
    fmpz_mat_t scaled;
    fmpz_mat_init(scaled, p->count, p->columns);
    p->dropped = dropped;
    (void)combine(p, scaled, p->unit);
    fmpz_mat_swap(scaled, p->basis);
    fmpz_mat_clear(scaled);
}

/* With so many binary places no score is rounded. */
static long find_exact_unit(const ll_lattice *p)
{
    long most = 0;
    for (long q = 0; q < p->system->scores; q++) {
        long bits = (long)fmpz_bits(p->system->tolerances + q);
        most = bits > most ? bits : most;
    }
    return most + p->dropped + p->unit;
}

int ll_lattice_set_exact(ll_lattice *p)
{
    p->exact_unit = find_exact_unit(p);
    fill_target(p);
    return combine(p, p->exact, p->exact_unit);
}

/* ---- what a near vector says ---- */

/* step * (m / labels - x) at its place: x, or -1 where that is no number in 0..m. */
static long read_count(const ll_lattice *p, long v, fmpz_t entry)
{
    const ll_variable *x = p->variables + v;
    fmpz_t step;
    fmpz_init(step);
    step_of(step, x, p->exact_unit);
    fmpz_mul_ui(entry, entry, (ulong)x->labels);
    fmpz_submul_ui(entry, step, (ulong)x->size);
    fmpz_neg(entry, entry);
    fmpz_divexact_ui(entry, entry, (ulong)x->labels);
    fmpz_divexact(entry, entry, step);
    long count = fmpz_sgn(entry) >= 0 && fmpz_cmp_si(entry, x->size) <= 0 ? fmpz_get_si(entry) : -1;
    fmpz_clear(step);
    return count;
}

int ll_lattice_read(ll_lattice *p, const long *w)
{
    long v = 0, classes = p->system->classes;
    fmpz_t entry;
    fmpz_init(entry);
    int good = 1;
    for (long g = 0; g < p->groups.count && good; g++) {
        const long *row = p->groups.order + p->groups.first[g];
        long left = group_size(p, g);
        memset(p->counts, 0, sizeof *p->counts * (size_t)classes);
        for (; v < p->count && p->variables[v].group == g && good; v++) {
            fmpz_set(entry, p->target + v);
            for (long i = 0; i < p->count; i++)
                if (w[i] != 0)
                    fmpz_submul_si(entry, fmpz_mat_entry(p->exact, i, v), w[i]);
            long x = read_count(p, v, entry);
            good = x >= 0 && x <= left;
            p->counts[p->variables[v].label] = x;
            left -= x;
        }
        p->counts[base_label(p, g)] = left;
        good = good && left >= 0;
        for (long k = 0; k < classes && good; k++)
            for (long c = p->counts[k]; c > 0; c--)
                p->labels[*row++] = (int32_t)k;
    }
    fmpz_clear(entry);
    return good;
}

/* A group of two labels has |m - 2x| <= m; one of n a length of at most L m sqrt(1 - 1/n); a residual is within its
 * tolerance. */
double ll_lattice_radius(const ll_lattice *p)
{
    double sum = 0;
    fmpz_t step;
    fmpz_init(step);
    for (long v = 0; v < p->count; v++) {
        const ll_variable *x = p->variables + v;
        if (v > 0 && p->variables[v - 1].group == x->group)
            continue;
        long exponent;
        step_of(step, x, p->exact_unit);
        double length = fmpz_get_d_2exp(&exponent, step);
        length = ldexp(length, (int)(exponent - p->exact_unit)) * (double)x->size;
        sum += length * length * (x->labels == 2 ? 0.25 : 1 - 1 / (double)x->labels);
    }
    fmpz_clear(step);
    for (long q = 0; q < p->system->scores; q++) {
        long exponent;
        double mantissa = fmpz_get_d_2exp(&exponent, p->system->tolerances + q);
        mantissa = ldexp(mantissa, (int)(exponent - (long)fmpz_bits(p->system->tolerances + q) - p->dropped));
        sum += mantissa * mantissa;
    }
    return sum * (1 + 1e-9);
}

ll_status ll_lattice_init(ll_lattice *p, const ll_linear *s)
{
    *p = (ll_lattice){.system = s};
    if (ll_groups_init(&p->groups, s) != LL_OK)
        return LL_MEMORY;
    p->variables = calloc((size_t)s->rows * (size_t)s->classes, sizeof *p->variables);
    p->labels = malloc(sizeof *p->labels * (size_t)s->rows);
    p->counts = malloc(sizeof *p->counts * (size_t)s->classes);
    if (p->variables != NULL)
        list_variables(p);
    p->target = calloc((size_t)p->columns + 1, sizeof *p->target);
    for (p->unit = 4; s->classes > 2 && 1L << (p->unit - 4) < s->classes;)
        p->unit++;
    if (!p->variables || !p->labels || !p->counts || !p->target) {
        ll_lattice_clear(p);
        return LL_MEMORY;
    }
    fmpz_mat_init(p->basis, p->count, p->columns);
    fmpz_mat_init(p->exact, p->count, p->columns);
    return LL_OK;
}

void ll_lattice_clear(ll_lattice *p)
{
    for (long i = 0; p->target != NULL && i < p->columns; i++)
        fmpz_clear(p->target + i);
    if (p->target != NULL && p->counts != NULL && p->labels != NULL && p->variables != NULL) {
        fmpz_mat_clear(p->basis);
        fmpz_mat_clear(p->exact);
    }
    ll_groups_clear(&p->groups);
    free(p->variables);
    free(p->labels);
    free(p->counts);
    free(p->target);
}
