/* One inference from equations at work: what inference.c chooses, and what infer_verdict.c does and makes of it. */
#ifndef LL_INFER_INFER_JOB_H
#define LL_INFER_INFER_JOB_H

#include "infer/evidence.h"

typedef struct {
    const ll_evidence *evidence;
    ll_linear system;
    ll_groups groups;
    double memory, until; /* bytes; when its seconds end, by ll_clock */
    int threads;
    const ll_budget *budget;
    int is_quick, is_block; /* meet in the middle only, where it is quick; not to be taken apart */
    double cost;            /* seconds that were predicted for meet in the middle */
    ll_inference *out;
    ll_error *error;
} ll_infer_job;

double ll_infer_seconds_left(const ll_infer_job *job);

/* ---- verdicts (infer_verdict.c) ---- */

/* The set of all labellings that fit is known, by the verdict's candidates: which rows are certain. any 0: none fits. */
void ll_infer_prove(const ll_infer_job *job, int any);
/* Nothing more is known than what the system allows. */
void ll_infer_leave_open(const ll_infer_job *job);
/* The count is 0. LL_MEMORY, without a text. */
LL_CHECK ll_status ll_infer_count_none(const ll_infer_job *job);

/* Each of these runs one method and reads what it found into job->out. LL_MEMORY; LL_UNABLE says what would be needed. */

/* Meet in the middle, or every labelling, in a share of the seconds that are left. */
LL_CHECK ll_status ll_infer_set(const ll_infer_job *job, ll_method method, double share);
/* The lattice. *found 0: no labelling, and nothing is known. */
LL_CHECK ll_status ll_infer_near_vectors(const ll_infer_job *job, int *found);
/* Linear algebra. *pinned: it decided every row, or that no labelling fits. */
LL_CHECK ll_status ll_infer_solve(const ll_infer_job *job, int *pinned);
/* Block by block. *done 0: one block, of which nothing became known. A refusal counts where nothing else is known.
 * quick: one block is decided by meeting in the middle afterwards. */
LL_CHECK ll_status ll_infer_blocks(const ll_infer_job *job, int quick, int *done);

#endif
