/* Neural networks that are submitted in place of predictions: reading ONNX files, computing their outputs, and building
 * networks whose outputs are given predictions. The public header of liblossleak-model. The rules of lossleak.h hold
 * here too; ll_random_rows is one of the structs that never grow. */
#ifndef LOSSLEAK_MODEL_H
#define LOSSLEAK_MODEL_H

#include <lossleak.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ networks */

/* A neural network as an ONNX file holds it. */
typedef struct ll_onnx ll_onnx;

/* Read a network from the bytes of a file, which are not kept. LL_DOMAIN with the reason if the bytes are no model
 * (truncated, or nested deeper than any model is); LL_UNABLE if it would need more than the budget's memory. */
LL_API LL_CHECK ll_status ll_onnx_read(ll_onnx **out, const void *data, size_t size, const ll_budget *budget,
                                       ll_error *error);
/* Set *out to the bytes of a file with this network; free them with ll_free. LL_UNABLE if they would be 2 GiB or more,
 * which an ONNX file cannot be. */
LL_API LL_CHECK ll_status ll_onnx_write(const ll_onnx *model, unsigned char **out, size_t *size, ll_error *error);
LL_API void ll_onnx_destroy(ll_onnx *model);

typedef struct {
    const char *producer;       /* the program that wrote it, or "" */
    const char *input, *output; /* their names; if there are several outputs, the first one that has floats */
    long features, columns;     /* numbers per row of the input, and of the output; 0: not declared */
    long nodes, opset;          /* opset: the version of ONNX's operators that it uses */
    long outputs;               /* how many outputs have floats */
    int is_double;              /* nonzero: its input is float64 */
} ll_onnx_info;

/* The texts live as long as the model. */
LL_API void ll_onnx_get_info(const ll_onnx *model, ll_onnx_info *out, size_t size);
#define ll_onnx_get_info(model, out) ll_onnx_get_info(model, out, sizeof(ll_onnx_info))

/* The outputs of a network on rows of features, as predictions. Features are doubles or floats, one flat row per input.
 * The library computes the outputs itself, without a runtime, and rounds every result to its type. LL_DOMAIN if an
 * operator cannot be evaluated or the shapes do not fit. LL_UNABLE if the budget's memory or seconds are not enough; a
 * second is counted as 10^9 multiplications, so that the result does not depend on the machine. Reading rows of
 * *predictions can fail in the same ways. Model and features must outlive *out, and *out the predictions. */
typedef struct ll_onnx_outputs ll_onnx_outputs;
LL_API LL_CHECK ll_status ll_onnx_outputs_create(ll_onnx_outputs **out, ll_predictions *predictions,
                                                 const ll_onnx *model, const ll_predictions *features,
                                                 const ll_budget *budget, ll_error *error);
LL_API void ll_onnx_outputs_destroy(ll_onnx_outputs *outputs);

/* Does the output of a network depend on its input? (docs/proofs/mutnet.md) */
typedef struct {
    int constant;     /* nonzero: it does not, or by no more than `tolerance` */
    int proved;       /* nonzero: `constant` is proved for every input of the box, whatever the rounding of a
                         runtime; 0: `constant` says what was seen on some rows */
    const char *box;  /* if proved: for which inputs ("every input", "inputs in [0, 1]", ...) */
    long rows;        /* inputs that were tried */
    int is_random;    /* nonzero: they were random, because no two different rows of features were given */
    double spread;    /* largest difference of one output entry between two inputs, after what all entries of a row have
                         in common was taken out (a number added to all logits changes no prediction) */
    double tolerance; /* a spread up to this counts as constant */
    long columns;
    int are_probabilities; /* nonzero: all outputs are in [0, 1], and the spread is that of their logits */
} ll_onnx_constancy;

/* Find out whether the output depends on the input. `features` are the rows that the network will be scored on. If
 * it is NULL, or has no two different rows, random rows are tried; if it is NULL, the network must declare how many
 * features it takes, or else LL_DOMAIN. Other errors as in ll_onnx_outputs_create. */
LL_API LL_CHECK ll_status ll_onnx_find_constancy(ll_onnx_constancy *out, const ll_onnx *model,
                                                 const ll_predictions *features, uint64_t seed, const ll_budget *budget,
                                                 size_t size, ll_error *error);
