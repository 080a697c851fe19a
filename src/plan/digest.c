/* A digest of everything that a plan's predictions depend on: the text of its parameters, through SHA-256. */
#include "plan/strategy.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

static void add_text(struct sha256_ctx *hash, const char *name, const char *value)
{
    sha256_update(hash, strlen(name), (const uint8_t *)name);
    sha256_update(hash, 1, (const uint8_t *)"=");
    if (value != NULL)
        sha256_update(hash, strlen(value), (const uint8_t *)value);
    sha256_update(hash, 1, (const uint8_t *)"\n");
}

static void add_number(struct sha256_ctx *hash, const char *name, long value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%ld", value);
    add_text(hash, name, text);
}

/* What neither predictions nor their decoding depend on by itself: a profile is the settings that it stands for, a
 * Ladder has no plan, and hadamard's seed and queries are a part of its code. Every other setting counts, new ones
 * too. */
static int is_beside(ll_setting setting)
{
    return setting == LL_SET_PROFILE || setting == LL_SET_RELEASE || setting == LL_SET_QUERIES ||
           setting == LL_SET_PRIOR || setting == LL_SET_SEED || setting == LL_SET_FAILURES;
}

static void add_scorer(struct sha256_ctx *hash, const ll_scorer *s)
{
    for (ll_setting i = 0; i < LL_SETTINGS; i++)
        if (!is_beside(i))
            add_text(hash, ll_setting_name(i), ll_scorer_text(s, i));
}

static void add_code(struct sha256_ctx *hash, const ll_plan *plan)
{
    add_text(hash, "code", plan->name);
    add_text(hash, "writer", plan->writer->name);
    add_number(hash, "block", plan->block);
    add_number(hash, "columns", plan->columns);
    add_number(hash, "bits", plan->writer->get_bits != NULL ? plan->writer->get_bits(plan) : 0);
    if (plan->candidate->averages) {
        char seed[32];
        (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)plan->scorer->seed);
        add_text(hash, "seed", seed);
        add_number(hash, "queries", plan->queries);
    }
    if (plan->repeats > 1)
        add_number(hash, "repeats", plan->repeats);
    char *unit = arf_dump_str(arb_midref(plan->unit));
    add_text(hash, "unit", unit);
    flint_free(unit);
}

static void add_groups(struct sha256_ctx *hash, const ll_plan *plan)
{
    for (long g = 0; g + 1 < ll_scorer_count_numbers(plan->answer); g++)
        add_code(hash, plan->groups[g]);
}

void ll_plan_digest(const ll_plan *plan, char *text, size_t size)
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    add_text(&hash, "lossleak plan", "3");
    add_scorer(&hash, plan->scorer);
    for (long i = 0; ll_scorer_count_numbers(plan->answer) > 1 && i < ll_scorer_count_numbers(plan->answer); i++)
        add_scorer(&hash, ll_scorer_get_number(plan->answer, i));
    if (plan->groups != NULL)
        add_groups(&hash, plan);
    else
        add_code(&hash, plan);
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(&hash, sizeof bytes, bytes);
    if (size > 0)
        text[0] = '\0';
    for (size_t i = 0; i < sizeof bytes && 2 * i + 2 < size; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}
