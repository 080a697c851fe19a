/* Commands that show a table of the library: all rows in brief, or named ones in full. */
#ifndef LL_CLI_LISTING_H
#define LL_CLI_LISTING_H

#include "cli/command.h"
#include "cli/options/common_options.h"
#include <jansson.h>

typedef struct {
    const ll_syntax *syntax; /* its command is also the key of the array in JSON */
    long (*count)(void);
    const char *(*name)(long index);
    const char *const *headings; /* of the columns of the brief table, NULL after the last */
    void (*cell)(char *text, size_t size, long index, long column);
    void (*details)(long index);   /* print row `index` in full */
    json_t *(*object)(long index); /* row `index`; NULL where memory ended */
} ll_listing;

typedef struct {
    ll_common_options common;
    ll_texts names; /* of rows; none: all */
} ll_listing_options;

extern const ll_place ll_listing_places[];

/* The syntax of such a command; `doc` is that of --help: what it is, \v, an example. */
#define LL_LISTING_SYNTAX(name, text)                                                                                  \
    {                                                                                                                  \
        .command = (name), .arguments = "[NAME...]", .doc = (text), .size = sizeof(ll_listing_options),                \
        .places = ll_listing_places, .parts = {                                                                        \
            LL_PART(&ll_cli_common_group, ll_listing_options, common),                                                 \
            {0}                                                                                                        \
        }                                                                                                              \
    }

ll_exit ll_cli_list(const ll_listing *listing, const ll_listing_options *options);

#endif
