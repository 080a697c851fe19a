/* A graph run on intervals.
 *
 * Over a box of inputs every entry of every value gets an interval that holds whatever a runtime may compute there (its
 * float rounding in any order is allowed for), and the mark `fixed` where it cannot depend on the input. On a point the
 * intervals have length 0, and every result is rounded to its type, as a runtime does: what float32 swallows must not
 * look alive here. */
#ifndef LL_ONNX_EVALUATE_H
#define LL_ONNX_EVALUATE_H

#include "onnx/tensor.h"
#include "onnx/value_names.h"

typedef struct {
    const ll_onnx *model;
    ll_value_names names;
    long opset;
    long *last_use;    /* [value]: the last node that reads it; LONG_MAX: the output */
    char *needed;      /* [node] */
    ll_tensor *values; /* [value] */
    long value_count;
    long input, output; /* values */
    int is_points;
    ll_tensor_budget budget;
    double work, max_work; /* multiplications so far, and how many are allowed */
} ll_evaluation;

/* Look at the graph: names, what the output needs, whether every operator is known. LL_DOMAIN with the operator or the
 * value where not. Its runs together may use the budget's memory and seconds. The model must outlive it. */
LL_CHECK ll_status ll_evaluation_create(ll_evaluation **out, const ll_onnx *model, const ll_budget *budget,
                                        ll_error *error);
void ll_evaluation_destroy(ll_evaluation *evaluation);

/* The output for rows of input: `low` and `high` hold rows * features entries (the same array: points). *out belongs to
 * the evaluation until the next run. The input's declared dimensions are filled in: the unknown ones first with the
 * rows, then with what is left of the features. */
LL_CHECK ll_status ll_evaluation_run(ll_evaluation *evaluation, const ll_tensor **out, const double *low,
                                     const double *high, long rows, long features, ll_error *error);

/* Count `operations` of work. LL_UNABLE where that is too much. */
LL_CHECK ll_status ll_evaluation_work(ll_evaluation *evaluation, double operations, ll_error *error);

/* ------------------------------------------------------------------ operators */

enum { LL_OPERATOR_INPUTS = 64 };

/* A node about to be run: in[i] is NULL where an optional input is left out. Outputs that nobody reads are made all
 * the same. */
typedef struct {
    ll_evaluation *evaluation;
    const Onnx__NodeProto *node;
    const ll_tensor *in[LL_OPERATOR_INPUTS];
    long inputs;
    ll_tensor *out; /* [node->n_output], empty */
} ll_operation;

typedef struct {
    const char *name;
    long least, most; /* inputs */
    ll_status (*run)(ll_operation *operation, ll_error *error);
} ll_operator;

/* By name; NULL: not known. */
const ll_operator *ll_operator_find(const char *name);

/* Make the first output. */
LL_CHECK ll_status ll_operation_output(ll_operation *operation, int type, const long *dims, int rank, ll_error *error);

/* Integers of an attribute, or of input `input` where the attribute is not there (older operators have the one, newer
 * ones the other). *count = 0 where there is neither. */
LL_CHECK ll_status ll_operation_integers(const ll_operation *operation, long *out, long *count, const char *attribute,
                                         long input, ll_error *error);

/* Make an axis that may count from the end one of 0..rank-1. LL_DOMAIN outside. */
LL_CHECK ll_status ll_operation_axis(long *axis, long rank, ll_error *error);

