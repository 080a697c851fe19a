/* Running sums: hardware floats go to sum_native.c, all else to sum_generic.c. */
#include "number/sum_private.h"

#include <assert.h>
#include <stdlib.h>

struct ll_sum {
    long terms, seen;
    ll_sum_native *native; /* exactly one of the two is set */
    ll_sum_generic *generic;
};

ll_sum *ll_sum_create(const ll_arithmetic *a, ll_order order, long terms)
{
    assert(terms >= 0);
    ll_sum *sum = calloc(1, sizeof *sum);
    if (!sum)
        return NULL;
    sum->terms = terms;
    if (a->ops == &ll_arithmetic_fp64 || a->ops == &ll_arithmetic_fp32)
        sum->native = ll_sum_native_create(order, terms, a->ops == &ll_arithmetic_fp32);
    else
        sum->generic = ll_sum_generic_create(a, order, terms);
    if (sum->native || sum->generic)
        return sum;
    free(sum);
    return NULL;
}

void ll_sum_destroy(ll_sum *sum)
{
    if (!sum)
        return;
    ll_sum_native_destroy(sum->native);
    ll_sum_generic_destroy(sum->generic);
    free(sum);
}

void ll_sum_add_doubles(ll_sum *sum, const double *x, long n)
{
    assert(sum->native && n >= 0 && n <= sum->terms - sum->seen);
    sum->seen += n;
    ll_sum_native_add(sum->native, x, n);
}

void ll_sum_add(ll_sum *sum, const ll_value *x)
{
    if (sum->native) {
        ll_sum_add_doubles(sum, &x->native, 1);
        return;
    }
    assert(sum->seen < sum->terms);
    sum->seen++;
    ll_sum_generic_add(sum->generic, x);
}

void ll_sum_get(ll_sum *sum, ll_value *out)
{
    assert(sum->seen == sum->terms);
    if (sum->native)
        out->native = ll_sum_native_get(sum->native);
    else
        ll_sum_generic_get(sum->generic, out);
}
