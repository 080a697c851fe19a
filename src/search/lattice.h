/* Labels from several scores of the same rows, by lattice reduction and enumeration (docs/proofs/lattice.md).
 * Lagarias and Odlyzko 1985; Coster, Joux, LaMacchia, Odlyzko, Schnorr and Stern 1992; Lenstra, Lenstra and Lovasz
 * 1982; Fincke and Pohst 1985; Schnorr and Euchner 1994. */
#ifndef LL_SEARCH_LATTICE_H
#define LL_SEARCH_LATTICE_H

#include "search/meet.h"

/* Passes of block reduction after which more are not expected to help. */
enum { LL_LATTICE_PASSES = 60 };

/* Labellings that fit, every one checked in integers, as patterns (a group of equal rows is one item). *proved: the
 * enumeration came to its end, so that these are all there are; else they are those found until then, and none is
 * no proof of anything. passes: of block reduction after LLL, at most; 0: LLL and the tries that follow it, no more.
 * LL_UNABLE, with a prediction, where it would take more than `seconds`. */
LL_CHECK ll_status ll_search_lattice(ll_search_set *out, int *proved, const ll_linear *system, long limit, long passes,
                                     double seconds, ll_error *error);

#endif
