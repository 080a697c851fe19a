/* What answers with noise tell of single labels, row by row (docs/proofs/row-ledger.md). rho of a row and an answer is
 * R^2/(2 s^2), R the most that the label of the row can move the number on its grid, s the size of the noise; it adds up
 * over answers, and rho/4 nats bound what they tell of the label, even to somebody who knows all others. No label has a
 * part in any of it. */
#ifndef LL_GUARD_ROW_LEDGER_H
#define LL_GUARD_ROW_LEDGER_H

#include "guard/ledger.h"

#define LL_RHO_OF_BITS 2.772588722239781 /* 4 ln 2 */
#define LL_RHO_ONE 1e7                   /* units of a rho of 1, as it is stored */

/* What one submission would tell. */
typedef struct {
    int32_t *rho;  /* [rows], in units, rounded up; INT32_MAX: as much or more */
    double size;   /* of the noise, in units of the score */
    int64_t price; /* bits of all rows together, as a price */
} ll_row_charge;

/* LL_DOMAIN: this submission has no limit, whatever the labels are. Clear it in any case. */
LL_CHECK ll_status ll_row_charge_measure(ll_guard *guard, ll_row_charge *out, const ll_predictions *predictions,
                                         ll_error *error);
void ll_row_charge_clear(ll_row_charge *charge);

/* Bits that an answer costs at most, whatever is submitted. */
double ll_row_charge_most(const ll_policy *policy, long rows);

/* All answers so far; *rho is the caller's to free. */
LL_CHECK ll_status ll_row_ledger_get(ll_guard *guard, int32_t **rho, ll_error *error);
LL_CHECK ll_status ll_row_ledger_put(ll_guard *guard, const int32_t *rho, ll_error *error);
/* The first row whose rho would pass the policy's cap; -1: none. */
long ll_row_ledger_find_full(const ll_guard *guard, const int32_t *rho, const ll_row_charge *charge);
void ll_row_ledger_add(const ll_guard *guard, int32_t *rho, const ll_row_charge *charge);
/* out[LL_DIGEST_TEXT] */
void ll_row_ledger_digest(const ll_guard *guard, char *out, const int32_t *rho);

#endif
