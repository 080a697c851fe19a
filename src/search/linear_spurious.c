/* How many wrong labellings fit by chance: a Gaussian model of the sums.
 *
 * Draw every label uniformly from those allowed. The sums have mean m and covariance C = sum over rows of the
 * covariance of that row's weights. Scores of one model in training are nearly parallel, so that taking them as
 * independent would be off by hundreds of bits: the sums are taken one after the other, each given those before it.
 * With the centred weights of all rows and labels as one long vector v_q (each over the square root of the number of
 * labels), C = V V^T, and Gram-Schmidt gives v_q = part along the earlier ones + rest: the sum q, given the
 * earlier ones, has standard deviation |rest| and the mean that they predict. The box of tolerances keeps its volume
 * under that change of coordinates. What it does to one coordinate is the blur, sum over j of |c_qj| tolerance_j with
 * rest_q = sum c_qj v_j; a score whose blur is not small beside |rest| is left out, which can only raise the number.
 * All in floats of `PREC` bits, since the rests are smaller than the vectors by many powers of two. */
#include "number/ball.h"
#include "search/linear.h"

#include <flint/fmpz.h>
#include <math.h>
#include <stdlib.h>

enum { PREC = 320 };

typedef struct {
    const ll_linear *system;
    long cells, width; /* of a vector: the weights; with the c_qj behind them */
    arb_ptr vectors;   /* rests of the scores so far */
    arb_ptr squares;   /* |rest|^2 */
    arb_ptr distances; /* (target - predicted) of each score so far, with earlier ones taken off */
    long first, done;  /* first score, how many are kept */
} model;

/* v = centred weights of score q; distance = target - mean */
static void centre(const ll_linear *s, arb_ptr v, arb_t distance, long q)
{
    arb_t mean, root;
    arb_init(mean);
    arb_init(root);
    arb_set_fmpz(distance, s->targets + q);
    for (long i = 0; i < s->rows; i++) {
        long n = ll_linear_count_allowed(s, i);
        arb_zero(mean);
        for (long k = 0; k < s->classes; k++)
            if (s->allowed[i * s->classes + k])
                arb_add_fmpz(mean, mean, ll_linear_weight(s, q, i, k), PREC);
        arb_div_si(mean, mean, n, PREC);
        arb_sub(distance, distance, mean, PREC);
        arb_sqrt_ui(root, (ulong)n, PREC);
        for (long k = 0; k < s->classes; k++) {
            arb_ptr cell = v + i * s->classes + k;
            arb_zero(cell);
            if (!s->allowed[i * s->classes + k])
                continue;
            arb_sub_fmpz(cell, mean, ll_linear_weight(s, q, i, k), PREC);
            arb_neg(cell, cell);
            arb_div(cell, cell, root, PREC);
        }
    }
    arb_clear(mean);
    arb_clear(root);
}

/* Radii do not matter to a model, and would only pile up. */
static void forget_radius(arb_ptr x, long n)
{
    for (long i = 0; i < n; i++)
        mag_zero(arb_radref(x + i));
}

/* Take the part along each earlier rest off v, and what the earlier sums predict off the distance. */
static void orthogonalise(model *m, arb_ptr v, arb_t distance)
{
    arb_t factor;
    arb_init(factor);
    for (long j = 0; j < m->done; j++) {
        arb_ptr rest = m->vectors + j * m->width;
        arb_dot(factor, NULL, 0, v, 1, rest, 1, m->cells, PREC);
        arb_div(factor, factor, m->squares + j, PREC);
        arb_neg(factor, factor);
        mag_zero(arb_radref(factor));
        _arb_vec_scalar_addmul(v, rest, m->width, factor, PREC);
        forget_radius(v, m->width);
        arb_addmul(distance, factor, m->distances + j, PREC);
    }
    mag_zero(arb_radref(distance));
    arb_clear(factor);
}

/* blur of the score just made a rest */
static void blur_of(const model *m, arb_t out, arb_srcptr coefficients)
{
    arb_t part;
    arb_init(part);
    arb_zero(out);
    for (long j = 0; j < m->width - m->cells; j++) {
        arb_abs(part, coefficients + j);
        arb_addmul_fmpz(out, part, m->system->tolerances + m->first + j, 64);
    }
    arb_clear(part);
}

/* log2 of the density of a normal variable times the width of the tolerance; 0 where the blur is no smaller than the
 * standard deviation. The nearest point of the blur counts: |target - mean| less the blur. */
