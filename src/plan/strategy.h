/* A strategy is one way of asking for labels: when it applies, its plan, the predictions that it writes, and how scores
 * become labels. One folder per strategy (src/strategy); a plan points at the one that it follows.
 *
 * A candidate is a code by its name, as requests name it, and the strategy that carries it for a given scorer. The
 * table of candidates is in src/planner/candidates.c; their rows stand with the strategies. */
#ifndef LL_PLAN_STRATEGY_H
#define LL_PLAN_STRATEGY_H

#include "plan/plan.h"
#include "scorer/several.h"

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

/* A code as a request names it. */
typedef struct {
    const ll_candidate *candidate;
    const char *variant; /* the caller's text behind the colon; NULL: none was named */
} ll_named_code;

/* What a plan is made for. */
typedef struct ll_question ll_question;
struct ll_question {
    const ll_scorer *scorer;
    ll_named_code code;
    const ll_plan_request *request; /* all fields known, the failure set */
    long limit;                     /* queries that are answered; 0: no limit */
    long part;                      /* only so many rows, the first ones, are to be read; 0: all of them */
    int is_forecast;                /* averages: stop once plan->expected is set */
    /* The planner's: a plan of another question, for strategies that wrap plans. */
    ll_status (*make)(ll_plan **out, const ll_question *q, ll_error *error);
};

typedef struct ll_words ll_words;                                             /* what a digest is made of (digest.c) */
void ll_words_add_text(ll_words *words, const char *name, const char *value); /* value may be NULL */
void ll_words_add_number(ll_words *words, const char *name, long value);

struct ll_strategy {
    const char *name;
    const char *proof; /* its page in docs/proofs */
    unsigned takes;
    int reads_noise; /* it plans for the release as it is: a larger score that is known less well needs no second try */
    size_t state_size; /* of plan->state, all zeros behind its ll_plan_state */
    /* Code, unit and block. LL_DOMAIN, with the sentence that people read, where it does not apply. */
    ll_status (*plan)(ll_plan *plan, const ll_question *q, ll_error *error);
    /* What the code of plan->block rows needs before it is made; NULL: nothing. */
    ll_status (*prepare)(ll_plan *plan, const ll_question *q, ll_error *error);
    void (*made)(const ll_plan *plan, ll_code *code); /* the code is there; NULL: nothing more */
    const ll_writer *writer;                          /* of its predictions; NULL: the first of `writers` that suits, */
    const ll_writer *const *writers;                  /* whose last entry is NULL */

    /* What is asked of every plan: LL_PLANS_BLOCKS has the answers of a code that is cut into blocks. */
    ll_status (*finish)(ll_plan *plan, ll_error *error); /* it was chosen: constant from now on, for any thread */
    void (*forget)(ll_plan *plan);                       /* what its state holds, of a half-made plan too */
    /* Labels known after that many submissions, 1 .. plan->queries. Never falls with them. */
    long (*rows_within)(const ll_plan *plan, long queries);
    void (*describe)(const ll_plan *plan, ll_plan_info *info); /* writer, unit_bits, and score_bits of one query */
    void (*words)(const ll_plan *plan, ll_words *words);       /* all that its predictions depend on */
    ll_status (*get)(const ll_plan *plan, long query, ll_block *out, long first, long count, ll_error *error);

    /* Scores to labels. The state of a decoder is a struct that begins with an ll_decoder, all zeros behind it. */
    size_t decoder_size;
    /* log2 of how many numbers the score of that query can be, where they are multiples of one that may be short; 0:
     * not known. NULL: of no query. */
    double (*value_bits)(const ll_plan *plan, long query);
    int keeps_numbers;                /* d->numbers has the watched query's when `keep` is called */
    const struct ll_case_kind *cases; /* strategies that suppose class counts (strategy/common/counts_case.h) */
    int (*begin)(ll_decoder *d);      /* the rest of the state, 0: memory ended; NULL: nothing to do */
    void (*end)(ll_decoder *d);       /* called in every case; NULL: nothing to do */
    /* A whole answer to the watched query, whose stored rows it reads from d->stored; NULL: the number that the plan
     * reads, by `keep` and `close`. */
    ll_status (*hear)(ll_decoder *d, const ll_answer *answer, ll_error *error);
    /* All scores of the watched query are there; NULL: nothing to do. released: the interval of the number that was
     * released, as read from its text, the mean of them where the query was repeated. What it says of the metric's own
     * number is told by ll_plan_read_number, of a sum of weights by ll_reading_take. LL_DOMAIN: no labelling explains
     * it. */
    ll_status (*keep)(ll_decoder *d, const arb_t released, ll_error *error);
    /* Every query of the watched query's block is kept: the block's labels. *out is initialised. NULL: labels are told
     * by `conclude` alone. */
    ll_status (*close)(ll_decoder *d, ll_decoded *out, ll_error *error);
    /* Change the verdict on the labels that were found, which is certified. NULL: for decoders without probabilities,
     * whose bounds prove it, or are only likely to hold. */
    ll_status (*conclude)(const ll_decoder *d, ll_verdict *v, ll_error *error);
};

/* ---- a code cut into blocks (blocks.c) ---- */

LL_CHECK ll_status ll_blocks_finish(ll_plan *plan, ll_error *error);
void ll_blocks_forget(ll_plan *plan);
long ll_blocks_rows_within(const ll_plan *plan, long queries);
void ll_blocks_describe(const ll_plan *plan, ll_plan_info *info);
void ll_blocks_words(const ll_plan *plan, ll_words *words);
LL_CHECK ll_status ll_blocks_get(const ll_plan *plan, long query, ll_block *out, long first, long count,
                                 ll_error *error);

#define LL_PLANS_BLOCKS                                                                                                \
    .state_size = sizeof(ll_plan_state), .finish = ll_blocks_finish, .forget = ll_blocks_forget,                       \
    .rows_within = ll_blocks_rows_within, .describe = ll_blocks_describe, .words = ll_blocks_words,                    \
    .get = ll_blocks_get

struct ll_candidate {
    const ll_code_row *code;
    const ll_code_row *labels; /* its variant whose predictions are labels; NULL: none */
    int rank;            /* is it tried where nobody names a code? 1: yes; 2: where none of those applies; 0: never */
    const char *variant; /* of it, then; NULL: the first */
    int averages;        /* labels have probabilities, from all scores at once: no blocks, no bounds on single scores */
    int (*claims)(const ll_scorer *scorer); /* is its refusal the one to read? The last claim counts. NULL: never */
    const ll_strategy
        *strategy; /* NULL: the one that `pick` returns, for a plan that has its scorer, answer, classes */
    const ll_strategy *(*pick)(const ll_plan *plan);
};

/* Is it for scores over a hidden public split, in which rows may be absent? The others need every row scored. */
int ll_candidate_takes_absent(const ll_candidate *candidate);

/* The variant of a code whose predictions are labels, where it has one. */
#define LL_LABELS_VARIANT "labels"

/* Code, writer and unit for blocks of `block` rows (try_block.c). */
LL_CHECK ll_status ll_plan_try_block(ll_plan *plan, long block, const ll_question *q, ll_error *error);
/* The same for the block that the request names, or else the largest that the certificate allows. */
LL_CHECK ll_status ll_plan_find_block(ll_plan *plan, const ll_question *q, ll_error *error);

#endif
