/* The fast Walsh-Hadamard transform, in place, and what else is common to the room. */
#include "posterior/posterior.h"

#include <arb_hypgeom.h>

int ll_posterior_bits(long n)
{
    int bits = 0;
    while (bits < 62 && 1L << bits < n)
        bits++;
    return bits;
}

void ll_posterior_transform(double *x, int bits)
{
    const size_t n = (size_t)1 << bits;
    for (size_t half = 1; half < n; half *= 2)
        for (size_t first = 0; first < n; first += 2 * half) {
            double *restrict a = x + first, *restrict b = a + half;
            for (size_t i = 0; i < half; i++) {
                double sum = a[i] + b[i], difference = a[i] - b[i];
                a[i] = sum;
                b[i] = difference;
            }
        }
}
