/* From the text of a released score back to the sum of terms. */
#include "infer/evidence.h"

enum { PREC = 320 };

/* The interval of the program's sum of terms. */
static ll_status read_sum(const ll_evidence *e, arb_t sum, const char *text, ll_allowance allowance, ll_error *error)
{
    const ll_release *release = &e->scorer->release;
    slong prec = PREC + e->scorer->computation.precision;
    arb_t number;
    arb_init(number);
    ll_status status = ll_release_read(release, number, text, &e->texts, allowance, prec, error);
    if (status == LL_OK && ll_release_undo(release, number, 0, allowance, prec) != LL_OK)
        status = ll_fail(error, LL_DOMAIN, "the score '%.40s' is below 0, and no root is", text);
    if (status == LL_OK)
        ll_link_get_sum(e->scoring.how, sum, number, e->rows, allowance == LL_STATED, prec);
    arb_clear(number);
    return status;
}

ll_status ll_evidence_read_score(const ll_evidence *e, arb_t sum, arb_t noise, const char *text, ll_error *error)
{
    arb_t stated;
    arb_init(stated);
    ll_status status = read_sum(e, sum, text, LL_STATED_AND_OWN, error);
    if (status == LL_OK)
        status = read_sum(e, stated, text, LL_STATED, error);
    arb_get_rad_arb(noise, stated);
    arb_clear(stated);
    return status;
}
