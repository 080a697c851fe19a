/* Score and noise are whole multiples of 2^-GRID: the score is rounded to one, and the noise is an integer, drawn
 * exactly. Noise in proportion to the submission's spread is in proportion to what the rounding can add to it, too. */
#include "guard/noisy_level.h"
#include "guard/noise/sampler.h"
#include "number/text_number.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRID = 40 };

/* ---- kinds ---- */

struct ll_noise_kind {
    const char *prefix;
    double (*size)(double factor, double spread, double rows); /* in units of the score */
    int is_squared;                                            /* does the sampler take its square? */
    void (*draw)(ll_random_bytes *random, mpz_t out, const mpq_t size);
};

static double fixed_size(double factor, double spread, double rows)
{
    (void)spread;
    (void)rows;
    return factor;
}

/* Every label moves the rounded score by up to one multiple more. */
static double proportional_size(double factor, double spread, double rows)
{
    return factor * (spread + ldexp(sqrt(rows), -GRID)) * (1 + 0x1p-40);
}

static const ll_noise_kind kinds[] = {
    {"proportional:", proportional_size, 1, ll_sample_gaussian},
    {"gaussian:", fixed_size, 1, ll_sample_gaussian},
    {"laplace:", fixed_size, 0, ll_sample_laplace},
};

const ll_noise_kind *ll_noise_kind_find(const char *text)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(text, kinds[i].prefix, strlen(kinds[i].prefix)) == 0)
            return &kinds[i];
    return NULL;
}

ll_status ll_noise_kind_refuse(ll_error *error)
{
    enum { KINDS = sizeof kinds / sizeof *kinds };
    char names[200] = "";
    for (size_t i = 0; i < KINDS; i++)
        (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s%.*s",
                       i == 0          ? ""
                       : i + 1 < KINDS ? ", "
                                       : " and ",
                       (int)strlen(kinds[i].prefix) - 1, kinds[i].prefix);
    return ll_fail(error, LL_DOMAIN, "policy: scorer: guards draw %s noise", names);
}

/* ---- numbers ---- */

static ll_status read_number(double *out, const char *text, ll_error *error)
{
    ll_block block;
    ll_block_init(&block);
    ll_exact *exact = ll_block_reserve_exacts(&block, 1, 1);
    ll_status status = exact != NULL ? ll_exact_read(exact, 0, text, strlen(text)) : LL_MEMORY;
    if (status == LL_OK)
        *out = ll_exact_double(exact, 0);
    ll_block_clear(&block);
    return status == LL_OK && isfinite(*out) ? LL_OK : ll_fail(error, LL_DOMAIN, "a score that is not finite");
}

/* x * 2^GRID, rounded to the nearest whole number; exact but for that */
static void to_grid(mpz_t out, double x)
{
    mpq_t q, half;
    mpq_init(q);
    mpq_init(half);
    mpq_set_d(q, x);
    mpq_mul_2exp(q, q, GRID);
    mpq_set_ui(half, 1, 2);
    mpq_add(q, q, half);
    mpz_fdiv_q(out, mpq_numref(q), mpq_denref(q));
    mpq_clear(q);
    mpq_clear(half);
}

/* ---- the draw ---- */

static void seed_of(unsigned char *out, const ll_guard *guard, const char *digest)
{
    ll_digest d;
    ll_digest_init(&d, "noise");
    ll_digest_add(&d, guard->secret, sizeof guard->secret);
    ll_digest_add_text(&d, digest);
    ll_digest_finish(&d, out);
}

static void add_noise(mpz_t number, const ll_guard *guard, const ll_noise_kind *kind, double size, const char *digest)
{
    unsigned char seed[LL_DIGEST_BYTES];
    ll_random_bytes random;
    mpz_t drawn;
    mpq_t units;
    mpz_init(drawn);
    mpq_init(units);
    mpq_set_d(units, size);
    mpq_mul_2exp(units, units, GRID);
    if (kind->is_squared)
        mpq_mul(units, units, units);
    seed_of(seed, guard, digest);
    ll_random_bytes_init(&random, seed);
    kind->draw(&random, drawn, units);
    mpz_add(number, number, drawn);
    ll_random_bytes_clear(&random);
    mpz_clear(drawn);
    mpq_clear(units);
}

int ll_noise_follows_spread(const char *noise)
{
    return ll_noise_kind_find(noise)->size != fixed_size;
}

double ll_noise_grid(void)
{
    return ldexp(1, -GRID);
}

