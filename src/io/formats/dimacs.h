/* Formulas in DIMACS CNF:
 *
 *     c a comment: from a c where a word may begin to the end of the line, anywhere
 *     p cnf 3 2          first of all: variables and clauses, on a line of its own
 *     1 -2 0             a clause: literals, then 0; it may spread over lines, and a line may hold several
 *     2 3
 *     -1 0
 *     %                  may follow the last clause, as in SATLIB's files; after it nothing but one 0
 */
#ifndef LL_IO_DIMACS_H
#define LL_IO_DIMACS_H

#include "lossleak/paper.h"

typedef struct {
    ll_cnf cnf; /* points to the two below */
    size_t *starts;
    int32_t *literals;
} ll_io_formula;

/* "-" is standard input; gzip'd or not. LL_DOMAIN with file, line and reason for whatever is not as above: counts that
 * are not those of the first line, a variable above its number, a clause without its 0, words that are no literals.
 * LL_UNABLE beyond max_memory bytes (0: no limit). No count of the file is trusted with memory. out is unchanged
 * unless LL_OK. */
LL_CHECK ll_status ll_io_read_formula(ll_io_formula *out, const char *path, size_t max_memory, ll_error *error);
void ll_io_clear_formula(ll_io_formula *formula);

#endif
