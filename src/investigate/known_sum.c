/* Sums of labels: substitution, common divisors and cuts by size. */
#include "investigate/known_sum.h"

#include "number/whole.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

ll_status ll_known_sum_init(ll_known_sum *sum, long room)
{
    *sum = (ll_known_sum){.variables = malloc(sizeof *sum->variables * (size_t)room + 1),
                          .weights = malloc(sizeof *sum->weights * (size_t)room + 1)};
    if (sum->variables != NULL && sum->weights != NULL)
        return LL_OK;
    ll_known_sum_clear(sum);
    return LL_MEMORY;
}

ll_status ll_known_sum_copy(ll_known_sum *out, const ll_known_sum *sum)
{
    if (ll_known_sum_init(out, sum->count) != LL_OK)
        return LL_MEMORY;
    memcpy(out->variables, sum->variables, sizeof *sum->variables * (size_t)sum->count);
    memcpy(out->weights, sum->weights, sizeof *sum->weights * (size_t)sum->count);
    out->count = sum->count;
    out->low = sum->low;
    out->high = sum->high;
    return LL_OK;
}

void ll_known_sum_clear(ll_known_sum *sum)
{
    free(sum->variables);
    free(sum->weights);
    *sum = (ll_known_sum){0};
}

void ll_known_sum_range(const ll_known_sum *sum, int64_t *least, int64_t *greatest)
{
    *least = *greatest = 0;
    for (long j = 0; j < sum->count; j++)
        *(sum->weights[j] < 0 ? least : greatest) += sum->weights[j];
}

int ll_known_sum_substitute(ll_known_sum *sum, int32_t variable, int value)
{
    for (long j = 0; j < sum->count; j++)
        if (sum->variables[j] == variable) {
            int64_t added = value ? sum->weights[j] : 0;
            sum->low -= added;
            sum->high -= added;
            sum->count--;
            sum->variables[j] = sum->variables[sum->count];
            sum->weights[j] = sum->weights[sum->count];
            return 1;
        }
    return 0;
}

static int64_t divide_down(int64_t x, int64_t by)
{
    assert(by > 0);
    return x / by - (x % by < 0);
}

static int64_t divide_up(int64_t x, int64_t by)
{
    return -divide_down(-x, by);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int ll_known_sum_normalise(ll_known_sum *sum)
{
    int64_t divisor = 0, least, greatest;
    for (long j = 0; j < sum->count; j++)
        divisor = common_divisor(divisor, sum->weights[j]);
    for (long j = 0; j < sum->count && divisor > 1; j++)
        sum->weights[j] /= divisor;
    if (divisor > 1) {
        sum->low = divide_up(sum->low, divisor);
        sum->high = divide_down(sum->high, divisor);
    }
    ll_known_sum_range(sum, &least, &greatest);
    sum->low = ll_most(sum->low, least);
    sum->high = ll_least(sum->high, greatest);
    return sum->low <= sum->high;
}

/* ---- cuts ---- */

typedef struct {
    int64_t weight;
    int32_t variable;
} item;

static int compare_items(const void *a, const void *b)
{
    int64_t x = ((const item *)a)->weight, y = ((const item *)b)->weight;
    x = x < 0 ? -x : x;
    y = y < 0 ? -y : y;
    return (x > y) - (x < y);
}

static item *sort_items(const ll_known_sum *sum)
{
    item *items = malloc(sizeof *items * (size_t)sum->count + 1);
    for (long j = 0; items != NULL && j < sum->count; j++)
        items[j] = (item){sum->weights[j], sum->variables[j]};
    if (items != NULL)
        qsort(items, (size_t)sum->count, sizeof *items, compare_items);
    return items;
}

/* The largest number of small items at which the sum can be cut; 0: none. *divisor: of the others. */
static long find_cut(const item *items, long count, int64_t width, int64_t *divisor)
{
    int64_t below = 0, of_rest = 0;
    for (long j = 0; j < count; j++)
        below += items[j].weight < 0 ? -items[j].weight : items[j].weight;
    for (long j = count; j > 1; j--) {
        of_rest = common_divisor(of_rest, items[j - 1].weight);
        below -= items[j - 1].weight < 0 ? -items[j - 1].weight : items[j - 1].weight;
        if (below + width < of_rest) {
            *divisor = of_rest;
            return j - 1;
        }
    }
    return 0;
}

static void set_items(ll_known_sum *sum, const item *items, long count)
{
    sum->count = count;
    for (long j = 0; j < count; j++) {
        sum->variables[j] = items[j].variable;
        sum->weights[j] = items[j].weight;
    }
}

int ll_known_sum_cut(ll_known_sum *sum, ll_known_sum *large)
{
    int64_t divisor = 0, least, greatest;
    item *items = sort_items(sum);
    long small = items != NULL ? find_cut(items, sum->count, sum->high - sum->low, &divisor) : 0, count = sum->count;
    int cut = 0;
    if (small > 0 && ll_known_sum_init(large, count - small) == LL_OK) {
        set_items(large, items + small, count - small);
        set_items(sum, items, small);
        ll_known_sum_range(sum, &least, &greatest);
        large->low = divisor * divide_up(sum->low - greatest, divisor);
        large->high = divisor * divide_down(sum->high - least, divisor);
        cut = large->low <= large->high ? 1 : -1;
        sum->low -= large->low;
        sum->high -= large->low;
        if (cut < 0)
            ll_known_sum_clear(large);
    }
    free(items);
    return cut;
}
