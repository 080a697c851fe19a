/* Which submissions are parts of a design? */
#ifndef LL_INVESTIGATE_SUSPICION_H
#define LL_INVESTIGATE_SUSPICION_H

#include "investigate/history.h"
#include "investigate/knowledge.h"

/* Submissions that read labels together, and what they read. */
typedef struct {
    uint64_t *from; /* a bit for each submission */
    long submissions, labels;
} ll_design;

LL_CHECK ll_status ll_design_init(ll_design *design, long submissions);
void ll_design_clear(ll_design *design);
int ll_design_has(const ll_design *design, long submission);

/* The labels that are known because their weights were told apart, and the submissions behind them. Linear algebra gives
 * honest scores as many labels as there are submissions; *design is found (1) where `gain` labels more, and a fifth more,
 * were read than there are submissions; and, where submissions have more than two different numbers, nine tenths of all
 * labels, of 80 or more. With labels that sums modulo a prime decided, the gain must be larger by as many labels as one
 * such sum decides. Otherwise it is empty. */
int ll_design_find(ll_design *design, const ll_history *history, const ll_knowledge *knowledge, long gain);

/* Takes accounts out of a set of submissions (is_member) that know nothing more together than without them: one after the
 * other is left out, those first that submitted most beside it and know the labels best, if the others still know 98 of
 * 100 labels. Accounts that can stand in for one that is needed stay. `labels` are those that are known (-1: not known).
 * LL_MEMORY. */
LL_CHECK ll_status ll_history_drop_bystanders(const ll_history *history, unsigned char *is_member,
                                              const int32_t *labels);

/* How much what an account submitted agrees with the labels that are known (-1: not known): standard deviations of the
 * agreement of predictions that owe nothing to them. 0 where there is nothing to compare, or no memory. */
double ll_history_agreement(const ll_history *history, long account, const int32_t *labels);

#endif
