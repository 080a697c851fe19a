/* Counts of rows that the release rounds to several at once: every query of the code detecting is asked again and again
 * while a few rows say other labels, so that its count crosses the edges of rounding (docs/proofs/edges.md). */
#ifndef LL_STRATEGY_EDGES_EDGES_H
#define LL_STRATEGY_EDGES_EDGES_H

#include "plan/strategy.h"

extern const ll_candidate ll_candidate_edges;

/* ---- within this folder ---- */

extern const ll_code_row ll_code_edges;

/* What the code is made for: at most `run` neighbouring counts may look alike; `part` rows are read, 0: all; and whether
 * one more query predicts 1 for all rows. */
int64_t ll_edges_levels(long run, long part, int has_ones);

/* The queries of `counts` are asked with each of the patterns: query first + p * patterns + r is query p of it with
 * pattern r of the moving rows. In the second of two parts rows are numbered from the last one, and the rows that move
 * are the first ones; with pattern 0 no row moves. */
typedef struct {
    const ll_code *counts; /* NULL: there is no such part */
    long first, patterns, moving;
} ll_edges_part;

enum { LL_EDGES_PARTS = 2 };
void ll_edges_get_part(const ll_code *code, int part, ll_edges_part *out);
/* The label that the moving row `at` says in that pattern. */
int32_t ll_edges_move(const ll_code *code, long pattern, long at);

LL_CHECK ll_status ll_edges_plan(ll_plan *plan, const ll_question *q, ll_error *error);

#endif
