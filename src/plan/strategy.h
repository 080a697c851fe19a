/* A strategy is one way of asking for labels: when it applies, its plan, the predictions that it writes, and how scores
 * become labels. One folder per strategy (src/strategy); a plan points at the one that it follows.
 *
 * A candidate is a code by its name, as requests name it, and the strategy that carries it for a given scorer. The
 * table of candidates is in src/planner/candidates.c; their rows stand with the strategies. */
#ifndef LL_PLAN_STRATEGY_H
#define LL_PLAN_STRATEGY_H

#include "plan/plan.h"
#include "scorer/several.h"

/* What a strategy accepts besides plain scores of all rows, each of which has one of several classes. adapters.c
 * refuses the rest. */
enum {
    LL_TAKES_WEIGHTS = 1,         /* terms of rows that have weights */
    LL_TAKES_WEIGHTED_COUNTS = 2, /* counts of rows that have weights */
    LL_TAKES_PUBLIC_MEANS = 4,    /* means of terms over rows of which some are absent */
    LL_TAKES_PUBLIC_COUNTS = 8,   /* counts of such rows */
    LL_TAKES_TARGETS = 16,        /* numbers of a grid in place of classes, and no classes */
    LL_TAKES_ANY_TERMS = 32,      /* every sum over rows, numeric targets among them */
    LL_TAKES_RANKS = 64,          /* orders of the rows, one per class too */
    LL_TAKES_LONG_GRIDS = 128,    /* more labels a row than LL_LISTED_CLASSES */
};

#define LL_ASKS_ALL "asks about every row in every query"
#define LL_CUTS_ROWS "cuts the rows by itself"

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
    long within;     /* limit is 0: plans that read different numbers are compared by what so many queries read */
    long part;       /* read the labels of the first `part` rows only; 0: of all rows */
    int is_forecast; /* averages: stop once plan->expected is set */
    /* The planner's function: a plan for another question, for strategies that wrap plans. */
    ll_status (*make)(ll_plan **out, const ll_question *q, ll_error *error);
};

typedef struct ll_words ll_words;                                             /* what a digest is made of (digest.c) */
void ll_words_add_text(ll_words *words, const char *name, const char *value); /* value may be NULL */
void ll_words_add_number(ll_words *words, const char *name, long value);

struct ll_strategy {
    const char *name;
    const char *proof; /* its page in docs/proofs */
    unsigned takes;
    const char *whole; /* why no block of fewer rows can be asked for: it LL_ASKS_ALL, LL_CUTS_ROWS; NULL: one can */
    int reads_first;   /* but a limit may have the labels of the first rows alone read (q->part) */
    int is_certain;    /* no label of it is likely: refused where likely ones are asked for */
    int reads_noise;   /* it plans for the noise and rounding of the release itself: no second try for larger scores */
    size_t state_size; /* of plan->state: an ll_plan_state, then zeros */
    /* Choose code, unit and block. LL_DOMAIN, with a message for people: the strategy does not apply. */
    ll_status (*plan)(ll_plan *plan, const ll_question *q, ll_error *error);
    /* Called before the code of plan->block rows is made; NULL: nothing to do. */
    ll_status (*prepare)(ll_plan *plan, const ll_question *q, ll_error *error);
    void (*made)(const ll_plan *plan, ll_code *code); /* called once the code is made; NULL: nothing to do */
    const ll_writer *writer;                          /* NULL: the first of `writers` that applies */
    const ll_writer *const *writers;                  /* the last entry is NULL */

    /* What is asked of every plan: LL_PLANS_BLOCKS has the answers of a code that is cut into blocks. */
    ll_status (*finish)(ll_plan *plan, ll_error *error); /* it was chosen; constant from now on, for all threads */
    void (*forget)(ll_plan *plan);                       /* free the state, also that of an unfinished plan */
    /* Labels known after that many submissions, 1 .. plan->queries. It never falls as submissions grow. */
    long (*rows_within)(const ll_plan *plan, long queries);
    void (*describe)(const ll_plan *plan, ll_plan_info *info); /* writer, unit_bits, and score_bits of one query */
    void (*words)(const ll_plan *plan, ll_words *words);       /* everything that the predictions depend on */
    ll_status (*get)(const ll_plan *plan, long query, ll_block *out, long first, long count, ll_error *error);

