/* Results of MPFR with many bits more than the format has, cut, and then rounded by slow_pack; and the
 * operands to try. The exponent range is MPFR's widest, so that only formats near 2^(2^62) could be lost. */
#include "slow_float.h"

enum { EXTRA_BITS = 64 };

typedef struct {
    mpfr_exp_t emin, emax;
} range;

static range widen(void)
{
    range old = {mpfr_get_emin(), mpfr_get_emax()};
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    return old;
}

static void restore(range old)
{
    mpfr_set_emin(old.emin);
    mpfr_set_emax(old.emax);
}

void slow_get_mpfr(slow_format format, mpfr_t out, uint64_t pattern)
{
    uint64_t mantissa;
    long exponent;
    int sign = slow_is_negative(format, pattern) ? -1 : 1;
    range old = widen();
    if (slow_is_nan(format, pattern)) {
        mpfr_set_nan(out);
    } else if (slow_is_infinite(format, pattern)) {
        mpfr_set_inf(out, sign);
    } else {
        slow_decode(format, &mantissa, &exponent, pattern);
        mpfr_set_ui_2exp(out, mantissa, exponent, MPFR_RNDZ);
        mpfr_setsign(out, out, sign < 0, MPFR_RNDZ);
    }
    restore(old);
}

static uint64_t pack(slow_format format, int *inexact, const mpfr_t x, int has_tail)
{
    int negative = mpfr_signbit(x) != 0;
    *inexact = has_tail;
    if (mpfr_nan_p(x))
        return slow_nan(format);
    if (mpfr_inf_p(x))
        return slow_infinity(format, negative);
    if (mpfr_zero_p(x))
        return slow_zero(format, negative);
    mpz_t mantissa;
    mpz_init(mantissa);
    long exponent = mpfr_get_z_2exp(mantissa, x);
    mpz_abs(mantissa, mantissa);
    uint64_t pattern = slow_pack(format, inexact, negative, mantissa, exponent, has_tail);
    mpz_clear(mantissa);
    return pattern;
}

uint64_t slow_set_mpfr(slow_format format, int *inexact, const mpfr_t x)
{
    return pack(format, inexact, x, 0);
}

uint64_t slow_wide_binary(slow_format format, char operation, const mpfr_t x, const mpfr_t y)
{
    int inexact = 0, cut = 0;
    mpfr_t z;
    range old = widen();
    mpfr_init2(z, format.fraction_bits + EXTRA_BITS);
    switch (operation) {
    case '+':
        cut = mpfr_add(z, x, y, MPFR_RNDZ);
        break;
    case '-':
        cut = mpfr_sub(z, x, y, MPFR_RNDZ);
        break;
    case '*':
        cut = mpfr_mul(z, x, y, MPFR_RNDZ);
        break;
    case '/':
        cut = mpfr_div(z, x, y, MPFR_RNDZ);
        break;
    default:
        cut = mpfr_pow(z, x, y, MPFR_RNDZ);
    }
    uint64_t pattern = pack(format, &inexact, z, cut != 0);
    mpfr_clear(z);
    restore(old);
    return pattern;
}

uint64_t slow_wide_unary(slow_format format, slow_function function, const mpfr_t x)
{
    static int (*const functions[SLOW_FUNCTIONS])(mpfr_t, const mpfr_t, mpfr_rnd_t) = {mpfr_log, mpfr_exp, mpfr_sqrt,
                                                                                       mpfr_log1p, mpfr_expm1};
    int inexact;
    mpfr_t z;
    range old = widen();
    mpfr_init2(z, format.fraction_bits + EXTRA_BITS);
    int cut = functions[function](z, x, MPFR_RNDZ);
    uint64_t pattern = pack(format, &inexact, z, cut != 0);
    mpfr_clear(z);
    restore(old);
    return pattern;
}

/* ------------------------------------------------------------------ operands */

uint64_t slow_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

slow_format slow_draw_format(uint64_t *state)
{
    uint64_t r = slow_random(state);
    int exponent_bits = 2 + (int)(r % 4 ? r / 4 % 10 : r / 4 % 61), most = 63 - exponent_bits;
    int is_short = most >= 4 && slow_random(state) % 2;
    return (slow_format){exponent_bits, 1 + (int)(slow_random(state) % (uint64_t)(is_short ? 4 : most))};
}

static uint64_t draw_exponent(slow_format format, uint64_t *state)
{
    uint64_t top = ((uint64_t)1 << format.exponent_bits) - 1, r = slow_random(state);
    switch (r % 8) {
    case 0:
        return 0;
    case 1:
        return 1 + r / 8 % 2;
    case 2:
        return top - r / 8 % 3;
    case 3:
        return top / 2 + r / 8 % 3 - 1;
    case 4:
        return r / 8 % (top < 40 ? top : 40); /* where products and quotients become subnormal */
    default:
        return r / 8 % (top + 1);
    }
}

static uint64_t draw_fraction(slow_format format, uint64_t *state)
{
    uint64_t mask = ((uint64_t)1 << format.fraction_bits) - 1, r = slow_random(state), some = r / 8 % 3;
    int shift = (int)(slow_random(state) % (uint64_t)format.fraction_bits);
    switch (r % 8) {
    case 0:
        return some & mask;
    case 1:
        return mask - (some & mask);
    case 2:
        return (((uint64_t)1 << shift) + some - 1) & mask;
    case 3:
        return mask << shift & mask;
    case 4:
        return mask >> shift;
    case 5: /* few leading bits: exact results and ties */
        return slow_random(state) << shift & mask;
    default:
        return slow_random(state) & mask;
    }
}

uint64_t slow_draw(slow_format format, uint64_t *state)
{
    uint64_t r = slow_random(state), mask = slow_infinity(format, 1) | (((uint64_t)1 << format.fraction_bits) - 1);
    if (r % 4 == 0)
        return slow_random(state) & mask;
    return slow_zero(format, r / 4 % 2 != 0) | draw_exponent(format, state) << format.fraction_bits |
           draw_fraction(format, state);
}

uint64_t slow_draw_near(slow_format format, uint64_t *state, uint64_t x)
{
    uint64_t r = slow_random(state), flip = slow_zero(format, r / 8 % 2 != 0), step = r / 16 % 5 - 2;
    uint64_t mask = slow_infinity(format, 1) | (((uint64_t)1 << format.fraction_bits) - 1);
    switch (r % 8) {
    case 0:
        return ((x + step) ^ flip) & mask;
    case 1:
        return ((x + (step << format.fraction_bits)) ^ flip) & mask;
    case 2: /* about half a unit in the last place of x */
        return ((x - ((uint64_t)(format.fraction_bits + 1) << format.fraction_bits) + step) ^ flip) & mask;
    default:
        return slow_draw(format, state);
    }
}
