/* The level that predictions reach by themselves: they are answered as an account's first submission. */
#include "curator/curator.h"
#include "number/value.h"
#include "scorer/sensitivity.h"

#include <stddef.h>
#include <stdlib.h>

/* The state of an account that has submitted nothing, in place of the curator's. */
static ll_status reach_level(ll_curator *curator, long *level, const ll_predictions *predictions, ll_error *error)
{
    ll_release_state *state = &curator->states[0], kept = *state;
    long answered = curator->answered, failed = curator->failed;
    char *text = NULL;
    ll_ladder_init(&state->ladder);
    curator->answered = curator->failed = 0;
    ll_status status = ll_curator_answer(curator, &text, predictions, error);
    if (status == LL_OK)
        *level = state->ladder.height.level;
    ll_ladder_clear(&state->ladder);
    *state = kept;
    curator->answered = answered;
    curator->failed = failed;
    free(text);
    return status;
}

static ll_status reach_spread(const ll_curator *curator, double *spread, const ll_predictions *predictions,
                              ll_error *error)
{
    if (curator->part != NULL)
        return ll_fail(error, LL_DOMAIN, "noise in proportion is not known of a public part of the rows");
    return ll_scorer_get_spread(curator->scorer, &curator->scoring, spread, predictions, error);
}

/* A caller of an older library has no room for it. */
static double *moves_of(const ll_reach *out, size_t size)
{
    return size >= offsetof(ll_reach, moves) + sizeof out->moves ? out->moves : NULL;
}

ll_status(ll_curator_reach)(ll_curator *curator, ll_reach *out, const ll_predictions *predictions, size_t size,
                            ll_error *error)
{
    const ll_release *release = &curator->scorer->release;
    ll_reach made = {.moves = moves_of(out, size)};
    ll_status status = LL_OK;
    if (ll_scorer_count_numbers(curator->scorer) != 1)
        return ll_fail(error, LL_DOMAIN, "levels are of one number, but an answer has several");
    if (predictions->rows != curator->rows)
        return ll_fail(error, LL_DOMAIN, "there are %ld rows of predictions for %ld labels", predictions->rows,
                       curator->rows);
    if (ll_release_follows_spread(release))
        status = reach_spread(curator, &made.spread, predictions, error);
    else if (release->noise == NULL && ll_release_has_levels(release))
        status = reach_level(curator, &made.level, predictions, error);
    if (status == LL_OK && made.moves != NULL)
        status = curator->part == NULL
                     ? ll_scorer_get_moves(curator->scorer, &curator->scoring, made.moves, predictions, error)
                     : ll_fail(error, LL_DOMAIN, "what labels move is not known of a public part of the rows");
    if (status == LL_OK)
        ll_value_copy(out, size, &made, sizeof made);
    return status;
}
