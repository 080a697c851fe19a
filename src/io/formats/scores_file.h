/* Score files: one released score a line, in the order of queries, as text, since every digit counts. */
#ifndef LL_IO_SCORES_FILE_H
#define LL_IO_SCORES_FILE_H

#include "lossleak.h"

typedef struct {
    char **texts; /* each one finite number, decimal or hexadecimal, without blanks */
    long *lines;  /* where each stands */
    long count;
} ll_io_scores;

/* Read just `expected` >= 1 answers of so many numbers each, separated by blanks; "-" is standard input. Blanks around an
 * answer and empty lines at the end do not count. LL_DOMAIN with file, line and reason for too few, too many, text that
 * is no number, infinities and NaN; LL_UNABLE beyond max_memory bytes (0: no limit). out is unchanged then. */
LL_CHECK ll_status ll_io_read_scores(ll_io_scores *out, const char *path, long expected, long numbers,
                                     size_t max_memory, ll_error *error);
void ll_io_clear_scores(ll_io_scores *scores);

#endif
