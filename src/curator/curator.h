/* Inside the curator: the secret labels, and what it keeps between answers.
 *
 *   labels, predictions -> ll_raw   the room metric computes it
 *   ll_raw -> ll_score              the room release */
#ifndef LL_CURATOR_CURATOR_H
#define LL_CURATOR_CURATOR_H

#include "scorer/scorer.h"

struct ll_curator {
    const ll_scorer *scorer; /* shared */
    ll_scoring scoring;
    int32_t *labels;
    ll_release_state state;
    long failed; /* submissions that failed, where those are counted */
};

#endif
