/* FLINT does the work: prime iteration, product tree, remainder tree; Arb the logarithms. */
#include "code/primorial.h"

#include <flint/ulong_extras.h>

#include <stdlib.h>
#include <string.h>

ll_status ll_primorial_init(ll_primorial *p, long count)
{
    memset(p, 0, sizeof *p);
    p->count = count;
    p->primes = malloc(sizeof *p->primes * (size_t)count);
    if (p->primes == NULL)
        return LL_MEMORY;
    n_primes_t iterator;
    n_primes_init(iterator);
    for (long i = 0; i < count; i++)
        p->primes[i] = n_primes_next(iterator);
    n_primes_clear(iterator);
    fmpz *factors = _fmpz_vec_init(count);
    for (long i = 0; i < count; i++)
        fmpz_set_ui(factors + i, p->primes[i]);
    fmpz_init(p->product);
    _fmpz_vec_prod(p->product, factors, count);
    _fmpz_vec_clear(factors, count);
    return LL_OK;
}

void ll_primorial_clear(ll_primorial *p)
{
    if (p->primes == NULL)
        return;
    if (p->logs != NULL)
        _arb_vec_clear(p->logs, p->count);
    fmpz_clear(p->product);
    free(p->primes);
    memset(p, 0, sizeof *p);
}

void ll_primorial_prepare_logs(ll_primorial *p, slong prec)
{
    if (p->logs != NULL && p->log_prec >= prec)
        return;
    if (p->logs == NULL)
        p->logs = _arb_vec_init(p->count);
    arb_log_primes_vec_bsplit(p->logs, p->count, prec);
    p->log_prec = prec;
}

void ll_primorial_residues(const ll_primorial *p, mp_limb_t *residues, const fmpz_t value)
{
    fmpz_comb_t tree;
    fmpz_comb_temp_t scratch;
    fmpz_comb_init(tree, p->primes, p->count);
    fmpz_comb_temp_init(scratch, tree);
    fmpz_multi_mod_ui(residues, value, tree, scratch);
    fmpz_comb_temp_clear(scratch);
    fmpz_comb_clear(tree);
}

/* floor of an upper bound of e^x, or ceiling of a lower one. Both ends of an interval by themselves: the ball of e^x
 * around the middle is wider than the interval of the ends, and the gap leaves no room for that. */
static void exp_integer(fmpz_t out, const arf_t x, slong prec, int is_low)
{
    arb_t power;
    arf_t bound;
    arb_init(power);
    arf_init(bound);
    arb_set_arf(power, x);
    arb_exp(power, power, prec);
    if (is_low)
        arb_get_lbound_arf(bound, power, prec + 32);
    else
        arb_get_ubound_arf(bound, power, prec + 32);
    arf_get_fmpz(out, bound, is_low ? ARF_RND_CEIL : ARF_RND_FLOOR);
    arb_clear(power);
    arf_clear(bound);
}

void ll_primorial_exp_integers(fmpz_t low, fmpz_t high, const arb_t logarithm, const arb_t most, slong prec)
{
    arf_t from, to, bound;
    arf_init(from);
    arf_init(to);
    arf_init(bound);
    arb_get_interval_arf(from, to, logarithm, prec);
    arb_get_ubound_arf(bound, most, 64);
    arf_add_ui(bound, bound, 1, 64, ARF_RND_CEIL);
    if (arf_cmp(to, bound) > 0)
        arf_set(to, bound);
    if (arf_cmp_si(from, -1) < 0)
        arf_set_si(from, -1);
    fmpz_one(low);
    fmpz_zero(high);
    if (arf_cmp(from, to) <= 0) {
        exp_integer(high, to, prec, 0);
        exp_integer(low, from, prec, 1);
        if (fmpz_sgn(low) <= 0)
            fmpz_one(low);
    }
    arf_clear(from);
    arf_clear(to);
    arf_clear(bound);
}
