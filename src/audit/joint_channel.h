/* The channel of an answer that has several numbers. */
#ifndef LL_AUDIT_JOINT_CHANNEL_H
#define LL_AUDIT_JOINT_CHANNEL_H

#include "audit/channel.h"

/* Bits of an answer, in parts: of the numbers that follow from the table of label and prediction, of all others. */
typedef struct {
    long numbers, of_table;
    double parts_bits, parts_fixed, other_bits, other_fixed;
    double epsilon, square;             /* what one label can move over the noise, summed; squares of it, summed */
    double group_epsilon, group_square; /* of the group where that is most: a label is in one of them */
    double cost;
    int all_sums, fails, fails_free;
} ll_joint;

/* ll_channel_init of a scorer that has several. */
LL_CHECK ll_status ll_channel_join(ll_channel *out, const ll_scorer *scorer, ll_error *error);

/* What the table of label and prediction says of a channel of one number that follows from it. */
void ll_channel_set_table(ll_channel *channel, const ll_scorer *scorer);

#endif
