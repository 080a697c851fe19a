/* The candidates are the 2^m divisors of P, the product of the first m primes.
 *
 * Near x: integers are tried outwards from x, y | P is the test. Gaps between divisors average P / 2^m and reach P / 2,
 * so the walk need not end soon. Else: every divisor is a product a b of a divisor of the first half of the primes and
 * one of the second; for every a, the two neighbours of x / a in the sorted list of the b are the only ones that
 * matter. */
#include "squarefree.h"
#include "code/primorial.h"

#include <stdlib.h>

enum {
    WALK = 20000,      /* integers tried on each side of x */
    MEET_AT_ONCE = 20, /* primes: 2^10 products are cheaper than any walk */
    MEET_PRIMES = 40
};

/* Keep the nearer of best and candidate, the smaller of two equally near: with a < b, |x - a| > |x - b| iff 2x > a + b.
 */
static void keep_nearer(fmpz_t best, const fmpz_t candidate, const arf_t x)
{
    const fmpz *low = fmpz_cmp(best, candidate) < 0 ? best : candidate;
    const fmpz *high = low == best ? candidate : best;
    fmpz_t sum;
    arf_t middle;
    fmpz_init(sum);
    arf_init(middle);
    fmpz_add(sum, low, high);
    arf_set_fmpz_2exp(middle, sum, (fmpz[1]){-1});
    fmpz_set(best, arf_cmp(x, middle) > 0 ? high : low);
    fmpz_clear(sum);
    arf_clear(middle);
}

/* Both sides are walked in step from floor(x). When one side has an answer the other is walked one step further, which
 * decides. 0 where there is none within WALK steps. */
static int walk_outwards(fmpz_t out, const arf_t x, const fmpz_t product)
{
    fmpz_t below, above;
    fmpz_init(below);
    fmpz_init(above);
    arf_get_fmpz(below, x, ARF_RND_FLOOR);
    fmpz_add_ui(above, below, 1);
    int has_below = 0, has_above = 0, had_one = 0;
    for (long step = 0; !had_one && step < WALK; step += !(has_below || has_above)) {
        had_one = has_below || has_above;
        has_below = has_below || (fmpz_sgn(below) > 0 && fmpz_divisible(product, below));
        has_above = has_above || fmpz_divisible(product, above);
        if (!has_below)
            fmpz_sub_ui(below, below, 1);
        if (!has_above)
            fmpz_add_ui(above, above, 1);
    }
    if (has_below || has_above)
        fmpz_set(out, has_below ? below : above);
    if (has_below && has_above)
        keep_nearer(out, above, x);
    fmpz_clear(below);
    fmpz_clear(above);
    return has_below || has_above;
}

static int by_value(const void *a, const void *b)
{
    return fmpz_cmp(a, b);
}

/* All products of subsets of n primes, sorted: 2^n of them. */
static fmpz *subset_products(const mp_limb_t *primes, long n)
{
    long size = 1L << n;
    fmpz *products = _fmpz_vec_init(size);
    fmpz_one(products);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < 1L << i; j++)
            fmpz_mul_ui(products + (1L << i) + j, products + j, primes[i]);
    qsort(products, (size_t)size, sizeof(fmpz), by_value);
    return products;
}

static void meet(fmpz_t best, const arf_t x, const fmpz *left, long left_size, const fmpz *right, long right_size)
{
    fmpz_t floor_x, product;
    fmpz_init(floor_x);
    fmpz_init(product);
    arf_get_fmpz(floor_x, x, ARF_RND_FLOOR);
    fmpz_one(best);
    long at = right_size - 1; /* the greatest b with a b <= x, or 0; falls as a grows */
    for (long i = 0; i < left_size; i++) {
        for (; at > 0; at--) {
            fmpz_mul(product, left + i, right + at);
            if (fmpz_cmp(product, floor_x) <= 0)
                break;
        }
        for (long j = at; j <= at + 1 && j < right_size; j++) {
            fmpz_mul(product, left + i, right + j);
            keep_nearer(best, product, x);
        }
    }
    fmpz_clear(floor_x);
    fmpz_clear(product);
}

static void meet_in_the_middle(fmpz_t out, const arf_t x, const ll_primorial *p)
{
    long low = p->count / 2, high = p->count - low;
    fmpz *left = subset_products(p->primes, low), *right = subset_products(p->primes + low, high);
    meet(out, x, left, 1L << low, right, 1L << high);
    _fmpz_vec_clear(left, 1L << low);
    _fmpz_vec_clear(right, 1L << high);
}

/* For one real x; 0 where the search would not end. */
static int nearest(fmpz_t out, const arf_t x, const ll_primorial *p)
{
    arf_t product;
    arf_init(product);
    arf_set_fmpz(product, p->product);
    int is_above = arf_cmp(x, product) >= 0;
    arf_clear(product);
    if (is_above) {
        fmpz_set(out, p->product);
        return 1;
    }
    if (arf_cmp_si(x, 1) <= 0) {
        fmpz_one(out);
        return 1;
    }
    if (p->count > MEET_AT_ONCE && walk_outwards(out, x, p->product))
        return 1;
    if (p->count > MEET_PRIMES)
        return 0;
    meet_in_the_middle(out, x, p);
    return 1;
}

/* The nearest one does not fall as x grows: the same at both ends of the ball, it is the same throughout. */
static ll_status nearest_of_ball(fmpz_t out, const arb_t x, const ll_primorial *p, ll_error *error)
{
    arf_t from, to;
    fmpz_t other;
    arf_init(from);
    arf_init(to);
    fmpz_init(other);
    arb_get_interval_arf(from, to, x, arb_bits(x) + 4096);
    int found = nearest(out, from, p) && nearest(other, to, p), same = found && fmpz_equal(out, other);
    arf_clear(from);
    arf_clear(to);
    fmpz_clear(other);
    if (!found)
        return ll_fail(error, LL_UNABLE,
                       "no divisor of the product of the first %ld primes is within %d of x, and with over %d primes a "
                       "search of all of them would not end",
                       p->count, WALK, MEET_PRIMES);
    if (!same)
        return ll_fail(error, LL_UNABLE, "x is not known well enough to say which squarefree integer is nearest");
    return LL_OK;
}

ll_status ll_squarefree_nearest(fmpz_t out, const arb_t x, long m, ll_error *error)
{
    if (m < 1 || m > 10000000)
        return ll_fail(error, LL_DOMAIN, "the number of primes must be 1 to 10000000, not %ld", m);
    if (!arb_is_finite(x) || arf_cmpabs_2exp_si(arb_midref(x), (slong)1 << 32) > 0 ||
        mag_cmp_2exp_si(arb_radref(x), (slong)1 << 32) > 0)
        return ll_fail(error, LL_DOMAIN, "x is not finite, or beyond 2^(2^32)");
    ll_primorial p;
    if (ll_primorial_init(&p, m) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for %ld primes", m);
    ll_status status = nearest_of_ball(out, x, &p, error);
    ll_primorial_clear(&p);
    return status;
}
