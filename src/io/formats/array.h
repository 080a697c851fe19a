/* An array of numbers as .npy and IDX files hold it, in bytes that belong to somebody else. Entries are converted where
 * they are asked for, never all at once. */
#ifndef LL_IO_ARRAY_H
#define LL_IO_ARRAY_H

#include "lossleak.h"

typedef enum { LL_IO_BOOL, LL_IO_SIGNED, LL_IO_UNSIGNED, LL_IO_FLOAT } ll_io_array_kind;

typedef struct {
    const unsigned char *data; /* the first entry, inside the bytes that were parsed */
    ll_io_array_kind kind;
    int item;    /* bytes an entry: 1, 2, 4 or 8 */
    int swapped; /* is its byte order not this machine's? */
    int fortran; /* column after column; 0 where there is one column */
    int dimensions;
    long rows, columns; /* both >= 1; columns = 1 for one dimension */
} ll_io_array;

/* Rows first .. first+count-1, row after row. LL_DOMAIN where an entry is not finite or, an integer, no double. */
LL_CHECK ll_status ll_io_array_get_doubles(const ll_io_array *array, double *out, long first, long count,
                                           const char *path, ll_error *error);
/* The same for float16 and float32. */
LL_CHECK ll_status ll_io_array_get_floats(const ll_io_array *array, float *out, long first, long count,
                                          const char *path, ll_error *error);
/* The same for labels: every entry must be an integer that an int64_t holds. */
LL_CHECK ll_status ll_io_array_get_integers(const ll_io_array *array, int64_t *out, long first, long count,
                                            const char *path, ll_error *error);

/* Where the array already lies in memory as this machine's doubles (floats), C order, aligned, they are used in place.
 * NULL where it does not. */
const double *ll_io_array_doubles(const ll_io_array *array);
const float *ll_io_array_floats(const ll_io_array *array);

/* LL_DOMAIN, with row and column, where one of count rows of array, which begin at row `first`, is not finite. */
LL_CHECK ll_status ll_io_array_check_doubles(const ll_io_array *array, const double *x, long first, long count,
                                             const char *path, ll_error *error);
LL_CHECK ll_status ll_io_array_check_floats(const ll_io_array *array, const float *x, long first, long count,
                                            const char *path, ll_error *error);

#endif
