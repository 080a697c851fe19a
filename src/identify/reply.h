/* What a program showed in one run, as its caller handed it over. */
#ifndef LL_IDENTIFY_REPLY_H
#define LL_IDENTIFY_REPLY_H

#include "lossleak/identify.h"

typedef struct {
    char *channel, *text;
} ll_reply_part;

struct ll_reply {
    ll_reply_part *parts;
    long count, room;
    int failed;
    char *reason; /* NULL: none */
};

void ll_reply_clear(ll_reply *reply);

#endif
