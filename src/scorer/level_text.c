#include "scorer/scorer.h"

#include <stdio.h>
#include <stdlib.h>

long ll_scorer_get_level(const ll_scorer *scorer, char *text, size_t size, long level)
{
    long count = ll_release_has_levels(&scorer->release) ? scorer->release.levels.count : 0;
    if (size > 0)
        text[0] = 0;
    if (count == 0 || level < 0 || level > count)
        return count;
    char *made = ll_release_level_text(&scorer->release, level);
    if (made != NULL)
        (void)snprintf(text, size, "%s", made);
    free(made);
    return count;
}
