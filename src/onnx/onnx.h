/* A network in memory: the structs that protoc-c made of onnx.proto, allocated with malloc, owned by the model.
 * Strings of the file may be missing (NULL) and names may be anything: read them through ll_onnx_text. */
#ifndef LL_ONNX_ONNX_H
#define LL_ONNX_ONNX_H

#include "lossleak/model.h"
#include <onnx.pb-c.h>

struct ll_onnx {
    Onnx__ModelProto *proto;
    size_t size; /* bytes that it took when it was read, 0 for one that was built */
};

/* ------------------------------------------------------------------ bytes */

enum { LL_ONNX_NESTING = 64 };

/* Are these the bytes of a message of this type, nested at most LL_ONNX_NESTING deep? LL_DOMAIN with the byte where
 * not. What this accepts protobuf-c reads without deep recursion. */
LL_CHECK ll_status ll_onnx_check_bytes(const ProtobufCMessageDescriptor *type, const uint8_t *data, size_t size,
                                       ll_error *error);

/* ------------------------------------------------------------------ graphs */

/* The text, "" where there is none. */
const char *ll_onnx_text(const char *text);

/* Version of the operators of the default domain, 0 where the model names none. */
long ll_onnx_opset(const ll_onnx *model);

/* The first input that is no initializer, the output that holds the predictions (the first one of floats, else the
 * first); NULL where there is none. */
const Onnx__ValueInfoProto *ll_onnx_input(const ll_onnx *model);
const Onnx__ValueInfoProto *ll_onnx_output(const ll_onnx *model);
/* How many outputs of floats there are. */
long ll_onnx_count_outputs(const ll_onnx *model);

/* Place of the node that makes a value, or -1. Of the initializer of that name, or NULL. */
long ll_onnx_producer(const Onnx__GraphProto *graph, const char *value);
const Onnx__TensorProto *ll_onnx_initializer(const Onnx__GraphProto *graph, const char *name);
/* Attribute of a node, or NULL. An integer (a float) attribute, `otherwise` where it is not there. */
const Onnx__AttributeProto *ll_onnx_attribute(const Onnx__NodeProto *node, const char *name);
int64_t ll_onnx_attribute_int(const Onnx__NodeProto *node, const char *name, int64_t otherwise);
double ll_onnx_attribute_float(const Onnx__NodeProto *node, const char *name, double otherwise);

/* The type and the dimensions that a value is declared with: an element type of onnx.proto, 0 where none is. dims[i] is
 * -1 where it is not known; rank -1 where there is no shape. At most `size` dimensions are written. */
int ll_onnx_declared(const Onnx__ValueInfoProto *value, long *dims, int size, int *rank);

/* ------------------------------------------------------------------ outputs */

/* LL_DOMAIN where what it says of some row depends on how many rows, or which, come with it: one alone, batches of 64
 * and all at once (where memory allows that) are compared. */
LL_CHECK ll_status ll_onnx_outputs_check(ll_onnx_outputs *outputs, ll_error *error);

/* ------------------------------------------------------------------ building */

/* Adds to a graph. Once memory has ended everything else is skipped: look at `failed` at the end. */
typedef struct {
    ll_onnx *model;
    char prefix[32]; /* of every name that is made */
    int type;        /* of numbers: ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT or __DOUBLE */
    long count;      /* of names made so far */
    int failed;
} ll_onnx_builder;

/* An empty model with these versions. NULL where memory ended. */
ll_onnx *ll_onnx_create(long ir_version, long opset);
/* Names begin with `wanted`, or with that and a number where the graph has such names already. */
void ll_onnx_build(ll_onnx_builder *builder, ll_onnx *model, const char *wanted, int type);

/* A node with up to three inputs (NULL: fewer) that makes `output` (NULL: a new name). Returns the output's name. */
const char *ll_onnx_node(ll_onnx_builder *builder, const char *operation, const char *output, const char *a,
                         const char *b, const char *c);
/* Of the node added last. */
void ll_onnx_set_int(ll_onnx_builder *builder, const char *name, int64_t value);
/* An initializer of the builder's type. columns = 0: a vector; rows = 0 too: a scalar. Returns its name. */
const char *ll_onnx_numbers(ll_onnx_builder *builder, const char *what, const double *numbers, long rows, long columns);
/* The same, of integers. */
const char *ll_onnx_integers(ll_onnx_builder *builder, const char *what, const int64_t *numbers, long count);
/* Declare an input or output: rows of `columns` numbers, any number of rows. */
void ll_onnx_declare(ll_onnx_builder *builder, const char *name, long columns, int is_output);

/* Drop the nodes and initializers that no output of the graph needs. */
LL_CHECK ll_status ll_onnx_prune(ll_onnx *model, ll_error *error);

#endif
