/* Metrics that are a linear function of AUC, asked by the order of the predictions (docs/proofs/ranks.md).
 * They add up the ranks of the rows of class 1. Rows are asked about in stages; those that were asked before are known,
 * so that they can stand between the others.
 *
 * In a query of a stage the rows that come later are tied below all others. The rows of the stage have levels, and
 * known rows fill what is left between them, so that twice the rank of a row of level v is centre + step * v. The first
 * stage has no known rows, and two levels: its level 0 is tied with the rows that come later. Where all rows would take
 * too many queries, the last stage ends before the last row. Behind the last stage may come checks, which put a few rows
 * on top: they tell numbers of class 1 apart that all before may leave. */
#ifndef LL_STRATEGY_RANKS_RANKS_H
#define LL_STRATEGY_RANKS_RANKS_H

#include "code/code.h"
#include "plan/strategy.h"

extern const ll_candidate ll_candidate_ranks;

/* ---- within this folder ---- */

extern const ll_code_row ll_code_ranks;
extern const ll_writer ll_writer_ranks;
LL_CHECK ll_status ll_ranks_plan(ll_plan *plan, const ll_question *q, ll_error *error);

typedef struct {
    long known, asked; /* rows before it; its own: 0 for the checks */
    long first_query;
    long queries;    /* of its levels; then, but for the last stage, one that puts all of its rows on top */
    int is_last;     /* no row comes later, or it is that of the checks */
    double share;    /* of values (code/spread_levels.h); 0: of the first stage */
    ll_code *levels; /* code of levels, or of the first stage's labels */
} ll_rank_stage;

/* So many rows are read by so many queries. */
typedef struct {
    long rows, queries;
} ll_rank_part;

typedef struct {
    long rows, count, queries;
    int64_t least_step; /* of twice the ranks: below it sums cannot be told apart */
    long check_rows;    /* the most that a check puts on top; 0: there are no checks */
    ll_rank_stage *stages;
    ll_rank_part *parts; /* of a plan for all rows: what can be read of them, rows and queries rising */
    long part_count;
} ll_rank_stages;

/* What one query shows: places 0 .. ties-1 from the lowest, and twice the ranks as a function of levels. */
typedef struct {
    long ties;
    int64_t step, centre, rest;
} ll_rank_query;

/* What stages are made of: for the first `read` rows, all or so many as a part of the plan for all. */
typedef struct {
    long rows, read;
    int64_t least_step;
    long check_rows;
} ll_rank_design;

/* LL_DOMAIN: two levels are not far enough apart, or there are too many rows. LL_MEMORY. Clear in every case. */
LL_CHECK ll_status ll_rank_stages_init(ll_rank_stages *out, const ll_rank_design *design, ll_error *error);
void ll_rank_stages_clear(ll_rank_stages *stages);

/* May every labelling be looked at? Then: are any two that differ in one of the first `read` rows told apart by some
 * query of the code `ranks`, whose AUC is known but for an interval of width `open`? LL_MEMORY (few_rows.c). */
int ll_ranks_are_few(long rows, long classes);
LL_CHECK ll_status ll_ranks_look(const ll_code *code, long read, double open, int *are_apart);

/* The stage of a query. */
const ll_rank_stage *ll_rank_stage_of(const ll_rank_stages *stages, long query);
/* The stage of the checks? */
int ll_rank_is_check(const ll_rank_stage *stage);
/* So many checks follow where so many rows are read. */
long ll_rank_checks(const ll_rank_stages *stages, long read);
/* The first query after those of the stage. */
long ll_rank_stage_end(const ll_rank_stage *stage);
/* Is it the one that puts all rows of its stage on top? */
int ll_rank_is_total(const ll_rank_stage *stage, long query);
/* The level of a row of the stage, counted from 0. */
int64_t ll_rank_level(const ll_rank_stage *stage, long query, long row);

/* The place of every row. LL_MEMORY. */
LL_CHECK ll_status ll_rank_places(const ll_rank_stages *stages, long query, uint16_t *places, ll_rank_query *out);
/* ranks[0 .. ties-1]: twice the rank of the rows of each place. */
void ll_rank_double(int64_t *ranks, long ties, const uint16_t *places, long rows);

/* code->levels: all of the design but the rows. */
int64_t ll_ranks_levels(const ll_rank_design *design);
/* Of a code `ranks` (rank_code.c). Its queries are those of the stages, asked about every class but 0: stage by stage,
 * and in each class by class. */
const ll_rank_stages *ll_ranks_stages(const ll_code *code);
/* Which query of the stages it is, and of which class; and the other way round. */
long ll_ranks_own(const ll_code *code, long query, long *label);
long ll_ranks_find(const ll_code *code, long own, long label);
/* What a query of the code shows. */
const uint16_t *ll_ranks_places(const ll_code *code, long query);
const ll_rank_query *ll_ranks_query(const ll_code *code, long query);

#endif
