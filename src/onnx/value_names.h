/* The values of a graph by name: graph inputs, initializers and what nodes make, each with a number. */
#ifndef LL_ONNX_VALUE_NAMES_H
#define LL_ONNX_VALUE_NAMES_H

#include "onnx/onnx.h"

typedef struct {
    const char *name; /* the graph's */
    long number;
} ll_value_name;

typedef struct {
    ll_value_name *sorted;
    long count;
} ll_value_names;

/* Numbers: the inputs, then the initializers, then the outputs of every node in order. An input that is an initializer
 * too (its default) counts as the initializer. LL_DOMAIN where two nodes make the same value. */
LL_CHECK ll_status ll_value_names_create(ll_value_names *out, const Onnx__GraphProto *graph, ll_error *error);
void ll_value_names_clear(ll_value_names *names);
/* -1: no such value. */
long ll_value_names_find(const ll_value_names *names, const char *name);

#endif
