/* The function behind a formula, written down for other programs: a JSON object
 *
 *     "function"   in words: f = T times the product of the primes whose label is 1
 *     "variables"  labels that f takes, 0 or 1 each
 *     "primes"     one a label, increasing, all above the number of terms
 *     "terms"      T is the number of terms that hold; a term is a list of literals that all must hold: v means label v
 *                  (from 1) is 1, -v that it is 0. The empty term always holds, one with v and -v never.
 */
#ifndef LL_IO_FUNCTION_FILE_H
#define LL_IO_FUNCTION_FILE_H

#include "lossleak/paper.h"

/* f of the formula, into a file as of write_file.h. Terms stand in the order of the clauses whose negations they are.
 * LL_UNABLE where the primes alone would need more than max_memory bytes (0: no limit). */
LL_CHECK ll_status ll_io_write_function(const char *path, const ll_cnf *cnf, size_t max_memory, ll_error *error);

#endif
