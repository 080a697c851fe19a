/* Several numbers in one answer: the setting also, and metrics that are many numbers themselves
 * (docs/proofs/several.md).
 *
 * Every number is a scorer of its own, over the same rows; one answer is their texts, in order, one blank between. */
#ifndef LL_SCORER_SEVERAL_H
#define LL_SCORER_SEVERAL_H

#include "scorer/scorer.h"

enum { LL_MOST_NUMBERS = 1 << 14 };

/* Is every item NAME[:option=value,...], separated by semicolons, a metric or profile with options that there are? */
LL_CHECK ll_status ll_several_check(const char *text, ll_error *error);

/* scorer->numbers, from what is resolved of it: none where it has one number alone. LL_DOMAIN names the item that does
 * not fit. */
LL_CHECK ll_status ll_several_resolve(ll_scorer *scorer, ll_error *error);
void ll_several_clear(ll_scorer *scorer);

/* What a host shows as one thing each: the first metric, and every item of the setting also. */
long ll_several_count_items(const ll_scorer *scorer);
/* The same scorer without one of them, resolved, and what that one is called. count >= 2. */
LL_CHECK ll_status ll_several_without(ll_scorer **out, char *name, size_t size, const ll_scorer *scorer, long item,
                                      ll_error *error);

/* LL_DOMAIN where an answer has several numbers, which `who` cannot serve. */
LL_CHECK ll_status ll_scorer_need_one(const ll_scorer *scorer, const char *who, ll_error *error);

/* The texts of one answer, number by number. */
typedef struct {
    char **texts;
    long count;
    char *memory;
} ll_answer;

/* LL_DOMAIN where the answer has another count of numbers than the scorer; LL_MEMORY. Clear what it gave. */
LL_CHECK ll_status ll_answer_split(ll_answer *out, const ll_scorer *scorer, const char *text, ll_error *error);
void ll_answer_clear(ll_answer *answer);

#endif
