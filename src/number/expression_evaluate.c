/* The program of an expression, run on its stack of jets; each step is done in expression_jet.c. */
#include "number/expression_private.h"

#include <stdlib.h>

struct ll_evaluator {
    ll_arithmetic a;
    ll_value *numbers;
    ll_machine m;
};

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

static void run_and_get(ll_machine *m, ll_value *const out[3], const ll_value *x, const ll_value *alpha)
{
    m->order = out[2] ? 2 : out[1] ? 1 : 0;
    run(m, x, alpha);
    for (int k = 0; k < 3; k++)
        get(m, out[k], k);
}

enum { SCRATCH = 7 };

/* program, a and room are set. */
static void machine_each(ll_machine *m, void (*f)(const ll_arithmetic *a, ll_value *x))
{
    ll_value *scratch[SCRATCH] = {&m->t.value, &m->t.slope, &m->t.bend, &m->t.number,
                                  &m->t.term,  &m->t.more,  &m->t.power};
    for (int i = 0; i < SCRATCH; i++)
        f(m->a, scratch[i]);
    for (long i = 0; i < m->program->depth; i++)
        for (int k = 0; k <= m->room; k++)
            f(m->a, &m->stack[i].d[k]);
}

void ll_expression_evaluate(const ll_expression *expression, const ll_arithmetic *a, ll_value *value, ll_value *first,
                            ll_value *second, const ll_value *x, const ll_value *alpha)
{
    ll_machine m;
    m.program = expression;
    m.a = a;
    m.numbers = NULL;
    m.room = second ? 2 : first ? 1 : 0;
    machine_each(&m, a->ops->init);
    run_and_get(&m, (ll_value *[]){value, first, second}, x, alpha);
    machine_each(&m, a->ops->clear);
}

ll_status ll_evaluator_create(ll_evaluator **out, const ll_expression *expression, const ll_arithmetic *a,
                              ll_error *error)
{
    ll_evaluator *evaluator = malloc(sizeof *evaluator);
    ll_value *numbers = calloc((size_t)expression->number_count, sizeof *numbers);
    if (!evaluator || !numbers) {
        free(numbers);
        free(evaluator);
        return ll_fail(error, LL_MEMORY, "no memory to evaluate an expression");
    }
    evaluator->a = *a;
    evaluator->numbers = numbers;
    for (long i = 0; i < expression->number_count; i++) {
        a->ops->init(a, &numbers[i]);
        a->ops->set_exact(a, &numbers[i], &expression->numbers[i]);
    }
    evaluator->m.program = expression;
    evaluator->m.a = &evaluator->a;
    evaluator->m.numbers = numbers;
    evaluator->m.room = 2;
    machine_each(&evaluator->m, a->ops->init);
    *out = evaluator;
    return LL_OK;
}

void ll_evaluator_destroy(ll_evaluator *evaluator)
{
    if (!evaluator)
        return;
    machine_each(&evaluator->m, evaluator->a.ops->clear);
    for (long i = 0; i < evaluator->m.program->number_count; i++)
        evaluator->a.ops->clear(&evaluator->a, &evaluator->numbers[i]);
    free(evaluator->numbers);
    free(evaluator);
}

void ll_evaluator_run(ll_evaluator *evaluator, ll_value *value, ll_value *first, ll_value *second, const ll_value *x,
                      const ll_value *alpha)
{
    run_and_get(&evaluator->m, (ll_value *[]){value, first, second}, x, alpha);
}