static double log2_inside(const arb_t distance, const arb_t sd, const arb_t blur, const fmpz_t tolerance)
{
    arb_t ratio;
    arb_init(ratio);
    arb_div(ratio, distance, sd, PREC);
    double at = fabs(arf_get_d(arb_midref(ratio), ARF_RND_NEAR));
    arb_div(ratio, blur, sd, PREC);
    double half = arf_get_d(arb_midref(ratio), ARF_RND_NEAR);
    arb_set_fmpz(ratio, tolerance);
    arb_div(ratio, ratio, sd, PREC);
    arb_log(ratio, ratio, 64);
    double log_width = arf_get_d(arb_midref(ratio), ARF_RND_NEAR) + M_LN2;
    arb_clear(ratio);
    at = at > half ? at - half : 0;
    double bits = (log_width - 0.5 * log(2 * M_PI) - at * at / 2) / M_LN2;
    return half < 0.5 && bits < 0 ? bits : 0;
}

/* One more score; what it adds to the log2 of the probability. One that adds nothing is not kept. */
static double add_score(model *m, long q)
{
    const ll_linear *s = m->system;
    arb_ptr v = m->vectors + m->done * m->width, distance = m->distances + m->done, square = m->squares + m->done;
    arb_t sd, blur;
    arb_init(sd);
    arb_init(blur);
    _arb_vec_zero(v, m->width);
    arb_one(v + m->cells + (q - m->first));
    centre(s, v, distance, q);
    orthogonalise(m, v, distance);
    orthogonalise(m, v, distance);
    arb_dot(square, NULL, 0, v, 1, v, 1, m->cells, PREC);
    mag_zero(arb_radref(square));
    double bits = 0;
    if (arf_sgn(arb_midref(square)) > 0) {
        arb_sqrt(sd, square, PREC);
        blur_of(m, blur, v + m->cells);
        bits = log2_inside(distance, sd, blur, s->tolerances + q);
    }
    m->done += bits < 0;
    arb_clear(sd);
    arb_clear(blur);
    return bits;
}

/* Of many scores of many rows only as many as are quick to orthogonalise: leaving some out can only raise the number.
 */
static double bits_of(const ll_linear *s, long first, long last)
{
    const double most = 1e9;
    long scores = last - first;
    while (scores > 1 && (double)scores * (double)scores * (double)s->rows * (double)s->classes > most)
        scores--;
    last = first + scores;
    model m = {.system = s, .cells = s->rows * s->classes, .first = first};
    double bits = ll_linear_labelling_bits(s);
    m.width = m.cells + scores;
    m.vectors = _arb_vec_init(m.width * scores);
    m.squares = _arb_vec_init(scores);
    m.distances = _arb_vec_init(scores);
    for (long q = first; q < last; q++)
        bits += add_score(&m, q);
    _arb_vec_clear(m.vectors, m.width * scores);
    _arb_vec_clear(m.squares, scores);
    _arb_vec_clear(m.distances, scores);
    return bits;
}

double ll_linear_spurious_bits(const ll_linear *s)
{
    return bits_of(s, 0, s->scores);
}

double ll_linear_spurious_bits_of(const ll_linear *s, long score)
{
    return bits_of(s, score, score + 1);
}

double ll_linear_score_bits(const ll_linear *s, long score)
{
    arb_t range;
    fmpz_t least, most;
    arb_init(range);
    fmpz_init(least);
    fmpz_init(most);
    for (long i = 0; i < s->rows; i++) {
        const fmpz *low = NULL, *high = NULL;
        for (long k = 0; k < s->classes; k++) {
            const fmpz *w = ll_linear_weight(s, score, i, k);
            if (!s->allowed[i * s->classes + k])
                continue;
            low = low == NULL || fmpz_cmp(w, low) < 0 ? w : low;
            high = high == NULL || fmpz_cmp(w, high) > 0 ? w : high;
        }
        if (low == NULL)
            continue;
        fmpz_add(least, least, low);
        fmpz_add(most, most, high);
    }
    fmpz_sub(most, most, least);
    fmpz_mul_2exp(least, s->tolerances + score, 1);
    fmpz_add_ui(least, least, 1);
    arb_fmpz_div_fmpz(range, most, least, 64);
    arb_add_ui(range, range, 1, 64);
    arb_log(range, range, 64);
    double bits = arf_get_d(arb_midref(range), ARF_RND_NEAR) / M_LN2;
    arb_clear(range);
    fmpz_clear(least);
    fmpz_clear(most);
    return bits;
}
