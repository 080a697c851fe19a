#include "number/value.h"

#include <stdlib.h>
#include <string.h>

/* How every owning value begins. Requests begin with the size alone. */
typedef struct {
    size_t size;
    void *whole;
} head;

void ll_value_init(void *value, size_t size)
{
    memset(value, 0, size);
    memcpy(value, &size, sizeof size);
}

static size_t size_of(const void *value)
{
    size_t size;
    memcpy(&size, value, sizeof size);
    return size;
}

void ll_value_copy(void *out, size_t room, const void *made, size_t size)
{
    memset(out, 0, room);
    memcpy(out, made, room < size ? room : size);
}

ll_status ll_value_read(void *out, size_t size, const void *request, const char *name, ll_error *error)
{
    const char *bytes = request;
    size_t given = size_of(request);
    if (given <= sizeof given)
        return ll_fail(error, LL_DOMAIN, "the %s was not initialised: call ll_%s_init", name, name);
    for (size_t i = size; i < given; i++)
        if (bytes[i] != 0)
            return ll_fail(error, LL_DOMAIN, "the %s asks for something that liblossleak %s does not know", name,
                           ll_version());
    ll_value_copy(out, size, request, given);
    memcpy(out, &size, sizeof size);
    return LL_OK;
}

ll_status ll_value_give(void *out, const void *made, size_t size, ll_error *error)
{
    head own = {.size = size_of(out)};
    if (own.size < sizeof own)
        return ll_fail(error, LL_DOMAIN, "a value was not initialised: call its init before");
    if (own.size < size) {
        own.whole = malloc(size);
        if (own.whole == NULL)
            return ll_fail(error, LL_MEMORY, "no memory for an answer");
        memcpy(own.whole, made, size);
    }
    ll_value_copy(out, own.size, made, size);
    memcpy(out, &own, sizeof own);
    return LL_OK;
}

void *ll_value_whole(void *value, size_t size)
{
    head own;
    if (value == NULL)
        return NULL;
    memcpy(&own, value, sizeof own);
    return own.whole != NULL ? own.whole : own.size >= size ? value : NULL;
}

void ll_value_reset(void *value)
{
    head own;
    memcpy(&own, value, sizeof own);
    free(own.whole);
    ll_value_init(value, own.size);
}
