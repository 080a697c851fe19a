/* Byte streams, gzip'd or not: read in pieces, rewound and read at once, the bytes must be the same. Where the first
 * byte is odd, the rest is packed first, as two members, and must come back. */
#include "fuzz.h"
#include "io/files/byte_stream.h"

#include <zlib.h>

enum { MOST = 1 << 18 }; /* a small file may hold gigabytes of zeros */

static size_t pack(uint8_t *out, size_t room, const uint8_t *data, size_t size)
{
    z_stream z = {.next_in = (Bytef *)data, .avail_in = (uInt)size, .next_out = out, .avail_out = (uInt)room};
    LL_FUZZ_CHECK(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    LL_FUZZ_CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    LL_FUZZ_CHECK(deflateEnd(&z) == Z_OK);
    return room - z.avail_out;
}

/* Up to MOST bytes by peeks of 1, 2, 3, ..., or by as many as are at hand. */
static ll_status read_pieces(ll_io_bytes *bytes, uint8_t *out, size_t *got, int all, ll_error *error)
{
    size_t step = 1, at_hand = 1;
    *got = 0;
    while (*got < MOST && at_hand > 0) {
        unsigned char *piece;
        ll_status status = ll_io_bytes_peek(bytes, &piece, &at_hand, all ? 1 : step, error);
        if (status != LL_OK)
            return status;
        size_t part = all || at_hand < step ? at_hand : step;
        part = part < MOST - *got ? part : MOST - *got;
        memcpy(out + *got, piece, part);
        ll_io_bytes_take(bytes, part);
        *got += part;
        step = step % 4096 + 1;
    }
    return LL_OK;
}

static void read_twice(const char *path, const uint8_t *expected, size_t size)
{
    static uint8_t first[MOST], second[MOST];
    ll_io_bytes *bytes = NULL;
    ll_error error;
    size_t got[2];
    if (ll_fuzz_status(ll_io_bytes_open(&bytes, path, &error), &error) != LL_OK) {
        LL_FUZZ_CHECK(!expected || size == 0);
        return;
    }
    ll_status status[2];
    status[0] = ll_fuzz_status(read_pieces(bytes, first, &got[0], 0, &error), &error);
    LL_FUZZ_CHECK(ll_io_bytes_rewind(bytes, &error) == LL_OK);
    status[1] = ll_fuzz_status(read_pieces(bytes, second, &got[1], 1, &error), &error);
    /* Peeks look ahead: of a stream beyond MOST they may find damage that the second reading never meets. */
    LL_FUZZ_CHECK(status[0] == status[1] || (status[1] == LL_OK && got[1] == MOST));
    if (status[0] == LL_OK)
        LL_FUZZ_CHECK(got[0] == got[1] && memcmp(first, second, got[0]) == 0);
    if (expected)
        LL_FUZZ_CHECK(status[0] == LL_OK && got[0] == size && memcmp(first, expected, size) == 0);
    ll_io_bytes_close(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t packed[MOST];
    if (size == 0 || size > MOST / 4)
        return 0;
    if (data[0] & 1) {
        size_t half = (size - 1) / 2, used = pack(packed, MOST, data + 1, half);
        used += pack(packed + used, MOST - used, data + 1 + half, size - 1 - half);
        read_twice(ll_fuzz_file(0, packed, used), data + 1, size - 1);
    } else
        read_twice(ll_fuzz_file(0, data + 1, size - 1), NULL, 0);
    return 0;
}
