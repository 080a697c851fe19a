/* The table of laws of noise, and what is asked of any of them. */
#include "release/laws.h"
#include "release/release.h"

#include <string.h>

#define ROW(name, size, sentence) &ll_law_##name,
static const ll_law *const laws[] = {LL_LAWS(ROW)};

const ll_law *ll_law_get(long index)
{
    return index >= 0 && index < (long)(sizeof laws / sizeof laws[0]) ? laws[index] : NULL;
}

const ll_law *ll_law_find(const char *name, unsigned long length)
{
    for (long i = 0; ll_law_get(i) != NULL; i++)
        if (strlen(laws[i]->name) == length && memcmp(laws[i]->name, name, length) == 0)
            return laws[i];
    return NULL;
}

int ll_law_is_random(const ll_law *law)
{
    return law != NULL && law->is_random;
}

double ll_law_quantile(const ll_law *law, double size, long repeats, double probability)
{
    double low = 0, high = 1;
    while (law->tail(high, repeats) > probability && high < 1e6)
        high *= 2;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (law->tail(middle, repeats) > probability * (1 - 1e-9))
            low = middle;
        else
            high = middle;
    }
    return size * high * (1 + 1e-9);
}

double ll_release_quantile(const ll_release *r, long repeats, double probability)
{
    return ll_law_is_random(r->noise) ? ll_law_quantile(r->noise, ll_exact_get_d(&r->noise_size), repeats, probability)
                                      : 0;
}