ll_status ll_noise_size(double *out, const char *noise, double spread, long rows, ll_error *error)
{
    const ll_noise_kind *kind = ll_noise_kind_find(noise);
    double factor = 0;
    ll_status status = read_number(&factor, noise + strlen(kind->prefix), error);
    *out = kind->size(factor, spread, (double)rows);
    return status;
}

/* Of a submission whose rows are not kept. */
static ll_status find_size(const ll_guard *guard, double *out, const ll_predictions *p, ll_error *error)
{
    ll_reach reach = {0};
    ll_status status = ll_curator_reach(guard->noisy, &reach, p, error);
    return status == LL_OK ? ll_noise_size(out, guard->policy->noise, reach.spread, guard->rows, error) : status;
}

static ll_status compute(ll_guard *guard, mpz_t number, const char *digest, const ll_predictions *p, double size,
                         ll_error *error)
{
    double score = 0;
    ll_score released;
    ll_score_init(&released);
    ll_status status = size > 0 ? LL_OK : find_size(guard, &size, p, error);
    if (status == LL_OK)
        status = ll_curator_score(guard->bare, &released, p, error);
    if (status == LL_OK)
        status = read_number(&score, released.text, error);
    if (status == LL_OK) {
        to_grid(number, score);
        add_noise(number, guard, ll_noise_kind_find(guard->policy->noise), size, digest);
    }
    ll_score_clear(&released);
    return status;
}

/* ---- numbers that are shown ---- */

/* Beyond the largest that is kept, the largest. */
static long keep_number(const ll_policy *policy, mpz_t number)
{
    const long most = LONG_MAX / 2;
    if (!policy->is_high)
        mpz_neg(number, number);
    return mpz_cmp_si(number, most) > 0 ? most : mpz_cmp_si(number, -most) < 0 ? -most : mpz_get_si(number);
}

/* As many decimals as the scorer states, or six. */
char *ll_guard_number_text(const ll_policy *policy, long number)
{
    enum { SIZE = 64, DECIMALS = 6 };
    const char *decimals = ll_scorer_get(policy->scorer, "decimals");
    long count = decimals != NULL && decimals[0] >= '0' && decimals[0] <= '9' ? strtol(decimals, NULL, 10) : DECIMALS;
    double x = ldexp((double)(policy->is_high ? number : -number), -GRID);
    char *text = malloc(SIZE);
    if (text != NULL)
        (void)ll_print(text, SIZE, "%.*f", count < 12 ? (int)count : 12, x);
    return text;
}

/* ---- levels ---- */

static ll_status level_at(const ll_guard *guard, mpz_t out, long level, ll_error *error)
{
    double x = 0;
    char *text = ll_guard_level_text(guard->policy, level);
    ll_status status = text != NULL ? read_number(&x, text, error) : ll_fail(error, LL_MEMORY, "no memory for a level");
    if (status == LL_OK)
        to_grid(out, x);
    free(text);
    return status;
}

/* The last level that the number reaches, by bisection: levels rise or fall. */
static ll_status find_level(const ll_guard *guard, long *out, const mpz_t number, ll_error *error)
{
    mpz_t at, first;
    long low = 0, high = guard->policy->levels + 1;
    mpz_init(at);
    mpz_init(first);
    ll_status status = level_at(guard, first, 0, error);
    if (status == LL_OK)
        status = level_at(guard, at, guard->policy->levels, error);
    int rises = mpz_cmp(at, first) > 0;
    while (status == LL_OK && high - low > 1) {
        long middle = low + (high - low) / 2;
        status = level_at(guard, at, middle, error);
        int order = mpz_cmp(number, at);
        *((rises ? order >= 0 : order <= 0) ? &low : &high) = middle;
    }
    *out = low;
    mpz_clear(at);
    mpz_clear(first);
    return status;
}

ll_status ll_guard_noisy_level(ll_guard *guard, long *level, const char *digest, const ll_predictions *predictions,
                               double size, ll_error *error)
{
    mpz_t number;
    mpz_init(number);
    ll_status status = compute(guard, number, digest, predictions, size, error);
    if (status == LL_OK && guard->policy->levels > 0)
        status = find_level(guard, level, number, error);
    else if (status == LL_OK)
        *level = keep_number(guard->policy, number);
    mpz_clear(number);
    return status;
}

ll_status ll_guard_level_of(const ll_guard *guard, long *level, double score, ll_error *error)
{
    mpz_t number;
    mpz_init(number);
    to_grid(number, score);
    ll_status status = find_level(guard, level, number, error);
    mpz_clear(number);
    return status;
}
