#include "audit/limits.h"

#include <math.h>

ll_status ll_audit_share_of_bits(double *share, const ll_scorer *scorer, double bits, ll_error *error)
{
    ll_channel channel;
    if (!(bits >= 0))
        return ll_fail(error, LL_DOMAIN, "%g bits: there are no fewer than 0", bits);
    ll_status status = ll_channel_init(&channel, scorer, error);
    if (status == LL_OK)
        *share = isinf(bits) ? 1 : ll_limit_share_of_bits(&channel, bits / (double)channel.rows * LL_UP);
    return status;
}

/* Known class counts have limits of their own, of which the inverse is not known: bisect. */
static double bisect(const ll_channel *channel, double share)
{
    double low = 0, high = channel->label_bits;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        *(ll_limit_share_of_bits(channel, middle) <= share ? &low : &high) = middle;
    }
    return low;
}

ll_status ll_audit_bits_of_share(double *bits, const ll_scorer *scorer, double share, ll_error *error)
{
    ll_channel channel;
    if (!(share > 0 && share <= 1))
        return ll_fail(error, LL_DOMAIN, "a share of %g: it must be above 0 and at most 1", share);
    ll_status status = ll_channel_init(&channel, scorer, error);
    if (status == LL_OK)
        *bits = share >= 1 ? INFINITY : bisect(&channel, share) * (double)channel.rows * (1 - 0x1p-30);
    return status;
}
