#include "io/files/text_stream.h"

#include "io/files/io_fail.h"

#include <string.h>

static ll_status skip_mark(ll_io_text *t, ll_error *error)
{
    unsigned char *data;
    size_t size;
    ll_status status = ll_io_bytes_peek(t->bytes, &data, &size, 3, error);
    if (status != LL_OK)
        return status;
    if (size >= 2 && ((data[0] == 0xff && data[1] == 0xfe) || (data[0] == 0xfe && data[1] == 0xff)))
        return ll_io_fail(error, LL_DOMAIN, ll_io_bytes_path(t->bytes), 1,
                          "UTF-16 text; only UTF-8 is read: save it as UTF-8");
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
        ll_io_bytes_take(t->bytes, 3);
    return LL_OK;
}

ll_status ll_io_text_open(ll_io_text *out, ll_io_bytes *bytes, ll_error *error)
{
    *out = (ll_io_text){.bytes = bytes, .line = 1};
    ll_status status = skip_mark(out, error);
    if (status != LL_OK)
        ll_io_text_close(out);
    return status;
}

void ll_io_text_close(ll_io_text *t)
{
    ll_io_bytes_close(t->bytes);
    *t = (ll_io_text){0};
}

ll_status ll_io_text_rewind(ll_io_text *t, ll_error *error)
{
    *t = (ll_io_text){.bytes = t->bytes, .line = 1};
    ll_status status = ll_io_bytes_rewind(t->bytes, error);
    return status == LL_OK ? skip_mark(t, error) : status;
}

/* Make every line end an LF, in place; returns the new size. */
static size_t unify_line_ends(unsigned char *data, size_t size, int *after_cr)
{
    if (!*after_cr && !memchr(data, '\r', size))
        return size;
    size_t kept = 0;
    for (size_t i = 0; i < size; i++) {
        int skip = *after_cr && data[i] == '\n';
        *after_cr = data[i] == '\r';
        if (!skip)
            data[kept++] = *after_cr ? '\n' : data[i];
    }
    return kept;
}

static ll_status refuse_nul(const ll_io_text *t, ll_error *error)
{
    const unsigned char *nul = memchr(t->data, 0, t->size);
    if (!nul)
        return LL_OK;
    long line = t->line;
    for (const unsigned char *p = t->data; p < nul; p++)
        line += *p == '\n';
    return ll_io_fail(error, LL_DOMAIN, ll_io_bytes_path(t->bytes), line, "a NUL byte: this is no text file");
}

static ll_status fetch(ll_io_text *t, ll_error *error)
{
    size_t size = 1;
    while (t->size == 0 && size > 0) {
        ll_status status = ll_io_bytes_peek(t->bytes, &t->data, &size, 1, error);
        if (status != LL_OK)
            return status;
        ll_io_bytes_take(t->bytes, size);
        t->size = unify_line_ends(t->data, size, &t->after_cr);
    }
    return refuse_nul(t, error);
}

ll_status ll_io_text_next(ll_io_text *t, const char **piece, size_t *size, ll_error *error)
{
    ll_status status = t->size == 0 ? fetch(t, error) : LL_OK;
    if (status != LL_OK)
        return status;
    const unsigned char *end = memchr(t->data, '\n', t->size);
    *piece = (const char *)t->data;
    *size = end ? (size_t)(end - t->data) + 1 : t->size;
    t->data += *size;
    t->size -= *size;
    t->line += end != NULL;
    return LL_OK;
}
