/* The steps of a program on jets (value, first, second derivative in x) in any arithmetic.
 *
 * Values follow the text step by step. Derivatives follow three rules and a table: those of sum, product and
 * quotient, and f(u)' = f'(u) u', f(u)'' = (f''(u) u') u' + f'(u) u'', where the table (run_log, run_exp, ... below)
 * gives f' and f''. A derivative of order k exists on the stack only where the operand's shape is >= k: constants have
 * none, affine operands no second. So 0 * infinity never comes up for what is zero by form.
 *
 * Results replace the left operand, the highest derivative first, so that what is still needed is still there. */
#include "number/expression_private.h"

#include <stdlib.h>

/* ---- operations ---- */

#define UNARY(name)                                                                                                    \
    static void op_##name(ll_machine *m, ll_value *out, const ll_value *x)                                             \
    {                                                                                                                  \
        m->a->ops->name(m->a, out, x);                                                                                 \
    }
#define BINARY(name)                                                                                                   \
    static void op_##name(ll_machine *m, ll_value *out, const ll_value *x, const ll_value *y)                          \
    {                                                                                                                  \
        m->a->ops->name(m->a, out, x, y);                                                                              \
    }
UNARY(set)
UNARY(neg)
UNARY(log)
UNARY(exp)
BINARY(add)
BINARY(sub)
BINARY(mul)
BINARY(div)

static int is_ball(const ll_machine *m)
{
    return m->a->ops == &ll_arithmetic_ball;
}

static int is_zero(const ll_machine *m, const ll_value *x)
{
    if (is_ball(m))
        return arb_is_zero(x->ball);
    return m->a->ops == &ll_arithmetic_fpa ? mpfr_zero_p(x->fpa) : x->native == 0;
}

static void swap(ll_value *x, ll_value *y)
{
    ll_value z = *x;
    *x = *y;
    *y = z;
}

const ll_value *ll_machine_number(ll_machine *m, long index)
{
    m->a->ops->set_exact(m->a, &m->t.number, &m->program->numbers[index]);
    return &m->t.number;
}

/* ---- functions of values; out is not an input ---- */

static void get_sqrt(ll_machine *m, ll_value *out, const ll_value *u)
{
    if (is_ball(m))
        ll_expression_ball_sqrt(out->ball, u->ball, m->a->prec);
    else
        m->a->ops->sqrt(m->a, out, u);
}

static void get_pow(ll_machine *m, ll_value *out, const ll_value *u, const ll_value *c)
{
    if (is_ball(m))
        ll_expression_ball_pow(out->ball, u->ball, c->ball, m->a->prec);
    else
        m->a->ops->pow(m->a, out, u, c);
}

/* From the highest bit of |n| down: square, then times u where the bit is set; n < 0: 1 over that. */
static void get_power(ll_machine *m, ll_value *out, const ll_value *u, long n)
{
    unsigned long size = (unsigned long)labs(n), bit = 1;
    if (n == 0) {
        op_set(m, out, ll_machine_number(m, LL_NUMBER_ONE));
        return;
    }
    if (n > 1 && is_ball(m) && arb_contains_zero(u->ball) && arb_is_finite(u->ball)) {
        ll_expression_ball_power_at_zero(out->ball, u->ball, n, m->a->prec);
        return;
    }
    while (bit <= size / 2)
        bit *= 2;
    op_set(m, out, u);
    while ((bit /= 2) > 0) {
        op_mul(m, out, out, out);
        if (size & bit)
            op_mul(m, out, out, u);
    }
    if (n < 0)
        op_div(m, out, ll_machine_number(m, LL_NUMBER_ONE), out);
}

static void get_u_log_u(ll_machine *m, ll_value *out, const ll_value *u)
{
    if (is_zero(m, u)) {
        op_set(m, out, ll_machine_number(m, LL_NUMBER_ZERO));
    } else if (is_ball(m) && ll_expression_touches_zero(u->ball)) {
        ll_expression_ball_u_log_u_at_zero(out->ball, u->ball, m->a->prec);
    } else {
        op_log(m, out, u);
        op_mul(m, out, u, out);
    }
}

/* ---- rules for jets ---- */

static void add_term(ll_machine *m, ll_value *sum, int *terms, const ll_value *x, const ll_value *y)
{
    if ((*terms)++ == 0) {
        op_mul(m, sum, x, y);
    } else {
        op_mul(m, &m->t.term, x, y);
        op_add(m, sum, sum, &m->t.term);
    }
}

