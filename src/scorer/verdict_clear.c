/* What scores tell of the labels, as decoding and inference hand it out. */
#include "lossleak.h"
#include "number/value.h"

#include <stdlib.h>

void ll_verdict_clear(ll_verdict *verdict)
{
    ll_verdict *all = ll_value_whole(verdict, sizeof *all);
    if (all == NULL)
        return;
    free(all->labels);
    free(all->candidates);
    free(all->lowest);
    free(all->highest);
    free(all->shares);
    free(all->gap.text);
    free(all->noise.text);
    free(all->rounding.text);
    free(all->residual.text);
    free(all->explains.text);
    ll_value_reset(verdict);
}
