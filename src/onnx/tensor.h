/* Arrays of intervals: what the entries of a value can be over a set of inputs. Integers and truth values are doubles
 * too. An entry is fixed where it is the same for every input of the set; its interval may then still be wide, by the
 * rounding of what made it. */
#ifndef LL_ONNX_TENSOR_H
#define LL_ONNX_TENSOR_H

#include "onnx/onnx.h"

enum { LL_TENSOR_RANK = 8 };

typedef struct {
    int type; /* of onnx.proto */
    int rank;
    long dims[LL_TENSOR_RANK];
    long count; /* product of dims */
    double *low, *high;
    unsigned char *fixed;
    int is_there;
} ll_tensor;

/* Memory that tensors may take, counted before it is taken. */
typedef struct {
    double used, limit;
} ll_tensor_budget;

/* Entries unset. LL_UNABLE over the budget, LL_DOMAIN for a dimension below 0 or a rank above LL_TENSOR_RANK. */
LL_CHECK ll_status ll_tensor_create(ll_tensor *out, ll_tensor_budget *budget, int type, const long *dims, int rank,
                                    ll_error *error);
void ll_tensor_clear(ll_tensor *tensor, ll_tensor_budget *budget);

/* The nearest number of the type where that is one of floats; x itself for other types. */
double ll_tensor_round(double x, int type);

int ll_tensor_is_integer(int type);
/* Does a type of integers hold x, and a double its neighbours? */
int ll_tensor_fits(double x, int type);

/* What the file stores; every entry fixed. LL_DOMAIN where data and dimensions disagree or the numbers are of a type
 * that is not read (strings, external data). */
LL_CHECK ll_status ll_tensor_read(ll_tensor *out, ll_tensor_budget *budget, const Onnx__TensorProto *tensor,
                                  ll_error *error);

/* Entry `from` of *source becomes entry `to`. */
static inline void ll_tensor_copy(ll_tensor *tensor, long to, const ll_tensor *source, long from)
{
    tensor->low[to] = source->low[from];
    tensor->high[to] = source->high[from];
    tensor->fixed[to] = source->fixed[from];
}

static inline void ll_tensor_set(ll_tensor *tensor, long to, double low, double high, int fixed)
{
    tensor->low[to] = low;
    tensor->high[to] = high;
    tensor->fixed[to] = (unsigned char)fixed;
}

/* All entries as integers: LL_DOMAIN where one depends on the input or is none. At most `size`. */
LL_CHECK ll_status ll_tensor_integers(const ll_tensor *tensor, long *out, long size, ll_error *error);

/* Dimensions of a and b broadcast, from the right. LL_DOMAIN where they do not fit. */
LL_CHECK ll_status ll_tensor_broadcast(long *dims, int *rank, const ll_tensor *a, const ll_tensor *b, ll_error *error);
/* steps[i]: how far entry moves in *tensor where dimension i of `rank` dimensions moves by one; 0 where it repeats. */
void ll_tensor_steps(long *steps, const ll_tensor *tensor, int rank);
/* Move an odometer of `rank` dims on by one; adjusts `count` offsets by their steps. */
void ll_tensor_advance(long *place, const long *dims, int rank, long *offsets, long (*steps)[LL_TENSOR_RANK],
                       int count);

#endif
