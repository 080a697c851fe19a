/* What a scorer's texts mean: every text parsed, every contradiction refused. */
#ifndef LL_SCORER_RESOLVED_H
#define LL_SCORER_RESOLVED_H

#include "loss/loss.h"

typedef enum { LL_KIND_EXACT, LL_KIND_FORMAT, LL_KIND_NATIVE } ll_kind;

/* How a row's term is computed natively, and which error model goes with it (docs/proofs/score-interval.md). */
typedef enum {
    LL_KERNEL_LOG,     /* -ln q of one stored number q */
    LL_KERNEL_SQUARED, /* squares of differences */
    LL_KERNEL_MATCH,   /* the prediction is a label */
    LL_KERNEL_SIGMOID, /* one logit */
    LL_KERNEL_SOFTMAX, /* one logit a class */
    LL_KERNEL_OTHER    /* the loss's expression, operation by operation */
} ll_kernel;

/* What a scorer's texts mean. */
typedef struct {
    ll_loss *loss;
    ll_kind kind;
    ll_kernel kernel;
    ll_arithmetic rows, term, total; /* of the stored predictions and the clip; of the loss; of sum and mean */
    double log_ulps;                 /* of term's logarithm */
    ll_exact low, high;              /* eps and 1-eps; with LL_LOG_CLAMP low is the bound on -ln */
    double float_low, float_high;    /* the same, rounded to the format of the rows, 1-eps computed there */
    ll_exact noise, ladder;          /* size and step, where there are any */
    long precision;                  /* of an exact score, chosen where the scorer left it open */
    int higher_is_better;
} ll_resolved;

/* LL_DOMAIN with the reason where the parts do not fit together; *out is then cleared. */
LL_CHECK ll_status ll_resolved_init(ll_resolved *out, const ll_scorer *scorer, ll_error *error);
void ll_resolved_clear(ll_resolved *resolved);

/* A copy whose strings and prior are its own; 0 where memory ended (drop it all the same). */
int ll_scorer_copy(ll_scorer *out, const ll_scorer *scorer);
void ll_scorer_drop(ll_scorer *scorer);

#endif
