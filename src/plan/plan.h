/* A plan: a scorer, a code cut into blocks, a unit, and a way to write weights as predictions.
 *
 * * Query q concerns the rows q*block .. of its block; every other row gets weight 0. Predictions are functions of the
 * plan: any block of rows can be computed at any time, bit for bit. With label k, row j of a block should add
 * (weight(j,k) of the code) * unit to N * score. What the stored numbers add beyond that is the deviation, which is
 * taken into account when the score is read (src/decode, docs/proofs/separability.md). */
#ifndef LL_PLAN_PLAN_H
#define LL_PLAN_PLAN_H

#include "code/code.h"
#include "scorer/scorer.h"

typedef struct ll_writer ll_writer;
typedef struct ll_strategy ll_strategy;   /* plan/strategy.h */
typedef struct ll_candidate ll_candidate; /* the same */

/* The self of a source of predictions. */
typedef struct {
    const ll_plan *plan;
    long query;
} ll_plan_source;

/* What makes a question of noise and labels: which bounds hold, and how surely. */
typedef struct {
    ll_guarantee guarantee;
    double failure; /* LL_LIKELY: at most this probability that a label is wrong */
    long repeats;   /* every query is asked this often, and its scores are averaged */
    double shared;  /* number of queries that share the failure */
    double bound;   /* on random noise, in units of the score; 0 where there is none or it is not bounded */
} ll_plan_bounds;

/* What averaging is expected to reach (docs/proofs/hadamard.md): the share of right labels, an estimate, at most 1, of
 * the probability that some label is wrong, and what one label adds to N * score in the chosen design. */
typedef struct {
    double share, failure, weight;
} ll_forecast;

/* What a strategy keeps of its plan: a code cut into blocks, what its weights are in units of the score, and who writes
 * them. A strategy that keeps more has a struct that begins with this one (ll_strategy.state_size). */
typedef struct {
    const ll_code_row *row; /* of the code, its variant chosen; and the variant, NULL: the first */
    const char *variant;
    int64_t levels;     /* level codes: the largest weight, in units */
    ll_code *views;     /* [query]: the code of its block, looking at that query */
    ll_code *code;      /* of a full block */
    ll_code *last_code; /* of the last block where it is shorter, else NULL */
    const ll_writer *writer;
    void *data;  /* the writer's own, constant once the plan is made */
    arb_t noise; /* half the width, at most, of the sums that a score allows: tau, rounding, digits */
    arb_t unit;  /* what weight 1 of the code adds to N * score */
    long base;   /* the label from which deviations are counted */
} ll_plan_state;

struct ll_plan {
    const ll_scorer *scorer; /* shared; of the number that is read, where an answer has several */
    const ll_scorer *answer; /* shared: of the whole answer */
    long number;             /* which of them is read */
    ll_scoring scoring;      /* no labels */
    long rows, columns;
    long classes; /* states of a row: scoring.classes, and "absent" where the score is over a part of the rows */
    ll_entries entries;
    long block, queries;
    slong prec;                    /* for balls of the size of N * score, down to far below gap * unit */
    const ll_candidate *candidate; /* the code that was asked for */
    char *name;                    /* of it and its variant, "detecting:odd" */
    const ll_strategy *strategy;   /* how this scorer is asked with it */
    ll_plan_state *state;          /* the strategy's own */
    ll_plan_bounds bounds;
    ll_forecast expected;    /* what its labels will be worth; 1, the failure that is allowed, and 0 but for averages */
    ll_plan_source *sources; /* one per query, set by ll_plan_finish */
};

/* What the stored rows of one query add, label by label, beyond the plan's weights. */
typedef struct {
    arb_t offset;        /* sum over rows of term(base) */
    arb_t low, high;     /* sums over rows of the least and of the greatest deviation of a label */
    mag_t magnitude;     /* at least the sum over rows of the largest |term|; native scorers only */
    ll_product *product; /* of entries whose -ln belongs to the offset too */
    arb_ptr terms;       /* scratch, one a class */
    arb_ptr weights;     /* scratch of ll_stored_error_add_terms, one a class */
    ll_value *values;    /* scratch, balls, columns + 1 */
    long *counts;        /* levels writer: rows of each kind, not yet added */
    long counts_size;
    long neutral; /* rows that are just the plan's neutral one, not yet added */
    long based;   /* sum of the weights that the base label has in every row, where the writer counts it */
} ll_stored_error;

