/* Arrays that grow, and the way back for memory of the library: a caller's free need not be the one that goes with its
 * malloc. */
#include "number/memory.h"

#include "lossleak.h"

#include <stdlib.h>
#include <string.h>

void *ll_grow(void *array, long *room, long count, size_t size)
{
    if (count < *room)
        return array;
    long more = 2 * *room + 16;
    char *grown = realloc(array, size * (size_t)more);
    if (grown == NULL)
        return NULL;
    memset(grown + size * (size_t)*room, 0, size * (size_t)(more - *room));
    *room = more;
    return grown;
}

void ll_free(void *memory)
{
    free(memory);
}
