/* What an answer stands on, and what it moves. Nothing here has seen a label. */
#include "guard/noisy_level.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DAY = 86400 };

long ll_guard_level(const ll_policy *policy, const ll_ledger_state *state, const ll_ledger_account *account)
{
    return policy->is_leaderboard ? state->level : account->level;
}

/* A staircase is the account's, or that of all. */
ll_stand ll_guard_stand(const ll_policy *policy, const ll_ledger_state *state, const ll_ledger_account *account)
{
    long answers = policy->is_leaderboard ? state->entries - state->invalid : account->answered;
    long improved = policy->is_leaderboard ? state->improved : account->improved;
    int is_over = policy->improvements > 0 && improved >= policy->improvements;
    return (ll_stand){.is_first = answers == 0,
                      .left = is_over ? 0 : policy->levels - ll_guard_level(policy, state, account)};
}

char *ll_guard_level_text(const ll_policy *policy, long level)
{
    enum { SIZE = 400 };
    if (policy->levels == 0)
        return ll_guard_number_text(policy, level);
    char *text = malloc(SIZE);
    if (text != NULL)
        (void)ll_scorer_get_level(policy->scorer, text, SIZE, level);
    return text;
}

int64_t ll_guard_charge(const ll_policy *policy, ll_ledger_state *state, ll_ledger_account *account, long climbed,
                        long at)
{
    ll_stand stand = ll_guard_stand(policy, state, account);
    int64_t before = state->meter.spent;
    ll_meter_pay(&policy->tariff, &state->meter, &stand, climbed);
    if (climbed > 0) {
        account->level = ll_guard_level(policy, state, account) + climbed;
        state->level = account->level > state->level ? account->level : state->level;
        account->improved++;
        state->improved++;
        account->shown_at = at;
    }
    return state->meter.spent - before;
}

/* The account's level is the best of its numbers. */
void ll_guard_charge_number(ll_ledger_state *state, ll_ledger_account *account, long number, int64_t price, long at)
{
    state->meter.spent += price;
    if (account->improved > 0 && number <= account->level)
        return;
    account->level = number;
    account->improved++;
    state->improved++;
    account->shown_at = at;
}

long ll_guard_clock(const ll_ledger_state *state)
{
    long now = (long)time(NULL);
    return now > state->at ? now : state->at;
}

void ll_guard_count(ll_ledger_account *account, long at)
{
    account->today = account->day == at / DAY ? account->today + 1 : 1;
    account->day = at / DAY;
    account->submitted++;
}

static double left_of(long limit, long used)
{
    return limit == 0 ? INFINITY : used < limit ? (double)(limit - used) : 0;
}

void ll_guard_say_left(const ll_policy *policy, ll_guard_answer *out, const ll_ledger_state *state,
                       const ll_ledger_account *account)
{
    long today = account->day == ll_guard_clock(state) / DAY ? account->today : 0;
    int64_t budget = policy->tariff.budget;
    out->spent = (double)state->meter.spent / (double)LL_METER_BIT;
    out->budget = budget == INT64_MAX ? INFINITY : (double)budget / (double)LL_METER_BIT;
    out->left_account = left_of(policy->per_account, account->submitted);
    out->left_today = left_of(policy->per_day, today);
    out->left_all = left_of(policy->submissions, state->entries);
}
