/* A list of texts. */
#include "identify/texts.h"

#include "number/agree.h"
#include "number/memory.h"
#include "number/text_number.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 2000 };

struct ll_kept_texts {
    char **all;
    long count, room;
    int failed;
};

ll_kept_texts *ll_texts_create(void)
{
    return calloc(1, sizeof(ll_kept_texts));
}

void ll_texts_destroy(ll_kept_texts *texts)
{
    for (long i = 0; texts != NULL && i < texts->count; i++)
        free(texts->all[i]);
    if (texts != NULL)
        free((void *)texts->all);
    free(texts);
}

int ll_texts_failed(const ll_kept_texts *texts)
{
    return texts->failed;
}

static int reserve(ll_kept_texts *texts)
{
    char **all = ll_grow((void *)texts->all, &texts->room, texts->count, sizeof *all);
    if (all == NULL)
        return 0;
    texts->all = all;
    return 1;
}

const char *ll_texts_add(ll_kept_texts *texts, const char *format, ...)
{
    char made[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    (void)ll_print_list(made, sizeof made, format, arguments);
    va_end(arguments);
    ll_agree(made);
    char *copy = reserve(texts) ? strdup(made) : NULL;
    if (copy == NULL) {
        texts->failed = 1;
        return "";
    }
    texts->all[texts->count++] = copy;
    return copy;
}
