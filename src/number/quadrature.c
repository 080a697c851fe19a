#include "number/quadrature.h"

#include <arb_hypgeom.h>
#include <flint/flint.h>
#include <math.h>

void ll_quadrature_init(ll_quadrature *rule)
{
    arb_t node, weight;
    arb_init(node);
    arb_init(weight);
    for (ulong i = 0; i < LL_QUADRATURE_NODES; i++) {
        arb_hypgeom_legendre_p_ui_root(node, weight, LL_QUADRATURE_NODES, i, 64);
        rule->nodes[i] = arf_get_d(arb_midref(node), ARF_RND_NEAR);
        rule->weights[i] = arf_get_d(arb_midref(weight), ARF_RND_NEAR);
    }
    arb_clear(node);
    arb_clear(weight);
}

double ll_normal_quantile(double u)
{
    double low = -40, high = 40;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (erfc(-middle * M_SQRT1_2) / 2 < u)
            low = middle;
        else
            high = middle;
    }
    return high;
}
