/* A plan: a scorer, a code cut into blocks, a unit, and a way to write weights as predictions.
 *
 * Query q concerns the rows q*block .. of its block; every other row gets weight 0. Predictions are functions of the
 * plan: any block of rows at any time, bit for bit. With label k, row j of a block is to add (weight(j,k) of the code)
 * * unit to N * score; what the numbers that were really written add beyond that is its deviation, taken into account
 * when the score is read (src/decode, docs/proofs/separability.md). */
#ifndef LL_PLAN_PLAN_H
#define LL_PLAN_PLAN_H

#include "code/code.h"
#include "scorer/scorer.h"

typedef struct ll_writer ll_writer;

/* The self of a source of predictions. */
typedef struct {
    const ll_plan *plan;
    long query;
} ll_plan_source;

struct ll_plan {
    const ll_scorer *scorer; /* shared; of the number that is read, where an answer has several */
    const ll_scorer *answer; /* shared: of the whole answer */
    long number;             /* which of them is read */
    ll_scoring scoring;      /* no labels */
    long limit;              /* queries that are answered; 0: no limit */
    long rows, columns;
    long classes; /* states of a row: scoring.classes, and "absent" where the score is over a part of the rows */
    ll_entries entries;
    long block, queries;
    double max_memory;
    char *code_name;
    int64_t levels;     /* level codes: the largest weight, in units */
    ll_code *views;     /* [query]: the code of its block, looking at that query */
    ll_code *code;      /* of a full block */
    ll_code *last_code; /* of the last block where it is shorter, else NULL */
    const ll_writer *writer;
    ll_guarantee guarantee;
    double failure;  /* LL_LIKELY: at most this probability that a label is wrong */
    long repeats;    /* every query is asked so often, and its scores are averaged */
    double shared;   /* by so many queries the failure is shared */
    double bound;    /* on random noise, in units of the score; 0 where there is none or it is not bounded */
    int is_forecast; /* nothing but what comes next is wanted of it */
    double forecast_share, forecast_failure; /* what is expected of it: share of right labels, some label wrong */
    arb_t sign_weight;                       /* soft codes: what a sign is to weigh */
    arb_t noise;             /* half the width, at most, of the sums that a score allows: tau, rounding, digits */
    arb_t unit;              /* what weight 1 of the code adds to N * score */
    long base;               /* the label from which deviations are counted */
    slong prec;              /* for balls of the size of N * score, down to far below gap * unit */
    ll_plan_source *sources; /* one a query */
    void *data;              /* the writer's own, constant once the plan is made */
    long readable;           /* rows that it can tell; 0: all */
    int is_finished;         /* its predictions may be asked for, by any number of threads */
    ll_plan **groups;        /* scores of groups: the plan of each, code and writer are the largest's; NULL: none */
};

/* What the stored rows of one query add, label by label, beyond the plan's weights. */
typedef struct {
    arb_t offset;        /* sum over rows of term(base) */
    arb_t low, high;     /* sums over rows of the least and of the greatest deviation of a label */
    mag_t magnitude;     /* at least the sum over rows of the largest |term|; native scorers only */
    ll_product *product; /* of entries whose -ln belongs to the offset too */
    arb_ptr terms;       /* scratch, one a class */
    arb_ptr weights;     /* scratch of ll_account_add_terms, one a class */
    ll_value *values;    /* scratch, balls, columns + 1 */
    long *counts;        /* levels writer: rows of each kind, not yet added */
    long counts_size;
    long neutral; /* rows that are just the plan's neutral one, not yet added */
    long based;   /* sum of the weights that the base label has in every row, where the writer counts it */
} ll_account;

struct ll_writer {
    const char *name;
    int counts_base; /* every row is in every query, and the account adds up account->based */
    /* Does it serve this scorer and code? */
    int (*suits)(const ll_plan *plan);
    /* Choose unit, bits and prec for plan->code; LL_DOMAIN with what would fit where the loss cannot reach the weights.
     */
    ll_status (*prepare)(ll_plan *plan, ll_error *error);
    void (*clear)(ll_plan *plan);
    /* The plan was chosen: whatever makes writing fast, since nothing can be kept later. NULL: nothing to do. */
    ll_status (*finish)(ll_plan *plan, ll_error *error);
    long (*get_bits)(const ll_plan *plan);      /* for the digest: what it chose by itself. NULL: nothing */
    double (*get_seconds)(const ll_plan *plan); /* for all queries; NULL: by the size of their numbers */
    /* The `columns` entries of row `row` of the block of `code` (-1: weight 0), where `to` points: ll_exact or double.
     * NULL: write_rows does one row, too. */
    ll_status (*write)(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error);
    /* What the stored entries of row `index` of a block really add. */
    ll_status (*account)(const ll_plan *plan, const ll_code *code, ll_account *account, const ll_block *block,
                         long index, long row, ll_error *error);
    /* Both for `rows` rows of a block at once; NULL: one by one. */
    ll_status (*write_rows)(const ll_plan *plan, const ll_code *code, void *to, long row, long rows, ll_error *error);
    ll_status (*account_rows)(const ll_plan *plan, const ll_code *code, ll_account *account, const ll_block *block,
                              long index, long row, long rows, ll_error *error);
    /* Add account->neutral rows; NULL where the writer does not count them. */
    void (*close)(const ll_plan *plan, ll_account *account);
};

