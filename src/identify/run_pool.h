/* All runs of one identification, in the order in which they were made, with the numbers that each showed. */
#ifndef LL_IDENTIFY_RUN_POOL_H
#define LL_IDENTIFY_RUN_POOL_H

#include "identify/numbers.h"
#include "identify/probe.h"

/* Runs that belong together: `count` from `first` on. */
typedef struct {
    long first, count;
} ll_span;

typedef struct {
    ll_probe *probes;
    ll_numbers *numbers;
    long count, ran, room;
    ll_asker asker;
} ll_run_pool;

LL_CHECK ll_status ll_run_pool_create(ll_run_pool *pool, const ll_program *program, const ll_budget *budget, long most,
                                      ll_error *error);
void ll_run_pool_clear(ll_run_pool *pool);

/* One more run: made by ll_probe_create or ll_probe_copy into *out. LL_UNABLE where there are as many as there may be. */
LL_CHECK ll_status ll_run_pool_add(ll_run_pool *pool, ll_probe **out, ll_error *error);
/* A run like another one. */
LL_CHECK ll_status ll_run_pool_add_copy(ll_run_pool *pool, ll_probe **out, long like, ll_error *error);
/* Run those that were added since; *out is where they are. */
LL_CHECK ll_status ll_run_pool_run(ll_run_pool *pool, ll_span *out, ll_error *error);

/* Everything that a run showed is the same in two runs: failing or not, every text but numbers that are not in `part`
 * (-1: all parts). */
int ll_run_pool_is_same(const ll_run_pool *pool, long a, long b, long part);

#endif
