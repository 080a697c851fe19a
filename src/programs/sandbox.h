/* The command that starts the driver, in a sandbox by bubblewrap: a root of its own with /usr and the folders of the
 * program for reading, an empty /tmp and /app, no network. */
#ifndef LL_PROGRAMS_SANDBOX_H
#define LL_PROGRAMS_SANDBOX_H

#include <stddef.h>

enum { LL_SANDBOX_COMMAND = 16384 };

/* Can bubblewrap run here? */
int ll_sandbox_works(void);
/* `command[LL_SANDBOX_COMMAND]` for sh. paths: words of the program and its examples; the folders of those that exist
 * are there for reading. 0: it does not fit. */
int ll_sandbox_command(char *command, const char *const *paths, long count, const char *python, int with_sandbox);

#endif
