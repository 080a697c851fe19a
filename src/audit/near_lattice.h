/* Weights near multiples of a unit: what is left of a lattice when its maker blurs it by less than decoding bears. */
#ifndef LL_AUDIT_NEAR_LATTICE_H
#define LL_AUDIT_NEAR_LATTICE_H

#include "audit/traces.h"

typedef struct {
    double unit;
    double off;      /* how far the mean of the sizes about one multiple is from it, at most, in units */
    long multiples;  /* different ones, 0 aside */
    double evidence; /* bits: odds below 2^-evidence where levels are independent; docs/proofs/audit.md */
} ll_near_lattice;

/* Searches units down to 2^-24 of the largest size. evidence is 0 where none is near. */
void ll_near_lattice_find(ll_near_lattice *out, const ll_sizes *sizes);

#endif
