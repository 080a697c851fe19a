/* The codes of this module, one per file. Codes that only one strategy uses stand with it. */
#ifndef LL_CODE_ROWS_H
#define LL_CODE_ROWS_H

#include "code/code.h"

extern const ll_code_row ll_code_powers;
extern const ll_code_row ll_code_primes;
extern const ll_code_row ll_code_paper_multiclass;
extern const ll_code_row ll_code_prime_rows;
extern const ll_code_row ll_code_icml21;
extern const ll_code_row ll_code_radix;
extern const ll_code_row ll_code_sum_distinct;
extern const ll_code_row ll_code_detecting;
extern const ll_code_row ll_code_detecting_labels; /* detecting:labels */

#endif
