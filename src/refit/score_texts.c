/* What the texts of the scores look like. */
#include "number/text_number.h"
#include "refit/refit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long find_earlier(const char *const *scores, long index)
{
    enum { LOOKED_AT = 512 }; /* of many thousand queries, too, in no time */
    for (long i = 0; i < index && i < LOOKED_AT; i++)
        if (strcmp(scores[i], scores[index]) == 0)
            return i;
    return -1;
}

static int is_never_worse(const char *const *scores, long count, int sign)
{
    for (long i = 1; i < count; i++)
        if (sign * (ll_read_double(scores[i], NULL) - ll_read_double(scores[i - 1], NULL)) > 0)
            return 0;
    return count > 2;
}

void ll_refit_look(ll_refit_texts *out, const char *const *scores, long count)
{
    *out = (ll_refit_texts){.first = -1};
    for (long i = 0; i < count; i++) {
        long decimals, digits, earlier = find_earlier(scores, i);
        ll_release_count_places(scores[i], &decimals, &digits);
        out->decimals = decimals > out->decimals ? decimals : out->decimals;
        out->digits = digits > out->digits ? digits : out->digits;
        if (earlier >= 0 && out->repeated++ == 0) {
            out->first = earlier;
            out->again = i;
        }
    }
    out->never_worse = is_never_worse(scores, count, 1) || is_never_worse(scores, count, -1);
}

/* Pairs that chance makes alike among `count` numbers of so many decimals, spread over 1. */
static double expected_repeats(const ll_refit_texts *t, long count)
{
    return (double)count * (double)(count - 1) / 2 * pow(10, -(double)t->decimals);
}

void ll_refit_say_repeats(char *text, size_t size, const ll_refit_texts *t, const char *const *scores, long count)
{
    text[0] = '\0';
    if (t->repeated < 1 || t->repeated < (count + 3) / 4 || (double)t->repeated < 4 * expected_repeats(t, count))
        return;
    (void)snprintf(text, size,
                   "%ld of %ld scores are repeated: queries %ld and %ld both got %.24s, though they differ%s",
                   t->repeated, count, t->first + 1, t->again + 1, scores[t->first],
                   t->never_worse ? "; no score is worse than the one before, as where the best one so far is shown."
                                  : "; is an earlier answer given again?");
}
