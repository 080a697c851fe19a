/* The paper's two layers: ReLU(v M1) is 0 for v >= 0, since every entry of M1 is below 0, so what M2 makes of it is 0
 * too and only the bias is left. In floats as well: products of v >= 0 and negative numbers are <= 0, and so are their
 * sums, rounded in any order; 0 times any number is 0, and the bias comes out bit for bit. */
#include "mutnet/mutnet.h"
#include "number/budget.h"
#include "number/random.h"

#include <math.h>
#include <stdlib.h>

enum { HIDDEN = 256 };

long ll_mutnet_hidden(const ll_mutnet_request *request, long inputs)
{
    return request->hidden ? request->hidden : inputs < HIDDEN ? inputs : HIDDEN;
}

ll_status ll_mutnet_check_dead(long inputs, long hidden, long columns, const ll_mutnet_request *request,
                               ll_error *error)
{
    double bytes = 2 * sizeof(double) * ((double)inputs + (double)columns) * (double)hidden;
    return bytes <= ll_budget_memory(request->budget) / 2
               ? LL_OK
               : ll_fail(error, LL_UNABLE, "%ld x %ld and %ld x %ld weights take %.3g bytes: take fewer hidden units",
                         inputs, hidden, hidden, columns, bytes);
}

static double *draw(long count, uint64_t seed, uint64_t stream, double scale, int is_negative)
{
    double *x = count > 0 ? malloc((size_t)count * sizeof *x) : NULL;
    for (long i = 0; x && i < count; i++) {
        double g = ll_random_gaussian(seed, stream, (uint64_t)i) * scale;
        x[i] = is_negative ? -fabs(g) - scale / 1024 : g;
    }
    return x;
}

const char *ll_mutnet_dead_layers(ll_onnx_builder *builder, const char *v, int is_raw, long inputs, long hidden,
                                  long columns, const double *bias, uint64_t seed)
{
    double *m1 = draw(inputs * hidden, seed, LL_DRAW_DEAD, 1 / sqrt((double)inputs), 1),
           *m2 = draw(hidden * columns, seed, LL_DRAW_ALIVE, 1 / sqrt((double)hidden), 0);
    if (!m1 || !m2)
        builder->failed = 1;
    else {
        if (is_raw)
            v = ll_onnx_node(builder, "Relu", NULL, v, NULL, NULL);
        v = ll_onnx_node(builder, "MatMul", NULL, v, ll_onnx_numbers(builder, "weight", m1, inputs, hidden), NULL);
        v = ll_onnx_node(builder, "Relu", NULL, v, NULL, NULL);
        const char *weights = ll_onnx_numbers(builder, "weight", m2, hidden, columns);
        v = bias ? ll_onnx_node(builder, "Gemm", NULL, v, weights, ll_onnx_numbers(builder, "bias", bias, columns, 0))
                 : ll_onnx_node(builder, "MatMul", NULL, v, weights, NULL);
    }
    free(m1);
    free(m2);
    return v;
}