struct ll_writer {
    const char *name;
    int counts_base; /* every row is in every query, and the stored error adds up stored_error->based */
    /* Does it apply to this scorer and code? NULL: always. */
    int (*suits)(const ll_plan *plan);
    /* Choose unit, bits and prec for plan->state->code. LL_DOMAIN: the loss cannot reach the weights; the message says
     * what would fit. */
    ll_status (*prepare)(ll_plan *plan, ll_error *error);
    void (*clear)(ll_plan *plan);
    /* The plan was chosen: prepare now what makes writing fast; the plan is constant later. NULL: nothing to do. */
    ll_status (*finish)(ll_plan *plan, ll_error *error);
    long (*get_bits)(const ll_plan *plan);      /* for the digest: its own choice. NULL: none */
    double (*get_seconds)(const ll_plan *plan); /* for all queries; NULL: estimated from the size of the numbers */
    /* Write the `columns` entries (ll_exact or double) of row `row` of the block of `code` (-1: weight 0) to `to`.
     * NULL: write_rows is used. */
    ll_status (*write)(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error);
    /* What a row stores in a column, if nothing else may stand there (LL_WRITES_PLANNED of strategy/common/writers.h). */
    double (*entry)(const ll_plan *plan, const ll_code *code, long row, long column);
    /* Add what the stored entries of row `index` of a block really contribute. */
    ll_status (*measure)(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error, const ll_block *block,
                         long index, long row, ll_error *error);
    /* The same two for `rows` rows of a block at once; NULL: one by one. */
    ll_status (*write_rows)(const ll_plan *plan, const ll_code *code, void *to, long row, long rows, ll_error *error);
    ll_status (*measure_rows)(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error,
                              const ll_block *block, long index, long row, long rows, ll_error *error);
    /* Add stored_error->neutral rows; NULL: the writer does not count them. */
    void (*close)(const ll_plan *plan, ll_stored_error *stored_error);
};

/* Is it a sum over rows that only the strategy `changes` can use: rows have weights, or terms are no square, no line and
 * no match? */
int ll_plan_is_unplanned(const ll_plan *plan);

/* ---- likely bounds on rounding (likely_rounding.c) ---- */

/* Does the plan treat the scorer's own rounding as random? Only for native floats and likely labels; not for averages,
 * which may prove their answer, nor for sums of many roundings, which are not independent. */
int ll_likely_is_native(const ll_plan *plan);
/* A bound on |N * computed score - sum of terms| that holds in all queries with the requested probability, if all
 * rounding errors are independent and uniform (docs/proofs/noise.md). magnitude: at least the sum of |terms|. */
double ll_likely_rounding(const ll_plan *plan, double magnitude);

#define LL_PLAN_FAILURE 1e-6 /* if a request does not set it */

/* Finish the plan that was chosen among those that were tried. Afterwards it is constant. */
LL_CHECK ll_status ll_plan_finish(ll_plan *plan, ll_error *error);

/* Can rows be absent, because a score is over only some of them? */
int ll_plan_has_absent(const ll_plan *plan);
/* Labels that are listed one by one, a row: all, or none where there are too many. */
long ll_plan_listed(const ll_plan *plan);
/* Does a block have several queries, whose scores determine its labels together? */
int ll_plan_is_joint(const ll_plan *plan);
/* The number of different queries; each is asked plan->bounds.repeats times in a row. */
long ll_plan_distinct(const ll_plan *plan);

/* Labels known after `limit` submissions (0: after all). It never falls as the limit grows. */
long ll_plan_rows_within(const ll_plan *plan, long limit);

/* The code of query q, looking at that query. */
const ll_code *ll_plan_code(const ll_plan *plan, long query);

/* The block that query q asks about, and the first query of that block. */
long ll_plan_block(const ll_plan *plan, long query);
long ll_plan_first_query(const ll_plan *plan, long block);

