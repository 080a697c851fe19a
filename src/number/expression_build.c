/* The program of an expression, step by step as the parser closes operators.
 *
 * An operand is a slice of the program, so "the same subexpression" is an equality of slices: that is how
 * u*log(u) is found, whatever blanks and parentheses were written. */
#include "number/expression_private.h"

#include <string.h>

enum { LITERAL_POWER = 64, FACTORS = 100 };

/* ---- slices of the program ---- */

static int is_same_step(const ll_expression *e, const ll_step *a, const ll_step *b)
{
    if (a->kind != b->kind || a->exponent != b->exponent)
        return 0;
    return a->kind != LL_STEP_NUMBER || ll_exact_cmp(&e->numbers[a->index], &e->numbers[b->index]) == 0;
}

/* Are the n steps at a and the m steps at b the same subexpression? */
static int is_same(const ll_expression *e, long a, long n, long b, long m)
{
    if (n != m)
        return 0;
    for (long i = n; i-- > 0;)
        if (!is_same_step(e, &e->steps[a + i], &e->steps[b + i]))
            return 0;
    return 1;
}

static int arity(const ll_step *step)
{
    return step->kind <= LL_STEP_ALPHA ? 0 : step->kind <= LL_STEP_LOG_MUL ? 2 : 1;
}

/* Where the operand that ends before step `end` starts. */
static long operand_start(const ll_expression *e, long end)
{
    long wanted = 1;
    while (wanted > 0)
        wanted += arity(&e->steps[--end]) - 1;
    return end;
}

/* Is the subexpression u (n steps) a factor of p = steps[start..end)? Products, numerators, signs, roots and powers
 * are looked through: each of these is 0 where u is, or the evaluator sees that it is not. FACTORS levels at most, so
 * that a long product costs linear time. */
static int has_factor(const ll_expression *e, long start, long end, long u, long n)
{
    for (int i = 0; i < FACTORS && end > start; i++) {
        if (is_same(e, start, end - start, u, n))
            return 1;
        const ll_step *last = &e->steps[end - 1];
        if (arity(last) == 0 || last->kind == LL_STEP_ADD || last->kind == LL_STEP_SUB || last->kind == LL_STEP_EXP ||
            last->kind == LL_STEP_LOG)
            return 0;
        end--;
        if (arity(last) == 1)
            continue;
        long right = operand_start(e, end);
        if (last->kind == LL_STEP_MUL && is_same(e, right, end - right, u, n))
            return 1;
        end = right;
    }
    return 0;
}

/* ---- emitting ---- */

long ll_builder_push_number(ll_builder *b)
{
    ll_expression *e = b->out;
    ll_exact_init(&e->numbers[e->number_count]);
    return e->number_count++;
}

void ll_builder_push(ll_builder *b, ll_step_kind kind, long index, ll_shape shape)
{
    ll_expression *e = b->out;
    b->operands[b->operand_count++] = (ll_operand){.start = e->step_count, .shape = shape};
    e->steps[e->step_count++] = (ll_step){.kind = (uint8_t)kind, .index = (uint32_t)index};
    if (b->operand_count > e->depth)
        e->depth = b->operand_count;
}

static ll_shape shape_of(ll_step_kind kind, ll_shape left, ll_shape right)
{
    ll_shape most = left > right ? left : right;
    switch (kind) {
    case LL_STEP_ADD:
    case LL_STEP_SUB:
    case LL_STEP_NEG:
        return most;
    case LL_STEP_MUL:
        return left == LL_CONSTANT || right == LL_CONSTANT ? most : LL_CURVED;
    case LL_STEP_DIV:
        return right == LL_CONSTANT ? left : LL_CURVED;
    default:
        return most == LL_CONSTANT ? LL_CONSTANT : LL_CURVED;
    }
}

static void emit_unary(ll_builder *b, ll_step_kind kind)
{
    ll_expression *e = b->out;
    ll_operand *u = &b->operands[b->operand_count - 1];
    e->steps[e->step_count++] = (ll_step){.kind = (uint8_t)kind, .left = (uint8_t)u->shape};
    u->shape = shape_of(kind, u->shape, LL_CONSTANT);
}

static void emit_binary(ll_builder *b, ll_step_kind kind)
{
    ll_expression *e = b->out;
    ll_operand *right = &b->operands[--b->operand_count], *left = right - 1;
    e->steps[e->step_count++] =
        (ll_step){.kind = (uint8_t)kind, .left = (uint8_t)left->shape, .right = (uint8_t)right->shape};
    left->shape = shape_of(kind, left->shape, right->shape);
}

