/* The one place where text from outside (files, their names, programs, the command line) becomes fit for a terminal, a
 * log, a page or somebody else's reader. Shown as it is: UTF-8 without control characters (C0, DEL, C1), line and
 * paragraph separators, and marks that have no width or change the direction of writing. Every other byte becomes \xNN.
 * Text that went through is not changed by going through again. ll_fail keeps the library's messages to the same set.
 */
#ifndef LL_IO_PRINTABLE_H
#define LL_IO_PRINTABLE_H

#include <stddef.h>
#include <stdio.h>

enum { LL_IO_QUOTE_SIZE = 96 };

/* Is all of it UTF-8? */
int ll_io_is_utf8(const char *text, size_t length);

/* Into a buffer: text that does not fit is cut and ends in "...". size >= 8. */
void ll_io_printable(char *out, size_t size, const char *text, size_t length);

/* The same in quotes; returns out. */
const char *ll_io_quote(char out[LL_IO_QUOTE_SIZE], const char *text, size_t length);

/* The whole of it, allocated; NULL where memory ended. */
char *ll_io_printable_copy(const char *text);

/* Each piece of it, one after another, to `take`; a piece is at most 4 bytes long, with a zero behind. */
void ll_io_printable_pieces(const char *text, size_t length, void (*take)(void *self, const char *piece, size_t length),
                            void *self);

/* The whole of it to a stream. */
void ll_io_print(FILE *out, const char *text, size_t length);

#endif
