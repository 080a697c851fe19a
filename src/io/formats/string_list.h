/* A list of texts, one behind another in memory. All zero is an empty list. */
#ifndef LL_IO_STRING_LIST_H
#define LL_IO_STRING_LIST_H

#include "lossleak.h"

typedef struct {
    char *text;
    size_t used, room;
    size_t *starts;
    long count, start_room;
} ll_io_strings;

/* LL_UNABLE where the list would hold more than `limit` bytes. */
LL_CHECK ll_status ll_io_strings_add(ll_io_strings *list, const char *text, size_t length, size_t limit);
const char *ll_io_strings_get(const ll_io_strings *list, long index);
/* Bytes that it holds. */
size_t ll_io_strings_held(const ll_io_strings *list);
void ll_io_strings_clear(ll_io_strings *list);

#endif
