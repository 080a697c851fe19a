/* FPA(phi) by MPFR.
 *
 * A format with E exponent and F fraction bits is MPFR's precision F+1 between two exponents. MPFR writes a
 * number as m * 2^e with 1/2 <= m < 1, so that with h = 2^(E-1) = bias + 1
 *
 *     largest finite      (1 - 2^-(F+1)) * 2^h            e = h
 *     smallest normal     2^(1-bias)      = 2^(2-h)       e = 3 - h
 *     smallest subnormal  2^(1-bias-F)    = 2^(2-h-F)     e = 3 - h - F
 *
 * Every operation runs in MPFR's widest range, rounded to F+1 bits with the ternary value (the side on
 * which the exact result lies). Only then the format's range is set: mpfr_check_range and
 * mpfr_subnormalize see the ternary value and so decide as if they rounded the exact result, once. */
#include "number/format.h"

#include <string.h>

_Static_assert(sizeof(mpfr_exp_t) == 8 && sizeof(long) == 8, "exponents of MPFR and long have 64 bits");

/* From here on the range is MPFR's, cut to 3-h at E = 63, so that no value in it is a subnormal of the format. */
enum { WIDE_BITS = 63 };

typedef struct {
    mpfr_exp_t emin, emax;
    mpfr_flags_t flags;
} state;

static int is_wide(const ll_format *format)
{
    return format->exponent_bits >= WIDE_BITS;
}

static mpfr_exp_t highest(const ll_format *format)
{
    return is_wide(format) ? mpfr_get_emax_max() : (mpfr_exp_t)1 << (format->exponent_bits - 1);
}

static mpfr_exp_t lowest(const ll_format *format)
{
    if (is_wide(format))
        return 3 - ((mpfr_exp_t)1 << (WIDE_BITS - 1));
    return 3 - ((mpfr_exp_t)1 << (format->exponent_bits - 1)) - format->fraction_bits;
}

static state enter(void)
{
    state caller = {mpfr_get_emin(), mpfr_get_emax(), mpfr_flags_save()};
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    mpfr_flags_clear(MPFR_FLAGS_ALL);
    return caller;
}

static void leave(const ll_format *format, state caller, mpfr_t out, int ternary)
{
    mpfr_set_emin(lowest(format));
    mpfr_set_emax(highest(format));
    ternary = mpfr_check_range(out, ternary, MPFR_RNDN);
    if (!is_wide(format))
        mpfr_subnormalize(out, ternary, MPFR_RNDN);
    else if (mpfr_flags_test(MPFR_FLAGS_OVERFLOW | MPFR_FLAGS_UNDERFLOW))
        mpfr_set_nan(out);
    mpfr_set_emin(caller.emin);
    mpfr_set_emax(caller.emax);
    mpfr_flags_restore(caller.flags, MPFR_FLAGS_ALL);
}

void ll_format_init(const ll_format *format, mpfr_t x)
{
    mpfr_init2(x, format->fraction_bits + 1);
    mpfr_set_zero(x, 1);
}

/* ------------------------------------------------------------------ operations */

#define UNARY(name, function)                                                                                          \
    void name(const ll_format *format, mpfr_t out, const mpfr_t x)                                                     \
    {                                                                                                                  \
        state caller = enter();                                                                                        \
        leave(format, caller, out, function(out, x, MPFR_RNDN));                                                       \
    }

#define BINARY(name, function)                                                                                         \
    void name(const ll_format *format, mpfr_t out, const mpfr_t x, const mpfr_t y)                                     \
    {                                                                                                                  \
        state caller = enter();                                                                                        \
        leave(format, caller, out, function(out, x, y, MPFR_RNDN));                                                    \
    }

UNARY(ll_format_set, mpfr_set)
UNARY(ll_format_neg, mpfr_neg)
UNARY(ll_format_log, mpfr_log)
UNARY(ll_format_exp, mpfr_exp)
UNARY(ll_format_sqrt, mpfr_sqrt)
UNARY(ll_format_log1p, mpfr_log1p)
UNARY(ll_format_expm1, mpfr_expm1)
BINARY(ll_format_add, mpfr_add)
BINARY(ll_format_sub, mpfr_sub)
BINARY(ll_format_mul, mpfr_mul)
BINARY(ll_format_div, mpfr_div)
BINARY(ll_format_pow, mpfr_pow)

