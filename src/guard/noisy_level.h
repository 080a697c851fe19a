/* Levels of a score with noise. The noise is drawn once for each different submission, whoever submits it and however
 * often: its seed is a digest of the submission under a secret of the ledger. */
#ifndef LL_GUARD_NOISY_LEVEL_H
#define LL_GUARD_NOISY_LEVEL_H

#include "guard/ledger.h"

typedef struct ll_noise_kind ll_noise_kind;

/* By the setting's text ("gaussian:0.1"); NULL: guards do not draw such noise. */
const ll_noise_kind *ll_noise_kind_find(const char *text);
/* LL_DOMAIN, with the kinds there are. */
LL_CHECK ll_status ll_noise_kind_refuse(ll_error *error);

/* Is this noise in proportion to the spread of a submission? */
int ll_noise_follows_spread(const char *noise);

/* What scores are rounded to. */
double ll_noise_grid(void);
/* The size of noise of this setting, in units of the score, for a submission of this spread. */
LL_CHECK ll_status ll_noise_size(double *out, const char *noise, double spread, long rows, ll_error *error);

/* The level that the noisy score of this submission reaches; where there are no levels, the number itself on its grid,
 * negated where lower is better. size: of the noise; 0: it is found out here. Errors as of ll_curator_score. */
LL_CHECK ll_status ll_guard_noisy_level(ll_guard *guard, long *level, const char *digest,
                                        const ll_predictions *predictions, double size, ll_error *error);

/* The level that a number without noise reaches. */
LL_CHECK ll_status ll_guard_level_of(const ll_guard *guard, long *level, double score, ll_error *error);

/* Text of such a number; the caller's to free. NULL: no memory. */
char *ll_guard_number_text(const ll_policy *policy, long number);

#endif
