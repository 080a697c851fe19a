/* What hiding which rows count is worth: submissions with the part known, and with every row public or absent. */
#ifndef LL_REPORT_SECRECY_H
#define LL_REPORT_SECRECY_H

#include "lossleak.h"
#include <jansson.h>

typedef struct {
    long rows, part;                  /* in all, and public */
    double known;                     /* submissions that read the part where it is known; NAN: no certified plan */
    double hidden, unsized;           /* where it is not told, and where not even its size is */
    double known_bound, hidden_bound; /* no method can with fewer: docs/proofs/public.md */
    double state_bits;                /* of parts and labels */
    char verdict[640];
} ll_secrecy;

/* Rows of the part that the setting "public" tells, the fewer of two; 0 where it does not. */
long ll_report_part(const ll_scorer *described);

/* audit: of the part, were it known. LL_MEMORY. */
LL_CHECK ll_status ll_report_price_secrecy(ll_secrecy *out, const ll_scorer *described, const ll_audit *audit,
                                           const ll_budget *budget, ll_error *error);

json_t *ll_report_json_secrecy(const ll_secrecy *secrecy);

#endif
