/* What is known of the least difference so far: bounds, and a pair that shows the upper one. */
#include "separate/separate_private.h"

#include <stdlib.h>
#include <string.h>

static ll_status init_least(ll_least_difference *least, long rows)
{
    *least = (ll_least_difference){0};
    arf_init(least->lower);
    arf_init(least->upper);
    arf_pos_inf(least->upper);
    least->first = calloc((size_t)rows, sizeof *least->first);
    least->second = calloc((size_t)rows, sizeof *least->second);
    return least->first != NULL && least->second != NULL ? LL_OK : LL_MEMORY;
}

static void clear_least(ll_least_difference *least)
{
    arf_clear(least->lower);
    arf_clear(least->upper);
    free(least->first);
    free(least->second);
}

void ll_least_see(ll_least_difference *least, const arb_t difference, const int32_t *first, const int32_t *second,
                  long rows)
{
    arf_t most;
    arf_init(most);
    arb_get_abs_ubound_arf(most, difference, 96);
    if (!least->has_pair || arf_cmp(most, least->upper) < 0) {
        arf_set(least->upper, most);
        least->has_pair = 1;
        memcpy(least->first, first, (size_t)rows * sizeof *first);
        memcpy(least->second, second, (size_t)rows * sizeof *second);
    }
    arf_clear(most);
}

ll_status ll_core_init(ll_core *core, long rows)
{
    memset(core, 0, sizeof *core);
    arb_init(core->range);
    arb_init(core->delta);
    return init_least(&core->least, rows);
}

void ll_core_clear(ll_core *core)
{
    clear_least(&core->least);
    arb_clear(core->range);
    arb_clear(core->delta);
}
