#include "io/formats/string_list.h"

#include <stdlib.h>
#include <string.h>

size_t ll_io_strings_held(const ll_io_strings *l)
{
    return l->room + (size_t)l->start_room * sizeof *l->starts;
}

static ll_status reserve_text(ll_io_strings *l, size_t more)
{
    size_t room = l->room + l->room / 2 + 1024;
    if (more <= l->room - l->used)
        return LL_OK;
    room = room < l->used + more ? l->used + more : room;
    char *text = realloc(l->text, room);
    if (text == NULL)
        return LL_MEMORY;
    l->text = text;
    l->room = room;
    return LL_OK;
}

static ll_status reserve_start(ll_io_strings *l)
{
    long room = l->start_room + l->start_room / 2 + 128;
    if (l->count < l->start_room)
        return LL_OK;
    size_t *starts = realloc(l->starts, (size_t)room * sizeof *starts);
    if (starts == NULL)
        return LL_MEMORY;
    l->starts = starts;
    l->start_room = room;
    return LL_OK;
}

ll_status ll_io_strings_add(ll_io_strings *l, const char *text, size_t length, size_t limit)
{
    if (length >= limit || l->used + (size_t)l->count * sizeof *l->starts > limit - length)
        return LL_UNABLE;
    ll_status status = reserve_text(l, length + 1);
    if (status == LL_OK)
        status = reserve_start(l);
    if (status != LL_OK)
        return status;
    memcpy(l->text + l->used, text, length);
    l->text[l->used + length] = '\0';
    l->starts[l->count++] = l->used;
    l->used += length + 1;
    return LL_OK;
}

const char *ll_io_strings_get(const ll_io_strings *l, long index)
{
    return l->text + l->starts[index];
}

void ll_io_strings_clear(ll_io_strings *l)
{
    free(l->text);
    free(l->starts);
    *l = (ll_io_strings){0};
}
