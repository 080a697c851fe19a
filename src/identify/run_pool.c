/* The runs of one identification. */
#include "identify/run_pool.h"

#include <stdlib.h>
#include <string.h>

ll_status ll_run_pool_create(ll_run_pool *pool, const ll_program *program, const ll_budget *budget, long most,
                             ll_error *error)
{
    *pool =
        (ll_run_pool){.room = most, .asker = {.program = program, .deadline = ll_deadline_start(budget), .most = most}};
    pool->probes = calloc((size_t)most, sizeof *pool->probes);
    pool->numbers = calloc((size_t)most, sizeof *pool->numbers);
    if (pool->probes != NULL && pool->numbers != NULL)
        return LL_OK;
    ll_run_pool_clear(pool);
    return ll_fail(error, LL_MEMORY, "no memory for %ld runs", most);
}

void ll_run_pool_clear(ll_run_pool *pool)
{
    ll_probes_clear(pool->probes, pool->count);
    for (long i = 0; pool->numbers != NULL && i < pool->ran; i++)
        ll_numbers_clear(&pool->numbers[i]);
    free(pool->probes);
    free(pool->numbers);
    *pool = (ll_run_pool){0};
}

ll_status ll_run_pool_add(ll_run_pool *pool, ll_probe **out, ll_error *error)
{
    if (pool->count == pool->room)
        return ll_fail(error, LL_UNABLE, "%ld runs of the program are not enough", pool->room);
    *out = &pool->probes[pool->count++];
    return LL_OK;
}

ll_status ll_run_pool_add_copy(ll_run_pool *pool, ll_probe **out, long like, ll_error *error)
{
    ll_status status = ll_run_pool_add(pool, out, error);
    return status == LL_OK ? ll_probe_copy(*out, &pool->probes[like], error) : status;
}

ll_status ll_run_pool_run(ll_run_pool *pool, ll_span *out, ll_error *error)
{
    long first = pool->ran, count = pool->count - first;
    ll_status status = ll_asker_run(&pool->asker, &pool->probes[first], count, error);
    for (long i = first; i < pool->count && status == LL_OK; i++) {
        status = ll_numbers_find(&pool->numbers[i], &pool->probes[i].reply, error);
        pool->ran += status == LL_OK;
    }
    if (status == LL_OK)
        *out = (ll_span){first, count};
    return status;
}

static int same_text(const char *a, const char *b)
{
    return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

int ll_run_pool_is_same(const ll_run_pool *pool, long a, long b, long part)
{
    const ll_reply *x = &pool->probes[a].reply, *y = &pool->probes[b].reply;
    if (x->failed != y->failed || (part < 0 && x->count != y->count) || (x->failed && !same_text(x->reason, y->reason)))
        return 0;
    for (long i = 0; i < x->count && i < y->count; i++)
        if ((part < 0 || part == i) &&
            (strcmp(x->parts[i].channel, y->parts[i].channel) != 0 || strcmp(x->parts[i].text, y->parts[i].text) != 0))
            return 0;
    return part < 0 || (part < x->count && part < y->count) || x->failed;
}
