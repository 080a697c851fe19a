/* The numbers in what a program showed, each under a name that is the same in every run: the channel, the word before
 * the number on its line, and which number under that word it is. */
#ifndef LL_IDENTIFY_NUMBERS_H
#define LL_IDENTIFY_NUMBERS_H

#include "identify/reply.h"

enum { LL_NUMBER_NAME = 96, LL_NUMBER_TEXT = 48 };

typedef struct {
    char name[LL_NUMBER_NAME]; /* "stdout:accuracy", "stdout:accuracy#2" */
    char text[LL_NUMBER_TEXT]; /* as it was printed; "nan" and the like stand for a number that is none */
    long part;                 /* of the reply */
    double value;              /* NAN: none */
    long decimals, digits;     /* that the text has; significant ones */
} ll_shown;

typedef struct {
    ll_shown *all;
    long count, room;
    char **rests; /* [part]: its text with # in place of every number */
    long rest_count;
} ll_numbers;

/* LL_MEMORY. */
LL_CHECK ll_status ll_numbers_find(ll_numbers *out, const ll_reply *reply, ll_error *error);
void ll_numbers_clear(ll_numbers *numbers);
/* The number of this name, which is expected at place `hint`; NULL: there is none. */
const ll_shown *ll_numbers_get(const ll_numbers *numbers, const char *name, long hint);

#endif
