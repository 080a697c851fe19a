/* What the files of this room share. */
#ifndef LL_RELEASE_PRIVATE_H
#define LL_RELEASE_PRIVATE_H

#include "release/decimal.h"
#include "release/release.h"

/* The format of the number that becomes text: noise makes a double of a native score. */
ll_format ll_release_text_format(const ll_release *r);

/* x is the result of `units` roundings: it gets as many of its own size more, and of the least subnormal. Nothing where
 * scores are exact. */
void ll_release_add_roundoff(const ll_release *r, arb_t x, double units);

/* 10^exponent */
void ll_release_power_of_ten(arb_t out, long exponent, slong prec);
/* floor(log10 |x|), x not 0; one more where x is a hair below a power of ten. */
long ll_release_leading_digit(const arb_t x);

/* ---- text (score_text.c), by malloc; NULL where memory ended or an exponent is too large to write out ---- */

/* The number itself. LL_UNABLE with *undecided set where the two ends of a ball do not round alike. */
LL_CHECK ll_status ll_text_number(const ll_release *r, char **out, const ll_unreleased *unreleased, int *undecided);
/* An end of the interval: rounded as the release says where `rounded`, else outward in the direction given. */
char *ll_text_end(const ll_release *r, const ll_unreleased *unreleased, const arf_t x, ll_direction direction,
                  int rounded);
/* k steps of the Ladder, or -k where higher is better. */
char *ll_text_multiple(const ll_release *r, const fmpz_t k);
/* Decimals that the text of an exact score has. */
long ll_text_exact_decimals(const ll_release *r);

/* ll_release_read and ll_release_note where answers are levels (levels_back.c). */
LL_CHECK ll_status ll_release_read_level(const ll_release *r, arb_t out, const char *text, const ll_release_texts *seen,
                                         slong prec, ll_error *error);
void ll_release_note_level(const ll_release *r, ll_release_texts *texts, const char *text);

#endif
