/* Digests (BLAKE2b, 256 bits, of libsodium) of what has parts: every part goes in with its length before it. */
#ifndef LL_GUARD_DIGEST_H
#define LL_GUARD_DIGEST_H

#include <lossleak.h>
#include <sodium.h>

enum { LL_DIGEST_BYTES = 32, LL_DIGEST_TEXT = 65 };

typedef struct {
    crypto_generichash_state state;
} ll_digest;

void ll_digest_init(ll_digest *digest, const char *purpose);
void ll_digest_add(ll_digest *digest, const void *part, size_t size);
void ll_digest_add_text(ll_digest *digest, const char *text); /* NULL is a part, too, and not the empty text */
void ll_digest_add_number(ll_digest *digest, int64_t number);
void ll_digest_finish(ll_digest *digest, unsigned char *out); /* LL_DIGEST_BYTES */
void ll_digest_finish_text(ll_digest *digest, char *out);     /* LL_DIGEST_TEXT, hexadecimal */

/* Of the values of a submission, however they were written: the same numbers have the same digest in ledgers of this secret
 * (LL_DIGEST_BYTES), other numbers another one. Checks them on the way, without labels: LL_DOMAIN names the row whose entry is not
 * finite, or none that `input` of a metric (or "weight", probabilities that need not sum to 1) allows, or whose entries do not sum to 1. */
LL_CHECK ll_status ll_digest_predictions(char *out, const ll_predictions *predictions, const char *input, long classes,
                                         const unsigned char *secret, ll_error *error);

#endif
