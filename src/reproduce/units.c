#include "reproduce/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ll_units_init(ll_units *units)
{
    *units = (ll_units){0};
}

void ll_units_clear(ll_units *units)
{
    free(units->list);
    ll_units_init(units);
}

static void make_key(ll_unit *unit)
{
    static const char *const kinds[] = {"single",  "blocks", "own-single", "own-blocks",
                                        "own-all", "exact",  "nearest",    "slice"};
    (void)snprintf(unit->key, sizeof unit->key, "%s/%s/%s/%s/%ld%s/%ld-%ld", kinds[unit->kind], unit->what,
                   unit->dataset, unit->tau, unit->length, unit->all_rows ? "/all" : "", unit->slice, unit->slices);
}

/* Linear: a few thousand units, once. */
static int is_there(const ll_units *units, const char *key)
{
    for (long i = 0; i < units->count; i++)
        if (strcmp(units->list[i].key, key) == 0)
            return 1;
    return 0;
}

static ll_status grow(ll_units *units, ll_error *error)
{
    long room = units->room ? 2 * units->room : 256;
    ll_unit *list = realloc(units->list, (size_t)room * sizeof *list);
    if (!list)
        return ll_fail(error, LL_MEMORY, "out of memory for %ld work units", room);
    units->list = list;
    units->room = room;
    return LL_OK;
}

ll_status ll_units_add(ll_units *units, const ll_unit *unit, ll_error *error)
{
    ll_unit fresh = *unit;
    make_key(&fresh);
    if (is_there(units, fresh.key))
        return LL_OK;
    ll_status status = units->count < units->room ? LL_OK : grow(units, error);
    if (status != LL_OK)
        return status;
    units->list[units->count++] = fresh;
    units->cost += fresh.cost;
    return LL_OK;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const ll_unit *)a)->key, ((const ll_unit *)b)->key);
}

void ll_units_sort(ll_units *units)
{
    if (units->count > 0)
        qsort(units->list, (size_t)units->count, sizeof *units->list, by_key);
}

ll_unit *ll_units_find(const ll_units *units, const char *key)
{
    ll_unit like = {0};
    (void)snprintf(like.key, sizeof like.key, "%s", key);
    return units->count > 0 ? bsearch(&like, units->list, (size_t)units->count, sizeof like, by_key) : NULL;
}

const ll_unit *ll_units_get(const ll_units *units, const ll_unit *like)
{
    ll_unit copy = *like;
    make_key(&copy);
    return ll_units_find(units, copy.key);
}

const ll_dataset_info *ll_units_dataset(const char *name)
{
    for (long i = 0; i < ll_dataset_count(); i++)
        if (strcmp(ll_dataset_get_info(i)->name, name) == 0)
            return ll_dataset_get_info(i);
    return NULL;
}