#define ll_onnx_find_constancy(out, model, features, seed, budget, error)                                              \
    ll_onnx_find_constancy(out, model, features, seed, budget, sizeof(ll_onnx_constancy), error)

/* Random inputs for a network: rows of four kinds in turn (Gaussian, Gaussian times 10, uniform in [0,1], uniform in
 * [0,255]). The caller fills the struct. There is nothing to free; *random must outlive *out. */
typedef struct {
    long rows, columns;
    uint64_t seed;
} ll_random_rows;
LL_API void ll_random_rows_source(ll_random_rows *random, ll_predictions *out);

/* ------------------------------------------------------------------ networks that say what they are told */

/* The head of a network: its last operators, which turn its last numbers into predictions. */
typedef enum {
    LL_HEAD_AUTO,       /* linear if predictions are logits or features are given; else softmax (reciprocal for one
                           column) if it keeps the requested bits; else linear */
    LL_HEAD_LINEAR,     /* no operator: the last numbers are the predictions, to the last bit */
    LL_HEAD_SOFTMAX,    /* Softmax, for two or more columns */
    LL_HEAD_RECIPROCAL, /* Reciprocal(1 + Exp(-z)), for one column: a sigmoid that keeps small probabilities */
    LL_HEAD_SIGMOID     /* Sigmoid, as in the paper. Runtimes compute it with an absolute error, which loses small
                           probabilities */
} ll_head;

LL_API const char *ll_head_name(ll_head head); /* "auto", "linear", ...; NULL for any other number */

typedef struct {
    size_t size;
    ll_head head;
    int is_single;  /* nonzero: float32 numbers; 0: float64 */
    int is_logit;   /* nonzero: predictions are logits; 0: probabilities */
    int is_literal; /* nonzero: the paper's two layers as printed, without a ReLU in front, which are right only for
                       inputs of 0 or more */
    long inputs;    /* features per row; 0: as many as `features` has, or 16 without features */
    long hidden;    /* units of the layer that is 0 for every input; 0: as many as inputs, at most 256 */
    double bits;    /* bits that the head must keep of every entry, or else LL_DOMAIN; 0: 40 for float64, 18 for
                       float32 */
    uint64_t seed;  /* seed of the random weights */
    const ll_budget *budget; /* NULL: the default */
} ll_mutnet_request;

#define ll_mutnet_request_init(request) LL_INIT(ll_mutnet_request, request)

typedef struct {
    ll_head head;
    long inputs, hidden, columns;
    long rows;       /* rows that it tells apart; 1: it gives the same output for every input */
    double bits;     /* the relative error of every output entry is at most 2^-bits; infinity: equal to the last bit */
    double distance; /* with features: the least distance between two projected rows, divided by what rounding can move
                        them */
    long tries;      /* random projections that were tried until rows were far enough apart */
} ll_mutnet_info;

/* Build a network whose outputs are given predictions, `targets`. Without features (NULL) targets has one row, which is
 * the output for every input. With features the output for row i of the features is row i of targets. LL_DOMAIN if two
 * rows of features cannot be told apart (the text names them), or if the format or the head cannot hold an entry. */
LL_API LL_CHECK ll_status ll_mutnet_build(ll_onnx **out, ll_mutnet_info *info, const ll_mutnet_request *request,
                                          const ll_predictions *targets, const ll_predictions *features, size_t size,
                                          ll_error *error);
#define ll_mutnet_build(out, info, request, targets, features, error)                                                  \
    ll_mutnet_build(out, info, request, targets, features, sizeof(ll_mutnet_info), error)
/* The same on top of a classifier that somebody else trained: its last dense layer is replaced in a copy, and *base is
 * not changed. The names, shapes and types of inputs and outputs and the opset stay the same. If the base has two
 * columns and targets one column of probabilities p, the outputs are 1 - p and p. */
LL_API LL_CHECK ll_status ll_mutnet_graft(ll_onnx **out, ll_mutnet_info *info, const ll_mutnet_request *request,
                                          const ll_onnx *base, const ll_predictions *targets,
                                          const ll_predictions *features, size_t size, ll_error *error);
#define ll_mutnet_graft(out, info, request, base, targets, features, error)                                            \
    ll_mutnet_graft(out, info, request, base, targets, features, sizeof(ll_mutnet_info), error)

#ifdef __cplusplus
}
#endif
#endif
