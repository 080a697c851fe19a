/* Equations taken apart (docs/proofs/meet.md, "Several scores, block by block"). */
#ifndef LL_INFER_BLOCKS_H
#define LL_INFER_BLOCKS_H

#include "infer/evidence.h"

/* What the blocks of an evidence give together. */
typedef struct {
    long rows, classes;
    unsigned char *candidates; /* [row * classes + label]: 0 only where it is proved that the row has another label */
    unsigned char *likely;     /* the same with the labels that are likely only; equal where every block was proved */
    int is_whole;              /* one block of all rows, of which nothing became known: the caller treats it as one */
    int is_none;               /* no labelling explains the scores */
    int is_likely;             /* some block has labels that are likely */
    double probability;        /* of these */
    int is_counted;            /* every block was decided completely: */
    fmpz_t count;              /* at most so many labellings explain the scores */
    int32_t *labellings;       /* kept * rows: some of them */
    long kept;
    ll_method method; /* of the block of most rows */
    ll_error refusal; /* why the last block that stayed open did; "" where none did */
} ll_blocks;

/* *out is set up, and cleared by ll_blocks_clear whatever is returned. is_quick: meeting in the middle is quick with
 * all rows at once, so that one block of all of them needs no smaller systems. seconds: of the budget, those that are
 * left. LL_MEMORY. */
LL_CHECK ll_status ll_blocks_find(ll_blocks *out, const ll_evidence *evidence, const ll_linear *system, int is_quick,
                                  double seconds, const ll_budget *budget, ll_error *error);
void ll_blocks_clear(ll_blocks *blocks);

/* ---- a part of an evidence (restrict.c) ---- */

/* The scores `scores` of the rows `rows`, those of the other rows taken off the sums, whatever candidates they are left
 * with: every labelling that explains the evidence explains this, too. Cleared by ll_evidence_free_part. LL_MEMORY. */
LL_CHECK ll_status ll_evidence_restrict(ll_evidence *out, const ll_evidence *evidence, const unsigned char *candidates,
                                        const long *rows, long row_count, const long *scores, long score_count);
void ll_evidence_free_part(ll_evidence *part);

#endif
