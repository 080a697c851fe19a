/* Attacks on a program that need no description of it. */
#include "identify/reply.h"
#include "identify/texts.h"

#include "number/value.h"

#include <stdlib.h>

void ll_program_attack_result_clear(ll_program_attack_result *result)
{
    ll_program_attack_result *all = ll_value_whole(result, sizeof *all);
    if (all == NULL)
        return;
    free(all->labels);
    free(all->tried);
    ll_texts_destroy(all->texts);
    ll_value_reset(result);
}

ll_status ll_program_attack(ll_program_attack_result *out, const ll_program *program,
                            const ll_identification *identification, const ll_program_attack_request *request,
                            ll_error *error)
{
    (void)out;
    (void)program;
    (void)identification;
    (void)request;
    return ll_fail(error, LL_UNABLE, "programs cannot be attacked yet");
}
