#include "guard/digest.h"

#include <string.h>

static void add_raw(ll_digest *digest, const void *bytes, size_t size)
{
    (void)crypto_generichash_update(&digest->state, bytes, size);
}

/* 8 bytes, the least first. */
static void add_raw_number(ll_digest *digest, uint64_t number)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
    add_raw(digest, bytes, sizeof bytes);
}

void ll_digest_init(ll_digest *digest, const char *purpose)
{
    (void)crypto_generichash_init(&digest->state, NULL, 0, LL_DIGEST_BYTES);
    ll_digest_add_text(digest, purpose);
}

void ll_digest_add(ll_digest *digest, const void *part, size_t size)
{
    add_raw_number(digest, size);
    add_raw(digest, part, size);
}

void ll_digest_add_text(ll_digest *digest, const char *text)
{
    if (text == NULL)
        add_raw_number(digest, UINT64_MAX);
    else
        ll_digest_add(digest, text, strlen(text));
}

void ll_digest_add_number(ll_digest *digest, int64_t number)
{
    add_raw_number(digest, (uint64_t)number);
}

void ll_digest_finish(ll_digest *digest, unsigned char *out)
{
    (void)crypto_generichash_final(&digest->state, out, LL_DIGEST_BYTES);
}

void ll_digest_finish_text(ll_digest *digest, char *out)
{
    unsigned char bytes[LL_DIGEST_BYTES];
    ll_digest_finish(digest, bytes);
    (void)sodium_bin2hex(out, LL_DIGEST_TEXT, bytes, sizeof bytes);
}
