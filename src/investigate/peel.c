/* From an equation in integers of any size to a sum in 64-bit integers.
 *
 * Labels whose weights are larger than everything below them are decided here, in integers of any size. Then a unit is
 * looked for, of which all other weights are nearly multiples: if weight i is n_i u + e_i and the sum lies in an interval
 * of width w, then the sum of the n_i lies in an interval of width (w + sum of |e_i|) / u, which holds one integer if it
 * is below 1. How the unit was found does not matter for that. Without one, weights are rounded to a grid, and what that
 * can move is added to the interval. */
#include "investigate/score_sums.h"

#include "number/order.h"

#include <flint/fmpz_vec.h>
#include <math.h>
#include <stdlib.h>

typedef struct {
    long count;
    int32_t *variables;
    fmpz *weights;
    fmpz_t low, high, least, greatest; /* least, greatest: of the sum, with what is left */
} wide_sum;

static ll_status add_sum(ll_score_sums *out, long room, ll_known_sum **sum)
{
    ll_known_sum *grown = realloc(out->sums, sizeof *grown * (size_t)(out->count + 1));
    if (grown == NULL)
        return LL_MEMORY;
    out->sums = grown;
    *sum = &grown[out->count];
    ll_status status = ll_known_sum_init(*sum, room);
    out->count += status == LL_OK;
    return status;
}

static ll_status add_fact(ll_score_sums *out, int32_t variable, int value)
{
    ll_known_sum *sum;
    if (add_sum(out, 1, &sum) != LL_OK)
        return LL_MEMORY;
    sum->count = 1;
    sum->variables[0] = variable;
    sum->weights[0] = 1;
    sum->low = sum->high = value;
    return LL_OK;
}

/* ---- the equation ---- */

static ll_status wide_init(wide_sum *w, long variables)
{
    *w =
        (wide_sum){.variables = malloc(sizeof *w->variables * (size_t)variables), .weights = _fmpz_vec_init(variables)};
    fmpz_init(w->low);
    fmpz_init(w->high);
    fmpz_init(w->least);
    fmpz_init(w->greatest);
    return w->variables != NULL ? LL_OK : LL_MEMORY;
}

static void wide_clear(wide_sum *w, long variables)
{
    free(w->variables);
    _fmpz_vec_clear(w->weights, variables);
    fmpz_clear(w->low);
    fmpz_clear(w->high);
    fmpz_clear(w->least);
    fmpz_clear(w->greatest);
}

/* sum over rows of weight(0) + sum of (weight(k) - weight(0)) * variable = target +- tolerance */
static void wide_set(wide_sum *w, const ll_linear *system, long score)
{
    fmpz_sub(w->low, system->targets + score, system->tolerances + score);
    fmpz_add(w->high, system->targets + score, system->tolerances + score);
    for (long i = 0; i < system->rows; i++) {
        const fmpz *base = ll_linear_weight(system, score, i, 0);
        fmpz_sub(w->low, w->low, base);
        fmpz_sub(w->high, w->high, base);
        for (long k = 1; k < system->classes; k++) {
            fmpz *weight = w->weights + w->count;
            fmpz_sub(weight, ll_linear_weight(system, score, i, k), base);
            if (fmpz_is_zero(weight))
                continue;
            fmpz *end = fmpz_sgn(weight) < 0 ? w->least : w->greatest;
            fmpz_add(end, end, weight);
            w->variables[w->count++] = (int32_t)(i * (system->classes - 1) + k - 1);
        }
    }
}

/* Labels that a row cannot have. */
static ll_status add_excluded(ll_score_sums *out, const ll_linear *system)
{
    for (long i = 0; i < system->rows; i++)
        for (long k = 0; k < system->classes; k++) {
            if (system->allowed[i * system->classes + k] || (k == 0 && system->classes > 2))
                continue;
            long variable = i * (system->classes - 1) + (k > 0 ? k - 1 : 0);
            if (add_fact(out, (int32_t)variable, k == 0) != LL_OK)
                return LL_MEMORY;
        }
    return LL_OK;
}

/* ---- labels that are larger than all below ---- */

static long find_largest(const wide_sum *w)
{
    long best = 0;
    for (long j = 1; j < w->count; j++)
        if (fmpz_cmpabs(w->weights + j, w->weights + best) > 0)
            best = j;
    return best;
}

/* The value of a variable, or -1: 1 where the sum without it stays on one side of the interval. */
static int force(const wide_sum *w, long j)
{
    fmpz_t end;
    fmpz_init(end);
    int negative = fmpz_sgn(w->weights + j) < 0, value = -1;
    fmpz_add(end, negative ? w->greatest : w->least, w->weights + j); /* the nearer end, with it */
    if (negative ? fmpz_cmp(end, w->low) < 0 : fmpz_cmp(end, w->high) > 0)
        value = 0;
    fmpz_sub(end, negative ? w->least : w->greatest, w->weights + j); /* the farther end, without it */
    if (negative ? fmpz_cmp(end, w->high) > 0 : fmpz_cmp(end, w->low) < 0)
        value = 1;
    fmpz_clear(end);
    return value;
}

static void drop(wide_sum *w, long j, int value)
{
    fmpz *end = fmpz_sgn(w->weights + j) < 0 ? w->least : w->greatest;
    fmpz_sub(end, end, w->weights + j);
    if (value) {
        fmpz_sub(w->low, w->low, w->weights + j);
        fmpz_sub(w->high, w->high, w->weights + j);
    }
    w->count--;
    fmpz_swap(w->weights + j, w->weights + w->count);
    w->variables[j] = w->variables[w->count];
}

