/* Binomials by balls, so that what is called a bound is one. */
#include "release/staircase.h"

#include "number/ball.h"

#include <math.h>

enum { PREC = 192, MOST_TERMS = 1 << 20 };

/* An upper bound of x / ln 2. */
static double bits_above(const arb_t x)
{
    arb_t bits;
    arf_t high;
    arb_init(bits);
    arf_init(high);
    arb_const_log2(bits, PREC);
    arb_div(bits, x, bits, PREC);
    arb_get_ubound_arf(high, bits, PREC);
    double above = arf_get_d(high, ARF_RND_CEIL);
    arf_clear(high);
    arb_clear(bits);
    return fmax(0, above);
}

/* ln n! */
static void add_log_factorial(arb_t sum, double n, int sign)
{
    arb_t term;
    arb_init(term);
    arb_set_d(term, n);
    arb_add_ui(term, term, 1, PREC);
    arb_lgamma(term, term, PREC);
    arb_addmul_si(sum, term, sign, PREC);
    arb_clear(term);
}

/* C(T + L, L) */
static double all_bits(double answers, double levels)
{
    arb_t log;
    arb_init(log);
    add_log_factorial(log, answers + levels, 1);
    add_log_factorial(log, answers, -1);
    add_log_factorial(log, levels, -1);
    double bits = bits_above(log);
    arb_clear(log);
    return bits;
}

/* The sum over b <= most of C(T, b) C(L, b), term by term: each is (T - b)(L - b)/(b + 1)^2 times the one before. */
static double few_bits(double answers, double levels, double most)
{
    arb_t sum, term, factor;
    arb_init(sum);
    arb_init(term);
    arb_init(factor);
    arb_one(sum);
    arb_one(term);
    for (long b = 0; (double)b < most; b++) {
        arb_set_d(factor, answers - (double)b);
        arb_mul(term, term, factor, PREC);
        arb_set_d(factor, levels - (double)b);
        arb_mul(term, term, factor, PREC);
        arb_div_ui(term, term, (ulong)b + 1, PREC);
        arb_div_ui(term, term, (ulong)b + 1, PREC);
        arb_add(sum, sum, term, PREC);
    }
    arb_log(sum, sum, PREC);
    double bits = bits_above(sum);
    arb_clear(factor);
    arb_clear(term);
    arb_clear(sum);
    return bits;
}

double ll_staircase_bits(double answers, double levels, double improvements)
{
    if (answers <= 0 || levels <= 0 || improvements <= 0)
        return 0;
    if (isinf(answers) || isinf(levels) || answers + levels > 0x1p52)
        return (double)INFINITY;
    double steps = fmin(answers, levels);
    if (improvements >= steps || improvements > MOST_TERMS) /* a limit that is not counted only helps */
        return all_bits(answers, levels);
    return few_bits(answers, levels, improvements);
}

double ll_staircases_bits(const ll_staircases *s, double answers)
{
    if (!(s->levels > 0))
        return (double)INFINITY;
    double each = s->accounts * ll_staircase_bits(ceil(answers / s->accounts), s->is_leaderboard ? s->own : s->levels,
                                                  s->improvements);
    return s->is_leaderboard ? ll_staircase_bits(answers, s->levels, s->improvements) + each : each;
}
