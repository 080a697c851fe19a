/* Policies of guards: what is accepted has one canonical form, which is accepted again, as it is, with the same digest. */
#include "fuzz.h"
#include "lossleak/guard.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ll_policy *policy = NULL, *again = NULL;
    ll_error error = {0};
    char *text = ll_fuzz_text(data, size);
    if (ll_fuzz_status(ll_policy_read(&policy, text, size, &error), &error) == LL_OK) {
        const char *json = ll_policy_get_json(policy);
        LL_FUZZ_CHECK(ll_fuzz_status(ll_policy_read(&again, json, strlen(json), &error), &error) == LL_OK);
        LL_FUZZ_CHECK(strcmp(json, ll_policy_get_json(again)) == 0);
        LL_FUZZ_CHECK(strcmp(ll_policy_get_digest(policy), ll_policy_get_digest(again)) == 0);
        LL_FUZZ_CHECK(ll_scorer_get_count(ll_policy_get_scorer(policy), "rows") > 0);
    }
    ll_policy_destroy(policy);
    ll_policy_destroy(again);
    free(text);
    return 0;
}
