/* Labels at rest: "plain:" or "secretbox:" (XSalsa20 and Poly1305, a random nonce in front), in base64. */
#include "guard/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE64 = sodium_base64_VARIANT_ORIGINAL, NONCE = crypto_secretbox_NONCEBYTES, MAC = crypto_secretbox_MACBYTES };

typedef struct {
    const char *prefix;
    int is_encrypted;
} label_form;

static const label_form forms[] = {{"plain:", 0}, {"secretbox:", 1}};

/* Four bytes a label, the least first. */
static void write_labels(unsigned char *out, const int32_t *labels, long n)
{
    for (long i = 0; i < n; i++)
        for (int j = 0; j < 4; j++)
            out[4 * i + j] = (unsigned char)((uint32_t)labels[i] >> 8 * j);
}

static int32_t read_label(const unsigned char *bytes)
{
    uint32_t label = 0;
    for (int j = 0; j < 4; j++)
        label |= (uint32_t)bytes[j] << 8 * j;
    return (int32_t)label;
}

static char *to_text(const label_form *form, const unsigned char *bytes, size_t size)
{
    size_t skip = strlen(form->prefix), length = sodium_base64_encoded_len(size, BASE64);
    char *text = malloc(skip + length);
    if (text != NULL) {
        memcpy(text, form->prefix, skip);
        (void)sodium_bin2base64(text + skip, length, bytes, size, BASE64);
    }
    return text;
}

ll_status ll_vault_close(char **out, const int32_t *labels, long n, const unsigned char *key, ll_error *error)
{
    size_t size = (size_t)n * 4;
    unsigned char *plain = malloc(size), *box = malloc(NONCE + MAC + size);
    if (plain != NULL && box != NULL) {
        write_labels(plain, labels, n);
        if (key != NULL) {
            randombytes_buf(box, NONCE);
            (void)crypto_secretbox_easy(box + NONCE, plain, size, box, key);
        }
        *out = key != NULL ? to_text(&forms[1], box, NONCE + MAC + size) : to_text(&forms[0], plain, size);
        sodium_memzero(plain, size);
    }
    free(plain);
    free(box);
    return *out != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for %ld labels", n);
}

static const label_form *find_form(const char *text)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strncmp(text, forms[i].prefix, strlen(forms[i].prefix)) == 0)
            return &forms[i];
    return NULL;
}

/* In place; *start is where the labels begin. */
static ll_status decrypt(unsigned char *bytes, size_t *size, size_t *start, const unsigned char *key, ll_error *error)
{
    if (key == NULL)
        return ll_fail(error, LL_DOMAIN, "the labels of this ledger are encrypted: its key is missing");
    if (*size < NONCE + MAC || crypto_secretbox_open_easy(bytes + NONCE, bytes + NONCE, *size - NONCE, bytes, key) != 0)
        return ll_fail(error, LL_DOMAIN, "the key does not fit this ledger, or its labels are damaged");
    *start = NONCE;
    *size -= NONCE + MAC;
    return LL_OK;
}

static ll_status take_labels(int32_t **labels, long *n, const unsigned char *bytes, size_t size, ll_error *error)
{
    int32_t *out = malloc(size + 4);
    if (out == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for labels");
    *n = (long)(size / 4);
    for (long i = 0; i < *n; i++)
        out[i] = read_label(bytes + 4 * i);
    *labels = out;
    return LL_OK;
}

ll_status ll_vault_open(int32_t **labels, long *n, int *is_encrypted, const char *text, const unsigned char *key,
                        ll_error *error)
{
    const label_form *form = find_form(text);
    size_t length = strlen(text), size = 0, start = 0;
    unsigned char *bytes = malloc(length + 1);
    if (bytes == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for labels");
    ll_status status = LL_OK;
    if (form == NULL || sodium_base642bin(bytes, length + 1, text + strlen(form->prefix), length - strlen(form->prefix),
                                          NULL, &size, NULL, BASE64) != 0)
        status = ll_fail(error, LL_DOMAIN, "the labels of this ledger are damaged");
    else if (form->is_encrypted)
        status = decrypt(bytes, &size, &start, key, error);
    if (status == LL_OK)
        status = take_labels(labels, n, bytes + start, size, error);
    if (status == LL_OK)
        *is_encrypted = form->is_encrypted;
    sodium_memzero(bytes, length + 1);
    free(bytes);
    return status;
}
