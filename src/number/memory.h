/* Arrays that grow. */
#ifndef LL_NUMBER_MEMORY_H
#define LL_NUMBER_MEMORY_H

#include <stddef.h>

/* An array of elements of `size` bytes, with room for more than `count`: as it was if there is some, else moved to a
 * larger one whose new elements are zeros, and *room is set. NULL: no memory, and the array stays the caller's. */
void *ll_grow(void *array, long *room, long count, size_t size);

#endif
