/* The order of doubles, for qsort. */
#ifndef LL_NUMBER_ORDER_H
#define LL_NUMBER_ORDER_H

/* Of two doubles, neither a NaN: from small to large. */
static inline int ll_compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
