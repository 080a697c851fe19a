/* Commands that show a table of the library: all rows in brief, or named ones in full. */
#ifndef LL_CLI_LISTING_H
#define LL_CLI_LISTING_H

#include "cli/command.h"
#include <jansson.h>

typedef struct {
    const char *command; /* also the key of the array in JSON */
    const char *doc;     /* of --help: what it is, \v, an example */
    long (*count)(void);
    const char *(*name)(long index);
    const char *const *headings; /* of the columns of the brief table, NULL after the last */
    void (*cell)(char *text, size_t size, long index, long column);
    void (*details)(long index);   /* print row `index` in full */
    json_t *(*object)(long index); /* row `index`; NULL where memory ended */
} ll_listing;

ll_exit ll_cli_list(const ll_listing *listing, int argc, char **argv);

#endif
