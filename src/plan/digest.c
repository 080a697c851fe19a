/* A digest of everything that a plan's predictions depend on: the text of its parameters, through SHA-256. */
#include "plan/strategy.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

struct ll_words {
    struct sha256_ctx hash;
};

void ll_words_add_text(ll_words *words, const char *name, const char *value)
{
    struct sha256_ctx *hash = &words->hash;
    sha256_update(hash, strlen(name), (const uint8_t *)name);
    sha256_update(hash, 1, (const uint8_t *)"=");
    if (value != NULL)
        sha256_update(hash, strlen(value), (const uint8_t *)value);
    sha256_update(hash, 1, (const uint8_t *)"\n");
}

void ll_words_add_number(ll_words *words, const char *name, long value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%ld", value);
    ll_words_add_text(words, name, text);
}

/* What neither predictions nor their decoding depend on by itself: a profile is the settings that it stands for, a
 * Ladder has no plan, and hadamard's seed and queries are a part of its code. Every other setting counts, new ones
 * too. */
static int is_beside(ll_setting setting)
{
    static const ll_setting beside[] = {LL_SET_PROFILE, LL_SET_RELEASE,  LL_SET_QUERIES,   LL_SET_PRIOR,
                                        LL_SET_SEED,    LL_SET_FAILURES, LL_SET_START,     LL_SET_IMPROVEMENTS,
                                        LL_SET_SCOPE,   LL_SET_ACCOUNTS, LL_SET_PER_DAY,   LL_SET_DAYS,
                                        LL_SET_TEAMS,   LL_SET_HONEST,   LL_SET_OWN_LEVELS};
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++)
        if (beside[i] == setting)
            return 1;
    return 0;
}

static void add_scorer(ll_words *words, const ll_scorer *s)
{
    for (ll_setting i = 0; i < LL_SETTINGS; i++)
        if (!is_beside(i))
            ll_words_add_text(words, ll_setting_name(i), ll_scorer_text(s, i));
}

void ll_plan_digest(const ll_plan *plan, char *text, size_t size)
{
    ll_words words;
    sha256_init(&words.hash);
    ll_words_add_text(&words, "lossleak plan", "3");
    add_scorer(&words, plan->scorer);
    for (long i = 0; ll_scorer_count_numbers(plan->answer) > 1 && i < ll_scorer_count_numbers(plan->answer); i++)
        add_scorer(&words, ll_scorer_get_number(plan->answer, i));
    plan->strategy->words(plan, &words);
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(&words.hash, sizeof bytes, bytes);
    if (size > 0)
        text[0] = '\0';
    for (size_t i = 0; i < sizeof bytes && 2 * i + 2 < size; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}
