/* Parts of the lattice search. */
#ifndef LL_SEARCH_LATTICE_PRIVATE_H
#define LL_SEARCH_LATTICE_PRIVATE_H

#include "search/lattice.h"

#include <flint/fmpz_mat.h>

typedef struct {
    long group, label, base, size; /* of label `base` there are size - sum of the others */
    long labels;                   /* that the group may have */
    long other;                    /* place of the base label, where there are more than two; else -1 */
} ll_variable;

/* Numbers of a matrix are integers times 2^-unit. */
typedef struct {
    const ll_linear *system;
    ll_groups groups;
    ll_variable *variables;
    long count;
    long columns;     /* of a matrix: one a variable, one a group of more than two labels, one a score */
    long dropped;     /* scores are scaled by 2^-dropped: their last bits are left out */
    long unit;        /* of the basis: enough binary places for it to be reduced well */
    fmpz_mat_t basis; /* count x columns, as reduced so far */
    fmpz_mat_t exact; /* the same vectors without rounding; unit exact_unit */
    long exact_unit;
    fmpz *target; /* with exact_unit */
    int32_t *labels;
    long *counts; /* scratch: one a class */
} ll_lattice;

LL_CHECK ll_status ll_lattice_init(ll_lattice *lattice, const ll_linear *system);
void ll_lattice_clear(ll_lattice *lattice);
/* The basis of the variables themselves. */
void ll_lattice_start(ll_lattice *lattice);
/* The same combinations of variables with `dropped` bits dropped. */
void ll_lattice_rescale(ll_lattice *lattice, long dropped);
/* Make exact and target. 0 where the basis is none of the whole lattice, which would be a fault of its reduction. */
LL_CHECK int ll_lattice_set_exact(ll_lattice *lattice);
/* Labels from target - sum of w_i (row i of exact); 0 where some entry is no number of labels. */
int ll_lattice_read(ll_lattice *lattice, const long *w);
/* At least the square of the distance from the target of every labelling that fits. */
double ll_lattice_radius(const ll_lattice *lattice);

/* One pass of block reduction: find a shorter vector for as many disjoint blocks of `size` rows as have one, and put it
 * in front of its block. The basis stays a basis of the same lattice, but is no longer reduced. mu and squares are of
 * the basis as it was. How many were found. */
long ll_lattice_improve(fmpz_mat_t basis, const double *mu, const double *squares, long size, uint64_t nodes);

/* All integer vectors w with sum over i of (offset_i - w_i - sum over j > i of w_j mu_ji)^2 square_i <= bound. */
typedef struct {
    long n;
    const double *mu;      /* [j * n + i], j > i: nearest doubles */
    const double *offsets; /* nearest doubles; NULL: all 0 */
    const double *squares; /* lower bounds */
    double bound;          /* upper bound; visit may lower it */
    double slack;          /* how far the computed value in brackets may be off; see ll_enumerate_slack */
    uint64_t nodes;        /* left to visit */
    void *self;
    int (*visit)(void *self, const long *w, double norm); /* 0: stop */
} ll_enumeration;

/* Entries of w beyond this end the enumeration without a result: slack would not cover them. */
#define LL_ENUMERATE_LARGEST 4096

/* For |mu| <= 2 and |offset| <= 1. */
double ll_enumerate_slack(long n);

/* 1: every such vector was visited (those a little beyond may have been, too); 0: stopped, too many nodes, or too large
 * an entry; -1: memory ended. */
int ll_enumerate(ll_enumeration *e);

/* Gram-Schmidt of the rows of a matrix of full rank: mu and squares as above, times 2^-(2 shift). 0 where the precision
 * did not suffice, or some |mu| is over 2. With `target` not NULL: subtract rows from it until its offsets are within
 * [-1/2, 1/2] or a hair beyond, and *height is a lower bound of the square of what is orthogonal to all rows. */
int ll_lattice_orthogonalise(double *mu, double *squares, double *offsets, double *height, const fmpz_mat_t rows,
                             fmpz *target, long shift);

#endif
