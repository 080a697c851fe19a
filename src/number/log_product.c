/* ln of a product of doubles.
 *
 * q = m 2^e with m in [1,2), by cutting the bits. A lane is multiplied by at most LONGEST mantissas before its own
 * exponent is moved out, so it stays in [1, 2^1001]: no product overflows or is subnormal, and each is
 * the exact one times 1 + d with |d| <= u/(1+u), that is |ln(1+d)| <= ln(1+u) <= u = 2^-53.
 *
 * The loop assumes normal factors and watches for others in one integer: subtracting or adding the lowest bit of the
 * exponent field makes the sign bit appear for every zero, subnormal, negative number, infinity and NaN (below).
 * Only then the block is done again, factor by factor. */
#include "number/log_product.h"
#include "number/assumptions.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { LANES = LL_LOG_PRODUCT_LANES, LONGEST = 1000, BIAS = 1023 };

#define LOW_EXPONENT (UINT64_C(1) << 52)
#define ONE (UINT64_C(1023) << 52) /* the bits of 1.0 */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#define FAST __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define FAST
#endif

/* rows * LANES factors, 0 <= rows <= LONGEST. Adds the exponent fields; returns whether all factors were
 * positive normal numbers, and otherwise the lanes and the exponent are of no use.
 *
 * Let b be the bits and l the lowest bit of the exponent field. For normal positive numbers l <= b < 2047 l, and
 * neither b - l nor b + l has the top bit 2048 l. Zero and subnormals have b < l: b - l wraps and has it. Infinity
 * and NaN have 2047 l <= b < 2048 l: b + l has it. Negative: 2048 l <= b; b + l has it unless it wraps, b >= 4095 l,
 * and then b - l has it. */
FAST static int multiply_rows(double lanes[LANES], int64_t *exponent, const double *q, long rows)
{
    double products[LANES];
    uint64_t fields[LANES] = {0}, odd[LANES] = {0};
    for (int k = 0; k < LANES; k++)
        products[k] = lanes[k];
    for (long i = 0; i < rows; i++) {
        for (int k = 0; k < LANES; k++) {
            uint64_t bits, mantissa_bits;
            double mantissa;
            memcpy(&bits, &q[i * LANES + k], sizeof bits);
            mantissa_bits = (bits & (LOW_EXPONENT - 1)) | ONE;
            memcpy(&mantissa, &mantissa_bits, sizeof mantissa);
            products[k] *= mantissa;
            fields[k] += bits >> 52;
            odd[k] |= (bits - LOW_EXPONENT) | (bits + LOW_EXPONENT);
        }
    }
    uint64_t sum = 0, any = 0;
    for (int k = 0; k < LANES; k++) {
        lanes[k] = products[k];
        sum += fields[k];
        any |= odd[k];
    }
    *exponent += (int64_t)sum - rows * LANES * BIAS;
    return any >> 63 == 0;
}

/* x = mantissa 2^exponent for any positive finite x. A subnormal times 2^54 is exact and normal. */
static double split(int64_t *exponent, double x)
{
    int is_subnormal = x < DBL_MIN;
    uint64_t bits;
    double scaled = is_subnormal ? x * 0x1p54 : x;
    memcpy(&bits, &scaled, sizeof bits);
    *exponent += (int64_t)(bits >> 52) - BIAS - (is_subnormal ? 54 : 0);
    bits = (bits & (LOW_EXPONENT - 1)) | ONE;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void renormalise(ll_log_product *product)
{
    for (int k = 0; k < LANES; k++)
        product->lanes[k] = split(&product->exponent, product->lanes[k]);
}

/* n <= LANES * LONGEST factors one by one, each looked at. */
static ll_status multiply_slowly(ll_log_product *product, const double *q, long n)
{
    for (long i = 0; i < n; i++) {
        if (!(q[i] > 0 && q[i] <= DBL_MAX)) {
            product->spoilt = 1;
            return LL_DOMAIN;
        }
        product->lanes[i % LANES] *= split(&product->exponent, q[i]);
    }
    return LL_OK;
}

static ll_status multiply_block(ll_log_product *product, const double *q, long n)
{
    double lanes[LANES];
    int64_t exponent = product->exponent;
    long rows = n / LANES, done = 0;
    memcpy(lanes, product->lanes, sizeof lanes);
    if (multiply_rows(lanes, &exponent, q, rows)) {
        memcpy(product->lanes, lanes, sizeof lanes);
        product->exponent = exponent;
        done = rows * LANES;
    }
    ll_status status = multiply_slowly(product, q + done, n - done);
    renormalise(product);
    return status;
}

void ll_log_product_init(ll_log_product *product)
{
    *product = (ll_log_product){.exponent = 0};
    for (int k = 0; k < LANES; k++)
        product->lanes[k] = 1;
}

ll_status ll_log_product_add(ll_log_product *product, const double *q, long n)
{
    const long block = (LONGEST - 1) * LANES; /* and one factor more a lane for what is left over */
    assert(n >= 0);
    product->factors += n;
    if (product->used < n)
        product->used = n < LANES ? n : LANES;
    for (long i = 0; i < n && !product->spoilt; i += block) {
        long count = n - i < block ? n - i : block;
        if (multiply_block(product, q + i, count) != LL_OK)
            return LL_DOMAIN;
    }
    return product->spoilt ? LL_DOMAIN : LL_OK;
}

void ll_log_product_get(arb_t out, const ll_log_product *product, slong prec)
{
    if (product->spoilt) {
        arb_indeterminate(out);
        return;
    }
    arb_t term;
    arb_init(term);
    arf_one(arb_midref(out));
    mag_zero(arb_radref(out));
    for (int k = 0; k < LANES; k++) {
        arb_set_d(term, product->lanes[k]);
        arb_mul(out, out, term, ARF_PREC_EXACT);
    }
    arb_log(out, out, prec);
    arb_const_log2(term, prec);
    arb_mul_si(term, term, (slong)product->exponent, prec);
    arb_add(out, out, term, prec);
    /* The first factor of a lane multiplies 1. */
    mag_t rounding;
    mag_init(rounding);
    mag_set_ui_2exp_si(rounding, (ulong)(product->factors - product->used), -53);
    mag_add(arb_radref(out), arb_radref(out), rounding);
    mag_clear(rounding);
    arb_clear(term);
}