void ll_format_set_d(const ll_format *format, mpfr_t out, double x)
{
    state caller = enter();
    leave(format, caller, out, mpfr_set_d(out, x, MPFR_RNDN));
}

/* ------------------------------------------------------------------ exact numbers */

/* mpfr_set_nan raises a flag. */
static void set_nan(const ll_format *format, mpfr_t out)
{
    state caller = enter();
    mpfr_set_nan(out);
    leave(format, caller, out, 0);
}

/* |x| is beyond every exponent of MPFR. */
static void set_far(const ll_format *format, mpfr_t out, int sign, int is_large)
{
    if (is_wide(format))
        set_nan(format, out);
    else if (is_large)
        mpfr_set_inf(out, sign);
    else
        mpfr_set_zero(out, sign);
}

void ll_format_set_arf(const ll_format *format, mpfr_t out, const arf_t x)
{
    if (arf_is_normal(x)) {
        int is_large = fmpz_cmp_si(ARF_EXPREF(x), mpfr_get_emax_max()) > 0;
        if (is_large || fmpz_cmp_si(ARF_EXPREF(x), mpfr_get_emin_min()) < 0) {
            set_far(format, out, arf_sgn(x), is_large);
            return;
        }
    }
    state caller = enter();
    leave(format, caller, out, arf_get_mpfr(out, x, MPFR_RNDN));
}

/* Rounding is monotone: where both ends of the ball round to one value, so does all that lies between. */
static int round_ends(const ll_format *format, mpfr_t below, mpfr_t above, const arb_t ball, slong prec)
{
    arf_t end;
    arf_init(end);
    arb_get_lbound_arf(end, ball, prec);
    ll_format_set_arf(format, below, end);
    arb_get_ubound_arf(end, ball, prec);
    ll_format_set_arf(format, above, end);
    arf_clear(end);
    if (mpfr_nan_p(below) || mpfr_nan_p(above))
        return mpfr_nan_p(below) && mpfr_nan_p(above);
    return mpfr_equal_p(below, above);
}

/* The value as a number, an infinity as the power of two that would follow the largest finite value. */
static void get_bound(const ll_format *format, arf_t out, const mpfr_t x)
{
    if (mpfr_inf_p(x))
        arf_set_si_2exp_si(out, mpfr_sgn(x), highest(format));
    else
        arf_set_mpfr(out, x);
}

/* x lies between the neighbours below and above, next to their middle but not on it: a middle has F+2 bits, so its
 * ball was a point. An exact comparison tells; the answer replaces above. */
