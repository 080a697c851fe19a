/* One question to `separate` on its way to an answer. */
#ifndef LL_SEPARATE_WORK_H
#define LL_SEPARATE_WORK_H

#include "separate/separate_private.h"

enum { LL_WORK_PREC = 192 };

typedef struct {
    const ll_scorer *scorer;
    ll_scoring scoring;
    ll_terms terms;
    ll_core core;
    ll_threshold threshold; /* of the sum */
    arb_t wanted;           /* the same of the score */
    arb_t most;             /* the greatest number, before its transform */
    arb_t least, greatest;  /* score over all labellings */
    arf_t lower, upper, gap;
    int32_t *pair; /* two labellings */
    ll_unreleased first, second;
    const char *method;
    ll_effort effort;

    /* Metrics of counts and ranks (separate_views.h). */
    int is_view;
    double different; /* scores that differ; 0: not counted */
    arf_t step;       /* the least difference of two of them */
} ll_separation_work;

/* ---- the question (separate_question.c) ---- */

/* The most that the two real scores of the pair can be apart. */
void ll_work_pair_upper(const ll_separation_work *w, arf_t out);

/* Refuses scorers and shapes that separate knows nothing of. */
LL_CHECK ll_status ll_work_set_scoring(ll_separation_work *out, const ll_scorer *scorer,
                                       const ll_predictions *predictions, ll_error *error);

/* Is the score the sum times a factor? */
int ll_work_is_linear(const ll_separation_work *w);
void ll_work_get_factor(fmpq_t out, const ll_separation_work *w);

/* What noise and rounding ask of the gap. */
LL_CHECK ll_status ll_work_set_threshold(ll_separation_work *w, ll_error *error);

/* The least and the greatest score, from the terms. */
LL_CHECK ll_status ll_work_find_range(ll_separation_work *w, ll_error *error);

/* ---- the answer (separate_answer.c) ---- */

/* The pair goes into *out. */
LL_CHECK ll_status ll_work_write(ll_separation_work *w, ll_separation *out, ll_error *error);

#endif
