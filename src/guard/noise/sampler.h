/* Discrete Laplace and Gaussian noise, exactly: integers X with P(X = x) in proportion to exp(-|x|/scale) and to
 * exp(-x^2/(2 variance)). No floating-point number is involved; scales are rational numbers of any size (Canonne, Kamath
 * and Steinke 2020, "The Discrete Gaussian for Differential Privacy", Algorithms 1 to 3). */
#ifndef LL_GUARD_NOISE_SAMPLER_H
#define LL_GUARD_NOISE_SAMPLER_H

#include <gmp.h>
#include <stddef.h>

/* Random bytes: a stream of libsodium's generator (ChaCha20), a function of its seed. */
typedef struct {
    unsigned char seed[32], block[512];
    size_t used;
    unsigned long blocks;
} ll_random_bytes;

/* The same 32 bytes of seed give the same stream. */
void ll_random_bytes_init(ll_random_bytes *random, const unsigned char *seed);
void ll_random_bytes_clear(ll_random_bytes *random);

/* Uniform in 0 .. bound-1; bound >= 1. */
void ll_sample_below(ll_random_bytes *random, mpz_t out, const mpz_t bound);
/* 1 with probability exp(-gamma), gamma >= 0; else 0. */
int ll_sample_exp(ll_random_bytes *random, const mpq_t gamma);
/* scale > 0, variance > 0. */
void ll_sample_laplace(ll_random_bytes *random, mpz_t out, const mpq_t scale);
void ll_sample_gaussian(ll_random_bytes *random, mpz_t out, const mpq_t variance);

#endif
