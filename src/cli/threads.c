#include "cli/threads.h"

#include <pthread.h>
#include <stdlib.h>

/* All of them wait for it, so that they are there together. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_at_gate(void *nothing)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return nothing;
}

/* The calling thread is one of them. */
long ll_cli_usable_threads(long wanted)
{
    long started = 0;
    pthread_t *threads = calloc((size_t)wanted, sizeof *threads);
    if (!threads)
        return 1;
    pthread_mutex_lock(&gate);
    while (started < wanted - 1 && pthread_create(&threads[started], NULL, wait_at_gate, NULL) == 0)
        started++;
    pthread_mutex_unlock(&gate);
    for (long i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return started == wanted - 1 ? wanted : 1 + started / 2;
}
