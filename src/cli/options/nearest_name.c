#include "cli/options/nearest_name.h"

#include <string.h>

enum { LONGEST = 63 };

static int least(int a, int b, int c)
{
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Edit distance of the first LONGEST characters, one row of the table at a time. */
static int distance(const char *a, const char *b)
{
    int row[LONGEST + 1];
    int rows = (int)strnlen(a, LONGEST), columns = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= columns; j++)
        row[j] = j;
    for (int i = 1; i <= rows; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            int above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[columns];
}

const char *ll_cli_nearer(const char *word, const char *best, const char *name)
{
    int apart = distance(word, name), half = (int)(strnlen(word, LONGEST) + 1) / 2;
    if (apart > half || (best && distance(word, best) <= apart))
        return best;
    return name;
}
