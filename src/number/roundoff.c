#include "number/roundoff.h"

#include <math.h>

/* y = x (1 + d), |d| <= e < 1, so that x = y (1 + d'), |d'| <= e / (1 - e). */
static void add_relative(arb_t x, double e)
{
    mag_t size, part;
    mag_init(size);
    mag_init(part);
    arb_get_mag(size, x);
    mag_set_d(part, e / (1 - e) * (1 + 0x1p-30));
    mag_mul(size, size, part);
    arb_add_error_mag(x, size);
    mag_clear(size);
    mag_clear(part);
}

void ll_roundoff_add(arb_t x, const ll_format *format, double units)
{
    long fraction = format->fraction_bits < 1000 ? format->fraction_bits : 1000;
    long exponents = format->exponent_bits < 40 ? format->exponent_bits : 40;
    double e = ldexp(units, (int)-fraction - 1);
    if (units <= 0)
        return;
    if (!(e < 0.5)) {
        arb_indeterminate(x);
        return;
    }
    add_relative(x, e);
    mag_t least; /* 2^(1 - bias - F), bias = 2^(E-1) - 1, and a half of it a rounding */
    mag_init(least);
    mag_set_ui_2exp_si(least, (ulong)ceil(units), 1 - (1L << (exponents - 1)) - format->fraction_bits + 1);
    mag_mul_2exp_si(least, least, -1);
    arb_add_error_mag(x, least);
    mag_clear(least);
}