static void run_sum(ll_machine *m, ll_jet *u, const ll_jet *v, const ll_step *step)
{
    for (int k = m->order; k >= 0; k--) {
        if (step->right < k)
            continue;
        if (step->left < k && step->kind == LL_STEP_ADD)
            op_set(m, &u->d[k], &v->d[k]);
        else if (step->left < k)
            op_neg(m, &u->d[k], &v->d[k]);
        else if (step->kind == LL_STEP_ADD)
            op_add(m, &u->d[k], &u->d[k], &v->d[k]);
        else
            op_sub(m, &u->d[k], &u->d[k], &v->d[k]);
    }
}

static void product(ll_machine *m, ll_jet *u, const ll_jet *v, ll_shape left, ll_shape right)
{
    int terms = 0;
    if (m->order == 2) {
        if (left >= 2)
            add_term(m, &u->d[2], &terms, &u->d[2], &v->d[0]);
        if (left >= 1 && right >= 1) {
            op_add(m, &m->t.more, &u->d[1], &u->d[1]);
            add_term(m, &u->d[2], &terms, &m->t.more, &v->d[1]);
        }
        if (right >= 2)
            add_term(m, &u->d[2], &terms, &u->d[0], &v->d[2]);
    }
    terms = 0;
    if (m->order >= 1) {
        if (left >= 1)
            add_term(m, &u->d[1], &terms, &u->d[1], &v->d[0]);
        if (right >= 1)
            add_term(m, &u->d[1], &terms, &u->d[0], &v->d[1]);
    }
    op_mul(m, &u->d[0], &u->d[0], &v->d[0]);
}

/* out = (u - minus) / v, u being zero by form where it is NULL. */
static void quotient_term(ll_machine *m, ll_value *out, const ll_value *u, const ll_value *minus, const ll_value *v)
{
    if (u)
        op_sub(m, out, u, minus);
    else
        op_neg(m, out, minus);
    op_div(m, out, out, v);
}

/* q = u/v: q' = (u' - q v')/v, q'' = (u'' - (2 q' v' + q v''))/v. */
static void quotient(ll_machine *m, ll_jet *u, const ll_jet *v, ll_shape left, ll_shape right)
{
    ll_value *minus = &m->t.more;
    int terms = 0;
    op_div(m, &u->d[0], &u->d[0], &v->d[0]);
    for (int k = 1; k <= m->order && right == LL_CONSTANT && k <= (int)left; k++)
        op_div(m, &u->d[k], &u->d[k], &v->d[0]);
    if (m->order == 0 || right == LL_CONSTANT)
        return;
    op_mul(m, minus, &u->d[0], &v->d[1]);
    quotient_term(m, &u->d[1], left >= 1 ? &u->d[1] : NULL, minus, &v->d[0]);
    if (m->order == 1)
        return;
    op_add(m, &m->t.slope, &u->d[1], &u->d[1]);
    add_term(m, minus, &terms, &m->t.slope, &v->d[1]);
    if (right >= 2)
        add_term(m, minus, &terms, &u->d[0], &v->d[2]);
    quotient_term(m, &u->d[2], left >= 2 ? &u->d[2] : NULL, minus, &v->d[0]);
}

/* Is the k-th derivative of a function of u asked for, k >= 1, and not zero by form? */
static int wants(const ll_machine *m, ll_shape shape, int k)
{
    return m->order >= k && shape >= 1;
}

/* u becomes f(u), given f, f' and f'' at u in t.value, t.slope and t.bend. */
static void chain(ll_machine *m, ll_jet *u, ll_shape shape)
{
    ll_value *term = &m->t.term;
    if (wants(m, shape, 2)) {
        op_mul(m, term, &m->t.bend, &u->d[1]);
        op_mul(m, term, term, &u->d[1]);
        if (shape == 2) {
            op_mul(m, &u->d[2], &m->t.slope, &u->d[2]);
            op_add(m, &u->d[2], term, &u->d[2]);
        } else {
            swap(&u->d[2], term);
        }
    }
    if (wants(m, shape, 1))
        op_mul(m, &u->d[1], &m->t.slope, &u->d[1]);
    swap(&u->d[0], &m->t.value);
}

