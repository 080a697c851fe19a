/* Exact numbers mantissa * 2^two * 5^five: all that decimal and hex text can say.
 *
 * A prediction of 2^-(10^70000) is a mantissa of one bit and an exponent of 232,535 bits: an ordinary
 * value here. Not canonical: 10 may be 10*2^0*5^0 or 1*2^1*5^1; compare with ll_exact_cmp. */
#ifndef LL_NUMBER_EXACT_H
#define LL_NUMBER_EXACT_H

#include "lossleak.h"

#include <arb.h>
#include <flint/fmpz.h>

struct ll_exact {
    fmpz_t mantissa, two, five;
};

void ll_exact_init(ll_exact *x); /* 0 */
void ll_exact_clear(ll_exact *x);
void ll_exact_set(ll_exact *out, const ll_exact *x);
void ll_exact_set_si(ll_exact *out, slong x);
void ll_exact_set_d(ll_exact *out, double x);                                 /* x finite */
void ll_exact_set_2exp(ll_exact *out, slong mantissa, const fmpz_t exponent); /* mantissa * 2^exponent */
ll_status ll_exact_set_arf(ll_exact *out, const arf_t x);                     /* LL_DOMAIN where x is not finite */

/* The first length characters of text; see ll_exact_read. */
LL_CHECK ll_status ll_exact_set_text(ll_exact *out, const char *text, size_t length);

int ll_exact_sgn(const ll_exact *x);
int ll_exact_is_dyadic(const ll_exact *x);              /* is five >= 0 after cancelling, so that arf can hold it? */
int ll_exact_cmp(const ll_exact *x, const ll_exact *y); /* exact; sign of x - y */

/* A ball around x with relative error at most 2^-prec; radius 0 where x is dyadic with at most prec bits. */
void ll_exact_get_ball(arb_t out, const ll_exact *x, slong prec);

/* A ball around 1 - x with relative error about 2^-prec (no cancellation loss near x = 1), and around ln x, x > 0. */
void ll_exact_get_complement(arb_t out, const ll_exact *x, slong prec);
void ll_exact_get_log(arb_t out, const ll_exact *x, slong prec);

/* Nearest double (fraction 52), float (23) and so on, ties to even, as a double; for formats up to fp64. */
double ll_exact_get_d(const ll_exact *x);
float ll_exact_get_f(const ll_exact *x); /* rounded once */

/* ---- the logarithm of a product: exponents added, mantissas multiplied in a tree, ONE logarithm ---- */

typedef struct ll_product ll_product;
ll_product *ll_product_create(void);
void ll_product_destroy(ll_product *product);
void ll_product_multiply(ll_product *product, const ll_exact *x);              /* x > 0 */
void ll_product_multiply_ball(ll_product *product, const arb_t x, slong prec); /* x > 0; for 1-p, row sums */
void ll_product_reset(ll_product *product);                                    /* to 1 */
/* ln of the product so far, with absolute error at most 2^-bits as far as exact factors go (balls add
 * their own radius): the working precision follows from the size of the exponents. */
void ll_product_log(arb_t out, ll_product *product, slong bits);

#endif
