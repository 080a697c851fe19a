/* The reply of one run. */
#include "identify/reply.h"

#include "number/memory.h"

#include <stdlib.h>
#include <string.h>

static ll_status no_memory(ll_error *error)
{
    return ll_fail(error, LL_MEMORY, "no memory for what the program answered");
}

ll_status ll_reply_add(ll_reply *reply, const char *channel, const char *text, ll_error *error)
{
    ll_reply_part *parts = ll_grow(reply->parts, &reply->room, reply->count, sizeof *parts);
    if (parts == NULL)
        return no_memory(error);
    reply->parts = parts;
    ll_reply_part part = {strdup(channel), strdup(text)};
    if (part.channel == NULL || part.text == NULL) {
        free(part.channel);
        free(part.text);
        return no_memory(error);
    }
    reply->parts[reply->count++] = part;
    return LL_OK;
}

ll_status ll_reply_fail(ll_reply *reply, const char *reason, ll_error *error)
{
    char *copy = reason != NULL ? strdup(reason) : NULL;
    if (reason != NULL && copy == NULL)
        return no_memory(error);
    free(reply->reason);
    reply->reason = copy;
    reply->failed = 1;
    return LL_OK;
}

void ll_reply_clear(ll_reply *reply)
{
    for (long i = 0; i < reply->count; i++) {
        free(reply->parts[i].channel);
        free(reply->parts[i].text);
    }
    free(reply->parts);
    free(reply->reason);
    *reply = (ll_reply){0};
}
