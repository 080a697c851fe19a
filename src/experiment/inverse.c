/* The predictions with a wanted weight s(1, x) - s(0, x) = w >= 0, as the nearest double (thm:linear_separable): found
 * with some 70 bits more than a double has, so that only a number that close to the middle of two could be the other.
 */
#include "experiment/experiment.h"

#include <math.h>
#include <mpfr.h>

enum { PRECISION = 128, SURPLUS = 72, STEPS = 200 };

/* ln((1 - x) / x) = w: x = 1 / (1 + e^w) */
double ll_inverse_log_loss(double w)
{
    mpfr_t x;
    mpfr_init2(x, PRECISION);
    mpfr_set_d(x, w, MPFR_RNDN);
    mpfr_exp(x, x, MPFR_RNDN);
    mpfr_add_ui(x, x, 1, MPFR_RNDN);
    mpfr_ui_div(x, 1, x, MPFR_RNDN);
    double found = mpfr_get_d(x, MPFR_RNDN);
    mpfr_clear(x);
    return found;
}

/* value += sign (1/x + ln x), slope += 1/x^2 - 1/x */
static void add_side(mpfr_t value, mpfr_t slope, const mpfr_t x, int sign)
{
    mpfr_t part;
    mpfr_init2(part, PRECISION);
    mpfr_log(part, x, MPFR_RNDN);
    (sign > 0 ? mpfr_add : mpfr_sub)(value, value, part, MPFR_RNDN);
    mpfr_ui_div(part, 1, x, MPFR_RNDN);
    (sign > 0 ? mpfr_add : mpfr_sub)(value, value, part, MPFR_RNDN);
    mpfr_sub(slope, slope, part, MPFR_RNDN);
    mpfr_sqr(part, part, MPFR_RNDN);
    mpfr_add(slope, slope, part, MPFR_RNDN);
    mpfr_clear(part);
}

/* One step of Newton's method; is it below the precision that is asked for? */
static int improve(mpfr_t x, double w, mpfr_t value, mpfr_t slope, mpfr_t other)
{
    mpfr_set_d(value, -w, MPFR_RNDN);
    mpfr_set_zero(slope, 1);
    mpfr_ui_sub(other, 1, x, MPFR_RNDN);
    add_side(value, slope, x, 1);
    add_side(value, slope, other, -1);
    mpfr_div(value, value, slope, MPFR_RNDN);
    mpfr_add(x, x, value, MPFR_RNDN);
    return mpfr_zero_p(value) || mpfr_get_exp(value) < mpfr_get_exp(x) - SURPLUS;
}

/* f(x) = 1/x + ln x - 1/(1-x) - ln(1-x) falls from infinity to 0 on (0, 1/2] and is convex there: g(t) = 2/t^3 - 1/t^2
 * falls on (0, 1], and f''(x) = g(x) - g(1 - x). So Newton's method goes up to the root from below, and from a place
 * above it first steps below; from 1/(w + 2) that step is shorter than the way to 0. */
double ll_inverse_itakura_saito(double w)
{
    mpfr_t x, value, slope, other;
    mpfr_inits2(PRECISION, x, value, slope, other, (mpfr_ptr)NULL);
    mpfr_set_d(x, w, MPFR_RNDN);
    mpfr_add_ui(x, x, 2, MPFR_RNDN);
    mpfr_ui_div(x, 1, x, MPFR_RNDN);
    for (int i = 0; i < STEPS && !improve(x, w, value, slope, other); i++)
        continue;
    double found = mpfr_get_d(x, MPFR_RNDN);
    mpfr_clears(x, value, slope, other, (mpfr_ptr)NULL);
    return found;
}
