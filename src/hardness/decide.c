/* Is f separable? Two calls of CaDiCaL: a model, then another one that a blocking clause keeps from being the first.
 *
 * The blocking clause speaks of every variable of the formula, also of those that occur in no clause: flipping such
 * a variable in a model gives a model. "Two" is confirmed by evaluating f; "none" and "one" rest on the solver's
 * answer that a formula has no model. CaDiCaL ends the process where it is used wrongly or where memory ends: values
 * are read before the next clause is added, and its memory is predicted before and watched while it works. */
#include "hardness/hardness.h"
#include "number/budget.h"
#include "number/value.h"

#include <ccadical.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum { SATISFIABLE = 10, UNSATISFIABLE = 20 };

/* Measured on random 3-CNFs of 10^5 and 10^6 variables, with CaDiCaL 1.5.3: 200 bytes a variable and up to 130 a clause
 * of three. */
enum { FIXED_BYTES = 1 << 16, VARIABLE_BYTES = 256, LITERAL_BYTES = 32, CLAUSE_BYTES = 64 };

typedef struct {
    const ll_cnf *cnf;
    CCaDiCaL *solver;
    const ll_budget *budget;
    double memory_before, looked, deadline; /* looked: when the memory was last measured, seconds */
    int out_of_memory;
} search;

static double heap_bytes(void)
{
    struct mallinfo2 heap = mallinfo2();
    return (double)heap.uordblks + (double)heap.hblkhd;
}

/* Measuring the heap costs milliseconds, so it is done ten times a second. */
static int is_over_memory(search *s)
{
    double now = ll_clock();
    if (now - s->looked < 0.1)
        return s->out_of_memory;
    s->looked = now;
    s->out_of_memory |= heap_bytes() - s->memory_before > ll_budget_memory(s->budget);
    return s->out_of_memory;
}

static int should_stop(void *state)
{
    search *s = state;
    return is_over_memory(s) || ll_clock() > s->deadline || ll_budget_is_stopped(s->budget);
}

static ll_status check_memory(const ll_cnf *cnf, double max_memory, ll_error *error)
{
    size_t literals = cnf->clauses > 0 ? cnf->starts[cnf->clauses] : 0;
    double needed = FIXED_BYTES + (double)VARIABLE_BYTES * (double)cnf->variables +
                    (double)LITERAL_BYTES * (double)literals + (double)CLAUSE_BYTES * (double)cnf->clauses;
    if (needed <= max_memory)
        return LL_OK;
    return ll_fail(error, LL_UNABLE,
                   "%ld variables and %ld clauses: the search needs about %.0f bytes, over the %.0f allowed",
                   cnf->variables, cnf->clauses, needed, max_memory);
}

static void add_clauses(const search *s)
{
    for (long c = 0; c < s->cnf->clauses; c++) {
        for (size_t i = s->cnf->starts[c]; i < s->cnf->starts[c + 1]; i++)
            ccadical_add(s->solver, s->cnf->literals[i]);
        ccadical_add(s->solver, 0);
    }
}

/* The clause that is false in this labelling only. Without variables it is empty: there is one labelling. */
static void block(const search *s, const int32_t *labels)
{
    for (long i = 0; i < s->cnf->variables; i++)
        ccadical_add(s->solver, (int)(labels[i] ? -(i + 1) : i + 1));
    ccadical_add(s->solver, 0);
}

static ll_status fail_undecided(const search *s, long models, ll_error *error)
{
    const char *known = models == 0 ? "it is not known whether there is a model"
                                    : "one model was found, and it is not known whether there is a second";
    return ll_fail(error, LL_UNABLE, "undecided: %s (%s)", known,
                   s->out_of_memory ? "the search outgrew the memory allowed" : "the search was stopped");
}

/* The next model: *labels is allocated where there is one and stays NULL where there is none. */
static ll_status find_model(search *s, int32_t **labels, long models, ll_error *error)
{
    int answer = should_stop(s) ? 0 : ccadical_solve(s->solver);
    if (answer == UNSATISFIABLE)
        return LL_OK;
    if (answer != SATISFIABLE)
        return fail_undecided(s, models, error);
    int32_t *found = malloc(((size_t)s->cnf->variables + 1) * sizeof *found);
    if (!found)
        return ll_fail(error, LL_MEMORY, "no memory for a labelling");
    for (long i = 0; i < s->cnf->variables; i++)
        found[i] = ccadical_val(s->solver, (int)(i + 1)) > 0;
    *labels = found;
    return LL_OK;
}

/* No labelling leaves this file unless f says so itself. */
static ll_status confirm(const ll_cnf *cnf, const ll_hardness *found, ll_error *error)
{
    int right = 1;
    ll_status status = LL_OK;
    if (found->models == 2)
        status = ll_hardness_collide(&right, cnf, found->zeros[0], found->zeros[1]);
    for (long i = 0; i < found->models; i++)
        right &= ll_hardness_falsified(cnf, found->zeros[i]) == 0;
    if (status != LL_OK)
        return ll_fail(error, status, "no memory for a value of f");
    return right ? LL_OK : ll_fail(error, LL_UNABLE, "the solver's labelling is no model of the formula: no answer");
}

static ll_status search_models(search *s, ll_hardness *found, ll_error *error)
{
    for (found->models = 0; found->models < 2; found->models++) {
        int32_t **labels = &found->zeros[found->models];
        ll_status status = find_model(s, labels, found->models, error);
        if (status != LL_OK)
            return status;
        if (!*labels)
            break;
        block(s, *labels);
    }
    return confirm(s->cnf, found, error);
}

void ll_hardness_clear(ll_hardness *hardness)
{
    ll_hardness *all = ll_value_whole(hardness, sizeof *all);
    if (all == NULL)
        return;
    free(all->zeros[0]);
    free(all->zeros[1]);
    ll_value_reset(hardness);
}

ll_status ll_hardness_decide(ll_hardness *out, const ll_cnf *cnf, const ll_budget *budget, ll_error *error)
{
    search s = {.cnf = cnf,
                .budget = budget,
                .memory_before = heap_bytes(),
                .deadline = ll_clock() + ll_budget_seconds(budget)};
    ll_hardness found;
    ll_hardness_init(&found);
    ll_status status = ll_hardness_check(cnf, error);
    if (status == LL_OK)
        status = check_memory(cnf, ll_budget_memory(budget), error);
    if (status != LL_OK)
        return status;
    s.solver = ccadical_init();
    ccadical_set_option(s.solver, "quiet", 1);
    ccadical_set_terminate(s.solver, &s, should_stop);
    add_clauses(&s);
    status = search_models(&s, &found, error);
    ccadical_release(s.solver);
    if (status == LL_OK) {
        ll_hardness_clear(out);
        status = ll_value_give(out, &found, sizeof found, error);
    }
    if (status != LL_OK)
        ll_hardness_clear(&found);
    return status;
}
