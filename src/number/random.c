/* Philox4x32-10 and the distributions made of it. The key is the seed; the counter block holds the draw's
 * counter in its low and the stream in its high half. One block of 128 bits is enough for every draw but a
 * rejected one of ll_random_below. */
#include "number/random.h"

#include <math.h>
#include <mpfr.h>

enum { ROUNDS = 10 };

void ll_random_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t first = (uint64_t)0xD2511F53 * c[0], second = (uint64_t)0xCD9E8D57 * c[2];
        c[0] = (uint32_t)(second >> 32) ^ c[1] ^ k[0];
        c[1] = (uint32_t)second;
        c[2] = (uint32_t)(first >> 32) ^ c[3] ^ k[1];
        c[3] = (uint32_t)first;
        k[0] += 0x9E3779B9;
        k[1] += 0xBB67AE85;
    }
    for (int i = 0; i < 4; i++)
        out[i] = c[i];
}

/* The block of a draw, as two words of 64 bits. */
static void draw_block(uint64_t out[2], uint64_t seed, uint64_t stream, uint64_t counter)
{
    const uint32_t block[4] = {(uint32_t)counter, (uint32_t)(counter >> 32), (uint32_t)stream,
                               (uint32_t)(stream >> 32)};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t words[4];
    ll_random_philox(words, block, key);
    out[0] = words[0] | (uint64_t)words[1] << 32;
    out[1] = words[2] | (uint64_t)words[3] << 32;
}

uint64_t ll_random_bits(uint64_t seed, uint64_t stream, uint64_t counter)
{
    uint64_t words[2];
    draw_block(words, seed, stream, counter);
    return words[0];
}

/* (j + 1/2) 2^-52, j < 2^52: exact, and symmetric about 1/2. */
static double to_unit(uint64_t bits)
{
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

double ll_random_uniform(uint64_t seed, uint64_t stream, uint64_t counter)
{
    return to_unit(ll_random_bits(seed, stream, counter));
}

/* The high word of bits * n is uniform once those bits are refused whose low word falls below 2^64 mod n (Lemire
 * 2019). */
static int scale_below(uint64_t *out, uint64_t bits, uint64_t n)
{
    unsigned __int128 scaled = (unsigned __int128)bits * n;
    *out = (uint64_t)(scaled >> 64);
    return (uint64_t)scaled >= (UINT64_MAX - n + 1) % n;
}

/* A block refused twice is followed by the block that its own words name as counter and stream. Under the next seed,
 * not this one: else a chain of draws could meet the chain of another draw. */
uint64_t ll_random_below(uint64_t seed, uint64_t stream, uint64_t counter, uint64_t n)
{
    uint64_t words[2], out;
    draw_block(words, seed, stream, counter);
    while (!scale_below(&out, words[0], n) && !scale_below(&out, words[1], n))
        draw_block(words, ++seed, words[1], words[0]);
    return out;
}

enum { DOUBLE_BITS = 53 };

/* f(x) as the nearest double. */
static double apply(int (*f)(mpfr_t, const mpfr_t, mpfr_rnd_t), double x)
{
    mpfr_t value;
    mpfr_init2(value, DOUBLE_BITS);
    mpfr_set_d(value, x, MPFR_RNDN);
    f(value, value, MPFR_RNDN);
    double nearest = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return nearest;
}

/* Box and Muller 1958. */
double ll_random_gaussian(uint64_t seed, uint64_t stream, uint64_t counter)
{
    uint64_t words[2];
    draw_block(words, seed, stream, counter);
    double radius = sqrt(-2 * apply(mpfr_log, to_unit(words[0])));
    return radius * apply(mpfr_cos, 0x1.921fb54442d18p+2 * to_unit(words[1]));
}

double ll_random_laplace(uint64_t seed, uint64_t stream, uint64_t counter)
{
    uint64_t words[2];
    draw_block(words, seed, stream, counter);
    double size = -apply(mpfr_log, to_unit(words[0]));
    return words[1] & 1 ? size : -size;
}
