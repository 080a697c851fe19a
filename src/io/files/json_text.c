/* jansson 2.14 does not look whether a key could be added to the text that grows. Nothing grows here: the text is
 * measured first and then written into room of its size. */
#include "io/files/json_text.h"

#include <stdlib.h>

char *ll_io_json_text(const json_t *value, size_t flags)
{
    size_t size = json_dumpb(value, NULL, 0, flags);
    char *text = size > 0 ? malloc(size + 1) : NULL;
    if (!text)
        return NULL;
    if (json_dumpb(value, text, size, flags) != size) {
        free(text);
        return NULL;
    }
    text[size] = '\0';
    return text;
}
