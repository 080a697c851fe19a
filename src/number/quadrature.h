/* Gauss and Legendre's nodes and weights on [-1, 1]. */
#ifndef LL_NUMBER_QUADRATURE_H
#define LL_NUMBER_QUADRATURE_H

enum { LL_QUADRATURE_NODES = 32 };
typedef struct {
    double nodes[LL_QUADRATURE_NODES], weights[LL_QUADRATURE_NODES];
} ll_quadrature;

void ll_quadrature_init(ll_quadrature *rule);

/* x with P(normal < x) = u, 0 < u < 1. */
double ll_normal_quantile(double u);

#endif
