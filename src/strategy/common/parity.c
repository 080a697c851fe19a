/* Two classes, predictions that are labels: every label changes every count by 1, so all counts of one attack are even
 * together or odd together, once what the predictions themselves add is taken out. A count that noise leaves two
 * neighbouring candidates for is known as soon as the parity is: both are tried, and a labelling that explains all
 * scores is among the at most two that come out. */
#include "strategy/common/parity.h"

#include <stdlib.h>

/* The only sum of that parity in every range; 0 where some range has none. Ranges hold one or two integers. */
static int pick(const ll_code *views, int64_t *sums, const ll_sum_range *ranges, long queries, int parity)
{
    for (long q = 0; q < queries; q++) {
        int is_low = ((ranges[q].low ^ ll_code_parity(views + q)) & 1) == parity;
        if (ranges[q].count == 1 && !is_low)
            return 0;
        sums[q] = is_low ? ranges[q].low : ranges[q].low + 1;
    }
    return 1;
}

static ll_status decode_both(const ll_code *views, ll_decoded *out, ll_decoded *odd, const ll_sum_range *ranges,
                             int64_t *sums, long queries, ll_error *error)
{
    ll_status status = LL_OK;
    ll_decoded_set_none(out, views->rows, views->classes);
    if (pick(views, sums, ranges, queries, 0))
        status = ll_code_decode_levels(views, out, sums, error);
    if (status == LL_OK && pick(views, sums, ranges, queries, 1))
        status = ll_code_decode_levels(views, odd, sums, error);
    if (status == LL_OK && out->count == 1 && odd->count == 1) {
        ll_decoded_open_counted(views, out);
        ll_decoded_open_counted(views, odd);
    }
    if (status == LL_OK && odd->count > 0)
        ll_decoded_join(out, odd, views->rows, views->classes);
    return status;
}

ll_status ll_parity_decode(const ll_code *views, ll_decoded *out, const ll_sum_range *ranges, long queries,
                           ll_error *error)
{
    for (long q = 0; q < queries; q++)
        if (ranges[q].count > 2) {
            ll_decoded_set_open(out, views->rows, views->classes);
            return LL_OK;
        }
    ll_decoded odd;
    int64_t *sums = malloc(sizeof *sums * (size_t)queries);
    if (sums == NULL || ll_decoded_init(&odd, views->rows, views->classes) != LL_OK) {
        free(sums);
        return ll_fail(error, LL_MEMORY, "no memory for %ld sums", queries);
    }
    ll_status status = decode_both(views, out, &odd, ranges, sums, queries, error);
    ll_decoded_clear(&odd);
    free(sums);
    return status;
}
