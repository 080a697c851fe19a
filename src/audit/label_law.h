/* How labels are drawn, as far as it is known: uniformly, by the shares of a prior, or uniformly among those that have
 * the class counts that were told. */
#ifndef LL_AUDIT_LABEL_LAW_H
#define LL_AUDIT_LABEL_LAW_H

#include "scorer/scorer.h"

/* The share of a label: told, of the prior, or 1 / classes. */
double ll_label_share(const ll_scorer *scorer, long classes, long label);

/* The same scorer, known counts being shares of a prior as well: for who weighs rows one by one. */
LL_CHECK ll_status ll_labels_vary(ll_scorer **out, const ll_scorer *scorer, ll_error *error);

/* All labels; known counts are kept. They follow from seed and stream. */
void ll_labels_draw(int32_t *labels, const ll_scorer *scorer, long rows, long classes, uint64_t seed, uint64_t stream);

#endif