static ll_status peel(ll_score_sums *out, wide_sum *w)
{
    while (w->count > 0) {
        long j = find_largest(w);
        int value = force(w, j);
        if (value < 0)
            return LL_OK;
        if (add_fact(out, w->variables[j], value) != LL_OK)
            return LL_MEMORY;
        drop(w, j, value);
    }
    return LL_OK;
}

/* ---- a unit ---- */

typedef struct {
    double *weights; /* as doubles, scaled */
    double *sizes;   /* loud ones, in order */
    long count, loud;
    double width, low;
} real_sum;

/* Doubles lose 2^-52 of each: the width has room for it. */
static ll_status real_init(real_sum *r, const wide_sum *w)
{
    double total = 0;
    *r = (real_sum){.weights = malloc(sizeof(double) * (size_t)w->count + 1),
                    .sizes = malloc(sizeof(double) * (size_t)w->count + 1),
                    .count = w->count};
    if (r->weights == NULL || r->sizes == NULL)
        return LL_MEMORY;
    for (long j = 0; j < w->count; j++) {
        r->weights[j] = fmpz_get_d(w->weights + j);
        total += fabs(r->weights[j]);
    }
    r->low = fmpz_get_d(w->low);
    r->width = fmpz_get_d(w->high) - r->low + (total + fabs(r->low)) * 0x1p-48;
    for (long j = 0; j < w->count; j++)
        if (fabs(r->weights[j]) > r->width)
            r->sizes[r->loud++] = fabs(r->weights[j]);
    qsort(r->sizes, (size_t)r->loud, sizeof *r->sizes, ll_compare_doubles);
    return LL_OK;
}

/* The unit of the sizes, the better known the larger the multiples are. */
static double refine(const real_sum *r, double unit)
{
    double products = 0, squares = 0;
    for (long j = 0; j < r->loud; j++) {
        double multiple = rint(r->sizes[j] / unit);
        products += r->sizes[j] * multiple;
        squares += multiple * multiple;
        if (squares > 0)
            unit = products / squares;
    }
    return unit;
}

/* How far all weights together may be from multiples, and the interval is wide; below the unit it is one. */
static double misfit(const real_sum *r, double unit)
{
    double off = r->width;
    for (long j = 0; j < r->count; j++)
        off += fabs(r->weights[j] - unit * rint(r->weights[j] / unit));
    return off;
}

static int try_unit(const real_sum *r, double *unit, double candidate)
{
    for (int part = 1; part <= 4; part++) {
        double refined = refine(r, candidate / part);
        if (refined > r->width && r->sizes[r->loud - 1] / refined < 0x1p30 && misfit(r, refined) < refined) {
            *unit = refined;
            return 1;
        }
    }
    return 0;
}

/* The least size and the least steps between sizes are tried. */
static int find_unit(const real_sum *r, double *unit)
{
    enum { TRIED = 12 };
    if (r->loud == 0)
        return 0;
    if (try_unit(r, unit, r->sizes[0]))
        return 1;
    double least = r->width / 1.01;
    for (int i = 0; i < TRIED; i++) {
        double next = INFINITY;
        for (long j = 1; j < r->loud; j++) {
            double step = r->sizes[j] - r->sizes[j - 1];
            next = step > least * 1.01 && step < next ? step : next;
        }
        if (!isfinite(next))
            return 0;
        if (try_unit(r, unit, next))
            return 1;
        least = next;
    }
    return 0;
}

/* ---- the sum ---- */

static void add_term(ll_known_sum *sum, int32_t variable, double weight)
{
    if (weight == 0)
        return;
    sum->variables[sum->count] = variable;
    sum->weights[sum->count++] = (int64_t)weight;
}

/* At least the size of everything that is added. */
static double largest_weight(const real_sum *r)
{
    double most = fabs(r->low) + r->width;
    for (long j = 0; j < r->count; j++)
        most += fabs(r->weights[j]);
    return most;
}

/* Round weights to multiples of the unit; what that moves widens the interval. */
static void set_sum(ll_known_sum *sum, const wide_sum *w, const real_sum *r, double unit)
{
    double low = r->low, high = r->low + r->width;
    double spare = largest_weight(r) * (double)(r->count + 16) * 0x1p-52; /* of all that is rounded here */
    for (long j = 0; j < r->count; j++) {
        double multiple = rint(r->weights[j] / unit), error = r->weights[j] - unit * multiple;
        low -= fmax(0, error);
        high -= fmin(0, error);
        add_term(sum, w->variables[j], multiple);
    }
    sum->low = (int64_t)ceil((low - spare) / unit);
    sum->high = (int64_t)floor((high + spare) / unit);
}

static ll_status convert(ll_score_sums *out, const wide_sum *w)
{
    real_sum r;
    ll_known_sum *sum;
    double unit = 0;
    ll_status status = real_init(&r, w);
    if (status == LL_OK && isfinite(largest_weight(&r))) {
        if (!find_unit(&r, &unit))
            unit = fmax(1, largest_weight(&r) * 0x1p-38);
        status = add_sum(out, w->count, &sum);
        if (status == LL_OK)
            set_sum(sum, w, &r, unit);
    }
    free(r.weights);
    free(r.sizes);
    return status;
}

ll_status ll_score_sums_add_equation(ll_score_sums *out, const ll_linear *system, long score)
{
    wide_sum w;
    long variables = system->rows * (system->classes - 1);
    ll_status status = wide_init(&w, variables);
    if (status == LL_OK)
        status = add_excluded(out, system);
    if (status == LL_OK) {
        wide_set(&w, system, score);
        status = peel(out, &w);
    }
    if (status == LL_OK && w.count > 0)
        status = convert(out, &w);
    wide_clear(&w, variables);
    return status;
}
