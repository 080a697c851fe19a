/* What the parts of `separate` cost, in seconds: about twice what they took on a machine of 2022, each loss and
 * arithmetic at its dearest. Too much is answered with fewer rows or bits; too little, with the program's own limit of
 * time. */
#include "separate/separate_private.h"

#include <math.h>

void ll_effort_set(ll_effort *effort, double max_seconds)
{
    effort->left = 0.9 * max_seconds;
}

int ll_effort_take(ll_effort *effort, double seconds)
{
    int enough = seconds <= effort->left;
    if (enough)
        effort->left -= seconds;
    return enough;
}

void ll_effort_spend(ll_effort *effort, double seconds)
{
    effort->left -= seconds;
}

static double columns(const ll_terms *terms)
{
    return (double)terms->block.columns;
}

/* One entry's part of a term, in arithmetic of so many bits. */
static double ball_cost(double bits)
{
    return 5e-5 * (1 + pow(bits / 400, 1.5));
}

static double term_cost(const ll_terms *terms, slong bits)
{
    const ll_computation *how = terms->scoring->how;
    if (how->kind == LL_KIND_NATIVE)
        return 2e-5 + 5e-6 * columns(terms);
    if (how->kind == LL_KIND_FORMAT)
        return columns(terms) * (1e-4 + ball_cost((double)how->total.format.fraction_bits));
    return columns(terms) * ball_cost((double)bits);
}

double ll_terms_cost(const ll_terms *terms, slong bits)
{
    return (double)terms->rows * (double)terms->classes * term_cost(terms, bits);
}

/* A row of a labelling; FPA only adds. */
static double row_cost(const ll_terms *terms)
{
    const ll_computation *how = terms->scoring->how;
    if (how->kind == LL_KIND_NATIVE)
        return 2e-6 + 4e-6 * columns(terms);
    if (how->kind == LL_KIND_FORMAT)
        return 1e-6 + 1e-9 * (double)how->total.format.fraction_bits;
    return columns(terms) * ball_cost(128);
}

double ll_scores_cost(const ll_terms *terms, double count)
{
    double first = terms->scoring->how->kind == LL_KIND_FORMAT ? ll_terms_cost(terms, 128) : 0;
    return first + count * (4e-6 + (double)terms->rows * row_cost(terms));
}
