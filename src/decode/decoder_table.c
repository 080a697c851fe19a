/* The table of decoders: the first that suits a plan decodes it. */
#include "decode/decoder.h"

#include <assert.h>

static const ll_decoding *const table[] = {&ll_decoding_changes, &ll_decoding_single,   &ll_decoding_part,
                                           &ll_decoding_flip,    &ll_decoding_contrast, &ll_decoding_cells,
                                           &ll_decoding_counts,  &ll_decoding_ranks,    &ll_decoding_soft,
                                           &ll_decoding_levels,  &ll_decoding_sum};

const ll_decoding *ll_decoding_find(const ll_plan *plan)
{
    size_t i = 0;
    while (!table[i]->suits(plan)) {
        i++;
        assert(i < sizeof table / sizeof table[0]); /* a code has a decoder */
    }
    return table[i];
}