/* ---- functions of jets ---- */

/* f'(u) = 1/u, f''(u) = -(1/u)(1/u). */
static void run_log(ll_machine *m, ll_jet *u, ll_shape shape)
{
    op_log(m, &m->t.value, &u->d[0]);
    if (wants(m, shape, 1))
        op_div(m, &m->t.slope, ll_machine_number(m, LL_NUMBER_ONE), &u->d[0]);
    if (wants(m, shape, 2)) {
        op_mul(m, &m->t.bend, &m->t.slope, &m->t.slope);
        op_neg(m, &m->t.bend, &m->t.bend);
    }
    chain(m, u, shape);
}

static void run_exp(ll_machine *m, ll_jet *u, ll_shape shape)
{
    op_exp(m, &m->t.value, &u->d[0]);
    if (wants(m, shape, 1))
        op_set(m, &m->t.slope, &m->t.value);
    if (wants(m, shape, 2))
        op_set(m, &m->t.bend, &m->t.value);
    chain(m, u, shape);
}

/* With s = sqrt(u): f' = 1/(s + s), f'' = -(f'/(u + u)). */
static void run_sqrt(ll_machine *m, ll_jet *u, ll_shape shape)
{
    get_sqrt(m, &m->t.value, &u->d[0]);
    if (wants(m, shape, 1)) {
        op_add(m, &m->t.more, &m->t.value, &m->t.value);
        op_div(m, &m->t.slope, ll_machine_number(m, LL_NUMBER_ONE), &m->t.more);
    }
    if (wants(m, shape, 2)) {
        op_add(m, &m->t.more, &u->d[0], &u->d[0]);
        op_div(m, &m->t.bend, &m->t.slope, &m->t.more);
        op_neg(m, &m->t.bend, &m->t.bend);
    }
    chain(m, u, shape);
}

/* f' = log(u) + 1, f'' = 1/u. */
static void run_u_log_u(ll_machine *m, ll_jet *u, ll_shape shape)
{
    get_u_log_u(m, &m->t.value, &u->d[0]);
    if (wants(m, shape, 1)) {
        op_log(m, &m->t.slope, &u->d[0]);
        op_add(m, &m->t.slope, &m->t.slope, ll_machine_number(m, LL_NUMBER_ONE));
    }
    if (wants(m, shape, 2))
        op_div(m, &m->t.bend, ll_machine_number(m, LL_NUMBER_ONE), &u->d[0]);
    chain(m, u, shape);
}

/* f' = n u^(n-1), f'' = n(n-1) u^(n-2), the numbers n and n(n-1) rounded once each. */
static void run_power(ll_machine *m, ll_jet *u, const ll_step *step)
{
    get_power(m, &m->t.value, &u->d[0], step->exponent);
    if (wants(m, (ll_shape)step->left, 1)) {
        get_power(m, &m->t.slope, &u->d[0], step->exponent - 1);
        op_mul(m, &m->t.slope, ll_machine_number(m, step->index), &m->t.slope);
    }
    if (wants(m, (ll_shape)step->left, 2)) {
        get_power(m, &m->t.bend, &u->d[0], step->exponent - 2);
        op_mul(m, &m->t.bend, ll_machine_number(m, step->index + 1), &m->t.bend);
    }
    chain(m, u, (ll_shape)step->left);
}

/* out = factor * u^c, or 0 where the factor is exactly 0 (then u^c may be infinite). */
static void scaled_pow(ll_machine *m, ll_value *out, const ll_value *factor, const ll_value *u, const ll_value *c)
{
    if (is_zero(m, factor)) {
        op_set(m, out, ll_machine_number(m, LL_NUMBER_ZERO));
        return;
    }
    get_pow(m, out, u, c);
    op_mul(m, out, factor, out);
}

/* u^c, c constant: f' = c u^(c-1), f'' = (c(c-1)) u^(c-2). No logarithm, so u <= 0 is allowed where u^c is.
 * c is used up. */
static void pow_of_base(ll_machine *m, ll_jet *u, ll_value *c, ll_shape shape)
{
    ll_value *less = &m->t.more;
    get_pow(m, &m->t.value, &u->d[0], c);
    if (wants(m, shape, 1)) {
        op_sub(m, less, c, ll_machine_number(m, LL_NUMBER_ONE));
        scaled_pow(m, &m->t.slope, c, &u->d[0], less);
    }
    if (wants(m, shape, 2)) {
        op_mul(m, c, c, less);
        op_sub(m, less, less, ll_machine_number(m, LL_NUMBER_ONE));
        scaled_pow(m, &m->t.bend, c, &u->d[0], less);
    }
    chain(m, u, shape);
}

