/* Neural networks that are submitted in place of predictions: ONNX files, what they give out, and how they are built to
 * say what they are told. The public header of liblossleak-model; the rules of lossleak.h hold here, too;
 * ll_random_rows never grows. */
#ifndef LOSSLEAK_MODEL_H
#define LOSSLEAK_MODEL_H

#include <lossleak.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ networks */

/* A neural network as an ONNX file holds it. */
typedef struct ll_onnx ll_onnx;

/* From the bytes of a file. LL_DOMAIN with the reason for bytes that are no model (truncated, nested deeper than any
 * model is); LL_UNABLE where it would take more than the budget's memory. The bytes are not kept. */
LL_API LL_CHECK ll_status ll_onnx_read(ll_onnx **out, const void *data, size_t size, const ll_budget *budget,
                                       ll_error *error);
/* The bytes of a file; free with ll_free. LL_UNABLE at 2 GiB, where ONNX files end. */
LL_API LL_CHECK ll_status ll_onnx_write(const ll_onnx *model, unsigned char **out, size_t *size, ll_error *error);
LL_API void ll_onnx_destroy(ll_onnx *model);

typedef struct {
    const char *producer;       /* the program that wrote it, or "" */
    const char *input, *output; /* names; of several outputs the first one of floats */
    long features, columns;     /* entries a row of input and output; 0: not declared */
    long nodes, opset;
    long outputs;  /* of floats */
    int is_double; /* does it take float64? */
} ll_onnx_info;

/* The texts are the model's. */
LL_API void ll_onnx_get_info(const ll_onnx *model, ll_onnx_info *out, size_t size);
#define ll_onnx_get_info(model, out) ll_onnx_get_info(model, out, sizeof(ll_onnx_info))

/* The outputs of a network on rows of features (doubles or floats, rows flattened), computed here, every result rounded
 * to its type, as predictions. LL_DOMAIN where an operator cannot be evaluated or the shapes do not fit; LL_UNABLE, of
 * its rows too, beyond the budget's memory or its seconds, which are counted as 10^9 multiplications each. Model and
 * features must outlive it. */
typedef struct ll_onnx_outputs ll_onnx_outputs;
LL_API LL_CHECK ll_status ll_onnx_outputs_create(ll_onnx_outputs **out, ll_predictions *predictions,
                                                 const ll_onnx *model, const ll_predictions *features,
                                                 const ll_budget *budget, ll_error *error);
LL_API void ll_onnx_outputs_destroy(ll_onnx_outputs *outputs);

/* Does the output of a network depend on its input? docs/proofs/mutnet.md. */
typedef struct {
    int constant;     /* it does not, or by no more than `tolerance` */
    int proved;       /* for every input of the box, whatever the rounding of a runtime; else by looking at rows */
    const char *box;  /* proved: where ("every input", "inputs in [0, 1]", ...) */
    long rows;        /* inputs that were looked at */
    int is_random;    /* those were random, for want of two different rows of features */
    double spread;    /* largest difference of one output entry between two of them, less what a row's entries share */
    double tolerance; /* spreads up to this count as constant */
    long columns;
    int are_probabilities; /* are all outputs in [0, 1]? Then the spread is one of logits */
} ll_onnx_constancy;

/* features: rows that it will be scored on, NULL for random ones (as many rows that are all the same). LL_DOMAIN,
 * LL_UNABLE as ll_onnx_outputs_create. */
LL_API LL_CHECK ll_status ll_onnx_find_constancy(ll_onnx_constancy *out, const ll_onnx *model,
                                                 const ll_predictions *features, uint64_t seed, const ll_budget *budget,
                                                 size_t size, ll_error *error);
#define ll_onnx_find_constancy(out, model, features, seed, budget, error)                                              \
    ll_onnx_find_constancy(out, model, features, seed, budget, sizeof(ll_onnx_constancy), error)

/* Random inputs for a network that declares how many features it takes: rows of four kinds in turn (Gaussian, Gaussian
 * times 10, uniform in [0,1], uniform in [0,255]). Nothing to free; *random must outlive *out. */
typedef struct {
    long rows, columns;
    uint64_t seed;
} ll_random_rows;
LL_API void ll_random_rows_source(ll_random_rows *random, ll_predictions *out);

/* ------------------------------------------------------------------ networks that say what they are told */

/* Ends of a network: what turns its last numbers into predictions. */
typedef enum {
    LL_HEAD_AUTO,       /* linear for logits and with features; else softmax, or reciprocal for one column, where they
                           keep the bits that are asked for; else linear */
    LL_HEAD_LINEAR,     /* none: the predictions themselves, every bit */
    LL_HEAD_SOFTMAX,    /* Softmax, two or more columns */
    LL_HEAD_RECIPROCAL, /* Reciprocal(1 + Exp(-z)), one column */
    LL_HEAD_SIGMOID     /* Sigmoid, the paper's: runtimes compute it with an absolute error */
} ll_head;

LL_API const char *ll_head_name(ll_head head); /* "auto", "linear", ...; NULL outside */

typedef struct {
    size_t size;
    ll_head head;
    int is_single;  /* float32 numbers in place of float64 */
    int is_logit;   /* predictions are logits, not probabilities */
    int is_literal; /* the paper's two layers as printed, without a ReLU in front: right for inputs >= 0 only */
    long inputs;    /* features a row; 0: as many as `features` has, else 16 */
    long hidden;    /* units of the dead layer; 0: as many as inputs, at most 256 */
    double bits;    /* LL_DOMAIN where the head keeps fewer bits of some entry; 0: 40 in float64, 18 in float32 */
    uint64_t seed;  /* of the random weights */
    const ll_budget *budget; /* NULL: the default */
} ll_mutnet_request;

#define ll_mutnet_request_init(request) LL_INIT(ll_mutnet_request, request)

typedef struct {
    ll_head head;
    long inputs, hidden, columns;
    long rows;       /* that it tells apart; 1: it says the same of every input */
    double bits;     /* every output entry is the wanted one within 2^-bits of it; infinity: equal to the last bit */
    double distance; /* with features: least distance of two projected rows, in units of what rounding can move them */
    long tries;      /* projections that were drawn */
} ll_mutnet_info;

/* A network that says targets whatever it is asked (targets->rows = 1, features NULL), or row i of the targets on row i
 * of the features. LL_DOMAIN with the rows where two of them cannot be told apart, or where the format or the head
 * cannot hold an entry. */
LL_API LL_CHECK ll_status ll_mutnet_build(ll_onnx **out, ll_mutnet_info *info, const ll_mutnet_request *request,
                                          const ll_predictions *targets, const ll_predictions *features, size_t size,
                                          ll_error *error);
#define ll_mutnet_build(out, info, request, targets, features, error)                                                  \
    ll_mutnet_build(out, info, request, targets, features, sizeof(ll_mutnet_info), error)
/* The same on top of a classifier, in place of its last dense layer: names, shapes and types of inputs and outputs and
 * the opset stay. *base is not changed. A single column of probabilities becomes two, 1 - p and p, where the base has
 * two. */
LL_API LL_CHECK ll_status ll_mutnet_graft(ll_onnx **out, ll_mutnet_info *info, const ll_mutnet_request *request,
                                          const ll_onnx *base, const ll_predictions *targets,
                                          const ll_predictions *features, size_t size, ll_error *error);
#define ll_mutnet_graft(out, info, request, base, targets, features, error)                                            \
    ll_mutnet_graft(out, info, request, base, targets, features, sizeof(ll_mutnet_info), error)

#ifdef __cplusplus
}
#endif
#endif
