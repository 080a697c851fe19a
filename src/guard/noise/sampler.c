#include "guard/noise/sampler.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes ---- */

void ll_random_bytes_init(ll_random_bytes *random, const unsigned char *seed)
{
    memcpy(random->seed, seed, sizeof random->seed);
    random->used = sizeof random->block;
    random->blocks = 0;
}

void ll_random_bytes_clear(ll_random_bytes *random)
{
    sodium_memzero(random, sizeof *random);
}

/* Every block has a seed of its own, the digest of its number under the stream's. */
static void fill(ll_random_bytes *random)
{
    unsigned char number[8], seed[32];
    for (int i = 0; i < 8; i++)
        number[i] = (unsigned char)(random->blocks >> 8 * i);
    (void)crypto_generichash(seed, sizeof seed, number, sizeof number, random->seed, sizeof random->seed);
    randombytes_buf_deterministic(random->block, sizeof random->block, seed);
    sodium_memzero(seed, sizeof seed);
    random->blocks++;
    random->used = 0;
}

static unsigned char next_byte(ll_random_bytes *random)
{
    if (random->used == sizeof random->block)
        fill(random);
    return random->block[random->used++];
}

void ll_sample_below(ll_random_bytes *random, mpz_t out, const mpz_t bound)
{
    mpz_t last;
    assert(mpz_sgn(bound) > 0);
    mpz_init(last);
    mpz_sub_ui(last, bound, 1);
    size_t bits = mpz_sgn(last) > 0 ? mpz_sizeinbase(last, 2) : 0;
    do {
        mpz_set_ui(out, 0);
        for (size_t i = 0; i < (bits + 7) / 8; i++) {
            mpz_mul_2exp(out, out, 8);
            mpz_add_ui(out, out, next_byte(random));
        }
        mpz_fdiv_r_2exp(out, out, bits);
    } while (mpz_cmp(out, bound) >= 0);
    mpz_clear(last);
}

/* ---- coins ---- */

/* 1 with probability p, 0 <= p <= 1. */
static int flip(ll_random_bytes *random, const mpq_t p)
{
    mpz_t drawn;
    mpz_init(drawn);
    ll_sample_below(random, drawn, mpq_denref(p));
    int is_one = mpz_cmp(drawn, mpq_numref(p)) < 0;
    mpz_clear(drawn);
    return is_one;
}

/* gamma <= 1: the first k whose coin of gamma/k shows 0 is odd with probability exp(-gamma). */
static int sample_small_exp(ll_random_bytes *random, const mpq_t gamma)
{
    mpq_t p;
    unsigned long k = 0;
    mpq_init(p);
    do {
        k++;
        mpz_set(mpq_numref(p), mpq_numref(gamma));
        mpz_mul_ui(mpq_denref(p), mpq_denref(gamma), k);
    } while (flip(random, p));
    mpq_clear(p);
    return k % 2 == 1;
}

int ll_sample_exp(ll_random_bytes *random, const mpq_t gamma)
{
    mpq_t rest, one;
    int goes_on = 1;
    assert(mpq_sgn(gamma) >= 0);
    mpq_init(rest);
    mpq_init(one);
    mpq_set(rest, gamma);
    mpq_set_ui(one, 1, 1);
    for (; goes_on && mpq_cmp(rest, one) > 0; mpq_sub(rest, rest, one))
        goes_on = sample_small_exp(random, one);
    if (goes_on)
        goes_on = sample_small_exp(random, rest);
    mpq_clear(rest);
    mpq_clear(one);
    return goes_on;
}

/* ---- Laplace ---- */

/* |X| of scale t, a whole number: U + t V, U below t and kept with exp(-U/t), V geometric with exp(-1). */
static void draw_magnitude(ll_random_bytes *random, mpz_t out, const mpz_t t)
{
    mpq_t gamma, one;
    mpz_t times;
    mpq_init(gamma);
    mpq_init(one);
    mpz_init(times);
    mpq_set_ui(one, 1, 1);
    do {
        ll_sample_below(random, out, t);
        mpz_set(mpq_numref(gamma), out);
        mpz_set(mpq_denref(gamma), t);
    } while (!ll_sample_exp(random, gamma));
    while (ll_sample_exp(random, one))
        mpz_add_ui(times, times, 1);
    mpz_addmul(out, t, times);
    mpq_clear(gamma);
    mpq_clear(one);
    mpz_clear(times);
}

/* Scale t/s: the floor of a magnitude of scale t over s; one of the two zeros is drawn again. */
void ll_sample_laplace(ll_random_bytes *random, mpz_t out, const mpq_t scale)
{
    assert(mpq_sgn(scale) > 0);
    for (;;) {
        draw_magnitude(random, out, mpq_numref(scale));
        mpz_fdiv_q(out, out, mpq_denref(scale));
        int is_negative = next_byte(random) & 1;
        if (is_negative && mpz_sgn(out) == 0)
            continue;
        if (is_negative)
            mpz_neg(out, out);
        return;
    }
}

/* ---- Gaussian ---- */

/* (|y| - variance/t)^2 / (2 variance) */
static void set_rejection(mpq_t out, const mpz_t y, const mpq_t variance, const mpq_t t)
{
    mpq_t distance;
    mpq_init(distance);
    mpq_div(distance, variance, t);
    mpz_abs(mpq_numref(out), y);
    mpz_set_ui(mpq_denref(out), 1);
    mpq_sub(distance, out, distance);
    mpq_mul(distance, distance, distance);
    mpq_div(distance, distance, variance);
    mpq_div_2exp(out, distance, 1);
    mpq_clear(distance);
}

/* Laplace noise of scale t = floor(sigma) + 1, kept with the probability that makes it normal. */
void ll_sample_gaussian(ll_random_bytes *random, mpz_t out, const mpq_t variance)
{
    mpq_t t, gamma;
    assert(mpq_sgn(variance) > 0);
    mpq_init(t);
    mpq_init(gamma);
    mpz_fdiv_q(mpq_numref(t), mpq_numref(variance), mpq_denref(variance));
    mpz_sqrt(mpq_numref(t), mpq_numref(t));
    mpz_add_ui(mpq_numref(t), mpq_numref(t), 1);
    do {
        ll_sample_laplace(random, out, t);
        set_rejection(gamma, out, variance, t);
    } while (!ll_sample_exp(random, gamma));
    mpq_clear(t);
    mpq_clear(gamma);
}