/* ll_plan_make where an answer has several numbers: the best plan for one of them (several_numbers.c). */
LL_CHECK ll_status ll_plan_make_several(ll_plan **out, const ll_scorer *scorer, const char *code,
                                        const ll_plan_request *request, long limit, ll_error *error);
/* The same where each group of rows has a number of its own: a plan for each, all asked at once (plan_groups.c). */
LL_CHECK ll_status ll_plan_make_grouped(ll_plan **out, const ll_scorer *scorer, const char *code,
                                        const ll_plan_request *request, long limit, ll_error *error);
void ll_plan_destroy_grouped(ll_plan *plan);
LL_CHECK ll_status ll_plan_finish_grouped(ll_plan *plan, ll_error *error);
LL_CHECK ll_status ll_plan_get_grouped(const ll_plan *plan, long query, ll_block *out, long first, long count,
                                       ll_error *error);
/* The one rule by which codes are chosen: more labels within the limit, then fewer queries for all of them, then fewer
 * bits of score. b may be NULL. */
int ll_choice_is_better(const ll_plan_choice *a, const ll_plan_choice *b);
/* The same of plans, within the limit of the first. best may be NULL. */
int ll_plan_is_better(const ll_plan *plan, const ll_plan *best);

/* One code of ll_plan_compare. LL_OK also where it does not serve; LL_MEMORY. */
LL_CHECK ll_status ll_plan_compare_code(ll_plan_choice *out, const char *code, const ll_scorer *scorer,
                                        const ll_plan_request *request);

/* The code that averages. */
const char *ll_plan_soft_code(void);

/* What averaging by the code hadamard is expected to do with *queries answers; 0: with as few as leave a wrong label a
 * probability of at most `failure`, and *queries is set. */
LL_CHECK ll_status ll_plan_forecast(ll_forecast *out, long *queries, const ll_scorer *scorer, double failure,
                                    ll_error *error);

/* The largest number of levels (an integer weight of 1 is worth reach / levels) at which every sum of weights can be
 * told from its neighbours whatever the rows' levels are; LL_DOMAIN where there is none. Sets plan->unit and
 * plan->columns. */
LL_CHECK ll_status ll_plan_find_levels(ll_plan *plan, ll_error *error);

/* The same for numeric targets: how far predictions may lie outside the grid, in half steps; the unit is given by the
 * grid (find_grades.c). */
LL_CHECK ll_status ll_plan_find_grades(ll_plan *plan, ll_error *error);
/* A sum over rows whose terms no code but changes can choose: no square, no line, no match. */
int ll_plan_is_unplanned(const ll_metric *metric, long classes);
/* Takes that variant of the plan's code, NULL: the first of its row. LL_DOMAIN where the caller asked for another. */
LL_CHECK ll_status ll_plan_choose_variant(ll_plan *plan, const char *variant, ll_error *error);
/* LL_DOMAIN where the code is not for this metric, because just one of them knows numeric targets. */
LL_CHECK ll_status ll_plan_check_targets(const ll_plan *plan, ll_error *error);

/* The same for R^2, whose rows are all in every query (find_fit.c). */
LL_CHECK ll_status ll_plan_find_fit(ll_plan *plan, ll_error *error);
/* The prediction of a row, in half steps of the grid from its first target; and as the double that it is. */
int64_t ll_plan_fit_place(const ll_plan *plan, const ll_code *code, long row);
double ll_plan_fit_number(const ll_plan *plan, int64_t twice);
/* By how much, relatively, the program's quotient of the two sums of squares may be off. */
double ll_plan_fit_error(const ll_plan *plan);
/* Explained variance, of places up to `most` in size: how much the rounding of the mean of the errors may add to the
 * sum of their squares, in units. */
double ll_plan_fit_shift(const ll_plan *plan, double most);
/* Is the mean of targets that are all the same that target, in doubles added up in any order? */
int ll_plan_fit_is_flat_exact(const ll_plan *plan);

