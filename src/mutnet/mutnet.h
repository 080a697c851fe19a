/* Building networks. */
#ifndef LL_MUTNET_MUTNET_H
#define LL_MUTNET_MUTNET_H

#include "onnx/onnx.h"

enum { LL_TYPE_FLOAT = ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, LL_TYPE_DOUBLE = ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE };

/* Streams of the one generator, so that no two kinds of weights share a draw. */
enum {
    LL_DRAW_DEAD = 0x6d75,
    LL_DRAW_ALIVE,
    LL_DRAW_PROJECTION,
    LL_DRAW_SLOPES,
    LL_DRAW_ORDER,
    LL_DRAW_SHIFT,
    LL_DRAW_ROWS
};

/* Numbers row after row, all in memory. */
typedef struct {
    long rows, columns;
    double *x;
} ll_matrix;

/* All rows of a source. LL_UNABLE where they take more than max_memory bytes. */
LL_CHECK ll_status ll_matrix_load(ll_matrix *out, const ll_predictions *source, double max_memory, ll_error *error);
void ll_matrix_clear(ll_matrix *matrix);

/* Half the distance of 1 and the next number: 2^-53 or 2^-24. */
double ll_mutnet_unit(int type);
/* The nearest number of the type. */
double ll_mutnet_round(double x, int type);

/* ------------------------------------------------------------------ heads */

/* What is wanted at the end of a network. */
typedef struct {
    ll_head head;     /* resolved */
    int type;         /* in which it is computed */
    int out_type;     /* in which it comes out */
    ll_matrix inputs; /* what must go into the head so that the targets come out: one row a target */
    double bits;      /* that are kept of every entry; infinity: all */
    long first;       /* column from which on entries count for that */
} ll_ending;

/* Choose the head (LL_HEAD_AUTO) and compute what goes into it. has_features: auto is then linear. first: the columns
 * before it are not promised. */
LL_CHECK ll_status ll_ending_create(ll_ending *out, const ll_mutnet_request *request, const ll_matrix *targets,
                                    int type, int out_type, int has_features, long first, ll_error *error);
void ll_ending_clear(ll_ending *ending);

/* The nodes of the head: from the value `z` (rows of inputs.columns) to `output` (NULL: a new name). Returns the name.
 */
const char *ll_ending_build(ll_onnx_builder *builder, const ll_ending *ending, const char *z, const char *output);

/* ------------------------------------------------------------------ layers */

/* ReLU(v M1) M2 with all of M1 below 0: rows of `columns` zeros for every v >= 0, plus `bias` (NULL: none). Of a v that
 * may be negative a ReLU is taken first. Returns the value's name. */
const char *ll_mutnet_dead_layers(ll_onnx_builder *builder, const char *v, int is_raw, long inputs, long hidden,
                                  long columns, const double *bias, uint64_t seed);

/* Units of the dead layer: as asked for, else as many as inputs, at most 256. */
long ll_mutnet_hidden(const ll_mutnet_request *request, long inputs);
/* LL_UNABLE where the weights would take more than half of the memory. */
LL_CHECK ll_status ll_mutnet_check_dead(long inputs, long hidden, long columns, const ll_mutnet_request *request,
                                        ll_error *error);

/* A direction on which all rows can be told apart, whatever a runtime's rounding. */
typedef struct {
    double *direction;  /* columns of the features */
    long *order;        /* rows by their projection */
    double *low, *high; /* [row]: where a runtime's projection of it must lie */
    double largest;     /* |projection| of any row is at most this */
    double distance;    /* least gap between neighbours with different targets, in units of `largest` * 2^-53 (2^-24) */
    long tries;
} ll_projection;

/* features rounded to the type already. Neighbours with equal targets need not be told apart. LL_DOMAIN with two rows
 * that cannot be. */
LL_CHECK ll_status ll_projection_find(ll_projection *out, const ll_matrix *features, const ll_matrix *targets, int type,
                                      uint64_t seed, ll_error *error);
void ll_projection_clear(ll_projection *projection);
/* Are two rows of a matrix equal, entry by entry? */
int ll_matrix_same_rows(const ll_matrix *matrix, long a, long b);

/* The value whose row is `table` row i where the input x (rows of features) is row i of the features. *hidden gets the
 * number of units. Returns "" where it fails, and the reason is in *error. */
LL_CHECK ll_status ll_lookup_build(ll_onnx_builder *builder, const char **out, long *hidden, const char *x,
                                   const ll_projection *projection, const ll_matrix *table, long features,
                                   uint64_t seed, ll_error *error);

/* LL_DOMAIN: one row of predictions without features, else as many rows of both. */
LL_CHECK ll_status ll_mutnet_check_rows(const ll_predictions *targets, const ll_predictions *features, ll_error *error);

#endif
