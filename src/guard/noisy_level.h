/* Levels of a score with noise. The noise is drawn once for each different submission, whoever submits it and however
 * often: its seed is a digest of the submission under a secret of the ledger. */
#ifndef LL_GUARD_NOISY_LEVEL_H
#define LL_GUARD_NOISY_LEVEL_H

#include "guard/ledger.h"

typedef struct ll_noise_kind ll_noise_kind;

/* By the setting's text ("gaussian:0.1"); NULL: guards do not draw such noise. */
const ll_noise_kind *ll_noise_kind_find(const char *text);

/* The level that the noisy score of this submission reaches. Errors as of ll_curator_score. */
LL_CHECK ll_status ll_guard_noisy_level(ll_guard *guard, long *level, const char *digest,
                                        const ll_predictions *predictions, ll_error *error);

#endif
