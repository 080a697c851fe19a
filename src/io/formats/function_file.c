#include "io/formats/function_file.h"

#include "io/files/io_fail.h"
#include "io/files/write_file.h"

#include <inttypes.h>
#include <stdlib.h>

static ll_status write_primes(ll_io_output *output, const uint64_t *primes, long count, ll_error *error)
{
    ll_status status = ll_io_output_print(output, error, "  \"primes\": [");
    for (long i = 0; i < count && status == LL_OK; i++)
        status = ll_io_output_print(output, error, "%s%" PRIu64, i ? "," : "", primes[i]);
    return status == LL_OK ? ll_io_output_print(output, error, "],\n") : status;
}

/* The negation of a clause: all its literals are false. */
static ll_status write_term(ll_io_output *output, const ll_cnf *cnf, long clause, ll_error *error)
{
    ll_status status = ll_io_output_print(output, error, "%s\n    [", clause ? "," : "");
    size_t first = cnf->starts[clause];
    for (size_t i = first; i < cnf->starts[clause + 1] && status == LL_OK; i++)
        status = ll_io_output_print(output, error, "%s%ld", i > first ? "," : "", -(long)cnf->literals[i]);
    return status == LL_OK ? ll_io_output_print(output, error, "]") : status;
}

static ll_status write_body(ll_io_output *output, const ll_cnf *cnf, const uint64_t *primes, ll_error *error)
{
    ll_status status = ll_io_output_print(
        output, error, "{\n  \"function\": \"%s\",\n  \"variables\": %ld,\n",
        "f(labels) = (number of terms that hold) * (product of the primes whose label is 1)", cnf->variables);
    if (status == LL_OK)
        status = write_primes(output, primes, cnf->variables, error);
    if (status == LL_OK)
        status = ll_io_output_print(output, error, "  \"terms\": [");
    for (long c = 0; c < cnf->clauses && status == LL_OK; c++)
        status = write_term(output, cnf, c, error);
    return status == LL_OK ? ll_io_output_print(output, error, "%s]\n}\n", cnf->clauses ? "\n  " : "") : status;
}

static ll_status write_to(const char *path, const ll_cnf *cnf, uint64_t *primes, ll_error *error)
{
    ll_io_output *output = NULL;
    ll_status status = ll_hardness_primes(primes, cnf, error);
    if (status == LL_OK)
        status = ll_io_output_open(&output, path, error);
    if (status == LL_OK)
        status = write_body(output, cnf, primes, error);
    if (status == LL_OK)
        return ll_io_output_commit(output, error);
    ll_io_output_abandon(output);
    return status;
}

ll_status ll_io_write_function(const char *path, const ll_cnf *cnf, size_t max_memory, ll_error *error)
{
    size_t bytes = ((size_t)cnf->variables + 1) * sizeof(uint64_t);
    if (max_memory > 0 && bytes > max_memory)
        return ll_io_fail_budget(error, path, max_memory);
    uint64_t *primes = malloc(bytes);
    if (!primes)
        return ll_io_fail(error, LL_MEMORY, path, 0, "no memory for %ld primes", cnf->variables);
    ll_status status = write_to(path, cnf, primes, error);
    free(primes);
    return status;
}