    /* Seconds of reading, about, where that takes longer than writing. NULL: it does not. */
    double (*get_seconds)(const ll_plan *plan);
    /* From scores to labels. The state of a decoder is a struct that begins with an ll_decoder; the rest is zeros. */
    size_t decoder_size;
    /* log2 of the number of values that the score of that query can have, if all are multiples of one number that may
     * be short; 0: not known. NULL: not known for any query. */
    double (*value_bits)(const ll_plan *plan, long query);
    int keeps_numbers;                /* d->numbers has the number of the watched query when `keep` is called */
    const struct ll_case_kind *cases; /* strategies that suppose class counts (strategy/common/counts_case.h) */
    int (*begin)(ll_decoder *d);      /* set up the rest of the state; returns 0: no memory. NULL: nothing to do */
    void (*end)(ll_decoder *d);       /* free it; always called. NULL: nothing to do */
    /* Take a whole answer to the watched query, whose stored rows are in d->stored. NULL: the decoder takes the one
     * number that the plan reads and calls `keep` and `close`. */
    ll_status (*hear)(ll_decoder *d, const ll_answer *answer, ll_error *error);
    /* All scores of the watched query have arrived; NULL: nothing to do. released: the interval of the released number,
     * as read from its text (of a repeated query: of the mean). ll_plan_read_number turns it into the metric's own
     * number, ll_reading_take into a sum of weights. LL_DOMAIN: no labelling explains it. */
    ll_status (*keep)(ll_decoder *d, const arb_t released, ll_error *error);
    /* All queries of a block have been kept: compute the block's labels into *out, which is initialised. NULL: only
     * `conclude` gives labels. */
    ll_status (*close)(ll_decoder *d, ll_decoded *out, ll_error *error);
    /* Change the verdict on the labels that were found, which is "certified" so far. NULL: it stays, or becomes likely
     * if the plan's bounds are only likely to hold. */
    ll_status (*conclude)(const ll_decoder *d, ll_verdict *v, ll_error *error);
};

/* LL_DOMAIN: the strategy does not take what the question has (adapters.c), by its `takes`, `whole` and `is_certain`, or
 * predictions are not of the kind that its code gives. */
LL_CHECK ll_status ll_plan_check_question(const ll_plan *plan, const ll_question *q, ll_error *error);

/* ---- a code cut into blocks (blocks.c) ---- */

LL_CHECK ll_status ll_blocks_finish(ll_plan *plan, ll_error *error);
void ll_blocks_forget(ll_plan *plan);
long ll_blocks_rows_within(const ll_plan *plan, long queries);
void ll_blocks_describe(const ll_plan *plan, ll_plan_info *info);
void ll_blocks_words(const ll_plan *plan, ll_words *words);
LL_CHECK ll_status ll_blocks_get(const ll_plan *plan, long query, ll_block *out, long first, long count,
                                 ll_error *error);

#define LL_PLANS_BLOCKS LL_PLANS_BLOCKS_OF(ll_plan_state)
#define LL_PLANS_BLOCKS_OF(state) LL_PLANS_BLOCKS_READING(state, ll_blocks_rows_within)
/* With its own rows_within. */
#define LL_PLANS_BLOCKS_READING(state, within)                                                                         \
    .state_size = sizeof(state), .finish = ll_blocks_finish, .forget = ll_blocks_forget, .rows_within = (within),      \
    .describe = ll_blocks_describe, .words = ll_blocks_words, .get = ll_blocks_get

struct ll_candidate {
    const ll_code_row *code;
    const ll_code_row *labels; /* its variant whose predictions are labels; NULL: none */
    int rank;                  /* if no code is named: 1: it is tried; 2: only if none of rank 1 applies; 0: never */
    const char *variant;       /* the variant that is tried; NULL: the first */
    int averages; /* labels get probabilities from all scores at once: no blocks, no bounds on single scores */
    int (*claims)(const ll_scorer *scorer); /* show its message if no code applies? The last claim counts */
    const ll_strategy *strategy; /* NULL: `pick` returns it, once the plan has its scorer, answer and classes */
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
