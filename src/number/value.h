/* Structs of callers that may be older or newer than the library: what has grown at their ends. */
#ifndef LL_NUMBER_VALUE_H
#define LL_NUMBER_VALUE_H

#include "lossleak.h"

/* Element `index` of an array whose elements are `distance` bytes apart. */
#define LL_AT(type, array, index, distance)                                                                            \
    ((const type *)(const void *)((const char *)(array) + (size_t)(index) * (distance)))

/* As much of *made as fits into `room` bytes; the rest of those is set to 0. */
void ll_value_copy(void *out, size_t room, const void *made, size_t size);

/* A request of the caller, who may know fewer fields than there are: those are 0. LL_DOMAIN where it was not
 * initialised, or asks for something in a field that is not known here. */
LL_CHECK ll_status ll_value_read(void *out, size_t size, const void *request, const char *name, ll_error *error);

/* Give an owning value away: *out, which is initialised and clear, gets as much of *made as it has room for. Where that
 * is not all, *made as a whole moves behind it (out->whole), so that ll_X_clear finds what there is to free. LL_MEMORY:
 * *made is still the caller's. */
LL_CHECK ll_status ll_value_give(void *out, const void *made, size_t size, ll_error *error);

/* The value that owns what is to be freed: the one behind it, or itself. NULL: there is nothing to free, since it is
 * NULL, or has no room for `size` bytes and none behind it, so that it was never filled. */
void *ll_value_whole(void *value, size_t size);

/* To the end of ll_X_clear: zeros but for the size, and the whole is freed. */
void ll_value_reset(void *value);

#endif
