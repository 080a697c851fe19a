/* How many threads there can be. OpenMP ends the program with status 1 where one cannot be started. */
#ifndef LL_CLI_THREADS_H
#define LL_CLI_THREADS_H

/* Start that many threads at once, and end them: `wanted` where it went well, else a number below that, at least 1,
 * which leaves room for the work. */
long ll_cli_usable_threads(long wanted);

#endif
