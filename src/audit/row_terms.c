#include "audit/row_terms.h"

static int fill(ll_block *block, const double *row, long columns, int exact)
{
    double *doubles = exact ? NULL : ll_block_reserve_doubles(block, 1, columns);
    ll_exact *exacts = exact ? ll_block_reserve_exacts(block, 1, columns) : NULL;
    for (long c = 0; c < columns && (doubles != NULL || exacts != NULL); c++)
        if (exact)
            ll_exact_set_d(exacts + c, row[c]);
        else
            doubles[c] = row[c];
    return doubles != NULL || exacts != NULL;
}

/* Doubles are wanted, so an exact number of as many bits as a double can have is enough: a release of 100000 decimals
 * asks for 330000 otherwise. */
static ll_computation make_short(const ll_computation *how)
{
    enum { DOUBLE_BITS = 1200 };
    ll_computation made = *how;
    if (made.kind == LL_KIND_EXACT && made.precision > DOUBLE_BITS)
        made.precision = DOUBLE_BITS;
    return made;
}

ll_status ll_row_ends(const ll_scoring *scoring, double *from, double *to, const double *row, long columns, long looked)
{
    ll_block block;
    arb_t term;
    const ll_computation how = make_short(scoring->how);
    ll_scoring one = *scoring;
    one.how = &how;
    arf_t low, high;
    ll_block_init(&block);
    arb_init(term);
    arf_init(low);
    arf_init(high);
    ll_status status = fill(&block, row, columns, scoring->how->kind != LL_KIND_NATIVE) ? LL_OK : LL_MEMORY;
    for (long k = 0; k < looked && status == LL_OK; k++) {
        long label = looked == scoring->classes ? k : k * (scoring->classes - 1) / (looked - 1);
        status = ll_scoring_term(&one, term, &block, 0, label, NULL);
        ll_unreleased_ends(low, high, term);
        from[k] = arf_get_d(low, ARF_RND_FLOOR);
        to[k] = arf_get_d(high, ARF_RND_CEIL);
    }
    arf_clear(low);
    arf_clear(high);
    arb_clear(term);
    ll_block_clear(&block);
    return status;
}

ll_status ll_row_terms(const ll_scoring *scoring, double *terms, const double *row, long columns, const long *labels,
                       long count)
{
    ll_block block;
    arb_t term;
    const ll_computation how = make_short(scoring->how);
    ll_scoring one = *scoring;
    one.how = &how;
    ll_block_init(&block);
    arb_init(term);
    ll_status status = fill(&block, row, columns, scoring->how->kind != LL_KIND_NATIVE) ? LL_OK : LL_MEMORY;
    for (long k = 0; k < count && status == LL_OK; k++) {
        status = ll_scoring_term(&one, term, &block, 0, labels != NULL ? labels[k] : k, NULL);
        terms[k] = arf_get_d(arb_midref(term), ARF_RND_NEAR);
    }
    arb_clear(term);
    ll_block_clear(&block);
    return status;
}
