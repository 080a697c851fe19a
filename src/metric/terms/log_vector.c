/* -ln of many doubles at once, without branches, so that the loop vectorises; no fused operations, so that the bits are
 * the same whatever the machine.
 *
 * x = 2^k m, m in [sqrt(1/2), sqrt 2), f = m - 1 exactly, s = f/(2+f), |s| <= 3 - 2 sqrt 2 < 0.1716. Then
 * ln m = 2 atanh s = 2s + sR with R = 2/3 s^2 + 2/5 s^4 + ..., and 2s = f - sf, sf = h - sh with h = f^2/2, so
 *     ln m = f - (h - s(h + R)),
 * where only f is large: its rounding error is none, h < 0.21 |f|, and what is added to it is computed to a few
 * ulp of h. R is cut after s^20: the next term is below 2/23 * 0.02945^11 < 2^-59 of the first.
 * ln 2 = HIGH + LOW, HIGH with 42 bits: k*HIGH is exact. In all below 1 ulp (measured: 0.9). */
#include "metric/terms/native.h"

#include <string.h>

#define HIGH 0x1.62e42fefa3800p-1
#define LOW 0x1.ef35793c76730p-45

#define BELOW_ONE UINT64_C(0x3fe6a09e667f3bcd) /* sqrt(1/2) */
#define ONE UINT64_C(0x3ff0000000000000)
#define FRACTION UINT64_C(0x000fffffffffffff)
#define TWO_52 UINT64_C(0x4330000000000000)
#define NORMAL INT64_C(0x0010000000000000) /* 2^-1022 */
#define SHIFT UINT64_C(54)

static inline double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t to_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

LL_NATIVE_FAST static void minus_log(double *restrict out, const double *restrict x, long n)
{
    for (long i = 0; i < n; ++i) {
        /* All ones where x is below the normal numbers: a mask, since a choice of doubles would become a branch. */
        uint64_t subnormal = -(uint64_t)((int64_t)to_bits(x[i]) < NORMAL);
        double scaled = x[i] * from_bits(ONE + (subnormal & SHIFT << 52)); /* times 1 or 2^54 */
        /* Moved by ONE - BELOW_ONE, the exponent field counts binades that begin at sqrt(1/2); 2^52 + field is exact.
         */
        uint64_t moved = to_bits(scaled) + (ONE - BELOW_ONE);
        double k = from_bits(TWO_52 | (moved >> 52)) - (0x1p52 + 1023) - from_bits(subnormal & to_bits(SHIFT));
        double f = from_bits((moved & FRACTION) + BELOW_ONE) - 1;
        double s = f / (2 + f), z = s * s, h = 0.5 * f * f;
        double r =
            z * (2. / 3 +
                 z * (2. / 5 +
                      z * (2. / 7 +
                           z * (2. / 9 +
                                z * (2. / 11 +
                                     z * (2. / 13 + z * (2. / 15 + z * (2. / 17 + z * (2. / 19 + z * (2. / 21))))))))));
        out[i] = ((h - (s * (h + r) + k * LOW)) - f) - k * HIGH;
    }
}

/* The clones' resolver would be exported with a clone that is not static. */
void ll_native_minus_log(double *out, const double *x, long n)
{
    minus_log(out, x, n);
}
