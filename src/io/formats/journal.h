/* The journal of an attack: every score as it came, one JSON line a query, synced before the next query is sent. An
 * attack that was killed reads it and asks only what is missing.
 *
 *     {"query":1,"digest":"<64 hexadecimal digits of the plan>","score":"0.69314718055994529","check":"1b2ca93f"}
 *
 * Queries count from 1. The check sum is that of io/files/line_log.h. */
#ifndef LL_IO_JOURNAL_H
#define LL_IO_JOURNAL_H

#include "lossleak.h"

typedef struct ll_io_journal ll_io_journal;

/* Open or create the journal of the plan that has this digest and so many queries, and hold it for this process alone.
 * LL_DOMAIN, with file, line and reason, for a line that is none, for one of another plan, for a query that is not the
 * plan's or has two scores, and where another process holds it; LL_UNABLE for more than max_memory bytes (0: no limit).
 * The file is unchanged then. A last line that a crash cut off is taken away; note (of `size` bytes) gets a text about
 * it and about lines without check sums for people, or "". path and digest are copied. */
LL_CHECK ll_status ll_io_journal_open(ll_io_journal **out, char *note, size_t size, const char *path,
                                      const char *digest, long queries, size_t max_memory, ll_error *error);
void ll_io_journal_close(ll_io_journal *journal); /* takes NULL */

/* How many queries have their score in it. */
long ll_io_journal_count(const ll_io_journal *journal);

/* An oracle that answers from the journal what is there, asks `inner` the rest and writes that down. One at a time.
 * LL_SYSTEM where a score cannot be written: it stands in the text then, and the file is as before. */
ll_oracle ll_io_journal_oracle(ll_io_journal *journal, ll_oracle inner);

#endif
