/* The order in which a program is asked, and what is made of its answers. */
#include "identify/reply.h"
#include "identify/texts.h"

#include "number/value.h"

#include <stdlib.h>

void ll_identification_clear(ll_identification *identification)
{
    ll_identification *all = ll_value_whole(identification, sizeof *all);
    if (all == NULL)
        return;
    free(all->channels);
    free(all->forms);
    free(all->surprises);
    ll_texts_destroy(all->texts);
    ll_value_reset(identification);
}

ll_status ll_identify(ll_identification *out, const ll_program *program, const ll_identify_request *request,
                      ll_error *error)
{
    (void)out;
    (void)program;
    (void)request;
    return ll_fail(error, LL_UNABLE, "programs cannot be identified yet");
}

ll_status ll_identification_set(const ll_identification *identification, ll_scorer *scorer, ll_error *error)
{
    (void)identification;
    (void)scorer;
    return ll_fail(error, LL_UNABLE, "programs cannot be identified yet");
}
