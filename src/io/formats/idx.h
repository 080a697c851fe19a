/* IDX files (MNIST's), for labels: one dimension of integers of 1, 2 or 4 bytes, big-endian. */
#ifndef LL_IO_IDX_H
#define LL_IO_IDX_H

#include "io/formats/array.h"

/* Does this begin an IDX file, of any type? No text begins so. */
int ll_io_idx_is(const unsigned char *data, size_t size);

/* As ll_io_npy_parse. */
LL_CHECK ll_status ll_io_idx_parse(ll_io_array *out, const unsigned char *data, size_t size, const char *path,
                                   ll_error *error);

#endif
