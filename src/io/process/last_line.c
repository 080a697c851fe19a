#include "io/process/last_line.h"

#include "io/formats/score_line.h"

#include <stdlib.h>
#include <string.h>

void ll_io_last_line_init(ll_io_last_line *k, size_t most)
{
    *k = (ll_io_last_line){.most = most};
}

void ll_io_last_line_clear(ll_io_last_line *k)
{
    free(k->line);
    free(k->last);
    *k = (ll_io_last_line){0};
}

void ll_io_last_line_reset(ll_io_last_line *k)
{
    k->length = k->last_length = 0;
    k->over = 0;
    k->ended = 0;
}

static ll_status keep(ll_io_last_line *k, const char *data, size_t size)
{
    if (size > k->most - k->length) {
        size = k->most - k->length;
        k->over = 1;
    }
    if (k->length + size > k->room) {
        size_t room = 2 * (k->length + size) + 64;
        char *line = realloc(k->line, room);
        if (!line)
            return LL_MEMORY;
        k->line = line;
        k->room = room;
    }
    if (size > 0)
        memcpy(k->line + k->length, data, size);
    k->length += size;
    return LL_OK;
}

void ll_io_last_line_end(ll_io_last_line *k)
{
    size_t length = k->length;
    (void)ll_io_trim(k->line, &length);
    if (length > 0) {
        char *line = k->line;
        size_t room = k->room;
        k->line = k->last;
        k->room = k->last_room;
        k->last = line;
        k->last_room = room;
        k->last_length = k->length;
    }
    k->length = 0;
}

ll_status ll_io_last_line_add(ll_io_last_line *k, const char *data, size_t size)
{
    while (size > 0) {
        const char *end = memchr(data, '\n', size);
        size_t piece = end ? (size_t)(end - data) : size, taken = piece + (end != NULL);
        if (keep(k, data, piece) != LL_OK)
            return LL_MEMORY;
        if (end) {
            ll_io_last_line_end(k);
            k->ended++;
        }
        data += taken;
        size -= taken;
    }
    return LL_OK;
}

const char *ll_io_last_line_get(const ll_io_last_line *k, size_t *length)
{
    *length = k->last_length;
    return k->last ? ll_io_trim(k->last, length) : "";
}