/* The code cells, where answers show what it needs (find_cells.c). */
LL_CHECK ll_status ll_plan_find_cells(ll_plan *plan, long block, ll_error *error);
/* The same of one number of right predictions, class 0 against each of the others (find_contrast.c). */
LL_CHECK ll_status ll_plan_find_contrast(ll_plan *plan, ll_error *error);
/* The number of an answer that is the count of a label and prediction; -1: none is. */
long ll_plan_find_cell(const ll_plan *plan, long label, long predicted);

/* The same for an order of the rows: the least step that sums of ranks must have, then all of the plan (find_ranks.c).
 */
LL_CHECK ll_status ll_plan_find_ranks(ll_plan *plan, long block, ll_error *error);

/* The same for ordered classes, whose labels cost by their distance from the predicted one (find_ordered.c). */
LL_CHECK ll_status ll_plan_find_ordered(ll_plan *plan, long block, ll_error *error);

/* The same for metrics of counts whose rows have weights: which rows to ask about, then all of the plan
 * (find_single.c). LL_DOMAIN from the second where no code serves, with the reason. */
LL_CHECK ll_status ll_plan_find_single(ll_plan *plan, long block, ll_error *error);
LL_CHECK ll_status ll_plan_check_single(const ll_plan *plan, ll_error *error);

/* The same for metrics of counts over a part of the rows: the base of the code, then all of the plan (find_flip.c). */
LL_CHECK ll_status ll_plan_find_flip(ll_plan *plan, ll_error *error);

/* All rows keep their prediction but for a few a query: weighted scores, and terms that no other code chooses
 * (changes.h). */
/* LL_DOMAIN where the code knows no weights, and the score has some. */
LL_CHECK ll_status ll_plan_check_weights(const ll_plan *plan, ll_error *error);
LL_CHECK ll_status ll_plan_find_changes(ll_plan *plan, long block, ll_error *error);

extern const ll_writer ll_writer_levels, ll_writer_labels, ll_writer_signs, ll_writer_ranks, ll_writer_one_hot,
    ll_writer_fit, ll_writer_changes;
/* LL_DOMAIN where the code is not for this scorer, because just one of them knows rows that may be absent, or the
 * metric, its classes or the guarantee have no plan for such rows (check_part.c). */
LL_CHECK ll_status ll_plan_check_part(const ll_plan *plan, ll_error *error);

extern const ll_writer ll_writer_exponents, ll_writer_logits, ll_writer_inverse, ll_writer_primes, ll_writer_floats;

#define LL_PLAN_FAILURE 1e-6 /* where a request leaves it open */

/* What is left to do for the plan that was chosen among those that were tried. Then it is constant. */
LL_CHECK ll_status ll_plan_finish(ll_plan *plan, ll_error *error);

/* A caller's request: all fields known here, the failure set. LL_DOMAIN where it was not initialised. */
LL_CHECK ll_status ll_plan_read_request(ll_plan_request *out, const ll_plan_request *request, ll_error *error);

/* ll_plan_create with another limit of queries than the scorer's. */
LL_CHECK ll_status ll_plan_create_within(ll_plan **out, const ll_scorer *scorer, const ll_plan_request *request,
                                         long limit, ll_error *error);

/* One code by its name: what ll_plan_create does where the request names one, not yet finished. limit: queries that are
 * answered; 0: no limit. */
LL_CHECK ll_status ll_plan_make(ll_plan **out, const ll_scorer *scorer, const char *code,
                                const ll_plan_request *request, long limit, ll_error *error);

/* The same, treating random noise as bounded by `bound` (0: as the scorer says), asking each query `repeats` times, and
 * splitting the failure over `shared` queries. */
LL_CHECK ll_status ll_plan_make_bounded(ll_plan **out, const ll_scorer *scorer, const char *code,
                                        const ll_plan_request *request, long limit, double bound, long repeats,
                                        double shared, ll_error *error);

/* Queries that differ: each is asked plan->repeats times in a row. */
long ll_plan_distinct(const ll_plan *plan);

/* The most rows whose queries are all within the limit, in one block where a block has several queries; limit 0: all
 * rows. */
long ll_plan_rows_within(const ll_plan *plan, long limit);

/* The code of query q, looking at that query. */
const ll_code *ll_plan_code(const ll_plan *plan, long query);

/* The block that query q asks about, and the first query of that block. */
long ll_plan_block(const ll_plan *plan, long query);
long ll_plan_first_query(const ll_plan *plan, long block);

