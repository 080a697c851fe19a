/* Exact numbers mantissa * 2^two * 5^five: all that decimal and hex text can say.
 *
 * A prediction of 2^-(10^70000) is a mantissa of one bit and an exponent of 232,535 bits: an ordinary
 * value here. Not canonical: 10 may be 10*2^0*5^0 or 1*2^1*5^1; compare with ll_exact_cmp, or bring
 * both into the one canonical form with ll_exact_reduce. No function here forms 2^two, or a 5^five that
 * is long beside the precision asked for: the cost follows the length of the three integers and prec. */
#ifndef LL_NUMBER_EXACT_H
#define LL_NUMBER_EXACT_H

#include "lossleak.h"
#include "number/ball.h"

#include <flint/fmpq.h>
#include <flint/fmpz.h>

struct ll_exact {
    fmpz_t mantissa, two, five;
};

void ll_exact_init(ll_exact *x); /* 0 */
void ll_exact_clear(ll_exact *x);
void ll_exact_free(ll_exact *numbers, long count); /* of malloc; NULL: nothing to do */
void ll_exact_set(ll_exact *out, const ll_exact *x);
void ll_exact_set_si(ll_exact *out, slong x);
void ll_exact_set_d(ll_exact *out, double x);             /* x finite */
ll_status ll_exact_set_arf(ll_exact *out, const arf_t x); /* LL_DOMAIN where x is not finite */

/* The same number with a mantissa that neither 2 nor 5 divides; 0 is 0*2^0*5^0. This form is unique. */
void ll_exact_reduce(ll_exact *x);

/* The first length characters of text; see ll_exact_read. The result is reduced; LL_DOMAIN leaves out as it was. */
LL_CHECK ll_status ll_exact_set_text(ll_exact *out, const char *text, size_t length);
/* As ll_exact_write: hexadecimal like printf's %a where x is dyadic, else integer digits and an exponent. NULL too
 * where the text would be longer than any memory (2^(10^30)/5; text that was read never is). */
char *ll_exact_get_text(const ll_exact *x);
char *ll_exact_get_arf_text(const arf_t x); /* NULL too where x is not finite */

int ll_exact_sgn(const ll_exact *x);
/* Is five >= 0 after cancelling, so that arf can hold x? A five beyond LL_EXACT_FIVES counts as no: 10^(10^30) has
 * a mantissa that no memory holds. */
int ll_exact_is_dyadic(const ll_exact *x);
#define LL_EXACT_FIVES 10000
int ll_exact_cmp(const ll_exact *x, const ll_exact *y); /* exact; sign of x - y */

/* A ball around x with relative error at most 2^-prec; radius 0 where x is dyadic with at most prec bits. */
void ll_exact_get_ball(arb_t out, const ll_exact *x, slong prec);

/* A ball around 1 - x with relative error at most 2^-prec (no cancellation loss near x = 1; exactly 0 at x = 1),
 * and around ln x, x > 0, with the same promise (not finite for x <= 0). */
void ll_exact_get_complement(arb_t out, const ll_exact *x, slong prec);
void ll_exact_get_log(arb_t out, const ll_exact *x, slong prec);
void ll_exact_log_five(arb_t out, slong prec); /* ln 5; as ln 2, kept between calls by Arb */

/* Nearest double or float, ties to even, overflowing to infinity, underflowing to a zero of x's sign; rounded once. */
double ll_exact_get_d(const ll_exact *x);
float ll_exact_get_f(const ll_exact *x);

/* x as a fraction; 0 where it is too long to write out. */
int ll_exact_get_fmpq(fmpq_t out, const ll_exact *x);

/* ---- the logarithm of a product: exponents added, mantissas multiplied in a tree, ONE logarithm ---- */

/* It holds the whole product of the mantissas: memory is that of all mantissas but those that are 1. */
typedef struct ll_product ll_product;
ll_product *ll_product_create(void); /* 1; NULL where memory ended */
void ll_product_destroy(ll_product *product);
void ll_product_multiply(ll_product *product, const ll_exact *x);              /* x > 0 */
void ll_product_multiply_ball(ll_product *product, const arb_t x, slong prec); /* x > 0; for 1-p, row sums */
void ll_product_reset(ll_product *product);                                    /* to 1 */
/* ln of the product so far, with absolute error at most 2^-bits as far as exact factors go (balls add
 * their own radius and 2^-prec each): the working precision follows from the size of the exponents. */
void ll_product_log(arb_t out, ll_product *product, slong bits);

#endif
