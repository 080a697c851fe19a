#include "slow_formula.h"

#include <stdlib.h>

static int is_true(int literal, unsigned sigma)
{
    int label = (int)(sigma >> (abs(literal) - 1) & 1);
    return literal > 0 ? label : 1 - label;
}

static int true_literals(const slow_formula *f, int clause, unsigned sigma)
{
    int count = 0;
    for (int i = 0; i < f->width[clause]; i++)
        count += is_true(f->literal[clause][i], sigma);
    return count;
}

int slow_falsified(const slow_formula *f, unsigned sigma)
{
    int count = 0;
    for (int c = 0; c < f->clauses; c++)
        if (true_literals(f, c, sigma) == 0)
            count++;
    return count;
}

unsigned slow_models(const slow_formula *f)
{
    unsigned count = 0;
    for (unsigned sigma = 0; sigma < 1u << f->variables; sigma++)
        count += slow_falsified(f, sigma) == 0;
    return count;
}

static int next_prime(int n)
{
    for (n++;; n++) {
        int divisors = 0;
        for (int d = 1; d <= n; d++)
            divisors += n % d == 0;
        if (divisors == 2)
            return n;
    }
}

static slow_value prime_product(int above, int count, unsigned sigma)
{
    slow_value product = 1;
    for (int i = 0, p = above; i < count; i++) {
        p = next_prime(p);
        product *= sigma >> i & 1 ? (unsigned)p : 1;
    }
    return product;
}

slow_value slow_reduction(const slow_formula *f, unsigned sigma)
{
    return (unsigned)slow_falsified(f, sigma) * prime_product(f->clauses, f->variables, sigma);
}

slow_value slow_paper(const slow_formula *f, const int *theta, unsigned sigma)
{
    slow_value product = prime_product(4, f->variables, sigma);
    for (int c = 0; c < f->clauses; c++)
        for (int i = 0; i < theta[c]; i++)
            product *= (unsigned)true_literals(f, c, sigma);
    return product;
}

static int by_value(const void *a, const void *b)
{
    slow_value x = *(const slow_value *)a, y = *(const slow_value *)b;
    return (x > y) - (x < y);
}

int slow_all_differ(slow_value *values, unsigned count)
{
    qsort(values, count, sizeof *values, by_value);
    for (unsigned i = 1; i < count; i++)
        if (values[i] == values[i - 1])
            return 0;
    return 1;
}
