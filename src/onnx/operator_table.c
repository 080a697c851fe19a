/* The operators that can be evaluated: a row each. */
#include "onnx/evaluate.h"

#include <stdlib.h>
#include <string.h>

/* By name, for bsearch. */
static const ll_operator table[] = {
    {"Abs", 1, 1, ll_operator_unary},
    {"Add", 2, 2, ll_operator_binary},
    {"And", 2, 2, ll_operator_binary},
    {"ArgMax", 1, 1, ll_operator_argmax},
    {"AveragePool", 1, 1, ll_operator_average_pool},
    {"BatchNormalization", 5, 5, ll_operator_normalise},
    {"Cast", 1, 1, ll_operator_cast},
    {"Ceil", 1, 1, ll_operator_unary},
    {"Clip", 1, 3, ll_operator_clip},
    {"Concat", 1, LL_OPERATOR_INPUTS, ll_operator_concat},
    {"Constant", 0, 0, ll_operator_constant},
    {"ConstantOfShape", 1, 1, ll_operator_constant_of_shape},
    {"Conv", 2, 3, ll_operator_conv},
    {"Cos", 1, 1, ll_operator_unary},
    {"Div", 2, 2, ll_operator_binary},
    {"Dropout", 1, 3, ll_operator_identity},
    {"Elu", 1, 1, ll_operator_unary},
    {"Equal", 2, 2, ll_operator_binary},
    {"Erf", 1, 1, ll_operator_unary},
    {"Exp", 1, 1, ll_operator_unary},
    {"Expand", 2, 2, ll_operator_expand},
    {"Flatten", 1, 1, ll_operator_flatten},
    {"Floor", 1, 1, ll_operator_unary},
    {"Gather", 2, 2, ll_operator_gather},
    {"Gemm", 2, 3, ll_operator_gemm},
    {"GlobalAveragePool", 1, 1, ll_operator_global_pool},
    {"GlobalMaxPool", 1, 1, ll_operator_global_pool},
    {"Greater", 2, 2, ll_operator_binary},
    {"GreaterOrEqual", 2, 2, ll_operator_binary},
    {"HardSigmoid", 1, 1, ll_operator_unary},
    {"Identity", 1, 1, ll_operator_identity},
    {"LeakyRelu", 1, 1, ll_operator_unary},
    {"Less", 2, 2, ll_operator_binary},
    {"LessOrEqual", 2, 2, ll_operator_binary},
    {"Log", 1, 1, ll_operator_unary},
    {"LogSoftmax", 1, 1, ll_operator_softmax},
    {"MatMul", 2, 2, ll_operator_matmul},
    {"Max", 2, 2, ll_operator_binary},
    {"MaxPool", 1, 1, ll_operator_max_pool},
    {"Min", 2, 2, ll_operator_binary},
    {"Mod", 2, 2, ll_operator_binary},
    {"Mul", 2, 2, ll_operator_binary},
    {"Neg", 1, 1, ll_operator_unary},
    {"Not", 1, 1, ll_operator_unary},
    {"Or", 2, 2, ll_operator_binary},
    {"PRelu", 2, 2, ll_operator_binary},
    {"Pad", 1, 3, ll_operator_pad},
    {"Pow", 2, 2, ll_operator_binary},
    {"Reciprocal", 1, 1, ll_operator_unary},
    {"ReduceMax", 1, 2, ll_operator_reduce},
    {"ReduceMean", 1, 2, ll_operator_reduce},
    {"ReduceMin", 1, 2, ll_operator_reduce},
    {"ReduceSum", 1, 2, ll_operator_reduce},
    {"Relu", 1, 1, ll_operator_unary},
    {"Reshape", 2, 2, ll_operator_reshape},
    {"Round", 1, 1, ll_operator_unary},
    {"Selu", 1, 1, ll_operator_unary},
    {"Shape", 1, 1, ll_operator_shape},
    {"Sigmoid", 1, 1, ll_operator_unary},
    {"Sign", 1, 1, ll_operator_unary},
    {"Sin", 1, 1, ll_operator_unary},
    {"Slice", 1, 5, ll_operator_slice},
    {"Softmax", 1, 1, ll_operator_softmax},
    {"Softplus", 1, 1, ll_operator_unary},
    {"Softsign", 1, 1, ll_operator_unary},
    {"Split", 1, 2, ll_operator_split},
    {"Sqrt", 1, 1, ll_operator_unary},
    {"Squeeze", 1, 2, ll_operator_squeeze},
    {"Sub", 2, 2, ll_operator_binary},
    {"Tanh", 1, 1, ll_operator_unary},
    {"Transpose", 1, 1, ll_operator_transpose},
    {"Unsqueeze", 1, 2, ll_operator_unsqueeze},
    {"Where", 3, 3, ll_operator_where},
};

static int compare(const void *name, const void *row)
{
    return strcmp(name, ((const ll_operator *)row)->name);
}

const ll_operator *ll_operator_find(const char *name)
{
    return bsearch(name, table, sizeof table / sizeof table[0], sizeof table[0], compare);
}
