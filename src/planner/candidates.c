/* The table of candidates: every code that a request can name. A new one is a line here. */
#include "planner/planner.h"
#include "strategy/averages/averages.h"
#include "strategy/cells/cells.h"
#include "strategy/changes/changes.h"
#include "strategy/edges/edges.h"
#include "strategy/flip/flip.h"
#include "strategy/grades/grades.h"
#include "strategy/ordered/ordered.h"
#include "strategy/presence/presence.h"
#include "strategy/ranks/ranks.h"
#include "strategy/shifts/shifts.h"
#include "strategy/single/single.h"
#include "strategy/sums/sums.h"

#include <string.h>

static const ll_candidate *const table[] = {
    &ll_candidate_powers,       &ll_candidate_primes,    &ll_candidate_paper_multiclass,
    &ll_candidate_prime_rows,   &ll_candidate_icml21,    &ll_candidate_radix,
    &ll_candidate_sum_distinct, &ll_candidate_detecting, &ll_candidate_hadamard,
    &ll_candidate_grades,       &ll_candidate_ranks,     &ll_candidate_presence,
    &ll_candidate_ordered,      &ll_candidate_cells,     &ll_candidate_flip,
    &ll_candidate_changes,      &ll_candidate_single,    &ll_candidate_edges,
    &ll_candidate_shifts,
};

long ll_code_count(void)
{
    return (long)(sizeof table / sizeof table[0]);
}

const ll_candidate *ll_candidate_get(long index)
{
    return table[index];
}

const ll_code_info *ll_code_get_info(long index)
{
    return index >= 0 && index < ll_code_count() ? &table[index]->code->info : NULL;
}

static ll_status unknown_name(const char *name, ll_error *error)
{
    char known[200] = "";
    for (long i = 0; i < ll_code_count(); i++) {
        strncat(known, i > 0 ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, table[i]->code->info.name, sizeof known - strlen(known) - 1);
    }
    return ll_fail(error, LL_DOMAIN, "unknown code '%.60s'; known are %s", name, known);
}

ll_status ll_candidate_find(ll_named_code *out, const char *name, ll_error *error)
{
    size_t length = strcspn(name, ":");
    const char *variant = name[length] == ':' ? name + length + 1 : NULL;
    for (long i = 0; i < ll_code_count(); i++) {
        const ll_code_info *info = &table[i]->code->info;
        if (strlen(info->name) != length || memcmp(info->name, name, length) != 0)
            continue;
        if (variant != NULL && ll_code_find_variant(table[i]->code, variant) == NULL)
            return ll_fail(error, LL_DOMAIN, "the code %s has no variant '%.40s'; it has: %s", info->name, variant,
                           info->variants[0] != '\0' ? info->variants : "none");
        *out = (ll_named_code){table[i], variant};
        return LL_OK;
    }
    return unknown_name(name, error);
}

/* Predictions that are labels are a code of their own, under one name with the other variants. */
const ll_code_row *ll_candidate_row(const ll_named_code *code)
{
    const ll_candidate *c = code->candidate;
    int is_labels = c->labels != NULL && code->variant != NULL && strcmp(code->variant, LL_LABELS_VARIANT) == 0;
    return is_labels ? c->labels : c->code;
}

const ll_candidate *ll_candidate_averages(void)
{
    long i = 0;
    while (!table[i]->averages)
        i++;
    return table[i];
}

int ll_candidate_is_average(const char *name)
{
    ll_named_code code;
    return ll_candidate_find(&code, name, NULL) == LL_OK && code.candidate->averages;
}
