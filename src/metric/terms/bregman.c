/* May a phi be used? It must be finite at 0 and 1, and strictly convex between: phi'' > 0 is proved piece by piece,
 * or refuted by a point, or left open with a warning (docs/proofs/inverse.md).
 *
 * Pieces of [0, 1] are halved until balls decide them. A piece that stays open at a certain depth is tried from
 * each of its ends, as a jet: that decides pieces at 0 and 1 where phi'' blows up (1/x) or vanishes (x^2), and pieces
 * beside a dyadic point where it vanishes ((x - 1/2)^2). One point with phi'' = 0 does not harm strictness. */
#include "metric/terms/terms.h"

#include <stdlib.h>

#define PREC 64
#define SAMPLES 64 /* of phi', which must rise */
#define MAX_PIECES 8192
#define MAX_STEPS (1L << 18) /* of phi, over all pieces: a long phi is looked at in fewer of them */
#define JET_DEPTH 6
#define MAX_DEPTH 16

/* [index, index + 1] / 2^depth. */
typedef struct {
    long index;
    long depth;
} piece;

typedef enum { POSITIVE, REFUTED, OPEN } finding;

/* ---- phi at the ends ---- */

static int is_finite_at(const ll_expression *phi, long x)
{
    int finite;
    ll_arithmetic a;
    ll_value at, value;
    ll_arithmetic_set_ball(&a, PREC);
    arb_init(at.ball);
    arb_init(value.ball);
    arb_set_si(at.ball, x);
    ll_expression_evaluate(phi, &a, &value, NULL, NULL, &at, NULL);
    finite = arb_is_finite(value.ball);
    arb_clear(at.ball);
    arb_clear(value.ball);
    return finite;
}

/* ---- one piece ---- */

static void get_bend(arb_t out, const ll_expression *phi, const arb_t x)
{
    ll_arithmetic a;
    ll_value at, value, first, second;
    ll_arithmetic_set_ball(&a, PREC);
    arb_init(at.ball);
    arb_init(value.ball);
    arb_init(first.ball);
    arb_init(second.ball);
    arb_set(at.ball, x);
    ll_expression_evaluate(phi, &a, &value, &first, &second, &at, NULL);
    arb_swap(out, second.ball);
    arb_clear(at.ball);
    arb_clear(value.ball);
    arb_clear(first.ball);
    arb_clear(second.ball);
}

/* phi'' < 0 at the midpoint refutes; so does phi'' = 0 all over a piece, where phi is a straight line. */
static finding look_at(const ll_expression *phi, piece p)
{
    finding found = OPEN;
    arb_t x, bend;
    arb_init(x);
    arb_init(bend);
    arb_set_si(x, 2 * p.index + 1);
    arb_mul_2exp_si(x, x, -p.depth - 1);
    get_bend(bend, phi, x);
    if (arb_is_negative(bend))
        found = REFUTED;
    arb_add_error_2exp_si(x, -p.depth - 1);
    get_bend(bend, phi, x);
    if (arb_is_positive(bend))
        found = POSITIVE;
    else if (arb_is_zero(bend))
        found = REFUTED;
    arb_clear(x);
    arb_clear(bend);
    return found;
}

/* A finite phi'' at a point, come by finite steps, means that phi' is continuous there: no kink, no pole. At 0 and 1
 * nothing is asked. */
static int is_smooth_at(const ll_expression *phi, double x)
{
    int smooth;
    arb_t at, bend;
    if (x == 0 || x == 1)
        return 1;
    arb_init(at);
    arb_init(bend);
    arb_set_d(at, x);
    get_bend(bend, phi, at);
    smooth = arb_is_finite(bend);
    arb_clear(at);
    arb_clear(bend);
    return smooth;
}

/* A jet covers the whole piece from its end, but for the end itself. */
static int covers(const ll_expression *phi, double end, int side, long depth)
{
    return is_smooth_at(phi, end) && ll_metric_is_convex_beside(phi, end, side, depth, PREC) == LL_TRUE;
}