/* The place of row `row` of the data set in the block of query q, or -1. */
long ll_plan_row(const ll_plan *plan, long query, long row);
/* Write the entries of one row of the block of `code` (-1: weight 0) to `to`. */
LL_CHECK ll_status ll_plan_write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error);
/* Memory for `rows` rows of the plan's entries; NULL: no memory. */
void *ll_plan_reserve(const ll_plan *plan, ll_block *block, long rows);

/* Make the plan's code for that many rows. Dropping it also frees what the writer keeps. */
LL_CHECK ll_status ll_plan_create_code(const ll_plan *plan, ll_code **out, long rows, ll_error *error);
void ll_plan_drop_code(ll_plan *plan);

/* Use that row and variant (NULL: the first, unnamed) as the code from now on. LL_MEMORY. */
LL_CHECK ll_status ll_plan_set_code(ll_plan *plan, const ll_code_row *row, const char *variant, ll_error *error);
/* Use that variant of the plan's code (NULL: the first). LL_DOMAIN: the caller asked for another. */
LL_CHECK ll_status ll_plan_choose_variant(ll_plan *plan, const char *variant, ll_error *error);

/* From stored_error->terms of one stored row: offset += term(base); low, high += least, greatest of term(k) -
 * term(base) - (weight(k) - weight(base)) * unit. */
void ll_stored_error_add_terms(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error, long row);

/* The stored error of a full block of the plan's own predictions, and of the neutral rows around it. */
LL_CHECK ll_status ll_plan_measure_block(const ll_plan *plan, ll_stored_error *stored_error, ll_block *scratch,
                                         ll_error *error);

const char *ll_plan_metric_name(const ll_plan *plan);
/* Are its predictions labels? Are they labels, or scores in which the class that is asked about differs from the
 * others? */
int ll_plan_takes_labels(const ll_plan *plan);
int ll_plan_asks_labels(const ll_plan *plan);
/* ---- how far a score is from the sum of its terms (blur.c) ---- */

/* plan->state->noise, for sums of at most `most` in size. */
void ll_plan_set_noise(ll_plan *plan, const arb_t most);
/* How far the scorer's own arithmetic may move the sum that a score stands for, beyond plan->state->noise, for terms
 * whose sizes add up to the stored error's magnitude: sum, mean and release; 0 in exact arithmetic. */
void ll_plan_rounding(const ll_plan *plan, const ll_stored_error *stored_error, arb_t out);
/* Of that, what reading a score does not allow for itself: the sum's. */
void ll_plan_sum_rounding(const ll_plan *plan, const ll_stored_error *stored_error, arb_t out);
/* The same for a sum over a part of `rows` rows. */
void ll_plan_part_rounding(const ll_plan *plan, arb_t out, const mag_t magnitude, long rows);
/* Half the width of the interval of sums that a score leaves, for terms of that size together, read as doubles: a term
 * of floats may be off that part of its size, apart from what else it is off. Sets plan->state->noise. */
#define LL_PLAN_OWN 0x1p-50
double ll_plan_half(ll_plan *plan, double size);
/* From the interval of a released number, as its text says, to that of the metric's own: steps and noise of the release
 * are undone. LL_DOMAIN: no number is released so. */
LL_CHECK ll_status ll_plan_read_number(const ll_plan *plan, arb_t number, const arb_t released);
/* The same, on to the sum of its terms, matches for metrics that count; noise: how much of its half width the release
 * states. LL_DOMAIN: no number is released so. */
LL_CHECK ll_status ll_plan_read_sum(const ll_plan *plan, arb_t sum, arb_t noise, const arb_t released);

/* How wide, about, the interval is that noise and rounding leave for a number of the size of 1. */
double ll_plan_number_blur(const ll_plan *plan);

/* May the sum of such rows, or its percentage, be too large for the scorer's format? */
int ll_plan_overflows(const ll_plan *plan, const ll_stored_error *stored_error);

LL_CHECK ll_status ll_stored_error_init(ll_stored_error *stored_error, const ll_plan *plan);
void ll_stored_error_clear(ll_stored_error *stored_error, const ll_plan *plan);
void ll_stored_error_reset(ll_stored_error *stored_error);

#endif
