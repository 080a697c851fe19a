/* How a name that people type compares with one that is known: whether it is the same, and how far it is from it. */
#ifndef LL_NUMBER_NAME_DISTANCE_H
#define LL_NUMBER_NAME_DISTANCE_H

#include "number/whole.h"

#include <stddef.h>

enum { LL_NAME_MOST = 63 };

/* Characters that do not tell names apart: "ROC AUC", "roc_auc" and "ROC-AUC" are one. */
static inline int ll_name_skips(char c)
{
    return c == ' ' || c == '-' || c == '_' || c == '\'' || c == '@' || c == '(' || c == ')';
}

static inline int ll_name_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

/* Are they the same name, but for case and the characters that are skipped? */
static inline int ll_name_is(const char *a, size_t na, const char *b, size_t nb)
{
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        while (i < na && ll_name_skips(a[i]))
            i++;
        while (j < nb && ll_name_skips(b[j]))
            j++;
        if (i == na || j == nb)
            return i == na && j == nb;
        if (ll_name_lower(a[i]) != ll_name_lower(b[j]))
            return 0;
    }
}

/* Levenshtein's distance of two names, whatever their case; the first LL_NAME_MOST characters count. */
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
            row[j] = (long)ll_least(diagonal + (ll_name_lower(a[i - 1]) != ll_name_lower(b[j - 1])),
                                    1 + ll_least(above, row[j - 1]));
            diagonal = above;
        }
    }
    return row[m];
}

#endif
