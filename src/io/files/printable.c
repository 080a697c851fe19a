#include "io/files/printable.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Code points of UTF-8 that are not shown, with their last; the table ends with the last code point there is. */
static const struct {
    uint32_t first, last;
} hidden[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x206f}, {0xd800, 0xdfff}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
};

static int is_hidden(uint32_t point)
{
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (point >= hidden[i].first && point <= hidden[i].last)
            return 1;
    return 0;
}

/* Length and code point of the UTF-8 sequence that starts here, or 0; no overlong forms. */
static size_t read_sequence(uint32_t *out, const unsigned char *s, size_t n)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    if (length == 0 || length > n)
        return 0;
    uint32_t point = length == 1 ? s[0] : s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (s[i] & 0x3f);
    }
    *out = point;
    int surrogate = point >= 0xd800 && point <= 0xdfff;
    return point < least[length] || point > 0x10ffff || surrogate ? 0 : length;
}

/* The same where it is fit to be shown, or 0. */
static size_t shown_sequence(const unsigned char *s, size_t n)
{
    uint32_t point;
    if (s[0] >= 0x20 && s[0] < 0x7f)
        return 1;
    size_t length = read_sequence(&point, s, n);
    return length > 0 && is_hidden(point) ? 0 : length;
}

int ll_io_is_utf8(const char *text, size_t length)
{
    uint32_t point;
    for (size_t i = 0, taken; i < length; i += taken)
        if ((taken = read_sequence(&point, (const unsigned char *)text + i, length - i)) == 0)
            return 0;
    return 1;
}

/* The piece that starts the text, at most four bytes and a zero; returns how much of the text it stands for. */
static size_t next_piece(char piece[5], size_t *made, const char *text, size_t length)
{
    size_t shown = shown_sequence((const unsigned char *)text, length);
    *made = shown > 0 ? shown : 4;
    if (shown > 0) {
        memcpy(piece, text, shown);
        piece[shown] = '\0';
    } else
        (void)snprintf(piece, 5, "\\x%02x", (unsigned char)text[0]);
    return shown > 0 ? shown : 1;
}

void ll_io_printable_pieces(const char *text, size_t length, void (*take)(void *self, const char *piece, size_t length),
                            void *self)
{
    for (size_t i = 0; i < length;) {
        char piece[5];
        size_t made;
        i += next_piece(piece, &made, text + i, length - i);
        take(self, piece, made);
    }
}

void ll_io_printable(char *out, size_t size, const char *text, size_t length)
{
    size_t used = 0, good = 0; /* good: the last place where "..." and the end still fit */
    for (size_t i = 0; i < length;) {
        char piece[5];
        size_t made, taken = next_piece(piece, &made, text + i, length - i);
        if (used + made >= size) {
            memcpy(out + good, "...", 4);
            return;
        }
        memcpy(out + used, piece, made);
        used += made;
        if (used + 4 <= size)
            good = used;
        i += taken;
    }
    out[used] = '\0';
}

const char *ll_io_quote(char out[LL_IO_QUOTE_SIZE], const char *text, size_t length)
{
    out[0] = '\'';
    ll_io_printable(out + 1, LL_IO_QUOTE_SIZE - 2, text, length);
    memcpy(out + strlen(out), "'", 2);
    return out;
}

static void count_piece(void *self, const char *piece, size_t length)
{
    (void)piece;
    *(size_t *)self += length;
}

char *ll_io_printable_copy(const char *text)
{
    size_t length = strlen(text), size = 8;
    ll_io_printable_pieces(text, length, count_piece, &size);
    char *copy = malloc(size);
    if (copy)
        ll_io_printable(copy, size, text, length);
    return copy;
}

static void put_piece(void *self, const char *piece, size_t length)
{
    (void)length;
    (void)fputs(piece, self);
}

void ll_io_print(FILE *out, const char *text, size_t length)
{
    ll_io_printable_pieces(text, length, put_piece, out);
}
