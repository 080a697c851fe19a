/* What the numeric code relies on and the C standard leaves open. Included by the files that rely on it. */
#ifndef LL_NUMBER_ASSUMPTIONS_H
#define LL_NUMBER_ASSUMPTIONS_H

#include <float.h>
#include <limits.h>
#include <stdint.h>

_Static_assert(FLT_RADIX == 2 && sizeof(double) == 8 && sizeof(float) == 4, "binary floats of 64 and 32 bits");
_Static_assert(DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024 && DBL_MIN_EXP + 1021 == 0, "double is binary64");
_Static_assert(FLT_MANT_DIG == 24 && FLT_MAX_EXP == 128 && FLT_MIN_EXP + 125 == 0, "float is binary32");
_Static_assert(DBL_HAS_SUBNORM == 1 && FLT_HAS_SUBNORM == 1, "subnormals are there");
_Static_assert(FLT_EVAL_METHOD == 0, "every operation is rounded to its own type");
_Static_assert(LONG_MAX == INT64_MAX && sizeof(long) == 8, "long has 64 bits");
_Static_assert((-1 & 3) == 3, "two's complement");
#if defined(__BYTE_ORDER__) && defined(__FLOAT_WORD_ORDER__)
_Static_assert(__BYTE_ORDER__ == __FLOAT_WORD_ORDER__, "a double and a 64-bit integer have the same byte order");
#endif

#if defined(__FAST_MATH__)
#error "-ffast-math reorders sums and drops NaN: no result here would be what it claims"
#endif
#if defined(NDEBUG)
#error "asserts guard lengths and orders of calls inside the library: build it without NDEBUG"
#endif

#endif