/* b^v, b constant: f' = b^v log b, f'' = (b^v log b) log b. The result stands in v. */
static void pow_of_exponent(ll_machine *m, const ll_value *b, ll_jet *v, ll_shape shape)
{
    get_pow(m, &m->t.value, b, &v->d[0]);
    if (m->order >= 1) {
        op_log(m, &m->t.more, b);
        op_mul(m, &m->t.slope, &m->t.value, &m->t.more);
    }
    if (m->order == 2)
        op_mul(m, &m->t.bend, &m->t.slope, &m->t.more);
    chain(m, v, shape);
}

/* u^v, both varying: the value by pow, the derivatives as those of exp(log(u)*v). */
static void pow_of_both(ll_machine *m, ll_jet *u, ll_jet *v, ll_shape left, ll_shape right)
{
    get_pow(m, &m->t.power, &u->d[0], &v->d[0]);
    if (m->order >= 1) {
        run_log(m, u, left);
        product(m, u, v, LL_CURVED, right);
        op_set(m, &m->t.slope, &m->t.power);
        op_set(m, &m->t.bend, &m->t.power);
    }
    swap(&m->t.value, &m->t.power);
    chain(m, u, LL_CURVED);
}

static void run_pow(ll_machine *m, ll_jet *u, ll_jet *v, const ll_step *step)
{
    if (step->right == LL_CONSTANT) {
        pow_of_base(m, u, &v->d[0], (ll_shape)step->left);
    } else if (step->left == LL_CONSTANT) {
        pow_of_exponent(m, &u->d[0], v, (ll_shape)step->right);
        for (int k = 0; k <= m->order; k++)
            swap(&u->d[k], &v->d[k]);
    } else {
        pow_of_both(m, u, v, (ll_shape)step->left, (ll_shape)step->right);
    }
}

/* p*log(u) where u is a factor of p: 0 where both are exactly 0. */
static void run_mul_log(ll_machine *m, ll_jet *p, ll_jet *u, ll_shape left, ll_shape right)
{
    int vanishes = is_zero(m, &p->d[0]) && is_zero(m, &u->d[0]);
    run_log(m, u, right);
    product(m, p, u, left, right == LL_CONSTANT ? LL_CONSTANT : LL_CURVED);
    if (vanishes)
        op_set(m, &p->d[0], ll_machine_number(m, LL_NUMBER_ZERO));
}

void ll_machine_binary(ll_machine *m, ll_jet *u, const ll_step *step)
{
    ll_jet *v = u + 1;
    ll_shape left = (ll_shape)step->left, right = (ll_shape)step->right;
    switch (step->kind) {
    case LL_STEP_MUL:
        product(m, u, v, left, right);
        break;
    case LL_STEP_DIV:
        quotient(m, u, v, left, right);
        break;
    case LL_STEP_POW:
        run_pow(m, u, v, step);
        break;
    case LL_STEP_MUL_LOG:
        run_mul_log(m, u, v, left, right);
        break;
    case LL_STEP_LOG_MUL:
        for (int k = 0; k <= m->order; k++)
            swap(&u->d[k], &v->d[k]);
        run_mul_log(m, u, v, right, left);
        break;
    default:
        run_sum(m, u, v, step);
    }
}

void ll_machine_unary(ll_machine *m, ll_jet *u, const ll_step *step)
{
    ll_shape shape = (ll_shape)step->left;
    switch (step->kind) {
    case LL_STEP_LOG:
        run_log(m, u, shape);
        break;
    case LL_STEP_EXP:
        run_exp(m, u, shape);
        break;
    case LL_STEP_SQRT:
        run_sqrt(m, u, shape);
        break;
    case LL_STEP_POWER:
        run_power(m, u, step);
        break;
    case LL_STEP_U_LOG_U:
        run_u_log_u(m, u, shape);
        break;
    default:
        for (int k = 0; k <= m->order && k <= (int)shape; k++)
            op_neg(m, &u->d[k], &u->d[k]);
    }
}
