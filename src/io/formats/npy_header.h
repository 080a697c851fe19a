/* The header of a .npy file: a Python dictionary of three keys, written as text. */
#ifndef LL_IO_NPY_HEADER_H
#define LL_IO_NPY_HEADER_H

#include <stddef.h>

enum { LL_IO_NPY_DESCR = 15, LL_IO_NPY_DIMENSIONS = 8 };

typedef struct {
    char descr[LL_IO_NPY_DESCR + 1]; /* "<f8"; cut where it is longer */
    int fortran;
    int dimensions;
    size_t shape[LL_IO_NPY_DIMENSIONS];
} ll_io_npy_header;

/* NULL, or what is wrong with it. */
const char *ll_io_npy_header_read(ll_io_npy_header *out, const char *text, size_t length);

#endif
