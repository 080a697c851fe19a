/* Inside the curator: the secret labels, and what it keeps between answers.
 *
 *   labels, predictions -> ll_unreleased   the room metric computes it
 *   ll_unreleased -> ll_score              the room release */
#ifndef LL_CURATOR_CURATOR_H
#define LL_CURATOR_CURATOR_H

#include "scorer/scorer.h"

struct ll_curator {
    const ll_scorer *scorer; /* shared */
    ll_scoring scoring;      /* of the rows that are scored */
    long rows;
    int32_t *labels;          /* of all rows */
    long *part;               /* the rows that are scored, in order; NULL: all */
    int32_t *part_labels;     /* theirs */
    ll_release_state *states; /* one a number of the answer */
    long answered;
    long failed; /* submissions that failed, where those are counted */
};

/* As ll_curator_create of a resolved scorer, with another seed than the scorer's: simulations run many curators of one
 * scorer. */
LL_CHECK ll_status ll_curator_create_seeded(ll_curator **out, const ll_scorer *scorer, const int32_t *labels, long n,
                                            uint64_t seed, ll_error *error);

/* As ll_curator_score, of which this is the text alone; *text is the caller's to free. */
LL_CHECK ll_status ll_curator_answer(ll_curator *curator, char **text, const ll_predictions *predictions,
                                     ll_error *error);

#endif
