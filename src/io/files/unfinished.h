/* Names that must not stay behind when the program is ended in the middle: files and folders that are not yet what they
 * will be called. Whoever makes one enters its name first; a signal handler removes all that are entered. */
#ifndef LL_IO_UNFINISHED_H
#define LL_IO_UNFINISHED_H

/* Enter `name`, in the folder that is open as `folder` or AT_FDCWD; both must stay until ll_io_unfinished_forget. The
 * number of the entry; -1 where there is no room, and nothing will be removed. */
int ll_io_unfinished_enter(int folder, const char *name);
void ll_io_unfinished_forget(int entry); /* takes -1 */

/* Remove all that is entered. Safe in a signal handler. */
void ll_io_unfinished_remove(void);

/* Remove a file, or a folder with the files in it; whatever cannot be removed stays. Safe in a signal handler. */
void ll_io_remove(int folder, const char *name);

#endif
