/* The logarithm of a product.
 *
 * Exponents of two and five are added in place, one pass over the entry each. Mantissas are gathered in a
 * machine word, full words go to a stack of partial products whose lengths at least double from the top
 * down: multiplication is always of numbers of like length, and the stack holds at most as many as a length
 * has bits. Balls have a stack of their own with the number of their factors in place of the length;
 * the power of two of each joins the exponents. */
#include "number/exact.h"

#include <assert.h>
#include <stdlib.h>

enum { DEPTH = 64 };

struct ll_product {
    fmpz_t two, five;
    ulong gathered; /* product of small mantissas that fits a word */
    long count;     /* partial products on the stack */
    fmpz_t mantissas[DEPTH];
    long ball_count;
    long factors[DEPTH]; /* multiplied into each ball */
    arb_t balls[DEPTH];
    slong ball_prec; /* largest asked for */
};

ll_product *ll_product_create(void)
{
    ll_product *product = malloc(sizeof *product);
    if (product == NULL)
        return NULL;
    fmpz_init(product->two);
    fmpz_init(product->five);
    for (int i = 0; i < DEPTH; i++) {
        fmpz_init(product->mantissas[i]);
        arb_init(product->balls[i]);
    }
    ll_product_reset(product);
    return product;
}

void ll_product_destroy(ll_product *product)
{
    if (product == NULL)
        return;
    fmpz_clear(product->two);
    fmpz_clear(product->five);
    for (int i = 0; i < DEPTH; i++) {
        fmpz_clear(product->mantissas[i]);
        arb_clear(product->balls[i]);
    }
    free(product);
}

void ll_product_reset(ll_product *product)
{
    fmpz_zero(product->two);
    fmpz_zero(product->five);
    product->gathered = 1;
    product->count = product->ball_count = 0;
    product->ball_prec = 2;
}

/* ---- mantissas */

/* Multiply the two topmost into one, and leave nothing behind. */
static void merge_mantissas(ll_product *product)
{
    fmpz *top = product->mantissas[--product->count], *below = product->mantissas[product->count - 1];
    fmpz_mul(below, below, top);
    fmpz_zero(top);
}

/* After a push, merge until the lengths double again: the depth stays below the bits of the largest length. */
static void settle_mantissas(ll_product *product)
{
    while (product->count > 1 &&
           fmpz_bits(product->mantissas[product->count - 2]) < 2 * fmpz_bits(product->mantissas[product->count - 1]))
        merge_mantissas(product);
}

static void push_gathered(ll_product *product)
{
    if (product->gathered == 1)
        return;
    fmpz_set_ui(product->mantissas[product->count++], product->gathered);
    product->gathered = 1;
    settle_mantissas(product);
}

static void multiply_mantissa(ll_product *product, const fmpz_t mantissa)
{
    if (!fmpz_abs_fits_ui(mantissa)) {
        fmpz_set(product->mantissas[product->count++], mantissa);
        settle_mantissas(product);
        return;
    }
    ulong m = fmpz_get_ui(mantissa), product_of_both;
    if (__builtin_mul_overflow(product->gathered, m, &product_of_both)) {
        push_gathered(product);
        product_of_both = m;
    }
    product->gathered = product_of_both;
}

void ll_product_multiply(ll_product *product, const ll_exact *x)
{
    assert(ll_exact_sgn(x) > 0);
    fmpz_add(product->two, product->two, x->two);
    fmpz_add(product->five, product->five, x->five);
    if (!fmpz_is_one(x->mantissa))
        multiply_mantissa(product, x->mantissa);
}

/* ---- balls */

static void merge_balls(ll_product *product)
{
    long top = --product->ball_count;
    arb_mul(product->balls[top - 1], product->balls[top - 1], product->balls[top], product->ball_prec);
    product->factors[top - 1] += product->factors[top];
}

/* x = (x / 2^e) 2^e with 1/2 <= |x / 2^e| < 1: balls of any size then multiply with small exponents. */
static void split_power(ll_product *product, arb_t ball, const arb_t x)
{
    if (arf_is_special(arb_midref(x))) {
        arb_set(ball, x);
        return;
    }
    fmpz_t exponent;
    fmpz_init_set(exponent, ARF_EXPREF(arb_midref(x)));
    fmpz_add(product->two, product->two, exponent);
    fmpz_neg(exponent, exponent);
    arb_mul_2exp_fmpz(ball, x, exponent);
    fmpz_clear(exponent);
}

void ll_product_multiply_ball(ll_product *product, const arb_t x, slong prec)
{
    if (prec + 4 > product->ball_prec)
        product->ball_prec = prec + 4;
    split_power(product, product->balls[product->ball_count], x);
    product->factors[product->ball_count++] = 1;
    while (product->ball_count > 1 &&
           product->factors[product->ball_count - 2] <= product->factors[product->ball_count - 1])
        merge_balls(product);
}

/* ---- the logarithm */

/* All mantissas into the one at the bottom, 1 where there is none. */
static void collect_mantissas(ll_product *product)
{
    push_gathered(product);
    while (product->count > 1)
        merge_mantissas(product);
    if (product->count == 0)
        fmpz_one(product->mantissas[0]);
}

/* out += k ln 2 or k ln 5 with an error below 2^-bits: the constant is wanted to bits(k) more. */
static void add_multiple(arb_t out, const fmpz_t k, void (*constant)(arb_t, slong), slong bits, slong sum_prec)
{
    if (fmpz_is_zero(k))
        return;
    slong wp = bits + (slong)fmpz_bits(k) + 8;
    arb_t part;
    arb_init(part);
    constant(part, wp);
    arb_mul_fmpz(part, part, k, wp);
    arb_add(out, out, part, sum_prec);
    arb_clear(part);
}

/* out += ln of all balls; their radius comes through. */
static void add_log_of_balls(arb_t out, ll_product *product, slong wp)
{
    while (product->ball_count > 1)
        merge_balls(product);
    if (product->ball_count == 0)
        return;
    arb_t part;
    arb_init(part);
    arb_log(part, product->balls[0], wp);
    arb_add(out, out, part, wp);
    arb_clear(part);
}

/* The mantissas have fewer than 2^63 bits in all, and n balls a product above 2^-n: both logarithms are below 2^64
 * and get 64 bits more than are wanted. The sum is below 2^66 plus 4 times the longer exponent. */
void ll_product_log(arb_t out, ll_product *product, slong bits)
{
    slong wp = (bits > 0 ? bits : 0) + FLINT_BITS + 8;
    slong sum_prec = wp + (slong)FLINT_MAX(fmpz_bits(product->two), fmpz_bits(product->five)) + 4;
    arb_t sum;
    arb_init(sum);
    collect_mantissas(product);
    arb_set_round_fmpz(sum, product->mantissas[0], wp);
    arb_log(sum, sum, wp);
    add_log_of_balls(sum, product, wp);
    add_multiple(sum, product->five, ll_exact_log_five, wp, sum_prec);
    add_multiple(sum, product->two, arb_const_log2, wp, sum_prec);
    arb_swap(out, sum);
    arb_clear(sum);
}
