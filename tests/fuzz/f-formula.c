/* Formulas in DIMACS CNF, and the file of the function behind one: JSON whose terms are the negated clauses. */
#include "fuzz.h"
#include "io/formats/dimacs.h"
#include "io/formats/function_file.h"

#include <jansson.h>

static void check_formula(const ll_cnf *cnf)
{
    LL_FUZZ_CHECK(cnf->clauses >= 0 && cnf->variables >= 0 && cnf->starts[0] == 0);
    for (long c = 0; c < cnf->clauses; c++) {
        LL_FUZZ_CHECK(cnf->starts[c] <= cnf->starts[c + 1]);
        for (size_t i = cnf->starts[c]; i < cnf->starts[c + 1]; i++)
            LL_FUZZ_CHECK(cnf->literals[i] != 0 && labs((long)cnf->literals[i]) <= cnf->variables);
    }
}

static void check_function(const ll_cnf *cnf)
{
    ll_error error;
    size_t size;
    LL_FUZZ_CHECK(ll_io_write_function(ll_fuzz_file(1, NULL, 0), cnf, 0, &error) == LL_OK);
    char *text = ll_fuzz_content(1, &size);
    json_t *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL), *terms = json_object_get(object, "terms");
    LL_FUZZ_CHECK(json_array_size(json_object_get(object, "primes")) == (size_t)cnf->variables);
    LL_FUZZ_CHECK(json_array_size(terms) == (size_t)cnf->clauses);
    for (long c = 0; c < cnf->clauses; c++) {
        const json_t *term = json_array_get(terms, (size_t)c);
        LL_FUZZ_CHECK(json_array_size(term) == cnf->starts[c + 1] - cnf->starts[c]);
        for (size_t i = 0; i < json_array_size(term); i++)
            LL_FUZZ_CHECK(json_integer_value(json_array_get(term, i)) ==
                          -(json_int_t)cnf->literals[cnf->starts[c] + i]);
    }
    json_decref(object);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ll_io_formula formula = {0};
    ll_error error;
    if (ll_fuzz_status(ll_io_read_formula(&formula, ll_fuzz_file(0, data, size), LL_FUZZ_MEMORY, &error), &error) ==
        LL_OK) {
        check_formula(&formula.cnf);
        if (formula.cnf.variables <= 64)
            check_function(&formula.cnf);
        ll_io_clear_formula(&formula);
    } else
        LL_FUZZ_CHECK(!formula.starts && !formula.literals);
    return 0;
}
