/* From intervals to equations in integers (docs/proofs/meet.md, "From a score to an equation").
 *
 * A tolerance must hold for every labelling that explains the score, not only for a given one. Terms of a loss are not
 * negative, and then the score itself says how large they are together: M = sum / (1 - slope) bounds the sum of the
 * terms, however large the terms of the other labels are. An honest model's terms are small for true labels and large
 * for wrong ones, so that this is worth several bits. */
#include "infer/evidence.h"
#include "number/ball_bits.h"

#include <math.h>
#include <stdlib.h>

enum { PREC = 320, SPARE_BITS = 16, MOST_BITS = 4000 };

/* Over the labels that are allowed: is every term's lower end at least 0? */
static int is_nonnegative(const ll_evidence *e, const ll_observation *o)
{
    for (long i = 0; i < e->rows * e->classes; i++)
        if (o->allowed[i] && !arb_is_nonnegative(o->terms + i))
            return 0;
    return 1;
}

/* At least the sum of |terms| of every labelling. */
static void largest_magnitude(const ll_evidence *e, const ll_observation *o, mag_t out)
{
    mag_t most, size;
    mag_init(most);
    mag_init(size);
    mag_zero(out);
    for (long i = 0; i < e->rows; i++) {
        mag_zero(most);
        for (long k = 0; k < e->classes; k++) {
            arb_get_mag(size, o->terms + i * e->classes + k);
            if (o->allowed[i * e->classes + k])
                mag_max(most, most, size);
        }
        mag_add(out, out, most);
    }
    mag_clear(most);
    mag_clear(size);
}

/* At least the sum of |terms| of every labelling that explains the score: terms that are not negative have
 * sum >= (1 - slope) * sum of terms. */
static void find_magnitude(const ll_evidence *e, const ll_observation *o, mag_t out)
{
    largest_magnitude(e, o, out);
    if (!is_nonnegative(e, o) || mag_cmp_2exp_si(o->slope, -1) > 0)
        return;
    arb_t bound, slope;
    mag_t most;
    arb_init(bound);
    arb_init(slope);
    mag_init(most);
    arf_set_mag(arb_midref(slope), o->slope);
    arb_sub_ui(slope, slope, 1, 64);
    arb_neg(slope, slope);
    arb_div(bound, o->sum, slope, 64);
    arb_get_mag(most, bound);
    mag_min(out, out, most);
    arb_clear(bound);
    arb_clear(slope);
    mag_clear(most);
}

typedef struct {
    double radius, low;
} cell;

/* For any ratio >= 0: sum of radii <= sum over rows of max over labels of (radius - ratio * lower end) + ratio * M. */
static double radii_bound(const cell *cells, long rows, long classes, double ratio, double magnitude)
{
    double sum = 0;
    for (long i = 0; i < rows; i++) {
        double most = 0;
        for (long k = 0; k < classes; k++) {
            double more = cells[i * classes + k].radius - ratio * cells[i * classes + k].low;
            most = more > most ? more : most;
        }
        sum += most;
    }
    return sum + ratio * magnitude;
}

/* At least the sum of the terms' radii of every labelling that explains the score; as good as a search over ratios
 * makes it. Doubles rounded outward; 1e-9 covers the sums here. */
static double find_radii(const ll_evidence *e, const ll_observation *o, cell *cells, const mag_t magnitude)
{
    arf_t low;
    arf_init(low);
    for (long i = 0; i < e->rows * e->classes; i++) {
        arb_get_lbound_arf(low, o->terms + i, 64);
        cells[i] = (cell){0, 0};
        if (!o->allowed[i])
            continue;
        cells[i].radius = mag_get_d(arb_radref(o->terms + i)) * (1 + 0x1p-20) + 0x1p-1074;
        cells[i].low = arf_sgn(low) > 0 ? arf_get_d(low, ARF_RND_DOWN) * (1 - 0x1p-40) : 0;
    }
    arf_clear(low);
    double most = mag_get_d(magnitude) * (1 + 0x1p-20);
    double least = radii_bound(cells, e->rows, e->classes, 0, most);
    for (int j = 0; j < 60 * 4 && is_nonnegative(e, o); j++)
        least = fmin(least, radii_bound(cells, e->rows, e->classes, exp2(-3 - 0.25 * j), most));
    return least * (1 + 1e-9);
}

/* |sum of middles of terms - middle of the sum| is at most this for every labelling that explains the score. */
static void find_tolerance(const ll_evidence *e, const ll_observation *o, arb_t out, cell *cells)
{
    mag_t magnitude, part;
    mag_init(magnitude);
    mag_init(part);
    find_magnitude(e, o, magnitude);
    arb_get_rad_arb(out, o->sum);
    mag_mul(part, magnitude, o->slope);
    arb_add_error_mag(out, part);
    mag_set_d(part, find_radii(e, o, cells, magnitude));
    arb_add_error_mag(out, part);
    arb_get_mag(part, out);
    arf_set_mag(arb_midref(out), part);
    mag_zero(arb_radref(out));
    if (arb_is_zero(out)) { /* a grid needs a size */
        arb_one(out);
        arb_mul_2exp_si(out, out, -1000);
    }
    mag_clear(magnitude);
    mag_clear(part);
}

/* x / 2^grid to nearest; 0 where it is too long. */
static int to_grid(fmpz_t out, const arf_t x, long grid)
{
    arf_t scaled;
    if (!arf_is_finite(x) || (!arf_is_zero(x) && arf_cmpabs_2exp_si(x, grid + MOST_BITS) > 0))
        return 0;
    arf_init(scaled);
    arf_mul_2exp_si(scaled, x, -grid);
    arf_get_fmpz(out, scaled, ARF_RND_NEAR);
    arf_clear(scaled);
    return 1;
}