static void decide(const ll_format *format, mpfr_t above, const mpfr_t below, const ll_exact *x)
{
    arf_t low, middle;
    ll_exact exact_middle;
    arf_init(low);
    arf_init(middle);
    ll_exact_init(&exact_middle);
    get_bound(format, low, below);
    get_bound(format, middle, above);
    arf_add(middle, middle, low, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_mul_2exp_si(middle, middle, -1);
    (void)ll_exact_set_arf(&exact_middle, middle);
    if (ll_exact_cmp(x, &exact_middle) < 0)
        ll_format_set(format, above, below);
    ll_exact_clear(&exact_middle);
    arf_clear(middle);
    arf_clear(low);
}

/* Ziv's loop: the first round, at 64 bits, settles all that overflows or underflows, whatever F is. With F+34 bits
 * or more a ball is narrower than half the space between neighbours, so that at most one middle is in it. */
void ll_format_set_exact(const ll_format *format, mpfr_t out, const ll_exact *x)
{
    if (ll_exact_sgn(x) == 0) {
        mpfr_set_zero(out, 1);
        return;
    }
    arb_t ball;
    mpfr_t below;
    arb_init(ball);
    mpfr_init2(below, format->fraction_bits + 1);
    int settled = 0;
    slong prec = 64;
    for (int round = 0; round < 4 && !settled; round++) {
        ll_exact_get_ball(ball, x, prec);
        settled = round_ends(format, below, out, ball, prec + 64);
        prec = FLINT_MAX(2 * prec, format->fraction_bits + 34);
    }
    if (!settled && (mpfr_nan_p(below) || mpfr_nan_p(out)))
        set_nan(format, out);
    else if (!settled)
        decide(format, out, below, x);
    mpfr_clear(below);
    arb_clear(ball);
}

int ll_format_nearest(const ll_format *format, arf_t out, const ll_exact *x)
{
    mpfr_t nearest;
    ll_format_init(format, nearest); /* cppcheck-suppress uninitvar ; an mpfr_t is set through its address */
    ll_format_set_exact(format, nearest, x);
    int finite = mpfr_number_p(nearest) != 0;
    if (finite)
        arf_set_mpfr(out, nearest);
    mpfr_clear(nearest);
    return finite;
}

/* ------------------------------------------------------------------ ends of the range */

void ll_format_max_finite(const ll_format *format, mpfr_t out)
{
    state caller = enter();
    mpfr_set_inf(out, 1);
    mpfr_set_emax(highest(format));
    mpfr_nextbelow(out);
    if (is_wide(format))
        mpfr_set_nan(out);
    leave(format, caller, out, 0);
}

void ll_format_min_subnormal(const ll_format *format, mpfr_t out)
{
    state caller = enter();
    mpfr_set_ui_2exp(out, 1, lowest(format) - 1, MPFR_RNDN);
    if (is_wide(format))
        mpfr_set_nan(out);
    leave(format, caller, out, 0);
}

/* ------------------------------------------------------------------ names */

static const struct {
    const char *name;
    ll_format format;
} presets[] = {{"fp64", {11, 52}}, {"fp32", {8, 23}},    {"tf32", {8, 10}},   {"bf16", {8, 7}},
               {"fp16", {5, 10}},  {"fp8-e4m3", {4, 3}}, {"fp8-e5m2", {5, 2}}};

const char *ll_format_name(long index)
{
    return index >= 0 && index < (long)(sizeof presets / sizeof *presets) ? presets[index].name : NULL;
}

/* Decimal digits; what is too large for a format comes out as some number above 2^31. NULL where there is no digit. */
static const char *read_count(long *out, const char *text)
{
    long value = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9'; p++)
        if (value <= 1L << 31)
            value = 10 * value + (*p - '0');
    *out = value;
    return p == text ? NULL : p;
}

static ll_status parse_bits(ll_format *out, const char *name, ll_error *error)
{
    long first = 0, second = 0;
    const char *p = read_count(&first, name + strlen("fpa:"));
    int has_two = p && *p == ',';
    if (has_two)
        p = read_count(&second, p + 1);
    if (!p || *p)
        return ll_fail(error, LL_DOMAIN,
                       "%.60s: expected fpa:PHI or fpa:E,F with whole numbers (formats: " LL_FORMAT_NAMES ")", name);
    if (!has_two && (first < 5 || first > 2 * LL_FORMAT_MAX_BITS))
        return ll_fail(error, LL_DOMAIN, "%.60s: PHI must be 5 to 2^31 (formats: " LL_FORMAT_NAMES ")", name);
    ll_format format = {first, second};
    if (!has_two) {
        format.exponent_bits = (first - 1) / 2;
        format.fraction_bits = first - 1 - format.exponent_bits;
    }
    if (format.exponent_bits < 2 || format.exponent_bits > LL_FORMAT_MAX_BITS)
        return ll_fail(error, LL_DOMAIN, "%.60s: exponent bits must be 2 to 2^30 (formats: " LL_FORMAT_NAMES ")", name);
    if (format.fraction_bits < 1 || format.fraction_bits > LL_FORMAT_MAX_BITS)
        return ll_fail(error, LL_DOMAIN, "%.60s: fraction bits must be 1 to 2^30 (formats: " LL_FORMAT_NAMES ")", name);
    *out = format;
    return LL_OK;
}

ll_status ll_format_parse(ll_format *out, const char *name, ll_error *error)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (!strcmp(name, presets[i].name)) {
            *out = presets[i].format;
            return LL_OK;
        }
    if (!strncmp(name, "fpa:", strlen("fpa:")))
        return parse_bits(out, name, error);
    return ll_fail(error, LL_DOMAIN, "unknown number format '%.60s': known are " LL_FORMAT_NAMES, name);
}
