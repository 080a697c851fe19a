/* The program of an expression, run on its stack of jets; each step is done in expression_jet.c. */
#include "number/expression_private.h"

static void run_push(ll_machine *m, ll_jet *top, const ll_step *step, const ll_value *x, const ll_value *alpha)
{
    if (step->kind == LL_STEP_NUMBER)
        m->a->ops->set(m->a, &top->d[0], ll_machine_number(m, step->index));
    else
        m->a->ops->set(m->a, &top->d[0], step->kind == LL_STEP_X ? x : alpha);
    if (step->kind == LL_STEP_X && m->order >= 1)
        m->a->ops->set(m->a, &top->d[1], ll_machine_number(m, LL_NUMBER_ONE));
}

static void run(ll_machine *m, const ll_value *x, const ll_value *alpha)
{
    long count = 0;
    for (long i = 0; i < m->program->step_count; i++) {
        const ll_step *step = &m->program->steps[i];
        if (step->kind <= LL_STEP_ALPHA)
            run_push(m, &m->stack[count++], step, x, alpha);
        else if (step->kind <= LL_STEP_LOG_MUL)
            ll_machine_binary(m, &m->stack[--count - 1], step);
        else
            ll_machine_unary(m, &m->stack[count - 1], step);
    }
}

static void get(ll_machine *m, ll_value *out, int k)
{
    if (out)
        m->a->ops->set(m->a, out,
                       (int)m->program->shape >= k ? &m->stack[0].d[k] : ll_machine_number(m, LL_NUMBER_ZERO));
}

enum { SCRATCH = 7 };

/* program, a and order are set. */
static void machine_each(ll_machine *m, void (*f)(const ll_arithmetic *a, ll_value *x))
{
    ll_value *scratch[SCRATCH] = {&m->t.value, &m->t.slope, &m->t.bend, &m->t.number,
                                  &m->t.term,  &m->t.more,  &m->t.power};
    for (int i = 0; i < SCRATCH; i++)
        f(m->a, scratch[i]);
    for (long i = 0; i < m->program->depth; i++)
        for (int k = 0; k <= m->order; k++)
            f(m->a, &m->stack[i].d[k]);
}

void ll_expression_evaluate(const ll_expression *expression, const ll_arithmetic *a, ll_value *value, ll_value *first,
                            ll_value *second, const ll_value *x, const ll_value *alpha)
{
    ll_value *const out[3] = {value, first, second};
    ll_machine m;
    m.program = expression;
    m.a = a;
    m.order = second ? 2 : first ? 1 : 0;
    machine_each(&m, a->ops->init);
    run(&m, x, alpha);
    for (int k = 0; k < 3; k++)
        get(&m, out[k], k);
    machine_each(&m, a->ops->clear);
}
