/* The marks that constructions leave in predictions, blurred ones too. What honest models were seen to do:
 * docs/proofs/audit.md. */
#ifndef LL_AUDIT_TRACES_H
#define LL_AUDIT_TRACES_H

#include "audit/weights.h"

/* The sizes |term(k) - term(0)| of all rows, sorted, each once (two that the errors do not tell apart are one);
 * neutral, saturated and beyond rows left out. */
typedef struct {
    long count;
    double *sizes, *errors;
    double *scratch; /* room for one number a size */
    long rows;       /* that they came from */
    long neutral;    /* rows left out because no label matters */
    long quiet;      /* rows whose weights together are noise beside the least of the others, the neutral ones among
                        them; 0 where they are fewer than four in five */
    double blur;     /* root of the mean square of the weights of quiet rows */
} ll_sizes;

LL_CHECK ll_status ll_sizes_init(ll_sizes *out, const ll_weights *weights, ll_error *error);
void ll_sizes_clear(ll_sizes *sizes);

typedef struct {
    const char *name; /* "lattice", ... */
    char text[240];   /* what was seen, for people */
    double unit;      /* of a lattice, else 0 */
} ll_trace;

/* Numeric targets: predictions far outside of them, or only at their ends (trace_targets.c). */
int ll_trace_outside(ll_trace *out, const ll_weights *weights, const ll_sizes *sizes);

/* Every row says one of two things: mirrored, or one of them nothing (trace_two_values.c). */
int ll_trace_two_values(ll_trace *out, const ll_weights *weights, const ll_sizes *sizes);
int ll_trace_half_open(ll_trace *out, const ll_weights *weights, const ll_sizes *sizes);

/* Sets the text; 1. */
__attribute__((format(printf, 2, 3))) int ll_trace_say(ll_trace *out, const char *format, ...);

/* The first mark of the table that is there; 0 where none is. */
int ll_trace_find(ll_trace *out, const ll_weights *weights, const ll_sizes *sizes);

#endif
