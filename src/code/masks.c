/* Groups from the largest mask down: a mask is larger than its submasks, so when a group is read, all others that touch
 * its alternating sum are known and have been subtracted. */
#include "code/masks.h"

#include <stdlib.h>
#include <string.h>

/* y[i] = sum over j subset of i of (-1)^(|i|-|j|) y[j], for i < n */
static void moebius(int64_t *y, long n)
{
    for (long bit = 1; bit < n; bit <<= 1)
        for (long i = bit; i < n; i++)
            if (i & bit)
                y[i] -= y[i ^ bit];
}

/* Take the group's share out of the transform at the submasks of its mask. work: 2^ones numbers. */
static void subtract_group(const ll_code *code, int64_t *y, const int32_t *labels, long mask, int64_t *work,
                           const ll_mask_groups *groups)
{
    uint64_t rank = (uint64_t)1 << ll_mask_ones((uint64_t)mask);
    memset(work, 0, sizeof *work * rank);
    groups->add(code, work, labels, mask);
    moebius(work, (long)rank);
    for (long sub = mask;; sub = (sub - 1) & mask) { /* submasks fall as their ranks do */
        y[sub] -= work[--rank];
        if (sub == 0)
            break;
    }
}

static int read_all(const ll_code *code, int32_t *labels, int64_t *y, int64_t *work, const ll_mask_groups *groups)
{
    moebius(y, code->queries);
    for (long mask = code->queries - 1; mask >= 0; mask--) {
        if (!groups->read(code, labels, mask, y))
            return 0;
        subtract_group(code, y, labels, mask, work, groups);
    }
    return 1;
}

int ll_sums_are_possible(const ll_code *code, const int64_t *sums)
{
    double most = (double)code->rows * (double)code->levels;
    for (long q = 0; q < code->queries; q++)
        if (!((double)sums[q] <= most && (double)sums[q] >= -most))
            return 0;
    return 1;
}

ll_status ll_masks_decode(const ll_code *code, ll_decoded *out, const int64_t *sums, const ll_mask_groups *groups,
                          ll_error *error)
{
    int bits = 0;
    while (1L << bits < code->queries)
        bits++;
    int64_t *y = malloc(sizeof *y * (size_t)code->queries), *work = malloc(sizeof *work << bits);
    if (y == NULL || work == NULL) {
        free(y);
        free(work);
        return ll_fail(error, LL_MEMORY, "no memory for %ld sums", code->queries);
    }
    memcpy(y, sums, sizeof *y * (size_t)code->queries);
    if (ll_sums_are_possible(code, sums) && read_all(code, out->labels, y, work, groups))
        ll_decoded_set_unique(out, code->rows, code->classes);
    else
        ll_decoded_set_none(out, code->rows, code->classes);
    free(y);
    free(work);
    return LL_OK;
}
