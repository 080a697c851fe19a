/* Enclosures for balls that touch or contain 0, where Arb's general functions are indeterminate, or wider than
 * they need be and reach below 0: powers and roots by monotony, u*log(u) by its one minimum at 1/e. */
#include "number/expression_private.h"

int ll_expression_touches_zero(const arb_t u)
{
    return arb_contains_zero(u) && arb_is_nonnegative(u);
}

/* A ball [0, b] with b >= h whose lower end is 0 exactly: half of a radius, so of 30 bits, is also its midpoint. */
static void set_zero_to(arb_t out, const arb_t h)
{
    if (!arb_is_finite(h)) {
        arb_indeterminate(out);
        return;
    }
    arb_get_mag(arb_radref(out), h);
    mag_mul_2exp_si(arb_radref(out), arb_radref(out), -1);
    arf_set_mag(arb_midref(out), arb_radref(out));
}

static void get_upper(arb_t out, const arb_t u, slong prec)
{
    arf_t upper;
    arf_init(upper);
    arb_get_ubound_arf(upper, u, prec);
    arb_set_arf(out, upper);
    arf_clear(upper);
}

/* u^c for all u in [0, h] and all c in a ball c > 0: between 0 and h^c. */
void ll_expression_ball_pow(arb_t out, const arb_t u, const arb_t c, slong prec)
{
    if (!ll_expression_touches_zero(u) || !arb_is_positive(c)) {
        arb_pow(out, u, c, prec);
        return;
    }
    arb_t h;
    arb_init(h);
    get_upper(h, u, prec);
    arb_pow(h, h, c, prec);
    set_zero_to(out, h);
    arb_clear(h);
}

void ll_expression_ball_sqrt(arb_t out, const arb_t u, slong prec)
{
    if (!ll_expression_touches_zero(u)) {
        arb_sqrt(out, u, prec);
        return;
    }
    arb_t h;
    arb_init(h);
    get_upper(h, u, prec);
    arb_sqrt(h, h, prec);
    set_zero_to(out, h);
    arb_clear(h);
}

/* u^n, n >= 1, for a ball that contains 0: a product of dependent balls would be wider, and below 0 for even n. */
void ll_expression_ball_power_at_zero(arb_t out, const arb_t u, long n, slong prec)
{
    arb_t low, high;
    arb_init(low);
    arb_init(high);
    arb_neg(low, u);
    get_upper(low, low, prec);
    get_upper(high, u, prec);
    if (n % 2 == 0)
        arb_max(high, high, low, prec);
    arb_pow_ui(high, high, (ulong)n, prec);
    if (n % 2 == 0 || arb_is_zero(low)) {
        set_zero_to(out, high);
    } else {
        arb_pow_ui(low, low, (ulong)n, prec);
        arb_neg(low, low);
        arb_union(out, low, high, prec);
    }
    arb_clear(low);
    arb_clear(high);
}

/* u log u on [0, h]: falls from 0 to -1/e at 1/e, 0.36 < 1/e < 0.3679, and rises after. */
void ll_expression_ball_u_log_u_at_zero(arb_t out, const arb_t u, slong prec)
{
    arb_t h, y;
    arb_init(h);
    arb_init(y);
    get_upper(h, u, prec);
    arb_log(y, h, prec);
    arb_mul(y, y, h, prec);
    if (arf_cmp_d(arb_midref(h), 0.36) < 0) {
        set_zero_to(out, y);
        arb_neg(out, out);
    } else {
        arb_set_d(h, -0.36787944117144234); /* below -1/e = -0.367879441171442321... */
        arb_union(out, y, h, prec);
        arb_zero(h);
        arb_union(out, out, h, prec);
    }
    arb_clear(h);
    arb_clear(y);
}
