/* NumPy's .npy files of one or two dimensions: format versions 1 to 3, bool, integers, float16/32/64, both byte orders,
 * C and Fortran order. */
#ifndef LL_IO_NPY_H
#define LL_IO_NPY_H

#include "io/formats/array.h"

/* Does this begin a .npy file? */
int ll_io_npy_is(const unsigned char *data, size_t size);

/* Read the header of an array that is the whole of data[0..size). LL_DOMAIN with the reason where it is no such array,
 * or where the header does not fit the size. `path` is for the message. */
LL_CHECK ll_status ll_io_npy_parse(ll_io_array *out, const unsigned char *data, size_t size, const char *path,
                                   ll_error *error);

#endif
