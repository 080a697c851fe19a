/* A released score as one piece of text: what an oracle prints and a journal holds. */
#ifndef LL_IO_SCORE_LINE_H
#define LL_IO_SCORE_LINE_H

#include <stddef.h>

enum { LL_IO_COMPLAINT_SIZE = 192 };

/* NULL where the text is one finite number, decimal or hexadecimal, that a decoder can take (its exponent has at most
 * 11 digits); else what is wrong, written to out. */
const char *ll_io_score_complain(char out[LL_IO_COMPLAINT_SIZE], const char *text, size_t length);

/* The same of an answer of so many numbers, separated by blanks; 0: of one or more. */
const char *ll_io_answer_complain(char out[LL_IO_COMPLAINT_SIZE], const char *text, size_t length, long numbers);

/* The text without blanks (CR among them) at its ends. */
const char *ll_io_trim(const char *text, size_t *length);

#endif