/* The row of the block of query q that row `row` of the data set is, or -1. */
long ll_plan_row(const ll_plan *plan, long query, long row);
/* The entries of one row of the block of `code` (-1: weight 0), where `to` points. */
LL_CHECK ll_status ll_plan_write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error);
/* Room for rows of the plan's entries; NULL where memory ended. */
void *ll_plan_reserve(const ll_plan *plan, ll_block *block, long rows);

/* Code, writer, unit and block; `block` rows a query, or 0: as many as the certificate allows. */
LL_CHECK ll_status ll_plan_find_block(ll_plan *plan, long block, ll_error *error);

/* The plan's code for so many rows. Dropping takes away what the writer keeps, too. */
LL_CHECK ll_status ll_plan_create_code(const ll_plan *plan, ll_code **out, long rows, ll_error *error);
void ll_plan_drop_code(ll_plan *plan);

/* The code is the one of that name from now on. LL_MEMORY. */
LL_CHECK ll_status ll_plan_name_code(ll_plan *plan, const char *name, ll_error *error);

/* Code, writer and unit for blocks of `block` rows. */
LL_CHECK ll_status ll_plan_try_block(ll_plan *plan, long block, ll_error *error);

/* 2 * noise / gap * (1 + 2^-20): the unit that the noise demands, rounded up to 32 bits. */
void ll_plan_needed_unit(const ll_plan *plan, arb_t out);

/* Bits of the largest sum of the code's weights. */
slong ll_plan_sum_bits(const ll_plan *plan);

/* The largest difference between the weights of two labels of one row. */
void ll_plan_heaviest(const ll_plan *plan, arb_t out);

/* The closed form of powers is Itakura-Saito's: is it asked for with another loss? */
int ll_plan_is_foreign_closed(const ll_plan *plan);

/* LL_DOMAIN: the loss reaches weights up to `reach`, and the text says what noise and how many rows that is enough for.
 */
ll_status ll_plan_fail_reach(const ll_plan *plan, const arb_t heaviest, const arb_t reach, ll_error *error);

/* From account->terms of one stored row: offset += term(base); low, high += least, greatest of term(k) - term(base) -
 * (weight(k) - weight(base)) * unit. */
void ll_account_add_terms(const ll_plan *plan, const ll_code *code, ll_account *account, long row);

/* The account of a full block of the plan's own predictions, and of the neutral rows around it. */
LL_CHECK ll_status ll_plan_account_block(const ll_plan *plan, ll_account *account, ll_block *scratch, ll_error *error);

const char *ll_plan_metric_name(const ll_plan *plan);
/* Are its predictions labels? */
int ll_plan_takes_labels(const ll_plan *plan);
/* LL_DOMAIN where the numbers of a metric of counts or ranks tell too little of the labels to be planned for
 * (count_steps.c). */
LL_CHECK ll_status ll_plan_check_counts(const ll_plan *plan, ll_error *error);

/* ---- how far a score is from the sum of its terms (blur.c) ---- */

/* plan->noise, for sums of at most `most` in size. */
void ll_plan_set_noise(ll_plan *plan, const arb_t most);
/* How far the scorer's own arithmetic may move the sum that a score stands for, beyond plan->noise, for terms whose
 * sizes add up to the account's magnitude: sum, mean and release; 0 in exact arithmetic. */
void ll_plan_rounding(const ll_plan *plan, const ll_account *account, arb_t out);
/* Of that, what reading a score does not allow for itself: the sum's. */
void ll_plan_sum_rounding(const ll_plan *plan, const ll_account *account, arb_t out);
/* The same for a sum over a part of `rows` rows. */
void ll_plan_part_rounding(const ll_plan *plan, arb_t out, const mag_t magnitude, long rows);
/* From the interval of a released number, as its text says, to that of the metric's own: steps and noise of the release
 * are undone. LL_DOMAIN: no number is released so. */
LL_CHECK ll_status ll_plan_read_number(const ll_plan *plan, arb_t number, const arb_t released);
/* The same, on to the sum of its terms, matches for metrics that count; noise: how much of its half width the release
 * states. LL_DOMAIN: no number is released so. */
LL_CHECK ll_status ll_plan_read_sum(const ll_plan *plan, arb_t sum, arb_t noise, const arb_t released);

/* How wide, about, the interval is that noise and rounding leave for a number of the size of 1. */
double ll_plan_number_blur(const ll_plan *plan);

/* May the sum of such rows, or its percentage, be too large for the scorer's format? */
int ll_plan_overflows(const ll_plan *plan, const ll_account *account);

LL_CHECK ll_status ll_account_init(ll_account *account, const ll_plan *plan);
void ll_account_clear(ll_account *account, const ll_plan *plan);
void ll_account_reset(ll_account *account);

#endif
