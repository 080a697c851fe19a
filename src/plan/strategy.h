/* A strategy is one way of asking for labels: when it applies, its plan, the predictions that it writes, and how scores
 * become labels. One folder per strategy (src/strategy); a plan points at the one that it follows.
 *
 * A candidate is a code by its name, as requests name it, and the strategy that carries it for a given scorer. The
 * table of candidates is in src/planner/candidates.c; their rows stand with the strategies. */
#ifndef LL_PLAN_STRATEGY_H
#define LL_PLAN_STRATEGY_H

#include "plan/plan.h"

/* What a strategy takes beside plain scores of all rows, each of which has one of several classes. adapters.c refuses
 * the rest. */
enum {
    LL_TAKES_WEIGHTS = 1,         /* terms of rows that have weights */
    LL_TAKES_WEIGHTED_COUNTS = 2, /* counts of rows that have weights */
    LL_TAKES_PUBLIC_MEANS = 4,    /* means of terms over rows of which some are absent */
    LL_TAKES_PUBLIC_COUNTS = 8,   /* counts of such rows */
    LL_TAKES_TARGETS = 16,        /* numbers of a grid in place of classes */
    LL_TAKES_ANY_TERMS = 32,      /* every sum over rows, numeric targets among them */
    LL_TAKES_RANKS = 64,          /* orders of the rows, one per class too */
};

struct ll_strategy {
    const char *name;
    const char *proof; /* its page in docs/proofs */
    unsigned takes;
    int reads_noise; /* it plans for the release as it is: a larger score that is known less well needs no second try */
    /* Code, unit and block; block: rows per query, 0: as many as the certificate allows. LL_DOMAIN, with the sentence
     * that people read, where it does not apply. */
    ll_status (*plan)(ll_plan *plan, long block, ll_error *error);
    /* What the code of plan->block rows needs before it is made; NULL: nothing. */
    ll_status (*prepare)(ll_plan *plan, ll_error *error);
    void (*made)(const ll_plan *plan, ll_code *code); /* the code is there; NULL: nothing more */
    const ll_writer *const *writers;                  /* the first that suits is taken; the last entry is NULL */

    /* Scores to labels. The state of a decoder is a struct that begins with an ll_decoder, all zeros behind it. */
    size_t decoder_size;
    int keeps_numbers;                /* d->numbers has the watched query's when `keep` is called */
    const struct ll_case_kind *cases; /* strategies that suppose class counts (strategy/common/counts_case.h) */
    int (*begin)(ll_decoder *d);      /* the rest of the state, 0: memory ended; NULL: nothing to do */
    void (*end)(ll_decoder *d);       /* called in every case; NULL: nothing to do */
    /* All scores of the watched query are there; NULL: nothing to do. released: the interval of the number that was
     * released, as read from its text, the mean of them where the query was repeated. What it says of the metric's own
     * number is told by ll_plan_read_number, of a sum of weights by ll_reading_take. LL_DOMAIN: no labelling explains
     * it. */
    ll_status (*keep)(ll_decoder *d, const arb_t released, ll_error *error);
    /* Every query of the watched query's block is kept: the block's labels. *out is initialised. NULL: labels are told
     * by `conclude` alone. */
    ll_status (*close)(ll_decoder *d, ll_decoded *out, ll_error *error);
    /* Change the verdict on the labels that were found, which is certified. LL_MEMORY. NULL: for decoders without
     * probabilities, whose bounds prove it, or are only likely to hold. */
    ll_status (*conclude)(const ll_decoder *d, ll_verdict *v);
};

struct ll_candidate {
    const ll_code_row *code;
    const ll_code_row *labels; /* its variant whose predictions are labels; NULL: none */
    int rank;            /* is it tried where nobody names a code? 1: yes; 2: where none of those applies; 0: never */
    const char *variant; /* of it, then; NULL: the first */
    int averages;        /* labels have probabilities, from all scores at once: no blocks, no bounds on single scores */
    int is_public;       /* for scores over a public split that is not known */
    int (*claims)(const ll_scorer *scorer); /* is its refusal the one to read? The last claim counts. NULL: never */
    const ll_strategy *(*pick)(const ll_plan *plan); /* the plan has its scorer, answer and classes */
};

/* The variant of a code whose predictions are labels, where it has one. */
#define LL_LABELS_VARIANT "labels"

/* Code, writer and unit for blocks of `block` rows (try_block.c). */
LL_CHECK ll_status ll_plan_try_block(ll_plan *plan, long block, ll_error *error);
/* The same for the largest block that the certificate allows. */
LL_CHECK ll_status ll_plan_largest_block(ll_plan *plan, ll_error *error);

#endif
