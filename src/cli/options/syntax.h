/* The syntax of a command as tables: its options, where their values go, and the groups of options that it shares. */
#ifndef LL_CLI_SYNTAX_H
#define LL_CLI_SYNTAX_H

#include <argp.h>
#include <stddef.h>

/* Texts in the order in which they were given; freed with the options that they are in. */
typedef struct {
    const char **texts;
    long count;
} ll_texts;

/* The key of an option says where its value goes in the struct of a command's options: what kind of member, and at
 * which distance. A text as it was given, the last one where there are several; all of them; a flag that becomes 1. A
 * member of another type has no branch in the _Generic and does not compile. Keys below LL_PLACE are no places. */
enum { LL_PLACE = 1 << 16, LL_PLACE_TEXT = LL_PLACE, LL_PLACE_LIST = 2 * LL_PLACE, LL_PLACE_FLAG = 3 * LL_PLACE };

#define LL_TEXT(type, member)                                                                                          \
    (LL_PLACE_TEXT + (int)offsetof(type, member) + _Generic(((type *)0)->member, const char * : 0))
#define LL_LIST(type, member)                                                                                          \
    (LL_PLACE_LIST + (int)offsetof(type, member) + _Generic(((type *)0)->member, ll_texts : 0))
#define LL_FLAG(type, member) (LL_PLACE_FLAG + (int)offsetof(type, member) + _Generic(((type *)0)->member, int : 0))

/* The place of an option whose key is its letter, or of the arguments (ARGP_KEY_ARG). A table ends with {0}. */
typedef struct {
    int key, place;
} ll_place;

/* A group of options that commands share: the input of its argp is a struct of its own, all 0 before. */
typedef struct {
    struct argp argp;
    void (*clear)(void *options); /* frees what the struct owns; NULL: nothing */
    /* What the first screen of help says of an option: NULL leaves it out, "" is the first clause of its text. A NULL
     * function: all are shown as they are. */
    const char *(*brief)(const char *name);
} ll_option_group;

/* Such a group, and its struct inside the command's. */
typedef struct {
    const ll_option_group *group;
    size_t offset;
} ll_part;

#define LL_PART(group, type, member)                                                                                   \
    {                                                                                                                  \
        group, offsetof(type, member)                                                                                  \
    }

enum { LL_PARTS = 6 };

typedef struct {
    const char *command;   /* as typed */
    const char *arguments; /* of the usage line; NULL: none are taken */
    const char *doc;
    const char
        *first;  /* names of the options on the first screen of help, a blank between them; NULL: the groups choose */
    size_t size; /* of the struct of its options */
    const struct argp_option *options; /* NULL: none of its own */
    const ll_place *places;            /* of letters and arguments; NULL: none */
    ll_part parts[LL_PARTS + 1];       /* up to a group of NULL; ll_cli_common_group is one of them */
    /* What has no place: arguments (ARGP_KEY_ARG), lists, checked values. It answers as an argp parser does. May be
     * NULL. */
    error_t (*parse_other)(void *options, int key, char *value);
    double max_seconds; /* where --max-seconds is not given; 0: as every command */
} ll_syntax;

/* Put the value where the key says, or the table (NULL: none); ARGP_ERR_UNKNOWN where it has no place. ENOMEM: a list is
 * as it was. */
error_t ll_cli_put(void *options, const ll_place *places, int key, const char *value);
/* The parser of a group of options that all have places, and no letters. */
error_t ll_cli_parse_places(int key, char *value, struct argp_state *state);

#endif
