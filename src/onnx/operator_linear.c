/* MatMul and Gemm. */
#include "onnx/evaluate.h"

/* rows x inner times inner x columns, at offsets; steps between neighbours of the inner dimension and of the other. */
typedef struct {
    long rows, inner, columns;
    long a, a_row, a_inner, b, b_inner, b_column, out;
} product;

static void multiply(const ll_evaluation *e, ll_tensor *out, const ll_tensor *x, const ll_tensor *y, const product *p)
{
    ll_dot dot;
    for (long r = 0; r < p->rows; r++)
        for (long c = 0; c < p->columns; c++) {
            ll_dot_begin(&dot, e, out);
            for (long k = 0; k < p->inner; k++)
                ll_dot_add(&dot, x, p->a + r * p->a_row + k * p->a_inner, y, p->b + k * p->b_inner + c * p->b_column);
            ll_dot_store(&dot, e, out, p->out + r * p->columns + c);
        }
}

/* A vector is a matrix of one row on the left and of one column on the right, and that dimension goes again. */
static void matrix_of(const ll_tensor *tensor, int is_left, long *rows, long *columns)
{
    if (tensor->rank == 1) {
        *rows = is_left ? 1 : tensor->dims[0];
        *columns = is_left ? tensor->dims[0] : 1;
    } else {
        *rows = tensor->dims[tensor->rank - 2];
        *columns = tensor->dims[tensor->rank - 1];
    }
}

/* The dimensions in front, as a tensor without entries. */
static ll_tensor stack_of(const ll_tensor *tensor)
{
    ll_tensor stack = {.rank = tensor->rank > 2 ? tensor->rank - 2 : 0};
    for (int i = 0; i < stack.rank; i++)
        stack.dims[i] = tensor->dims[i];
    return stack;
}

static ll_status shape_product(product *p, const ll_tensor *a, const ll_tensor *b, ll_error *error)
{
    long inner;
    if (a->rank < 1 || b->rank < 1)
        return ll_fail(error, LL_DOMAIN, "a product of numbers that are no matrices");
    matrix_of(a, 1, &p->rows, &p->inner);
    matrix_of(b, 0, &inner, &p->columns);
    if (inner != p->inner)
        return ll_fail(error, LL_DOMAIN, "matrices that do not fit: %ld columns against %ld rows", p->inner, inner);
    p->a_row = p->inner;
    p->a_inner = p->b_column = 1;
    p->b_inner = p->columns;
    return LL_OK;
}

ll_status ll_operator_matmul(ll_operation *operation, ll_error *error)
{
    const ll_tensor *a = operation->in[0], *b = operation->in[1];
    long dims[LL_TENSOR_RANK + 2], place[LL_TENSOR_RANK] = {0}, at[2] = {0}, steps[2][LL_TENSOR_RANK], stacks = 1;
    product p = {0};
    int rank;
    ll_status status = shape_product(&p, a, b, error);
    ll_tensor left = stack_of(a), right = stack_of(b);
    if (status == LL_OK)
        status = ll_tensor_broadcast(dims, &rank, &left, &right, error);
    if (status != LL_OK)
        return status;
    for (int i = 0; i < rank; i++)
        stacks *= dims[i];
    int full = rank;
    if (a->rank > 1)
        dims[full++] = p.rows;
    if (b->rank > 1)
        dims[full++] = p.columns;
    status = ll_operation_output(operation, a->type, dims, full, error);
    if (status == LL_OK)
        status = ll_evaluation_work(operation->evaluation, (double)operation->out[0].count * (double)p.inner, error);
    ll_tensor_steps(steps[0], &left, rank);
    ll_tensor_steps(steps[1], &right, rank);
    for (long s = 0; status == LL_OK && s < stacks; s++) {
        p.a = at[0] * p.rows * p.inner;
        p.b = at[1] * p.inner * p.columns;
        p.out = s * p.rows * p.columns;
        multiply(operation->evaluation, &operation->out[0], a, b, &p);
        ll_tensor_advance(place, dims, rank, at, steps, 2);
    }
    return status;
}

/* ------------------------------------------------------------------ Gemm */

static ll_status shape_gemm(const ll_operation *operation, product *p, ll_error *error)
{
    const ll_tensor *a = operation->in[0], *b = operation->in[1];
    int turn_a = ll_onnx_attribute_int(operation->node, "transA", 0) != 0,
        turn_b = ll_onnx_attribute_int(operation->node, "transB", 0) != 0;
    if (a->rank != 2 || b->rank != 2)
        return ll_fail(error, LL_DOMAIN, "a product of arrays that are no matrices");
    p->rows = a->dims[turn_a];
    p->inner = a->dims[!turn_a];
    p->columns = b->dims[!turn_b];
    if (b->dims[turn_b] != p->inner)
        return ll_fail(error, LL_DOMAIN, "matrices that do not fit: %ld against %ld", p->inner, b->dims[turn_b]);
    p->a_row = turn_a ? 1 : p->inner;
    p->a_inner = turn_a ? p->rows : 1;
    p->b_inner = turn_b ? 1 : p->columns;
    p->b_column = turn_b ? p->inner : 1;
    return LL_OK;
}

/* out = alpha * out + beta * c, c broadcast. */
static ll_status add_bias(const ll_operation *operation, ll_error *error)
{
    ll_tensor *out = &operation->out[0];
    const ll_tensor *c = operation->inputs > 2 ? operation->in[2] : NULL;
    double alpha = ll_onnx_attribute_float(operation->node, "alpha", 1),
           beta = c ? ll_onnx_attribute_float(operation->node, "beta", 1) : 0;
    double factor[2] = {alpha, beta};
    unsigned char fixed[2] = {1, 1};
    ll_tensor factors = {.low = factor, .high = factor, .fixed = fixed};
    long dims[LL_TENSOR_RANK], steps[1][LL_TENSOR_RANK], place[LL_TENSOR_RANK] = {0}, at[1] = {0};
    int rank = 2;
    if (c && (ll_tensor_broadcast(dims, &rank, out, c, error) != LL_OK || rank != 2 || dims[0] != out->dims[0] ||
              dims[1] != out->dims[1]))
        return ll_fail(error, LL_DOMAIN, "a bias that does not fit the product");
    ll_tensor_steps(steps[0], c ? c : out, 2);
    for (long i = 0; i < out->count; i++) {
        ll_dot dot;
        ll_dot_begin(&dot, operation->evaluation, out);
        ll_dot_add(&dot, &factors, 0, out, i);
        if (c)
            ll_dot_add(&dot, &factors, 1, c, at[0]);
        ll_dot_store(&dot, operation->evaluation, out, i);
        ll_tensor_advance(place, out->dims, 2, at, steps, 1);
    }
    return LL_OK;
}

ll_status ll_operator_gemm(ll_operation *operation, ll_error *error)
{
    product p = {0};
    ll_status status = shape_gemm(operation, &p, error);
    if (status != LL_OK)
        return status;
    long dims[2] = {p.rows, p.columns};
    status = ll_operation_output(operation, operation->in[0]->type, dims, 2, error);
    if (status == LL_OK)
        status = ll_evaluation_work(operation->evaluation, (double)operation->out[0].count * (double)p.inner, error);
    if (status != LL_OK)
        return status;
    multiply(operation->evaluation, &operation->out[0], operation->in[0], operation->in[1], &p);
    return add_bias(operation, error);
}
