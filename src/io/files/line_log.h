/* A file of JSON objects, one a line, that only ever grows: each is added with one write (and a sync), and one process
 * holds the file. Each line ends with a check sum of the rest of it, "check", the CRC-32 as eight digits; readers and
 * writers do not see it. What a crash can leave is the beginning of a last line (or zero bytes in its place, on some
 * file systems); that is taken away when the file is opened again, and nothing else is forgiven: a line that does not
 * fit its sum is refused. Lines without one, of an older version, are read, and told. */
#ifndef LL_IO_LINE_LOG_H
#define LL_IO_LINE_LOG_H

#include "lossleak.h"

typedef struct ll_io_log ll_io_log;

/* What a reader says of a line. */
typedef enum { LL_LINE_KEPT, LL_LINE_REMAINDER, LL_LINE_FAILED } ll_line;

/* One line with its end (the last one may lack that: is_whole is 0), counted from 1. LL_LINE_REMAINDER: a crash left
 * it; only allowed where !is_whole. LL_LINE_FAILED: *error says why. */
typedef ll_line (*ll_io_log_reader)(void *self, const char *line, size_t length, long number, int is_whole,
                                    ll_error *error);

/* May a crash have left this of a line? Then it begins as every line does, with `head`, or is zero bytes. */
int ll_io_log_is_remainder(const char *line, size_t length, const char *head);

/* Open or create, lock, and read every line. user: who writes such files ("attack"), for the message where another
 * process holds it. note (of `size` bytes) gets a text about a line that was taken away and about lines without check
 * sums, or "". LL_UNABLE for more than max_memory bytes (0: no limit). Nothing is changed where it fails. The path is
 * copied. */
LL_CHECK ll_status ll_io_log_open(ll_io_log **out, char *note, size_t size, const char *path, const char *user,
                                  size_t max_memory, ll_io_log_reader reader, void *self, ll_error *error);
void ll_io_log_close(ll_io_log *log); /* takes NULL */

/* Add a line, an object without blanks at its end ("{...}"): 0, or an error number; the file is as before then. After
 * ll_io_log_append it is synced; after ll_io_log_write it outlives this process, and the machine's sudden end only once
 * a later line was synced. */
LL_CHECK int ll_io_log_append(ll_io_log *log, const char *line);
LL_CHECK int ll_io_log_write(ll_io_log *log, const char *line);

#endif
