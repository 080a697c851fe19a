/* The plan of the code changes: which predictions a row may have, and which rows have which in what query
 * (docs/proofs/changes.md). */
#ifndef LL_STRATEGY_CHANGES_CHANGE_PLAN_H
#define LL_STRATEGY_CHANGES_CHANGE_PLAN_H

#include "plan/plan.h"

enum { LL_CHANGES_STAGES = 16, LL_CHANGES_SUMS = 4096 };

/* Predictions of one row, and what the scorer makes of each with every label. The first is the one that is kept. */
typedef struct {
    long count, columns, classes;
    double *entries;       /* [count * columns] */
    arb_ptr terms;         /* [count * classes] */
    double *steps, *radii; /* [count * classes]: term less the kept one's, about; and how far off that is, at most */
    int is_positive;       /* is no term below 0? */
} ll_change_menu;

/* LL_UNABLE where a menu needs more than so many bytes. */
LL_CHECK ll_status ll_change_menu_check(const ll_plan *plan, double memory, ll_error *error);
/* LL_DOMAIN where the metric has no such predictions. Sets plan->columns. */
LL_CHECK ll_status ll_change_menu_init(ll_change_menu *menu, ll_plan *plan, ll_error *error);
void ll_change_menu_clear(ll_change_menu *menu);

/* Rows are asked about group by group, in order; a group has one query a stage. */
typedef struct {
    ll_change_menu menu;
    long groups, most_groups;
    long *first_row;   /* [groups + 1] */
    long *first_query; /* [groups + 1] */
    int32_t *choices;  /* [rows * LL_CHANGES_STAGES]: a place of the menu; 0: no change */
    int64_t most_sums; /* that some query keeps apart */
    long known;        /* rows whose every label is told */
} ll_changes;

const ll_changes *ll_plan_changes(const ll_plan *plan);
/* What row `row` adds with a label where it has that prediction, less what it adds with the kept one. */
void ll_changes_step(const ll_plan *plan, arb_t out, long row, long choice, long label);
/* What it adds with the kept one. */
void ll_changes_kept(const ll_plan *plan, arb_t out, long row, long label);
/* At least the sum over all rows of the largest term of the kept predictions, and the same of a query. */
void ll_changes_magnitude(const ll_plan *plan, mag_t out, long query);

/* At least the sum over all rows of how far a term of the query may be off its middle. */
double ll_changes_radius(const ll_plan *plan, long query);

/* The weight that a row's term has in the sum, with that label. */
void ll_plan_row_weight(const ll_plan *plan, arb_t out, long row, long label);

/* Groups, stages and choices; plan->state->code gets its queries. */
LL_CHECK ll_status ll_changes_arrange(ll_plan *plan, ll_changes *changes, ll_error *error);

#endif