/* Families, for the table. */
ll_status ll_operator_unary(ll_operation *operation, ll_error *error);
ll_status ll_operator_clip(ll_operation *operation, ll_error *error);
ll_status ll_operator_cast(ll_operation *operation, ll_error *error);
ll_status ll_operator_identity(ll_operation *operation, ll_error *error);
ll_status ll_operator_binary(ll_operation *operation, ll_error *error);
ll_status ll_operator_where(ll_operation *operation, ll_error *error);
ll_status ll_operator_matmul(ll_operation *operation, ll_error *error);
ll_status ll_operator_gemm(ll_operation *operation, ll_error *error);
ll_status ll_operator_conv(ll_operation *operation, ll_error *error);
ll_status ll_operator_max_pool(ll_operation *operation, ll_error *error);
ll_status ll_operator_average_pool(ll_operation *operation, ll_error *error);
ll_status ll_operator_global_pool(ll_operation *operation, ll_error *error);
ll_status ll_operator_normalise(ll_operation *operation, ll_error *error);
ll_status ll_operator_softmax(ll_operation *operation, ll_error *error);
ll_status ll_operator_reduce(ll_operation *operation, ll_error *error);
ll_status ll_operator_argmax(ll_operation *operation, ll_error *error);
ll_status ll_operator_reshape(ll_operation *operation, ll_error *error);
ll_status ll_operator_flatten(ll_operation *operation, ll_error *error);
ll_status ll_operator_squeeze(ll_operation *operation, ll_error *error);
ll_status ll_operator_unsqueeze(ll_operation *operation, ll_error *error);
ll_status ll_operator_transpose(ll_operation *operation, ll_error *error);
ll_status ll_operator_concat(ll_operation *operation, ll_error *error);
ll_status ll_operator_slice(ll_operation *operation, ll_error *error);
ll_status ll_operator_split(ll_operation *operation, ll_error *error);
ll_status ll_operator_gather(ll_operation *operation, ll_error *error);
ll_status ll_operator_shape(ll_operation *operation, ll_error *error);
ll_status ll_operator_constant(ll_operation *operation, ll_error *error);
ll_status ll_operator_constant_of_shape(ll_operation *operation, ll_error *error);
ll_status ll_operator_expand(ll_operation *operation, ll_error *error);
ll_status ll_operator_pad(ll_operation *operation, ll_error *error);

/* ------------------------------------------------------------------ sums of products */

/* The sum of w * x over intervals, with the sizes that bound its rounding. */
typedef struct {
    double low, high, low_size, high_size;
    long terms;
    int fixed;
    int is_float; /* a point, added up in floats */
} ll_dot;

/* A sum that will be an entry of *out. */
static inline void ll_dot_begin(ll_dot *dot, const ll_evaluation *evaluation, const ll_tensor *out)
{
    *dot = (ll_dot){.fixed = 1,
                    .is_float = evaluation->is_points && (out->type == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT ||
                                                          out->type == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16)};
}

/* 0 times infinity is 0 here: an end of an interval stands for every number up to it. */
static inline double ll_dot_times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

void ll_dot_add_intervals(ll_dot *dot, double a_low, double a_high, double b_low, double b_high);

static inline void ll_dot_add(ll_dot *dot, const ll_tensor *a, long i, const ll_tensor *b, long j)
{
    double x = a->low[i], y = b->low[j];
    int x_point = x == a->high[i], y_point = y == b->high[j];
    dot->terms++;
    /* A stored 0 stops what it is multiplied by. */
    if ((a->fixed[i] && x_point && x == 0) || (b->fixed[j] && y_point && y == 0))
        return;
    dot->fixed &= a->fixed[i] & b->fixed[j];
    if (x_point && y_point) {
        double product = ll_dot_times(x, y), size = product < 0 ? -product : product;
        dot->low = dot->is_float ? (double)(float)(dot->low + product) : dot->low + product;
        dot->high += product;
        dot->low_size += size;
        dot->high_size += size;
    } else
        ll_dot_add_intervals(dot, x, a->high[i], y, b->high[j]);
}

/* The sum as entry `to` of *out, widened by the rounding that its terms allow. */
void ll_dot_store(const ll_dot *dot, const ll_evaluation *evaluation, ll_tensor *out, long to);

/* An interval that a function of an interval gave, widened by `ulps` units of rounding. */
void ll_store_rounded(const ll_evaluation *evaluation, ll_tensor *out, long to, double low, double high, int fixed,
                      double ulps);

/* An interval of integers. Where the type does not hold its ends, a runtime's may be any; on a point that is
 * LL_DOMAIN. */
LL_CHECK ll_status ll_store_integers(const ll_evaluation *evaluation, ll_tensor *out, long to, double low, double high,
                                     int fixed, ll_error *error);

#endif