static ll_status set_score(const ll_evidence *e, ll_linear *s, long q, cell *cells, ll_error *error)
{
    const ll_observation *o = e->observations + q;
    arb_t tolerance;
    arb_init(tolerance);
    find_tolerance(e, o, tolerance, cells);
    long rows_bits = 64 - __builtin_clzl((unsigned long)e->rows);
    long grid = (long)ll_ball_bits(tolerance) - 1 - SPARE_BITS - rows_bits;
    int fits = arb_is_finite(tolerance) && to_grid(s->targets + q, arb_midref(o->sum), grid);
    for (long i = 0; i < e->rows * e->classes && fits; i++) {
        s->allowed[i] &= o->allowed[i];
        if (o->allowed[i])
            fits = to_grid(s->weights + q * e->rows * e->classes + i, arb_midref(o->terms + i), grid);
    }
    if (fits) {
        arb_mul_2exp_si(tolerance, tolerance, -grid);
        arf_get_fmpz(s->tolerances + q, arb_midref(tolerance), ARF_RND_CEIL);
    }
    fmpz_add_ui(s->tolerances + q, s->tolerances + q, (ulong)e->rows / 2 + 2); /* each rounding is at most 1/2 */
    arb_clear(tolerance);
    if (!fits)
        return ll_fail(error, LL_UNABLE, "score %ld: some loss is over 2^%d times what the score can tell", q + 1,
                       MOST_BITS);
    return LL_OK;
}

/* Every row has a label that all scores allow. */
static ll_status check_allowed(const ll_linear *s, ll_error *error)
{
    for (long i = 0; i < s->rows; i++) {
        long left = 0;
        for (long k = 0; k < s->classes; k++)
            left += s->allowed[i * s->classes + k];
        if (left == 0)
            return ll_fail(error, LL_DOMAIN, "row %ld: every label has an infinite loss in one of the scores", i);
    }
    return LL_OK;
}

ll_status ll_evidence_equations(const ll_evidence *e, ll_linear *out, ll_error *error)
{
    cell *cells = malloc(sizeof *cells * (size_t)e->rows * (size_t)e->classes);
    if (cells == NULL || ll_linear_init(out, e->rows, e->classes, e->count) != LL_OK) {
        free(cells);
        return ll_fail(error, LL_MEMORY, "no memory for %ld scores of %ld rows", e->count, e->rows);
    }
    ll_status status = LL_OK;
    for (long q = 0; q < e->count && status == LL_OK; q++)
        status = set_score(e, out, q, cells, error);
    if (status == LL_OK)
        status = check_allowed(out, error);
    free(cells);
    if (status != LL_OK)
        ll_linear_clear(out);
    return status;
}

/* ---- one labelling ---- */

/* The interval of the scorer's sum, were these the labels. */
static void sum_of(const ll_evidence *e, const ll_observation *o, arb_t out, const int32_t *labels)
{
    mag_t magnitude, part;
    mag_init(magnitude);
    mag_init(part);
    arb_zero(out);
    for (long i = 0; i < e->rows; i++) {
        arb_srcptr term = o->terms + i * e->classes + labels[i];
        arb_add(out, out, term, PREC);
        arb_get_mag(part, term);
        mag_add(magnitude, magnitude, part);
    }
    mag_mul(magnitude, magnitude, o->slope);
    arb_add_error_mag(out, magnitude);
    mag_clear(magnitude);
    mag_clear(part);
}

int ll_evidence_explains_one(const ll_evidence *e, const ll_observation *o, const int32_t *labels)
{
    arb_t sum;
    for (long i = 0; i < e->rows; i++)
        if (!o->allowed[i * e->classes + labels[i]])
            return 0;
    arb_init(sum);
    sum_of(e, o, sum, labels);
    int explains = arb_overlaps(sum, o->sum);
    arb_clear(sum);
    return explains;
}

int ll_evidence_explains(const ll_evidence *e, const int32_t *labels)
{
    for (long q = 0; q < e->count; q++)
        if (!ll_evidence_explains_one(e, e->observations + q, labels))
            return 0;
    return 1;
}

void ll_evidence_margins(const ll_evidence *e, arb_t noise, arb_t rounding, arb_t residual, const int32_t *labels)
{
    arb_ptr temporaries = _arb_vec_init(6), sum = temporaries, own = sum + 1, allowed = own + 1, distance = allowed + 1,
            ratio = distance + 1, largest = ratio + 1;
    arb_neg_inf(largest);
    for (long q = 0; q < e->count; q++) {
        const ll_observation *o = e->observations + q;
        sum_of(e, o, sum, labels);
        arb_get_rad_arb(own, sum);
        arb_get_rad_arb(allowed, o->sum);
        arb_add(allowed, allowed, own, 64);
        arf_sub(arb_midref(distance), arb_midref(sum), arb_midref(o->sum), PREC, ARF_RND_NEAR);
        arb_abs(distance, distance);
        arb_div(ratio, distance, allowed, 64);
        if (q > 0 && arf_cmp(arb_midref(ratio), arb_midref(largest)) <= 0)
            continue;
        arb_set(largest, ratio);
        arb_set(residual, distance);
        arb_set(noise, o->noise);
        arb_sub(rounding, allowed, o->noise, 64);
        if (arb_is_negative(rounding))
            arb_zero(rounding);
    }
    _arb_vec_clear(temporaries, 6);
}