/* u*log(u) or log(u)*u, u of n steps and the given shape: one copy of u stays. */
static void emit_u_log_u(ll_builder *b, long n, ll_shape shape)
{
    ll_expression *e = b->out;
    ll_operand *left = &b->operands[--b->operand_count - 1];
    left->shape = shape;
    e->step_count = left->start + n;
    emit_unary(b, LL_STEP_U_LOG_U);
}

/* p*log(u), where u is p or a factor of it. */
static int emit_times_log(ll_builder *b)
{
    ll_expression *e = b->out;
    long left = b->operands[b->operand_count - 2].start, right = b->operands[b->operand_count - 1].start;
    long n = e->step_count - 1 - right;
    if (e->steps[e->step_count - 1].kind != LL_STEP_LOG)
        return 0;
    if (is_same(e, left, right - left, right, n)) {
        emit_u_log_u(b, n, b->operands[b->operand_count - 2].shape);
        return 1;
    }
    if (!has_factor(e, left, right, right, n))
        return 0;
    e->step_count--;
    b->operands[b->operand_count - 1].shape = (ll_shape)e->steps[e->step_count].left;
    emit_binary(b, LL_STEP_MUL_LOG);
    return 1;
}

/* log(u)*p likewise. */
static int emit_log_times(ll_builder *b)
{
    ll_expression *e = b->out;
    ll_operand *left = &b->operands[b->operand_count - 2];
    long right = left[1].start, n = right - 1 - left->start;
    if (e->steps[right - 1].kind != LL_STEP_LOG)
        return 0;
    if (is_same(e, right, e->step_count - right, left->start, n)) {
        emit_u_log_u(b, n, left[1].shape);
        return 1;
    }
    if (!has_factor(e, right, e->step_count, left->start, n))
        return 0;
    left->shape = (ll_shape)e->steps[right - 1].left;
    memmove(&e->steps[right - 1], &e->steps[right], (size_t)(e->step_count - right) * sizeof *e->steps);
    e->step_count--;
    emit_binary(b, LL_STEP_LOG_MUL);
    return 1;
}

/* a*(-b) is emitted as -(a*b): the same in every arithmetic, and x*-log(x) shows its x*log(x). */
static void emit_product(ll_builder *b)
{
    ll_expression *e = b->out;
    int negative = 0;
    for (; e->steps[e->step_count - 1].kind == LL_STEP_NEG; e->step_count--)
        negative = !negative;
    if (!emit_times_log(b) && !emit_log_times(b))
        emit_binary(b, LL_STEP_MUL);
    if (negative)
        emit_unary(b, LL_STEP_NEG);
}

/* Is the last operand a literal integer n, |n| <= LITERAL_POWER (with a minus or without)? */
static int is_literal_integer(const ll_builder *b, long *n)
{
    const ll_expression *e = b->out;
    long start = b->operands[b->operand_count - 1].start, steps = e->step_count - start;
    if (e->steps[start].kind != LL_STEP_NUMBER || steps > 2 || (steps == 2 && e->steps[start + 1].kind != LL_STEP_NEG))
        return 0;
    const ll_exact *number = &e->numbers[e->steps[start].index];
    double d = ll_exact_get_d(number);
    if (!(d >= 0 && d <= LITERAL_POWER))
        return 0;
    ll_exact integer;
    ll_exact_init(&integer);
    ll_exact_set_si(&integer, (slong)d);
    int same = ll_exact_cmp(&integer, number) == 0;
    ll_exact_clear(&integer);
    *n = steps == 2 ? -(long)d : (long)d;
    return same;
}

/* u^n without its exponent operand; u^0 is the number 1 and u^1 is u. */
static void emit_literal_power(ll_builder *b, long n)
{
    ll_expression *e = b->out;
    e->step_count = b->operands[--b->operand_count].start;
    if (n == 1)
        return;
    if (n == 0) {
        e->step_count = b->operands[--b->operand_count].start;
        ll_builder_push(b, LL_STEP_NUMBER, LL_NUMBER_ONE, LL_CONSTANT);
        return;
    }
    emit_unary(b, LL_STEP_POWER);
    ll_step *step = &e->steps[e->step_count - 1];
    step->exponent = (int8_t)n;
    step->index = (uint32_t)ll_builder_push_number(b);
    ll_exact_set_si(&e->numbers[step->index], n);
    ll_exact_set_si(&e->numbers[ll_builder_push_number(b)], n * (n - 1));
}

void ll_builder_apply(ll_builder *b, ll_step_kind kind)
{
    long n;
    if (kind >= LL_STEP_NEG)
        emit_unary(b, kind);
    else if (kind == LL_STEP_MUL)
        emit_product(b);
    else if (kind == LL_STEP_POW && is_literal_integer(b, &n))
        emit_literal_power(b, n);
    else
        emit_binary(b, kind);
}
