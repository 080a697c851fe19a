/* A child process: a shell command in a process group of its own, with pipes that never block. */
#ifndef LL_IO_CHILD_H
#define LL_IO_CHILD_H

#include "lossleak.h"

#include <sys/types.h>

typedef struct {
    volatile pid_t pid; /* of the shell and of its group; 0: none */
    int in, out, err;   /* our ends of the pipes; -1: closed, or never there */
    int end;            /* readable when the shell has ended; -1 where the system has no such thing */
} ll_io_child;

void ll_io_child_init(ll_io_child *child);

/* sh -c COMMAND. Makes this process the one that adopts orphans. input: a file that is its standard input, or -1 for a
 * pipe. extra: `count` texts NAME=VALUE that are added to the environment. LL_SYSTEM where it cannot be started. */
LL_CHECK ll_status ll_io_child_start(ll_io_child *child, const char *command, int input, const char *const *extra,
                                     int count, ll_error *error);

/* Has the shell ended? It stays to be waited for, so that its number stays taken. */
int ll_io_child_has_ended(const ll_io_child *child);

/* A signal to the whole group. Safe in a signal handler. */
void ll_io_child_signal(const ll_io_child *child, int number);

/* End the whole group at once and wait for all of it; the shell's status as waitpid gives it, -1 where it is not known.
 * Pipes stay open: what was written is still to be read. */
int ll_io_child_reap(ll_io_child *child);
/* Close the pipes. */
void ll_io_child_close(ll_io_child *child);
/* Close one descriptor and set it to -1. */
void ll_io_close(int *file);
/* Give a descriptor a number above 2: a program that was started without standard input, output or error would get
 * their numbers for other files, and write there. -1 and errno, the file closed, where there is no number left. */
int ll_io_move_up(int *file);

#endif
