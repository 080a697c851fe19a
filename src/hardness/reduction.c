/* From a formula to a function of labels.
 *
 * The negation of a CNF is a DNF with one term a clause, and a term holds exactly if its clause is false. So
 * T(sigma), the number of terms that hold, is counted on the clauses. Terms are never simplified: a clause that
 * stands twice counts twice, one that holds x and not x never counts, an empty one always does. The primes must be
 * above T's largest value for the factorisation to give sigma back, and that value is at most the number of clauses. */
#include "hardness/hardness.h"

#include <flint/fmpz_vec.h>
#include <flint/ulong_extras.h>
#include <stdlib.h>

ll_status ll_hardness_check(const ll_cnf *cnf, ll_error *error)
{
    if (cnf->variables < 0 || cnf->clauses < 0)
        return ll_fail(error, LL_DOMAIN, "a formula cannot have %ld variables and %ld clauses", cnf->variables,
                       cnf->clauses);
    if (cnf->variables > LL_CNF_VARIABLES)
        return ll_fail(error, LL_DOMAIN, "%ld variables: at most %ld can be named", cnf->variables,
                       (long)LL_CNF_VARIABLES);
    for (long c = 0; c < cnf->clauses; c++)
        for (size_t i = cnf->starts[c]; i < cnf->starts[c + 1]; i++) {
            long variable = labs((long)cnf->literals[i]);
            if (variable < 1 || variable > cnf->variables)
                return ll_fail(error, LL_DOMAIN, "clause %ld: %ld is no literal of %ld variables", c + 1,
                               (long)cnf->literals[i], cnf->variables);
        }
    return LL_OK;
}

static int is_false(const ll_cnf *cnf, long clause, const int32_t *labels)
{
    for (size_t i = cnf->starts[clause]; i < cnf->starts[clause + 1]; i++) {
        int32_t literal = cnf->literals[i];
        int label = labels[labs((long)literal) - 1] != 0;
        if (label == (literal > 0))
            return 0;
    }
    return 1;
}

long ll_hardness_falsified(const ll_cnf *cnf, const int32_t *labels)
{
    long count = 0;
    for (long c = 0; c < cnf->clauses; c++)
        count += is_false(cnf, c, labels);
    return count;
}

static void fill_primes(uint64_t *primes, const ll_cnf *cnf)
{
    n_primes_t iterator;
    n_primes_init(iterator);
    n_primes_jump_after(iterator, (ulong)cnf->clauses);
    for (long i = 0; i < cnf->variables; i++)
        primes[i] = n_primes_next(iterator);
    n_primes_clear(iterator);
}

ll_status ll_hardness_primes(uint64_t *primes, const ll_cnf *cnf, ll_error *error)
{
    ll_status status = ll_hardness_check(cnf, error);
    if (status == LL_OK)
        fill_primes(primes, cnf);
    return status;
}

/* value = the product of the primes whose label is 1. */
static ll_status multiply_primes(fmpz_t value, const ll_cnf *cnf, const int32_t *labels)
{
    uint64_t *primes = malloc(((size_t)cnf->variables + 1) * sizeof *primes);
    if (!primes)
        return LL_MEMORY;
    fill_primes(primes, cnf);
    fmpz *factors = _fmpz_vec_init(cnf->variables);
    long count = 0;
    for (long i = 0; i < cnf->variables; i++)
        if (labels[i])
            fmpz_set_ui(factors + count++, primes[i]);
    _fmpz_vec_prod(value, factors, count);
    _fmpz_vec_clear(factors, cnf->variables);
    free(primes);
    return LL_OK;
}

ll_status ll_hardness_evaluate(fmpz_t value, const ll_cnf *cnf, const int32_t *labels)
{
    long terms = ll_hardness_falsified(cnf, labels);
    if (terms == 0) { /* 0 times whatever the product is */
        fmpz_zero(value);
        return LL_OK;
    }
    ll_status status = multiply_primes(value, cnf, labels);
    if (status == LL_OK)
        fmpz_mul_ui(value, value, (ulong)terms);
    return status;
}

ll_status ll_hardness_collide(int *yes, const ll_cnf *cnf, const int32_t *first, const int32_t *second)
{
    int differ = 0;
    for (long i = 0; i < cnf->variables; i++)
        differ |= (first[i] != 0) != (second[i] != 0);
    fmpz_t a, b;
    fmpz_init(a);
    fmpz_init(b);
    ll_status status = ll_hardness_evaluate(a, cnf, first);
    if (status == LL_OK)
        status = ll_hardness_evaluate(b, cnf, second);
    if (status == LL_OK)
        *yes = differ && fmpz_equal(a, b);
    fmpz_clear(a);
    fmpz_clear(b);
    return status;
}

ll_status ll_hardness_value(char **text, const ll_cnf *cnf, const int32_t *labels, ll_error *error)
{
    fmpz_t value;
    ll_status status = ll_hardness_check(cnf, error);
    if (status != LL_OK)
        return status;
    fmpz_init(value);
    status = ll_hardness_evaluate(value, cnf, labels);
    char *digits = status == LL_OK ? malloc(fmpz_sizeinbase(value, 10) + 2) : NULL;
    if (digits) {
        fmpz_get_str(digits, 10, value);
        *text = digits;
    } else {
        status = ll_fail(error, LL_MEMORY, "no memory for a value of f");
    }
    fmpz_clear(value);
    return status;
}
