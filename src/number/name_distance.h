/* How far a name that is not known is from one that is. */
#ifndef LL_NUMBER_NAME_DISTANCE_H
#define LL_NUMBER_NAME_DISTANCE_H

#include "number/whole.h"

#include <stddef.h>

enum { LL_NAME_MOST = 63 };

/* Levenshtein's distance of names of so many characters, of which the first LL_NAME_MOST count. */
static inline long ll_name_distance(const char *a, size_t na, const char *b, size_t nb)
{
    long row[LL_NAME_MOST + 1], n = (long)ll_least((int64_t)na, LL_NAME_MOST),
                                m = (long)ll_least((int64_t)nb, LL_NAME_MOST);
    for (long j = 0; j <= m; j++)
        row[j] = j;
    for (long i = 1; i <= n; i++) {
        long diagonal = row[0];
        row[0] = i;
        for (long j = 1; j <= m; j++) {
            long above = row[j];
            row[j] = (long)ll_least(diagonal + (a[i - 1] != b[j - 1]), 1 + ll_least(above, row[j - 1]));
            diagonal = above;
        }
    }
    return row[m];
}

#endif
