/* How a name that people type compares with one that is known: whether it is the same, and how far it is from it. */
#ifndef LL_NUMBER_NAME_DISTANCE_H
#define LL_NUMBER_NAME_DISTANCE_H

#include "number/whole.h"

#include <stddef.h>
#include <string.h>

enum { LL_NAME_MOST = 63 };

/* The bytes at the beginning of `text` that do not tell names apart: "ROC AUC", "roc_auc", "ROC-AUC" and the same with
 * a dash of UTF-8 are one, and so are "Acc." and "acc". A point before a digit is one of a number. */
static inline size_t ll_name_skip(const char *text, size_t n)
{
    if (n >= 3 && text[0] == '\xe2' && text[1] == '\x80' && text[2] >= '\x90' && text[2] <= '\x99')
        return 3; /* hyphens, dashes and the right quotation mark */
    if (n > 0 && text[0] == '.')
        return n == 1 || text[1] < '0' || text[1] > '9';
    return n > 0 && text[0] != '\0' && strchr(" -_'(){}", text[0]) != NULL;
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
        for (size_t more; (more = ll_name_skip(a + i, na - i)) > 0;)
            i += more;
        for (size_t more; (more = ll_name_skip(b + j, nb - j)) > 0;)
            j += more;
        if (i == na || j == nb)
            return i == na && j == nb;
        if (ll_name_lower(a[i]) != ll_name_lower(b[j]))
            return 0;
    }
}

/* What is left of a name without what is skipped, in lower case: its length. */
static inline long ll_name_bare(char out[LL_NAME_MOST], const char *a, size_t n)
{
    long used = 0;
    for (size_t i = 0, more; i < n && used<LL_NAME_MOST; i += more> 0 ? more : 1)
        if ((more = ll_name_skip(a + i, n - i)) == 0)
            out[used++] = (char)ll_name_lower(a[i]);
    return used;
}

/* Levenshtein's distance of two names, but for case and what is skipped; the first LL_NAME_MOST characters count. */
static inline long ll_name_distance(const char *a, size_t na, const char *b, size_t nb)
{
    char one[LL_NAME_MOST], two[LL_NAME_MOST];
    long row[LL_NAME_MOST + 1] = {0}, n = ll_name_bare(one, a, na), m = ll_name_bare(two, b, nb);
    for (long j = 0; j <= m; j++)
        row[j] = j;
    for (long i = 1; i <= n; i++) {
        long diagonal = row[0];
        row[0] = i;
        for (long j = 1; j <= m; j++) {
            long above = row[j];
            row[j] = (long)ll_least(diagonal + (one[i - 1] != two[j - 1]), 1 + ll_least(above, row[j - 1]));
            diagonal = above;
        }
    }
    return row[m];
}

#endif
