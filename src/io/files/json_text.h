/* JSON out. */
#ifndef LL_IO_JSON_TEXT_H
#define LL_IO_JSON_TEXT_H

#include <jansson.h>

/* The value as text, with jansson's flags; NULL where memory ended. Free it. (json_dumps may answer text without some
 * of its keys then.) */
char *ll_io_json_text(const json_t *value, size_t flags);

#endif
