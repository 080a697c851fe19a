/* Temporary names that a run left behind which could not clean up (SIGKILL, a power cut): the next run that writes into
 * the same folder removes them.
 *
 * A name is `.lossleak-` and 16 hexadecimal digits. Who makes one keeps a lock on it until it has its final name: on
 * the file itself, or in a folder on a mark, the file `.lossleak`, which is taken away before the folder gets its name.
 * A lock ends with its process, in whichever container or machine that is. */
#ifndef LL_IO_LEFTOVERS_H
#define LL_IO_LEFTOVERS_H

#include <stddef.h>

#define LL_IO_TEMPORARY_PREFIX ".lossleak-"
#define LL_IO_MARK ".lossleak"
enum { LL_IO_TEMPORARY_NAME = 32, LL_IO_LEFTOVER_AGE = 60 }; /* seconds without a change before it counts as left */

/* A name that nobody has, with its end 0; 0, or -1 and errno. */
int ll_io_temporary_name(char out[LL_IO_TEMPORARY_NAME]);

/* Put the locked mark into a folder that was just made. Its descriptor, to be closed at the end; -1 and errno. */
int ll_io_mark_folder(const char *path);
/* Before the folder gets its name. */
void ll_io_unmark_folder(const char *path);

/* Remove what is left in the folder that is open as `folder`: files of ours and folders of ours with a mark, old
 * enough, that nobody has locked. Links are not followed; whatever is in doubt stays. The same folder is looked at
 * once. */
void ll_io_sweep(int folder);
void ll_io_sweep_path(const char *path); /* the folder of that name */

#endif