static finding look_from_ends(const ll_expression *phi, piece p)
{
    double width = 1.0 / (double)(1L << p.depth);
    return covers(phi, (double)p.index * width, 1, p.depth) || covers(phi, (double)(p.index + 1) * width, -1, p.depth)
               ? POSITIVE
               : OPEN;
}

/* ---- samples ---- */

static void get_slope(arb_t out, const ll_expression *phi, const arb_t x)
{
    ll_arithmetic a;
    ll_value at, value, first;
    ll_arithmetic_set_ball(&a, PREC);
    arb_init(at.ball);
    arb_init(value.ball);
    arb_init(first.ball);
    arb_set(at.ball, x);
    ll_expression_evaluate(phi, &a, &value, &first, NULL, &at, NULL);
    arb_swap(out, first.ball);
    arb_clear(at.ball);
    arb_clear(value.ball);
    arb_clear(first.ball);
}

/* The first i with phi'(i/64) < phi' at the sample before, certainly; 0 where there is none. This refutes a phi with a
 * pole or a kink, beside which phi'' > 0. */
static long find_fall(const ll_expression *phi)
{
    long fall = 0;
    arb_t x, slope, before;
    arb_init(x);
    arb_init(slope);
    arb_init(before);
    arb_neg_inf(before);
    for (long i = 1; i < SAMPLES && !fall; i++) {
        arb_set_si(x, i);
        arb_div_ui(x, x, SAMPLES, PREC);
        get_slope(slope, phi, x);
        if (!arb_is_finite(slope))
            continue;
        if (arb_lt(slope, before))
            fall = i;
        arb_swap(before, slope);
    }
    arb_clear(x);
    arb_clear(slope);
    arb_clear(before);
    return fall;
}

/* ---- all pieces, coarse before fine ---- */

static finding examine(const ll_expression *phi, piece *queue, piece *where)
{
    finding result = POSITIVE;
    long count = 1, most = MAX_STEPS / ll_expression_steps(phi);
    if (most > MAX_PIECES)
        most = MAX_PIECES;
    queue[0] = (piece){0, 0};
    for (long i = 0; i < count; i++) {
        piece p = queue[i];
        finding found = look_at(phi, p);
        if (found == OPEN && p.depth >= JET_DEPTH)
            found = look_from_ends(phi, p);
        if (found == REFUTED) {
            *where = p;
            return REFUTED;
        }
        if (found == POSITIVE)
            continue;
        if (p.depth == MAX_DEPTH || count + 2 > most) {
            result = OPEN;
            continue;
        }
        queue[count++] = (piece){2 * p.index, p.depth + 1};
        queue[count++] = (piece){2 * p.index + 1, p.depth + 1};
    }
    return result;
}

ll_status ll_metric_check_phi(ll_metric *metric, ll_error *error)
{
    finding found;
    long fall = 0;
    piece where = {0, 0}, *queue;
    for (long end = 0; end <= 1; end++)
        if (!is_finite_at(metric->phi, end))
            return ll_fail(error, LL_DOMAIN,
                           "loss bregman: phi has no finite value at %ld, where labels are, so the divergence is "
                           "infinite (the Itakura-Saito loss of the paper is a loss of its own: itakura-saito)",
                           end);
    queue = malloc(MAX_PIECES * sizeof *queue);
    if (!queue)
        return ll_fail(error, LL_MEMORY, "no memory to examine phi");
    found = examine(metric->phi, queue, &where);
    free(queue);
    if (found == REFUTED)
        return ll_fail(error, LL_DOMAIN, "loss bregman: phi is not strictly convex on (0,1): phi'' <= 0 at x = %.17g",
                       (double)(2 * where.index + 1) / (double)(2L << where.depth));
    if (found == OPEN)
        fall = find_fall(metric->phi);
    if (fall)
        return ll_fail(error, LL_DOMAIN, "loss bregman: phi is not convex on (0,1): phi' falls before x = %.17g",
                       (double)fall / SAMPLES);
    metric->convex = found == POSITIVE ? LL_TRUE : LL_UNKNOWN;
    return LL_OK;
}
