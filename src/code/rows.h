/* The rows of the table of codes, one a file. */
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
extern const ll_code_row ll_code_detecting_labels; /* not of the table: detecting:labels */
extern const ll_code_row ll_code_hadamard;
extern const ll_code_row ll_code_grades;
extern const ll_code_row ll_code_ordered;
extern const ll_code_row ll_code_cells;
extern const ll_code_row ll_code_ranks;
extern const ll_code_row ll_code_presence;
extern const ll_code_row ll_code_presence_labels; /* not of the table: presence:labels */
extern const ll_code_row ll_code_flip;
extern const ll_code_row ll_code_changes;
extern const ll_code_row ll_code_single;

#endif
